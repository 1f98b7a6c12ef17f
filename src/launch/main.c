/* sandbox-launcher: owns sandboxes, on behalf of whoever holds the other end of descriptor 3.
 *
 * Started by sandbox-agent for one run (argument «once»: make only one spare ahead), or kept by the service for
 * many. Takes no environment; ends, with everything it made, when descriptor 3 does.
 */
#include "launch/slot.h"
#include "launch/spare.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define CONTROL_FD 3

static void close_all(int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        closep(&fds[i]);
}

/* Descriptors arrive in the order of RUN_FD_*; a message with any other number is not ours. */
static bool take_fds(struct msghdr *msg, int fds[static RUN_FD_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(msg); h; h = CMSG_NXTHDR(msg, h)) {
        if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(h) + i * sizeof fd, sizeof fd);
            if (count < RUN_FD_MAX)
                fds[count] = fd;
            else
                (void)close(fd);
            count++;
        }
    }
    return count == RUN_FD_COUNT || count == RUN_FD_MAX || count == 0;
}

static void on_kill(struct launcher *l, uint64_t tag, struct unpack *u)
{
    uint64_t why = unpack_u64(u);
    if (unpack_end(u) < 0 || why >= REASON_COUNT)
        return;
    for (struct run *r = l->runs; r; r = r->next)
        if (r->tag == tag)
            run_kill(r, (enum run_reason)why);
}

/* Somebody waits for an answer to everything that calls itself a run. */
static void answer_garbage(struct launcher *l, uint64_t tag, int fds[static RUN_FD_MAX])
{
    struct error err = { 0 };
    close_all(fds, RUN_FD_MAX);
    (void)err_set(&err, -EBADMSG, BLAME_HOST, "REQUEST",
                  "a run request arrived damaged or without its descriptors (is `ulimit -n` too low?)");
    run_answer_error(l, tag, &err);
}

/* Safe even if the client is owned: lengths are checked by unpack, values by plan_check(), descriptors are only
 * handed to the sandbox that the same client asked for. */
static void on_run(struct launcher *l, uint64_t tag, char *message, struct unpack *u,
                   int fds[static RUN_FD_MAX])
{
    static struct shape shape; /* 6 KiB: kept off the stack that init inherits */
    static struct job job;
    shape = (struct shape){ 0 };
    job = (struct job){ 0 };
    const char *begin = u->p;
    unpack_fields(u, shape_fields, shape_field_count, &shape);
    struct bytes shape_bytes = { begin, (uint32_t)(u->p - begin) };
    unpack_fields(u, job_fields, job_field_count, &job);
    if (unpack_end(u) < 0 || fds[RUN_FD_CODE] < 0) {
        answer_garbage(l, tag, fds);
        free(message);
        return;
    }
    run_start(l, tag, message, &shape, &job, shape_bytes, fds);
}

/* False when the client is gone. */
static bool on_control(struct launcher *l)
{
    static char incoming[PLAN_MAX_MESSAGE];
    union {
        char buf[CMSG_SPACE(sizeof(int) * 16)];
        struct cmsghdr align;
    } control;
    struct iovec iov = { incoming, sizeof incoming };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
                          .msg_controllen = sizeof control.buf };
    int fds[RUN_FD_MAX];
    ssize_t n = recvmsg(l->control, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n == 0)
        return false;
    bool fds_ok = take_fds(&msg, fds);
    struct unpack head = unpack_start(incoming, (size_t)n);
    uint64_t type = unpack_u64(&head), tag = unpack_u64(&head);
    if (type == MESSAGE_KILL)
        on_kill(l, tag, &head);
    if (type != MESSAGE_RUN) {
        close_all(fds, RUN_FD_MAX);
        return true;
    }
    if (!fds_ok || msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        answer_garbage(l, tag, fds);
        return true;
    }
    char *copy = malloc((size_t)n);
    if (!copy) {
        close_all(fds, RUN_FD_MAX);
        return false;
    }
    memcpy(copy, incoming, (size_t)n);
    struct unpack u = unpack_start(copy, (size_t)n);
    (void)unpack_u64(&u);
    (void)unpack_u64(&u);
    on_run(l, tag, copy, &u, fds);
    return true;
}

static int next_timeout_ms(const struct launcher *l)
{
    uint64_t next = UINT64_MAX, now = now_us();
    for (const struct run *r = l->runs; r; r = r->next)
        next = MIN_OF(next, r->next_us);
    if (next == UINT64_MAX)
        return -1;
    return next <= now ? 0 : (int)MIN_OF((next - now + 999) / 1000, (uint64_t)60000);
}

static void tick_all(struct launcher *l)
{
    uint64_t now = now_us();
    for (struct run *r = l->runs, *next; r; r = next) {
        next = r->next; /* ticks never free a run */
        run_tick(r, now);
    }
}

static void kill_all(struct launcher *l)
{
    for (struct run *r = l->runs; r; r = r->next)
        run_kill(r, REASON_KILLED);
}

/* One event at a time: handling one may free what the next one of a batch points to. */
static void serve(struct launcher *l)
{
    bool is_leaving = false;
    while (!is_leaving || l->runs) {
        struct epoll_event e;
        struct error err;
        if (!is_leaving && !l->spare->pid && (!l->is_for_one_run || l->next_number == 1))
            (void)spare_make(l, l->spare, &err); /* told when somebody wants it and it fails again */
        int n = epoll_wait(l->epoll, &e, 1, next_timeout_ms(l));
        if (n == 1) {
            void *p = (void *)(uintptr_t)(e.data.u64 & ~(uint64_t)EVENT_MASK);
            unsigned kind = e.data.u64 & EVENT_MASK;
            if (!p && !on_control(l)) {
                is_leaving = true;
                (void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, l->control, NULL);
                kill_all(l);
            } else if (p && kind == EVENT_GONE) {
                run_on_gone(p);
            } else if (p && kind == EVENT_REPORT) {
                run_on_report(p);
            } else if (p && kind == EVENT_NOTIFY) {
                notify_on_event(p, e.events);
            } else if (p && kind == EVENT_SLOT) {
                slot_on_event(p);
            }
        }
        tick_all(l);
    }
}

/* What survives exec and would bite us: ignored SIGCHLD (children would reap themselves), blocked signals, a low soft
 * limit of descriptors. */
static void reset_surroundings(void)
{
    sigset_t none;
    struct rlimit r;
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
    struct launcher l = { .control = CONTROL_FD, .next_number = 1, .is_root = geteuid() == 0, .spare = &spare,
                          .is_for_one_run = argc == 2 && str_eq(argv[1], "once") };
    int type;
    socklen_t size = sizeof type;
    if (argc > 1 + l.is_for_one_run || getsockopt(CONTROL_FD, SOL_SOCKET, SO_TYPE, &type, &size) < 0 ||
        type != SOCK_SEQPACKET) {
        static const char text[] =
            "sandbox-launcher: started by sandbox-agent with a socket as descriptor 3; not for use by hand\n";
        ssize_t n = write(2, text, sizeof text - 1);
        (void)n;
        return 2;
    }
    reset_surroundings();
    (void)fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    (void)sys_close_range(CONTROL_FD + 1, ~0u);
    /* a ^C at the terminal is for the command line, which tells us; we clean up in any case */
    (void)setsid();
    l.epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event e = { .events = EPOLLIN, .data.u64 = 0 };
    if (l.epoll < 0 || epoll_ctl(l.epoll, EPOLL_CTL_ADD, CONTROL_FD, &e) < 0)
        return 125;
    cgroup_find(&l.cgroups);
    l.has_apparmor = access("/proc/self/attr/apparmor/current", F_OK) == 0;
    serve(&l);
    spare_free(&l, &spare);
    slots_free(&l);
    cgroup_leave(&l.cgroups);
    (void)cgroup_sweep(&l.cgroups); /* last: nobody waits for us any more */
    return 0;
}
