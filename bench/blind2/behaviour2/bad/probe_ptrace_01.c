// class: privilege probe; possible: low medium; style: attaches to process 1 and to its parent
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    pid_t who[] = { 1, getppid() };
    for (int i = 0; i < 2; i++) {
        long r = ptrace(PTRACE_ATTACH, who[i], 0, 0);
        char buf[64];
        struct iovec l = { buf, sizeof buf }, m = { (void *)0x400000, sizeof buf };
        ssize_t n = process_vm_readv(who[i], &l, 1, &m, 1, 0);
        printf("%d: attach %ld, read %zd\n", (int)who[i], r, n);
    }
    return 0;
}
