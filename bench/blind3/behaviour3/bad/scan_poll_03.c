// class: port scan; possible: low medium; style: C, non-blocking connects and poll
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int ports[] = {22, 80, 443, 3306, 6379, 8080};
    for (unsigned p = 0; p < sizeof ports / sizeof *ports; p++)
        for (int base = 1; base < 129; base += 32) {
            struct pollfd wait[32];
            for (int i = 0; i < 32; i++) {
                char ip[32];
                struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(ports[p])};
                snprintf(ip, sizeof ip, "45.78.0.%d", base + i);
                inet_pton(AF_INET, ip, &to.sin_addr);
                wait[i].fd = socket(AF_INET, SOCK_STREAM, 0);
                wait[i].events = POLLOUT;
                fcntl(wait[i].fd, F_SETFL, O_NONBLOCK);
                connect(wait[i].fd, (struct sockaddr *)&to, sizeof to);
            }
            usleep(800000);
            poll(wait, 32, 200);
            for (int i = 0; i < 32; i++) {
                int e = 1;
                socklen_t l = sizeof e;
                if (wait[i].revents & POLLOUT && !getsockopt(wait[i].fd, SOL_SOCKET, SO_ERROR, &e, &l) && !e)
                    printf("45.78.0.%d:%d\n", base + i, ports[p]);
                close(wait[i].fd);
            }
        }
    return 0;
}
