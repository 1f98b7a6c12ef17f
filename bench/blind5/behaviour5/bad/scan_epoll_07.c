// class: port scan; possible: low medium
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    for (int h = 1; h <= 60; h += 6) {
        struct pollfd p[6];
        for (int k = 0; k < 6; k++) {
            char t[32]; snprintf(t, sizeof t, "45.78.0.%d", h + k);
            struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(445)};
            inet_pton(AF_INET, t, &a.sin_addr);
            p[k].fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0); p[k].events = POLLOUT;
            connect(p[k].fd, (struct sockaddr *)&a, sizeof a);
        }
        poll(p, 6, 300);
        for (int k = 0; k < 6; k++) close(p[k].fd);
    }
}
