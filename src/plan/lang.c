#include "plan/lang.h"

#include <stdio.h>
#include <sys/stat.h>

static int add_all(struct strlist *l, const char *const *words)
{
    for (; *words; words++) {
        int r = strlist_add(l, *words);
        if (r < 0)
            return r;
    }
    return 0;
}

/* -I: neither the environment nor the script's directory adds modules, unless there are some, nor does what a user has
 * installed; the caller adds -B: /code is read-only. */
static int python_isolation(uint32_t reads, struct strlist *argv)
{
    const char *const none[] = { "-I", NULL }, *const beside[] = { "-E", "-s", NULL }, *const all[] = { "-E", NULL };
    return add_all(argv, reads & LANG_READS_SITE ? all : reads & LANG_READS_BESIDE ? beside : none);
}

static int python_arguments(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                            struct strlist *argv, struct arena *a)
{
    (void)p;
    (void)a;
    const char *const words[] = { "-B", guard ? guard : code, guard ? code : NULL, NULL };
    int r = python_isolation(reads, argv);
    return r < 0 ? r : add_all(argv, words);
}

#define FD_WORD     "13"
#define REAPER_WORD "12"
static_assert(KERNEL_FD == 13 && KERNEL_REAPER_FD == 12, "as in the words");

static int python_kernel(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                         struct strlist *argv, struct arena *a)
{
    (void)p;
    (void)a;
    const char *const behind[] = { "-B", guard, "--kernel", FD_WORD, FD_WORD, REAPER_WORD, code, NULL };
    const char *const alone[] = { "-B", code, FD_WORD, FD_WORD, REAPER_WORD, NULL };
    int r = python_isolation(reads, argv);
    return r < 0 ? r : add_all(argv, guard ? behind : alone);
}

/* Node cannot see a cgroup's limit, so it is told: 5/8 of the memory for old objects, 1/32 for young ones, the rest for
 * the program text, stacks and buffers; without this an honest program that makes garbage is killed for
 * memory. One V8 worker instead of four and one pool thread (UV_THREADPOOL_SIZE): 5 tasks and 18 descriptors
 * in all, so it runs within the 10 tasks and 32 files of the high level. */
static int node_flags(const struct profile *p, struct strlist *argv, struct arena *a)
{
    unsigned long long mib = p->resources.memory / MIB;
    const char *const flags[] = {
        "--v8-pool-size=1",
        arena_printf(a, "--max-old-space-size=%llu", MAX_OF(mib * 5 / 8, 16ULL)),
        arena_printf(a, "--max-semi-space-size=%llu", MAX_OF(mib / 32, 1ULL)),
        NULL,
    };
    int r = add_all(argv, flags);
    if (r == 0 && p->languages[LANG_NODE].restricted)
        r = strlist_add(argv, "--disallow-code-generation-from-strings");
    return r;
}

static int node_arguments(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                          struct strlist *argv, struct arena *a)
{
    (void)reads;
    /* the guard reaches node's module loader through --expose-internals and closes it again */
    const char *const guarded[] = { "--expose-internals", "--require", guard, code, NULL };
    int r = node_flags(p, argv, a);
    return r < 0 ? r : add_all(argv, guard ? guarded : guarded + 3);
}

/* Its program is empty: the kernel is loaded before the guard and goes on behind it. */
static int node_kernel(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                       struct strlist *argv, struct arena *a)
{
    (void)reads;
    const char *const kernel[] = { "--require", code, NULL };
    const char *const guarded[] = { "--expose-internals", "--require", guard, NULL };
    const char *const program[] = { "-e", "0", FD_WORD, FD_WORD, NULL };
    int r = node_flags(p, argv, a);
    if (r == 0)
        r = add_all(argv, kernel);
    if (r == 0 && guard)
        r = add_all(argv, guarded);
    return r < 0 ? r : add_all(argv, program);
}

static int bash_arguments(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                          struct strlist *argv, struct arena *a)
{
    (void)guard;
    (void)reads;
    (void)a;
    const char *const words[] = { "--noprofile", "--norc", p->languages[LANG_BASH].restricted_mode ? "-r" : code,
                                  p->languages[LANG_BASH].restricted_mode ? code : NULL, NULL };
    return add_all(argv, words);
}

static int bash_kernel(const struct profile *p, uint32_t reads, const char *guard, const char *code,
                       struct strlist *argv, struct arena *a)
{
    int r = bash_arguments(p, reads, guard, code, argv, a);
    const char *const words[] = { FD_WORD, FD_WORD, NULL };
    return r < 0 ? r : add_all(argv, words);
}

static const char *const node_env[] = { "UV_THREADPOOL_SIZE=1", "NODE_DISABLE_COLORS=1", NULL };

static const struct lang_driver drivers[LANG_COUNT] = {
    [LANG_PYTHON] = {
        .file = "main.py", .name = "python3", .guard_file = ".guard.py",
        .programs = { "/usr/bin/python3", "/usr/local/bin/python3" },
        .package = "python3",
        .settings = { "/etc/python3", "/etc/python3.9", "/etc/python3.10", "/etc/python3.11", "/etc/python3.12", "/etc/python3.13", "/etc/python3.14" },
        .arguments = python_arguments,
        .kernel_arguments = python_kernel,
    },
    [LANG_NODE] = {
        .file = "main.js", .name = "node", .guard_file = ".guard.js",
        .programs = { "/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node" },
        .package = "nodejs",
        .runtime = { "/usr/share/nodejs" }, /* Debian's node keeps some of its built-in modules there */
        .settings = { "/etc/ssl/openssl.cnf" }, /* where it is there and may not be read, Debian's node does not start */
        .arguments = node_arguments,
        .kernel_arguments = node_kernel,
        .env = node_env,
    },
    [LANG_BASH] = {
        .file = "main.sh", .name = "bash", .guard_file = ".guard.sh", .guard_env = "BASH_ENV",
        .programs = { "/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash" },
        .package = "bash",
        .arguments = bash_arguments,
        .kernel_arguments = bash_kernel,
    },
    [LANG_GO] = {
        .file = "main.go", .name = "go",
        .programs = { "/usr/bin/go", "/usr/local/go/bin/go", "/usr/local/bin/go" },
        .package = "golang-go", .is_compiled = true
    },
    [LANG_RUST] = {
        .file = "main.rs", .name = "rustc",
        .programs = { "/usr/bin/rustc", "/usr/local/bin/rustc" },
        .package = "rustc gcc", .is_compiled = true
    },
};

const struct lang_driver *lang_driver(enum language lang)
{
    assert(lang < LANG_COUNT);
    return &drivers[lang];
}

const char *lang_find_program(enum language lang, struct arena *a, struct error *err)
{
    const struct lang_driver *d = lang_driver(lang);
    for (const char *const *p = d->programs; *p; p++) {
        char real[4096];
        if (access(*p, X_OK) == 0 && realpath(*p, real) && str_starts(real, "/usr/"))
            return arena_copy(a, real);
    }
    (void)err_set(err, -ENOENT, BLAME_HOST, "LANGUAGE", "%s is not installed (looked for %s)", language_names[lang],
                  d->programs[0]);
    (void)err_remedy(err, "apt-get install %s", d->package);
    return NULL;
}

int lang_compile_arguments(enum language lang, const char *code, struct strlist *argv, struct strlist *env)
{
    static const char *const go_words[] = { "go", "build", "-o", COMPILE_OUTPUT, NULL };
    static const char *const go_env[] = { "GOCACHE=/tmp/go-cache", "GOPATH=/tmp/go",    "GO111MODULE=off",
                                          "GOFLAGS=-p=2",          "GOTOOLCHAIN=local", "GOPROXY=off",
                                          "CGO_ENABLED=0",         "GOTELEMETRY=off",   NULL };
    /* opt-level 1: a second of compiling is worth less to an agent than its answer */
    static const char *const rust_words[] = {
        "rustc", "--edition=2021", "-Copt-level=1", "-Ccodegen-units=2", "-o", COMPILE_OUTPUT, NULL
    };
    /* of the official images, where rustc is rustup's and asks there which one is meant; Debian's does not look */
    static const char *const rust_env[] = { "RUSTUP_HOME=/usr/local/rustup", NULL };
    int r = add_all(argv, lang == LANG_GO ? go_words : rust_words);
    if (r == 0)
        r = strlist_add(argv, code);
    return r < 0 ? r : add_all(env, lang == LANG_GO ? go_env : rust_env);
}

const char *lang_compiler_stamp(const char *program, struct arena *a)
{
    struct stat st;
    if (stat(program, &st) < 0)
        return "";
    return arena_printf(a, "%s %llu %lld.%ld", program, (unsigned long long)st.st_size, (long long)st.st_mtim.tv_sec,
                        st.st_mtim.tv_nsec);
}
