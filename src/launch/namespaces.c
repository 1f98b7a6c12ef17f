/* namespaces.c - net, ipc, uts and mount namespaces; user and pid come with clone3 (spare.c), cgroup with
 * joining (cgroup.c).
 *
 * Some of the way can be walked on the other core. A helper process in the same user and mount namespace makes the
 * network namespace (0.5 to 0.6 ms, as much as everything else together; loopback another 0.08), sets the
 * counts, and, once init has pivoted, detaches the host's root (which waits for an RCU grace period). Init enters
 * the network and learns how the rest went in step NETWORK, before anything of the payload's is inside.
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int set_loopback(bool up)
{
    cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = { .ifr_name = "lo", .ifr_flags = up ? IFF_UP | IFF_RUNNING : 0 };
    return fd < 0 || ioctl(fd, SIOCSIFFLAGS, &r) < 0 ? -errno : 0;
}

/* What is counted per user is counted for a process that made the user namespace, too: without bounds of its own a
 * sandbox could take the last inotify instance of the launcher's user (root's, as a rule). Bounds per namespace:
 * /proc/sys/user, user_namespaces(7). No user namespace below ours is the third lock on that door. */
static void set_counts(int proc)
{
    static const struct {
        const char *file, *most;
    } counts[] = {
        { "sys/user/max_inotify_instances", "16" },
        { "sys/user/max_inotify_watches", "4096" },
        { "sys/user/max_user_namespaces", "0" },
    };
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        cleanup(closep) int fd = openat(proc, counts[i].file, O_WRONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? -1 : write(fd, counts[i].most, strlen(counts[i].most));
        (void)n; /* a container's /proc/sys may be read-only: then its own bounds must do */
    }
}

/* What the helper says at its end, with the network's descriptor when nothing failed. */
struct helped {
    int error; /* -errno */
    char what[32];
};

static void failed(struct helped *h, const char *what)
{
    if (h->error == 0) /* the first is the cause */
        *h = (struct helped){ .error = -errno };
    if (!h->what[0])
        (void)snprintf(h->what, sizeof h->what, "%s", what);
}

/* The helper: its whole life. */
static _Noreturn void help(int sock, int host, int proc)
{
    struct helped h = { 0 };
    int net = -1;
    if (unshare(CLONE_NEWNET) < 0 || (errno = -set_loopback(true)) != 0 ||
        (net = openat(proc, "self/ns/net", O_RDONLY | O_CLOEXEC)) < 0)
        failed(&h, "make a network namespace");
    set_counts(proc);
    if (recv(sock, &(char){ 0 }, 1, 0) != 1)
        _exit(0); /* init failed before it pivoted */
    if (fchdir(host) < 0 || umount2(".", MNT_DETACH) < 0)
        failed(&h, "detach the host's root");
    int sent = send_message(sock, &h, sizeof h, &net, h.error == 0);
    if (sent < 0) { /* ETOOMANYREFS: the user has more descriptors in flight than its RLIMIT_NOFILE */
        errno = -sent;
        failed(&h, "hand over a network namespace");
        (void)send_message(sock, &h, sizeof h, NULL, 0);
    }
    _exit(0);
}

static int start_helper(struct init_ctx *c, struct error *err)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "socketpair: %m");
    struct kclone_args a = { .exit_signal = SIGCHLD };
    /* by descriptor, and before it exists: init mounts over /proc and changes the «/» of every process at any moment */
    cleanup(closep) int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    cleanup(closep) int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    pid_t pid = host < 0 || proc < 0 ? -1 : sys_clone3(&a);
    if (pid == 0)
        help(pair[1], host, proc);
    int e = errno;
    (void)close(pair[1]);
    if (pid > 0 && pair[0] != INIT_FD_HELPER && dup3(pair[0], INIT_FD_HELPER, O_CLOEXEC) < 0)
        e = errno, pid = -1;
    if (pair[0] != INIT_FD_HELPER)
        (void)close(pair[0]);
    c->helper_fd = INIT_FD_HELPER;
    return pid < 0 ? err_set(err, -e, BLAME_HOST, NULL, "helper process: %s", strerror(e)) : 0;
}

void helper_pivoted(const struct init_ctx *c)
{
    (void)send(c->helper_fd, "p", 1, MSG_NOSIGNAL); /* a dead helper shows in step NETWORK */
}

int step_namespaces(struct init_ctx *c, struct error *err)
{
    if (unshare(CLONE_NEWNS) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare mount namespace: %m");
    int r = start_helper(c, err);
    if (r < 0)
        return r;
    if (unshare(CLONE_NEWUTS | CLONE_NEWIPC) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare uts and ipc namespaces: %m");
    static const enum feature made[] = { FEATURE_UTS_NS, FEATURE_IPC_NS, FEATURE_MOUNT_NS };
    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        feature_set(&c->report.features, made[i]);
    return 0;
}

/* n: what came of its word, or -errno. */
static int no_help(ssize_t n, int status, struct error *err)
{
    if (n > 0) /* the word, without what was to come with it: recvmsg(2), MSG_CTRUNC */
        return err_set(err, -EMFILE, BLAME_HOST, NULL,
                       "the network namespace did not arrive (is `ulimit -n` too low?)");
    if (WIFSIGNALED(status))
        return err_set(err, -EPIPE, BLAME_HOST, NULL, "the helper process was killed by signal %d", WTERMSIG(status));
    return err_set(err, -EPIPE, BLAME_HOST, NULL, "the helper process ended without a word: %s",
                   n < 0 ? strerror((int)-n) : "its order did not come");
}

int step_network(struct init_ctx *c, struct error *err)
{
    struct helped h;
    int fd = -1, status = 0;
    size_t count;
    cleanup(closep) int sock = TAKE_FD(c->helper_fd);
    ssize_t n = receive_message(sock, &h, sizeof h, &fd, 1, &count);
    cleanup(closep) int net = fd;
    (void)waitpid(-1, &status, 0); /* the helper: our only child so far */
    if (n != (ssize_t)sizeof h || (h.error == 0 && count != 1))
        return no_help(n, status, err);
    if (h.error < 0)
        return err_set(err, h.error, BLAME_HOST, NULL, "%s: %s", h.what, strerror(-h.error));
    if (setns(net, CLONE_NEWNET) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "enter the network namespace: %m");
    int e = c->shape->loopback ? 0 : set_loopback(false);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "loopback down: %s", strerror(-e));
    feature_set(&c->report.features, FEATURE_NET_NS);
    return 0;
}

/* Per job in a prepared slot: System V objects and mounts must not outlive a run. */
int step_job_namespaces(struct init_ctx *c, struct error *err)
{
    if (!c->is_slot)
        return 0;
    /* a descriptor would go on naming the keeper's mount; the working directory moves to our copy of it */
    if (c->covers_fd >= 0 && fchdir(c->covers_fd) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "go to the covers for masks: %m");
    if (unshare(CLONE_NEWNS | CLONE_NEWIPC) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare mount and ipc namespaces: %m");
    if (c->covers_fd < 0)
        return 0;
    cleanup(closep) int fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || dup3(fd, c->covers_fd, O_CLOEXEC) < 0 || chdir("/") < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "return from the covers for masks: %m");
    return 0;
}

int step_hostname(struct init_ctx *c, struct error *err)
{
    const char *name = c->shape->hostname;
    if (sethostname(name, strlen(name)) < 0 || setdomainname("(none)", 6) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "host name %s: %m", name);
    return 0;
}
