/* http.c - load for an HTTP server: clients with a kept connection each, that ask, wait and ask again; and the clients
 * nobody wants.
 *
 *   http [MODE] [--socket PATH | --port N] [--path P] [--body FILE|-] [--reason WORD] [--key-env NAME]
 *        [--clients N] [--seconds S | --count N] [--warm N]
 *
 *   load       (default) requests a second, latencies, and what did not come back well
 *   loris      each client sends one byte a second of a request that it never ends
 *   flood      connect, close, connect: for --seconds
 *   reader     asks, then takes one byte in 100 ms
 *   half-close asks and closes its sending half: the answer is expected all the same, or a closed connection
 *   abort      goes away in the middle of each request, in turns in its head, in its body and before its answer
 *
 * An answer counts when it is 200, whole, one JSON object, and its "reason" is the expected one. Prints «key value»
 * lines, latencies in microseconds; exit code 1 when nothing went well. The key comes by the environment:
 * SANDBOX_AGENT_API_KEY, or --key-env.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "http.h"
#include "stats.h"

#define MAX_CLIENTS 4096
#define MAX_STATUS  600

struct work {
    struct target target;
    const char *mode, *path, *reason, *request;
    size_t request_size, head_size;
    unsigned clients, warm, seconds_patience;
    unsigned long count; /* of all clients; 0: by time */
    double seconds;
    _Atomic unsigned long taken;
    double begin_us, until_us;
    pthread_barrier_t start;
};

struct client {
    struct work *w;
    unsigned number;
    struct connection c;
    struct samples s;
    unsigned long good, bad, broken, connections, statuses[MAX_STATUS];
    double last_us;
};

static bool goes_on(struct work *w)
{
    if (w->count)
        return atomic_fetch_add(&w->taken, 1) < w->count;
    return clock_now_us() < w->until_us;
}

static bool is_open(struct client *c)
{
    if (c->c.fd >= 0)
        return true;
    c->connections++;
    return connection_open(&c->c, &c->w->target, c->w->seconds_patience) == 0;
}

static void judge(struct client *c, const struct reply *r)
{
    c->statuses[r->status < MAX_STATUS ? r->status : 0]++;
    if (r->status == 200 && json_says(r->body, r->size, "reason", c->w->reason)) {
        c->good++;
        return;
    }
    if (c->bad++ == 0)
        (void)fprintf(stderr, "http: %u: %.300s\n", r->status, r->body);
}

static void ask_once(struct client *c, bool counts)
{
    struct reply r = { 0 };
    double begin = clock_now_us();
    bool is_whole = is_open(c) && connection_send(&c->c, c->w->request, c->w->request_size) &&
                    connection_receive(&c->c, &r);
    double took = clock_now_us() - begin;
    if (counts && is_whole) {
        samples_add(&c->s, took);
        judge(c, &r);
    } else if (counts) {
        c->broken++;
    }
    if (!is_whole || r.closes)
        connection_close(&c->c);
    if (!is_whole)
        pause_us(1000);
}

static void load(struct client *c)
{
    while (goes_on(c->w))
        ask_once(c, true);
}

/* --- clients that nobody wants ----------------------------------------------------------------------- */

static bool is_gone(struct client *c)
{
    char byte;
    ssize_t n = recv(c->c.fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
    return n == 0 || (n < 0 && errno != EAGAIN);
}

static void loris(struct client *c)
{
    for (size_t at = 0; goes_on(c->w); at++) {
        if (!is_open(c)) {
            c->broken++;
        } else if (is_gone(c) || !connection_send(&c->c, c->w->request + at % (c->w->head_size - 4), 1)) {
            c->bad++; /* thrown out, as it should be */
            connection_close(&c->c);
            at = 0;
        }
        pause_us(1e6);
    }
}

static void flood(struct client *c)
{
    while (goes_on(c->w)) {
        if (is_open(c))
            c->good++;
        else
            c->broken++;
        connection_close(&c->c);
    }
}

static void read_slowly(struct client *c)
{
    char byte;
    while (goes_on(c->w)) {
        if (c->c.fd < 0 && (!is_open(c) || !connection_send(&c->c, c->w->request, c->w->request_size))) {
            c->broken++;
            pause_us(1e5);
            continue;
        }
        ssize_t n = recv(c->c.fd, &byte, 1, 0);
        c->good += n == 1;
        c->bad += n != 1;
        if (n != 1)
            connection_close(&c->c);
        pause_us(1e5);
    }
}

static void half_close(struct client *c)
{
    struct reply r = { 0 };
    while (goes_on(c->w)) {
        bool is_sent = is_open(c) && connection_send(&c->c, c->w->request, c->w->request_size) &&
                       shutdown(c->c.fd, SHUT_WR) == 0;
        if (is_sent && connection_receive(&c->c, &r))
            judge(c, &r);
        else
            c->broken++;
        connection_close(&c->c);
    }
}

static void go_away(struct client *c)
{
    const struct work *w = c->w;
    const size_t sizes[] = { w->head_size / 2, w->head_size + (w->request_size - w->head_size) / 2, w->request_size };
    for (unsigned i = c->number; goes_on(c->w); i++) {
        if (is_open(c) && connection_send(&c->c, w->request, sizes[i % 3]))
            c->good++;
        else
            c->broken++;
        pause_us(i % 3 == 2 ? 2000 : 0);
        connection_close(&c->c);
    }
}

static const struct mode {
    const char *name;
    void (*run)(struct client *c);
} modes[] = { { "load", load },          { "loris", loris },           { "flood", flood },
              { "reader", read_slowly }, { "half-close", half_close }, { "abort", go_away } };

static const struct mode *mode_of(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    (void)fprintf(stderr, "http: no mode %s\n", name);
    exit(2);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static void *client_main(void *context)
{
    struct client *c = context;
    struct work *w = c->w;
    for (unsigned i = 0; i < w->warm; i++)
        ask_once(c, false);
    if (pthread_barrier_wait(&w->start) == PTHREAD_BARRIER_SERIAL_THREAD) {
        w->begin_us = clock_now_us();
        w->until_us = w->begin_us + w->seconds * 1e6;
    }
    (void)pthread_barrier_wait(&w->start);
    mode_of(w->mode)->run(c);
    c->last_us = clock_now_us();
    connection_done(&c->c);
    return NULL;
}

static void report(const struct work *w, struct client *all)
{
    struct samples s = { 0 };
    unsigned long good = 0, bad = 0, broken = 0, connections = 0, statuses[MAX_STATUS] = { 0 };
    double last = w->begin_us;
    for (unsigned i = 0; i < w->clients; i++) {
        for (size_t k = 0; k < all[i].s.count; k++)
            samples_add(&s, all[i].s.us[k]);
        good += all[i].good, bad += all[i].bad, broken += all[i].broken, connections += all[i].connections;
        for (unsigned k = 0; k < MAX_STATUS; k++)
            statuses[k] += all[i].statuses[k];
        last = all[i].last_us > last ? all[i].last_us : last;
        samples_done(&all[i].s);
    }
    double seconds = (last - w->begin_us) / 1e6;
    (void)printf("mode %s\nclients %u\nseconds %.3f\ngood %lu\nbad %lu\nbroken %lu\nconnections %lu\nrate %.1f\n",
                 w->mode, w->clients, seconds, good, bad, broken, connections,
                 seconds > 0 ? (double)good / seconds : 0);
    if (s.count)
        (void)printf("p10 %.0f\np50 %.0f\np90 %.0f\np99 %.0f\nmax %.0f\n", samples_percentile(&s, 10),
                     samples_percentile(&s, 50), samples_percentile(&s, 90), samples_percentile(&s, 99),
                     samples_percentile(&s, 100));
    for (unsigned k = 0; k < MAX_STATUS; k++)
        if (statuses[k])
            (void)printf("status-%u %lu\n", k, statuses[k]);
    samples_done(&s);
    if (!good)
        exit(1);
}

static char *read_all(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char *text = calloc(1, HTTP_MAX_ANSWER + 1);
    if (!f || !text || !fread(text, 1, HTTP_MAX_ANSWER, f)) {
        (void)fprintf(stderr, "http: %s: %s\n", path, f ? "empty" : strerror(errno));
        exit(2);
    }
    if (f != stdin)
        (void)fclose(f);
    return text;
}

/* A word's value; what is not known ends us. */
static void take_word(struct work *w, const char *name, const char *value, const char **ret_body,
                      const char **ret_key_env)
{
    const struct {
        const char *name, **text;
        unsigned *number;
    } words[] = { { "--socket", &w->target.socket, NULL },
                  { "--path", &w->path, NULL },
                  { "--body", ret_body, NULL },
                  { "--reason", &w->reason, NULL },
                  { "--key-env", ret_key_env, NULL },
                  { "--clients", NULL, &w->clients },
                  { "--warm", NULL, &w->warm },
                  { "--patience", NULL, &w->seconds_patience } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0 && words[i].text) {
            *words[i].text = value;
            return;
        } else if (strcmp(words[i].name, name) == 0) {
            *words[i].number = (unsigned)number_at(value, 10);
            return;
        }
    if (strcmp(name, "--port") == 0)
        w->target.port = (uint16_t)number_at(value, 10);
    else if (strcmp(name, "--seconds") == 0)
        w->seconds = strtod(value, NULL);
    else if (strcmp(name, "--count") == 0)
        w->count = number_at(value, 10);
    else {
        (void)fprintf(stderr, "http: no word %s\n", name);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    static struct work w = { .target = { NULL, 8080 },
                             .mode = "load",
                             .path = "/api/v1/sandbox/execute",
                             .reason = "completed",
                             .clients = 1,
                             .seconds = 2,
                             .seconds_patience = 120 };
    static struct client all[MAX_CLIENTS];
    static pthread_t threads[MAX_CLIENTS];
    const char *body = NULL, *key_env = "SANDBOX_AGENT_API_KEY";
    int first = 1;
    if (argc > 1 && argv[1][0] != '-')
        w.mode = mode_of(argv[first++])->name;
    for (int i = first; i < argc; i += 2)
        take_word(&w, argv[i], i + 1 < argc ? argv[i + 1] : "", &body, &key_env);
    if (!w.clients || w.clients > MAX_CLIENTS)
        return 2;
    body = body ? read_all(body) : "{\"language\":\"bash\",\"code\":\":\",\"risk_level\":\"medium\"}";
    w.request = request_make(w.path, getenv(key_env), body, &w.request_size);
    w.head_size = w.request_size - strlen(body);
    (void)pthread_barrier_init(&w.start, NULL, w.clients);
    pthread_attr_t small;
    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, 128 * 1024);
    for (unsigned i = 0; i < w.clients; i++) {
        all[i] = (struct client){ .w = &w, .number = i, .c = { .fd = -1 } };
        if (pthread_create(&threads[i], &small, client_main, &all[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < w.clients; i++)
        (void)pthread_join(threads[i], NULL);
    report(&w, all);
    return 0;
}
