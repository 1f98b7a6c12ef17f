/* The commands of sandbox-policy, called as functions. */
#include "test.h"

#include "config/compiled.h"
#include "filter/internal.h"
#include "tool/bytecode.h"
#include "tool/tool.h"

#include <fcntl.h>
#include <getopt.h>
#include <sys/mman.h>

#ifndef SOURCE_DIR
#define SOURCE_DIR "."
#endif

/* A data directory with the shipped profiles and guards of three lines. */
static char data[64], cache[80];

static void put(const char *name, const char *text)
{
    char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", data, name);
    FILE *f = fopen(path, "we");
    CHECK(f);
    CHECK(fputs(text, f) >= 0);
    CHECK_EQ(fclose(f), 0);
}

static void data_make(void)
{
    char command[256];
    (void)snprintf(data, sizeof data, "/tmp/sandbox-test.XXXXXX");
    CHECK(mkdtemp(data));
    (void)snprintf(cache, sizeof cache, "%s/cache", data);
    (void)snprintf(command, sizeof command, "mkdir '%s/guards' && cp -r '%s/profiles' '%s/'", data, SOURCE_DIR, data);
    CHECK_EQ(system(command), 0);
    put("guards/python_guard.py",
        "# p\ntext = 'RULES = None  # replaced by the launcher'\nRULES = None  # replaced by the launcher\nend()\n");
    put("guards/node_guard.js", "// n\nconst RULES = null; // replaced by the launcher\nend();\n");
}

static void data_remove(void)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", data);
    CHECK_EQ(system(command), 0);
}

/* `sandbox-policy compile` for a level or a profile, answered into *ret or *err. */
static int compile(const char *option, const char *value, struct compiled *ret, struct error *err)
{
    struct tool t = { .data_dir = data, .exe_dir = "/" };
    char fd_text[16], name[] = "compile", data_dir[] = "--data-dir", cache_dir[] = "--cache-dir", out_fd[] = "--out-fd";
    char option_text[32], value_text[160];
    int fd = memfd_create("answer", MFD_CLOEXEC); /* a pipe would fill up: we read only afterwards */
    CHECK(fd >= 0);
    (void)snprintf(fd_text, sizeof fd_text, "%d", fd);
    (void)snprintf(option_text, sizeof option_text, "%s", option);
    (void)snprintf(value_text, sizeof value_text, "%s", value);
    char *argv[] = { name, data_dir, data, cache_dir, cache, out_fd, fd_text, option_text, value_text, NULL };
    optind = 0; /* getopt starts over */
    int code = cmd_compile(&t, 9, argv);
    CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
    int r = compiled_receive(fd, ret, err);
    CHECK_EQ(close(fd), 0);
    CHECK_EQ(code, r < 0 ? 2 : 0);
    return r;
}

static const char *text_of(struct bytes guard)
{
    static char text[4096];
    CHECK(guard.size < sizeof text);
    memcpy(text, guard.data, guard.size);
    text[guard.size] = '\0';
    return text;
}

static struct bytes container_of(const struct compiled *c, enum language lang)
{
    struct compiled_container k;
    CHECK_EQ(compiled_container(c, lang, &k), 0);
    return k.guard;
}

TEST(guards_are_finished_with_the_rules_of_their_profile)
{
    struct compiled c;
    struct error err = { 0 };
    data_make();
    CHECK_EQ(compile("--level", "high", &c, &err), 0);
    CHECK_STR(text_of(c.guard[LANG_PYTHON]),
              "# p\ntext = 'RULES = None  # replaced by the launcher'\nRULES = {\"allowed\":[\"builtins\",\"math\"],"
              "\"blocked\":[\"os\",\"subprocess\",\"socket\",\"requests\",\"sys\",\"urllib\",\"http\",\"ftplib\","
              "\"telnetlib\",\"pickle\",\"shelve\"],\"interpreter_only\":True,\"restricted\":True,\"report_fd\":15,"
              "\"code_dir\":\"/code\"}\nend()\n");
    CHECK_STR(
        text_of(c.guard[LANG_NODE]),
        "// n\nconst RULES = {\"allowed\":null,\"blocked\":[\"fs\",\"child_process\",\"net\",\"http\",\"https\","
        "\"dgram\",\"cluster\",\"worker_threads\"],\"interpreter_only\":true,\"restricted\":false,\"report_fd\":15,"
        "\"code_dir\":\"/code\"};\nend();\n");
    CHECK(c.guard[LANG_BASH].size == 0 && container_of(&c, LANG_BASH).size == 0);
    CHECK(strstr(text_of(container_of(&c, LANG_NODE)), "\"report_fd\":15,\"code_dir\":\"/code\"};\nend();\n"));
    compiled_done(&c);
    put("p.yaml",
        "languages:\n  python: {allowed_modules: [], blocked_modules: [], restricted: false, interpreter_only: false}\n"
        "  node: {blocked_modules: [], interpreter_only: false}\n");
    char path[160];
    (void)snprintf(path, sizeof path, "%s/p.yaml", data);
    CHECK_EQ(compile("--profile", path, &c, &err), 0);
    CHECK(strstr(text_of(c.guard[LANG_PYTHON]),
                 "\nRULES = {\"allowed\":[],\"blocked\":[],\"interpreter_only\":False,")); /* none, not any */
    CHECK(c.guard[LANG_NODE].size == 0);
    compiled_done(&c);
    data_remove();
}

/* Bytecode that ends with these rules. */
static bool is_bytecode(struct bytes guard, const char *rules)
{
    size_t n = strlen(rules);
    return guard.size > 16 + n && memcmp((const char *)guard.data + 2, "\r\n", 2) == 0 &&
           memcmp((const char *)guard.data + guard.size - n, rules, n) == 0;
}

TEST(pythons_guard_is_bytecode_when_the_policy_is_kept)
{
    struct compiled c;
    struct error err = { 0 };
    char command[256], stamp[COMPILED_STAMP_MAX];
    compiled_python_stamp(stamp);
    if (!stamp[0])
        SKIP(COMPILED_PYTHON " is not installed");
    data_make();
    (void)snprintf(command, sizeof command, "cp '%s/guards/python_guard.py' '%s/guards/'", SOURCE_DIR, data);
    CHECK_EQ(system(command), 0);
    CHECK_EQ(compile("--level", "medium", &c, &err), 0);
    CHECK(is_bytecode(c.guard[LANG_PYTHON],
                      ",\"allowed\":null,\"blocked\":[\"os\",\"subprocess\",\"socket\",\"requests\"],"
                      "\"interpreter_only\":false,\"restricted\":false,\"report_fd\":15,\"code_dir\":\"/code\"}"));
    CHECK(memmem(c.guard[LANG_PYTHON].data, c.guard[LANG_PYTHON].size, "\n#RULES {\"source\":", 18));
    compiled_done(&c);
    struct compiled_key key = { .level = "medium", .data_dir = data };
    CHECK_EQ(compiled_lookup_for(cache, &key, LANG_PYTHON, &c), 1);
    CHECK(is_bytecode(c.guard[LANG_PYTHON], "}"));
    struct bytes text = container_of(&c, LANG_PYTHON); /* which Python is in the image, nobody knows */
    CHECK(memmem(text.data, text.size, "\nRULES = {", 10));
    compiled_done(&c);
    put("cache-is-a-file", "");
    (void)snprintf(cache, sizeof cache, "%s/cache-is-a-file", data);
    CHECK_EQ(compile("--level", "medium", &c, &err), 0);
    CHECK(!is_bytecode(c.guard[LANG_PYTHON], "")); /* made once, used once: not worth it */
    compiled_done(&c);
    data_remove();
}

TEST(text_that_does_not_compile_itself_makes_no_bytecode)
{
    static const char *const programs[] = { "raise SystemExit(1)\n",
                                            "",
                                            "not python\n",
                                            "import sys\nopen(sys.argv[2], 'w').write('not bytecode, but long')\n",
                                            "import sys\nopen(sys.argv[2], 'wb').write(b'ab\\r\\n' * 200000)\n",
                                            "import os\nos.kill(os.getpid(), 9)\n" };
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        struct buf out;
        buf_init(&out, MIB);
        CHECK(bytecode_make((struct bytes){ programs[i], (uint32_t)strlen(programs[i]) }, &out) < 0);
        CHECK_EQ(out.size, 0);
        buf_done(&out);
    }
}

TEST(a_level_that_restricts_nothing_needs_no_guard)
{
    struct compiled c;
    struct error err = { 0 };
    char command[128], expected[256];
    data_make();
    (void)snprintf(command, sizeof command, "rm -r '%s/guards'", data);
    CHECK_EQ(system(command), 0);
    CHECK_EQ(compile("--level", "low", &c, &err), 0);
    CHECK(c.guard[LANG_PYTHON].size == 0 && c.guard[LANG_NODE].size == 0);
    CHECK(c.filter.size > 0 && c.filter_asking.size >= c.filter.size);
    compiled_done(&c);
    CHECK_EQ(compile("--level", "medium", &c, &err), -ENOENT);
    (void)snprintf(expected, sizeof expected,
                   "%s/guards/python_guard.py: the guard is not installed, and this profile restricts python", data);
    CHECK_STR(err.text, expected);
    CHECK_EQ(err.blame, BLAME_HOST);
    data_remove();
}

TEST(a_guard_without_its_line_is_no_guard)
{
    struct compiled c;
    struct error err = { 0 };
    data_make();
    put("guards/python_guard.py",
        "# RULES = None  # replaced by the launcher\nRULES = None  # replaced by the launcher.\n");
    CHECK_EQ(compile("--level", "medium", &c, &err), -EINVAL);
    CHECK(strstr(err.text, "not a guard of this version"));
    CHECK_EQ(err.blame, BLAME_HOST);
    data_remove();
}

TEST(bash_has_a_guard_that_explains_and_may_be_absent)
{
    struct compiled c;
    struct error err = { 0 };
    data_make();
    struct compiled_key key = { .level = "medium", .data_dir = data };
    CHECK_EQ(compile("--level", "medium", &c, &err), 0);
    CHECK(c.guard[LANG_BASH].size == 0);
    compiled_done(&c);
    CHECK_EQ(compiled_lookup(cache, &key, &c), 1);
    compiled_done(&c);
    put("guards/bash_guard.sh", "f() {\n  local blocked='' report_fd='' # replaced by the launcher\n}\n");
    CHECK_EQ(compiled_lookup(cache, &key, &c), 0); /* it has appeared */
    CHECK_EQ(compile("--level", "medium", &c, &err), 0);
    CHECK_STR(text_of(c.guard[LANG_BASH]), "f() {\n  local blocked='curl wget nc netcat' report_fd=15\n}\n");
    CHECK_STR(text_of(container_of(&c, LANG_BASH)), "f() {\n  local blocked='curl wget nc netcat' report_fd=15\n}\n");
    compiled_done(&c);
    CHECK_EQ(compile("--level", "low", &c, &err), 0);
    CHECK(c.guard[LANG_BASH].size == 0);
    compiled_done(&c);
    data_remove();
}

TEST(what_was_compiled_is_found_until_something_changes)
{
    struct compiled c;
    struct error err = { 0 };
    data_make();
    struct compiled_key key = { .level = "medium", .data_dir = data };
    CHECK_EQ(compiled_lookup(cache, &key, &c), 0);
    CHECK_EQ(compile("--level", "medium", &c, &err), 0);
    compiled_done(&c);
    CHECK_EQ(compiled_lookup(cache, &key, &c), 1);
    CHECK_STR(c.profile.name, "medium-risk");
    compiled_done(&c);
    put("guards/node_guard.js", "// m\nconst RULES = null; // replaced by the launcher\nend();\n");
    CHECK_EQ(compiled_lookup(cache, &key, &c), 0);
    CHECK_EQ(compiled_lookup_for(cache, &key, LANG_PYTHON, &c), 1);
    compiled_done(&c);
    put("profiles/medium-risk.yaml", "name: other\nrisk_level: medium\n");
    CHECK_EQ(compiled_lookup_for(cache, &key, LANG_PYTHON, &c), 0);
    CHECK_EQ(compile("--level", "medium", &c, &err), 0);
    compiled_done(&c);
    CHECK_EQ(compiled_lookup(cache, &key, &c), 1);
    CHECK_STR(c.profile.name, "other");
    compiled_done(&c);
    data_remove();
}

TEST(a_filter_file_is_a_source_too)
{
    struct compiled c;
    struct error err = { 0 };
    char path[160];
    data_make();
    put("p.yaml", "security: {seccomp: ./f.json}\nlanguages:\n  python: {allowed_modules: all, blocked_modules: [], "
                  "restricted: false}\n"
                  "  node: {blocked_modules: [], interpreter_only: false}\n");
    put("f.json", "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [{\"names\": [\"read\"], \"action\": "
                  "\"SCMP_ACT_ALLOW\"}]}");
    (void)snprintf(path, sizeof path, "%s/p.yaml", data);
    struct compiled_key key = { .profile_path = path, .data_dir = data };
    CHECK_EQ(compile("--profile", path, &c, &err), 0);
    compiled_done(&c);
    CHECK_EQ(compiled_lookup(cache, &key, &c), 1);
    compiled_done(&c);
    put("f.json", "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [{\"names\": [\"open\"], \"action\": "
                  "\"SCMP_ACT_ALLOW\"}]}");
    CHECK_EQ(compiled_lookup(cache, &key, &c), 0);
    put("f.json", "{");
    CHECK(compile("--profile", path, &c, &err) < 0);
    CHECK(strstr(err.text, "f.json:1: "));
    CHECK_EQ(err.blame, BLAME_CALLER);
    data_remove();
}

/* What an engine's filter says to a call, as far as our own reader follows it. */
static bool container_permits(const struct compiled *c, int nr, uint64_t first, uint64_t second, uint64_t third)
{
    static struct filter_spec spec;
    static struct sock_filter program[BPF_MAXINSNS];
    struct compiled_container k;
    struct error err = { 0 };
    size_t n;
    CHECK_EQ(compiled_container(c, LANG_COMMAND, &k), 0);
    CHECK_EQ(filter_load_oci("container", k.seccomp_json, strlen(k.seccomp_json), &spec, &err), 0);
    CHECK_EQ(filter_compile(&spec, program, BPF_MAXINSNS, &n, &err), 0);
    struct seccomp_data d = { .nr = nr, .arch = FILTER_NATIVE_ARCH, .args = { first, second, third } };
    return filter_action_permits(filter_eval(program, n, &d));
}

/* Few calls, so that our reader, which holds 256 rules, can take it back. */
#define FILTER_FILE                                                                                         \
    "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [{\"names\": [\"read\", \"socket\", \"chmod\", " \
    "\"fchmod\", \"fork\"], "                                                                               \
    "\"action\": \"SCMP_ACT_ALLOW\"}]}"
#define NO_GUARDS                                                                                                     \
    "languages:\n  python: {allowed_modules: all, blocked_modules: [], restricted: false, interpreter_only: false}\n" \
    "  node: {blocked_modules: [], interpreter_only: false}\n"

TEST(a_containers_filter_is_narrowed_by_its_profile)
{
    static const struct {
        const char *network;
        bool has_inet;
    } modes[] = { { "{mode: none}", false }, { "{mode: bridge, allow: [\"*:443\"]}", true } };
    data_make();
    put("f.json", FILTER_FILE);
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        struct compiled c;
        struct error err = { 0 };
        char path[160], text[1024];
        (void)snprintf(text, sizeof text,
                       "security: {seccomp: ./f.json, disable_setuid: true}\nnetwork: %s\n" NO_GUARDS,
                       modes[i].network);
        put("p.yaml", text);
        (void)snprintf(path, sizeof path, "%s/p.yaml", data);
        if (compile("--profile", path, &c, &err) < 0)
            (void)fprintf(stderr, "# %s\n", err.text);
        CHECK(c.filter.size);
        CHECK(container_permits(&c, NR_read, 0, 0, 0));
        CHECK(container_permits(&c, NR_socket, 1, 1, 0));
        CHECK_EQ(container_permits(&c, NR_socket, 2, 1, 0), modes[i].has_inet);
        CHECK(!container_permits(&c, NR_socket, 16, 3, 0) && !container_permits(&c, NR_openat, 0, 0, 0));
        CHECK(container_permits(&c, NR_fchmod, 0, 0755, 0) && !container_permits(&c, NR_fchmod, 0, 04755, 0));
        compiled_done(&c);
    }
    data_remove();
}

TEST(the_shipped_levels_can_be_said_in_an_engines_words)
{
    static const char *const levels[] = { "low", "medium", "high" };
    data_make();
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        struct compiled c;
        struct compiled_container k;
        struct error err = { 0 };
        CHECK_EQ(compile("--level", levels[i], &c, &err), 0);
        CHECK_EQ(compiled_container(&c, LANG_COMMAND, &k), 0);
        CHECK(strlen(k.seccomp_json) > 10000 && strlen(k.seccomp_json) < 160000);
        CHECK(!strstr(k.seccomp_json, "NOTIFY"));
        compiled_done(&c);
    }
    data_remove();
}

/* ---- docs ---- */

/* What a command prints to stdout, in a file that the caller compares. */
static int print_into(const char *path, int (*command)(struct tool *, int, char **), int argc, char **argv)
{
    struct tool t = { .data_dir = SOURCE_DIR, .exe_dir = "/" };
    int saved, fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    (void)fflush(stdout);
    saved = dup(STDOUT_FILENO);
    CHECK(saved >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
    int code = command(&t, argc, argv);
    (void)fflush(stdout);
    CHECK(dup2(saved, STDOUT_FILENO) >= 0);
    CHECK_EQ(close(saved), 0);
    CHECK_EQ(close(fd), 0);
    return code;
}

TEST(the_reference_pages_are_what_the_tables_say)
{
    static const char *const pages[] = { "profiles", "configuration" };
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        char path[64] = "/tmp/sandbox-test.XXXXXX", page[32], name[] = "docs", command[256];
        int fd = mkstemp(path);
        CHECK(fd >= 0);
        CHECK_EQ(close(fd), 0);
        (void)snprintf(page, sizeof page, "%s", pages[i]);
        char *argv[] = { name, page, NULL };
        CHECK_EQ(print_into(path, cmd_docs, 2, argv), 0);
        (void)snprintf(command, sizeof command, "cmp '%s' '%s/docs/%s.md' >&2", path, SOURCE_DIR, pages[i]);
        if (system(command) != 0) {
            (void)fprintf(stderr, "# sandbox-policy docs %s > docs/%s.md\n", page, page);
            CHECK(!"docs are of this build");
        }
        CHECK_EQ(unlink(path), 0);
    }
}
