/* webhook_posts.c - the service's webhooks without a service, for test_webhooks.py.
 *
 *   webhook_posts STATE_DIR [KEY=VALUE]…     keys below endpoints.webhooks or monitoring.alerts, url=URL adds one
 * Then, line by line from standard input:
 *   add EVENT JSON   ·   alert JSON   ·   wait (until nothing waits)   ·   sleep MS   ·   set KEY=VALUE… (a new
 * configuration)   ·   close MS (and ends) Prints what was counted at the end: «sent=N failed=N retried=N dropped=N
 * waiting=N», and after each «wait» the same; the log goes to stderr.
 */
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/parse.h"
#include "daemon/webhook_internal.h"

static _Atomic unsigned counts[METRICS_EVENTS];

static void log_line(void *context, enum log_level level, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "%s: %s\n", log_level_names[level], text);
}

static void count(void *context, enum metrics_event e)
{
    (void)context;
    counts[e]++;
}

static void report(unsigned waiting)
{
    (void)printf("sent=%u failed=%u retried=%u dropped=%u waiting=%u\n", counts[METRICS_WEBHOOK_SENT],
                 counts[METRICS_WEBHOOK_FAILED], counts[METRICS_WEBHOOK_RETRIED], counts[METRICS_WEBHOOK_DROPPED],
                 waiting);
    (void)fflush(stdout);
}

static void pause_ms(unsigned ms)
{
    const struct timespec t = { ms / 1000, (ms % 1000) * 1000000L };
    (void)nanosleep(&t, NULL);
}

static int set(struct config *c, const char *word)
{
    char key[128];
    struct error err = { 0 };
    const char *equals = strchr(word, '=');
    if (!equals)
        return -EINVAL;
    if (str_starts(word, "url="))
        return strlist_add(&c->endpoints.webhooks.urls, equals + 1);
    if (str_starts(word, "channel="))
        return strlist_add(&c->monitoring.alerts.channels, equals + 1);
    (void)snprintf(key, sizeof key, "endpoints.webhooks.%.*s", (int)(equals - word), word);
    const int i = config_find_key(key);
    if (i < 0)
        return -ENOENT;
    const struct setting *s = &config_settings.table[i];
    if (s->type == SET_FLAGS)
        setting_clear(s, c); /* only this one */
    int e = setting_parse(s, c, equals + 1, &err);
    if (e < 0)
        (void)fprintf(stderr, "%s\n", err.text);
    return e;
}

static int set_words(struct config *c, char *words)
{
    int e = 0;
    for (char *word = words; e == 0 && *word; word += strspn(word, " ")) {
        const size_t n = strcspn(word, " ");
        const bool is_last = !word[n];
        word[n] = '\0';
        e = set(c, word);
        word += n + !is_last;
    }
    return e;
}

static enum webhook_event event_named(const char *name)
{
    unsigned e = 0;
    while (e < WEBHOOK_EVENTS && !str_eq(webhook_event_names[e], name))
        e++;
    return (enum webhook_event)e;
}

static void add(struct webhooks *w, char *line)
{
    char *data = strchr(line, ' ');
    if (!data)
        return;
    *data++ = '\0';
    webhook_add(w, event_named(line), data, strlen(data));
}

static uint64_t number(const char *text)
{
    uint64_t n = 0;
    return parse_u64(text, &n) == 0 ? n : 0;
}

/* False: the end. */
static bool obey(struct webhooks *w, struct config *c, char *line)
{
    if (str_starts(line, "add ")) {
        add(w, line + 4);
    } else if (str_starts(line, "alert ")) {
        webhook_alert(w, line + 6, strlen(line + 6));
    } else if (str_starts(line, "sleep ")) {
        pause_ms((unsigned)number(line + 6));
    } else if (str_eq(line, "wait")) {
        while (webhook_waiting(w))
            pause_ms(5);
        report(0);
    } else if (str_starts(line, "set ")) {
        struct config other;
        config_defaults(&other);
        if (set_words(&other, line + 4) == 0)
            webhook_configure(w, &other);
        config_done(&other);
    } else {
        (void)c;
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static char line[200000];
    struct config c;
    struct error err = { 0 };
    struct webhooks *w = NULL;
    const struct webhook_host host = { .log = log_line, .count = count, .state_dir = argv[1], .first_pause_ms = 40 };
    config_defaults(&c);
    for (int i = 2; i < argc; i++)
        if (set(&c, argv[i]) < 0)
            return 2;
    if (argc < 2 || webhook_start(&host, &c, &w, &err) < 0) {
        (void)fprintf(stderr, "error: %s; %s\n", err.text, err.remedy);
        return 1;
    }
    bool goes_on = true;
    while (goes_on && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        goes_on = obey(w, &c, line);
    }
    const uint64_t begin = clock_ms();
    w = webhook_close(w, goes_on ? 0 : (uint32_t)number(line + strlen("close ")));
    (void)fprintf(stderr, "closed after %llu ms\n", (unsigned long long)(clock_ms() - begin));
    report(0);
    config_done(&c);
    return 0;
}
