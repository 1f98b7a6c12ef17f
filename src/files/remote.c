#include "files/remote.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
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
        e = ret->kind == REMOTE_REPLY && ret->reply.error == 0 ? check_file(fd) : -EBADMSG;
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
