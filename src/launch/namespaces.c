/* namespaces.c - net, ipc, uts and mount namespaces; user and pid come with clone3 (spare.c), cgroup with
 * joining (cgroup.c).
 *
 * A network namespace costs 0.5 to 0.6 ms, loopback 0.08: as much as everything else. A helper process in the same user
 * namespace makes it on the other core and sends its descriptor; we enter in step NETWORK (3.5 us).
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

static int set_loopback(bool up)
{
    cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = { .ifr_name = "lo", .ifr_flags = up ? IFF_UP | IFF_RUNNING : 0 };
    return fd < 0 || ioctl(fd, SIOCSIFFLAGS, &r) < 0 ? -errno : 0;
}

/* The helper: its whole life. Says 0 with the descriptor, or an errno. */
static _Noreturn void make_network(int sock)
{
    int e = unshare(CLONE_NEWNET) < 0 ? -errno : set_loopback(true), fd = -1;
    if (e == 0 && (fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC)) < 0)
        e = -errno;
    int sent = send_message(sock, &e, sizeof e, &fd, fd >= 0);
    if (sent < 0) /* ETOOMANYREFS: the user has more descriptors in flight than its RLIMIT_NOFILE */
        (void)send_message(sock, &sent, sizeof sent, NULL, 0);
    _exit(0);
}

static int start_network(struct init_ctx *c, struct error *err)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "socketpair: %m");
    struct kclone_args a = { .exit_signal = SIGCHLD };
    pid_t pid = sys_clone3(&a);
    if (pid == 0)
        make_network(pair[1]);
    int e = errno;
    (void)close(pair[1]);
    if (pid > 0 && pair[0] != INIT_FD_NET && dup3(pair[0], INIT_FD_NET, O_CLOEXEC) < 0)
        e = errno, pid = -1;
    if (pair[0] != INIT_FD_NET)
        (void)close(pair[0]);
    c->net_fd = INIT_FD_NET;
    return pid < 0 ? err_set(err, -e, BLAME_HOST, NULL, "network helper: %s", strerror(e)) : 0;
}

int step_namespaces(struct init_ctx *c, struct error *err)
{
    int r = start_network(c, err);
    if (r < 0)
        return r;
    if (unshare(CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNS) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare uts, ipc and mount namespaces: %m");
    static const enum feature made[] = { FEATURE_UTS_NS, FEATURE_IPC_NS, FEATURE_MOUNT_NS };
    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        feature_set(&c->report.features, made[i]);
    return 0;
}

/* What is counted per user is counted for whoever made the user namespace, too: without bounds of its own a sandbox could
 * take the last inotify instance of the launcher's user (root's, as a rule). Bounds per namespace:
 * /proc/sys/user, user_namespaces(7). No user namespace below ours is the third lock on that door. */
int step_counts(struct init_ctx *c, struct error *err)
{
    static const struct {
        const char *file, *most;
    } counts[] = {
        { "/proc/sys/user/max_inotify_instances", "16" },
        { "/proc/sys/user/max_inotify_watches", "4096" },
        { "/proc/sys/user/max_user_namespaces", "0" },
    };
    (void)c;
    (void)err;
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        cleanup(closep) int fd = open(counts[i].file, O_WRONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? -1 : write(fd, counts[i].most, strlen(counts[i].most));
        (void)n; /* a container's /proc/sys may be read-only: then its own bounds must do */
    }
    return 0;
}

int step_network(struct init_ctx *c, struct error *err)
{
    int e = -EPIPE, fd = -1;
    size_t count;
    cleanup(closep) int sock = TAKE_FD(c->net_fd);
    ssize_t n = receive_message(sock, &e, sizeof e, &fd, 1, &count);
    cleanup(closep) int net = fd;
    (void)waitpid(-1, NULL, 0); /* the helper: our only child so far */
    if (n != (ssize_t)sizeof e || e < 0 || count != 1)
        return err_set(err, e < 0 ? e : -EPIPE, BLAME_HOST, NULL, "make a network namespace: %s",
                       strerror(e < 0 ? -e : EPIPE));
    if (setns(net, CLONE_NEWNET) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "enter the network namespace: %m");
    if (!c->shape->loopback && (e = set_loopback(false)) < 0)
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
