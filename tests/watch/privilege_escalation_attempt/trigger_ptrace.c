/* what: traces its parent
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    ptrace(PTRACE_ATTACH, getppid(), 0, 0);
    usleep(600000);
    dprintf(1, "done\n");
}
