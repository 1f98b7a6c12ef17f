#include "run/violations.h"

#include "base/parse.h"

static void add(struct violations *v, const char *type, const char *detail, uint64_t at_ms)
{
    if (v->count < VIOLATIONS_MAX)
        v->list[v->count++] = (struct violation){ type, detail, at_ms, violation_severity(type) };
}

/* The same act is not told twice: where a detector has seen it, the program's own words add nothing. */
static bool has_offence(const struct violations *v)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (violation_is_security(v->list[i].type))
            return true;
    return false;
}

/* By the profile, not for want of the service's memory. */
static bool is_cut(const struct output *o)
{
    return o->is_truncated && o->seen > o->max_bytes;
}

static void add_attempts(struct violations *v, struct stream *s, const struct intent *intent, uint64_t end_ms)
{
    bool is_known = has_offence(v);
    uint64_t at_us = end_ms * 1000;
    const char *connect = attempts_connect(&s->observe.attempts, intent->metadata, &at_us);
    if (connect)
        add(v, "hostile_connect", connect, at_us / 1000);
    if (is_known)
        return;
    at_us = end_ms * 1000;
    const char *write = attempts_write(&s->observe.attempts, &at_us);
    if (!write)
        write = denied_found(&s->denied, intent->writes);
    if (write)
        add(v, "hostile_write", write, at_us / 1000);
}

/* As the other machine told them: type, detail, time. */
static void add_remote(struct violations *v, const struct strlist *told)
{
    const char *detail, *at;
    for (const char *type = strlist_first(told); type; type = strlist_next(told, at)) {
        uint64_t at_ms = 0;
        detail = strlist_next(told, type);
        at = detail ? strlist_next(told, detail) : NULL;
        if (!at)
            return;
        (void)parse_u64(at, &at_ms);
        add(v, type, detail, at_ms);
    }
}

void collect_violations(const struct outcome *o, struct stream *s, const struct intent *intent, struct violations *ret)
{
    uint64_t ready_ms = o ? o->ready_us / 1000 : 0;
    uint64_t end_ms = o ? o->duration_us / 1000 : 0;
    ret->count = 0;
    for (uint32_t i = 0; s && i < s->reports.count; i++) {
        const struct guard_report *r = &s->reports.list[i];
        uint64_t at_ms = r->at_ms - MIN_OF(r->at_ms, ready_ms);
        add(ret, r->type, r->name,
            end_ms ? MIN_OF(at_ms, end_ms) : at_ms); /* when it was read: on a busy machine after the end */
    }
    for (uint32_t i = 0; s && i < s->observe.finding_count; i++) {
        const struct watch_finding *f = &s->observe.findings[i];
        add(ret, detector_names[f->detector], f->evidence, f->at_us / 1000);
    }
    if (s && s->observe.is_over_network_limit)
        add(ret, NETWORK_LIMIT, "more bytes out and in than network.max_bytes", s->observe.network_limit_ms);
    if (s)
        add_attempts(ret, s, intent, end_ms);
    if (o && (o->isolation || o->violations.count)) { /* a run that was refused there has no isolation */
        add_remote(ret, &o->violations);
        return;
    }
    if (o && o->oom_kills)
        add(ret, "memory_limit", "the kernel ended a process for want of memory", end_ms);
    else if (o && o->reason == REASON_OOM) /* no cgroup: the launcher measures */
        add(ret, "memory_limit", "more memory was used than the limit", end_ms);
    if (s && s->observe.full[0])
        add(ret, "storage_limit", s->observe.full, s->observe.full_ms);
    if (o && o->pids_hits)
        add(ret, "pids_limit", "a process or thread could not be started", end_ms);
    if (s && (is_cut(&s->out[0]) || is_cut(&s->out[1])))
        add(ret, "output_limit", "output was cut", end_ms);
}
