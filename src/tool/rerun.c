#include "tool/rerun.h"

#include <stdio.h>
#include <sys/socket.h>
#include "net/make.h"
#include "net/names.h"
#include "watch/record.h"

#define NAME_TTL_S 3600u

int rerun_begin(const struct profile *p, const struct config *c, struct rerun_rules *ret, struct error *err)
{
    *ret = (struct rerun_rules){ .profile = p };
    return net_rules_make(p, c, false, &ret->network, err);
}

void rerun_done(struct rerun_rules *r)
{
    net_rules_done(&r->network);
}

/* --- what a summary says ---------------------------------------------------------------------------- */

static void decide(struct rerun *r, const struct net_address *a, uint16_t port, const char *name)
{
    struct net_decision d;
    struct net_names *names = name && *name ? net_names_new() : NULL;
    if (names)
        net_names_add(names, a, name, NAME_TTL_S, 1);
    net_decide_address(&r->rules->network, names, a, port, 1, &d);
    (void)net_names_free(names);
    if (d.place != NET_REFUSE)
        return;
    char shown[NET_ADDRESS_MAX];
    net_address_format(a, shown);
    r->rule = "network";
    (void)snprintf(r->why, sizeof r->why, "%s%s%s port %u: %s", name && *name ? name : "", name && *name ? " at " : "",
                   shown, port, d.rule);
}

void rerun_connection(struct rerun *r, uint8_t family, const void *address, uint16_t port, const char *name)
{
    const struct net_address a = net_address_from(family, address);
    if (r->rule)
        return;
    if (r->rules->profile->network.mode == NETWORK_BRIDGE) {
        decide(r, &a, port, name);
        return;
    }
    r->rule = "network.mode";
    (void)snprintf(r->why, sizeof r->why, "it connected to %s, and there is no network",
                   name && *name ? name : "a host");
}

static void compare(struct rerun *r, const char *rule, const char *unit, uint64_t used, uint64_t allowed)
{
    if (r->rule || !allowed || used <= allowed)
        return;
    r->rule = rule;
    (void)snprintf(r->why, sizeof r->why, "%llu%s of %llu%s", (unsigned long long)used, unit,
                   (unsigned long long)allowed, unit);
}

void rerun_peak(struct rerun *r, uint64_t memory_bytes, uint64_t pids)
{
    compare(r, "resources.memory", " bytes", memory_bytes, r->rules->profile->resources.memory);
    compare(r, "resources.pids", "", pids, r->rules->profile->resources.pids);
}

void rerun_duration(struct rerun *r, uint64_t ms)
{
    compare(r, "resources.timeout", " ms", ms, r->rules->profile->resources.timeout);
}

void rerun_violation(struct rerun *r, const char *type, const char *detail)
{
    for (enum detector d = 0; type && !r->rule && d < DETECTOR_COUNT; d++)
        if (str_eq(type, detector_names[d]) && detector_mode_of(r->rules->profile, d) == DETECTOR_KILL) {
            r->rule = detector_names[d];
            (void)snprintf(r->why, sizeof r->why, "%s", detail ? detail : "");
        }
}

/* --- a recording -------------------------------------------------------------------------------------- */

static void take_event(struct rerun *r, struct watch *w, const struct watch_event *e)
{
    struct watch_finding found[DETECTOR_COUNT];
    const size_t count = watch_feed(w, e, found);
    for (size_t i = 0; i < count && !r->rule; i++)
        if (found[i].mode == DETECTOR_KILL) {
            r->rule = detector_names[found[i].detector];
            (void)snprintf(r->why, sizeof r->why, "%s", found[i].evidence);
        }
    if (e->kind == WATCH_CONNECT && e->verdict == WATCH_ALLOWED)
        rerun_connection(r, e->family, e->address, e->port, e->name);
    if (e->kind == WATCH_SAMPLE)
        rerun_peak(r, e->memory_bytes, e->pids);
    if (e->kind == WATCH_END)
        rerun_duration(r, e->at_us / 1000);
}

static int read_events(struct rerun *r, struct watch *w, FILE *from, const char *path, struct error *err)
{
    struct record record;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int e = 0;
    for (unsigned long long number = 1; e == 0 && (n = getline(&line, &cap, from)) > 0; number++) {
        const size_t size = (size_t)n - (line[n - 1] == '\n');
        e = size <= RECORD_LINE_MAX
                ? record_read(line, size, &record, err)
                : err_set(err, -EFBIG, BLAME_CALLER, NULL, "a line of more than %u bytes", RECORD_LINE_MAX);
        if (e < 0)
            (void)err_wrap(err, "%s:%llu", path, number);
        else
            take_event(r, w, &record.event);
    }
    free(line);
    return e == 0 && ferror(from) ? err_set(err, -EIO, BLAME_CALLER, NULL, "%s: cannot be read", path) : e;
}

int rerun_file(struct rerun *r, const char *path, struct error *err)
{
    FILE *from = fopen(path, "re");
    if (!from)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path);
    struct watch *w = watch_new(r->rules->profile);
    int e = w ? read_events(r, w, from, path, err) : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    (void)watch_free(w);
    (void)fclose(from); /* read only */
    return e;
}
