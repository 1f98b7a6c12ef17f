/* class: resources
 * what: runs more processes at once than the profile's max_processes (which is smaller than its pids where init and threads are to fit in)
 * reason: pids_limit killed
 * timeout: 5
 */
#include "attack.h"

int main(void)
{
    static pid_t children[300];
    int n = 0, err = 0;
    long limit = param_num("limit_processes", 250);
    while (n < 299) {
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
    int alive = 1;
    for (int i = 0; i < n; i++)
        alive += kill(children[i], 0) == 0 && waitpid(children[i], NULL, WNOHANG) == 0;
    for (int i = 0; i < n; i++)
        kill(children[i], SIGKILL);
    if (alive > limit)
        escaped("%d processes at once, the profile allows %ld", alive, limit);
    contained("%d processes at once, then %s", alive, errname(err));
}
