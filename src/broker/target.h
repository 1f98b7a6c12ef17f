/* target.h - what a network call is about: the very file, and the address as it was read once.
 *
 * The caller's descriptor is duplicated into this process (pidfd_getfd(2)); all that is decided is decided on that
 * file, and all that is performed is performed on it. A file that a racing thread puts in its place afterwards was
 * neither judged nor used.
 */
#pragma once
#include "broker/broker.h"

#include <netinet/in.h>
#include <sys/socket.h>

enum target_place {
    TARGET_INSIDE, /* a socket of the sandbox's network namespace: nothing it does leaves it */
    TARGET_HOST,   /* one of ours that was handed over */
    TARGET_ALIEN,  /* of another namespace: it came by a way that is none */
};

struct target {
    int fd;    /* ours to close: target_done() */
    int flags; /* F_GETFL */
    int domain, type, protocol;
    enum target_place place;
};
/* 0, or the positive errno that the kernel would answer (EBADF, ENOTSOCK) or EACCES: the descriptor could not be had.
 */
int target_take(const struct broker *b, const struct seccomp_notif *ask, struct target *ret);
static inline void target_done(struct target *t)
{
    closep(&t->fd);
}
static inline bool target_is_tcp(const struct target *t)
{
    return t->type == SOCK_STREAM &&
           (t->protocol == IPPROTO_TCP || t->protocol == 262 /* IPPROTO_MPTCP: brokered as TCP */);
}
static inline bool target_is_udp(const struct target *t)
{
    return t->type == SOCK_DGRAM && (t->protocol == IPPROTO_UDP || t->protocol == IPPROTO_UDPLITE);
}
/* notify_take_fd(), faster for a process that asks often. */
int target_take_fd(uint32_t pid, int fd);
/* O_CLOEXEC of the caller's descriptor, or 0. Unreadable: 0, which is the default of socket(2). */
uint32_t target_close_on_exec(uint32_t pid, int fd);
/* SO_COOKIE: which socket it is, whatever its number. 0: not to be had. */
uint64_t target_cookie(int sock);
/* Only one thread lives in that process; it waits for us, so no process can change its descriptors or its memory. */
bool target_is_alone(uint32_t pid);

struct asked_address {
    struct sockaddr_storage raw; /* as the caller wrote it, at one moment */
    socklen_t size;
    sa_family_t family;
    struct net_address address; /* AF_INET, AF_INET6: unmapped */
    uint16_t port;
};
/* 0, or the positive errno that the kernel would answer. */
int asked_read(const struct seccomp_notif *ask, uint64_t pointer, uint64_t size, struct asked_address *ret);
/* connect(2) and sendto(2) to «any» go to loopback (ip_route_output_key_hash_rcu(), ip6_datagram_connect()). */
void asked_any_is_loopback(struct asked_address *a);

/* Fills family, protocol, address, port of an event from what was asked. */
void asked_describe(const struct asked_address *a, const struct target *t, struct watch_event *ret);
