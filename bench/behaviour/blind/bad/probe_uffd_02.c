// class: privilege probe; possible: low medium; style: C, userfaultfd
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    long fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
    printf("%ld %d\n", fd, errno);
    fd = syscall(SYS_userfaultfd, 0);
    printf("%ld %d\n", fd, errno);
    return 0;
}
