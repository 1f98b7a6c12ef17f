#include "http/server.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include "base/wait.h"

#define BEYOND_US     2000000u /* for a client that is only told that the server is full */
#define DRAIN_IDLE_US 300000u  /* a request may be under way */
#define STOP_MS       2000u    /* for threads to end whose connections are shut down; their handlers see it, too */
#define KEEPALIVE_S   60
#define SEND_BUFFER   (128 * 1024) /* the kernel doubles it; without it 4 MiB go to a client that reads nothing */

static bool is_waiting(const struct http_connection *c)
{
    return c->state == CONN_IDLE || c->state == CONN_HEAD || c->state == CONN_BODY;
}

static uint64_t after_ms(uint64_t now_us, uint64_t timeout_ms)
{
    return timeout_ms ? now_us + timeout_ms * 1000 : 0;
}

/* Under the lock. */
static void close_soon(struct http_connection *c)
{
    if (c->state == CONN_CLOSING)
        return;
    c->state = CONN_CLOSING;
    c->deadline_us = 0;
    c->server->open--;
    (void)shutdown(c->fd, SHUT_RDWR);
}

/* What the client has not taken goes with the connection, else the kernel would go on offering it. */
static void drop_unsent(int fd)
{
    const struct linger now = { .l_onoff = 1 };
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

static void expire(struct http_connection *c)
{
    if (c->is_beyond && is_waiting(c))
        reply_raw(c, NULL, 503, "there are too many connections");
    else if (c->state == CONN_HEAD)
        reply_raw(c, NULL, 408,
                  "the head of the request was not whole within 10 s, or request_timeout where that is less");
    else if (c->state == CONN_BODY)
        reply_raw(c, NULL, 408, "the request was not whole within request_timeout");
    if (c->state == CONN_ANSWER)
        drop_unsent(c->fd);
    if (c->state != CONN_IDLE)
        c->server->counters.timeouts++;
    close_soon(c);
}

/* A head comes in one piece or two, whatever follows it: who sends it slowly wants the connection, not an answer. */
static void begin_head(struct http_connection *c, uint64_t now_us)
{
    const uint64_t timeout_ms = c->server->options.request_timeout_ms;
    c->begun_us = now_us;
    if (!c->is_beyond)
        c->deadline_us = after_ms(now_us, timeout_ms ? MIN_OF(timeout_ms, (uint64_t)HTTP_HEAD_MS) : HTTP_HEAD_MS);
}

/* libmicrohttpd does not say when the first bytes of a request come; the kernel does, for TCP. */
static void look_for_first_bytes(struct http_connection *c, uint64_t now_us)
{
    struct tcp_info info = { 0 };
    socklen_t size = sizeof info;
    if (c->is_unix || getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0)
        return;
    if (!c->bytes_are_known) {
        c->bytes_are_known = true;
        c->bytes_seen = info.tcpi_bytes_received;
    } else if (info.tcpi_bytes_received > c->bytes_seen) {
        begin_head(c, now_us);
        c->state = CONN_HEAD;
    }
}

static void watch_once(struct http_server *s)
{
    uint64_t now = clock_us();
    for (struct http_connection *c = s->connections; c; c = c->next) {
        if (c->state == CONN_IDLE)
            look_for_first_bytes(c, now);
        if (c->deadline_us && now >= c->deadline_us)
            expire(c);
    }
}

/* Eight looks within the shortest timeout. */
static uint64_t tick_us(const struct http_options *o)
{
    uint64_t shortest = 8000;
    const uint64_t all[] = { o->request_timeout_ms, o->idle_timeout_ms, o->write_timeout_ms };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (all[i])
            shortest = MIN_OF(shortest, all[i]);
    return MAX_OF(shortest * 1000 / 8, UINT64_C(5000));
}

static void *watch(void *context)
{
    struct http_server *s = context;
    (void)pthread_mutex_lock(&s->lock);
    while (!s->is_stopping) {
        (void)wait_until(&s->wake, &s->lock, (clock_us() + tick_us(&s->options)) / 1000);
        watch_once(s);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

int connections_start(struct http_server *s, struct error *err)
{
    wait_init(&s->wake);
    (void)pthread_mutex_init(&s->lock, NULL);
    int r = pthread_create(&s->watcher, NULL, watch, s);
    if (r != 0) {
        errno = r;
        return err_set(err, -r, BLAME_HOST, "HTTP", "starting a thread: %m");
    }
    s->has_watcher = true;
    return 0;
}

void connections_stop(struct http_server *s)
{
    if (s->has_watcher) {
        (void)pthread_mutex_lock(&s->lock);
        s->is_stopping = true;
        (void)pthread_cond_signal(&s->wake);
        (void)pthread_mutex_unlock(&s->lock);
        (void)pthread_join(s->watcher, NULL);
    }
    assert(!s->connections); /* libmicrohttpd has joined their threads */
    (void)pthread_cond_destroy(&s->wake);
    (void)pthread_mutex_destroy(&s->lock);
}

static bool address_is_loopback(const struct sockaddr *a)
{
    const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr;
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
    return a->sa_family == AF_INET6 &&
           (IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127));
}

static void learn_peer(struct http_connection *c)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    const union MHD_ConnectionInfo *address = MHD_get_connection_info(c->mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    c->peer_uid = UINT32_MAX;
    c->is_loopback = c->is_unix || (address && address->client_addr && address_is_loopback(address->client_addr));
    if (c->is_unix && getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
        c->peer_uid = peer.uid;
}

static void set_up_socket(const struct http_connection *c)
{
    int buffer = SEND_BUFFER, one = 1, idle_s = KEEPALIVE_S;
    unsigned unacknowledged_ms = (unsigned)MIN_OF(c->server->options.write_timeout_ms, (uint64_t)INT32_MAX);
    (void)setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (c->is_unix)
        return;
    (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    /* a client that vanished without a word, while its run goes on */
    (void)setsockopt(c->fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    (void)setsockopt(c->fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    /* the end of an answer, which is the kernel's already */
    if (unacknowledged_ms)
        (void)setsockopt(c->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged_ms, sizeof unacknowledged_ms);
}

static bool goes_before(const struct http_connection *a, const struct http_connection *b)
{
    return a->is_admitted != b->is_admitted ? b->is_admitted : a->waits_since_us < b->waits_since_us;
}

/* Under the lock. */
static struct http_connection *longest_waiting(const struct http_connection *but)
{
    struct http_connection *oldest = NULL;
    for (struct http_connection *c = but->server->connections; c; c = c->next)
        if (c != but && is_waiting(c) && (!oldest || goes_before(c, oldest)))
            oldest = c;
    return oldest;
}

/* Under the lock. The connection that waited longest without a whole request makes room; when none waits, the newcomer
 * is told so. */
static void make_room(struct http_connection *newcomer)
{
    struct http_server *s = newcomer->server;
    while (s->open > s->options.max_connections) {
        struct http_connection *oldest = longest_waiting(newcomer);
        if (!oldest) {
            s->counters.refused_connections++;
            newcomer->is_beyond = true;
            newcomer->deadline_us = newcomer->waits_since_us + BEYOND_US;
            return;
        }
        s->counters.evicted += !oldest->is_beyond; /* has been counted */
        close_soon(oldest);
    }
}

struct http_connection *connection_add(struct listener *l, struct MHD_Connection *mhd)
{
    struct http_server *s = l->server;
    int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    struct http_connection *c = calloc(1, sizeof *c);
    if (!c) {
        (void)shutdown(fd, SHUT_RDWR); /* unknown to the watcher, it would stay for ever */
        return NULL;
    }
    *c = (struct http_connection){
        .server = s, .mhd = mhd, .fd = fd, .is_unix = l->is_unix, .is_tls = l->is_tls, .bytes_are_known = true
    };
    learn_peer(c);
    set_up_socket(c);
    c->waits_since_us = clock_us();
    c->deadline_us = after_ms(c->waits_since_us, s->options.idle_timeout_ms);
    (void)pthread_mutex_lock(&s->lock);
    c->next = s->connections;
    if (c->next)
        c->next->previous = c;
    s->connections = c;
    s->open++;
    s->counters.connections++;
    s->counters.live++;
    make_room(c);
    if (s->is_stopping)
        close_soon(c);
    (void)pthread_mutex_unlock(&s->lock);
    return c;
}

void connection_remove(struct http_connection *c)
{
    struct http_server *s = c->server;
    (void)pthread_mutex_lock(&s->lock);
    if (c->previous)
        c->previous->next = c->next;
    else
        s->connections = c->next;
    if (c->next)
        c->next->previous = c->previous;
    if (c->state != CONN_CLOSING)
        s->open--;
    s->counters.live--;
    if (s->is_stopping)
        (void)pthread_cond_broadcast(&s->wake);
    (void)pthread_mutex_unlock(&s->lock);
    free(c);
}

static void set_deadline(struct http_connection *c, enum connection_state state, uint64_t now_us)
{
    const struct http_options *o = &c->server->options;
    switch (state) {
    case CONN_IDLE:
        c->is_admitted = false;
        c->waits_since_us = now_us;
        c->bytes_are_known = false;
        c->deadline_us = c->server->is_draining ? now_us + DRAIN_IDLE_US : after_ms(now_us, o->idle_timeout_ms);
        break;
    case CONN_HEAD:
        if (c->state != CONN_HEAD)
            begin_head(c, now_us);
        break;
    case CONN_BODY: /* one deadline for head and body */
        if (c->state == CONN_HEAD && !c->is_beyond)
            c->deadline_us = after_ms(c->begun_us, o->request_timeout_ms);
        else if (c->state == CONN_HANDLER) /* the next piece of one that is fed */
            c->deadline_us = after_ms(now_us, o->request_timeout_ms);
        break;
    case CONN_ANSWER:
        c->deadline_us = after_ms(now_us, o->write_timeout_ms);
        break;
    case CONN_HANDLER:
    case CONN_CLOSING:
        c->deadline_us = 0;
        break;
    }
}

bool connection_enter(struct http_connection *c, enum connection_state state)
{
    uint64_t now = clock_us();
    (void)pthread_mutex_lock(&c->server->lock);
    bool is_alive = c->state != CONN_CLOSING;
    if (is_alive) {
        set_deadline(c, state, now);
        c->state = state;
    }
    (void)pthread_mutex_unlock(&c->server->lock);
    return is_alive;
}

bool connection_admit(struct http_connection *c, bool is_admitted)
{
    (void)pthread_mutex_lock(&c->server->lock);
    c->is_admitted = is_admitted;
    (void)pthread_mutex_unlock(&c->server->lock);
    return connection_enter(c, CONN_BODY);
}

bool connection_part(struct http_connection *c)
{
    return connection_enter(c, CONN_ANSWER);
}

void connections_drain(struct http_server *s, bool now)
{
    uint64_t soon = clock_us() + DRAIN_IDLE_US;
    (void)pthread_mutex_lock(&s->lock);
    for (struct http_connection *c = s->connections; c; c = c->next)
        if (now)
            close_soon(c);
        else if (c->state == CONN_IDLE && (!c->deadline_us || c->deadline_us > soon))
            c->deadline_us = soon;
    (void)pthread_cond_signal(&s->wake);
    (void)pthread_mutex_unlock(&s->lock);
}

void connections_await_end(struct http_server *s)
{
    const uint64_t until_ms = clock_ms() + STOP_MS;
    (void)pthread_mutex_lock(&s->lock);
    while (s->connections && clock_ms() < until_ms)
        (void)wait_until(&s->wake, &s->lock, until_ms);
    (void)pthread_mutex_unlock(&s->lock);
}

bool connection_is_gone(const struct http_connection *c)
{
    struct pollfd p = { .fd = c->fd, .events = POLLRDHUP };
    return c->server->is_stopping || (poll(&p, 1, 0) == 1 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR)));
}
