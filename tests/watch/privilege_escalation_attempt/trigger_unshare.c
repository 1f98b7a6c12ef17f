/* what: wants a user namespace, where it would be root
 * network: none */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    unshare(CLONE_NEWUSER | CLONE_NEWNS);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
