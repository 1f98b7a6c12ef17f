/* peer.c - connect(2) as it was called: natively for launch/connector.c, in a container for entry/connect.c. */
#include "notify/notify.h"

#include <netinet/in.h>
#include <stdio.h>

static bool is_of_system(const char *path)
{
    return str_starts(path, "/run/") || str_starts(path, "/var/run/") || str_starts(path, "/var/lib/");
}

void notify_tell_unix(struct notify *n, const struct seccomp_notif *ask)
{
    struct sockaddr_un to = { .sun_family = AF_UNSPEC };
    char path[NOTIFY_PEER_PATH];
    const size_t most = MIN_OF((size_t)(ask->data.args[2] & UINT32_MAX), sizeof to);
    if (!(n->watch & NOTIFY_CALLS) || notify_read(ask->pid, ask->data.args[1], &to, most) != (ssize_t)most ||
        to.sun_family != AF_UNIX)
        return;
    (void)snprintf(path, sizeof path, "%.*s", (int)sizeof to.sun_path, to.sun_path);
    if (!is_of_system(path) || !notify_is_alive(n, ask->id))
        return;
    struct watch_event e = notify_event(n, ask, WATCH_CALL);
    e.text = path;
    notify_tell(n, &e);
}

int notify_peer_take(const struct seccomp_notif *ask, struct notify_peer *ret)
{
    const uint64_t size = ask->data.args[2] & UINT32_MAX; /* int */
    ret->sock = notify_take_fd(ask->pid, (int)ask->data.args[0]);
    if (ret->sock < 0)
        return -ret->sock;
    if (size > sizeof ret->address)
        return EINVAL;
    ret->size = (socklen_t)size;
    return size && notify_read(ask->pid, ask->data.args[1], &ret->address, size) != (ssize_t)size ? EFAULT : 0;
}

int notify_peer_option(const struct notify_peer *p, int option)
{
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(p->sock, SOL_SOCKET, option, &value, &size) < 0 ? -1 : value;
}

bool notify_peer_is_tcp(const struct notify_peer *p)
{
    const int domain = notify_peer_option(p, SO_DOMAIN);
    return (domain == AF_INET || domain == AF_INET6) && notify_peer_option(p, SO_PROTOCOL) == IPPROTO_TCP;
}

static const struct sockaddr_un *address_of(const struct notify_peer *p)
{
    return (const struct sockaddr_un *)&p->address;
}

bool notify_peer_has_path(const struct notify_peer *p)
{
    return p->address.ss_family == AF_UNIX && p->size > offsetof(struct sockaddr_un, sun_path) &&
           address_of(p)->sun_path[0];
}

int notify_peer_path(const struct notify_peer *p, char path[static NOTIFY_PEER_PATH])
{
    if (p->size > sizeof *address_of(p))
        return EINVAL;
    const size_t length = (size_t)p->size - offsetof(struct sockaddr_un, sun_path);
    memcpy(path, address_of(p)->sun_path, length);
    path[length] = '\0';
    return 0;
}

void notify_peer_aim(struct notify_peer *p, const char *path)
{
    struct sockaddr_un *un = (struct sockaddr_un *)&p->address;
    *un = (struct sockaddr_un){ .sun_family = AF_UNIX };
    (void)snprintf(un->sun_path, sizeof un->sun_path, "%s", path);
    p->size = sizeof *un;
}

int notify_peer_connect(const struct notify_peer *p)
{
    return connect(p->sock, (const struct sockaddr *)&p->address, p->size) < 0 ? errno : 0;
}
