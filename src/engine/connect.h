/* connect.h - the way to an engine's socket, and what to do where there is none. */
#pragma once
#include "engine/api.h"

#define ENGINE_SOCKET_MAX 107u /* bytes of its path: what sockaddr_un holds */

/* A connected stream socket, in time. A descriptor, or -errno with what a person does about it. */
int engine_connect(const char *path, uint64_t patience_ms, struct error *err);
/* caller: as struct engine has it. */
int engine_connect_for(const char *path, uint64_t patience_ms, const struct engine_caller *caller, struct error *err);

/* Writes «30 s», «0.25 s». Returns out. */
const char *engine_seconds(uint64_t ms, char out[static 32]);
