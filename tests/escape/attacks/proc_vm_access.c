/* class: processes
 * what: reads and writes the memory of init, of its parent and of a host process by process_vm_readv, process_vm_writev and process_madvise
 */
#include "attack.h"
#include <sys/uio.h>

static void reach(const char *who, pid_t pid)
{
    char buf[16];
    struct iovec local = { buf, sizeof buf }, remote = { (void *)0x10000, sizeof buf };
    /* address 0x10000 is not mapped: EFAULT comes only after the permission is given */
    long r = syscall(SYS_process_vm_readv, pid, &local, 1, &remote, 1, 0);
    if (r >= 0 || errno == EFAULT)
        escaped("process_vm_readv of %s is permitted", who);
    refused(who, errno);
    r = syscall(SYS_process_vm_writev, pid, &local, 1, &remote, 1, 0);
    if (r >= 0 || errno == EFAULT)
        escaped("process_vm_writev of %s is permitted", who);
    refused("write", errno);
}

int main(void)
{
    reach("init", 1);
    if (getppid() > 1)
        reach("parent", getppid());
    if (param_pid("victim_pid") > 1)
        reach("host process", param_pid("victim_pid"));
    verdict();
}
