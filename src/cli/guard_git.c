/* guard_git.c - what git would execute later of a project: hooks, and what its configuration names.
 *
 * A repository's own configuration is a guarded place. What it says is read, with what it includes and with the user's
 * and the system's, since each may name a directory of hooks, a further file or a program in the project: those are
 * guarded, too. A value is not understood but searched: each of its words that is a file of the project is guarded.
 */
#include "cli/guard_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include "base/io.h"
#include "base/path.h"
#include "cli/git_config.h"

#define CONFIG_MAX   (256u * KIB)
#define INCLUDES_MAX 10u /* below each other, as git has it */

/* Of a git directory. A commondir moves configuration and hooks elsewhere (gitrepository-layout(5)); «.» is what git
 * does without one. */
static const struct git_place {
    const char *name, *made;
} git_places[] = { { "hooks", guard_directory }, { "config", "" }, { "config.worktree", "" }, { "commondir", ".\n" } };

static bool is_git_place(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(git_places); i++)
        if (strlen(git_places[i].name) == n && strncmp(git_places[i].name, name, n) == 0)
            return true;
    return false;
}

/* A rebase that is under way executes what its todo says. */
bool guards_cover_git(const char *path)
{
    const bool is_of_many = str_starts(path, "modules/") || str_starts(path, "worktrees/");
    for (const char *part = path; part; part = part[strcspn(part, "/")] ? strchr(part, '/') + 1 : NULL)
        if ((part == path || is_of_many) &&
            (is_git_place(part, strcspn(part, "/")) || path_is_within(part, "rebase-merge")))
            return true;
    return false;
}

static bool has_file(const struct guards *g, const char *path, const char *name)
{
    cleanup(closep) int fd = open_beneath(g->dir, arena_printf(g->arena, "%s%s%s", path, *path ? "/" : "", name),
                                          O_PATH | O_NOFOLLOW);
    return fd >= 0;
}

/* --- what a configuration names ------------------------------------------------------------------- */

struct config {
    struct guards *g;
    struct error *err;
    const char *dir;  /* of the file: what it includes is named from there. Absolute */
    const char *tree; /* from where programs and hooks are named: the work tree. Absolute */
    unsigned depth;   /* of includes */
    enum user_of {
        NOT_USERS, /* a repository's, or what does not count here */
        MAYBE_USERS,
        USERS, /* or the system's */
    } user;
};

/* What an absolute path names, from the project, by whatever links outside of it; NULL: nothing in it. By text from
 * there on: a link in the project is not followed but refused later. */
static const char *below_project(const struct guards *g, char *path)
{
    char real[PATH_MAX];
    const size_t n = strlen(g->project);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_in = realpath(path, real) && path_is_within(real, g->project);
        *slash = '/';
        if (is_in)
            return real[n] ? arena_printf(g->arena, "%s%s", real + n + 1, slash) : arena_copy(g->arena, slash + 1);
    }
    return NULL;
}

/* As git reads a path: from the root, from the home directory, or from dir. Folded; false: none. */
static bool full_path(const struct guards *g, const char *value, const char *dir, char ret[static PATH_MAX])
{
    const char *home = getenv("HOME");
    const char *text = *value == '/'                     ? value
                       : home && str_starts(value, "~/") ? arena_printf(g->arena, "%s%s", home, value + 1)
                                                         : arena_printf(g->arena, "%s/%s", dir, value);
    return path_fold(text, strlen(text), ret, PATH_MAX);
}

/* Only what lies in the project needs a guard: nothing else of it is visible. */
static const char *named_place(const struct guards *g, const char *value, const char *dir)
{
    char path[PATH_MAX];
    const char *place = *value && full_path(g, value, dir, path) ? below_project(g, path) : NULL;
    return place && *place ? place : NULL;
}

static int read_config(const struct config *c, const char *path, bool is_needed);

/* Whether the condition of an includeIf holds for the project, of which «gitdir:» of a directory is understood: people
 * have an address for what lies in one, and another elsewhere. What it includes is guarded in any case. */
static enum user_of user_of_include(const struct config *c, const struct git_setting *s)
{
    char path[PATH_MAX], real[PATH_MAX];
    const bool has_case = str_starts(s->of, "gitdir:");
    const char *pattern = s->of + strlen(has_case ? "gitdir:" : "gitdir/i:");
    if (c->user != USERS || str_eq(s->section, "include"))
        return c->user;
    if ((!has_case && !str_starts(s->of, "gitdir/i:")) || strpbrk(pattern, "*?[\\") ||
        !(*pattern == '/' || str_starts(pattern, "~/") || str_starts(pattern, "./")) ||
        !full_path(c->g, pattern, c->dir, path))
        return MAYBE_USERS;
    const char *dir = realpath(path, real) ? real : path, *git = arena_printf(c->g->arena, "%s/.git", c->tree);
    const size_t n = strlen(dir);
    const bool is_below = pattern[strlen(pattern) - 1] == '/' && (git[n] == '/' || n == 1);
    return (has_case ? strncmp(git, dir, n) : strncasecmp(git, dir, n)) == 0 && (is_below || !git[n]) ? USERS
                                                                                                      : NOT_USERS;
}

/* Also one that does not exist: git takes it as soon as it does. */
static int guard_include(const struct config *c, const struct git_setting *s)
{
    char path[PATH_MAX];
    const char *value = s->value;
    const char *place = named_place(c->g, value, c->dir);
    int e = place ? guard_add_below(c->g, GUARD_READ_ONLY, place, "", c->err) : 0;
    if (e < 0 || c->depth >= INCLUDES_MAX || !full_path(c->g, value, c->dir, path))
        return e;
    const char *dir = arena_copy_bytes(c->g->arena, path, (size_t)(path_last(path) - path));
    const struct config inner = { c->g, c->err, dir, c->tree, c->depth + 1, user_of_include(c, s) };
    return read_config(&inner,
                       place ? arena_printf(c->g->arena, "%s/%s", c->g->project, place) : arena_copy(c->g->arena, path),
                       false);
}

static int guard_program(const struct config *c, const char *place)
{
    struct stat st;
    cleanup(closep) int fd = open_beneath(c->g->dir, place, O_PATH | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &st) < 0 || S_ISDIR(st.st_mode))
        return 0;
    if (S_ISREG(st.st_mode))
        return guard_add_below(c->g, GUARD_READ_ONLY, place, NULL, c->err);
    return strlist_addf(c->g->missing, "guard: git's configuration names %s, which is no file: it is not guarded",
                        place) < 0
               ? guard_unsaid(c->err)
               : 0;
}

/* «!sh -c 'tools/clean --all'»: whatever of it is a file. */
static int guard_words(const struct config *c, const char *value)
{
    static const char between[] = " \t\n'\"`;&|()<>=!${},:";
    int e = 0;
    while (e == 0 && *(value += strspn(value, between))) {
        const size_t n = strcspn(value, between);
        const char *place = named_place(c->g, arena_copy_bytes(c->g->arena, value, n), c->tree);
        e = place ? guard_program(c, place) : 0;
        value += n;
    }
    return e;
}

/* Values that are no programs, although they may be names of files: tools write those. */
static bool is_text(const struct git_setting *s)
{
    static const char *const keys[] = { "excludesfile",   "attributesfile", "template",
                                        "ignorerevsfile", "description",    "worktree",
                                        "signingkey",     "file",           NULL };
    return git_setting_is_plain(s) || str_is_one_of(s->key, keys) || (str_eq(s->section, "alias") && *s->value != '!');
}

static void note_user(const struct config *c, const struct git_setting *s)
{
    if (c->user == NOT_USERS || !str_eq(s->section, "user") || !str_eq(c->tree, c->g->project))
        return; /* of a repository further down it may be another */
    const char **place = str_eq(s->key, "name") ? &c->g->user_name : str_eq(s->key, "email") ? &c->g->user_email : NULL;
    if (place)
        *place = c->user == USERS ? arena_copy(c->g->arena, s->value) : NULL;
}

static int guard_setting(void *context, const struct git_setting *s)
{
    const struct config *c = context;
    note_user(c, s);
    if (str_starts(s->section, "include") && str_eq(s->key, "path"))
        return guard_include(c, s);
    if (!str_eq(s->section, "core") || !str_eq(s->key, "hookspath"))
        return is_text(s) ? 0 : guard_words(c, s->value);
    const char *place = named_place(c->g, s->value, c->tree);
    return place ? guard_add_below(c->g, GUARD_READ_ONLY, place, guard_directory, c->err) : 0;
}

/* What the project's names cannot be passed over: hooks could be where nothing guards them. path: absolute. */
static int read_config(const struct config *c, const char *path, bool is_needed)
{
    struct buf b;
    struct guards *g = c->g;
    const char *place = path_is_within(path, g->project) ? path + strlen(g->project) + 1 : NULL;
    int fd = place ? open_beneath(g->dir, place, O_RDONLY | O_NONBLOCK) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    buf_init(&b, CONFIG_MAX);
    int failed = fd < 0 ? -errno : read_open_file(fd, &b);
    int e = failed < 0 ? 0 : git_config_read(b.data ? b.data : "", b.size, guard_setting, (void *)c);
    if (!c->err->code && (e == -EBADMSG || e == -EMSGSIZE)) /* its own */
        failed = e, e = 0;
    if (failed < 0 && failed != -ENOENT && failed != -ENOTDIR && is_needed && !guards_may_write(place, g->writable))
        e = guard_failed(place, failed, "read what it names", c->err);
    else if (failed < 0 && failed != -ENOENT && failed != -ENOTDIR && !is_needed &&
             strlist_addf(g->missing, "guard: %s cannot be read: what it names is not guarded", path) < 0)
        e = guard_unsaid(c->err);
    buf_done(&b);
    closep(&fd);
    return e;
}

/* git: from the project; tree: the work tree, absolute, or NULL: there is none. */
static int read_own(struct guards *g, const char *git, const char *tree, struct error *err)
{
    const char *dir = arena_printf(g->arena, "%s%s%s", g->project, *git ? "/" : "", git);
    const struct config c = { g, err, dir, tree ? tree : dir, 0, NOT_USERS };
    int e = read_config(&c, arena_printf(g->arena, "%s/config", dir), true);
    return e < 0 ? e : read_config(&c, arena_printf(g->arena, "%s/config.worktree", dir), true);
}

/* The user's and the system's, with what they name from this work tree. */
static int read_users(struct guards *g, const char *tree, struct error *err)
{
    const char *home = getenv("HOME"), *own = getenv("XDG_CONFIG_HOME"), *named = getenv("GIT_CONFIG_GLOBAL");
    const char *const paths[] = {
        "/etc/gitconfig", /* in git's order: the last one wins */
        named         ? named
        : own && *own ? arena_printf(g->arena, "%s/git/config", own)
        : home        ? arena_printf(g->arena, "%s/.config/git/config", home)
                      : NULL,
        named || !home ? NULL : arena_printf(g->arena, "%s/.gitconfig", home),
    };
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(paths) && e == 0; i++) {
        if (!paths[i] || paths[i][0] != '/')
            continue;
        const char *dir = arena_copy_bytes(g->arena, paths[i], (size_t)(path_last(paths[i]) - paths[i]));
        const struct config c = { g, err, dir, tree, 1, USERS };
        e = read_config(&c, paths[i], false);
    }
    return e;
}

/* --- repositories --------------------------------------------------------------------------------- */

static void note_git(struct guards *g, const char *path)
{
    g->is_bare |= !*path;
    for (uint32_t i = 0; i < g->count; i++)
        g->list[i].is_git |= str_eq(g->list[i].path, path);
}

/* path: from the project; "" is itself one. tree: as of read_own(). */
static int guard_git_directory(struct guards *g, const char *path, const char *tree, struct error *err)
{
    int e = *path ? guard_add(g, GUARD_PIN, path, NULL, err) : 0;
    note_git(g, path);
    for (size_t i = 0; i < ARRAY_LEN(git_places) && e == 0; i++)
        e = guard_add(g, GUARD_READ_ONLY, arena_printf(g->arena, "%s%s%s", path, *path ? "/" : "", git_places[i].name),
                      git_places[i].made, err);
    return e < 0 ? e : read_own(g, path, tree, err);
}

struct tree_key {
    const struct guards *g;
    const char *dir, *found;
};

static int find_tree(void *context, const struct git_setting *s)
{
    char path[PATH_MAX];
    struct tree_key *k = context;
    if (str_eq(s->section, "core") && str_eq(s->key, "worktree") && full_path(k->g, s->value, k->dir, path))
        k->found = arena_copy(k->g->arena, path);
    return 0;
}

/* Of a submodule's git directory; NULL: it does not say. */
static const char *tree_of_module(const struct guards *g, const char *path)
{
    struct buf b;
    struct tree_key k = { g, arena_printf(g->arena, "%s/%s", g->project, path), NULL };
    cleanup(closep) int fd = open_beneath(g->dir, arena_printf(g->arena, "%s/config", path), O_RDONLY | O_NONBLOCK);
    buf_init(&b, CONFIG_MAX);
    if (fd >= 0 && read_open_file(fd, &b) == 0 && b.size)
        (void)git_config_read(b.data, b.size, find_tree, &k); /* read_own() complains */
    buf_done(&b);
    return k.found;
}

/* Below .git/modules: directories of submodules, which may have submodules of their own; a name may have slashes. */
static int visit_module(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err)
{
    if (!is_dir)
        return 0;
    if (!has_file(g, path, "HEAD")) {
        int e = guard_add(g, GUARD_PIN, path, NULL, err);
        return e < 0 ? e : guard_each(g, path, depth + 1, visit_module, err);
    }
    int e = guard_git_directory(g, path, tree_of_module(g, path), err);
    const char *inner = arena_printf(g->arena, "%s/modules", path);
    if (e == 0 && has_file(g, path, "modules"))
        e = guard_add(g, GUARD_PIN, inner, NULL, err);
    return e < 0 ? e : guard_each(g, inner, depth + 1, visit_module, err);
}

/* Below .git/worktrees: hooks and configuration are the repository's. */
static int visit_worktree(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err)
{
    (void)depth;
    int e = is_dir ? guard_add(g, GUARD_PIN, path, NULL, err) : 0;
    if (!is_dir || e < 0)
        return e;
    note_git(g, path);
    e = guard_add(g, GUARD_READ_ONLY, arena_printf(g->arena, "%s/config", path), "", err);
    if (e == 0)
        e = guard_add(g, GUARD_READ_ONLY, arena_printf(g->arena, "%s/config.worktree", path), "", err);
    if (e == 0)
        e = guard_add(g, GUARD_READ_ONLY, arena_printf(g->arena, "%s/commondir", path), NULL, err);
    return e < 0 ? e : read_own(g, path, g->project, err);
}

static const char *dir_of(const struct guards *g, const char *path)
{
    const size_t n = (size_t)(path_last(path) - path);
    return n ? arena_printf(g->arena, "%s/%.*s", g->project, (int)n - 1, path) : g->project;
}

/* A file in the place of .git says where the real one is (gitrepository-layout(5)), which may be in the project. */
static int guard_gitdir(struct guards *g, const char *path, struct error *err)
{
    static const char key[] = "gitdir: ";
    char text[PATH_MAX + sizeof key];
    cleanup(closep) int fd = open_beneath(g->dir, path, O_RDONLY | O_NONBLOCK);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    if (!str_starts(text, key))
        return 0;
    text[strcspn(text, "\r\n")] = '\0';
    const char *place = named_place(g, text + strlen(key), dir_of(g, path));
    if (!place || !has_file(g, place, "HEAD"))
        return 0;
    int e = guard_add_below(g, GUARD_PIN, place, NULL, err);
    return e < 0 ? e : guard_git_directory(g, place, dir_of(g, path), err);
}

int guard_repository(struct guards *g, const char *path, struct error *err)
{
    struct stat st;
    int e = read_users(g, dir_of(g, path), err);
    if (e < 0)
        return e;
    if (fstatat(g->dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode) || !has_file(g, path, "HEAD")) {
        e = guard_add(g, GUARD_READ_ONLY, path, guard_directory, err);
        return e < 0 ? e : guard_gitdir(g, path, err);
    }
    const char *modules = arena_printf(g->arena, "%s/modules", path);
    const char *worktrees = arena_printf(g->arena, "%s/worktrees", path);
    e = guard_git_directory(g, path, dir_of(g, path), err);
    if (e == 0 && has_file(g, path, "modules"))
        e = guard_add(g, GUARD_PIN, modules, NULL, err);
    if (e == 0)
        e = guard_each(g, modules, 1, visit_module, err);
    if (e == 0 && has_file(g, path, "worktrees"))
        e = guard_add(g, GUARD_PIN, worktrees, NULL, err);
    return e < 0 ? e : guard_each(g, worktrees, 1, visit_worktree, err);
}

int guard_bare(struct guards *g, const char *path, struct error *err)
{
    const size_t n = (size_t)(path_last(path) - path);
    const char *dir = n ? arena_copy_bytes(g->arena, path, n - 1) : "";
    if (!has_file(g, dir, "objects") || !has_file(g, dir, "refs"))
        return 0;
    return guard_git_directory(g, dir, NULL, err);
}
