/* what: traces its parent
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    ptrace(PTRACE_ATTACH, getppid(), 0, 0);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
