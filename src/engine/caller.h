/* caller.h - waiting for an engine and listening to the caller meanwhile. Only for this module. */
#pragma once
#include "engine/api.h"

/* caller->listen(), or nothing to poll for and UINT64_MAX where there is none. */
uint64_t caller_listen(const struct engine_caller *caller, struct pollfd out[static ENGINE_CALLER_POLLS]);
/* Until fd has one of these events: 0, -ETIMEDOUT, -ECANCELED where the caller's time is over, or -errno. */
int caller_wait(const struct engine_caller *caller, int fd, short events, uint64_t until_ms);
/* -ECANCELED with these words and why, and what is to be done about the engine. */
int caller_say_cut(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
