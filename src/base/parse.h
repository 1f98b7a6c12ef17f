/* parse.h - strict readers for numbers that people write.
 *
 * Each takes the whole string (no leading or trailing bytes), leaves *ret untouched
 * on failure and returns -EINVAL (not of the form) or -ERANGE (too large).
 */
#pragma once
#include "base/base.h"

int parse_u64(const char *s, uint64_t *ret);
/* "512m" "1g" "65536" "64MiB" "10kb" "1.5g" (binary units throughout, as docker does). Bytes. */
int parse_size(const char *s, uint64_t *ret_bytes);
/* "0.25" "2" -> thousandths of a core. At most 3 decimals, at most 1024 cores. */
int parse_cpu(const char *s, uint32_t *ret_milli);
/* "30" "1.5" seconds (also "500ms" "30s" "5m" "1h") -> milliseconds, at most 7 days. */
int parse_duration(const char *s, uint64_t *ret_ms);
/* "0.25" -> thousandths, between 0 and 1000 (a ratio). */
int parse_ratio(const char *s, uint32_t *ret_milli);
/* "22:00-07:00" -> minutes of the day; over midnight where the second is not later. */
int parse_day_span(const char *s, uint32_t *ret_from, uint32_t *ret_to);
int parse_bool(const char *s, bool *ret); /* true false yes no on off */
/* "uid:gid" or "uid". */
int parse_user(const char *s, uint32_t *ret_uid, uint32_t *ret_gid);

/* Writes «512m», «1g», «65536» as parse_size would read it back. */
const char *format_size(uint64_t bytes, char out[static 32]);
/* Writes «0.25», «1». */
const char *format_milli(uint32_t milli, char out[static 32]);

/* The entry of `known` nearest to word by edit distance, or NULL if none is near. */
const char *nearest_word(const char *word, const char *const *known, size_t count);
