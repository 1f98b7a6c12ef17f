#include "daemon/orphans.h"

#include "base/clock.h"
#include "daemon/late.h"
#include "daemon/listener.h"
#include "run/learn.h"
#include "run/result.h"

struct orphans {
    struct service *service;
    struct trail trail;
    uint32_t count;
};

/* Before the store has its end. Those of known agents learn_recovered() has told of, with their trust; whatever it was
 * that it did not find, none ends in the store alone. */
static void tell_audit(struct orphans *o, const struct execution_row *r)
{
    struct error err = { 0 };
    const struct recovered run = { .execution_id = r->id,
                                   .agent_id = r->agent_id,
                                   .level = (uint8_t)(r->level < 0 ? RISK_COUNT : r->level),
                                   .reason = REASON_SANDBOX_ERROR,
                                   .started_ms = r->started_ms,
                                   .ended_ms = wall_clock_ms() };
    if (r->started_ms && trail_recovered(&o->trail, &run, &err) < 0)
        service_log(o->service, LOG_ERROR, "execution %s: its end is not in the audit: %s", r->id, err.text);
}

/* What its listener would have seen, had we lived; its output died with us. */
static void record_events(const struct execution_row *r, const struct error *err, struct buf *out)
{
    const struct answer_details d = { .execution_id = r->id };
    struct events events;
    struct buf refusal;
    events_init(&events, 0);
    buf_init(&refusal, 16 * KIB);
    answer_error_body(ANSWER_SANDBOX_ERROR, NULL, err, &d, &refusal);
    if (r->started_ms)
        events_add(&events, EVENT_STARTED, (uint32_t)(r->started_ms - MIN_OF(r->accepted_ms, r->started_ms)), NULL, 0);
    listener_record(&events, r->id, answer_status(ANSWER_SANDBOX_ERROR), &refusal, out);
    buf_done(&refusal);
    events_done(&events);
}

static void tell(void *context, const struct execution_row *r, struct orphan_words *w)
{
    struct orphans *o = context;
    struct error err = { 0 };
    if (store_has_nodes(o->service->store))
        (void)err_set(&err, -ENOLINK, BLAME_HOST, "SERVICE",
                      "the node that had this execution was lost before its end");
    else
        (void)err_set(&err, -EOWNERDEAD, BLAME_HOST, "SERVICE", "the service ended before this execution did");
    (void)err_remedy(&err, "nothing of it runs any more; send it again if it may run twice");
    const struct result res = { .id = r->id,
                                .trace_id = r->trace_id,
                                .agent = r->agent_id,
                                .language = r->language,
                                .level = r->level < 0 ? NULL : risk_level_names[r->level],
                                .error = &err };
    (void)result_json(&res, &w->result);
    record_events(r, &err, &w->events);
    tell_audit(o, r);
    o->count++;
}

int orphans_tell(struct service *v, struct error *err)
{
    int e = late_bring(v, err); /* those have an end */
    if (e < 0)
        return e == -EAGAIN ? 0 : e;
    struct arena arena = { 0 };
    struct orphans o = { .service = v, .trail = { .shared = &v->trail } };
    struct judgement j;
    judge_init(&j, &arena, "");
    j.ledger = service_ledger(v, &arena);
    e = trail_open(&o.trail, v->paths, &v->first_policies->level[0].config, &arena, err);
    if (e == 0)
        e = learn_recovered(&j, &o.trail, wall_clock_ms(), err);
    if (e == 0) {
        (void)pthread_mutex_lock(&v->store_lock);
        e = store_executions_orphaned(v->store, wall_clock_ms(), tell, &o, err);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    trail_close(&o.trail);
    judge_done(&j);
    arena_done(&arena);
    if (o.count)
        service_log(v, LOG_WARN, "%u executions of a service that died have ended as sandbox_error", o.count);
    return e;
}
