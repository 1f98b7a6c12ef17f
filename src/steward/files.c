#include "steward/steward.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy(int to, int code, const struct plan_file *f)
{
    off_t offset = (off_t)f->offset;
    for (uint64_t left = f->size; left;) {
        ssize_t n = sendfile(to, code, &offset, (size_t)left);
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        left -= (uint64_t)n;
    }
    return 0;
}

/* Whether name lies in the directory itself; a job has no directories of its own. */
static const char *name_in(const char *dir, const char *path)
{
    size_t n = strlen(dir);
    const char *name = strncmp(path, dir, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
    return name && *name && !strchr(name, '/') ? name : NULL;
}

static int write_one(int dir, const char *name, int code, const struct plan_file *f)
{
    cleanup(closep) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, f->mode);
    return fd < 0 ? -errno : copy(fd, code, f);
}

void files_begin(void)
{
    struct stat root, workspace;
    if (stat("/", &root) == 0 && stat("/workspace", &workspace) == 0 && workspace.st_dev != root.st_dev &&
        symlink("/workspace/node_modules", STEWARD_CODE "/node_modules") < 0)
        return; /* then only commands find them */
}

int files_write(const struct job *j, int code)
{
    char path[128];
    (void)snprintf(path, sizeof path, STEWARD_CODE "/%s", j->id);
    if (mkdir(path, 0755) < 0)
        return -errno;
    cleanup(closep) int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return -errno;
    int r = 0;
    for (uint32_t i = 0; i < j->file_count && r == 0; i++) {
        const char *name = name_in(path, j->files[i].path);
        r = name ? write_one(dir, name, code, &j->files[i]) : -EINVAL;
    }
    return r;
}

void files_remove(const char *id)
{
    char path[128];
    (void)snprintf(path, sizeof path, STEWARD_CODE "/%s", id);
    if (rmdir(path) == 0) /* a command's */
        return;
    DIR *dir = opendir(path);
    for (struct dirent *d; dir && (d = readdir(dir));)
        (void)unlinkat(dirfd(dir), d->d_name, 0); /* «.» and «..» are none */
    if (dir)
        (void)closedir(dir);
    (void)rmdir(path);
}
