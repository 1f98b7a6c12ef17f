#include "base/message.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

/* An ordinary user may have no more descriptors on their way, of all his processes, than one process may have open
 * (unix(7), ETOOMANYREFS): in a sandbox few. They arrive soon: of many sandboxes that start at once none shall fail for
 * it. In milliseconds. */
#define SEND_ATTEMPTS 300

bool is_message_socket(int fd)
{
    int type = 0, domain = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET &&
           getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

ssize_t receive_message(int sock, void *data, size_t size, int *fds, size_t max, size_t *ret_count)
{
    union {
        char buf[CMSG_SPACE(sizeof(int) * MESSAGE_MAX_FDS)];
        struct cmsghdr align;
    } control;
    struct iovec iov = { data, size };
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf, .msg_controllen = sizeof control.buf
    };
    ssize_t n;
    *ret_count = 0;
    do
        n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    struct cmsghdr *h = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
    if (h && h->cmsg_type == SCM_RIGHTS) {
        size_t count = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(h) + i * sizeof fd, sizeof fd);
            if (i < max)
                fds[(*ret_count)++] = fd;
            else
                (void)close(fd);
        }
    }
    return n;
}

int send_parts(int sock, const struct iovec *parts, size_t n, const int *fds, size_t count)
{
    union {
        char buf[CMSG_SPACE(sizeof(int) * MESSAGE_MAX_FDS)];
        struct cmsghdr align;
    } control;
    struct msghdr msg = { .msg_iov = (struct iovec *)(uintptr_t)parts, .msg_iovlen = n };
    assert(count <= MESSAGE_MAX_FDS);
    if (count) {
        msg.msg_control = control.buf;
        msg.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *h = CMSG_FIRSTHDR(&msg);
        *h = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
                               .cmsg_type = SCM_RIGHTS,
                               .cmsg_len = CMSG_LEN(sizeof(int) * count) };
        memcpy(CMSG_DATA(h), fds, sizeof(int) * count);
    }
    for (int attempt = 0; sendmsg(sock, &msg, MESSAGE_FLAGS) < 0; attempt++) {
        if ((errno != ETOOMANYREFS || attempt >= SEND_ATTEMPTS) && errno != EINTR)
            return -errno;
        const struct timespec pause = { .tv_nsec = 1000000 };
        (void)nanosleep(&pause, NULL);
    }
    return 0;
}

int send_message(int sock, const void *data, size_t size, const int *fds, size_t count)
{
    return send_parts(sock, &(struct iovec){ (void *)(uintptr_t)data, size }, 1, fds, count);
}
