/* class: filesystem
 * what: changes mode, owner, times, length, flags and attributes of read-only files (to the values they have, so nothing is lost by mistake)
 */
#include "attack.h"
#include <linux/fs.h>

int main(int argc, char **argv)
{
    (void)argc;
    const char *files[] = { "/usr",
                            "/usr/bin",
                            "/usr/bin/python3.11",
                            "/usr/lib/x86_64-linux-gnu/libc.so.6",
                            "/lib64/ld-linux-x86-64.so.2",
                            "/etc/passwd",
                            "/etc",
                            "/attack",
                            "/attack/params",
                            "/code",
                            "/",
                            argv[0] };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct stat st;
        if (is_own_file(files[i]) ||
            (in_session() && !strcmp(files[i], "/code"))) /* docs/sessions.md: it is the steward's */
            continue;
        if (stat(files[i], &st) < 0)
            continue;
        struct timespec t[2] = { st.st_atim, st.st_mtim };
        if (chmod(files[i], st.st_mode & 07777) == 0)
            escaped("chmod of %s", files[i]);
        refused(files[i], errno);
        if (chown(files[i], st.st_uid, st.st_gid) == 0)
            escaped("chown of %s", files[i]);
        if (utimensat(AT_FDCWD, files[i], t, 0) == 0)
            escaped("utimensat of %s", files[i]);
        if (S_ISREG(st.st_mode) && truncate(files[i], st.st_size) == 0)
            escaped("truncate of %s", files[i]);
        if (syscall(SYS_setxattr, files[i], "user.escape", "", 0, 2 /* XATTR_REPLACE: none there */) == 0 ||
            errno == ENODATA)
            escaped("setxattr of %s", files[i]);
        int fd = open(files[i], O_RDONLY | O_CLOEXEC);
        int flags = 0;
        if (fd >= 0 && ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0)
            escaped("FS_IOC_SETFLAGS of %s", files[i]);
        if (fd >= 0)
            close(fd);
    }
    verdict();
}
