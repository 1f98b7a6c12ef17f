/* violations.h - all that a run did and should not have, as one list: result, audit and store speak of the same.
 *
 * Two sources: limits that were hit, which the launcher counts and the streams know, and names that the
 * language's guard refused (reports.h). The list borrows from both.
 */
#pragma once
#include "cli/stream.h"
#include "policy/standing.h"

#define VIOLATIONS_MAX (REPORTS_MAX + 4)

struct violations {
    uint32_t count;
    struct violation list[VIOLATIONS_MAX];
};

/* outcome and stream may be NULL: it never came to a launch. In the order of their times. */
void collect_violations(const struct outcome *o, const struct stream *s, struct violations *ret);
