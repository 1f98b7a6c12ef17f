/* guard_look.c - what the tool has made anew that other programs would execute: looked for when it has ended.
 *
 * Why: `git add sub` records a repository in the project as a submodule, and from then on each `git status` of the
 * project asks that one, too, by its own configuration, in which core.fsmonitor names a program. No mount prevents it,
 * since sub/.git does not exist when the tool starts. So every git directory that is not a guarded one is judged by
 * what git would take from it: a configuration of the plain settings that `git clone` and `git init` write, and no
 * hooks but samples, is left alone. Any other gets another name, which git does not look for, and the person is told.
 *
 * What has not changed since the tool started, by the file system's own clock, is the person's: no program can set a
 * time of change back.
 *
 * All of the project is walked, also what no person would look into (node_modules, objects of git's), since a path of
 * a submodule may be any. 100,000 entries take 0.03 s; the bound is for a tool that makes them to tire us.
 */
#include "cli/guard_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include "base/io.h"
#include "base/path.h"
#include "cli/git_config.h"

#define SEEN_MAX   20000000u
#define TOLD_MAX   20u
#define CONFIG_MAX (64u * KIB)
#define ASIDE      ".set-aside"

/* Each has its own number of lines: a tool that makes many places must not hide by them what was set aside. */
enum kind { PLACE, REPOSITORY_ASIDE, REPOSITORY_OPEN, REBASE, KINDS };

struct look {
    const struct guards *g;
    struct buf *words;
    uint32_t seen, told[KINDS];
    bool is_cut;
    size_t size; /* of path */
    char path[PATH_MAX];
};

static void tell(struct look *l, enum kind kind, const char *path, const char *text, const char *more)
{
    if (l->told[kind]++ < TOLD_MAX)
        guard_say(l->words, path, text, more);
}

static void tell_rest(const struct look *l)
{
    static const char *const names[KINDS] = { "places like these", "repositories put out of git's way",
                                              "repositories that could not be renamed", "rebases under way" };
    for (size_t i = 0; i < KINDS; i++)
        if (l->told[i] > TOLD_MAX)
            (void)buf_addf(l->words, "sandbox-agent: wrap: and %u more %s\n", l->told[i] - TOLD_MAX, names[i]);
}

static bool is_old(const struct look *l, const struct stat *st)
{
    const struct timespec *since = &l->g->since;
    return st->st_ctim.tv_sec < since->tv_sec ||
           (st->st_ctim.tv_sec == since->tv_sec && st->st_ctim.tv_nsec < since->tv_nsec);
}

static const struct guarded *find(const struct look *l, const struct stat *st)
{
    for (uint32_t i = 0; i < l->g->count; i++)
        if (l->g->list[i].ino == st->st_ino && l->g->list[i].dev == st->st_dev)
            return &l->g->list[i];
    return NULL;
}

/* --- git directories ------------------------------------------------------------------------------ */

/* Where value leads from dir, a path from the project: by names, and by no link on the way, which may lead anywhere.
 * What is not there yet leads nowhere else. NULL: out of the project. Else from the project; "" is itself. */
static const char *find_inside(const struct look *l, const char *dir, const char *value, char path[static PATH_MAX])
{
    char whole[3 * PATH_MAX];
    const char *project = l->g->project;
    const size_t n = strlen(project);
    const bool is_absolute = *value == '/';
    if (is_absolute && !path_is_within(value, project))
        return NULL;
    (void)snprintf(whole, sizeof whole, "%s/%s/%s", project, is_absolute ? "." : dir, value + (is_absolute ? n : 0));
    const char *below = whole + n + 1 + strspn(whole + n + 1, "/");
    cleanup(closep) int fd = open_beneath(l->g->dir, below, O_PATH);
    if ((fd < 0 && errno != ENOENT) || !path_fold(whole, strlen(whole), path, PATH_MAX) ||
        !path_is_within(path, project))
        return NULL;
    return path[n] ? path + n + 1 : path + n;
}

/* core.worktree of a submodule: what git writes there has to stay in the project, is not all of it, and nothing that
 * other programs execute. */
static int judge_setting(void *context, const struct git_setting *s)
{
    char path[PATH_MAX];
    const struct look *l = context;
    if (git_setting_is_plain(s))
        return 0;
    if (!str_eq(s->section, "core") || !str_eq(s->key, "worktree"))
        return 1;
    const char *tree = find_inside(l, l->path, s->value, path);
    return tree && *tree && !guards_cover(tree, l->g->writable) ? 0 : 1;
}

static bool is_plain_config(const struct look *l, int git, const char *name)
{
    struct stat st;
    struct buf b;
    if (fstatat(git, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT;
    if (is_old(l, &st))
        return true;
    cleanup(closep) int fd = S_ISREG(st.st_mode) ? openat(git, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                                                 : -1;
    buf_init(&b, CONFIG_MAX);
    const bool is_plain = fd >= 0 && read_open_file(fd, &b) == 0 &&
                          git_config_read(b.data ? b.data : "", b.size, judge_setting, (void *)l) == 0;
    buf_done(&b);
    return is_plain;
}

static bool is_sample(const struct look *l, int dir, const char *name, bool is_new_dir)
{
    static const char end[] = ".sample";
    struct stat st;
    const size_t n = strlen(name);
    if (n >= sizeof end && str_eq(name + n - (sizeof end - 1), end))
        return true;
    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           ((!is_new_dir && is_old(l, &st)) || (S_ISREG(st.st_mode) && !(st.st_mode & 0111)));
}

/* git executes a hook only by its exact name, and only where it has the right to. */
static bool has_no_hooks(const struct look *l, int git)
{
    struct stat st;
    bool is_harmless = true;
    if (fstatat(git, "hooks", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT;
    const int fd = openat(git, "hooks", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0)
            (void)close(fd);
        return is_old(l, &st);
    }
    for (const struct dirent *e; is_harmless && (e = readdir(d));)
        is_harmless = str_eq(e->d_name, ".") || str_eq(e->d_name, "..") || is_sample(l, fd, e->d_name, !is_old(l, &st));
    (void)closedir(d);
    return is_harmless;
}

/* What `git worktree add` makes has its hooks and its configuration in the repository above, which is guarded. «.» is
 * what git does without one: another wrap, which has begun meanwhile, guards a new repository by it. */
static bool is_plain_common(const struct look *l, int git)
{
    static const char above[] = "../..\n";
    char text[sizeof above];
    struct stat st;
    if (fstatat(git, "commondir", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT;
    if (is_old(l, &st))
        return true;
    cleanup(closep) int fd = openat(git, "commondir", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t n = S_ISREG(st.st_mode) && fd >= 0 ? read(fd, text, sizeof text) : -1;
    if (n == 2 && memcmp(text, ".\n", 2) == 0)
        return true;
    if (n != (ssize_t)sizeof above - 1 || memcmp(text, above, sizeof above - 1) != 0 ||
        fstatat(git, "../..", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    const struct guarded *repository = find(l, &st);
    return repository && repository->is_git;
}

static bool is_plain_git(const struct look *l, int git)
{
    return is_plain_config(l, git, "config") && is_plain_config(l, git, "config.worktree") && is_plain_common(l, git) &&
           has_no_hooks(l, git);
}

/* NAME.set-aside, or where the tool has made that, a name that it cannot know. */
static bool rename_aside(int dir, const char *name, char *ret, size_t size)
{
    struct stat st;
    uint64_t some;
    (void)snprintf(ret, size, "%s" ASIDE, name);
    if (fstatat(dir, ret, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        if (getrandom(&some, sizeof some, 0) != (ssize_t)sizeof some)
            return false;
        (void)snprintf(ret, size, "%s" ASIDE "-%016llx", name, (unsigned long long)some);
    }
    return renameat(dir, name, dir, ret) == 0;
}

/* Also where the tool took the right to write from the directory. */
static bool force_aside(int dir, const char *name, char *ret, size_t size)
{
    struct stat st;
    if (rename_aside(dir, name, ret, size))
        return true;
    if (errno != EACCES || fstat(dir, &st) < 0 || fchmod(dir, (st.st_mode & 07777) | 0700) < 0)
        return false;
    const bool is_done = rename_aside(dir, name, ret, size);
    return fchmod(dir, st.st_mode & 07777) == 0 && is_done;
}

/* A longer name may need room on a disk that the tool has filled; a mode needs none. */
static bool shut(int dir, const char *name)
{
    struct stat st;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    return (S_ISLNK(st.st_mode) ? unlinkat(dir, name, 0) : fchmodat(dir, name, 0, AT_SYMLINK_NOFOLLOW)) == 0;
}

/* name: in dir, which is l->path. */
static void set_aside(struct look *l, int dir, const char *name, const char *why)
{
    char now[64], whole[2 * PATH_MAX];
    (void)snprintf(whole, sizeof whole, "%s%s%s", l->path, l->size ? "/" : "", name);
    const bool is_renamed = force_aside(dir, name, now, sizeof now), is_shut = !is_renamed && shut(dir, name);
    if (is_renamed)
        tell(l, REPOSITORY_ASIDE, whole, why, now);
    else
        tell(l, is_shut ? REPOSITORY_ASIDE : REPOSITORY_OPEN, whole,
             ": git would execute what the tool wrote there, and it could not be renamed: ",
             is_shut ? "its mode is 0 now" : "run no git in the project");
}

/* True: git would execute what it says. */
static bool is_git_dir_bad(const struct look *l, int git)
{
    struct stat st;
    if (fstat(git, &st) < 0 || (l->size == 0 && l->g->is_bare))
        return false;
    const struct guarded *known = find(l, &st);
    return !(known && known->is_git) && !is_plain_git(l, git) && !guards_may_write(l->path, l->g->writable);
}

/* A file, or a link, in the place of a git directory: that one is to be in the project, where it is judged itself. */
static void look_at_git_file(struct look *l, int dir, const char *name, const struct stat *st)
{
    static const char key[] = "gitdir: ";
    char text[PATH_MAX + sizeof key], path[PATH_MAX];
    if (find(l, st) || is_old(l, st) || guards_may_write(l->path, l->g->writable))
        return;
    cleanup(closep) int fd = S_ISREG(st->st_mode) ? openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                                                  : -1;
    const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, 0)] = '\0';
    const char *value = str_starts(text, key) ? text + sizeof key - 1 : NULL;
    if (S_ISREG(st->st_mode) && !value)
        return; /* git refuses it */
    const size_t size = l->size;
    l->path[l->size = size > 4 ? size - 5 : 0] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (!value || !find_inside(l, l->path, value, path))
        set_aside(l, dir, name, ": the tool made it, and it names a repository elsewhere. Now it is ");
    l->size = size;
}

/* --- the walk ------------------------------------------------------------------------------------- */

/* git would get by a name to what lies in a directory that cannot be listed. One of another user's the tool can have
 * neither made nor entered. -> a descriptor, or negative: -ENOENT where there is nothing to look at. */
static int open_dir(int dir, const char *name)
{
    struct stat st;
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(dir, name, flags);
    if (fd >= 0 || errno != EACCES)
        return fd < 0 ? -errno : fd;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return -ENOENT;
    if (fchmodat(dir, name, (st.st_mode & 07777) | 0700, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    fd = openat(dir, name, flags);
    if (fchmodat(dir, name, st.st_mode & 07777, AT_SYMLINK_NOFOLLOW) < 0)
        closep(&fd);
    return fd < 0 ? -EACCES : fd;
}

struct parts {
    bool has_head, has_objects, has_refs, has_common;
    bool has_bad_git; /* the .git in it is one */
};

/* dir is l->path. Takes dir. True: it is a .git, and a bad one. */
static bool look_in(struct look *l, int dir, const char *name);

static void look_at(struct look *l, int dir, const struct dirent *d, struct parts *parts)
{
    struct stat st;
    const char *name = d->d_name;
    parts->has_head |= str_eq(name, "HEAD");
    parts->has_objects |= str_eq(name, "objects");
    parts->has_refs |= str_eq(name, "refs");
    parts->has_common |= str_eq(name, "commondir");
    const bool is_git = str_eq(name, ".git"), is_place = !is_git && guard_is_place(l->path);
    bool is_dir = d->d_type == DT_DIR;
    if (is_git || is_place || d->d_type == DT_UNKNOWN) {
        if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            return;
        is_dir = S_ISDIR(st.st_mode);
        if (is_git && !is_dir)
            look_at_git_file(l, dir, name, &st);
        if (is_place && !find(l, &st) && !is_old(l, &st) && !guards_may_write(l->path, l->g->writable))
            tell(l, PLACE, l->path, ": the tool made it, and other programs execute what it says: read it first", "");
    }
    const int fd = is_dir ? open_dir(dir, name) : -ENOENT;
    if (fd >= 0)
        parts->has_bad_git |= look_in(l, fd, name);
    else if (fd != -ENOENT)
        l->is_cut = true;
}

/* Names change when all of a directory has been seen: else a new one could be met as one more repository. */
static void set_aside_found(struct look *l, int dir, const struct parts *parts, bool is_bad)
{
    if (parts->has_bad_git)
        set_aside(l, dir, ".git",
                  ": the tool made or changed this repository, and git would execute what its configuration or its "
                  "hooks say. Read them, then rename its HEAD.set-aside and itself back: it is ");
    if (is_bad)
        set_aside(l, dir, "HEAD",
                  ": the tool made or changed a repository here whose configuration or hooks git would execute. Read "
                  "them, then rename it back: it is ");
}

static bool look_in(struct look *l, int dir, const char *name)
{
    struct parts parts = { 0 };
    char now[64];
    const size_t size = l->size;
    DIR *d = fdopendir(dir);
    l->is_cut |= !d;
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (str_eq(e->d_name, ".") || str_eq(e->d_name, ".."))
            continue;
        const size_t n = strlen(e->d_name);
        if (l->seen++ >= SEEN_MAX) {
            l->is_cut = true;
            break;
        }
        if (size + n + 2 > sizeof l->path) /* git does not get there either */
            continue;
        if (size)
            l->path[l->size++] = '/';
        memcpy(l->path + l->size, e->d_name, n + 1);
        l->size += n;
        look_at(l, dir, e, &parts);
        l->path[l->size = size] = '\0';
    }
    const bool is_bad = parts.has_head && ((parts.has_objects && parts.has_refs) || parts.has_common) &&
                        is_git_dir_bad(l, dir),
               is_git = str_eq(name, ".git");
    set_aside_found(l, dir, &parts, is_bad && !is_git);
    if (is_bad && is_git) /* who enters it, to read, is in no repository: by any name it would be one */
        (void)force_aside(dir, "HEAD", now, sizeof now);
    if (d)
        (void)closedir(d);
    else
        (void)close(dir);
    return is_bad && is_git;
}

static void look_at_rebases(struct look *l)
{
    struct stat st;
    for (uint32_t i = 0; i < l->g->count; i++) {
        const struct guarded *p = &l->g->list[i];
        if (!p->is_git)
            continue;
        (void)snprintf(l->path, sizeof l->path, "%s/rebase-merge/git-rebase-todo", p->path);
        cleanup(closep) int fd = open_beneath(l->g->dir, l->path, O_PATH | O_NOFOLLOW);
        if (fd >= 0 && fstat(fd, &st) == 0 && !is_old(l, &st))
            tell(l, REBASE, l->path,
                 ": the tool left a rebase under way: `git rebase --continue` executes what stands there", "");
    }
    l->path[0] = '\0';
}

void guards_look(const struct guards *g, struct buf *words)
{
    struct look l = { .g = g, .words = words };
    struct rlimit files;
    const int dir = g->dir < 0 || g->is_dry ? -1 : openat(g->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (g->dir < 0 || g->is_dry)
        return;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) { /* one of each directory on the way down */
        files.rlim_cur = MIN_OF(files.rlim_max, (rlim_t)PATH_MAX);
        if (setrlimit(RLIMIT_NOFILE, &files) < 0)
            l.is_cut = true;
    }
    if (dir >= 0)
        (void)look_in(&l, dir, "");
    else
        l.is_cut = true;
    look_at_rebases(&l);
    tell_rest(&l);
    if (l.is_cut)
        (void)buf_adds(words, "sandbox-agent: wrap: not all of the project could be looked through for repositories "
                              "that the tool made: look yourself before you run git in it\n");
}
