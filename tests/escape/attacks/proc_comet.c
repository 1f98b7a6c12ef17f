/* class: processes
 * what: outruns the executioner: each generation forks the next and ends at once, changing its number thousands of times a second
 * reason: timeout pids_limit killed
 * timeout: 2
 * outside: no_process_left
 */
#include "attack.h"

int main(void)
{
    double until = seconds(CLOCK_MONOTONIC) + 8;
    pid_t first = getpid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0)
        while (seconds(CLOCK_MONOTONIC) < until) {
            setsid();
            pid_t next = fork();
            if (next > 0)
                _exit(0);
        }
    while (getpid() == first && seconds(CLOCK_MONOTONIC) < until)
        sleep_ms(50);
    if (getpid() == first)
        escaped("outlived the deadline by far");
    _exit(0);
}
