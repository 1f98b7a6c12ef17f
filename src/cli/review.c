#include "cli/review.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <termios.h>
#include <unistd.h>
#include "base/io.h"
#include "base/path.h"
#include "cli/guard.h"
#include "files/files.h"

#define DEPTH_MAX  100u            /* directories that are held open at once */
#define SHOWN_MAX  (256u * KIB)    /* of a file whose lines are shown */
#define FICLONE_   0x40049409u     /* linux/fs.h */
#define SAME_MODES (S_IFMT | 0777) /* what is compared and applied of a mode: no set-uid bit */

struct item {
    const char *path;             /* from the project; of the arena, as all paths */
    struct stat original, copied; /* as they were when the copy was made */
};

enum change { ADDED, CHANGED, REMOVED };
struct edit {
    enum change what;
    const char *path;
    mode_t mode;
    const struct item *item; /* NULL: it is new */
    const char *refused;     /* why it will not be applied, or NULL */
};

struct review {
    struct arena *arena;
    const char *how, *project, *place, *copy; /* copy: place/copy */
    int dir, copy_dir;                        /* of project and copy */
    struct item *items;
    size_t item_count, item_room;
    struct edit *edits;
    size_t edit_count, edit_room;
    uint32_t left_out; /* entries of the project that are not in the copy */
    bool is_tmpfs;     /* the copy is on one: a write by mmap(2) need not change a time there */
};

static char *join(const char *dir, const char *name)
{
    char *text = NULL;
    return asprintf(&text, "%s%s%s", dir, *dir ? "/" : "", name) < 0 ? NULL : text;
}

/* Room for one more. */
static void *grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    void *more = realloc(list, MAX_OF(*room * 2, (size_t)256) * size);
    if (more)
        *room = MAX_OF(*room * 2, (size_t)256);
    return more;
}

/* A directory in the copy; in vain it shows when it is opened. */
static void make_readable(int dir, const char *name)
{
    if (fchmodat(dir, name, 0700, 0) < 0)
        return;
}

/* --- copying ----------------------------------------------------------------------------------------- */

static int copy_bytes(int from, int to)
{
    if (ioctl(to, FICLONE_, from) == 0)
        return 0;
    for (;;) {
        ssize_t n = sendfile(to, from, NULL, 1u << 30);
        if (n <= 0)
            return n < 0 ? -errno : 0;
    }
}

static int copy_file(int from, int to, const char *name, const struct stat *st)
{
    cleanup(closep) int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0)
        return -errno;
    cleanup(closep) int out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int e = out < 0 ? -errno : copy_bytes(in, out);
    return e == 0 && fchmod(out, st->st_mode & 0777) < 0 ? -errno : e;
}

static int copy_link(int from, int to, const char *name)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(from, name, target, sizeof target - 1);
    if (n < 0)
        return -errno;
    target[n] = '\0';
    return symlinkat(target, to, name) < 0 ? -errno : 0;
}

static int note_item(struct review *r, const char *path, const struct stat *st, int to, const char *name)
{
    struct item *more = grow(r->items, r->item_count, &r->item_room, sizeof *more);
    if (!more)
        return -ENOMEM;
    r->items = more;
    struct item *it = &r->items[r->item_count];
    *it = (struct item){ .path = arena_copy(r->arena, path), .original = *st };
    if (!it->path)
        return -ENOMEM;
    if (fstatat(to, name, &it->copied, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    r->item_count++;
    return 0;
}

static int copy_tree(struct review *r, int from, int to, const char *path, unsigned depth);

/* Owner and time are the original's: as root, the volume's owner is what the tool's user becomes. */
static int copy_one(struct review *r, int from, int to, const char *path, const char *name, unsigned depth)
{
    struct stat st;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : -errno; /* removed meanwhile */
    int e = S_ISREG(st.st_mode)   ? copy_file(from, to, name, &st)
            : S_ISLNK(st.st_mode) ? copy_link(from, to, name)
            : S_ISDIR(st.st_mode) ? (mkdirat(to, name, 0700) < 0 ? -errno : 0)
                                  : -EACCES;
    if (e == -EACCES || e == -ENOENT) { /* what cannot be read, and sockets and such: the tool goes without */
        r->left_out++;
        return 0;
    }
    if (e == 0 && S_ISDIR(st.st_mode)) {
        cleanup(closep) int in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        cleanup(closep) int out = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        e = in < 0 && errno == EACCES ? 0 : in < 0 || out < 0 ? -errno : copy_tree(r, in, out, path, depth + 1);
        if (e == 0 && fchmodat(to, name, st.st_mode & 0777, 0) < 0)
            e = -errno;
    }
    const struct timespec times[2] = { st.st_atim, st.st_mtim };
    if (e == 0 && ((geteuid() == 0 && fchownat(to, name, st.st_uid, st.st_gid, AT_SYMLINK_NOFOLLOW) < 0) ||
                   utimensat(to, name, times, AT_SYMLINK_NOFOLLOW) < 0))
        e = -errno;
    return e < 0 ? e : note_item(r, path, &st, to, name);
}

static int copy_tree(struct review *r, int from, int to, const char *path, unsigned depth)
{
    int fd = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), e = 0;
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d || depth > DEPTH_MAX) {
        e = d ? -ELOOP : -errno;
        if (d)
            (void)closedir(d);
        return e;
    }
    for (const struct dirent *entry; e == 0 && (entry = readdir(d));) {
        if (str_eq(entry->d_name, ".") || str_eq(entry->d_name, ".."))
            continue;
        cleanup(freep) char *below = join(path, entry->d_name);
        e = below ? copy_one(r, from, to, below, entry->d_name, depth) : -ENOMEM;
    }
    (void)closedir(d);
    return e;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->path, ((const struct item *)b)->path);
}

int review_begin(const char *how, const char *project, struct arena *a, struct review **ret, struct error *err)
{
    struct review *r = *ret = arena_zero(a, sizeof *r);
    struct stat st;
    struct statfs fs;
    char real[PATH_MAX];
    if (!r)
        return err_set(err, -ENOMEM, BLAME_HOST, "REVIEW", "no memory");
    *r = (struct review){ .arena = a, .how = how, .project = project, .dir = -1, .copy_dir = -1 };
    const char *tmp = getenv("TMPDIR");
    if (!realpath(tmp && *tmp == '/' ? tmp : "/var/tmp", real))
        return err_set(err, -errno, BLAME_HOST, "REVIEW", "%s: %m", tmp && *tmp == '/' ? tmp : "/var/tmp");
    char *place = (char *)arena_printf(a, "%s/sandbox-agent-review-XXXXXX", real);
    r->dir = open(project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (r->dir < 0 || fstat(r->dir, &st) < 0 || !mkdtemp(place))
        return err_set(err, -errno, BLAME_HOST, "REVIEW", "a copy of %s at %s: %m", project, place);
    r->place = place;
    r->copy = arena_printf(a, "%s/copy", place);
    if (mkdir(r->copy, 0700) < 0 || (geteuid() == 0 && chown(r->copy, st.st_uid, st.st_gid) < 0))
        return err_set(err, -errno, BLAME_HOST, "REVIEW", "%s: %m", r->copy);
    r->copy_dir = open(r->copy, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int e = r->copy_dir < 0 || fstatfs(r->copy_dir, &fs) < 0 ? -errno : 0;
    r->is_tmpfs = e == 0 && fs.f_type == TMPFS_MAGIC;
    if (e == 0)
        e = copy_tree(r, r->dir, r->copy_dir, "", 0);
    if (e < 0)
        return err_remedy(
            (err_set(err, e, BLAME_HOST, "REVIEW", "copy %s to %s: %s", project, r->copy, strerror(-e)), err),
            "name a place with more room by TMPDIR, or go without --review");
    if (r->item_count)
        qsort(r->items, r->item_count, sizeof *r->items, by_path);
    return 0;
}

const char *review_copy(const struct review *r)
{
    return r->copy;
}

/* --- comparing ----------------------------------------------------------------------------------------- */

static const struct item *find_item(const struct review *r, const char *path)
{
    const struct item key = { .path = path };
    return r->item_count ? bsearch(&key, r->items, r->item_count, sizeof key, by_path) : NULL;
}

/* Of a link: whether it leads to a place in the project, by its text: what is a link on that way is in the project,
 * too, or was there before. «..» behind a name counts from where that leads, which the text does not say. */
static bool stays_inside(const char *path, const char *target)
{
    int depth = 0;
    bool is_named = false;
    for (const char *p = path; *p; p++)
        depth += *p == '/';
    if (!*target || *target == '/')
        return false;
    for (const char *part = target; part;) {
        const size_t n = strcspn(part, "/");
        const bool is_up = n == 2 && part[0] == '.' && part[1] == '.';
        depth -= is_up;
        if (depth < 0 || (is_up && is_named))
            return false;
        is_named = is_named || (n && !is_up && !(n == 1 && part[0] == '.'));
        part = part[n] ? part + n + 1 : NULL;
    }
    return true;
}

static const char *refuse_link(const struct review *r, const char *path)
{
    char target[PATH_MAX];
    const char *slash = strrchr(path, '/');
    cleanup(freep) char *dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    cleanup(closep) int parent = dir ? open_beneath(r->copy_dir, dir, O_PATH | O_DIRECTORY) : -1;
    ssize_t n = parent < 0 ? -1 : readlinkat(parent, slash ? slash + 1 : path, target, sizeof target - 1);
    if (n < 0)
        return "it cannot be read";
    target[n] = '\0';
    return stays_inside(path, target) ? NULL : "a link that leads out of the project";
}

/* Whether the first n bytes of path, or the project itself, name what git takes for a git directory, or did before. */
static bool was_git(const struct review *r, const char *path, size_t n)
{
    static const char *const parts[] = { "HEAD", "objects", "refs" };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        cleanup(freep) char *part = NULL;
        if (asprintf(&part, "%.*s%s%s", (int)n, path, n ? "/" : "", parts[i]) < 0 || !find_item(r, part))
            return false;
    }
    return true;
}

/* Before it there was none in this directory. */
static bool makes_repository(const struct review *r, const char *path)
{
    const char *name = path_last(path);
    cleanup(freep) char *head = NULL;
    if (str_eq(name, "HEAD") || str_eq(name, "commondir"))
        return true;
    return (str_eq(name, "objects") || str_eq(name, "refs")) &&
           (asprintf(&head, "%.*sHEAD", (int)(name - path), path) < 0 || find_item(r, head));
}

static bool is_guarded(const struct review *r, const char *path, const struct strlist *writable)
{
    if (guards_may_write(path, writable))
        return false;
    if (was_git(r, path, 0) && guards_cover_git(path))
        return true;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
        if (was_git(r, path, (size_t)(slash - path)))
            return guards_cover_git(slash + 1);
    return guards_cover(path, writable) || (!was_git(r, path, 0) && makes_repository(r, path));
}

static const char *why_refused(const struct review *r, enum change what, const char *path, mode_t mode,
                               const struct strlist *writable)
{
    if (is_guarded(r, path, writable))
        return "other programs would execute it: see --writable";
    if (what != REMOVED && S_ISLNK(mode))
        return refuse_link(r, path);
    return what == REMOVED || S_ISREG(mode) || S_ISDIR(mode) ? NULL : "neither a file, a directory nor a link";
}

static int note_edit(struct review *r, enum change what, const char *path, mode_t mode, const struct item *it,
                     const struct strlist *writable)
{
    struct edit *more = grow(r->edits, r->edit_count, &r->edit_room, sizeof *more);
    if (!more)
        return -ENOMEM;
    r->edits = more;
    more += r->edit_count;
    *more = (struct edit){ .what = what, .mode = mode, .item = it };
    more->refused = why_refused(r, what, path, mode, writable);
    more->path = arena_copy(r->arena, path);
    r->edit_count += more->path != NULL;
    return more->path ? 0 : -ENOMEM;
}

static bool same_bytes(int a, int b)
{
    static char left[64 * 1024], right[sizeof left];
    for (;;) {
        ssize_t n = read(a, left, sizeof left), m = 0;
        while (n > 0 && m < n) {
            ssize_t k = read(b, right + m, (size_t)(n - m));
            if (k <= 0)
                return false;
            m += k;
        }
        if (n < 0 || (n > 0 && memcmp(left, right, (size_t)n) != 0))
            return false;
        if (n == 0)
            return read(b, right, 1) == 0;
    }
}

/* Inode and time of change tell that nothing touched it, but for a file on tmpfs; else its content. */
static bool is_same(const struct review *r, const struct item *it, const struct stat *now)
{
    if (!(r->is_tmpfs && S_ISREG(now->st_mode)) && now->st_ino == it->copied.st_ino &&
        now->st_ctim.tv_sec == it->copied.st_ctim.tv_sec && now->st_ctim.tv_nsec == it->copied.st_ctim.tv_nsec)
        return true;
    if (S_ISDIR(now->st_mode))
        return true; /* of a directory its entries count */
    if (!S_ISREG(now->st_mode) || now->st_size != it->original.st_size ||
        ((now->st_mode ^ it->original.st_mode) & SAME_MODES))
        return false;
    cleanup(closep) int a = open_beneath(r->dir, it->path, O_RDONLY | O_NONBLOCK);
    cleanup(closep) int b = open_beneath(r->copy_dir, it->path, O_RDONLY | O_NONBLOCK);
    return a >= 0 && b >= 0 && same_bytes(a, b);
}

static int find_edits(struct review *r, int dir, const char *path, unsigned depth, const struct strlist *writable)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), e = 0;
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    for (const struct dirent *entry; d && e == 0 && (entry = readdir(d));) {
        struct stat st;
        if (str_eq(entry->d_name, ".") || str_eq(entry->d_name, ".."))
            continue;
        cleanup(freep) char *below = join(path, entry->d_name);
        if (!below || fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
            e = below ? -errno : -ENOMEM;
            break;
        }
        const struct item *it = find_item(r, below);
        const bool is_kind = it && ((st.st_mode ^ it->original.st_mode) & S_IFMT) == 0;
        if (!is_kind || !is_same(r, it, &st))
            e = note_edit(r, is_kind ? CHANGED : ADDED, below, st.st_mode, is_kind ? it : NULL, writable);
        if (e < 0 || !S_ISDIR(st.st_mode))
            continue;
        make_readable(dir, entry->d_name); /* the tool's own, in the copy: it is to be read now */
        cleanup(closep) int inner = openat(dir, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        e = inner < 0 ? -errno : depth < DEPTH_MAX ? find_edits(r, inner, below, depth + 1, writable) : -ELOOP;
    }
    if (!d)
        return -errno;
    (void)closedir(d);
    return e;
}

static int find_removed(struct review *r, const struct strlist *writable)
{
    int e = 0;
    for (size_t i = 0; i < r->item_count && e == 0; i++) {
        struct stat st;
        cleanup(closep) int fd = open_beneath(r->copy_dir, r->items[i].path, O_PATH | O_NOFOLLOW);
        if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
            return -errno;
        if (fd < 0 || fstat(fd, &st) < 0 || ((st.st_mode ^ r->items[i].original.st_mode) & S_IFMT))
            e = note_edit(r, REMOVED, r->items[i].path, r->items[i].original.st_mode, &r->items[i], writable);
    }
    return e;
}

/* --- showing --------------------------------------------------------------------------------------------- */

static void say(const char *fmt, const char *value)
{
    struct buf b;
    buf_init(&b, 64 * KIB);
    (void)buf_adds_clean(&b, value);
    (void)fprintf(stderr, fmt, b.data ? b.data : "");
    buf_done(&b);
}

static bool read_text(int dir, const char *path, struct buf *ret)
{
    struct stat st;
    cleanup(closep) int fd = open_beneath(dir, path, O_RDONLY | O_NONBLOCK);
    buf_init(ret, SHOWN_MAX);
    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && read_open_file(fd, ret) == 0 &&
           (!ret->size || !memchr(ret->data, '\0', ret->size));
}

static void say_lines(char sign, const char *text, size_t size)
{
    for (const char *end = text + size; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t n = newline ? (size_t)(newline - text) : (size_t)(end - text);
        cleanup(freep) char *line = strndup(text, n);
        (void)fputc(sign, stderr);
        say("%s\n", line ? line : "");
        text += n + 1;
    }
}

/* What is equal before and behind is left out: one block of lines goes, another one comes. */
static void show_lines(const struct buf *old, const struct buf *new)
{
    size_t head = 0, tail = 0, line = 1;
    const size_t most = MIN_OF(old->size, new->size);
    while (head < most && old->data[head] == new->data[head])
        head++;
    while (head && (head == most || old->data[head - 1] != '\n') && old->data[head - 1] != '\n')
        head--;
    while (tail < most - head && old->data[old->size - 1 - tail] == new->data[new->size - 1 - tail])
        tail++;
    while (tail && old->data[old->size - tail - 1] != '\n')
        tail--;
    for (size_t i = 0; i < head; i++)
        line += old->data[i] == '\n';
    (void)fprintf(stderr, "@@ line %zu @@\n", line);
    say_lines('-', old->data + head, old->size - head - tail);
    say_lines('+', new->data + head, new->size - head - tail);
}

static void show_file(const struct review *r, const struct edit *e)
{
    struct buf old, new;
    const bool has_old = e->what == ADDED || read_text(r->dir, e->path, &old);
    const bool has_new = e->what == REMOVED || read_text(r->copy_dir, e->path, &new);
    if (e->what == ADDED)
        buf_init(&old, 1);
    if (e->what == REMOVED)
        buf_init(&new, 1);
    if (!has_old || !has_new)
        (void)fputs("  (binary, or too large to be shown)\n", stderr);
    else if (e->what == CHANGED && old.size == new.size && (!old.size || memcmp(old.data, new.data, old.size) == 0))
        (void)fprintf(stderr, "  mode %o\n", e->mode & 0777);
    else if (old.size || new.size)
        show_lines(&old, &new);
    buf_done(&old);
    buf_done(&new);
}

static bool is_of_git(const char *path)
{
    return str_starts(path, ".git/") || strstr(path, "/.git/");
}

/* -> how many there are to apply */
static size_t show(const struct review *r)
{
    static const char *const signs[] = { "A %s", "M %s", "D %s" };
    size_t count = 0;
    for (size_t i = 0; i < r->edit_count; i++) {
        const struct edit *e = &r->edits[i];
        say(signs[e->what], e->path);
        (void)fprintf(stderr, "%s%s%s\n",
                      e->refused         ? "  (never applied: "
                      : S_ISDIR(e->mode) ? "/"
                                         : "",
                      e->refused ? e->refused : "", e->refused ? ")" : "");
        count += !e->refused;
        if (S_ISREG(e->mode) && !is_of_git(e->path))
            show_file(r, e);
    }
    (void)fprintf(stderr, "sandbox-agent: %zu change%s, %zu can be applied\n", r->edit_count,
                  r->edit_count == 1 ? "" : "s", count);
    if (r->left_out)
        (void)fprintf(stderr,
                      "sandbox-agent: %u entries of the project were not in the copy: unreadable, or neither "
                      "file, directory nor link\n",
                      r->left_out);
    return count;
}

/* --- applying ---------------------------------------------------------------------------------------------- */

/* What is there is what was copied. */
static bool is_untouched(const struct stat *now, const struct item *it)
{
    return it && now->st_ino == it->original.st_ino && now->st_dev == it->original.st_dev &&
           (S_ISDIR(now->st_mode) || (now->st_ctim.tv_sec == it->original.st_ctim.tv_sec &&
                                      now->st_ctim.tv_nsec == it->original.st_ctim.tv_nsec));
}

static int own(const struct review *r, const struct edit *e, int parent, const char *name)
{
    struct stat st;
    if (geteuid() != 0)
        return 0;
    if (!e->item && fstat(r->dir, &st) < 0)
        return -errno;
    const struct stat *from = e->item ? &e->item->original : &st;
    return fchownat(parent, name, from->st_uid, from->st_gid, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

#define BESIDE ".sandbox-agent-review"

static int apply_file(const struct review *r, const struct edit *e, int parent, const char *name)
{
    struct stat st;
    cleanup(closep) int in = open_beneath(r->copy_dir, e->path, O_RDONLY | O_NONBLOCK);
    if (in < 0 || fstat(in, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    cleanup(closep) int out = openat(parent, BESIDE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out < 0)
        return -errno;
    int error = copy_bytes(in, out);
    if (error == 0)
        error = own(r, e, parent, BESIDE);
    if (error == 0 && (fchmod(out, st.st_mode & 0777) < 0 || renameat(parent, BESIDE, parent, name) < 0))
        error = -errno;
    if (error < 0)
        (void)unlinkat(parent, BESIDE, 0);
    return error;
}

static int apply_link(const struct review *r, const struct edit *e, int parent, const char *name)
{
    char target[PATH_MAX];
    cleanup(closep) int in = open_beneath(r->copy_dir, e->path, O_PATH | O_NOFOLLOW);
    ssize_t n = in < 0 ? -1 : readlinkat(in, "", target, sizeof target - 1);
    if (n < 0)
        return -errno;
    target[n] = '\0';
    if (!stays_inside(e->path, target))
        return -EXDEV;
    if (e->what == CHANGED && unlinkat(parent, name, 0) < 0)
        return -errno;
    return symlinkat(target, parent, name) < 0 ? -errno : own(r, e, parent, name);
}

static int apply_one(const struct review *r, const struct edit *e)
{
    struct stat now;
    const char *slash = strrchr(e->path, '/'), *name = slash ? slash + 1 : e->path;
    cleanup(freep) char *dir = slash ? strndup(e->path, (size_t)(slash - e->path)) : strdup(".");
    cleanup(closep) int parent = dir ? open_beneath(r->dir, dir, O_PATH | O_DIRECTORY) : -1;
    if (parent < 0)
        return dir ? -errno : -ENOMEM;
    const bool is_there = fstatat(parent, name, &now, AT_SYMLINK_NOFOLLOW) == 0;
    if (e->what == REMOVED ? !is_there : false)
        return 0;
    if (e->what == ADDED ? is_there : !is_there || !is_untouched(&now, e->item))
        return -ESTALE;
    if (e->what == REMOVED)
        return unlinkat(parent, name, S_ISDIR(now.st_mode) ? AT_REMOVEDIR : 0) < 0 ? -errno : 0;
    if (S_ISREG(e->mode))
        return apply_file(r, e, parent, name);
    if (S_ISLNK(e->mode))
        return apply_link(r, e, parent, name);
    return mkdirat(parent, name, 0755) < 0 ? -errno : own(r, e, parent, name);
}

static bool try_one(const struct review *r, const struct edit *e)
{
    int error = e->refused ? 0 : apply_one(r, e);
    if (error == 0)
        return true;
    say("sandbox-agent: not applied: %s: ", e->path);
    (void)fprintf(stderr, "%s\n", error == -ESTALE ? "it is no longer what was copied" : strerror(-error));
    return false;
}

static int edits_by_path(const void *a, const void *b)
{
    return strcmp(((const struct edit *)a)->path, ((const struct edit *)b)->path);
}

/* First what goes, from below; then what comes, from above. */
static bool apply(const struct review *r)
{
    bool is_whole = true;
    for (size_t i = r->edit_count; i-- > 0;)
        if (r->edits[i].what == REMOVED)
            is_whole &= try_one(r, &r->edits[i]);
    for (size_t i = 0; i < r->edit_count; i++)
        if (r->edits[i].what != REMOVED)
            is_whole &= try_one(r, &r->edits[i]);
    return is_whole;
}

static bool asks_yes(const struct review *r)
{
    char answer[8] = "";
    cleanup(closep) int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (tty < 0)
        return false;
    if (tcflush(tty, TCIFLUSH) < 0) /* what was typed before the changes were to be seen is no answer */
        return false;
    say("sandbox-agent: apply them to %s? [y/N] ", r->project);
    return read(tty, answer, sizeof answer) == 2 && (answer[0] == 'y' || answer[0] == 'Y') && answer[1] == '\n';
}

/* --- the end ------------------------------------------------------------------------------------------------ */

static void remove_copy(const struct review *r)
{
    const char *name = r->place ? path_last(r->place) : "";
    cleanup(freep) char *above = r->place ? strndup(r->place, (size_t)(name - r->place)) : NULL;
    cleanup(closep) int dir = above ? open(above, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    int e = -EBUSY;
    while (dir >= 0 && e == -EBUSY) /* more entries than one call takes away; nothing makes any more */
        e = wfile_remove(dir, name);
    if (above && e < 0)
        say("sandbox-agent: the copy could not be taken away: %s\n", r->place);
}

static bool decide(struct review *r, const struct strlist *writable)
{
    int e = find_edits(r, r->copy_dir, "", 0, writable);
    if (e == 0)
        e = find_removed(r, writable);
    if (e < 0) {
        (void)fprintf(stderr, "sandbox-agent: --review: the copy cannot be compared, nothing is applied: %s\n",
                      strerror(-e));
        return false;
    }
    if (r->edit_count)
        qsort(r->edits, r->edit_count, sizeof *r->edits, edits_by_path);
    const size_t count = show(r);
    if (!count)
        return true;
    const bool applies = str_eq(r->how, "keep") || (str_eq(r->how, "ask") && asks_yes(r));
    (void)fprintf(stderr, "sandbox-agent: the changes are %s\n", applies ? "applied" : "dropped");
    return !applies || apply(r);
}

bool review_end(struct review *r, bool has_run, const struct strlist *writable)
{
    if (!r)
        return true;
    bool is_whole = !has_run || decide(r, writable);
    remove_copy(r);
    closep(&r->dir);
    closep(&r->copy_dir);
    free(r->items);
    free(r->edits);
    *r = (struct review){ .dir = -1, .copy_dir = -1 };
    return is_whole;
}
