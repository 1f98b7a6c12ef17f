/* class: privilege
 * what: a user namespace of its own by clone (not unshare, which many filters stop at), with flag orders, high bits, vfork style and i386
 */
#include "attack.h"

static int reap(long pid)
{
    if (pid < 0)
        return errno;
    if (pid == 0)
        _exit(0);
    waitpid((pid_t)pid, NULL, 0x80000000 /* __WCLONE */ | 0x40000000 /* __WALL */);
    return 0;
}
static int plain(void)
{
    return reap(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}
static int with_all(void)
{
    return reap(syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS | SIGCHLD,
                        0, 0, 0, 0));
}
static int no_signal(void)
{
    return reap(syscall(SYS_clone, CLONE_NEWUSER, 0, 0, 0, 0));
}
static int garbage(void)
{
    return reap(call(SYS_clone, (long)(0xdeadbeef00000000ul | CLONE_NEWUSER | SIGCHLD), 0, 0, 0, 0, 0));
}
static int io(void)
{
    return reap(syscall(SYS_clone, CLONE_NEWUSER | CLONE_IO | CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0));
}
static int in32(void)
{
    return reap(int80(120, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}
static int x32(void)
{
    return reap(call(0x40000000ul | SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0, 0));
}

int main(void)
{
    attempt("clone", plain);
    attempt("clone all", with_all);
    attempt("clone without signal", no_signal);
    attempt("high bits", garbage);
    attempt("clone io", io);
    attempt("i386 clone", in32);
    attempt("x32 clone", x32);
    verdict();
}
