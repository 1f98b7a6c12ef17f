/* class: filesystem
 * what: looks for what high risk hides: /proc, /sys, /dev, /etc, /var, /usr/bin and /bin
 * levels: high
 */
#include "attack.h"
#include <dirent.h>

int main(void)
{
    static const char *const files[] = { "/proc/self/status", "/proc/1/status", "/proc/version",  "/proc/cpuinfo",
                                         "/proc/net/dev",     "/sys/kernel",    "/sys/class/net", "/sys/fs/cgroup",
                                         "/dev/mem",          "/dev/kmsg",      "/dev/tty",       "/dev/ptmx",
                                         "/dev/fuse",         "/etc/passwd",    "/etc/shadow",    "/etc/hostname",
                                         "/etc/machine-id",   "/etc/ssl",       "/var/log",       "/var/lib",
                                         "/usr/bin/ls",       "/usr/bin/cat",   "/usr/bin/perl",  "/usr/bin/gcc",
                                         "/bin/sh",           "/bin/cat",       "/bin/ls" };
    static const char *const dirs[] = { "/proc", "/sys", "/var" };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        int fd = open(files[i], O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd >= 0)
            escaped("%s can be read", files[i]);
        refused(files[i], errno);
    }
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        DIR *d = opendir(dirs[i]);
        struct dirent *e;
        while (d && (e = readdir(d)))
            if (e->d_name[0] != '.')
                escaped("%s/%s can be listed", dirs[i], e->d_name);
        if (d)
            closedir(d);
    }
    verdict();
}
