/* class: processes
 * what: waits uninterruptibly in vfork for a child that never execs
 * reason: timeout
 * timeout: 1
 * levels: low high
 */
#include "attack.h"

int main(void)
{
    signal(SIGTERM, SIG_IGN);
    double until = seconds(CLOCK_MONOTONIC) + 12;
    if (vfork() == 0) {
        while (seconds(CLOCK_MONOTONIC) < until)
            sleep_ms(100);
        _exit(0);
    }
    escaped("outlived the deadline by far");
}
