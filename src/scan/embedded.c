/* embedded.c - the queue of programs inside a program, and the scan of each. */
#include "scan/embedded.h"

#include <stdio.h>
#include "base/clock.h"
#include "base/buf.h"
#include "base/path.h"
#include "scan/carrier.h"
#include "scan/effect.h"
#include "scan/engine.h"
#include "scan/path.h"
#include "scan/script.h"

const char *const embedded_names[EMBEDDED_LANGUAGES] = {
    [LANG_PYTHON] = "python",
    [LANG_NODE] = "node",
    [LANG_BASH] = "bash",
    [LANG_GO] = "go",
    [LANG_RUST] = "rust",
    [EMBEDDED_PERL] = "perl",
    [EMBEDDED_RUBY] = "ruby",
    [EMBEDDED_PHP] = "php",
    [EMBEDDED_LUA] = "lua",
    [EMBEDDED_AWK] = "awk",
    [EMBEDDED_C] = "C",
    [EMBEDDED_UNKNOWN] = "unknown language",
    [EMBEDDED_MAKE] = "makefile",
    [EMBEDDED_CRON] = "crontab",
    [EMBEDDED_CRON_SYSTEM] = "crontab",
    [EMBEDDED_KEYED] = "settings",
    [EMBEDDED_JSON] = "JSON",
    [EMBEDDED_PTH] = "paths",
};

/* ---- which language ---- */

static const struct {
    const char *name;
    uint8_t language;
} interpreters[] = { { "python", LANG_PYTHON },      { "pypy", LANG_PYTHON },
                     { "ipython", LANG_PYTHON },     { "node", LANG_NODE },
                     { "nodejs", LANG_NODE },        { "deno", LANG_NODE },
                     { "bun", LANG_NODE },           { "tsx", LANG_NODE },
                     { "ts-node", LANG_NODE },       { "sh", LANG_BASH },
                     { "bash", LANG_BASH },          { "dash", LANG_BASH },
                     { "zsh", LANG_BASH },           { "ksh", LANG_BASH },
                     { "ash", LANG_BASH },           { "rbash", LANG_BASH },
                     { "perl", EMBEDDED_PERL },      { "ruby", EMBEDDED_RUBY },
                     { "irb", EMBEDDED_RUBY },       { "php", EMBEDDED_PHP },
                     { "lua", EMBEDDED_LUA },        { "luajit", EMBEDDED_LUA },
                     { "awk", EMBEDDED_AWK },        { "gawk", EMBEDDED_AWK },
                     { "mawk", EMBEDDED_AWK },       { "tclsh", EMBEDDED_UNKNOWN },
                     { "expect", EMBEDDED_UNKNOWN }, { "Rscript", EMBEDDED_UNKNOWN },
                     { "julia", EMBEDDED_UNKNOWN },  { "osascript", EMBEDDED_UNKNOWN },
                     { "pwsh", EMBEDDED_UNKNOWN },   { "guile", EMBEDDED_UNKNOWN } };

uint8_t embedded_interpreter(const char *name, size_t size)
{
    while (size && memchr(name, '/', size)) {
        const char *slash = memchr(name, '/', size);
        size -= (size_t)(slash + 1 - name);
        name = slash + 1;
    }
    while (size && ((name[size - 1] >= '0' && name[size - 1] <= '9') || name[size - 1] == '.' || name[size - 1] == '-'))
        size--;
    for (size_t i = 0; i < ARRAY_LEN(interpreters); i++)
        if (strlen(interpreters[i].name) == size && memcmp(interpreters[i].name, name, size) == 0)
            return interpreters[i].language;
    return EMBEDDED_LANGUAGES;
}

/* Of a path: its ending, its last name (without /), or a directory above it. */
static const struct {
    const char *ending, *name, *above;
    uint8_t language;
} by_name[] = { { .ending = ".py", .language = LANG_PYTHON },
                { .ending = ".pyw", .language = LANG_PYTHON },
                { .ending = ".js", .language = LANG_NODE },
                { .ending = ".mjs", .language = LANG_NODE },
                { .ending = ".cjs", .language = LANG_NODE },
                { .ending = ".ts", .language = LANG_NODE },
                { .ending = ".sh", .language = LANG_BASH },
                { .ending = ".bash", .language = LANG_BASH },
                { .ending = ".go", .language = LANG_GO },
                { .ending = ".rs", .language = LANG_RUST },
                { .ending = ".pl", .language = EMBEDDED_PERL },
                { .ending = ".pm", .language = EMBEDDED_PERL },
                { .ending = ".rb", .language = EMBEDDED_RUBY },
                { .ending = ".php", .language = EMBEDDED_PHP },
                { .ending = ".lua", .language = EMBEDDED_LUA },
                { .ending = ".awk", .language = EMBEDDED_AWK },
                { .ending = ".c", .language = EMBEDDED_C },
                { .ending = ".cc", .language = EMBEDDED_C },
                { .ending = ".cpp", .language = EMBEDDED_C },
                /* what tools and shells run by themselves */
                { .name = "Makefile", .language = EMBEDDED_MAKE },
                { .name = "makefile", .language = EMBEDDED_MAKE },
                { .name = "GNUmakefile", .language = EMBEDDED_MAKE },
                { .ending = ".mk", .language = EMBEDDED_MAKE },
                { .name = "Rakefile", .language = EMBEDDED_RUBY },
                { .name = "Gemfile", .language = EMBEDDED_RUBY },
                { .name = "Vagrantfile", .language = EMBEDDED_RUBY },
                { .name = ".bashrc", .language = LANG_BASH },
                { .name = ".bash_profile", .language = LANG_BASH },
                { .name = ".bash_login", .language = LANG_BASH },
                { .name = ".bash_logout", .language = LANG_BASH },
                { .name = ".bash_aliases", .language = LANG_BASH },
                { .name = ".profile", .language = LANG_BASH },
                { .name = ".zshrc", .language = LANG_BASH },
                { .name = ".zshenv", .language = LANG_BASH },
                { .name = ".zprofile", .language = LANG_BASH },
                { .name = ".xinitrc", .language = LANG_BASH },
                { .name = ".xprofile", .language = LANG_BASH },
                { .name = ".envrc", .language = LANG_BASH },
                { .name = "rc.local", .language = LANG_BASH },
                { .name = "bash.bashrc", .language = LANG_BASH },
                { .name = "PKGBUILD", .language = LANG_BASH },
                { .above = "/profile.d/", .language = LANG_BASH },
                { .above = ".git/hooks/", .language = LANG_BASH },
                { .above = ".husky/", .language = LANG_BASH },
                { .above = "/init.d/", .language = LANG_BASH },
                { .above = "/cron.hourly/", .language = LANG_BASH },
                { .above = "/cron.daily/", .language = LANG_BASH },
                { .above = "/update-motd.d/", .language = LANG_BASH },
                { .name = "crontab", .above = "/etc/", .language = EMBEDDED_CRON_SYSTEM },
                { .above = "/cron.d/", .language = EMBEDDED_CRON_SYSTEM },
                { .above = "/spool/cron/", .language = EMBEDDED_CRON },
                { .name = "crontab", .language = EMBEDDED_CRON },
                { .ending = ".cron", .language = EMBEDDED_CRON },
                { .ending = ".service", .language = EMBEDDED_KEYED },
                { .ending = ".desktop", .language = EMBEDDED_KEYED },
                { .ending = ".yml", .language = EMBEDDED_KEYED },
                { .ending = ".yaml", .language = EMBEDDED_KEYED },
                { .name = "Dockerfile", .language = EMBEDDED_KEYED },
                { .name = "Containerfile", .language = EMBEDDED_KEYED },
                { .name = "Procfile", .language = EMBEDDED_KEYED },
                { .name = "tox.ini", .language = EMBEDDED_KEYED },
                { .name = "supervisord.conf", .language = EMBEDDED_KEYED },
                { .above = "/supervisor/", .language = EMBEDDED_KEYED },
                { .ending = ".json", .language = EMBEDDED_JSON },
                { .ending = ".jsonl", .language = EMBEDDED_JSON },
                { .ending = ".ipynb", .language = EMBEDDED_JSON },
                { .ending = ".pth", .language = EMBEDDED_PTH } };

uint8_t embedded_by_name(const char *path, size_t size)
{
    const char *slash = memrchr(path, '/', size), *last = slash ? slash + 1 : path;
    size_t n = size - (size_t)(last - path);
    for (size_t i = 0; i < ARRAY_LEN(by_name); i++) {
        size_t ending = by_name[i].ending ? strlen(by_name[i].ending) : 0;
        if (ending && !(n > ending && memcmp(last + n - ending, by_name[i].ending, ending) == 0))
            continue;
        if (by_name[i].name && !(n == strlen(by_name[i].name) && memcmp(last, by_name[i].name, n) == 0))
            continue;
        if (by_name[i].above && !memmem(path, size - n, by_name[i].above, strlen(by_name[i].above)))
            continue;
        return by_name[i].language;
    }
    return EMBEDDED_LANGUAGES;
}

uint8_t embedded_by_first_line(const char *text, size_t size)
{
    const char *end = size > 2 && text[0] == '#' && text[1] == '!' ? memchr(text, '\n', size) : NULL;
    uint8_t found = EMBEDDED_LANGUAGES;
    for (const char *p = text + 2; end && p < end && found == EMBEDDED_LANGUAGES;) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        const char *word = p;
        while (p < end && *p != ' ' && *p != '\t' && *p != '\r')
            p++;
        found = embedded_interpreter(word, (size_t)(p - word));
        p += p < end;
    }
    return found;
}

/* ---- options ---- */

bool embedded_is_text_option(uint8_t language, const char *word, size_t size)
{
    static const char *const letters[EMBEDDED_LANGUAGES] = {
        [LANG_PYTHON] = "c",   [LANG_NODE] = "ep",   [LANG_BASH] = "c",    [EMBEDDED_PERL] = "eE",
        [EMBEDDED_RUBY] = "e", [EMBEDDED_PHP] = "r", [EMBEDDED_LUA] = "e", [EMBEDDED_UNKNOWN] = "ce"
    };
    if (size < 2 || word[0] != '-' || language >= EMBEDDED_LANGUAGES || !letters[language])
        return false;
    if (word[1] == '-')
        return language == LANG_NODE &&
               ((size == 6 && memcmp(word, "--eval", 6) == 0) || (size == 7 && memcmp(word, "--print", 7) == 0));
    if ((language == EMBEDDED_PERL || language == EMBEDDED_RUBY) && strchr("MmIr", word[1]))
        return false; /* -MFile::Basename */
    for (const char *l = letters[language]; *l; l++)
        if (language == LANG_BASH ? memchr(word + 1, *l, size - 1) != NULL : word[size - 1] == *l)
            return true;
    return false;
}

bool embedded_is_valued_option(uint8_t language, const char *word, size_t size)
{
    static const char *const valued[EMBEDDED_LANGUAGES] = {
        [LANG_PYTHON] = "WX",   [LANG_NODE] = "r",     [LANG_BASH] = "oO",   [EMBEDDED_PERL] = "I",
        [EMBEDDED_RUBY] = "IC", [EMBEDDED_PHP] = "dc", [EMBEDDED_LUA] = "l", [EMBEDDED_AWK] = "Fv",
    };
    const char *letters = language < EMBEDDED_LANGUAGES && valued[language] ? valued[language] : "";
    return size == 2 && word[0] == '-' && strchr(letters, word[1]);
}

/* ---- the queue ---- */

static void give_up(struct embedded *e, const char *why)
{
    if (!e->root->why_cut && !(e->current && e->current->is_guess))
        e->root->why_cut = why;
}

/* Where a text stands in the program that holds it; FALSE: it was put together. */
static bool find_text(const struct scan_ctx *c, const char *text, size_t size, uint32_t byte, uint32_t *ret)
{
    uintptr_t at = (uintptr_t)text - (uintptr_t)c->text;
    if (at < c->size && size <= c->size - at) {
        *ret = (uint32_t)at;
        return true;
    }
    if (byte >= c->size)
        return false;
    const char *hit = memmem(c->text + byte, MIN_OF((size_t)(c->size - byte), size + 4096), text, size);
    *ret = hit ? (uint32_t)(hit - c->text) : 0;
    return hit != NULL;
}

static bool is_queued(const struct embedded *e, uint8_t language, const char *text, size_t size)
{
    for (uint32_t i = 0; i < e->program_count; i++)
        if (e->programs[i].language == language && e->programs[i].size == size &&
            memcmp(e->programs[i].text, text, size) == 0)
            return true;
    return false;
}

/* A byte of the program whose resolver is at work, in the outermost program. */
static uint32_t root_byte(const struct embedded *e, uint32_t byte)
{
    const struct embedded_program *p = e->current;
    return !p ? byte : p->is_verbatim && !p->has_lines_only ? p->byte + byte : p->byte;
}

void embedded_add(struct scan_ctx *c, uint8_t language, const char *how, const char *text, size_t size, uint32_t byte)
{
    struct embedded *e = c->embedded;
    if (!e || !text || size < 2 || language >= EMBEDDED_LANGUAGES || is_queued(e, language, text, size))
        return;
    uint8_t depth = e->current ? e->current->depth + 1 : 1;
    if (depth > EMBEDDED_MAX_DEPTH) {
        give_up(e, "programs inside programs, deeper than a scan looks into");
        return;
    }
    if (e->program_count == EMBEDDED_MAX_PROGRAMS || size > EMBEDDED_MAX_BYTES - e->bytes) {
        give_up(e, "more programs inside this program than a scan looks into");
        return;
    }
    struct embedded_program *p = &e->programs[e->program_count++];
    uint32_t at = byte;
    bool is_here = find_text(c, text, size, byte, &at);
    e->bytes += (uint32_t)size;
    *p = (struct embedded_program){ .language = language,
                                    .depth = depth,
                                    .size = (uint32_t)size,
                                    .is_below_root = c->is_below_root,
                                    .is_guess = c->is_guess || (e->current && e->current->is_guess),
                                    .is_verbatim = is_here && (!e->current || (e->current->is_verbatim &&
                                                                               !e->current->has_lines_only)),
                                    .byte = root_byte(e, is_here ? at : byte) };
    p->text = p->is_verbatim ? e->root->ctx.text + p->byte : arena_copy_bytes(&e->root->arena, text, size);
    struct scan_ctx place = { .text = c->text, .size = c->size };
    struct fact f = { 0 };
    scan_place(&place, byte, &f);
    p->path = arena_printf(&e->root->arena, "%s%s%s at line %u, %s", e->current ? e->current->path : "",
                           e->current ? ", " : "", how, f.line, embedded_names[language]);
    if (e->root->arena.failed)
        e->program_count--;
}

void embedded_perhaps(struct scan_ctx *c, uint8_t language, const char *how, const char *text, size_t size,
                      uint32_t byte)
{
    struct embedded *e = c->embedded;
    if (!e)
        return;
    bool is_full = e->program_count >= EMBEDDED_MAX_PROGRAMS / 2 || size > (EMBEDDED_MAX_BYTES - e->bytes) / 2 ||
                   (e->current && e->current->depth >= EMBEDDED_MAX_DEPTH - 1);
    if (is_full)
        e->has_unread |= !c->is_guess;
    else
        embedded_add(c, language, how, text, size, byte);
}

void embedded_unread(struct scan_ctx *c, uint8_t language, uint32_t byte)
{
    struct fact f = { .kind = FACT_FLOW,
                      .name = language == EMBEDDED_AWK ? "unread-language" : "unread",
                      .byte = byte };
    if (!c->embedded || c->is_guess)
        return;
    c->embedded->unread |= 1u << language;
    c->embedded->has_unread = true;
    (void)fact_emit(c, &f); /* when the bound is reached, scan_stop() says so, too */
}

/* ---- files ---- */

void embedded_file(struct scan_ctx *c, const char *path, size_t path_size, const char *text, size_t size, uint32_t byte,
                   bool is_more)
{
    struct embedded *e = c->embedded;
    char name[PATH_TEXT_MAX];
    if (!e || !path_size || !path_normalise(path, path_size, name))
        return;
    struct embedded_file *f = NULL;
    for (uint32_t i = 0; i < e->file_count && is_more; i++)
        if (str_eq(e->files[i].path, name))
            f = &e->files[i];
    if (f && text && f->text && f->size + size <= EMBEDDED_MAX_BYTES - e->file_bytes) { /* x >> file */
        char *both = arena_zero(&e->root->arena, f->size + size + 1);
        if (!both)
            return;
        memcpy(both, f->text, f->size);
        memcpy(both + f->size, text, size);
        e->file_bytes += f->size + (uint32_t)size;
        f->text = both;
        f->size += (uint32_t)size;
        return;
    }
    if (f) {
        f->text = NULL;
        return;
    }
    if (e->file_count == EMBEDDED_MAX_FILES || (text && size > EMBEDDED_MAX_BYTES - e->file_bytes)) {
        give_up(e, "more files written than a scan remembers");
        return;
    }
    uint32_t at = byte;
    bool is_here = text && !(e->current && e->current->has_lines_only) && find_text(c, text, size, byte, &at);
    e->files[e->file_count++] = (struct embedded_file){ .path = arena_copy(&e->root->arena, name),
                                                        .text = !text ? NULL
                                                                : is_here
                                                                    ? c->text + at
                                                                    : arena_copy_bytes(&e->root->arena, text, size),
                                                        .size = (uint32_t)size,
                                                        .byte = is_here ? at : byte,
                                                        .root_at = root_byte(e, byte),
                                                        .from = e->current };
    e->file_bytes += is_here || !text ? 0 : (uint32_t)size;
}

static void add_run(struct scan_ctx *c, const char *path, size_t path_size, uint8_t language, bool is_only_marked)
{
    struct embedded *e = c->embedded;
    char name[PATH_TEXT_MAX];
    if (!e || !path_size || e->run_count == EMBEDDED_MAX_RUNS || !path_normalise(path, path_size, name))
        return;
    for (uint32_t i = 0; i < e->run_count; i++)
        if (e->runs[i].language == language && e->runs[i].is_only_marked == is_only_marked &&
            e->runs[i].is_below_root == c->is_below_root && str_eq(e->runs[i].path, name))
            return;
    e->runs[e->run_count++] = (struct embedded_run){ .path = arena_copy(&e->root->arena, name),
                                                     .language = language,
                                                     .is_below_root = c->is_below_root,
                                                     .is_only_marked = is_only_marked };
}

void embedded_run(struct scan_ctx *c, const char *path, size_t path_size, uint8_t language)
{
    add_run(c, path, path_size, language, false);
}

void embedded_mark(struct scan_ctx *c, const char *path, size_t path_size)
{
    add_run(c, path, path_size, EMBEDDED_LANGUAGES, true);
}

void embedded_import(struct scan_ctx *c, uint8_t language, const char *name)
{
    char path[PATH_TEXT_MAX];
    size_t n = strlen(name);
    if (!c->embedded || n + 4 > sizeof path)
        return;
    memcpy(path, name, n + 1);
    if (language == LANG_PYTHON) {
        for (size_t i = 0; i < n; i++)
            if (path[i] == '.')
                path[i] = '/';
        memcpy(path + n, ".py", 4);
        n += 3;
    } else if (name[0] != '.' && name[0] != '/') {
        return;
    } else if (embedded_by_name(name, n) != LANG_NODE) {
        memcpy(path + n, ".js", 4);
        n += 3;
    }
    embedded_run(c, path, n, language);
}

/* Where the program stands when it runs a file is not known: work/x.py, ./x.py and /tmp/work/x.py may be the same. */
static bool is_same_path(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (a[0] == '*')
        return m >= n - 1 && str_eq(b + m - (n - 1), a + 1);
    if (n > m)
        return is_same_path(b, a);
    return str_eq(b + m - n, a) && (n == m || (a[0] != '/' && b[m - n - 1] == '/'));
}

static void run_file(struct embedded *e, struct embedded_file *f, const struct embedded_run *run)
{
    uint8_t language = run->language;
    if (!f->text) {
        if (f->from && f->from->is_guess)
            return;
        e->has_unread = true;
        scan_observe(e->root, "unread", f->root_at);
        return;
    }
    if (language == EMBEDDED_LANGUAGES)
        language = embedded_by_first_line(f->text, f->size);
    if (language == EMBEDDED_LANGUAGES)
        language = embedded_by_name(f->path, strlen(f->path));
    const struct embedded_program *outer = e->current;
    struct scan_ctx place = { .embedded = e,
                              .is_below_root = run->is_below_root,
                              .text = f->from ? f->from->text : e->root->ctx.text,
                              .size = f->from ? f->from->size : e->root->ctx.size };
    char how[64];
    (void)snprintf(how, sizeof how, "file %.40s, written", path_last(f->path));
    for (char *c = how; *c; c++) /* a name may be anything, or cut within a character, and reports are text */
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    e->current = f->from;
    embedded_add(&place, language == EMBEDDED_LANGUAGES ? LANG_BASH : language, how, f->text, f->size, f->byte);
    e->current = outer;
}

/* By its first line or its name: what is called helper.py or Makefile is run by somebody, sooner or later. */
static bool is_code(const struct embedded_file *f)
{
    return f->text && (embedded_by_first_line(f->text, f->size) != EMBEDDED_LANGUAGES ||
                       embedded_by_name(f->path, strlen(f->path)) != EMBEDDED_LANGUAGES);
}

/* Below another root: it is run in a chroot, and nowhere else; that it was made executable says nothing of that. */
static void queue_file(struct embedded *e, struct embedded_file *f)
{
    struct embedded_run all = { .path = NULL };
    bool is_run_here = false;
    for (uint32_t k = 0; k < e->run_count; k++) {
        const struct embedded_run *r = &e->runs[k];
        if (!is_same_path(r->path + (r->is_below_root && r->path[0] == '/'), f->path))
            continue;
        if (!all.path)
            all = *r;
        all.is_below_root |= r->is_below_root;
        is_run_here |= !r->is_below_root && !r->is_only_marked;
    }
    all.is_below_root &= !is_run_here;
    if (!all.path && is_code(f)) {
        all = (struct embedded_run){ .path = f->path, .language = EMBEDDED_LANGUAGES };
        if (e->program_count >= EMBEDDED_MAX_PROGRAMS / 2) { /* as embedded_perhaps() */
            e->has_unread = f->is_run = true;
            return;
        }
    }
    f->is_run = all.path != NULL;
    if (f->is_run)
        run_file(e, f, &all);
}

static void queue_files(struct embedded *e)
{
    for (uint32_t i = 0; i < e->file_count; i++)
        if (!e->files[i].is_run)
            queue_file(e, &e->files[i]);
}

const char *embedded_written(const struct scan_ctx *c, const char *path, size_t path_size, size_t *ret_size)
{
    char name[PATH_TEXT_MAX];
    if (!c->embedded || !path_size || !path_normalise(path, path_size, name))
        return NULL;
    for (uint32_t i = c->embedded->file_count; i-- > 0;)
        if (str_eq(c->embedded->files[i].path, name)) {
            *ret_size = c->embedded->files[i].size;
            return c->embedded->files[i].text;
        }
    return NULL;
}

/* ---- commands ---- */

static bool is_word(const struct embedded_word *w, const char *text)
{
    return w->text && w->size == strlen(text) && memcmp(w->text, text, w->size) == 0;
}

/* A word as a shell reads it. */
static void add_quoted(struct buf *b, const char *text, size_t size)
{
    bool is_plain = size > 0;
    for (size_t i = 0; i < size; i++)
        is_plain &= (text[i] >= '0' && text[i] <= '9') || ((text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'z') ||
                    (text[i] && strchr("-_./:=,+@%{}", text[i]));
    if (is_plain) {
        (void)buf_add(b, text, size);
        return;
    }
    (void)buf_addc(b, '\'');
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\'')
            (void)buf_adds(b, "'\\''");
        else if (text[i])
            (void)buf_addc(b, text[i]);
    (void)buf_addc(b, '\'');
}

/* The line of a shell that does the same; what is not known is {}, as in texts that are put together. */
static void add_line(struct scan_ctx *c, const struct embedded_word *words, unsigned count, const char *input,
                     size_t input_size, uint32_t byte)
{
    struct buf b;
    buf_init(&b, EMBEDDED_MAX_BYTES);
    for (unsigned i = 0; i < count; i++) {
        if (i)
            (void)buf_addc(&b, ' ');
        add_quoted(&b, words[i].text ? words[i].text : "{}", words[i].text ? words[i].size : 2);
    }
    if (input) {
        (void)buf_adds(&b, " <<'END_OF_INPUT'\n");
        (void)buf_add(&b, input, input_size);
        (void)buf_adds(&b, "\nEND_OF_INPUT\n");
    }
    if (!b.failed)
        embedded_perhaps(c, LANG_BASH, "command", arena_copy_bytes(c->arena, b.data, b.size), b.size, byte);
    buf_done(&b);
}

/* python3 -c TEXT, node x.js, bash with an input: words[at] is the interpreter. */
static void run_interpreter(struct scan_ctx *c, uint8_t language, const struct embedded_word *words, unsigned at,
                            unsigned count, const char *input, size_t input_size, uint32_t byte)
{
    for (at++; at < count; at++) {
        const struct embedded_word *w = &words[at];
        if (w->text && embedded_is_text_option(language, w->text, w->size)) {
            if (at + 1 < count && words[at + 1].text)
                embedded_add(c, language, w->text[1] == 'c' ? "-c text" : "-e text", words[at + 1].text,
                             words[at + 1].size, byte);
            else if (at + 1 < count)
                embedded_unread(c, language, byte);
            return;
        }
        if (!w->text || w->size < 2 || w->text[0] != '-')
            break;
        if (language == LANG_PYTHON && is_word(w, "-m") && at + 1 < count && words[at + 1].text) {
            embedded_import(c, language, arena_copy_bytes(c->arena, words[at + 1].text, words[at + 1].size));
            return;
        }
        at += embedded_is_valued_option(language, w->text, w->size);
    }
    bool is_awk_file = at < count && language == EMBEDDED_AWK && at > 1 && is_word(&words[at - 1], "-f");
    if (at < count && language == EMBEDDED_AWK && words[at].text && !is_awk_file)
        embedded_add(c, language, "program", words[at].text, words[at].size, byte);
    else if (at < count && !is_word(&words[at], "-"))
        embedded_run(c, words[at].text ? words[at].text : "", words[at].text ? words[at].size : 0, language);
    else if (input)
        embedded_add(c, language, "input", input, input_size, byte);
}

void embedded_command(struct scan_ctx *c, const struct embedded_word *words, unsigned count, const char *input,
                      size_t input_size, uint32_t byte)
{
    if (!c->embedded || !count || !words[0].text)
        return;
    uint8_t language = embedded_interpreter(words[0].text, words[0].size);
    if (language != EMBEDDED_LANGUAGES)
        run_interpreter(c, language, words, 0, count, input, input_size, byte);
    bool is_answered = language == LANG_BASH && input && count > 1 && words[1].text && words[1].text[0] != '-';
    if (language == EMBEDDED_LANGUAGES || is_answered) /* sh ask.sh <<E: its question is no question */
        add_line(c, words, count, input, input_size, byte);
}

/* ---- the scans ---- */

int embedded_begin(struct scan *root)
{
    root->ctx.embedded = arena_zero(&root->arena, sizeof *root->ctx.embedded);
    if (!root->ctx.embedded)
        return -ENOMEM;
    root->ctx.embedded->root = root;
    return 0;
}

static bool is_known(const struct scan *root, const struct rule *rule, uint32_t line)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < root->hit_count; i++) {
        if (!str_eq(root->hits[i].rule->name, rule->name))
            continue;
        if (++count == SCAN_RULE_MAX_FINDINGS || scan_line(root, root->hits[i].byte) == line)
            return true;
    }
    return false;
}

static uint32_t line_start(const struct embedded_program *p, uint32_t line)
{
    const char *at = p->text, *end = p->text + p->size, *next;
    for (; line > 1 && (next = memchr(at, '\n', (size_t)(end - at))); line--)
        at = next + 1;
    return (uint32_t)(MIN_OF(at, end - 1) - p->text);
}

static void take_hits(struct scan *root, struct scan *inner, const struct embedded_program *p)
{
    bool is_talk = talk_is_all(inner);
    for (uint32_t i = 0; i < inner->hit_count && root->hit_count < ARRAY_LEN(root->hits); i++) {
        struct scan_hit h = inner->hits[i];
        uint32_t line = scan_line(inner, h.byte);
        h.is_talk = is_talk && h.rule->is_talk;
        h.is_guess |= p->is_guess;
        uint32_t at = p->has_lines_only ? line_start(p, line) : h.byte;
        if (p->has_lines_only)
            h.text = "", h.text_at = 0;
        else
            h.text = arena_copy(&root->arena, scan_excerpt(inner, h.byte, &h.text_at));
        h.path = arena_printf(&root->arena, "%.*s, line %u", (int)EMBEDDED_MAX_PATH, p->path, line);
        h.byte = p->is_verbatim ? p->byte + at : p->byte;
        if (p->has_lines_only && p->is_verbatim)
            h.text = NULL; /* the line where it stands */
        if (is_known(root, h.rule, scan_line(root, h.byte)) || str_eq(h.rule->name, "scan-syntax-error"))
            continue;
        root->is_meant |= !h.is_talk && !h.is_guess && h.rule->severity > SEVERITY_INFO;
        root->hits[root->hit_count++] = h;
    }
}

/* Perl and its kin, as the Python that does the same. Its lines are theirs. */
static void scan_script(struct scan *root, struct scan *inner, struct embedded_program *p)
{
    struct buf python;
    uint64_t now = clock_cpu_us();
    struct embedded *e = root->ctx.embedded;
    struct ruleset *rules = ruleset_other(root->rules, LANG_PYTHON);
    script_as_python(p->language, p->text, p->size, &python);
    bool is_good = rules && python.data && now < root->ctx.deadline_us &&
                   scan_begin(inner, rules, python.data, python.size,
                              (uint32_t)((root->ctx.deadline_us - now) / 1000) + 1) == 0;
    if (is_good) {
        p->has_lines_only = true;
        inner->trace = root->trace;
        inner->ctx.embedded = e;
        inner->ctx.is_guess = p->is_guess;
        scan_syntax(inner);
        take_hits(root, inner, p);
        if (inner->why_cut)
            give_up(e, inner->why_cut);
        scan_done(inner);
    } else {
        give_up(e, "no time or memory for a program inside this program");
    }
    buf_done(&python);
}

static void scan_one(struct scan *root, struct embedded_program *p)
{
    static struct scan inner; /* one at a time */
    uint64_t now = clock_cpu_us();
    struct embedded *e = root->ctx.embedded;
    if (now >= root->ctx.deadline_us) {
        give_up(e, "the time for the scan was over");
        return;
    }
    if (!p->is_verbatim) /* what stands in the outermost program was read there */
        resemble_add(&root->rules->resemblance, &root->resembled, p->text, p->size, scan_comment(p->language), true,
                     p->byte);
    if (p->language >= EMBEDDED_FIRST_CARRIER) {
        struct scan_ctx place = { .embedded = e,
                                  .arena = &root->arena,
                                  .is_guess = p->is_guess,
                                  .is_below_root = p->is_below_root,
                                  .text = p->text,
                                  .size = p->size };
        e->current = p;
        carrier_unpack(&place, p->language, p->text, p->size);
        e->current = NULL;
        return;
    }
    const bool has_grammar = p->language < LANG_COUNT;
    struct ruleset *rules = ruleset_other(root->rules, has_grammar ? (enum language)p->language : LANG_PYTHON);
    if (!rules ||
        scan_begin(&inner, rules, p->text, p->size, (uint32_t)((root->ctx.deadline_us - now) / 1000) + 1) < 0) {
        give_up(e, "no memory for a program inside this program");
        return;
    }
    inner.trace = root->trace;
    inner.ctx.embedded = e;
    inner.ctx.is_guess = p->is_guess;
    inner.ctx.is_below_root = p->is_below_root;
    e->current = p;
    scan_text(&inner);
    if (has_grammar) {
        scan_syntax(&inner);
    } else if (p->language != EMBEDDED_AWK) { /* of awk all is known that can do something */
        e->has_unread |= !p->is_guess;
        scan_observe(&inner, "unread-language", 0);
    }
    take_hits(root, &inner, p);
    if (inner.why_cut)
        give_up(e, inner.why_cut);
    scan_done(&inner);
    if (!has_grammar && p->language != EMBEDDED_UNKNOWN)
        scan_script(root, &inner, p);
    e->current = NULL;
    pattern_set_deadline(root->ctx.deadline_us);
}

void embedded_scan(struct scan *root)
{
    struct embedded *e = root->ctx.embedded;
    if (e)
        queue_files(e);
    while (e && e->next < e->program_count) {
        scan_one(root, &e->programs[e->next++]);
        queue_files(e);
    }
}
