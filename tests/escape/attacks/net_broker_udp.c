/* class: network
 * what: sends datagrams elsewhere than where it was allowed: by sendto, sendmsg, sendmmsg, after connect, with rewritten addresses, by control messages
 * levels: low
 * outside: host_listener_untouched
 */
#include "peers.h"

static union peer shared;
static atomic_bool is_over;

static void *rewrite(void *arg)
{
    union peer good = allowed_peer(), bad = forbidden_peer();
    (void)arg;
    while (!is_over) {
        *(volatile in_port_t *)&shared.four.sin_port = good.four.sin_port;
        *(volatile in_port_t *)&shared.four.sin_port = bad.four.sin_port;
    }
    return NULL;
}

static void send_all(int s, union peer *to)
{
    struct iovec iov = { "escape", 6 };
    struct mmsghdr many[3] = { 0 };
    char control[64] = "";
    for (int i = 0; i < 3; i++)
        many[i].msg_hdr = (struct msghdr){
            .msg_name = to, .msg_namelen = peer_size(to), .msg_iov = &iov, .msg_iovlen = 1
        };
    (void)sendto(s, "escape", 6, MSG_DONTWAIT, &to->any, peer_size(to));
    (void)sendmsg(s, &many[0].msg_hdr, MSG_DONTWAIT);
    (void)sendmmsg(s, many, 3, MSG_DONTWAIT);
    struct cmsghdr *c = (struct cmsghdr *)control; /* IP_PKTINFO: another source, another interface */
    *c = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo)),
                           .cmsg_level = IPPROTO_IP,
                           .cmsg_type = IP_PKTINFO };
    ((struct in_pktinfo *)CMSG_DATA(c))->ipi_ifindex = 1;
    many[0].msg_hdr.msg_control = control;
    many[0].msg_hdr.msg_controllen = CMSG_SPACE(sizeof(struct in_pktinfo));
    (void)sendmsg(s, &many[0].msg_hdr, MSG_DONTWAIT);
}

static bool echoes(int s, const union peer *to)
{
    char answer[16];
    (void)sendto(s, "hello", 5, 0, to ? &to->any : NULL, to ? peer_size(to) : 0);
    struct pollfd p = { s, POLLIN, 0 };
    return poll(&p, 1, 1000) == 1 && recv(s, answer, sizeof answer, 0) == 5;
}

int main(void)
{
    union peer good = allowed_peer(), nowhere = { .any.sa_family = AF_UNSPEC };
    int works = 0;
    for (int is_connected = 0; is_connected < 2; is_connected++) {
        int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), six = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (is_connected)
            (void)connect_to(s, &good);
        works += echoes(s, is_connected ? NULL : &good);
        static const char *const spellings[] = { "127.0.0.1", "0.0.0.0",          "127.1.2.3",     "::1",
                                                 "::",        "::ffff:127.0.0.1", "::ffff:0.0.0.0" };
        for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
            union peer bad = peer_at(spellings[i], param_num("host_port", 1));
            int which = bad.any.sa_family == AF_INET ? s : six;
            send_all(which, &bad);
            if (connect_to(which, &bad) == 0)
                (void)send(which, "escape", 6, MSG_DONTWAIT);
            (void)connect_to(which, &nowhere);
        }
        shared = good;
        is_over = false;
        pthread_t t = restless(rewrite, NULL);
        for (double until = seconds(CLOCK_MONOTONIC) + 0.7; seconds(CLOCK_MONOTONIC) < until;)
            send_all(s, &shared);
        is_over = true;
        pthread_join(t, NULL);
        close(s);
        close(six);
    }
    sleep_ms(200); /* what is on its way arrives */
    contained("%s", works == 2 ? "the allowed peer echoed" : "the allowed peer did not always echo");
}
