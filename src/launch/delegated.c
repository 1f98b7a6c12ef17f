#include "launch/delegated.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define CHILD                                                                                                        \
    "sandbox-agent.supervisor" /* no number behind the point: cgroup_sweep() leaves it alone, and systemd removes it \
                                  with the unit */
#define ROUNDS 16              /* processes fork while we move them */

bool delegated_is(const char *path)
{
    static const char *const names[] = {
        "trusted.delegate", "user.delegate"
    }; /* systemd since 236; since 251, for those who may not read the first */
    char value[8];
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (getxattr(path, names[i], value, sizeof value) == 1 && value[0] == '1')
            return true;
    return false;
}

/* One number of cgroup.procs after the other. Those that are gone, or of no number here (another pid namespace), show
 * by what is left. */
static void move_listed(const char *text, int to)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        ssize_t w = write(to, text, n);
        (void)w;
        text += n + (text[n] == '\n');
    }
}

bool delegated_clear(const char *path)
{
    char child[600], procs[640], text[4096];
    (void)snprintf(child, sizeof child, "%s/" CHILD, path);
    if (mkdir(child, 0755) < 0 && errno != EEXIST)
        return false;
    (void)snprintf(procs, sizeof procs, "%s/cgroup.procs", child);
    cleanup(closep) int to = open(procs, O_WRONLY | O_CLOEXEC);
    (void)snprintf(procs, sizeof procs, "%s/cgroup.procs", path);
    for (int round = 0; to >= 0 && round < ROUNDS; round++) {
        cleanup(closep) int from = open(procs, O_RDONLY | O_CLOEXEC);
        ssize_t n = from < 0 ? -1 : read(from, text, sizeof text - 1);
        if (n <= 0)
            return n == 0;
        text[n] = '\0';
        char *end = strrchr(text, '\n'); /* a number that was cut is for the next round */
        if (end)
            end[1] = '\0';
        move_listed(text, to);
    }
    return false;
}
