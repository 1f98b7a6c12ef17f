#include "packages/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/io.h"

#define CHUNK (128 * KIB)

struct taking {
    struct digest digest;
    struct package_tree *sum;
    struct error *err;
    uint64_t left_bytes;
    uint32_t entries;
    dev_t dev;
    bool copies;
    char path[PACKAGE_TREE_MAX_PATH]; /* of the entry in hand */
    char *chunk;
};

static int bad(struct taking *t, const char *what)
{
    return err_set(t->err, -EBADMSG, BLAME_GUEST, "PACKAGES", "%.200s: %s", t->path, what);
}

static int failed(struct taking *t, const char *what)
{
    const int e = errno ? -errno : -EIO;
    (void)err_set(t->err, e, BLAME_HOST, "PACKAGES", "%s %.200s: %s", what, t->path, strerror(-e));
    return e == -ENOSPC || e == -EDQUOT ? err_remedy(t->err, "make room where the state directory lies") : e;
}

static void record(struct taking *t, const char *kind, const char *target)
{
    sha256_add(&t->digest, kind, strlen(kind));
    sha256_add(&t->digest, t->path, strlen(t->path) + 1);
    if (target)
        sha256_add(&t->digest, target, strlen(target) + 1);
}

/* --- links ------------------------------------------------------------------------------------------------ */

static unsigned depth_of(const char *path)
{
    unsigned depth = 0;
    for (; *path; path++)
        depth += *path == '/';
    return depth;
}

bool package_link_is_inside(const char *path, const char *target)
{
    unsigned above = depth_of(path);
    bool was_name = false;
    if (!*target || *target == '/')
        return false;
    while (*target) {
        const size_t n = strcspn(target, "/");
        const bool is_up = n == 2 && target[0] == '.' && target[1] == '.';
        if (is_up && (was_name || above-- == 0))
            return false;
        was_name |= !is_up && n > 0 && !(n == 1 && target[0] == '.');
        target += n;
        target += *target == '/';
    }
    return true;
}

static int take_link(struct taking *t, int from, int to, const char *name)
{
    char target[PACKAGE_TREE_MAX_PATH];
    const ssize_t n = readlinkat(from, name, target, sizeof target - 1);
    if (n < 0)
        return failed(t, "read the link");
    target[n] = '\0';
    if ((size_t)n == sizeof target - 1 || !package_link_is_inside(t->path, target))
        return bad(t, "a link that leads out of the set");
    record(t, "l", target);
    t->sum->links++;
    return t->copies && symlinkat(target, to, name) < 0 ? failed(t, "make the link") : 0;
}

/* --- files ------------------------------------------------------------------------------------------------ */

static int take_content(struct taking *t, int in, int out, uint8_t hash[static DIGEST_SIZE])
{
    struct digest d;
    bool is_first = true;
    sha256_begin(&d);
    for (;;) {
        const ssize_t n = read(in, t->chunk, CHUNK);
        if (n < 0)
            return failed(t, "read");
        if (n == 0)
            break;
        if ((uint64_t)n > t->left_bytes)
            return bad(t, "the set is larger than packages.max_size");
        t->left_bytes -= (uint64_t)n;
        t->sum->bytes += (uint64_t)n;
        t->sum->native += is_first && n >= 4 && memcmp(t->chunk, "\177ELF", 4) == 0;
        is_first = false;
        sha256_add(&d, t->chunk, (size_t)n);
        const int e = out < 0 ? 0 : write_all(out, t->chunk, (size_t)n);
        if (e < 0) {
            errno = -e;
            return failed(t, "write");
        }
    }
    sha256_end(&d, hash);
    return 0;
}

static int take_file(struct taking *t, int from, int to, const char *name)
{
    struct stat st;
    uint8_t hash[DIGEST_SIZE];
    cleanup(closep) int out = -1, in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0 || fstat(in, &st) < 0)
        return failed(t, "open");
    if (!S_ISREG(st.st_mode) || st.st_dev != t->dev)
        return bad(t, "not what it was a moment ago");
    const bool is_executable = st.st_mode & S_IXUSR;
    if (t->copies) {
        out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (out < 0)
            return failed(t, "create");
    }
    int e = take_content(t, in, out, hash);
    if (e < 0)
        return e;
    if (out >= 0 && fchmod(out, is_executable ? 0555 : 0444) < 0)
        return failed(t, "chmod");
    record(t, is_executable ? "fx" : "f-", NULL);
    sha256_add(&t->digest, hash, sizeof hash);
    t->sum->files++;
    return 0;
}

/* --- directories ------------------------------------------------------------------------------------------ */

struct names {
    const char **list; /* texts in the arena */
    size_t count, room;
    struct arena arena;
};

static void names_done(struct names *n)
{
    arena_done(&n->arena);
    free(n->list);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool names_add(struct names *n, const char *name)
{
    if (n->count == n->room) {
        const size_t room = MAX_OF(n->room * 2, (size_t)64);
        const char **list = realloc(n->list, room * sizeof *list);
        if (!list)
            return false;
        n->list = list;
        n->room = room;
    }
    n->list[n->count++] = arena_copy(&n->arena, name);
    return !n->arena.failed;
}

static int read_names(struct taking *t, int dir, struct names *ret)
{
    int e = 0, copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (!d) {
        e = failed(t, "open");
        closep(&copy);
        return e;
    }
    errno = 0;
    for (struct dirent *entry; e == 0 && (entry = readdir(d)); errno = 0) {
        if (str_eq(entry->d_name, ".") || str_eq(entry->d_name, ".."))
            continue;
        if (++t->entries > PACKAGE_TREE_MAX_ENTRIES)
            e = err_set(t->err, -E2BIG, BLAME_GUEST, "PACKAGES", "the set has more than %u files",
                        PACKAGE_TREE_MAX_ENTRIES);
        else if (!names_add(ret, entry->d_name))
            e = err_set(t->err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    }
    if (e == 0 && errno)
        e = failed(t, "read");
    (void)closedir(d);
    if (ret->count)
        qsort(ret->list, ret->count, sizeof *ret->list, by_bytes);
    return e;
}

static bool is_clean(const char *name)
{
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        if (*p < 0x20 || *p == 0x7F || *p == '\\')
            return false;
    return true;
}

static int take_dir(struct taking *t, int from, int to, unsigned depth);

static int take_subdir(struct taking *t, int from, int to, const char *name, unsigned depth)
{
    cleanup(closep) int out = -1, in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (in < 0)
        return failed(t, "open");
    record(t, "d", NULL);
    if (t->copies) {
        if (mkdirat(to, name, 0755) < 0 || (out = openat(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
            return failed(t, "make the directory");
        (void)fchmod(out, 0755); /* past the umask; it is ours */
    }
    return take_dir(t, in, out, depth + 1);
}

static int take_entry(struct taking *t, int from, int to, const char *name, unsigned depth)
{
    struct stat st;
    if (!is_clean(name))
        return bad(t, "its name has control characters or a backslash");
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return failed(t, "look at");
    if (st.st_dev != t->dev)
        return bad(t, "another file system is mounted there");
    if (S_ISLNK(st.st_mode))
        return take_link(t, from, to, name);
    if (S_ISREG(st.st_mode))
        return take_file(t, from, to, name);
    if (!S_ISDIR(st.st_mode))
        return bad(t, "neither a file, a directory nor a link");
    return depth == PACKAGE_TREE_MAX_DEPTH ? bad(t, "too many directories below each other")
                                           : take_subdir(t, from, to, name, depth);
}

static int take_dir(struct taking *t, int from, int to, unsigned depth)
{
    struct names names = { 0 };
    const size_t above = strlen(t->path);
    int e = read_names(t, from, &names);
    for (size_t i = 0; i < names.count && e == 0; i++) {
        const int n = snprintf(t->path + above, sizeof t->path - above, "%s%s", above ? "/" : "", names.list[i]);
        if ((size_t)n >= sizeof t->path - above)
            e = bad(t, "its path is too long");
        else
            e = take_entry(t, from, to, names.list[i], depth);
        if (e == 0)
            t->path[above] = '\0'; /* of an error it is the path that is told */
    }
    names_done(&names);
    return e;
}

static int take(int from, int to, uint64_t max_bytes, struct package_tree *ret, struct error *err)
{
    struct taking *t = calloc(1, sizeof *t);
    struct stat st;
    int e = 0;
    *ret = (struct package_tree){ 0 };
    if (!t || !(t->chunk = malloc(CHUNK)) || fstat(from, &st) < 0) {
        e = err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory");
    } else {
        uint8_t hash[DIGEST_SIZE];
        t->sum = ret;
        t->err = err;
        t->left_bytes = max_bytes;
        t->dev = st.st_dev;
        t->copies = to >= 0;
        sha256_begin(&t->digest);
        sha256_add(&t->digest, "sandbox-agent packages 1", sizeof "sandbox-agent packages 1");
        e = take_dir(t, from, to, 0);
        sha256_end(&t->digest, hash);
        sha256_hex(hash, ret->hash);
    }
    if (t)
        free(t->chunk);
    free(t);
    return e;
}

int package_tree_copy(int from, int to, uint64_t max_bytes, struct package_tree *ret, struct error *err)
{
    return take(from, to, max_bytes, ret, err);
}

int package_tree_hash(int dir, struct package_tree *ret, struct error *err)
{
    return take(dir, -1, UINT64_MAX, ret, err);
}
