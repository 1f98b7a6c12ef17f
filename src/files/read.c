#include "files/internal.h"

const char *wfile_kind_name(enum wfile_kind k)
{
    static const char *const names[] = { "file", "directory", "link", "fifo", "socket", "device" };
    return (size_t)k < ARRAY_LEN(names) ? names[k] : "device";
}

void wfile_stat_from(const struct stat *st, struct wfile_stat *ret)
{
    *ret = (struct wfile_stat){
        .kind = S_ISREG(st->st_mode)    ? WFILE_REGULAR
                : S_ISDIR(st->st_mode)  ? WFILE_DIRECTORY
                : S_ISLNK(st->st_mode)  ? WFILE_LINK
                : S_ISFIFO(st->st_mode) ? WFILE_FIFO
                : S_ISSOCK(st->st_mode) ? WFILE_SOCKET
                                        : WFILE_DEVICE,
        .mode = st->st_mode & 0777,
        .size = S_ISREG(st->st_mode) && st->st_size > 0 ? (uint64_t)st->st_size : 0,
        .modified_s = st->st_mtim.tv_sec,
        .modified_ns = (uint32_t)st->st_mtim.tv_nsec,
    };
}

void wfile_link_text(int dir, const char *name, char target[static PATH_MAX])
{
    ssize_t n = readlinkat(dir, name, target, PATH_MAX - 1);
    target[MAX_OF(n, 0)] = '\0';
}

static int look(int fd, struct wfile_stat *ret)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    wfile_stat_from(&st, ret);
    return ret->kind == WFILE_REGULAR ? 0 : ret->kind == WFILE_DIRECTORY ? -EISDIR : -ENXIO;
}

int wfile_open(int root, const char *path, struct wfile_stat *ret)
{
    if (!wfile_path_is_sound(path, strlen(path)))
        return -EINVAL;
    /* first as a mere name, so that a fifo's writer does not notice */
    cleanup(closep) int name = wfile_resolve(root, path, O_PATH, FOLLOW_BENEATH);
    int e = name < 0 ? name : look(name, ret);
    if (e < 0)
        return e;
    cleanup(closep) int fd = wfile_resolve(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, FOLLOW_BENEATH);
    e = fd < 0 ? fd : look(fd, ret);
    return e < 0 ? e : TAKE_FD(fd);
}

int wfile_stat(int root, const char *path, struct wfile_stat *ret, char target[PATH_MAX])
{
    if (!wfile_path_is_sound(path, strlen(path)))
        return -EINVAL;
    cleanup(closep) int fd = wfile_resolve(root, path, O_PATH | O_NOFOLLOW, FOLLOW_BENEATH);
    if (fd < 0)
        return fd;
    int e = look(fd, ret);
    if (e < 0 && e != -EISDIR && e != -ENXIO)
        return e;
    if (target)
        target[0] = '\0';
    if (target && ret->kind == WFILE_LINK)
        wfile_link_text(fd, "", target);
    return 0;
}
