/* class: processes
 * what: takes open files out of init or the parent with pidfd_getfd, and opens pidfds for processes outside
 */
#include "attack.h"

static int steal_from(pid_t pid)
{
    int fd = (int)syscall(434 /* pidfd_open */, pid, 0);
    if (fd < 0)
        return errno;
    int err = EPERM;
    for (int n = 0; n < 256; n++) {
        long got = syscall(438 /* pidfd_getfd */, fd, n, 0);
        if (got >= 0)
            return 0;
        if (errno == EBADF && err != EBADF)
            err = errno;
    }
    return err;
}

static int from_init(void)
{
    return steal_from(1);
}
static int from_parent(void)
{
    return steal_from(getppid() ? getppid() : 1);
}
static int from_host(void)
{
    return steal_from(param_pid("victim_pid"));
}

int main(void)
{
    struct {
        const char *what;
        int (*fn)(void);
    } tries[] = { { "getfd of init", from_init },
                  { "getfd of parent", from_parent },
                  { "getfd of host process", from_host } };
    for (int i = 0; i < 3; i++) {
        /* in person: in a child, the parent would be ourselves */
        int err = tries[i].fn();
        if (err == 0 || err == EBADF)
            escaped("%s is permitted", tries[i].what);
        refused(tries[i].what, err);
    }
    if (param_pid("victim_pid") > 1)
        worked("pidfd_open of host process", syscall(434, param_pid("victim_pid"), 0));
    verdict();
}
