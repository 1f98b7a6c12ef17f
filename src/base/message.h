/* message.h - one message with descriptors over a SOCK_SEQPACKET pair, either way.
 *
 * The receiver knows how many descriptors belong to a message: more are closed, fewer are told by the count (a low
 * RLIMIT_NOFILE drops them without a word: recvmsg(2), MSG_CTRUNC).
 */
#pragma once
#include "base/base.h"

#include <sys/types.h>

struct iovec;

/* The flags of all that we send. MSG_EOR means nothing on these sockets: by it the filter of mode bridge, which asks
 * about every other sendmsg(2), knows the message by which a sandbox hands over the listener (filter/watch.c). A
 * payload that sets them has its datagrams unseen, and so without a relay. */
#define MESSAGE_FLAGS   (MSG_NOSIGNAL | MSG_EOR)
#define MESSAGE_MAX_FDS 24
/* One that can carry such messages: AF_UNIX, SOCK_SEQPACKET. */
bool is_message_socket(int fd);
/* Waits. Bytes received, 0 at end of file, or -errno. Descriptors are close-on-exec. */
ssize_t receive_message(int sock, void *data, size_t size, int *fds, size_t max, size_t *ret_count);
/* 0 or -errno */
int send_parts(int sock, const struct iovec *parts, size_t n, const int *fds, size_t count);
int send_message(int sock, const void *data, size_t size, const int *fds, size_t count);
