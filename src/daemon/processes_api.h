/* processes_api.h - handlers of /sessions/{session_id}/processes: jobs whose input stays open, or that have a terminal.
 * A process is an execution, whose id it has: what the client does not find here it finds there. */
#pragma once
#include "daemon/service.h"

void processes_create(struct call *c, struct http_answer *a);
void processes_list(struct call *c, struct http_answer *a);
void processes_show(struct call *c, struct http_answer *a);
void processes_end(struct call *c, struct http_answer *a);
void processes_events(struct call *c, struct http_answer *a);
void processes_write(struct call *c, struct http_answer *a);
void processes_signal(struct call *c, struct http_answer *a);
void processes_resize(struct call *c, struct http_answer *a);
