/* class: resources
 * what: shared anonymous memory, touched by a child that ends, so that nobody in particular holds it
 * needs: cgroup
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    size_t target = memory_target(), step = 32 * MIB, got = 0;
    while (got < target) {
        char *p = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            contained("%s after %zu MiB", errname(errno), got / MIB);
        pid_t pid = fork();
        if (pid <= 0) {
            for (size_t i = 0; i < step; i += 4096)
                p[i] = 1;
            if (pid == 0)
                _exit(0);
        }
        int status = 0;
        if (pid > 0)
            waitpid(pid, &status, 0);
        if (pid > 0 && !WIFEXITED(status))
            contained("a child was killed after %zu MiB", got / MIB);
        got += step;
    }
    hold_and_boast("shared memory", got);
}
