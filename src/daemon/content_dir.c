/* content_dir.c - a directory as the place for contents: a key is a path in it. What is written has another name in
 * new/ until it is whole and on the disk. A directory that is empty goes, and comes again with the next that needs it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "audit/hmac.h"
#include "base/io.h"
#include "daemon/content.h"

#define NEW    "new"
#define TRIES  16u /* a directory that goes while another node writes into it is made again */
#define LEFT_S (24 * 3600)
#define FLAGS  (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct dir_place {
    int top;
    char path[PATH_MAX];
};

static int failed(const struct dir_place *p, int e, const char *what, const char *key, struct error *err)
{
    (void)err_set(err, e, BLAME_HOST, "CONTENT", "%s %s/%s: %s", what, p->path, key, strerror(-e));
    return err_remedy(err, "see content.place");
}

/* The directory in which the last word of the key is, and that word. */
static int open_above(const struct dir_place *p, const char *key, bool is_made, const char **ret_name)
{
    char word[NAME_MAX + 1];
    int dir = fcntl(p->top, F_DUPFD_CLOEXEC, 3);
    for (const char *end; dir >= 0 && (end = strchr(key, '/')); key = end + 1) {
        if ((size_t)(end - key) >= sizeof word) {
            (void)close(dir);
            return -ENAMETOOLONG;
        }
        (void)snprintf(word, sizeof word, "%.*s", (int)(end - key), key);
        const bool is_bad = is_made && mkdirat(dir, word, 0700) < 0 && errno != EEXIST;
        const int below = is_bad ? -1 : openat(dir, word, FLAGS), e = errno;
        (void)close(dir);
        dir = below;
        errno = e;
    }
    *ret_name = key;
    return dir < 0 ? -errno : dir;
}

/* --- put ------------------------------------------------------------------------------------------------------ */

static int copy(int from, int to, uint64_t size)
{
    char piece[64 * KIB];
    while (size) {
        const ssize_t n = read(from, piece, MIN_OF(size, (uint64_t)sizeof piece));
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        const int e = write_all(to, piece, (size_t)n);
        if (e < 0)
            return e;
        size -= (uint64_t)n;
    }
    return 0;
}

static int give_name(const struct dir_place *p, int new, const char *temporary, const char *key)
{
    int e = -ENOENT;
    for (unsigned i = 0; e == -ENOENT && i < TRIES; i++) {
        const char *name;
        cleanup(closep) int above = open_above(p, key, true, &name);
        e = above < 0 ? above : renameat(new, temporary, above, name) < 0 ? -errno : 0;
        if (e == 0 && fsync(above) < 0)
            e = -errno;
    }
    return e;
}

static int put(void *self, const char *key, const char *head, size_t head_size, const void *data, int from,
               uint64_t size, struct error *err)
{
    const struct dir_place *p = self;
    const char *last;
    char temporary[48];
    uint64_t number = 0;
    int e = random_bytes(&number, sizeof number);
    (void)snprintf(temporary, sizeof temporary, "%016llx", (unsigned long long)number);
    cleanup(closep) int new = e < 0 ? e : open_above(p, NEW "/x", true, &last);
    cleanup(closep) int fd = new < 0 ? -1 : openat(new, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    e = new < 0 ? new : fd < 0 ? -errno : write_all(fd, head, head_size);
    if (e == 0)
        e = from < 0 ? write_all(fd, data, size) : copy(from, fd, size);
    if (e == 0 && fsync(fd) < 0)
        e = -errno;
    if (e == 0)
        e = give_name(p, new, temporary, key);
    if (e < 0 && fd >= 0)
        (void)unlinkat(new, temporary, 0);
    return e < 0 ? failed(p, e, "write", key, err) : 0;
}

/* --- get ------------------------------------------------------------------------------------------------------ */

static int get(void *self, const char *key, int (*take)(void *context, const void *data, size_t size), void *context,
               struct error *err)
{
    const struct dir_place *p = self;
    const char *name;
    char piece[64 * KIB];
    cleanup(closep) int above = open_above(p, key, false, &name);
    cleanup(closep) int fd = above < 0 ? -1 : openat(above, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int e = above < 0 ? above : fd < 0 ? -errno : 0;
    while (e == 0) {
        const ssize_t n = read(fd, piece, sizeof piece);
        if (n <= 0) {
            e = n < 0 ? -errno : 0;
            break;
        }
        e = take(context, piece, (size_t)n);
    }
    return e < 0 ? failed(p, e, "read", key, err) : 0;
}

static int has(void *self, const char *key, struct error *err)
{
    const struct dir_place *p = self;
    const char *name;
    struct stat st;
    cleanup(closep) int above = open_above(p, key, false, &name);
    const int e = above < 0 ? above : fstatat(above, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
    return e == -ENOENT ? 0 : e < 0 ? failed(p, e, "look for", key, err) : 1;
}

static int remove_key(void *self, const char *key, struct error *err)
{
    const struct dir_place *p = self;
    char above_key[CONTENT_KEY_MAX + 1];
    const char *name;
    cleanup(closep) int above = open_above(p, key, false, &name);
    const int e = above < 0 ? above : unlinkat(above, name, 0) < 0 ? -errno : 0;
    if (e < 0 && e != -ENOENT)
        return failed(p, e, "remove", key, err);
    (void)snprintf(above_key, sizeof above_key, "%s", key);
    for (char *slash; (slash = strrchr(above_key, '/'));) {
        *slash = '\0';
        cleanup(closep) int higher = open_above(p, above_key, false, &name);
        if (higher < 0 || unlinkat(higher, name, AT_REMOVEDIR) < 0)
            break;
    }
    return 0;
}

/* --- each ----------------------------------------------------------------------------------------------------- */

struct walk {
    bool (*each)(void *context, const char *key);
    void *context;
    char key[CONTENT_KEY_MAX + 1];
    bool is_over;
};

static int is_name(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static int walk(struct walk *w, int dir)
{
    struct dirent **names = NULL;
    const size_t length = strlen(w->key);
    const int count = scandirat(dir, ".", &names, is_name, alphasort);
    int e = count < 0 ? -errno : 0;
    for (int i = 0; i < count; i++) {
        struct stat st;
        const char *name = names[i]->d_name;
        if (e == 0 && !w->is_over && length + strlen(name) + 2 < sizeof w->key &&
            fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
            (void)snprintf(w->key + length, sizeof w->key - length, "%s%s", name, S_ISDIR(st.st_mode) ? "/" : "");
            cleanup(closep) int below = S_ISDIR(st.st_mode) ? openat(dir, name, FLAGS) : -1;
            if (below >= 0)
                e = walk(w, below);
            else if (S_ISREG(st.st_mode) && content_key_is_good(w->key)) /* others are none of ours */
                w->is_over = !w->each(w->context, w->key);
        }
        w->key[length] = '\0';
        free(names[i]);
    }
    free(names);
    return e == -ENOENT ? 0 : e;
}

static int each_key(void *self, const char *prefix, bool (*each)(void *context, const char *key), void *context,
                    struct error *err)
{
    const struct dir_place *p = self;
    struct walk w = { .each = each, .context = context };
    char last[CONTENT_KEY_MAX + 4];
    const char *name;
    (void)snprintf(w.key, sizeof w.key, "%s", prefix);
    (void)snprintf(last, sizeof last, "%s.", prefix); /* prefix/. is the directory itself */
    cleanup(closep) int dir = open_above(p, last, false, &name);
    const int e = dir == -ENOENT ? 0 : dir < 0 ? dir : walk(&w, dir);
    return e < 0 ? failed(p, e, "list", prefix, err) : 0;
}

/* --- life ----------------------------------------------------------------------------------------------------- */

static void close_place(void *self)
{
    struct dir_place *p = self;
    closep(&p->top);
    free(p);
}

/* What was being written when a service was killed, a day ago or longer. */
static void tidy(const struct dir_place *p)
{
    struct dirent **names = NULL;
    cleanup(closep) int new = openat(p->top, NEW, FLAGS);
    const int count = new < 0 ? 0 : scandirat(new, ".", &names, is_name, NULL);
    const time_t before = time(NULL) - LEFT_S;
    for (int i = 0; i < count; i++) {
        struct stat st;
        if (fstatat(new, names[i]->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
            st.st_mtime < before)
            (void)unlinkat(new, names[i]->d_name, 0);
        free(names[i]);
    }
    free(names);
}

/* It is not made: where the share of all nodes is not mounted, a directory of the same name would be this node's own.
 */
int content_dir_open(const char *path, const struct content_place **ret, void **ret_self, struct error *err)
{
    static const struct content_place place = { put, get, has, remove_key, each_key, NULL, close_place };
    struct stat st;
    struct dir_place *p = calloc(1, sizeof *p);
    if (!p)
        return err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "no memory");
    p->top = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)snprintf(p->path, sizeof p->path, "%s", path);
    int e = 0;
    if (p->top < 0 || fstat(p->top, &st) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "CONTENT", "content.place %s: %m", path);
        e = err_remedy(err, "make the directory, for the service's user only, where all nodes have it");
    } else if (st.st_mode & S_IWOTH) {
        (void)err_set(err, -EPERM, BLAME_HOST, "CONTENT", "content.place %s: every user may change what is in it",
                      path);
        e = err_remedy(err, "chmod o-w");
    } else if (faccessat(p->top, ".", R_OK | W_OK | X_OK, AT_EACCESS) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "CONTENT", "content.place %s: %m for user %u", path,
                      (unsigned)geteuid());
        e = err_remedy(err, "give it to the service's user");
    }
    if (e < 0) {
        close_place(p);
        return e;
    }
    tidy(p);
    *ret = &place;
    *ret_self = p;
    return 0;
}
