/* Tests of src/filter: the program says what the spec says, the built-in lists say what
 * their comments promise, and both really run under the kernel. */
#include "filter/internal.h"
#include "base/watch_bits.h"
#include "random.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define X32          0x40000000
#define NEW_USER     0x10000000u
#define THREAD_FLAGS 0x3d0f00u /* what glibc's pthread_create passes */

struct program {
    struct sock_filter insns[BPF_MAXINSNS];
    size_t n;
};

static const struct filter_options low_options = { .allow_inet = true };
static const struct filter_options medium_options = {
    .allow_inet = true, .refuse_setuid_bits = true, .uid = 65534, .gid = 65534
};
static const struct filter_options high_options = {
    .refuse_setuid_bits = true, .notify_fork = true, .uid = 65534, .gid = 65534
};

static struct filter_spec the_spec; /* 20 KB each: not on the stack of a longjmp */
static struct program the_program;

static struct program *compile_spec(const struct filter_spec *spec)
{
    struct error err = { 0 };
    CHECK_EQ(filter_compile(spec, the_program.insns, BPF_MAXINSNS, &the_program.n, &err), 0);
    return &the_program;
}

static struct program *builtin(enum filter_kind kind, const struct filter_options *opt)
{
    CHECK_EQ(filter_builtin(kind, opt, &the_spec), 0);
    return compile_spec(&the_spec);
}

static uint32_t ask(const struct program *p, int nr, const uint64_t args[6])
{
    struct seccomp_data d = { .nr = nr, .arch = FILTER_NATIVE_ARCH };
    for (size_t i = 0; args && i < 6; i++)
        d.args[i] = args[i];
    return filter_eval(p->insns, p->n, &d);
}
#define ASK(p, nr, ...) ask(p, nr, (const uint64_t[6]){ __VA_ARGS__ })
#define ERR(e)          FILTER_ERRNO(e)
#define ALLOWED         SECCOMP_RET_ALLOW

/* ---- The meaning of a spec, said a second time ---- */

static bool cond_holds(const struct filter_cond *c, const struct seccomp_data *d)
{
    uint64_t a = d->args[c->arg];
    if (c->low32)
        a &= UINT32_MAX;
    switch ((enum filter_op)c->op) {
    case FILTER_EQ:
        return a == c->value;
    case FILTER_NE:
        return a != c->value;
    case FILTER_LT:
        return a < c->value;
    case FILTER_LE:
        return a <= c->value;
    case FILTER_GT:
        return a > c->value;
    case FILTER_GE:
        return a >= c->value;
    case FILTER_MASKED_EQ:
        return (a & c->mask) == c->value;
    case FILTER_MASKED_NE:
        return (a & c->mask) != c->value;
    default:
        return false;
    }
}

static uint32_t meaning(const struct filter_spec *s, const struct seccomp_data *d)
{
    uint32_t nr = (uint32_t)d->nr;
    if (d->arch != FILTER_NATIVE_ARCH || (!FILTER_IS_AARCH64 && nr >= X32))
        return s->foreign;
    if (nr >= FILTER_NRS)
        return s->unknown;
    for (uint16_t r = s->calls[nr].rules; r; r = s->rules[r - 1].next) {
        const struct filter_rule *rule = &s->rules[r - 1];
        bool all = true;
        for (size_t i = 0; i < rule->cond_count; i++)
            all &= cond_holds(&s->conds[rule->first_cond + i], d);
        if (all)
            return rule->action;
    }
    return s->calls[nr].action;
}

static const uint64_t values[] = {
    0,          1,          2,          3,           6,           10,          16,
    17,         40,         0x5412,     0x541c,      06000,       0x10000,     NEW_USER,
    0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x100000001, 0x100000028, 0x8000000000000000,
    UINT64_MAX
};

/* An argument: one of the values, of the spec's own values or their neighbours, or any. */
static uint64_t some_value(const struct filter_spec *s)
{
    uint64_t v = values[rnd(ARRAY_LEN(values))];
    if (s && s->cond_count && rnd(3)) {
        const struct filter_cond *c = &s->conds[rnd(s->cond_count)];
        v = rnd(4) ? c->value : c->mask;
    }
    switch (rnd(6)) {
    case 0:
        return v + 1;
    case 1:
        return v - 1;
    case 2:
        return v ^ UINT64_C(1) << rnd(64);
    case 3:
        return v | rnd(UINT32_MAX) << 32;
    default:
        return v;
    }
}

static void check_agreement(const struct filter_spec *s, const struct program *p, int nr, uint32_t arch)
{
    struct seccomp_data d = { .nr = nr, .arch = arch, .instruction_pointer = seed };
    for (size_t i = 0; i < 6; i++)
        d.args[i] = some_value(s);
    CHECK_EQ(filter_eval(p->insns, p->n, &d), meaning(s, &d));
}

TEST(compiled_filters_mean_what_their_spec_means_for_every_number)
{
    seed = 1;
    for (int kind = FILTER_DEFAULT; kind <= FILTER_STRICT; kind++) {
        for (unsigned o = 0; o < 64; o++) {
            struct filter_options opt = { o & 1, o & 2, o & 4, o & 8, o & 16, 1000, 1000, o & 32 };
            struct program *p = builtin((enum filter_kind)kind, &opt);
            for (int nr = 0; nr <= 600; nr++)
                for (int i = 0; i < 20; i++)
                    check_agreement(&the_spec, p, nr, FILTER_NATIVE_ARCH);
            static const int high[] = { 1023,     4096,      65535,     X32 - 1,   X32, X32 + 1,
                                        X32 + 41, X32 + 520, INT32_MAX, INT32_MIN, -1 };
            for (size_t i = 0; i < ARRAY_LEN(high); i++)
                check_agreement(&the_spec, p, high[i], FILTER_NATIVE_ARCH);
            for (int nr = 0; nr < 460; nr++)
                check_agreement(&the_spec, p, nr, FILTER_OTHER_ARCH);
        }
    }
}

/* ---- Random specs ---- */

static struct filter_cond random_cond(void)
{
    struct filter_cond c = {
        .arg = (uint8_t)rnd(6), .op = (uint8_t)rnd(FILTER_OPS), .low32 = rnd(2), .value = some_value(NULL)
    };
    if (c.op >= FILTER_MASKED_EQ) {
        c.mask = some_value(NULL);
        if (rnd(8))
            c.value &= c.mask;
    }
    if (c.low32) {
        c.value &= UINT32_MAX;
        c.mask &= UINT32_MAX;
    }
    return c;
}

static uint32_t random_action(void)
{
    static const uint32_t actions[] = {
        ALLOWED,          ERR(EPERM),     ERR(ENOSYS), SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_USER_NOTIF,
        SECCOMP_RET_TRAP, SECCOMP_RET_LOG
    };
    return rnd(5) ? actions[rnd(ARRAY_LEN(actions))] : ERR(rnd(4096));
}

static void random_spec(struct filter_spec *s)
{
    filter_spec_init(s, random_action());
    s->unknown = ERR(1 + rnd(100));
    s->foreign = rnd(2) ? SECCOMP_RET_KILL_PROCESS : ERR(1 + rnd(100));
    size_t changes = rnd(4) ? rnd(40) : rnd(400), rules = rnd(4) ? rnd(20) : rnd(200);
    for (size_t i = 0; i < changes; i++) {
        int nr = (int)rnd(SYSCALL_NEWEST + 1);
        if (syscall_name(nr))
            filter_set(s, nr, random_action());
        else
            filter_set(s, nr, ERR(1 + rnd(3)));
    }
    for (size_t i = 0; i < rules; i++) {
        struct filter_cond conds[3];
        size_t count = rnd(4);
        for (size_t c = 0; c < count; c++)
            conds[c] = random_cond();
        int nr = (int)rnd(rnd(2) ? 30 : SYSCALL_NEWEST + 1);
        if (!syscall_name(nr))
            continue;
        int r = rnd(2) ? filter_rule_append(s, nr, conds, count, random_action())
                       : filter_rule_prepend(s, nr, conds, count, random_action());
        CHECK(r == 0 || r == -E2BIG);
    }
}

TEST(random_specs_compile_to_what_they_mean)
{
    size_t longest = 0;
    for (uint64_t i = 1; i <= 3000; i++) {
        seed = i * UINT64_C(0x9e3779b97f4a7c15);
        random_spec(&the_spec);
        struct program *p = compile_spec(&the_spec);
        longest = MAX_OF(longest, p->n);
        CHECK_EQ(filter_verify(p->insns, p->n), 0);
        for (int k = 0; k < 150; k++)
            check_agreement(&the_spec, p, (int)rnd(k % 2 ? 40 : FILTER_NRS + 2), FILTER_NATIVE_ARCH);
        check_agreement(&the_spec, p, 0, FILTER_OTHER_ARCH);
        check_agreement(&the_spec, p, X32 + 1, FILTER_NATIVE_ARCH);
    }
    CHECK(longest > 600); /* far beyond the reach of an 8-bit jump */
}

/* Every call another errno and its own conditions: nothing can be shared. */
TEST(long_programs_keep_their_far_jumps_right)
{
    seed = 7;
    filter_spec_init(&the_spec, ERR(ENOSYS));
    for (int nr = 0; nr <= SYSCALL_NEWEST; nr++) {
        if (!syscall_name(nr))
            continue;
        filter_set(&the_spec, nr, ERR(100 + nr));
        struct filter_cond c = { .arg = (uint8_t)(nr % 6),
                                 .op = (uint8_t)(nr % FILTER_OPS),
                                 .mask = UINT64_C(0xff00000000) + (uint64_t)nr,
                                 .value = UINT64_C(0x200000000) };
        int r = filter_rule_append(&the_spec, nr, &c, 1, ERR(1000 + nr));
        CHECK(r == 0 || r == -E2BIG);
    }
    struct program *p = compile_spec(&the_spec);
    CHECK(p->n > 1500);
    CHECK_EQ(filter_verify(p->insns, p->n), 0);
    for (int nr = 0; nr < FILTER_NRS + 10; nr++)
        for (int i = 0; i < 50; i++)
            check_agreement(&the_spec, p, nr, FILTER_NATIVE_ARCH);
}

TEST(a_program_too_long_for_its_buffer_is_refused_with_the_reason)
{
    CHECK_EQ(filter_builtin(FILTER_STRICT, &high_options, &the_spec), 0);
    size_t n = compile_spec(&the_spec)->n, unset = 77;
    for (size_t max = 0; max < n; max++) {
        struct error err = { 0 };
        CHECK_EQ(filter_compile(&the_spec, the_program.insns, max, &unset, &err), -E2BIG);
        CHECK_EQ(unset, 77);
        CHECK(strstr(err.text, "instructions"));
    }
}

TEST(a_number_that_is_no_call_cannot_be_permitted)
{
    struct error err = { 0 };
    size_t n;
    filter_spec_init(&the_spec, ALLOWED);
    CHECK_EQ(ask(compile_spec(&the_spec), 400, NULL), ERR(ENOSYS));
    filter_set(&the_spec, 400, ALLOWED);
    CHECK_EQ(filter_compile(&the_spec, the_program.insns, BPF_MAXINSNS, &n, &err), -EINVAL);
    filter_spec_init(&the_spec, ALLOWED);
    the_spec.unknown = SECCOMP_RET_LOG;
    CHECK_EQ(filter_compile(&the_spec, the_program.insns, BPF_MAXINSNS, &n, &err), -EINVAL);
    filter_spec_init(&the_spec, ALLOWED);
    the_spec.foreign = SECCOMP_RET_USER_NOTIF;
    CHECK_EQ(filter_compile(&the_spec, the_program.insns, BPF_MAXINSNS, &n, &err), -EINVAL);
    filter_spec_init(&the_spec, SECCOMP_RET_TRACE);
    CHECK_EQ(filter_compile(&the_spec, the_program.insns, BPF_MAXINSNS, &n, &err), -EINVAL);
}

TEST(rules_with_impossible_conditions_are_refused)
{
    struct filter_cond c = { .arg = 6 };
    filter_spec_init(&the_spec, ALLOWED);
    CHECK_EQ(filter_rule_append(&the_spec, NR_read, &c, 1, ALLOWED), -EINVAL);
    c = (struct filter_cond){ .op = FILTER_OPS };
    CHECK_EQ(filter_rule_append(&the_spec, NR_read, &c, 1, ALLOWED), -EINVAL);
    c = (struct filter_cond){ .low32 = true, .value = UINT64_C(1) << 32 };
    CHECK_EQ(filter_rule_append(&the_spec, NR_read, &c, 1, ALLOWED), -EINVAL);
    for (int i = 0; i < FILTER_MAX_RULES; i++)
        CHECK_EQ(filter_rule_append(&the_spec, NR_read, NULL, 0, ALLOWED), 0);
    CHECK_EQ(filter_rule_prepend(&the_spec, NR_read, NULL, 0, ALLOWED), -E2BIG);
}

/* ---- Verify and eval ---- */

TEST(verify_wants_legal_instructions_in_bounds)
{
    struct sock_filter ok[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 39, 0, 1),
                                BPF_STMT(BPF_RET | BPF_K, ALLOWED), BPF_STMT(BPF_RET | BPF_K, ERR(EPERM)) };
    CHECK_EQ(filter_verify(ok, 4), 0);
    CHECK_EQ(filter_verify(ok, 0), -EINVAL);
    CHECK_EQ(filter_verify(ok, 2), -EINVAL); /* runs off the end */
    static const struct sock_filter wrong[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 1),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, UINT32_MAX),
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_IND, 0),
        BPF_STMT(BPF_LD | BPF_IMM, 1),
        BPF_STMT(BPF_LD | BPF_MEM, 0),
        BPF_STMT(BPF_ST, 0),
        BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0),
        BPF_STMT(BPF_MISC | BPF_TAX, 0),
        BPF_STMT(BPF_RET | BPF_A, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, 0x12340000),
        BPF_STMT(BPF_RET | BPF_K, ERR(4096)),
        BPF_STMT(BPF_JMP | BPF_JA, 3),
        BPF_STMT(BPF_JMP | BPF_JA, UINT32_MAX),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0, 0, 3),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 0),
        BPF_STMT(0xffff, 0),
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct sock_filter p[4] = { wrong[i], ok[2], ok[2], ok[2] };
        CHECK_EQ(filter_verify(p, 4), -EINVAL);
        struct seccomp_data d = { 0 };
        CHECK_EQ(filter_eval(p, 4, &d), SECCOMP_RET_KILL_PROCESS);
    }
    static struct sock_filter many[BPF_MAXINSNS + 1];
    for (size_t i = 0; i < ARRAY_LEN(many); i++)
        many[i] = ok[2];
    CHECK_EQ(filter_verify(many, BPF_MAXINSNS), 0);
    CHECK_EQ(filter_verify(many, BPF_MAXINSNS + 1), -EINVAL);
}

/* Runs fn in a child and returns its exit code, or 128 + the signal. */
static int in_child(int (*fn)(void *), void *arg)
{
    (void)fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        int code = fn(arg);
        /* not _exit(): AddressSanitizer makes calls of its own before that, and spins for ever when a filter refuses
         * them */
        (void)syscall(SYS_exit_group, code);
        __builtin_trap();
    }
    int status;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int load(const struct program *p)
{
    struct sock_fprog fprog = { .len = (unsigned short)p->n, .filter = (struct sock_filter *)p->insns };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    return syscall(NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &fprog) == 0 ? 0 : -errno;
}

/* 77, not 1: a sanitizer may fail, loudly, behind a mutated filter. */
static int only_load(void *arg)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)dup2(null, 2);
    return load(arg) == 0 ? 0 : 77;
}

TEST(what_verify_accepts_after_a_mutation_the_kernel_accepts_too)
{
    seed = 99;
    size_t accepted = 0, refused = 0;
    for (int i = 0; i < 4000; i++) {
        struct program *p = builtin(FILTER_STRICT, &medium_options);
        struct sock_filter *f = &p->insns[rnd(p->n)];
        switch (rnd(5)) {
        case 0:
            f->code = (uint16_t)rnd(0x100);
            break;
        case 1:
            f->k = rnd(2) ? (uint32_t)rnd(100) : (uint32_t)some_value(NULL);
            break;
        case 2:
            f->jt = (uint8_t)rnd(256);
            break;
        case 3:
            f->jf = (uint8_t)rnd(256);
            break;
        default:
            p->n = 1 + rnd(p->n);
            break;
        }
        if (filter_verify(p->insns, p->n) < 0) {
            refused++;
            continue;
        }
        accepted++;
        for (int k = 0; k < 20; k++) {
            struct seccomp_data d = { .nr = (int)rnd(480), .arch = FILTER_NATIVE_ARCH };
            d.args[rnd(6)] = some_value(NULL);
            CHECK(filter_action_is_known(filter_eval(p->insns, p->n, &d)));
        }
        if (accepted % 40 || FILTER_IS_AARCH64)
            continue;
        /* A mutated filter may kill at exit: EINVAL from loading is what must not happen. */
        CHECK(in_child(only_load, p) != 77);
    }
    CHECK(accepted > 100 && refused > 100);
}

/* ---- The names ---- */

TEST(names_and_numbers_agree)
{
    int known = 0;
    for (int nr = 0; nr < FILTER_NRS; nr++) {
        if (!syscall_name(nr))
            continue;
        CHECK_EQ(syscall_number(syscall_name(nr)), nr);
        known++;
    }
    CHECK(known > 320);
    CHECK_STR(syscall_name(SYSCALL_NEWEST), "rseq_slice_yield");
    CHECK_EQ(NR_fchmodat2, 452);
    CHECK_EQ(NR_file_setattr, 469);
    CHECK(!syscall_name(-1));
    CHECK(!syscall_name(400));
    CHECK(!syscall_name(SYSCALL_NEWEST + 1));
    CHECK_EQ(syscall_number("no_such_call"), -ENOENT);
    CHECK_EQ(syscall_number(""), -ENOENT);
#if !FILTER_IS_AARCH64
    CHECK_EQ(syscall_number("openat"), 257);
    CHECK_EQ(NR_clone3, 435);
#endif
}

/* ---- The built-in lists ---- */

TEST(builtin_filters_are_short)
{
    size_t low = builtin(FILTER_DEFAULT, &low_options)->n;
    size_t medium = builtin(FILTER_STRICT, &medium_options)->n;
    size_t high = builtin(FILTER_STRICT, &high_options)->n;
    (void)printf("# instructions: low %zu, medium %zu, high %zu\n", low, medium, high);
    CHECK(low <= (FILTER_IS_AARCH64 ? 185 : 175)); /* its numbers lie less well */
    CHECK(medium <= 230);
    CHECK(high <= 220);
    CHECK(builtin(FILTER_STRICT, &(struct filter_options){ 0 })->n <= 180);
}

/* Each option that was used in an attack, and those that everyday programs set. */
TEST(socket_options_are_a_list_at_every_level)
{
    static const struct {
        uint32_t level, option;
        bool is_permitted;
    } options[] = {
        { 1, 2, true },     { 1, 6, true },    { 1, 7, true },    { 1, 8, true },    { 1, 9, true },
        { 1, 13, true },    { 1, 15, true },   { 1, 16, true },   { 1, 20, true },   { 1, 21, true },
        { 1, 66, true },    { 0, 1, true },    { 0, 2, true },    { 0, 8, true },    { 0, 10, true },
        { 0, 11, true },    { 6, 1, true },    { 6, 2, true },    { 6, 3, true },    { 6, 4, true },
        { 6, 5, true },     { 6, 6, true },    { 6, 9, true },    { 6, 12, true },   { 6, 13, true },
        { 6, 18, true },    { 6, 25, true },   { 17, 1, true },   { 17, 103, true }, { 17, 104, true },
        { 41, 16, true },   { 41, 23, true },  { 41, 25, true },  { 41, 26, true },  { 41, 49, true },
        { 41, 67, true },   { 1, 25, false },  { 1, 26, false },  { 1, 27, false },  { 1, 32, false },
        { 1, 33, false },   { 1, 36, false },  { 1, 37, false },  { 1, 50, false },  { 1, 51, false },
        { 1, 52, false },   { 1, 60, false },  { 1, 62, false },  { 1, 72, false },  { 1, 73, false },
        { 1, 200, false },  { 0, 4, false },   { 0, 35, false },  { 0, 39, false },  { 0, 42, false },
        { 0, 45, false },   { 0, 46, false },  { 0, 48, false },  { 0, 50, false },  { 6, 14, false },
        { 6, 19, false },   { 6, 23, false },  { 6, 30, false },  { 6, 31, false },  { 6, 38, false },
        { 17, 100, false }, { 41, 1, false },  { 41, 20, false }, { 41, 27, false }, { 41, 32, false },
        { 41, 33, false },  { 41, 42, false }, { 41, 46, false }, { 41, 57, false }, { 41, 76, false },
        { 58, 1, false },   { 255, 1, false }, { 270, 1, false }, { 282, 1, false }, { 0x101, 2, false },
    };
    const struct filter_options *at[] = { &low_options, &medium_options, &high_options };
    for (size_t l = 0; l < ARRAY_LEN(at); l++) {
        struct program *p = builtin(l ? FILTER_STRICT : FILTER_DEFAULT, at[l]);
        for (size_t i = 0; i < ARRAY_LEN(options); i++) {
            uint64_t rubbish = UINT64_C(7) << 32;
            uint64_t want = options[i].is_permitted ? ALLOWED : ERR(EPERM);
            CHECK_EQ(ASK(p, NR_setsockopt, 3, options[i].level | rubbish, options[i].option | rubbish), want);
        }
    }
}

TEST(every_known_call_has_one_place_in_the_lists)
{
    for (int nr = 0; nr <= SYSCALL_NEWEST; nr++) {
        size_t want = syscall_name(nr) != NULL, mentions = builtin_mentions(nr);
        if (mentions != want)
            (void)fprintf(stderr, "# %s is in %zu lists\n", syscall_name(nr), mentions);
        CHECK_EQ(mentions, want);
    }
}

TEST(builtin_filters_are_hardened_with_every_option)
{
    for (int kind = FILTER_DEFAULT; kind <= FILTER_STRICT; kind++) {
        for (unsigned o = 0; o < 64; o++) {
            struct filter_options opt = { o & 1, o & 2, o & 4, o & 8, o & 16, 1000, 1000, o & 32 };
            struct program *p = builtin((enum filter_kind)kind, &opt);
            CHECK_EQ(filter_verify(p->insns, p->n), 0);
            CHECK(filter_is_hardened(p->insns, p->n));
        }
    }
}

TEST(is_hardened_notices_each_single_hole)
{
    for (size_t i = 0; i < always_refused_count; i++) {
        if (always_refused[i].nr < 0)
            continue;
        CHECK_EQ(filter_builtin(FILTER_STRICT, &high_options, &the_spec), 0);
        filter_set(&the_spec, always_refused[i].nr, ALLOWED);
        struct program *p = compile_spec(&the_spec);
        CHECK(!filter_is_hardened(p->insns, p->n));
    }
    static const int16_t by_arguments[] = { NR_clone, NR_ioctl, NR_socket, NR_socketpair, NR_setsockopt, NR_seccomp };
    for (size_t i = 0; i < ARRAY_LEN(by_arguments); i++) {
        CHECK_EQ(filter_builtin(FILTER_STRICT, &high_options, &the_spec), 0);
        filter_set(&the_spec, by_arguments[i], ALLOWED);
        struct program *p = compile_spec(&the_spec);
        CHECK(!filter_is_hardened(p->insns, p->n));
    }
}

TEST(strict_permits_nothing_that_default_refuses)
{
    static struct program strict;
    seed = 5;
    for (unsigned o = 0; o < 64; o++) {
        struct filter_options opt = { o & 1, o & 2, o & 4, o & 8, o & 16, 1000, 1000, o & 32 };
        strict = *builtin(FILTER_STRICT, &opt);
        struct program *def = builtin(FILTER_DEFAULT, &opt);
        for (int nr = 0; nr < 600; nr++) {
            for (int i = 0; i < 60; i++) {
                uint64_t args[6];
                for (size_t a = 0; a < 6; a++)
                    args[a] = some_value(&the_spec);
                if (filter_action_permits(ask(&strict, nr, args)))
                    CHECK(filter_action_permits(ask(def, nr, args)));
            }
        }
    }
}

/* The listener refuses what the plain program refuses, so this is what makes the watch harmless. */
TEST(watched_filters_ask_or_say_what_the_plain_one_says)
{
    static struct filter_spec spec;
    static struct program plain;
    seed = 8;
    for (unsigned bits = 0; bits < 2 * NOTIFY_WORDS; bits++) {
        unsigned watch = (bits & (NOTIFY_WORDS - 1)) | (bits & NOTIFY_WORDS ? NOTIFY_LEVERS : 0);
        struct filter_options opt = { watch & 1, watch & 2, false,     watch & 4, watch & NOTIFY_BRIDGE,
                                      1000,      1000,      watch & 16 };
        plain = *builtin(watch & 8 ? FILTER_STRICT : FILTER_DEFAULT, &opt);
        spec = the_spec;
        CHECK_EQ(filter_watch(&spec, watch), 0);
        struct program *asking = compile_spec(&spec);
        CHECK(asking->n < plain.n + 120);
        for (int nr = 0; nr < 520; nr++) {
            for (int i = 0; i < 4; i++) {
                uint64_t args[6];
                for (size_t a = 0; a < 6; a++)
                    args[a] = some_value(&spec);
                uint32_t said = ask(asking, nr, args);
                CHECK(said == ask(&plain, nr, args) || said == SECCOMP_RET_USER_NOTIF);
            }
        }
    }
}

TEST(a_watch_asks_about_what_it_names_and_leaves_hot_calls_alone)
{
    static struct filter_spec spec;
    (void)builtin(FILTER_DEFAULT,
                  &(struct filter_options){ .allow_inet = true, .refuse_setuid_bits = true, .is_brokered = true });
    spec = the_spec;
    CHECK_EQ(filter_watch(&spec, NOTIFY_ALL), 0);
    struct program *p = compile_spec(&spec);
    const uint64_t notif = SECCOMP_RET_USER_NOTIF;
    CHECK_EQ(ASK(p, NR_execve, 1, 2, 3), notif);
    CHECK_EQ(ASK(p, NR_connect, 3), notif);
    CHECK_EQ(ASK(p, NR_listen, 3), notif);
    CHECK_EQ(ASK(p, NR_bind, 3), notif);
    CHECK_EQ(ASK(p, NR_sendto, 3, 1, 1, 0, UINT64_C(1) << 40), notif);
    CHECK_EQ(ASK(p, NR_sendto, 3, 1, 1, 0, 0), ALLOWED);
    CHECK_EQ(ASK(p, NR_sendto, 3, 1, 1, MSG_FASTOPEN, 0), ERR(EOPNOTSUPP));
    CHECK_EQ(ASK(p, NR_sendmsg, 3, 1, MSG_FASTOPEN), ERR(EOPNOTSUPP));
    CHECK_EQ(ASK(p, NR_sendmsg, 3, 1, 0), notif);
    CHECK_EQ(ASK(p, NR_sendmmsg, 3, 1, 1, 0), notif);
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 1, 7), notif); /* SO_SNDBUF, SO_RCVBUF, TCP_USER_TIMEOUT have bounds */
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 1, 8), notif);
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 6, 18), notif);
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 1, 2), ALLOWED);
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 1, 32), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 6, 30), ERR(EPERM)); /* TCP_FASTOPEN_CONNECT */
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 6, 1), ALLOWED);     /* TCP_NODELAY */
    CHECK_EQ(ASK(p, NR_ioctl, 3, 0x541b), ALLOWED);        /* FIONREAD */
    CHECK_EQ(ASK(p, NR_bpf), notif);
    CHECK_EQ(ASK(p, NR_clone3), ERR(ENOSYS));
    CHECK_EQ(ASK(p, NR_openat, 0, 0, O_RDONLY | O_CLOEXEC), ALLOWED);
    CHECK_EQ(ASK(p, NR_openat, 0, 0, O_WRONLY | O_CREAT), notif);
    CHECK_EQ(ASK(p, NR_kill, 77, 9), ALLOWED);
    CHECK_EQ(ASK(p, NR_kill, UINT64_MAX, 9), notif);
    CHECK_EQ(ASK(p, NR_clone, THREAD_FLAGS), ALLOWED);
    CHECK_EQ(ASK(p, NR_clone, 0x400 | 17), notif); /* the plain filter refuses it: CLONE_FILES without a thread */
    CHECK_EQ(ASK(p, NR_read, 0), ALLOWED);
    CHECK_EQ(ASK(p, NR_write, 0), ALLOWED);
}

TEST(options_only_ever_take_away)
{
    static struct program narrow;
    seed = 6;
    for (unsigned o = 0; o < 64; o++) {
        struct filter_options wide = { .allow_inet = true },
                              opt = { o & 1, o & 2, o & 4, o & 8, o & 16, 1000, 1000, o & 32 };
        narrow = *builtin(FILTER_DEFAULT, &opt);
        struct program *all = builtin(FILTER_DEFAULT, &wide);
        for (int nr = 0; nr < 600; nr++) {
            for (int i = 0; i < 40; i++) {
                uint64_t args[6];
                for (size_t a = 0; a < 6; a++)
                    args[a] = some_value(&the_spec);
                if (filter_action_permits(ask(&narrow, nr, args)))
                    CHECK_EQ(ask(all, nr, args), ALLOWED);
            }
        }
    }
}

TEST(bits_above_an_int_change_nothing)
{
    seed = 8;
    for (int level = 0; level < 3; level++) {
        struct program *p = level == 0   ? builtin(FILTER_DEFAULT, &low_options)
                            : level == 1 ? builtin(FILTER_STRICT, &medium_options)
                                         : builtin(FILTER_STRICT, &high_options);
        for (int nr = 0; nr <= SYSCALL_NEWEST; nr++) {
            for (int i = 0; i < 100; i++) {
                uint64_t clean[6], dirty[6];
                for (size_t a = 0; a < 6; a++) {
                    clean[a] = some_value(&the_spec) & UINT32_MAX;
                    dirty[a] = clean[a] | (1 + rnd(UINT32_MAX)) << 32;
                }
                CHECK_EQ(ask(p, nr, clean), ask(p, nr, dirty));
            }
        }
    }
}

TEST(sockets_are_permitted_by_family_type_and_protocol)
{
    struct program *p = builtin(FILTER_DEFAULT, &low_options);
    CHECK_EQ(ASK(p, NR_socket, AF_UNIX, SOCK_STREAM), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 1), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, AF_INET6, SOCK_DGRAM, 17), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM, 6), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM, 132), ERR(EPROTONOSUPPORT)); /* SCTP */
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM, 262), ERR(EPROTONOSUPPORT)); /* MPTCP */
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_DGRAM, 1), ERR(EPROTONOSUPPORT));    /* ping */
    CHECK_EQ(ASK(p, NR_socket, AF_INET6, SOCK_SEQPACKET), ERR(EPROTONOSUPPORT));
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_DCCP), ERR(EPROTONOSUPPORT));
    for (uint64_t family = 0; family < 64; family++) {
        bool fine = family == AF_UNIX || family == AF_INET || family == AF_INET6;
        uint32_t want = fine ? ALLOWED : ERR(EAFNOSUPPORT);
        CHECK_EQ(ASK(p, NR_socket, family, SOCK_STREAM), want);
        CHECK_EQ(ASK(p, NR_socket, family | UINT64_C(0xdead) << 32, SOCK_STREAM), want);
        CHECK_EQ(ASK(p, NR_socketpair, family, SOCK_STREAM), family == AF_UNIX ? ALLOWED : ERR(EAFNOSUPPORT));
    }
    p = builtin(FILTER_STRICT, &high_options);
    CHECK_EQ(ASK(p, NR_socket, AF_UNIX, SOCK_STREAM), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM), ERR(EAFNOSUPPORT));
    CHECK_EQ(ASK(p, NR_sendmsg, 3, 0, MSG_OOB), ERR(EOPNOTSUPP));
    CHECK_EQ(ASK(p, NR_sendto, 3, 0, 0, MSG_NOSIGNAL), ALLOWED);
}

TEST(clone_makes_threads_but_no_namespaces)
{
    struct program *p = builtin(FILTER_STRICT, &high_options);
    CHECK_EQ(ASK(p, NR_clone, THREAD_FLAGS), ALLOWED);
    CHECK_EQ(ASK(p, NR_clone, SIGCHLD), SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ASK(p, NR_clone, NEW_USER | SIGCHLD), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_clone, NEW_USER | THREAD_FLAGS), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_clone3), ERR(ENOSYS));
    CHECK_EQ(ASK(p, NR_unshare, NEW_USER), ERR(EPERM));
#if !FILTER_IS_AARCH64
    CHECK_EQ(ASK(p, NR_fork), SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ASK(p, NR_vfork), SECCOMP_RET_USER_NOTIF);
#endif
    p = builtin(FILTER_DEFAULT, &low_options);
    CHECK_EQ(ASK(p, NR_clone, SIGCHLD), ALLOWED);
    /* The lowest byte is the exit signal: CLONE_NEWTIME (0x80) means nothing to clone. */
    CHECK_EQ(ASK(p, NR_clone, 0x80 | SIGCHLD), ALLOWED);
    for (unsigned bit = 0; bit < 32; bit++) {
        bool is_namespace = (0x7e020000u >> bit) & 1;
        CHECK_EQ(ASK(p, NR_clone, UINT64_C(1) << bit), is_namespace ? ERR(EPERM) : ALLOWED);
    }
}

TEST(disable_setuid_refuses_ids_and_set_id_bits)
{
    struct program *p = builtin(FILTER_STRICT, &medium_options);
    CHECK_EQ(ASK(p, NR_setuid), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setresgid), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_getresgid), ALLOWED);
    /* the own ids, as posix_spawn(3) asks for them; above the low half is rubbish */
    CHECK_EQ(ASK(p, NR_setuid, 65534), ALLOWED);
    CHECK_EQ(ASK(p, NR_setgid, 65534 | UINT64_C(3) << 32), ALLOWED);
    CHECK_EQ(ASK(p, NR_setresuid, UINT32_MAX, 65534, UINT64_MAX), ALLOWED);
    CHECK_EQ(ASK(p, NR_setresgid, UINT32_MAX, 65534, UINT32_MAX), ALLOWED);
    CHECK_EQ(ASK(p, NR_setresuid, UINT32_MAX, 65534, 0), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setresuid, 0, 65534, UINT32_MAX), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setreuid, 65534, 1), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setfsgid, 0), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setgroups, 0), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_fchmod, 3, 0755), ALLOWED);
    CHECK_EQ(ASK(p, NR_fchmod, 3, 01777), ALLOWED);
    CHECK_EQ(ASK(p, NR_fchmod, 3, 04755), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_fchmodat, 3, 0, 02755), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_fchmodat2, 3, 0, 04000, 0), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_mknodat, 3, 0, S_IFIFO | 0644), ALLOWED);
    CHECK_EQ(ASK(p, NR_mknodat, 3, 0, S_IFBLK | 0644), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_mknodat, 3, 0, S_IFCHR | 0644), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_mknodat, 3, 0, S_IFREG | 04755), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_openat, 3, 0, O_WRONLY | O_CREAT, 0644), ALLOWED);
    CHECK_EQ(ASK(p, NR_openat, 3, 0, O_WRONLY | O_CREAT, 04755), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_openat, 3, 0, 020200000 /* O_TMPFILE */ | O_RDWR, 02755), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_openat, 3, 0, O_RDONLY | O_DIRECTORY, UINT64_MAX), ALLOWED); /* garbage */
    CHECK_EQ(ASK(p, NR_openat2), ERR(ENOSYS));
#if !FILTER_IS_AARCH64
    CHECK_EQ(ASK(p, NR_open, 0, O_CREAT, 06755), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_open, 0, O_RDONLY, 06755), ALLOWED);
    CHECK_EQ(ASK(p, NR_chmod, 0, 06000), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_creat, 0, 04000), ERR(EPERM));
#endif
    p = builtin(FILTER_DEFAULT, &low_options);
    CHECK_EQ(ASK(p, NR_fchmod, 3, 04755), ALLOWED);
    CHECK_EQ(ASK(p, NR_openat2), ALLOWED);
}

TEST(what_belongs_to_the_whole_host_is_refused_at_every_level)
{
    for (int level = 0; level < 2; level++) {
        struct program *p = level ? builtin(FILTER_STRICT, &medium_options) : builtin(FILTER_DEFAULT, &low_options);
        CHECK_EQ(ASK(p, NR_io_setup, 1), ERR(ENOSYS));
        CHECK_EQ(ASK(p, NR_syncfs, 3), ERR(ENOSYS));
        CHECK_EQ(ASK(p, NR_fadvise64, 3, 0, 0, 4), ERR(EPERM)); /* POSIX_FADV_DONTNEED */
        CHECK_EQ(ASK(p, NR_fadvise64, 3, 0, 0, 2), ALLOWED);
        CHECK_EQ(ASK(p, NR_fcntl, 3, 1031, 1 << 20), ERR(EPERM)); /* F_SETPIPE_SZ */
        CHECK_EQ(ASK(p, NR_fcntl, 3, 1031, 4096), ALLOWED);
        CHECK_EQ(ASK(p, NR_fcntl, 3, 1032), ALLOWED);
        CHECK_EQ(ASK(p, NR_ioctl, 3, 0x80111500), ERR(ENOTTY)); /* FS_IOC_GETFSUUID */
    }
}

TEST(terminal_and_process_controls_are_looked_at)
{
    struct program *p = builtin(FILTER_DEFAULT, &low_options);
    CHECK_EQ(ASK(p, NR_ioctl, 0, TIOCSTI), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_ioctl, 0, TIOCSTI | UINT64_C(1) << 32), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_ioctl, 0, 0x541c), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_ioctl, 0, TCGETS), ALLOWED);
    CHECK_EQ(ASK(p, NR_ioctl, 0, FIONREAD), ALLOWED);
    CHECK_EQ(ASK(p, NR_prctl, PR_SET_NAME), ALLOWED);
    CHECK_EQ(ASK(p, NR_prctl, PR_SET_MM), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_prctl, 9999), ERR(EINVAL));
    CHECK_EQ(ASK(p, NR_personality, 0), ALLOWED);
    CHECK_EQ(ASK(p, NR_personality, 0xffffffff), ALLOWED);
    CHECK_EQ(ASK(p, NR_personality, 0x40000), ERR(EPERM)); /* ADDR_NO_RANDOMIZE */
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 6, 31), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 6, 1), ALLOWED);
    CHECK_EQ(ASK(p, NR_setsockopt, 3, 1, 31), ALLOWED);
    CHECK_EQ(ASK(p, NR_seccomp, 1, 0), ALLOWED);
    CHECK_EQ(ASK(p, NR_seccomp, 1, 8), ERR(EPERM));
}

TEST(killing_is_kept_for_what_no_honest_program_tries)
{
    struct filter_options opt = { .allow_inet = true, .kill_on_violation = true };
    struct program *p = builtin(FILTER_DEFAULT, &opt);
    uint32_t kill_process = SECCOMP_RET_KILL_PROCESS;
    CHECK_EQ(ASK(p, NR_ptrace), kill_process);
    CHECK_EQ(ASK(p, NR_mount), kill_process);
    CHECK_EQ(ASK(p, NR_clone, NEW_USER), kill_process);
    CHECK_EQ(ASK(p, NR_ioctl, 0, TIOCSTI), kill_process);
    CHECK_EQ(ASK(p, NR_clone3), ERR(ENOSYS));
    CHECK_EQ(ASK(p, NR_io_uring_setup), ERR(ENOSYS));
    CHECK_EQ(ASK(p, NR_socket, AF_NETLINK), ERR(EAFNOSUPPORT));
    CHECK_EQ(ASK(p, 400), ERR(ENOSYS));
    struct seccomp_data d = { .nr = 20, .arch = FILTER_OTHER_ARCH };
    CHECK_EQ(filter_eval(p->insns, p->n, &d), kill_process);
#if !FILTER_IS_AARCH64
    CHECK_EQ(ASK(p, X32 + 39), kill_process);
#endif
}

TEST(the_summary_names_what_matters)
{
    struct buf b;
    buf_init(&b, 8192);
    CHECK_EQ(filter_builtin(FILTER_STRICT, &high_options, &the_spec), 0);
    CHECK_EQ(filter_summary(&the_spec, &b), 0);
    bool fine = strstr(b.data, "calls known") && strstr(b.data, "ptrace (EPERM)") &&
                strstr(b.data, "clone3 (ENOSYS)") && strstr(b.data, "by their arguments: ");
    buf_done(&b);
    CHECK(fine);
}

/* ---- The table ---- */

static bool words_exist(int nr)
{
    for (size_t i = 0; i < arg_words_count; i++)
        if (arg_words[i].nr == nr)
            return true;
    return false;
}

/* One TSV line against the filter of its level; counts the calls with conditions. */
static void check_tsv_line(const char *line, const struct program *p, int nr, int *by_arguments)
{
    char name[24], want[96];
    uint64_t ones[6];
    memset(ones, 0xff, sizeof(ones));
    const char *zero = filter_action_name(ask(p, nr, NULL), name);
    (void)snprintf(want, sizeof(want), "\t%s\t", zero);
    CHECK(strstr(line, want));
    (void)snprintf(want, sizeof(want), "\t%s\n", filter_action_name(ask(p, nr, ones), name));
    CHECK(strstr(line, want));
    (*by_arguments) += strstr(line, "\targs: ") != NULL;
    if (strstr(line, "\targs: "))
        CHECK(words_exist(nr));
}

TEST(the_table_has_a_row_for_every_number_and_words_for_every_condition)
{
    static struct program progs[3];
    static const struct filter_options shipped_low = {
        .allow_inet = true, .refuse_setuid_bits = true, .is_brokered = true, .uid = 1000, .gid = 1000
    };
    progs[0] = *builtin(FILTER_DEFAULT, &shipped_low);
    progs[1] = *builtin(FILTER_STRICT, &medium_options);
    progs[2] = *builtin(FILTER_STRICT, &high_options);
    static struct buf b;
    buf_init(&b, 1u << 20);
    CHECK_EQ(filter_table_tsv(&b), 0);
    int by_arguments = 0, rows = 0;
    for (char *line = b.data; *line; rows++) {
        char *end = strchr(line, '\n'), copy[256];
        size_t length = (size_t)(end + 1 - line);
        CHECK(length < sizeof(copy));
        memcpy(copy, line, length);
        copy[length] = '\0';
        check_tsv_line(copy, &progs[rows % 3], rows / 3, &by_arguments);
        line = end + 1;
    }
    CHECK_EQ(rows, 3 * (SYSCALL_NEWEST + 1));
    CHECK(by_arguments > 30);
    buf_done(&b);
    buf_init(&b, 1u << 20);
    CHECK_EQ(filter_table_markdown(&b), 0);
    bool fine = strstr(b.data, "| args: allow, EPERM | args: allow, EPERM |") &&
                strstr(b.data, "| clone3 | ENOSYS | ENOSYS | ENOSYS |");
    buf_done(&b);
    CHECK(fine);
}

/* ---- Under the kernel ---- */

#if defined(__x86_64__) && !FILTER_IS_AARCH64
#define CAN_LOAD 1
static long by_int80(long nr)
{
    long ret;
    __asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr) : "memory", "r8", "r9", "r10", "r11");
    return ret;
}
#else
#define CAN_LOAD 0
static long by_int80(long nr)
{
    return nr ? -ENOSYS : 0;
}
#endif

/* Each call is harmless should it get through; 0 means «not refused by the filter». */
static const struct probe {
    int nr;
    long args[4];
    int strict_error, default_error;
} probes[] = {
    { NR_getpid, { 0 }, 0, 0 },
    { NR_ptrace, { 9999 }, EPERM, EPERM },
    { NR_bpf, { 9999 }, EPERM, EPERM },
    { NR_keyctl, { 9999 }, EPERM, EPERM },
    { NR_userfaultfd, { -1 }, EPERM, EPERM },
    { NR_perf_event_open, { 0 }, EPERM, EPERM },
    { NR_mount, { 0 }, EPERM, EPERM },
    { NR_fsopen, { 0 }, ENOSYS, ENOSYS },
    { NR_unshare, { 0 }, EPERM, EPERM },
    { NR_setns, { -1 }, EPERM, EPERM },
    { NR_clone3, { 0 }, ENOSYS, ENOSYS },
    { NR_clone, { (long)NEW_USER }, EPERM, EPERM },
    { NR_io_uring_setup, { 0 }, ENOSYS, ENOSYS },
    { NR_process_vm_readv, { 0 }, EPERM, EPERM },
    { NR_ioctl, { 0, TIOCSTI }, EPERM, EPERM },
    { NR_ioctl, { 0, TIOCSTI | 1L << 32 }, EPERM, EPERM },
    { NR_socket, { AF_VSOCK, SOCK_STREAM }, EAFNOSUPPORT, EAFNOSUPPORT },
    { NR_socket, { AF_NETLINK | 1L << 32, SOCK_RAW }, EAFNOSUPPORT, EAFNOSUPPORT },
    { NR_socket, { AF_UNIX, SOCK_STREAM }, 0, 0 },
    { NR_socket, { AF_INET, SOCK_STREAM, 132 }, EPROTONOSUPPORT, EPROTONOSUPPORT },
    { NR_shmget, { 0, 1, -1 }, ENOSYS, 0 },
    { NR_io_setup, { 0 }, ENOSYS, ENOSYS },
    { NR_memfd_create, { 0 }, EPERM, 0 },
    { NR_landlock_create_ruleset, { 0, 0, 1 }, ENOSYS, 0 },
    { NR_fchmod, { -1, 04755 }, EPERM, 0 },
    { NR_openat2, { -1 }, ENOSYS, 0 },
    { NR_fchmod, { -1, 0755 }, 0, 0 },
    { NR_get_mempolicy, { 0 }, 0, 0 },
    { NR_rseq, { 0 }, 0, 0 },
    { NR_membarrier, { 0 }, 0, 0 },
    { NR_prctl, { PR_SET_MM }, EPERM, EPERM },
    { 400, { 0 }, ENOSYS, ENOSYS },
    { 511, { 0 }, ENOSYS, ENOSYS },
    { X32 + 39, { 0 }, ENOSYS, ENOSYS },
};

struct live {
    const struct program *program;
    bool is_strict;
};

/* Exits with 0, 254 when loading failed, or the number of the probe that surprised + 1. */
static int run_probes(void *arg)
{
    const struct live *live = arg;
    if (load(live->program) < 0)
        return 254;
    for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
        const struct probe *p = &probes[i];
        int want = live->is_strict ? p->strict_error : p->default_error;
        errno = 0;
        long r = syscall(p->nr, p->args[0], p->args[1], p->args[2], p->args[3], 0L, 0L);
        int got = r == -1 ? errno : 0;
        if (want ? got != want : got == ENOSYS || got == EPERM)
            return (int)i + 1;
    }
    return by_int80(20) == -ENOSYS ? 0 : 253;
}

TEST(default_and_strict_answer_so_under_the_kernel)
{
    if (!CAN_LOAD)
        SKIP("built for another architecture");
    struct live live = { builtin(FILTER_DEFAULT, &low_options), false };
    CHECK_EQ(in_child(run_probes, &live), 0);
    live = (struct live){ builtin(FILTER_STRICT, &medium_options), true };
    CHECK_EQ(in_child(run_probes, &live), 0);
}

static int ptrace_to_death(void *arg)
{
    if (load(arg) < 0)
        return 1;
    return syscall(NR_ptrace, 9999) == -1 ? 2 : 3;
}

TEST(a_violation_kills_where_the_profile_says_so)
{
    if (!CAN_LOAD)
        SKIP("built for another architecture");
    struct filter_options opt = { .kill_on_violation = true };
    CHECK_EQ(in_child(ptrace_to_death, builtin(FILTER_STRICT, &opt)), 128 + SIGSYS);
}

struct job {
    const struct program *program;
    const char *const *argv;
};

static int run_job(void *arg)
{
    static const char *const env[] = { "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8",
                                       "OPENBLAS_NUM_THREADS=2", NULL };
    const struct job *job = arg;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)dup2(null, 0);
    (void)dup2(null, 1);
    (void)alarm(120);
    if (load(job->program) < 0)
        return 254;
    (void)execve(job->argv[0], (char *const *)job->argv, (char *const *)env);
    return 253;
}

/* Runs argv under both filters as medium and high would use them, forks unwatched. */
static void check_runs(const char *const *argv)
{
    if (!CAN_LOAD)
        SKIP("built for another architecture");
    if (access(argv[0], X_OK) != 0)
        SKIP("the interpreter is not installed");
    static const struct filter_options unix_only = { .refuse_setuid_bits = true };
    struct job job = { builtin(FILTER_DEFAULT, &low_options), argv };
    CHECK_EQ(in_child(run_job, &job), 0);
    job.program = builtin(FILTER_STRICT, &medium_options);
    CHECK_EQ(in_child(run_job, &job), 0);
    job.program = builtin(FILTER_STRICT, &unix_only);
    CHECK_EQ(in_child(run_job, &job), 0);
}
#define CHECK_RUNS(...) check_runs((const char *const[]){ __VA_ARGS__, NULL })

TEST(python_with_threads_and_processes_runs_under_both)
{
    CHECK_RUNS("/usr/bin/python3", "-I", "-c",
               "import threading, subprocess, multiprocessing as mp, asyncio, sqlite3, tempfile, shutil, os, time, "
               "socket, selectors, concurrent.futures as cf\n"
               "t = [threading.Thread(target=lambda: time.sleep(0.01)) for _ in range(8)]\n"
               "[x.start() for x in t]; [x.join() for x in t]\n"
               "assert subprocess.run(['/bin/echo', 'x'], capture_output=True).stdout == b'x\\n'\n"
               "assert subprocess.run('exit 3', shell=True).returncode == 3\n"
               "with mp.get_context('fork').Pool(2) as p: assert p.map(abs, [-1, -2]) == [1, 2]\n"
               "with cf.ThreadPoolExecutor(2) as e: assert list(e.map(abs, [-3])) == [3]\n"
               "q = mp.get_context('fork').Queue(); q.put(1); assert q.get() == 1\n"
               "a, b = socket.socketpair(); a.send(b'1'); assert b.recv(1) == b'1'\n"
               "async def f():\n"
               "    p = await asyncio.create_subprocess_exec('/bin/true'); await p.wait(); await asyncio.sleep(0)\n"
               "asyncio.run(f())\n"
               "d = tempfile.mkdtemp(); c = sqlite3.connect(d + '/x.db'); c.execute('create table t(a)'); c.close()\n"
               "shutil.copy2(d + '/x.db', d + '/y.db'); shutil.rmtree(d); os.sync()\n");
}

TEST(numpy_and_pandas_run_under_both)
{
    if (access("/usr/lib/python3/dist-packages/pandas", R_OK) != 0)
        SKIP("python3-pandas is not installed");
    CHECK_RUNS("/usr/bin/python3", "-I", "-c",
               "import numpy as np, pandas as pd\n"
               "a = np.random.rand(300, 300); np.linalg.svd(a @ a)\n"
               "assert pd.DataFrame({'a': [1, 2]}).a.sum() == 3\n");
}

TEST(node_with_workers_and_children_runs_under_both)
{
    CHECK_RUNS("/usr/bin/node", "-e",
               "const {Worker} = require('worker_threads'), cp = require('child_process'), fs = require('fs'),"
               " net = require('net'), assert = require('assert');"
               "assert.equal(cp.execSync('echo hi').toString(), 'hi\\n');"
               "fs.promises.readFile('/etc/hostname').catch(() => 0);"
               "const path = '/tmp/filter-test-' + process.pid;"
               "const s = net.createServer(c => c.end('x')).listen(path, () => net.connect(path)"
               ".on('data', () => s.close()));"
               "new Worker('postMessage = require(\"worker_threads\").parentPort.postMessage(1)', {eval: true})"
               ".on('message', m => assert.equal(m, 1)).on('error', e => { throw e });");
}

TEST(bash_runs_under_both)
{
    CHECK_RUNS("/bin/bash", "-c",
               "set -e; x=$(echo a | tr a b); test \"$x\" = b; cat <<< here >/dev/null; "
               "cat <(echo 1) > /dev/null; sleep 0.01 & wait; f=$(mktemp); cp -a $f $f.2; mv $f.2 $f; "
               "chmod 600 $f; rm $f; trap 'exit 0' USR1; kill -USR1 $$; sleep 1; exit 1");
}

TEST(a_go_program_runs_under_both)
{
    CHECK_RUNS("/usr/bin/go", "version"); /* itself one; building takes too long for here */
}

TEST(the_c_compiler_runs_under_both)
{
    CHECK_RUNS("/bin/sh", "-c",
               "command -v cc >/dev/null || exit 0; d=$(mktemp -d); echo 'int main(void){return 0;}' > $d/a.c; "
               "cc -o $d/a $d/a.c && $d/a; r=$?; rm -r $d; exit $r");
}

/* ---- OCI profiles ---- */

static struct error oci_error;

static int load_text(const char *text)
{
    oci_error = (struct error){ 0 };
    return filter_load_oci("profile.json", text, strlen(text), &the_spec, &oci_error);
}

/* tests/data beside tests/unit, wherever the tests are run from. */
static struct program *load_data(const char *name)
{
    static char text[65536];
    char path[4096];
    const char *slash = strrchr(__FILE__, '/');
    (void)snprintf(path, sizeof(path), "tests/data/%s", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && slash) {
        (void)snprintf(path, sizeof(path), "%.*s/../data/%s", (int)(slash - __FILE__), __FILE__, name);
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    CHECK(fd >= 0);
    ssize_t n = read(fd, text, sizeof(text));
    (void)close(fd);
    CHECK(n > 0);
    oci_error = (struct error){ 0 };
    int r = filter_load_oci(name, text, (size_t)n, &the_spec, &oci_error);
    if (r < 0)
        (void)fprintf(stderr, "# %s\n", oci_error.text);
    CHECK_EQ(r, 0);
    return compile_spec(&the_spec);
}

TEST(a_profile_in_dockers_shape_loads_and_is_hardened)
{
    struct program *p = load_data("oci-docker-short.json");
    CHECK(filter_is_hardened(p->insns, p->n));
    CHECK_EQ(ASK(p, NR_read), ALLOWED);
    CHECK_EQ(ASK(p, NR_ptrace), ERR(EPERM));          /* the file permits it from 4.8 on */
    CHECK_EQ(ASK(p, NR_io_uring_setup), ERR(ENOSYS)); /* the file permits it */
    CHECK_EQ(ASK(p, NR_clone3), ERR(ENOSYS));
    CHECK_EQ(ASK(p, NR_chroot), ERR(EPERM));          /* only with a capability */
    CHECK_EQ(ASK(p, NR_sync_file_range), ERR(EPERM)); /* only on s390 */
    CHECK_EQ(ASK(p, NR_clone, THREAD_FLAGS), ALLOWED);
    CHECK_EQ(ASK(p, NR_clone, NEW_USER), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM), ALLOWED);
    CHECK_EQ(ASK(p, NR_socket, 40, SOCK_STREAM), ERR(EAFNOSUPPORT));
    CHECK_EQ(ASK(p, NR_socket, UINT64_C(0x100000028), SOCK_STREAM), ERR(EAFNOSUPPORT));
    CHECK_EQ(ASK(p, NR_personality, 0), ALLOWED);
    CHECK_EQ(ASK(p, NR_personality, UINT64_C(0xffffffffffffffff)), ALLOWED);
    CHECK_EQ(ASK(p, NR_personality, 8), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_swapon), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_fchmodat2), ERR(ENOSYS)); /* younger than anything the file names */
#if !FILTER_IS_AARCH64
    CHECK_EQ(ASK(p, NR_modify_ldt), ALLOWED);
#endif
}

TEST(options_narrow_a_loaded_profile_too)
{
    (void)load_data("oci-docker-short.json");
    CHECK_EQ(filter_narrow(&the_spec, &high_options), 0);
    struct program *p = compile_spec(&the_spec);
    CHECK(filter_is_hardened(p->insns, p->n));
    CHECK_EQ(ASK(p, NR_socket, AF_INET, SOCK_STREAM), ERR(EAFNOSUPPORT));
    CHECK_EQ(ASK(p, NR_socket, AF_UNIX, SOCK_STREAM), ALLOWED);
    CHECK_EQ(ASK(p, NR_clone, THREAD_FLAGS), ALLOWED);
    CHECK_EQ(ASK(p, NR_clone, SIGCHLD), SECCOMP_RET_USER_NOTIF);
    CHECK_EQ(ASK(p, NR_clone, NEW_USER), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_setuid), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_fchmod, 3, 04755), ERR(EPERM));
}

TEST(a_deny_list_is_completed)
{
    struct program *p = load_data("oci-deny-list.json");
    CHECK(filter_is_hardened(p->insns, p->n));
    CHECK_EQ(ASK(p, NR_read), ALLOWED);
    CHECK_EQ(ASK(p, 400), ERR(ENOSYS)); /* no call we know: never permitted */
    CHECK_EQ(ASK(p, 511), ERR(ENOSYS));
    CHECK_EQ(ASK(p, NR_kill, 1, 9), SECCOMP_RET_KILL_PROCESS);
    CHECK_EQ(ASK(p, NR_kill, 1, 15), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_kill, 1, 1), ALLOWED);
    CHECK_EQ(ASK(p, NR_kill, 1, UINT64_C(1) << 32 | 9), SECCOMP_RET_KILL_PROCESS);
    CHECK_EQ(ASK(p, NR_dup3, 0, 0, 1), ERR(EPERM)); /* alternatives, as runc reads them */
    CHECK_EQ(ASK(p, NR_dup3, 0, 0, 2), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_dup3, 0, 0, 3), ALLOWED);
    CHECK_EQ(ASK(p, NR_mmap, 0, 0, 7), SECCOMP_RET_TRAP);
    CHECK_EQ(ASK(p, NR_mmap, 0, 0, 5), ALLOWED);
    CHECK_EQ(ASK(p, NR_uname), SECCOMP_RET_LOG);
    CHECK_EQ(ASK(p, NR_mount), ERR(EPERM));
#if !FILTER_IS_AARCH64
    CHECK_EQ(ASK(p, NR_mkdir), ERR(EACCES));
#endif
}

TEST(the_strictest_of_several_rules_wins)
{
    CHECK_EQ(load_text("{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":["
                       "{\"names\":[\"read\",\"write\"],\"action\":\"SCMP_ACT_ALLOW\"},"
                       "{\"names\":[\"read\"],\"action\":\"SCMP_ACT_KILL_PROCESS\"},"
                       "{\"names\":[\"write\"],\"action\":\"SCMP_ACT_ERRNO\"}," /* the default: says nothing */
                       "{\"names\":[\"getpid\"],\"action\":\"SCMP_ACT_ALLOW\",\"includes\":{\"minKernel\":\"1.0\"}},"
                       "{\"names\":[\"gettid\"],\"action\":\"SCMP_ACT_ALLOW\",\"includes\":{\"minKernel\":\"999.0\"}},"
                       "{\"names\":[\"getuid\"],\"action\":\"SCMP_ACT_ALLOW\",\"excludes\":{\"minKernel\":\"1.0\"}},"
                       "{\"names\":[\"kill\"],\"action\":\"SCMP_ACT_ALLOW\","
                       "\"args\":[{\"index\":1,\"op\":\"SCMP_CMP_LT\",\"value\":9}]},"
                       "{\"names\":[\"kill\"],\"action\":\"SCMP_ACT_TRAP\","
                       "\"args\":[{\"index\":1,\"op\":\"SCMP_CMP_EQ\",\"value\":3}]}]}"),
             0);
    struct program *p = compile_spec(&the_spec);
    CHECK_EQ(ASK(p, NR_read), SECCOMP_RET_KILL_PROCESS);
    CHECK_EQ(ASK(p, NR_write), ALLOWED);
    CHECK_EQ(ASK(p, NR_getpid), ALLOWED);
    CHECK_EQ(ASK(p, NR_gettid), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_getuid), ERR(EPERM));
    CHECK_EQ(ASK(p, NR_kill, 0, 3), SECCOMP_RET_TRAP);
    CHECK_EQ(ASK(p, NR_kill, 0, 4), ALLOWED);
    CHECK_EQ(ASK(p, NR_kill, 0, 9), ERR(EPERM));
}

TEST(wrong_profiles_are_refused_with_file_line_and_key)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "", "profile.json:1: not valid JSON" },
        { "{\n\n\"defaultAction\" }", "profile.json:3: not valid JSON" },
        { "{\"a\":1,\"a\":2}", "duplicate" },
        { "[]", "an object is needed" },
        { "{}", "defaultAction: an action is needed" },
        { "{\"defaultAction\":\"SCMP_ACT_FOO\"}", "unknown action «SCMP_ACT_FOO»" },
        { "{\"defaultAction\":\"SCMP_ACT_TRACE\"}", "needs a tracer or listener" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":5000}", "defaultErrnoRet: an error number" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\n\"syscals\":[]}",
          "profile.json:2: syscals: unknown key; did you mean «syscalls»?" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"listenerPath\":\"/x\"}", "listenerPath" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"architectures\":[\"SCMP_ARCH_S390X\"]}",
          "architectures: SCMP_ARCH_" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":{}}", "syscalls: a list is needed" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[1]}", "syscalls[0]: an object" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[\n{\"action\":\"SCMP_ACT_ALLOW\"}]}",
          "profile.json:2: syscalls[0].names: either" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\"},\n"
          "{\"names\":[\"read\"],\n\"action\":\"SCMP_ACT_NOTIFY\"}]}",
          "profile.json:3: syscalls[1].action: SCMP_ACT_NOTIFY" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\","
          "\n\"args\":[\n"
          "{\"index\":0,\"op\":\"SCMP_CMP_EQ\"},{\"index\":6,\"op\":\"SCMP_CMP_EQ\"}]}]}",
          "profile.json:3: syscalls[0].args[1].index: an argument" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\","
          "\"args\":[{\"index\":0,\"op\":\"SCMP_CMP_SORT_OF\"}]}]}",
          "args[0].op: a comparison" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\","
          "\"args\":[{\"index\":0,\"op\":\"SCMP_CMP_EQ\",\"value\":-1}]}]}",
          "args[0].value: a whole number" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"socket\"],\"action\":\"SCMP_ACT_ALLOW\","
          "\"args\":[{\"index\":0,\"op\":\"SCMP_CMP_EQ\",\"value\":4294967297}]}]}",
          "does not fit" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\","
          "\"includes\":{\"minKernel\":\"six\"}}]}",
          "includes.minKernel: a kernel version" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\","
          "\"includes\":{\"cap\":[]}}]}",
          "includes.cap: unknown key; did you mean «caps»?" },
        { "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[7],\"action\":\"SCMP_ACT_ALLOW\"}]}",
          "names: element 0 is not a string" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK(load_text(cases[i].text) < 0);
        CHECK_EQ(oci_error.blame, BLAME_CALLER);
        if (!strstr(oci_error.text, cases[i].message))
            (void)fprintf(stderr, "# «%s» lacks «%s»\n", oci_error.text, cases[i].message);
        CHECK(strstr(oci_error.text, cases[i].message));
    }
}

TEST(a_profile_larger_than_a_mebibyte_is_refused)
{
    static char big[(1u << 20) + 1];
    memset(big, ' ', sizeof(big));
    CHECK_EQ(filter_load_oci("big.json", big, sizeof(big), &the_spec, &oci_error), -EFBIG);
    CHECK(strstr(oci_error.text, "1 MiB"));
}

TEST(a_profile_with_too_many_rules_is_refused_not_cut)
{
    static struct buf b;
    buf_init(&b, 1u << 20);
    (void)buf_adds(&b, "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[");
    for (int i = 0; i < 300; i++)
        (void)buf_addf(&b,
                       "%s{\"names\":[\"read\"],\"action\":\"SCMP_ACT_ALLOW\",\"args\":[{\"index\":0,\"value\":%d,"
                       "\"op\":\"SCMP_CMP_EQ\"}]}",
                       i ? "," : "", i);
    (void)buf_adds(&b, "]}");
    int r = load_text(b.data);
    buf_done(&b);
    CHECK(r < 0);
    CHECK(strstr(oci_error.text, "too many rules"));
}
