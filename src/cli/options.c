#include "cli/options.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/parse.h"

enum kind { FLAG, TEXT, LIST };
static const struct option {
    const char *name, *argument;
    enum kind kind;
    size_t offset;
    const char *help;
} table[] = {
#define O(name, arg, kind, member, help)                        \
    {                                                           \
        name, arg, kind, offsetof(struct options, member), help \
    }
    O("--language", "LANG", TEXT, language, "python, node, bash, go or rust"),
    O("--code", "FILE|-", TEXT, code, "the program; - or a FIFO: read once"),
    O("-c", "CODE", TEXT, code_word, "the program itself"),
    O("--risk-level", "LEVEL", TEXT, risk_level, "low, medium or high"),
    O("--agent-id", "ID", TEXT, agent_id, "whose code this is"),
    O("--signature", "TEXT", TEXT, signature, "of code and agent, made by sandbox-agent sign"),
    O("--profile", "FILE", TEXT, profile, "a profile of your own instead of the level's"),
    O("--timeout", "SECONDS", TEXT, timeout, "deadline for the whole process tree"),
    O("--memory", "SIZE", TEXT, memory, "such as 512m, 1g, 64MiB"),
    O("--cpu", "CORES", TEXT, cpu, "such as 0.25"),
    O("--env", "K=V", LIST, env, "environment variable (repeatable)"),
    O("--volume", "HOST:INSIDE[:ro|rw]", LIST, volumes, "host directory or file, also relative (repeatable)"),
    O("--stdin", "FILE|-", TEXT, stdin_file, "the program's input (default: none; a command reads ours)"),
    O("--output-file", "FILE", TEXT, output_file, "copy of the program's standard output"),
    O("--backend", "NAME", TEXT, backend, "native, or docker: in a container (docker.* of the configuration)"),
    O("--config", "FILE", TEXT, config, "configuration, on top of the system's and yours"),
    O("--network-learn", NULL, FLAG, network_learn,
      "allow all public addresses; print the allow: list that was needed"),
    O("--record-events", "FILE", TEXT, record_events, "what the watch sees, for sandbox-agent watch replay"),
    O("--json", NULL, FLAG, json, "one JSON object on standard output, nothing else"),
    O("--dry-run", NULL, FLAG, dry_run, "show the resolved plan; run and write nothing"),
    O("--log-level", "LEVEL", TEXT, log_level, "trace, debug, info, warn or error"),
    O("--debug", NULL, FLAG, debug, "log level debug, and the time of each launch step"),
    O("--help", NULL, FLAG, help, "this text"),
    O("--version", NULL, FLAG, version, "the version"),
#undef O
};

static const struct option *find(const char *word, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, word, n) == 0)
            return &table[i];
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
    return err_remedy(err, "see sandbox-agent --help");
}

static int store(const struct option *o, struct options *ret, const char *value, struct error *err)
{
    void *member = (char *)ret + o->offset;
    if (o->kind == LIST) {
        int r = strlist_add(member, value);
        return r < 0 ? err_set(err, r, BLAME_CALLER, NULL, "%s: all values together exceed %u bytes", o->name,
                               STRLIST_MAX_BYTES)
                     : 0;
    }
    const char **text = member;
    if (*text)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s is given twice: %s and %s", o->name, *text, value);
    *text = value;
    return 0;
}

int options_parse(int argc, char **argv, struct options *ret, struct error *err)
{
    *ret = (struct options){ 0 };
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
        const struct option *o = find(word, n);
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
        const char *value = word[n] ? word + n + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value: %s", o->name, o->argument);
        int r = store(o, ret, value, err);
        if (r < 0)
            return r;
    }
    return 0;
}

void options_help(struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        char left[64];
        (void)snprintf(left, sizeof left, "%s%s%s", table[i].name, table[i].argument ? " " : "",
                       table[i].argument ? table[i].argument : "");
        (void)buf_addf(out, "  %-29s %s\n", left, table[i].help);
    }
}

void options_names(struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        (void)buf_addf(out, "%s\n", table[i].name);
}
