/* agents_api.h - what is remembered of agents, and what an administrator does about it, as the command `agents`.
 *
 * An act is written into the audit before it is done; when that fails, it is not done. A key that is bound to agents sees and steers those.
 */
#pragma once
#include "daemon/service.h"

void agents_list(struct call *c, struct http_answer *a);
void agents_show(struct call *c, struct http_answer *a);
void agents_trust(struct call *c, struct http_answer *a); /* PATCH {"trust","reason"} */
void agents_quarantine(struct call *c, struct http_answer *a);
void agents_release(struct call *c, struct http_answer *a);
void agents_ban(struct call *c, struct http_answer *a);
