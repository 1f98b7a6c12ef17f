/* forks.c - execution.max_processes inside a container, where the payload's filter asks about forks: the processes that
 * there are, in /proc, and the grants that have not become one yet (notify/grants.h), as the launcher counts natively.
 *
 * /proc is opened before anything foreign runs, since the payload may lower our RLIMIT_NOFILE to 0. What cannot be read
 * of a process then counts as one: the payload gains nothing by it.
 */
#include "entry/entry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include "base/clock.h"
#include "base/parse.h"
#include "base/watch_bits.h"
#include "filter/syscalls.h"

struct kdirent { /* getdents64(2) */
    uint64_t ino;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

int forks_prepare(struct entry *e)
{
    if (!(e->plan.watch & NOTIFY_FORKS && e->plan.max_processes))
        return 0;
    char self[24] = "", own[24];
    e->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (e->proc < 0 || readlinkat(e->proc, "self", self, sizeof self - 1) < 0)
        return -errno;
    (void)snprintf(own, sizeof own, "%d", (int)getpid());
    return str_eq(self, own) ? 0 : -EXDEV; /* another namespace's: its numbers are of others */
}

static bool is_helper(const struct entry *e, uint64_t pid)
{
    for (size_t i = 0; i < ENTRY_MAX_HELPERS; i++)
        if (e->helpers[i].pid > 0 && (uint64_t)e->helpers[i].pid == pid)
            return true;
    return false;
}

/* A process that has ended and was not waited for takes no place natively either. */
static bool is_dead(const struct entry *e, const char *name)
{
    char path[32], text[512];
    (void)snprintf(path, sizeof path, "%.16s/stat", name);
    cleanup(closep) int fd = openat(e->proc, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT;
    ssize_t n = read(fd, text, sizeof text - 1);
    if (n <= 0)
        return errno == ESRCH;
    text[n] = '\0';
    const char *end = strrchr(text, ')'); /* the name may hold anything: proc_pid_stat(5) */
    return end && end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X');
}

/* All but ourselves and those that work for us. UINT32_MAX: they cannot be counted. */
static uint32_t count_processes(const struct entry *e, bool without_dead)
{
    _Alignas(struct kdirent) char bytes[8192];
    uint32_t count = 0;
    long n = lseek(e->proc, 0, SEEK_SET) < 0 ? -1 : 1;
    while (n > 0) {
        n = syscall(NR_getdents64, e->proc, bytes, sizeof bytes);
        for (long at = 0; at < n;) {
            const struct kdirent *d = (const struct kdirent *)(const void *)(bytes + at);
            uint64_t pid = 0;
            at += d->size;
            if (parse_u64(d->name, &pid) == 0 && pid != (uint64_t)getpid() && !is_helper(e, pid) &&
                !(without_dead && is_dead(e, d->name)))
                count++;
        }
    }
    return n < 0 ? UINT32_MAX : count;
}

static bool is_thread_there(const void *context, uint32_t tid)
{
    const struct entry *e = context;
    char name[16];
    (void)snprintf(name, sizeof name, "%u", tid);
    return faccessat(e->proc, name, F_OK, 0) == 0;
}

static bool take_place(struct entry *e, uint32_t tid)
{
    const uint32_t most = e->plan.max_processes;
    uint32_t count = count_processes(e, false);
    if (count >= most && count < UINT32_MAX)
        count = count_processes(e, true);
    return count < most && grants_take(&e->grants, tid, count, most, clock_us(), is_thread_there, e);
}

void forks_answer(struct entry *e, const struct seccomp_notif *ask)
{
    if (e->proc >= 0 && !take_place(e, ask->pid)) {
        fork_tally_refused(&e->forks, ask->pid);
        notify_refuse(&e->notify, ask->id, EAGAIN); /* what fork(2) says at a limit */
    } else {
        e->forks.granted++;
        notify_continue(&e->notify, ask->id);
    }
    if (e->proc < 0)
        return;
    const struct entry_forks told = { .granted = e->forks.granted,
                                      .refused = e->forks.refused,
                                      .askers = e->forks.asker_count };
    tell_fields(e, FRAME_FORKS, entry_forks_fields, entry_forks_field_count, &told); /* questions_has_room() */
}
