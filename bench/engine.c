/* engine.c - the same work through a container engine's API (Docker): one container a run, its output and its exit
 * code.
 *
 *   engine --socket PATH --create FILE [--clients N] [--seconds S | --count N]
 *
 * A run is what `docker run --rm` does, without starting the command line for it: create, attach (a connection of its
 * own, for the output), wait (likewise, sent before the start so that no end is missed), start; it ends when the output
 * has ended and the exit code is there. AutoRemove is the engine's affair afterwards, outside of the time. Prints the
 * same lines as http.c.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "http.h"
#include "stats.h"

#define MAX_CLIENTS 256

struct work {
    struct target target;
    const char *create; /* the body */
    unsigned clients;
    unsigned long count;
    double seconds, until_us;
    _Atomic unsigned long taken;
};

struct client {
    struct work *w;
    struct connection control, wait, output;
    struct samples s;
    unsigned long bad;
};

static bool post(struct connection *c, const struct target *t, const char *path, const char *body, const char *more)
{
    char head[1024];
    if (c->fd < 0 && connection_open(c, t, 120) < 0)
        return false;
    int n = snprintf(
        head, sizeof head,
        "POST /v1.41%s HTTP/1.1\r\nHost: docker\r\n%sContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
        path, more, strlen(body));
    return n > 0 && (size_t)n < sizeof head && connection_send(c, head, (size_t)n) &&
           connection_send(c, body, strlen(body));
}

static bool ask(struct connection *c, const struct target *t, const char *path, const char *body, unsigned status,
                struct reply *ret)
{
    if (!post(c, t, path, body, "") || !connection_receive(c, ret))
        return false;
    if (ret->status != status)
        (void)fprintf(stderr, "engine: %s: %u %.200s\n", path, ret->status, ret->body);
    return ret->status == status;
}

/* {"Id":"…" of a created container: its 64 digits. */
static bool take_id(const struct reply *r, char id[static 65])
{
    const char *at = strstr(r->body, "\"Id\":\"");
    if (!at || strlen(at) < 6 + 64)
        return false;
    memcpy(id, at + 6, 64);
    id[64] = '\0';
    return true;
}

/* An upgraded connection has no length: what comes after its head is output, until it ends. */
static bool attach(struct client *c, const char *path)
{
    if (!post(&c->output, &c->w->target, path, "", "Connection: Upgrade\r\nUpgrade: tcp\r\n"))
        return false;
    c->output.have = 0;
    while (!c->output.have || !memmem(c->output.data, c->output.have, "\r\n\r\n", 4))
        if (!connection_more(&c->output))
            return false;
    return strncmp(c->output.data, "HTTP/1.1 101", 12) == 0;
}

static bool run_once(struct client *c)
{
    const struct target *t = &c->w->target;
    struct reply r;
    char id[65], path[200];
    if (!ask(&c->control, t, "/containers/create", c->w->create, 201, &r) || !take_id(&r, id))
        return false;
    (void)snprintf(path, sizeof path, "/containers/%s/attach?stream=1&stdout=1&stderr=1", id);
    if (!attach(c, path))
        return false;
    (void)snprintf(path, sizeof path, "/containers/%s/wait?condition=next-exit", id);
    if (!post(&c->wait, t, path, "", ""))
        return false;
    (void)snprintf(path, sizeof path, "/containers/%s/start", id);
    if (!ask(&c->control, t, path, "", 204, &r))
        return false;
    while (connection_more(&c->output))
        ;
    connection_close(&c->output);
    return connection_receive(&c->wait, &r) && r.status == 200 && strstr(r.body, "\"StatusCode\":0");
}

static bool goes_on(struct work *w)
{
    return w->count ? atomic_fetch_add(&w->taken, 1) < w->count : clock_now_us() < w->until_us;
}

static void *client_main(void *context)
{
    struct client *c = context;
    while (goes_on(c->w)) {
        double begin = clock_now_us();
        if (run_once(c)) {
            samples_add(&c->s, clock_now_us() - begin);
            continue;
        }
        c->bad++;
        connection_close(&c->control);
        connection_close(&c->wait);
        connection_close(&c->output);
    }
    return NULL;
}

static char *read_all(const char *path)
{
    static char text[65536];
    FILE *f = fopen(path, "re");
    if (!f || !fread(text, 1, sizeof text - 1, f)) {
        (void)fprintf(stderr, "engine: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    (void)fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    static struct work w = { .clients = 1, .seconds = 2 };
    static struct client all[MAX_CLIENTS];
    pthread_t threads[MAX_CLIENTS];
    struct samples s = { 0 };
    unsigned long bad = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--socket") == 0)
            w.target.socket = argv[i + 1];
        else if (strcmp(argv[i], "--create") == 0)
            w.create = read_all(argv[i + 1]);
        else if (strcmp(argv[i], "--clients") == 0)
            w.clients = (unsigned)number_at(argv[i + 1], 10);
        else if (strcmp(argv[i], "--count") == 0)
            w.count = number_at(argv[i + 1], 10);
        else if (strcmp(argv[i], "--seconds") == 0)
            w.seconds = strtod(argv[i + 1], NULL);
    }
    if (!w.target.socket || !w.create || !w.clients || w.clients > MAX_CLIENTS)
        return 2;
    double begin = clock_now_us();
    w.until_us = begin + w.seconds * 1e6;
    for (unsigned i = 0; i < w.clients; i++) {
        all[i] = (struct client){ .w = &w, .control.fd = -1, .wait.fd = -1, .output.fd = -1 };
        if (pthread_create(&threads[i], NULL, client_main, &all[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < w.clients; i++) {
        (void)pthread_join(threads[i], NULL);
        for (size_t k = 0; k < all[i].s.count; k++)
            samples_add(&s, all[i].s.us[k]);
        bad += all[i].bad;
    }
    double seconds = (clock_now_us() - begin) / 1e6;
    (void)printf(
        "clients %u\nseconds %.3f\ngood %zu\nbad %lu\nrate %.1f\np10 %.0f\np50 %.0f\np90 %.0f\np99 %.0f\nmax %.0f\n",
        w.clients, seconds, s.count, bad, (double)s.count / seconds, samples_percentile(&s, 10),
        samples_percentile(&s, 50), samples_percentile(&s, 90), samples_percentile(&s, 99),
        samples_percentile(&s, 100));
    return s.count ? 0 : 1;
}
