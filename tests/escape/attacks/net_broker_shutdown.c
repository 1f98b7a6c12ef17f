/* class: network
 * what: takes a socket of the host back to its beginning, by shutdown() on its way or by AF_UNSPEC, then tries to listen on the host with it, or to lead it elsewhere
 * levels: low
 * outside: host_listener_untouched inside_listener_unreachable slow_door
 */
#include "peers.h"
#ifndef TCP_FASTOPEN_CONNECT
#define TCP_FASTOPEN_CONNECT 30
#endif

static const char *const ways[] = { "on its way", "on its way, shut down",    "connected", "connected, shut down",
                                    "refused",    "disconnected by AF_UNSPEC" };

static int host_socket(int way)
{
    union peer good = allowed_peer(), slow = slow_peer(), nowhere = { .any.sa_family = AF_UNSPEC };
    union peer closed = peer_at("127.0.0.1", param_num("closed_port", 1));
    int s = new_tcp(SOCK_NONBLOCK);
    if (way < 2)
        (void)connect_to(s, &slow);
    else if (connect_to(s, way == 4 ? &closed : &good) < 0 && errno == EINPROGRESS)
        connected(s, 500);
    if (way == 1 || way == 3)
        shutdown(s, SHUT_RDWR);
    if (way == 5)
        (void)connect_to(s, &nowhere);
    return s;
}

static void lead_elsewhere(int way)
{
    union peer bad = forbidden_peer(), nowhere = { .any.sa_family = AF_UNSPEC };
    struct iovec iov = { "escape", 6 };
    struct mmsghdr many[2] = {
        { .msg_hdr = { .msg_name = &bad, .msg_namelen = sizeof bad.four, .msg_iov = &iov, .msg_iovlen = 1 } }
    };
    many[1] = many[0];
    int one = 1;
    for (int trick = 0; trick < 8; trick++) {
        int s = host_socket(way);
        switch (trick) {
        case 0:
            (void)connect_to(s, &bad);
            break;
        case 1:
            (void)sendto(s, "escape", 6, MSG_FASTOPEN | MSG_NOSIGNAL, &bad.any, sizeof bad.four);
            break;
        case 2:
            (void)sendmsg(s, &many[0].msg_hdr, MSG_FASTOPEN | MSG_NOSIGNAL);
            break;
        case 3:
            (void)sendmmsg(s, many, 2, MSG_FASTOPEN | MSG_NOSIGNAL);
            break;
        case 4:
            (void)sendto(s, "escape", 6, MSG_NOSIGNAL, &bad.any, sizeof bad.four);
            break;
        case 5:
            (void)sendmsg(s, &many[0].msg_hdr, MSG_NOSIGNAL);
            break;
        case 6:
            (void)setsockopt(s, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &one, sizeof one);
            (void)connect_to(s, &bad);
            (void)send(s, "escape", 6, MSG_NOSIGNAL);
            break;
        case 7:
            (void)connect_to(s, &nowhere);
            (void)connect_to(s, &nowhere);
            (void)connect_to(s, &bad);
            (void)connect_to(s, &bad);
            break;
        }
        (void)connected(s, 30);
        check_peer(s, ways[way]);
        close(s);
    }
}

/* A listener in the host's network: the outside visits `inside_port` meanwhile, and would be heard of here. */
static void listen_there(int way)
{
    union peer place = peer_at("0.0.0.0", param_num("inside_port", 1)), was = { 0 };
    int s = host_socket(way), one = 1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    int is_bound = bind(s, &place.any, sizeof place.four) == 0, is_listening = listen(s, 4) == 0;
    if (is_listening) {
        socklen_t size = sizeof was;
        struct pollfd p = { s, POLLIN, 0 };
        getsockname(s, &was.any, &size);
        if (poll(&p, 1, 250) == 1 && accept(s, NULL, NULL) >= 0)
            escaped("somebody from outside came in at port %d, by a socket that was %s", ntohs(was.four.sin_port),
                    ways[way]);
        note(ways[way], is_bound ? "listens where nobody comes" : "listens somewhere");
    }
    close(s);
}

int main(void)
{
    close(expect_allowed("before"));
    signal(SIGPIPE, SIG_IGN);
    for (int way = 0; way < 6; way++) {
        lead_elsewhere(way);
        listen_there(way);
    }
    close(expect_allowed("afterwards"));
    verdict();
}
