// class: mining; possible: low medium; style: C, two threads, Stratum
#include <netdb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int s;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t mix(uint64_t x)
{
    for (int i = 0; i < 64; i++) {
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdULL;
        x ^= x >> 29;
        x *= 0xc4ceb9fe1a85ec53ULL;
    }
    return x;
}

static void *work(void *arg)
{
    uint64_t nonce = (uintptr_t)arg;
    time_t end = time(NULL) + 45;
    while (time(NULL) < end) {
        for (int i = 0; i < 100000; i++, nonce += 2)
            if ((mix(nonce) & 0xffffff) == 0) {
                char line[256];
                int n = snprintf(line, sizeof line, "{\"id\":4,\"method\":\"mining.submit\",\"params\":[\"w.1\",\"j1\",\"00000001\",\"5e9a1b2c\",\"%08x\"]}\n", (unsigned)nonce);
                pthread_mutex_lock(&lock);
                if (write(s, line, n) < 0)
                    n = 0;
                pthread_mutex_unlock(&lock);
            }
    }
    return NULL;
}

int main(void)
{
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    if (getaddrinfo("pool.coin.test", "3333", &hint, &a))
        return 1;
    s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, a->ai_addr, a->ai_addrlen))
        return 2;
    dprintf(s, "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n");
    dprintf(s, "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"w.1\",\"x\"]}\n");
    char buf[4096];
    if (read(s, buf, sizeof buf) <= 0)
        return 3;
    pthread_t t[2];
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
