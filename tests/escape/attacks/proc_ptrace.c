/* class: processes
 * what: traces init, its parent, a host process and its own child (SEIZE, ATTACH, TRACEME, also by i386 numbers)
 * outside: victim_alive
 */
#include "attack.h"
#include <sys/ptrace.h>

#define SEIZE 0x4206
static pid_t target;
static int seize(void)
{
    return syscall(SYS_ptrace, SEIZE, target, 0, 0) < 0 ? errno : 0;
}
static int attach(void)
{
    return syscall(SYS_ptrace, PTRACE_ATTACH, target, 0, 0) < 0 ? errno : 0;
}
static int traceme(void)
{
    return syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0) < 0 ? errno : 0;
}
static int seize32(void)
{
    return int80(26, SEIZE, target, 0, 0, 0) < 0 ? errno : 0;
}
static int traceme32(void)
{
    return int80(26, PTRACE_TRACEME, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    if (is_inside()) { /* a host's init is left in peace */
        target = 1;
        attempt("seize init", seize);
        attempt("i386 seize init", seize32);
        target = getppid();
        if (target > 0)
            attempt("seize parent", seize);
    }
    target = param_pid("victim_pid");
    if (target > 1) {
        attempt("seize host process", seize);
        attempt("attach host process", attach);
    }
    attempt("traceme", traceme);
    attempt("i386 traceme", traceme32);
    target = fork();
    if (target == 0) {
        sleep_ms(3000);
        _exit(0);
    }
    int err = target > 0 ? try_child("seize child", seize) : ENOSYS;
    if (target > 0) {
        kill(target, SIGKILL);
        waitpid(target, NULL, 0);
    }
    if (err == 0)
        escaped("seized a child: ptrace is open");
    if (err > 0)
        refused("seize child", err);
    verdict();
}
