/* The two allow-lists.
 *
 * «default» is for code that is trusted a little: everything a program finds on an
 * ordinary machine, except what always_refused (harden.c) and the lists at the end name.
 * «strict» leaves out what python (with numpy, pandas, threads, multiprocessing,
 * asyncio), node, bash, go, rust and their compilers were seen to do without; each such
 * line says who might miss it. Each known call is in exactly one line here or in
 * always_refused; a unit test counts.
 *
 * ENOSYS where programs carry a fallback for older kernels, EPERM where the answer is
 * «you may not». Kernel bugs named here are why a line is worth its instruction.
 */
#include "filter/internal.h"

enum verdict { YES, PERM, NOSYS };

struct group {
    enum verdict in_default, in_strict;
    const int16_t *calls; /* ends with END; -1 is a call this architecture lacks */
};
#define END (-2)
#define CALLS(...)       \
    (const int16_t[])    \
    {                    \
        __VA_ARGS__, END \
    }

static const struct group groups[] = {
    /* Files by descriptor. */
    { YES, YES,
      CALLS(NR_read, NR_write, NR_readv, NR_writev, NR_pread64, NR_pwrite64, NR_preadv, NR_pwritev, NR_preadv2,
            NR_pwritev2, NR_lseek, NR_close, NR_close_range, NR_dup, NR_dup2, NR_dup3, NR_fcntl, NR_flock, NR_fsync,
            NR_fdatasync, NR_sync_file_range, NR_ftruncate, NR_fallocate, NR_fadvise64, NR_readahead, NR_ioctl) },
    /* Copying inside the kernel: cp, shutil, Rust's io::copy, Go's File.ReadFrom. splice
     * stays although Dirty Pipe (CVE-2022-0847) came through it: sendfile reaches the same
     * code, and Rust's coreutils are built on it. vmsplice, further down, does not. */
    { YES, YES, CALLS(NR_sendfile, NR_copy_file_range, NR_splice, NR_tee) },
    /* Files by name. openat2 unless set-id bits are refused (narrow.c). */
    { YES, YES,
      CALLS(NR_open, NR_openat, NR_openat2, NR_creat, NR_stat, NR_fstat, NR_lstat, NR_newfstatat, NR_statx, NR_access,
            NR_faccessat, NR_faccessat2, NR_statfs, NR_fstatfs, NR_truncate, NR_getdents, NR_getdents64, NR_getcwd,
            NR_chdir, NR_fchdir, NR_rename, NR_renameat, NR_renameat2, NR_mkdir, NR_mkdirat, NR_rmdir, NR_link,
            NR_linkat, NR_unlink, NR_unlinkat, NR_symlink, NR_symlinkat, NR_readlink, NR_readlinkat, NR_umask, NR_utime,
            NR_utimes, NR_futimesat, NR_utimensat) },
    /* Owners, modes, attributes, fifos: tar, cp -a, mkfifo. Inside a user namespace with
     * one id and no capability they change only what is the payload's own. */
    { YES, YES,
      CALLS(NR_chmod, NR_fchmod, NR_fchmodat, NR_fchmodat2, NR_chown, NR_fchown, NR_lchown, NR_fchownat, NR_mknod,
            NR_mknodat, NR_setxattr, NR_lsetxattr, NR_fsetxattr, NR_getxattr, NR_lgetxattr, NR_fgetxattr, NR_listxattr,
            NR_llistxattr, NR_flistxattr, NR_removexattr, NR_lremovexattr, NR_fremovexattr) },
    /* Waiting for many things: every event loop. */
    { YES, YES,
      CALLS(NR_poll, NR_ppoll, NR_select, NR_pselect6, NR_epoll_create, NR_epoll_create1, NR_epoll_ctl, NR_epoll_wait,
            NR_epoll_pwait, NR_epoll_pwait2, NR_eventfd, NR_eventfd2, NR_signalfd, NR_signalfd4, NR_timerfd_create,
            NR_timerfd_settime, NR_timerfd_gettime, NR_pipe, NR_pipe2) },
    /* Watching a file of the read-only /usr shows who on the host opens it, at once. tail -f and watchers fall back
     * to polling. (dnotify, the same by fcntl, is among the argument rules.) */
    { NOSYS, NOSYS, CALLS(NR_inotify_init, NR_inotify_init1, NR_inotify_add_watch, NR_inotify_rm_watch) },
    /* Sockets; which, harden.c and narrow.c say by family. */
    { YES, YES,
      CALLS(NR_socket, NR_socketpair, NR_connect, NR_bind, NR_listen, NR_accept, NR_accept4, NR_getsockname,
            NR_getpeername, NR_sendto, NR_recvfrom, NR_sendmsg, NR_recvmsg, NR_sendmmsg, NR_recvmmsg, NR_shutdown,
            NR_setsockopt, NR_getsockopt) },
    /* Memory. pkey_* for V8, map_shadow_stack for a glibc with CET. */
    { YES, YES,
      CALLS(NR_brk, NR_mmap, NR_munmap, NR_mremap, NR_mprotect, NR_madvise, NR_msync, NR_mincore, NR_mlock, NR_mlock2,
            NR_munlock, NR_mlockall, NR_munlockall, NR_pkey_mprotect, NR_pkey_alloc, NR_pkey_free, NR_membarrier,
            NR_map_shadow_stack) },
    /* Processes and threads. clone by its flags (harden.c). */
    { YES, YES,
      CALLS(NR_clone, NR_fork, NR_vfork, NR_execve, NR_execveat, NR_exit, NR_exit_group, NR_wait4, NR_waitid, NR_getpid,
            NR_getppid, NR_gettid, NR_set_tid_address, NR_set_robust_list, NR_get_robust_list, NR_futex, NR_rseq,
            NR_arch_prctl, NR_prctl, NR_seccomp, NR_getpgid, NR_setpgid, NR_getpgrp, NR_getsid, NR_setsid,
            NR_pidfd_open, NR_pidfd_send_signal, NR_personality) },
    { YES, YES,
      CALLS(NR_rt_sigaction, NR_rt_sigprocmask, NR_rt_sigreturn, NR_rt_sigpending, NR_rt_sigtimedwait,
            NR_rt_sigqueueinfo, NR_rt_tgsigqueueinfo, NR_rt_sigsuspend, NR_sigaltstack, NR_kill, NR_tkill, NR_tgkill,
            NR_pause, NR_restart_syscall) },
    /* Who am I. The setters fail in the kernel for want of capabilities, except from an id
     * to itself; disable_setuid refuses them here. */
    { YES, YES,
      CALLS(NR_getuid, NR_geteuid, NR_getgid, NR_getegid, NR_getresuid, NR_getresgid, NR_getgroups, NR_setuid,
            NR_setgid, NR_setreuid, NR_setregid, NR_setgroups, NR_setresuid, NR_setresgid, NR_setfsuid, NR_setfsgid,
            NR_capget, NR_capset) },
    /* Limits and scheduling of one's own processes; real-time classes need a capability. */
    { YES, YES,
      CALLS(NR_getrlimit, NR_setrlimit, NR_prlimit64, NR_getrusage, NR_times, NR_getpriority, NR_setpriority,
            NR_sched_yield, NR_sched_setaffinity, NR_sched_getaffinity, NR_sched_setparam, NR_sched_getparam,
            NR_sched_setscheduler, NR_sched_getscheduler, NR_sched_setattr, NR_sched_getattr, NR_sched_get_priority_max,
            NR_sched_get_priority_min, NR_sched_rr_get_interval, NR_getcpu) },
    { YES, YES,
      CALLS(NR_clock_gettime, NR_clock_getres, NR_clock_nanosleep, NR_nanosleep, NR_gettimeofday, NR_time, NR_alarm,
            NR_getitimer, NR_setitimer, NR_timer_create, NR_timer_settime, NR_timer_gettime, NR_timer_getoverrun,
            NR_timer_delete) },
    { YES, YES, CALLS(NR_uname, NR_sysinfo, NR_getrandom) },
    /* OpenBLAS and libnuma ask for the policy at start and give up without. */
    { YES, YES, CALLS(NR_get_mempolicy) },

    /* -- default only -- */

    /* System V and POSIX queues, semaphores, segments (CVE-2021-22555 was sprayed with
     * msgsnd). multiprocessing uses futexes in a shared file. PostgreSQL misses shmget. */
    { YES, NOSYS,
      CALLS(NR_shmget, NR_shmat, NR_shmctl, NR_shmdt, NR_semget, NR_semop, NR_semctl, NR_semtimedop, NR_msgget,
            NR_msgsnd, NR_msgrcv, NR_msgctl, NR_mq_open, NR_mq_unlink, NR_mq_timedsend, NR_mq_timedreceive,
            NR_mq_notify, NR_mq_getsetattr) },
    /* Setting a NUMA policy: a kernel without NUMA says ENOSYS too. */
    { YES, NOSYS, CALLS(NR_mbind, NR_set_mempolicy) },
    /* A program that has no file: with it an agent runs binaries in spite of a noexec
     * /tmp. Users (libffi, browsers) fall back to temporary files. */
    { YES, PERM, CALLS(NR_memfd_create) },
    /* No process in reach of the interpreters calls these yet; each is young kernel code. */
    { YES, NOSYS,
      CALLS(NR_futex_waitv, NR_futex_wake, NR_futex_wait, NR_futex_requeue, NR_cachestat, NR_mseal,
            NR_landlock_create_ruleset, NR_landlock_add_rule, NR_landlock_restrict_self) },

    /* -- refused in both, beside always_refused -- */

    /* Belongs to the host, or to an administrator. */
    { PERM, PERM,
      CALLS(NR_adjtimex, NR_clock_adjtime, NR_vhangup, NR_fanotify_mark, NR_name_to_handle_at, NR_ioprio_set,
            NR_ioprio_get) },
    /* Flushes every file system of the host, at the host's expense, and reports nothing:
     * void sync(void). syncfs and fsync remain. */
    { PERM, PERM, CALLS(NR_sync) },
    /* 16-bit code segments (CVE-2015-5157). Wine misses it. */
    { PERM, PERM, CALLS(NR_modify_ldt) },
    /* Moves pages between nodes, also of others. */
    { PERM, PERM, CALLS(NR_migrate_pages, NR_move_pages) },
    /* Gifts user pages to a pipe: a part in many exploits, in hardly any program. */
    { PERM, PERM, CALLS(NR_vmsplice) },
    { NOSYS, NOSYS, CALLS(NR_set_mempolicy_home_node, NR_process_mrelease, NR_memfd_secret) },
    /* Newer than any libc of today; the older twin of each is permitted or refused above. */
    { NOSYS, NOSYS,
      CALLS(NR_setxattrat, NR_getxattrat, NR_listxattrat, NR_removexattrat, NR_file_getattr, NR_file_setattr,
            NR_lsm_get_self_attr, NR_lsm_set_self_attr, NR_lsm_list_modules, NR_rseq_slice_yield) },
    /* Obsolete. Most have no code left in the kernel; those that have are old code. */
    { NOSYS, NOSYS,
      CALLS(NR_uselib, NR_ustat, NR_sysfs, NR_set_thread_area, NR_get_thread_area, NR_lookup_dcookie, NR_epoll_ctl_old,
            NR_epoll_wait_old, NR_remap_file_pages, NR_vserver) },
    /* Equally gone, but with EPERM they lie in one range with their neighbours. */
    { PERM, PERM,
      CALLS(NR__sysctl, NR_get_kernel_syms, NR_query_module, NR_nfsservctl, NR_getpmsg, NR_putpmsg, NR_afs_syscall,
            NR_tuxcall, NR_security) }
};

#define ERRNO(e) FILTER_ERRNO(e)

static const struct arg_rule arg_rules[] = {
    /* PER_LINUX, PER_LINUX32 and UNAME26 with either, and «tell me» (0xffffffff), as Docker
     * does. Not ADDR_NO_RANDOMIZE, READ_IMPLIES_EXEC, MMAP_PAGE_ZERO. */
    { NR_personality, SECCOMP_RET_ALLOW, { ARG_IS(0, 0xffffffff) } },
    { NR_personality, ERRNO(EPERM), { ARG_HAS(0, ~0x20008u) } },

    /* PR_SET_MM moves the borders of the address space. Options younger than
     * PR_GET_TAGGED_ADDR_CTRL (56, Linux 5.4) get what a kernel of that age says. The only
     * one of them in wide use names memory areas (Go since 1.23, glibc's malloc) and is
     * missing from many distributions' kernels anyway. */
    { NR_prctl, ERRNO(EPERM), { ARG_IS(0, 35) } },

    /* F_NOTIFY: see inotify above. */
    { NR_fcntl, ERRNO(EINVAL), { ARG_IS(1, 1026) } },

    /* Limits of oneself only: init has the same uid, and a CPU limit given to it would end the sandbox with
     * nothing to show for it. libc and python's resource module say 0. */
    { NR_prlimit64, ERRNO(EPERM), { ARG_IS_NOT(0, 0) } },
    { NR_prctl, ERRNO(EINVAL), { ARG_ABOVE(0, 56) } },
};

/* Out-of-band bytes on AF_UNIX: CVE-2025-38236 led out of Chrome's renderer sandbox, whose
 * filter let the flag through. No interpreter sends them unasked; telnet over TCP would. */
#define MSG_OOB_BIT 1
static const struct arg_rule strict_rules[] = {
    { NR_sendto, ERRNO(EOPNOTSUPP), { ARG_HAS(3, MSG_OOB_BIT) } },
    { NR_sendmsg, ERRNO(EOPNOTSUPP), { ARG_HAS(2, MSG_OOB_BIT) } },
    { NR_sendmmsg, ERRNO(EOPNOTSUPP), { ARG_HAS(3, MSG_OOB_BIT) } },
};

static uint32_t action_of(enum verdict v)
{
    switch (v) {
    case YES:
        return SECCOMP_RET_ALLOW;
    case PERM:
        return FILTER_ERRNO(EPERM);
    default:
        return FILTER_ERRNO(ENOSYS);
    }
}

size_t builtin_mentions(int nr)
{
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        for (const int16_t *call = groups[i].calls; *call != END; call++)
            count += *call == nr;
    for (size_t i = 0; i < always_refused_count; i++)
        count += always_refused[i].nr == nr;
    return count;
}

int filter_builtin(enum filter_kind kind, const struct filter_options *opt, struct filter_spec *ret)
{
    filter_spec_init(ret, FILTER_ERRNO(ENOSYS));
    for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
        const struct group *g = &groups[i];
        uint32_t action = action_of(kind == FILTER_STRICT ? g->in_strict : g->in_default);
        for (const int16_t *nr = g->calls; *nr != END; nr++)
            filter_set(ret, *nr, action);
    }
    for (size_t i = 0; i < always_refused_count; i++)
        filter_set(ret, always_refused[i].nr, FILTER_ERRNO(always_refused[i].error));
    int r = arg_rules_prepend(ret, arg_rules, ARRAY_LEN(arg_rules));
    if (r == 0 && kind == FILTER_STRICT)
        r = arg_rules_prepend(ret, strict_rules, ARRAY_LEN(strict_rules));
    if (r == 0)
        r = filter_harden(ret);
    return r < 0 ? r : filter_narrow(ret, opt);
}
