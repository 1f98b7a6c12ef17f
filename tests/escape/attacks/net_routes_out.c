/* class: network
 * what: looks for a way out: metadata service, name servers, documentation addresses, IPv6 (UDP connect only asks for the route and sends no packet)
 */
#include "attack.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void)
{
    static const char *const four[] = { "169.254.169.254", "192.0.2.1",   "8.8.8.8",         "10.0.0.1",
                                        "172.17.0.1",      "192.168.0.1", "255.255.255.255", "224.0.0.1" };
    static const char *const six[] = { "2001:db8::1", "fe80::1", "fd00:ec2::254", "ff02::1" };
    for (size_t i = 0; i < sizeof four / sizeof four[0]; i++) {
        struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(80) };
        inet_pton(AF_INET, four[i], &a.sin_addr);
        int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), on = 1;
        if (s < 0) {
            refused(four[i], errno);
            continue;
        }
        (void)setsockopt(s, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
        worked(four[i], connect(s, (struct sockaddr *)&a, sizeof a));
        close(s);
    }
    for (size_t i = 0; i < sizeof six / sizeof six[0]; i++)
        for (unsigned scope = 0; scope < 4; scope++) {
            struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = htons(80), .sin6_scope_id = scope };
            inet_pton(AF_INET6, six[i], &a.sin6_addr);
            int s = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
            if (s < 0)
                break;
            if (connect(s, (struct sockaddr *)&a, sizeof a) == 0)
                escaped("there is a route to %s", six[i]);
            if (!scope)
                refused(six[i], errno);
            close(s);
        }
    verdict();
}
