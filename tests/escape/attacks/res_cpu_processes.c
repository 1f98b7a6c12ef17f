/* class: resources
 * what: burns processor time in processes that end and start anew, so that nobody who looks at one process sees much (1.5 s)
 * reason: timeout killed pids_limit
 * timeout: 6
 */
#include "attack.h"
#include <sys/resource.h>

static double used(void)
{
    struct rusage a, b;
    getrusage(RUSAGE_SELF, &a);
    getrusage(RUSAGE_CHILDREN, &b);
    return (double)(a.ru_utime.tv_sec + a.ru_stime.tv_sec + b.ru_utime.tv_sec + b.ru_stime.tv_sec) +
           (double)(a.ru_utime.tv_usec + a.ru_stime.tv_usec + b.ru_utime.tv_usec + b.ru_stime.tv_usec) / 1e6;
}

int main(void)
{
    double begin = seconds(CLOCK_MONOTONIC), until = begin + 2.5, start = 0, cpu = 0;
    int alive = 0, total = 0;
    while (seconds(CLOCK_MONOTONIC) < until) {
        if (!start && seconds(CLOCK_MONOTONIC) > begin + 1)
            start = seconds(CLOCK_MONOTONIC), cpu = used();
        pid_t pid = alive < 3 ? fork() : -1;
        if (pid == 0) {
            double end = seconds(CLOCK_MONOTONIC) + 0.15;
            while (seconds(CLOCK_MONOTONIC) < end)
                ;
            _exit(0);
        }
        if (pid > 0)
            alive++, total++;
        else if (waitpid(-1, NULL, 0) > 0)
            alive--;
        else
            for (volatile int i = 0; i < 1000000; i++)
                ;
    }
    while (waitpid(-1, NULL, 0) > 0)
        ;
    double share = (used() - cpu) / (seconds(CLOCK_MONOTONIC) - start),
           limit = (double)param_num("limit_cpu_milli", 1000) / 1000;
    if (share > limit * 1.25 + 0.25)
        escaped("%d processes got %.2f processors, the limit is %.2f", total, share, limit);
    contained("%d processes got %.2f processors, the limit is %.2f", total, share, limit);
}
