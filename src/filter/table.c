/* The table is read off the compiled programs, so it cannot say other than they do: for
 * each number the program is followed from its start, both ways wherever an argument
 * decides, and the answers it can end in are collected. */
#include "filter/internal.h"

#define LEVELS       3
#define MAX_PROG     512
#define MAX_OUTCOMES 8

static const struct level {
    const char *name;
    enum filter_kind kind;
    struct filter_options options;
} levels[LEVELS] = {
    { "low",
      FILTER_DEFAULT,
      { .allow_inet = true, .refuse_setuid_bits = true, .uid = 1000, .gid = 1000, .is_brokered = true } },
    { "medium", FILTER_STRICT, { .allow_inet = true, .refuse_setuid_bits = true, .uid = 65534, .gid = 65534 } },
    { "high", FILTER_STRICT, { .refuse_setuid_bits = true, .uid = 65534, .gid = 65534, .notify_fork = true } },
};

struct program {
    struct sock_filter insns[MAX_PROG];
    size_t n;
};

struct outcomes {
    uint32_t actions[MAX_OUTCOMES];
    size_t count;
};

static int compile_levels(struct program progs[static LEVELS])
{
    for (size_t i = 0; i < LEVELS; i++) {
        struct filter_spec spec;
        int r = filter_builtin(levels[i].kind, &levels[i].options, &spec);
        if (r == 0)
            r = filter_compile(&spec, progs[i].insns, MAX_PROG, &progs[i].n, NULL);
        if (r < 0)
            return r;
    }
    return 0;
}

static void outcomes_add(struct outcomes *o, uint32_t action)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->actions[i] == action)
            return;
    assert(o->count < MAX_OUTCOMES); /* our own filters: a handful of errnos */
    o->actions[o->count++] = action;
}

static bool is_argument(const struct sock_filter *f)
{
    return BPF_CLASS(f->code) == BPF_LD && f->k >= offsetof(struct seccomp_data, args);
}

/* Where arguments begin to matter for this number: the first load of one, or a RET. */
static size_t follow_number(const struct program *p, int nr)
{
    struct seccomp_data d = { .nr = nr, .arch = FILTER_NATIVE_ARCH };
    for (size_t pc = 0, a = 0;; pc++) {
        const struct sock_filter *f = &p->insns[pc];
        if (BPF_CLASS(f->code) == BPF_RET || is_argument(f))
            return pc;
        if (BPF_CLASS(f->code) == BPF_LD)
            a = f->k == offsetof(struct seccomp_data, arch) ? d.arch : (uint32_t)d.nr;
        else if (BPF_OP(f->code) == BPF_JA)
            pc += f->k;
        else if (BPF_OP(f->code) == BPF_JEQ)
            pc += a == f->k ? f->jt : f->jf;
        else /* the search uses nothing else */
            pc += a >= f->k ? f->jt : f->jf;
    }
}

static void find_outcomes(const struct program *p, int nr, struct outcomes *ret)
{
    bool reached[MAX_PROG] = { false };
    ret->count = 0;
    reached[follow_number(p, nr)] = true;
    for (size_t pc = 0; pc < p->n; pc++) {
        const struct sock_filter *f = &p->insns[pc];
        if (!reached[pc])
            continue;
        if (BPF_CLASS(f->code) == BPF_RET) {
            outcomes_add(ret, f->k);
        } else if (BPF_CLASS(f->code) != BPF_JMP) {
            reached[pc + 1] = true;
        } else if (BPF_OP(f->code) == BPF_JA) {
            reached[pc + 1 + f->k] = true;
        } else {
            reached[pc + 1 + f->jt] = true;
            reached[pc + 1 + f->jf] = true;
        }
    }
}

/* What the conditions are, in words; a unit test wants a line for each «args» cell. */
const struct arg_words arg_words[] = {
    { NR_clone, "EPERM with a CLONE_NEW* flag; at low also with CLONE_FILES and no CLONE_THREAD; at high a process "
                "(no CLONE_THREAD) is for the supervisor to decide" },
    { NR_ioctl, "EPERM for TIOCSTI, TIOCLINUX and TIOCSETD, ENOTTY for a file system's UUID; at low also for 0x89xx "
                "and 0x8bxx (interfaces)" },
    { NR_socket, "AF_UNIX, below high also AF_INET and AF_INET6 with TCP or UDP; EAFNOSUPPORT for "
                 "other families, EPROTONOSUPPORT for other protocols and types" },
    { NR_socketpair, "AF_UNIX, else EAFNOSUPPORT" },
    { NR_setsockopt, "options of a list at SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP and IPPROTO_UDP "
                     "(src/filter/sockopts.c), else EPERM: no filters, groups, flow labels, timestamps, interfaces, "
                     "source routes, Fast Open, kernel TLS" },
    { NR_sendto, "EOPNOTSUPP with MSG_OOB, at low with MSG_FASTOPEN" },
    { NR_sendmsg, "EOPNOTSUPP with MSG_OOB, at low with MSG_FASTOPEN" },
    { NR_sendmmsg, "EOPNOTSUPP with MSG_OOB, at low with MSG_FASTOPEN" },
    { NR_seccomp, "EPERM for a filter with a listener of its own" },
    { NR_personality, "PER_LINUX and PER_LINUX32, with or without UNAME26, and the query; else "
                      "EPERM" },
    { NR_fcntl, "EINVAL for F_NOTIFY, EPERM for pipes above 64 KiB" },
    { NR_fadvise64, "EPERM for POSIX_FADV_DONTNEED" },
    { NR_prlimit64, "EPERM for any process but 0, oneself" },
    { NR_prctl, "EPERM for PR_SET_MM, EINVAL for options above 56" },
    { NR_open, "EPERM when it would create a file with set-id bits" },
    { NR_openat, "EPERM when it would create a file with set-id bits" },
    { NR_creat, "EPERM with set-id bits" },
    { NR_chmod, "EPERM with set-id bits" },
    { NR_fchmod, "EPERM with set-id bits" },
    { NR_fchmodat, "EPERM with set-id bits" },
    { NR_fchmodat2, "EPERM with set-id bits" },
    { NR_mknod, "EPERM for devices, and with set-id bits" },
    { NR_mknodat, "EPERM for devices, and with set-id bits" },
    { NR_setuid, "EPERM for another id than the own one" },
    { NR_setgid, "EPERM for another id than the own one" },
    { NR_setreuid, "EPERM for another id than the own one" },
    { NR_setregid, "EPERM for another id than the own one" },
    { NR_setresuid, "EPERM for another id than the own one" },
    { NR_setresgid, "EPERM for another id than the own one" },
};
const size_t arg_words_count = ARRAY_LEN(arg_words);

static const char *words_for(int nr)
{
    for (size_t i = 0; i < arg_words_count; i++)
        if (arg_words[i].nr == nr)
            return arg_words[i].words;
    return "";
}

static void add_cell(struct buf *out, const struct outcomes *o)
{
    char name[24];
    const char *before = o->count > 1 ? "args: " : "";
    for (int permits = 1; permits >= 0; permits--) {
        for (size_t i = 0; i < o->count; i++) {
            if (filter_action_permits(o->actions[i]) != permits)
                continue;
            (void)buf_addf(out, "%s%s", before, filter_action_name(o->actions[i], name));
            before = ", ";
        }
    }
}

static void add_row(struct buf *out, const struct program progs[static LEVELS], int nr, int last)
{
    bool by_arguments = false;
    if (nr == last)
        (void)buf_addf(out, "| %d | %s |", nr, syscall_name(nr) ? syscall_name(nr) : "(none)");
    else
        (void)buf_addf(out, "| %d to %d | (none) |", nr, last);
    for (size_t i = 0; i < LEVELS; i++) {
        struct outcomes o;
        find_outcomes(&progs[i], nr, &o);
        by_arguments |= o.count > 1;
        (void)buf_addc(out, ' ');
        add_cell(out, &o);
        (void)buf_adds(out, " |");
    }
    (void)buf_addf(out, " %s |\n", by_arguments ? words_for(nr) : "");
}

/* The last number of a run without names that all levels answer in one way. */
static int hole_end(const struct program progs[static LEVELS], int nr)
{
    int last = nr;
    while (!syscall_name(nr) && last < SYSCALL_NEWEST && !syscall_name(last + 1)) {
        for (size_t i = 0; i < LEVELS; i++) {
            struct outcomes a, b;
            find_outcomes(&progs[i], nr, &a);
            find_outcomes(&progs[i], last + 1, &b);
            if (a.count != 1 || b.count != 1 || a.actions[0] != b.actions[0])
                return last;
        }
        last++;
    }
    return last;
}

static const char intro[] =
    "# System calls\n"
    "\n"
    "Generated from the compiled filters; do not edit. A test fails when this table and\n"
    "the filters disagree.\n"
    "\n"
    "- **low**: the default filter, internet sockets permitted, which only the broker connects.\n"
    "- **medium**: the strict filter, internet sockets permitted.\n"
    "- **high**: as medium, with AF_UNIX sockets only; new processes are counted by the\n"
    "  supervisor (`notify`).\n"
    "\n"
    "What a level watches (`monitoring`, `kill_switches`, the broker) asks its supervisor first; the\n"
    "supervisor refuses what this table refuses, and in mode bridge performs connect and listen itself.\n"
    "\n"
    "Set-id bits and changes of user or group are refused at all three (`security.disable_setuid`).\n"
    "Kernels since 6.14 and 6.18 answer `uretprobe` and `uprobe` before any filter is asked.\n"
    "\n"
    "`args` means that the arguments decide between the answers named. ENOSYS is the answer\n"
    "for which libraries carry a fallback, EPERM says that no fallback is wanted.\n"
    "Numbers above the last row, the x32 numbers (bit 30 set) and calls by another\n"
    "architecture's entry (`int 0x80`) are ENOSYS at every level.\n"
    "\n"
    "| nr | call | low | medium | high | condition |\n"
    "|---:|------|-----|--------|------|-----------|\n";

int filter_table_markdown(struct buf *out)
{
    struct program progs[LEVELS];
    int r = compile_levels(progs);
    if (r < 0)
        return r;
    (void)buf_adds(out, intro);
    for (int nr = 0, last; nr <= SYSCALL_NEWEST; nr = last + 1) {
        last = hole_end(progs, nr);
        add_row(out, progs, nr, last);
    }
    return out->failed ? -EMSGSIZE : 0;
}

static const char *answer(const struct program *p, int nr, uint64_t every_arg, char out[static 24])
{
    struct seccomp_data d = { .nr = nr, .arch = FILTER_NATIVE_ARCH };
    for (size_t i = 0; i < ARRAY_LEN(d.args); i++)
        d.args[i] = every_arg;
    return filter_action_name(filter_eval(p->insns, p->n, &d), out);
}

int filter_table_tsv(struct buf *out)
{
    struct program progs[LEVELS];
    int r = compile_levels(progs);
    if (r < 0)
        return r;
    for (int nr = 0; nr <= SYSCALL_NEWEST; nr++) {
        for (size_t i = 0; i < LEVELS; i++) {
            struct outcomes o;
            char zero[24], ones[24];
            find_outcomes(&progs[i], nr, &o);
            (void)buf_addf(out, "%d\t%s\t%s\t", nr, syscall_name(nr) ? syscall_name(nr) : "-", levels[i].name);
            add_cell(out, &o);
            (void)buf_addf(out, "\t%s\t%s\n", answer(&progs[i], nr, 0, zero), answer(&progs[i], nr, UINT64_MAX, ones));
        }
    }
    return out->failed ? -EMSGSIZE : 0;
}
