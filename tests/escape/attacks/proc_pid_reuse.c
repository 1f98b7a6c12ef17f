/* class: processes
 * what: runs through all process numbers so that a supervisor that remembers a number, not a process, kills a stranger or nobody
 * reason: timeout pids_limit killed
 * timeout: 4
 * outside: victim_alive no_process_left
 */
#include "attack.h"

int main(void)
{
    double until = seconds(CLOCK_MONOTONIC) + 1;
    int rounds = 0, most = is_inside() ? 1000000 : 300; /* a host's numbers would wrap, which confuses strangers */
    pid_t last = 0;
    bool wrapped = false;
    while (seconds(CLOCK_MONOTONIC) < until && rounds < most) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (pid < 0) {
            if (errno != EAGAIN)
                break;
            continue;
        }
        waitpid(pid, NULL, 0);
        wrapped |= pid < last;
        last = pid;
        rounds++;
    }
    contained("%d processes, numbers %s", rounds, wrapped ? "wrapped" : "did not wrap");
}
