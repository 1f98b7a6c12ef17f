#include "audit/dir.h"

#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>

#define MAX_DEPTH 64

/* As the owner of the directory above: what root makes below the service's directories is the service's. */
static int make_below(int above, const char *name)
{
    cleanup(dir_leave) struct dir_visit visit = dir_enter(above);
    if (visit.is_refused)
        return -EPERM;
    return mkdirat(above, name, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

static int open_or_make(const char *path, unsigned depth)
{
    char above[4096];
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t n = strlen(path);
    if (fd >= 0)
        return fd;
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (errno != ENOENT || n >= sizeof above || depth == MAX_DEPTH)
        return -errno;
    memcpy(above, path, n);
    above[n] = '\0';
    char *slash = strrchr(above, '/');
    const char *name = slash ? slash + 1 : above;
    if (!*name)
        return -ENOENT;
    if (slash)
        *slash = '\0';
    cleanup(closep) int up = open_or_make(!slash ? "." : slash == above ? "/" : above, depth + 1);
    int e = up < 0 ? up : make_below(up, name);
    if (e < 0)
        return e;
    fd = openat(up, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int dir_open(const char *path)
{
    return open_or_make(path, 0);
}

/* A user who may rename in the directory can put another file in the audit's place. */
int dir_check(int fd, const char *step, const char *path, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, step, "%s: %m", path);
    if (geteuid() == 0 || st.st_uid == geteuid() || st.st_uid == 0)
        if (!(st.st_mode & 022) || (st.st_mode & S_ISVTX))
            return 0;
    (void)err_set(err, -EPERM, BLAME_HOST, step, "directory %s: others may change what is in it (owner %u, mode %04o)",
                  path, (unsigned)st.st_uid, (unsigned)(st.st_mode & 07777));
    return err_remedy(
        err,
        "chown it to the user who runs sandbox-agent and chmod go-w, or name another directory in the configuration");
}

/* --- root as a guest ------------------------------------------------------------------------------ */

/* An impossible id changes nothing and tells what is in force: the only way to see whether setfsuid() worked. */
static uint32_t fsuid_now(void)
{
    return (uint32_t)setfsuid((uid_t)-1);
}

/* Visits may nest: the state directory may be another's than the log directory, also root's own. */
struct dir_visit dir_enter(int fd)
{
    struct stat st;
    struct dir_visit v = { .is_guest = false };
    if (geteuid() != 0 || fd < 0 || fstat(fd, &st) < 0)
        return v;
    v.uid = fsuid_now();
    v.gid = (uint32_t)setfsgid((gid_t)-1);
    if (v.uid == st.st_uid)
        return v;
    v.is_guest = true;
    v.was_dumpable = prctl(PR_GET_DUMPABLE) == 1;
    (void)setfsgid(st.st_uid ? st.st_gid
                             : getegid()); /* both are allowed by CAP_SETUID and CAP_SETGID, which a guest keeps */
    (void)setfsuid(st.st_uid);
    v.is_refused = fsuid_now() != st.st_uid;
    return v;
}

void dir_leave(struct dir_visit *v)
{
    const int e = errno;
    if (v->is_guest) {
        (void)setfsuid(v->uid);
        (void)setfsgid(v->gid);
        if (v->was_dumpable) /* the kernel takes that away whenever ids change; a debugger's rights follow the real ids,
                                which did not */
            (void)prctl(PR_SET_DUMPABLE, 1);
    }
    v->is_guest = false;
    errno = e;
}

bool dir_owns(int fd, const struct stat *file)
{
    struct stat st;
    if (geteuid() == 0 && fd >= 0 && fstat(fd, &st) == 0)
        return file->st_uid == st.st_uid;
    return file->st_uid == geteuid();
}
