#include "cli/guard_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include "base/io.h"
#include "base/kernel.h"
#include "base/path.h"
#include "plan/plan.h"

/* CLAUDE.md, AGENTS.md and the like are not here: they are texts which tools are asked to write, and say nothing that
 * the tool could not as well say in the README or a comment of the code. Nor is what a person runs knowingly: a
 * Makefile, package.json, a linter's configuration in JavaScript. What is here is executed, or says what is, by
 * programs that start by themselves or for something else. docs/wrap.md has the same list: test_wrap.py compares them.
 */
enum where { TOP, DEEP }; /* DEEP: also further down, where it exists */
enum where_missing {
    KEPT,
    MADE
}; /* MADE: where it does not exist, an empty directory stands in. Only for what starts
      when a directory is entered or opened, or what another machine executes: each one
      is to be seen inside. KEPT: guards_look() tells of a new one */
static const struct place {
    const char *name;
    enum where where;
    enum where_missing missing;
} places[] = {
    { ".git", DEEP, MADE }, /* a repository's is opened up again by guard_repository() */
    /* shells that enter the directory, interpreters that start in it */
    { ".envrc", DEEP, MADE },
    { ".direnv", DEEP, KEPT },
    { ".mise.toml", DEEP, MADE },
    { "mise.toml", DEEP, KEPT },
    { ".mise.local.toml", DEEP, KEPT },
    { "mise.local.toml", DEEP, KEPT },
    { ".mise", DEEP, KEPT },
    { ".tool-versions", DEEP, KEPT }, /* asdf takes path:DIR for a version */
    { ".autoenv.zsh", DEEP, KEPT },
    { ".Rprofile", DEEP, KEPT },
    { ".irbrc", DEEP, KEPT },
    { ".pdbrc", DEEP, KEPT },
    { ".gdbinit", DEEP, KEPT },
    /* editors: tasks, interpreters, extensions, containers */
    { ".vscode", DEEP, MADE },
    { ".idea", DEEP, MADE },
    { ".zed", DEEP, MADE },
    { ".fleet", DEEP, MADE },
    { ".helix", DEEP, KEPT },
    { ".settings", DEEP, KEPT },
    { ".devcontainer", DEEP, MADE },
    { ".devcontainer.json", DEEP, KEPT },
    { ".gitpod.yml", TOP, KEPT },
    { ".idx", TOP, KEPT },
    { "devfile.yaml", TOP, KEPT },
    { ".devfile.yaml", TOP, KEPT },
    { ".exrc", DEEP, MADE },
    { ".vimrc", DEEP, KEPT },
    { ".nvimrc", DEEP, KEPT },
    { ".nvim.lua", DEEP, MADE },
    { ".dir-locals.el", DEEP, MADE },
    { ".dir-locals-2.el", DEEP, KEPT },
    /* agents: hooks, permissions, MCP servers */
    { ".claude", DEEP, MADE },
    { ".claude-plugin", DEEP, KEPT },
    { ".agents", DEEP, KEPT },
    { ".cursor", DEEP, MADE },
    { ".codex", DEEP, MADE },
    { ".gemini", DEEP, MADE },
    { ".qwen", DEEP, KEPT },
    { ".windsurf", DEEP, MADE },
    { ".continue", DEEP, MADE },
    { ".opencode", DEEP, MADE },
    { "opencode.json", DEEP, KEPT },
    { "opencode.jsonc", DEEP, KEPT },
    { ".crush.json", DEEP, KEPT },
    { "crush.json", DEEP, KEPT },
    { ".kiro", DEEP, KEPT },
    { ".roo", DEEP, KEPT },
    { ".kilocode", DEEP, KEPT },
    { ".trae", DEEP, KEPT },
    { ".junie", DEEP, KEPT },
    { ".amazonq", DEEP, KEPT },
    { ".augment", DEEP, KEPT },
    { ".factory", DEEP, KEPT },
    { ".goose", DEEP, KEPT },
    { ".openhands", DEEP, KEPT },
    { ".mcp.json", DEEP, MADE },
    { ".aider.conf.yml", DEEP, MADE },
    /* git's hooks where people keep them with the code, and what starts from hooks */
    { ".husky", DEEP, MADE },
    { ".githooks", DEEP, MADE },
    { ".pre-commit-config.yaml", TOP, MADE },
    { "lefthook.yml", TOP, KEPT },
    { ".lefthook.yml", TOP, KEPT },
    { "lefthook.yaml", TOP, KEPT },
    { ".lefthook.yaml", TOP, KEPT },
    { "lefthook.toml", TOP, KEPT },
    { "lefthook.json", TOP, KEPT },
    { "lefthook-local.yml", TOP, KEPT },
    { ".lefthook", TOP, KEPT },
    { ".overcommit.yml", TOP, KEPT },
    /* package managers: programs and registries that every command of theirs takes from here */
    { ".npmrc", DEEP, KEPT },
    { ".yarnrc", DEEP, KEPT },
    { ".yarnrc.yml", DEEP, KEPT },
    { ".pnpmfile.cjs", DEEP, KEPT },
    { "bunfig.toml", DEEP, KEPT },
    { ".cargo", DEEP, KEPT },
    { ".bundle", DEEP, KEPT },
    { ".mvn", DEEP, KEPT },
    { ".bazelrc", DEEP, KEPT },
    /* CI: they are read at the top of a repository */
    { ".github", TOP, MADE },
    { ".gitlab-ci.yml", TOP, MADE },
    { ".gitlab", TOP, KEPT },
    { ".gitea", TOP, KEPT },
    { ".forgejo", TOP, KEPT },
    { ".circleci", TOP, MADE },
    { ".buildkite", TOP, MADE },
    { ".travis.yml", TOP, MADE },
    { ".drone.yml", TOP, MADE },
    { ".woodpecker", TOP, MADE },
    { ".woodpecker.yml", TOP, MADE },
    { "Jenkinsfile", TOP, MADE },
    { "azure-pipelines.yml", TOP, MADE },
    { ".azure-pipelines", TOP, KEPT },
    { "bitbucket-pipelines.yml", TOP, MADE },
    { ".cirrus.yml", TOP, KEPT },
    { "appveyor.yml", TOP, KEPT },
    { ".appveyor.yml", TOP, KEPT },
    { ".semaphore", TOP, KEPT },
    { ".tekton", TOP, KEPT },
    { ".teamcity", TOP, KEPT },
    { ".build.yml", TOP, KEPT },
    { ".builds", TOP, KEPT },
    { "buildspec.yml", TOP, KEPT },
    { "cloudbuild.yaml", TOP, KEPT },
    { ".readthedocs.yaml", TOP, KEPT },
    { "netlify.toml", TOP, KEPT },
    { "vercel.json", TOP, KEPT },
};

#define MADE_AT   1u /* second of 1970: what guards_make() made and nothing has changed since */
#define DEPTH_MAX 12u
#define ENTRY_MAX 100000u

const char guard_directory[] = "a directory";

int open_beneath(int dir, const char *path, int flags)
{
    struct kopen_how how = { .flags = (uint64_t)(flags | O_CLOEXEC),
                             .resolve = KRESOLVE_BENEATH | KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS };
    return sys_openat2(dir, path, &how);
}

bool guards_may_write(const char *path, const struct strlist *writable)
{
    STRLIST_FOREACH(w, writable)
    if (path_is_within(path, w))
        return true;
    return false;
}

static const struct place *find_place(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (places[i].name[0] == name[0] && strncmp(places[i].name, name, n) == 0 && !places[i].name[n])
            return &places[i]; /* the first byte: a walk asks for every name of a project */
    return NULL;
}

bool guards_cover(const char *path, const struct strlist *writable)
{
    for (const char *part = path; part;) {
        const size_t n = strcspn(part, "/");
        const struct place *p = find_place(part, n);
        if (p && (p->where == DEEP || part == path))
            return !guards_may_write(path, writable);
        part = part[n] ? part + n + 1 : NULL;
    }
    return false;
}

bool guards_have(const char *path)
{
    const char *name = path_last(path), *git = strstr(path, ".git/");
    if (git && guards_cover_git(name))
        return true;
    return guard_is_place(path);
}

bool guard_is_place(const char *path)
{
    const char *name = path_last(path);
    const struct place *p = find_place(name, strlen(name));
    return p && (p->where == DEEP || name == path);
}

/* --- making --------------------------------------------------------------------------------------- */

int guard_failed(const char *path, int e, const char *what, struct error *err)
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

static int make_place(int parent, const char *name, const char *made)
{
    const struct timespec times[2] = { { .tv_sec = MADE_AT }, { .tv_sec = MADE_AT } };
    int e = made != guard_directory ? make_file(parent, name, made) : mkdirat(parent, name, 0755) < 0 ? -errno : 0;
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

/* A limit that cannot be told is not passed over. */
int guard_unsaid(struct error *err)
{
    return err_set(err, -E2BIG, BLAME_CALLER, "GUARD", "what cannot be guarded is too much to name");
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
    if (S_ISREG(st->st_mode) && st->st_nlink > 1 && kind == GUARD_READ_ONLY &&
        strlist_addf(g->missing, "guard: %s has %u names (hard links): by another one it can be changed", path,
                     (unsigned)st->st_nlink) < 0)
        return guard_unsaid(err);
    g->list[g->count++] = (struct guarded){
        .path = arena_copy(g->arena, path), .kind = kind, .dev = st->st_dev, .ino = st->st_ino
    };
    return 0;
}

static int refuse_kind(const char *path, const struct stat *st, struct error *err)
{
    (void)err_set(err, -ELOOP, BLAME_CALLER, "GUARD", "%s: %s, which cannot be kept read-only", path,
                  S_ISLNK(st->st_mode) ? "a symbolic link" : "neither a directory nor a regular file");
    return err_remedy(err, "replace it by what it stands for, or let the tool have it: --writable %s", path);
}

int guard_add(struct guards *g, char kind, const char *path, const char *made, struct error *err)
{
    struct stat st;
    const char *name;
    if (guards_may_write(path, g->writable))
        return 0;
    cleanup(closep) int parent = open_parent(g, path, &name);
    if (parent < 0)
        return errno == ENOENT && kind != GUARD_HIDE ? 0 : guard_failed(path, -errno, "its directory", err);
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT) {
        if (kind == GUARD_HIDE)
            return guard_failed(path, -ENOENT, "nothing to hide", err);
        if (made && g->is_dry)
            return note(g, kind, path, &(struct stat){ 0 }, err);
        int e = made ? make_place(parent, name, made) : -EACCES;
        if (is_out_of_reach(e))
            return 0;
        if (e < 0 && e != -EEXIST) /* another wrap was faster */
            return guard_failed(path, e, "nothing is there, and nothing can be put there to guard", err);
        if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            return guard_failed(path, -errno, "look", err);
    }
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return refuse_kind(path, &st, err);
    return note(g, kind, path, &st, err);
}

int guard_add_below(struct guards *g, char kind, const char *path, const char *made, struct error *err)
{
    struct stat st;
    if (guards_may_write(path, g->writable))
        return 0;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *above = arena_copy_bytes(g->arena, path, (size_t)(slash - path));
        if (made && fstatat(g->dir, above, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
            return guard_add(g, kind, above, guard_directory, err);
        int e = guard_add(g, GUARD_PIN, above, NULL, err);
        if (e < 0)
            return e;
    }
    return guard_add(g, kind, path, made, err);
}

int guards_add(struct guards *g, char kind, const char *path, struct error *err)
{
    if (guards_may_write(path, g->writable)) { /* both were asked for: neither is dropped silently */
        (void)err_set(err, -EINVAL, BLAME_CALLER, "GUARD", "%s: it is to be kept from the tool, and to be writable",
                      path);
        return err_remedy(err, "take back --writable, or the rule that keeps it");
    }
    return guard_add_below(g, kind, path, kind == GUARD_READ_ONLY ? guard_directory : NULL, err);
}

/* --- all of it ------------------------------------------------------------------------------------ */

static bool is_directory(int dir, const struct dirent *d)
{
    struct stat st;
    return d->d_type == DT_DIR ||
           (d->d_type == DT_UNKNOWN && fstatat(dir, d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode));
}

/* One that we may not read the tool may not read either, but it may change the mode of what is its user's. */
static int cannot_list(struct guards *g, const char *path, int e, struct error *err)
{
    struct stat st;
    if (e == -ENOENT || e == -ENOTDIR || e == -ELOOP) /* removed meanwhile, or nothing that is entered */
        return 0;
    if (e != -EACCES)
        return guard_failed(path, e, "list it", err);
    if (fstatat(g->dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_uid != geteuid())
        return 0;
    return strlist_addf(g->missing, "guard: %s cannot be read: what lies in it is not guarded", path) < 0
               ? guard_unsaid(err)
               : 0;
}

int guard_each(struct guards *g, const char *path, unsigned depth, guard_visit *each, struct error *err)
{
    int fd = open_beneath(g->dir, *path ? path : ".", O_RDONLY | O_DIRECTORY), e = 0;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        e = -errno;
        closep(&fd);
        return cannot_list(g, path, e, err);
    }
    for (const struct dirent *d; e == 0 && (errno = 0, d = readdir(dir));) {
        if (str_eq(d->d_name, ".") || str_eq(d->d_name, ".."))
            continue;
        if (depth >= DEPTH_MAX || g->seen++ >= ENTRY_MAX) {
            g->is_cut = true;
            break;
        }
        const char *below = *path ? arena_printf(g->arena, "%s/%s", path, d->d_name) : arena_copy(g->arena, d->d_name);
        e = each(g, below, is_directory(dirfd(dir), d), depth, err);
        errno = 0;
    }
    if (e == 0 && errno)
        e = cannot_list(g, path, -errno, err);
    (void)closedir(dir);
    return e;
}

static int visit_any(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err)
{
    const char *name = path_last(path);
    const struct place *p = find_place(name, strlen(name));
    if (p && depth == 0)
        return 0; /* guards_make() has had it */
    if (p && p->where == DEEP)
        return str_eq(name, ".git") ? guard_repository(g, path, err) : guard_add(g, GUARD_READ_ONLY, path, NULL, err);
    if (str_eq(name, "HEAD"))
        return guard_bare(g, path, err);
    if (!is_dir || str_eq(name, "node_modules"))
        return 0;
    return guard_each(g, path, depth + 1, visit_any, err);
}

/* What the file system calls now: its clock, which may be a server's, is that of all changes in it from now on. */
static void look_at_clock(struct guards *g)
{
    struct stat st;
    char name[48];
    (void)snprintf(name, sizeof name, ".sandbox-agent-clock-%d", (int)getpid());
    cleanup(closep) int fd = openat(g->dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 && !g->is_dry) { /* a file system without such files */
        fd = openat(g->dir, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0)
            (void)unlinkat(g->dir, name, 0);
    }
    if (fd >= 0 && fstat(fd, &st) == 0)
        g->since = st.st_ctim;
    else
        (void)clock_gettime(CLOCK_REALTIME_COARSE, &g->since); /* in vain: 0, and all is new */
}

int guards_begin(struct guards *g, int dir, struct error *err)
{
    g->dir = dir;
    look_at_clock(g);
    if (flock(dir, LOCK_SH) < 0)
        return err_set(err, -errno, BLAME_HOST, "GUARD", "lock the project's directory: %m");
    return 0;
}

int guards_make(struct guards *g, struct error *err)
{
    int e = 0;
    for (size_t i = 0; i < ARRAY_LEN(places) && e == 0; i++)
        e = str_eq(places[i].name, ".git") ? guard_repository(g, ".git", err)
                                           : guard_add(g, GUARD_READ_ONLY, places[i].name,
                                                       places[i].missing == MADE ? guard_directory : NULL, err);
    if (e == 0)
        e = guard_each(g, "", 0, visit_any, err);
    if (e == 0 && g->is_cut &&
        strlist_addf(g->missing,
                     "guard: settings and repositories further down were not all looked for: more than %u entries, or "
                     "%u directories deep",
                     ENTRY_MAX, DEPTH_MAX) < 0)
        e = guard_unsaid(err);
    return e;
}

int guards_words(const struct guards *g, const char *inside, struct strlist *ret, struct error *err)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (strlist_addf(ret, "%c%s/%s", g->list[i].kind, inside, g->list[i].path) < 0)
            return err_set(err, -E2BIG, BLAME_CALLER, "GUARD", "the guarded places are too many to name");
    return 0;
}

void guard_say(struct buf *words, const char *path, const char *text, const char *more)
{
    (void)buf_adds(words, "sandbox-agent: wrap: ");
    (void)buf_adds_clean(words, path);
    (void)buf_adds(words, text);
    (void)buf_adds_clean(words, more);
    (void)buf_addc(words, '\n');
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
        guard_say(words, p->path,
                  " was replaced while the tool ran, and was not guarded from then on: look at what it holds", "");
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
