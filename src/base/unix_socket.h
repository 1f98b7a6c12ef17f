/* unix_socket.h - sockets that lie in the file system, of any type (unix(7)). */
#pragma once
#include "base/base.h"

#include <sys/types.h>

#define UNIX_SOCKET_PATH_MAX 107u /* bytes of a path that an address holds */

/* type: SOCK_STREAM and such, with SOCK_NONBLOCK if wanted. A descriptor that closes with an exec, or -errno;
 * -ENAMETOOLONG: longer than the above, or empty. */
int unix_connect(const char *path, int type);
/* The same, for clients that this mode lets in. A socket at which nobody listens any more is replaced. -EADDRINUSE:
 * somebody does; -EEXIST: there is something else. */
int unix_listen(const char *path, int type, mode_t mode, int backlog);
