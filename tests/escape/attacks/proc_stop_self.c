/* class: processes
 * what: stops itself and its children, so that a polite signal is never handled
 * reason: timeout
 * timeout: 1
 * levels: low high
 */
#include "attack.h"

int main(void)
{
    pid_t stopped = fork();
    if (stopped == 0) {
        raise(SIGSTOP);
        _exit(0);
    }
    if (fork() == 0) { /* on a host: somebody has to clean up in the end */
        sleep_ms(12000);
        if (stopped > 0)
            kill(stopped, SIGKILL);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    escaped("outlived the deadline by far");
}
