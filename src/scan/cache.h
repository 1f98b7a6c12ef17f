/* cache.h - reports that were made before, in files: named by a checksum, believed only when every byte of what they
 * were made from is the same and no other process could have written them. Any doubt is a miss.
 */
#pragma once
#include "base/pack.h"

#define SCAN_CACHE_MAX_BYTES \
    (64u * 1024u) /* longer code is scanned each time: its scan takes longer than its cache is worth */

/* What a report depends on: written into `out`, compared byte for byte. */
struct scan_cache_key {
    const char *rules_id, *program; /* the program's size and time follow from its path */
    unsigned language;
    const struct strlist *patterns; /* or NULL */
    const char *code;
    size_t code_size;
};
void scan_cache_head(const struct scan_cache_key *k, struct buf *out);

/* 1 with the packed report (malloc'ed, the caller's), or 0. */
int scan_cache_find(const char *dir, const struct buf *head, void **ret, size_t *ret_size);
/* Best effort: what cannot be kept costs the next run a scan. */
void scan_cache_keep(const char *dir, const struct buf *head, const void *report, size_t size);
