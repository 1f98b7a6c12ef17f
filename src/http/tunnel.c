/* tunnel.c - an upgraded connection: bytes both ways, in the connection's own thread.
 *
 * libmicrohttpd's own upgrade would take the connection away from the registry and its thread; here it stays what it
 * is, one whose answer takes long: the watcher may shut it down, and http_stop() waits for it. With TLS its session is
 * libmicrohttpd's, which does not touch it while we are in a callback of its.
 */
#include <gnutls/gnutls.h>
#include <poll.h>
#include <sys/socket.h>

#include "http/server.h"

#define TUNNEL_BYTES   (16u * 1024u)
#define TUNNEL_LAST_MS 5000 /* for what is still on its way when one side has ended */

struct way {
    struct tunnel_side from, to;
    bool has_ended; /* nothing more comes from there */
    bool has_left;  /* its connection has ended, behind what is still to be read */
    size_t at, size;
    char bytes[TUNNEL_BYTES];
};

/* As recv(2) and send(2) that do not wait. */
static ssize_t tls_result(ssize_t n)
{
    if (n >= 0)
        return n;
    errno = gnutls_error_is_fatal((int)n) ? EIO : EAGAIN;
    return -1;
}

static ssize_t side_receive(const struct tunnel_side *s, void *to, size_t max)
{
    return s->tls ? tls_result(gnutls_record_recv(s->tls, to, max)) : recv(s->fd, to, max, MSG_DONTWAIT);
}

static ssize_t side_send(const struct tunnel_side *s, const void *data, size_t size)
{
    return s->tls ? tls_result(gnutls_record_send(s->tls, data, size))
                  : send(s->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* It has bytes that poll(2) does not know of. */
static bool has_more(const struct tunnel_side *s)
{
    return s->tls && gnutls_record_check_pending(s->tls) > 0;
}

/* False: the side that it goes to has gone. */
static bool push(struct way *w)
{
    while (w->at < w->size) {
        ssize_t n = side_send(&w->to, w->bytes + w->at, w->size - w->at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN;
        w->at += (size_t)n;
    }
    w->at = w->size = 0;
    return true;
}

static void pull(struct way *w)
{
    ssize_t n = side_receive(&w->from, w->bytes, sizeof w->bytes);
    if (n > 0)
        w->size = (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        w->has_ended = true;
}

static bool reads(const struct way *w)
{
    return !w->size && !w->has_ended;
}

/* A client that has left is looked for in each turn, also while its bytes wait for a server that reads none: nothing
 * else would end that wait. A server's end is seen when its bytes were read: a client may rest as long as it likes. */
static struct pollfd poll_of(const struct way *w, const struct way *back, bool is_client)
{
    const bool is_looked_for = is_client && !w->has_left && !w->has_ended;
    const short events = (short)((reads(w) ? POLLIN : 0) | (back->size ? POLLOUT : 0) |
                                 (is_looked_for ? POLLRDHUP : 0));
    return (struct pollfd){ .fd = events ? w->from.fd : -1, .events = events };
}

/* False: it is over. */
static bool turn(struct way ways[static 2], int last_ms)
{
    const bool is_last = ways[0].has_ended || ways[0].has_left || ways[1].has_ended;
    if ((ways[0].has_ended || ways[1].has_ended) && !ways[0].size && !ways[1].size)
        return false;
    /* f[i]: what ways[i] comes from, and the other goes to */
    struct pollfd f[] = { poll_of(&ways[0], &ways[1], true), poll_of(&ways[1], &ways[0], false) };
    bool has_bytes = false;
    for (int i = 0; i < 2; i++)
        has_bytes |= reads(&ways[i]) && has_more(&ways[i].from);
    int ready = poll(f, 2, has_bytes ? 0 : is_last ? last_ms : -1);
    if (ready < 0 || (ready == 0 && !has_bytes))
        return ready < 0 && errno == EINTR;
    ways[0].has_left |= (f[0].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
    for (int i = 0; i < 2; i++)
        if (reads(&ways[i]) && (f[i].revents || has_more(&ways[i].from)))
            pull(&ways[i]);
    return push(&ways[0]) && push(&ways[1]);
}

void tunnel_pass(const struct tunnel_side *client, const struct tunnel_side *server, int last_ms)
{
    struct way *ways = calloc(2, sizeof *ways);
    if (ways) {
        ways[0].from = ways[1].to = *client;
        ways[0].to = ways[1].from = *server;
        while (turn(ways, last_ms))
            ;
    }
    free(ways);
}

static bool write_head(const struct request *q, struct buf *out)
{
    const struct http_answer *a = &q->answer;
    buf_init(out, 64 * KIB);
    (void)buf_adds(out, "HTTP/1.1 101 Switching Protocols\r\nServer: sandboxd\r\n");
    for (size_t i = 0; i < HTTP_MAX_HEADERS && a->headers[i].name; i++)
        (void)buf_addf(out, "%s: %s\r\n", a->headers[i].name, a->headers[i].value);
    for (const struct http_pair *p = a->more; p && p->name; p++)
        (void)buf_addf(out, "%s: %s\r\n", p->name, p->value);
    (void)buf_adds(out, "\r\n");
    (void)buf_add(out, a->body.data, a->body.size);
    return !out->failed;
}

/* Of at most 64 KiB, for which a socket of ours has room (SEND_BUFFER): what it does not take at once it never will. */
static bool send_head(const struct request *q, const struct tunnel_side *to)
{
    struct buf head;
    bool is_good = write_head(q, &head);
    for (size_t at = 0; is_good && at < head.size;) {
        const ssize_t n = side_send(to, head.data + at, head.size - at);
        is_good = n > 0;
        at += (size_t)MAX_OF(n, 0);
    }
    buf_done(&head);
    return is_good;
}

static struct tunnel_side client_of(const struct http_connection *c)
{
    const union MHD_ConnectionInfo *info = c->is_tls
                                               ? MHD_get_connection_info(c->mhd, MHD_CONNECTION_INFO_GNUTLS_SESSION)
                                               : NULL;
    return (struct tunnel_side){ c->fd, info ? info->tls_session : NULL };
}

void tunnel_run(struct request *q)
{
    struct http_connection *c = q->connection;
    const struct tunnel_side client = client_of(c), server = { q->answer.tunnel, q->answer.tunnel_tls };
    if ((client.tls || !c->is_tls) && connection_enter(c, CONN_HANDLER) && send_head(q, &client))
        tunnel_pass(&client, &server, TUNNEL_LAST_MS);
}
