/* class: kernel
 * what: compares kernel objects with kcmp, which leaks the order of kernel addresses, with itself, init and its parent
 */
#include "attack.h"

static pid_t other;
static int files(void)
{
    return syscall(SYS_kcmp, getpid(), other, 0, 0, 1) < 0 ? errno : 0;
}
static int vm(void)
{
    return syscall(SYS_kcmp, getpid(), other, 1, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    pid_t pids[] = { 0, 1, getppid() };
    for (int i = 0; i < 3; i++) {
        other = i ? pids[i] : getpid();
        if (other < 1)
            continue;
        attempt_gate(i ? i == 1 ? "init" : "parent" : "self", files);
        attempt_gate("vm", vm);
    }
    verdict();
}
