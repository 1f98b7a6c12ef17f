/* stats.h - samples, their middle and their edges. Shared by timer.c and driver.c; no library behind it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct samples {
    double *us;
    size_t count, cap;
};

static inline double clock_now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail for this clock */
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static inline void pause_us(double us)
{
    struct timespec t = { (time_t)(us / 1e6), (long)(us - 1e6 * (double)(time_t)(us / 1e6)) * 1000 };
    (void)nanosleep(&t, NULL); /* a shorter pause is no harm */
}

static inline void samples_add(struct samples *s, double us)
{
    if (s->count == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 256;
        s->us = realloc(s->us, s->cap * sizeof *s->us);
        if (!s->us)
            abort();
    }
    s->us[s->count++] = us;
}

static inline int samples_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which `percent` of the samples lie; 0 without samples. Sorts. */
static inline double samples_percentile(struct samples *s, double percent)
{
    if (!s->count)
        return 0;
    qsort(s->us, s->count, sizeof *s->us, samples_compare);
    return s->us[(size_t)((double)(s->count - 1) * percent / 100 + 0.5)];
}

static inline void samples_done(struct samples *s)
{
    free(s->us);
    *s = (struct samples){ 0 };
}
