/* datagrams.c - sendto(2), sendmsg(2) and sendmmsg(2) with addresses, and connect(2) of datagram sockets: a relay is
 * opened for each address that the rules allow (udp.h).
 *
 * The call itself is then performed by the kernel, whatever its memory says a moment later: a datagram reaches the
 * sandbox's namespace only, and whether a process relays it from there was decided for its address, not for this call.
 * On TCP, without MSG_FASTOPEN, which the filter refuses, the kernel does not look at the address.
 */
#include "broker/request.h"

#define MESSAGES_MAX 1024u /* UIO_MAXIOV: sendmmsg(2) looks at no more */
#define BATCH        16u

/* What the kernel takes, whatever the libc. */
struct kernel_message {
    uint64_t name;
    int32_t name_size;
    uint32_t pad;
    uint64_t rest[5];
};
struct kernel_messages {
    struct kernel_message head;
    uint32_t sent, pad;
};
_Static_assert(sizeof(struct kernel_message) == 56 && sizeof(struct kernel_messages) == 64, "struct mmsghdr");

/* Port 53 of any address is our own resolver, which judges what it is asked. */
int datagrams_open(struct broker *b, struct request *r)
{
    request_decide(b, r);
    bool is_names = r->to.port == 53 && b->rules.has_names;
    if (r->decision.place == NET_SANDBOX || r->to.port == 0) /* port 0: a program that asks for its own address */
        return 0;
    if (is_names)
        r->decision = (struct net_decision){ .place = NET_HOST, .rule = "answered by the sandbox's resolver" };
    return r->decision.place == NET_REFUSE ? EACCES : udp_open(b, &r->to.address, r->to.port, r->ask->pid);
}

const char *datagrams_refusal(const struct request *r)
{
    return r->decision.place == NET_REFUSE ? NULL : "no relay for its datagrams";
}

static bool is_datagram(const struct target *t)
{
    return (t->domain == AF_INET || t->domain == AF_INET6) && target_is_udp(t);
}

void sendto_asked(struct broker *b, const struct seccomp_notif *ask)
{
    struct request r = { .ask = ask, .target = { .fd = -1 } };
    int error = target_take(b, ask, &r.target);
    if (!error && is_datagram(&r.target))
        error = asked_read(ask, ask->data.args[4], ask->data.args[5], &r.to);
    asked_any_is_loopback(&r.to);
    if (!notify_is_alive(&b->notify, ask->id))
        error = -1;
    if (error == 0 && r.to.port != 0) {
        error = datagrams_open(b, &r);
        if (error)
            request_answer_refused(b, &r, datagrams_refusal(&r), error);
    } else if (error > 0) {
        notify_refuse(&b->notify, ask->id, error);
    }
    if (error == 0)
        notify_continue(&b->notify, ask->id);
    target_done(&r.target);
}

/* --- several at once ---------------------------------------------------------------------------------- */

static bool is_same(const struct asked_address *a, const struct asked_address *b)
{
    return a->port == b->port && a->address.family == b->address.family &&
           memcmp(a->address.bytes, b->address.bytes, sizeof a->address.bytes) == 0;
}

/* Opens what this message needs: 0, the errno that refuses it, -1: the caller is gone. What cannot be read is the
 * kernel's to refuse. */
static int judge(struct broker *b, struct request *r, const struct kernel_message *m)
{
    struct asked_address to = { 0 };
    if (!m->name || m->name_size <= 0 || asked_read(r->ask, m->name, (uint64_t)m->name_size, &to) != 0)
        return 0;
    asked_any_is_loopback(&to);
    if (to.port == 0 || is_same(&to, &r->to))
        return 0;
    if (!notify_is_alive(&b->notify, r->ask->id))
        return -1;
    r->to = to;
    int error = datagrams_open(b, r);
    if (error) {
        request_tell_refused(b, r, datagrams_refusal(r), error);
        r->to.port = 0; /* the next message to it is told as well */
    }
    return error;
}

/* The call fails with the error of its first message. Of the others the allowed ones go out: the kernel cannot be told
 * to send some of them, and what has no relay is lost, as on a network. */
static int judge_all(struct broker *b, struct request *r, uint64_t address, uint32_t count, size_t size)
{
    union {
        struct kernel_messages many[BATCH];
        struct kernel_message one;
    } read;
    for (uint32_t done = 0; done < count;) {
        uint32_t n = MIN_OF(count - done, BATCH);
        ssize_t got = notify_read(r->ask->pid, address + done * size, &read, n * size);
        if (got < (ssize_t)size)
            return 0; /* EFAULT, of the kernel */
        n = (uint32_t)((size_t)got / size);
        for (uint32_t i = 0; i < n; i++) {
            int error = judge(b, r, size == sizeof read.one ? &read.one : &read.many[i].head);
            if (error < 0 || (error && done + i == 0))
                return error;
        }
        done += n;
    }
    return 0;
}

void sendmsg_asked(struct broker *b, const struct seccomp_notif *ask, bool is_many)
{
    struct request r = { .ask = ask, .target = { .fd = -1 } };
    int error = target_take(b, ask, &r.target);
    uint32_t count = is_many ? MIN_OF((uint32_t)ask->data.args[2], MESSAGES_MAX) : 1;
    if (!error && is_datagram(&r.target))
        error = judge_all(b, &r, ask->data.args[1], count,
                          is_many ? sizeof(struct kernel_messages) : sizeof(struct kernel_message));
    if (error == 0 && notify_is_alive(&b->notify, ask->id))
        notify_continue(&b->notify, ask->id);
    else if (error > 0)
        notify_refuse(&b->notify, ask->id, error);
    target_done(&r.target);
}
