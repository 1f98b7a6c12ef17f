/* class: network
 * what: spells the forbidden address in every way: zero addresses, mapped and embedded ones, wrong lengths, families, scopes and pointers
 * levels: low
 * outside: host_listener_untouched
 */
#include "peers.h"

int main(void)
{
    static const char *const four[] = { "127.0.0.1",   "0.0.0.0",         "127.1.2.3",       "127.255.255.254",
                                        "0.1.2.3",     "255.255.255.255", "169.254.169.254", "10.0.2.2",
                                        "192.168.0.1", "224.0.0.1" };
    static const char *const six[] = { "::1",
                                       "::",
                                       "::ffff:127.0.0.1",
                                       "::ffff:0.0.0.0",
                                       "::127.0.0.1",
                                       "64:ff9b::7f00:1",
                                       "2002:7f00:1::1",
                                       "::ffff:0:127.0.0.1",
                                       "fe80::1",
                                       "fd00:ec2::254",
                                       "ff02::1",
                                       "::ffff:169.254.169.254",
                                       "64:ff9b::a9fe:a9fe",
                                       "2001:0:7f00:1::80ff:fffe" };
    long port = param_num("host_port", 1);
    close(expect_allowed("before"));
    for (size_t i = 0; i < sizeof four / sizeof four[0] + sizeof six / sizeof six[0]; i++) {
        const char *ip = i < sizeof four / sizeof four[0] ? four[i] : six[i - sizeof four / sizeof four[0]];
        union peer p = peer_at(ip, port);
        for (int trick = 0; trick < 5; trick++) {
            union peer q = p;
            int s = socket(trick == 1   ? AF_INET6
                           : trick == 2 ? AF_INET
                                        : p.any.sa_family,
                           SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
            socklen_t size = trick == 3 ? sizeof q : peer_size(&q);
            if (trick == 4 && q.any.sa_family == AF_INET6)
                q.six.sin6_scope_id = 1, q.six.sin6_flowinfo = ~0u;
            int r = connect(s, &q.any, size);
            if (r < 0 && errno == EINPROGRESS)
                errno = r = connected(s, 60);
            if (r == 0)
                escaped("connected to %s:%ld", ip, port);
            if (trick == 0)
                refused(ip, errno);
            close(s);
        }
    }
    union peer bad = forbidden_peer();
    static const int sizes[] = { -1, 0, 1, 2, 4, 7, 8, 15, 17, 28, 128, 129, 4096, 1 << 30 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char room[4200] = "";
        memcpy(room, &bad, sizeof bad);
        int s = new_tcp(SOCK_NONBLOCK);
        int r = connect(s, (void *)room, (socklen_t)sizes[i]);
        if (r < 0 && errno == EINPROGRESS)
            r = connected(s, 60);
        if (r == 0)
            escaped("connected with a length of %d", sizes[i]);
        (void)connect(s, (void *)8, sizeof bad.four);
        (void)connect(s, (void *)(~0ul - 100), sizeof bad.four);
        (void)connect(s, NULL, sizeof bad.four);
        check_peer(s, "bad pointers");
        close(s);
    }
    (void)connect(-1, &bad.any, sizeof bad.four);
    (void)connect(1, &bad.any, sizeof bad.four);
    (void)connect(open("/", O_PATH), &bad.any, sizeof bad.four);
    close(expect_allowed("afterwards"));
    verdict();
}
