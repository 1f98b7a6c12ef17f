/* cache.h - a directory of files that can be made again. What is in it is believed only where no user but we and root
 * can have written it; a file is written under another name and renamed, and whatever goes wrong costs no more than
 * making it again.
 */
#pragma once
#include <sys/stat.h>
#include "base/base.h"

#define CACHE_TEMP_SIZE 32u

struct cache {
    bool (*is_entry)(const char *name);
    unsigned most;         /* beyond, all entries go: what is still needed comes back at its next use */
    unsigned sweep_one_in; /* so many writes */
};

bool cache_is_ours(const struct stat *st);
/* O_PATH, or -errno; -EPERM where others may write. */
int cache_open(const char *path);
/* A new file for writing, its name in ret_temp. Sweeps before, at times: entries beyond `most`, and what a killed
 * writer left; nothing else, since the directory may have other tenants. */
int cache_create(const struct cache *c, int dir, char ret_temp[static CACHE_TEMP_SIZE]);
