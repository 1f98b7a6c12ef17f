/* options.c - what a socket of the host takes over of the program's options, and which of them have a bound.
 *
 * The buffers of a handed-over socket are memory of the host, beside every limit of the sandbox, and what is in them
 * outlives its program: closed, they wait for a peer that takes nothing. So they have a size (traffic_is_wide()), and
 * TCP_USER_TIMEOUT says how long the host keeps them.
 */
#include "broker/options.h"

#include "broker/target.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK 72 /* linux/socket.h since 5.14: which buffer sizes were set */
#endif
#define OPTION_MAX_BYTES 32
#define FAMILIES         2

struct option {
    int level, name;
};
static const struct option options[] = {
    { SOL_SOCKET, SO_LINGER },     { SOL_SOCKET, SO_OOBINLINE },
    { SOL_SOCKET, SO_REUSEADDR },  { SOL_SOCKET, SO_RCVTIMEO },
    { SOL_SOCKET, SO_SNDTIMEO },   { SOL_SOCKET, SO_KEEPALIVE },
    { IPPROTO_TCP, TCP_NODELAY },  { IPPROTO_TCP, TCP_SYNCNT },
    { IPPROTO_TCP, TCP_QUICKACK }, { IPPROTO_TCP, TCP_CONGESTION },
    { IPPROTO_IP, IP_TOS },        { IPPROTO_IPV6, IPV6_TCLASS }, /* from here on for AF_INET6 only */
    { IPPROTO_IPV6, IPV6_V6ONLY },
};
/* Mean nothing without SO_KEEPALIVE. */
static const struct option alive_options[] = { { IPPROTO_TCP, TCP_KEEPIDLE },
                                               { IPPROTO_TCP, TCP_KEEPINTVL },
                                               { IPPROTO_TCP, TCP_KEEPCNT } };
/* Each costs half a microsecond of every connection, so what hardly any program sets before it connects is not here:
 * SO_RCVLOWAT, TCP_CORK, IP_TTL and their like. */
/* Not here, on purpose: IP_OPTIONS and IPV6_RTHDR (source routes would lead elsewhere than was judged), SO_BINDTODEVICE
 * and SO_MARK (the host's routing is not the sandbox's to choose), TCP_FASTOPEN_CONNECT (would connect at the first
 * write), filters and TLS. */

struct value {
    unsigned char bytes[OPTION_MAX_BYTES];
    socklen_t size; /* 0: not there */
};
/* What a fresh socket says, per family: asked once. */
static struct value fresh[FAMILIES][ARRAY_LEN(options)];
static bool has_fresh[FAMILIES];

static struct value read_option(int fd, const struct option *o)
{
    struct value v = { .size = OPTION_MAX_BYTES };
    if (getsockopt(fd, o->level, o->name, v.bytes, &v.size) < 0)
        v.size = 0;
    return v;
}

static size_t count_for(int domain)
{
    size_t n = ARRAY_LEN(options);
    while (domain != AF_INET6 && options[n - 1].level == IPPROTO_IPV6)
        n--;
    return n;
}

/* What the program has set, within the bound; else the bound, or (most 0) as the kernel likes. */
static void copy_buffer(int from, int to, int name, bool is_set, int most)
{
    int size = 0;
    socklen_t n = sizeof size;
    if (is_set && getsockopt(from, SOL_SOCKET, name, &size, &n) == 0) /* the kernel doubles what is set */
        size = MIN_OF(size / 2, most ? most : OPTIONS_BUFFER_MAX);
    else
        size = most;
    if (size > 0)
        (void)setsockopt(to, SOL_SOCKET, name, &size, sizeof size);
}

static void copy_buffers(int from, int to, int most)
{
    int lock = 0;
    socklen_t n = sizeof lock;
    if ((getsockopt(from, SOL_SOCKET, SO_BUF_LOCK, &lock, &n) < 0 || lock == 0) && !most)
        return;
    copy_buffer(from, to, SO_RCVBUF, lock & 2, most);
    copy_buffer(from, to, SO_SNDBUF, lock & 1, most);
}

static void copy_patience(int from, int to)
{
    unsigned ms = 0;
    socklen_t n = sizeof ms;
    if (getsockopt(from, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, &n) < 0 || ms == 0 || ms > OPTIONS_PATIENCE_MS)
        ms = OPTIONS_PATIENCE_MS;
    (void)setsockopt(to, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms);
}

static void copy_keepalive(int from, int to)
{
    static const struct option keepalive = { SOL_SOCKET, SO_KEEPALIVE };
    struct value v = read_option(to, &keepalive);
    static const struct value off;
    if (v.size == 0 || memcmp(v.bytes, off.bytes, v.size) == 0)
        return;
    for (size_t i = 0; i < ARRAY_LEN(alive_options); i++) {
        v = read_option(from, &alive_options[i]);
        if (v.size)
            (void)setsockopt(to, alive_options[i].level, alive_options[i].name, v.bytes, v.size);
    }
}

void options_copy(int domain, int from, int to, int most)
{
    size_t count = count_for(domain), family = domain == AF_INET6;
    if (!has_fresh[family]) /* `to` was made a moment ago */
        for (size_t i = 0; i < count; i++)
            fresh[family][i] = read_option(to, &options[i]);
    has_fresh[family] = true;
    for (size_t i = 0; i < count; i++) {
        const struct value *usual = &fresh[family][i];
        struct value v = read_option(from, &options[i]);
        if (v.size && usual->size && (v.size != usual->size || memcmp(v.bytes, usual->bytes, v.size) != 0))
            (void)setsockopt(to, options[i].level, options[i].name, v.bytes, v.size);
    }
    copy_buffers(from, to, most);
    copy_patience(from, to);
    copy_keepalive(from, to);
}

/* --- setsockopt(2) ---------------------------------------------------------------------------------------- */

static int bounded(const struct broker *b, const struct target *t, int name, int value)
{
    if (name == TCP_USER_TIMEOUT) /* of the sandbox's own loopback it is the program's affair */
        return t->place == TARGET_HOST && (value == 0 || value > OPTIONS_PATIENCE_MS) ? OPTIONS_PATIENCE_MS : value;
    return MIN_OF(value, t->place == TARGET_HOST ? traffic_buffer(b) : OPTIONS_BUFFER_MAX);
}

void setsockopt_asked(struct broker *b, const struct seccomp_notif *ask)
{
    struct target t = { .fd = -1 };
    const int level = (int)ask->data.args[1], name = (int)ask->data.args[2], size = (int)ask->data.args[4];
    int value = 0, error = target_take(b, ask, &t);
    if (!error && size < (int)sizeof value)
        error = EINVAL;
    if (!error && notify_read(ask->pid, ask->data.args[3], &value, sizeof value) != sizeof value)
        error = EFAULT;
    if (notify_is_alive(&b->notify, ask->id)) { /* else what was read may be of another process */
        value = bounded(b, &t, name, value);
        if (!error && setsockopt(t.fd, level, name, &value, sizeof value) < 0)
            error = errno;
        notify_refuse(&b->notify, ask->id, error);
    }
    target_done(&t);
}
