// class: privilege probe; possible: low medium; style: C, user namespace then ptrace then memory of 1
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRY(what) do { errno = 0; long r = (long)(what); printf("%s: %ld %s\n", #what, r, strerror(errno)); } while (0)

int main(void)
{
    TRY(unshare(CLONE_NEWUSER | CLONE_NEWNS));
    TRY(unshare(CLONE_NEWNET));
    TRY(mount("proc", "/proc", "proc", 0, NULL));
    TRY(ptrace(PTRACE_ATTACH, 1, NULL, NULL));
    TRY(open("/proc/1/mem", O_RDWR));
    TRY(open("/proc/1/root/etc/shadow", O_RDONLY));
    TRY(open("/dev/mem", O_RDWR));
    TRY(setuid(0));
    TRY(syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0));
    TRY(syscall(SYS_open_by_handle_at, 3, NULL, 0));
    TRY(chroot("/"));
    return 0;
}
