/* clock.h - microseconds that only go forward. */
#pragma once
#include <time.h>
#include "base/base.h"

static inline uint64_t clock_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail */
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}
