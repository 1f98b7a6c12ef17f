#include "daemon/belongings.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <sys/stat.h>
#include "daemon/safe_path.h"

#define MAX_DEPTH         5
#define MAX_PACKAGE_DEPTH 64 /* packages/tree.h has 48 of its own */

/* What we make in a state or log directory; below artifacts, packages and snapshots everything is ours by construction.
 */
static const char *const our_files[] = { "state.db",       "state.db-*",        "audit.key",        "audit.key.*",
                                         "audit.pub",      "audit.pub.*",       "audit-*.head",     "audit.jsonl",
                                         "audit-*.jsonl",  "audit.idx",         "audit.idx.*",      "audit-*.idx",
                                         "audit-*.idx.*",  "audit.run",         "audit.run.*",      "audit-*.run",
                                         "audit-*.run.*",  "audit.lock",        "audit.sync",       "audit.tree",
                                         "audit.tree.new", "audit.checkpoint*", "alerts.log",       "alerts.log.1",
                                         "*-risk_*.log",   "sandboxd.jsonl",    "sandboxd.jsonl.1", "mcp.lock" };
static const char *const our_dirs[] = { "artifacts", "log", "packages", "snapshots" };

enum below { TOP, ARTIFACTS, PACKAGES, SNAPSHOTS };

struct giving {
    const char *path; /* the directory's, for errors */
    uint32_t uid, gid;
    bool changes; /* false: only looks */
    unsigned files;
};

static bool is_known(const char *name, bool is_dir)
{
    const char *const *list = is_dir ? our_dirs : our_files;
    for (size_t i = 0; i < (is_dir ? ARRAY_LEN(our_dirs) : ARRAY_LEN(our_files)); i++)
        if (fnmatch(list[i], name, 0) == 0)
            return true;
    return false;
}

static int refuse(const struct giving *g, const char *name, const char *why, struct error *err)
{
    (void)err_set(err, -EPERM, BLAME_HOST, "USER", "%s%s%s: %s", g->path, name ? "/" : "", name ? name : "", why);
    return err_remedy(
        err, "give it to the service yourself (chown -R %u:%u %s), or name another directory in the configuration",
        (unsigned)g->uid, (unsigned)g->gid, g->path);
}

static int walk(struct giving *g, int dir, enum below below, int depth, struct error *err);

static enum below below_of(const char *name)
{
    return str_eq(name, "artifacts")   ? ARTIFACTS
           : str_eq(name, "packages")  ? PACKAGES
           : str_eq(name, "snapshots") ? SNAPSHOTS
                                       : TOP;
}

static int enter(struct giving *g, int dir, const char *name, enum below below, int depth, struct error *err)
{
    struct stat st;
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, "USER", "%s/%s: %m", g->path, name);
    if (depth == (below == PACKAGES ? MAX_PACKAGE_DEPTH : MAX_DEPTH) || !safe_path_is_roots(&st))
        return refuse(g, name, "others than root may write in it", err);
    int e = walk(g, fd, below ? below : below_of(name), depth + 1, err);
    if (e == 0 && g->changes && fchown(fd, g->uid, g->gid) < 0)
        e = err_set(err, -errno, BLAME_HOST, "USER", "give %s/%s away: %m", g->path, name);
    return e;
}

static int give_file(struct giving *g, int dir, const char *name, const struct stat *st, enum below below,
                     struct error *err)
{
    const bool is_link = below == PACKAGES && S_ISLNK(st->st_mode); /* node_modules/.bin has them; it is given itself */
    if (!(S_ISREG(st->st_mode) || is_link) || st->st_uid != 0)
        return refuse(g, name, "no file of root's", err);
    if (st->st_nlink != 1 && below != ARTIFACTS)
        return refuse(g, name, "it has another name elsewhere (a hard link)", err);
    g->files++;
    if (g->changes && fchownat(dir, name, g->uid, g->gid, AT_SYMLINK_NOFOLLOW) < 0)
        return err_set(err, -errno, BLAME_HOST, "USER", "give %s/%s away: %m", g->path, name);
    return 0;
}

static int visit(struct giving *g, int dir, const char *name, enum below below, int depth, struct error *err)
{
    struct stat st;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : err_set(err, -errno, BLAME_HOST, "USER", "%s/%s: %m", g->path, name);
    if (st.st_uid == g->uid && g->changes)
        return 0; /* an artifact's other name was given a moment ago */
    if (!below && !is_known(name, S_ISDIR(st.st_mode)))
        return refuse(g, name, "not a file of sandbox-agent's: the directory is used for something else, too", err);
    return S_ISDIR(st.st_mode) ? enter(g, dir, name, below, depth, err) : give_file(g, dir, name, &st, below, err);
}

static int walk(struct giving *g, int dir, enum below below, int depth, struct error *err)
{
    int e = 0, copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (!d) {
        e = err_set(err, -errno, BLAME_HOST, "USER", "%s: %m", g->path);
        closep(&copy);
        return e;
    }
    for (struct dirent *entry; e == 0 && (entry = readdir(d));)
        if (!str_eq(entry->d_name, ".") && !str_eq(entry->d_name, ".."))
            e = visit(g, dir, entry->d_name, below, depth, err);
    (void)closedir(d);
    return e;
}

static int take_over(struct giving *g, int dir, struct error *err)
{
    for (int pass = 0; pass < 2; pass++) { /* looks at all of it before anything changes */
        g->changes = pass == 1;
        g->files = 0;
        int e = walk(g, dir, TOP, 0, err);
        if (e < 0)
            return e;
    }
    return fchown(dir, g->uid, g->gid) < 0 ? err_set(err, -errno, BLAME_HOST, "USER", "give %s away: %m", g->path) : 0;
}

int belongings_give(const char *path, unsigned mode, uint32_t uid, uint32_t gid, unsigned *ret_taken, struct error *err)
{
    struct giving g = { .path = path, .uid = uid, .gid = gid };
    struct stat st;
    if (ret_taken)
        *ret_taken = 0;
    cleanup(closep) int dir = safe_path_open(path, mode, err);
    if (dir < 0)
        return dir;
    if (fstat(dir, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, "USER", "%s: %m", path);
    if (st.st_uid == uid)
        return 0;
    if (!safe_path_is_roots(&st))
        return refuse(&g, NULL, "it is not root's, or others may write in it", err);
    int e = take_over(&g, dir, err);
    if (e == 0 && ret_taken)
        *ret_taken = g.files;
    return e;
}
