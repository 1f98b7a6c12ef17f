/* level.h - at which risk level this code of this agent runs, and why, in words with their numbers. Pure. */
#pragma once
#include "config/config.h"

/* What low takes besides a score (agixt.trust.low_*). */
struct level_evidence {
    uint32_t shapes, hours; /* of successful work: different shapes of programs, different hours */
    uint64_t age_ms;        /* since the first of it */
    bool is_vouched;        /* an administrator set the score: that is the evidence */
    uint32_t start;         /* the agent's first score: from low's threshold on, the configuration vouches */
};

struct level_facts {
    bool has_agent; /* false: anonymous */
    uint32_t trust; /* milli, drifted */
    bool is_new;    /* no run of this agent is known */
    int held;       /* enum risk_level that its trust gave it last; -1: none yet */
    struct level_evidence evidence;
    bool is_nameless;     /* the service: the key stands for a request that names no agent */
    bool is_known_bad;    /* the code has the shape of code that did harm: high */
    bool was_asked;       /* --risk-level */
    bool has_own_profile; /* --profile: its risk_level was chosen by its author, and counts as asked */
    bool may_override;    /* the caller's key may ask for a laxer level */
    enum risk_level asked;
    bool was_scanned, by_patterns_only; /* by_patterns_only: this build has no grammar of the language */
    uint32_t risk_increase;             /* milli: the sum over the scan's findings, at most 1000 */
    uint32_t need_count;                /* kinds of things that the program needs: agixt.analysis.needs_risk each */
    const char *needs;                  /* their words, or NULL */
    uint32_t finding_count;             /* those above information */
    const char *worst_rule;             /* NULL: none */
    const char *blocking_rule;          /* what agixt.analysis.block_on_detection would refuse for; NULL: nothing */
};

/* The arithmetic behind a level, in milli: score - counted = left, which is compared with the other two. */
struct level_sum {
    uint32_t score;   /* trust, or the threshold of default_risk_level */
    uint32_t counted; /* what the scan found; 0 where the configuration does not count it */
    uint32_t left;
    uint32_t low_from, medium_from;
};

struct level_result {
    enum risk_level level;
    enum risk_level by_trust; /* before scan and wish: what the agent holds from now on */
    bool has_sum;             /* no level comes of one where the caller chose it and has no agent */
    struct level_sum sum;
};

/* 0 with level and reasons, or BLAME_POLICY: trust below sandbox.risk_mapping.high_risk_threshold. Property-tested:
 * more trust is never stricter, more risk never laxer, the asked level is never exceeded without
 * agixt.execution.allow_risk_override, and agixt.execution.laxest_level never at all. */
int level_decide(const struct config *c, const struct level_facts *f, struct level_result *ret, struct strlist *reasons,
                 struct error *err);
/* What the agent of a refused run can do about its level: how far the next one is, or what in the code lowered it; ""
 * where the level is not the reason. */
void level_way_up(const struct config *c, const struct level_facts *f, enum risk_level level, char ret[static 256]);
/* 0.350, for messages. */
struct level_number {
    char text[16];
};
struct level_number level_number(uint32_t milli);
