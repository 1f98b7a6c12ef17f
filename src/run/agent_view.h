/* agent_view.h - an agent as command line and service show it: one form of words, one JSON object. */
#pragma once
#include "base/buf.h"
#include "policy/trust.h"
#include "store/store.h"

/* RFC 3339, or «never» for 0. */
const char *agent_say_time(uint64_t ms, char out[static 32]);
const char *agent_standing_name(const struct agent *a);
/* The score after silence, which is what the next run meets. */
uint32_t agent_trust_now(const struct agent *a, const struct trust_rules *rules, uint64_t now_ms);
/* What an agent's score is made of, and what low and quarantine are away. */
struct agent_limits { /* by enum risk_level */
    struct limit_rules rules[RISK_COUNT];
    struct limit_counts used[RISK_COUNT];
};
struct why_view {
    const struct agent_why *why; /* NULL: not asked for */
    const struct config *config;
    const struct agent_limits *limits; /* NULL: not asked for */
};
/* What older versions did not keep: the score is the start, the sums and this. */
int32_t agent_why_rest(const struct agent *a, const struct agent_why *w, const struct trust_rules *rules);
/* Thousandths of a violation that are remembered; quarantine_on_violations * 1000 are quarantine. */
uint64_t agent_why_weight(const struct agent *a, const struct agent_why *w, const struct config *c, uint64_t now_ms);
/* The object's members are those of struct agent, trust as 0.55, times as RFC 3339 or null; history and view: NULL for
 * none. */
void agent_json(struct buf *b, const struct agent *a, const struct trust_history *history, const struct why_view *view,
                const struct trust_rules *rules, uint64_t now_ms);
