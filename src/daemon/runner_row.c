#include "daemon/runner_row.h"

#include "base/clock.h"
#include "daemon/late.h"
#include "daemon/listener.h"
#include "daemon/service.h"

static struct execution_row row_of(const struct runner *r)
{
    const struct execution *e = r->execution;
    return (struct execution_row){ .id = e->id,
                                   .key_id = e->key_id,
                                   .agent_id = e->agent_id,
                                   .language = e->language,
                                   .level = -1,
                                   .reason = -1,
                                   .is_asynchronous = e->is_asynchronous,
                                   .accepted_ms = e->accepted_ms,
                                   .trace_id = e->trace_id[0] ? e->trace_id : NULL,
                                   .idempotency_key = r->idempotency_key,
                                   .request_hash = r->request_hash };
}

/* How long a call took, waiting for the lock included, and whether it failed: a run goes on without its row. */
static void count_call(struct service *v, uint64_t start_us, int e)
{
    metrics_time(v->metrics, METRICS_STORE, clock_us() - start_us);
    if (e < 0)
        metrics_count(v->metrics, METRICS_STORE_FAILED);
}

int row_accept(struct runner *r, enum execution_state state, int level, char first[static STORE_ID_MAX + 1],
               struct error *err)
{
    struct service *v = r->service;
    struct execution_row row = row_of(r);
    row.state = (uint8_t)state;
    row.level = level;
    row.request = r->shared;
    row.request_size = r->shared_size;
    row.retries = r->request.retries;
    row.started_ms = state == EXECUTION_QUEUED ? 0 : wall_clock_ms();
    uint64_t start_us = clock_us();
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_execution_accept(v->store, &row, first, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    count_call(v, start_us, e);
    r->is_recorded = e == ACCEPT_OK;
    return e;
}

void row_prepare(struct runner *r)
{
    r->row = row_of(r);
    r->exec.judgement.accept = r->is_recorded ? NULL : &r->row;
}

bool row_request_stays(const struct service *v, bool retries)
{
    return retries || v->first_policies->level[0].config.fleet.levels != LEVELS_ALL;
}

bool row_defer(struct runner *r, int level)
{
    struct service *v = r->service;
    struct error err = { 0 };
    struct execution_owner ignored;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_node_of_level(v->store, level + RISK_COUNT, &ignored, &err);
    const bool is_there = e == 1;
    if (is_there)
        e = store_request_defer(v->store, r->execution->id, level, &err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (is_there && e == 0)
        (void)err_set(&r->exec.error, -EREMOTE, BLAME_HOST, "NODE",
                      "the run's level is %s, which this node does not take, and of its key too many wait for that, or "
                      "it was put back too often",
                      risk_level_names[level]);
    if (e < 0)
        service_log(v, LOG_ERROR, "execution %s: %s", r->execution->id, err.text);
    /* The answer was lost, say: another node may have it now, and its end is not ours to write. If it was not put back,
     * claims.c finds that it is held here and that nothing runs it. */
    return e == 1 || service_store_may_pass(v, e);
}

bool row_begin(struct runner *r)
{
    struct service *v = r->service;
    struct error err = { 0 };
    uint64_t until_ms = 0;
    int e;
    do {
        const uint64_t start_us = clock_us();
        (void)pthread_mutex_lock(&v->store_lock);
        e = store_request_begin(v->store, r->execution->id, &err);
        if (e == 1 && !row_request_stays(v, r->request.retries))
            (void)store_request_leave(v->store, r->execution->id, false, &err); /* a rest goes with the row */
        (void)pthread_mutex_unlock(&v->store_lock);
        count_call(v, start_us, e);
    } while (service_awaits_store(v, MIN_OF(e, 0), &until_ms));
    if (e < 0)
        service_log(v, LOG_ERROR, "execution %s: it is left to other nodes: %s", r->execution->id, err.text);
    return e == 1;
}

void row_start(struct runner *r, int level)
{
    struct service *v = r->service;
    struct error err = { 0 };
    char first[STORE_ID_MAX + 1];
    int e = 0;
    if (r->has_exec && r->exec.judgement.reserved.was_accepted) {
        r->is_recorded = true; /* with its booking */
    } else if (r->is_recorded) {
        const uint64_t start_us = clock_us();
        (void)pthread_mutex_lock(&v->store_lock);
        e = store_execution_start(v->store, r->execution->id, level, wall_clock_ms(), &err);
        (void)pthread_mutex_unlock(&v->store_lock);
        count_call(v, start_us, e);
    } else {
        e = row_accept(r, EXECUTION_RUNNING, level, first, &err);
    }
    if (e < 0)
        service_log(v, LOG_ERROR, "execution %s: its start is not in the store: %s", r->execution->id, err.text);
    if (r->is_shared && row_request_stays(v, false) && !r->request.retries) {
        (void)pthread_mutex_lock(&v->store_lock);
        (void)store_request_leave(v->store, r->execution->id, false, &err); /* a rest goes with the row */
        (void)pthread_mutex_unlock(&v->store_lock);
    }
}

/* The same for who listens now and who asks when we have been started anew. */
static void record_events(struct execution *e, const struct execution_end *end, struct buf *out)
{
    buf_init(out, STORE_RESULT_MAX);
    (void)pthread_mutex_lock(&e->lock);
    events_end(&e->events, execution_age_ms(e));
    listener_record(&e->events, e->id, end->status, &end->refusal, out);
    (void)pthread_mutex_unlock(&e->lock);
}

int row_finish(struct service *v, const struct execution_row *row, bool releases, bool is_retried, struct error *err)
{
    struct execution_owner o;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = is_retried ? store_execution_owner(v->store, row->id, &o, err) : 0;
    if (e >= 0)
        e = e == 1 && !o.is_ours ? -EXDEV : store_execution_finish(v->store, row, err);
    if (e == 0 && releases)
        e = store_execution_release(v->store, row->id, err); /* who was refused may come again with the same key */
    if (e == 0 && is_retried)
        (void)store_request_leave(v->store, row->id, false, err); /* a rest goes with the row */
    (void)pthread_mutex_unlock(&v->store_lock);
    return e;
}

/* The common one is brought to the store with others'. */
static int finish(struct runner *r, const struct execution_row *row, bool releases, struct error *err)
{
    const bool is_retried = r->is_shared && r->request.retries;
    return releases || is_retried ? row_finish(r->service, row, releases, is_retried, err)
                                  : gather_finish(r->service->gather, row, err);
}

/* Empty where it is longer than the store keeps. */
static void flatten(const struct result_text *t, struct buf *out)
{
    struct result_reader reader = { .text = t };
    buf_init(out, STORE_RESULT_MAX);
    if (result_text_size(t) >= STORE_RESULT_MAX)
        return;
    while (result_read(&reader, out))
        ;
    (void)buf_addc(out, '\n');
}

/* For when the store is back. */
static int keep_for_later(struct runner *r, const struct execution_row *row, bool releases, struct error *err)
{
    const struct late_finish f = { row, releases, r->is_shared && r->request.retries,
                                   r->has_exec && r->exec.is_learned };
    int e = r->service->late ? late_keep_finish(r->service->late, &f, err) : err->code;
    if (e == 0)
        service_log(r->service, LOG_WARN, "execution %s: the store is away, and is told of its end later", row->id);
    return e;
}

void row_end(struct runner *r, const struct execution_end *end)
{
    struct service *v = r->service;
    struct error err = { 0 };
    struct execution_row row = row_of(r);
    struct buf events, result;
    record_events(r->execution, end, &events);
    flatten(&end->result, &result);
    if (!r->is_recorded) /* refused before it was decided */
        row_start(r, end->level);
    row.level = end->level;
    row.reason = end->reason;
    row.finished_ms = wall_clock_ms();
    row.result = result.failed ? NULL : result.data;
    row.result_size = row.result ? result.size : 0;
    row.events = events.failed ? NULL : events.data;
    row.events_size = events.size;
    row.is_told = r->has_exec && exec_is_told(&r->exec);
    uint64_t start_us = clock_us();
    uint64_t until_ms = 0;
    int e;
    do
        e = finish(r, &row, r->idempotency_key && end->status != 200, &err);
    while (!r->exec.judgement.settled.is_late && service_awaits_end(v, e, &until_ms)); /* that has waited already */
    if (r->is_recorded && service_store_may_pass(v, e))
        e = keep_for_later(r, &row, r->idempotency_key && end->status != 200, &err);
    if (e == 0 && row.is_told)
        r->exec.is_learned = false; /* nothing is left to be marked */
    count_call(v, start_us, e);
    buf_done(&events);
    buf_done(&result);
    if (e == -EXDEV)
        service_log(v, LOG_WARN, "execution %s: another node runs it once more", r->execution->id);
    else if (e < 0)
        service_log(v, LOG_ERROR, "execution %s: its end is not in the store: %s", r->execution->id, err.text);
}
