#include "daemon/listener.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/wait.h"
#include "daemon/body.h"

#define PIECE_MAX (64 * KIB)
#define LOOK_MS   1000u

struct listener {
    struct execution *execution;
    uint32_t next;                       /* event to be sent */
    bool is_cut;                         /* its execution is another node's now */
    bool is_owner, has_head, has_result; /* of the last event: its beginning, all of it */
    struct result_reader reader;
    struct buf pending; /* not yet taken */
    size_t sent;
    uint64_t last_ms; /* when something was sent */
};

/* The last event up to its result. refusal: {"error":…}, whose member becomes ours. */
static void put_head(struct buf *out, uint32_t number, unsigned status, const struct buf *refusal)
{
    bool is_error = status && status != 200;
    (void)buf_addf(out, "id: %u\nevent: %s\ndata: {\"type\":\"%s\",", number, is_error ? "error" : "result",
                   is_error ? "error" : "result");
    if (is_error && refusal->size > 2) {
        size_t n = refusal->size;
        while (n && (refusal->data[n - 1] == '\n' || refusal->data[n - 1] == '}'))
            if (refusal->data[--n] == '}')
                break;
        (void)buf_add(out, refusal->data + 1, n - 1);
        (void)buf_addc(out, ',');
    }
    (void)buf_adds(out, "\"result\":");
}

/* result is JSON and ends with a newline, which would end the event's line. */
static void put_result(struct buf *out, const char *result, size_t size)
{
    while (size && result[size - 1] == '\n')
        size--;
    (void)buf_add(out, size ? result : "null", size ? size : 4);
    (void)buf_adds(out, "}\n\n");
}

void listener_record(const struct events *e, const char *id, unsigned status, const struct buf *refusal,
                     struct buf *out)
{
    for (uint32_t n = 1; n <= e->count && !out->failed; n++)
        (void)events_print(e, n, id, out);
    put_head(out, e->count + 1, status, refusal);
}

/* The execution's lock is held. */
static void gather(struct listener *l)
{
    struct execution *e = l->execution;
    size_t before = l->pending.size;
    while (l->pending.size < PIECE_MAX && events_print(&e->events, l->next, e->id, &l->pending))
        l->next++;
    if (l->pending.size == before && e->state == EXECUTION_FINISHED && !l->has_head) {
        put_head(&l->pending, e->events.count + 1, e->status, &e->refusal);
        l->reader = (struct result_reader){ .text = &e->result };
        l->has_head = true;
    }
}

/* It does not change any more, and is written as it is sent: no listener has a copy of it. */
static void gather_result(struct listener *l)
{
    while (!l->pending.size && !l->has_result)
        if (!result_read(&l->reader, &l->pending)) {
            (void)buf_adds(&l->pending, "}\n\n");
            l->has_result = true;
        }
}

static void wait_for_more(struct listener *l)
{
    struct execution *e = l->execution;
    (void)wait_until(&e->changed, &e->lock, clock_ms() + LOOK_MS);
    gather(l);
}

static void gather_events(struct listener *l)
{
    (void)pthread_mutex_lock(&l->execution->lock);
    gather(l);
    if (!l->pending.size)
        wait_for_more(l);
    l->is_cut = l->execution->was_moved;
    (void)pthread_mutex_unlock(&l->execution->lock);
}

static ssize_t stream(void *context, char *to, size_t max)
{
    struct listener *l = context;
    if (l->sent == l->pending.size) {
        if (l->has_result)
            return -1;
        l->sent = l->pending.size = 0;
        if (l->has_head)
            gather_result(l);
        else
            gather_events(l);
        if (!l->pending.size && clock_ms() - l->last_ms > LISTENER_QUIET_MS)
            (void)buf_adds(&l->pending, ": keep-alive\n\n");
        if (l->pending.failed || l->is_cut)
            return -2;
    }
    size_t n = MIN_OF(max, l->pending.size - l->sent);
    if (n) {
        memcpy(to, l->pending.data + l->sent, n);
        l->sent += n;
        l->last_ms = clock_ms();
    }
    return (ssize_t)n;
}

static void done(void *context)
{
    struct listener *l = context;
    if (l->is_owner && !(l->has_result && l->sent == l->pending.size))
        (void)execution_stop(l->execution); /* no client waits for it any more */
    (void)execution_unref(l->execution);
    buf_done(&l->pending);
    free(l);
}

static void head(struct http_answer *a, const char *id, struct arena *arena)
{
    a->status = 200;
    a->content_type = "text/event-stream";
    http_answer_header(a, "X-Execution-Id", arena_copy(arena, id));
}

void listener_answer(struct execution *e, uint32_t after, bool is_owner, struct http_answer *a, struct arena *arena)
{
    struct listener *l = calloc(1, sizeof *l);
    if (!l)
        abort(); /* a hundred bytes */
    *l = (struct listener){ .execution = e, .next = after + 1, .is_owner = is_owner, .last_ms = clock_ms() };
    buf_init(&l->pending, 4 * MIB); /* a piece */
    head(a, e->id, arena);
    a->stream = stream;
    a->done = done;
    a->context = l;
}

/* What the result says, in the place of events that are not kept. */
static void record_result(const struct execution_row *row, struct buf *out)
{
    static const char *const names[] = { "stdout", "stderr" };
    struct events events;
    struct body *b = NULL;
    struct error ignored;
    size_t size;
    events_init(&events, EVENTS_MAX_BYTES);
    events_add(&events, EVENT_STARTED, 0, NULL, 0);
    if (row->result && body_parse(row->result, row->result_size, false, &b, &ignored) == 0)
        for (int i = 0; i < 2; i++) {
            const char *text = body_bytes(b, names[i], EVENTS_MAX_BYTES, &size);
            if (size)
                events_add(&events, i ? EVENT_STDERR : EVENT_STDOUT, 0, text, size);
        }
    events_end(&events, 0);
    listener_record(&events, row->id, 200, NULL, out);
    (void)body_free(b);
    events_done(&events);
}

/* The first `after` messages are left away, but not the last one: a client that has seen all gets the result again, as
 * from a live execution. */
static size_t skip(const char *record, size_t size, uint32_t after)
{
    const char *at = record, *end = record + size, *next;
    for (; after && (next = memmem(at, (size_t)(end - at), "\n\n", 2)); after--)
        at = next + 2;
    return (size_t)(at - record);
}

void listener_replay(const struct execution_row *row, uint32_t after, struct http_answer *a, struct arena *arena)
{
    struct buf made;
    buf_init(&made, 8 * STORE_RESULT_MAX); /* an event may be six times what it says */
    if (!row->events)
        record_result(row, &made);
    const char *record = row->events ? row->events : made.data;
    size_t size = row->events ? row->events_size : made.size, from = record ? skip(record, size, after) : 0;
    head(a, row->id, arena);
    buf_init(&a->body, 16 * STORE_RESULT_MAX);
    (void)buf_add(&a->body, record + from, size - from);
    put_result(&a->body, row->result, row->result_size);
    a->body.failed |= made.failed;
    buf_done(&made);
}
