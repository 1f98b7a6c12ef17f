#include "cli/guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>
#include "base/io.h"
#include "base/kernel.h"
#include "base/path.h"
#include "plan/plan.h"

/* CLAUDE.md, AGENTS.md and the like are not here: they are texts which tools are asked to write, and say nothing that
 * the tool could not as well say in the README or a comment of the code. What is here is executed, or says what is. */
static const struct place {
    const char *name;
    bool is_everywhere; /* also further down, where it exists */
} places[] = {
    { ".git", true }, /* a repository's is opened up again by guard_repository() */
    /* shells that enter the directory */
    { ".envrc", true },
    { ".mise.toml", true },
    /* editors: tasks, interpreters, extensions, containers */
    { ".vscode", true },
    { ".idea", true },
    { ".zed", true },
    { ".fleet", true },
    { ".devcontainer", true },
    { ".exrc", true },
    { ".nvim.lua", true },
    { ".dir-locals.el", true },
    /* agents: hooks, permissions, MCP servers */
    { ".claude", true },
    { ".cursor", true },
    { ".codex", true },
    { ".gemini", true },
    { ".windsurf", true },
    { ".continue", true },
    { ".opencode", true },
    { ".mcp.json", true },
    { ".aider.conf.yml", true },
    /* git's hooks where people keep them with the code */
    { ".husky", true },
    { ".githooks", true },
    { ".pre-commit-config.yaml", false },
    /* CI: they are read at the top of a repository */
    { ".github", false },
    { ".gitlab-ci.yml", false },
    { ".circleci", false },
    { ".buildkite", false },
    { ".travis.yml", false },
    { ".drone.yml", false },
    { ".woodpecker", false },
    { ".woodpecker.yml", false },
    { "Jenkinsfile", false },
    { "azure-pipelines.yml", false },
    { "bitbucket-pipelines.yml", false },
};

/* Of a git directory. A commondir moves configuration and hooks elsewhere (gitrepository-layout(5)); «.» is what git
 * does without one. */
static const struct git_place {
    const char *name, *text; /* text: of the file that is made; NULL: a directory */
} git_places[] = { { "hooks", NULL }, { "config", "" }, { "config.worktree", "" }, { "commondir", ".\n" } };

#define MADE_AT    1u /* second of 1970: what guards_make() made and nothing has changed since */
#define DEPTH_MAX  12u
#define ENTRY_MAX  100000u
#define CONFIG_MAX (256u * KIB)

int open_beneath(int dir, const char *path, int flags)
{
    struct kopen_how how = { .flags = (uint64_t)(flags | O_CLOEXEC),
                             .resolve = KRESOLVE_BENEATH | KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS };
    return sys_openat2(dir, path, &how);
}

static bool is_writable(const struct strlist *writable, const char *path)
{
    STRLIST_FOREACH(w, writable)
    if (path_is_within(path, w))
        return true;
    return false;
}

static const struct place *find_place(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (strlen(places[i].name) == n && strncmp(places[i].name, name, n) == 0)
            return &places[i];
    return NULL;
}

bool guards_cover(const char *path, const struct strlist *writable)
{
    for (const char *part = path; part;) {
        const size_t n = strcspn(part, "/");
        const struct place *p = find_place(part, n);
        if (p && (p->is_everywhere || part == path))
            return !is_writable(writable, path);
        part = part[n] ? part + n + 1 : NULL;
    }
    return false;
}

static bool is_git_place(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(git_places); i++)
        if (strlen(git_places[i].name) == n && strncmp(git_places[i].name, name, n) == 0)
            return true;
    return false;
}

bool guards_cover_git(const char *path)
{
    const bool is_of_many = str_starts(path, "modules/") || str_starts(path, "worktrees/");
    for (const char *part = path; part; part = part[strcspn(part, "/")] ? strchr(part, '/') + 1 : NULL)
        if ((part == path || is_of_many) && is_git_place(part, strcspn(part, "/")))
            return true;
    return false;
}

bool guards_have(const char *path)
{
    const char *name = path_last(path), *git = strstr(path, ".git/");
    if (git && is_git_place(name, strlen(name)))
        return true;
    const struct place *p = find_place(name, strlen(name));
    return p && (p->is_everywhere || name == path);
}

/* --- making --------------------------------------------------------------------------------------- */

static int place_failed(const char *path, int e, const char *what, struct error *err)
{
    return err_set(err, e, BLAME_HOST, "GUARD", "%s: %s: %s", path, what, strerror(-e));
}

/* The directory that path lies in, and its last part. */
static int open_parent(const struct guards *g, const char *path, const char **ret_name)
{
    const char *slash = strrchr(path, '/');
    *ret_name = slash ? slash + 1 : path;
    return slash ? open_beneath(g->dir, arena_copy_bytes(g->arena, path, (size_t)(slash - path)), O_PATH | O_DIRECTORY)
                 : fcntl(g->dir, F_DUPFD_CLOEXEC, 3);
}

static int make_file(int parent, const char *name, const char *text)
{
    cleanup(closep) int fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
    return fd < 0 ? -errno : write_all(fd, text, strlen(text));
}

static int make_place(int parent, const char *name, const char *text)
{
    const struct timespec times[2] = { { .tv_sec = MADE_AT }, { .tv_sec = MADE_AT } };
    int e = text ? make_file(parent, name, text) : mkdirat(parent, name, 0755) < 0 ? -errno : 0;
    if (e == 0 && utimensat(parent, name, times, AT_SYMLINK_NOFOLLOW) < 0)
        e = -errno;
    return e;
}

/* What we have no right to make, the program has no right to make. */
static bool is_out_of_reach(int e)
{
    return e == -EACCES || e == -EROFS || e == -EPERM;
}

/* A cover holds whatever it lies over; a pin holds less than what is kept read-only. */
static bool holds(char kind, char other)
{
    return kind == other || kind == GUARD_HIDE || other == GUARD_PIN;
}

static int note(struct guards *g, char kind, const char *path, const struct stat *st, struct error *err)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (str_eq(g->list[i].path, path) && holds(g->list[i].kind, kind))
            return 0;
    if (g->count == GUARDS_MAX) {
        (void)err_set(err, -E2BIG, BLAME_CALLER, "GUARD", "more than %u places to keep read-only below the project",
                      GUARDS_MAX);
        return err_remedy(err, "take a smaller --project, or give some up by --writable PATH");
    }
    if (S_ISREG(st->st_mode) && st->st_nlink > 1 && kind == GUARD_READ_ONLY)
        (void)strlist_addf(g->missing, "guard: %s has %u names (hard links): by another one it can be changed", path,
                           (unsigned)st->st_nlink);
    g->list[g->count++] = (struct guarded){ arena_copy(g->arena, path), kind, st->st_dev, st->st_ino };
    return 0;
}

static int refuse_kind(const char *path, const struct stat *st, struct error *err)
{
    (void)err_set(err, -ELOOP, BLAME_CALLER, "GUARD", "%s: %s, which cannot be kept read-only", path,
                  S_ISLNK(st->st_mode) ? "a symbolic link" : "neither a directory nor a regular file");
    return err_remedy(err, "replace it by what it stands for, or let the tool have it: --writable %s", path);
}

/* text: as of make_place(); made where nothing is, and where `makes` says so. */
static int add(struct guards *g, char kind, const char *path, bool makes, const char *text, struct error *err)
{
    struct stat st;
    const char *name;
    if (is_writable(g->writable, path))
        return 0;
    cleanup(closep) int parent = open_parent(g, path, &name);
    if (parent < 0)
        return errno == ENOENT && kind != GUARD_HIDE ? 0 : place_failed(path, -errno, "its directory", err);
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT) {
        if (kind == GUARD_HIDE)
            return place_failed(path, -ENOENT, "nothing to hide", err);
        if (makes && g->is_dry)
            return note(g, kind, path, &(struct stat){ 0 }, err);
        int e = makes ? make_place(parent, name, text) : -EACCES;
        if (is_out_of_reach(e))
            return 0;
        if (e < 0)
            return place_failed(path, e, "nothing is there, and nothing can be put there to guard", err);
        if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            return place_failed(path, -errno, "look", err);
    }
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return refuse_kind(path, &st, err);
    return note(g, kind, path, &st, err);
}

/* And the directories above it: else the tool could rename one of them, and make the same anew. Where they are missing,
 * the topmost of those is made. */
static int add_below(struct guards *g, char kind, const char *path, bool makes, struct error *err)
{
    struct stat st;
    if (is_writable(g->writable, path))
        return 0;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *above = arena_copy_bytes(g->arena, path, (size_t)(slash - path));
        if (makes && fstatat(g->dir, above, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
            return add(g, kind, above, true, NULL, err);
        int e = add(g, GUARD_PIN, above, false, NULL, err);
        if (e < 0)
            return e;
    }
    return add(g, kind, path, makes, NULL, err);
}

int guards_add(struct guards *g, char kind, const char *path, struct error *err)
{
    if (is_writable(g->writable, path)) { /* both were asked for: neither is dropped silently */
        (void)err_set(err, -EINVAL, BLAME_CALLER, "GUARD", "%s: it is to be kept from the tool, and to be writable",
                      path);
        return err_remedy(err, "take back --writable, or the rule that keeps it");
    }
    return add_below(g, kind, path, kind == GUARD_READ_ONLY, err);
}

/* --- git ------------------------------------------------------------------------------------------ */

static int guard_git_directory(struct guards *g, const char *path, struct error *err)
{
    int e = add(g, GUARD_PIN, path, false, NULL, err);
    for (size_t i = 0; i < ARRAY_LEN(git_places) && e == 0; i++)
        e = add(g, GUARD_READ_ONLY, arena_printf(g->arena, "%s/%s", path, git_places[i].name), true, git_places[i].text,
                err);
    return e;
}

typedef int visit(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err);

static bool is_directory(int dir, const struct dirent *d)
{
    struct stat st;
    return d->d_type == DT_DIR ||
           (d->d_type == DT_UNKNOWN && fstatat(dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode));
}

/* A directory that cannot be read is none that the program could enter and change. */
static int for_each(struct guards *g, const char *path, unsigned depth, visit *each, struct error *err)
{
    int fd = open_beneath(g->dir, *path ? path : ".", O_RDONLY | O_DIRECTORY), e = 0;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir)
        return 0;
    for (const struct dirent *d; e == 0 && (d = readdir(dir));) {
        if (str_eq(d->d_name, ".") || str_eq(d->d_name, ".."))
            continue;
        if (depth >= DEPTH_MAX || g->seen++ >= ENTRY_MAX) {
            g->is_cut = true;
            break;
        }
        const char *below = *path ? arena_printf(g->arena, "%s/%s", path, d->d_name) : arena_copy(g->arena, d->d_name);
        e = each(g, below, is_directory(dirfd(dir), d), depth, err);
    }
    (void)closedir(dir);
    return e;
}

static bool has_file(const struct guards *g, const char *path, const char *name)
{
    struct stat st;
    return fstatat(g->dir, arena_printf(g->arena, "%s/%s", path, name), &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Below .git/modules: directories of submodules, which may have submodules of their own; a name may have slashes. */
static int visit_module(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err)
{
    if (!is_dir)
        return 0;
    if (!has_file(g, path, "HEAD")) {
        int e = add(g, GUARD_PIN, path, false, NULL, err);
        return e < 0 ? e : for_each(g, path, depth + 1, visit_module, err);
    }
    int e = guard_git_directory(g, path, err);
    const char *inner = arena_printf(g->arena, "%s/modules", path);
    if (e == 0 && has_file(g, path, "modules"))
        e = add(g, GUARD_PIN, inner, false, NULL, err);
    return e < 0 ? e : for_each(g, inner, depth + 1, visit_module, err);
}

/* Below .git/worktrees. */
static int visit_worktree(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err)
{
    (void)depth;
    int e = is_dir ? add(g, GUARD_PIN, path, false, NULL, err) : 0;
    for (size_t i = 0; i < ARRAY_LEN(git_places) && is_dir && e == 0; i++)
        if (git_places[i].text) /* hooks are the repository's */
            e = add(g, GUARD_READ_ONLY, arena_printf(g->arena, "%s/%s", path, git_places[i].name),
                    !str_eq(git_places[i].name, "commondir"), git_places[i].text, err);
    return e;
}

/* Behind «[section "of it"]», which may stand on the line of a key. */
static const char *skip_sections(const char *line)
{
    line += strspn(line, " \t");
    while (*line == '[') {
        bool is_quoted = false;
        for (line++; *line && (is_quoted || *line != ']'); line++) {
            is_quoted ^= *line == '"';
            line += *line == '\\' && line[1];
        }
        line += *line == ']';
        line += strspn(line, " \t");
    }
    return line;
}

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

/* As git reads a path: from the root, from the home directory, or from base, which is from the project. */
static const char *named_place(const struct guards *g, const char *value, size_t size, const char *base)
{
    char folded[PATH_MAX];
    const char *home = getenv("HOME");
    const bool is_of_home = home && str_starts(value, "~/");
    const char *text = *value == '/' ? arena_copy_bytes(g->arena, value, size)
                       : is_of_home  ? arena_printf(g->arena, "%s%.*s", home, (int)size - 1, value + 1)
                                     : arena_printf(g->arena, "%s/%s/%.*s", g->project, base, (int)size, value);
    return path_fold(text, strlen(text), folded, sizeof folded) ? below_project(g, folded) : NULL;
}

/* core.hooksPath and include.path, as written there: from the work tree, and from the file. Only what lies in the
 * project needs a guard: nothing else of it is visible. */
static int guard_named(struct guards *g, const char *line, const char *path, struct error *err)
{
    static const struct {
        const char *key;
        bool is_from_config;
    } keys[] = { { "hookspath", false }, { "path", true } };
    line = skip_sections(line);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        const size_t n = strlen(keys[i].key);
        const char *value = line + n + strspn(line + MIN_OF(n, strlen(line)), " \t");
        if (strncasecmp(line, keys[i].key, n) != 0 || *value != '=')
            continue;
        value += 1 + strspn(value + 1, " \t\"");
        size_t size = strcspn(value, "\"\r#;");
        while (size && value[size] != '"' && strchr(" \t", value[size - 1]))
            size--; /* git takes no space at the end, or before a comment */
        const char *base = keys[i].is_from_config ? path
                                                  : arena_printf(g->arena, "%.*s", (int)(strlen(path) - 4), path);
        const char *place = size ? named_place(g, value, size, base) : NULL;
        if (place && *place && !str_eq(place, path))
            return add_below(g, GUARD_READ_ONLY, place, !keys[i].is_from_config, err);
    }
    return 0;
}

/* What names it cannot be passed over: hooks could be where nothing guards them. */
static int guard_config_words(struct guards *g, const char *path, const char *name, struct error *err)
{
    struct buf b;
    const char *config = arena_printf(g->arena, "%s/%s", path, name);
    int e = 0, fd = open_beneath(g->dir, config, O_RDONLY | O_NONBLOCK);
    buf_init(&b, CONFIG_MAX);
    int failed = fd < 0 ? -errno : read_open_file(fd, &b);
    if (failed == 0)
        failed = buf_addc(&b, '\0');
    if (failed == 0) {
        char *rest = b.data;
        for (char *line; e == 0 && (line = strsep(&rest, "\n"));)
            e = guard_named(g, line, path, err);
    } else if (failed != -ENOENT && !is_writable(g->writable, config)) {
        e = place_failed(config, failed, "read which hooks it names", err);
    }
    buf_done(&b);
    closep(&fd);
    return e;
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
    const char *value = text + strlen(key), *base = arena_printf(g->arena, "%.*s", (int)(strlen(path) - 4), path);
    const size_t size = strcspn(value, "\r\n");
    const char *place = size ? named_place(g, value, size, base) : NULL;
    if (!place || !*place || !has_file(g, place, "HEAD"))
        return 0;
    int e = add_below(g, GUARD_PIN, place, false, err);
    return e < 0 ? e : guard_git_directory(g, place, err);
}

/* path: .git, or one further down. */
static int guard_repository(struct guards *g, const char *path, struct error *err)
{
    struct stat st;
    if (fstatat(g->dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode) || !has_file(g, path, "HEAD")) {
        int e = add(g, GUARD_READ_ONLY, path, true, NULL, err);
        return e < 0 ? e : guard_gitdir(g, path, err);
    }
    const char *modules = arena_printf(g->arena, "%s/modules", path);
    const char *worktrees = arena_printf(g->arena, "%s/worktrees", path);
    int e = guard_git_directory(g, path, err);
    if (e == 0 && has_file(g, path, "modules"))
        e = add(g, GUARD_PIN, modules, false, NULL, err);
    if (e == 0)
        e = for_each(g, modules, 1, visit_module, err);
    if (e == 0 && has_file(g, path, "worktrees"))
        e = add(g, GUARD_PIN, worktrees, false, NULL, err);
    if (e == 0)
        e = for_each(g, worktrees, 1, visit_worktree, err);
    if (e == 0)
        e = guard_config_words(g, path, "config", err);
    return e < 0 ? e : guard_config_words(g, path, "config.worktree", err);
}

/* --- all of it ------------------------------------------------------------------------------------ */

static int visit_any(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err)
{
    const char *name = path_last(path);
    const struct place *p = find_place(name, strlen(name));
    if (p && depth == 0)
        return 0; /* guards_make() has had it */
    if (p && p->is_everywhere)
        return str_eq(name, ".git") ? guard_repository(g, path, err) : add(g, GUARD_READ_ONLY, path, false, NULL, err);
    if (!is_dir || str_eq(name, "node_modules"))
        return 0;
    return for_each(g, path, depth + 1, visit_any, err);
}

int guards_begin(struct guards *g, int dir, struct error *err)
{
    g->dir = dir;
    if (flock(dir, LOCK_SH) < 0)
        return err_set(err, -errno, BLAME_HOST, "GUARD", "lock the project's directory: %m");
    return 0;
}

int guards_make(struct guards *g, struct error *err)
{
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(places) && e == 0; i++)
        e = str_eq(places[i].name, ".git") ? guard_repository(g, ".git", err)
                                           : add(g, GUARD_READ_ONLY, places[i].name, true, NULL, err);
    if (e == 0)
        e = for_each(g, "", 0, visit_any, err);
    if (g->is_cut)
        (void)strlist_addf(g->missing,
                           "guard: settings and repositories further down were not all looked for: more than %u "
                           "entries, or %u directories deep",
                           ENTRY_MAX, DEPTH_MAX);
    return e;
}

int guards_words(const struct guards *g, const char *inside, struct strlist *ret, struct error *err)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (strlist_addf(ret, "%c%s/%s", g->list[i].kind, inside, g->list[i].path) < 0)
            return err_set(err, -E2BIG, BLAME_CALLER, "GUARD", "the guarded places are too many to name");
    return 0;
}

static bool is_made(int parent, const char *name, const struct stat *st)
{
    char text[8];
    if (st->st_mtim.tv_sec != MADE_AT || st->st_mtim.tv_nsec != 0)
        return false;
    if (S_ISDIR(st->st_mode))
        return true; /* and rmdir(2) takes none that holds something */
    cleanup(closep) int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    return n == 0 || (n == 2 && memcmp(text, ".\n", 2) == 0);
}

/* takes: no other wrap has this directory. */
static void end_one(const struct guards *g, const struct guarded *p, bool takes, struct buf *words)
{
    struct stat st;
    const char *name;
    cleanup(closep) int parent = open_parent(g, p->path, &name);
    if (parent < 0 || fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_dev != p->dev ||
        st.st_ino != p->ino) {
        (void)buf_adds(words, "sandbox-agent: wrap: ");
        (void)buf_adds_clean(words, p->path);
        (void)buf_adds(words, " was replaced while the tool ran, and was not guarded from then on: "
                              "look at what it holds\n");
        return;
    }
    if (takes && p->kind == GUARD_READ_ONLY && is_made(parent, name, &st))
        (void)unlinkat(parent, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0); /* in vain: it stays, empty */
}

void guards_end(struct guards *g, struct buf *words)
{
    if (g->dir < 0)
        return;
    if (g->is_dry)
        g->count = 0;
    const bool takes = flock(g->dir, LOCK_EX | LOCK_NB) == 0;
    for (uint32_t i = g->count; i-- > 0;)
        end_one(g, &g->list[i], takes, words);
    closep(&g->dir);
    g->count = 0;
}
