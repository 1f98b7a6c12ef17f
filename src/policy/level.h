/* level.h - at which risk level this code of this agent runs, and why, in words with their numbers. Pure. */
#pragma once
#include "config/config.h"

struct level_facts {
    bool has_agent;       /* false: anonymous */
    uint32_t trust;       /* milli, drifted */
    bool is_new;          /* no run of this agent is known */
    bool was_asked;       /* --risk-level */
    bool has_own_profile; /* --profile: its risk_level was chosen by whoever wrote it, and counts as asked */
    enum risk_level asked;
    bool was_scanned, by_patterns_only; /* by_patterns_only: this build has no grammar of the language */
    uint32_t risk_increase;             /* milli: the sum over the scan's findings, at most 1000 */
    uint32_t finding_count;             /* those above information */
    const char *worst_rule;             /* NULL: none */
    const char *blocking_rule;          /* what agixt.analysis.block_on_detection would refuse for; NULL: nothing */
};

/* 0 with level and reasons, or BLAME_POLICY: trust below sandbox.risk_mapping.high_risk_threshold. Property-tested:
 * more trust is never stricter, more risk never laxer, the asked level is never exceeded without
 * agixt.execution.allow_risk_override, and agixt.execution.laxest_level never at all. */
int level_decide(const struct config *c, const struct level_facts *f, enum risk_level *ret, struct strlist *reasons,
                 struct error *err);
