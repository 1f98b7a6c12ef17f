/* class: kernel
 * what: sets the clock (to the time it has) and its speed (as it is): clock_settime, settimeofday, adjtimex, clock_adjtime, stime, /dev/rtc0
 */
#include "attack.h"
#include <sys/time.h>
#include <sys/timex.h>

static int settime(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return syscall(SYS_clock_settime, CLOCK_REALTIME, &t) < 0 ? errno : 0;
}
static int timezone_(void)
{
    struct timeval tv;
    struct {
        int west, dst;
    } tz = { 0 };
    syscall(SYS_gettimeofday, &tv, &tz);
    return syscall(SYS_settimeofday, NULL, &tz) < 0 ? errno : 0;
}
static int adj(void)
{
    struct timex t = { 0 };
    syscall(SYS_adjtimex, &t);
    t.modes = ADJ_TICK;
    return syscall(SYS_adjtimex, &t) < 0 ? errno : 0;
}
static int clock_adj(void)
{
    struct timex t = { 0 };
    syscall(SYS_clock_adjtime, CLOCK_REALTIME, &t);
    t.modes = ADJ_TICK;
    return syscall(SYS_clock_adjtime, CLOCK_REALTIME, &t) < 0 ? errno : 0;
}
static int timens(void)
{
    int fd = open("/proc/self/timens_offsets", O_WRONLY);
    return fd < 0 ? errno : write(fd, "1 0 0\n", 6) < 0 ? errno : 0;
}

int main(void)
{
    attempt("clock_settime", settime);
    attempt("settimeofday", timezone_);
    attempt("adjtimex", adj);
    attempt("clock_adjtime", clock_adj);
    attempt("timens_offsets", timens);
    verdict();
}
