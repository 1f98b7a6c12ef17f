#include "policy/trust.h"

#define DAY_MS  (UINT64_C(24) * 3600 * 1000)
#define HOUR_MS (UINT64_C(3600) * 1000)

const char *const trust_source_names[TRUST_SOURCES + 1] = {
    [TRUST_FROM_WORK] = "work",           [TRUST_FROM_RECOVERY] = "recovery",     [TRUST_FROM_TIME] = "time",
    [TRUST_FROM_REPAID] = "repaid",       [TRUST_FROM_ERRORS] = "errors",         [TRUST_FROM_FAILURES] = "failures",
    [TRUST_FROM_ATTEMPTS] = "attempts",   [TRUST_FROM_VIOLATIONS] = "violations", [TRUST_FROM_DRIFT] = "drift",
    [TRUST_FROM_ADMIN] = "administrator",
};

struct trust_rules trust_rules_from(const struct config *c)
{
    return (struct trust_rules){
        .initial = c->agixt.trust.default_score,
        .min = c->agixt.trust.min_score,
        .max = c->agixt.trust.max_score,
        .success = c->agixt.trust.increase_on_success,
        .error = c->agixt.trust.decay_on_error,
        .failure = c->agixt.trust.decay_on_failure,
        .attempt = c->agixt.trust.decay_on_attempt,
        .violation = c->agixt.trust.decay_on_violation,
        .error_rate = c->agixt.trust.error_rate,
        .error_is_failure = c->agixt.trust.error_is_failure,
        .gain_per_hour = c->agixt.trust.max_gain_per_hour,
        .gain_per_code = c->agixt.trust.max_gain_per_code,
        .gain_per_shape = c->agixt.trust.max_gain_per_shape,
        .recover_per_hour = c->agixt.trust.recover_per_hour,
        .memory_ms = c->security.responses.violation_window,
        .drift_per_day = c->agixt.trust.drift_per_day,
        .drift_after_ms = c->agixt.trust.drift_after,
        .family_start = c->agixt.trust.bad_family_score,
        .work_size = c->agixt.trust.work_size,
    };
}

enum trust_event trust_event_of(const struct trust_rules *r, enum run_reason reason, const struct trust_marks *m)
{
    if (m->has_violation)
        return TRUST_VIOLATION;
    if (m->has_attempt)
        return TRUST_ATTEMPT;
    if (m->was_stopped)
        return TRUST_NEUTRAL;
    switch (reason) {
    case REASON_COMPLETED:
        return m->has_refusal ? TRUST_REFUSAL : TRUST_SUCCESS;
    case REASON_ERROR:
    case REASON_SIGNAL:
        return m->has_refusal ? TRUST_REFUSAL : r->error_is_failure ? TRUST_FAILURE : TRUST_ERROR;
    case REASON_KILLED: /* by a kill switch: what was stopped from outside was dealt with above */
        return m->has_refusal ? TRUST_REFUSAL : TRUST_FAILURE;
    case REASON_TIMEOUT:
    case REASON_OOM:
    case REASON_PIDS_LIMIT:
    case REASON_OUTPUT_LIMIT:
        return TRUST_FAILURE;
    case REASON_POLICY_DENIED:
        return m->has_refusal ? TRUST_REFUSAL : TRUST_NEUTRAL;
    case REASON_SANDBOX_ERROR: /* this machine's fault or ours */
    case REASON_COUNT:
        break;
    }
    return TRUST_NEUTRAL;
}

uint32_t trust_start(const struct trust_rules *r, uint64_t bad_relatives)
{
    return bad_relatives ? MAX_OF(r->min, MIN_OF(r->initial, r->family_start)) : r->initial;
}

static uint32_t clamp(const struct trust_rules *r, uint32_t score)
{
    return MAX_OF(r->min, MIN_OF(r->max, score));
}

static uint32_t minus(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

/* What the score really changed by counts, after its bounds. */
static void step_to(struct trust_step *s, uint32_t score, enum trust_source source)
{
    if (score == s->score)
        return;
    s->parts[s->count++] = (struct trust_part){ (uint8_t)source, (int32_t)score - (int32_t)s->score };
    s->score = score;
}

/* Time heals up to the start, where no offence is remembered. */
static uint32_t recovered(const struct trust_rules *r, const struct trust_state *s, uint32_t score, uint64_t silence_ms,
                          uint64_t now_ms)
{
    const bool is_remembered = s->last_offence_ms && now_ms - MIN_OF(now_ms, s->last_offence_ms) < r->memory_ms;
    const uint32_t start = clamp(r, s->start);
    if (!r->recover_per_hour || is_remembered || score >= start)
        return score;
    const uint64_t hours_1000 = MIN_OF(silence_ms, 1000 * HOUR_MS) * r->recover_per_hour / HOUR_MS;
    return (uint32_t)MIN_OF(score + hours_1000, (uint64_t)start);
}

static uint32_t drifted(const struct trust_rules *r, uint32_t score, uint64_t silence_ms)
{
    if (!r->drift_per_day || silence_ms < r->drift_after_ms)
        return score;
    uint64_t days = MIN_OF(silence_ms / DAY_MS, UINT64_C(1000)); /* the whole range, at the smallest step */
    uint32_t way = score > r->initial ? score - r->initial : r->initial - score;
    uint32_t move = (uint32_t)MIN_OF(days * r->drift_per_day, (uint64_t)way);
    return score > r->initial ? score - move : score + move;
}

uint32_t trust_drift(const struct trust_rules *r, const struct trust_state *s, uint64_t now_ms, struct trust_step *ret)
{
    struct trust_step step = { .score = s->score, .debt = s->debt };
    const uint64_t silence_ms = s->at_ms && now_ms > s->at_ms ? now_ms - s->at_ms : 0;
    step_to(&step, clamp(r, s->score), TRUST_FROM_ADMIN); /* who moved the bounds */
    step_to(&step, recovered(r, s, step.score, silence_ms, now_ms), TRUST_FROM_TIME);
    step_to(&step, clamp(r, drifted(r, step.score, silence_ms)), TRUST_FROM_DRIFT);
    step.debt = minus(step.debt, minus(step.score, s->score)); /* what came back needs no repaying */
    if (ret)
        *ret = step;
    return step.score;
}

static uint32_t repayment(const struct trust_rules *r)
{
    return r->error_rate >= 1000 ? 1000 : (r->error * r->error_rate + 999 - r->error_rate) / (1000 - r->error_rate);
}

static void succeed(const struct trust_rules *r, const struct trust_state *s, const struct trust_past *past,
                    struct trust_step *step)
{
    const uint32_t start = clamp(r, s->start);
    uint32_t give = r->success;
    if (step->score < start) {
        const uint32_t back = MIN_OF(give, start - step->score);
        step_to(step, step->score + back, TRUST_FROM_RECOVERY);
        step->debt = minus(step->debt, back);
        give -= back;
    }
    const uint32_t repaid = MIN_OF(MIN_OF(step->debt, repayment(r)), minus(r->max, step->score));
    step->debt -= repaid;
    step_to(step, step->score + repaid, TRUST_FROM_REPAID);
    const uint32_t hour = minus(r->gain_per_hour, past->gained_last_hour),
                   code = minus(r->gain_per_code, past->gained_by_code),
                   shape = minus(r->gain_per_shape, past->gained_by_shape);
    const uint32_t before = step->score;
    step_to(step, clamp(r, before + MIN_OF(give, MIN_OF(hour, MIN_OF(code, shape)))), TRUST_FROM_WORK);
    step->gain = step->score - before;
}

struct trust_step trust_after(const struct trust_rules *r, const struct trust_state *s, const struct trust_past *past,
                              enum trust_event e)
{
    struct trust_step step = { .score = s->score, .debt = s->debt };
    step_to(&step, clamp(r, s->score), TRUST_FROM_ADMIN);
    switch (e) {
    case TRUST_SUCCESS:
        if (!past->has_bad_finding)
            succeed(r, s, past, &step);
        break;
    case TRUST_ERROR: {
        const uint32_t before = step.score;
        step_to(&step, clamp(r, minus(before, r->error)), TRUST_FROM_ERRORS);
        step.debt = MIN_OF(step.debt + before - step.score, 1000u);
        break;
    }
    case TRUST_FAILURE:
        step_to(&step, clamp(r, minus(step.score, r->failure)), TRUST_FROM_FAILURES);
        break;
    case TRUST_ATTEMPT:
        step_to(&step, clamp(r, minus(step.score, r->attempt)), TRUST_FROM_ATTEMPTS);
        break;
    case TRUST_VIOLATION:
        step_to(&step, clamp(r, minus(step.score, r->violation)), TRUST_FROM_VIOLATIONS);
        break;
    case TRUST_NEUTRAL:
    case TRUST_REFUSAL:
    case TRUST_EVENTS:
        break;
    }
    return step;
}
