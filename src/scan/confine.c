#include "scan/confine.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "scan/worker.h"

#ifdef __aarch64__
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#define OUR_ARCH AUDIT_ARCH_X86_64
#endif

static int limit(int what, uint64_t value, struct error *err)
{
    struct rlimit now, l = { value, value };
    if (getrlimit(what, &now) == 0 && now.rlim_max < value)
        l.rlim_cur = l.rlim_max = now.rlim_max; /* our caller's is stricter */
    return setrlimit(what, &l) < 0 ? err_set(err, -errno, BLAME_HOST, "CONFINE", "limit %d: %m", what) : 0;
}

static int set_limits(uint32_t timeout_ms, struct error *err)
{
    const struct {
        int what;
        uint64_t value;
    } limits[] = { { RLIMIT_AS, WORKER_MEMORY_BYTES },
                   { RLIMIT_CPU, timeout_ms / 1000 + 2 },
                   { RLIMIT_NOFILE, 0 },
                   { RLIMIT_FSIZE, 0 },
                   { RLIMIT_CORE, 0 },
                   { RLIMIT_NPROC, 0 } };
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        int e = limit(limits[i].what, limits[i].value, err);
        if (e < 0)
            return e;
    }
    return 0;
}

#define ALLOW(nr)    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))

static int load_filter(int asked_fd, int answer_fd, struct error *err)
{
    const struct sock_filter insns[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        ALLOW(SYS_brk),
        ALLOW(SYS_munmap),
        ALLOW(SYS_mremap),
        ALLOW(SYS_madvise),
        ALLOW(SYS_futex),
        ALLOW(SYS_clock_gettime),
        ALLOW(SYS_exit_group),
        ALLOW(SYS_restart_syscall),
        ALLOW(SYS_rt_sigreturn),
        /* mmap of memory only, never executable: no file could be mapped that is not open, and no code be made */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 4 /* PROT_EXEC */, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        /* malloc grows its arenas so */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 4),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 4, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        /* -1, where none is asked over, is no descriptor: EBADF */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)asked_fd, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)answer_fd, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = { .len = ARRAY_LEN(insns), .filter = (struct sock_filter *)insns };
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        return err_set(err, -errno, BLAME_HOST, "CONFINE", "the scanner's filter: %m");
    return 0;
}

int confine(int asked_fd, int answer_fd, uint32_t timeout_ms, struct error *err)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, "CONFINE", "no_new_privs: %m");
    int e = set_limits(timeout_ms, err);
    return e < 0 ? e : load_filter(asked_fd, answer_fd, err);
}
