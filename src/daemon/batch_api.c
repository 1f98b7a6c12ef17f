#include "daemon/batch_api.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/parse.h"
#include "base/wait.h"
#include "daemon/routes.h"
#include "daemon/runner.h"
#include "plan/fault.h"

#define THREAD_STACK MIB /* as of any run's */
#define LOOK_MS      1000u
#define PIECE_MAX    (4 * MIB)
#define RETRY_MS     1000u  /* where a refusal for now does not say how long */
#define PATIENCE_MS  60000u /* a limit may have been raised meanwhile */

/* Of one that was refused. */
static enum fault fault_of_status(unsigned status)
{
    if (status >= 500)
        return FAULT_INFRASTRUCTURE;
    if (status == 429)
        return FAULT_LIMIT;
    return status == 401 || status == 403 ? FAULT_POLICY : FAULT_PROGRAM;
}

struct line {
    const char *at;
    size_t size;
    uint32_t number; /* from 1, as an editor counts them */
};

/* One that is over and not yet sent. */
struct over {
    uint32_t number;
    struct execution *execution; /* with a reference; or NULL, and the refusal is here */
    struct buf refusal;
    unsigned status;
};

struct batch {
    struct service *service;
    const struct http_request *request;
    const struct caller *caller;
    struct line *lines;
    uint32_t count;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t next; /* line to be begun */
    uint32_t worker_count, working;
    bool is_stopping;
    uint64_t not_before_ms;
    bool is_probing; /* after a refusal one line is tried, and the others wait for what comes of it */
    struct execution *running[BATCH_WORKERS];
    struct over over[BATCH_AHEAD + BATCH_WORKERS]; /* a ring */
    uint32_t first, over_count;
    pthread_t threads[BATCH_WORKERS];

    /* of the connection's thread */
    struct over sending;
    struct result_reader reader;
    struct buf piece;
    size_t sent;
    bool is_sending;
};

/* --- the workers -------------------------------------------------------------------------------------------- */

/* The next line, once the client has taken enough and no limit makes us wait. NULL: there is none. */
static const struct line *take_line(struct batch *b)
{
    const struct line *l = NULL;
    (void)pthread_mutex_lock(&b->lock);
    while (!b->is_stopping && b->next < b->count && b->over_count >= BATCH_AHEAD)
        (void)pthread_cond_wait(&b->changed, &b->lock);
    if (!b->is_stopping && b->next < b->count)
        l = &b->lines[b->next++];
    (void)pthread_mutex_unlock(&b->lock);
    return l;
}

/* False: the batch is ending. Where a limit was met the first that may go on probes it. */
static bool wait_for_limit(struct batch *b, bool *ret_probes)
{
    (void)pthread_mutex_lock(&b->lock);
    while (!b->is_stopping && (b->is_probing || clock_ms() < b->not_before_ms))
        (void)wait_until(&b->changed, &b->lock, b->is_probing ? clock_ms() + LOOK_MS : b->not_before_ms);
    bool goes_on = !b->is_stopping;
    *ret_probes = b->is_probing = goes_on && b->not_before_ms;
    (void)pthread_mutex_unlock(&b->lock);
    return goes_on;
}

static void end_probe(struct batch *b, bool is_through)
{
    (void)pthread_mutex_lock(&b->lock);
    b->is_probing = false;
    if (is_through)
        b->not_before_ms = 0;
    (void)pthread_cond_broadcast(&b->changed);
    (void)pthread_mutex_unlock(&b->lock);
}

/* Whether it was refused only for now; then the batch waits. */
static bool is_for_later(struct batch *b, unsigned status, uint64_t retry_after_ms)
{
    if ((status != 429 && status != 503) || b->service->is_draining)
        return false;
    uint64_t wait_ms = retry_after_ms ? MIN_OF(retry_after_ms, PATIENCE_MS) : RETRY_MS;
    (void)pthread_mutex_lock(&b->lock);
    b->not_before_ms = MAX_OF(b->not_before_ms, clock_ms() + wait_ms);
    (void)pthread_mutex_unlock(&b->lock);
    return true;
}

static void leave(struct batch *b, const struct over *o)
{
    (void)pthread_mutex_lock(&b->lock);
    b->over[(b->first + b->over_count++) % ARRAY_LEN(b->over)] = *o;
    (void)pthread_cond_broadcast(&b->changed);
    (void)pthread_mutex_unlock(&b->lock);
}

static uint64_t retry_after_of(const struct http_answer *a)
{
    uint64_t seconds = 0;
    for (size_t i = 0; i < HTTP_MAX_HEADERS && a->headers[i].name; i++)
        if (str_eq(a->headers[i].name, "Retry-After") && parse_u64(a->headers[i].value, &seconds) < 0)
            seconds = 0;
    return seconds * 1000;
}

/* A client that leaves from now on ends it. */
static void note_running(struct batch *b, unsigned worker, struct execution *e)
{
    (void)pthread_mutex_lock(&b->lock);
    b->running[worker] = e;
    if (e && b->is_stopping)
        (void)execution_stop(e);
    (void)pthread_mutex_unlock(&b->lock);
}

/* One trial of one line. False: it was refused for now. */
static bool try_line(struct batch *b, unsigned worker, const struct line *l, struct over *ret)
{
    struct arena arena = { 0 };
    struct http_request q = *b->request;
    struct http_answer a = { 0 };
    struct runner *r;
    q.body = l->at;
    q.body_size = l->size;
    q.arena = &arena;
    q.received_us = clock_us();
    *ret = (struct over){ .number = l->number };
    if (runner_begin(b->service, &q, b->caller, false, &r, &a)) {
        bool is_later = is_for_later(b, a.status, retry_after_of(&a));
        ret->status = a.status;
        ret->refusal = a.body;
        arena_done(&arena);
        if (is_later)
            buf_done(&ret->refusal);
        return !is_later;
    }
    struct execution *e = execution_ref(r->execution);
    note_running(b, worker, e);
    runner_run(r, -1);
    note_running(b, worker, NULL);
    runner_end(r);
    arena_done(&arena);
    bool is_later = is_for_later(b, e->status, e->retry_after_ms);
    ret->status = e->status;
    ret->execution = is_later ? execution_unref(e) : e;
    return !is_later;
}

static void run_line(struct batch *b, unsigned worker, const struct line *l)
{
    struct over over;
    bool probes;
    while (wait_for_limit(b, &probes)) {
        bool is_through = try_line(b, worker, l, &over);
        if (probes)
            end_probe(b, is_through);
        if (is_through) {
            leave(b, &over);
            return;
        }
    }
}

struct worker {
    struct batch *batch;
    unsigned number;
};

static void *work(void *context)
{
    struct worker w = *(struct worker *)context;
    const struct line *l;
    free(context);
    (void)pthread_setname_np(pthread_self(), "batch");
    while ((l = take_line(w.batch)))
        run_line(w.batch, w.number, l);
    (void)pthread_mutex_lock(&w.batch->lock);
    w.batch->working--;
    (void)pthread_cond_broadcast(&w.batch->changed);
    (void)pthread_mutex_unlock(&w.batch->lock);
    return NULL;
}

static bool start_worker(struct batch *b)
{
    struct worker *w = malloc(sizeof *w);
    pthread_attr_t attr;
    if (!w)
        return false;
    *w = (struct worker){ .batch = b, .number = b->worker_count };
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setstacksize(&attr, THREAD_STACK);
    (void)pthread_mutex_lock(&b->lock);
    int e = pthread_create(&b->threads[b->worker_count], &attr, work, w);
    b->worker_count += e == 0;
    b->working += e == 0;
    (void)pthread_mutex_unlock(&b->lock);
    (void)pthread_attr_destroy(&attr);
    if (e)
        free(w);
    return e == 0;
}

/* --- the answer ---------------------------------------------------------------------------------------------- */

static enum fault fault_of(const struct batch *b, const struct over *o)
{
    if (o->status != 200)
        return fault_of_status(o->status);
    if (o->execution->was_stopped && b->service->is_draining)
        return FAULT_INFRASTRUCTURE;
    return fault_of_reason((enum run_reason)o->execution->reason, o->execution->was_stopped);
}

/* Up to the first member of the object that follows. */
static void put_head(struct batch *b)
{
    const struct over *o = &b->sending;
    enum fault f = fault_of(b, o);
    bool is_retryable = f == FAULT_INFRASTRUCTURE || (o->status != 200 && f == FAULT_LIMIT);
    (void)buf_addf(&b->piece, "{\"line\":%u,\"fault\":\"%s\",\"retryable\":%s,", o->number, fault_names[f],
                   is_retryable ? "true" : "false");
}

/* object: JSON that begins with «{». */
static void put_members(struct batch *b, const char *object, size_t size)
{
    while (size && object[size - 1] == '\n')
        size--;
    (void)buf_add(&b->piece, object + 1, size ? size - 1 : 0);
}

/* The first piece of the one that is sent now. */
static void begin_sending(struct batch *b)
{
    const struct over *o = &b->sending;
    put_head(b);
    b->is_sending = o->status == 200;
    if (!b->is_sending) {
        const struct buf *refusal = o->execution ? &o->execution->refusal : &o->refusal;
        put_members(b, refusal->data, refusal->size);
        (void)buf_addc(&b->piece, '\n');
        return;
    }
    size_t at = b->piece.size;
    b->reader = (struct result_reader){ .text = &o->execution->result };
    while (b->piece.size == at && result_read(&b->reader, &b->piece))
        ;                     /* a part may be empty */
    if (b->piece.size > at) { /* without its brace: it was opened */
        memmove(b->piece.data + at, b->piece.data + at + 1, b->piece.size - at - 1);
        b->piece.size--;
    }
}

static void end_sending(struct batch *b)
{
    (void)execution_unref(b->sending.execution);
    buf_done(&b->sending.refusal);
    b->sending = (struct over){ 0 };
    b->is_sending = false;
}

/* False: none is over in a second. */
static bool next_over(struct batch *b, bool *ret_is_end)
{
    (void)pthread_mutex_lock(&b->lock);
    if (!b->over_count && b->working)
        (void)wait_until(&b->changed, &b->lock, clock_ms() + LOOK_MS);
    bool has_one = b->over_count > 0;
    *ret_is_end = !has_one && !b->working;
    if (has_one) {
        b->sending = b->over[b->first];
        b->first = (b->first + 1) % ARRAY_LEN(b->over);
        b->over_count--;
        (void)pthread_cond_broadcast(&b->changed);
    }
    (void)pthread_mutex_unlock(&b->lock);
    return has_one;
}

/* More of the one that is sent, or the next. False: the end. */
static bool gather(struct batch *b)
{
    bool is_end = false;
    b->sent = b->piece.size = 0;
    while (b->is_sending && !b->piece.size)
        if (!result_read(&b->reader, &b->piece)) {
            (void)buf_addc(&b->piece, '\n');
            end_sending(b);
        }
    if (!b->piece.size && next_over(b, &is_end)) {
        begin_sending(b);
        if (!b->is_sending)
            end_sending(b);
    }
    return !is_end;
}

static ssize_t stream(void *context, char *to, size_t max)
{
    struct batch *b = context;
    if (b->sent == b->piece.size && !gather(b))
        return -1;
    if (b->piece.failed)
        return -2;
    size_t n = MIN_OF(max, b->piece.size - b->sent);
    if (n)
        memcpy(to, b->piece.data + b->sent, n);
    b->sent += n;
    return (ssize_t)n;
}

static void done(void *context)
{
    struct batch *b = context;
    bool ignored;
    (void)pthread_mutex_lock(&b->lock);
    b->is_stopping = true;
    for (unsigned i = 0; i < b->worker_count; i++)
        if (b->running[i])
            (void)execution_stop(b->running[i]);
    (void)pthread_cond_broadcast(&b->changed);
    (void)pthread_mutex_unlock(&b->lock);
    for (unsigned i = 0; i < b->worker_count; i++)
        (void)pthread_join(b->threads[i], NULL);
    end_sending(b);
    while (next_over(b, &ignored))
        end_sending(b);
    (void)pthread_mutex_destroy(&b->lock);
    (void)pthread_cond_destroy(&b->changed);
    buf_done(&b->piece);
    free(b->lines);
    free(b);
}

/* --- the request --------------------------------------------------------------------------------------------- */

static bool is_blank(const char *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != ' ' && at[i] != '\t' && at[i] != '\r')
            return false;
    return true;
}

/* Counts the lines with something in them, and where ret is given notes them. */
static uint32_t split(const char *text, size_t size, struct line *ret)
{
    uint32_t count = 0, number = 0;
    for (const char *at = text, *end = text + size, *next; at < end && count <= BATCH_MAX_LINES; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (!next)
            next = end;
        number++;
        if (is_blank(at, (size_t)(next - at)))
            continue;
        if (ret)
            ret[count] = (struct line){ .at = at, .size = (size_t)(next - at), .number = number };
        count++;
    }
    return count;
}

static int check(const struct http_request *q, uint32_t count, struct error *err)
{
    if (http_header(q, "Idempotency-Key")) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "Idempotency-Key: a batch has none");
        return err_remedy(err, "send the lines that got no answer once more"), -EINVAL;
    }
    if (!count)
        return err_set(err, -EBADMSG, BLAME_CALLER, NULL,
                       "the body has no line: one JSON object each, as for /execute");
    if (count > BATCH_MAX_LINES)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "the body has more than %u lines", BATCH_MAX_LINES);
    return 0;
}

static struct batch *make(struct call *c, uint32_t count)
{
    struct batch *b = calloc(1, sizeof *b);
    struct line *lines = calloc(count, sizeof *lines);
    if (!b || !lines) {
        free(b);
        free(lines);
        return NULL;
    }
    *b = (struct batch){ .service = c->service, .request = c->request, .caller = c->caller, .lines = lines };
    b->count = split(c->request->body, c->request->body_size, lines);
    buf_init(&b->piece, PIECE_MAX);
    (void)pthread_mutex_init(&b->lock, NULL);
    wait_init(&b->changed);
    return b;
}

/* Half of the turns at most: others have runs, too. */
static uint32_t workers_for(struct service *v, uint32_t count)
{
    struct queue_counts q;
    queue_count(v->queue, &q);
    return MIN_OF(MIN_OF(count, BATCH_WORKERS), MAX_OF(q.slots / 2, 1u));
}

void batch_run(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    const struct http_request *q = c->request;
    uint32_t count = split(q->body, q->body_size, NULL);
    if (check(q, count, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct batch *b = make(c, count);
    bool has_worker = false;
    for (uint32_t left = b ? workers_for(c->service, count) : 0; left && start_worker(b); left--)
        has_worker = true;
    if (!has_worker) {
        if (b)
            done(b);
        answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "no memory or no thread for a batch");
        return;
    }
    a->status = 200;
    a->content_type = "application/x-ndjson";
    a->stream = stream;
    a->done = done;
    a->context = b;
}
