#include <poll.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "http/framing.h"

#define LINGER_MS     1000u
#define MAX_DISCARDED (8u * MIB)

/* Whose thread this is, once its first request line was there: library_says() is not told. */
static _Thread_local struct http_connection *own_connection;

static void request_free(struct request *q)
{
    if (q->answer.done)
        q->answer.done(q->answer.context);
    buf_done(&q->answer.body);
    buf_done(&q->body);
    q->connection->server->body_bytes -= q->charged;
    arena_done(&q->arena);
    free(q);
}

void request_drop(struct http_connection *c)
{
    if (c->request)
        request_free(c->request);
    c->request = NULL;
    own_connection = NULL;
}

/* The request line is there. */
void *request_begin(void *cls, const char *target, struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct http_connection *c = info ? info->socket_context : NULL;
    struct request *q = c ? calloc(1, sizeof *q) : NULL;
    (void)cls;
    if (!q)
        return NULL; /* request_go_on() ends the connection */
    request_drop(c); /* nothing, unless one was dropped behind our back */
    c->request = q;
    own_connection = c;
    q->connection = c;
    q->input_is_left = true;
    q->raw_target = target;
    q->raw_target_size = target ? strlen(target) : 0;
    q->target = arena_copy(&q->arena, target ? target : "");
    q->public = (struct http_request){ .body = "",
                                       .fd = c->fd,
                                       .is_unix = c->is_unix,
                                       .peer_uid = c->peer_uid,
                                       .is_loopback = c->is_loopback,
                                       .is_tls = c->is_tls,
                                       .arena = &q->arena,
                                       .connection = c };
    (void)connection_enter(c, CONN_HEAD); /* what is overdue is seen later */
    return q;
}

/* Closing while there is unread input resets the connection, and our answer with it. */
static void linger(struct http_connection *c)
{
    char waste[4096];
    uint64_t until = clock_ms() + LINGER_MS;
    if (!connection_enter(c, CONN_BODY))
        return;
    if (!c->is_tls) /* there, libmicrohttpd has still to say good-bye */
        (void)shutdown(c->fd, SHUT_WR);
    for (uint64_t now; (now = clock_ms()) < until && !c->server->is_stopping;) {
        struct pollfd p = { .fd = c->fd, .events = POLLIN };
        if (poll(&p, 1, (int)(until - now)) <= 0 || recv(c->fd, waste, sizeof waste, MSG_DONTWAIT) <= 0)
            return;
    }
}

static const char *words_for(unsigned status, const char *page)
{
    return status == 431                         ? "the head of the request is too large"
           : status == 413                       ? "the body is larger than endpoints.api.max_body"
           : page && strstr(page, "&quot;Host:") ? "Host is missing"
                                                 : "a header line, Content-Length or a chunk of the body is malformed";
}

void library_says(void *cls, const char *format, va_list args)
{
    static const char refusal[] =
        "Error processing request (HTTP response code is %u ('%s'))"; /* 0.9.75, before it queues the page */
    struct http_connection *c = own_connection;
    (void)cls;
    if (!c || c->is_tls || !str_starts(format, refusal))
        return;
    unsigned status = va_arg(args, unsigned);
    const char *page = va_arg(args, const char *);
    status = status == 413 ? 413 : status == 414 || status == 431 ? 431 : 400;
    reply_raw(c, NULL, status, words_for(status, page));
    linger(c);
}

/* In the middle of a body libmicrohttpd takes no answer. */
static enum MHD_Result refuse_midway(struct request *q, unsigned status, const char *message)
{
    q->refusal = status;
    q->refusal_message = message;
    buf_done(&q->body);
    if (q->connection->is_tls)
        return MHD_YES;
    reply_raw(q->connection, q, status, message);
    linger(q->connection);
    return MHD_NO;
}

/* Charged first: a client that can make us allocate has a limit. */
static bool charge(struct request *q, uint64_t n)
{
    uint64_t before = atomic_fetch_add(&q->connection->server->body_bytes, n);
    q->charged += n;
    return before + n <= q->connection->server->options.max_bodies;
}

static enum MHD_Result feed(struct request *q, const char *data, size_t size)
{
    if (!connection_enter(q->connection, CONN_HANDLER))
        return MHD_NO;
    q->answer.feed(q->answer.context, data, size);
    return connection_enter(q->connection, CONN_BODY) ? MHD_YES : MHD_NO;
}

static enum MHD_Result take_body(struct request *q, const char *data, size_t *size)
{
    size_t n = *size;
    *size = 0;
    if (q->answer.feed)
        return feed(q, data, n);
    if (q->refusal) {
        q->discarded += n;
        return q->discarded > MAX_DISCARDED ? MHD_NO : MHD_YES;
    }
    if (n > q->body.max - q->body.size)
        return refuse_midway(q, 413, "the body is larger than endpoints.api.max_body");
    if (!charge(q, n) || buf_add(&q->body, data, n) < 0)
        return refuse_midway(q, 503, "too many requests are being received");
    return MHD_YES;
}

static bool is_preflight(const struct request *q)
{
    return http_header(&q->public, "Access-Control-Request-Method") && http_header(&q->public, "Origin");
}

static enum MHD_Result answer_options(struct request *q)
{
    struct http_answer *a = &q->answer;
    a->status = 204;
    if (!is_preflight(q)) {
        http_answer_header(a, "Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
        return reply_send(q);
    }
    http_answer_header(a, "Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
    http_answer_header(a, "Access-Control-Allow-Headers",
                       "Accept, Authorization, Content-Type, Idempotency-Key, Last-Event-ID, traceparent");
    http_answer_header(a, "Access-Control-Max-Age", "600");
    return reply_send(q);
}

static enum MHD_Result handle(struct request *q)
{
    struct http_server *s = q->connection->server;
    if (!connection_enter(q->connection, CONN_HANDLER))
        return MHD_NO;
    s->counters.requests += !q->answer.feed; /* that was counted before its body */
    if (q->body.size) {
        q->public.body = q->body.data;
        q->public.body_size = q->body.size;
    }
    if (str_eq(q->public.method, "OPTIONS") && (!q->is_fed || is_preflight(q)))
        return answer_options(q);
    s->options.handle(s->options.context, &q->public, &q->answer);
    return reply_send(q);
}

/* Its body is still to come. */
static enum MHD_Result begin_feeding(struct request *q)
{
    struct http_server *s = q->connection->server;
    if (!connection_enter(q->connection, CONN_HANDLER))
        return MHD_NO;
    s->counters.requests++;
    s->options.handle(s->options.context, &q->public, &q->answer);
    if (!q->answer.feed)
        return reply_send(q);
    return connection_admit(q->connection, true) ? MHD_YES : MHD_NO;
}

/* The head is there: everything that can be refused without the body is. */
static enum MHD_Result judge(struct request *q, const char *method, const char *version)
{
    struct http_server *s = q->connection->server;
    struct framing f;
    const char *why = NULL;
    q->has_begun = true;
    q->public.received_us = clock_us();
    framing_check(q, method, version, &f);
    if (f.status)
        return reply_refuse(q, f.status, f.why);
    q->public.is_head = str_eq(method, "HEAD");
    q->public.method = q->public.is_head ? "GET"
                                         : arena_copy(&q->arena, method); /* libmicrohttpd leaves the body away */
    if (q->connection->is_beyond)
        return reply_refuse(q, 503, "there are too many connections");
    if (!target_parse(q, q->target, &why))
        return reply_refuse(q, 400, why);
    unsigned status = origin_check(q, &why);
    if (status)
        return reply_refuse(q, status, why);
    q->public.has_body = q->input_is_left = f.is_chunked || f.length;
    q->public.body_length = f.is_chunked ? UINT64_MAX : f.length;
    q->closes = f.is_chunked; /* framing.h */
    q->is_fed = s->options.feeds && s->options.feeds(s->options.context, &q->public);
    if (q->is_fed && q->input_is_left)
        return begin_feeding(q);
    if (f.has_length && f.length > s->options.max_body)
        return reply_refuse(q, 413, "the body is larger than endpoints.api.max_body");
    buf_init(&q->body, s->options.max_body);
    bool is_admitted = q->input_is_left && s->options.admits && s->options.admits(s->options.context, &q->public);
    if (q->input_is_left && s->options.admits && !is_admitted)
        return handle(q);
    /* libmicrohttpd closes a connection that is answered in this call, even when no body follows */
    return connection_admit(q->connection, is_admitted) ? MHD_YES : MHD_NO;
}

enum MHD_Result request_go_on(void *cls, struct MHD_Connection *mhd, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request)
{
    struct request *q = *request;
    (void)cls;
    (void)mhd;
    (void)url;
    if (!q || q->arena.failed)
        return MHD_NO;
    if (!q->has_begun)
        return judge(q, method, version);
    if (*upload_size)
        return take_body(q, upload, upload_size);
    q->input_is_left = false;
    return q->refusal ? reply_refuse(q, q->refusal, q->refusal_message) : handle(q);
}

void request_end(void *cls, struct MHD_Connection *mhd, void **request, enum MHD_RequestTerminationCode code)
{
    struct request *q = *request;
    (void)cls;
    (void)mhd;
    if (!q)
        return;
    struct http_connection *c = q->connection;
    bool has_input_left = q->input_is_left && q->refusal == 0;
    *request = NULL;
    c->request = NULL;
    request_free(q);
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK && has_input_left)
        linger(c);
    (void)connection_enter(c, CONN_IDLE); /* or it is being closed */
}
