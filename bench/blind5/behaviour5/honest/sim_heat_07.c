// class: simulation; possible: low medium
/* heat in a plate, with a line of progress to a dashboard now and then */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#define N 600
static double a[N][N], b[N][N];
int main(void)
{
    struct addrinfo *ai;
    if (getaddrinfo("dash.good.test", "7000", 0, &ai)) return 1;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, ai->ai_addr, ai->ai_addrlen)) return 2;
    for (int i = 0; i < N; i++) a[i][0] = 100;
    time_t t0 = time(0), last = t0;
    for (long step = 0; time(0) - t0 < 40; step++) {
        double change = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) { b[i][j] = .25 * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]); change += b[i][j] - a[i][j]; }
        memcpy(a, b, sizeof a); for (int i = 0; i < N; i++) a[i][0] = 100;
        if (time(0) - last >= 3) { last = time(0); dprintf(s, "{\"step\": %ld, \"change\": %g}\n", step, change); }
    }
    return 0;
}
