// class: privilege probe; possible: low medium; style: joins the namespaces of process 1
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    const char *ns[] = { "user", "mnt", "net", "pid" };
    for (int i = 0; i < 4; i++) {
        char p[64];
        snprintf(p, sizeof p, "/proc/1/ns/%s", ns[i]);
        int fd = open(p, O_RDONLY);
        printf("%s: %s\n", p, setns(fd, 0) ? strerror(errno) : "joined");
    }
    int fd = syscall(SYS_pidfd_open, 1, 0);
    printf("pidfd: %s\n", setns(fd, CLONE_NEWNS) ? strerror(errno) : "joined");
    printf("getfd: %ld\n", syscall(SYS_pidfd_getfd, fd, 0, 0));
    return 0;
}
