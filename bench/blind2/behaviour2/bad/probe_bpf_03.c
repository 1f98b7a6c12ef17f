// class: privilege probe; possible: low medium; style: calls that exploits begin with
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    char attr[128] = { 0 };
    struct { const char *name; long n; long a, b, c; } t[] = {
        { "bpf", SYS_bpf, 0, (long)attr, sizeof attr },
        { "userfaultfd", SYS_userfaultfd, 0, 0, 0 },
        { "perf_event_open", SYS_perf_event_open, (long)attr, 0, -1 },
        { "io_uring_setup", SYS_io_uring_setup, 8, (long)attr, 0 },
        { "add_key", SYS_add_key, (long)"user", (long)"k", (long)attr },
    };
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        long r = syscall(t[i].n, t[i].a, t[i].b, t[i].c, 8, -2);
        printf("%s: %ld %s\n", t[i].name, r, r < 0 ? strerror(errno) : "");
    }
    return 0;
}
