/* peers.h - for attacks on the broker of mode bridge: the peer that the rules allow, and the one that they do not.
 *
 * Both are listeners of outside.py on the host's 127.0.0.1. The allowed one (`allowed_port`, TCP and UDP) echoes; the
 * one on `slow_port` is allowed too, but takes connections only after about a second, so that a connect() is under way
 * for as long. The forbidden one
 * (`host_port`, TCP and UDP, also on ::1) says nothing: outside.py looks whether anybody came.
 */
#pragma once
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>

union peer {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un un;
    char room[128];
};

static union peer peer_at(const char *ip, long port)
{
    union peer p = { 0 };
    if (strchr(ip, ':')) {
        p.six = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port) };
        inet_pton(AF_INET6, ip, &p.six.sin6_addr);
    } else {
        p.four = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
        inet_pton(AF_INET, ip, &p.four.sin_addr);
    }
    return p;
}

__attribute__((unused)) static socklen_t peer_size(const union peer *p)
{
    return p->any.sa_family == AF_INET6 ? sizeof p->six : p->any.sa_family == AF_INET ? sizeof p->four : sizeof p->any;
}

__attribute__((unused)) static union peer allowed_peer(void)
{
    return peer_at("127.0.0.1", param_num("allowed_port", 1));
}

__attribute__((unused)) static union peer slow_peer(void)
{
    return peer_at("127.0.0.1", param_num("slow_port", 1));
}

__attribute__((unused)) static union peer forbidden_peer(void)
{
    return peer_at("127.0.0.1", param_num("host_port", 1));
}

__attribute__((unused)) static int new_tcp(int flags)
{
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (s < 0)
        contained("no TCP socket: %s", errname(errno));
    return s;
}

__attribute__((unused)) static int connect_to(int s, const union peer *p)
{
    return connect(s, &p->any, peer_size(p));
}

/* Is this TCP socket connected to the forbidden peer? (Within a sandbox's own loopback nobody listens at that port; a
 * datagram socket is «connected» to whatever it likes there, and outside.py looks whether anything arrived.) */
__attribute__((unused)) static void check_peer(int s, const char *how)
{
    union peer p = { 0 };
    int type = 0, same = dup(s); /* others may exchange what is under this number */
    socklen_t size = sizeof type, room = sizeof p;
    bool has_peer = getsockopt(same, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
                    getpeername(same, &p.any, &room) == 0;
    close(same);
    if (has_peer && p.any.sa_family == AF_INET && ntohs(p.four.sin_port) == param_num("host_port", 1))
        escaped("connected to the forbidden peer: %s", how);
}

/* Waits for a connect that is under way; 0 or its errno. */
__attribute__((unused)) static int connected(int s, int timeout_ms)
{
    struct pollfd p = { s, POLLOUT, 0 };
    int err = ETIMEDOUT;
    socklen_t size = sizeof err;
    if (poll(&p, 1, timeout_ms) == 1)
        getsockopt(s, SOL_SOCKET, SO_ERROR, &err, &size);
    return err;
}

/* The broker still does its work for those who obey: a socket connected to the allowed peer, which has echoed. An
 * attack that «held» because nothing works any more would prove nothing. */
__attribute__((unused)) static int expect_allowed(const char *when)
{
    union peer p = allowed_peer();
    int s = new_tcp(0);
    char answer[8] = "";
    if (connect_to(s, &p) < 0)
        contained("NOTHING WORKS %s: connect to the allowed peer: %s", when, errname(errno));
    if (write(s, "hello", 5) != 5 || recv(s, answer, 5, MSG_WAITALL) != 5 || memcmp(answer, "hello", 5))
        contained("NOTHING WORKS %s: no echo from the allowed peer: %s", when, errname(errno));
    return s;
}

/* A thread that does one thing again and again until the attack ends. */
__attribute__((unused)) static pthread_t restless(void *(*fn)(void *), void *arg)
{
    pthread_t t;
    if (pthread_create(&t, NULL, fn, arg))
        contained("no thread: %s", errname(errno));
    return t;
}
