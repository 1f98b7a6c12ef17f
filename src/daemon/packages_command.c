#include "daemon/packages_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/io.h"
#include "base/parse.h"
#include "base/progress.h"
#include "run/signals.h"
#include "daemon/package_build.h"
#include "daemon/package_sets.h"
#include "packages/requirements.h"
#include "run/locations.h"

static const char help[] =
    "usage: sandbox-agent packages create NAME --python REQUIREMENTS [--source]\n"
    "       sandbox-agent packages create NAME --node PACKAGE.JSON\n"
    "       sandbox-agent packages list | show NAME | remove NAME\n\n"
    "Sets of packages for runs (--packages NAME, docs/packages.md), installed by pip or npm in a sandbox whose "
    "network\n"
    "is the index (packages.* of the configuration). create replaces a set of yours of the same name.\n"
    "  --source       pip may build what has no wheel: setup scripts run, in that sandbox\n"
    "  --lock         of show: requirements with versions and hashes, as create takes them (python)\n"
    "  --config FILE  configuration, on top of the system's and yours\n"
    "  --json         one JSON object (list: an array) on standard output\n"
    "exit: 0 done, 1 what was asked for could not be installed, 2 usage, 123 refused by policy, 125 this machine "
    "cannot do it\n";

enum verb { VERB_CREATE, VERB_LIST, VERB_SHOW, VERB_REMOVE, VERBS };
static const char *const verb_names[VERBS] = { "create", "list", "show", "remove" };

struct command {
    enum verb verb;
    const char *name, *python, *node, *config_path;
    bool allows_source, wants_lock, json, help;
    struct arena arena;
    struct paths paths;
    struct compiled policy;
    bool has_policy;
    int stop, caught;
    int clock; /* to the process that tells a person how long it takes; -1: none */
    pid_t clock_pid;
};

/* --- words ---------------------------------------------------------------------------------------- */

static int wrong(struct error *err, const char *what, const char *word)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s%s%s", what, *word ? ": " : "", word);
    return err_remedy(err, "see sandbox-agent packages --help");
}

static int read_verb(struct command *c, const char *word, struct error *err)
{
    for (size_t v = 0; word && v < VERBS; v++)
        if (str_eq(word, verb_names[v])) {
            c->verb = (enum verb)v;
            return 0;
        }
    return word ? wrong(err, "no such command", word) : wrong(err, "say what to do: create, list, show or remove", "");
}

static int read_words(struct command *c, int argc, char **argv, struct error *err)
{
    const struct {
        const char *name;
        const char **value;
        bool *flag;
        unsigned verbs;
    } table[] = {
        { "--python", &c->python, NULL, 1u << VERB_CREATE },
        { "--node", &c->node, NULL, 1u << VERB_CREATE },
        { "--source", NULL, &c->allows_source, 1u << VERB_CREATE },
        { "--lock", NULL, &c->wants_lock, 1u << VERB_SHOW },
        { "--config", &c->config_path, NULL, ~0u },
        { "--json", NULL, &c->json, ~0u },
        { "--help", NULL, &c->help, ~0u },
        { "-h", NULL, &c->help, ~0u },
    };
    for (int i = 0; i < argc; i++) {
        const char *equals = argv[i][0] == '-' ? strchr(argv[i], '=') : NULL;
        const size_t n = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        size_t k = 0;
        if (argv[i][0] != '-') {
            if (c->name || c->verb == VERB_LIST)
                return wrong(err, "unexpected argument", argv[i]);
            c->name = argv[i];
            continue;
        }
        while (k < ARRAY_LEN(table) && (strlen(table[k].name) != n || strncmp(table[k].name, argv[i], n) != 0))
            k++;
        if (k == ARRAY_LEN(table) || !(table[k].verbs & 1u << c->verb) || (table[k].flag && equals))
            return wrong(err, "unknown option", argv[i]);
        if (table[k].flag) {
            *table[k].flag = true;
            continue;
        }
        const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value || *table[k].value)
            return wrong(err, value ? "given twice" : "needs a value", table[k].name);
        *table[k].value = value;
    }
    return 0;
}

static int check_words(const struct command *c, struct error *err)
{
    if (c->verb != VERB_LIST && !c->name)
        return wrong(err, "name a set", "");
    if (c->verb == VERB_CREATE && !c->python == !c->node)
        return wrong(err, "give one of --python and --node", "");
    if (c->allows_source && !c->python)
        return wrong(err, "is for --python", "--source");
    return 0;
}

/* --- create --------------------------------------------------------------------------------------- */

/* A process of its own, which tells a person at the terminal what takes so long: ours is busy, and may have no second
 * thread (run/sweep.h). It hears of each step by a byte, and ends with the socket. */
static _Noreturn void clock_main(int steps)
{
    static const char *const words[PACKAGE_STEPS] = { [PACKAGE_INSTALLS] = "installing packages",
                                                      [PACKAGE_COPIES] = "copying packages",
                                                      [PACKAGE_SCANS] = "scanning packages",
                                                      [PACKAGE_PUBLISHES] = "publishing the set" };
    struct progress p = { 0 };
    unsigned char step = 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    for (;;) {
        struct pollfd f = { .fd = steps, .events = POLLIN };
        const uint32_t next_ms = progress_look(&p);
        if (poll(&f, 1, next_ms ? (int)next_ms : -1) <= 0)
            continue;
        progress_end(&p);
        if (read(steps, &step, 1) != 1)
            _exit(0);
        progress_begin(&p, words[MIN_OF(step, (unsigned char)(PACKAGE_STEPS - 1))]);
    }
}

static void begin_clock(struct command *c)
{
    int ends[2];
    c->clock = -1;
    if (!isatty(STDERR_FILENO) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return;
    c->clock_pid = fork();
    if (c->clock_pid == 0) {
        (void)close(ends[1]);
        clock_main(ends[0]);
    }
    (void)close(ends[0]);
    c->clock = ends[1]; /* without a process at its end it tells no one */
}

static void end_clock(struct command *c)
{
    closep(&c->clock);
    if (c->clock_pid > 0)
        (void)waitpid(c->clock_pid, NULL, 0); /* the line is gone */
}

static void told(void *context, enum package_step s)
{
    const struct command *c = context;
    const unsigned char step = (unsigned char)s;
    if (c->clock >= 0)
        (void)send(c->clock, &step, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int begin(void *context, struct exec *s, struct error *err)
{
    struct command *c = context;
    s->stream.stop = c->stop;
    s->options.config = c->config_path; /* the build's own run has its log, its audit and its level by the same file */
    return exec_start_launcher(s, err);
}

static void end(void *context, struct exec *s)
{
    struct command *c = context;
    c->caught = s->stream.caught;
    s->stream.stop = -1; /* ours */
}

static int read_request(const char *path, struct buf *ret, struct error *err)
{
    buf_init(ret, REQUIREMENTS_MAX_SIZE);
    int e = str_eq(path, "-") ? read_open_file(0, ret) : read_file(path, ret);
    return e < 0 ? err_set(err, e, BLAME_CALLER, NULL, "%s: %s", path,
                           e == -EFBIG || e == -EMSGSIZE ? "more than 256 KiB" : strerror(-e))
                 : 0;
}

static int tell_built(const struct command *c, const struct package_built *b)
{
    if (c->json) {
        struct buf out;
        buf_init(&out, 4 * KIB);
        (void)buf_addf(&out, "{\"name\":\"%s\",\"tree\":\"%s\",\"packages\":%u}\n", c->name, b->tree, b->packages);
        (void)fwrite(out.data, 1, out.size, stdout);
        buf_done(&out);
    } else {
        (void)printf("%s: %u packages, %s%s\n", c->name, b->packages, b->tree, b->is_new ? "" : " (as before)");
    }
    return fflush(stdout) == 0 ? 0 : 125;
}

static int create(struct command *c, struct error *err)
{
    char owner[32];
    struct buf request;
    struct package_built built;
    (void)snprintf(owner, sizeof owner, "uid:%u", (unsigned)getuid());
    int e = read_request(c->python ? c->python : c->node, &request, err);
    const struct package_host host = {
        .paths = &c->paths, .config = &c->policy.config, .begin = begin, .end = end, .told = told, .context = c
    };
    const struct package_order order = { .name = c->name,
                                         .owner = owner,
                                         .kind = c->node ? PACKAGE_NODE : PACKAGE_PYTHON,
                                         .text = request.data ? request.data : "",
                                         .size = request.size,
                                         .allows_source = c->allows_source };
    if (e == 0) {
        c->stop = signals_catch();
        begin_clock(c);
        e = package_build(&host, &order, &built, err);
        end_clock(c);
    }
    buf_done(&request);
    return e < 0 ? e : tell_built(c, &built);
}

/* --- list and show -------------------------------------------------------------------------------- */

static int open_store(struct command *c, struct error *err)
{
    struct locations where = { 0 };
    locations_find(&c->paths, &c->policy.config, &c->arena, &where);
    return package_store_open(where.state_dir, err);
}

static void print_row(const char *name, const json_t *set)
{
    char size[32];
    (void)printf("%-24s %-7s %8zu  %9s  %.12s  %s\n", name, package_set_text(set, "kind"),
                 json_array_size(json_object_get(set, "packages")),
                 format_size((uint64_t)json_integer_value(json_object_get(set, "bytes")), size),
                 package_set_text(set, "tree"), package_set_text(set, "owner"));
}

static void print_json(json_t *value)
{
    (void)json_dumpf(value, stdout, JSON_COMPACT);
    (void)putchar('\n');
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_list(const struct command *c, json_t *sets)
{
    const char *name;
    json_t *set, *array = json_array();
    size_t n = 0;
    const char **names = calloc(json_object_size(sets) + 1, sizeof *names);
    if (!names)
        abort();
    json_object_foreach(sets, name, set) names[n++] = name;
    qsort(names, n, sizeof *names, by_text);
    if (!c->json)
        (void)printf("%-24s %-7s %8s  %9s  %-12s  %s\n", "NAME", "KIND", "PACKAGES", "SIZE", "TREE", "OWNER");
    for (size_t i = 0; i < n; i++) {
        set = json_object_get(sets, names[i]);
        if (c->json)
            (void)json_array_append_new(array, package_set_short(set));
        else
            print_row(names[i], set);
    }
    if (c->json)
        print_json(array);
    json_decref(array);
    free(names);
}

static int list(struct command *c, struct error *err)
{
    cleanup(closep) int store = open_store(c, err);
    if (store < 0)
        return store;
    json_t *sets = package_sets_load(store, NULL, NULL, err);
    if (!sets)
        return err->code;
    print_list(c, sets);
    json_decref(sets);
    return fflush(stdout) == 0 ? 0 : 125;
}

/* What a person reads; texts in it came from an index. */
static void print_clean(const char *format, const char *text)
{
    struct buf b;
    buf_init(&b, 64 * KIB);
    (void)buf_adds_clean(&b, text);
    (void)printf(format, b.data ? b.data : "");
    buf_done(&b);
}

static void print_packages(const json_t *set)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(set, "packages"), i, one)
    {
        print_clean("  %-32s", package_set_text(one, "name"));
        print_clean(" %-16s", package_set_text(one, "version"));
        print_clean(" %s\n", package_set_text(one, "license"));
    }
}

static void print_lock(const json_t *set)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(set, "packages"), i, one)
    {
        print_clean("%s", package_set_text(one, "name"));
        print_clean("==%s", package_set_text(one, "version"));
        print_clean(*package_set_text(one, "hash") ? " --hash=sha256:%s\n" : "%s\n", package_set_text(one, "hash"));
    }
}

static void print_scan(const json_t *scan)
{
    size_t i;
    json_t *one;
    if (!json_is_object(scan)) {
        (void)puts("scan      none (agixt.analysis.enabled was false)");
        return;
    }
    (void)printf("scan      %lld files, %lld not scanned\n",
                 (long long)json_integer_value(json_object_get(scan, "scanned")),
                 (long long)json_integer_value(json_object_get(scan, "left_out")));
    json_array_foreach(json_object_get(scan, "findings"), i, one)
    {
        print_clean("  %-9s", package_set_text(one, "severity"));
        print_clean(" %s", package_set_text(one, "rule"));
        (void)printf(": %lld, such as ", (long long)json_integer_value(json_object_get(one, "count")));
        print_clean("%s\n", package_set_text(one, "example"));
    }
}

static void print_set(const struct command *c, json_t *set)
{
    char size[32];
    (void)printf("name      %s\nkind      %s\nowner     %s\ntree      %s\nindex     %s\nfiles     %lld, %s, %lld with "
                 "native code\n",
                 c->name, package_set_text(set, "kind"), package_set_text(set, "owner"), package_set_text(set, "tree"),
                 package_set_text(set, "index"), (long long)json_integer_value(json_object_get(set, "files")),
                 format_size((uint64_t)json_integer_value(json_object_get(set, "bytes")), size),
                 (long long)json_integer_value(json_object_get(set, "native_files")));
    (void)puts("packages");
    print_packages(set);
    print_scan(json_object_get(set, "scan"));
}

static int no_set(const char *name, struct error *err)
{
    (void)err_set(err, -ENOENT, BLAME_CALLER, "PACKAGES", "there is no set %.80s", name);
    return err_remedy(err, "see sandbox-agent packages list");
}

static int show(struct command *c, struct error *err)
{
    if (!package_name_is_accepted(c->name))
        return no_set(c->name, err);
    cleanup(closep) int store = open_store(c, err);
    json_t *set = store < 0 ? NULL : package_set_load(store, c->name, err);
    if (!set)
        return err->code ? err->code : no_set(c->name, err);
    const bool is_node = str_eq(package_set_text(set, "kind"), "node");
    int e = c->wants_lock && is_node ? wrong(err, "is for sets of python", "--lock") : 0;
    if (e == 0 && c->wants_lock)
        print_lock(set);
    else if (e == 0 && c->json)
        print_json(set);
    else if (e == 0)
        print_set(c, set);
    json_decref(set);
    return e == 0 && fflush(stdout) != 0 ? 125 : e;
}

/* --- all of it ------------------------------------------------------------------------------------ */

static int take_away(struct command *c, struct error *err)
{
    return package_remove(&c->policy.config, &c->paths, c->name, NULL, err);
}

static int run(struct command *c, int argc, char **argv, struct error *err)
{
    static int (*const doing[VERBS])(struct command *, struct error *) = { create, list, show, take_away };
    int e = read_verb(c, argc > 1 ? argv[1] : NULL, err);
    if (e == 0)
        e = read_words(c, argc - 2, argv + 2, err);
    if (e == 0 && c->help)
        return fputs(help, stdout) == EOF ? 125 : 0;
    if (e == 0)
        e = check_words(c, err);
    if (e == 0 && (e = paths_find(&c->arena, &c->paths)) < 0)
        e = err_set(err, e, BLAME_HOST, NULL, "where the program lies: %s", strerror(-e));
    const struct options words = { .config = c->config_path };
    if (e == 0)
        e = policy_load(&words, &c->paths, NULL, "low", LANG_COMMAND, &c->policy, err);
    c->has_policy = e == 0;
    return e < 0 ? e : doing[c->verb](c, err);
}

static int fail(const struct error *err)
{
    err_say("sandbox-agent packages", err);
    return err->blame == BLAME_GUEST ? 1 : error_exit_code(err);
}

int packages_command_main(int argc, char **argv)
{
    struct command c = { .stop = -1 };
    struct error err = { 0 };
    if (argc > 1 && (str_eq(argv[1], "--help") || str_eq(argv[1], "-h")))
        return fputs(help, stdout) == EOF ? 125 : 0;
    int code = run(&c, argc, argv, &err);
    if (code < 0)
        code = fail(&err);
    if (c.has_policy)
        compiled_done(&c.policy);
    signals_end(c.stop, c.caught);
    closep(&c.stop);
    arena_done(&c.arena);
    return code;
}
