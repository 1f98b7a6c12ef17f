#include "audit/dir.h"

#include <fcntl.h>
#include <sys/stat.h>

static int make_dirs_above(const char *path, unsigned mode)
{
    char copy[4096];
    size_t n = strlen(path);
    if (mkdir(path, mode) == 0 || errno == EEXIST)
        return 0;
    if (errno != ENOENT || n >= sizeof copy)
        return -errno;
    memcpy(copy, path, n + 1);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, mode) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    return mkdir(path, mode) < 0 && errno != EEXIST ? -errno : 0;
}

int dir_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        int e = make_dirs_above(path, 0700);
        if (e < 0)
            return e;
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    return fd < 0 ? -errno : fd;
}

/* Whoever may rename in the directory can put another file in the audit's place. */
int dir_check(int fd, const char *step, const char *path, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, step, "%s: %m", path);
    if (st.st_uid == geteuid() || st.st_uid == 0)
        if (!(st.st_mode & 022) || (st.st_mode & S_ISVTX))
            return 0;
    (void)err_set(err, -EPERM, BLAME_HOST, step, "directory %s: others may change what is in it (owner %u, mode %04o)",
                  path, (unsigned)st.st_uid, (unsigned)(st.st_mode & 07777));
    return err_remedy(err, "chown it to the user who runs sandbox-agent and chmod go-w, or name another directory in the configuration");
}
