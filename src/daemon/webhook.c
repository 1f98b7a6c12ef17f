/* webhook.c - the thread that adds an event puts it into the queue and wakes the thread; the thread alone talks to
 * libcurl.
 *
 * One lock guards queue and settings, and is held for looking and linking only: signing, sending and logging happen
 * outside. A post that is under way belongs to the thread until its result is there; so a change of the configuration
 * never takes one away from under it.
 */
#include "daemon/webhook_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "audit/hmac.h"
#include "base/clock.h"

#define NAG_MS  60000u
#define LONG_MS 60000u

struct webhook_settings {
    uint32_t events; /* bit per enum webhook_event; 0: off */
    uint64_t timeout_ms;
    uint32_t max_attempts;
    bool allow_private;
    struct webhook_secret secret;
};
struct webhooks {
    struct webhook_host host;
    pthread_mutex_t lock;
    struct webhook_queue queue;
    struct webhook_settings now;
    bool is_closing;
    uint64_t give_up_ms;
    uint64_t dropped, dropped_told_ms; /* dropped: since it was told */
    struct sender *sender;             /* the thread's; others may wake it */
    pthread_t thread;
    bool has_thread, has_told_alerts; /* of the thread that configures */
};

static void say(struct webhooks *w, enum log_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void say(struct webhooks *w, enum log_level level, const char *fmt, ...)
{
    char text[800];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (char *c = text; *c; c++) /* a certificate's names are a stranger's */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    w->host.log(w->host.context, level, text);
}

/* --- the thread ----------------------------------------------------------------------------------------- */

struct ending {
    bool is_told;
    enum metrics_event event;
    char shown[300];
    uint32_t attempts;
    uint64_t untold;
};

static bool is_nag_due(struct webhook_target *t, uint64_t now_ms, uint64_t *ret_untold)
{
    t->untold++;
    if (t->told_at_ms && now_ms - t->told_at_ms < NAG_MS)
        return false;
    *ret_untold = t->untold - 1;
    t->told_at_ms = now_ms;
    t->untold = 0;
    return true;
}

/* Under the lock: the post goes back or ends. */
static struct ending apply(struct webhooks *w, struct webhook_post *p, const struct sender_result *r, uint64_t random)
{
    const uint64_t now = clock_ms();
    struct ending d = { .attempts = p->attempts };
    memcpy(d.shown, p->to->shown, sizeof d.shown);
    if (r->verdict == WEBHOOK_AGAIN && w->is_closing && now >= w->give_up_ms) {
        d.event = METRICS_WEBHOOK_DROPPED;
    } else if (r->verdict == WEBHOOK_AGAIN && p->attempts < w->now.max_attempts) {
        d.event = METRICS_WEBHOOK_RETRIED;
        webhook_queue_again(&w->queue, p,
                            now + webhook_pause(w->host.first_pause_ms, p->attempts, random, r->retry_after_ms));
        return d;
    } else if (r->verdict != WEBHOOK_DELIVERED) {
        d.event = METRICS_WEBHOOK_FAILED;
        d.is_told = is_nag_due(p->to, now, &d.untold);
    } else {
        d.event = METRICS_WEBHOOK_SENT;
    }
    webhook_queue_end(&w->queue, p);
    return d;
}

static void post_ended(void *context, const struct sender_result *r)
{
    struct webhooks *w = context;
    uint64_t random = 0;
    (void)random_bytes(&random, sizeof random); /* else no jitter */
    (void)pthread_mutex_lock(&w->lock);
    const struct ending d = apply(w, r->tag, r, random);
    w->host.count(w->host.context, d.event); /* with the lock: what no longer waits has been counted */
    (void)pthread_mutex_unlock(&w->lock);
    if (d.is_told)
        say(w, LOG_WARN, "webhook: a post to %s was given up after %u %s: %s (%llu more since it was last told)",
            d.shown, d.attempts, d.attempts == 1 ? "attempt" : "attempts", r->text, (unsigned long long)d.untold);
}

static void start_post(struct webhooks *w, struct webhook_post *p, const struct webhook_settings *s)
{
    char signature[WEBHOOK_SIGNATURE_SIZE], lines[4][128];
    const uint64_t timestamp = wall_clock_ms() / 1000;
    webhook_sign(&s->secret, timestamp, p->body->text, p->body->size, signature);
    (void)snprintf(lines[0], sizeof lines[0], "X-Sandbox-Event: %s", webhook_event_names[p->body->event]);
    (void)snprintf(lines[1], sizeof lines[1], "X-Sandbox-Delivery: %s", p->body->id);
    (void)snprintf(lines[2], sizeof lines[2], "X-Sandbox-Timestamp: %llu", (unsigned long long)timestamp);
    (void)snprintf(lines[3], sizeof lines[3], "X-Sandbox-Signature: %s", signature);
    const struct sender_post out = { .url = p->to->url,
                                     .body = p->body->text,
                                     .headers = { lines[0], lines[1], lines[2], lines[3] },
                                     .keys = &webhook_keys,
                                     .size = p->body->size,
                                     .timeout_ms = s->timeout_ms,
                                     .allow_private = s->allow_private,
                                     .tag = p };
    if (sender_start(w->sender, &out) < 0)
        post_ended(w, &(struct sender_result){ .tag = p, .verdict = WEBHOOK_AGAIN, .text = "no memory" });
}

/* -> how long there is nothing to start */
static uint32_t start_due_posts(struct webhooks *w)
{
    for (;;) {
        const uint64_t now = clock_ms();
        uint64_t due_ms;
        (void)pthread_mutex_lock(&w->lock);
        struct webhook_post *p = webhook_queue_take(&w->queue, now, &due_ms);
        struct webhook_settings s = w->now;
        (void)pthread_mutex_unlock(&w->lock);
        if (p)
            start_post(w, p, &s);
        secret_wipe(&s, sizeof s);
        if (!p)
            return due_ms <= now ? 0 : (uint32_t)MIN_OF(due_ms - now, (uint64_t)LONG_MS);
    }
}

static bool goes_on(struct webhooks *w, uint32_t *wait_ms)
{
    (void)pthread_mutex_lock(&w->lock);
    const uint64_t now = clock_ms();
    const bool does = !w->is_closing || (w->queue.waiting && now < w->give_up_ms);
    if (does && w->is_closing)
        *wait_ms = (uint32_t)MIN_OF((uint64_t)*wait_ms, w->give_up_ms - now);
    (void)pthread_mutex_unlock(&w->lock);
    return does;
}

static void *work(void *context)
{
    struct webhooks *w = context;
    for (;;) {
        uint32_t wait_ms = start_due_posts(w);
        if (!goes_on(w, &wait_ms))
            return NULL;
        sender_work(w->sender, wait_ms, post_ended, w);
    }
}

/* No signal is for this thread; SIGPIPE of a library neither. */
static int start_thread(struct webhooks *w, struct error *err)
{
    sigset_t all, before;
    if (w->has_thread)
        return 0;
    int e = w->sender ? 0 : sender_open(&w->sender, err);
    if (e < 0)
        return e;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    e = pthread_create(&w->thread, NULL, work, w);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    w->has_thread = e == 0;
    return e ? err_set(err, -e, BLAME_HOST, NULL, "webhooks: no thread: %s", strerror(e)) : 0;
}

/* --- settings ------------------------------------------------------------------------------------------- */

static bool is_on(const struct config *c)
{
    return c->endpoints.webhooks.enabled && c->endpoints.webhooks.urls.count;
}

static bool wants_alerts(const struct config *c)
{
    return c->monitoring.alerts.enabled && strlist_has(&c->monitoring.alerts.channels, "webhook");
}

int webhook_check(const struct config *c, struct error *err)
{
    char shown[300];
    STRLIST_FOREACH(url, &c->endpoints.webhooks.urls)
    {
        int e = c->endpoints.webhooks.enabled
                    ? webhook_url_check(url, &webhook_keys, c->endpoints.webhooks.allow_private, shown, err)
                    : 0;
        if (e < 0)
            return e;
    }
    return 0;
}

static int read_settings(const struct webhooks *w, const struct config *c, struct webhook_settings *ret,
                         struct error *err)
{
    *ret = (struct webhook_settings){ .timeout_ms = c->endpoints.webhooks.timeout,
                                      .max_attempts = c->endpoints.webhooks.max_attempts,
                                      .allow_private = c->endpoints.webhooks.allow_private };
    if (!is_on(c))
        return 0;
    ret->events = c->endpoints.webhooks.events | (wants_alerts(c) ? 1u << WEBHOOK_ALERT : 0);
    return webhook_secret_load(c->endpoints.webhooks.secret_file, w->host.state_dir, &ret->secret, err);
}

static int configure(struct webhooks *w, const struct config *c, struct error *err)
{
    static const struct strlist none = { 0 };
    struct webhook_settings s = { 0 };
    int e = webhook_check(c, err);
    if (e == 0)
        e = read_settings(w, c, &s, err);
    if (e == 0 && s.events)
        e = start_thread(w, err);
    if (e == 0) {
        (void)pthread_mutex_lock(&w->lock);
        e = webhook_queue_configure(&w->queue, s.events ? &c->endpoints.webhooks.urls : &none,
                                    c->endpoints.webhooks.queue_size);
        if (!s.events)
            s.secret = w->now.secret; /* what still waits has to be signed */
        if (e == 0)
            w->now = s;
        (void)pthread_mutex_unlock(&w->lock);
        if (e < 0)
            (void)err_set(err, e, BLAME_HOST, NULL, "webhooks: no memory");
    }
    secret_wipe(&s, sizeof s);
    return e;
}

static void tell_lost_alerts(struct webhooks *w, const struct config *c)
{
    const bool are_lost = wants_alerts(c) && !is_on(c);
    if (are_lost && !w->has_told_alerts)
        say(w, LOG_WARN,
            "webhook: monitoring.alerts.channels names webhook, but endpoints.webhooks has no URL or is not enabled");
    w->has_told_alerts = are_lost;
}

void webhook_configure(struct webhooks *w, const struct config *c)
{
    struct error err = { 0 };
    if (configure(w, c, &err) < 0)
        say(w, LOG_ERROR, "webhook: the configuration of before still holds: %s; %s", err.text, err.remedy);
    else
        tell_lost_alerts(w, c);
}

/* --- life ------------------------------------------------------------------------------------------------- */

int webhook_start(const struct webhook_host *h, const struct config *c, struct webhooks **ret, struct error *err)
{
    struct webhooks *w = calloc(1, sizeof *w);
    if (!w || pthread_mutex_init(&w->lock, NULL) != 0) {
        free(w);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "webhooks: no memory");
    }
    w->host = *h;
    int e = configure(w, c, err);
    if (e < 0) {
        (void)webhook_close(w, 0);
        return e;
    }
    tell_lost_alerts(w, c);
    *ret = w;
    return 0;
}

static void note_dropped(struct webhooks *w, uint32_t n)
{
    uint64_t told = 0;
    const uint64_t now = clock_ms();
    for (uint32_t i = 0; i < n; i++)
        w->host.count(w->host.context, METRICS_WEBHOOK_DROPPED);
    (void)pthread_mutex_lock(&w->lock);
    w->dropped += n;
    if (!w->dropped_told_ms || now - w->dropped_told_ms >= NAG_MS) {
        w->dropped_told_ms = now;
        told = w->dropped;
        w->dropped = 0;
    }
    (void)pthread_mutex_unlock(&w->lock);
    if (told)
        say(w, LOG_WARN, "webhook: %llu posts were dropped: too many wait already (endpoints.webhooks.queue_size)",
            (unsigned long long)told);
}

void webhook_add(struct webhooks *w, enum webhook_event e, const char *data, size_t size)
{
    uint64_t random[2];
    (void)pthread_mutex_lock(&w->lock);
    const bool is_asked_for = (unsigned)e < WEBHOOK_EVENTS && (w->now.events >> e & 1) && !w->is_closing;
    const uint32_t targets = w->queue.current;
    (void)pthread_mutex_unlock(&w->lock);
    if (!is_asked_for)
        return;
    struct webhook_body *b = size <= WEBHOOK_MAX_DATA && random_bytes(random, sizeof random) == 0
                                 ? webhook_body_make(e, data, size, wall_clock_ms(), random)
                                 : NULL;
    if (!b) {
        note_dropped(w, targets);
        return;
    }
    (void)pthread_mutex_lock(&w->lock);
    const uint32_t refused = webhook_queue_add(&w->queue, b);
    (void)pthread_mutex_unlock(&w->lock);
    sender_wake(w->sender);
    if (refused)
        note_dropped(w, refused);
}

void webhook_alert(void *webhooks, const char *json, size_t size)
{
    while (size && json[size - 1] == '\n')
        size--;
    if (webhooks && size)
        webhook_add(webhooks, WEBHOOK_ALERT, json, size);
}

uint32_t webhook_waiting(struct webhooks *w)
{
    (void)pthread_mutex_lock(&w->lock);
    const uint32_t n = w->queue.waiting;
    (void)pthread_mutex_unlock(&w->lock);
    return n;
}

static void end_thread(struct webhooks *w, uint32_t wait_ms)
{
    (void)pthread_mutex_lock(&w->lock);
    w->is_closing = true;
    w->give_up_ms = clock_ms() + wait_ms;
    (void)pthread_mutex_unlock(&w->lock);
    if (!w->has_thread)
        return;
    sender_wake(w->sender);
    (void)pthread_join(w->thread, NULL);
}

struct webhooks *webhook_close(struct webhooks *w, uint32_t wait_ms)
{
    if (!w)
        return NULL;
    end_thread(w, wait_ms);
    const uint32_t left = w->queue.waiting; /* we are alone now */
    w->give_up_ms = 0;
    w->sender = sender_close(w->sender, post_ended, w);
    for (uint32_t n = webhook_queue_clear(&w->queue); n; n--)
        w->host.count(w->host.context, METRICS_WEBHOOK_DROPPED);
    if (left)
        say(w, LOG_WARN, "webhook: %u posts were given up: the service ends", left);
    webhook_queue_done(&w->queue);
    (void)pthread_mutex_destroy(&w->lock);
    secret_wipe(w, sizeof *w);
    free(w);
    return NULL;
}
