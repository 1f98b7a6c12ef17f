/* agents_api.h - what is remembered of agents, and what an administrator does about it, as the command `agents`.
 *
 * An act is written into the audit before it is done; when that fails, it is not done. A key that may look, or act, may
 * do so for all agents: only keys of role run are bound to some.
 */
#pragma once
#include "daemon/service.h"

/* GET /attempts: the busiest agents of the last hour, refused requests included (attempts.h) */
void agents_attempts(struct call *c, struct http_answer *a);
void agents_list(struct call *c, struct http_answer *a);
void agents_show(struct call *c, struct http_answer *a);
void agents_trust(struct call *c, struct http_answer *a); /* PATCH {"trust","reason"} */
void agents_quarantine(struct call *c, struct http_answer *a);
void agents_release(struct call *c, struct http_answer *a);
void agents_ban(struct call *c, struct http_answer *a);
