/* connector.c - connect(2) where volumes are mounted: performed for the caller, on exactly the file and the socket that
 * were judged.
 *
 * An AF_UNIX socket in a volume belongs to a server of the host (a container engine, tmux, an ssh agent), which sees
 * the user's own uid at the other end. No mount, read-only or not, and no landlock rule (as of ABI 8) keeps a program
 * from connecting. So the filter asks (filter/watch.c), and no such call is ever continued: the caller could change its
 * memory, its descriptors or the tree between our look and the kernel's.
 *
 * A child of the launcher takes the call. It enters the sandbox's user namespace as the sandbox's user, takes a
 * duplicate of the caller's descriptor and a copy of the address, and looks the path up as the caller would: from the
 * caller's root and working directory, without any capability. What it has found is an O_PATH descriptor; only if that
 * is a socket on a file system that was made for this sandbox (struct report.own_devs, noted when it was mounted), it
 * connects, through that descriptor. So the answer is about the inode and no longer about a name. It may wait as the
 * caller would; the end of the run ends it.
 *
 * What the server inside sees of its client (SO_PEERCRED): the right user and group, and 0 for the pid, since ours is
 * not to be seen there.
 *
 * The child trusts nothing that the broker says of who asks: it serves only processes of the user namespace that the
 * launcher noted when the kernel told it of the first asker, and looks at them with the rights of that namespace alone.
 */
#include "launch/run.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define LISTENER_FD 3
/* to look at processes of the sandbox, and to see what they see; given up before anything is looked up */
#define CONNECTOR_CAPS (UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_SYS_CHROOT)

struct connector { /* the run is private memory (private.h), which the child has not */
    struct seccomp_notif ask;
    struct notify notify;
    uint32_t uid, gid, own_dev_count;
    uint64_t user_ns, own_devs[OWN_DEVS_MAX];
    bool by_root, is_brokered, deny_tcp;
    pid_t launcher;
};

struct taken { /* of the caller */
    int root, cwd, fds /* our own /proc/self/fd */;
    struct notify_peer peer;
};

static int open_of(uint32_t pid, const char *name, int flags)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%u/%s", pid, name);
    int fd = open(path, flags | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static uint64_t namespace_of(int fd)
{
    struct stat st;
    return fd < 0 || fstat(fd, &st) < 0 ? 0 : st.st_ino;
}

/* --- in the child ------------------------------------------------------------------------------------- */

/* Whichever process asks, from here on we may do what the sandbox's user may, and the rest only to what lies in its
 * namespace. */
static int become(const struct connector *c)
{
    cleanup(closep) int ns = open_of(c->ask.pid, "ns/user", O_RDONLY);
    if (ns < 0 || namespace_of(ns) != c->user_ns)
        return -EPERM;
    if (syscall(SYS_setns, ns, CLONE_NEWUSER) < 0 || (c->by_root && syscall(SYS_setgroups, 0, NULL) < 0) ||
        prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || syscall(SYS_setresgid, c->gid, c->gid, c->gid) < 0 ||
        syscall(SYS_setresuid, c->uid, c->uid, c->uid) < 0 || capset_masks(CONNECTOR_CAPS, 0) < 0 ||
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return -errno;
    return getppid() == c->launcher ? 0 : -ESRCH;
}

/* 0, or the errno for the caller. */
static int take(const struct connector *c, struct taken *ret)
{
    int e = notify_peer_take(&c->ask, &ret->peer);
    if (e)
        return e;
    ret->root = open_of(c->ask.pid, "root", O_PATH | O_DIRECTORY);
    ret->cwd = open_of(c->ask.pid, "cwd", O_PATH | O_DIRECTORY);
    ret->fds = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return ret->root < 0 || ret->fds < 0 ? EACCES : 0;
}

static bool is_own(const struct connector *c, uint64_t dev)
{
    for (uint32_t i = 0; i < c->own_dev_count; i++)
        if (c->own_devs[i] == dev)
            return true;
    return false;
}

/* Looks the path up as the caller would. 0: the address is now that of the very inode; or the errno. */
static int find_peer(const struct connector *c, struct taken *t)
{
    char path[NOTIFY_PEER_PATH];
    struct stat st;
    int e = notify_peer_path(&t->peer, path);
    if (e)
        return e;
    if (fchdir(t->root) < 0 || syscall(SYS_chroot, ".") < 0 || (path[0] != '/' && fchdir(t->cwd) < 0) ||
        capset_masks(0, 0) < 0)
        return EACCES;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno;
    if (fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode))
        return ECONNREFUSED;
    if (!is_own(c, st.st_dev)) /* of the host, by way of a volume */
        return EACCES;
    if (fchdir(t->fds) < 0)
        return EACCES;
    (void)snprintf(path, sizeof path, "%d", fd);
    notify_peer_aim(&t->peer, path);
    return 0;
}

/* The errno for the caller, 0: connected. */
static int perform(const struct connector *c, struct taken *t)
{
    const int domain = notify_peer_option(&t->peer, SO_DOMAIN);
    int e = 0;
    if (domain < 0)
        return ENOTSOCK;
    if (domain != AF_UNIX && c->is_brokered) /* it is the broker's to judge, and an AF_UNIX address is none there */
        return EAFNOSUPPORT;
    if (c->deny_tcp && notify_peer_is_tcp(&t->peer))
        return EACCES; /* as landlock would say to the caller */
    if (domain == AF_UNIX && notify_peer_has_path(&t->peer))
        e = find_peer(c, t);
    else if (capset_masks(0, 0) < 0)
        e = EACCES;
    return e ? e : notify_peer_connect(&t->peer);
}

static _Noreturn void connector_main(struct connector *c)
{
    struct taken t = { .peer.sock = -1, .root = -1, .cwd = -1, .fds = -1 };
    if ((c->notify.listener != LISTENER_FD && dup3(c->notify.listener, LISTENER_FD, O_CLOEXEC) < 0) ||
        sys_close_range(0, LISTENER_FD - 1) < 0 || sys_close_range(LISTENER_FD + 1, ~0u) < 0)
        _exit(125);
    c->notify.listener = LISTENER_FD;
    int e = become(c) < 0 ? EACCES : take(c, &t);
    if (!notify_is_alive(&c->notify, c->ask.id)) /* what was taken may be of another process by now */
        _exit(0);
    if (e == 0)
        e = perform(c, &t);
    notify_answer(&c->notify, c->ask.id, 0, e);
    _exit(0);
}

/* --- in the launcher ------------------------------------------------------------------------------------ */

void connector_note(struct run *r, uint32_t pid)
{
    if (r->connectors.user_ns)
        return;
    cleanup(closep) int fd = open_of(pid, "ns/user", O_RDONLY);
    r->connectors.user_ns = namespace_of(fd);
}

static pid_t *free_place(struct run *r)
{
    pid_t *found = NULL;
    for (size_t i = 0; i < CONNECTORS_MAX; i++) {
        pid_t *p = &r->connectors.pids[i];
        if (*p && waitpid(*p, NULL, WNOHANG) != 0)
            *p = 0;
        if (!*p)
            found = p;
    }
    return found;
}

void connector_start(struct run *r, const struct seccomp_notif *ask)
{
    struct connector c = { .ask = *ask,
                           .notify = { .listener = r->notify.listener, .events = -1 },
                           .uid = r->shape.uid,
                           .gid = r->shape.gid,
                           .own_dev_count = r->report.own_dev_count,
                           .user_ns = r->connectors.user_ns,
                           .by_root = r->launcher->is_root,
                           .is_brokered = r->shape.is_brokered,
                           .deny_tcp = r->shape.deny_tcp,
                           .launcher = getpid() };
    memcpy(c.own_devs, r->report.own_devs, sizeof c.own_devs);
    pid_t *place = c.user_ns ? free_place(r) : NULL;
    pid_t pid = place ? fork() : -1;
    if (pid == 0)
        connector_main(&c);
    if (pid > 0)
        *place = pid;
    else
        notify_answer(&r->notify, ask->id, 0, c.user_ns ? EAGAIN : EACCES);
}

void connector_stop(struct run *r)
{
    for (size_t i = 0; i < CONNECTORS_MAX; i++) {
        if (!r->connectors.pids[i])
            continue;
        (void)kill(r->connectors.pids[i], SIGKILL);
        (void)waitpid(r->connectors.pids[i], NULL, 0);
        r->connectors.pids[i] = 0;
    }
}
