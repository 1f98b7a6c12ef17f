/* peer.h - what connect(2) was called with, copied once out of the caller: its socket and the address. For the helpers
 * that perform the call where volumes are mounted: natively launch/connector.c, in a container entry/connect.c.
 *
 * What is judged is the copy, and what is connected is the duplicate of the socket: the caller can change neither.
 * Ask notify_is_alive() after the copy: it may be of another process by then.
 */
#pragma once
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "notify/notify.h"

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
