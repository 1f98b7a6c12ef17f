/* class: filesystem
 * what: makes block and character devices (disk, mem, kmsg, fuse, tun) with mknod, mknodat and i386 mknod, and opens them
 */
#include "attack.h"
#include <sys/sysmacros.h>

static const struct {
    const char *name;
    mode_t kind;
    unsigned major, minor;
} devices[] = { { "sda", S_IFBLK, 8, 0 },   { "vda", S_IFBLK, 254, 0 },   { "vdb", S_IFBLK, 253, 0 },
                { "loop0", S_IFBLK, 7, 0 }, { "mem", S_IFCHR, 1, 1 },     { "kmsg", S_IFCHR, 1, 11 },
                { "null", S_IFCHR, 1, 3 },  { "fuse", S_IFCHR, 10, 229 }, { "tun", S_IFCHR, 10, 200 },
                { "tty0", S_IFCHR, 4, 0 } };

int main(void)
{
    char *low = low_page();
    for (size_t d = 0; d < SCRATCH_COUNT; d++)
        for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
            char *path = scratch_path(scratch_dirs[d], devices[i].name);
            mode_t mode = devices[i].kind | 0666;
            dev_t dev = makedev(devices[i].major, devices[i].minor);
            int ret = mknod(path, mode, dev), err = errno;
            if (ret < 0)
                ret = mknodat(AT_FDCWD, path, mode, dev), err = errno;
            if (ret == 0) {
                int fd = try_open(path, O_RDONLY);
                unlink(path);
                escaped("made device %s in %s (%s)", devices[i].name, scratch_dirs[d],
                        fd >= 0 ? "and opened it" : "not opened");
            }
            if (i == 0)
                refused(scratch_dirs[d], err);
        }
    (void)low;
    verdict();
}
