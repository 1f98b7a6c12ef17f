#include "base/unix_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include "base/io.h"

_Static_assert(UNIX_SOCKET_PATH_MAX < sizeof((struct sockaddr_un *)0)->sun_path, "with its end");

static int address_of(const char *path, struct sockaddr_un *ret)
{
    const size_t size = strlen(path);
    *ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
    if (!size || size > UNIX_SOCKET_PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(ret->sun_path, path, size);
    return 0;
}

int unix_connect(const char *path, int type)
{
    struct sockaddr_un a;
    const int e = address_of(path, &a);
    if (e < 0)
        return e;
    cleanup(closep) int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&a, sizeof a) < 0)
        return -errno;
    return TAKE_FD(fd);
}

/* Whatever its type: that of another one is told as EPROTOTYPE. */
static bool somebody_listens(const char *path)
{
    cleanup(closep) int fd = unix_connect(path, SOCK_STREAM | SOCK_NONBLOCK);
    return fd != -ECONNREFUSED;
}

/* 0: the path is free now. */
static int remove_old_socket(const char *path)
{
    struct stat st;
    if (lstat(path, &st) < 0)
        return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(st.st_mode))
        return -EEXIST;
    if (somebody_listens(path))
        return -EADDRINUSE;
    return unlink(path) < 0 ? -errno : 0;
}

/* No client can connect between bind() and chmod(): it does not listen yet. */
int unix_listen(const char *path, int type, mode_t mode, int backlog)
{
    struct sockaddr_un a;
    int e = address_of(path, &a);
    if (e == 0)
        e = remove_old_socket(path);
    if (e < 0)
        return e;
    cleanup(closep) int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&a, sizeof a) < 0)
        return -errno;
    if (chmod(path, mode) < 0 || listen(fd, backlog) < 0) {
        e = -errno;
        (void)unlink(path); /* ours */
        return e;
    }
    return TAKE_FD(fd);
}
