/* what_if_api.h - POST /policy/test: which recorded decisions another configuration would change. Reads the audit,
 * changes nothing; for admins, since a configuration names files that sandbox-policy then reads. */
#pragma once

struct call;
struct http_answer;
void what_if(struct call *c, struct http_answer *a);
