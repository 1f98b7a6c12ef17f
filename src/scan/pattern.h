/* pattern.h - regexes (pcre2) that cannot hang: compiled when first needed, run with match, depth and heap limits.
 *
 * Bytes, not characters: the text under examination may be no UTF-8. A pattern that gives up (a limit was hit) says so,
 * and the scan counts as incomplete: code that makes our patterns explode is itself suspicious.
 */
#pragma once
#include "base/error.h"

struct pattern {
    const char *source; /* borrowed */
    void *code;         /* pcre2_code, once compiled */
    bool is_broken;     /* does not compile: matches nothing, and gives up */
    bool is_placed;     /* what it matches depends on where looking begins: only the whole text will do */
    struct pattern *next;
};

enum pattern_result { PATTERN_NONE = 0, PATTERN_FOUND = 1, PATTERN_GAVE_UP = 2 };

/* 0, or -EINVAL with what is wrong where in it. */
int pattern_compile(struct pattern *p, struct error *err);
/* The first match at or after `from`. */
enum pattern_result pattern_find(struct pattern *p, const char *text, size_t size, size_t from, size_t *ret_at);
static inline enum pattern_result pattern_matches(struct pattern *p, const char *text, size_t size)
{
    size_t at;
    return pattern_find(p, text, size, 0, &at);
}
/* The same of a text that may go on: what is said holds whatever comes behind it. FOUND: the first match. NONE: no
 * match begins before *ret_at, and one that begins there depends on what comes, or nothing is left to look at; GAVE_UP:
 * the same, but looking at it needs pattern_find(). */
enum pattern_result pattern_find_in_part(struct pattern *p, const char *text, size_t size, size_t from, size_t *ret_at);
void pattern_done(struct pattern *p);
/* Time after which pattern_find() gives up (CLOCK_MONOTONIC, us); 0: none. Looked at once per 4 KiB of starting points.
 */
void pattern_set_deadline(uint64_t deadline_us);
