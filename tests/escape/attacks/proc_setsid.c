/* class: processes
 * what: hides from the deadline in new sessions and process groups with SIGTERM ignored, in every process it may have
 * reason: timeout
 * timeout: 1
 * levels: low high
 */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            setsid();
            (void)setpgid(0, 0);
            break;
        }
    }
    setsid();
    for (int s = 1; s < 65; s++)
        signal(s, SIG_IGN);
    double until = seconds(CLOCK_MONOTONIC) + 12;
    while (seconds(CLOCK_MONOTONIC) < until)
        sleep_ms(100);
    escaped("outlived the deadline by far");
}
