/* class: filesystem
 * what: reopens its standard streams for writing through /proc/self/fd and changes the host file behind stdin
 * stdin: file
 * outside: stdin_unchanged
 */
#include "attack.h"

int main(void)
{
    for (int fd = 0; fd < 3; fd++) {
        char path[64];
        struct stat st;
        if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
            continue;
        bool is_readonly = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY;
        static const char *const forms[] = { "/proc/self/fd/%d", "/dev/fd/%d", "/proc/thread-self/fd/%d" };
        for (int i = 0; i < 3; i++) {
            snprintf(path, sizeof path, forms[i], fd);
            int got = is_readonly ? try_open(path, O_RDWR) : -1;
            if (got >= 0)
                escaped("%s reopened for writing", path);
            if (is_readonly)
                refused(path, errno);
        }
        if (fchmod(fd, st.st_mode & 07777) == 0)
            escaped("fchmod of the host file behind descriptor %d", fd);
        refused("fchmod", errno);
        struct timespec t[2] = { st.st_atim, st.st_mtim };
        if (futimens(fd, t) == 0)
            escaped("futimens of the host file behind descriptor %d", fd);
        if (fd == 0 && ftruncate(fd, st.st_size) == 0)
            escaped("ftruncate of stdin");
        const char *dir = scratch_dir();
        char *link = scratch_path(dir ? dir : "/tmp", "stdin");
        if (linkat(fd, "", AT_FDCWD, link, AT_EMPTY_PATH) == 0) {
            unlink(link);
            escaped("linked the host file behind descriptor %d", fd);
        }
    }
    verdict();
}
