/* sandbox-launcher: owns sandboxes, on behalf of a process that holds the other end of descriptor 3.
 *
 * Started by sandbox-agent for one run (argument «once»: make only one spare ahead), or kept by the service for
 * many, or started by systemd for a process that connects (Accept=yes). Takes no environment; ends, with everything it
 * made, when descriptor 3 does.
 */
#include "launch/control.h"
#include "launch/slot.h"
#include "launch/spare.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define SWEEP_EVERY_US UINT64_C(5000000)
#define THOROUGH_EVERY 16 /* runs of a command line, about */

static int next_timeout_ms(const struct launcher *l)
{
    uint64_t next = l->is_for_one_run ? UINT64_MAX : l->sweep_us, now = now_us();
    for (const struct run *r = l->runs; r; r = r->next)
        next = MIN_OF(next, r->notify.pace.count ? MIN_OF(pace_due_us(&r->notify.pace), r->next_us) : r->next_us);
    if (next == UINT64_MAX)
        return -1;
    return next <= now ? 0 : (int)MIN_OF((next - now + 999) / 1000, (uint64_t)60000);
}

static void tick_all(struct launcher *l)
{
    uint64_t now = now_us();
    for (struct run *r = l->runs, *next; r; r = next) {
        next = r->next; /* a tick may free its run */
        notify_refuse_late(&r->notify);
        run_tick(r, now);
    }
}

static void leave(struct launcher *l)
{
    control_close(l);
    for (struct run *r = l->runs; r; r = r->next)
        run_kill(r, REASON_KILLED);
}

static void on_event(struct launcher *l, const struct epoll_event *e)
{
    void *owner = (void *)(uintptr_t)(e->data.u64 & ~(uint64_t)EVENT_MASK);
    unsigned kind = e->data.u64 & EVENT_MASK;
    if (kind == EVENT_CONNECTION) {
        if (!control_on_event(owner, e->events))
            leave(l);
    } else if (kind == EVENT_GONE) {
        run_on_gone(owner);
    } else if (kind == EVENT_REPORT) {
        run_on_report(owner);
    } else if (kind == EVENT_NOTIFY) {
        notify_on_event(owner, e->events);
    } else if (kind == EVENT_ROOM) {
        notify_on_room(owner);
    } else if (kind == EVENT_BROKER) {
        broker_on_event(owner);
    } else {
        slot_on_event(owner);
    }
}

/* One event at a time: handling one may free what the next one of a batch points to. */
/* What a launcher that was killed has left, and what of our own was still busy when it was to be removed. A command
 * line's does it once, at its end. */
static void sweep_now_and_then(struct launcher *l)
{
    uint64_t now = now_us();
    if (l->is_for_one_run || now < l->sweep_us)
        return;
    (void)cgroup_sweep(&l->cgroups, true);
    slots_expire(l, now);
    l->sweep_us = now + SWEEP_EVERY_US;
}

static void serve(struct launcher *l)
{
    while (!l->is_leaving || l->runs) {
        struct epoll_event e;
        struct error err;
        if (!l->is_leaving && !l->spare->pid && (!l->is_for_one_run || l->next_number == 1))
            (void)spare_make(l, l->spare, &err); /* told when a process wants it and it fails again */
        if (epoll_wait(l->epoll, &e, 1, next_timeout_ms(l)) == 1)
            on_event(l, &e);
        tick_all(l);
        sweep_now_and_then(l);
    }
}

/* What survives exec and would bite us: ignored SIGCHLD (children would reap themselves), blocked signals, a low soft
 * limit of descriptors. And what the terminal has sent to all of the command line's group before we left it: that is
 * for the command line, which tells us; ignoring a signal that waits discards it. */
static void reset_surroundings(void)
{
    static const int of_the_terminal[] = { SIGINT, SIGQUIT, SIGHUP };
    sigset_t none;
    struct rlimit r;
    (void)setsid();
    for (size_t i = 0; i < ARRAY_LEN(of_the_terminal); i++) {
        (void)signal(of_the_terminal[i], SIG_IGN);
        (void)signal(of_the_terminal[i], SIG_DFL);
    }
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
        r.rlim_cur = r.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &r); /* cannot fail: only the soft limit moves */
    }
}

int main(int argc, char **argv)
{
    struct spare spare = { .pidfd = -1, .sock = -1 };
    struct launcher l = { .next_number = 1,
                          .is_root = geteuid() == 0,
                          .spare = &spare,
                          .is_for_one_run = argc == 2 && str_eq(argv[1], "once") };
    if (argc > 1 + l.is_for_one_run || !is_message_socket(CONTROL_FD)) {
        static const char text[] =
            "sandbox-launcher: started by sandbox-agent with a socket as descriptor 3; not for use by hand\n";
        ssize_t n = write(2, text, sizeof text - 1);
        (void)n;
        return 2;
    }
    reset_surroundings();
    (void)sys_close_range(CONTROL_FD + 1, ~0u);
    l.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (l.epoll < 0 || control_open(&l) < 0)
        return 125;
    /* the first spare works while we look around; only on v2 must its group be there before it is */
    struct error err;
    if (cgroup_is_v2())
        cgroup_find(&l.cgroups, !l.is_for_one_run);
    (void)spare_make(&l, &spare, &err);
    if (l.cgroups.kind != CGROUP_V2)
        cgroup_find(&l.cgroups, !l.is_for_one_run);
    l.enforce_fd = open(SELINUX_ENFORCE, O_RDONLY | O_CLOEXEC);
    l.has_apparmor = access("/proc/self/attr/apparmor/current", F_OK) == 0;
    serve(&l);
    spare_free(&l, &spare);
    slots_free(&l);
    cgroup_leave(&l.cgroups);
    /* last: no process waits for us any more */
    (void)cgroup_sweep(&l.cgroups, !l.is_for_one_run || getpid() % THOROUGH_EVERY == 0);
    return 0;
}
