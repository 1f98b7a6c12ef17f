// class: simulation; possible: low medium; style: fresh from the compiler, progress to a dashboard
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define N 400
static double p[N][3], v[N][3];

int main(void)
{
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    int s = -1;
    if (getaddrinfo("dash.good.test", "7000", &hint, &a) == 0) {
        s = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(s, a->ai_addr, a->ai_addrlen))
            s = -1;
    }
    srand(3);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = rand() / (double)RAND_MAX;
    time_t end = time(NULL) + 45, last = 0;
    long step = 0;
    for (; time(NULL) < end; step++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double d[3], r = 1e-3;
                for (int k = 0; k < 3; k++) {
                    d[k] = p[j][k] - p[i][k];
                    r += d[k] * d[k];
                }
                for (int k = 0; k < 3; k++)
                    v[i][k] += 1e-7 * d[k] / (r * r);
            }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++)
                p[i][k] += v[i][k];
        if (s >= 0 && time(NULL) - last >= 3) {
            last = time(NULL);
            dprintf(s, "{\"id\": %ld, \"job\": \"nbody\", \"result\": %.6f}\n", step, p[0][0]);
        }
    }
    printf("%ld steps\n", step);
    return 0;
}
