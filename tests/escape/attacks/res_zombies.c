/* class: resources
 * what: leaves its dead children unreaped until process numbers run out (300 at most)
 * reason: pids_limit killed
 * timeout: 5
 */
#include "attack.h"

int main(void)
{
    long limit = param_num("limit_pids", 250);
    int n = 0;
    while (n < 300) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (pid < 0)
            break;
        n++;
    }
    int err = errno;
    if (n > limit)
        escaped("%d unreaped children, the limit is %ld", n, limit);
    contained("%d zombies, then %s", n, errname(err));
}
