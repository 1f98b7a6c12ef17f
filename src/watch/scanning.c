/* scanning.c - port_scanning: many different addresses and ports in a window, whether they answer or not, TCP and UDP.
 *
 * What tells a scan from a crawler or a package manager is that these go by names: a target that the sandbox's own
 * resolver gave a name for does not count, unless it is one more port of a host that had NAMED_PORTS already. Targets
 * within the sandbox's own loopback count a quarter: no process is harmed, and test suites make servers at many ports.
 *
 * A slow scan is told by what comes of it: most of its targets refuse, or are left without a word. Those are counted
 * for the whole run, and half as many are enough. Under names they count, too, but at the ports of the web, where a
 * checker of links meets as many.
 *
 * Through a proxy the targets are told to the proxy only. What shows is the command of a client that is told to use
 * one, and, at the usual ports of proxies, conversations too short for anything but CONNECT and its refusal.
 */
#include "watch/detect.h"

#include <stdio.h>

enum { TARGET_COUNTED, TARGET_NAMED, TARGET_INSIDE, TARGET_KINDS };
#define NAMED_PORTS   4u /* 80, 443, a proxy's, one more */
#define INSIDE_FACTOR 4u

static size_t named_ports(const struct scanning *s, uint32_t host)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        n += s->target[i].host == host && s->target[i].kind == TARGET_NAMED;
    return n;
}

static uint32_t time_of(const struct watch_event *e)
{
    return (uint32_t)MIN_OF(e->at_us / 1000, (uint64_t)UINT32_MAX);
}

static void forget_old(struct scanning *s, uint32_t now_ms, uint64_t window_ms)
{
    for (uint32_t i = 0; i < s->count;) {
        if (!s->target[i].is_silent && now_ms > s->target[i].at_ms && now_ms - s->target[i].at_ms > window_ms)
            s->target[i] = s->target[--s->count];
        else
            i++;
    }
}

/* Counted ones, and silent ones, are never more than WATCH_MAX_TARGETS: then the detector has fired. */
static struct target *make_room(struct scanning *s)
{
    if (s->count < SCAN_TARGETS)
        return &s->target[s->count++];
    struct target *oldest = NULL;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->target[i].kind != TARGET_COUNTED && (!oldest || s->target[i].at_ms < oldest->at_ms))
            oldest = &s->target[i];
    return oldest ? oldest : &s->target[0];
}

static struct target *find(struct scanning *s, uint32_t host, uint32_t what)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->target[i].host == host && s->target[i].what == what)
            return &s->target[i];
    return NULL;
}

static bool is_web(uint16_t port)
{
    return port == 80 || port == 443 || port == 8080 || port == 8443;
}

/* Under a name a port of the web is a link, however dead. */
static bool can_be_silent(const struct watch_event *e)
{
    return is_outward(e) && !(e->name && *e->name && is_web(e->port));
}

static uint32_t what_of(const struct watch_event *e)
{
    return (uint32_t)e->port << 8 | e->protocol;
}

static void remember(struct scanning *s, const struct watch_event *e)
{
    const uint32_t host = (uint32_t)watch_hash_host(e);
    const bool is_silent = can_be_silent(e) && (e->verdict == WATCH_REFUSED || (e->error && e->error != EINPROGRESS));
    struct target *t = find(s, host, what_of(e));
    if (t) {
        t->at_ms = MAX_OF(t->at_ms, time_of(e));
        t->is_silent &= is_silent || !e->connection; /* it answers now */
        return;
    }
    uint8_t kind = !is_outward(e)                                              ? TARGET_INSIDE
                   : e->name && *e->name && named_ports(s, host) < NAMED_PORTS ? TARGET_NAMED
                                                                               : TARGET_COUNTED;
    *make_room(s) = (struct target){ host, what_of(e), time_of(e), kind, is_silent };
}

/* ---- through a proxy ---- */

static bool is_proxy_port(uint16_t port)
{
    return port == 3128 || port == 1080 || port == 8118 || port == 9050 || port == 8888;
}

/* Less than a header of a request that gets something; more than nothing. A word to the proxy and a word of its own,
 * and then the end, is a target that refused: a client of the web has a longer head than that. */
#define PROBE_BYTES   300u
#define REFUSAL_BYTES 96u
static void look_at_end(struct scanning *s, const struct watch_event *e)
{
    struct target *t = find(s, (uint32_t)watch_hash_host(e), what_of(e));
    const bool said_nothing = e->protocol == IPPROTO_UDP ? !e->bytes_in : !e->bytes_out;
    if (t && can_be_silent(e) && said_nothing)
        t->is_silent = true;
    if (is_outward(e) && is_proxy_port(e->port) && e->bytes_out && e->bytes_out < PROBE_BYTES &&
        e->bytes_in < PROBE_BYTES)
        *make_room(s) = (struct target){ (uint32_t)watch_hash_host(e),
                                         (uint32_t)watch_hash(&s->probes, sizeof s->probes), time_of(e), TARGET_COUNTED,
                                         e->bytes_out < REFUSAL_BYTES && e->bytes_in < REFUSAL_BYTES },
        s->probes++;
}

static bool is_proxy_option(const char *word, size_t size)
{
    static const char *const options[] = { "-x",        "--proxy",    "--socks5", "--socks5-hostname", "--socks4",
                                           "--socks4a", "--preproxy", "-X",       "--proxy-type" };
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (size >= strlen(options[i]) && memcmp(word, options[i], strlen(options[i])) == 0)
            return true;
    return false;
}

/* HOST:PORT of an address in an argument; ports of the web are what proxies are for. */
static bool is_odd_target(const char *word, size_t size)
{
    uint32_t port = 0;
    const char *scheme = memmem(word, size, "://", 3), *from = scheme ? scheme + 3 : word, *end = word + size, *p;
    const char *slash = memchr(from, '/', (size_t)(end - from));
    end = slash ? slash : end;
    for (p = end; p > from && p[-1] >= '0' && p[-1] <= '9'; p--)
        ;
    if (p == end || p == from || p[-1] != ':' || end - p > 5)
        return false;
    for (; p < end; p++)
        port = port * 10 + (uint32_t)(*p - '0');
    return port && port < 65536 && !is_web((uint16_t)port);
}

/* curl -x PROXY http://HOST:PORT: the last argument that is an address. */
static void look_at_program(struct scanning *s, const struct watch_event *e)
{
    bool has_proxy = false, is_value = false;
    const char *target = NULL;
    size_t target_size = 0;
    for (const char *word = e->argv, *next; word && *word && !e->error; word = next) {
        const size_t size = strcspn(word, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
        next = word + size + (word[size] != '\0');
        if (!is_value && word[0] != '-' && word != e->argv && is_odd_target(word, size)) {
            target = word;
            target_size = size;
        }
        is_value = is_proxy_option(word, size);
        has_proxy |= is_value;
        is_value &= size == 2 || !memchr(word, '=', size);
    }
    if (!has_proxy || !target)
        return;
    const uint32_t host = (uint32_t)watch_hash(target, target_size);
    struct target *t = find(s, host, 0);
    if (t)
        t->at_ms = MAX_OF(t->at_ms, time_of(e));
    else
        *make_room(s) = (struct target){ host, 0, time_of(e), TARGET_COUNTED, false };
}

/* How many hosts are among the targets that count. Asked once, when it is decided. */
static uint32_t hosts(const struct scanning *s, uint8_t kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        bool is_new = s->target[i].kind == kind;
        for (uint32_t j = 0; j < i && is_new; j++)
            is_new = s->target[j].kind != kind || s->target[j].host != s->target[i].host;
        n += is_new;
    }
    return n;
}

static bool decide_slow(const struct watch_event *e, uint32_t n, struct evidence *ret)
{
    return decided(
        ret,
        "%u different targets refused or were left without a word, in the whole run; the last, at %s, was %s "
        "by %s",
        n, shown_time(e->at_us).text, shown_peer(e).text, e->protocol == IPPROTO_UDP ? "UDP" : "TCP");
}

bool detect_scanning(struct scanning *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint32_t limit = p->detectors.port_scanning.targets;
    uint32_t n[TARGET_KINDS] = { 0 }, silent = 0;
    uint32_t first = time_of(e);
    if (e->kind != WATCH_CONNECT && e->kind != WATCH_CLOSED && e->kind != WATCH_EXEC)
        return false;
    forget_old(s, time_of(e), p->detectors.port_scanning.window);
    if (e->kind == WATCH_CONNECT)
        remember(s, e);
    else if (e->kind == WATCH_CLOSED)
        look_at_end(s, e);
    else
        look_at_program(s, e);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct target *t = &s->target[i];
        silent += t->is_silent;
        n[t->kind] += time_of(e) - MIN_OF(t->at_ms, time_of(e)) <= p->detectors.port_scanning.window;
    }
    uint8_t kind = n[TARGET_COUNTED] >= limit ? TARGET_COUNTED : TARGET_INSIDE;
    if (kind == TARGET_INSIDE && n[TARGET_INSIDE] < INSIDE_FACTOR * limit)
        return silent >= MAX_OF(limit / 2, 5u) && decide_slow(e, silent, ret);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->target[i].kind == kind)
            first = MIN_OF(first, s->target[i].at_ms);
    uint32_t h = hosts(s, kind);
    if (e->kind != WATCH_CONNECT)
        return decided(ret, "%u different targets were asked for through a proxy within %s, until %s", n[kind],
                       shown_time((uint64_t)(time_of(e) - first) * 1000).text, shown_time(e->at_us).text);
    return decided(
        ret, "%u different targets%s on %u host%s were asked for within %s; the last, at %s, was %s by %s, %s%s",
        n[kind], kind == TARGET_INSIDE ? " of the sandbox's own loopback" : "", h, h == 1 ? "" : "s",
        shown_time((uint64_t)(time_of(e) - first) * 1000).text, shown_time(e->at_us).text, shown_peer(e).text,
        e->protocol == IPPROTO_UDP ? "UDP" : "TCP", e->verdict == WATCH_REFUSED ? "refused: " : "allowed",
        e->verdict == WATCH_REFUSED ? shown(e->text).text : "");
}
