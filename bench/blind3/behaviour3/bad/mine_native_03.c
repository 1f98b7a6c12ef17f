// class: mining; possible: low medium; style: C, keccak-like permutation, RPC, no threads but forks
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t rotl(uint64_t x, int n) { return x << n | x >> (64 - n); }

static uint64_t grind(uint64_t nonce)
{
    uint64_t s[8];
    for (int i = 0; i < 8; i++)
        s[i] = nonce * 0x9E3779B97F4A7C15ull + i;
    for (int r = 0; r < 24; r++)
        for (int i = 0; i < 8; i++)
            s[i] = rotl(s[i] ^ (~s[(i + 1) & 7] & s[(i + 2) & 7]), r + i + 1);
    return s[0];
}

static int dial(const char *host, const char *port)
{
    struct addrinfo hint = {.ai_socktype = SOCK_STREAM}, *a;
    if (getaddrinfo(host, port, &hint, &a))
        return -1;
    int fd = socket(a->ai_family, a->ai_socktype, 0);
    return connect(fd, a->ai_addr, a->ai_addrlen) ? -1 : fd;
}

int main(void)
{
    char line[4096];
    int fd = dial("pool.coin.test", "3334");
    if (fd < 0)
        return 1;
    dprintf(fd, "{\"id\":1,\"method\":\"login\",\"params\":{\"login\":\"48edfHu7V9Z84YzzMa6fUueoELZ9ZRXq9VetWzYGzKt52XU5x\","
                "\"pass\":\"w1\",\"agent\":\"xmrig/6.20\"}}\n");
    if (read(fd, line, sizeof line - 1) <= 0)
        return 1;
    time_t end = time(NULL) + 45;
    for (int k = 0; k < 2; k++)
        if (!fork()) {
            uint64_t n = (uint64_t)k << 40;
            volatile uint64_t out = 0;
            while (time(NULL) < end)
                for (int i = 0; i < 100000; i++)
                    out ^= grind(n++);
            _exit(0);
        }
    while (time(NULL) < end) {
        sleep(7);
        if (dprintf(fd, "{\"id\":2,\"method\":\"submit\",\"params\":{\"id\":\"1\",\"job_id\":\"1\",\"nonce\":\"%08x\",\"result\":\"%064d\"}}\n",
                    (unsigned)rand(), 0) < 0)
            break;
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}
