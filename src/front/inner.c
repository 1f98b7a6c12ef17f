#include "front/inner.h"

#include <poll.h>

#include "audit/hmac.h"
#include "daemon/routes.h"

#define PIECE_SIZE (16 * KIB)

struct inner { /* what the handler sees, as long as the answer may be a stream */
    struct http_request request;
    struct http_inner more;
};

static void copy_pairs(const struct inner_asked *with, struct inner *s, const char *trace)
{
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(with->headers) && with->headers[i].name; i++)
        s->more.headers[n++] = with->headers[i];
    if (trace)
        s->more.headers[n] = (struct http_pair){ "traceparent", trace };
    memcpy(s->more.query, with->query, sizeof with->query);
}

void inner_ask(const struct call *outer, const char *method, const char *pattern, const struct inner_asked *with,
               struct http_answer *a)
{
    struct inner *s = arena_zero(outer->arena, sizeof *s);
    if (!s) {
        answer_fail(a, outer->arena, ANSWER_INTERNAL, "no memory");
        return;
    }
    s->more = (struct http_inner){ .begun = with->begun,
                                   .context = with->context,
                                   .waits_for_end = with->waits_for_end };
    copy_pairs(with, s, with->trace ? with->trace : http_header(outer->request, "traceparent"));
    s->request = *outer->request;
    s->request.method = method;
    s->request.path = pattern;
    s->request.body = with->body_size ? with->body : "";
    s->request.body_size = with->body_size;
    s->request.inner = &s->more;
    struct call inner = { .service = outer->service,
                          .request = &s->request,
                          .caller = outer->caller,
                          .parts = { with->parts[0], with->parts[1] },
                          .arena = outer->arena };
    routes_inner(&inner, method, pattern, a);
}

/* A body that is there already, not copied. True: it is longer than out->max, and was cut there. */
static bool take_body(struct http_answer *a, struct buf *out)
{
    const size_t max = out->max;
    buf_done(out);
    *out = a->body;
    a->body = (struct buf){ 0 };
    if (out->size <= max)
        return false;
    out->size = max;
    out->data[max] = '\0';
    return true;
}

bool inner_read(struct http_answer *a, struct buf *out, bool *ret_is_cut)
{
    char piece[64 * KIB];
    ssize_t n = -1;
    *ret_is_cut = false;
    if (!a->stream)
        *ret_is_cut = take_body(a, out);
    while (a->stream && !*ret_is_cut && (n = a->stream(a->context, piece, sizeof piece)) >= 0) {
        const size_t take = MIN_OF((size_t)n, out->max - out->size);
        *ret_is_cut = take < (size_t)n;
        (void)buf_add(out, piece, take);
    }
    if (a->done)
        a->done(a->context);
    return n != -2 && !out->failed;
}

struct body *inner_ask_first(const struct call *outer, const char *method, const char *pattern,
                             const struct inner_asked *with, struct http_answer *a)
{
    struct http_answer first = { 0 };
    struct body *answer = NULL;
    struct error err = { 0 };
    struct buf text;
    bool is_cut;
    inner_ask(outer, method, pattern, with, &first);
    const unsigned status = first.status;
    buf_init(&text, INNER_ANSWER_MAX);
    const bool is_read = inner_read(&first, &text, &is_cut) && !is_cut;
    const size_t size = is_read ? text.size : 0;
    const char *kept = arena_copy_bytes(outer->arena, size ? text.data : "", size);
    if (status / 100 != 2 || body_parse_own(kept, size, &answer, &err) < 0)
        (void)buf_add(answer_json(a, status / 100 != 2 ? status : 500, INNER_ANSWER_MAX), kept, size);
    buf_done(&text);
    return answer;
}

const char *inner_number(struct body *b, const char *name)
{
    const enum body_kind kind = b ? body_kind(b, name) : BODY_ABSENT;
    return kind == BODY_INTEGER || kind == BODY_REAL ? body_scalar(b, name, 64) : NULL;
}

/* {"error":{"message":…,"details":{"remedy":…}}} */
static const char *read_message(const struct http_answer *a, struct arena *arena, const char *words)
{
    struct error ignored = { 0 };
    struct body *b = NULL;
    if (a->stream || !a->body.size || body_parse(a->body.data, a->body.size, false, &b, &ignored) < 0)
        return words;
    struct body *error = body_object_if(b, "error"), *details = body_object_if(error, "details");
    const char *text = body_text_if(error, "message"), *remedy = body_text_if(details, "remedy");
    const char *found = arena_printf(arena, "%s%s%s", text ? text : words, remedy ? "; " : "", remedy ? remedy : "");
    (void)body_free(b);
    return found;
}

const char *inner_reword(struct http_answer *a, struct arena *arena, unsigned status, const char *words)
{
    const char *message = read_message(a, arena, words);
    struct http_answer old = *a;
    a->stream = NULL, a->done = NULL;
    buf_init(&a->body, 64 * KIB);
    if (old.done)
        old.done(old.context);
    buf_done(&old.body);
    a->status = status;
    a->content_type = "application/json";
    return message;
}

bool inner_client_waits(const struct call *c, unsigned ms)
{
    struct pollfd f = { .fd = c->request->fd, .events = POLLRDHUP };
    return poll(&f, 1, (int)ms) == 0;
}

const char *inner_agent(const struct caller *c, const char *named)
{
    return named ? named : c->agents.count == 1 ? c->agents.data : NULL;
}

/* --- events --------------------------------------------------------------------------------------------------- */

void inner_events_init(struct inner_events *s, const struct http_answer *answer)
{
    *s = (struct inner_events){ 0 };
    if (answer)
        s->answer = *answer;
    buf_init(&s->in, INNER_ANSWER_MAX); /* the last one has all output, as JSON */
    buf_init(&s->out, INNER_ANSWER_MAX);
}

void inner_events_done(struct inner_events *s)
{
    if (s->answer.done)
        s->answer.done(s->answer.context);
    if (!s->answer.stream)
        buf_done(&s->answer.body);
    buf_done(&s->in);
    buf_done(&s->out);
}

/* What stands for an event that is beyond every bound: a stream has an end, whatever its last word was. */
static bool unread(struct body **ret)
{
    static const char text[] = "{\"type\":\"error\",\"error\":{\"code\":\"internal_error\","
                               "\"message\":\"the answer is too large to be passed on\"}}";
    struct error ignored = { 0 };
    return body_parse(text, sizeof text - 1, false, ret, &ignored) == 0;
}

/* One, up to its empty line. */
static bool take_event(const char *text, size_t size, bool (*take)(void *context, struct body *event), void *context)
{
    static const char mark[] = "data: ";
    const char *data = memmem(text, size, mark, sizeof mark - 1);
    while (data && data != text && data[-1] != '\n')
        data = memmem(data + 1, size - (size_t)(data + 1 - text), mark, sizeof mark - 1);
    struct body *event = NULL;
    struct error err = { 0 };
    if (!data) /* a comment, so that neither side takes the other for dead */
        return take(context, NULL);
    data += sizeof mark - 1;
    if (body_parse_own(data, size - (size_t)(data - text), &event, &err) < 0 && !unread(&event))
        return true;
    const bool goes_on = take(context, event);
    (void)body_free(event);
    return goes_on;
}

static void take_events(struct inner_events *s, bool (*take)(void *context, struct body *event), void *context)
{
    size_t from = 0, at = s->scanned ? s->scanned - 1 : 0; /* the first of the two newlines may have been there */
    bool goes_on = true;
    const char *end;
    while (goes_on && s->in.size > at && (end = memmem(s->in.data + at, s->in.size - at, "\n\n", 2))) {
        goes_on = take_event(s->in.data + from, (size_t)(end - s->in.data) - from, take, context);
        at = from = (size_t)(end - s->in.data) + 2;
    }
    if (from)
        memmove(s->in.data, s->in.data + from, s->in.size - from);
    s->in.size -= from;
    s->scanned = s->in.size;
}

int inner_events_read(struct inner_events *s, bool (*take)(void *context, struct body *event), void *context)
{
    char piece[PIECE_SIZE];
    if (!s->answer.stream) { /* of a record: whole */
        if (!s->answer.body.size)
            return -1;
        buf_done(&s->in);
        s->in = s->answer.body;
        s->answer.body = (struct buf){ 0 };
        take_events(s, take, context);
        return 1;
    }
    const ssize_t n = s->answer.stream(s->answer.context, piece, sizeof piece);
    if (n < 0)
        return (int)n;
    if (n > 0 && buf_add(&s->in, piece, (size_t)n) < 0)
        return -2;
    take_events(s, take, context);
    return (int)n;
}

ssize_t inner_events_pass(struct inner_events *s, bool (*take)(void *context, struct body *event), void *context,
                          char *to, size_t max)
{
    if (s->sent == s->out.size) {
        if (s->is_over)
            return -1;
        s->sent = s->out.size = 0;
        if (inner_events_read(s, take, context) < 0 || s->out.failed)
            return -2; /* it says how it ended before it ends */
    }
    const size_t n = MIN_OF(max, s->out.size - s->sent);
    if (n)
        memcpy(to, s->out.data + s->sent, n);
    s->sent += n;
    return (ssize_t)n;
}

/* What an event of output says, appended. */
static void add_bytes(struct body *event, struct buf *out)
{
    size_t size = 0;
    const char *coded = body_text_if(event, "data_base64");
    const char *text = coded ? NULL : body_bytes(event, "data", SIZE_MAX, &size);
    if (text)
        (void)buf_add(out, text, size);
    if (!coded)
        return;
    char *bytes = malloc(strlen(coded) + 1);
    if (bytes && base64_read(coded, strlen(coded), bytes, &size) == 0)
        (void)buf_add(out, bytes, size);
    free(bytes);
}

struct saying {
    struct inner_said *said;
    bool is_over;
};

static bool take_output(void *context, struct body *event)
{
    struct saying *s = context;
    const char *type = body_text_if(event, "type");
    const bool is_out = type && str_eq(type, "stdout"), is_err = type && str_eq(type, "stderr");
    if (is_out || is_err)
        add_bytes(event, &s->said->both), add_bytes(event, is_out ? &s->said->out : &s->said->err);
    s->is_over = !event || body_kind(event, "result") != BODY_ABSENT;
    return !s->is_over;
}

void inner_said_done(struct inner_said *s)
{
    buf_done(&s->both), buf_done(&s->out), buf_done(&s->err);
}

bool inner_output(const struct call *outer, const char *pattern, const struct inner_asked *with, struct inner_said *ret,
                  struct http_answer *a)
{
    struct http_answer answer = { 0 };
    struct inner_events events;
    struct saying s = { .said = ret };
    inner_ask(outer, "GET", pattern, with, &answer);
    if (answer.status != 200) {
        *a = answer;
        return false;
    }
    buf_init(&ret->both, INNER_ANSWER_MAX), buf_init(&ret->out, INNER_ANSWER_MAX),
        buf_init(&ret->err, INNER_ANSWER_MAX);
    inner_events_init(&events, &answer);
    while (!s.is_over && inner_events_read(&events, take_output, &s) > 0)
        ;
    inner_events_done(&events);
    return true;
}

/* --- a run ---------------------------------------------------------------------------------------------------- */

struct run {
    struct inner_ran ran;
    bool has_ended, has_lost; /* has_lost: the events are not all of the output */
    struct http_answer *answer;
    void (*end)(void *context, const struct inner_ran *ran, struct body *result);
    void *context;
};

static void end_run(struct run *r, struct body *result)
{
    static const char *const names[] = { "stdout", "stderr" };
    size_t size = 0;
    if (r->has_lost)
        r->ran.output.size = 0;
    for (size_t i = 0; r->has_lost && i < ARRAY_LEN(names); i++) {
        const char *text = body_bytes(result, names[i], SIZE_MAX, &size);
        (void)buf_add(&r->ran.output, text ? text : "", text ? size : 0);
    }
    r->has_ended = true;
    r->end(r->context, &r->ran, result);
}

/* It could not be run, and has no result. */
static void refuse_run(struct run *r, struct body *event)
{
    struct buf *b = answer_json(r->answer, answer_status(ANSWER_SANDBOX_ERROR), 64 * KIB);
    json_open(b, '{');
    json_key(b, "error"), body_json(event, "error", b);
    json_close(b, '}');
    r->has_ended = true;
}

static bool take_run(void *context, struct body *event)
{
    struct run *r = context;
    const char *type = body_text_if(event, "type");
    struct body *result = body_object_if(event, "result");
    if (result)
        end_run(r, result);
    else if (body_object_if(event, "error"))
        refuse_run(r, event);
    else if (type && (str_eq(type, "stdout") || str_eq(type, "stderr")))
        add_bytes(event, &r->ran.output);
    else if (type && str_eq(type, "started"))
        r->ran.has_started = true;
    else if (type && str_eq(type, "lost"))
        r->has_lost = true;
    return !r->has_ended;
}

void inner_run(const struct call *outer, const char *pattern, const struct inner_asked *with, struct http_answer *a,
               void (*end)(void *context, const struct inner_ran *ran, struct body *result), void *context)
{
    struct run r = { .answer = a, .end = end, .context = context };
    struct inner_events events;
    struct http_answer answer = { 0 };
    struct inner_asked whole = *with;
    whole.waits_for_end = true;
    inner_ask(outer, "POST", pattern, &whole, &answer);
    if (answer.status != 200) {
        *a = answer;
        return;
    }
    buf_init(&r.ran.output, INNER_ANSWER_MAX);
    inner_events_init(&events, &answer);
    while (!r.has_ended && inner_client_waits(outer, 0) && inner_events_read(&events, take_run, &r) >= 0)
        ;
    inner_events_done(&events); /* ends what has not ended */
    buf_done(&r.ran.output);
    if (!r.has_ended)
        answer_fail(a, outer->arena, ANSWER_SANDBOX_ERROR, "the run could not be followed to its end");
}
