/* dirs.h - a directory with all that is above it. */
#pragma once

/* mkdir -p. 0 or -errno. */
int make_dirs(const char *path, unsigned mode);
