/* namespaces.c - net, ipc, uts and mount namespaces; user and pid come with clone3 (spare.c), cgroup with
 * joining (cgroup.c). */
#include "launch/launch.h"

#include <net/if.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int step_namespaces(struct init_ctx *c, struct error *err)
{
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNS) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare network, uts, ipc and mount namespaces: %m");
    static const enum feature made[] = { FEATURE_NET_NS, FEATURE_UTS_NS, FEATURE_IPC_NS, FEATURE_MOUNT_NS };
    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        feature_set(&c->report.features, made[i]);
    return 0;
}

/* Per job in a prepared slot: System V objects and mounts must not outlive a run. */
int step_job_namespaces(struct init_ctx *c, struct error *err)
{
    if (c->is_slot && unshare(CLONE_NEWNS | CLONE_NEWIPC) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "unshare mount and ipc namespaces: %m");
    return 0;
}

int step_loopback(struct init_ctx *c, struct error *err)
{
    if (!c->shape->loopback)
        return 0;
    cleanup(closep) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "socket for the loopback interface: %m");
    struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
    if (ioctl(fd, SIOCSIFFLAGS, &r) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "loopback interface up: %m");
    return 0;
}

int step_hostname(struct init_ctx *c, struct error *err)
{
    const char *name = c->shape->hostname;
    if (sethostname(name, strlen(name)) < 0 || setdomainname("(none)", 6) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "host name %s: %m", name);
    return 0;
}
