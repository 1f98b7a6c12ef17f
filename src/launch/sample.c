/* sample.c - CPU, memory and tasks of a run, ten times a second, as events; limits that were hit since the last look.
 */
#include "launch/run.h"

static uint64_t cpu_us(const struct run *r)
{
    uint64_t us = 0;
    if (r->cgroup.kind != CGROUP_NONE && cgroup_cpu_us(&r->cgroup, &us))
        return us - MIN_OF(us, r->before_cpu_us);
    /* v1 without cpuacct beside cpu, or no group at all */
    return r->cgroup.kind == CGROUP_NONE ? r->measure.cpu_us : measure_cpu_us(r);
}

static void tell_hits(struct run *r, const char *what, uint32_t now, uint32_t *seen)
{
    struct watch_event e = { .kind = WATCH_LIMIT,
                             .at_us = now_us() - r->start_us,
                             .text = what,
                             .args = { now, seen == &r->told_pids_hits ? r->forks.asker_count : 0 } };
    if (now <= *seen)
        return;
    *seen = now;
    notify_tell(&r->notify, &e);
}

#define WAIT_EVERY 10u /* samples: a file for each thread */

/* What the threads of a run waited for a processor. What a thread had waited counts no more when it ends, so sums are
 * compared, and only what they grew by counts: short processes wait less than this says, never more. */
static uint64_t wait_us(struct run *r)
{
    if (r->samples++ % WAIT_EVERY == 0) {
        const uint64_t now = measure_wait_us(r);
        r->wait_us += now - MIN_OF(r->wait_sum_us, now);
        r->wait_sum_us = now;
    }
    return r->wait_us;
}

void sample_hits(struct run *r, const struct cgroup_usage *u)
{
    tell_hits(r, "pids", u->pids_hits - MIN_OF(r->before.pids_hits, u->pids_hits) + r->forks.refused,
              &r->told_pids_hits);
    tell_hits(r, "memory", u->oom_kills - MIN_OF(r->before.oom_kills, u->oom_kills), &r->told_oom_kills);
}

static void read_now(const struct run *r, uint64_t *ret_memory_bytes, uint32_t *ret_pids)
{
    if (r->cgroup.kind == CGROUP_NONE) {
        *ret_memory_bytes = r->measure.bytes;
        *ret_pids = r->measure.pids;
    } else {
        cgroup_read_now(&r->cgroup, ret_memory_bytes, ret_pids);
    }
}

/* 0: there is no controller to ask, and the peak has to do. */
static void note_memory(struct run *r, uint64_t bytes)
{
    if (bytes)
        integral_look(&r->memory, r->start_us, now_us(), bytes);
}

void sample_memory(struct run *r)
{
    uint64_t bytes = 0;
    uint32_t pids = 0;
    read_now(r, &bytes, &pids);
    note_memory(r, bytes);
}

void sample_tick(struct run *r)
{
    struct cgroup_usage u;
    struct watch_event e = { .kind = WATCH_SAMPLE,
                             .at_us = now_us() - r->start_us,
                             .cpu_us = cpu_us(r),
                             .args = { r->forks.granted, wait_us(r) } };
    read_now(r, &e.memory_bytes, &e.pids);
    note_memory(r, e.memory_bytes);
    notify_tell(&r->notify, &e);
    cgroup_read_usage(&r->cgroup, &u);
    sample_hits(r, &u);
}
