#include "run/learn.h"

#include "run/alert.h"
#include "policy/alerts.h"

static int tell_recovered(struct judgement *j, struct trail *t, const struct recovered_list *found, struct error *err)
{
    int e = 0;
    for (uint32_t i = 0; e == 0 && i < found->count; i++) {
        e = trail_recovered(t, &found->runs[i], err);
        if (e == 0)
            e = store_audited(&j->ledger, found->runs[i].execution_id, err);
    }
    for (uint32_t i = 0; e == 0 && i < found->released_count; i++) {
        const struct released *r = &found->released[i];
        e = trail_act(t, "agent-released", r->agent_id, r->reason, NULL, err);
        if (e == 0)
            e = store_audited(&j->ledger, arena_printf(j->arena, "%s%s", STORE_AUDITED_AGENT, r->agent_id), err);
    }
    return e;
}

int learn_recovered(struct judgement *j, struct trail *t, uint64_t now_ms, struct error *err)
{
    if (!store_is_open(&j->ledger))
        return 0;
    struct recovered_list *found = calloc(1, sizeof *found);
    if (!found)
        return err_set(err, -ENOMEM, BLAME_HOST, "LEDGER", "no memory");
    int e;
    do { /* all of them: what was told is not returned again, so this ends */
        e = store_recover(&j->ledger, now_ms, found, err);
        if (e == 0)
            e = tell_recovered(j, t, found, err);
    } while (e == 0 && (found->count == STORE_MAX_RECOVERED || found->released_count == STORE_MAX_RECOVERED));
    free(found);
    return e;
}

static void copy_violations(const struct judgement *j, uint32_t *ret_count,
                            struct violation ret[static STORE_MAX_VIOLATIONS])
{
    *ret_count = j->violation_count;
    memcpy(ret, j->violations, j->violation_count * sizeof *ret);
}

static struct use use_of(const struct judgement *j, const struct outcome *o)
{
    return (struct use){ .cpu_us = MIN_OF(o ? o->cpu_us : 0, USE_MAX),
                         .memory_mib_ms = MIN_OF(o ? o->memory_mib_ms : 0, USE_MAX),
                         .bytes_in = MIN_OF(j->bytes_in, USE_MAX),
                         .bytes_out = MIN_OF(j->bytes_out, USE_MAX) };
}

/* An alert that was told is not told again before its window is over: nothing is counted for it. */
static struct alert_rules due_alerts(const struct judgement *j, const struct trail *t, const struct config *c,
                                     uint64_t now_ms)
{
    struct alert_rules rules = alert_rules_from(c);
    for (unsigned kind = 0; t->shared && kind < ALERT_KINDS; kind++)
        if (told_is(&t->shared->told, j->agent_id, (enum alert_kind)kind, now_ms))
            rules.conditions[kind] = (struct alert_condition){ 0 };
    return rules;
}

int learn_outcome(struct judgement *j, const struct trail *t, const struct config *c, const struct outcome *o,
                  bool was_stopped, uint64_t now_ms, struct error *err)
{
    if (!j->is_reserved)
        return 0;
    const struct alert_rules alerts = due_alerts(j, t, c, now_ms);
    struct settle s = {
        .execution_id = j->execution_id,
        .reason = o ? o->reason : REASON_SANDBOX_ERROR,
        .now_ms = now_ms,
        .duration_ms = o ? o->duration_us / 1000 : 0,
        .peak_memory_bytes = o ? o->peak_memory_bytes : 0,
        .use = use_of(j, o),
        .has_uncounted = j->has_uncounted,
        .trust = trust_rules_from(c),
        .was_stopped = was_stopped,
        .awaits_audit = true,
        .keeps_trust = c->agixt.trust.enabled,
        .standing = standing_rules_from(c),
        .failure_window_ms = alerts.conditions[ALERT_FAILURE_RATE].window_ms,
        .volume_window_ms = alerts.conditions[ALERT_EXECUTIONS].window_ms,
        .volume_enough = (alerts.conditions[ALERT_EXECUTIONS].threshold + 999) / 1000,
        .refusal_window_ms = alerts.conditions[ALERT_REFUSALS].window_ms,
        .has_bad_finding = judge_has_bad_finding(j) || j->has_unread_input,
        .habits = j->habits,
        .baseline_runs = c->security.baseline.runs,
    };
    copy_violations(j, &s.violation_count, s.violations);
    int e = store_settle(&j->ledger, &s, &j->settled, err);
    j->is_settled = e == 0 && !j->settled.is_late;
    return e;
}

int learn_told(struct judgement *j, struct error *err)
{
    return j->is_reserved && j->is_settled ? store_audited(&j->ledger, j->execution_id, err) : 0;
}

int learn_refusal(struct judgement *j, const struct config *c, enum risk_level level, uint64_t now_ms,
                  struct error *err)
{
    if (!j->agent_id || !store_is_open(&j->ledger))
        return 0;
    if (!j->agent.is_known && j->rule && str_eq(j->rule, limit_names[LIMIT_NEW_AGENTS]))
        return 0; /* it would become a known one by that */
    struct refusal r = { .execution_id = j->execution_id,
                         .agent_id = j->agent_id,
                         .rule = j->rule ? j->rule : "policy",
                         .level = (uint8_t)level,
                         .now_ms = now_ms,
                         .initial_trust = j->agent.is_known ? trust_rules_from(c).initial : j->agent.trust,
                         .keeps_trust = c->agixt.trust.enabled,
                         .trust = trust_rules_from(c),
                         .standing = standing_rules_from(c),
                         .refusal_window_ms = alert_rules_from(c).conditions[ALERT_REFUSALS].window_ms,
                         .is_restriction = j->rule && str_eq(j->rule, "profile"),
                         .key_id = j->key_id };
    copy_violations(j, &r.violation_count, r.violations);
    int e = store_refuse(&j->ledger, &r, &j->settled, err);
    j->is_settled = e == 0;
    return e;
}

static int tell_standing(struct judgement *j, struct trail *t, const struct config *c, struct error *err)
{
    const struct settle_reply *s = &j->settled;
    if (s->standing_after <= s->standing_before || s->standing_after >= STANDING_COUNT)
        return 0;
    int e = trail_standing(t, j->agent_id, (enum standing)s->standing_after, s->standing_reason, err);
    if (c->security.responses.notify_admins)
        alert_send(t, c, standing_names[s->standing_after], j->agent_id, s->standing_reason, j->arena);
    return e;
}

/* What the agent's good runs never did before. */
static int tell_first_times(struct judgement *j, struct trail *t, const struct config *c, struct error *err)
{
    const enum severity severity = (enum severity)c->security.baseline.severity;
    int e = 0;
    for (const char *p = j->settled.first_times; e == 0 && p && *p;) {
        const size_t size = strcspn(p, "\n");
        const char *text = arena_printf(j->arena, "first time ever: %.*s", (int)size, p);
        e = trail_first_time(t, j->agent_id, j->execution_id, text, severity, err);
        if (severity >= SEVERITY_MEDIUM)
            alert_send(t, c, "first_time", j->agent_id, text, j->arena);
        p += size + (p[size] == '\n');
    }
    return e;
}

int learn_tell(struct judgement *j, struct trail *t, const struct config *c, uint64_t now_ms, struct error *err)
{
    if (!j->is_settled)
        return 0;
    const struct alert_rules rules = due_alerts(j, t, c, now_ms);
    const struct alert_counts counts = {
        .window_runs = j->settled.window_runs,
        .window_failures = j->settled.window_failures,
        .volume_runs = j->settled.volume_runs,
        .window_refusals = j->settled.window_refusals,
        .share = j->is_reserved ? j->reserved.nearest_share : 0,
        .limit = j->reserved.nearest_limit,
    };
    int e = tell_standing(j, t, c, err);
    if (e == 0)
        e = tell_first_times(j, t, c, err);
    for (unsigned kind = 0; e == 0 && kind < ALERT_KINDS; kind++) {
        char text[200];
        bool is_first = false;
        if (!alert_holds(&rules, (enum alert_kind)kind, &counts, text))
            continue;
        const char *key = arena_printf(j->arena, "alert %s %s", alert_names[kind], j->agent_id);
        e = store_once(&j->ledger, key, now_ms, rules.conditions[kind].window_ms, &is_first, err);
        if (e == 0 && is_first) {
            if (t->shared)
                told_add(&t->shared->told, j->agent_id, (enum alert_kind)kind,
                         now_ms + rules.conditions[kind].window_ms);
            e = trail_alert(t, j->agent_id, alert_names[kind], text, err);
            alert_send(t, c, alert_names[kind], j->agent_id, text, j->arena);
        }
    }
    return e;
}
