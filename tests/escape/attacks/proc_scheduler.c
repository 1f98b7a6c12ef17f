/* class: processes
 * what: takes the processor for itself: real-time and deadline scheduling, nice -20, real-time I/O class, by old and new calls
 */
#include "attack.h"
#include <sys/resource.h>

struct attr {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};
static int fifo(void)
{
    struct sched_param p = { .sched_priority = 1 };
    return syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &p) < 0 ? errno : 0;
}
static int rr(void)
{
    struct sched_param p = { .sched_priority = 1 };
    return syscall(SYS_sched_setscheduler, 0, SCHED_RR | 0x40000000, &p) < 0 ? errno : 0;
}
static int deadline(void)
{
    struct attr a = { .size = sizeof a, .policy = 6, .runtime = 10000000, .deadline = 30000000, .period = 30000000 };
    return syscall(314, 0, &a, 0) < 0 ? errno : 0;
}
static int attr_fifo(void)
{
    struct attr a = { .size = sizeof a, .policy = 1, .priority = 1 };
    return syscall(314, 0, &a, 0) < 0 ? errno : 0;
}
static int attr_nice(void)
{
    struct attr a = { .size = sizeof a, .policy = 0, .nice = -20 };
    return syscall(314, 0, &a, 0) < 0 ? errno : 0;
}
static int nice_(void)
{
    return setpriority(PRIO_PROCESS, 0, -20) < 0 ? errno : 0;
}
static int nice_limit(void)
{
    struct rlimit r = { 40, 40 };
    return setrlimit(RLIMIT_NICE, &r) < 0 ? errno : 0;
}
static int rt_limit(void)
{
    struct rlimit r = { 10, 10 };
    return setrlimit(RLIMIT_RTPRIO, &r) < 0 ? errno : 0;
}
static int io_rt(void)
{
    return syscall(SYS_ioprio_set, 1, 0, 1 << 13) < 0 ? errno : 0;
}
int main(void)
{
    attempt("SCHED_FIFO", fifo);
    attempt("SCHED_RR", rr);
    attempt("SCHED_DEADLINE", deadline);
    attempt("sched_setattr FIFO", attr_fifo);
    attempt("sched_setattr nice", attr_nice);
    attempt("nice -20", nice_);
    attempt("RLIMIT_NICE", nice_limit);
    attempt("RLIMIT_RTPRIO", rt_limit);
    attempt("ioprio RT", io_rt);
    verdict();
}
