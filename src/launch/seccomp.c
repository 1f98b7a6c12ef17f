/* seccomp.c - loads filters. They arrive finished (src/filter makes them); here they are only checked
 * for form, since a process that sent them may be owned. The kernel checks them once more.
 */
#include "launch/launch.h"

#include "base/seccomp.h"
#include "filter/filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>

#ifdef __aarch64__
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#define OUR_ARCH AUDIT_ARCH_X86_64
#endif

int seccomp_check(struct bytes filter, struct error *err)
{
    if (filter.size == 0 || filter.size % sizeof(struct sock_filter) ||
        filter.size / sizeof(struct sock_filter) > BPF_MAXINSNS)
        return err_set(err, -EINVAL, BLAME_US, "SECCOMP", "a filter of %u bytes", filter.size);
    if (filter_verify(filter.data, filter.size / sizeof(struct sock_filter)) < 0)
        return err_set(err, -EINVAL, BLAME_US, "SECCOMP", "the filter is malformed");
    /* an all-allowing filter would pass the kernel's check: it must at least look at the architecture */
    struct sock_filter first;
    memcpy(&first, filter.data, sizeof first);
    if (first.code != (BPF_LD | BPF_W | BPF_ABS) || first.k != offsetof(struct seccomp_data, arch))
        return err_set(err, -EINVAL, BLAME_US, "SECCOMP", "the filter does not begin with the architecture");
    return 0;
}

#define ALLOW(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

#ifdef SYS_poll
#define SYS_POLL SYS_poll /* poll(2) of the C library */
#else
#define SYS_POLL SYS_ppoll
#endif

int seccomp_load_init(bool waits_for_work)
{
    /* all that init still does: wait, reap, forward a signal, copy one artifact, report, leave */
    struct sock_filter insns[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_rt_sigtimedwait),
        ALLOW(SYS_wait4),
        ALLOW(SYS_kill),
        ALLOW(SYS_getrusage),
        ALLOW(SYS_write),
        ALLOW(SYS_exit_group),
        ALLOW(SYS_close),
        ALLOW(SYS_openat),
        ALLOW(SYS_fstat),
#ifdef SYS_newfstatat
        ALLOW(SYS_newfstatat),
#endif
        ALLOW(SYS_sendfile),
        ALLOW(SYS_restart_syscall),
        /* park.c: the work, when it comes; for others once more what stands above */
        ALLOW(waits_for_work ? SYS_recvmsg : SYS_wait4),
        ALLOW(waits_for_work ? SYS_POLL : SYS_wait4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3), /* park.c: was it taken */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONREAD, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    return seccomp_load((struct bytes){ insns, sizeof insns });
}
