#include "front/mcp_stream.h"

#include <stdlib.h>

#include "base/json.h"
#include "front/inner.h"

#define MESSAGE_MAX 2048u /* bytes of output in one notification */

struct mcp_stream {
    struct mcp *state;
    struct mcp_running *running; /* the request's arena's */
    const struct mcp_tool *tool;
    struct mcp_message message; /* without its body: the texts are the request's arena's */
    struct arena *arena;        /* until the answer is out */
    struct inner_events inner;
    uint64_t count; /* of notifications */
};

static void begin_event(struct buf *out)
{
    (void)buf_adds(out, "event: message\ndata: ");
}

/* Output as it comes; what is no text is left away, the result has all. */
static void put_progress(struct mcp_stream *s, struct body *event)
{
    size_t size = 0;
    const char *text = body_kind(event, "data") == BODY_TEXT ? body_bytes(event, "data", SIZE_MAX, &size) : NULL;
    struct buf *out = &s->inner.out;
    size = MIN_OF(size, MESSAGE_MAX);
    begin_event(out);
    (void)buf_addf(
        out,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%llu",
        s->message.progress, (unsigned long long)++s->count);
    if (size)
        json_key(out, "message"), json_bytes(out, text, size);
    (void)buf_adds(out, "}}\n\n");
}

/* {"type":"result","result":{…}}, or {"type":"error","error":{…},"result":…} */
static void put_answer(struct mcp_stream *s, struct body *event, bool is_error)
{
    struct mcp_result r;
    struct buf text;
    mcp_result_init(&r);
    buf_init(&text, INNER_ANSWER_MAX);
    if (is_error)
        (void)buf_adds(&text, "{\"error\":");
    body_json(event, is_error ? "error" : "result", &text);
    if (is_error)
        (void)buf_addc(&text, '}');
    mcp_tool_tell(s->tool, is_error ? 500 : 200, text.data ? text.data : "", text.failed ? 0 : text.size, &r);
    buf_done(&text);
    begin_event(&s->inner.out);
    mcp_write_result(&s->message, &r, &s->inner.out);
    (void)buf_addc(&s->inner.out, '\n');
    mcp_result_done(&r);
    s->inner.is_over = true;
}

static bool take_event(void *context, struct body *event)
{
    struct mcp_stream *s = context;
    const char *type = event ? body_text(event, "type", 64) : NULL;
    if (!event)
        (void)buf_adds(&s->inner.out, ": keep-alive\n\n");
    else if (type && (str_eq(type, "result") || str_eq(type, "error")))
        put_answer(s, event, str_eq(type, "error"));
    else
        put_progress(s, event);
    return !s->inner.is_over;
}

static ssize_t stream(void *context, char *to, size_t max)
{
    struct mcp_stream *s = context;
    return inner_events_pass(&s->inner, take_event, s, to, max);
}

static void done(void *context)
{
    struct mcp_stream *s = context;
    inner_events_done(&s->inner); /* ends the run, where it has not ended */
    mcp_running_remove(s->state, s->running);
    free(s);
}

void mcp_stream_answer(struct mcp *state, struct mcp_call *c, struct http_answer *inner, struct http_answer *a)
{
    struct mcp_stream *s = calloc(1, sizeof *s);
    if (!s)
        abort(); /* some hundred bytes */
    *s = (struct mcp_stream){
        .state = state, .tool = c->tool, .message = *c->message, .arena = c->outer->arena, .running = &c->running
    };
    s->message.root = s->message.params = s->message.meta = NULL; /* freed before the stream begins */
    inner_events_init(&s->inner, inner);
    a->status = 200;
    a->content_type = "text/event-stream";
    a->stream = stream;
    a->done = done;
    a->context = s;
}
