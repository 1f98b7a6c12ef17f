#include "daemon/runner_posts.h"

#include "base/json.h"
#include "daemon/service.h"

/* What every post of an execution begins with. */
static void begin_post(struct buf *b, const struct execution *e, const char *level)
{
    buf_init(b, 16 * KIB);
    json_open(b, '{');
    json_key(b, "execution_id"), json_put_string(b, e->id);
    json_key(b, "agent_id"), json_put_string(b, e->agent_id);
    json_key(b, "language"), json_put_string(b, e->language);
    json_key(b, "risk_level"), json_put_string(b, level);
    if (e->trace_id[0])
        json_key(b, "trace_id"), json_put_string(b, e->trace_id);
}

void posts_started(struct runner *r, enum risk_level level)
{
    const struct execution *e = r->execution;
    struct buf b;
    begin_post(&b, e, risk_level_names[level]);
    json_close(&b, '}');
    webhook_add(r->service->webhooks, WEBHOOK_STARTED, b.data, b.size);
    buf_done(&b);
}

void posts_end(struct runner *r, const struct result *res, const struct execution_end *end)
{
    const struct execution *e = r->execution;
    struct buf b;
    begin_post(&b, e, res->level);
    json_key(&b, "reason"), json_put_string(&b, reason_name((enum run_reason)end->reason));
    json_key(&b, "duration_ms"), json_milli(&b, res->outcome ? res->outcome->duration_us : 0);
    if (res->outcome && res->outcome->has_exit)
        json_key(&b, "exit_code"), json_uint(&b, res->outcome->exit_code);
    json_key(&b, "kill_switch"), json_put_string(&b, res->kill_switch);
    json_key(&b, "violations");
    json_open(&b, '[');
    for (uint32_t i = 0; i < res->violation_count && i < 64; i++)
        json_put_string(&b, res->violations[i].type);
    json_close(&b, ']');
    json_close(&b, '}');
    webhook_add(r->service->webhooks, end->reason == REASON_COMPLETED ? WEBHOOK_COMPLETED : WEBHOOK_FAILED, b.data,
                b.size);
    bool is_offence = false;
    for (uint32_t i = 0; i < res->violation_count; i++)
        is_offence |= violation_is_security(res->violations[i].type);
    if (is_offence) /* a restriction or a limit is none */
        webhook_add(r->service->webhooks, WEBHOOK_VIOLATION, b.data, b.size);
    buf_done(&b);
}

void posts_trace(struct runner *r, const struct result *res, const struct execution_end *end)
{
    const struct execution *e = r->execution;
    const struct outcome *o = res->outcome;
    if (!r->is_traced || !otlp_is_on(r->service->otlp))
        return;
    const struct otlp_run run = { .trace_id = e->trace_id[0] ? e->trace_id : NULL,
                                  .parent_id = r->parent_span[0] ? r->parent_span : NULL,
                                  .execution_id = e->id,
                                  .agent_id = e->agent_id,
                                  .language = language_names[r->exec.load.request.language],
                                  .level = end->level < 0 ? NULL : risk_level_names[end->level],
                                  .backend = res->backend,
                                  .rule = r->exec.judgement.rule,
                                  .kill_switch = res->kill_switch,
                                  .reason = (enum run_reason)end->reason,
                                  .has_exit = o && o->has_exit,
                                  .exit_code = o ? o->exit_code : 0,
                                  .violations = res->violation_count,
                                  .cpu_us = o ? o->cpu_us : 0,
                                  .peak_memory_bytes = o ? o->peak_memory_bytes : 0,
                                  .timing = res->timing };
    otlp_run(r->service->otlp, &run);
}
