/* mcp_private.h - a service for one user, on a UNIX socket in its state directory, without a key: that socket's
 * directory is entered by its user alone.
 *
 * As long as a client lives it holds a shared lock on a file beside the socket, which the kernel takes back when it
 * dies, however it does. The service asks for that lock for itself once a second, and ends when it gets it.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"

struct paths;
struct config;

struct mcp_place {
    const char *socket, *lock; /* in the state directory */
};
int mcp_place_find(const struct paths *p, const struct config *c, struct arena *a, struct mcp_place *ret,
                   struct error *err);

/* --- the service --- */

/* Its exit code where another service has the state directory (store_set_service()); EX_TEMPFAIL of sysexits.h. */
#define MCP_PRIVATE_SECOND 75

/* Before it listens: *ret_fd is the lock's file. */
int mcp_private_begin(const struct mcp_place *p, int *ret_fd, struct error *err);
/* Whether no client has it any more; from then on none gets it. */
bool mcp_private_is_unused(int fd);

/* --- a client --- */

/* The private service, started where it does not run: *ret_fd is the lock, held until it is closed. config: --config of
 * the one that is started, or NULL. A minute at most, where the last one is still ending; else some seconds. Where one
 * was started, SIGCHLD is ignored afterwards: the program must have no other children to wait for. */
int mcp_private_join(const struct mcp_place *p, const char *program, const char *config, int *ret_fd,
                     struct error *err);
