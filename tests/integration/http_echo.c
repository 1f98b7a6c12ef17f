/* http_echo.c - a server of src/http with a handler that does what the path says, for test_http.py. Options: KEY=VALUE
 * words; commands on stdin: «stats», «drain», end of input stops it. Prints «port N» when it listens, one line a
 * command, «stopped given=N done=N» at the end. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "base/parse.h"
#include "http/http.h"

struct echo {
    struct http_server *server;
    _Atomic unsigned handled, done, given; /* given: answers with a `done` */
    bool announces;
};

static uint64_t number(const char *s, uint64_t otherwise)
{
    uint64_t n = otherwise;
    if (s && parse_u64(s, &n) < 0)
        abort();
    return n;
}

static void on_done(void *context)
{
    struct echo *e = context;
    e->done++;
}

static void tunnel_done(void *fd)
{
    (void)close((int)(intptr_t)fd);
}

struct flow {
    struct echo *echo;
    uint64_t left, gap_ms, next_ms, size;
};

static ssize_t flow_read(void *context, char *to, size_t max)
{
    struct flow *f = context;
    uint64_t now = clock_ms();
    if (!f->left)
        return -1;
    if (now < f->next_ms) {
        (void)poll(NULL, 0, (int)MIN_OF(f->next_ms - now, UINT64_C(200)));
        if (clock_ms() < f->next_ms)
            return 0;
    }
    f->next_ms = clock_ms() + f->gap_ms;
    f->left--;
    size_t n = MIN_OF(max, (size_t)f->size);
    memset(to, 'x', n);
    if (n >= 32)
        to[snprintf(to, n, "at %llu ", (unsigned long long)clock_us())] = ' ';
    return (ssize_t)n;
}

static void flow_done(void *context)
{
    struct flow *f = context;
    f->echo->done++;
    free(f);
}

static void answer_stream(struct echo *e, const struct http_request *q, struct http_answer *a)
{
    struct flow *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    *f = (struct flow){ .echo = e,
                        .left = number(http_query(q, "count"), 3),
                        .gap_ms = number(http_query(q, "gap"), 10),
                        .size = number(http_query(q, "size"), 64) };
    f->next_ms = clock_ms() + number(http_query(q, "first"), 0);
    a->stream = flow_read;
    a->done = flow_done;
    a->context = f;
    a->content_type = "text/event-stream";
}

static bool print_query(void *ctx, const char *name, const char *value)
{
    (void)buf_addf(ctx, "%s=%s;", name, value);
    return true;
}

static void answer_echo(const struct http_request *q, struct http_answer *a)
{
    const char *token = http_header(q, "X-Token");
    (void)buf_addf(&a->body, "%s %s unix=%d uid=%u loopback=%d token=%s query=", q->method, q->path, q->is_unix,
                   q->is_unix ? q->peer_uid : 0, q->is_loopback, token ? token : "-");
    http_query_each(q, print_query, &a->body);
    (void)buf_addf(&a->body, " body=%zu:", q->body_size);
    (void)buf_add(&a->body, q->body, q->body_size);
}

/* Until its client has gone, as a run would. */
static void wait_for_client(const struct http_request *q, uint64_t ms)
{
    struct pollfd p = { .fd = q->fd, .events = POLLRDHUP };
    (void)poll(&p, 1, (int)ms);
}

/* What goes in comes out of it. */
static void *loop_back(void *end)
{
    const int fd = (int)(intptr_t)end;
    char bytes[4096];
    ssize_t n;
    while ((n = recv(fd, bytes, sizeof bytes, 0)) > 0 && send(fd, bytes, (size_t)n, MSG_NOSIGNAL) == n)
        ;
    (void)close(fd);
    return NULL;
}

static void answer_tunnel(struct http_answer *a)
{
    int pair[2];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 ||
        pthread_create(&thread, NULL, loop_back, (void *)(intptr_t)pair[1]) != 0 || pthread_detach(thread) != 0)
        abort();
    a->is_tunnel = true;
    a->tunnel = pair[0];
    a->done = tunnel_done;
    a->context = (void *)(intptr_t)pair[0];
    http_answer_header(a, "Upgrade", "loop");
    (void)buf_adds(&a->body, "first");
}

static void handle(void *context, struct http_request *q, struct http_answer *a)
{
    struct echo *e = context;
    e->handled++;
    if (e->announces) {
        (void)printf("handled %s %s\n", q->method, q->path);
        (void)fflush(stdout);
    }
    a->status = 200;
    e->given++;
    buf_init(&a->body, 64 * MIB);
    if (str_eq(q->path, "/stream")) {
        answer_stream(e, q, a);
        return;
    }
    if (str_eq(q->path, "/tunnel")) {
        e->given--; /* it counts none */
        answer_tunnel(a);
        return;
    }
    a->done = on_done;
    a->context = e;
    if (str_eq(q->path, "/empty"))
        (void)buf_adds(&a->body, "{}");
    else if (str_eq(q->path, "/wait"))
        wait_for_client(q, number(http_query(q, "ms"), 1000));
    else if (str_eq(q->path, "/big"))
        for (uint64_t i = number(http_query(q, "size"), 1 << 20) / 64; i; i--)
            (void)buf_adds(&a->body, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
    else if (str_eq(q->path, "/header"))
        http_answer_header(a, "X-Given", http_query(q, "value"));
    else
        answer_echo(q, a);
}

static void refuse(void *context, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body)
{
    (void)q;
    (void)context;
    (void)buf_addf(body, "{\"error\":{\"code\":\"%s\",\"message\":\"%s\",\"details\":{\"status\":%u}}}", code, message,
                   status);
}

static bool admits(void *context, struct http_request *q)
{
    (void)context;
    return http_header(q, "X-Key");
}

static char *read_file(const char *path)
{
    char text[20000];
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    if (f)
        (void)fclose(f);
    return strdup(text);
}

static void set_option(struct http_options *o, struct strlist *hosts, struct strlist *origins, struct echo *e,
                       char *word)
{
    char *value = strchr(word, '=');
    if (!value)
        abort();
    *value++ = '\0';
    if (str_eq(word, "host"))
        o->host = *value ? value : NULL;
    else if (str_eq(word, "port"))
        o->port = (uint16_t)number(value, 0);
    else if (str_eq(word, "socket"))
        o->socket = value;
    else if (str_eq(word, "fd")) {
        static int fd;
        fd = (int)number(value, 0);
        o->fds = &fd;
        o->fd_count = 1;
    } else if (str_eq(word, "certificate"))
        o->tls_certificate = read_file(value);
    else if (str_eq(word, "key"))
        o->tls_key = read_file(value);
    else if (str_eq(word, "allow_host"))
        (void)strlist_add(hosts, value);
    else if (str_eq(word, "allow_origin"))
        (void)strlist_add(origins, value);
    else if (str_eq(word, "max_body"))
        o->max_body = number(value, 0);
    else if (str_eq(word, "max_bodies"))
        o->max_bodies = number(value, 0);
    else if (str_eq(word, "request"))
        o->request_timeout_ms = number(value, 0);
    else if (str_eq(word, "idle"))
        o->idle_timeout_ms = number(value, 0);
    else if (str_eq(word, "write"))
        o->write_timeout_ms = number(value, 0);
    else if (str_eq(word, "connections"))
        o->max_connections = (uint32_t)number(value, 0);
    else if (str_eq(word, "admits"))
        o->admits = admits;
    else if (str_eq(word, "announce"))
        e->announces = true;
    else
        abort();
}

static void print_stats(const struct echo *e)
{
    const struct http_counters *c = http_counters(e->server);
    (void)printf("{\"handled\":%u,\"given\":%u,\"done\":%u,\"connections\":%llu,\"refused\":%llu,\"evicted\":%llu,"
                 "\"requests\":%llu,\"bad\":%llu,"
                 "\"timeouts\":%llu,\"live\":%u}\n",
                 e->handled, e->given, e->done, (unsigned long long)c->connections,
                 (unsigned long long)c->refused_connections, (unsigned long long)c->evicted,
                 (unsigned long long)c->requests, (unsigned long long)c->bad_requests, (unsigned long long)c->timeouts,
                 c->live);
}

int main(int argc, char **argv)
{
    struct echo e = { 0 };
    struct strlist hosts = { 0 }, origins = { 0 };
    struct error err = { 0 };
    struct http_options o = { .host = "127.0.0.1",
                              .max_body = 1 * MIB,
                              .request_timeout_ms = 10000,
                              .idle_timeout_ms = 20000,
                              .write_timeout_ms = 10000,
                              .max_connections = 100,
                              .allowed_hosts = &hosts,
                              .allowed_origins = &origins,
                              .handle = handle,
                              .refuse = refuse,
                              .context = &e };
    char line[64];
    for (int i = 1; i < argc; i++)
        set_option(&o, &hosts, &origins, &e, argv[i]);
    if (http_start(&o, &e.server, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    (void)printf("port %u\n", http_port(e.server));
    (void)fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        if (str_starts(line, "stats"))
            print_stats(&e);
        else if (str_starts(line, "drain")) {
            http_drain(e.server);
            (void)printf("draining\n");
        }
        (void)fflush(stdout);
    }
    e.server = http_stop(e.server);
    (void)printf("stopped given=%u done=%u\n", e.given, e.done);
    strlist_done(&hosts);
    strlist_done(&origins);
    free((void *)(uintptr_t)o.tls_certificate);
    free((void *)(uintptr_t)o.tls_key);
    return 0;
}
