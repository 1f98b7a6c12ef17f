/* trust.h - what an agent's past is worth, from 0.0 to 1.0 (thousandths). Pure: the time is an argument.
 *
 * The design, for maintainers (docs/trust.md says it for operators):
 *
 * Classes. Every run is one event, and the act with its target decides which, never the layer that stopped it:
 *   refusal    the level does not offer it (a module, a command, a socket): neutral. A stream of them is an alert.
 *   error      the program ended by its own non-zero exit or crash: `error`, kept as a debt that successes repay
 *   failure    it failed in the sandbox (deadline, memory, limits, killed): `failure`
 *   attempt    a hostile act that some layer stopped: `attempt`; standing.h remembers it
 *   violation  a hostile act at every level: `violation`; standing.h remembers it
 *   success    completed, and none of those. With a finding of high or critical severity it earns nothing.
 *
 * Errors are a debt. Each takes `error` and each success gives back error * rate / (1 - rate) of what errors took, so
 * that an agent with fewer errors than `error_rate` loses nothing in the long run, and one with more does. One number
 * an agent, no window to count.
 *
 * Two kinds of gain. Up to the agent's own start a success gives `success`, without a cap, and time heals too
 * (recover_per_hour) unless an offence is remembered: no honest agent is stuck at high. Above the start a gain is
 * capped by hour, by code and by shape (scan/shape.h): what is cheap to fake gives little.
 *
 * Low needs evidence (level.h), which a score alone is not: different shapes of real work, in different hours, over a
 * day. An administrator's score replaces the evidence (`is_vouched`) until the next offence.
 *
 * The sum. Every change has a source (enum trust_source); the store adds them up an agent, so that
 * start + all sources == score can be shown. trust_after() and trust_drift() say what came from where.
 *
 * Invariants, property-tested: the result lies in [min, max]; of a score within them a success never lowers and nothing
 * else raises; capped gains never exceed their caps; recovery never passes the start, drift never the default; the sum
 * of the parts is the change.
 */
#pragma once
#include "config/config.h"
#include "plan/plan.h"

struct trust_rules { /* scores in milli; from agixt.trust.* (trust_rules_from) */
    uint32_t initial, min, max;
    uint32_t success, error, failure, attempt, violation; /* given, taken, ... : one of them a run */
    uint32_t error_rate;
    bool error_is_failure;
    uint32_t gain_per_hour, gain_per_code,
        gain_per_shape;        /* caps on gains above the start; 0: nothing is given there */
    uint32_t recover_per_hour; /* up to the start; 0: off */
    uint64_t memory_ms;        /* an offence younger than this stops recovery by time */
    uint32_t drift_per_day;    /* towards `initial`, for each whole day of silence; 0: off */
    uint64_t drift_after_ms;   /* how long a silence has to be before it counts */
    uint32_t family_start;     /* trust_start() of an agent whose family misbehaves */
    uint32_t work_size;        /* constructs from which a program is work */
};

/* What a run's end means for trust. The numbers are in the store. */
enum trust_event {
    TRUST_NEUTRAL,
    TRUST_SUCCESS,
    TRUST_FAILURE,
    TRUST_VIOLATION,
    TRUST_ERROR,
    TRUST_ATTEMPT,
    TRUST_REFUSAL,
    TRUST_EVENTS
};

/* Where a change of the score came from. The numbers are in the store. */
enum trust_source {
    TRUST_FROM_WORK,     /* successes above the start */
    TRUST_FROM_RECOVERY, /* successes below it */
    TRUST_FROM_TIME,     /* recover_per_hour */
    TRUST_FROM_REPAID,   /* errors given back */
    TRUST_FROM_ERRORS,
    TRUST_FROM_FAILURES,
    TRUST_FROM_ATTEMPTS,
    TRUST_FROM_VIOLATIONS,
    TRUST_FROM_DRIFT,
    TRUST_FROM_ADMIN,
    TRUST_SOURCES
};
extern const char *const trust_source_names[TRUST_SOURCES + 1];

/* What is remembered of the score itself. */
struct trust_state {
    uint32_t score, start, debt; /* start: the agent's first score; debt: what errors took and successes owe */
    uint64_t at_ms;              /* when the score was last written; 0: never */
    uint64_t last_offence_ms;    /* attempt or violation that an administrator has not forgiven; 0: none */
};
struct trust_past {                                             /* what a success has to know besides */
    uint32_t gained_last_hour, gained_by_code, gained_by_shape; /* above the start */
    bool has_bad_finding; /* the scan found something of high or critical severity, or the code is known as bad */
};
struct trust_part {
    uint8_t source; /* enum trust_source */
    int32_t change;
};
struct trust_step {
    uint32_t score, debt;
    uint32_t gain; /* of it, what the caps count */
    uint32_t count;
    struct trust_part parts[4];
};

struct trust_marks { /* what was seen in a run, of any severity */
    bool has_violation, has_attempt, has_refusal;
    bool was_stopped; /* ended from outside (Ctrl-C, the service going down): no failure and no success */
};

struct trust_rules trust_rules_from(const struct config *c);
/* The table of docs/trust.md. */
enum trust_event trust_event_of(const struct trust_rules *r, enum run_reason reason, const struct trust_marks *m);
/* Of a new agent. bad_relatives: agents of the same key that are in quarantine or banned. */
uint32_t trust_start(const struct trust_rules *r, uint64_t bad_relatives);
/* The score now: recovery and drift since it was written. `ret` may be NULL; its debt is the state's. */
uint32_t trust_drift(const struct trust_rules *r, const struct trust_state *s, uint64_t now_ms, struct trust_step *ret);
/* After the event; s->score is already drifted. */
struct trust_step trust_after(const struct trust_rules *r, const struct trust_state *s, const struct trust_past *past,
                              enum trust_event e);
