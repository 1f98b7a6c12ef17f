#include "daemon/collector.h"

#include <stdio.h>
#include <time.h>

#include "audit/line.h"
#include "base/clock.h"
#include "base/json.h"

#define IDENTIFIER      "sandboxd"
#define SD_ID           "agentsandbox@32473" /* RFC 5612's number: ours is none of IANA's */
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"       /* RFC 5424: before a text of UTF-8 */

static const struct {
    const char *name, *path;
} kinds[] = {
    [COLLECTOR_JOURNALD] = { "journald", "/run/systemd/journal/socket" }, /* sd_journal_send(3)'s own protocol */
    [COLLECTOR_SYSLOG] = { "syslog", "/dev/log" },
    [COLLECTOR_RFC5424] = { "syslog-rfc5424", "/dev/log" },
};

bool collector_parse(const char *output, enum collector_kind *ret, const char **ret_path)
{
    for (unsigned i = 0; i < ARRAY_LEN(kinds); i++) {
        const size_t length = strlen(kinds[i].name);
        if (!str_starts(output, kinds[i].name) || (output[length] && !str_starts(output + length, ":/")))
            continue;
        *ret = (enum collector_kind)i;
        *ret_path = output[length] ? output + length + 1 : kinds[i].path;
        return true;
    }
    return false;
}

int collector_open(enum collector_kind kind, const char *path, struct collector *ret)
{
    struct collector c = { .kind = kind, .to.sun_family = AF_UNIX };
    if (strlen(path) >= sizeof c.to.sun_path)
        return -ENAMETOOLONG;
    memcpy(c.to.sun_path, path, strlen(path) + 1);
    c.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (c.fd < 0)
        return -errno;
    *ret = c;
    return 0;
}

void collector_close(struct collector *c)
{
    if (c->fd >= 0)
        (void)close(c->fd);
    c->fd = -1;
}

/* --- the datagram --------------------------------------------------------------------------------------- */

/* syslog(3)'s numbers. */
static unsigned priority_of(enum log_level level)
{
    return level >= LOG_ERROR ? 3 : level == LOG_WARN ? 4 : level == LOG_INFO ? 6 : 7;
}

/* C1 controls are two bytes of UTF-8; some terminals obey them. */
static bool is_control(const unsigned char *p, size_t length)
{
    return length == 1 ? *p < 0x20 || *p == 0x7F : length == 2 && p[0] == 0xC2 && p[1] < 0xA0;
}

static void put_clean(struct buf *b, const char *text, size_t size)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + size;
    while (p < end) {
        const size_t length = json_utf8_length(p, (size_t)(end - p));
        if (!length)
            (void)buf_addc(b, '?');
        else if (is_control(p, length))
            (void)buf_addf(b, "\\x%02x", p[length - 1]);
        else
            (void)buf_add(b, (const char *)p, length);
        p += length ? length : 1;
    }
}

static void put_field(struct buf *b, const char *name, const char *value)
{
    if (!value)
        return;
    (void)buf_addf(b, "%s=", name);
    put_clean(b, value, strlen(value));
    (void)buf_addc(b, '\n');
}

static void compose_journald(const struct collector_line *l, struct buf *b)
{
    (void)buf_addf(b, "PRIORITY=%u\nSYSLOG_IDENTIFIER=" IDENTIFIER "\nSYSLOG_PID=%d\nMESSAGE=", priority_of(l->level),
                   (int)getpid());
    put_clean(b, l->text, l->size);
    (void)buf_addc(b, '\n');
    put_field(b, "AGENTSANDBOX_EVENT", l->event);
    put_field(b, "AGENTSANDBOX_AGENT", l->agent);
    put_field(b, "AGENTSANDBOX_EXECUTION", l->execution);
}

/* As syslog(3) of glibc writes it, which each collector behind /dev/log reads: RFC 3164 without the host's name. The
 * facility is daemon (3). */
static void compose_syslog(const struct collector_line *l, struct buf *b)
{
    static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    struct tm t = { 0 };
    const time_t now = time(NULL);
    (void)localtime_r(&now, &t);
    (void)buf_addf(b, "<%u>%s %2d %02d:%02d:%02d " IDENTIFIER "[%d]: ", 3 * 8 + priority_of(l->level),
                   months[(unsigned)t.tm_mon % 12], t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, (int)getpid());
    put_clean(b, l->text, l->size);
}

/* A value of structured data; of printable words three characters are special. */
static void put_param(struct buf *b, const char *name, const char *value)
{
    struct buf clean;
    if (!value)
        return;
    buf_init(&clean, 64 * KIB);
    put_clean(&clean, value, strlen(value));
    (void)buf_addf(b, " %s=\"", name);
    for (size_t i = 0; i < clean.size; i++) {
        if (strchr("\"\\]", clean.data[i]))
            (void)buf_addc(b, '\\');
        (void)buf_addc(b, clean.data[i]);
    }
    (void)buf_addc(b, '"');
    b->failed |= clean.failed;
    buf_done(&clean);
}

/* PRINTUSASCII of the header, or nil. */
static void put_name(struct buf *b, const char *name, size_t most)
{
    size_t n = name ? strlen(name) : 0;
    for (size_t i = 0; i < n; i++)
        if (name[i] <= ' ' || name[i] > '~')
            n = 0;
    if (n && n <= most)
        (void)buf_add(b, name, n);
    else
        (void)buf_addc(b, '-');
    (void)buf_addc(b, ' ');
}

static void compose_rfc5424(const struct collector_line *l, struct buf *b)
{
    char stamp[AUDIT_TIME_SIZE], host[256] = "";
    audit_time_write(wall_clock_ms(), stamp);
    (void)gethostname(host, sizeof host - 1);
    (void)buf_addf(b, "<%u>1 %s ", 3 * 8 + priority_of(l->level), stamp);
    put_name(b, host, 255);
    (void)buf_addf(b, IDENTIFIER " %d ", (int)getpid());
    put_name(b, l->event, 32);
    if (l->event || l->agent || l->execution) {
        (void)buf_adds(b, "[" SD_ID);
        put_param(b, "event", l->event);
        put_param(b, "agent", l->agent);
        put_param(b, "execution", l->execution);
        (void)buf_adds(b, "] ");
    } else {
        (void)buf_adds(b, "- ");
    }
    bool is_ascii = true;
    for (size_t i = 0; i < l->size; i++)
        is_ascii &= (unsigned char)l->text[i] < 0x80;
    (void)buf_adds(b, is_ascii ? "" : BYTE_ORDER_MARK);
    put_clean(b, l->text, l->size);
}

static void cut_datagram(struct buf *b)
{
    if (b->size > COLLECTOR_SYSLOG_MAX) {
        b->size = COLLECTOR_SYSLOG_MAX - strlen("…");
        while (((unsigned char)b->data[b->size] & 0xC0) == 0x80)
            b->size--;
        (void)buf_adds(b, "…");
    }
}

void collector_compose(enum collector_kind kind, const struct collector_line *l, struct buf *out)
{
    if (kind == COLLECTOR_JOURNALD) {
        compose_journald(l, out);
        return;
    }
    if (kind == COLLECTOR_RFC5424)
        compose_rfc5424(l, out);
    else
        compose_syslog(l, out);
    cut_datagram(out);
}

bool collector_send(const struct collector *c, const struct collector_line *l)
{
    struct buf b;
    buf_init(&b, 256 * KIB);
    collector_compose(c->kind, l, &b);
    const bool is_taken = !b.failed && sendto(c->fd, b.data, b.size, MSG_DONTWAIT | MSG_NOSIGNAL,
                                              (struct sockaddr *)&c->to, sizeof c->to) == (ssize_t)b.size;
    buf_done(&b);
    return is_taken;
}
