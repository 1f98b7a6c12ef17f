/* what: asks for the group of disks, and to be root in the file system's eyes
 * network: none */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    syscall(SYS_setgroups, 1, (gid_t[]){6});
    syscall(SYS_setfsuid, 0);
    usleep(600000);
    dprintf(1, "done\n");
}
