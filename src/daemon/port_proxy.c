#include "daemon/port_proxy.h"

#include <poll.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/clock.h"

#define TURN_MS     1000u /* http.h: how long a stream may say nothing */
#define INTERIM_MAX 8u    /* answers «1xx» before the one that counts */
#define REQUEST_MAX (64 * KIB)

struct port_proxy {
    const struct port_line line;
    const struct port_request request;
    const struct port_patience patience;
    bool is_chunked_there; /* the body on its way there */
    int failed;            /* the body could not be delivered: negative errno */
    struct port_head head;
    struct port_chunks chunks;
    uint64_t left;            /* of a body with a length */
    bool has_ended, is_reset; /* the server's side of the connection */
    size_t at, size;          /* in what was read */
    char bytes[PORT_HEAD_MAX];
};

static void close_line(const struct port_line *l)
{
    if (l->tls)
        l->close(l->tls);
    else
        (void)close(l->fd);
}

struct port_proxy *port_proxy_new(int fd, const struct port_request *q, const struct port_patience *patience)
{
    return port_proxy_over(&(struct port_line){ .fd = fd }, q, patience);
}

struct port_proxy *port_proxy_over(const struct port_line *line, const struct port_request *q,
                                   const struct port_patience *patience)
{
    struct port_proxy *p = malloc(sizeof *p);
    if (!p) {
        close_line(line);
        return NULL;
    }
    const struct port_proxy made = { .line = *line,
                                     .request = *q,
                                     .patience = *patience,
                                     .is_chunked_there = q->client->has_body && q->client->body_length == UINT64_MAX };
    memcpy(p, &made, sizeof made);
    return p;
}

struct port_proxy *port_proxy_free(struct port_proxy *p)
{
    if (p)
        close_line(&p->line);
    free(p);
    return NULL;
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

/* For an event of the server's socket: 1; 0: not within max_ms; -ECANCELED: the client has left; -ENOMEM. */
static int wait_for(const struct port_proxy *p, short events, uint64_t max_ms)
{
    const uint64_t until_ms = clock_ms() + max_ms;
    for (;;) {
        const uint64_t now = clock_ms();
        struct pollfd f[] = { { .fd = p->line.fd, .events = events },
                              { .fd = p->request.client->fd, .events = POLLRDHUP } };
        int ready = poll(f, ARRAY_LEN(f), (int)(until_ms - MIN_OF(until_ms, now)));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready > 0 && f[0].revents)
            return 1;
        return ready > 0 ? -ECANCELED : ready < 0 ? -ENOMEM : 0;
    }
}

/* Its blame is the guest's where the server does not do what a server does. */
static int fail(const struct port_proxy *p, int e, const char *what, struct error *err)
{
    if (e == -ECANCELED)
        return err_set(err, e, BLAME_CALLER, NULL, "the client has left");
    if (e == -ENOMEM)
        return err_set(err, e, BLAME_HOST, NULL, "no memory");
    if (p->request.node)
        return err_set(err, e, BLAME_HOST, NULL, "%s %s", p->request.node, what);
    return err_set(err, e, BLAME_GUEST, NULL, "the server at port %u of the session %s", p->request.port, what);
}

/* --- there ---------------------------------------------------------------------------------------------------------
 */

static ssize_t line_send(const struct port_line *l, const char *data, size_t size)
{
    return l->tls ? l->send(l->tls, data, size) : send(l->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static ssize_t line_receive(const struct port_line *l, char *to, size_t max)
{
    return l->tls ? l->receive(l->tls, to, max) : recv(l->fd, to, max, MSG_DONTWAIT);
}

static int send_all(struct port_proxy *p, const char *data, size_t size)
{
    while (size) {
        ssize_t n = line_send(&p->line, data, size);
        if (n < 0 && errno == EAGAIN) {
            int ready = wait_for(p, POLLOUT, p->patience.write_ms);
            if (ready <= 0)
                return ready ? ready : -ETIMEDOUT;
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

struct header_list {
    struct buf *out;
    /* The client's: what it names is between it and us, but for the key, which goes wherever any does: without it
     * another node would take the request for one of its own machine's. */
    const char *connection;
    bool (*goes)(const char *name);
};

static bool put_header(void *context, const char *name, const char *value)
{
    const struct header_list *h = context;
    if (h->goes(name) && (strcasecmp(name, "Authorization") == 0 || !port_list_has(h->connection, name)))
        (void)buf_addf(h->out, "%s: %s\r\n", name, value);
    return true;
}

static void put_head(const struct port_proxy *p, struct buf *out)
{
    const struct port_request *q = &p->request;
    const struct http_request *client = q->client;
    struct header_list h = { out, http_header(client, "Connection"),
                             q->node ? port_header_goes_to_node : port_header_goes_in };
    (void)buf_addf(out, "%s %s HTTP/1.1\r\n", client->is_head ? "HEAD" : client->method, q->path);
    if (q->node)
        (void)buf_addf(out, "Host: %s\r\n" PORT_NODE_HOP ": 1 %s\r\n", q->host, q->from);
    else
        (void)buf_addf(out, "Host: localhost:%u\r\n", q->port);
    (void)buf_adds(out, q->is_upgrade ? "Connection: Upgrade\r\nUpgrade: websocket\r\n" : "Connection: close\r\n");
    if (p->is_chunked_there)
        (void)buf_adds(out, "Transfer-Encoding: chunked\r\n");
    else if (http_header(client, "Content-Length")) /* also of a body of no bytes: many servers ask for it */
        (void)buf_addf(out, "Content-Length: %llu\r\n", (unsigned long long)client->body_length);
    if (!q->node)
        (void)buf_addf(out, "X-Forwarded-Prefix: %s\r\n", q->prefix);
    http_header_each(client, put_header, &h);
    (void)buf_adds(out, "\r\n");
}

static int connected(const struct port_proxy *p, struct error *err)
{
    int error = 0;
    socklen_t size = sizeof error;
    const int ready = wait_for(p, POLLOUT, p->patience.connect_ms);
    if (ready <= 0)
        return fail(p, ready ? ready : -ETIMEDOUT, "does not accept the connection", err);
    if (getsockopt(p->line.fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error)
        return fail(p, -ECONNREFUSED, "refuses the connection", err);
    return 0;
}

int port_proxy_begin(struct port_proxy *p, struct error *err)
{
    struct buf head;
    int e = connected(p, err);
    if (e < 0)
        return e;
    buf_init(&head, REQUEST_MAX);
    put_head(p, &head);
    p->failed = head.failed ? -ENOMEM : send_all(p, head.data, head.size);
    e = p->failed == -ENOMEM || p->failed == -ECANCELED ? fail(p, p->failed, "", err) : 0;
    buf_done(&head);
    return e;
}

static int send_chunk(struct port_proxy *p, const char *data, size_t size)
{
    char mark[24];
    const int n = snprintf(mark, sizeof mark, "%zx\r\n", size);
    int e = send_all(p, mark, (size_t)n);
    if (e == 0 && size)
        e = send_all(p, data, size);
    return e < 0 ? e : send_all(p, "\r\n", 2);
}

void port_proxy_feed(struct port_proxy *p, const char *data, size_t size)
{
    if (p->failed == 0)
        p->failed = p->is_chunked_there ? send_chunk(p, data, size) : send_all(p, data, size);
}

/* --- back ----------------------------------------------------------------------------------------------------------
 */

/* What the server has sent, behind what is there: bytes, 0: it has ended, -EAGAIN: nothing now. One that was reset has
 * ended, too. */
static ssize_t read_more(struct port_proxy *p)
{
    ssize_t n;
    if (p->at == p->size)
        p->at = p->size = 0;
    do
        n = line_receive(&p->line, p->bytes + p->size, sizeof p->bytes - p->size);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN)
        return -EAGAIN;
    p->has_ended = n <= 0;
    p->is_reset = n < 0;
    p->size += (size_t)MAX_OF(n, 0);
    return MAX_OF(n, 0);
}

/* What it has answered counts, whatever became of the request's body; then what that came to. */
static int no_answer(const struct port_proxy *p, int e, struct error *err)
{
    if (p->failed == -ETIMEDOUT && e != -ECANCELED)
        return fail(p, -ETIMEDOUT, "does not take the request", err);
    return fail(p, e, e == -ETIMEDOUT ? "does not answer" : "closed the connection without an answer", err);
}

static int read_head(struct port_proxy *p, uint64_t until_ms, struct error *err)
{
    const struct port_request *q = &p->request;
    const struct port_place place = { q->prefix, q->path, http_header(q->client, "Host"), q->port, q->node != NULL };
    const char *why = NULL;
    for (;;) {
        const ssize_t n = port_head_read(p->bytes + p->at, p->size - p->at, q->client->arena, &place, &p->head, &why);
        if (n == -EBADMSG && q->node)
            return err_set(err, -EBADMSG, BLAME_HOST, NULL, "what %s answers is no HTTP: %s", q->node, why);
        if (n == -EBADMSG)
            return err_set(err, -EBADMSG, BLAME_GUEST, NULL,
                           "the answer of the server at port %u of the session is no HTTP: %s", q->port, why);
        if (n < 0)
            return err_set(err, (int)n, BLAME_HOST, NULL, "no memory");
        if (n > 0) {
            p->at += (size_t)n;
            return 0;
        }
        if (p->has_ended)
            return no_answer(p, -EPIPE, err);
        memmove(p->bytes, p->bytes + p->at, p->size - p->at);
        p->size -= p->at;
        p->at = 0;
        if (read_more(p) != -EAGAIN) /* TLS may hold bytes that no poll tells of */
            continue;
        const uint64_t now = clock_ms();
        const int ready = wait_for(p, POLLIN, until_ms - MIN_OF(until_ms, now));
        if (ready <= 0)
            return no_answer(p, ready ? ready : -ETIMEDOUT, err);
    }
}

static bool has_body(const struct port_proxy *p)
{
    return !p->request.client->is_head && p->head.status != 204 && p->head.status != 304;
}

int port_proxy_answer(struct port_proxy *p, const struct port_head **ret, struct error *err)
{
    /* a server that did not take the body has had its time, and may have said why */
    const uint64_t until_ms = clock_ms() + (p->failed == -ETIMEDOUT ? 0 : p->patience.head_ms);
    int e = 0;
    for (unsigned i = 0; i <= INTERIM_MAX; i++) {
        e = p->failed == -ECANCELED ? fail(p, p->failed, "", err) : read_head(p, until_ms, err);
        if (e < 0)
            return e;
        if (p->head.status >= 200 || (p->head.status == 101 && p->request.is_upgrade && p->head.is_upgrade)) {
            p->left = p->head.length;
            *ret = &p->head;
            return 0;
        }
    }
    return fail(p, -EBADMSG, "sends only interim answers (1xx)", err);
}

/* What of the bytes that are there is content: how many; 0: none; -1: it is whole; -2: it is none. */
static ssize_t take(struct port_proxy *p, char *to, size_t max)
{
    if (p->head.is_chunked) {
        const ssize_t n = port_chunks_read(&p->chunks, p->bytes, p->size, &p->at, to, max);
        return n < 0 ? -2 : n == 0 && p->chunks.state == PORT_CHUNK_END ? -1 : n;
    }
    if (p->head.has_length && !p->left)
        return -1;
    size_t n = MIN_OF(max, p->size - p->at);
    if (p->head.has_length)
        n = (size_t)MIN_OF((uint64_t)n, p->left);
    memcpy(to, p->bytes + p->at, n);
    p->at += n;
    p->left -= p->head.has_length ? n : 0;
    return (ssize_t)n;
}

ssize_t port_proxy_read(void *proxy, char *to, size_t max)
{
    struct port_proxy *p = proxy;
    if (!has_body(p))
        return -1;
    for (;;) {
        const ssize_t n = take(p, to, max);
        if (n)
            return n;
        if (p->has_ended) /* which is the end of a body that has no other */
            return p->head.is_chunked || p->head.has_length || p->is_reset ? -2 : -1;
        const ssize_t more = read_more(p);
        if (more != -EAGAIN)
            continue;
        const int ready = wait_for(p, POLLIN, TURN_MS);
        if (ready <= 0)
            return ready ? -2 : 0;
    }
}

int port_proxy_socket(const struct port_proxy *p)
{
    return p->line.fd;
}

const struct port_line *port_proxy_line(const struct port_proxy *p)
{
    return &p->line;
}

const char *port_proxy_rest(const struct port_proxy *p, size_t *ret_size)
{
    *ret_size = p->size - p->at;
    return p->bytes + p->at;
}
