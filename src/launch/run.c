#include "launch/run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "launch/control.h"
#include "launch/private.h"
#include "launch/slot.h"
#include "launch/spare.h"

/* --- telling ------------------------------------------------------------------------------- */

/* What is worth a line although nothing required it. */
#define WORTH_TELLING                                                                                  \
    (UINT32_C(1) << FEATURE_LANDLOCK | UINT32_C(1) << FEATURE_CGROUP | UINT32_C(1) << FEATURE_MEMORY | \
     UINT32_C(1) << FEATURE_CPU | UINT32_C(1) << FEATURE_PIDS | UINT32_C(1) << FEATURE_STORAGE |       \
     UINT32_C(1) << FEATURE_NO_NEW_PRIVS | UINT32_C(1) << FEATURE_CAPS)

/* What the watch stands for, where a process listens. */
static uint32_t watch_features(const struct run *r)
{
    uint32_t features = 0;
    if (r->notify.events < 0)
        return 0;
    feature_set(&features, FEATURE_MONITORING);
    feature_set(&features, FEATURE_KILL_SWITCHES);
    if (r->shape.is_brokered)
        feature_set(&features, FEATURE_NETWORK);
    return features;
}

static void list_missing(const struct run *r, struct outcome *o)
{
    uint32_t wanted = WORTH_TELLING | r->shape.require;
    const char *why = r->launcher->cgroups.why;
    if (r->shape.apparmor)
        feature_set(&wanted, FEATURE_APPARMOR);
    if (r->shape.selinux && (!r->shape.selinux_is_auto || selinux_is_enforcing(r->launcher->enforce_fd)))
        feature_set(&wanted, FEATURE_SELINUX);
    if (io_is_limited(&r->shape))
        feature_set(&wanted, FEATURE_IO);
    for (enum feature f = 0; f < FEATURE_COUNT; f++)
        if (feature_has(wanted & ~o->features, f))
            (void)strlist_addf(&o->missing, "%s: %s%s", feature_name(f),
                               missing_reason(f, f == FEATURE_IO && r->cgroup.io_why[0] ? r->cgroup.io_why : why),
                               f == FEATURE_CGROUP && feature_has(o->features, FEATURE_MEMORY)
                                   ? "; memory and cpu limits are measured by the supervisor instead"
                                   : "");
    if (r->cgroup.kind == CGROUP_V1 && feature_has(o->features, FEATURE_MEMORY) && r->shape.loopback)
        (void)strlist_addf(&o->missing, "sockets: cgroup v1 does not count what waits in %s sockets as memory",
                           r->cgroup.is_tcp_counted ? "UDP" : "TCP and UDP");
    if (r->shape.room_max && !feature_has(r->cgroup.features, FEATURE_PIDS))
        (void)strlist_addf(&o->missing,
                           "pids: without a cgroup a session's jobs may have %u tasks more than resources.pids, where "
                           "its checkpoints and reapers do not need them",
                           r->shape.room_max);
    for (uint32_t i = 0; i < r->shape.mount_count; i++)
        if (disk_space_is_wanted(&r->shape.mounts[i]) && (!r->launcher->is_root || r->disk_why[0]))
            (void)strlist_addf(&o->missing, DISK_SPACE_MISSING "%s",
                               r->launcher->is_root ? r->disk_why : "needs a launcher of root's");
    if (r->job.steward_fd && !freeze_is_exact(r))
        (void)strlist_add(&o->missing, "pause: there is no freezer here; a pause stops all processes by SIGSTOP");
    if (r->shape.is_brokered && o->landlock_abi < 4)
        (void)strlist_add(&o->missing,
                          "network: landlock here cannot refuse TCP connects (ABI 4, Linux 6.7), so programs with "
                          "threads may not connect AF_UNIX sockets");
}

/* --- deciding ------------------------------------------------------------------------------ */

static bool is_clean_exit(const struct run *r)
{
    return r->has_ended && WIFEXITED(r->report.wait_status) && WEXITSTATUS(r->report.wait_status) == 0;
}

/* Where no process but us enforces the limit, what was used between two looks is told by the kernel at the end. */
static bool was_over_memory(const struct run *r)
{
    return r->cgroup.kind == CGROUP_NONE && r->shape.memory_bytes &&
           MAX_OF(r->measure.peak_bytes, r->report.max_rss_bytes) > r->shape.memory_bytes;
}

/* Why it ended. We first (deadline, kill), then the kernel (memory, pids), then the program itself. A run
 * that ends well in spite of a refused fork or a killed helper process has ended well. */
static enum run_reason decide_reason(const struct run *r, const struct cgroup_usage *u)
{
    if (r->forced != REASON_COMPLETED)
        return r->forced;
    if (is_clean_exit(r))
        return REASON_COMPLETED;
    if (u->oom_kills || was_over_memory(r))
        return REASON_OOM;
    if (!r->has_ended)
        return r->has_started ? REASON_KILLED : REASON_SANDBOX_ERROR;
    if (u->pids_hits)
        return REASON_PIDS_LIMIT;
    return WIFSIGNALED(r->report.wait_status) ? REASON_SIGNAL : REASON_ERROR;
}

static void fill_exit(const struct run *r, struct outcome *o)
{
    if (!r->has_ended)
        return;
    if (WIFEXITED(r->report.wait_status)) {
        o->has_exit = true;
        o->exit_code = (uint32_t)WEXITSTATUS(r->report.wait_status);
    } else if (WIFSIGNALED(r->report.wait_status)) {
        o->has_signal = true;
        o->signal = (uint32_t)WTERMSIG(r->report.wait_status);
    }
}

static void fill_force(const struct run *r, struct outcome *o)
{
    o->features = r->report.features | r->cgroup.features | watch_features(r);
    o->cgroup = (uint8_t)r->cgroup.kind;
    o->memory_bytes = r->cgroup.memory_bytes;
    o->cpu_milli = r->cgroup.cpu_milli;
    o->pids = r->shape.pids;
    if (r->cgroup.kind == CGROUP_NONE && r->has_started) { /* by measuring: see measure.c */
        feature_set(&o->features, FEATURE_MEMORY);
        feature_set(&o->features, FEATURE_CPU);
        o->memory_bytes = r->shape.memory_bytes;
        o->cpu_milli = r->shape.cpu_milli;
    }
    o->landlock_abi = r->report.landlock_abi;
    o->host_uid = r->host_uid;
    list_missing(r, o);
}

/* init noted it as its last step: the report may have been read later. */
static uint64_t started_after(const struct run *r)
{
    uint32_t n = MIN_OF(r->report.step_count, (uint32_t)OUTCOME_MAX_STEPS);
    uint64_t at_us = r->has_started && n ? r->report.steps[n - 1].at_us : 0;
    return at_us > r->start_us ? at_us - r->start_us : 0;
}

static void fill_usage(const struct run *r, const struct cgroup_usage *u, struct outcome *o)
{
    o->duration_us = now_us() - r->start_us;
    o->started_us = MIN_OF(started_after(r), o->duration_us);
    o->cpu_us = MAX_OF(r->report.cpu_us, r->measure.cpu_us);
    o->peak_memory_bytes = u->peak_memory_bytes;
    if (!o->peak_memory_bytes)
        o->peak_memory_bytes = MAX_OF(r->measure.peak_bytes, r->report.max_rss_bytes);
    if (r->has_started)
        o->memory_mib_ms = integral_end(r->memory, r->start_us, r->start_us + o->duration_us, o->peak_memory_bytes);
    o->oom_kills = u->oom_kills;
    o->pids_hits = u->pids_hits;
    o->artifact_bytes = r->report.artifact_bytes;
}

static void fill_steps(const struct run *r, struct outcome *o)
{
    if (!r->job.wants_timings)
        return;
    o->step_count = MIN_OF(r->report.step_count, (uint32_t)OUTCOME_MAX_STEPS);
    for (uint32_t i = 0; i < o->step_count; i++)
        o->steps[i] = (struct step_time){ step_name(r->report.steps[i].name),
                                          /* done before we were asked: 0 */
                                          r->report.steps[i].at_us - MIN_OF(r->start_us, r->report.steps[i].at_us) };
}

/* --- life ---------------------------------------------------------------------------------- */

void watch(struct launcher *l, int fd, void *owner, unsigned kind)
{
    struct epoll_event e = { .events = EPOLLIN, .data.u64 = (uint64_t)(uintptr_t)owner | kind };
    (void)epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd,
                    &e); /* fails only for want of kernel memory; the deadline still holds */
}

/* Closing is not enough: an init cloned meanwhile holds a duplicate until its step DESCRIPTORS, and with it epoll
 * would go on naming r (epoll(7), question 6). */
void unwatch(struct launcher *l, int *fd)
{
    if (*fd >= 0)
        (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, *fd, NULL); /* ENOENT: it was not watched */
    closep(fd);
}

void run_free(struct run *r)
{
    for (size_t i = 0; i < ARRAY_LEN(r->fds); i++)
        closep(&r->fds[i]);
    unwatch(r->launcher, &r->pidfd);
    unwatch(r->launcher, &r->report_fd);
    notify_detach(r);
    private_free(r, sizeof *r + r->message_size);
}

static bool is_waiting(const struct run *r)
{
    return r->job.park_fd && !r->has_work;
}

static void close_work_fds(struct run *r)
{
    for (size_t i = 0; i < ARRAY_LEN(r->fds); i++)
        closep(&r->fds[i]);
}

/* What is enforced from outside must be known before anything runs. */
#define OUTSIDE                                                                                                      \
    (UINT32_C(1) << FEATURE_MEMORY | UINT32_C(1) << FEATURE_CPU | UINT32_C(1) << FEATURE_PIDS |                      \
     UINT32_C(1) << FEATURE_CGROUP | UINT32_C(1) << FEATURE_NETWORK | UINT32_C(1) << FEATURE_TIME_NS |               \
     UINT32_C(1) << FEATURE_MONITORING | UINT32_C(1) << FEATURE_KILL_SWITCHES | UINT32_C(1) << FEATURE_RATE_LIMITS | \
     UINT32_C(1) << FEATURE_IO)

int run_limit(struct run *r, int sock, uint32_t extra_tasks, struct error *err)
{
    const struct cgroup_host *h = &r->launcher->cgroups;
    int e = r->cgroup.kind == CGROUP_NONE ? cgroup_create(h, r->number, &r->cgroup, err) : 0;
    if (e < 0)
        return e;
    cgroup_limit(&r->cgroup, &r->shape, extra_tasks);
    uint32_t have = r->cgroup.features | watch_features(r);
    if (h->kind == CGROUP_NONE) /* measured instead (measure.c); RLIMIT_NPROC bounds the tasks */
        have |= UINT32_C(1) << FEATURE_MEMORY | UINT32_C(1) << FEATURE_CPU | UINT32_C(1) << FEATURE_PIDS;
    const char *why = r->shape.require & ~have & UINT32_C(1) << FEATURE_IO ? r->cgroup.io_why : "";
    if ((e = require_check(r->shape.require, OUTSIDE, have, why[0] ? why : h->why, err)) < 0)
        return e;
    freeze_begin(r);
    e = cgroup_let_join(&r->cgroup, sock);
    return e < 0 ? err_set(err, e, BLAME_HOST, "CGROUP", "let it join: %s", strerror(-e)) : 0;
}

int run_send_down(int sock, enum down_type type, uint64_t start_us, struct bytes bytes, const int *fds, size_t count)
{
    struct down head = { .type = type, .start_us = start_us };
    const struct iovec parts[] = { { &head, sizeof head }, { (void *)(uintptr_t)bytes.data, bytes.size } };
    return send_parts(sock, parts, ARRAY_LEN(parts), fds, count);
}

static int send_work(struct run *r, struct error *err)
{
    struct bytes work = { r->shape_bytes.data, r->shape_bytes.size + r->job_bytes.size };
    int fds[RUN_FD_MAX];
    size_t count = run_fds_gather(&r->job, RUN_FD_INIT_MAX, r->fds, fds);
    int e = run_send_down(r->report_fd, DOWN_RUN, r->start_us, work, fds, count);
    /* EPIPE: the spare died in its first steps. Its last words are in the socket. */
    return e < 0 && e != -EPIPE ? err_set(err, e, BLAME_HOST, "SPARE", "hand over the work: %s", strerror(-e)) : 0;
}

/* While init mounts: maps, then limits. */
static int help_init(struct run *r, struct error *err)
{
    int e = maps_write(r->launcher, r->pid, &r->shape, r->number, &r->host_uid, err);
    if (e < 0)
        return e;
    (void)run_send_down(r->report_fd, DOWN_MAPPED, 0, (struct bytes){ 0 }, NULL,
                        0); /* a dead init shows at its pidfd */
    e = volumes_send(r, err);
    if (e < 0)
        return e;
    return run_limit(r, r->report_fd, 1 + r->room, err);
}

int run_set_room(struct run *r, uint64_t tasks)
{
    if (tasks > r->shape.room_max)
        return EINVAL;
    const int e = cgroup_set_tasks(&r->cgroup, (uint64_t)r->shape.pids + 1 + tasks);
    if (e == 0)
        r->room = (uint32_t)tasks;
    else if (tasks < r->room) /* its jobs would keep more than the profile says */
        run_kill(r, REASON_KILLED);
    return -e;
}

void run_take_spare(struct run *r)
{
    struct spare *s = r->launcher->spare;
    r->pid = s->pid;
    r->pidfd = TAKE_FD(s->pidfd);
    r->report_fd = TAKE_FD(s->sock);
    r->number = s->number;
    r->cgroup = s->cgroup;
    s->cgroup = (struct cgroup){ .dir = CGROUP_NO_DIRS };
    s->pid = 0;
}

static int start_alone(struct run *r, struct error *err)
{
    struct launcher *l = r->launcher;
    int e = spare_have(l, l->spare, err);
    if (e < 0)
        return e;
    run_take_spare(r);
    watch(l, r->pidfd, r, EVENT_GONE);
    watch(l, r->report_fd, r, EVENT_REPORT);
    e = send_work(r, err);
    if (e == 0)
        e = help_init(r, err);
    if (e < 0) { /* init is waiting for us: end it, and let its end tell this error */
        r->has_failed = true;
        r->report.error = *err;
        run_kill(r, REASON_SANDBOX_ERROR);
    }
    return 0;
}

void run_answer_error(struct launcher *l, struct connection *connection, uint64_t tag, const struct error *err)
{
    struct outcome o = { .cgroup = (uint8_t)l->cgroups.kind };
    outcome_set_error(&o, err);
    control_answer(connection, tag, &o);
}

static void refuse(struct launcher *l, struct run *r, const struct error *err)
{
    cgroup_destroy(&l->cgroups, &r->cgroup);
    run_answer_error(l, r->connection, r->tag, err);
    run_free(r);
}

struct run *run_new(struct launcher *l, struct connection *connection, uint64_t tag, struct bytes message)
{
    struct run *r = private_alloc(sizeof *r + message.size);
    if (!r)
        abort(); /* the launcher cannot serve without a few kilobytes; its client sees the end of file */
    *r = (struct run){ .launcher = l,
                       .connection = connection,
                       .tag = tag,
                       .pidfd = -1,
                       .report_fd = -1,
                       .notify = { .listener = -1, .events = -1 },
                       .home_fd = -1,
                       .broker.sock = -1,
                       .freeze.guard_pipe = -1,
                       .start_us = now_us(),
                       .forced = REASON_COMPLETED,
                       .cgroup = { .dir = CGROUP_NO_DIRS },
                       .message_size = message.size };
    for (size_t i = 0; i < ARRAY_LEN(r->fds); i++)
        r->fds[i] = -1;
    memcpy(r->message, message.data, message.size);
    return r;
}

void run_start(struct run *r)
{
    struct launcher *l = r->launcher;
    struct error err = { 0 };
    r->number = l->next_number++;
    if (plan_check(&r->shape, &r->job, &err) < 0) {
        refuse(l, r, &err);
        return;
    }
    r->room = r->shape.room_max ? 1 : 0; /* the steward itself */
    r->deadline_us = is_waiting(r) ? UINT64_MAX : r->start_us + r->job.timeout_ms * 1000;
    r->setup_until_us = r->start_us + RUN_SETUP_LIMIT_US;
    r->next_us = MIN_OF(r->deadline_us, r->setup_until_us);
    r->notify.events = TAKE_FD(r->fds[RUN_FD_EVENTS]);
    r->notify.start_us = r->start_us;
    if (r->shape.watch & NOTIFY_STDIO)
        notify_note_streams(r);
    int e = slot_is_possible(r) ? slot_start(r, &err) : start_alone(r, &err);
    if (e < 0) {
        refuse(l, r, &err);
        return;
    }
    close_work_fds(r); /* init has its own; ours would keep the client's pipes open */
    r->next = l->runs;
    l->runs = r;
    l->run_count++;
}

/* Init reports what it reaped, and one that is killed reports nothing: so this is looked up before. */
static uint64_t cpu_until_now(const struct run *r)
{
    uint64_t us = 0;
    if (r->cgroup.kind != CGROUP_NONE && cgroup_cpu_us(&r->cgroup, &us))
        return us - MIN_OF(us, r->before_cpu_us);
    return measure_cpu_us(r); /* v1 without cpuacct beside cpu, or no group at all */
}

void run_kill(struct run *r, enum run_reason why)
{
    if (r->forced == REASON_COMPLETED)
        r->forced = why;
    if (r->state == RUN_KILLED)
        return;
    r->state = RUN_KILLED;
    r->measure.cpu_us = MAX_OF(r->measure.cpu_us, r->has_started ? cpu_until_now(r) : 0);
    if (r->pidfd >= 0)
        (void)sys_pidfd_send_signal(r->pidfd, SIGKILL); /* ESRCH: it ended by itself */
    freeze_end(r);                                      /* behind it: nothing of the code runs again */
    if (r->slot)
        r->next_us = r->give_up_us = now_us() + RUN_KEEPER_US;
    else
        cgroup_lift(&r->cgroup);
}

static void explain(struct run *r, struct outcome *o)
{
    if (r->has_failed) {
        outcome_set_error(o, &r->report.error);
    } else if (o->reason == REASON_SANDBOX_ERROR) {
        (void)err_set(&r->report.error, -EIO, BLAME_HOST, "INIT",
                      "pid 1 of the sandbox died before the program started");
        outcome_set_error(o, &r->report.error);
    }
}

static bool wants_samples(const struct run *r)
{
    return r->shape.watch & NOTIFY_SAMPLES && r->notify.events >= 0;
}

/* Once per run: when init has reported the end, or is dead. */
static void tell(struct run *r)
{
    struct cgroup_usage u;
    if (r->is_told)
        return;
    r->is_told = true;
    cgroup_read_usage(&r->cgroup, &u);
    if (wants_samples(r)) /* since the last sample; what ended the run may be among it */
        sample_hits(r, &u, true);
    u.oom_kills -= r->before.oom_kills;
    u.pids_hits += r->forks.refused - r->before.pids_hits;
    struct outcome o = { .reason = (uint8_t)decide_reason(r, &u),
                         .is_unused = r->job.park_fd &&
                                      (!r->has_work || !r->has_started || (r->has_ended && r->report.is_unused)),
                         .prepared = r->report.is_forked ? PREPARED_FORKED
                                     : r->job.park_fd    ? PREPARED_PARKED
                                     : r->was_slot       ? PREPARED_SLOT
                                                         : PREPARED_COLD,
                         .is_silent = r->is_silent };
    explain(r, &o);
    fill_exit(r, &o);
    if (r->has_started)
        fill_force(r, &o);
    fill_usage(r, &u, &o);
    fill_steps(r, &o);
    control_answer(r->connection, r->tag, &o);
    strlist_done(&o.missing);
}

void run_end(struct run *r, uint64_t cpu_us)
{
    (void)sys_pidfd_send_signal(r->pidfd, SIGKILL); /* with it the program, which will not return from its call */
    r->report.cpu_us = cpu_us;
    r->report.wait_status = 0;
    r->report.is_unused = 0;
    r->has_ended = r->is_silent = true;
    tell(r);
}

/* Of a session, whose client wants to know what is in force before the end. */
static void tell_opened(struct run *r)
{
    struct outcome o = { .prepared = PREPARED_COLD };
    if (!r->job.steward_fd)
        return;
    fill_force(r, &o);
    o.started_us = started_after(r);
    control_opened(r->connection, r->tag, &o);
    strlist_done(&o.missing);
}

/* Where only the meter wants it, a long run is looked at less often: every 16th part of what it has lasted. */
static uint64_t sample_wait_us(const struct run *r, uint64_t now)
{
    return wants_samples(r) ? RUN_SAMPLE_US : MAX_OF((uint64_t)RUN_SAMPLE_US, (now - r->start_us) / 16);
}

static uint64_t next_tick(const struct run *r, uint64_t now)
{
    const bool is_measured = r->cgroup.kind == CGROUP_NONE;
    uint64_t tick = now + (r->measure.is_close     ? RUN_CLOSE_US
                           : is_measured           ? RUN_MEASURE_US
                           : r->job.ends_fork_bomb ? RUN_SAMPLE_US
                                                   : sample_wait_us(r, now));
    switch (r->state) {
    case RUN_SETTING_UP:
        return MIN_OF(r->setup_until_us, r->deadline_us);
    case RUN_PARKED: /* its client ends it, long before */
        return is_measured ? MIN_OF(tick, r->start_us + RUN_PARKED_US) : r->start_us + RUN_PARKED_US;
    case RUN_RUNNING:
        return MIN_OF(r->freeze.is_trying ? now + (freeze_is_exact(r) ? FREEZE_LOOK_US : STOP_LOOK_US) : tick,
                      r->deadline_us);
    case RUN_WARNED:
        return r->kill_us;
    case RUN_KILLED:
        return r->slot ? r->give_up_us : UINT64_MAX;
    }
    return UINT64_MAX;
}

void run_note_usage(struct run *r)
{
    cgroup_read_usage(&r->cgroup, &r->before);
    if (!cgroup_cpu_us(&r->cgroup, &r->before_cpu_us))
        r->before_cpu_us = 0;
}

/* Its init died while it waited, and its event is still to come: what it was given would be lost with it. */
static bool is_gone(const struct run *r)
{
    struct pollfd f = { .fd = r->pidfd, .events = POLLIN };
    return poll(&f, 1, 0) == 1;
}

/* From now on deadline, times and counters are the run's. */
void run_give_work(struct run *r, const struct work *w, struct bytes bytes, int code)
{
    r->has_work = true;
    r->start_us = r->notify.start_us = now_us();
    r->job.timeout_ms = w->timeout_ms;
    r->job.grace_ms = w->grace_ms;
    r->deadline_us = r->start_us + w->timeout_ms * 1000;
    /* one that still sets up reads it afterwards */
    if (is_gone(r) || run_send_down(r->report_fd, DOWN_WORK, r->start_us, bytes, &code, 1) < 0) {
        r->has_work = false;
        run_kill(r, REASON_SANDBOX_ERROR);
        return;
    }
    if (r->state == RUN_PARKED)
        r->state = RUN_RUNNING;
    r->next_us = next_tick(r, r->start_us);
}

void run_on_report(struct run *r)
{
    struct report in;
    int listener = -1;
    size_t fd_count;
    ssize_t n = receive_message(r->report_fd, &in, sizeof in, &listener, 1, &fd_count);
    if (n != (ssize_t)sizeof in) {
        /* end of file: init is dying; its pidfd tells the rest */
        (void)epoll_ctl(r->launcher->epoll, EPOLL_CTL_DEL, r->report_fd, NULL);
        return;
    }
    if (in.type == REPORT_LISTENER) {
        r->report.features = in.features; /* it may ask before init has said that it started */
        r->report.landlock_abi = in.landlock_abi;
        r->report.own_dev_count = MIN_OF(in.own_dev_count, (uint32_t)OWN_DEVS_MAX);
        memcpy(r->report.own_devs, in.own_devs, sizeof in.own_devs);
        if (fd_count == 1 && r->notify.listener < 0)
            notify_attach(r, listener);
        else
            closep(&listener);
        return;
    }
    in.error.text[sizeof in.error.text - 1] = '\0';
    in.error.step[sizeof in.error.step - 1] = '\0';
    in.error.remedy[sizeof in.error.remedy - 1] = '\0';
    bool failed_before = r->has_failed;
    struct error before = r->report.error;
    r->report = in;
    if (failed_before) /* the first error is the cause */
        r->report.error = before;
    if (in.type == REPORT_STARTED) {
        r->has_started = true;
        if (r->job.park_fd) /* nothing is used while it waits, and when its work comes there is no time to look */
            run_note_usage(r);
        if (r->state == RUN_SETTING_UP)
            r->state = is_waiting(r) ? RUN_PARKED : RUN_RUNNING;
        tell_opened(r);
        r->next_us = next_tick(r, now_us());
    } else if (in.type == REPORT_FAILED) {
        r->has_failed = true;
    } else if (in.type == REPORT_ENDED) {
        r->has_ended = true;
        tell(r); /* first the answer, then the broom */
        broker_end(r);
    }
}

static void unlink_run(struct run *r)
{
    struct run **p = &r->launcher->runs;
    while (*p != r)
        p = &(*p)->next;
    *p = r->next;
    r->launcher->run_count--;
}

static void bury(struct run *r)
{
    struct launcher *l = r->launcher;
    freeze_end(r);
    broker_stop(r);
    connector_stop(r);
    if (r->slot)
        slot_release(r);
    else
        cgroup_destroy(&l->cgroups, &r->cgroup);
    unlink_run(r);
    run_free(r);
}

void run_on_gone(struct run *r)
{
    siginfo_t info = { 0 };
    if (r->is_lingering)
        return; /* told before, by a keeper that died as well */
    if (!r->slot && syscall(SYS_waitid, P_PIDFD, r->pidfd, &info, WEXITED | WNOHANG, NULL) == 0 && info.si_pid == 0)
        return; /* spurious. ECHILD: another process reaped it, and it is gone all the same */
    while (!r->is_told && recv(r->report_fd, &(char){ 0 }, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
        run_on_report(r);
    tell(r);
    if (!r->broker.pid || !r->has_ended) {
        bury(r);
        return;
    }
    unwatch(r->launcher, &r->pidfd);
    r->is_lingering = true;
    r->next_us = now_us() + (r->broker.is_busy ? RUN_DELIVER_US : RUN_LINGER_US);
}

void run_on_broker_end(struct run *r)
{
    if (r->is_lingering)
        bury(r);
}

/* A fork bomb meets the limit thousands of times a second; a pool that probes its bound does not. */
#define FORK_BOMB_HITS 200

static void check_fork_bomb(struct run *r)
{
    if (cgroup_pids_hits(&r->cgroup) - r->before.pids_hits + r->forks.refused > FORK_BOMB_HITS)
        run_kill(r, REASON_PIDS_LIMIT);
}

void run_tick(struct run *r, uint64_t now)
{
    if (now < r->next_us)
        return;
    if (r->is_lingering) {
        bury(r);
        return;
    }
    freeze_tick(r, now);
    if (r->state == RUN_KILLED && r->slot) {
        slot_give_up(r->slot);
        r->give_up_us = UINT64_MAX;
    }
    if (r->state == RUN_SETTING_UP && now >= r->setup_until_us) {
        (void)err_set(&r->report.error, -ETIMEDOUT, BLAME_HOST, "SETUP", "set-up took longer than 10 s");
        r->has_failed = true;
        run_kill(r, REASON_SANDBOX_ERROR);
    }
    if (r->state < RUN_WARNED && now >= r->deadline_us) {
        if (r->forced == REASON_COMPLETED)
            r->forced = REASON_TIMEOUT;
        r->state = RUN_WARNED;
        r->kill_us = now + r->job.grace_ms * 1000;
        (void)sys_pidfd_send_signal(r->pidfd, SIGTERM);
    }
    if (r->state == RUN_WARNED && now >= r->kill_us)
        run_kill(r, REASON_TIMEOUT);
    if (r->state == RUN_PARKED && now >= r->start_us + RUN_PARKED_US)
        run_kill(r, REASON_KILLED);
    if ((r->state == RUN_RUNNING || r->state == RUN_PARKED) && r->cgroup.kind == CGROUP_NONE)
        measure_tick(r, now);
    else if (r->state == RUN_RUNNING && r->job.ends_fork_bomb)
        check_fork_bomb(r);
    if (r->state == RUN_RUNNING && now >= r->sample_us) {
        if (wants_samples(r))
            sample_tick(r);
        else
            sample_memory(r);
        r->sample_us = now + sample_wait_us(r, now);
    }
    r->next_us = next_tick(r, now);
}
