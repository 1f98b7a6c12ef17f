/* version.h - which Engine API is spoken, from what GET /version says. */
#pragma once
#include "engine/api.h"

/* Sets version, is_podman and name. server: the answer's field of that name, or "". -EPROTONOSUPPORT: too old, too new; -EBADMSG: no engine says such a thing. */
int version_agree(struct engine *e, const json_t *answer, const char *server, struct error *err);
