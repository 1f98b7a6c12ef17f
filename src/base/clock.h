/* clock.h - the time: one that only goes forward, and the calendar's. Pure modules take it as an argument. */
#pragma once
#include <time.h>
#include "base/base.h"

static inline uint64_t clock_read_us(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t); /* cannot fail for these clocks */
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* CLOCK_MONOTONIC */
static inline uint64_t clock_us(void)
{
    return clock_read_us(CLOCK_MONOTONIC);
}
static inline uint64_t clock_ms(void)
{
    return clock_us() / 1000;
}

/* Of this process, all its threads: what others use of the machine does not count. */
static inline uint64_t clock_cpu_us(void)
{
    return clock_read_us(CLOCK_PROCESS_CPUTIME_ID);
}

/* Milliseconds since 1970. */
static inline uint64_t wall_clock_ms(void)
{
    return clock_read_us(CLOCK_REALTIME) / 1000;
}
