/* class: filesystem
 * what: opens the descriptors of init, of the parent and of a host process through /proc/<pid>/fd, and the directories behind its own
 */
#include "attack.h"

static void try_pid(const char *pid)
{
    char path[64], up[96];
    for (int fd = 0; fd < 256; fd++) {
        snprintf(path, sizeof path, "/proc/%s/fd/%d", pid, fd);
        int got = open(path, O_PATH | O_CLOEXEC);
        bool is_own = !strcmp(pid, "self") || !strcmp(pid, "thread-self");
        if (got >= 0 && !is_own)
            escaped("opened %s", path);
        if (got >= 0)
            close(got);
        snprintf(up, sizeof up, "%s/..", path);
        got = open(up, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (got >= 0)
            escaped("%s is a directory left open", path);
    }
}

int main(void)
{
    char ppid[16], victim[16];
    snprintf(ppid, sizeof ppid, "%d", (int)getppid());
    snprintf(victim, sizeof victim, "%d", (int)param_pid("victim_pid"));
    try_pid("self");
    try_pid("1");
    if (getppid() > 1)
        try_pid(ppid);
    if (param_pid("victim_pid") > 1)
        try_pid(victim);
    contained("no descriptor of another process opens");
}
