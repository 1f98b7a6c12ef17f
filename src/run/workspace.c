#include "run/workspace.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include "base/json.h"
#include "base/kernel.h"
#include "base/parse.h"

/* --- the descriptor --------------------------------------------------------------------------------- */

int workspace_open(struct workspace *w)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    *w = (struct workspace){ .sock = pair[0], .dir = -1 };
    return pair[1];
}

/* The first that came; a message of ours has no other. */
static int first_fd(struct msghdr *msg)
{
    int first = -1;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(msg); h; h = CMSG_NXTHDR(msg, h)) {
        if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t i = 0; i < (h->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(h) + i * sizeof fd, sizeof fd);
            if (first < 0)
                first = fd;
            else
                (void)close(fd);
        }
    }
    return first;
}

/* Never waits: what was to come is there before the program starts. */
static int take_dir(struct workspace *w)
{
    union {
        char buf[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    char byte;
    struct iovec iov = { &byte, 1 };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf, .msg_controllen = sizeof control.buf };
    struct statfs fs;
    if (w->dir >= 0 || w->sock < 0)
        return w->dir >= 0 ? 0 : -ENODATA;
    if (recvmsg(w->sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
        return -ENODATA;
    cleanup(closep) int fd = first_fd(&msg);
    /* whoever sent it runs beside the program: a directory of the host would not be a tmpfs of the sandbox */
    if (fd < 0 || fstatfs(fd, &fs) < 0 || fs.f_type != KMAGIC_TMPFS)
        return -ENODATA;
    w->dir = TAKE_FD(fd);
    return 0;
}

int workspace_dir(struct workspace *w)
{
    return take_dir(w) == 0 ? w->dir : -1;
}

void workspace_done(struct workspace *w)
{
    closep(&w->sock);
    closep(&w->dir);
}

/* --- words ------------------------------------------------------------------------------------------- */

int workspace_name(struct buf *out, const char *path)
{
    const unsigned char *p = (const unsigned char *)path;
    for (size_t left = strlen(path), n; left; left -= n, p += n) {
        size_t len = json_utf8_length(p, left);
        bool is_control = p[0] < 0x20 || p[0] == 0x7F || p[0] == '\\' || (len == 2 && p[0] == 0xC2 && p[1] < 0xA0); /* C1 */
        n = MAX_OF(len, (size_t)1);
        for (size_t i = 0; i < n && (is_control || !len); i++)
            if (buf_addf(out, "\\x%02x", p[i]) < 0)
                return -EMSGSIZE;
        if (!is_control && len && buf_add(out, p, n) < 0)
            return -EMSGSIZE;
    }
    return 0;
}

void workspace_rest_words(const struct workspace_rest *r, struct buf *out)
{
    const struct {
        uint32_t count;
        const char *what;
    } reasons[] = {
        { r->too_large, "too large" },           { r->too_many, "beyond the 256th file" },
        { r->too_deep, "too deep a directory" }, { r->too_long, "too long a name" },
        { r->special, "link or special file" },  { r->mounts, "volume" },
        { r->unreadable, "unreadable" },
    };
    const char *comma = "";
    for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
        if (!reasons[i].count)
            continue;
        (void)buf_addf(out, "%s%u %s", comma, reasons[i].count, reasons[i].what);
        comma = ", ";
    }
    char size[32];
    if (r->bytes)
        (void)buf_addf(out, " (%s)", format_size(r->bytes, size));
    if (r->is_cut)
        (void)buf_addf(out, "%smore than %u entries", comma, WORKSPACE_MAX_ENTRIES);
}

/* --- the walk ------------------------------------------------------------------------------------------ */

struct walk {
    bool (*each)(void *ctx, const char *name, const void *data, uint64_t size);
    void *ctx;
    struct workspace_rest *rest;
    uint64_t left_bytes;
    uint32_t files, entries;
    dev_t dev;
    char *content; /* of the present file */
    size_t path_size;
    char path[WORKSPACE_MAX_PATH + 1];
};

static int open_below(int dir, const char *name, uint64_t flags)
{
    const struct kopen_how how = { .flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                                   .resolve = KRESOLVE_BENEATH | KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS |
                                              KRESOLVE_NO_XDEV };
    return sys_openat2(dir, name, &how);
}

static void count_failure(struct workspace_rest *r)
{
    if (errno == EXDEV)
        r->mounts++;
    else
        r->unreadable++;
}

/* As much as it said it is; less, should it have shrunk. */
static ssize_t read_all(int fd, char *into, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(fd, into + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : (ssize_t)done;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static bool hand_out(struct walk *w, const char *data, size_t size)
{
    struct buf name;
    buf_init(&name, 4 * WORKSPACE_MAX_PATH + 1);
    bool goes_on = workspace_name(&name, w->path) == 0 && w->each(w->ctx, name.data, data, size);
    buf_done(&name);
    w->files++;
    w->left_bytes -= size;
    return goes_on;
}

static bool on_file(struct walk *w, int dir, const char *name, uint64_t size)
{
    struct workspace_rest *r = w->rest;
    struct stat st;
    bool is_large = size > w->left_bytes || size > WORKSPACE_MAX_FILE_BYTES;
    if (w->files >= WORKSPACE_MAX_FILES || is_large) {
        r->too_large += is_large;
        r->too_many += !is_large;
        r->bytes += MIN_OF(size, UINT64_MAX - r->bytes);
        return true;
    }
    cleanup(closep) int fd = open_below(dir, name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0) {
        count_failure(r);
        return true;
    }
    free(w->content);
    w->content = malloc((size_t)size + 1);
    ssize_t n = w->content && S_ISREG(st.st_mode) ? read_all(fd, w->content, (size_t)size) : -1;
    if (n < 0) {
        r->unreadable++;
        return true;
    }
    return hand_out(w, w->content, (size_t)n);
}

static bool walk_dir(struct walk *w, int fd, uint32_t depth);

static bool on_dir(struct walk *w, int dir, const char *name, uint32_t depth)
{
    if (depth >= WORKSPACE_MAX_DEPTH) {
        w->rest->too_deep++;
        return true;
    }
    int fd = open_below(dir, name, O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        count_failure(w->rest);
        return true;
    }
    return walk_dir(w, fd, depth + 1);
}

static bool on_entry(struct walk *w, int dir, const char *name, uint32_t depth)
{
    struct stat st;
    size_t before = w->path_size, n = strlen(name);
    bool goes_on = true;
    if (before + n + 1 > WORKSPACE_MAX_PATH) {
        w->rest->too_long++;
        return true;
    }
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0) {
        w->rest->unreadable++;
        return true;
    }
    memcpy(w->path + before, name, n + 1);
    w->path_size += n;
    if (st.st_dev != w->dev) {
        w->rest->mounts++;
    } else if (S_ISDIR(st.st_mode)) {
        w->path[w->path_size++] = '/';
        goes_on = on_dir(w, dir, name, depth);
    } else if (S_ISREG(st.st_mode)) {
        goes_on = on_file(w, dir, name, (uint64_t)st.st_size);
    } else {
        w->rest->special++;
    }
    w->path_size = before;
    return goes_on;
}

/* Takes fd. False: no further. */
static bool walk_dir(struct walk *w, int fd, uint32_t depth)
{
    bool goes_on = true;
    DIR *d = fdopendir(fd);
    if (!d) {
        (void)close(fd);
        w->rest->unreadable++;
        return true;
    }
    for (struct dirent *e; goes_on && (e = readdir(d));) {
        if (str_eq(e->d_name, ".") || str_eq(e->d_name, ".."))
            continue;
        w->rest->is_cut = w->entries == WORKSPACE_MAX_ENTRIES;
        goes_on = !w->rest->is_cut;
        if (goes_on) {
            w->entries++;
            goes_on = on_entry(w, dirfd(d), e->d_name, depth);
        }
    }
    (void)closedir(d);
    return goes_on;
}

int workspace_read(struct workspace *w, uint64_t max_bytes,
                   bool (*each)(void *ctx, const char *name, const void *data, uint64_t size), void *ctx,
                   struct workspace_rest *ret_left_out)
{
    struct walk walk = { .each = each, .ctx = ctx, .rest = ret_left_out, .left_bytes = max_bytes };
    struct stat st;
    *ret_left_out = (struct workspace_rest){ 0 };
    int r = take_dir(w);
    if (r < 0)
        return r;
    int fd = open_below(w->dir, ".", O_RDONLY | O_DIRECTORY);
    if (fd < 0 && errno == EACCES) { /* chmod 0 /workspace: the program's right */
        ret_left_out->unreadable++;
        return 0;
    }
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0) {
        r = -errno;
        (void)close(fd);
        return r;
    }
    walk.dev = st.st_dev;
    (void)walk_dir(&walk, fd, 0);
    free(walk.content);
    return 0;
}
