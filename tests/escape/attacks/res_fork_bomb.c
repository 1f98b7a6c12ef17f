/* class: resources
 * what: forks until the limit (300 at most) and keeps all children
 * reason: pids_limit killed
 * timeout: 5
 */
#include "attack.h"

int main(void)
{
    static pid_t children[300];
    int n = 0, err = 0;
    long limit = param_num("limit_pids", 250);
    while (n < 300) {
        pid_t pid = fork();
        if (pid == 0) {
            alarm(6);
            pause();
            _exit(0);
        }
        if (pid < 0) {
            err = errno;
            break;
        }
        children[n++] = pid;
    }
    sleep_ms(200);
    for (int i = 0; i < n; i++)
        kill(children[i], SIGKILL);
    for (int i = 0; i < n; i++)
        waitpid(children[i], NULL, 0);
    if (n > limit)
        escaped("%d processes at once, the limit is %ld", n, limit);
    contained("%d processes, then %s", n, errname(err));
}
