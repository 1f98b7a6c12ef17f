/* tail.h - the last lines of the audit, and those that come. Follows rotation. */
#pragma once
#include "audit/search.h"

struct tail {
    const char *dir; /* borrowed */
    int fd;          /* -1: there is no file yet */
    uint64_t dev, ino, offset;
};
/* The last n lines, oldest first, of all files; then *ret stands behind them (tail_done). No file yet is no error. */
int tail_begin(const char *dir, uint64_t n, search_hit *hit, void *context, struct tail *ret, struct error *err);
/* Lines that came since, without waiting; 0, 1 when the hit function has enough, or an error. */
int tail_more(struct tail *t, search_hit *hit, void *context, struct error *err);
void tail_done(struct tail *t);
