/* doctor_level.c - the truth about each level: a tiny program really run at it.
 *
 * Through the ordinary command line, so whatever a run would be refused for or go without
 * shows here in the same words. Log, state and cache of the run go to the work directory (doctor_work.c).
 */
#include "tool/doctor.h"

#include "base/feature.h"
#include "config/profile.h"

#include <stdio.h>
#include <sys/stat.h>

enum { RUN_TIMEOUT_MS = 30000, RUN_GRACE_MS = 5000 };

extern char **environ;

/* PREFIX/bin/sandbox-agent, seen from PREFIX/libexec/sandbox-agent/; or all programs in one directory. */
static bool find_program(const struct doctor *d, char ret[static 4096])
{
    const char *const places[] = { "../../bin/sandbox-agent", "sandbox-agent" };
    struct stat st;
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        int n = snprintf(ret, 4096, "%s/%s", d->tool->exe_dir, places[i]);
        if (n > 0 && n < 4096 && stat(ret, &st) == 0 && S_ISREG(st.st_mode) && access(ret, X_OK) == 0)
            return true;
    }
    return false;
}

static bool is_variable(const char *entry, const char *name)
{
    return str_starts(entry, name) && entry[strlen(name)] == '=';
}

/* Our environment, except that state and cache go into our directory. Caller frees the array; its two new
 * strings live in `own`. NULL: no memory. */
static char **run_environment(const struct doctor *d, char own[2][4096])
{
    static char *nothing[] = { NULL };
    char **now = environ ? environ : nothing;
    size_t n = 0, count = 0;
    while (now[n])
        n++;
    char **env = calloc(n + 3, sizeof *env);
    if (!env)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!is_variable(now[i], "XDG_STATE_HOME") && !is_variable(now[i], "XDG_CACHE_HOME"))
            env[count++] = now[i];
    (void)snprintf(own[0], 4096, "XDG_STATE_HOME=%s/state", d->work_dir);
    (void)snprintf(own[1], 4096, "XDG_CACHE_HOME=%s/cache", d->work_dir);
    env[count++] = own[0];
    env[count++] = own[1];
    return env;
}

/* ---- reading the answer ---- */

static const char *member_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key)); /* NULL for anything but a string */
}

static void first_line(const struct buf *b, char *ret, size_t size)
{
    (void)snprintf(ret, size, "%.*s", b->data ? (int)MIN_OF(strcspn(b->data, "\n"), size - 1) : 0,
                   b->data ? b->data : "");
}

/* Which check above says more about a feature. */
static const struct {
    enum feature feature;
    const char *check;
} explained_by[] = { { FEATURE_USER_NS, "user" },      { FEATURE_PID_NS, "others" },
                     { FEATURE_MOUNT_NS, "others" },   { FEATURE_NET_NS, "others" },
                     { FEATURE_IPC_NS, "others" },     { FEATURE_UTS_NS, "others" },
                     { FEATURE_CGROUP_NS, "others" },  { FEATURE_SECCOMP, "seccomp" },
                     { FEATURE_LANDLOCK, "landlock" }, { FEATURE_STORAGE, "private_root" },
                     { FEATURE_CGROUP, "cgroup" },     { FEATURE_MEMORY, "cgroup" },
                     { FEATURE_CPU, "cgroup" },        { FEATURE_PIDS, "cgroup" },
                     { FEATURE_APPARMOR, "apparmor" }, { FEATURE_IO, "cgroup" },
                     { FEATURE_SELINUX, "selinux" } };

/* The remedy of a check above that is not well, is called `name` (NULL: any) and at least this bad. */
static const char *remedy_above(const struct doctor *d, const char *name, enum check_status least)
{
    for (size_t i = 0; i < d->check_count; i++) {
        const struct check *k = &d->checks[i];
        if (k->status >= least && k->remedy.size > 0 && (!name || str_eq(k->probe->name, name)))
            return k->remedy.data;
    }
    return NULL;
}

static const char *remedy_for_text(const struct doctor *d, const char *text)
{
    for (size_t i = 0; i < ARRAY_LEN(explained_by); i++) {
        const char *remedy = remedy_above(d, explained_by[i].check, CHECK_WARN);
        if (remedy && word_in(text, " :;,.()", feature_name(explained_by[i].feature)))
            return remedy;
    }
    return NULL;
}

/* A run may send people to doctor; doctor must not. */
static void refused_remedy(const struct doctor *d, struct check *c, const char *message, const char *remedy)
{
    const char *known = message ? remedy_for_text(d, message) : NULL;
    if (remedy && *remedy && !strstr(remedy, "sandbox-agent doctor"))
        check_remedy(c, "%s", remedy);
    else if (known)
        check_remedy(c, "%s", known);
    else if ((known = remedy_above(d, NULL, CHECK_FAIL)))
        check_remedy(c, "%s", known);
    else if (remedy && *remedy)
        check_remedy(c, "%s", remedy);
}

static void say_refused(const struct doctor *d, struct check *c, const json_t *result, const struct program_end *e)
{
    char line[400];
    const json_t *error = json_object_get(result, "error");
    const char *message = member_text(error, "message"), *step = member_text(error, "step");
    const char *reason = member_text(result, "reason");
    first_line(&e->err, line, sizeof line);
    fact_text(c, "verdict", "refused");
    fact_text(c, "reason", reason);
    fact_take(c, "error", error ? json_deep_copy(error) : text_json(NULL));
    if (message)
        check_say(c, CHECK_FAIL, "refused: %s%s%s", step && *step ? step : "", step && *step ? ": " : "", message);
    else
        check_say(c, CHECK_FAIL, "the trial program did not end well: %s (exit code %d)%s%s",
                  reason ? reason : "no result", e->exit_code, *line ? ": " : "", line);
    refused_remedy(d, c, message, member_text(error, "remedy"));
}

/* «feature: why» each. A level may go without what its profile does not require. */
static void say_works(const struct doctor *d, struct check *c, const json_t *result)
{
    json_t *missing = json_object_get(json_object_get(result, "isolation"), "missing");
    size_t count = json_array_size(missing);
    fact_text(c, "reason", "completed");
    fact_take(c, "error", text_json(NULL));
    fact_text(c, "verdict", count ? "works_without" : "works");
    fact_take(c, "missing", missing ? json_deep_copy(missing) : json_array());
    if (count == 0) {
        check_say(c, CHECK_OK, "works, with every protection");
        return;
    }
    cleanup(buf_done) struct buf names;
    buf_init(&names, 512);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(missing, i));
        if (!text)
            continue;
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
        if (!names.data || !word_in(names.data, ", ", name)) /* a feature may lack for two reasons */
            (void)buf_addf(&names, "%s%s", names.size ? ", " : "", name);
        check_add(c, CHECK_WARN, "%s", text);
        const char *remedy = remedy_for_text(d, text);
        if (remedy)
            check_remedy(c, "%s", remedy);
    }
    check_say(c, CHECK_WARN, "works without %s", names.size ? names.data : "?");
}

static void read_result(const struct doctor *d, struct check *c, const struct program_end *e, const char *expected)
{
    json_error_t why;
    json_t *result = json_loadb(e->out.data ? e->out.data : "", e->out.size, 0, &why);
    const char *reason = member_text(result, "reason"), *out = member_text(result, "stdout");
    bool is_good = reason && str_eq(reason, "completed") && out && str_eq(out, expected);
    if (is_good)
        say_works(d, c, result);
    else
        say_refused(d, c, result, e);
    json_decref(result);
}

/* ---- running ---- */

static void say_not_run(struct check *c, const char *why)
{
    fact_text(c, "verdict", "refused");
    fact_text(c, "reason", NULL);
    fact_take(c, "error", text_json(NULL));
    check_say(c, CHECK_FAIL, "could not be tried: %s", why);
}

static void run_level(struct doctor *d, struct check *c, const char *program, bool has_python)
{
    char config[4096], own[2][4096];
    const char *level = risk_level_names[c->probe->arg];
    (void)snprintf(config, sizeof config, "%s/config.yaml", d->work_dir);
    cleanup(freep) char **env = run_environment(d, own);
    if (!env) {
        say_not_run(c, "out of memory");
        return;
    }
    const char *const argv[] = { program,    "run",        "--json",
                                 "--config", config,       "--risk-level",
                                 level,      "--language", has_python ? "python" : "bash",
                                 "--code",   "-",          NULL };
    const struct program p = { .argv = argv,
                               .env = env,
                               .input = has_python ? "print('well')\n" : "echo well\n",
                               .timeout_ms = RUN_TIMEOUT_MS,
                               .grace_ms = RUN_GRACE_MS };
    struct program_end e;
    int end = child_program(d, &p, &e);
    if (end < 0)
        say_not_run(c, strerror(-end));
    else if (end == CHILD_LATE)
        say_not_run(c, "no answer within 30 s");
    else if (end == CHILD_DONE && e.exit_code == 127 && e.out.size == 0)
        say_not_run(c, "sandbox-agent could not be executed");
    else
        read_result(d, c, &e, "well\n");
    program_end_done(&e);
}

void probe_level(struct doctor *d, struct check *c)
{
    char path[4096];
    bool has_python = language_find(d, "python3", path), has_bash = language_find(d, "bash", path);
    fact_text(c, "language", has_python ? "python" : has_bash ? "bash" : NULL);
    fact_take(c, "missing", json_array());
    if (!find_program(d, path)) {
        say_not_run(c, "the program sandbox-agent is not where it belongs");
        check_add(c, CHECK_FAIL, "%s: no such program", path);
        check_remedy(c, "make && make install");
        return;
    }
    if (!has_python && !has_bash) {
        say_not_run(c, "neither python3 nor bash is there to run anything");
        check_remedy(c, "apt-get install python3");
        return;
    }
    int r = work_dir_make(d);
    if (r < 0) {
        say_not_run(c, "no temporary directory can be made");
        check_add(c, CHECK_FAIL, "%s", strerror(-r));
        check_remedy(c, "export TMPDIR=/a/directory/you/may/write");
        return;
    }
    run_level(d, c, path, has_python);
    if (c->status == CHECK_FAIL) /* no reason is known: see where it stops */
        check_remedy(c, "echo '%s' | sandbox-agent run --debug --risk-level %s --language %s --code -",
                     has_python ? "print(1)" : "echo 1", risk_level_names[c->probe->arg],
                     has_python ? "python" : "bash");
}
