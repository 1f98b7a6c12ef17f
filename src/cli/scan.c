/* scan.c - `sandbox-agent scan FILE`: what the scan before a run finds, for people and for programs. */
#include <fcntl.h>
#include <stdio.h>
#include "base/json.h"
#include "cli/cmd.h"
#include "config/language.h"
#include "run/policy.h"
#include "scan/client.h"
#include "scan/print.h"

static const char help[] =
    "sandbox-agent scan FILE|- [--language python|node|bash|go|rust] [--json] [--config FILE] [--no-cache]\n\n"
    "Shows what the scan before a run finds in FILE: line, column, severity, rule, and by how much it raises the "
    "risk.\n"
    "Nothing of FILE is run. The language follows from the suffix or the #! line. Patterns of the configuration\n"
    "(agixt.analysis.patterns) count as well as the rules in share/sandbox-agent/rules.\n\n"
    "exit: 0 nothing above information, 1 findings, 2 usage, 125 no scanner\n";

struct scan_options {
    const char *file, *language, *config;
    bool json, no_cache, help;
};

static int parse(int argc, char **argv, struct scan_options *ret, struct error *err)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        const char **value = str_eq(word, "--language") ? &ret->language
                             : str_eq(word, "--config") ? &ret->config
                                                        : NULL;
        if (value && i + 1 == argc)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value", word);
        if (value)
            *value = argv[++i];
        else if (str_eq(word, "--json"))
            ret->json = true;
        else if (str_eq(word, "--no-cache"))
            ret->no_cache = true;
        else if (str_eq(word, "--help") || str_eq(word, "-h"))
            ret->help = true;
        else if (word[0] == '-' && word[1])
            return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                           "scan: %s is no option of it; see sandbox-agent scan --help", word);
        else if (ret->file)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "scan: one file at a time: %s and %s", ret->file, word);
        else
            ret->file = word;
    }
    if (!ret->help && !ret->file)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "scan: which file? For example: sandbox-agent scan agent.py");
    return 0;
}

/* ---- the file and its language ---- */

static int read_file(const char *path, struct buf *ret, struct error *err)
{
    bool is_stdin = str_eq(path, "-");
    cleanup(closep) int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path);
    buf_init(ret, REQUEST_MAX_CODE_BYTES);
    for (;;) {
        char chunk[64 * 1024];
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path);
        if (n == 0)
            return 0;
        if (buf_add(ret, chunk, (size_t)n) < 0)
            return err_set(err, -EFBIG, BLAME_CALLER, NULL, "%s: more than %u MiB", path, REQUEST_MAX_CODE_BYTES >> 20);
    }
}

static bool language_by_suffix(const char *path, enum language *ret)
{
    static const struct {
        const char *suffix;
        enum language language;
    } table[] = { { ".py", LANG_PYTHON }, { ".pyw", LANG_PYTHON }, { ".js", LANG_NODE },
                  { ".mjs", LANG_NODE },  { ".cjs", LANG_NODE },   { ".sh", LANG_BASH },
                  { ".bash", LANG_BASH }, { ".go", LANG_GO },      { ".rs", LANG_RUST } };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < ARRAY_LEN(table); i++)
        if (str_eq(dot, table[i].suffix)) {
            *ret = table[i].language;
            return true;
        }
    return false;
}

static bool language_by_shebang(const struct buf *text, enum language *ret)
{
    static const struct {
        const char *word;
        enum language language;
    } table[] = { { "python", LANG_PYTHON }, { "node", LANG_NODE }, { "bash", LANG_BASH }, { "sh", LANG_BASH } };
    if (text->size < 3 || memcmp(text->data, "#!", 2) != 0)
        return false;
    const char *end = memchr(text->data, '\n', text->size);
    size_t n = end ? (size_t)(end - text->data) : text->size;
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (memmem(text->data, n, table[i].word, strlen(table[i].word))) {
            *ret = table[i].language;
            return true;
        }
    return false;
}

static int find_language(const struct scan_options *o, const struct buf *text, enum language *ret, struct error *err)
{
    if (o->language)
        return language_by_name(o->language, ret)
                   ? 0
                   : err_set(err, -EINVAL, BLAME_CALLER, NULL, "--language %s: accepted are " LANGUAGE_ACCEPTED,
                             o->language);
    if (language_by_suffix(o->file, ret) || language_by_shebang(text, ret))
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: neither its suffix nor a #! line tells the language", o->file);
    return err_remedy(err, "say --language python, node, bash, go or rust");
}

/* ---- for people ---- */

struct colours {
    const char *bold, *dim, *off, *severity[SEVERITY_COUNT];
};

static const struct colours *choose_colours(void)
{
    static const struct colours none = { "", "", "", { "", "", "", "", "" } };
    static const struct colours some = {
        "\033[1m", "\033[2m", "\033[0m", { "\033[2m", "\033[36m", "\033[33m", "\033[31m", "\033[1;31m" }
    };
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no) && term && !str_eq(term, "dumb") ? &some : &none;
}

static void print_finding(struct buf *b, const struct finding *f, const struct colours *c)
{
    char place[32];
    uint32_t columns = 0;
    (void)snprintf(place, sizeof place, "%u:%u", f->line, f->column);
    (void)buf_addf(b, "%s%-9s%s %s%-8s%s %s%s%s", c->bold, place, c->off, c->severity[f->severity],
                   severity_names[f->severity], c->off, c->bold, f->rule, c->off);
    if (f->risk_increase)
        (void)buf_addf(b, " (+%u.%02u)", f->risk_increase / 1000, f->risk_increase % 1000 / 10);
    (void)buf_addf(b, "  %s\n", f->message);
    if (*f->path)
        (void)buf_addf(b, "          in %s\n", f->path);
    if (!*f->text)
        return;
    for (uint32_t i = 0; i < f->text_at; i++)
        columns += ((unsigned char)f->text[i] & 0xc0) != 0x80;
    (void)buf_addf(b, "          %s\n          %s%*s^%s\n", f->text, c->dim, (int)columns, "", c->off);
}

static void print_people(struct buf *b, const char *file, enum language language, const struct scan_report *r)
{
    const struct colours *c = choose_colours();
    uint32_t count = scan_report_count(r);
    (void)buf_adds_clean(b, file);
    (void)buf_addf(b, ": %s, ", language_names[language]);
    if (count)
        (void)buf_addf(b, "%u finding%s, risk +%u.%02u\n", count, count == 1 ? "" : "s", r->risk_increase / 1000,
                       r->risk_increase % 1000 / 10);
    else
        (void)buf_adds(b, r->finding_count ? "nothing above information\n" : "nothing found\n");
    if (!r->has_syntax)
        (void)buf_adds(b, "  without syntax: only patterns were looked for\n");
    for (uint32_t i = 0; i < r->finding_count; i++)
        print_finding(b, &r->findings[i], c);
    for (uint32_t i = 0; i < r->need_count; i++)
        (void)buf_addf(b, "%s%u:%u%s needs %s: %s\n", c->dim, r->needs[i].line, r->needs[i].column, c->off,
                       r->needs[i].need, r->needs[i].message);
}

static void print_json(struct buf *b, const char *file, enum language language, const struct scan_report *r)
{
    json_open(b, '{');
    json_key(b, "file");
    json_put_string(b, file);
    json_key(b, "language");
    json_put_string(b, language_names[language]);
    scan_report_members(r, b);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

/* ---- the command ---- */

static int scan(const struct scan_options *o, const struct paths *p, struct arena *a, struct buf *out,
                struct error *err)
{
    cleanup(buf_done) struct buf text = { 0 };
    cleanup(freep) void *blob = NULL;
    struct options run = { .config = o->config, .dry_run = true }; /* the policy is looked at, not stored */
    struct compiled policy;
    struct scan_report report;
    struct scan_job job;
    enum language language = LANG_PYTHON;
    int e = read_file(o->file, &text, err);
    if (e < 0 || (e = find_language(o, &text, &language, err)) < 0 ||
        (e = policy_load(&run, p, NULL, NULL, language, &policy, err)) < 0)
        return e;
    const struct scan_request request = {
        .language = language,
        .code = text.data ? text.data : "",
        .code_size = text.size,
        .patterns = &policy.config.agixt.analysis.patterns,
        .rules_only = !policy.config.agixt.analysis.resemblance,
        .timeout_ms = (uint32_t)policy.config.agixt.analysis.timeout,
        .program = arena_printf(a, "%s/sandbox-scan", p->libexec),
        .rules_dir = arena_printf(a, "%s/rules", p->data),
        .cache_dir = o->no_cache ? NULL : p->cache,
    };
    if (request.cache_dir)
        (void)make_dirs(request.cache_dir, 0700); /* without it nothing is kept */
    e = scan_start(&request, &job, err);
    compiled_done(&policy);
    if (e < 0 || (e = scan_finish(&job, &report, &blob, err)) < 0)
        return e;
    (o->json ? print_json : print_people)(out, o->file, language, &report);
    return scan_report_count(&report) ? 1 : 0;
}

int cmd_scan(const struct paths *p, struct arena *a, int argc, char **argv)
{
    struct scan_options o = { 0 };
    struct error err = { 0 };
    cleanup(buf_done) struct buf out;
    buf_init(&out, MIB);
    int code = parse(argc, argv, &o, &err);
    if (code == 0 && o.help) {
        (void)fputs(help, stdout);
        return 0;
    }
    if (code == 0)
        code = scan(&o, p, a, &out, &err);
    if (code < 0) {
        struct buf b;
        buf_init(&b, 4096);
        (void)buf_addf(&b, "sandbox-agent: %s\n", err.text);
        if (err.remedy[0])
            (void)buf_addf(&b, "  remedy: %s\n", err.remedy);
        (void)fputs(b.data ? b.data : "sandbox-agent: scan failed\n", stderr);
        buf_done(&b);
        return err.blame == BLAME_CALLER ? 2 : 125;
    }
    if (out.data)
        (void)fwrite(out.data, 1, out.size, stdout);
    return output_end(code);
}
