#include "run/client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "base/message.h"

/* In the vforked child, which shares our memory, whatever our other threads do meanwhile: only system calls. */
static _Noreturn void become_launcher(const char *launcher, char *const *argv, int sock, volatile int *ret_errno)
{
    char *const envp[] = { NULL };
    int fd = sock == 3 ? dup(sock) : sock; /* dup2 onto itself would keep CLOEXEC */
    if (fd >= 0 && dup2(fd, 3) == 3)
        (void)execve(launcher, argv, envp);
    *ret_errno = errno;
    _exit(125);
}

static int start(struct client *c, const char *launcher, char *const *argv, struct error *err)
{
    int pair[2];
    *c = (struct client){ .sock = -1, .pid = -1 };
    if (access(launcher, X_OK) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "LAUNCHER", "%s: %m", launcher);
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "LAUNCHER", "socketpair: %m");
    volatile int exec_errno = 0;
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all,
                      &before); /* of this thread: no handler of ours may run in the child. It unblocks them itself */
    pid_t pid = vfork();
    if (pid == 0)
        become_launcher(launcher, argv, pair[1], &exec_errno);
    int e = pid < 0 ? errno : exec_errno;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    (void)close(pair[1]);
    if (e) {
        if (pid > 0)
            (void)waitpid(pid, NULL, 0);
        (void)close(pair[0]);
        return err_set(err, -e, BLAME_HOST, "LAUNCHER", "start %s: %s", launcher, strerror(e));
    }
    c->sock = pair[0];
    c->pid = pid;
    (void)snprintf(c->name, sizeof c->name, "%s", argv[0]);
    return 0;
}

int client_start(struct client *c, const char *launcher, struct error *err)
{
    char *const argv[] = { (char *)strrchr(launcher, '/') + 1, (char *)"once", NULL };
    return start(c, launcher, argv, err);
}

int client_start_resident(struct client *c, const char *launcher, struct error *err)
{
    char *const argv[] = { (char *)strrchr(launcher, '/') + 1, NULL };
    return start(c, launcher, argv, err);
}

/* Several threads may do so at once: each message on a SOCK_SEQPACKET socket is one send, which the kernel takes whole,
 * with its descriptors, or not at all. */
int client_connection(const struct client *owner, struct client *ret, struct error *err)
{
    int pair[2];
    const uint64_t words[2] = { MESSAGE_CONNECTION, 0 };
    *ret = (struct client){ .sock = -1 };
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "LAUNCHER", "socketpair: %m");
    int e = send_message(owner->sock, words, sizeof words, &pair[1], 1);
    (void)close(pair[1]);
    if (e < 0) {
        (void)close(pair[0]);
        return err_set(err, e, BLAME_HOST, "LAUNCHER", "open a connection: %s", strerror(-e));
    }
    ret->sock = pair[0];
    memcpy(ret->name, owner->name, sizeof ret->name);
    return 0;
}

int client_send(struct client *c, const struct buf *message, const struct job *j, const int fds[static RUN_FD_MAX],
                struct error *err)
{
    if (message->failed)
        return err_set(err, -E2BIG, BLAME_CALLER, "PLAN", "plan, arguments and environment exceed %u bytes",
                       PLAN_MAX_MESSAGE);
    int travelling[RUN_FD_MAX];
    size_t count = run_fds_gather(j, RUN_FD_MAX, fds, travelling);
    int e = send_message(c->sock, message->data, message->size, travelling, count);
    c->was_killed = false;
    c->is_unread = e == -EPIPE || e == -ECONNRESET;
    return e < 0 ? err_set(err, e, BLAME_HOST, "LAUNCHER", "hand over the plan: %s", strerror(-e)) : 0;
}

int client_run(struct client *c, uint64_t tag, const struct shape *s, const struct job *j,
               const int fds[static RUN_FD_MAX], struct error *err)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_run(&b, tag, s, j);
    int e = client_send(c, &b, j, fds, err);
    buf_done(&b);
    return e;
}

int client_kill(struct client *c, uint64_t tag, enum run_reason why)
{
    uint64_t words[3] = { MESSAGE_KILL, tag, why };
    c->was_killed = true; /* from now on what is unread may be this */
    return send(c->sock, words, sizeof words, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* One that closed with something of ours unread is told first, once; what it said before comes after that (unix(7)). */
static ssize_t receive(const struct client *c, bool *ret_was_reset)
{
    for (;;) {
        const ssize_t n = recv(c->sock, c->message, PLAN_MAX_MESSAGE, 0);
        const bool is_reset = n < 0 && errno == ECONNRESET && !*ret_was_reset;
        *ret_was_reset |= is_reset;
        if (n >= 0 || (errno != EINTR && !is_reset))
            return n;
    }
}

int client_read(struct client *c, struct outcome *ret, struct error *err)
{
    if (!c->message && !(c->message = malloc(PLAN_MAX_MESSAGE)))
        return err_set(err, -ENOMEM, BLAME_HOST, "LAUNCHER", "no memory");
    bool was_reset = false;
    ssize_t n = receive(c, &was_reset);
    if (n <= 0) {
        const char *name = c->name[0] ? c->name : "the launcher";
        c->is_unread = was_reset && !c->was_killed;
        return err_set(err, -EPIPE, BLAME_HOST, "LAUNCHER", "%s died %s", name,
                       c->is_unread ? "before it began the run" : "during the run");
    }
    struct unpack u = unpack_start(c->message, (size_t)n);
    uint64_t type = unpack_u64(&u);
    (void)unpack_u64(&u);
    *ret = (struct outcome){ 0 };
    if (type != MESSAGE_OUTCOME || unpack_outcome(&u, ret) < 0)
        return err_set(err, -EBADMSG, BLAME_US, "LAUNCHER", "an answer that is none");
    return 0;
}

void client_stop(struct client *c)
{
    closep(&c->sock); /* it cleans up and ends by itself; nothing to wait for */
    free(c->message);
    c->message = NULL;
}
