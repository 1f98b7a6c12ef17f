#include "audit/compose.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/line.h"
#include "base/json.h"

/* Bytes as they stand in the line, escapes included. Their sum with the names stays below AUDIT_LINE_MAX. */
#define MAX_WORD    200u
#define MAX_AGENT   768u
#define MAX_MESSAGE 1536u
#define MAX_REASONS 4096u
#define MAX_REASON  1024u
#define MAX_EXTRA   6144u

/* Where a text of n bytes may be cut so that no character is halved. */
static size_t whole_characters(const char *s, size_t n)
{
    while (n && ((unsigned char)s[n] & 0xC0) == 0x80)
        n--;
    return n;
}

static void put_text(struct buf *b, const char *s, size_t max)
{
    size_t n = strlen(s), taken = whole_characters(s, MIN_OF(n, max));
    struct buf escaped;
    if (6 * n <= max) { /* fast path: fits however it is escaped */
        (void)buf_addc(b, '"');
        json_escape(b, s, n);
        (void)buf_addc(b, '"');
        return;
    }
    buf_init(&escaped, 6 * max + 1);
    for (;;) { /* escapes make it longer */
        escaped.size = 0;
        json_escape(&escaped, s, taken);
        if (escaped.size <= max || escaped.failed)
            break;
        taken = whole_characters(s, taken - MAX_OF((escaped.size - max) / 6, (size_t)1));
    }
    if (taken < n)
        (void)buf_adds(&escaped, "…");
    (void)buf_addc(b, '"');
    (void)buf_add(b, escaped.data ? escaped.data : "", escaped.size);
    (void)buf_addc(b, '"');
    b->failed |= escaped.failed;
    buf_done(&escaped);
}

static void comma(struct buf *b)
{
    char last = b->data[b->size - 1];
    if (last != '{' && last != '[')
        (void)buf_addc(b, ',');
}

static void put(struct buf *b, const char *key, const char *value, size_t max)
{
    if (!value || !b->size)
        return;
    comma(b);
    (void)buf_addf(b, "\"%s\":", key);
    put_text(b, value, max);
}

static void put_number(struct buf *b, const char *key, uint64_t value)
{
    comma(b);
    (void)buf_addf(b, "\"%s\":%llu", key, (unsigned long long)value);
}

static void begin(struct buf *b, const char *key)
{
    comma(b);
    (void)buf_addf(b, "\"%s\":{", key);
}

static void put_list_of_one(struct buf *b, const char *key, const char *value)
{
    comma(b);
    (void)buf_addf(b, "\"%s\":[", key);
    put_text(b, value, MAX_WORD);
    (void)buf_addc(b, ']');
}

static void put_reasons(struct buf *b, const struct strlist *reasons)
{
    if (!reasons || !reasons->count)
        return;
    comma(b);
    (void)buf_adds(b, "\"reasons\":[");
    const size_t start = b->size;
    uint32_t left = reasons->count;
    STRLIST_FOREACH(r, reasons)
    {
        if (b->size - start + MAX_REASON > MAX_REASONS)
            break;
        comma(b);
        put_text(b, r, MAX_REASON);
        left--;
    }
    (void)buf_addc(b, ']');
    if (left)
        put_number(b, "reasons_omitted", left);
}

static void put_who(struct buf *b, const struct audit_event *e)
{
    struct utsname host;
    char number[24];
    (void)buf_adds(b, ",\"service\":{\"name\":\"agentsandbox\",\"version\":\"" VERSION "\"}");
    if (uname(&host) == 0) {
        begin(b, "host");
        put(b, "hostname", host.nodename, MAX_WORD);
        (void)buf_addc(b, '}');
    }
    begin(b, "user");
    (void)snprintf(number, sizeof number, "%u", (unsigned)geteuid());
    put(b, "id", number, MAX_WORD);
    put(b, "name", e->user, MAX_WORD);
    (void)buf_addc(b, '}');
}

static void put_process(struct buf *b, const struct audit_event *e)
{
    begin(b, "process");
    put(b, "entity_id", e->execution_id, MAX_WORD);
    if (e->has_exit)
        put_number(b, "exit_code", e->exit_code);
    if (e->code_hash) {
        begin(b, "hash");
        put(b, "sha256", e->code_hash, MAX_WORD);
        (void)buf_addc(b, '}');
    }
    if (b->data[b->size - 1] == '{')
        put_number(b, "pid", (uint64_t)getpid()); /* an object without members is of no use */
    (void)buf_addc(b, '}');
    if (e->agent_id) {
        (void)buf_adds(b, ",\"gen_ai\":{\"agent\":{");
        put(b, "id", e->agent_id, MAX_AGENT);
        (void)buf_adds(b, "}}");
    }
    if (e->trace_id) {
        begin(b, "trace");
        put(b, "id", e->trace_id, MAX_WORD);
        (void)buf_addc(b, '}');
    }
    if (e->rule) {
        begin(b, "rule");
        put(b, "id", e->rule, MAX_WORD);
        (void)buf_addc(b, '}');
    }
    if (e->level) {
        begin(b, "labels");
        put(b, "risk_level", e->level, MAX_WORD);
        (void)buf_addc(b, '}');
    }
}

static void put_ours(struct buf *b, const struct audit_event *e)
{
    begin(b, "agentsandbox");
    put(b, "language", e->language, MAX_WORD);
    put(b, "plan_hash", e->plan_hash, MAX_WORD);
    if (e->cpu_us)
        put_number(b, "cpu_us", e->cpu_us);
    if (e->peak_memory_bytes)
        put_number(b, "peak_memory_bytes", e->peak_memory_bytes);
    put_reasons(b, e->reasons);
    if (e->extra && strlen(e->extra) > MAX_EXTRA) {
        put_number(b, "extra_omitted_bytes", strlen(e->extra));
    } else if (e->extra && e->extra[0]) {
        comma(b);
        (void)buf_adds(b, e->extra);
    }
    (void)buf_addc(b, '}');
}

static void put_event(struct buf *b, const struct audit_event *e, uint64_t sequence)
{
    begin(b, "event");
    put(b, "kind", e->kind ? e->kind : "event", MAX_WORD);
    put_list_of_one(b, "category", e->category ? e->category : "process");
    put_list_of_one(b, "type", e->type ? e->type : "info");
    put(b, "action", e->action ? e->action : "unknown", MAX_WORD);
    put(b, "outcome", e->outcome, MAX_WORD);
    put(b, "reason", e->reason, MAX_WORD);
    (void)buf_adds(b, ",\"dataset\":\"agentsandbox.audit\",\"module\":\"agentsandbox\"");
    if (e->duration_us)
        put_number(b, "duration", MIN_OF(e->duration_us, UINT64_MAX / 1000) * 1000); /* ECS wants nanoseconds */
    if (e->risk_score)
        put_number(b, "risk_score", e->risk_score);
    put_number(b, "sequence", sequence);
}

/* What is written must be readable, or verify would call it damaged. */
static int check(struct buf *b, uint64_t sequence, struct error *err)
{
    struct audit_line line;
    int e = b->failed ? -EMSGSIZE : 0;
    if (e == 0 && buf_adds(b, "}}") == 0) {
        e = audit_line_read(b->data, b->size, &line);
        if (e == 0 && (!line.has_sequence || line.sequence != sequence))
            e = -EBADMSG;
        b->size -= 2;
    }
    return e < 0 ? err_set(err, e, BLAME_US, "AUDIT", "an audit line came out malformed (%s)", strerror(-e)) : 0;
}

int compose_line(struct buf *b, const struct audit_event *e, uint64_t sequence, struct error *err)
{
    char stamp[AUDIT_TIME_SIZE];
    uint64_t now = e->now_ms;
    if (!now) {
        struct timespec t;
        (void)clock_gettime(CLOCK_REALTIME, &t); /* cannot fail for this clock */
        now = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    }
    audit_time_write(now, stamp);
    (void)buf_addf(b, "{\"@timestamp\":\"%s\",\"ecs\":{\"version\":\"9.1.0\"}", stamp);
    put(b, "message", e->message ? e->message : e->action, MAX_MESSAGE);
    put_who(b, e);
    put_process(b, e);
    put_ours(b, e);
    put_event(b, e, sequence);
    return check(b, sequence, err);
}
