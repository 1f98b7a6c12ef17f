#include "daemon/run_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/parse.h"
#include "daemon/claims.h"
#include "daemon/listener.h"
#include "daemon/pass_on.h"
#include "daemon/query.h"
#include "daemon/result_answer.h"
#include "daemon/routes.h"
#include "daemon/runner.h"

static const char *const state_names[EXECUTION_STATES + 1] = { "queued", "running", "finished", NULL };

/* --- POST ------------------------------------------------------------------------------------------- */

/* Of one that did not run. */
static void answer_refusal(struct call *c, struct execution *e, struct http_answer *a)
{
    if (!e->elsewhere || !pass_on_level(c, e->elsewhere - 1, a))
        runner_answer(e, a, c->arena);
}

static void run_here(struct call *c, struct runner *r, struct http_answer *a)
{
    runner_run(r, c->request->fd);
    struct execution *e = execution_ref(r->execution);
    if (e->elsewhere) { /* its place is given back before another node is waited for */
        runner_end(r);
        answer_refusal(c, e, a);
    } else {
        runner_answer(e, a, c->arena);
        runner_end_later(r);
    }
    (void)execution_unref(e);
}

/* The head of the answer says 200: so only when it is known that the sandbox runs, or ran. Takes the reference. */
static void answer_events(struct call *c, struct execution *e, struct http_answer *a)
{
    (void)pthread_mutex_lock(&e->lock);
    /* one that started is streamed, also where it has failed before we looked: its client sees the same whichever was
     * faster */
    bool was_refused = e->state == EXECUTION_FINISHED && e->status != 200 && !e->started_ms,
         is_queued = e->state == EXECUTION_QUEUED;
    (void)pthread_mutex_unlock(&e->lock);
    if (is_queued) /* the client left */
        (void)execution_stop(e);
    if (was_refused) {
        answer_refusal(c, e, a);
        (void)execution_unref(e);
    } else {
        listener_answer(e, 0, true, a, c->arena);
    }
}

static void run_streaming(struct call *c, struct runner *r, struct http_answer *a)
{
    struct execution *e = executions_find(c->service->executions, r->execution->id);
    if (c->request->inner && c->request->inner->waits_for_end) { /* fast path: in no thread of its own */
        runner_run(r, c->request->fd);
        answer_events(c, e, a);
        runner_end_later(r);
        return;
    }
    if (runner_start_thread(r) < 0) {
        runner_end(r);
        (void)execution_unref(e);
        answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "no thread for another execution");
        return;
    }
    (void)execution_wait_start(e, EXECUTION_PATIENCE_MS, c->request->fd);
    answer_events(c, e, a);
}

void run_execute(struct call *c, struct http_answer *a)
{
    struct runner *r;
    struct error err = { 0 };
    /* what is begun here has no booking of its own that would ask for the key */
    const bool asks_first = c->caller->is_old && http_header(c->request, "Idempotency-Key");
    int key = asks_first ? auth_confirm(c->service->auth, c->caller->key_id, &err) : 0;
    if (key == 0 && runner_begin(c->service, c->request, c->caller, false, &r, a) == 0) {
        run_answer(c, r, a);
        return;
    }
    if (key == 0 && c->caller->is_old) /* nothing was begun, and why is told to who has a key */
        key = auth_confirm(c->service->auth, c->caller->key_id, &err);
    if (key < 0) {
        buf_done(&a->body);
        call_refuse_key(c, a, key, &err);
    }
}

void run_answer(struct call *c, struct runner *r, struct http_answer *a)
{
    if (r->is_streaming)
        run_streaming(c, r, a);
    else
        run_here(c, r, a);
}

void run_submit(struct call *c, struct http_answer *a)
{
    struct runner *r;
    if (runner_begin(c->service, c->request, c->caller, true, &r, a) == 0)
        run_accept(c, r, a);
}

void run_begun(struct runner *r)
{
    if (runner_start_thread(r) == 0)
        return;
    (void)execution_stop(r->execution); /* accepted already: it ends as an execution does */
    runner_run(r, -1);
    runner_end(r);
}

void run_accept(struct call *c, struct runner *r, struct http_answer *a)
{
    const char *id = arena_copy(c->arena, r->execution->id);
    run_begun(r);
    runner_answer_accepted(c->service, id, a, c->arena);
}

/* --- one, by its id ------------------------------------------------------------------------------------ */

static void not_found(struct call *c, struct http_answer *a)
{
    answer_fail(a, c->arena, ANSWER_NOT_FOUND, arena_printf(c->arena, "no execution %s", c->parts[0]));
}

/* In memory, and the caller's to see: with a reference. */
static struct execution *find_live(struct call *c)
{
    struct execution *e = executions_find(c->service->executions, c->parts[0]);
    return e && !caller_may_see(c->caller, e->key_id) ? execution_unref(e) : e;
}

/* In the store: calls `then` with the row, under the store's lock. False: an answer was given. */
static bool find_stored(struct call *c, struct http_answer *a,
                        void (*then)(struct call *c, const struct execution_row *row, struct http_answer *a))
{
    struct error err = { 0 };
    struct execution_row row;
    struct service *v = c->service;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_execution_get(v->store, c->parts[0], &row, &err);
    bool is_there = e == 1 && caller_may_see(c->caller, row.key_id);
    if (is_there)
        then(c, &row, a);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0)
        call_refuse(c, a, &err);
    else if (!is_there)
        not_found(c, a);
    return is_there;
}

/* Without the closing brace. */
static void put_row(struct buf *b, const struct execution_row *r)
{
    json_open(b, '{');
    json_key(b, "execution_id"), json_put_string(b, r->id);
    json_key(b, "key_id"), json_put_string(b, r->key_id);
    json_key(b, "agent_id"), json_put_string(b, r->agent_id);
    json_key(b, "language"), json_put_string(b, r->language);
    json_key(b, "risk_level"), json_put_string(b, r->level < 0 ? NULL : risk_level_names[r->level]);
    json_key(b, "state"), json_put_string(b, state_names[r->state]);
    json_key(b, "reason"), json_put_string(b, r->reason < 0 ? NULL : reason_name((enum run_reason)r->reason));
    answer_time(b, "accepted_at", r->accepted_ms);
    answer_time(b, "started_at", r->started_ms);
    answer_time(b, "finished_at", r->finished_ms);
    if (r->trace_id)
        json_key(b, "trace_id"), json_put_string(b, r->trace_id);
}

static void answer_one(struct call *c, const struct execution_row *r, struct http_answer *a)
{
    struct buf *b = answer_json(a, 200, r->result_size + 8 * KIB);
    (void)c;
    put_row(b, r);
    json_key(b, "result");
    if (r->result)
        (void)buf_add(b, r->result, r->result_size - (r->result_size && r->result[r->result_size - 1] == '\n'));
    else
        json_put_null(b);
    json_close(b, '}');
}

static void answer_finished(struct execution *e, const struct execution_row *r, struct http_answer *a)
{
    struct buf head;
    buf_init(&head, 8 * KIB);
    put_row(&head, r);
    json_key(&head, "result");
    result_answer(e, &head, "}", a);
}

void run_get(struct call *c, struct http_answer *a)
{
    struct execution *e = find_live(c);
    if (!e) {
        (void)find_stored(c, a, answer_one);
        return;
    }
    (void)pthread_mutex_lock(&e->lock);
    const struct execution_row row = { .id = e->id,
                                       .key_id = e->key_id,
                                       .agent_id = e->agent_id,
                                       .language = e->language,
                                       .level = e->level,
                                       .state = (uint8_t)e->state,
                                       .reason = e->reason,
                                       .accepted_ms = e->accepted_ms,
                                       .started_ms = e->started_ms,
                                       .finished_ms = e->finished_ms,
                                       .trace_id = e->trace_id[0] ? e->trace_id : NULL };
    if (e->state == EXECUTION_FINISHED)
        answer_finished(e, &row, a);
    else
        answer_one(c, &row, a);
    (void)pthread_mutex_unlock(&e->lock);
    (void)execution_unref(e);
}

/* --- events ---------------------------------------------------------------------------------------------- */

static int read_after(const struct http_request *q, uint32_t *ret, struct error *err)
{
    static const char *const names[] = { "from", NULL };
    uint64_t from = 1, last;
    const char *header = http_header(q, "Last-Event-ID");
    int e = query_known(q, names, err);
    if (e == 0)
        e = query_uint(q, "from", 1, UINT32_MAX, &from, err);
    *ret = (uint32_t)(from - 1);
    if (e == 0 && header && parse_u64(header, &last) == 0 && last < UINT32_MAX && !http_query(q, "from"))
        *ret = (uint32_t)last;
    return e;
}

/* Accepted, and put back for a node of its level: it is in no node's memory. */
static void answer_waits(struct call *c, const char *id, struct http_answer *a)
{
    struct error err = { 0 };
    (void)err_set(&err, -EAGAIN, BLAME_HOST, NULL, "execution %s waits for another node", id);
    (void)err_remedy(&err, "ask again");
    answer_error(a, c->arena, ANSWER_UNAVAILABLE, &err,
                 &(struct answer_details){ .rule = "other_node", .retry_after_ms = 1000 });
}

static void replay(struct call *c, const struct execution_row *row, struct http_answer *a)
{
    uint32_t after = 0;
    struct error ignored;
    if (row->state != EXECUTION_FINISHED) {
        answer_waits(c, row->id, a);
        return;
    }
    (void)read_after(c->request, &after, &ignored); /* looked at before */
    listener_replay(row, after, a, c->arena);
}

void run_events(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    uint32_t after = 0;
    if (read_after(c->request, &after, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct execution *e = find_live(c);
    if (e)
        listener_answer(e, after, false, a, c->arena);
    else
        (void)find_stored(c, a, replay);
}

/* --- DELETE ------------------------------------------------------------------------------------------------ */

static void too_late(struct call *c, const struct execution_row *row, struct http_answer *a)
{
    (void)row;
    answer_fail(a, c->arena, ANSWER_CONFLICT, "this execution has ended already");
}

int run_audit_stop(struct call *c, const struct execution *e, const char *reason, struct error *err)
{
    struct service *v = c->service;
    struct trail t = { .shared = &v->trail, .user = c->caller->name };
    struct buf b;
    if (!reason && str_eq(c->caller->key_id, e->key_id))
        return 0;
    buf_init(&b, 4 * KIB);
    json_key(&b, "execution_id"), json_put_string(&b, e->id);
    const char *via = pass_on_via(c->request, c->arena);
    if (via)
        json_key(&b, "via_node"), json_put_string(&b, via);
    struct policy_set *policies = service_policies(v);
    int r = trail_open(&t, v->paths, &policies->level[0].config, c->arena, err);
    if (r == 0)
        r = trail_act(&t, "execution-stopped", e->agent_id, reason ? reason : "no reason was given",
                      b.failed ? NULL : b.data, err);
    trail_close(&t);
    (void)policy_set_unref(policies);
    buf_done(&b);
    return r;
}

static void answer_cancelled(struct call *c, const char *id, enum execution_state before, struct http_answer *a)
{
    struct buf *b = answer_json(a, 202, 1024);
    json_open(b, '{');
    json_key(b, "execution_id"), json_put_string(b, id);
    json_key(b, "state"), json_put_string(b, state_names[before]);
    json_close(b, '}');
    service_log(c->service, LOG_INFO, "execution %s: ended by %s", id, c->caller->name);
}

#define MOVE_PATIENCE_MS 5000u

/* Of one that waits, another node may have taken it in this moment: then nothing was ended here. */
static bool has_moved(struct call *c, struct execution *e, enum execution_state before, struct http_answer *a)
{
    struct error err = { 0 };
    if (before != EXECUTION_QUEUED || !e->is_asynchronous || !store_has_nodes(c->service->store))
        return false;
    (void)execution_wait_start(e, MOVE_PATIENCE_MS, c->request->fd);
    (void)pthread_mutex_lock(&e->lock);
    const bool has_moved = e->was_moved;
    (void)pthread_mutex_unlock(&e->lock);
    if (!has_moved)
        return false;
    (void)err_set(&err, -EAGAIN, BLAME_HOST, NULL, "execution %s was just taken by another node", e->id);
    (void)err_remedy(&err, "ask again");
    answer_error(a, c->arena, ANSWER_UNAVAILABLE, &err,
                 &(struct answer_details){ .rule = "other_node", .retry_after_ms = 1000 });
    return true;
}

/* Such a one, of this node. */
static bool find_waiting(struct call *c, struct execution_row *ret)
{
    struct service *v = c->service;
    struct error ignored;
    struct execution_row row;
    (void)pthread_mutex_lock(&v->store_lock);
    const bool is_there = store_has_nodes(v->store) &&
                          store_execution_get(v->store, c->parts[0], &row, &ignored) == 1 &&
                          caller_may_see(c->caller, row.key_id) && row.state == EXECUTION_QUEUED;
    if (is_there)
        *ret = (struct execution_row){ .id = arena_copy(c->arena, row.id),
                                       .key_id = arena_copy(c->arena, row.key_id),
                                       .agent_id = row.agent_id ? arena_copy(c->arena, row.agent_id) : NULL,
                                       .trace_id = row.trace_id ? arena_copy(c->arena, row.trace_id) : NULL };
    (void)pthread_mutex_unlock(&v->store_lock);
    return is_there && !c->arena->failed;
}

static void cancel_waiting(struct call *c, const struct execution_row *row, const char *reason, struct http_answer *a)
{
    struct service *v = c->service;
    struct error err = { 0 };
    struct execution e = { .key_id = (char *)row->key_id, .agent_id = (char *)row->agent_id };
    (void)snprintf(e.id, sizeof e.id, "%s", row->id);
    if (run_audit_stop(c, &e, reason, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    (void)pthread_mutex_lock(&v->store_lock);
    const int begun = store_request_begin(v->store, row->id, &err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (begun < 0) {
        call_refuse(c, a, &err);
    } else if (begun == 0) { /* another node has taken it in this moment */
        answer_waits(c, row->id, a);
    } else {
        claims_end(v, &(struct request_claim){ .id = row->id, .key_id = row->key_id, .trace_id = row->trace_id }, NULL);
        answer_cancelled(c, row->id, EXECUTION_QUEUED, a);
    }
}

void run_cancel(struct call *c, struct http_answer *a)
{
    struct execution_row waiting;
    struct error err = { 0 };
    const char *reason;
    if (!call_reason(c, &reason, &err)) {
        call_refuse(c, a, &err);
        return;
    }
    struct execution *e = find_live(c);
    if (!e && find_waiting(c, &waiting)) {
        cancel_waiting(c, &waiting, reason, a);
        return;
    }
    if (!e) {
        (void)find_stored(c, a, too_late);
        return;
    }
    (void)pthread_mutex_lock(&e->lock);
    const enum execution_state before = e->state;
    (void)pthread_mutex_unlock(&e->lock);
    if (before == EXECUTION_FINISHED) {
        too_late(c, NULL, a);
    } else if (run_audit_stop(c, e, reason, &err) < 0) {
        call_refuse(c, a, &err);
    } else if (!execution_stop(e)) {
        too_late(c, NULL, a);
    } else if (!has_moved(c, e, before, a)) {
        answer_cancelled(c, e->id, before, a);
    }
    (void)execution_unref(e);
}

/* --- the list ------------------------------------------------------------------------------------------------ */

static int read_filter(struct call *c, struct execution_filter *f, struct error *err)
{
    static const char *const names[] = { "agent_id", "state",  "reason", "risk_level", "since",
                                         "until",    "before", "limit",  NULL };
    const char *reasons[REASON_COUNT + 1] = { 0 }, *levels[RISK_COUNT + 1] = { 0 };
    const struct http_request *q = c->request;
    uint64_t limit = 50, now = wall_clock_ms();
    for (size_t i = 0; i < REASON_COUNT; i++)
        reasons[i] = reason_name((enum run_reason)i);
    for (size_t i = 0; i < RISK_COUNT; i++)
        levels[i] = risk_level_names[i];
    *f = (struct execution_filter){ .state = -1, .reason = -1, .level = -1 };
    int e = query_known(q, names, err);
    if (e == 0)
        e = query_choice(q, "state", state_names, &f->state, err);
    if (e == 0)
        e = query_choice(q, "reason", reasons, &f->reason, err);
    if (e == 0)
        e = query_choice(q, "risk_level", levels, &f->level, err);
    if (e == 0)
        e = query_time(q, "since", now, &f->since_ms, err);
    if (e == 0)
        e = query_time(q, "until", now, &f->until_ms, err);
    if (e == 0)
        e = query_uint(q, "limit", 1, 500, &limit, err);
    f->limit = (uint32_t)limit;
    f->agent_id = http_query(q, "agent_id");
    f->before_id = http_query(q, "before");
    f->key_id = c->caller->role == KEY_RUN ? c->caller->key_id : NULL;
    return e;
}

static void put_usage(struct buf *b, const struct live_usage *u)
{
    json_key(b, "usage"), json_open(b, '{');
    json_key(b, "at_ms"), json_milli(b, u->at_us);
    json_key(b, "cpu_ms"), json_milli(b, u->cpu_us);
    json_key(b, "memory_bytes"), json_uint(b, u->memory_bytes);
    json_key(b, "pids"), json_uint(b, u->pids);
    json_key(b, "bytes_out"), json_uint(b, u->bytes_out);
    json_key(b, "bytes_in"), json_uint(b, u->bytes_in);
    json_close(b, '}');
}

struct list {
    struct executions *live;
    struct buf *body;
    uint32_t count;
    char last[STORE_ID_MAX + 1];
};

static bool put_one(void *context, const struct execution_row *r)
{
    struct list *l = context;
    struct live_usage usage;
    put_row(l->body, r);
    if (executions_usage(l->live, r->id, &usage))
        put_usage(l->body, &usage);
    json_close(l->body, '}');
    l->count++;
    (void)snprintf(l->last, sizeof l->last, "%s", r->id);
    return !l->body->failed;
}

void run_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct execution_filter f;
    struct service *v = c->service;
    if (read_filter(c, &f, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct list l = { .live = v->executions, .body = answer_json(a, 200, 4 * MIB) };
    json_open(l.body, '{');
    json_key(l.body, "executions");
    json_open(l.body, '[');
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_executions(v->store, &f, put_one, &l, &err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0) {
        buf_done(&a->body);
        call_refuse(c, a, &err);
        return;
    }
    json_close(l.body, ']');
    json_key(l.body, "next"), json_put_string(l.body, l.count == f.limit ? l.last : NULL);
    json_close(l.body, '}');
}
