#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "base/unix_socket.h"
#include "http/server.h"

#define BACKLOG 511

static struct listener *next_listener(struct http_server *s)
{
    return s->listener_count < HTTP_MAX_LISTENERS ? &s->listeners[s->listener_count] : NULL;
}

static int too_many(struct error *err)
{
    return err_set(err, -E2BIG, BLAME_CALLER, "HTTP", "more than %u addresses to listen on", HTTP_MAX_LISTENERS);
}

static uint16_t port_of(int fd)
{
    struct sockaddr_storage a;
    socklen_t size = sizeof a;
    if (getsockname(fd, (struct sockaddr *)&a, &size) < 0)
        return 0;
    return a.ss_family == AF_INET    ? ntohs(((struct sockaddr_in *)&a)->sin_port)
           : a.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&a)->sin6_port)
                                     : 0;
}

static int bind_tcp(const struct addrinfo *a, uint16_t port, int only_six)
{
    struct sockaddr_storage address;
    int one = 1;
    cleanup(closep) int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || a->ai_addrlen > sizeof address)
        return -errno;
    memcpy(&address, a->ai_addr, a->ai_addrlen);
    if (a->ai_family == AF_INET6)
        ((struct sockaddr_in6 *)&address)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)&address)->sin_port = htons(port);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) < 0 ||
        (a->ai_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only_six, sizeof only_six) < 0) ||
        bind(fd, (struct sockaddr *)&address, a->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0)
        return -errno;
    return TAKE_FD(fd);
}

/* This machine has no such address: of several, the others do. */
static bool is_absent(int r)
{
    return r == -EADDRNOTAVAIL || r == -EAFNOSUPPORT;
}

/* 0, or why none of them could be had. */
static int listen_on_all(struct http_server *s, const struct addrinfo *all)
{
    const size_t before = s->listener_count;
    int fd = -EADDRNOTAVAIL;
    s->port = s->options.port;
    for (const struct addrinfo *a = all; a && (fd >= 0 || is_absent(fd)); a = a->ai_next) {
        struct listener *l = next_listener(s);
        if (!l)
            return -E2BIG;
        if (a->ai_family != AF_INET && a->ai_family != AF_INET6)
            continue;
        fd = bind_tcp(a, s->port, all->ai_next != NULL); /* «::» alone takes IPv4 as well */
        if (fd < 0)
            continue;
        *l = (struct listener){ .fd = fd, .is_ours = true, .is_tls = s->options.tls_certificate != NULL, .server = s };
        s->listener_count++;
        s->port = port_of(fd);
    }
    return fd >= 0 || (s->listener_count > before && is_absent(fd)) ? 0 : fd;
}

/* All addresses of the name, with one port: «localhost» is two. */
static int listen_tcp(struct http_server *s, struct error *err)
{
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
    struct addrinfo *all;
    const char *host = s->options.host;
    int r = getaddrinfo(host, NULL, &hints, &all);
    if (r != 0)
        return err_set(err, -EADDRNOTAVAIL, BLAME_CALLER, "HTTP", "«%s» is no address to listen on: %s", host,
                       gai_strerror(r));
    r = listen_on_all(s, all);
    freeaddrinfo(all);
    if (r == 0)
        return 0;
    errno = -r;
    (void)err_set(err, r, BLAME_CALLER, "HTTP", "listening on %s port %u: %m", host, s->options.port);
    return err_remedy(err, "choose another address or port with endpoints.api.host, endpoints.api.port or --listen");
}

static int listen_unix(struct http_server *s, struct error *err)
{
    struct listener *l = next_listener(s);
    const size_t size = strlen(s->options.socket);
    if (!l)
        return too_many(err);
    if (!size || size > UNIX_SOCKET_PATH_MAX)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, "HTTP", "the path of a socket has 1 to %u bytes: %s",
                       UNIX_SOCKET_PATH_MAX, s->options.socket);
    const int fd = unix_listen(s->options.socket, SOCK_STREAM | SOCK_NONBLOCK, 0660, BACKLOG);
    if (fd < 0) {
        errno = -fd;
        return err_set(err, fd, BLAME_CALLER, "HTTP", "listening on %s: %m", s->options.socket);
    }
    *l = (struct listener){
        .fd = fd, .is_unix = true, .is_ours = true, .unlink_path = strdup(s->options.socket), .server = s
    };
    s->listener_count++;
    return 0;
}

static int take_fd(struct http_server *s, int fd, struct error *err)
{
    int listens = 0, domain = 0, type = 0;
    socklen_t size = sizeof listens;
    struct listener *l = next_listener(s);
    if (!l)
        return too_many(err);
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0)
        return err_set(err, -errno, BLAME_CALLER, "HTTP", "descriptor %d, which was handed over: %m", fd);
    if (!listens || type != SOCK_STREAM || (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6))
        return err_set(err, -EINVAL, BLAME_CALLER, "HTTP",
                       "descriptor %d, which was handed over, is no listening stream socket", fd);
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    *l = (struct listener){
        .fd = fd, .is_unix = domain == AF_UNIX, .is_tls = domain != AF_UNIX && s->options.tls_certificate, .server = s
    };
    s->listener_count++;
    if (!s->port)
        s->port = port_of(fd);
    return 0;
}

int listeners_open(struct http_server *s, struct error *err)
{
    int r = 0;
    for (size_t i = 0; r == 0 && i < s->options.fd_count; i++)
        r = take_fd(s, s->options.fds[i], err);
    if (r == 0 && s->options.host)
        r = listen_tcp(s, err);
    if (r == 0 && s->options.socket)
        r = listen_unix(s, err);
    if (r == 0 && !s->listener_count)
        r = err_set(err, -EINVAL, BLAME_CALLER, "HTTP", "there is no address to listen on");
    return r;
}

void listener_mute(struct listener *l)
{
    if (l->unlink_path)
        (void)unlink(l->unlink_path); /* while it listens: afterwards the path may be our successor's */
    free(l->unlink_path);
    l->unlink_path = NULL;
    if (l->is_ours)
        (void)shutdown(l->fd, SHUT_RDWR);
}

void listener_close(struct listener *l)
{
    listener_mute(l);
    (void)close(l->fd);
    l->fd = -EBADF;
}
