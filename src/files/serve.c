/* serve.c - the worker inside. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/message.h"
#include "files/checkpoint.h"
#include "files/remote_pack.h"

struct worker {
    int sock, root;
    bool has_content; /* more of it is to come */
    bool owes_room;   /* the service waits for ROOM */
    char buffer[REMOTE_MAX_SIZE];
};

/* The service has gone: there is nothing to be done for. */
static void send_or_end(struct worker *w, const struct buf *b, const int *fd)
{
    if (b->failed || send_message(w->sock, b->data, b->size, fd, fd ? 1 : 0) < 0)
        _exit(1);
}

static void reply(struct worker *w, const struct remote_reply *r, int fd)
{
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_REPLY);
    remote_pack_reply(&b, r);
    send_or_end(w, &b, fd >= 0 ? &fd : NULL);
    buf_done(&b);
}

static bool send_entry(void *context, const struct wfile_entry *e)
{
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_ENTRY);
    remote_pack_entry(&b, e);
    send_or_end(context, &b, NULL);
    buf_done(&b);
    return true;
}

static bool send_event(void *context, const struct wfile_event *e)
{
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_EVENT);
    remote_pack_event(&b, e);
    send_or_end(context, &b, NULL);
    buf_done(&b);
    return true;
}

/* As long as the service has its end, and there is something to be watched. */
static _Noreturn void watch(struct worker *w, const struct remote_request *q, struct remote_reply *r)
{
    struct wfile_watch *of = NULL;
    r->error = wfile_watch_begin(w->root, q->path, q->depth > 1, send_event, w, &of, &r->is_cut);
    reply(w, r, -EBADF);
    bool goes_on = r->error == 0;
    while (goes_on) {
        struct pollfd f[] = { { .fd = wfile_watch_fd(of), .events = POLLIN }, { .fd = w->sock, .events = POLLIN } };
        if (poll(f, ARRAY_LEN(f), -1) < 0)
            continue;
        goes_on = !f[1].revents && (!f[0].revents || wfile_watch_read(of));
    }
    (void)wfile_watch_end(of);
    _exit(0);
}

static void tell_room(struct worker *w, uint64_t room, int fd)
{
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    (void)buf_addc(&b, REMOTE_ROOM);
    pack_u64(&b, room);
    w->owes_room = false;
    send_or_end(w, &b, fd >= 0 ? &fd : NULL);
    buf_done(&b);
}

/* -> bytes of content that came (in buffer + 1), 0: their end, or -errno */
static ssize_t next_content(struct worker *w)
{
    size_t count = 0;
    ssize_t n = receive_message(w->sock, w->buffer, sizeof w->buffer, NULL, 0, &count);
    w->has_content = n > 1;
    if (n <= 0)
        return n < 0 ? n : -ECANCELED; /* the service gave it up */
    if (w->buffer[0] == REMOTE_WRITTEN && n == 1 + (ssize_t)sizeof(uint64_t))
        w->owes_room = true;
    else if (w->buffer[0] != REMOTE_DATA)
        return w->buffer[0] == REMOTE_END && n == 1 ? 0 : -EBADMSG;
    return n > 1 ? n - 1 : -EBADMSG;
}

/* Of a file that the service writes: there is memory up to *room; up to what is it to have it now? */
static int more_room(struct worker *w, struct wfile_put *p, uint64_t written, uint64_t most, uint64_t *room)
{
    const uint64_t to = MIN_OF(MIN_OF(written, most) + REMOTE_ROOM_WINDOW, most);
    if (to <= *room) { /* it has not read yet that there is room */
        w->owes_room = false;
        return 0;
    }
    int e = wfile_put_room(p, *room, to - *room);
    if (e < 0)
        return e;
    tell_room(w, to, *room ? -EBADF : p->fd);
    *room = to;
    return 0;
}

static int put_content(struct worker *w, struct wfile_put *p, uint64_t most, uint64_t *room)
{
    uint64_t written;
    const ssize_t n = next_content(w);
    if (n <= 0)
        return (int)n;
    int e = -EBADMSG;
    memcpy(&written, w->buffer + 1, sizeof written);
    if (w->owes_room && *room) {
        e = more_room(w, p, written, most, room);
    } else if (!w->owes_room) {
        p->left += *room; /* the descriptor did not arrive (SELinux, AppArmor): it goes as ever */
        *room = 0;
        e = wfile_put_write(p, w->buffer + 1, (size_t)n);
    }
    return e < 0 ? e : 1;
}

static int put(struct worker *w, const struct remote_request *q, struct remote_reply *r)
{
    struct wfile_put p = WFILE_PUT_NONE;
    uint64_t room = 0;
    int e = wfile_put_begin(w->root, q->path, (uint32_t)q->mode, q->max_bytes, &p);
    if (e == 0 && q->number && wfile_put_hide(&p) == 0)
        e = more_room(w, &p, 0, q->number, &room);
    else if (e == 0 && q->number)
        tell_room(w, q->number, -EBADF);
    if (e == 0)
        e = 1;
    while (e > 0)
        e = put_content(w, &p, q->number, &room);
    if (e == 0)
        e = wfile_put_end(&p, INT64_MIN);
    wfile_put_abort(&p);
    return e < 0 ? e : wfile_stat(w->root, q->path, &r->stat, NULL);
}

static int pack(struct worker *w, const struct remote_request *q, struct remote_reply *r)
{
    struct tar_out *t = NULL;
    ssize_t n = 0;
    int e = tar_out_begin(w->root, q->path, q->max_bytes, &t);
    w->buffer[0] = REMOTE_DATA;
    while (e == 0 && (n = tar_out_read(t, w->buffer + 1, REMOTE_MAX_DATA)) > 0)
        if (send_message(w->sock, w->buffer, (size_t)n + 1, NULL, 0) < 0)
            _exit(1);
    if (t) {
        (void)snprintf(r->text, sizeof r->text, "%s", tar_out_failed(t));
        r->count = tar_out_counts(t).entries;
    }
    (void)tar_out_free(t);
    return e < 0 ? e : (int)n;
}

static int unpack(struct worker *w, const struct remote_request *q, struct remote_reply *r)
{
    const struct tar_in_limits limits = { .max_bytes = q->max_bytes };
    struct tar_in *t = NULL;
    ssize_t n = 0;
    int e = tar_in_begin(w->root, q->path, &limits, &t);
    while (e == 0 && (n = next_content(w)) > 0)
        e = tar_in_feed(t, w->buffer + 1, (size_t)n);
    e = e < 0 ? e : (int)n;
    if (t && e == 0)
        e = tar_in_end(t);
    if (t) {
        (void)snprintf(r->text, sizeof r->text, "%s", tar_in_failed(t));
        r->count = tar_in_entries(t);
    }
    (void)tar_in_free(t);
    return e;
}

static int checkpoint(const struct worker *w, const struct remote_request *q, struct remote_reply *r)
{
    struct wfile_checkpoint made = { 0 };
    if (mkdir(REMOTE_CHECKPOINTS, 0700) < 0 && errno != EEXIST)
        return -errno;
    cleanup(closep) int store = open(REMOTE_CHECKPOINTS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (store < 0)
        return -errno;
    wfile_checkpoint_asked_by(w->sock);
    if (q->op == REMOTE_FORGET)
        return wfile_checkpoint_forget(store, q->number);
    if (q->op == REMOTE_RESTORE)
        return wfile_checkpoint_restore(w->root, store, q->number, r->text);
    const int e = wfile_checkpoint_make(w->root, store, q->number, q->max_bytes, &made, r->text);
    r->count = made.entries;
    r->bytes = made.copied_bytes;
    return e;
}

static int do_one(struct worker *w, const struct remote_request *q, struct remote_reply *r, int *ret_fd)
{
    int e;
    switch (q->op) {
    case REMOTE_OPEN:
        *ret_fd = wfile_open(w->root, q->path, &r->stat);
        return MIN_OF(*ret_fd, 0);
    case REMOTE_STAT:
        return wfile_stat(w->root, q->path, &r->stat, r->text);
    case REMOTE_LIST:
        return wfile_list(w->root, q->path, (uint32_t)q->depth, (uint32_t)q->max_entries, send_entry, w, &r->is_cut);
    case REMOTE_PUT:
        return put(w, q, r);
    case REMOTE_MKDIR:
        e = wfile_mkdir(w->root, q->path);
        r->is_made = e == 1;
        return MIN_OF(e, 0);
    case REMOTE_MOVE:
        return wfile_move(w->root, q->path, q->to, q->replaces);
    case REMOTE_REMOVE:
        return wfile_remove(w->root, q->path);
    case REMOTE_PACK:
        return pack(w, q, r);
    case REMOTE_KEEP:
    case REMOTE_RESTORE:
    case REMOTE_FORGET:
        return checkpoint(w, q, r);
    default:
        return unpack(w, q, r);
    }
}

static int take_request(struct worker *w, char *message, size_t size, struct remote_request *ret)
{
    size_t count = 0;
    ssize_t n = receive_message(w->sock, message, size, NULL, 0, &count);
    struct unpack u = unpack_start(message, (size_t)MAX_OF(n, 0));
    return n > 0 ? remote_unpack_request(&u, ret) : -EBADMSG;
}

void remote_serve(int sock)
{
    static struct worker w;
    static struct remote_reply r;
    static char message[4 * WFILE_MAX_PATH];
    struct remote_request q = { 0 };
    int fd = -EBADF;
    w.sock = sock;
    r.error = take_request(&w, message, sizeof message, &q);
    w.root = open(REMOTE_WORKSPACE, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (r.error == 0 && w.root < 0)
        r.error = errno == ENOENT ? -ENODATA : -errno;
    if (r.error == 0 && access(REMOTE_WORKSPACE, W_OK) < 0 && errno == EROFS)
        r.error = -ENODATA; /* of a session that has contexts only: an empty directory of the root */
    w.has_content = q.op == REMOTE_PUT || q.op == REMOTE_UNPACK;
    w.owes_room = q.op == REMOTE_PUT && q.number;
    if (r.error == 0 && q.op == REMOTE_WATCH)
        watch(&w, &q, &r);
    if (r.error == 0)
        r.error = do_one(&w, &q, &r, &fd);
    if (w.owes_room)
        tell_room(&w, 0, -EBADF);
    while (w.has_content && next_content(&w) > 0)
        continue; /* a socket that is closed with something unread takes the reply with it (ECONNRESET) */
    reply(&w, &r, fd);
}
