/* io.h - all of it, or why not. */
#pragma once
#include "base/buf.h"

/* Writes all n bytes, however many calls it takes: 0, or -errno (-ENOSPC where a write takes nothing). */
int write_all(int fd, const void *data, size_t n);

/* A whole file, at most b's maximum. 0 or -errno; -EFBIG. */
int read_file(const char *path, struct buf *b);
/* The same from where its descriptor stands. */
int read_open_file(int fd, struct buf *b);
