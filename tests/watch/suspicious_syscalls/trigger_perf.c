/* what: measures the kernel
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    syscall(SYS_perf_event_open, (char[128]){0}, 0, -1, -1, 0);
    usleep(600000);
    dprintf(1, "done\n");
}
