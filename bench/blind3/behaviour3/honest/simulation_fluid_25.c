// class: simulation; possible: low medium; style: C, lattice steps, progress over a connection that stays
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { N = 384 };
static double a[N][N], b[N][N];

static int dial(void)
{
    struct addrinfo h = {.ai_socktype = SOCK_STREAM}, *r;
    if (getaddrinfo("dash.good.test", "80", &h, &r))
        return -1;
    int fd = socket(r->ai_family, SOCK_STREAM, 0);
    return connect(fd, r->ai_addr, r->ai_addrlen) ? -1 : fd;
}

int main(void)
{
    int fd = dial();
    char body[128];
    a[N / 2][N / 2] = 1e6;
    time_t end = time(NULL) + 40, told = 0;
    long steps = 0;
    while (time(NULL) < end) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = a[i][j] + 0.2 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
        memcpy(a, b, sizeof a);
        steps++;
        if (time(NULL) - told >= 5) {
            told = time(NULL);
            int n = snprintf(body, sizeof body, "{\"step\":%ld,\"peak\":%.3f}", steps, a[N / 2][N / 2]);
            if (fd >= 0)
                dprintf(fd, "POST /api/metrics HTTP/1.1\r\nHost: dash.good.test\r\nContent-Length: %d\r\n\r\n%s", n, body);
        }
    }
    printf("%ld steps, fd %d\n", steps, fd);
    return 0;
}
