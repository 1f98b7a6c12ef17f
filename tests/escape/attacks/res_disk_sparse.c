/* class: resources
 * what: makes a file of 1 TiB and 8 EiB (truncate, write at the end, copy_file_range) past the size limit of a file
 */
#include "attack.h"

int main(void)
{
    const char *dir = scratch_dir();
    signal(SIGXFSZ, SIG_IGN);
    if (!dir)
        contained("no place to write");
    for (size_t d = 0; d < SCRATCH_COUNT; d++) {
        char *path = scratch_path(scratch_dirs[d], "sparse");
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0)
            continue;
        unlink(path);
        worked("ftruncate 1T", ftruncate(fd, 1ll << 40));
        worked("pwrite 1T", pwrite(fd, "x", 1, 1ll << 40));
        worked("fallocate 1T", syscall(SYS_fallocate, fd, 0, 1ll << 40, 4096ll));
        worked("ftruncate max", ftruncate(fd, INT64_MAX));
        close(fd);
    }
    verdict();
}
