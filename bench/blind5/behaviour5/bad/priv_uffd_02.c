// class: privilege probe; possible: low medium
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    long f = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
    perror("userfaultfd");
    f = syscall(SYS_perf_event_open, 0, -1, 0, -1, 0);
    perror("perf");
    f = syscall(SYS_open_by_handle_at, -100, "x", 0);
    perror("handle");
    return f >= 0;
}
