/* class: resources
 * what: fills every place it can write to (2 GiB at most)
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    static char block[1 << 20];
    memset(block, 'x', sizeof block);
    signal(SIGXFSZ, SIG_IGN);
    size_t total = 0, limit = (size_t)param_num("limit_storage", 1024l << 20) +
                              (size_t)param_num("limit_temp", 256l << 20) + 64 * MIB;
    for (size_t d = 0; d < SCRATCH_COUNT; d++) {
        size_t here = 0;
        int err = 0;
        for (int file = 0; file < 64 && total < 2048 * MIB && total <= limit; file++) {
            char name[16];
            snprintf(name, sizeof name, "fill%d", file);
            char *path = scratch_path(scratch_dirs[d], name);
            int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            ssize_t n = -1;
            for (int i = 0; fd >= 0 && i < 512 && total <= limit && (n = write(fd, block, sizeof block)) > 0; i++)
                here += (size_t)n, total += (size_t)n;
            err = errno;
            if (fd >= 0)
                close(fd);
            if (fd < 0 || (n <= 0 && err != EFBIG))
                break;
        }
        char text[64];
        snprintf(text, sizeof text, "%zuM,%s", here / MIB, errname(err));
        note(scratch_dirs[d], text);
    }
    for (size_t d = 0; d < SCRATCH_COUNT; d++)
        for (int file = 0; file < 64; file++) {
            char name[16];
            snprintf(name, sizeof name, "fill%d", file);
            unlink(scratch_path(scratch_dirs[d], name));
        }
    if (total > limit)
        escaped("wrote %zu MiB, the limit is %zu", total / MIB, limit / MIB - 64);
    verdict();
}
