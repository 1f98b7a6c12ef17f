/* messenger.c - the thread that gathers alerts and sends them. One lock guards digest and settings; sending happens
 * outside it, one message after the other: a channel that hangs delays the next for 10 s an attempt. */
#include "daemon/messenger_internal.h"

#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "audit/hmac.h"
#include "base/clock.h"
#include "base/parse.h"
#include "base/wait.h"

#define ATTEMPTS     3
#define MAX_CHANNELS 16u

struct targets {
    struct digest_rules rules;
    uint32_t count;
    struct channel channels[MAX_CHANNELS];
};
struct parcel { /* what is being sent */
    struct digest digest;
    struct targets targets;
};
struct messenger {
    struct messenger_host host;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct digest digest;
    struct targets *now;
    struct parcel *work; /* the thread's, made with it: no alert is lost for want of memory later */
    bool is_closing, has_thread;
    uint64_t give_up_ms;
    pthread_t thread;
};

static void say(struct messenger *m, enum log_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void say(struct messenger *m, enum log_level level, const char *fmt, ...)
{
    char text[800];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    m->host.log(m->host.context, level, text);
}

/* --- settings ------------------------------------------------------------------------------------------- */

static void targets_free(struct targets *s)
{
    if (s)
        secret_wipe(s, sizeof *s);
    free(s);
}

/* *ret NULL: there is no channel to people. */
static int targets_read(const struct config *c, struct targets **ret, struct error *err)
{
    enum channel_kind kind;
    const char *rest, *quiet = c->monitoring.alerts.quiet;
    struct targets *s = calloc(1, sizeof *s);
    int e = 0;
    if (!s)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "alerts: no memory");
    STRLIST_FOREACH(channel, &c->monitoring.alerts.channels)
    {
        if (e < 0 || !c->monitoring.alerts.enabled || !people_parse(channel, &kind, &rest))
            continue;
        e = s->count < MAX_CHANNELS ? people_load(c, channel, &s->channels[s->count++], err)
                                    : err_set(err, -E2BIG, BLAME_CALLER, NULL,
                                              "monitoring.alerts.channels: more than %u to people", MAX_CHANNELS);
    }
    if (e < 0) {
        targets_free(s);
        return e;
    }
    s->rules.repeat_after_ms = c->monitoring.alerts.repeat_after;
    s->rules.gather_ms = c->monitoring.alerts.digest;
    s->rules.has_quiet = quiet && parse_day_span(quiet, &s->rules.quiet_from, &s->rules.quiet_to) == 0;
    if (!s->count) {
        targets_free(s);
        s = NULL;
    }
    *ret = s;
    return 0;
}

int messenger_check(const struct config *c, struct error *err)
{
    struct targets *s = NULL;
    int e = targets_read(c, &s, err);
    if (e == 0)
        targets_free(s);
    return e;
}

/* --- one message ---------------------------------------------------------------------------------------- */

struct envelope {
    char host[65], id[120], date[64], transaction[40];
};

static void envelope_make(struct envelope *e)
{
    uint64_t random[2] = { 0 };
    struct tm tm;
    const time_t now = time(NULL);
    if (gethostname(e->host, sizeof e->host) < 0 || !e->host[0])
        (void)snprintf(e->host, sizeof e->host, "localhost");
    e->host[sizeof e->host - 1] = '\0';
    for (char *p = e->host; *p; p++)
        if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 127 || strchr("<>@\"", *p))
            *p = '-';
    (void)random_bytes(random, sizeof random); /* else two messages of one second have one id */
    (void)snprintf(e->transaction, sizeof e->transaction, "%016llx%016llx",
                   (unsigned long long)(random[0] ^ (uint64_t)now), (unsigned long long)random[1]);
    (void)snprintf(e->id, sizeof e->id, "%s@%s", e->transaction, e->host);
    (void)gmtime_r(&now, &tm);
    (void)strftime(e->date, sizeof e->date, "%a, %d %b %Y %H:%M:%S +0000", &tm); /* the C locale's words */
}

static enum sent send_once(const struct channel *ch, const struct digest *d, const struct envelope *e,
                           bool (*stops)(void *), void *context, char why[static 200])
{
    struct buf body;
    const struct letter letter = { .from = ch->from, .to = ch->to, .date = e->date, .id = e->id };
    buf_init(&body, 512 * KIB);
    message_write(ch->kind, d, e->host, &letter, &body);
    enum sent sent = SENT_HOPELESS;
    (void)snprintf(why, 200, "no memory");
    if (!body.failed)
        sent = message_send(ch, &body, e->transaction, stops, context, why);
    buf_done(&body);
    return sent;
}

static bool has_to_stop(void *context)
{
    struct messenger *m = context;
    (void)pthread_mutex_lock(&m->lock);
    const bool stops = m->is_closing && clock_ms() >= m->give_up_ms;
    (void)pthread_mutex_unlock(&m->lock);
    return stops;
}

/* Between two attempts. False: there is no time for another. */
static bool pause_for(struct messenger *m, uint64_t ms)
{
    const uint64_t until_ms = clock_ms() + ms;
    (void)pthread_mutex_lock(&m->lock);
    while (!m->is_closing && clock_ms() < until_ms)
        (void)wait_until(&m->changed, &m->lock, until_ms);
    const bool goes_on = !m->is_closing || clock_ms() < m->give_up_ms;
    (void)pthread_mutex_unlock(&m->lock);
    return goes_on;
}

static void send_to(struct messenger *m, const struct channel *ch, const struct digest *d, const struct envelope *e)
{
    char why[200] = "";
    enum sent sent = SENT_AGAIN;
    uint64_t pause_ms = m->host.first_pause_ms;
    int attempt = 0;
    while (sent == SENT_AGAIN && attempt < ATTEMPTS && (!attempt || pause_for(m, pause_ms))) {
        pause_ms *= attempt ? 5 : 1;
        attempt++;
        sent = send_once(ch, d, e, has_to_stop, m, why);
    }
    m->host.count(m->host.context, sent == SENT_WELL ? METRICS_MESSAGE_SENT : METRICS_MESSAGE_FAILED);
    if (sent != SENT_WELL)
        say(m, LOG_ERROR, "alerts: %s did not take a message of %u %s, after %d %s: %s", ch->shown, d->count,
            d->count == 1 ? "alert" : "alerts", attempt, attempt == 1 ? "attempt" : "attempts", why);
}

/* --- the thread ----------------------------------------------------------------------------------------- */

static uint32_t minute_of_day(void)
{
    struct tm tm;
    const time_t now = time(NULL);
    (void)localtime_r(&now, &tm);
    return (uint32_t)(tm.tm_hour * 60 + tm.tm_min);
}

/* Waits until there is something to send, and to whom. At the end whatever waits goes out: a restart swallows no alert.
 */
static bool next(struct messenger *m, struct digest *ret, struct targets *ret_targets)
{
    bool has = false, ends = false;
    (void)pthread_mutex_lock(&m->lock);
    while (!has && !ends) {
        static const struct digest_rules at_once = { 0 };
        uint64_t wait_ms;
        const struct digest_rules *r = m->is_closing || !m->now ? &at_once : &m->now->rules;
        if (m->is_closing)
            m->digest.next_ms = 0;
        has = digest_take(&m->digest, r, clock_ms(), minute_of_day(), ret, &wait_ms);
        ends = m->is_closing && !has;
        if (!has && !ends)
            (void)wait_until(&m->changed, &m->lock, clock_ms() + wait_ms);
    }
    if (m->now)
        *ret_targets = *m->now;
    else
        ret_targets->count = 0;
    (void)pthread_mutex_unlock(&m->lock);
    return has;
}

static void *work(void *context)
{
    struct messenger *m = context;
    while (next(m, &m->work->digest, &m->work->targets)) {
        struct envelope e;
        envelope_make(&e);
        for (uint32_t i = 0; i < m->work->targets.count; i++)
            send_to(m, &m->work->targets.channels[i], &m->work->digest, &e);
        secret_wipe(&m->work->targets, sizeof m->work->targets);
    }
    return NULL;
}

static int start_thread(struct messenger *m, struct error *err)
{
    sigset_t all, before;
    if (m->has_thread)
        return 0;
    if (!m->work && !(m->work = calloc(1, sizeof *m->work)))
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "alerts: no memory");
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int e = pthread_create(&m->thread, NULL, work, m);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    m->has_thread = e == 0;
    return e ? err_set(err, -e, BLAME_HOST, NULL, "alerts: no thread: %s", strerror(e)) : 0;
}

/* --- life ------------------------------------------------------------------------------------------------- */

static int configure(struct messenger *m, const struct config *c, struct error *err)
{
    struct targets *s = NULL;
    int e = targets_read(c, &s, err);
    if (e == 0 && s)
        e = start_thread(m, err);
    if (e < 0) {
        targets_free(s);
        return e;
    }
    (void)pthread_mutex_lock(&m->lock);
    struct targets *old = m->now;
    m->now = s;
    (void)pthread_cond_broadcast(&m->changed);
    (void)pthread_mutex_unlock(&m->lock);
    targets_free(old);
    return 0;
}

void messenger_configure(struct messenger *m, const struct config *c)
{
    struct error err = { 0 };
    if (configure(m, c, &err) < 0)
        say(m, LOG_ERROR, "alerts: the channels of before still hold: %s; %s", err.text, err.remedy);
}

int messenger_start(const struct messenger_host *h, const struct config *c, struct messenger **ret, struct error *err)
{
    struct messenger *m = calloc(1, sizeof *m);
    if (!m || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(m);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "alerts: no memory");
    }
    m->host = *h;
    (void)pthread_mutex_init(&m->lock, NULL); /* these cannot fail on Linux */
    wait_init(&m->changed);
    int e = configure(m, c, err);
    if (e < 0)
        (void)messenger_close(m, 0);
    else
        *ret = m;
    return e;
}

void messenger_alert(void *messenger, const char *condition, const char *agent_id, const char *message)
{
    struct messenger *m = messenger;
    if (!m)
        return;
    (void)pthread_mutex_lock(&m->lock);
    if (m->now && !m->is_closing) {
        digest_add(&m->digest, &m->now->rules, condition, agent_id, message, clock_ms());
        (void)pthread_cond_broadcast(&m->changed);
    }
    (void)pthread_mutex_unlock(&m->lock);
}

struct messenger *messenger_close(struct messenger *m, uint32_t wait_ms)
{
    if (!m)
        return NULL;
    (void)pthread_mutex_lock(&m->lock);
    m->is_closing = true;
    m->give_up_ms = clock_ms() + wait_ms;
    (void)pthread_cond_broadcast(&m->changed);
    (void)pthread_mutex_unlock(&m->lock);
    if (m->has_thread)
        (void)pthread_join(m->thread, NULL);
    targets_free(m->now);
    free(m->work);
    (void)pthread_cond_destroy(&m->changed);
    (void)pthread_mutex_destroy(&m->lock);
    curl_global_cleanup();
    free(m);
    return NULL;
}

/* --- the test ---------------------------------------------------------------------------------------------- */

unsigned messenger_test(const struct config *c)
{
    static struct digest d;
    unsigned failed = 0;
    enum channel_kind kind;
    const char *rest;
    struct envelope e;
    const struct digest_rules rules = { 0 };
    digest_add(&d, &rules, "test", "none", "sandbox-agent alerts test: alerts arrive here", 0);
    envelope_make(&e);
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    STRLIST_FOREACH(channel, &c->monitoring.alerts.channels)
    {
        static struct channel ch;
        struct error err = { 0 };
        char why[200] = "";
        if (!people_parse(channel, &kind, &rest)) {
            (void)printf("%-40s not tested: this command tests email, slack, teams and matrix\n", channel);
            continue;
        }
        bool is_sent = people_load(c, channel, &ch, &err) == 0;
        if (!is_sent)
            (void)snprintf(why, sizeof why, "%s", err.text);
        else
            is_sent = send_once(&ch, &d, &e, NULL, NULL, why) == SENT_WELL;
        (void)printf("%-40s %s%s\n", channel, is_sent ? "sent" : "failed: ", is_sent ? "" : why);
        failed += !is_sent;
    }
    secret_wipe(&d, sizeof d);
    curl_global_cleanup();
    return failed;
}
