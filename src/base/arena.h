/* arena.h - strings that live as long as one request: allocated one by one, freed all at once. */
#pragma once
#include "base/base.h"

struct arena {
    struct arena_chunk *first;
    bool failed; /* an allocation failed; what was returned then is "" or zeroed static memory */
};

const char *arena_copy(struct arena *a, const char *s);
/* n bytes of p and a NUL behind them. */
const char *arena_copy_bytes(struct arena *a, const void *p, size_t n);
/* Zeroed and aligned for any type; NULL when there is no memory. */
void *arena_zero(struct arena *a, size_t n);
const char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_done(struct arena *a);
