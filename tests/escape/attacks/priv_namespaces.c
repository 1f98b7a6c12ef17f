/* class: privilege
 * what: any other new namespace (mnt, pid, net, ipc, uts, cgroup, time) by unshare, clone and clone3
 */
#include "attack.h"

static uint64_t flag;
static int by_unshare(void)
{
    return syscall(SYS_unshare, flag) < 0 ? errno : 0;
}
static int by_clone(void)
{
    long pid = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : 0;
}
static int by_clone3(void)
{
    uint64_t a[11] = { flag, 0, 0, 0, SIGCHLD };
    long pid = syscall(435, a, sizeof a);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : 0;
}

int main(void)
{
    static const struct {
        const char *name;
        uint64_t flag;
    } kinds[] = { { "mnt", CLONE_NEWNS },   { "pid", CLONE_NEWPID }, { "net", CLONE_NEWNET },
                  { "ipc", CLONE_NEWIPC },  { "uts", CLONE_NEWUTS }, { "cgroup", CLONE_NEWCGROUP },
                  { "time", CLONE_NEWTIME } };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        flag = kinds[i].flag;
        attempt(kinds[i].name, by_unshare);
        if (flag != CLONE_NEWTIME) /* these bits are the exit signal there */
            attempt(kinds[i].name, by_clone);
        attempt(kinds[i].name, by_clone3);
    }
    verdict();
}
