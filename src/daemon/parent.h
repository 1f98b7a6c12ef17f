/* parent.h - sandboxd started by root: a small root parent, and the service as an ordinary user.
 *
 * Before there are threads parent_split() forks. The parent stays root and does four things: starts a launcher when the
 * service asks for one (launchers must be root for a host uid of their own per sandbox, for volumes, for cgroups),
 * hands signals down, reaps, and ends with the service's status. The service gives up everything: groups, ids,
 * capabilities, bounding set, no_new_privs; not dumpable.
 *
 * The boundary: the service, should it be owned, can ask for a launcher and nothing else; the request has no contents
 * but the service's end of a socket, by which the launcher knows whose volumes it opens. Launchers check every plan
 * themselves (launch/check.c). Number and rate of launchers are bounded here.
 */
#pragma once
#include "base/error.h"
#include "run/paths.h"

/* The service's user when root names none and there is no user «sandbox-agent»: an id that neither Debian nor systemd
 * assigns (UIDS-GIDS.md; dynamic users end at 65519, the overflow id is 65534), that fits into a container's 65536 ids,
 * and that no launcher gives to a sandbox (launch/maps.c). */
#define PARENT_UID  65530u
#define PARENT_USER "sandbox-agent"

#define PARENT_MAX_DIRS 6
struct parent_options {
    const char *user;     /* --user NAME or UID[:GID]; NULL: sandbox-agent, else PARENT_UID */
    const char *launcher; /* the program; NULL: the service never asks (--launcher SOCKET) */
    struct {
        const char *path;    /* NULL ends */
        unsigned mode;       /* of one that is made */
    } dirs[PARENT_MAX_DIRS]; /* made for the user, or taken over from root: belongings.h */
};

/* As root, without threads. Returns in the child only, which is the service from then on: 0 and a socket for
 * parent_launcher(). An error returns before anything was forked, or in the child (the parent ends with its status).
 * Descriptors above 2 stay open in the child only. */
int parent_split(const struct parent_options *o, int *ret_parent_fd, struct error *err);
/* As root: becomes the service's user for good, in this process. For commands that try what the service would do. */
int parent_become(const char *user, struct error *err);
/* In the service: a new launcher's control socket; *ret_pid is not our child. -EAGAIN: too many, or too often. */
int parent_launcher(int parent_fd, int *ret_sock, int *ret_pid, struct error *err);

/* paths_find() for a service: as root the system's directories, and neither root's own configuration nor root's cache
 * (what a user may write, root does not read: /var/cache/sandbox-agent stays root's, the service has
 * /var/cache/sandboxd). Under systemd $STATE_DIRECTORY, $CACHE_DIRECTORY and $LOGS_DIRECTORY. Before parent_split(). */
int parent_paths(struct arena *a, struct paths *ret);
