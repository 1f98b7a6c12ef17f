/* otlp.c - threads that end a run put a record into the ring; the thread alone talks to libcurl, by the sender of
 * webhooks (webhook_send.c): the same rules for addresses, TLS, redirects and proxies.
 *
 * There are two shipments, one of traces and one of metrics. A shipment is filled, sent, tried again with growing
 * pauses, and emptied; while one of traces is on its way runs wait in the ring. One lock guards ring and settings, and
 * is held for copying only.
 */
#include "daemon/otlp.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/chain.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "base/secret_file.h"
#include "daemon/loopback.h"
#include "daemon/otlp_internal.h"
#include "daemon/webhook_internal.h"

#define TIMEOUT_MS   10000u
#define MAX_ATTEMPTS 5u
#define NAG_MS       60000u
#define LONG_MS      60000u
#define HEADERS_SIZE 4096u

static const struct webhook_keys keys = { "monitoring.otlp.endpoint", "monitoring.otlp.allow_private" };

struct otlp_settings {
    bool is_on, has_metrics, allow_private;
    char url[WEBHOOK_MAX_URL + 1], shown[300], ca_file[512];
    char headers[HEADERS_SIZE]; /* lines, each ended by a NUL; an empty one ends them */
    uint64_t interval_ms;
};

struct shipment { /* the thread's */
    const char *path;
    struct buf body;
    bool is_full, is_under_way;
    uint32_t attempts, runs;
    uint64_t due_ms;
};

struct otlp {
    struct otlp_host host;
    struct otlp_resource resource;
    uint64_t start_ns;
    _Atomic bool is_on;
    pthread_mutex_t lock;
    struct otlp_settings now;
    struct otlp_record *ring;
    uint32_t size, first, waiting;
    uint64_t gathered_ms; /* when the first of those that wait came */
    bool is_closing;
    uint64_t give_up_ms;
    pthread_mutex_t collecting; /* held while metrics are collected, and by otlp_collects() */
    bool may_collect;
    /* the thread's */
    struct shipment traces, metrics;
    struct otlp_record *batch; /* OTLP_BATCH */
    uint64_t metrics_due_ms, told_ms, untold;
    struct sender *sender; /* others may wake it */
    pthread_t thread;
    bool has_thread;
};

static void say(struct otlp *o, enum log_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void say(struct otlp *o, enum log_level level, const char *fmt, ...)
{
    char text[800];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (char *c = text; *c; c++) /* a certificate's names are a stranger's */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    o->host.log(o->host.context, level, text);
}

/* --- settings ----------------------------------------------------------------------------------------------- */

/* A token, a colon, and printable ASCII: nothing that could begin another header, and none that is ours to say. */
static bool is_header(const char *line)
{
    static const char *const ours[] = { "content-type", "content-length", "host", "transfer-encoding", "expect" };
    const size_t n = strcspn(line, ":");
    if (!n || line[n] != ':')
        return false;
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        if (strlen(ours[i]) == n && strncasecmp(line, ours[i], n) == 0)
            return false;
    for (size_t i = 0; line[i]; i++)
        if ((unsigned char)line[i] < ' ' || (unsigned char)line[i] > '~' ||
            (i < n && strchr(" \"(),/;<=>?@[\\]{}", line[i])))
            return false;
    return true;
}

static int read_headers(const char *path, char ret[static HEADERS_SIZE], struct error *err)
{
    char text[HEADERS_SIZE - 1], *at = text;
    size_t size = 0;
    unsigned count = 0;
    int e = secret_file_read("monitoring.otlp.headers_file", path, text, sizeof text, err);
    for (const char *line; e == 0 && (line = secret_file_line(&at));) {
        if (++count > SENDER_HEADERS || !is_header(line)) /* the line is a secret */
            e = err_set(err, -EINVAL, BLAME_CALLER, NULL,
                        "monitoring.otlp.headers_file: %s: line %u: accepted are at most %u lines «Name: value» of "
                        "printable ASCII",
                        path, count, SENDER_HEADERS);
        else
            size += (size_t)snprintf(ret + size, HEADERS_SIZE - size, "%s", line) + 1;
    }
    ret[size] = '\0';
    secret_wipe(text, sizeof text);
    return e;
}

static int read_settings(const struct config *c, struct otlp_settings *ret, struct error *err)
{
    const char *url = c->monitoring.otlp.endpoint, *file = c->monitoring.otlp.headers_file;
    *ret = (struct otlp_settings){ .is_on = url != NULL,
                                   .has_metrics = c->monitoring.metrics.enabled,
                                   .allow_private = c->monitoring.otlp.allow_private,
                                   .interval_ms = c->monitoring.otlp.interval };
    if (!url)
        return 0;
    int e = webhook_url_check(url, &keys, ret->allow_private, ret->shown, err);
    if (e < 0)
        return e;
    if (strpbrk(url, "?#") || strlen(url) + sizeof "/v1/metrics" > sizeof ret->url)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: a URL without ? and #, to which /v1/traces can be added",
                       keys.url);
    if (file && !str_starts(url, "https://") && !url_is_loopback(url))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "%s: the headers of monitoring.otlp.headers_file go over https only, or to this machine",
                       keys.url);
    (void)snprintf(ret->url, sizeof ret->url, "%s", url);
    for (size_t n = strlen(ret->url); n && ret->url[n - 1] == '/'; n--)
        ret->url[n - 1] = '\0';
    (void)snprintf(ret->ca_file, sizeof ret->ca_file, "%s",
                   c->monitoring.otlp.ca_file ? c->monitoring.otlp.ca_file : "");
    return file ? read_headers(file, ret->headers, err) : 0;
}

int otlp_check(const struct config *c, struct error *err)
{
    struct otlp_settings s;
    int e = read_settings(c, &s, err);
    secret_wipe(&s, sizeof s);
    return e;
}

/* --- the thread --------------------------------------------------------------------------------------------- */

static void ship_ended(void *context, const struct sender_result *r)
{
    struct otlp *o = context;
    struct shipment *s = r->tag;
    uint64_t random = 0;
    char shown[sizeof o->now.shown];
    (void)random_bytes(&random, sizeof random); /* else no jitter */
    s->is_under_way = false;
    (void)pthread_mutex_lock(&o->lock);
    const bool may_wait = !o->is_closing;
    memcpy(shown, o->now.shown, sizeof shown);
    (void)pthread_mutex_unlock(&o->lock);
    if (r->verdict == WEBHOOK_AGAIN && s->attempts < MAX_ATTEMPTS && may_wait) {
        s->due_ms = clock_ms() + webhook_pause(o->host.first_pause_ms, s->attempts, random, r->retry_after_ms);
        return;
    }
    s->is_full = false;
    buf_done(&s->body);
    o->host.count(o->host.context, r->verdict == WEBHOOK_DELIVERED ? METRICS_OTLP_SENT : METRICS_OTLP_FAILED);
    if (r->verdict == WEBHOOK_DELIVERED)
        return;
    const uint64_t now = clock_ms();
    o->untold++;
    if (o->told_ms && now - o->told_ms < NAG_MS)
        return;
    say(o, LOG_WARN, "otlp: a post to %s%s was given up after %u %s: %s (%llu more since it was last told)", shown,
        s->path, s->attempts, s->attempts == 1 ? "attempt" : "attempts", r->text, (unsigned long long)(o->untold - 1));
    o->told_ms = now;
    o->untold = 0;
}

static void ship(struct otlp *o, struct shipment *s)
{
    struct otlp_settings now;
    char url[WEBHOOK_MAX_URL + 16];
    (void)pthread_mutex_lock(&o->lock);
    now = o->now;
    (void)pthread_mutex_unlock(&o->lock);
    (void)snprintf(url, sizeof url, "%s%s", now.url, s->path);
    struct sender_post p = { .url = url,
                             .body = s->body.data,
                             .ca_file = now.ca_file[0] ? now.ca_file : NULL,
                             .keys = &keys,
                             .size = s->body.size,
                             .timeout_ms = TIMEOUT_MS,
                             .allow_private = now.allow_private,
                             .tag = s };
    const char *line = now.headers;
    for (size_t i = 0; i < SENDER_HEADERS && *line; i++, line += strlen(line) + 1)
        p.headers[i] = line;
    s->attempts++;
    s->is_under_way = true;
    if (!now.is_on)
        ship_ended(o, &(struct sender_result){ .tag = s, .verdict = WEBHOOK_HOPELESS, .text = "it is off now" });
    else if (sender_start(o->sender, &p) < 0)
        ship_ended(o, &(struct sender_result){ .tag = s, .verdict = WEBHOOK_AGAIN, .text = "no memory" });
    secret_wipe(&now, sizeof now);
}

/* Into the batch. -> how many; 0: none, or others may still come: look again in *ret_wait_ms */
static uint32_t take_batch(struct otlp *o, uint64_t *ret_wait_ms)
{
    uint32_t n = 0;
    (void)pthread_mutex_lock(&o->lock);
    const uint64_t now = clock_ms(), until = o->gathered_ms + o->host.gather_ms;
    if (o->waiting >= OTLP_BATCH || o->is_closing || now >= until) {
        for (; n < OTLP_BATCH && o->waiting; n++, o->waiting--, o->first = (o->first + 1) % o->size)
            o->batch[n] = o->ring[o->first];
        o->gathered_ms = now;
    } else if (o->waiting) {
        *ret_wait_ms = MIN_OF(*ret_wait_ms, until - now);
    }
    (void)pthread_mutex_unlock(&o->lock);
    return n;
}

static bool write_metrics(struct otlp *o, struct buf *body)
{
    struct buf text;
    buf_init(&text, METRICS_MAX_TEXT);
    (void)pthread_mutex_lock(&o->collecting);
    if (o->may_collect)
        o->host.collect(o->host.context, &text);
    const bool is_there = o->may_collect && text.size && !text.failed;
    (void)pthread_mutex_unlock(&o->collecting);
    if (is_there)
        otlp_write_metrics(&o->resource, text.data, o->start_ns, wall_clock_ms() * 1000000, body);
    buf_done(&text);
    return is_there;
}

static void fill(struct shipment *s, struct otlp *o, uint32_t runs)
{
    buf_init(&s->body, OTLP_MAX_BODY);
    if (runs)
        otlp_write_traces(&o->resource, o->batch, runs, &s->body);
    else if (!write_metrics(o, &s->body))
        return;
    s->is_full = !s->body.failed;
    s->attempts = 0;
    s->due_ms = 0;
    if (!s->is_full) {
        buf_done(&s->body);
        o->host.count(o->host.context, METRICS_OTLP_FAILED);
    }
}

static bool is_metrics_due(struct otlp *o, uint64_t *ret_wait_ms)
{
    const uint64_t now = clock_ms();
    (void)pthread_mutex_lock(&o->lock);
    const bool is_wanted = o->now.is_on && o->now.has_metrics && !o->is_closing;
    const uint64_t interval_ms = o->now.interval_ms;
    (void)pthread_mutex_unlock(&o->lock);
    if (!is_wanted)
        return false;
    const bool is_due = now >= o->metrics_due_ms;
    if (is_due || o->metrics_due_ms > now + interval_ms) /* the interval may be shorter now */
        o->metrics_due_ms = now + interval_ms;
    *ret_wait_ms = MIN_OF(*ret_wait_ms, o->metrics_due_ms - now);
    return is_due;
}

static void ship_due(struct otlp *o, struct shipment *s, uint64_t *ret_wait_ms)
{
    const uint64_t now = clock_ms();
    if (!s->is_full || s->is_under_way)
        return;
    if (s->due_ms <= now)
        ship(o, s);
    if (s->is_full && !s->is_under_way)
        *ret_wait_ms = MIN_OF(*ret_wait_ms, s->due_ms > now ? s->due_ms - now : 0);
}

static bool goes_on(struct otlp *o, uint64_t *wait_ms)
{
    (void)pthread_mutex_lock(&o->lock);
    const uint64_t now = clock_ms();
    const bool has_work = o->waiting || o->traces.is_full || o->metrics.is_full;
    const bool does = !o->is_closing || (has_work && now < o->give_up_ms);
    if (does && o->is_closing)
        *wait_ms = MIN_OF(*wait_ms, o->give_up_ms - now);
    (void)pthread_mutex_unlock(&o->lock);
    return does;
}

static void *work(void *context)
{
    struct otlp *o = context;
    for (;;) {
        uint64_t wait_ms = LONG_MS;
        const uint32_t runs = o->traces.is_full ? 0 : take_batch(o, &wait_ms);
        if (runs)
            fill(&o->traces, o, runs);
        if (!o->metrics.is_full && is_metrics_due(o, &wait_ms))
            fill(&o->metrics, o, 0);
        ship_due(o, &o->traces, &wait_ms);
        ship_due(o, &o->metrics, &wait_ms);
        if (!goes_on(o, &wait_ms))
            return NULL;
        sender_work(o->sender, (uint32_t)wait_ms, ship_ended, o);
    }
}

static int start_thread(struct otlp *o, struct error *err)
{
    sigset_t all, before;
    if (o->has_thread)
        return 0;
    if (!o->batch && !(o->batch = calloc(OTLP_BATCH, sizeof *o->batch)))
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "otlp: no memory");
    int e = o->sender ? 0 : sender_open(&o->sender, err);
    if (e < 0)
        return e;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    e = pthread_create(&o->thread, NULL, work, o);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    o->has_thread = e == 0;
    return e ? err_set(err, -e, BLAME_HOST, NULL, "otlp: no thread: %s", strerror(e)) : 0;
}

/* --- life ----------------------------------------------------------------------------------------------------- */

/* A ring of another size: those that wait move, the newest that have no room are dropped. */
static int resize(struct otlp *o, uint32_t size, uint32_t *ret_dropped)
{
    *ret_dropped = 0;
    if (size == o->size)
        return 0;
    struct otlp_record *ring = calloc(size, sizeof *ring);
    if (!ring)
        return -ENOMEM;
    const uint32_t kept = MIN_OF(o->waiting, size);
    for (uint32_t i = 0; i < kept; i++)
        ring[i] = o->ring[(o->first + i) % o->size];
    *ret_dropped = o->waiting - kept;
    free(o->ring);
    o->ring = ring, o->size = size, o->first = 0, o->waiting = kept;
    return 0;
}

static int configure(struct otlp *o, const struct config *c, struct error *err)
{
    struct otlp_settings s;
    uint32_t dropped = 0;
    int e = read_settings(c, &s, err);
    if (e == 0 && s.is_on) {
        (void)pthread_mutex_lock(&o->lock);
        e = resize(o, c->monitoring.otlp.queue_size, &dropped);
        (void)pthread_mutex_unlock(&o->lock);
        e = e < 0 ? err_set(err, e, BLAME_HOST, NULL, "otlp: no memory") : start_thread(o, err);
    }
    if (e == 0) {
        (void)pthread_mutex_lock(&o->lock);
        o->now = s;
        (void)pthread_mutex_unlock(&o->lock);
        o->is_on = s.is_on;
        if (o->has_thread)
            sender_wake(o->sender);
    }
    for (; dropped; dropped--)
        o->host.count(o->host.context, METRICS_OTLP_DROPPED);
    secret_wipe(&s, sizeof s);
    return e;
}

void otlp_configure(struct otlp *o, const struct config *c)
{
    struct error err = { 0 };
    if (configure(o, c, &err) < 0)
        say(o, LOG_ERROR, "otlp: the configuration of before still holds: %s; %s", err.text, err.remedy);
}

int otlp_start(const struct otlp_host *h, const struct config *c, struct otlp **ret, struct error *err)
{
    uint8_t id[16] = { 0 };
    struct otlp *o = calloc(1, sizeof *o);
    if (!o)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "otlp: no memory");
    o->host = *h;
    o->traces.path = "/v1/traces", o->metrics.path = "/v1/metrics";
    o->start_ns = wall_clock_ms() * 1000000;
    (void)pthread_mutex_init(&o->lock, NULL); /* these cannot fail on Linux */
    (void)pthread_mutex_init(&o->collecting, NULL);
    (void)random_bytes(id, sizeof id); /* else instances look alike */
    hex_write(id, sizeof id, o->resource.instance);
    if (gethostname(o->resource.host, sizeof o->resource.host - 1) < 0)
        o->resource.host[0] = '\0';
    int e = configure(o, c, err);
    if (e < 0)
        (void)otlp_close(o, 0);
    else
        *ret = o;
    return e;
}

void otlp_collects(struct otlp *o, bool may)
{
    (void)pthread_mutex_lock(&o->collecting);
    o->may_collect = may;
    (void)pthread_mutex_unlock(&o->collecting);
}

bool otlp_is_on(const struct otlp *o)
{
    return o->is_on;
}

void otlp_run(struct otlp *o, const struct otlp_run *r)
{
    uint64_t random[3];
    struct otlp_record record;
    bool is_first = false, is_taken = false;
    if (random_bytes(random, sizeof random) == 0) {
        otlp_record_make(r, random, clock_read_us(CLOCK_REALTIME), clock_us(), &record);
        (void)pthread_mutex_lock(&o->lock);
        if ((is_taken = o->waiting < o->size && !o->is_closing)) {
            is_first = o->waiting == 0;
            o->ring[(o->first + o->waiting++) % o->size] = record;
            if (is_first)
                o->gathered_ms = clock_ms();
        }
        (void)pthread_mutex_unlock(&o->lock);
    }
    if (is_first)
        sender_wake(o->sender);
    if (!is_taken)
        o->host.count(o->host.context, METRICS_OTLP_DROPPED);
}

static void end_thread(struct otlp *o, uint32_t wait_ms)
{
    (void)pthread_mutex_lock(&o->lock);
    o->is_closing = true;
    o->give_up_ms = clock_ms() + wait_ms;
    (void)pthread_mutex_unlock(&o->lock);
    if (!o->has_thread)
        return;
    sender_wake(o->sender);
    (void)pthread_join(o->thread, NULL);
}

struct otlp *otlp_close(struct otlp *o, uint32_t wait_ms)
{
    if (!o)
        return NULL;
    end_thread(o, wait_ms);
    o->sender = sender_close(o->sender, ship_ended, o);
    for (; o->waiting; o->waiting--)
        o->host.count(o->host.context, METRICS_OTLP_DROPPED);
    buf_done(&o->traces.body);
    buf_done(&o->metrics.body);
    (void)pthread_mutex_destroy(&o->lock);
    (void)pthread_mutex_destroy(&o->collecting);
    free(o->ring);
    free(o->batch);
    secret_wipe(o, sizeof *o);
    free(o);
    return NULL;
}
