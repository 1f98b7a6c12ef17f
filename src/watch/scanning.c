/* scanning.c - port_scanning: many different addresses and ports in a window, whether they answer or not, TCP and UDP.
 *
 * What tells a scan from a crawler or a package manager is that these go by names: a target that the sandbox's own
 * resolver gave a name for does not count, unless it is one more port of a host that had NAMED_PORTS already. Targets
 * within the sandbox's own loopback count a quarter: nobody is harmed, and test suites make servers at many ports.
 */
#include "watch/detect.h"

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
        if (now_ms > s->target[i].at_ms && now_ms - s->target[i].at_ms > window_ms)
            s->target[i] = s->target[--s->count];
        else
            i++;
    }
}

/* Counted ones are never more than WATCH_MAX_TARGETS: then the detector has fired. */
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

static void remember(struct scanning *s, const struct watch_event *e)
{
    const uint32_t host = (uint32_t)watch_hash_host(e), what = (uint32_t)e->port << 8 | e->protocol;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->target[i].host == host && s->target[i].what == what) {
            s->target[i].at_ms = MAX_OF(s->target[i].at_ms, time_of(e));
            return;
        }
    uint8_t kind = !is_outward(e)                                              ? TARGET_INSIDE
                   : e->name && *e->name && named_ports(s, host) < NAMED_PORTS ? TARGET_NAMED
                                                                               : TARGET_COUNTED;
    *make_room(s) = (struct target){ host, what, time_of(e), kind };
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

bool detect_scanning(struct scanning *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint32_t limit = p->detectors.port_scanning.targets;
    uint32_t n[TARGET_KINDS] = { 0 };
    uint32_t first = time_of(e);
    if (e->kind != WATCH_CONNECT)
        return false;
    forget_old(s, time_of(e), p->detectors.port_scanning.window);
    remember(s, e);
    for (uint32_t i = 0; i < s->count; i++)
        n[s->target[i].kind]++;
    uint8_t kind = n[TARGET_COUNTED] >= limit ? TARGET_COUNTED : TARGET_INSIDE;
    if (kind == TARGET_INSIDE && n[TARGET_INSIDE] < INSIDE_FACTOR * limit)
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->target[i].kind == kind)
            first = MIN_OF(first, s->target[i].at_ms);
    uint32_t h = hosts(s, kind);
    return decided(
        ret, "%u different targets%s on %u host%s were asked for within %s; the last, at %s, was %s by %s, %s%s",
        n[kind], kind == TARGET_INSIDE ? " of the sandbox's own loopback" : "", h, h == 1 ? "" : "s",
        shown_time((uint64_t)(time_of(e) - first) * 1000).text, shown_time(e->at_us).text, shown_peer(e).text,
        e->protocol == IPPROTO_UDP ? "UDP" : "TCP", e->verdict == WATCH_REFUSED ? "refused: " : "allowed",
        e->verdict == WATCH_REFUSED ? shown(e->text).text : "");
}
