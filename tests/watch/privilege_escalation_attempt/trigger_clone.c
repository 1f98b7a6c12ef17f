/* what: the same by clone
 * network: none */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) == 0)
        _exit(0);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
