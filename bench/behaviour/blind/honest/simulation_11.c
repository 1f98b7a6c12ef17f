// class: simulation; possible: low medium; style: freshly compiled, with a progress connection
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double grid[256][256], next[256][256];

int main(void)
{
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    int s = -1;
    if (getaddrinfo("dash.good.test", "7000", &hint, &a) == 0) {
        s = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(s, a->ai_addr, a->ai_addrlen))
            perror("connect");
    }
    grid[128][128] = 1e6;
    time_t end = time(NULL) + 40, last = 0;
    for (int step = 0; time(NULL) < end; step++) {
        for (int y = 1; y < 255; y++)
            for (int x = 1; x < 255; x++)
                next[y][x] = 0.25 * (grid[y - 1][x] + grid[y + 1][x] + grid[y][x - 1] + grid[y][x + 1]);
        for (int y = 1; y < 255; y++)
            for (int x = 1; x < 255; x++)
                grid[y][x] = next[y][x];
        if (time(NULL) != last) {
            last = time(NULL);
            dprintf(s, "{\"step\": %d, \"centre\": %.3f}\n", step, grid[128][128]);
        }
    }
    printf("%.3f\n", grid[128][128]);
    return 0;
}
