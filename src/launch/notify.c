/* notify.c - the launcher's part in answering notifications (src/notify): forks, events, the way to the broker.
 *
 * execution.max_processes: the kernel has no limit of processes that leaves threads alone (RLIMIT_NPROC and the pids
 * controller count tasks). Where a profile wants fewer processes than tasks, its filter asks about fork, vfork and
 * clone without CLONE_THREAD. Their arguments are plain values, so letting the call continue decides on nothing that
 * could change meanwhile. The number of forks is told with each sample.
 *
 * A listener no process answers leaves its askers waiting, one that is closed gives them ENOSYS: whatever becomes of
 * us, nothing is let through.
 */
#include "launch/slot.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include "base/watch_bits.h"
#include "filter/filter.h"
#include "filter/syscalls.h"

/* --- attaching ------------------------------------------------------------------------------------- */

/* The verdicts lie in the message at any alignment. */
static bool copy_verdicts(struct run *r)
{
    struct bytes from = r->shape.verdicts;
    r->verdicts = malloc(MAX_OF(from.size, 1u));
    if (!r->verdicts)
        return false;
    memcpy(r->verdicts, from.data, from.size);
    r->notify.verdicts = r->verdicts;
    r->notify.verdict_count = from.size / sizeof *r->verdicts;
    return true;
}

void notify_attach(struct run *r, int listener)
{
    r->notify.listener = listener;
    r->notify.watch = r->shape.watch;
    r->notify.start_us = r->start_us;
    if (!copy_verdicts(r)) {
        closep(&r->notify.listener); /* all that asks gets ENOSYS */
        return;
    }
    notify_prepare(listener);
    watch(r->launcher, listener, r, EVENT_NOTIFY);
}

void notify_detach(struct run *r)
{
    unwatch(r->launcher, &r->notify.listener);
    unwatch(r->launcher, &r->notify.events);
    if (r->notify.has_root)
        closep(&r->notify.root); /* it keeps the sandbox's mounts */
    sample_done(r);
    pace_done(&r->notify.pace);
    free(r->verdicts);
    r->verdicts = NULL;
}

void notify_note_streams(struct run *r)
{
    for (size_t i = 0; i < ARRAY_LEN(r->stream_ids); i++)
        r->stream_kinds[i] = descriptor_kind(r->fds[RUN_FD_STDIN + i], &r->stream_ids[i]);
}

/* --- answering ------------------------------------------------------------------------------------- */

static bool is_thread_there(const void *context, uint32_t tid)
{
    char path[32];
    (void)context;
    (void)snprintf(path, sizeof path, "/proc/%u", tid);
    return access(path, F_OK) == 0;
}

static bool take_place(struct run *r, uint32_t tid)
{
    uint32_t ours = (r->slot ? 2 : 1) + r->room;
    uint32_t count = r->cgroup.kind == CGROUP_NONE ? measure_processes(r) + 1 : cgroup_processes(&r->cgroup);
    return grants_take(&r->grants, tid, count, r->shape.max_processes + ours, now_us(), is_thread_there, NULL);
}

void notify_on_fork(struct run *r, uint32_t tid, uint64_t id)
{
    bool is_limited = r->shape.max_processes &&
                      r->shape.max_processes < r->shape.pids; /* else the kernel's own limit holds */
    if (!is_limited || take_place(r, tid)) {
        r->forks.granted++;
        notify_continue(&r->notify, id);
    } else {
        fork_tally_refused(&r->forks, tid);
        notify_refuse(&r->notify, id, EAGAIN); /* what fork(2) says at a limit */
    }
}

static void on_first_exec(struct run *r, const struct seccomp_notif *ask)
{
    const struct watch_event streams = { .stdio0 = r->stream_kinds[0],
                                         .stdio_id0 = r->stream_ids[0],
                                         .stdio1 = r->stream_kinds[1],
                                         .stdio_id1 = r->stream_ids[1],
                                         .stdio2 = r->stream_kinds[2],
                                         .stdio_id2 = r->stream_ids[2] };
    notify_first_exec(&r->notify, ask, &r->job.argv, r->job.program, &streams);
}

static bool names_unix(const struct seccomp_notif *ask)
{
    uint16_t family = 0;
    return notify_read(ask->pid, ask->data.args[1], &family, sizeof family) == sizeof family && family == AF_UNIX;
}

/* AF_UNIX needs no broker: connect (bash looks for nscd at each start), bind, sendmsg (passing descriptors). Should the
 * caller's memory or its descriptor be something else a moment later: no socket of the host is in the sandbox yet,
 * landlock refuses the payload every TCP connect and bind of its own, and a datagram stays in its namespace. */
static bool is_local(const struct run *r, const struct seccomp_notif *ask)
{
    uint64_t id;
    if (ask->data.nr == NR_connect || ask->data.nr == NR_bind)
        return is_tcp_fenced(r) && names_unix(ask);
    if (ask->data.nr != NR_sendmsg && ask->data.nr != NR_sendmmsg)
        return false;
    cleanup(closep) int fd = notify_take_fd(ask->pid, (int)ask->data.args[0]);
    return fd >= 0 && descriptor_kind(fd, &id) == WATCH_FD_UNIX;
}

/* Where volumes are mounted no AF_UNIX connect is continued: its path may lead to a socket of the host (connector.c).
 */
static bool is_for_connector(const struct run *r, const struct seccomp_notif *ask)
{
    return r->shape.watch & NOTIFY_VOLUMES && ask->data.nr == NR_connect && (!r->shape.is_brokered || names_unix(ask));
}

static void on_network(struct run *r, const struct seccomp_notif *ask)
{
    if (ask->data.nr == NR_connect)
        notify_tell_unix(&r->notify, ask);
    if (r->shape.watch & NOTIFY_VOLUMES)
        connector_note(r, ask->pid);
    if (is_for_connector(r, ask))
        connector_start(r, ask);
    else if (r->shape.is_brokered && !is_local(r, ask))
        broker_start(r, ask);
    else
        notify_continue(&r->notify, ask->id);
}

/* CPU time of a process of another's: clock_getcpuclockid(3). 0: it is not there, or a thread. */
static uint64_t cpu_us_of(uint32_t pid)
{
    struct timespec t;
    const clockid_t clock = (clockid_t)(~pid << 3 | 2 /* CPUCLOCK_SCHED */);
    return clock_gettime(clock, &t) < 0 ? 0 : (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Never had a child that it, or a child of its, waited for: those have page faults, or where they share its memory CPU
 * time, as told in ticks of 10 ms. It would be counted. */
static bool is_childless(uint32_t pid, uint32_t *ret_parent)
{
    char path[32], text[512];
    (void)snprintf(path, sizeof path, "/proc/%u/stat", pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, 0)] = '\0';
    const char *p = strrchr(text, ')'); /* proc(5): behind the name state, parent, ..., as the ninth cminflt,
                                         * then cmajflt, utime, stime, cutime, cstime */
    uint64_t number[14];
    if (!p || strlen(p) < 4)
        return false;
    p += 3;
    for (size_t i = 0; i < ARRAY_LEN(number); i++) {
        p += *p == ' ';
        p += *p == '-';
        for (number[i] = 0; *p >= '0' && *p <= '9'; p++)
            number[i] = number[i] * 10 + (uint64_t)(*p - '0');
    }
    *ret_parent = (uint32_t)number[0];
    return *p == ' ' && !(number[7] | number[9] | number[12] | number[13]);
}

/* All its threads, the one that asks among them. */
static bool is_asleep(uint32_t pid)
{
    char path[32], text[64 + 16];
    (void)snprintf(path, sizeof path, "/proc/%u/task", pid);
    DIR *dir = opendir(path);
    bool is_asleep = dir != NULL;
    for (struct dirent *e; is_asleep && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        (void)snprintf(text, sizeof text, "%.20s/stat", e->d_name);
        cleanup(closep) int fd = openat(dirfd(dir), text, O_RDONLY | O_CLOEXEC);
        const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        text[MAX_OF(n, 0)] = '\0';
        const char *state = strrchr(text, ')'); /* behind the name, of 15 bytes at most */
        is_asleep = state && strncmp(state, ") S", 3) == 0;
    }
    if (dir)
        (void)closedir(dir);
    return is_asleep;
}

/* A fork of one thread, in a call that never returns; or a node, which has threads: they sleep, and nothing that they
 * could still do is looked at afterwards. */
static bool can_do_no_more(const struct run *r, const struct seccomp_notif *ask)
{
    if (ask->data.nr == NR_exit_group)
        return r->report.is_forked && cgroup_tasks(&r->cgroup) == 3;
    return !r->report.is_forked && !r->job.workspace && cgroup_processes(&r->cgroup) == 3 && is_asleep(ask->pid);
}

/* The program asks to end, with code 0, and init and a slot's keeper are the only other processes: from here on no code
 * of the program's can run. It waits in the kernel for our answer, which never comes, and dies there. So the run is
 * over now; that the kernel then takes down 2,000 pages, 0.5 ms, or a node its threads and its heap, 7 ms, its client
 * need not wait for. Any other state, and it ends as every program does. */
static bool is_end(const struct run *r, const struct seccomp_notif *ask, uint64_t *ret_cpu_us)
{
    uint32_t init = 0, ignored;
    return notify_is_last(ask) && r->slot && r->job.park_fd && r->state == RUN_RUNNING && r->has_work &&
           !r->job.artifact && !r->broker.pid && r->pidfd >= 0 && can_do_no_more(r, ask) &&
           is_childless(ask->pid, &init) && is_childless(init, &ignored) && (*ret_cpu_us = cpu_us_of(ask->pid)) > 0;
}

/* So that its threads end at once, and not when init is dead. False: it is gone by now, or cannot be named. */
static bool end_program(const struct run *r, const struct seccomp_notif *ask)
{
    if (ask->data.nr == NR_exit_group)
        return notify_is_alive(&r->notify, ask->id);
    cleanup(closep) int program = sys_pidfd_open((pid_t)ask->pid);
    /* it is the asker's while that waits */
    return program >= 0 && notify_is_alive(&r->notify, ask->id) && sys_pidfd_send_signal(program, SIGKILL) == 0;
}

static void on_ask(struct run *r, const struct seccomp_notif *ask)
{
    uint64_t cpu_us = 0;
    if (is_end(r, ask, &cpu_us) && end_program(r, ask)) {
        run_end(r, cpu_us);
        return;
    }
    bool is_first = !r->has_execed && ask->data.nr == NR_execve;
    sample_begin(r, ask);
    if (is_first) {
        r->has_execed = true;
        on_first_exec(r, ask);
    } else if (!notify_common(&r->notify, ask)) {
        if (notify_classify(ask) == NOTIFY_IS_FORK)
            notify_on_fork(r, ask->pid, ask->id);
        else
            on_network(r, ask);
    }
}

static void listen_for(struct run *r, int fd, uint32_t events, unsigned kind)
{
    struct epoll_event e = { .events = events, .data.u64 = (uint64_t)(uintptr_t)r | kind };
    if (epoll_ctl(r->launcher->epoll, EPOLL_CTL_MOD, fd, &e) < 0 && errno == ENOENT)
        (void)epoll_ctl(r->launcher->epoll, EPOLL_CTL_ADD, fd, &e); /* fails only for want of kernel memory */
}

void notify_on_event(struct run *r, uint32_t events)
{
    struct seccomp_notif ask;
    if (!(events &
          EPOLLIN)) { /* hung up: no process can ask any more. RECV would block, O_NONBLOCK or not (seen on 6.1) */
        unwatch(r->launcher, &r->notify.listener);
        return;
    }
    if (!notify_has_room(&r->notify)) { /* the asker waits until the client has read: no event is lost */
        listen_for(r, r->notify.listener, 0, EVENT_NOTIFY);
        listen_for(r, r->notify.events, EPOLLOUT, EVENT_ROOM);
        return;
    }
    int n = notify_receive(&r->notify, &ask);
    if (n < 0)
        unwatch(r->launcher, &r->notify.listener); /* callers get ENOSYS: refused, never let through */
    else if (n > 0)
        on_ask(r, &ask);
}

void notify_on_room(struct run *r)
{
    listen_for(r, r->notify.events, 0, EVENT_ROOM);
    if (r->notify.listener >= 0 && !r->broker.pid)
        listen_for(r, r->notify.listener, EPOLLIN, EVENT_NOTIFY);
}
