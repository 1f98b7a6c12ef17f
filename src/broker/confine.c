/* confine.c - what the broker's processes may still do. A call that is not in its list kills the process, and with it
 * the run.
 *
 * inside, resolver   no file can be opened: no call that would, and landlock beside it. The resolver parses what comes
 * from the network. broker             sees /proc and nothing else: it reads the table of a caller's descriptors.
 * Landlock is not for it: a process within a domain may not look into one that is not below it (its ptrace hook), and
 * looking into the sandbox is the broker's work. So it has a root of its own, in a mount namespace of its own, and
 * keeps CAP_SYS_PTRACE in the sandbox's user namespace, which opens no process outside of that.
 */
#include "broker/broker.h"

#include "base/kernel.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/socket.h>

#ifdef __aarch64__
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#define OUR_ARCH AUDIT_ARCH_X86_64
#endif
#define MAX_INSNS 256

/* --- capabilities, limits, files --------------------------------------------------------------------------- */

static int keep_capability(enum confine_role role, struct error *err)
{
    static const uint64_t kept[] = {
        [CONFINE_BROKER] = UINT64_C(1) << CAP_SYS_PTRACE,
        [CONFINE_INSIDE] = UINT64_C(1) << CAP_NET_BIND_SERVICE, /* relays answer from the ports that were asked for */
        [CONFINE_RESOLVER] = 0,
    };
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct now[2], set[2] = { { 0 }, { 0 } };
    if (syscall(SYS_capget, &head, now) < 0)
        return err_set(err, -errno, BLAME_HOST, "CONFINE", "read capabilities: %m");
    for (size_t i = 0; i < 2; i++)
        set[i].effective = set[i].permitted = (uint32_t)(kept[role] >> (32 * i)) & now[i].permitted;
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); /* EINVAL before 4.3: there are none then */
    if (syscall(SYS_capset, &head, set) < 0)
        return err_set(err, -errno, BLAME_HOST, "CONFINE", "drop capabilities: %m");
    return 0;
}

static int limit(int what, uint64_t value, struct error *err)
{
    struct rlimit now, l = { value, value };
    if (getrlimit(what, &now) == 0 && now.rlim_max < value)
        l.rlim_cur = l.rlim_max = now.rlim_max; /* our caller's is stricter */
    return setrlimit(what, &l) < 0 ? err_set(err, -errno, BLAME_HOST, "CONFINE", "limit %d: %m", what) : 0;
}

static int set_limits(struct error *err)
{
    static const struct {
        int what;
        uint64_t value;
    } limits[] = { { RLIMIT_NOFILE, 8192 }, { RLIMIT_FSIZE, 0 }, { RLIMIT_CORE, 0 }, { RLIMIT_DATA, 256 * MIB } };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(limits) && e == 0; i++)
        e = limit(limits[i].what, limits[i].value, err);
    return e;
}

/* Best effort: the list of calls below has none that would open a file. */
static void forbid_files(void)
{
    struct klandlock_ruleset set = { .handled_fs = KLANDLOCK_ALL_ABI1 };
    cleanup(closep) int ruleset = (int)syscall(SYS_LANDLOCK_CREATE, &set, sizeof set.handled_fs, 0);
    if (ruleset >= 0)
        (void)syscall(SYS_LANDLOCK_RESTRICT, ruleset, 0);
}

static int see_only_proc(struct error *err)
{
    const char *failed = NULL;
    cleanup(closep) int proc = -1;
    if (unshare(CLONE_NEWNS) < 0)
        failed = "mount namespace";
    else if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        failed = "private mounts";
    else if ((proc = sys_open_tree(AT_FDCWD, "/proc", KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC | KAT_RECURSIVE)) < 0)
        failed = "open_tree /proc";
    else if (mount("broker", "/proc", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=4k,nr_inodes=4,mode=0755") < 0)
        failed = "tmpfs on /proc"; /* a directory that is there on every machine */
    else if (mkdirat(AT_FDCWD, "/proc/proc", 0555) < 0 ||
             sys_move_mount(proc, "", AT_FDCWD, "/proc/proc", KMOVE_MOUNT_F_EMPTY_PATH) < 0)
        failed = "move /proc";
    else if (chdir("/proc") < 0 || chroot(".") < 0)
        failed = "chroot";
    return failed ? err_set(err, -errno, BLAME_HOST, "CONFINE", "a root for the broker: %s: %m", failed) : 0;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static const int16_t calls_of_all[] = {
    SYS_recvmsg,       SYS_sendmsg,
    SYS_recvfrom,      SYS_sendto,
    SYS_read,          SYS_write,
    SYS_close,         SYS_bind,
    SYS_setsockopt,    SYS_getsockopt,
    SYS_getsockname,   SYS_ppoll,
#ifdef SYS_poll
    SYS_poll,
#endif
    SYS_clock_gettime, SYS_clock_nanosleep, /* usleep() */
    SYS_nanosleep,     SYS_brk,
    SYS_munmap,        SYS_mremap,
    SYS_madvise,       SYS_futex,
    SYS_getpid,        SYS_exit_group,
    SYS_exit,          SYS_restart_syscall,
    SYS_rt_sigreturn,  SYS_rt_sigprocmask,
    SYS_fcntl,         -1,
};
static const int16_t calls_of_loops[] = {
    /* broker and resolver */
    SYS_epoll_pwait,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
    SYS_epoll_ctl,   SYS_connect, SYS_getpeername, SYS_shutdown, SYS_recvmmsg, SYS_sendmmsg, -1,
};
static const int16_t calls_of_broker[] = {
    SYS_ioctl,
    SYS_process_vm_readv,
    SYS_PIDFD_OPEN,
    SYS_PIDFD_GETFD,
    SYS_listen,
    SYS_fstat,
    SYS_fstatfs,
    SYS_lseek,
    SYS_getdents64, /* feeds.c: descriptors and threads */
    SYS_readv,      /* musl's fopen() */
    SYS_readlinkat,
    SYS_OPENAT2, /* base of a caller's path, for its file's flags; the root has nothing to write */
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_stat
    SYS_stat,
#endif
#ifdef SYS_lstat
    SYS_lstat,
#endif
#ifdef SYS_readlink
    SYS_readlink,
#endif
    332, /* statx, which musl tries first on some architectures */
    -1,
};
static const int16_t calls_of_resolver[] = {
    SYS_accept4,      SYS_getrandom,
#ifdef SYS_time
    SYS_time,
#endif
    SYS_gettimeofday, -1,
};

struct program {
    struct sock_filter insns[MAX_INSNS];
    unsigned short count;
};

static void put(struct program *p, struct sock_filter f)
{
    assert(p->count < MAX_INSNS);
    p->insns[p->count++] = f;
}
#define PUT(p, ...) put(p, (struct sock_filter)__VA_ARGS__)

static void load(struct program *p, size_t offset)
{
    PUT(p, BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void allow(struct program *p, const int16_t *calls)
{
    for (; *calls >= 0; calls++) {
        PUT(p, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)*calls, 0, 1));
        PUT(p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
}

/* Permitted while none of these bits is set in the argument's low half. */
static void allow_without(struct program *p, int call, unsigned arg, uint32_t bits)
{
    PUT(p, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4));
    load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)arg);
    PUT(p, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0));
    PUT(p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    PUT(p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
}

static void allow_inet_sockets(struct program *p)
{
    PUT(p, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 5));
    load(p, offsetof(struct seccomp_data, args));
    PUT(p, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0));
    PUT(p, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1));
    PUT(p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    PUT(p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
}

static int load_filter(enum confine_role role, struct error *err)
{
    struct program p = { .count = 0 };
    load(&p, offsetof(struct seccomp_data, arch));
    PUT(&p, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0));
    PUT(&p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    load(&p, offsetof(struct seccomp_data, nr));
    if (role != CONFINE_INSIDE)
        allow(&p, calls_of_loops);
    if (role == CONFINE_BROKER)
        allow(&p, calls_of_broker);
    if (role == CONFINE_RESOLVER)
        allow(&p, calls_of_resolver);
    allow(&p, calls_of_all);
    allow_inet_sockets(&p);
    allow_without(&p, SYS_mmap, 2, PROT_EXEC); /* malloc */
    allow_without(&p, SYS_mprotect, 2, PROT_EXEC);
    if (role == CONFINE_BROKER) {
        /* not O_ACCMODE: musl counts O_PATH among it */
        allow_without(&p, SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
#ifdef SYS_open
        allow_without(&p, SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
#endif
    }
    PUT(&p, BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    struct sock_fprog program = { .len = p.count, .filter = p.insns };
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        return err_set(err, -errno, BLAME_HOST, "CONFINE", "the broker's filter: %m");
    return 0;
}

int broker_confine(enum confine_role role, struct error *err)
{
    int e = 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, "CONFINE", "no_new_privs: %m");
    if (role == CONFINE_BROKER)
        e = see_only_proc(err);
    else
        forbid_files();
    if (e == 0)
        e = set_limits(err);
    if (e == 0)
        e = keep_capability(role, err);
    if (e == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        e = err_set(err, -errno, BLAME_HOST, "CONFINE", "not dumpable: %m");
    return e == 0 ? load_filter(role, err) : e;
}
