/* audit_files_api.h - the audit's files as they are, byte by byte, for those who verify them elsewhere. */
#pragma once

struct call;
struct http_answer;
void audit_files(struct call *c, struct http_answer *a); /* GET /audit/files: names and sizes, the oldest first */
void audit_file(struct call *c, struct http_answer *a);  /* GET /audit/files/{name}?offset=: to the end of now */
