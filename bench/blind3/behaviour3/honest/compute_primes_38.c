// class: computation; possible: low medium; style: C, four processes, segments, all cores for half a minute
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long count(long from, long to)
{
    char *sieve = calloc(to - from, 1);
    for (long p = 2; p * p < to; p++) {
        long m = (from + p - 1) / p * p;
        for (m = m < p * p ? p * p : m; m < to; m += p)
            sieve[m - from] = 1;
    }
    long n = 0;
    for (long i = 0; i < to - from; i++)
        n += !sieve[i];
    free(sieve);
    return n;
}

int main(void)
{
    int ends[2];
    if (pipe(ends))
        return 1;
    for (int k = 0; k < 4; k++)
        if (!fork()) {
            long sum = 0;
            time_t end = time(NULL) + 25;
            for (long s = k; time(NULL) < end; s += 4)
                sum += count(2 + s * 1000000, 2 + (s + 1) * 1000000);
            dprintf(ends[1], "%d %ld\n", k, sum);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    close(ends[1]);
    char b[512];
    ssize_t n = read(ends[0], b, sizeof b);
    return n > 0 && write(1, b, n) == n ? 0 : 1;
}
