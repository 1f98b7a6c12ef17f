/* class: privilege
 * what: a user namespace of its own by unshare, alone and with others, 64-bit, i386 and with garbage in the high bits
 */
#include "attack.h"

static int alone(void)
{
    return syscall(SYS_unshare, CLONE_NEWUSER) < 0 ? errno : 0;
}
static int with_all(void)
{
    return syscall(SYS_unshare,
                   CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) < 0
               ? errno
               : 0;
}
static int with_fs(void)
{
    return syscall(SYS_unshare, CLONE_NEWUSER | CLONE_FS | CLONE_FILES) < 0 ? errno : 0;
}
static int garbage(void)
{
    return call(SYS_unshare, (long)(0xdead000000000000ul | CLONE_NEWUSER), 0, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(310, CLONE_NEWUSER, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int x32(void)
{
    return call(0x40000000ul | SYS_unshare, CLONE_NEWUSER, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt("unshare", alone);
    attempt("unshare all", with_all);
    attempt("unshare fs", with_fs);
    attempt("high bits", garbage);
    attempt("i386 unshare", in32);
    attempt("x32 unshare", x32);
    verdict();
}
