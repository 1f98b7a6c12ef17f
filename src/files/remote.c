#include "files/remote.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include "base/message.h"
#include "base/pack.h"
#include "files/remote_pack.h"

int remote_send(int sock, const struct remote_request *r)
{
    struct buf b;
    buf_init(&b, REMOTE_MAX_SIZE);
    remote_pack_request(&b, r);
    int e = b.failed ? -ENAMETOOLONG : send_message(sock, b.data, b.size, NULL, 0);
    buf_done(&b);
    return e;
}

/* Within our patience: 0; -EPIPE: the worker has gone, and may have left its reply. */
static int send_waiting(int sock, const struct iovec *parts, size_t n)
{
    struct pollfd f = { .fd = sock, .events = POLLOUT };
    int ready;
    do
        ready = poll(&f, 1, REMOTE_PATIENCE_MS);
    while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return ready ? -errno : -ETIMEDOUT;
    return send_parts(sock, parts, n, NULL, 0);
}

int remote_send_piece(int sock, const void *data, size_t size)
{
    const char *p = data;
    int e = 0;
    for (size_t at = 0, n; e == 0 && at < size; at += n) {
        n = MIN_OF(size - at, (size_t)REMOTE_MAX_DATA);
        char kind = REMOTE_DATA;
        const struct iovec parts[] = { { &kind, 1 }, { (void *)(uintptr_t)(p + at), n } };
        e = send_waiting(sock, parts, 2);
    }
    return e;
}

int remote_send_end(int sock)
{
    char end = REMOTE_END;
    return send_waiting(sock, &(const struct iovec){ &end, 1 }, 1);
}

int remote_send_content(int sock, const void *data, size_t size)
{
    int e = remote_send_piece(sock, data, size);
    if (e == 0)
        e = remote_send_end(sock);
    return e == -EPIPE || e == -ECONNRESET ? 0 : e;
}

/* A descriptor from inside is looked at: it has to be what was asked for. */
static int check_file(int fd)
{
    struct stat st;
    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? 0 : -EBADMSG;
}

static int read_message(const char *data, size_t size, struct remote_message *m)
{
    struct unpack u = unpack_start(data + 1, size - 1);
    m->kind = (enum remote_kind)data[0];
    switch (data[0]) {
    case REMOTE_DATA:
        m->data = data + 1;
        m->size = size - 1;
        return m->size ? 0 : -EBADMSG;
    case REMOTE_ENTRY:
        return remote_unpack_entry(&u, &m->entry);
    case REMOTE_EVENT:
        return remote_unpack_event(&u, &m->event);
    case REMOTE_REPLY:
        return remote_unpack_reply(&u, &m->reply);
    case REMOTE_ROOM:
        m->room = unpack_u64(&u);
        return unpack_end(&u);
    default:
        return -EBADMSG;
    }
}

int remote_next(int sock, uint64_t wait_ms, char *buffer, struct remote_message *ret)
{
    struct pollfd f = { .fd = sock, .events = POLLIN };
    size_t count = 0;
    cleanup(closep) int fd = -EBADF;
    *ret = (struct remote_message){ .fd = -EBADF };
    int ready = poll(&f, 1, (int)MIN_OF(wait_ms, (uint64_t)REMOTE_PATIENCE_MS));
    if (ready <= 0)
        return ready < 0 && errno != EINTR ? -errno : 0;
    ssize_t n = receive_message(sock, buffer, REMOTE_MAX_SIZE, &fd, 1, &count);
    if (n <= 0)
        return n < 0 && n != -ECONNRESET ? (int)n : -EPIPE;
    int e = read_message(buffer, (size_t)n, ret);
    if (e == 0 && count)
        e = (ret->kind == REMOTE_REPLY && ret->reply.error == 0) || (ret->kind == REMOTE_ROOM && ret->room)
                ? check_file(fd)
                : -EBADMSG;
    if (e < 0)
        return e;
    if (count)
        ret->fd = TAKE_FD(fd);
    return 1;
}

int remote_wait(int sock, char *buffer, struct remote_message *ret)
{
    int e = remote_next(sock, REMOTE_PATIENCE_MS, buffer, ret);
    if (e == 0)
        return -ETIMEDOUT;
    return e < 0 ? e : ret->kind == REMOTE_REPLY ? 0 : -EBADMSG;
}

/* --- a file that we write ourselves ------------------------------------------------------------------------ */

/* It is none that writing would cost anything: in memory, with so much of it there. What is not true of it any more a
 * moment later is the worker's harm, and no more than this file's size of ours. */
static int check_room(const struct remote_writer *w, uint64_t room)
{
    struct stat st;
    return room > w->room && room <= w->most && fstat(w->fd, &st) == 0 && (uint64_t)st.st_blocks * 512 >= room
               ? 0
               : -EBADMSG;
}

static int check_writable(int fd)
{
    struct statfs fs;
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) == O_WRONLY && !(flags & O_APPEND) && fstatfs(fd, &fs) == 0 &&
                   fs.f_type == WFILE_IN_MEMORY
               ? 0
               : -EBADMSG;
}

static int next_room(struct remote_writer *w, int sock, char *buffer, struct remote_message *m)
{
    int e = remote_next(sock, REMOTE_PATIENCE_MS, buffer, m);
    if (e <= 0)
        return e < 0 ? e : -ETIMEDOUT;
    if (m->kind != REMOTE_ROOM)
        return -EBADMSG;
    w->is_over = m->room == 0;
    return 0;
}

int remote_writer_begin(int sock, uint64_t most, char *buffer, struct remote_writer *ret)
{
    struct remote_writer w = { .fd = -EBADF, .most = most };
    struct remote_message m;
    int e = next_room(&w, sock, buffer, &m);
    if (e < 0)
        return e;
    w.fd = m.fd;
    e = w.fd >= 0 ? check_writable(w.fd) : 0;
    if (e == 0 && w.fd >= 0)
        e = check_room(&w, m.room);
    w.room = m.room;
    if (e < 0)
        remote_writer_done(&w);
    *ret = w;
    return e;
}

void remote_writer_done(struct remote_writer *w)
{
    closep(&w->fd);
}

static int wait_for_room(struct remote_writer *w, int sock, char *buffer)
{
    struct remote_message m;
    int e = next_room(w, sock, buffer, &m);
    if (e == 0 && !w->is_over)
        e = m.fd < 0 ? check_room(w, m.room) : -EBADMSG;
    closep(&m.fd);
    if (e == 0)
        w->room = m.room;
    return e;
}

/* Early enough that there is room when it is needed. */
static int tell_written(struct remote_writer *w, int sock)
{
    char message[1 + sizeof w->at] = { REMOTE_WRITTEN };
    if (w->room == w->most || w->at - w->told < REMOTE_ROOM_WINDOW / 2)
        return 0;
    memcpy(message + 1, &w->at, sizeof w->at);
    w->told = w->at;
    return send_waiting(sock, &(const struct iovec){ message, sizeof message }, 1);
}

int remote_writer_write(struct remote_writer *w, int sock, char *buffer, const void *data, size_t size)
{
    const char *p = data;
    int e = 0;
    if (w->fd < 0)
        return w->is_over ? 0 : remote_send_piece(sock, data, size);
    while (e == 0 && size && !w->is_over) {
        const ssize_t n = w->at < w->room ? pwrite(w->fd, p, MIN_OF((uint64_t)size, w->room - w->at), (off_t)w->at) : 0;
        if (n > 0) {
            p += n, size -= (size_t)n, w->at += (uint64_t)n;
            e = tell_written(w, sock);
        } else if (w->at < w->room) {
            e = n < 0 && errno != EINTR ? -errno : 0;
        } else {
            e = w->room < w->most ? wait_for_room(w, sock, buffer) : -EFBIG;
        }
    }
    return e;
}
