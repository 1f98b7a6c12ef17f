/* class: processes
 * what: stops itself and its children, so that a polite signal is never handled
 * reason: timeout
 * timeout: 2
 */
#include "attack.h"

int main(void)
{
    if (fork() == 0) { /* on a host: somebody has to wake us in the end */
        sleep_ms(12000);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    if (fork() == 0) {
        alarm(13);
        raise(SIGSTOP);
        _exit(0);
    }
    raise(SIGSTOP);
    escaped("outlived the deadline by far");
}
