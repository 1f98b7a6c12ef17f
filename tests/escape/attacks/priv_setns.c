/* class: privilege
 * what: enters the namespaces of init, its parent or a host process by /proc/<pid>/ns and by pidfd, and asks namespace files for their parents
 */
#include "attack.h"

static int fd;
static int kind;
static int enter(void)
{
    return syscall(SYS_setns, fd, kind) < 0 ? errno : 0;
}

int main(void)
{
    static const char *const names[] = {
        "user", "mnt", "pid", "pid_for_children", "net", "ipc", "uts", "cgroup", "time"
    };
    pid_t pids[] = { 1, getppid(), param_pid("victim_pid") };
    for (int p = 0; p < 3; p++) {
        if (pids[p] < 1)
            continue;
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pids[p], names[n]);
            fd = open(path, O_RDONLY | O_CLOEXEC);
            if (fd < 0)
                continue;
            kind = 0;
            attempt(names[n], enter);
            close(fd);
        }
        fd = (int)syscall(434, pids[p], 0);
        if (fd >= 0) {
            for (size_t k = 0; k < 7; k++) {
                static const int kinds[] = { CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWNET,   CLONE_NEWPID,
                                             CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP };
                kind = kinds[k];
                attempt("pidfd", enter);
            }
            close(fd);
        }
    }
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/ns/%s", names[n]);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        long parent = ioctl(fd, 0xb702 /* NS_GET_PARENT */);
        if (parent >= 0)
            escaped("NS_GET_PARENT gave the parent of %s", names[n]);
        long user = ioctl(fd, 0xb701 /* NS_GET_USERNS */);
        if (user >= 0 && ioctl((int)user, 0xb702) >= 0)
            escaped("NS_GET_USERNS and NS_GET_PARENT lead out of %s", names[n]);
        close(fd);
    }
    verdict();
}
