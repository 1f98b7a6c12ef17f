/* version.h - which Engine API is spoken, from what GET /_ping and GET /version say. */
#pragma once
#include "engine/api.h"

/* Sets version, is_podman and name. server: the answer's field of that name, or "". -EPROTONOSUPPORT: too old, too new;
 * -EBADMSG: no engine says such a thing. */
int version_agree(struct engine *e, const json_t *answer, const char *server, struct error *err);
/* From the fields of the head of GET /_ping: true where that suffices and nothing is against it; otherwise ask for the
 * version. */
bool version_from_ping(struct engine *e, const char *api_version, const char *server);
