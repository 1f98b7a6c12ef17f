#include "plan/park.h"

#include <stdio.h>
#include "plan/lang.h"

/* Names that the loader, the C library or the interpreter read at their start: told later they would come too late. */
static const char *const early_names[] = { "LD_",    "LC_",      "LANG", "TZ=",   "MALLOC_",
                                           "GLIBC_", "PYTHON",   "UV_",  "HOME=", "TMPDIR=",
                                           "PATH=",  "OPENSSL_", "SSL_", "NODE_", NULL };

/* What bash itself makes something of (bash(1), «Shell Variables»). */
static const char *const bash_names[] = {
    "BASH",       "CHILD_MAX=", "COMP_",       "COMPREPLY",  "COPROC",    "COLUMNS=", "DIRSTACK",     "EMACS",
    "ENV=",       "EPOCH",      "EUID=",       "EXECIGNORE", "FCEDIT=",   "FIGNORE=", "FUNCN",        "GLOBIGNORE=",
    "GROUPS",     "HIST",       "HOSTFILE=",   "HOSTNAME=",  "HOSTTYPE=", "IFS=",     "IGNOREEOF",    "INSIDE_EMACS=",
    "LINENO=",    "LINES=",     "MACHTYPE=",   "MAIL",       "MAPFILE",   "OLDPWD=",  "OPT",          "OSTYPE=",
    "PIPESTATUS", "POSIX",      "PPID=",       "PROMPT_",    "PS0=",      "PS1=",     "PS2=",         "PS3=",
    "PS4=",       "PWD=",       "RANDOM=",     "READLINE_",  "REPLY=",    "SECONDS=", "SHELL=",       "SHELLOPTS=",
    "SHLVL=",     "SRANDOM=",   "TIMEFORMAT=", "TMOUT=",     "UID=",      "_=",       "auto_resume=", "histchars=",
    NULL
};

static bool has_prefix(const char *pair, const char *const *names)
{
    for (; *names; names++)
        if (str_starts(pair, *names))
            return true;
    return false;
}

/* May the program be told of this variable after its interpreter has started? */
static bool may_be_late(enum language lang, const char *pair)
{
    if (has_prefix(pair, early_names))
        return false;
    return lang != LANG_BASH || !has_prefix(pair, bash_names);
}

static bool is_parkable(const struct run_request *r, const struct plan *p)
{
    if (p->is_container || r->language > LANG_BASH || r->file_count || r->volume_count || r->packages.name ||
        p->job.artifact)
        return false;
    STRLIST_FOREACH(pair, &r->env)
    {
        if (!may_be_late(r->language, pair))
            return false;
    }
    return true;
}

/* The guard comes with the instance, everything else of /code and the decoys with the work. */
static bool make_late(struct job *j)
{
    uint32_t late = 0;
    for (uint32_t i = 1; i < j->file_count; i++) {
        j->files[i].is_late = true;
        j->files[i].offset = j->files[i].size = 0;
        late++;
    }
    return late <= WORK_MAX_LATE;
}

/* Where nothing is refused the cold run has no guard. */
static bool add_guard(const struct compiled *c, enum language lang, struct plan *p, struct arena *a)
{
    struct job *j = &p->job;
    if (p->guard.size)
        return true;
    if (compiled_park(c, lang, &p->guard) < 0 || !p->guard.size || j->file_count >= PLAN_MAX_FILES)
        return false;
    for (uint32_t i = j->file_count++; i > 0; i--)
        j->files[i] = j->files[i - 1];
    j->files[0] = (struct plan_file){ .path = arena_printf(a, "/code/%s", lang_driver(lang)->guard_file),
                                      .size = p->guard.size,
                                      .mode = 0444 };
    return true;
}

/* The program's name, and what its driver says without a guard or without a program, with some words of ours before the
 * last one or behind it. */
static int set_words(struct job *j, const struct strlist *flags, bool are_before_last, const char *const *ours)
{
    int r = strlist_add(&j->argv, j->program);
    uint32_t left = flags->count;
    STRLIST_FOREACH(word, flags)
    {
        for (const char *const *w = ours; are_before_last && left == 1 && r == 0 && *w; w++)
            r = strlist_add(&j->argv, *w);
        if (r == 0)
            r = strlist_add(&j->argv, word);
        left--;
    }
    for (const char *const *w = ours; !are_before_last && r == 0 && *w; w++)
        r = strlist_add(&j->argv, *w);
    return r;
}

static int set_arguments(const struct compiled *c, enum language lang, struct job *j, bool is_guarded, struct arena *a)
{
    const char *const guard = j->files[0].path, *const code = j->files[1].path;
    const char *const python[] = { "--parked", arena_printf(a, "%u", PARK_FD), code, NULL };
    const char *const node[] = { "--require", guard, NULL };
    const bool is_python = lang == LANG_PYTHON;
    struct strlist flags = { 0 };
    if (!is_python && (lang == LANG_BASH || is_guarded))
        return 0; /* as cold */
    strlist_done(&j->argv);
    int r = lang_driver(lang)->arguments(&c->profile, 0, is_python ? guard : NULL, is_python ? NULL : code, &flags, a);
    if (r == 0)
        r = set_words(j, &flags, !is_python, is_python ? python : node);
    strlist_done(&flags);
    return r;
}

/* What python reads at its start: itself, and directories whose times change when packages do. What it is to import
 * beforehand is looked at by itself: an upgrade changes the package's own directory. */
static const char *python_stamp(const char *program, const struct strlist *modules, struct arena *a)
{
    const char *stamp = lang_compiler_stamp(program, a), *name = program + strlen("/usr/bin/");
    const char *const places[] = { arena_printf(a, "/usr/lib/%.32s", name), "/usr/lib/python3/dist-packages",
                                   arena_printf(a, "/usr/local/lib/%.32s/dist-packages", name) };
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        stamp = arena_printf(a, "%s %s", stamp, lang_compiler_stamp(places[i], a));
        STRLIST_FOREACH(module, modules)
        {
            const char *file = arena_printf(a, "%s/%.*s", places[i], (int)strcspn(module, "."), module);
            stamp = arena_printf(a, "%s%s%s", stamp, lang_compiler_stamp(file, a),
                                 lang_compiler_stamp(arena_printf(a, "%s.py", file), a));
        }
    }
    return stamp;
}

/* They are the guard's last line (tool/compile.c). NULL: it has none there. */
static const char *rules_of(const struct bytes *guard, struct arena *a)
{
    static const char mark[] = "\n#RULES ";
    const char *at = NULL, *start = guard->data, *end = start + guard->size;
    for (const char *p = start; (p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1)); at = p)
        p += sizeof mark - 1;
    return at && (size_t)(end - at) < TEMPLATE_RULES_MAX ? arena_copy_bytes(a, at, (size_t)(end - at)) : NULL;
}

/* Python at low and medium: its program is forked. At high each is executed, with a layout of its own. */
static int set_template(const struct compiled *c, const struct job *j, const struct bytes *guard, struct shape *s,
                        struct arena *a)
{
    int r = 0;
    if (c->profile.risk_level == RISK_HIGH || !s->no_new_privs || s->keep_caps ||
        !str_starts(j->program, "/usr/bin/python3"))
        return 0;
    STRLIST_FOREACH(word, &j->argv)
    {
        if (r == 0)
            r = strlist_add(&s->template_argv, word);
    }
    STRLIST_FOREACH(pair, &j->env)
    {
        if (r == 0)
            r = strlist_add(&s->template_env, pair);
    }
    STRLIST_FOREACH(module, &c->config.languages[LANG_PYTHON].preload)
    {
        if (r == 0)
            r = strlist_add(&s->template_modules, module);
    }
    s->template_stamp = python_stamp(j->program, &s->template_modules, a);
    s->template_rules = rules_of(guard, a);
    return r;
}

static int set_environment(enum language lang, struct job *j, bool is_guarded)
{
    const struct lang_driver *d = lang_driver(lang);
    int r = 0;
    if (lang == LANG_PYTHON) /* has it among its arguments */
        return 0;
    if (d->guard_env && !is_guarded)
        r = strlist_addf(&j->env, "%s=%s", d->guard_env, j->files[0].path);
    return r < 0 ? r : strlist_addf(&j->env, PARK_VARIABLE "=%u", PARK_FD);
}

/* The plan of a run becomes that of an instance. */
static int make_park(const struct compiled *c, enum language lang, struct plan *p, struct arena *a)
{
    struct job *j = &p->job;
    const bool is_guarded = p->guard.size;
    if (!add_guard(c, lang, p, a) || !make_late(j))
        return -ENOTSUP;
    int r = set_arguments(c, lang, j, is_guarded, a);
    if (r == 0)
        r = set_environment(lang, j, is_guarded);
    if (r == 0 && lang == LANG_PYTHON)
        r = set_template(c, j, &p->guard, &p->shape, a);
    if (r < 0 || a->failed)
        return -ENOTSUP;
    j->timeout_ms = 1; /* the work says how long */
    j->grace_ms = 0;
    j->may_reuse = true;
    j->park_fd = PARK_FD;
    return 0;
}

int plan_park(const struct compiled *c, const struct run_request *r, const struct plan *p, struct arena *a,
              struct plan *ret, struct error *err)
{
    struct run_request bare = *r;
    *ret = (struct plan){ 0 };
    if (!is_parkable(r, p))
        return 0;
    bare.env = bare.command = (struct strlist){ 0 };
    bare.code_size = 0;
    int e = plan_build_like(c, &bare, "parked", p, a, ret, err);
    if (e == 0)
        e = make_park(c, r->language, ret, a);
    if (e < 0) {
        plan_done(ret);
        *ret = (struct plan){ 0 };
        return 0;
    }
    return 1;
}

/* --- the note --------------------------------------------------------------------------------------------- */

static void add_words(struct buf *out, const struct strlist *words)
{
    STRLIST_FOREACH(word, words)
    {
        (void)buf_add(out, word, strlen(word) + 1);
    }
}

/* For python and node: the number of arguments, the arguments, the environment, each ended by NUL. */
static void put_words(struct buf *out, const struct run_request *r)
{
    char count[16];
    (void)snprintf(count, sizeof count, "%u", r->command.count);
    (void)buf_add(out, count, strlen(count) + 1);
    add_words(out, &r->command);
    add_words(out, &r->env);
}

static void put_quoted(struct buf *out, const char *word)
{
    (void)buf_addc(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            (void)buf_adds(out, "'\\'");
        (void)buf_addc(out, *word);
    }
    (void)buf_addc(out, '\'');
}

/* For bash, which cannot take NUL: words that it evaluates. A variable's name is letters, digits and _ (load.c). */
static void put_script(struct buf *out, const struct run_request *r)
{
    (void)buf_adds(out, "SECONDS=0\nset --");
    STRLIST_FOREACH(word, &r->command)
    {
        (void)buf_addc(out, ' ');
        put_quoted(out, word);
    }
    STRLIST_FOREACH(pair, &r->env)
    {
        const int n = (int)strcspn(pair, "=");
        (void)buf_addf(out, "\nexport %.*s=", n, pair);
        put_quoted(out, pair + n + 1);
    }
    (void)buf_addc(out, '\n');
}

int plan_work(const struct run_request *r, const struct plan *p, struct buf *note, struct work *ret)
{
    const struct job *j = &p->job;
    const uint32_t first = p->guard.size ? 1 : 0;
    *ret = (struct work){ .timeout_ms = j->timeout_ms, .grace_ms = j->grace_ms, .file_count = j->file_count - first };
    memcpy(ret->files, j->files + first, ret->file_count * sizeof ret->files[0]);
    struct buf text;
    buf_init(&text, PLAN_MAX_MESSAGE);
    (r->language == LANG_BASH ? put_script : put_words)(&text, r);
    (void)buf_addf(note, "%zu\n", text.size);
    (void)buf_add(note, text.data, text.size);
    note->failed |= text.failed;
    buf_done(&text);
    ret->note = (struct bytes){ note->data, (uint32_t)note->size };
    return note->failed ? -E2BIG : 0;
}
