// class: privilege probe; possible: low medium; style: C, set ids and capabilities
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    unsigned head[2] = { 0x20080522, 0 }, data[6] = { ~0u, ~0u, ~0u, ~0u, ~0u, ~0u };
    printf("%d", setuid(0));
    printf(" %d", setresuid(0, 0, 0));
    printf(" %d", setgroups(0, NULL));
    printf(" %ld", syscall(SYS_capset, head, data));
    printf(" %d", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    printf(" %d\n", errno);
    if (getuid() == 0)
        execl("/bin/sh", "sh", "-c", "id", NULL);
    return 0;
}
