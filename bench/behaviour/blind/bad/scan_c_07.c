// class: port scan; possible: low medium; style: C, many non-blocking connections at once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    for (int round = 0; round < 12; round++) {
        struct pollfd p[16];
        for (int i = 0; i < 16; i++) {
            struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(3306) };
            char text[32];
            snprintf(text, sizeof text, "45.78.0.%d", 1 + round * 16 + i);
            inet_pton(AF_INET, text, &to.sin_addr);
            p[i].fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
            p[i].events = POLLOUT;
            connect(p[i].fd, (void *)&to, sizeof to);
        }
        poll(p, 16, 300);
        for (int i = 0; i < 16; i++) {
            int e = 0;
            socklen_t n = sizeof e;
            getsockopt(p[i].fd, SOL_SOCKET, SO_ERROR, &e, &n);
            printf("%d %d\n", round * 16 + i, e);
            close(p[i].fd);
        }
    }
    return 0;
}
