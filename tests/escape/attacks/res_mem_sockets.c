/* class: resources
 * what: kernel memory in the send buffers of unix sockets
 * needs: cgroup
 * reason: oom killed signal
 * timeout: 6
 */
#include "attack.h"
#include <sys/socket.h>

int main(void)
{
    static char block[65536];
    size_t target = memory_target(), got = 0;
    int sv[2], count = 0, size = 1 << 26;
    while (got < target && socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sv) == 0) {
        for (int side = 0; side < 2; side++) {
            (void)setsockopt(sv[side], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
            ssize_t n;
            while (got < target && (n = write(sv[side], block, sizeof block)) > 0)
                got += (size_t)n;
        }
        count++;
    }
    if (got < target)
        contained("%s after %d pairs and %zu MiB", errname(errno), count, got / MIB);
    hold_and_boast("socket buffers", got);
}
