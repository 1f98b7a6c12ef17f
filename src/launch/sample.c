/* sample.c - CPU, memory and tasks of a run, ten times a second, as events; limits that were hit since the last look.
 */
#include "launch/run.h"

#include "base/homes.h"
#include "base/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

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

/* --- file systems that are full ------------------------------------------------------------------------ */

static bool is_full(int fd)
{
    struct statvfs fs;
    return fstatvfs(fd, &fs) == 0 && fs.f_blocks && (!fs.f_bfree || !fs.f_ffree);
}

static bool has_home(const struct shape *s)
{
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_HOME)
            return true;
    return false;
}

/* Descriptors, since their mounts go with the last process, and what fills the last page may be the last act. */
void sample_begin(struct run *r, const struct seccomp_notif *ask)
{
    char place[32];
    if (!(r->shape.watch & NOTIFY_SAMPLES) || r->store_count || r->store_looks++ >= RUN_STORE_LOOKS)
        return;
    (void)snprintf(place, sizeof place, "/proc/%u/root", ask->pid);
    cleanup(closep) int root = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!notify_is_alive(&r->notify, ask->id))
        return; /* its number may be another process's, of the host even */
    const struct kopen_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                                   .resolve = KRESOLVE_IN_ROOT | KRESOLVE_NO_SYMLINKS };
    if (root >= 0 && r->home_fd < 0 && has_home(&r->shape))
        r->home_fd = sys_openat2(root, HOMES_PLACE, &how);
    for (uint32_t i = 0; root >= 0 && i < r->shape.mount_count && r->store_count < RUN_STORES_MAX; i++) {
        const struct plan_mount *m = &r->shape.mounts[i];
        if (m->kind != MOUNT_TMPFS || m->flags & MOUNT_RO)
            continue;
        struct store s = { .fd = sys_openat2(root, m->target, &how), .path = m->target };
        if (s.fd >= 0 && !is_full(s.fd))
            r->stores[r->store_count++] = s;
        else
            closep(&s.fd); /* not there, or made as large as what is in it */
    }
}

static bool was_read(const struct run *r, const char *file)
{
    struct stat st;
    return fstatat(r->home_fd, file, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_atim.tv_sec > st.st_mtim.tv_sec;
}

static bool is_searched_for_all(const struct run *r)
{
    static const char *const plain[] = { HOMES_PLAIN };
    bool is_searched = false;
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        is_searched |= was_read(r, plain[i]);
    return is_searched;
}

/* What was read is told at the next look: a search of everything has come to the plain files by then. */
static void look_at_home(struct run *r, bool is_last)
{
    static const char *const files[HOMES_COUNT] = { HOMES_FILES };
    if (r->home_fd >= 0 && is_searched_for_all(r))
        closep(&r->home_fd);
    for (uint32_t i = 0; r->home_fd >= 0 && i < HOMES_COUNT; i++) {
        const uint32_t bit = UINT32_C(1) << i, seen = r->home_seen;
        char path[64];
        if (r->home_told & bit || !was_read(r, files[i]))
            continue;
        r->home_seen |= bit;
        if (!is_last && !(seen & bit))
            continue;
        r->home_told |= bit;
        (void)snprintf(path, sizeof path, HOMES_PLACE "/%s", files[i]);
        const struct watch_event e = {
            .kind = WATCH_FILE, .at_us = now_us() - r->start_us, .flags = WATCH_OF_OTHERS, .text = path
        };
        notify_tell(&r->notify, &e);
    }
}

void sample_done(struct run *r)
{
    closep(&r->home_fd);
    while (r->store_count)
        closep(&r->stores[--r->store_count].fd);
}

static void look_at_stores(struct run *r)
{
    for (uint32_t i = 0; i < r->store_count; i++) {
        struct store *s = &r->stores[i];
        if (s->is_told || !is_full(s->fd))
            continue;
        s->is_told = true;
        const struct watch_event e = {
            .kind = WATCH_LIMIT, .at_us = now_us() - r->start_us, .text = "storage", .name = s->path, .args = { 1 }
        };
        notify_tell(&r->notify, &e);
    }
}

void sample_hits(struct run *r, const struct cgroup_usage *u, bool is_last)
{
    look_at_stores(r);
    look_at_home(r, is_last);
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
    *ret_pids -= MIN_OF(*ret_pids, r->room); /* of a session: its jobs' */
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
    sample_hits(r, &u, false);
}
