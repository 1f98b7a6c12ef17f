/* violations.h - all that a run did and should not have, as one list: result, audit and store speak of the same.
 *
 * Three sources: limits that were hit, which the launcher counts and the streams know, names that the language's guard
 * refused (reports.h), and what detectors found in the run's events (observe.h). The list borrows from all.
 */
#pragma once
#include "run/stream.h"
#include "policy/standing.h"

#define VIOLATIONS_MAX (REPORTS_MAX + 8 + DETECTOR_COUNT)

struct violations {
    uint32_t count;
    struct violation list[VIOLATIONS_MAX];
};

/* outcome and stream may be NULL: it never came to a launch. */
void collect_violations(const struct outcome *o, struct stream *s, const struct intent *intent, struct violations *ret);
