/* class: processes
 * what: outruns the executioner: each generation forks the next and ends at once, changing its number thousands of times a second
 * reason: timeout pids_limit killed
 * timeout: 1
 * levels: low high
 * outside: no_process_left
 */
#include "attack.h"

int main(void)
{
    double until = seconds(CLOCK_MONOTONIC) + 8;
    long most = is_inside() ? 1000000 : 300; /* a host's numbers would wrap, which confuses strangers */
    pid_t first = getpid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0)
        for (long generation = 0; seconds(CLOCK_MONOTONIC) < until && generation < most; generation++) {
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
