#include "policy/trust.h"

#define DAY_MS (UINT64_C(24) * 3600 * 1000)

struct trust_rules trust_rules_from(const struct config *c)
{
    return (struct trust_rules){
        .initial = c->agixt.trust.default_score,
        .min = c->agixt.trust.min_score,
        .max = c->agixt.trust.max_score,
        .success = c->agixt.trust.increase_on_success,
        .failure = c->agixt.trust.decay_on_failure,
        .violation = c->agixt.trust.decay_on_violation,
        .gain_per_hour = c->agixt.trust.max_gain_per_hour,
        .gain_per_code = c->agixt.trust.max_gain_per_code,
        .drift_per_day = c->agixt.trust.drift_per_day,
        .drift_after_ms = c->agixt.trust.drift_after,
    };
}

enum trust_event trust_event_of(enum run_reason reason, bool has_security_violation, bool was_stopped)
{
    if (has_security_violation)
        return TRUST_VIOLATION;
    if (was_stopped)
        return TRUST_NEUTRAL;
    switch (reason) {
    case REASON_COMPLETED:
        return TRUST_SUCCESS;
    case REASON_ERROR:
    case REASON_SIGNAL:
    case REASON_TIMEOUT:
    case REASON_OOM:
    case REASON_PIDS_LIMIT:
    case REASON_OUTPUT_LIMIT:
    case REASON_KILLED: /* by a kill switch: whoever was stopped from outside was dealt with above */
        return TRUST_FAILURE;
    case REASON_POLICY_DENIED: /* nothing ran */
    case REASON_SANDBOX_ERROR: /* this machine's fault or ours */
    case REASON_COUNT:
        break;
    }
    return TRUST_NEUTRAL;
}

static uint32_t clamp(const struct trust_rules *r, uint32_t score)
{
    return MAX_OF(r->min, MIN_OF(r->max, score));
}

static uint32_t minus(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

uint32_t trust_drift(const struct trust_rules *r, uint32_t score, uint64_t since_ms, uint64_t now_ms)
{
    uint64_t silence = now_ms > since_ms ? now_ms - since_ms : 0;
    if (r->drift_per_day && since_ms && silence >= r->drift_after_ms) {
        uint64_t days = MIN_OF(silence / DAY_MS, UINT64_C(1000)); /* the whole range, at the smallest step */
        uint32_t way = score > r->initial ? score - r->initial : r->initial - score;
        uint32_t move = (uint32_t)MIN_OF(days * r->drift_per_day, (uint64_t)way);
        score = score > r->initial ? score - move : score + move;
    }
    return clamp(r, score);
}

uint32_t trust_after(const struct trust_rules *r, const struct trust_past *past, enum trust_event e)
{
    uint32_t score = clamp(r, past->score);
    switch (e) {
    case TRUST_SUCCESS: {
        uint32_t hour = minus(r->gain_per_hour, past->gained_last_hour);
        uint32_t code = minus(r->gain_per_code, past->gained_by_code);
        return clamp(r, score + MIN_OF(r->success, MIN_OF(hour, code)));
    }
    case TRUST_FAILURE:
        return clamp(r, minus(score, r->failure));
    case TRUST_VIOLATION:
        return clamp(r, minus(score, r->violation));
    case TRUST_NEUTRAL:
        break;
    }
    return score;
}
