/* sessions_api.h - /sessions and below (docs/sessions.md). */
#pragma once
#include "daemon/service.h"
#include "daemon/sessions.h"

void sessions_create(struct call *c, struct http_answer *a);
void sessions_list(struct call *c, struct http_answer *a);
void sessions_show(struct call *c, struct http_answer *a);
void sessions_delete(struct call *c, struct http_answer *a);
void sessions_extend(struct call *c, struct http_answer *a);
void sessions_pause(struct call *c, struct http_answer *a);
void sessions_resume(struct call *c, struct http_answer *a);
void sessions_execute(struct call *c, struct http_answer *a);

/* The session of the path's first part, with a reference, if this caller may see it; NULL: an answer was given (404).
 */
struct session_entry *sessions_seen(struct call *c, struct http_answer *a);
/* The session of the path's first part, with a reference, if this caller may work in it: it is his key's own. NULL: an
 * answer was given (404, 403; 409 where it has ended). */
struct session_entry *sessions_own(struct call *c, struct http_answer *a);
/* The same of one that is not paused (409): for what its processes have to do. */
struct session_entry *sessions_awake(struct call *c, struct http_answer *a);
