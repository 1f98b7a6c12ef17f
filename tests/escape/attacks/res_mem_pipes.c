/* class: resources
 * what: kernel memory in pipes, each widened to 1 MiB and filled, with as many descriptors as it gets
 * needs: cgroup
 * reason: oom killed signal
 * timeout: 6
 */
#include "attack.h"

int main(void)
{
    static char block[65536];
    size_t target = memory_target(), got = 0;
    int p[2], count = 0;
    while (got < target && pipe(p) == 0) {
        (void)fcntl(p[1], 1031 /* F_SETPIPE_SZ */, 1 << 20);
        (void)fcntl(p[1], F_SETFL, O_NONBLOCK);
        ssize_t n;
        while (got < target && (n = write(p[1], block, sizeof block)) > 0)
            got += (size_t)n;
        count++;
    }
    if (got < target)
        contained("%s after %d pipes and %zu MiB", errname(errno), count, got / MIB);
    hold_and_boast("pipe buffers", got);
}
