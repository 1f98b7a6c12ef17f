/* notify.h - answering a sandbox's seccomp notifications: what launcher and broker share.
 *
 * The filter that a watched sandbox loads (shape.filter) asks about calls that its plain form (shape.verdicts) would
 * permit or refuse. Here the plain form is evaluated on what the kernel says of the call: refused there is refused
 * here, with the same errno, and an event tells of it. So the watch can never make a sandbox weaker, only see more of
 * it.
 *
 * What is let continue is harmless whatever its memory says a moment later: the namespaces, the mounts and the plain
 * filter are the fence. Memory of the caller is read once, by process_vm_readv(2), and the notification is checked to
 * be alive afterwards (the pid could have been reused).
 *
 * Used in processes without threads.
 */
#pragma once
#include "base/watch_bits.h"
#include "notify/grants.h"
#include "notify/pace.h"
#include "watch/event.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

struct notify {
    int listener;
    int events;                         /* the client's socket; -1: no listener */
    uint32_t watch;                     /* enum notify_watch */
    const struct sock_filter *verdicts; /* the plain filter */
    size_t verdict_count;
    uint64_t start_us;                                        /* CLOCK_MONOTONIC */
    void (*sink)(void *context, const struct watch_event *e); /* takes all events in place of the socket; or NULL */
    void *sink_context;
    uint64_t lost; /* events that found no room */
    struct kin {   /* of askers: those that asked last (caller.c) */
        uint32_t thread, pid, inside, parent;
        uint64_t read_us;
    } kin[32];
    uint32_t next_kin;
    bool has_root; /* root is open: the sandbox's root directory, the same for all that ask (caller.c) */
    int root;
    bool is_charged;  /* what our answers cost is the sandbox's own CPU: none is late (a container's entry) */
    struct pace pace; /* of notify_refuse() */
};

/* Asks the kernel to wake askers at once on our processor, where it can (6.6): halves the way there and back. */
void notify_prepare(int listener);
/* 1: there is one; 0: none any more (its asker died); -errno: the listener is of no use any more. */
int notify_receive(const struct notify *n, struct seccomp_notif *ret);
/* The asker still waits for this answer: what was read belongs to it. */
bool notify_is_alive(const struct notify *n, uint64_t id);
/* error: 0 or a positive errno */
void notify_answer(const struct notify *n, uint64_t id, int64_t value, int error);
/* An answer that is not worth more of our time than of the asker's: late, where there are too many (pace.h).
 * error 0 is none: answered at once. */
void notify_refuse(struct notify *n, uint64_t id, int error);
/* Gives the answers that are due; pace_due_us(&n->pace) says when that is. */
void notify_refuse_late(struct notify *n);
/* The call is performed by the kernel after all. See above for when that is right. */
void notify_continue(const struct notify *n, uint64_t id);

/* What the plain filter says: 0 permits (or asks, which is a fork); else the errno to answer. */
int notify_verdict(const struct notify *n, const struct seccomp_notif *ask);

enum notify_class { NOTIFY_IS_NETWORK, NOTIFY_IS_FORK, NOTIFY_IS_OTHER };
enum notify_class notify_classify(const struct seccomp_notif *ask);
bool notify_is_last(const struct seccomp_notif *ask); /* base/watch_bits.h: EXIT_LAST */
/* Answers everything but network calls in mode bridge and forks, events included. False: those are the caller's. */
bool notify_common(struct notify *n, const struct seccomp_notif *ask);
/* The execve of a run's first program, whose caller is a copy of our own side still: what it asks for is told from the
 * plan, and what its streams are by `streams`. Continued. */
struct strlist;
void notify_first_exec(struct notify *n, const struct seccomp_notif *ask, const struct strlist *argv,
                       const char *program, const struct watch_event *streams);

/* Reads size bytes (or a string: up to size - 1 bytes and its NUL) of the caller's memory. Count read, or -errno. */
ssize_t notify_read(uint32_t pid, uint64_t address, void *ret, size_t size);
ssize_t notify_read_string(uint32_t pid, uint64_t address, char *ret, size_t size);
/* The arguments that execve(2) was given at this address, joined; as many as fit. */
void notify_read_argv(uint32_t pid, uint64_t address, char out[static WATCH_ARGV_MAX]);
/* A duplicate of the caller's descriptor (pidfd_getfd(2)), or -errno. */
int notify_take_fd(uint32_t pid, int fd);

/* --- connect(2), for the helpers that perform it where volumes are mounted (peer.c) --------------------- */

/* What it was called with, copied once out of the caller. What is judged is the copy, and what is connected is the
 * duplicate of the socket: the caller can change neither. Ask notify_is_alive() after the copy: it may be of another
 * process by then. */
struct notify_peer {
    int sock; /* ours: a duplicate */
    socklen_t size;
    struct sockaddr_storage address;
};
#define NOTIFY_PEER_PATH (sizeof((struct sockaddr_un *)0)->sun_path + 1)

/* 0, or the errno for the caller. ret->sock is set as soon as it was taken. */
int notify_peer_take(const struct seccomp_notif *ask, struct notify_peer *ret);
/* The number behind an option of SOL_SOCKET; -1: none. */
int notify_peer_option(const struct notify_peer *p, int option);
/* By the socket, not by the address. */
bool notify_peer_is_tcp(const struct notify_peer *p);
/* The address names a file: AF_UNIX, and no abstract name. */
bool notify_peer_has_path(const struct notify_peer *p);
/* 0, or EINVAL: the address is longer than one can be. */
int notify_peer_path(const struct notify_peer *p, char path[static NOTIFY_PEER_PATH]);
/* From here on the address is this path: that of a descriptor which was judged. */
void notify_peer_aim(struct notify_peer *p, const char *path);
/* 0: connected; or the errno for the caller. */
int notify_peer_connect(const struct notify_peer *p);
/* Tells of a connect(2) that names an AF_UNIX socket by an absolute path below a directory for sockets of the system:
 * a CALL whose text is the path. Answers nothing; what is told is an observation, whatever becomes of the call. */
void notify_tell_unix(struct notify *n, const struct seccomp_notif *ask);

/* --- events --------------------------------------------------------------------------------------------- */

/* What a descriptor of our own is: enum watch_stdio; *ret_id: its inode. */
uint8_t descriptor_kind(int fd, uint64_t *ret_id);
/* Fills at_us, pid and its kin, nr, args. */
struct watch_event notify_event(struct notify *n, const struct seccomp_notif *ask, enum watch_kind kind);
/* Never waits. Where the socket is full the event is counted as lost, and a WATCH_LOST follows as soon as there is
 * room. So that nothing that matters is lost, the receiver stops receiving (the askers wait) until
 * notify_has_room(). */
void notify_tell(struct notify *n, const struct watch_event *e);
bool notify_has_room(const struct notify *n);
