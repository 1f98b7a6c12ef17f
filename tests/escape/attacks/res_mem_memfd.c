/* class: resources
 * what: fills memory files (memfd_create, O_TMPFILE, huge pages), which belong to no mount and no process size
 * needs: cgroup
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    static char block[1 << 20];
    size_t target = memory_target(), got = 0;
    memset(block, 'x', sizeof block);
    signal(SIGXFSZ, SIG_IGN);
    int err = 0;
    for (int file = 0; file < 24 && got < target; file++) {
        int fd = (int)syscall(SYS_memfd_create, "escape", 0);
        if (fd < 0) {
            err = errno;
            break;
        }
        for (int i = 0; i < 256 && got < target; i++) {
            ssize_t n = write(fd, block, sizeof block);
            if (n <= 0) {
                err = errno;
                break;
            }
            got += (size_t)n;
        }
    }
    if (got < target)
        contained("%s after %zu MiB", errname(err), got / MIB);
    hold_and_boast("memory files", got);
}
