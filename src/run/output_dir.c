#include "run/output_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/io.h"

static bool is_empty(int dir)
{
    int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    bool has_one = !d;
    if (!d && copy >= 0)
        (void)close(copy);
    for (struct dirent *e; d && (e = readdir(d));)
        has_one |= !str_eq(e->d_name, ".") && !str_eq(e->d_name, "..");
    if (d)
        (void)closedir(d);
    return !has_one;
}

int output_dir_open(const char *path, struct error *err)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--output-dir %s: %m", path);
    cleanup(closep) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--output-dir %s: %m", path);
    if (is_empty(dir))
        return TAKE_FD(dir);
    (void)err_set(err, -ENOTEMPTY, BLAME_CALLER, NULL, "--output-dir %s: it is not empty", path);
    return err_remedy(err, "name a directory that does not exist: nothing in it is replaced"), -ENOTEMPTY;
}

/* The next part of a path, up to 255 bytes. NULL: none that may be. */
static const char *next_part(const char *path, char part[static 256])
{
    size_t n = strcspn(path, "/");
    if (!n || n > 255)
        return NULL;
    memcpy(part, path, n);
    part[n] = '\0';
    return str_eq(part, ".") || str_eq(part, "..") ? NULL : path + n;
}

static int enter(int dir, const char *part)
{
    if (mkdirat(dir, part, 0777) < 0 && errno != EEXIST)
        return -errno;
    int next = openat(dir, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return next < 0 ? -errno : next;
}

static int write_file(int dir, const char *name, const void *data, size_t size)
{
    cleanup(closep) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return fd < 0 ? -errno : write_all(fd, data, size);
}

int output_dir_add(int dir, const char *name, const void *data, size_t size, struct error *err)
{
    char part[256];
    cleanup(closep) int inner = -1;
    int e = 0;
    const char *rest = name;
    while ((rest = next_part(rest, part)) && *rest) {
        int next = enter(inner < 0 ? dir : inner, part);
        closep(&inner);
        if ((e = inner = next) < 0)
            break;
        rest++;
    }
    if (e >= 0)
        e = rest ? write_file(inner < 0 ? dir : inner, part, data, size) : -EINVAL;
    return e < 0 ? err_set(err, e, BLAME_CALLER, NULL, "--output-dir: %s: %s", name, strerror(-e)) : 0;
}
