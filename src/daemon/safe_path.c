#include "daemon/safe_path.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#define MAX_LINKS 40u /* the kernel's own */

struct way {
    const char *path; /* the whole, for errors */
    unsigned mode, links;
    int at;              /* where we are */
    char rest[PATH_MAX]; /* what is still to go */
};

bool safe_path_is_roots(const struct stat *st)
{
    return st->st_uid == 0 && !(st->st_mode & 022);
}

static int failed(const struct way *w, int code, const char *name, struct error *err)
{
    return err_set(err, code, BLAME_HOST, "USER", "%s: at %s: %s", w->path, name, strerror(-code));
}

/* The next component into `name`: 1; 0, there is none; or -ENAMETOOLONG. */
static int next(struct way *w, char name[static NAME_MAX + 1])
{
    const char *from = w->rest + strspn(w->rest, "/");
    size_t n = strcspn(from, "/");
    if (!n || n > NAME_MAX)
        return n ? -ENAMETOOLONG : 0;
    memcpy(name, from, n);
    name[n] = '\0';
    from += n + strspn(from + n, "/");
    memmove(w->rest, from, strlen(from) + 1);
    return 1;
}

static int go_to_root(struct way *w)
{
    closep(&w->at);
    w->at = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return w->at < 0 ? -errno : 0;
}

/* `name` is a link: its text comes before what is still to go. */
static int follow(struct way *w, const char *name, struct error *err)
{
    struct stat st;
    char text[PATH_MAX], rest[PATH_MAX];
    if (fstat(w->at, &st) < 0)
        return failed(w, -errno, name, err);
    if (!safe_path_is_roots(&st)) {
        (void)err_set(err, -EPERM, BLAME_HOST, "USER",
                      "%s: %s is a symbolic link in a directory in which others than root may write", w->path, name);
        return err_remedy(err, "replace it by a directory, or name the directory itself in the configuration");
    }
    ssize_t n = readlinkat(w->at, name, text, sizeof text - 1);
    if (n <= 0 || ++w->links > MAX_LINKS)
        return failed(w, n < 0 ? -errno : -ELOOP, name, err);
    text[n] = '\0';
    if (snprintf(rest, sizeof rest, "%s/%s", text, w->rest) >= (int)sizeof rest)
        return failed(w, -ENAMETOOLONG, name, err);
    memcpy(w->rest, rest, strlen(rest) + 1);
    int e = text[0] == '/' ? go_to_root(w) : 0;
    return e < 0 ? failed(w, e, name, err) : 0;
}

/* O_NOFOLLOW with O_DIRECTORY says ENOTDIR for a link, too. */
static bool is_link(int at, const char *name)
{
    struct stat st;
    return fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
}

static int enter(struct way *w, const char *name, struct error *err)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(w->at, name, flags);
    if (fd < 0 && errno == ENOENT) {
        if (mkdirat(w->at, name, w->rest[0] ? 0755 : w->mode) < 0 && errno != EEXIST)
            return failed(w, -errno, name, err);
        fd = openat(w->at, name, flags);
    }
    if (fd < 0 && (errno == ENOTDIR || errno == ELOOP) && is_link(w->at, name))
        return follow(w, name, err);
    if (fd < 0)
        return failed(w, -errno, name, err);
    closep(&w->at);
    w->at = fd;
    return 0;
}

static int start(struct way *w, const char *path)
{
    size_t n = strlen(path);
    if (n >= sizeof w->rest)
        return -ENAMETOOLONG;
    memcpy(w->rest, path, n + 1);
    if (path[0] == '/')
        return go_to_root(w);
    w->at = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return w->at < 0 ? -errno : 0;
}

int safe_path_open(const char *path, unsigned mode, struct error *err)
{
    char name[NAME_MAX + 1];
    struct way w = { .path = path, .mode = mode, .at = -1 };
    int e = start(&w, path);
    if (e < 0)
        return failed(&w, e, "its begin", err);
    while ((e = next(&w, name)) > 0)
        if ((e = enter(&w, name, err)) < 0) {
            closep(&w.at);
            return e;
        }
    if (e < 0) {
        closep(&w.at);
        return failed(&w, e, "one of its names", err);
    }
    return w.at;
}
