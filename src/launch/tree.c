#include "launch/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

const char *tree_path(struct tree_path *p, const char *prefix, const char *target)
{
    (void)snprintf(p->text, sizeof p->text, "%s%s", prefix, target);
    return p->text;
}

static int make_parents(const char *path)
{
    struct tree_path copy;
    (void)tree_path(&copy, "", path);
    for (char *slash = strchr(copy.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy.text, 0755) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    return 0;
}

int tree_dir(const char *path, mode_t mode)
{
    if (mkdir(path, mode) == 0 || errno == EEXIST)
        return 0;
    if (errno != ENOENT)
        return -errno;
    int r = make_parents(path);
    if (r < 0)
        return r;
    return mkdir(path, mode) < 0 && errno != EEXIST ? -errno : 0;
}

int tree_file(const char *path, mode_t mode)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags, mode);
    if (fd >= 0 || errno != ENOENT)
        return fd < 0 ? -errno : fd;
    int r = make_parents(path);
    if (r < 0)
        return r;
    fd = open(path, flags, mode);
    return fd < 0 ? -errno : fd;
}

int tree_point(const char *path, bool is_dir)
{
    if (is_dir)
        return tree_dir(path, 0755);
    int fd = tree_file(path, 0644);
    if (fd < 0)
        return fd == -EEXIST ? 0 : fd;
    (void)close(fd);
    return 0;
}
