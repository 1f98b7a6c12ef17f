#include "engine/pathfile.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "base/io.h"

#define NAME "/profile"

void pathfile_init(struct pathfile *l)
{
    *l = (struct pathfile){ .fd = -1 };
}

static int make_memory(struct pathfile *l)
{
    l->fd = memfd_create("lent", MFD_CLOEXEC);
    (void)snprintf(l->path, sizeof l->path, "/proc/%d/fd/%d", (int)getpid(), l->fd);
    return l->fd < 0 ? -errno : 0;
}

static int make_file(struct pathfile *l)
{
    char dir[] = "/tmp/sandbox-engine-XXXXXX"; /* mkdtemp(3): new, and 0700 */
    if (!mkdtemp(dir))
        return -errno;
    (void)snprintf(l->path, sizeof l->path, "%s" NAME, dir);
    l->is_file = true;
    l->fd = open(l->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return l->fd < 0 || fchmod(l->fd, 0444) < 0 || chmod(dir, 0711) < 0 ? -errno : 0; /* whatever our umask says */
}

static bool is_roots(const char *socket)
{
    struct stat st;
    return geteuid() == 0 && stat(socket, &st) == 0 && st.st_uid == 0;
}

int pathfile_make(struct pathfile *l, const char *socket, struct bytes content, struct error *err)
{
    pathfile_done(l);
    int e = is_roots(socket) ? make_memory(l) : make_file(l);
    if (e == 0)
        e = write_all(l->fd, content.data, content.size);
    if (e == 0)
        return 0;
    pathfile_done(l);
    return err_set(err, e, BLAME_HOST, NULL, "a place for the seccomp profile: %s", strerror(-e));
}

void pathfile_done(struct pathfile *l)
{
    closep(&l->fd);
    if (!l->is_file)
        return;
    (void)unlink(l->path);
    l->path[strlen(l->path) - strlen(NAME)] = '\0';
    (void)rmdir(l->path);
    l->is_file = false;
}
