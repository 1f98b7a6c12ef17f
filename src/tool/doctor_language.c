/* doctor_language.c - interpreters and compilers, at the places that the sandbox mounts.
 *
 * Not by $PATH: what a shim or a version manager puts there lies outside /usr, so the sandbox would not
 * see it. They are asked for their version with an environment made from nothing.
 */
#include "tool/doctor.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

enum { VERSION_TIMEOUT_MS = 2000 };

/* The places are those of the drivers (plan/lang.c, which is not linked here); a test compares them. */
static const struct {
    const char *program;
    const char *places[4];
    const char *argument; /* that makes it tell its version */
    const char *package;  /* Debian and Ubuntu */
    const char *use;
} languages[] = {
    { "python3", { "/usr/bin/python3", "/usr/local/bin/python3" }, "--version", "python3", "python" },
    { "node", { "/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node" }, "--version", "nodejs", "node" },
    { "bash", { "/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash" }, "--version", "bash", "bash" },
    { "go", { "/usr/bin/go", "/usr/local/go/bin/go", "/usr/local/bin/go" }, "version", "golang-go", "go" },
    { "rustc", { "/usr/bin/rustc", "/usr/local/bin/rustc" }, "--version", "rustc", "rust" },
    { "cc", { "/usr/bin/cc" }, "--version", "gcc", "rust, which links with it" },
};

static char *const clean_environment[] = { (char[]){ "PATH=/usr/bin:/bin" }, (char[]){ "LC_ALL=C" }, NULL };

/* A program in /usr/local/bin may be a link into a user's home; only what really lies in /usr is mounted. */
static bool is_mounted(const struct doctor *d, const char *path, char ret_real[static PATH_MAX])
{
    char usr[4096], real_usr[PATH_MAX];
    ret_real[0] = '\0';
    if (doctor_path(d, usr, "/usr") < 0 || !realpath(usr, real_usr) || !realpath(path, ret_real))
        return false;
    size_t n = strlen(real_usr);
    return strncmp(ret_real, real_usr, n) == 0 && ret_real[n] == '/';
}

/* The first place that holds one the sandbox sees; else the first that holds one. */
static bool find_program(const struct doctor *d, size_t language, char ret_path[static 4096], bool *ret_is_mounted)
{
    char path[4096], real[PATH_MAX];
    ret_path[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(languages[0].places) && languages[language].places[i]; i++) {
        if (doctor_path(d, path, "%s", languages[language].places[i]) < 0 || access(path, X_OK) < 0)
            continue;
        *ret_is_mounted = is_mounted(d, path, real);
        if (*ret_is_mounted || !ret_path[0])
            memcpy(ret_path, path, strlen(path) + 1);
        if (*ret_is_mounted)
            break;
    }
    return ret_path[0] != '\0';
}

bool language_find(const struct doctor *d, const char *program, char ret_path[static 4096])
{
    bool is_seen = false;
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (str_eq(languages[i].program, program))
            return find_program(d, i, ret_path, &is_seen) && is_seen;
    return false;
}

/* The first thing that looks like a version: «go version go1.19.8 linux/amd64» -> 1.19.8 */
static void find_version(const char *text, char *ret, size_t size)
{
    ret[0] = '\0';
    for (const char *p = text; *p; p++) {
        size_t whole = strspn(p, "0123456789"), all = strspn(p, "0123456789.");
        if (whole > 0 && all > whole + 1) {
            (void)snprintf(ret, size, "%.*s", (int)all, p);
            return;
        }
        p += whole ? whole - 1 : 0;
    }
}

static void ask_version(struct doctor *d, struct check *c, const char *path, const char *argument)
{
    const char *const argv[] = { path, argument, NULL };
    const struct program p = { .argv = argv, .env = clean_environment, .timeout_ms = VERSION_TIMEOUT_MS };
    struct program_end e;
    char version[64] = "";
    int end = child_program(d, &p, &e);
    if (end == CHILD_DONE && e.exit_code == 0 && e.out.data)
        find_version(e.out.data, version, sizeof version);
    fact_text(c, "version", version[0] ? version : NULL);
    if (version[0])
        check_say(c, CHECK_OK, "%s   %s", version, path);
    else if (end == CHILD_LATE)
        check_say(c, CHECK_WARN, "%s did not tell its version within %d s", path, VERSION_TIMEOUT_MS / 1000);
    else
        check_say(c, CHECK_WARN, "%s does not tell its version (exit code %d)", path, e.exit_code);
    program_end_done(&e);
}

void probe_language(struct doctor *d, struct check *c)
{
    size_t i = (size_t)c->probe->arg;
    char path[4096], real[PATH_MAX];
    assert(i < ARRAY_LEN(languages)); /* the table of probes names only these */
    bool is_seen = false, is_there = find_program(d, i, path, &is_seen);
    fact_bool(c, "found", is_there);
    fact_text(c, "path", is_there ? path : NULL);
    fact_text(c, "package", languages[i].package);
    if (!is_there) {
        fact_text(c, "version", NULL);
        check_say(c, CHECK_WARN, "no %s in /usr: needed for %s", languages[i].program, languages[i].use);
        check_remedy(c, "apt-get install %s", languages[i].package);
        return;
    }
    ask_version(d, c, path, languages[i].argument);
    if (!is_seen) {
        (void)is_mounted(d, path, real);
        check_add(c, CHECK_WARN, "it leads to %s, which the sandbox does not see", real);
    }
    if (c->status >= CHECK_WARN)
        check_remedy(c, "apt-get install %s", languages[i].package);
}

/* One start for both; importing them would take a second. -I: nothing from the caller's home. */
static const char packages_script[] = "import importlib.metadata as m\n"
                                      "for name in ('numpy', 'pandas'):\n"
                                      "    try: print(name, m.version(name))\n"
                                      "    except m.PackageNotFoundError: pass\n";

void probe_python_packages(struct doctor *d, struct check *c)
{
    static const char *const names[] = { "numpy", "pandas" };
    char path[4096];
    cleanup(buf_done) struct buf found, missing;
    buf_init(&found, 512);
    buf_init(&missing, 512);
    struct program_end e = { .exit_code = -1 };
    if (language_find(d, "python3", path)) {
        const char *const argv[] = { path, "-I", "-c", packages_script, NULL };
        const struct program p = { .argv = argv, .env = clean_environment, .timeout_ms = VERSION_TIMEOUT_MS };
        (void)child_program(d, &p, &e); /* no answer is answer enough: not found */
    }
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char version[64];
        bool is_there = e.out.data && text_field(e.out.data, names[i], ' ', version, sizeof version);
        fact_text(c, names[i], is_there ? version : NULL);
        if (is_there)
            (void)buf_addf(&found, "%s%s %s", found.size ? ", " : "", names[i], version);
        else
            (void)buf_addf(&missing, " python3-%s", names[i]);
    }
    program_end_done(&e);
    check_say(c, missing.size ? CHECK_INFO : CHECK_OK, "%s", found.size ? found.data : "neither numpy nor pandas");
    if (missing.size > 0)
        check_remedy(c, "apt-get install%s", missing.data);
}

/* Which languages sandbox-scan has a grammar for: «python: grammar and patterns», «go: patterns only». */
static void tell_grammars(struct check *c, const char *said)
{
    static const char with[] = ": grammar and patterns\n", without[] = ": patterns only\n";
    cleanup(buf_done) struct buf missing;
    json_t *grammars = json_array();
    buf_init(&missing, 512);
    for (const char *line = said; *line;) {
        const size_t n = strcspn(line, "\n"), name = strcspn(line, ":\n");
        if (str_starts(line + name, with))
            (void)json_array_append_new(grammars, json_stringn(line, name));
        else if (str_starts(line + name, without))
            (void)buf_addf(&missing, "%s%.*s", missing.size ? ", " : "", (int)name, line);
        line += n + (line[n] == '\n');
    }
    const bool has_all = json_array_size(grammars) && !missing.size;
    fact_take(c, "grammars", grammars);
    if (has_all)
        check_say(c, CHECK_OK, "reads the syntax of all languages");
    else if (missing.size)
        check_say(c, CHECK_WARN, "built without a grammar for %s: their code is judged by patterns alone",
                  missing.data);
    else
        check_say(c, CHECK_WARN, "sandbox-scan does not tell what it reads");
    if (!has_all)
        check_remedy(c, "build it anew with the grammars: npm ci && make, or install a release");
}

void probe_scanner(struct doctor *d, struct check *c)
{
    char path[4096];
    struct program_end e = { .exit_code = -1 };
    const int n = snprintf(path, sizeof path, "%s/sandbox-scan", d->tool->exe_dir);
    if (n > 0 && n < (int)sizeof path && access(path, X_OK) == 0) {
        const char *const argv[] = { path, "--version", NULL };
        const struct program p = { .argv = argv, .env = clean_environment, .timeout_ms = VERSION_TIMEOUT_MS };
        (void)child_program(d, &p, &e);
    }
    tell_grammars(c, e.exit_code == 0 && e.out.data ? e.out.data : "");
    program_end_done(&e);
}
