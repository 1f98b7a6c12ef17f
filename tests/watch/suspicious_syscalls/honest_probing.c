/* what: probes for what the kernel has, as a libc and runtimes do: each once, and lives with no
 * network: none */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    syscall(SYS_clone3, 0, 0);
    syscall(SYS_rseq, 0, 0, 0, 0);
    syscall(SYS_membarrier, 0, 0, 0);
    syscall(SYS_openat2, -1, "", 0, 0);
    syscall(SYS_faccessat2, -1, "", 0, 0);
    syscall(SYS_statx, -1, "", 0, 0, 0);
    syscall(SYS_close_range, 1000, 1000, 0);
    syscall(SYS_pidfd_open, 0, 0);
    syscall(SYS_memfd_create, "probe", 0);
    syscall(SYS_copy_file_range, -1, 0, -1, 0, 0, 0);
    syscall(SYS_getrandom, 0, 0, 1);
    syscall(SYS_epoll_pwait2, -1, 0, 0, 0, 0, 0);
    syscall(SYS_futex, 0, 137);
    syscall(SYS_sched_getattr, 0, 0, 0, 0);
    prctl(0x53564d41 /* PR_SET_VMA */, 0, 0, 0, 0);
    prctl(57, 0, 0, 0, 0);
    dprintf(1, "done\n");
}
