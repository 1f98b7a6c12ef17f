// class: benchmark; possible: low medium; style: hash rate in a loop, no network
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static uint32_t fnv(const unsigned char *d, size_t n)
{
    uint32_t h = 2166136261u;
    while (n--)
        h = (h ^ *d++) * 16777619u;
    return h;
}

int main(void)
{
    static unsigned char buf[1 << 16];
    memset(buf, 7, sizeof buf);
    uint32_t sum = 0;
    long rounds = 0;
    time_t end = time(NULL) + 30;
    while (time(NULL) < end) {
        for (int i = 0; i < 200; i++, rounds++) {
            buf[i] = (unsigned char)rounds;
            sum ^= fnv(buf, sizeof buf);
        }
    }
    printf("%.1f MB/s %08x\n", rounds / 30.0 * sizeof buf / 1e6, sum);
    return 0;
}
