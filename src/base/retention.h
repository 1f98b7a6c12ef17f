/* retention.h - files that may go: how old and how large all of a kind are, and removing the oldest of them.
 *
 * A kind is a directory and a function that knows our names: nothing else in there is looked at, whatever it is. Sizes
 * are added up in a table by age, so that a directory of a million files takes no more memory than an empty one. The
 * steps are as fine as the age is short: 1.6 per cent of it.
 */
#pragma once
#include "base/base.h"

#define RETENTION_STEPS 64u /* for each doubling of the age in ms */

struct retention {
    uint64_t now_ms;
    uint64_t bytes[64 * RETENTION_STEPS]; /* by age, the youngest first */
    uint64_t total_bytes, files;
    uint64_t removed_files, removed_bytes;
};

/* Zeroed, for the time `now_ms` (wall clock). */
void retention_init(struct retention *r, uint64_t now_ms);
/* Something of this age and size is there. */
void retention_add(struct retention *r, uint64_t at_ms, uint64_t bytes);
/* Before when everything has to go so that the rest is at most max_bytes (0: no bound) and not older than max_age_ms.
 */
uint64_t retention_before(const struct retention *r, uint64_t max_bytes, uint64_t max_age_ms);

typedef bool retention_is_ours(const char *name, const void *context);
/* Adds the regular files of `dir` that are ours. `dir` stays open. */
void retention_scan(struct retention *r, int dir, retention_is_ours *is_ours, const void *context);
/* Removes those of them that were last written before. A file that is in use (flock) stays. */
void retention_remove(struct retention *r, int dir, retention_is_ours *is_ours, const void *context,
                      uint64_t before_ms);

/* <level>-risk_<agent>_<YYYYmmdd_HHMMSS>[-<execution id>].log, or, with a context, that string for «<level>-risk». */
retention_is_ours retention_is_run_log;
/* A cached policy; any entry of a cache directory of ours (a writer's temporary file is its own affair). */
retention_is_ours retention_is_policy, retention_is_entry;
