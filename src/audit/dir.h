/* dir.h - directories that nobody but us (or root) may change. */
#pragma once
#include "base/error.h"

/* Made when missing (0700, with those above it). The descriptor, or -errno. */
int dir_open(const char *path);
/* 0, or -EPERM when others may rename in it. */
int dir_check(int fd, const char *step, const char *path, struct error *err);
