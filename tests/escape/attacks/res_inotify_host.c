/* class: resources
 * what: takes all inotify instances and watches of the user who made its user namespace, so that the caller's own programs get none
 * outside: host_inotify_works
 * reason: oom killed
 */
#include "attack.h"
#include <sys/inotify.h>

int main(void)
{
    int n = 0, first = inotify_init1(IN_CLOEXEC);
    while (first >= 0 && n < 2000 && inotify_init1(IN_CLOEXEC) >= 0)
        n++;
    int err = errno;
    sleep_ms(500);
    contained("%d instances, then %s; judged from outside", n, errname(err));
}
