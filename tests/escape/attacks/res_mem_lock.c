/* class: resources
 * what: locks its memory, so that it can never be reclaimed (mlockall, mlock, mlock2, MAP_LOCKED)
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    size_t target = memory_target(), step = 16 * MIB, got = 0;
    (void)mlockall(MCL_FUTURE | 4);
    while (got < target) {
        char *p = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
        if (p == MAP_FAILED) {
            (void)munlockall();
            p = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (p == MAP_FAILED)
                contained("mmap %s after %zu MiB locked", errname(errno), got / MIB);
        }
        if (mlock(p, step) < 0 && syscall(SYS_mlock2, p, step, 0) < 0)
            contained("mlock %s after %zu MiB", errname(errno), got / MIB);
        got += step;
    }
    hold_and_boast("locked memory", got);
}
