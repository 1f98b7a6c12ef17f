/* class: leaks
 * what: looks for what names the machine or carries words between sandboxes: /proc/locks, boot_id, PCI, disks, ext4's
 * groups, the UUID of the file system that /usr lies on
 */
#include "attack.h"
#include <dirent.h>

/* A mask can be opened: an engine's is an empty file or directory. */
static bool tells_something(int fd)
{
    char byte;
    if (read(fd, &byte, 1) > 0)
        return true;
    DIR *d = fdopendir(dup(fd));
    const struct dirent *e = NULL;
    bool is_told = false;
    while (d && (e = readdir(d)))
        is_told |= e->d_name[0] != '.';
    if (d)
        (void)closedir(d);
    return is_told;
}

int main(void)
{
    static const char *const files[] = { "/proc/locks",
                                         "/proc/sys/kernel/random/boot_id",
                                         "/proc/bus/pci/devices",
                                         "/proc/diskstats",
                                         "/proc/partitions",
                                         "/proc/fs/ext4",
                                         "/proc/fs",
                                         "/proc/bus",
                                         "/sys/class/dmi/id",
                                         "/sys/block" };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int fd = try_open(files[i], O_RDONLY);
        if (fd < 0) {
            refused(files[i], errno);
            continue;
        }
        if (tells_something(fd))
            escaped("%s tells something", files[i]);
        note(files[i], "empty");
        close(fd);
    }
    static const char *const disks[] = { "/usr", "/usr/lib", "/lib/x86_64-linux-gnu/libc.so.6", "/attack" };
    static const unsigned long calls[] = { 0x80111500 /* FS_IOC_GETFSUUID */, 0x80811501 /* _GETFSSYSFSPATH */,
                                           0x8008662c /* EXT4_IOC_GETFSUUID */ };
    for (size_t i = 0; i < sizeof disks / sizeof disks[0]; i++) {
        int fd = try_open(disks[i], O_RDONLY);
        for (size_t k = 0; fd >= 0 && k < sizeof calls / sizeof calls[0]; k++) {
            static char answer[256];
            memset(answer, 0, sizeof answer);
            if (calls[k] == 0x8008662c)
                answer[0] = 16; /* struct fsuuid: its room */
            worked("UUID of the file system", ioctl(fd, calls[k], answer));
        }
        if (fd >= 0)
            close(fd);
    }
    verdict();
}
