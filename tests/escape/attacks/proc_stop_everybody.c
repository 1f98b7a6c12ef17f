/* class: processes
 * what: keeps everything it can reach stopped, init included, from a process that does nothing else
 * reason: timeout
 * timeout: 1
 * levels: low high
 */
#include "attack.h"

int main(void)
{
    need_to_be_alone();
    for (int s = 1; s < 65; s++)
        signal(s, SIG_IGN);
    double until = seconds(CLOCK_MONOTONIC) + 12;
    while (seconds(CLOCK_MONOTONIC) < until) {
        kill(1, SIGSTOP);
        kill(-1, SIGSTOP);
        if (getppid() > 0)
            kill(getppid(), SIGSTOP);
        sleep_ms(5);
    }
    escaped("outlived the deadline by far");
}
