#include "cli/wrap.h"

#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>
#include "base/io.h"
#include "base/path.h"
#include "cli/review.h"
#include "plan/plan.h"

#define TIMEOUT_MS (UINT64_C(24) * 3600 * 1000) /* a person's tool ends when the person is done */

struct wrap {
    struct guards guards;
    struct arena *arena;
    struct strlist writable; /* as guards have them: from the project */
    struct review *review;   /* NULL: the tool works in the project itself */
    uint32_t volume;         /* which of the options' is the project */
    const char *project;     /* on the host and inside */
    const char *here;        /* the current directory, without links */
    bool has_begun;          /* the guards are there: the tool may have run */
};

/* Not only by HOME, which a caller may have set to something else. */
static const char *own_home(void)
{
    const struct passwd *pw = getpwuid(getuid());
    return pw ? pw->pw_dir : NULL;
}

static int refuse_home(const char *project, struct error *err)
{
    const char *homes[] = { getenv("HOME"), own_home() };
    char real[PATH_MAX];
    for (size_t i = 0; i < ARRAY_LEN(homes); i++) {
        if (!homes[i] || !realpath(homes[i], real) || str_eq(real, "/") || !path_is_within(real, project))
            continue;
        (void)err_set(err, -EACCES, BLAME_CALLER, NULL,
                      "the project %s is or holds your home directory: the tool would have your keys and settings",
                      project);
        return err_remedy(err, "go into the project's own directory, or name it: --project DIR");
    }
    return 0;
}

static int find_project(struct wrap *w, const struct options *o, struct error *err)
{
    char real[PATH_MAX];
    if (!realpath(".", real))
        return err_set(err, -errno, BLAME_CALLER, NULL, "the current directory: %m");
    w->here = arena_copy(w->arena, real);
    if (!realpath(o->wrap.project ? o->wrap.project : ".", real))
        return err_set(err, -errno, BLAME_CALLER, NULL, "--project %s: %m", o->wrap.project);
    w->project = arena_copy(w->arena, real);
    if (str_eq(real, "/"))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--project /: not the whole machine");
    if (strlen(real) > 500)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, NULL, "--project: a path of more than 500 characters");
    return refuse_home(real, err);
}

/* A word of the user's becomes a path from the project; it need not exist. */
static const char *from_project(const struct wrap *w, const char *option, const char *path, struct error *err)
{
    char folded[PATH_MAX];
    const char *whole = path[0] == '/' ? path : arena_printf(w->arena, "%s/%s", w->here, path);
    const size_t n = strlen(w->project);
    if (*path && path_fold(whole, strlen(whole), folded, sizeof folded) && path_is_within(folded, w->project) &&
        folded[n])
        return arena_copy(w->arena, folded + n + 1);
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s %s: does not lie below the project %s", option, path,
                  w->project);
    return NULL;
}

static int read_writable(struct wrap *w, const struct options *o, struct error *err)
{
    STRLIST_FOREACH(word, &o->wrap.writable)
    {
        const char *path = from_project(w, "--writable", word, err);
        if (!path)
            return err->code;
        if (strlist_add(&w->writable, path) < 0)
            return err_set(err, -E2BIG, BLAME_CALLER, NULL, "--writable: too many");
        if (guards_cover(path, &(struct strlist){ 0 }) && !guards_have(path)) {
            (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                          "--writable %s: it is kept read-only as a whole, by one above", word);
            return err_remedy(err, "name that one: docs/wrap.md has the list");
        }
    }
    return 0;
}

/* ./configure means the one here; a plain name is looked for inside. */
static int read_command(const struct wrap *w, struct options *o, struct error *err)
{
    struct strlist words = { 0 };
    const char *first = strlist_first(&o->command);
    if (!first)
        return err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "name a command behind --"), err),
                          "for example: sandbox-agent wrap -- make");
    if (o->has_language || o->code || o->code_word || o->file_words.count || o->output_dir)
        return err_set(
            err, -EINVAL, BLAME_CALLER, NULL,
            "wrap runs a command: --language, --code, -c, --file and --output-dir are for sandbox-agent run");
    if (first[0] == '/' || !strchr(first, '/'))
        return 0;
    STRLIST_FOREACH(word, &o->command)
    {
        int e = word == first ? strlist_addf(&words, "%s/%s", w->here, word) : strlist_add(&words, word);
        if (e < 0) {
            strlist_done(&words);
            return err_set(err, e, BLAME_CALLER, NULL, "the command exceeds %u bytes", STRLIST_MAX_BYTES);
        }
    }
    strlist_done(&o->command);
    o->command = words;
    return 0;
}

static void take_defaults(const struct wrap *w, struct options *o)
{
    if (!o->has_level && !o->profile) {
        o->has_level = true;
        o->risk_level = RISK_LOW;
    }
    if (!o->limits[LIMIT_OF_TIMEOUT].is_set && !o->profile)
        o->limits[LIMIT_OF_TIMEOUT] = (struct limit_asked){ .is_set = true, .value = TIMEOUT_MS };
    if (!o->workdir)
        o->workdir = path_is_within(w->here, w->project) ? w->here : w->project;
    if (!o->has_terminal && !o->json && !o->stdin_file && !o->dry_run)
        o->has_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

static int check_review(const struct options *o, struct error *err)
{
    static const char *const words[] = { "ask", "keep", "drop", NULL };
    const char *how = o->wrap.review;
    if (!how)
        return 0;
    if (!str_is_one_of(how, words))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--review %s: accepted are ask, keep and drop", how);
    cleanup(closep) int tty = str_eq(how, "ask") ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;
    if (tty >= 0 || !str_eq(how, "ask"))
        return 0;
    return err_remedy((err_set(err, -ENOTTY, BLAME_CALLER, NULL, "--review: there is no terminal to ask at"), err),
                      "take --review=keep or --review=drop");
}

static int add_volume(struct wrap *w, struct options *o, struct error *err)
{
    if (o->volume_count == REQUEST_MAX_VOLUMES)
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "the project and at most %u volumes", REQUEST_MAX_VOLUMES - 1);
    w->volume = o->volume_count;
    o->volumes[o->volume_count++] = (struct request_volume){ .host = w->project,
                                                             .inside = w->project,
                                                             .is_writable = true };
    return 0;
}

int wrap_words(struct options *o, struct arena *a, struct wrap **ret, struct error *err)
{
    struct wrap *w = o->is_wrap ? arena_zero(a, sizeof *w) : NULL;
    *ret = w;
    if (!o->is_wrap || o->help)
        return 0;
    if (!w)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    w->arena = a;
    w->guards.dir = -1;
    int e = find_project(w, o, err);
    if (e == 0)
        e = read_writable(w, o, err);
    if (e == 0)
        e = read_command(w, o, err);
    if (e == 0)
        e = check_review(o, err);
    if (e == 0)
        e = add_volume(w, o, err);
    if (e == 0)
        take_defaults(w, o);
    return e;
}

static int add_asked(struct wrap *w, char kind, const char *option, const struct strlist *words, struct error *err)
{
    STRLIST_FOREACH(word, words)
    {
        const char *path = from_project(w, option, word, err);
        int e = path ? guards_add(&w->guards, kind, path, err) : err->code;
        if (e < 0)
            return e;
    }
    return 0;
}

static void add_quoted(struct buf *b, const char *key, const char *value)
{
    if (!value || strchr(value, '\n'))
        return;
    (void)buf_addf(b, "\t%s = \"", key);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            (void)buf_addc(b, '\\');
        (void)buf_addc(b, *value);
    }
    (void)buf_adds(b, "\"\n");
}

/* So that the tool can commit: who the person is, which every commit says. Nothing else of their configuration. As the
 * system's it gives way to whatever the tool or a repository says. */
static const char *git_config_of(const struct wrap *w)
{
    struct buf b;
    const char *text = NULL;
    buf_init(&b, 4 * KIB);
    (void)buf_adds(&b, "[user]\n");
    add_quoted(&b, "name", w->guards.user_name);
    add_quoted(&b, "email", w->guards.user_email);
    if (!b.failed && (w->guards.user_name || w->guards.user_email))
        text = arena_copy(w->arena, b.data);
    buf_done(&b);
    return text;
}

int wrap_begin(struct wrap *w, struct options *o, struct error *err)
{
    if (!w)
        return 0;
    if (o->wrap.review && !o->dry_run && review_begin(o->wrap.review, w->project, w->arena, &w->review, err) < 0)
        return err->code;
    if (w->review)
        o->volumes[w->volume].host = review_copy(w->review);
    int dir = open(o->volumes[w->volume].host, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--project %s: %m", w->project);
    w->guards.arena = w->arena;
    w->guards.project = w->project;
    w->guards.writable = &w->writable;
    w->guards.missing = &o->missing;
    w->guards.is_dry = o->dry_run;
    int e = guards_begin(&w->guards, dir, err);
    if (e == 0)
        e = guards_make(&w->guards, err);
    if (e == 0)
        e = add_asked(w, GUARD_READ_ONLY, "--read-only", &o->wrap.read_only, err);
    if (e == 0)
        e = add_asked(w, GUARD_HIDE, "--hide", &o->wrap.hidden, err);
    if (e == 0)
        e = guards_words(&w->guards, w->project, &o->guards, err);
    o->git_config = git_config_of(w);
    w->has_begun = e == 0;
    return e;
}

bool wrap_end(struct wrap *w, bool has_run)
{
    static const char unsaid[] = "sandbox-agent: wrap: more was found than could be said: look before you run git in "
                                 "the project\n";
    struct buf words;
    if (!w)
        return true;
    buf_init(&words, GUARDS_SAID_MAX);
    if (w->has_begun && !w->review) /* a review applies nothing of what is looked for */
        guards_look(&w->guards, &words);
    guards_end(&w->guards, &words);
    (void)write_all(STDERR_FILENO, words.data, words.size);
    if (words.failed) /* no memory */
        (void)write_all(STDERR_FILENO, unsaid, sizeof unsaid - 1);
    buf_done(&words);
    const bool is_whole = review_end(w->review, has_run, &w->writable);
    w->review = NULL;
    strlist_done(&w->writable);
    return is_whole;
}

int wrap_translate(const struct options *o, const struct paths *p, struct arena *a, int argc, char **argv,
                   struct error *err)
{
    static const char option[] = "--srt-settings";
    if (!o->wrap.srt_settings || o->help)
        return 0;
    const char *program = arena_printf(a, "%s/sandbox-policy", p->libexec);
    char **words = arena_zero(a, ((size_t)argc + 5) * sizeof *words);
    size_t n = 0;
    if (!words)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    words[n++] = (char *)"sandbox-agent";
    words[n++] = (char *)"srt";
    words[n++] = (char *)o->wrap.srt_settings;
    words[n++] = (char *)(o->wrap.project ? o->wrap.project : ".");
    bool is_over = false;
    for (int i = 0; i < argc; i++) {
        is_over |= str_eq(argv[i], "--");
        if (is_over || !str_starts(argv[i], option))
            words[n++] = argv[i];
        else if (!argv[i][sizeof option - 1])
            i++;
    }
    (void)execv(program, words);
    return err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", program);
}
