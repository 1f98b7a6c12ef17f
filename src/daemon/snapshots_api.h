/* snapshots_api.h - POST /sessions/{id}/snapshots, and /snapshots (docs/sessions.md). */
#pragma once
#include "daemon/service.h"
#include "daemon/sessions.h"
#include "daemon/snapshots.h"

void snapshots_create(struct call *c, struct http_answer *a);
void snapshots_list(struct call *c, struct http_answer *a);
void snapshots_delete(struct call *c, struct http_answer *a);

/* What a session is to begin with. False: there is no such snapshot of this key, and an answer was given. */
bool snapshots_find(struct call *c, const char *id, struct snapshot *ret, struct snapshot_reader **ret_reader,
                    struct http_answer *a);
/* Into e, which is ready. False: it may not, or cannot, and an answer was given. */
bool snapshots_restore(struct call *c, struct session_entry *e, const struct snapshot *s,
                       struct snapshot_reader *reader, struct http_answer *a);
