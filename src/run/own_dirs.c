#include "run/own_dirs.h"

#include "run/locations.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

enum when {
    ALWAYS,     /* a run makes it if it is not there */
    IF_THERE,   /* or if the volume is writable, and so could make it */
    IF_WRITABLE /* what is in it may be read, but not changed */
};

struct own_dir {
    const char *path, *what;
    enum when when;
};
#define OWN_DIRS_MAX 16

struct identity {
    dev_t dev;
    ino_t ino;
};

static bool is_same(const char *path, const struct identity *id)
{
    struct stat st;
    return stat(path, &st) == 0 && st.st_dev == id->dev && st.st_ino == id->ino;
}

/* path without links, as far as it exists. False: nothing of it can be seen. */
static bool resolve(const char *path, char out[static PATH_MAX], bool *ret_is_there)
{
    char copy[PATH_MAX];
    *ret_is_there = realpath(path, out);
    if (*ret_is_there)
        return true;
    (void)snprintf(copy, sizeof copy, "%s", path);
    for (char *slash; (slash = strrchr(copy, '/')) && slash != copy;) {
        *slash = '\0';
        if (realpath(copy, out))
            return true;
    }
    return realpath("/", out);
}

/* Is id one of the directories on the way from «/» to path, or path itself? */
static bool is_on_the_way(const char *path, const struct identity *id)
{
    char copy[PATH_MAX];
    (void)snprintf(copy, sizeof copy, "%s", path);
    for (;;) {
        if (is_same(copy, id))
            return true;
        char *slash = strrchr(copy, '/');
        if (!slash || !copy[1])
            return false;
        slash[slash == copy] = '\0';
    }
}

static bool meets(const struct own_dir *d, const struct request_volume *v)
{
    const struct identity volume = { (dev_t)v->dev, (ino_t)v->ino };
    char real[PATH_MAX];
    struct stat st;
    bool is_there;
    if (!d->path || d->path[0] != '/' || (d->when == IF_WRITABLE && !v->is_writable))
        return false;
    if (!resolve(d->path, real, &is_there) || (!is_there && d->when == IF_THERE && !v->is_writable))
        return false;
    if (is_on_the_way(real, &volume))
        return true;
    if (!is_there || stat(real, &st) < 0)
        return false;
    return is_on_the_way(v->host, &(struct identity){ st.st_dev, st.st_ino });
}

static const char *directory_of(const char *file, struct arena *a)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash && slash != file ? arena_printf(a, "%.*s", (int)(slash - file), file) : NULL;
}

/* A file named on the command line may be given relatively. */
static const char *absolute(const char *file, struct arena *a)
{
    char real[PATH_MAX];
    return file && realpath(file, real) ? arena_copy(a, real) : NULL;
}

int own_dirs_check(const struct paths *p, const struct config *c, const struct options *o, const struct run_request *r,
                   struct arena *a, struct error *err)
{
    if (!r->volume_count)
        return 0;
    struct locations where = { 0 };
    locations_find(p, c, a, &where);
    const struct own_dir dirs[OWN_DIRS_MAX] = {
        { where.state_dir, "state", ALWAYS },
        { where.log_dirs[0], "logs", c->sandbox.paths.log_dir ? ALWAYS : IF_THERE },
        { where.log_dirs[1], "logs", ALWAYS },
        { where.artifacts_dir, "artifacts", ALWAYS },
        { p->state, "state", ALWAYS },
        { p->log, "logs", ALWAYS },
        { p->cache, "cache", ALWAYS },
        { directory_of(p->user_config, a), "configuration", IF_THERE },
        { directory_of(p->system_config, a), "configuration", IF_THERE },
        { c->sandbox.paths.profiles_dir, "profiles", IF_WRITABLE },
        { absolute(o->config, a), "configuration", IF_WRITABLE },
        { absolute(o->profile, a), "profile", IF_WRITABLE },
        { "/var/lib/sandbox-agent", "state", IF_THERE }, /* the service's */
        { "/var/cache/sandbox-agent", "cache", IF_THERE },
        { "/var/log/sandbox", "logs", IF_THERE },
        { "/etc/sandbox-agent", "configuration", IF_THERE },
    };
    for (uint32_t i = 0; i < r->volume_count; i++)
        for (size_t k = 0; k < ARRAY_LEN(dirs); k++) {
            const struct request_volume *v = &r->volumes[i];
            if (!meets(&dirs[k], v))
                continue;
            (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "volume %s: it would show %s, which has sandbox-agent's %s",
                          v->host, dirs[k].path, dirs[k].what);
            return err_remedy(err, "give a directory that neither holds it nor lies in it, or keep it elsewhere "
                                   "(sandbox.paths, XDG_STATE_HOME, XDG_CACHE_HOME)");
        }
    return 0;
}
