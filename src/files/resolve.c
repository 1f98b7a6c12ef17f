#include "files/internal.h"

#include <stdio.h>
#include <sys/random.h>
#include "base/kernel.h"

#define MAX_TRIES 64u /* a rename during «..» makes the kernel say EAGAIN; a hostile program renames all the time */

int wfile_resolve(int root, const char *path, int flags, enum follow follow)
{
    const struct kopen_how how = { .flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
                                   .resolve = KRESOLVE_BENEATH | KRESOLVE_NO_MAGICLINKS | KRESOLVE_NO_XDEV |
                                              (follow == FOLLOW_NONE ? KRESOLVE_NO_SYMLINKS : 0) };
    for (unsigned i = 0;; i++) {
        int fd = sys_openat2(root, path, &how);
        if (fd >= 0)
            return fd;
        if (errno != EAGAIN && errno != EINTR)
            return -errno;
        if (i == MAX_TRIES)
            return -EAGAIN;
    }
}

bool wfile_path_is_sound(const char *path, size_t size)
{
    if (!size || size >= WFILE_MAX_PATH || path[0] == '/' || memchr(path, '\0', size))
        return false;
    for (size_t at = 0; at < size;) {
        const char *slash = memchr(path + at, '/', size - at);
        size_t n = slash ? (size_t)(slash - path) - at : size - at;
        if (n > NAME_MAX)
            return false;
        at += n + 1;
    }
    return true;
}

static bool is_name(const char *name)
{
    return name[0] && !str_eq(name, ".") && !str_eq(name, "..");
}

/* path without its last name and the slashes around that; "." where nothing is left. -EINVAL: it ends in no name. */
static int split(const char *path, char above[static WFILE_MAX_PATH], char name[static NAME_MAX + 1])
{
    size_t end = strlen(path), begin;
    if (!wfile_path_is_sound(path, end))
        return -EINVAL;
    while (end && path[end - 1] == '/')
        end--;
    for (begin = end; begin && path[begin - 1] != '/';)
        begin--;
    memcpy(name, path + begin, end - begin);
    name[end - begin] = '\0';
    if (!is_name(name))
        return -EINVAL;
    while (begin && path[begin - 1] == '/')
        begin--;
    if (!begin)
        above[begin++] = '.';
    else
        memcpy(above, path, begin);
    above[begin] = '\0';
    return 0;
}

/* Into `name` of dir, which is closed; makes it where it is missing. */
static int enter(int dir, const char *name)
{
    const int flags = O_PATH | O_DIRECTORY;
    int fd = wfile_resolve(dir, name, flags, FOLLOW_NONE);
    if (fd == -ENOENT) {
        if (mkdirat(dir, name, 0755) < 0 && errno != EEXIST)
            fd = -errno;
        else
            fd = wfile_resolve(dir, name, flags, FOLLOW_NONE);
    }
    (void)close(dir);
    return fd;
}

/* Makes what is missing, a name at a time. «..» is refused: beneath the directory so far it would lead out anyway. */
static int make_all(int root, const char *path)
{
    char name[NAME_MAX + 1];
    int at = wfile_resolve(root, ".", O_PATH | O_DIRECTORY, FOLLOW_NONE);
    for (const char *p = path; at >= 0 && *p;) {
        size_t n = strcspn(p, "/");
        memcpy(name, p, n);
        name[n] = '\0';
        p += n + strspn(p + n, "/");
        if (n && !str_eq(name, "."))
            at = enter(at, name);
    }
    return at;
}

int wfile_parent(int root, const char *path, bool is_made, char name[static NAME_MAX + 1])
{
    char above[WFILE_MAX_PATH];
    int e = split(path, above, name);
    if (e < 0)
        return e;
    int dir = wfile_resolve(root, above, O_PATH | O_DIRECTORY, FOLLOW_NONE);
    return dir == -ENOENT && is_made ? make_all(root, above) : dir;
}

void wfile_temporary_name(char name[static sizeof WFILE_TEMPORARY + 16])
{
    static _Atomic uint64_t count;
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = (uint64_t)(unsigned)getpid() << 32; /* only has to differ: it is created with O_EXCL */
    random += count++;
    (void)snprintf(name, sizeof WFILE_TEMPORARY + 16, WFILE_TEMPORARY "%016llx", (unsigned long long)random);
}

int wfile_take_place(int dir, const char *temporary, const char *name)
{
    int e = renameat(dir, temporary, dir, name) < 0 ? -errno : 0;
    /* also where both are one file under two names: then rename(2) does nothing and leaves both */
    (void)unlinkat(dir, temporary, 0);
    return e;
}

const char *wfile_words(int error)
{
    switch (error < 0 ? -error : error) {
    case ENOENT:
        return "there is no such file";
    case ENOTDIR:
        return "is no directory, or a name on the way to it is none";
    case EISDIR:
        return "is a directory";
    case ENXIO:
        return "is no regular file (a link, fifo, socket or device is not read)";
    case ELOOP:
        return "a name on the way is a symbolic link, which changes do not follow";
    case EXDEV:
        return "leads out of the workspace, or onto a volume";
    case EINVAL:
        return "is no path below the workspace, or would be moved into itself";
    case EEXIST:
        return "exists already";
    case ENOTEMPTY:
        return "is a directory that is not empty";
    case EFBIG:
        return "is larger than the limit";
    case ENOSPC:
    case EDQUOT:
        return "the workspace is full (resources.storage)";
    case ENOMEM:
        return "the session's memory is full (resources.memory)";
    case EACCES:
    case EPERM:
        return "its permissions do not allow it";
    case EROFS:
        return "is read-only at this risk level";
    case ENAMETOOLONG:
        return "a name or the path is too long";
    case EAGAIN:
    case EBUSY:
        return "the session changes it all the time, or it is very large: try again";
    case EOVERFLOW:
        return "this process is none of the sandbox's users";
    default:
        return strerror(error < 0 ? -error : error);
    }
}
