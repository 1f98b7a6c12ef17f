/* class: network
 * what: connects and sends to the host's abstract unix sockets (stream, datagram, seqpacket), which only the network namespace or landlock keeps apart
 * outside: host_listener_untouched
 */
#include "attack.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
    const char *names[] = { param("abstract_name", "sandbox-agent-test-host"), "/tmp/.X11-unix/X0", "/tmp/dbus-test",
                            "@sandbox-agent", "/com/ubuntu/upstart" };
    static const int kinds[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET };
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (int k = 0; k < 3; k++) {
            struct sockaddr_un a = { .sun_family = AF_UNIX };
            snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "%s", names[n]);
            socklen_t len = (socklen_t)(sizeof a.sun_family + 1 + strlen(names[n]));
            int s = socket(AF_UNIX, kinds[k] | SOCK_CLOEXEC, 0);
            if (s < 0) {
                refused("socket", errno);
                continue;
            }
            if (connect(s, (struct sockaddr *)&a, len) == 0 ||
                sendto(s, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&a, len) == 1)
                escaped("reached the host's abstract socket %s", names[n]);
            if (n == 0)
                refused("connect", errno);
            close(s);
        }
    verdict();
}
