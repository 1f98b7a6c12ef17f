/* wait.h - condition variables with a patience: by CLOCK_MONOTONIC, in milliseconds as clock_ms() counts them. */
#pragma once
#include <pthread.h>
#include <time.h>
#include "base/clock.h"

static inline void wait_init(pthread_cond_t *c)
{
    pthread_condattr_t attr;
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(c, &attr);
    (void)pthread_condattr_destroy(&attr);
}

/* pthread_cond_timedwait(3) until then; false: that time is here. Whatever it says, look again. */
static inline bool wait_until(pthread_cond_t *c, pthread_mutex_t *lock, uint64_t until_ms)
{
    const struct timespec at = { .tv_sec = (time_t)(until_ms / 1000), .tv_nsec = (long)(until_ms % 1000) * 1000000 };
    return pthread_cond_timedwait(c, lock, &at) == 0;
}
