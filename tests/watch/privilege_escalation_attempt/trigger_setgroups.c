/* what: asks for the group of disks, and to be root in the file system's eyes
 * network: none */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    syscall(SYS_setgroups, 1, (gid_t[]){ 6 });
    syscall(SYS_setfsuid, 0);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
