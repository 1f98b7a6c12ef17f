/* Whatever the bytes on a connection: the server neither crashes nor hangs, what the handler sees holds what http.h
 * promises, there are not more requests than request lines, and each answer's `done` is called once. A real server, in
 * this process; the input is sent to it as it is, over its UNIX socket, or, every fourth, over TCP, where Host counts.
 * The first byte says in how many pieces. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "http/http.h"

#define MAX_BODY 4096u

static struct place {
    struct http_server *server;
    char directory[32], path[48];
    atomic_uint handled, given, done;
    unsigned inputs;
} place;

static void on_done(void *context)
{
    (void)context;
    place.done++;
}

static ssize_t flow(void *context, char *to, size_t max)
{
    (void)context;
    memset(to, 'x', MIN_OF(max, (size_t)100));
    return place.handled % 3 ? -1 : -2;
}

static bool look(void *context, const char *name, const char *value)
{
    size_t *n = context;
    *n += strlen(name) + strlen(value);
    return true;
}

static void handle(void *context, struct http_request *q, struct http_answer *a)
{
    size_t n = 0;
    const char *length = http_header(q, "Content-Length");
    (void)context;
    place.handled++;
    assert(q->path[0] == '/' && q->method[0] && !strchr(q->method, ' ') && !str_eq(q->method, "HEAD"));
    assert(q->body_size <= MAX_BODY && q->body[q->body_size] == '\0');
    assert(!length || !http_header(q, "Transfer-Encoding"));
    assert(!length || strspn(length, "0123456789") == strlen(length));
    http_query_each(q, look, &n);
    place.given++;
    a->status = 200;
    a->done = on_done;
    buf_init(&a->body, 1000);
    (void)buf_adds(&a->body, "{}");
    if (n % 2)
        a->stream = flow;
}

static void refuse(void *context, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body)
{
    (void)q;
    (void)context;
    (void)buf_addf(body, "%u %s %s", status, code, message);
}

static void leave(void)
{
    place.server = http_stop(place.server);
    assert(place.given == place.done);
    (void)rmdir(place.directory);
}

static void begin(void)
{
    static const struct http_options o = { .host = "127.0.0.1",
                                           .socket = place.path,
                                           .max_body = MAX_BODY,
                                           .request_timeout_ms = 5000,
                                           .idle_timeout_ms = 5000,
                                           .write_timeout_ms = 5000,
                                           .max_connections = 16,
                                           .handle = handle,
                                           .refuse = refuse };
    struct error err = { 0 };
    (void)snprintf(place.directory, sizeof place.directory, "/tmp/fuzz-http-XXXXXX");
    if (!mkdtemp(place.directory))
        abort();
    (void)snprintf(place.path, sizeof place.path, "%s/s", place.directory);
    if (http_start(&o, &place.server, &err) < 0)
        abort();
    (void)atexit(leave);
}

static int connect_somehow(void)
{
    struct sockaddr_un un = { .sun_family = AF_UNIX };
    struct sockaddr_in in = { .sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                              .sin_port = htons(http_port(place.server)) };
    bool is_tcp = place.inputs++ % 4 == 0;
    int fd = socket(is_tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)snprintf(un.sun_path, sizeof un.sun_path, "%s", place.path);
    if (fd < 0 || connect(fd, is_tcp ? (const void *)&in : (const void *)&un, is_tcp ? sizeof in : sizeof un) < 0)
        abort();
    return fd;
}

static unsigned request_lines(const uint8_t *data, size_t size)
{
    unsigned n = 0;
    for (size_t i = 0; i + 11 <= size; i++)
        n += memcmp(data + i, " HTTP/1.1\r\n", 11) == 0 || memcmp(data + i, " HTTP/1.0\r\n", 11) == 0;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char waste[4096];
    const struct timeval patience = { .tv_sec = 20 };
    if (!place.server)
        begin();
    if (!size)
        return 0;
    unsigned before = place.handled;
    size_t piece = 1 + size / (1 + data[0] % 4);
    int fd = connect_somehow();
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    for (size_t i = 1; i < size; i += piece)
        if (send(fd, data + i, MIN_OF(piece, size - i), MSG_NOSIGNAL) < 0)
            break;
    (void)shutdown(fd, SHUT_WR);
    for (ssize_t n; (n = recv(fd, waste, sizeof waste, 0)) != 0;)
        if (n < 0) {
            assert(errno != EAGAIN); /* it hangs */
            break;
        }
    (void)close(fd);
    assert(place.handled - before <= request_lines(data + 1, size - 1));
    return 0;
}
