/* class: resources
 * what: maps private memory, huge pages asked for, every way of touching (write, MADV_POPULATE, MAP_POPULATE)
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    size_t target = memory_target(), step = 16 * MIB, got = 0;
    while (got < target) {
        int how = (int)(got / step % 3);
        char *p = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (how == 1 ? MAP_POPULATE : 0),
                       -1, 0);
        if (p == MAP_FAILED)
            contained("%s after %zu MiB", errname(errno), got / MIB);
        (void)madvise(p, step, 14 /* HUGEPAGE */);
        if (how == 2)
            (void)madvise(p, step, 23 /* POPULATE_WRITE */);
        for (size_t i = 0; i < step; i += 4096)
            p[i] = 1;
        got += step;
    }
    hold_and_boast("private memory", got);
}
