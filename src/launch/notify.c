/* notify.c - execution.max_processes: new processes ask us first.
 *
 * The kernel has no limit of processes that leaves threads alone (RLIMIT_NPROC and the pids controller count
 * tasks). Where a profile wants fewer processes than tasks, its filter sends fork, vfork and clone without
 * CLONE_THREAD to a seccomp listener (seccomp_unotify(2)), which lives here. Their arguments are plain
 * values, so letting the call continue decides on nothing that could change meanwhile.
 *
 * Two forks at the same moment may both see room for one; the pids limit bounds what that can bring.
 */
#include "launch/slot.h"

#include <linux/seccomp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>

static bool has_room(const struct run *r)
{
    uint32_t ours = r->slot ? 2 : 1;
    uint32_t count = r->cgroup.kind == CGROUP_NONE ? measure_processes(r) + 1 : cgroup_processes(&r->cgroup);
    return count < r->shape.max_processes + ours;
}

void notify_attach(struct run *r, int listener)
{
    r->listener = listener;
    watch(r->launcher, listener, r, EVENT_NOTIFY);
}

void notify_on_event(struct run *r, uint32_t events)
{
    struct seccomp_notif ask = { 0 }; /* the kernel insists on zeros */
    if (!(events & EPOLLIN)) { /* hung up: nobody can ask any more. RECV would block, O_NONBLOCK or not (seen on 6.1) */
        unwatch(r->launcher, &r->listener);
        return;
    }
    if (ioctl(r->listener, SECCOMP_IOCTL_NOTIF_RECV, &ask) < 0) {
        if (errno != ENOENT && errno != EINTR && errno != EAGAIN)
            unwatch(r->launcher, &r->listener); /* callers get ENOSYS: refused, never let through */
        return; /* ENOENT: the asker died meanwhile */
    }
    struct seccomp_notif_resp answer = { .id = ask.id };
    if (has_room(r)) {
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
        answer.error = -EAGAIN; /* what fork(2) says at a limit */
        r->refused_forks++;
    }
    (void)ioctl(r->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
