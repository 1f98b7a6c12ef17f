#include "notify/caller.h"

#include "base/clock.h"
#include "filter/filter.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS /* linux/seccomp.h since 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS      SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1
#endif

/* --- asking and answering ------------------------------------------------------------------------- */

void notify_prepare(int listener)
{
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP); /* EINVAL before 6.6 */
}

int notify_receive(const struct notify *n, struct seccomp_notif *ret)
{
    *ret = (struct seccomp_notif){ 0 }; /* the kernel insists on zeros */
    if (ioctl(n->listener, SECCOMP_IOCTL_NOTIF_RECV, ret) == 0)
        return 1;
    return errno == ENOENT || errno == EINTR || errno == EAGAIN ? 0 : -errno;
}

bool notify_is_alive(const struct notify *n, uint64_t id)
{
    return ioctl(n->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

static void answer(const struct notify *n, struct seccomp_notif_resp *a)
{
    (void)ioctl(n->listener, SECCOMP_IOCTL_NOTIF_SEND, a); /* ENOENT: the asker died meanwhile */
}

void notify_answer(const struct notify *n, uint64_t id, int64_t value, int error)
{
    answer(n, &(struct seccomp_notif_resp){ .id = id, .val = error ? 0 : value, .error = -error });
}

void notify_refuse(struct notify *n, uint64_t id, int error)
{
    if (!error || n->is_charged || pace_may_answer(&n->pace, id, error, clock_us()))
        notify_answer(n, id, 0, error);
}

void notify_refuse_late(struct notify *n)
{
    struct late_answer a;
    if (!n->pace.count)
        return;
    uint64_t now = clock_us();
    while (pace_next(&n->pace, now, &a))
        notify_answer(n, a.id, 0, a.error); /* of an asker that was killed or interrupted meanwhile: ENOENT */
}

void notify_continue(const struct notify *n, uint64_t id)
{
    answer(n, &(struct seccomp_notif_resp){ .id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE });
}

int notify_verdict(const struct notify *n, const struct seccomp_notif *ask)
{
    uint32_t action = filter_eval(n->verdicts, n->verdict_count, &ask->data);
    if (filter_action_permits(action))
        return 0;
    int error = (int)(action & SECCOMP_RET_DATA);
    return FILTER_ACTION(action) == SECCOMP_RET_ERRNO && error ? error : EPERM;
}

/* --- telling --------------------------------------------------------------------------------------- */

static bool send_event(const struct notify *n, const struct watch_event *e)
{
    char room[WATCH_MESSAGE_MAX + 1]; /* all that it may need: nothing is allocated */
    struct buf b = { .data = room, .cap = sizeof room, .max = WATCH_MESSAGE_MAX };
    watch_event_pack(&b, e);
    if (b.failed)
        return false;
    /* EPIPE: no listener any more, which is no loss */
    return send(n->events, b.data, b.size, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || (errno != EAGAIN && errno != ENOBUFS);
}

static uint64_t since(const struct notify *n)
{
    uint64_t now = clock_us();
    return now > n->start_us ? now - n->start_us : 0;
}

void notify_tell(struct notify *n, const struct watch_event *e)
{
    if (n->sink)
        n->sink(n->sink_context, e);
    if (n->sink || n->events < 0)
        return;
    struct watch_event lost = { .kind = WATCH_LOST, .at_us = since(n), .args = { n->lost } };
    if (n->lost && send_event(n, &lost))
        n->lost = 0;
    if (n->lost || !send_event(n, e))
        n->lost++;
}

bool notify_has_room(const struct notify *n)
{
    struct pollfd f = { .fd = n->events, .events = POLLOUT };
    return n->events < 0 || poll(&f, 1, 0) != 0; /* an error is not for us to wait for */
}

struct watch_event notify_event(struct notify *n, const struct seccomp_notif *ask, enum watch_kind kind)
{
    struct kin k = { .pid = ask->pid };
    if (n->events >= 0)
        k = caller_kin(n, ask->pid, kind == WATCH_EXEC);
    return (struct watch_event){ .kind = (uint8_t)kind,
                                 .at_us = since(n),
                                 .pid = k.pid,
                                 .inside = k.inside,
                                 .parent = k.parent,
                                 .nr = (uint32_t)ask->data.nr,
                                 .args = { ask->data.args[0], ask->data.args[1], ask->data.args[2] } };
}
