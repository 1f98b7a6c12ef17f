/* class: privilege
 * what: adds seccomp filters of its own that allow everything, log instead of refuse, or ask a listener, and then repeats refused calls
 */
#include "attack.h"
#include <linux/filter.h>
#include <linux/seccomp.h>

static struct sock_filter allow[] = { { 0x06, 0, 0, 0x7fff0000 /* ALLOW */ } };
static struct sock_filter notify[] = { { 0x06, 0, 0, 0x7fc00000 /* USER_NOTIF */ } };
static int still_refused(void)
{
    return syscall(SYS_unshare, CLONE_NEWUSER) < 0 ? errno : 0;
}

static int after_prctl(void)
{
    struct sock_fprog p = { 1, allow };
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p, 0, 0);
    return still_refused();
}
static int after_seccomp(void)
{
    struct sock_fprog p = { 1, allow };
    for (unsigned flags = 0; flags < 64; flags++)
        (void)syscall(SYS_seccomp, 1, flags, &p);
    return still_refused();
}
static int disabled(void)
{
    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_DISABLED, 0, 0, 0);
    (void)syscall(SYS_seccomp, 0xff, 0, NULL);
    return still_refused();
}
/* Answers its own child's refused call with «continue», which the kernel takes only if no other filter says no. */
static int continued(void)
{
    struct sock_fprog p = { 1, notify };
    int fd = (int)syscall(SYS_seccomp, 1, 8 /* NEW_LISTENER */, &p);
    if (fd < 0)
        return errno;
    _exit(EPERM); /* every further call would wait for ourselves */
}
static int ptrace_suspend(void)
{
    return syscall(SYS_ptrace, 0x4206, getppid(), 0, 1 << 21 /* SUSPEND_SECCOMP */) < 0 ? errno : 0;
}

int main(void)
{
    attempt("after PR_SET_SECCOMP", after_prctl);
    attempt("after seccomp()", after_seccomp);
    attempt("after disabling", disabled);
    int err = try_child("listener", continued);
    if (err > 0)
        refused("listener", err);
    attempt("suspend by ptrace", ptrace_suspend);
    verdict();
}
