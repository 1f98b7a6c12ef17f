/* class: processes
 * what: reads and writes what /proc tells about init and its parent: mem, maps, environ, auxv, stack, syscall, pagemap, io, exe, cwd, root
 */
#include "attack.h"

static void read_files(const char *pid)
{
    static const char *const names[] = { "mem",     "maps",    "smaps", "numa_maps", "auxv",        "stack",
                                         "syscall", "pagemap", "io",    "environ",   "personality", "wchan" };
    char path[80], buf[256];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "/proc/%s/%s", pid, names[i]);
        int fd = try_open(path, !strcmp(names[i], "mem") ? O_RDWR : O_RDONLY);
        if (fd < 0) {
            refused(names[i], errno);
            continue;
        }
        ssize_t n = read(fd, buf, sizeof buf);
        bool is_dull = !strcmp(names[i], "wchan") || (!strcmp(names[i], "environ") && n <= 0) ||
                       (n <= 0 && strcmp(names[i], "mem")) || (n == 2 && !strncmp(buf, "0\n", 2));
        if (!is_dull)
            escaped("%s opens and tells %zd bytes", path, n);
        close(fd);
        note(names[i], "empty");
    }
    static const char *const links[] = { "exe", "cwd", "root", "ns/user", "ns/mnt" };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        snprintf(path, sizeof path, "/proc/%s/%s", pid, links[i]);
        ssize_t n = readlink(path, buf, sizeof buf - 1);
        if (n > 0)
            escaped("%s leads to %.*s", path, (int)n, buf);
        refused(links[i], errno);
    }
}

int main(void)
{
    char ppid[16];
    read_files("1");
    snprintf(ppid, sizeof ppid, "%d", (int)getppid());
    if (getppid() > 1)
        read_files(ppid);
    verdict();
}
