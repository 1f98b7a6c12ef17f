/* class: resources
 * what: makes POSIX timers until refused (60000 at most), a kernel memory and interrupt load
 */
#include "attack.h"

int main(void)
{
    int n = 0, id;
    struct sigevent e = { .sigev_notify = SIGEV_NONE };
    while (n < 60000 && syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &id) == 0)
        n++;
    int err = errno;
    if (n >= 60000)
        escaped("%d timers", n);
    contained("%d timers, then %s", n, errname(err));
}
