/* class: resources
 * what: burns processor time with eight threads and compares what it got with the limit (1.5 s)
 * reason: timeout killed
 * timeout: 6
 */
#include "attack.h"
#include <pthread.h>

static double until;
static void *burn(void *unused)
{
    while (seconds(CLOCK_MONOTONIC) < until)
        for (volatile int i = 0; i < 100000; i++)
            ;
    return unused;
}

int main(void)
{
    pthread_t t;
    until = seconds(CLOCK_MONOTONIC) + 2.5;
    int threads = 1;
    for (; threads < 8; threads++)
        if (pthread_create(&t, NULL, burn, NULL))
            break;
    double start = 0, cpu = 0;
    while (seconds(CLOCK_MONOTONIC) < until) {
        for (volatile int i = 0; i < 100000; i++)
            ;
        if (!start && seconds(CLOCK_MONOTONIC) > until - 1.5) { /* the first second may be a burst */
            start = seconds(CLOCK_MONOTONIC);
            cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        }
    }
    double share = (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / (seconds(CLOCK_MONOTONIC) - start);
    double limit = (double)param_num("limit_cpu_milli", 1000) / 1000;
    if (share > limit * 1.25 + 0.25)
        escaped("%d threads got %.2f processors, the limit is %.2f", threads, share, limit);
    contained("%d threads got %.2f processors, the limit is %.2f", threads, share, limit);
}
