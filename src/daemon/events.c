#include "daemon/events.h"

#include <stdlib.h>

#include "audit/hmac.h"
#include "base/json.h"

void events_init(struct events *e, size_t max_bytes)
{
    *e = (struct events){ 0 };
    buf_init(&e->bytes, max_bytes);
}

void events_done(struct events *e)
{
    free(e->list);
    buf_done(&e->bytes);
    *e = (struct events){ 0 };
}

static bool has_room(struct events *e)
{
    if (e->count < e->cap)
        return true;
    uint32_t cap = e->cap ? e->cap * 2 : 8;
    struct event *list = e->count < EVENTS_MAX ? realloc(e->list, cap * sizeof *list) : NULL;
    if (!list)
        return false;
    e->list = list;
    e->cap = cap;
    return true;
}

static void append(struct events *e, enum event_type type, uint32_t at_ms, const void *data, size_t size)
{
    if (e->has_lost)
        return;
    if (e->count >= EVENTS_MAX - 1 || e->bytes.size + size > e->bytes.max) {
        type = EVENT_LOST;
        size = 0;
        e->has_lost = true;
    }
    if (!has_room(e) || (size && buf_add(&e->bytes, data, size) < 0))
        return; /* no memory: the result has it */
    e->list[e->count++] = (struct event){ (uint8_t)type, at_ms, (uint32_t)(e->bytes.size - size), (uint32_t)size };
}

/* How many bytes at the end are the beginning of a sequence that may yet be completed. */
static size_t open_tail(const unsigned char *p, size_t size)
{
    for (size_t back = 1; back <= 3 && back <= size; back++) {
        unsigned char c = p[size - back];
        size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        if (c >= 0xC0)
            return length > back ? back : 0;
        if (c < 0x80)
            return 0;
    }
    return 0;
}

static void add_output(struct events *e, int which, uint32_t at_ms, const char *data, size_t size)
{
    enum event_type type = which ? EVENT_STDERR : EVENT_STDOUT;
    struct buf whole;
    buf_init(&whole, size + sizeof e->tail[0].held);
    (void)buf_add(&whole, e->tail[which].held, e->tail[which].size);
    (void)buf_add(&whole, data, size);
    size_t rest = whole.failed ? 0 : open_tail((const unsigned char *)whole.data, whole.size);
    if (!whole.failed && whole.size > rest)
        append(e, type, at_ms, whole.data, whole.size - rest);
    if (rest)
        memcpy(e->tail[which].held, whole.data + whole.size - rest, rest);
    e->tail[which].size = (uint8_t)rest;
    buf_done(&whole);
}

void events_add(struct events *e, enum event_type type, uint32_t at_ms, const char *data, size_t size)
{
    if (type == EVENT_STDOUT || type == EVENT_STDERR)
        add_output(e, type == EVENT_STDERR, at_ms, data, size);
    else
        append(e, type, at_ms, data, size);
}

void events_end(struct events *e, uint32_t at_ms)
{
    for (int i = 0; i < 2; i++) {
        if (e->tail[i].size)
            append(e, i ? EVENT_STDERR : EVENT_STDOUT, at_ms, e->tail[i].held, e->tail[i].size);
        e->tail[i].size = 0;
    }
}

static void print_output(const struct event *v, const char *data, struct buf *out)
{
    json_key(out, "data"), json_bytes(out, data, v->size);
    if (json_is_text(data, v->size))
        return;
    json_key(out, "data_base64");
    (void)buf_addc(out, '"');
    base64_write(out, data, v->size);
    (void)buf_addc(out, '"');
}

bool events_print(const struct events *e, uint32_t number, const char *execution_id, struct buf *out)
{
    static const char *const names[] = {
        [EVENT_STARTED] = "started", [EVENT_STDOUT] = "stdout", [EVENT_STDERR] = "stderr", [EVENT_LOST] = "lost"
    };
    if (number < 1 || number > e->count)
        return false;
    const struct event *v = &e->list[number - 1];
    (void)buf_addf(out, "id: %u\nevent: %s\ndata: ", number, names[v->type]);
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, names[v->type]);
    if (v->type == EVENT_STARTED)
        json_key(out, "execution_id"), json_put_string(out, execution_id);
    if (v->type == EVENT_STDOUT || v->type == EVENT_STDERR)
        print_output(v, e->bytes.data + v->offset, out);
    json_key(out, "at_ms"), json_uint(out, v->at_ms);
    json_close(out, '}');
    (void)buf_adds(out, "\n\n");
    return true;
}
