/* what: a miner in C under an innocent name, with a thread for each core
 * server: pool */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t found;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *hash(void *seed)
{
    uint64_t h = (uint64_t)(uintptr_t)seed | 1;
    for (double until = now() + (getenv("BUSY") ? atof(getenv("BUSY")) : 40); now() < until;)
        for (int i = 0; i < 1000000; i++)
            h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
    found ^= h;
    return NULL;
}

int main(void)
{
    char *server = getenv("SERVER"), *colon = server ? strchr(server, ':') : NULL, answer[512];
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons(colon ? (uint16_t)atoi(colon + 1) : 0) };
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&a, sizeof a) < 0)
        return perror("connect"), 1;
    dprintf(1, "begun\n");
    dprintf(s, "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"report/1.0\"]}\n");
    if (read(s, answer, sizeof answer) <= 0)
        return perror("read"), 1;
    pthread_t threads[64];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < cores && i < 64; i++)
        pthread_create(&threads[i], NULL, hash, (void *)(i + 1));
    for (long i = 0; i < cores && i < 64; i++)
        pthread_join(threads[i], NULL);
    dprintf(1, "done\n");
}
