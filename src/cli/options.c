#include "cli/options.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/parse.h"
#include "run/backend.h"

enum kind { FLAG, TEXT, TEXT_OR_ASK, LIST, LANGUAGE, LEVEL, BACKEND, LIMIT, VOLUME };
static const struct option {
    const char *name, *argument;
    enum kind kind;
    size_t offset; /* LIMIT: which one */
    const char *help;
    bool is_of_wrap; /* of `wrap` alone */
} table[] = {
#define O(name, arg, kind, member, help)                               \
    {                                                                  \
        name, arg, kind, offsetof(struct options, member), help, false \
    }
#define W(name, arg, kind, member, help)                                   \
    {                                                                      \
        name, arg, kind, offsetof(struct options, wrap.member), help, true \
    }
#define L(name, arg, which, help)            \
    {                                        \
        name, arg, LIMIT, which, help, false \
    }
    O("--language", "LANG", LANGUAGE, language, "python, node, bash, go or rust; also js, sh, py and such"),
    O("--code", "FILE|-", TEXT, code, "the program; - or a FIFO: read once"),
    O("-c", "CODE", TEXT, code_word, "the program itself"),
    O("--risk-level", "LEVEL", LEVEL, risk_level, "low, medium or high"),
    O("--agent-id", "ID", TEXT, agent_id, "whose code this is"),
    O("--signature", "TEXT", TEXT, signature, "of code and agent, made by sandbox-agent sign"),
    O("--profile", "FILE", TEXT, profile, "a profile of your own instead of the level's"),
    L("--timeout", "SECONDS", LIMIT_OF_TIMEOUT, "deadline for the whole process tree"),
    L("--memory", "SIZE", LIMIT_OF_MEMORY, "such as 512m, 1g, 64MiB"),
    L("--cpu", "CORES", LIMIT_OF_CPU, "such as 0.25"),
    O("--env", "K=V", LIST, env, "environment variable (repeatable)"),
    O("--volume", "HOST:INSIDE[:ro|rw]", VOLUME, volumes, "host directory or file, also relative (repeatable)"),
    O("--tty", NULL, FLAG, has_terminal, "a terminal for the program; yours becomes it until it ends"),
    O("--stdin", "FILE|-", TEXT, stdin_file, "the program's input (default: none; a command reads ours)"),
    O("--file", "PATH[:INSIDE]", LIST, file_words,
      "a file beside the program, which may read or import it (repeatable)"),
    O("--packages", "NAME", TEXT, packages, "a package set for the program (sandbox-agent packages)"),
    O("--workdir", "DIR", TEXT, workdir, "where the program starts, inside (default: /workspace or /tmp)"),
    O("--output-file", "FILE", TEXT, output_file, "copy of the program's standard output"),
    O("--output-dir", "DIR", TEXT, output_dir, "what the program leaves in /workspace, copied there; new or empty"),
    O("--receipt", "FILE", TEXT, receipt, "a signed statement of the run (sandbox-agent receipt verify)"),
    O("--backend", "NAME", BACKEND, backend, "native; docker: in a container; remote: on another machine"),
    O("--direct", NULL, FLAG, direct, "a launcher of its own, also where your service would lend one"),
    O("--config", "FILE", TEXT, config, "configuration, on top of the system's and yours"),
    O("--network-learn", NULL, FLAG, network_learn,
      "allow all public addresses; print the allow: list that was needed"),
    O("--allow", "HOST", LIST, allow, "reach only this name, *.NAME or CIDR, also with :PORT (repeatable)"),
    O("--deny", "HOST", LIST, deny, "never reach this host; wins over --allow (repeatable)"),
    O("--no-network", NULL, FLAG, no_network, "reach nothing but the sandbox's own loopback"),
    O("--record-events", "FILE", TEXT, record_events, "what the watch sees, for sandbox-agent watch replay"),
    O("--json", NULL, FLAG, json, "one JSON object on standard output, nothing else"),
    O("--dry-run", NULL, FLAG, dry_run, "show the resolved plan; run and write nothing"),
    O("--log-level", "LEVEL", TEXT, log_level, "trace, debug, info, warn or error"),
    O("--debug", NULL, FLAG, debug, "log level debug, and the time of each launch step"),
    O("--help", NULL, FLAG, help, "this text"),
    O("--version", NULL, FLAG, version, "the version"),
    W("--project", "DIR", TEXT, project, "what the tool may change (default: the current directory)"),
    W("--writable", "PATH", LIST, writable, "let it change this place of hooks or settings, too (repeatable)"),
    W("--read-only", "PATH", LIST, read_only, "a further place that it may not change (repeatable)"),
    W("--hide", "PATH", LIST, hidden, "a place in the project that it may not read either (repeatable)"),
    W("--review", "[=ask|keep|drop]", TEXT_OR_ASK, review,
      "let it change a copy; then show the changes and ask, apply or drop"),
    W("--srt-settings", "FILE", TEXT, srt_settings, "rules of Anthropic's sandbox-runtime"),
#undef O
#undef W
#undef L
};

static const struct option *find(const char *word, size_t n, bool is_wrap)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, word, n) == 0)
            return table[i].is_of_wrap && !is_wrap ? NULL : &table[i];
    return NULL;
}

static int unknown(const char *word, struct error *err)
{
    const char *names[ARRAY_LEN(table)];
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        names[i] = table[i].name;
    const char *near = nearest_word(word, names, ARRAY_LEN(names));
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "unknown option %s", word);
    if (near)
        return err_remedy(err, "did you mean %s?", near);
    return err_remedy(err, "see sandbox-agent --help and sandbox-agent wrap --help");
}

/* --- values --------------------------------------------------------------------------------------- */

static const struct request_words words = { { [REQUEST_LANGUAGE] = "--language",
                                              [REQUEST_CODE] = "--code",
                                              [REQUEST_FILES] = "--file",
                                              [REQUEST_STDIN] = "--stdin",
                                              [REQUEST_ENV] = "--env",
                                              [REQUEST_VOLUMES] = "--volume",
                                              [REQUEST_AGENT_ID] = "--agent-id",
                                              [REQUEST_RISK_LEVEL] = "--risk-level",
                                              [REQUEST_BACKEND] = "--backend",
                                              [REQUEST_SIGNATURE] = "--signature",
                                              [REQUEST_TIMEOUT] = "--timeout",
                                              [REQUEST_MEMORY] = "--memory",
                                              [REQUEST_CPU] = "--cpu",
                                              [REQUEST_PROFILE] = "--profile",
                                              [REQUEST_WORKDIR] = "--workdir",
                                              [REQUEST_PACKAGES] = "--packages" } };

static int refuse(struct error *err, enum request_field f, const char *value, const char *why)
{
    return field_refuse(&words, err, -EINVAL, BLAME_CALLER, f, value, "%s", why);
}

static int store_backend(struct options *ret, const char *value, struct error *err)
{
    ret->has_backend = true;
    ret->backend = str_eq(value, "docker") ? BACKEND_DOCKER : str_eq(value, "remote") ? BACKEND_REMOTE : BACKEND_NATIVE;
    return str_eq(value, backend_of(ret->backend)->name)
               ? 0
               : refuse(err, REQUEST_BACKEND, value, "accepted are native, docker and remote");
}

/* HOST:INSIDE[:ro|rw]: here a colon separates, so neither path may have one. */
static int store_volume(struct options *ret, const char *value, struct error *err)
{
    if (ret->volume_count >= REQUEST_MAX_VOLUMES)
        return refuse(err, REQUEST_VOLUMES, value, "more than 16 volumes");
    char *host = ret->owned[ret->volume_count] = strdup(value);
    char *inside = host ? strchr(host, ':') : NULL, *mode = inside ? strchr(inside + 1, ':') : NULL;
    if (!inside || !inside[1])
        return refuse(err, REQUEST_VOLUMES, value, "not of the form HOST:INSIDE[:ro|rw]");
    *inside++ = '\0';
    if (mode)
        *mode++ = '\0';
    if (mode && !str_eq(mode, "ro") && !str_eq(mode, "rw"))
        return refuse(err, REQUEST_VOLUMES, value, "the mode is ro or rw");
    ret->volumes[ret->volume_count++] = (struct request_volume){ .host = host,
                                                                 .inside = inside,
                                                                 .is_writable = mode && str_eq(mode, "rw") };
    return 0;
}

static int store_list(const struct option *o, struct options *ret, const char *value, struct error *err)
{
    int r = strlist_add((struct strlist *)(void *)((char *)ret + o->offset), value);
    return r < 0 ? err_set(err, r, BLAME_CALLER, NULL, "%s: all values together exceed %u bytes", o->name,
                           STRLIST_MAX_BYTES)
                 : 0;
}

/* first: the value that this option had already, or NULL. */
static int store(const struct option *o, struct options *ret, const char *first, const char *value, struct error *err)
{
    if (o->kind == LIST)
        return store_list(o, ret, value, err);
    if (o->kind == VOLUME)
        return store_volume(ret, value, err);
    if (first)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s is given twice: %s and %s", o->name, first, value);
    if (o->kind == LANGUAGE)
        return options_language(ret, value, err);
    if (o->kind == LEVEL)
        return options_level(ret, value, err);
    if (o->kind == BACKEND)
        return store_backend(ret, value, err);
    if (o->kind == LIMIT)
        return options_limit(ret, (enum limit_kind)o->offset, value, err);
    *(const char **)(void *)((char *)ret + o->offset) = value;
    return 0;
}

int options_parse(int argc, char **argv, bool is_wrap, struct options *ret, struct error *err)
{
    const char *seen[ARRAY_LEN(table)] = { 0 };
    *ret = (struct options){ .words = &words, .is_wrap = is_wrap };
    /* first, so that an error before it is told as JSON, too */
    for (int i = 0; i < argc && !str_eq(argv[i], "--"); i++)
        ret->json |= str_eq(argv[i], "--json");
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (str_eq(word, "--")) {
            for (i++; i < argc; i++)
                if (strlist_add(&ret->command, argv[i]) < 0)
                    return err_set(err, -E2BIG, BLAME_CALLER, NULL, "the command exceeds %u bytes", STRLIST_MAX_BYTES);
            return ret->command.count ? 0
                                      : err_set(err, -EINVAL, BLAME_CALLER, NULL, "nothing behind --: name a command");
        }
        if (str_eq(word, "-h"))
            word = "--help";
        size_t n = strcspn(word, "=");
        const struct option *o = find(word, n, is_wrap);
        if (!o)
            return str_starts(word, "-")
                       ? unknown(word, err)
                       : err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "unexpected argument %s", word), err),
                                    "options begin with --; a command stands behind --");
        if (o->kind == FLAG) {
            if (word[n])
                return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s takes no value", o->name);
            *(bool *)((char *)ret + o->offset) = true;
            continue;
        }
        const char *value = word[n] ? word + n + 1 : o->kind == TEXT_OR_ASK ? "ask" : i + 1 < argc ? argv[++i] : NULL;
        if (!value)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value: %s", o->name, o->argument);
        int r = store(o, ret, seen[o - table], value, err);
        if (r < 0)
            return r;
        seen[o - table] = value;
    }
    return 0;
}

void options_help(bool is_wrap, struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        if (table[i].is_of_wrap != is_wrap)
            continue;
        char left[64];
        (void)snprintf(left, sizeof left, "%s%s%s", table[i].name,
                       table[i].argument && table[i].argument[0] != '[' ? " " : "",
                       table[i].argument ? table[i].argument : "");
        (void)buf_addf(out, "  %-29s %s\n", left, table[i].help);
    }
}
