/* trial.c - before the first request of a client: heads that are malformed, each over a socket of its own, must not
 * come to a handler, and good ones must come as they were sent. What framing.c sees depends on how libmicrohttpd lays
 * out a head in memory: a version that does it otherwise is found here, and the server does not start. */
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include "http/server.h"

#define PATIENCE_S 5

#define POST  "POST /trial?a=b HTTP/1.1\r\nHost: localhost\r\n"
#define SIZED "Content-Length: 5\r\n"
#define PROBE "X-Trial: a \t b\r\n"

/* `bytes` have NULs inside. */
struct probe {
    const char *name, *bytes;
    size_t size;
    const char *answer; /* body of the answer; NULL: it must not come to the handler */
};
#define BAD(name, bytes)                    \
    {                                       \
        name, bytes, sizeof bytes - 1, NULL \
    }
#define GOOD(name, bytes, answer)             \
    {                                         \
        name, bytes, sizeof bytes - 1, answer \
    }

static const struct probe probes[] = {
    GOOD("a request without a body", "GET /trial?a=b HTTP/1.1\r\nHost: localhost\r\n" PROBE "\r\n",
         "/trial b [a \t b] "),
    GOOD("a request with a body", POST SIZED PROBE "\r\nhello", "/trial b [a \t b] hello"),
    GOOD("chunks", POST PROBE "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "/trial b [a \t b] hello"),
    GOOD("the absolute form", "GET http://localhost/trial?a=b HTTP/1.1\r\nHost: localhost\r\n" PROBE "\r\n",
         "/trial b [a \t b] "),
    BAD("LF alone behind the request line", "POST /trial?a=b HTTP/1.1\nHost: localhost\r\n" SIZED "\r\nhello"),
    BAD("LF alone behind a header", POST "X: y\n" SIZED "\r\nhello"),
    BAD("LF alone behind the last header", POST "Content-Length: 5\n\r\nhello"),
    BAD("LF alone as the empty line", POST SIZED "\nhello"),
    BAD("LF alone as the empty line, then NUL", POST SIZED "\n\0ello"),
    BAD("CR alone in a header", POST "X: y\r" SIZED "\r\nhello"),
    BAD("CR alone as the empty line", POST SIZED "\rhello"),
    BAD("CR CR LF", POST SIZED "\r\r\nhello"),
    BAD("NUL in a value", POST "X: a\0b\r\n" SIZED "\r\nhello"),
    BAD("NUL at the end of a value", POST "X: a\0\r\n" SIZED "\r\nhello"),
    BAD("NUL in a length", POST "Content-Length: 5\0"
                                "2\r\n\r\nhello"),
    BAD("NUL in a name", POST "X\0: a\r\n" SIZED "\r\nhello"),
    BAD("NUL before a line", POST "\0X: a\r\n" SIZED "\r\nhello"),
    BAD("a line of two NUL", POST "\0\0\r\n" SIZED "\r\nhello"),
    BAD("NUL in the method", "PO\0ST /trial HTTP/1.1\r\nHost: localhost\r\n" SIZED "\r\nhello"),
    BAD("NUL in the target", "POST /tri\0al HTTP/1.1\r\nHost: localhost\r\n" SIZED "\r\nhello"),
    BAD("NUL behind the version", "POST /trial HTTP/1.1\0\r\nHost: localhost\r\n" SIZED "\r\nhello"),
    BAD("a continuation line", POST "X: y\r\n " SIZED "\r\nhello"),
    BAD("a continuation of the request line", "POST /trial HTTP/1.1\r\n Host: localhost\r\n" SIZED "\r\nhello"),
    BAD("a blank before the colon", POST "Content-Length : 5\r\n\r\nhello"),
    BAD("a line without a colon", POST "X\r\n" SIZED "\r\nhello"),
    BAD("a control character in a value", POST "X: a\x0b"
                                               "b\r\n" SIZED "\r\nhello"),
    BAD("two lengths", POST SIZED SIZED "\r\nhello"),
    BAD("a length and chunks", POST SIZED "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    BAD("a length with a sign", POST "Content-Length: +5\r\n\r\nhello"),
    BAD("two blanks in the request line", "POST  /trial HTTP/1.1\r\nHost: localhost\r\n" SIZED "\r\nhello"),
    BAD("no Host", "POST /trial HTTP/1.1\r\n" SIZED "\r\nhello"),
    BAD("two Host", POST "Host: localhost\r\n" SIZED "\r\nhello"),
};

struct trial {
    _Atomic unsigned handled;
    struct sockaddr_un address;
    socklen_t address_size;
};

static void handle(void *context, struct http_request *q, struct http_answer *a)
{
    struct trial *t = context;
    const char *given = http_header(q, "X-Trial"), *query = http_query(q, "a");
    t->handled++;
    a->status = 200;
    a->closes = true;
    buf_init(&a->body, 4 * KIB);
    (void)buf_addf(&a->body, "%s %s [%s] ", q->path, query ? query : "-", given ? given : "-");
    (void)buf_add(&a->body, q->body, q->body_size);
}

static void refuse(void *context, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body)
{
    (void)q;
    (void)context, (void)status, (void)code, (void)message, (void)body;
}

/* A name of the kernel's choice, in the abstract: nothing in the file system (unix(7), autobind). */
static int open_listener(struct trial *t)
{
    const sa_family_t family = AF_UNIX;
    cleanup(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    t->address_size = sizeof t->address;
    if (fd < 0 || bind(fd, (const struct sockaddr *)&family, sizeof family) < 0 || listen(fd, 8) < 0 ||
        getsockname(fd, (struct sockaddr *)&t->address, &t->address_size) < 0)
        return -errno;
    return TAKE_FD(fd);
}

/* Until the end, or as much as `size`; -errno when nothing comes. */
static ssize_t read_answer(int fd, char *to, size_t size)
{
    size_t n = 0;
    for (ssize_t r; n < size; n += (size_t)r) {
        r = recv(fd, to + n, size - n, 0);
        if (r < 0 && errno == EINTR)
            r = 0;
        else if (r < 0 && errno != ECONNRESET)
            return -errno;
        else if (r <= 0)
            break;
    }
    return (ssize_t)n;
}

static int exchange(const struct trial *t, const struct probe *p, char *answer, size_t size)
{
    const struct timeval patience = { .tv_sec = PATIENCE_S };
    cleanup(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0 ||
        connect(fd, (const struct sockaddr *)&t->address, t->address_size) < 0 ||
        send(fd, p->bytes, p->size, MSG_NOSIGNAL) != (ssize_t)p->size)
        return -errno;
    if (!p->answer) /* what waits for more of it ends */
        (void)shutdown(fd, SHUT_WR);
    ssize_t n = read_answer(fd, answer, size - 1);
    answer[MAX_OF(n, (ssize_t)0)] = '\0';
    return (int)MIN_OF(n, (ssize_t)0);
}

/* NULL, or what was wrong with it. */
static const char *try_one(struct trial *t, const struct probe *p)
{
    char answer[4096];
    const unsigned before = t->handled;
    int e = exchange(t, p, answer, sizeof answer);
    if (e < 0)
        return strerror(-e);
    const char *body = strstr(answer, "\r\n\r\n");
    if (p->answer)
        return str_starts(answer, "HTTP/1.1 200 ") && body && str_eq(body + 4, p->answer)
                   ? NULL
                   : "a good one was not understood";
    return t->handled == before && !str_starts(answer, "HTTP/1.1 2") ? NULL : "a malformed one was taken";
}

static int try_all(struct trial *t, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
        const char *why = try_one(t, &probes[i]);
        if (!why)
            continue;
        (void)err_set(err, -ENOTSUP, BLAME_HOST, "HTTP",
                      "libmicrohttpd %s reads heads of requests otherwise than this program can check (%s: %s)",
                      MHD_get_version(), probes[i].name, why);
        return err_remedy(err, "use the libmicrohttpd of Debian 12 (0.9.75), or another one with which this passes; "
                               "without the check a proxy and this service could be played against each other");
    }
    return 0;
}

int trial_run(struct error *err)
{
    struct trial t = { 0 };
    struct http_server *s = NULL;
    int fd = open_listener(&t);
    if (fd < 0)
        return err_set(err, fd, BLAME_HOST, "HTTP", "a socket to try the server with: %s", strerror(-fd));
    const struct http_options o = { .fds = &fd,
                                    .fd_count = 1,
                                    .max_body = 4 * KIB,
                                    .request_timeout_ms = 1000 * PATIENCE_S,
                                    .idle_timeout_ms = 1000 * PATIENCE_S,
                                    .write_timeout_ms = 1000 * PATIENCE_S,
                                    .max_connections = 8,
                                    .handle = handle,
                                    .refuse = refuse,
                                    .context = &t };
    int e = server_start(&o, &s, err);
    if (e == 0)
        e = try_all(&t, err);
    (void)http_stop(s);
    return e;
}
