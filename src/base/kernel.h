/* kernel.h - kernel interfaces that libc headers of Debian 12 do not have (glibc 2.36, musl 1.2.3,
 * linux-libc-dev 6.1). Numbers and layouts are kernel ABI; sources are named beside them.
 */
#pragma once
#include "base/base.h"

#include <sched.h>
#include <sys/syscall.h>

/* one number for all architectures since 5.x (include/uapi/asm-generic/unistd.h) */
#define SYS_MOVE_MOUNT        429
#define SYS_CLONE3            435
#define SYS_CLOSE_RANGE       436
#define SYS_OPENAT2           437
#define SYS_MOUNT_SETATTR     442
#define SYS_OPEN_TREE         428
#define SYS_FSOPEN            430
#define SYS_FSCONFIG          431
#define SYS_FSMOUNT           432
#define SYS_PIDFD_SEND_SIGNAL 424
#define SYS_PIDFD_OPEN        434
#define SYS_PIDFD_GETFD       438
#define SYS_LANDLOCK_CREATE   444
#define SYS_LANDLOCK_ADD_RULE 445
#define SYS_LANDLOCK_RESTRICT 446

/* include/uapi/linux/prctl.h: 5.14, and 6.3 */
#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE     62
#define PR_SCHED_CORE_GET 0
#endif
#ifndef PR_GET_MDWE
#define PR_GET_MDWE 66
#endif

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#define KCLONE_PIDFD       0x00001000
#define KCLONE_INTO_CGROUP UINT64_C(0x200000000)

struct kclone_args { /* struct clone_args, linux/sched.h, size VER2 */
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
    uint64_t set_tid, set_tid_size, cgroup;
};

/* Like fork(), with clone3's flags: no libc locks are taken, so only for processes without threads. */
static inline pid_t sys_clone3(struct kclone_args *a)
{
    return (pid_t)syscall(SYS_CLONE3, a, sizeof *a);
}

static inline int sys_close_range(unsigned first, unsigned last)
{
    return (int)syscall(SYS_CLOSE_RANGE, first, last, 0);
}

static inline int sys_pidfd_open(pid_t pid)
{
    return (int)syscall(SYS_PIDFD_OPEN, pid, 0);
}

static inline int sys_pidfd_send_signal(int pidfd, int sig)
{
    return (int)syscall(SYS_PIDFD_SEND_SIGNAL, pidfd, sig, NULL, 0);
}

struct kpidfd_info { /* struct pidfd_info, linux/pidfd.h since 6.13, size VER0 */
    uint64_t mask, cgroup;
    uint32_t pid, tgid, ppid, ids[8]; /* as the caller sees them */
    int32_t exit_code;
};
#define KPIDFD_INFO_PID 1
#define KPIDFD_GET_INFO _IOWR(0xff, 11, struct kpidfd_info)

struct kopen_how { /* struct open_how, linux/openat2.h */
    uint64_t flags, mode, resolve;
};
#define KRESOLVE_NO_XDEV       0x01
#define KRESOLVE_NO_MAGICLINKS 0x02
#define KRESOLVE_NO_SYMLINKS   0x04
#define KRESOLVE_BENEATH       0x08
#define KRESOLVE_IN_ROOT       0x10

static inline int sys_openat2(int dir, const char *path, const struct kopen_how *how)
{
    return (int)syscall(SYS_OPENAT2, dir, path, how, sizeof *how);
}

#define KMADV_POPULATE_WRITE 23 /* asm-generic/mman-common.h, Linux 5.14 */

struct kdirent { /* struct linux_dirent64: getdents64(2) */
    uint64_t inode;
    int64_t next;
    uint16_t size;
    uint8_t type;
    char name[];
};

/* In pieces and into memory of the caller's, which readdir(3) does not do. */
static inline long sys_getdents64(int dir, void *entries, size_t size)
{
    return syscall(SYS_getdents64, dir, entries, size);
}

/* linux/mount.h; musl has no mount_setattr, glibc's header clashes with linux/mount.h */
struct kmount_attr {
    uint64_t attr_set, attr_clr, propagation, userns_fd;
};
#define KMOUNT_ATTR_RDONLY       0x01
#define KMOUNT_ATTR_NOSUID       0x02
#define KMOUNT_ATTR_NODEV        0x04
#define KMOUNT_ATTR_NOEXEC       0x08
#define KMOUNT_ATTR_IDMAP        0x00100000
#define KAT_RECURSIVE            0x8000
#define KAT_EMPTY_PATH           0x1000
#define KOPEN_TREE_CLONE         1
#define KOPEN_TREE_CLOEXEC       O_CLOEXEC
#define KMOVE_MOUNT_F_EMPTY_PATH 0x04
#define KMOVE_MOUNT_T_SYMLINKS   0x10

static inline int sys_mount_setattr(int dir, const char *path, unsigned flags, const struct kmount_attr *a)
{
    return (int)syscall(SYS_MOUNT_SETATTR, dir, path, flags, a, sizeof *a);
}
static inline int sys_open_tree(int dir, const char *path, unsigned flags)
{
    return (int)syscall(SYS_OPEN_TREE, dir, path, flags);
}
static inline int sys_move_mount(int from, const char *from_path, int to, const char *to_path, unsigned flags)
{
    return (int)syscall(SYS_MOVE_MOUNT, from, from_path, to, to_path, flags);
}

/* linux/landlock.h up to ABI 7 (6.15) */
struct klandlock_ruleset {
    uint64_t handled_fs, handled_net, scoped;
};
struct klandlock_path {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));
#define KLANDLOCK_CREATE_VERSION 1u
#define KLANDLOCK_RULE_PATH      1
#define KLANDLOCK_EXECUTE        (1ull << 0)
#define KLANDLOCK_WRITE_FILE     (1ull << 1)
#define KLANDLOCK_READ_FILE      (1ull << 2)
#define KLANDLOCK_READ_DIR       (1ull << 3)
#define KLANDLOCK_MAKE_SOCK      (1ull << 9)
#define KLANDLOCK_ALL_ABI1       ((1ull << 13) - 1)
#define KLANDLOCK_REFER          (1ull << 13) /* ABI 2 */
#define KLANDLOCK_TRUNCATE       (1ull << 14) /* ABI 3 */
#define KLANDLOCK_IOCTL_DEV      (1ull << 15) /* ABI 5 */
#define KLANDLOCK_NET_BIND       (1ull << 0)  /* ABI 4 */
#define KLANDLOCK_NET_CONNECT    (1ull << 1)
#define KLANDLOCK_SCOPE_ABSTRACT (1ull << 0) /* ABI 6 */
#define KLANDLOCK_SCOPE_SIGNAL   (1ull << 1)

/* linux/magic.h */
#define KMAGIC_CGROUP2 0x63677270
#define KMAGIC_TMPFS   0x01021994
