/* class: privilege
 * what: becomes root by any of the twelve identity calls, 64-bit and i386, and takes groups it was not given
 */
#include "attack.h"
#include <grp.h>
#include <sys/fsuid.h>

static int by_setuid(void)
{
    return syscall(SYS_setuid, 0) < 0 ? errno : 0;
}
static int by_setreuid(void)
{
    return syscall(SYS_setreuid, 0, 0) < 0 ? errno : 0;
}
static int by_setresuid(void)
{
    return syscall(SYS_setresuid, 0, 0, 0) < 0 ? errno : 0;
}
static int by_saved(void)
{
    return syscall(SYS_setresuid, -1, -1, 0) < 0 ? errno : 0;
}
static int by_setgid(void)
{
    return syscall(SYS_setgid, 0) < 0 ? errno : 0;
}
static int by_setregid(void)
{
    return syscall(SYS_setregid, 0, 0) < 0 ? errno : 0;
}
static int by_setresgid(void)
{
    return syscall(SYS_setresgid, 0, 0, 0) < 0 ? errno : 0;
}
static int by_groups(void)
{
    unsigned groups[] = { 0, 4, 6, 27, 999 };
    return syscall(SYS_setgroups, 5, groups) < 0 ? errno : 0;
}
static int by_no_groups(void)
{
    return syscall(SYS_setgroups, 0, NULL) < 0 ? errno : 0;
}
static int by_fsuid(void)
{
    syscall(SYS_setfsuid, 0);
    return syscall(SYS_setfsuid, -1) == 0 ? 0 : EPERM;
}
static int by_setuid32(void)
{
    return int80(213, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int by_setuid16(void)
{
    return int80(23, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int by_setgroups32(void)
{
    return int80(206, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int another(void)
{
    return syscall(SYS_setuid, getuid() + 1) < 0 ? errno : 0;
}

int main(void)
{
    if (getuid() == 0 || geteuid() == 0)
        escaped("is user 0 already");
    if (getgid() == 0 || getegid() == 0)
        escaped("is group 0 already");
    gid_t list[64];
    int n = getgroups(64, list);
    for (int i = 0; i < n; i++)
        if (list[i] == 0)
            escaped("is in group 0");
    attempt("setuid", by_setuid);
    attempt("setreuid", by_setreuid);
    attempt("setresuid", by_setresuid);
    attempt("saved uid", by_saved);
    attempt("setgid", by_setgid);
    attempt("setregid", by_setregid);
    attempt("setresgid", by_setresgid);
    attempt("setgroups", by_groups);
    attempt("setgroups(0)", by_no_groups);
    attempt("setfsuid", by_fsuid);
    attempt("i386 setuid32", by_setuid32);
    attempt("i386 setuid16", by_setuid16);
    attempt("i386 setgroups32", by_setgroups32);
    attempt("another uid", another);
    verdict();
}
