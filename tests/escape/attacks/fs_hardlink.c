/* class: filesystem
 * what: hard-links host files, the code and its own program into writable places (link, linkat by descriptor and by /proc/self/fd)
 */
#include "attack.h"

int main(int argc, char **argv)
{
    (void)argc;
    const char *targets[] = { param("canary", "/etc/hostname"),
                              "/etc/passwd",
                              "/usr/bin/python3.11",
                              "/usr/lib/x86_64-linux-gnu/libc.so.6",
                              "/attack/params",
                              "/code/main.py",
                              argv[0],
                              "/proc/self/exe" };
    for (size_t d = 0; d < SCRATCH_COUNT - 1; d++)
        for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
            if (is_own_file(targets[t]))
                continue;
            char *path = scratch_path(scratch_dirs[d], "hard"), self[64];
            if (link(targets[t], path) == 0) {
                unlink(path);
                escaped("linked %s into %s", targets[t], scratch_dirs[d]);
            }
            if (t == 0)
                refused(scratch_dirs[d], errno);
            int fd = open(targets[t], O_PATH | O_CLOEXEC);
            if (fd < 0)
                continue;
            snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
            if (linkat(fd, "", AT_FDCWD, path, AT_EMPTY_PATH) == 0 ||
                linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) {
                unlink(path);
                escaped("linked %s into %s by descriptor", targets[t], scratch_dirs[d]);
            }
            close(fd);
        }
    verdict();
}
