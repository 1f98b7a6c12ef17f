/* start.h - what launcher and broker say to each other: fixed structs of one build, over a SOCK_SEQPACKET pair. */
#pragma once
#include "base/base.h"

#include <linux/seccomp.h>

/* launcher -> broker, first and only message on descriptor 3, with descriptors in this order */
enum { BROKER_FD_LISTENER, BROKER_FD_EVENTS, BROKER_FD_USER_NS, BROKER_FD_NET_NS, BROKER_FD_COUNT };
struct broker_start {
    uint32_t uid, gid;      /* inside the user namespace */
    uint64_t start_us;      /* CLOCK_MONOTONIC, when the run began */
    uint32_t has_pending;   /* the notification that made the launcher start us: answer it first */
    uint32_t watch;         /* enum notify_watch bits */
    uint32_t is_tcp_fenced; /* landlock refuses the payload every connect and bind of a TCP socket by itself */
    uint64_t deadline_us;   /* CLOCK_MONOTONIC; long after it the broker ends by itself */
    struct seccomp_notif pending;
    uint32_t rules_size, verdicts_size; /* both follow: net_rules_pack(), struct sock_filter[] */
};

/* Which TCP socket: its 4-tuple, as bytes of struct inet_diag_sockid, and its cookie. */
struct diag_id {
    uint8_t family;
    uint16_t local_port, remote_port; /* network order */
    uint8_t local[16], remote[16];
    uint64_t cookie;
};

/* broker -> launcher */
enum broker_says {
    BROKER_READY = 1,
    BROKER_FORK,   /* id: a fork that the launcher has to answer (max_processes) */
    BROKER_UNIX,   /* ask: a connect of an AF_UNIX socket where volumes are mounted, which the launcher answers */
    BROKER_FAILED, /* text: why; the launcher ends the run */
    BROKER_LIMIT,  /* text: the profile's key whose limit was hit (network.max_bytes); the launcher tells it, and ends
                      the run with reason killed */
    BROKER_BUSY,   /* no process lives inside, and closed connections still have bytes to send: wait for us a little
                      longer */
    BROKER_ABORT,  /* socket: closed by the sandbox, whose run is over, with bytes that its peer does not take */
};
struct broker_message {
    uint32_t type;
    uint32_t pid, nr;
    uint64_t id;
    struct diag_id socket;
    struct seccomp_notif ask; /* UNIX */
    char text[200];
};
