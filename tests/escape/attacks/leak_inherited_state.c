/* class: leaks
 * what: inherits the caller's umask, ignored or blocked signals, core limit, timers, alternate limits, oom score, death signal
 */
#include "attack.h"
#include <sys/resource.h>
#include <sys/time.h>

int main(void)
{
    mode_t mask = umask(077);
    if (mask != 077 && mask != 022 && mask != 027 && mask != 026 && mask != 037 && mask != 002)
        escaped("umask is the caller's: %03o", (unsigned)mask);
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int s = 1; s < 65; s++) {
        struct sigaction a;
        if (s == SIGPIPE || sigaction(s, NULL, &a) < 0)
            continue;
        if (a.sa_handler == SIG_IGN)
            escaped("signal %d is ignored, as the caller left it", s);
        if (sigismember(&blocked, s) == 1)
            escaped("signal %d is blocked, as the caller left it", s);
    }
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max != 0)
        escaped("may dump core (%lu)", (unsigned long)core.rlim_max);
    struct itimerval t;
    if (getitimer(ITIMER_REAL, &t) == 0 && (t.it_value.tv_sec || t.it_interval.tv_sec))
        escaped("inherited a timer");
    contained("umask %03o, no signals ignored or blocked, no core", (unsigned)mask);
}
