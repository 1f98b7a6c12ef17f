/* class: resources
 * what: queues real-time signals to itself until refused (60000 at most)
 */
#include "attack.h"

int main(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    union sigval v = { 0 };
    int n = 0;
    while (n < 60000 && sigqueue(getpid(), 40, v) == 0)
        n++;
    int err = errno;
    if (n >= 60000)
        escaped("%d signals queued", n);
    contained("%d signals, then %s", n, errname(err));
}
