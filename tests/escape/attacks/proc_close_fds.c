/* class: processes
 * what: closes all descriptors, so that nobody who waits for the end of its output ever waits long enough or returns too early
 * reason: timeout
 * timeout: 1
 * levels: low high
 */
#include "attack.h"

int main(void)
{
    if (fork() == 0)
        setsid();
    for (int fd = 0; fd < 4096; fd++)
        close(fd);
    signal(SIGTERM, SIG_IGN);
    double until = seconds(CLOCK_MONOTONIC) + 12;
    while (seconds(CLOCK_MONOTONIC) < until)
        sleep_ms(50);
    _exit(42);
}
