/* rights.c - root's launcher for a user who is not root: a volume gives nothing that the client could not open
 * itself.
 *
 * systemd starts such a launcher (deploy/), or a service that gave up root. Whose rights count is what the kernel noted
 * at the other end of descriptor 3 when it was connected (SO_PEERCRED, SO_PEERGROUPS); connections come over it, and
 * count as it does.
 *
 * A short-lived child becomes that user, with all its groups and no capability, walks to the volume, looks whether it
 * may read there, and passes the O_PATH descriptor back. Not setfsuid(2) and back: groups would have to be changed with
 * it, every capability would have to be thought of, and the way may lead through a file system that the client itself
 * serves (FUSE), where our looking waits for its answer. So only the child looks, and we wait a bounded time. The
 * client may signal that child, which is one of his processes then: it holds nothing, and the worst is that his volume
 * is not opened.
 *
 * It does not see through the client's own mount namespace or security module: one uid, one right.
 */
#include "launch/run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "base/message.h"
#include "launch/control.h"

#define PATIENCE_MS    1000
#define SYS_FACCESSAT2 439   /* since 5.8 */
#define GROUPS_MAX     65536 /* NGROUPS_MAX, limits.h of Linux */

struct question { /* the run and its plan are private memory (private.h), which the child has not */
    struct plan_mount mount;
    char source[4000], target[4000];
    struct ucred who;
};

struct answer_of_child { /* the descriptor comes with it where err.code is 0 */
    struct opened opened;
    struct error err;
};

bool rights_are_less(const struct launcher *l)
{
    return l->is_root && l->peer.uid != 0;
}

/* --- in the child ------------------------------------------------------------------------------------- */

struct groups {
    gid_t ids[GROUPS_MAX];
    size_t count;
};

static int become(const struct ucred *who, struct groups *ret, struct error *err)
{
    socklen_t size = sizeof ret->ids;
    if (getsockopt(CONTROL_FD, SOL_SOCKET, SO_PEERGROUPS, ret->ids, &size) < 0)
        return err_set(err, -errno, BLAME_HOST, "VOLUME", "the client's groups: %m");
    ret->count = size / sizeof *ret->ids;
    /* raw calls, as in identity.c */
    if (syscall(SYS_setgroups, ret->count, ret->ids) < 0 || syscall(SYS_setresgid, who->gid, who->gid, who->gid) < 0 ||
        syscall(SYS_setresuid, who->uid, who->uid, who->uid) < 0 || capset_masks(0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, "VOLUME", "become the client's user %u: %m", (unsigned)who->uid);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0,
                0); /* cannot fail; the change of ids did it, unless the host has another fs.suid_dumpable */
    return 0;
}

/* O_PATH asks for no right to the thing itself, only to the way there. */
static int may_read(const struct opened *o, const struct plan_mount *m, struct error *err)
{
    int mode = S_ISDIR(o->st.st_mode) ? R_OK | X_OK : R_OK;
    if (syscall(SYS_FACCESSAT2, o->fd, "", mode, KAT_EMPTY_PATH) == 0)
        return 0;
    return err_set(err, -errno, BLAME_HOST, "VOLUME", "volume %s: %m", m->source);
}

static uint32_t group_there(const struct groups *g, const struct ucred *who, const struct stat *st)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->ids[i] == st->st_gid)
            return st->st_gid;
    return who->gid;
}

static _Noreturn void look(const struct question *q, int sock)
{
    const struct plan_mount *m = &q->mount;
    static struct groups groups; /* the child's own pages */
    static struct answer_of_child a;
    a.opened.fd = -1;
    /* what it must not hold as one of the client's processes: every other run's descriptors. Ours and the client's own
     * stay */
    if ((sock != CONTROL_FD + 1 && dup3(sock, CONTROL_FD + 1, O_CLOEXEC) < 0) ||
        sys_close_range(CONTROL_FD + 2, ~0u) < 0)
        _exit(125);
    sock = CONTROL_FD + 1;
    int e = become(&q->who, &groups, &a.err);
    (void)close(CONTROL_FD);
    if (e == 0 && (e = a.opened.fd = volume_open(m, &a.opened.st, &a.err)) >= 0)
        e = may_read(&a.opened, m, &a.err);
    if (e == 0)
        a.opened.gid = group_there(&groups, &q->who, &a.opened.st);
    (void)send_message(sock, &a, sizeof a, &a.opened.fd, e == 0);
    _exit(0);
}

/* --- in the launcher ------------------------------------------------------------------------------------ */

static int receive_opened(int sock, const struct plan_mount *m, struct opened *ret, struct error *err)
{
    struct answer_of_child a;
    struct pollfd f = { .fd = sock, .events = POLLIN };
    int fd = -1;
    size_t count = 0;
    if (poll(&f, 1, PATIENCE_MS) != 1)
        return err_set(err, -ETIMEDOUT, BLAME_HOST, "VOLUME", "volume %s: no answer from its file system", m->source);
    if (receive_message(sock, &a, sizeof a, &fd, 1, &count) != (ssize_t)sizeof a)
        return err_set(err, -EIO, BLAME_HOST, "VOLUME", "volume %s: who should open it died", m->source);
    if (a.err.code < 0 || count != 1) {
        closep(&fd);
        a.err.text[sizeof a.err.text - 1] = '\0';
        return err_set(err, a.err.code < 0 ? a.err.code : -EMFILE, BLAME_HOST, "VOLUME", "%s",
                       a.err.code < 0 ? a.err.text : "a volume did not arrive (is `ulimit -n` too low?)");
    }
    *ret = a.opened;
    ret->fd = fd;
    return 0;
}

int rights_open(const struct launcher *l, const struct plan_mount *m, struct opened *ret, struct error *err)
{
    int pair[2];
    struct question q = { .mount = *m, .who = l->peer };
    (void)snprintf(q.source, sizeof q.source, "%s", m->source); /* check.c: they fit */
    (void)snprintf(q.target, sizeof q.target, "%s", m->target);
    q.mount.source = q.source;
    q.mount.target = q.target;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "VOLUME", "socketpair: %m");
    cleanup(closep) int ours = pair[0];
    struct kclone_args a = { .exit_signal = SIGCHLD };
    pid_t pid = sys_clone3(&a);
    if (pid == 0)
        look(&q, pair[1]);
    int e = errno;
    (void)close(pair[1]);
    if (pid < 0)
        return err_set(err, -e, BLAME_HOST, "VOLUME", "a process to open volumes: %s", strerror(e));
    e = receive_opened(ours, m, ret, err);
    (void)kill(pid, SIGKILL); /* it may have been stopped by its user */
    /* one that waits for a file system of the client's may not even die: it is init's to reap when we are gone */
    (void)waitpid(pid, NULL, e == -ETIMEDOUT ? WNOHANG : 0);
    return e;
}
