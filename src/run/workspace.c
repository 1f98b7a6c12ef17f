#include "run/workspace.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include "base/bundle.h"
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
static int take(struct workspace *w)
{
    union {
        char buf[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    char byte;
    struct iovec iov = { &byte, 1 };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf, .msg_controllen = sizeof control.buf
    };
    struct stat st;
    struct statfs fs;
    if (w->dir >= 0 || w->sock < 0)
        return w->dir >= 0 ? 0 : -ENODATA;
    if (recvmsg(w->sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
        return -ENODATA;
    cleanup(closep) int fd = first_fd(&msg);
    /* a process that sent it runs beside the program: a directory of the host would not be a tmpfs of the sandbox; a
     * file is a bundle, or nothing (its seals) */
    if (fd < 0 || fstat(fd, &st) < 0 || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)) || fstatfs(fd, &fs) < 0 ||
        fs.f_type != KMAGIC_TMPFS)
        return -ENODATA;
    w->is_bundle = !S_ISDIR(st.st_mode);
    w->dir = TAKE_FD(fd);
    return 0;
}

int workspace_dir(struct workspace *w)
{
    return take(w) == 0 && !w->is_bundle ? w->dir : -1;
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
        bool is_control = p[0] < 0x20 || p[0] == 0x7F || p[0] == '\\' ||
                          (len == 2 && p[0] == 0xC2 && p[1] < 0xA0); /* C1 */
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
    if (r->is_cut) {
        (void)buf_addf(out, "%smore than %u entries", comma, WORKSPACE_MAX_ENTRIES);
        comma = ", ";
    }
    if (r->is_late)
        (void)buf_addf(out, "%sthe container was not done with handing them out in time", comma);
}

/* --- reading ------------------------------------------------------------------------------------------- */

struct handing {
    bool (*each)(void *ctx, const char *name, const void *data, uint64_t size);
    void *ctx;
};

static bool hand_out(void *context, const char *path, const void *data, uint64_t size)
{
    const struct handing *h = context;
    struct buf name;
    buf_init(&name, 4 * WORKSPACE_MAX_PATH + 1);
    bool goes_on = workspace_name(&name, path) == 0 && h->each(h->ctx, name.data, data, size);
    buf_done(&name);
    return goes_on;
}

/* False: less than all. */
static bool read_all(int fd, char *into, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, into + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

/* False: no further. */
static bool on_file(struct leftover *l, int fd, size_t size, struct handing *h)
{
    char *content = malloc(size + 1);
    bool is_whole = content && read_all(fd, content, size), goes_on = true;
    if (is_whole)
        goes_on = hand_out(h, l->path, content, size);
    else
        leftover_take_back(l, size);
    free(content);
    return goes_on;
}

static int read_dir(int dir, uint64_t max_bytes, struct handing *h, struct workspace_rest *ret_left_out)
{
    uint64_t size;
    bool goes_on = true;
    struct leftover *l = calloc(1, sizeof *l);
    if (!l)
        return -ENOMEM;
    int r = leftover_begin(l, dir, max_bytes);
    while (r == 0 && goes_on) {
        cleanup(closep) int fd = leftover_next(l, &size);
        goes_on = fd >= 0 && on_file(l, fd, (size_t)size, h);
    }
    leftover_done(l);
    *ret_left_out = l->rest;
    free(l);
    return r == -EACCES ? 0 : r;
}

int workspace_read(struct workspace *w, uint64_t max_bytes,
                   bool (*each)(void *ctx, const char *name, const void *data, uint64_t size), void *ctx,
                   struct workspace_rest *ret_left_out)
{
    struct handing h = { each, ctx };
    *ret_left_out = (struct workspace_rest){ 0 };
    int r = take(w);
    if (r < 0)
        return r;
    return w->is_bundle ? bundle_read_fd(w->dir, max_bytes, hand_out, &h, ret_left_out)
                        : read_dir(w->dir, max_bytes, &h, ret_left_out);
}
