/* A spec as JSON for container engines: whoever reads it decides as we do. Read back three times: by a model of what
 * runc does with it, by the real libseccomp where it is installed, and by our own reader. */
#include "filter/internal.h"
#include "random.h"
#include "test.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <jansson.h>
#include <sys/mman.h>

static struct filter_spec spec;
static struct sock_filter program[BPF_MAXINSNS], theirs[BPF_MAXINSNS];
static size_t program_count, theirs_count;

static const struct {
    enum filter_kind kind;
    struct filter_options options;
} variants[] = {
    { FILTER_DEFAULT, { .allow_inet = true } },
    { FILTER_DEFAULT, { .refuse_setuid_bits = true, .kernel_judges_ids = true, .kill_on_violation = true } },
    { FILTER_STRICT, { .allow_inet = true, .refuse_setuid_bits = true, .kernel_judges_ids = true } },
    { FILTER_STRICT, { .refuse_setuid_bits = true, .kernel_judges_ids = true } },
    { FILTER_STRICT, { .allow_inet = true, .is_brokered = true } },
};

static json_t *write_spec(void)
{
    struct buf out;
    struct error err = { 0 };
    json_error_t syntax;
    buf_init(&out, MIB);
    CHECK_EQ(filter_compile(&spec, program, BPF_MAXINSNS, &program_count, &err), 0);
    CHECK_EQ(filter_write_oci(&spec, &out), 0);
    json_t *root = json_loadb(out.data, out.size, JSON_REJECT_DUPLICATES, &syntax);
    buf_done(&out);
    CHECK(root);
    return root;
}

static json_t *write_builtin(size_t variant)
{
    seed = 0x5eed + variant;
    CHECK_EQ(filter_builtin(variants[variant].kind, &variants[variant].options, &spec), 0);
    return write_spec();
}

static uint32_t decision(const struct seccomp_data *d)
{
    return filter_eval(program, program_count, d);
}

/* ---- Arguments that matter ---- */

static uint64_t some_value(int nr)
{
    static const uint64_t values[] = { 0,  1,  2,  3,      10,   16,    17,         31,        35,
                                       40, 56, 57, 0x5412, 1026, 06000, 0x7fffffff, UINT32_MAX };
    uint64_t v = values[rnd(ARRAY_LEN(values))];
    const struct filter_rule *rule = NULL;
    for (uint16_t r = spec.calls[nr].rules; r; r = spec.rules[r - 1].next)
        if (!rule || !rnd(3))
            rule = &spec.rules[r - 1];
    if (rule && rule->cond_count && rnd(4)) {
        const struct filter_cond *c = &spec.conds[rule->first_cond + rnd(rule->cond_count)];
        v = c->mask && rnd(4) ? c->mask & (rnd(2) ? rnd(UINT32_MAX) : 1u << rnd(32)) : c->value;
    }
    switch (rnd(8)) {
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

static struct seccomp_data some_call(int nr)
{
    struct seccomp_data d = { .nr = nr, .arch = FILTER_NATIVE_ARCH };
    for (size_t i = 0; i < 6; i++)
        d.args[i] = some_value(nr);
    return d;
}

/* ---- What runc does with it ---- */

static uint64_t number(const json_t *o, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(o, key));
}

static uint32_t action_of(const json_t *o, const char *key, const char *errno_key)
{
    const char *name = json_string_value(json_object_get(o, key));
    CHECK(name);
    if (str_eq(name, "SCMP_ACT_ALLOW"))
        return SECCOMP_RET_ALLOW;
    if (str_eq(name, "SCMP_ACT_KILL_PROCESS"))
        return SECCOMP_RET_KILL_PROCESS;
    CHECK_STR(name, "SCMP_ACT_ERRNO");
    return FILTER_ERRNO(number(o, errno_key));
}

static bool arg_matches(const json_t *arg, const struct seccomp_data *d)
{
    uint64_t value = number(arg, "value"), two = number(arg, "valueTwo"), a = d->args[number(arg, "index")];
    return str_eq(json_string_value(json_object_get(arg, "op")), "SCMP_CMP_EQ") ? a == value : (a & value) == two;
}

static bool entry_matches(const json_t *entry, const struct seccomp_data *d)
{
    size_t i;
    json_t *arg;
    json_array_foreach(json_object_get(entry, "args"), i, arg) if (!arg_matches(arg, d)) return false;
    return true;
}

/* The entries that name a call, in the order of the file. */
static size_t entries_of(const json_t *root, int nr, const json_t *ret[static 1024])
{
    size_t i, j, n = 0;
    json_t *entry, *name;
    json_array_foreach(json_object_get(root, "syscalls"), i, entry) json_array_foreach(
        json_object_get(entry, "names"), j, name) if (str_eq(json_string_value(name), syscall_name(nr)))
    {
        CHECK(n < 1024);
        ret[n++] = entry;
    }
    return n;
}

/* One condition an argument, and arguments in rising order: see oci_write.c. */
static void check_shape(const json_t *entry)
{
    size_t i;
    json_t *arg;
    int last = -1;
    json_array_foreach(json_object_get(entry, "args"), i, arg)
    {
        CHECK((int)number(arg, "index") > last && number(arg, "index") < 6);
        last = (int)number(arg, "index");
    }
}

TEST(in_an_engines_profile_exactly_one_rule_speaks_of_each_call_and_it_says_what_we_say)
{
    static const json_t *entries[1024];
    for (size_t v = 0; v < ARRAY_LEN(variants); v++) {
        json_t *root = write_builtin(v);
        CHECK_EQ(action_of(root, "defaultAction", "defaultErrnoRet"), spec.unknown);
        for (int nr = 0; nr < FILTER_NRS; nr++) {
            size_t n = syscall_name(nr) ? entries_of(root, nr, entries) : 0;
            for (size_t i = 0; i < n; i++)
                check_shape(entries[i]);
            for (size_t round = 0; syscall_name(nr) && round < (n > 1 ? 2000 : 4); round++) {
                struct seccomp_data d = some_call(nr);
                size_t matching = 0;
                for (size_t i = 0; i < n; i++)
                    if (entry_matches(entries[i], &d)) {
                        matching++;
                        CHECK_EQ(action_of(entries[i], "action", "errnoRet"), decision(&d));
                    }
                CHECK_EQ(matching, 1);
            }
        }
        json_decref(root);
    }
}

/* ---- The real libseccomp ---- */

struct scmp_arg_cmp {
    unsigned arg;
    int op; /* 4: EQ, 7: MASKED_EQ */
    uint64_t a, b;
};

static struct scmp {
    void *lib;
    void *(*init)(uint32_t action);
    void (*release)(void *ctx);
    int (*rule_add_array)(void *ctx, uint32_t action, int nr, unsigned n, const struct scmp_arg_cmp *args);
    int (*resolve_name)(const char *name);
    int (*export_bpf)(void *ctx, int fd);
} scmp;

static void scmp_open(void)
{
    scmp.lib = dlopen("libseccomp.so.2", RTLD_NOW);
    if (!scmp.lib)
        SKIP("libseccomp.so.2 is not installed");
#define LOAD(member, name)                          \
    *(void **)&scmp.member = dlsym(scmp.lib, name); \
    CHECK(scmp.member)
    LOAD(init, "seccomp_init");
    LOAD(release, "seccomp_release");
    LOAD(rule_add_array, "seccomp_rule_add_array");
    LOAD(resolve_name, "seccomp_syscall_resolve_name");
    LOAD(export_bpf, "seccomp_export_bpf");
}

static void scmp_add(void *ctx, const json_t *entry, int nr, uint32_t action)
{
    struct scmp_arg_cmp args[6] = { 0 };
    size_t i;
    json_t *arg;
    json_array_foreach(json_object_get(entry, "args"), i, arg)
        args[i] = (struct scmp_arg_cmp){ (unsigned)number(arg, "index"), json_object_get(arg, "valueTwo") ? 7 : 4,
                                         number(arg, "value"), number(arg, "valueTwo") };
    CHECK_EQ(scmp.rule_add_array(ctx, action, nr, (unsigned)json_array_size(json_object_get(entry, "args")), args), 0);
}

/* As runc goes about it: names that the library does not know and what the default does anyway are passed over. */
static void scmp_compile(const json_t *root)
{
    uint32_t fallback = action_of(root, "defaultAction", "defaultErrnoRet");
    void *ctx = scmp.init(fallback);
    size_t i, j;
    json_t *entry, *name;
    CHECK(ctx);
    json_array_foreach(json_object_get(root, "syscalls"), i, entry)
    {
        uint32_t action = action_of(entry, "action", "errnoRet");
        json_array_foreach(json_object_get(entry, "names"), j, name)
        {
            int nr = scmp.resolve_name(json_string_value(name));
            if (nr >= 0 && action != fallback)
                scmp_add(ctx, entry, nr, action);
        }
    }
    int fd = memfd_create("program", MFD_CLOEXEC);
    CHECK(fd >= 0);
    CHECK_EQ(scmp.export_bpf(ctx, fd), 0);
    scmp.release(ctx);
    ssize_t size = pread(fd, theirs, sizeof theirs, 0);
    CHECK_EQ(close(fd), 0);
    CHECK(size > 0 && size < (ssize_t)sizeof theirs);
    theirs_count = (size_t)size / sizeof theirs[0];
    CHECK_EQ(filter_verify(theirs, theirs_count), 0);
}

static void check_libseccomp_decides_alike(void)
{
    for (int nr = 0; nr < FILTER_NRS; nr++) {
        const char *name = syscall_name(nr);
        bool is_known = name && scmp.resolve_name(name) == nr;
        for (size_t round = 0; round < (is_known && spec.calls[nr].rules ? 4000 : 4); round++) {
            struct seccomp_data d = some_call(nr);
            uint32_t answer = filter_eval(theirs, theirs_count, &d);
            CHECK_EQ(answer, is_known ? decision(&d) : spec.unknown);
        }
    }
    struct seccomp_data d = { .nr = 1, .arch = FILTER_OTHER_ARCH };
    CHECK(!filter_action_permits(filter_eval(theirs, theirs_count, &d)));
    d = (struct seccomp_data){ .nr = FILTER_IS_AARCH64 ? 4096 : 0x40000001, .arch = FILTER_NATIVE_ARCH };
    CHECK(!filter_action_permits(filter_eval(theirs, theirs_count, &d)));
}

TEST(libseccomp_makes_of_it_a_program_that_decides_as_ours)
{
    scmp_open();
    for (size_t v = 0; v < ARRAY_LEN(variants); v++) {
        json_t *root = write_builtin(v);
        scmp_compile(root);
        check_libseccomp_decides_alike();
        json_decref(root);
    }
}

/* Whatever an operator's profile holds: all comparisons, both widths, several rules over several arguments. */
static void random_rules(int nr)
{
    for (size_t rules = 1 + rnd(4); rules; rules--) {
        struct filter_cond conds[3] = { 0 };
        size_t n = rnd(4);
        for (size_t i = 0; i < n; i++) {
            conds[i] = (struct filter_cond){ .arg = (uint8_t)rnd(3), .op = (uint8_t)rnd(FILTER_OPS), .low32 = rnd(8) };
            conds[i].mask = conds[i].op >= FILTER_MASKED_EQ ? rnd(2) ? rnd(16) : UINT64_C(3) << rnd(31) : 0;
            conds[i].value = rnd(2) ? rnd(8) : rnd(UINT32_MAX);
        }
        CHECK_EQ(
            filter_rule_append(&spec, nr, conds, n, rnd(2) ? SECCOMP_RET_ALLOW : FILTER_ERRNO(rnd(2) ? EPERM : EINVAL)),
            0);
    }
}

TEST(random_specs_are_understood_by_libseccomp_or_refused_as_too_fine)
{
    int written = 0;
    scmp_open();
    seed = 99;
    for (int round = 0; round < 60; round++) {
        struct error err = { 0 };
        struct buf out;
        filter_spec_init(&spec, rnd(2) ? SECCOMP_RET_ALLOW : FILTER_ERRNO(EPERM));
        random_rules(NR_fcntl);
        random_rules(NR_ioctl);
        CHECK_EQ(filter_compile(&spec, program, BPF_MAXINSNS, &program_count, &err), 0);
        buf_init(&out, MIB);
        int r = filter_write_oci(&spec, &out);
        json_t *root = r == 0 ? json_loadb(out.data, out.size, JSON_REJECT_DUPLICATES, NULL) : NULL;
        buf_done(&out);
        CHECK(r == 0 || r == -E2BIG);
        if (!root) /* too fine, or a mask of 64 bits, which jansson does not hold */
            continue;
        scmp_compile(root);
        check_libseccomp_decides_alike();
        json_decref(root);
        written++;
    }
    CHECK(written >= 30);
}

/* ---- Our own reader ---- */

TEST(a_small_profile_written_and_read_again_is_the_same_filter)
{
    static const char text[] = "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[\"read\",\"write\","
                               "\"futex\"],\"action\":\"SCMP_ACT_ALLOW\"},"
                               "{\"names\":[\"personality\"],\"action\":\"SCMP_ACT_ALLOW\",\"args\":[{\"index\":0,"
                               "\"value\":8,\"op\":\"SCMP_CMP_EQ\"}]}]}";
    static struct sock_filter again[BPF_MAXINSNS];
    struct error err = { 0 };
    struct buf out;
    size_t n;
    CHECK_EQ(filter_load_oci("f.json", text, sizeof text - 1, &spec, &err), 0);
    CHECK_EQ(filter_compile(&spec, program, BPF_MAXINSNS, &program_count, &err), 0);
    buf_init(&out, MIB);
    CHECK_EQ(filter_write_oci(&spec, &out), 0);
    CHECK_EQ(filter_load_oci("again.json", out.data, out.size, &spec, &err), 0);
    CHECK_EQ(filter_compile(&spec, again, BPF_MAXINSNS, &n, &err), 0);
    CHECK(filter_is_hardened(again, n));
    seed = 3;
    for (int nr = 0; nr < FILTER_NRS; nr++)
        for (int round = 0; round < 20; round++) {
            struct seccomp_data d = some_call(nr);
            CHECK_EQ(filter_eval(again, n, &d), decision(&d));
        }
    buf_done(&out);
}

TEST(arguments_that_are_cut_too_finely_are_refused_soon)
{
    seed = 5;
    for (int round = 0; round < 20; round++) {
        struct buf out;
        filter_spec_init(&spec, FILTER_ERRNO(EPERM));
        for (int rules = 0; rules < 60; rules++) {
            struct filter_cond conds[6];
            for (size_t i = 0; i < ARRAY_LEN(conds); i++) {
                uint64_t mask = rnd(UINT32_MAX) * rnd(UINT32_MAX);
                conds[i] = (struct filter_cond){ .arg = (uint8_t)i,
                                                 .op = round % 2 ? FILTER_MASKED_NE : FILTER_LT,
                                                 .mask = mask,
                                                 .value = mask & rnd(UINT32_MAX) };
            }
            CHECK_EQ(filter_rule_append(&spec, NR_fcntl, conds, round % 6 + 1,
                                        rules % 2 ? SECCOMP_RET_ALLOW : FILTER_ERRNO(EINVAL)),
                     0);
        }
        buf_init(&out, 8 * MIB);
        int r = filter_write_oci(&spec, &out);
        CHECK(r == -E2BIG || (r == 0 && round % 6 == 0));
        buf_done(&out);
    }
}

TEST(what_asks_a_supervisor_or_does_not_fit_is_refused)
{
    struct filter_options asking = { .notify_fork = true };
    struct buf out;
    buf_init(&out, MIB);
    CHECK_EQ(filter_builtin(FILTER_STRICT, &asking, &spec), 0);
    CHECK_EQ(filter_write_oci(&spec, &out), -EINVAL);
    buf_done(&out);
    buf_init(&out, 1000);
    CHECK_EQ(filter_builtin(FILTER_STRICT, &variants[0].options, &spec), 0);
    CHECK_EQ(filter_write_oci(&spec, &out), -EMSGSIZE);
    buf_done(&out);
}
