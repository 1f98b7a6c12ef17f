/* trust.h - what an agent's past is worth, from 0.0 to 1.0 (thousandths). Pure: the time is an argument.
 *
 * Invariants, property-tested: the result lies in [min, max]; of a score within them a success never lowers and a
 * failure never raises; gains within an hour, and gains from one and the same code, never exceed their caps; drift
 * never passes the default. docs/trust.md says the same for people.
 */
#pragma once
#include "config/config.h"
#include "plan/plan.h"

struct trust_rules { /* all in milli; from agixt.trust.* (trust_rules_from) */
    uint32_t initial, min, max;
    uint32_t success, failure, violation;  /* given, taken, taken (once a run, instead of `failure`) */
    uint32_t gain_per_hour, gain_per_code; /* caps on what successes may give; 0: nothing is ever given */
    uint32_t drift_per_day;                /* towards `initial`, for each whole day of silence; 0: off */
    uint64_t drift_after_ms;               /* how long a silence has to be before it counts */
};

/* What a run's end means for trust. */
enum trust_event { TRUST_NEUTRAL, TRUST_SUCCESS, TRUST_FAILURE, TRUST_VIOLATION };

struct trust_past { /* what the caller has to know of the agent */
    uint32_t score;
    uint32_t gained_last_hour; /* sum of what successes gave in the 60 minutes before now */
    uint32_t gained_by_code;   /* sum of what this very code has given so far */
};

struct trust_rules trust_rules_from(const struct config *c);
/* The table of docs/trust.md: which reason is a success, a failure, or says nothing of the agent.
 * was_stopped: a run ended from outside (Ctrl-C, the service going down) is nobody's failure and nobody's success,
 * however the program took it; a violation before that remains one. */
enum trust_event trust_event_of(enum run_reason reason, bool has_security_violation, bool was_stopped);
/* The score after a long silence; since_ms: when the score was last written (struct agent: trust_at_ms), 0: never. */
uint32_t trust_drift(const struct trust_rules *r, uint32_t score, uint64_t since_ms, uint64_t now_ms);
/* The score after the event; past->score is already drifted. */
uint32_t trust_after(const struct trust_rules *r, const struct trust_past *past, enum trust_event e);
