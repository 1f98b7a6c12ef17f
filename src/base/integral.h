/* integral.h - how much memory for how long: the integral of what was seen in a run, from looks at it.
 *
 * Between two looks memory counts with the mean of both, before the first and behind the last with that one. A run that
 * ended before it was looked at (the first look comes after 100 ms) counts with its peak. Pure; in MiB ms, rounded up.
 */
#pragma once
#include "base/base.h"

struct integral {
    uint64_t at_us, kib, kib_ms; /* of the last look, and the sum until then */
    bool has_look;
};

/* Times from one clock, not falling. start_us: of the run. */
static inline void integral_look(struct integral *i, uint64_t start_us, uint64_t now_us, uint64_t bytes)
{
    const uint64_t kib = bytes / KIB, since_us = i->has_look ? i->at_us : start_us;
    const uint64_t mean = i->has_look ? (i->kib + kib) / 2 : kib;
    i->kib_ms += (uint64_t)((unsigned __int128)mean * (now_us - MIN_OF(since_us, now_us)) / 1000);
    *i = (struct integral){ .at_us = now_us, .kib = kib, .kib_ms = i->kib_ms, .has_look = true };
}

/* The whole, at the run's end. */
static inline uint64_t integral_end(struct integral i, uint64_t start_us, uint64_t end_us, uint64_t peak_bytes)
{
    integral_look(&i, start_us, end_us, i.has_look ? i.kib * KIB : peak_bytes);
    return (i.kib_ms + KIB - 1) / KIB;
}
