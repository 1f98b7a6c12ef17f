/* workspace.c - hands the client a descriptor of the directory in which the program will leave its files.
 *
 * Before the program starts, so that the files of one that is killed can be kept, too. Nothing is copied in here:
 * copies would count against the sandbox's memory, and walking a hostile tree is no work for the launcher. The client
 * (run/workspace.c) looks when every process inside has ended; its descriptor keeps the tmpfs, not the sandbox.
 */
#include "launch/launch.h"

#include <fcntl.h>

int step_workspace(struct init_ctx *c, struct error *err)
{
    const char *path = c->job->workspace;
    if (!path)
        return 0;
    /* O_PATH: a name to look below, with no right to read that our landlock would have to grant */
    cleanup(closep) int dir = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "open %s: %m", path);
    /* a client that takes nothing, or too much is under way (ETOOMANYREFS): it sees that nothing came, and the run
     * stands */
    (void)send_message(INIT_FD_WORKSPACE, "w", 1, &dir, 1);
    closep(&c->fds[RUN_FD_WORKSPACE]);
    return 0;
}
