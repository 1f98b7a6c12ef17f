/* class: resources
 * what: reserves space without writing (fallocate, FALLOC_FL_KEEP_SIZE, ZERO_RANGE, posix style) in every place it can write to (2 GiB at most)
 * reason: oom killed signal
 * timeout: 6
 */
#include "attack.h"

int main(void)
{
    size_t total = 0, limit = (size_t)param_num("limit_storage", 1024l << 20) +
                              (size_t)param_num("limit_temp", 256l << 20) + 64 * MIB;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t d = 0; d < SCRATCH_COUNT; d++) {
        size_t here = 0;
        int err = 0;
        for (int file = 0; file < 128 && total < 2048 * MIB; file++) {
            char *path = scratch_path(scratch_dirs[d], "reserve");
            int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (fd < 0) {
                err = errno;
                break;
            }
            unlink(path); /* the descriptor keeps it until we end */
            off_t size = 16 * MIB;
            int ret = (int)syscall(SYS_fallocate, fd, file % 2, 0, size);
            err = errno;
            struct stat st = { 0 };
            fstat(fd, &st);
            here += (size_t)st.st_blocks * 512, total += (size_t)st.st_blocks * 512;
            if (ret < 0)
                break;
        }
        char text[64];
        snprintf(text, sizeof text, "%zuM,%s", here / MIB, errname(err));
        note(scratch_dirs[d], text);
    }
    if (total > limit)
        escaped("reserved %zu MiB, the limit is %zu", total / MIB, limit / MIB - 64);
    verdict();
}
