/* broker.c - starts a run's broker (src/broker/broker.h) at its first network call, and hears of its end.
 *
 * The broker is a program of its own, beside this one: what it parses (addresses, rules, DNS) never enters the
 * launcher. Rules go through here unread. Its death ends the run: no process would answer the sandbox's calls any more.
 */
#include "launch/slot.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "broker/start.h"

/* after the run's own end: then no process is left who could tell the broker to go */
#define BROKER_PATIENCE_US (10u * 1000 * 1000)

bool is_tcp_fenced(const struct run *r)
{
    return r->shape.is_brokered && feature_has(r->report.features, FEATURE_LANDLOCK) && r->report.landlock_abi >= 4;
}

static int find_program(char out[static 512])
{
    ssize_t n = readlink("/proc/self/exe", out, 480);
    if (n <= 0)
        return -errno;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (!slash)
        return -ENOENT;
    (void)snprintf(slash + 1, 32, "sandbox-broker");
    return 0;
}

/* In the vforked child: only system calls. */
static _Noreturn void become_broker(const char *program, int sock, volatile int *exec_errno)
{
    char *const argv[] = { (char *)"sandbox-broker", NULL }, *const envp[] = { NULL };
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int control = fcntl(sock, F_DUPFD_CLOEXEC, 16);
    for (int i = 0; i < 3 && null >= 0; i++)
        (void)dup2(null, i); /* the client's streams must end when the client's business does */
    if (control >= 0 && dup2(control, 3) == 3)
        (void)execve(program, argv, envp);
    *exec_errno = errno;
    _exit(125);
}

static int spawn(struct run *r, int sock, struct error *err)
{
    char program[512];
    volatile int exec_errno = 0;
    int e = find_program(program);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "BROKER", "/proc/self/exe: %s", strerror(-e));
    pid_t pid = vfork();
    if (pid == 0)
        become_broker(program, sock, &exec_errno);
    if (pid > 0 && exec_errno)
        (void)waitpid(pid, NULL, 0);
    if (pid < 0 || exec_errno) {
        (void)err_set(err, pid < 0 ? -errno : -exec_errno, BLAME_HOST, "BROKER", "start %s: %s", program,
                      strerror(pid < 0 ? errno : exec_errno));
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    r->broker.pid = pid;
    return 0;
}

/* The sandbox's namespaces, by way of the process that asks: init's own are not for an ordinary user to open. */
static int open_namespace(uint32_t pid, const char *name, struct error *err)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%u/ns/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? err_set(err, -errno, BLAME_HOST, "BROKER", "open %s: %m", path) : fd;
}

static int send_start(struct run *r, int sock, const struct seccomp_notif *pending, struct error *err)
{
    cleanup(closep) int user = open_namespace(pending->pid, "user", err);
    if (user < 0)
        return user;
    cleanup(closep) int net = open_namespace(pending->pid, "net", err);
    if (net < 0)
        return net;
    if (!notify_is_alive(
            &r->notify,
            pending->id)) /* then its number may be another process's, of the host even, and so are these namespaces */
        return err_set(err, -ESRCH, BLAME_HOST, "BROKER", "the process that asked is gone");
    const struct broker_start start = { .uid = r->shape.uid,
                                        .gid = r->shape.gid,
                                        .start_us = r->start_us,
                                        .watch = r->shape.watch,
                                        .deadline_us = r->deadline_us + r->job.grace_ms * 1000 + BROKER_PATIENCE_US,
                                        .has_pending = 1,
                                        .pending = *pending,
                                        .is_tcp_fenced = is_tcp_fenced(r),
                                        .rules_size = r->job.network.size,
                                        .verdicts_size = r->shape.verdicts.size };
    const struct iovec parts[] = { { (void *)(uintptr_t)&start, sizeof start },
                                   { (void *)(uintptr_t)r->job.network.data, r->job.network.size },
                                   { (void *)(uintptr_t)r->shape.verdicts.data, r->shape.verdicts.size } };
    const int fds[BROKER_FD_COUNT] = { [BROKER_FD_LISTENER] = r->notify.listener,
                                       [BROKER_FD_EVENTS] = r->notify.events,
                                       [BROKER_FD_USER_NS] = user,
                                       [BROKER_FD_NET_NS] = net };
    int e = send_parts(sock, parts, ARRAY_LEN(parts), fds, ARRAY_LEN(fds));
    return e < 0 ? err_set(err, e, BLAME_HOST, "BROKER", "hand over the listener: %s", strerror(-e)) : 0;
}

static int start(struct run *r, const struct seccomp_notif *pending, struct error *err)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "BROKER", "socketpair: %m");
    cleanup(closep) int theirs = pair[1];
    r->broker.sock = pair[0];
    int e = spawn(r, theirs, err);
    if (e == 0)
        e = send_start(r, r->broker.sock, pending, err);
    if (e < 0)
        return e;
    watch(r->launcher, r->broker.sock, r, EVENT_BROKER);
    /* from now on it receives what is asked; we keep ours for the forks that it passes on */
    (void)epoll_ctl(r->launcher->epoll, EPOLL_CTL_DEL, r->notify.listener, NULL);
    return 0;
}

static void fail(struct run *r, const struct error *err)
{
    if (!r->has_failed && !r->has_ended) {
        r->has_failed = true;
        r->report.error = *err;
    }
    run_kill(r, REASON_SANDBOX_ERROR);
}

void broker_start(struct run *r, const struct seccomp_notif *pending)
{
    struct error err = { 0 };
    if (r->notify.events < 0 || !r->shape.is_brokered) { /* plan_check() saw to it that this cannot be */
        notify_answer(&r->notify, pending->id, 0, ENETUNREACH);
        return;
    }
    if (start(r, pending, &err) < 0) {
        broker_stop(r);
        if (!notify_is_alive(&r->notify, pending->id))
            return; /* it was killed on the way, alone or with all of them: a process that asks next starts another */
        notify_answer(&r->notify, pending->id, 0, ENETUNREACH);
        fail(r, &err);
    }
}

void broker_end(struct run *r)
{
    if (r->broker.sock >= 0)
        (void)shutdown(r->broker.sock, SHUT_WR);
}

void broker_stop(struct run *r)
{
    unwatch(r->launcher, &r->broker.sock);
    if (r->broker.pid > 0) {
        (void)kill(r->broker.pid, SIGKILL); /* its children die with it */
        (void)waitpid(r->broker.pid, NULL, 0);
    }
    r->broker.pid = 0;
}

void broker_on_event(struct run *r)
{
    struct broker_message m;
    struct error err = { 0 };
    size_t count;
    ssize_t n = receive_message(r->broker.sock, &m, sizeof m, NULL, 0, &count);
    if (n == (ssize_t)sizeof m && m.type == BROKER_READY)
        return;
    if (n == (ssize_t)sizeof m && m.type == BROKER_FORK) {
        notify_on_fork(r, m.pid, m.id);
        return;
    }
    if (n == (ssize_t)sizeof m && m.type == BROKER_BUSY) {
        r->broker.is_busy = true;
        if (r->is_lingering)
            r->next_us = now_us() + RUN_DELIVER_US;
        return;
    }
    if (n == (ssize_t)sizeof m && m.type == BROKER_ABORT) {
        orphan_abort(&m.socket);
        return;
    }
    if (n == (ssize_t)sizeof m && m.type == BROKER_UNIX) {
        connector_start(r, &m.ask);
        return;
    }
    if (n == (ssize_t)sizeof m && m.type == BROKER_LIMIT) {
        m.text[sizeof m.text - 1] = '\0';
        const struct watch_event e = {
            .kind = WATCH_LIMIT, .at_us = now_us() - r->start_us, .text = m.text, .args = { 1 }
        };
        notify_tell(&r->notify, &e);
        run_kill(r, REASON_KILLED);
        return;
    }
    bool is_over = r->has_ended || r->state == RUN_KILLED;
    if (n == (ssize_t)sizeof m && m.type == BROKER_FAILED) {
        m.text[sizeof m.text - 1] = '\0';
        (void)err_set(&err, -EIO, BLAME_HOST, "BROKER", "%s", m.text);
    } else {
        (void)err_set(&err, -EIO, BLAME_HOST, "BROKER", "the broker of the sandbox's network died");
    }
    broker_stop(r);
    if (!is_over)
        fail(r, &err);
    run_on_broker_end(r);
}
