/* contexts_api.h - /sessions/{id}/contexts and below: cells that share their variables (docs/sessions.md). */
#pragma once
#include "daemon/service.h"

void contexts_create(struct call *c, struct http_answer *a);
void contexts_delete(struct call *c, struct http_answer *a);
void contexts_execute(struct call *c, struct http_answer *a);
void contexts_interrupt(struct call *c, struct http_answer *a);
void contexts_restart(struct call *c, struct http_answer *a);
void contexts_checkpoint(struct call *c, struct http_answer *a);
void contexts_undo(struct call *c, struct http_answer *a);
/* Of the workspace, without a context. */
void sessions_checkpoint(struct call *c, struct http_answer *a);
void sessions_undo(struct call *c, struct http_answer *a);
