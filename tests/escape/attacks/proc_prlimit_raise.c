/* class: processes
 * what: raises its own hard limits and changes those of init and its parent (setrlimit, prlimit64, i386 setrlimit)
 */
#include "attack.h"
#include <sys/resource.h>

int main(void)
{
    static const int kinds[] = { RLIMIT_NOFILE,   RLIMIT_NPROC,      RLIMIT_AS,     RLIMIT_FSIZE,
                                 RLIMIT_CORE,     RLIMIT_MEMLOCK,    RLIMIT_STACK,  RLIMIT_CPU,
                                 RLIMIT_MSGQUEUE, RLIMIT_SIGPENDING, RLIMIT_RTTIME, RLIMIT_DATA };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct rlimit r, more;
        if (getrlimit(kinds[i], &r) < 0)
            continue;
        more = r;
        if (r.rlim_max != RLIM_INFINITY && kinds[i] != RLIMIT_NOFILE)
            more.rlim_max = RLIM_INFINITY;
        else if (r.rlim_max != RLIM_INFINITY)
            more.rlim_max = r.rlim_max + 1;
        else
            continue;
        char what[16];
        snprintf(what, sizeof what, "limit %d", kinds[i]);
        worked(what, setrlimit(kinds[i], &more));
        worked("prlimit", syscall(SYS_prlimit64, getpid(), kinds[i], &more, NULL));
    }
    for (int who = 0; who < 2; who++) {
        pid_t pid = who ? getppid() : 1;
        struct rlimit old = { 0 };
        if (pid < 1 || (pid == 1 && !is_inside())) /* a host's init is left in peace */
            continue;
        if (syscall(SYS_prlimit64, pid, RLIMIT_NOFILE, NULL, &old) == 0 && /* sets what it has */
            syscall(SYS_prlimit64, pid, RLIMIT_NOFILE, &old, NULL) == 0)
            escaped("sets the limits of %s", who ? "its parent" : "init");
        refused(who ? "parent" : "init", errno);
    }
    verdict();
}
