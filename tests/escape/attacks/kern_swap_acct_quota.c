/* class: kernel
 * what: swapon, swapoff, acct, quotactl and quotactl_fd on things that do not exist
 */
#include "attack.h"

static int swapon_(void)
{
    return syscall(SYS_swapon, "/" OURS "none", 0) < 0 ? errno : 0;
}
static int swapoff_(void)
{
    return syscall(SYS_swapoff, "/" OURS "none") < 0 ? errno : 0;
}
static int acct_(void)
{
    return syscall(SYS_acct, "/" OURS "none/none") < 0 ? errno : 0;
}
static int quota(void)
{
    return syscall(SYS_quotactl, 0x80000700 /* Q_GETQUOTA */, "/dev/" OURS "none", 0, NULL) < 0 ? errno : 0;
}
static int quota_fd(void)
{
    return syscall(443, -1, 0x80000700, 0, NULL) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("swapon", swapon_);
    attempt_gate("swapoff", swapoff_);
    attempt_gate("acct", acct_);
    attempt_gate("quotactl", quota);
    attempt_gate("quotactl_fd", quota_fd);
    verdict();
}
