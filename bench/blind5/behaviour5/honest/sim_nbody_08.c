// class: simulation; possible: low medium
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double pi_part[2];
static void *throw_darts(void *arg)
{
    unsigned seed = (unsigned)(long)arg + 1; long in = 0, n = 0; time_t t = time(0);
    while (time(0) - t < 38) for (int i = 0; i < 100000; i++, n++) { double x = rand_r(&seed) / (double)RAND_MAX, y = rand_r(&seed) / (double)RAND_MAX; in += x * x + y * y < 1; }
    pi_part[(long)arg] = 4.0 * in / n; return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, throw_darts, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    printf("%.4f\n", (pi_part[0] + pi_part[1]) / 2);
    return 0;
}
