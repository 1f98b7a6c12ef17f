/* attach.c - a container's standard streams as a connection: an HTTP request whose answer's head is the last of HTTP on
 * it.
 *
 * libcurl has no way to hand over such a connection with what it read beyond the head, so the few lines are written and
 * read here.
 */
#include <stdio.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "engine/answer.h"
#include "engine/caller.h"
#include "engine/connect.h"
#include "engine/http.h"

#define READ_SIZE   4096u
#define FAILURE_MAX (64 * KIB) /* of an answer that is no stream */
#define BEGUN_MAX   (MAX_OF(ANSWER_HEAD_MAX, FAILURE_MAX) + READ_SIZE)

struct line { /* the connection, and who waits for how long */
    int fd;
    const struct engine_caller *caller;
    uint64_t until_ms;
};

static int send_all(const struct line *l, const char *data, size_t size)
{
    while (size) {
        const ssize_t n = send(l->fd, data, size, MSG_NOSIGNAL);
        const int r = n >= 0            ? 0
                      : errno == EAGAIN ? caller_wait(l->caller, l->fd, POLLOUT, l->until_ms)
                      : errno == EINTR  ? 0
                                        : -errno;
        if (r < 0)
            return r;
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

/* Some more bytes: how many, 0 at the end, or -errno. */
static int receive_some(const struct line *l, struct buf *b)
{
    char piece[READ_SIZE];
    for (;;) {
        const ssize_t n = recv(l->fd, piece, sizeof piece, 0);
        const int r = n >= 0            ? 0
                      : errno == EAGAIN ? caller_wait(l->caller, l->fd, POLLIN, l->until_ms)
                      : errno == EINTR  ? 0
                                        : -errno;
        if (r < 0)
            return r;
        if (n >= 0)
            return n > 0 && buf_add(b, piece, (size_t)n) < 0 ? -ENOMEM : (int)n;
    }
}

static int receive_head(const struct line *l, struct buf *b, struct answer_head *ret)
{
    for (;;) {
        int r = receive_some(l, b);
        if (r == 0)
            return -ECONNRESET;
        if (r > 0)
            r = answer_head_read(b->data, b->size, ret);
        if (r != -EAGAIN)
            return r;
    }
}

static bool is_whole_object(const char *data, size_t size)
{
    const char *brace = memchr(data, '{', size);
    json_t *object = brace ? json_loadb(brace, size - (size_t)(brace - data), JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    json_decref(object);
    return object != NULL;
}

/* An engine keeps the connection when it refuses, so its words end where their JSON does; anything else ends with the
 * connection or our patience. A chunk's length before them does no harm. */
static void receive_failure(const struct line *l, struct buf *b, size_t from)
{
    while (b->size - from < FAILURE_MAX && !is_whole_object(b->data + from, b->size - from))
        if (receive_some(l, b) <= 0)
            return;
}

static int refuse(struct engine *e, const struct line *l, struct exchange *x, const struct answer_head *h,
                  struct error *err)
{
    if (h->status == 101 || h->status == 200)
        return exchange_fail(x, -EBADMSG, err, "%ld, but with a body in place of the container's streams", h->status);
    receive_failure(l, &x->answer, h->size);
    const char *brace = memchr(x->answer.data + h->size, '{', x->answer.size - h->size);
    const size_t skip = brace ? (size_t)(brace - x->answer.data) : h->size;
    memmove(x->answer.data, x->answer.data + skip, x->answer.size - skip);
    x->answer.size -= skip;
    return exchange_refused(e, x, err);
}

static int say_why(const struct engine *e, const struct exchange *x, int code, struct error *err)
{
    char text[ANSWER_TEXT_MAX], seconds[32];
    switch (code) {
    case -ETIMEDOUT:
        (void)exchange_fail(x, code, err, "no answer within %s", engine_seconds(x->max_ms, seconds));
        return err_remedy(
            err, "the engine hangs or is overloaded: look at its log; docker.daemon.timeout is how long is waited");
    case -ECANCELED:
        return exchange_cut(x, err);
    case -EBADMSG:
        (void)exchange_fail(x, code, err, "what answers does not speak HTTP as an engine does: «%s»",
                            answer_clean(x->answer.data, MIN_OF(x->answer.size, (size_t)80), text, sizeof text));
        return err_remedy(err, "is %s the socket of a container engine? docker.daemon.socket names it", e->socket);
    case -ECONNRESET:
    case -EPIPE:
        (void)exchange_fail(x, -ECONNRESET, err, "it closed the connection before its answer was whole");
        return err_remedy(err, "the engine was stopped or crashed: look at its log");
    default:
        return exchange_fail(x, code, err, "%s", strerror(-code));
    }
}

static int talk(struct engine *e, const struct line *l, struct exchange *x, struct buf *begun, struct error *err)
{
    struct answer_head h = { 0 };
    char request[1024];
    const int n = snprintf(request, sizeof request,
                           "POST /v%s%s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: sandbox-agent/%s\r\nConnection: "
                           "Upgrade\r\nUpgrade: tcp\r\n"
                           "Content-Length: 0\r\n\r\n",
                           e->version, x->path, VERSION);
    if (n < 0 || (size_t)n >= sizeof request)
        return exchange_fail(x, -ENAMETOOLONG, err, "the container's name is too long");
    int r = send_all(l, request, (size_t)n);
    if (r == 0)
        r = receive_head(l, &x->answer, &h);
    if (r < 0)
        return say_why(e, x, r, err);
    e->status = h.status;
    if ((h.status != 101 && h.status != 200) || h.has_body)
        return refuse(e, l, x, &h, err);
    buf_init(begun, READ_SIZE);
    return buf_add(begun, x->answer.data + h.size, x->answer.size - h.size) < 0
               ? exchange_fail(x, -ENOMEM, err, "no memory")
               : 0;
}

int engine_attach(struct engine *e, const char *container, struct buf *begun, struct error *err)
{
    struct arena a = { 0 };
    const char *path = arena_printf(&a, "/containers/%s/attach?stream=1&stdin=1&stdout=1&stderr=1",
                                    engine_escape(&a, container));
    struct exchange x = { .method = "POST", .path = path, .max_ms = e->answer_ms };
    struct line l = { .caller = e->caller, .until_ms = clock_ms() + e->answer_ms };
    cleanup(closep) int fd = -EBADF;
    struct error unheard;
    int r;
    err = err ? err : &unheard; /* err_remedy() would know no code otherwise */
    e->status = 0;
    buf_init(&x.answer, BEGUN_MAX);
    if (a.failed)
        r = exchange_fail(&x, -ENOMEM, err, "no memory");
    else
        r = l.fd = fd = engine_connect_for(e->socket, e->answer_ms, e->caller, err);
    if (r >= 0)
        r = talk(e, &l, &x, begun, err);
    exchange_done(&x);
    arena_done(&a);
    return r < 0 ? r : TAKE_FD(fd);
}
