#include <sys/socket.h>
#include "http/server.h"

static const struct refusal {
    unsigned status;
    const char *code, *phrase;
} refusals[] = {
    { 400, "invalid_request", "Bad Request" },
    { 403, "forbidden", "Forbidden" },
    { 408, "request_timeout", "Request Timeout" },
    { 413, "body_too_large", "Content Too Large" },
    { 421, "wrong_host", "Misdirected Request" },
    { 431, "headers_too_large", "Request Header Fields Too Large" },
    { 503, "unavailable", "Service Unavailable" },
    { 500, "internal_error", "Internal Server Error" } /* the last: for all others */
};

static const struct refusal *refusal_of(unsigned status)
{
    size_t i = 0;
    while (i + 1 < ARRAY_LEN(refusals) && refusals[i].status != status)
        i++;
    return &refusals[i];
}

void http_answer_header(struct http_answer *a, const char *name, const char *value)
{
    size_t i = 0;
    while (i < HTTP_MAX_HEADERS && a->headers[i].name)
        i++;
    assert(i < HTTP_MAX_HEADERS); /* a handler's mistake, in every answer that it gives */
    a->headers[i].name = name;
    a->headers[i].value = value;
}

/* libmicrohttpd asks when everything before is in the kernel. While we wait for more, no deadline runs. */
static ssize_t read_stream(void *context, uint64_t position, char *to, size_t max)
{
    struct request *q = context;
    ssize_t n = 0;
    (void)position;
    if (!connection_enter(q->connection, CONN_HANDLER))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    do
        n = q->answer.stream(q->answer.context, to, max);
    while (n == 0 && !connection_is_gone(q->connection));
    if (n == -1)
        return connection_part(q->connection) ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
    return n > 0 && connection_part(q->connection) ? n : MHD_CONTENT_READER_END_WITH_ERROR;
}

static ssize_t read_body(void *context, uint64_t position, char *to, size_t max)
{
    struct request *q = context;
    const struct buf *b = &q->answer.body;
    if (position >= b->size || !connection_part(q->connection))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    size_t n = MIN_OF(max, b->size - (size_t)position);
    memcpy(to, b->data + position, n);
    return (ssize_t)n;
}

/* libmicrohttpd 0.9.75 leaves the chunks away, but not the last, empty one: without chunks then, and the connection
 * ends. */
static struct MHD_Response *head_of_stream(void)
{
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, HTTP_STREAM_BYTES, read_stream, NULL,
                                                               NULL);
    if (r)
        (void)MHD_set_response_options(r, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return r;
}

static struct MHD_Response *make_response(struct request *q)
{
    struct http_answer *a = &q->answer;
    if (a->stream && a->has_size && a->size)
        return MHD_create_response_from_callback(a->size, HTTP_PART_BYTES, read_stream, q, NULL);
    if (a->stream && q->public.is_head && !a->has_size)
        return head_of_stream();
    if (a->has_size)
        return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (a->stream)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, HTTP_STREAM_BYTES, read_stream, q, NULL);
    if (a->body.size > HTTP_PART_BYTES)
        return MHD_create_response_from_callback(a->body.size, HTTP_PART_BYTES, read_body, q, NULL);
    return MHD_create_response_from_buffer(a->body.size, a->body.data, MHD_RESPMEM_PERSISTENT);
}

static bool add_headers(struct request *q, struct MHD_Response *r)
{
    const struct http_answer *a = &q->answer;
    bool closes = a->closes || q->closes || q->input_is_left || q->connection->server->is_draining;
    const char *origin = origin_allowed(q);
    const char *type = a->content_type ? a->content_type : a->body.size || a->stream ? "application/json" : NULL;
    const char *const fixed[][2] = {
        { "Server", "sandboxd" },
        { "X-Content-Type-Options", "nosniff" },
        { "Cache-Control", "no-store" },
        { type ? "Content-Type" : NULL, type },
        { closes ? "Connection" : NULL, "close" },
        { origin ? "Access-Control-Allow-Origin" : NULL, origin },
        { origin ? "Access-Control-Expose-Headers" : NULL,
          "Idempotency-Replayed, Location, Retry-After, Server-Timing, X-Execution-Id" },
        { origin ? "Vary" : NULL, "Origin" },
    };
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (fixed[i][0] && MHD_add_response_header(r, fixed[i][0], fixed[i][1]) == MHD_NO)
            return false;
    for (size_t i = 0; i < HTTP_MAX_HEADERS && a->headers[i].name; i++)
        if (MHD_add_response_header(r, a->headers[i].name, a->headers[i].value) == MHD_NO)
            return false;
    for (const struct http_pair *p = a->more; p && p->name; p++)
        if (MHD_add_response_header(r, p->name, p->value) == MHD_NO)
            return false;
    return true;
}

enum MHD_Result reply_send(struct request *q)
{
    if (q->answer.is_tunnel) {
        tunnel_run(q);
        return MHD_NO;
    }
    if (q->answer.status < 200 || q->answer.status > 599 || q->answer.body.failed)
        q->answer.status = 500;
    if (!connection_part(q->connection))
        return MHD_NO;
    struct MHD_Response *r = make_response(q);
    enum MHD_Result is_queued = r && add_headers(q, r) ? MHD_queue_response(q->connection->mhd, q->answer.status, r)
                                                       : MHD_NO;
    if (r)
        MHD_destroy_response(r);
    return is_queued;
}

static void write_refusal(struct http_server *s, const struct request *q, unsigned status, const char *message,
                          struct buf *body)
{
    s->counters.bad_requests++;
    buf_init(body, 4 * KIB);
    s->options.refuse(s->options.context, q && q->public.path ? &q->public : NULL, status, refusal_of(status)->code,
                      message, body);
}

enum MHD_Result reply_refuse(struct request *q, unsigned status, const char *message)
{
    q->answer = (struct http_answer){ .status = status, .closes = true };
    if (status == 503)
        http_answer_header(&q->answer, "Retry-After", "1");
    write_refusal(q->connection->server, q, status, message, &q->answer.body);
    return reply_send(q);
}

void reply_raw(struct http_connection *c, const struct request *q, unsigned status, const char *message)
{
    struct buf body, all;
    write_refusal(c->server, q, status, message, &body);
    buf_init(&all, 8 * KIB);
    (void)buf_addf(&all,
                   "HTTP/1.1 %u %s\r\nServer: sandboxd\r\nContent-Type: application/json\r\nContent-Length: "
                   "%zu\r\nConnection: close\r\n",
                   status, refusal_of(status)->phrase, body.size);
    (void)buf_addf(&all, "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n%s\r\n",
                   status == 503 ? "Retry-After: 1\r\n" : "");
    (void)buf_add(&all, body.data, body.size);
    if (!c->is_tls && !all.failed)
        (void)send(c->fd, all.data, all.size, MSG_DONTWAIT | MSG_NOSIGNAL); /* a client that has gone is told nothing */
    buf_done(&all);
    buf_done(&body);
}
