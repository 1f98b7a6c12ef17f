/* Which arguments the kernel takes as 32 bits or fewer (int, unsigned int, pid_t, uid_t,
 * umode_t): from include/linux/syscalls.h. A condition on one of them must not look at
 * the upper half, which the kernel throws away: Docker's own «socket, not 40» let
 * 0x100000028 pass for AF_VSOCK. Calls that profiles commonly look into; for others both
 * halves are compared, as libseccomp does. */
#include "filter/internal.h"

static const struct {
    int16_t nr;
    uint8_t args; /* bit n: argument n */
} int_args[] = {
    { NR_socket, 7 },        { NR_socketpair, 7 },  { NR_accept4, 9 },      { NR_setsockopt, 0x17 },
    { NR_getsockopt, 7 },    { NR_sendto, 9 },      { NR_sendmsg, 5 },      { NR_sendmmsg, 0xd },
    { NR_recvfrom, 9 },      { NR_recvmsg, 5 },     { NR_recvmmsg, 0xd },   { NR_shutdown, 3 },
    { NR_listen, 3 },        { NR_bind, 1 },        { NR_connect, 1 },      { NR_ioctl, 3 },
    { NR_fcntl, 3 },         { NR_flock, 3 },       { NR_dup3, 7 },         { NR_pipe2, 2 },
    { NR_read, 1 },          { NR_write, 1 },       { NR_close, 1 },        { NR_close_range, 7 },
    { NR_clone, 1 },         { NR_personality, 1 }, { NR_prctl, 1 },        { NR_seccomp, 3 },
    { NR_kill, 3 },          { NR_tkill, 3 },       { NR_tgkill, 7 },       { NR_wait4, 5 },
    { NR_waitid, 0xb },      { NR_setns, 3 },       { NR_pidfd_open, 3 },
    { NR_pidfd_send_signal, 0xb },
    { NR_open, 6 },          { NR_openat, 0xd },    { NR_creat, 2 },        { NR_chmod, 2 },
    { NR_fchmod, 3 },        { NR_fchmodat, 5 },    { NR_fchmodat2, 0xd },  { NR_mknod, 6 },
    { NR_mknodat, 0xd },     { NR_mkdir, 2 },       { NR_mkdirat, 5 },      { NR_umask, 1 },
    { NR_chown, 6 },         { NR_fchown, 7 },      { NR_lchown, 6 },       { NR_fchownat, 0x1d },
    { NR_unlinkat, 5 },      { NR_linkat, 0x15 },   { NR_renameat2, 0x15 }, { NR_faccessat, 5 },
    { NR_faccessat2, 0xd },  { NR_newfstatat, 9 },  { NR_statx, 0xd },      { NR_utimensat, 9 },
    { NR_execveat, 0x11 },   { NR_setuid, 1 },      { NR_setgid, 1 },       { NR_setreuid, 3 },
    { NR_setregid, 3 },      { NR_setresuid, 7 },   { NR_setresgid, 7 },    { NR_setfsuid, 1 },
    { NR_setfsgid, 1 },      { NR_setgroups, 1 },   { NR_setpriority, 7 },  { NR_getpriority, 3 },
    { NR_sched_setscheduler, 3 },               { NR_sched_setattr, 5 },   { NR_sched_setparam, 1 },
    { NR_setrlimit, 1 },     { NR_getrlimit, 1 },   { NR_prlimit64, 3 },    { NR_getrusage, 1 },
    { NR_madvise, 4 },       { NR_mlock2, 4 },      { NR_mlockall, 1 },     { NR_msync, 4 },
    { NR_memfd_create, 2 },  { NR_getrandom, 4 },   { NR_futex, 6 },        { NR_membarrier, 7 },
    { NR_clock_settime, 1 }, { NR_clock_gettime, 1 }, { NR_timerfd_create, 3 },
    { NR_timer_create, 1 },  { NR_eventfd2, 3 },    { NR_epoll_create1, 1 }, { NR_epoll_ctl, 7 },
    { NR_inotify_init1, 1 }, { NR_signalfd4, 9 },   { NR_splice, 0x25 },    { NR_tee, 0xb },
    { NR_copy_file_range, 0x25 },                   { NR_fallocate, 3 },    { NR_shmget, 5 },
    { NR_shmctl, 3 },        { NR_semget, 7 },      { NR_semctl, 7 },       { NR_msgget, 3 },
    { NR_msgctl, 3 },        { NR_arch_prctl, 1 },  { NR_ioprio_set, 7 },
};

bool syscall_arg_is_int(int nr, unsigned arg)
{
    for (size_t i = 0; i < ARRAY_LEN(int_args); i++)
        if (int_args[i].nr == nr && nr >= 0)
            return int_args[i].args >> arg & 1;
    return false;
}
