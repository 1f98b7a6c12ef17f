/* arena.h - strings that live as long as one request: allocated one by one, freed all at once. */
#pragma once
#include "base/base.h"

struct arena {
    struct arena_chunk *first;
    bool failed; /* an allocation failed; what was returned then is "" or zeroed static memory */
};

const char *arena_copy(struct arena *a, const char *s);
const char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_done(struct arena *a);
