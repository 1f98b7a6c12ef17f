/* class: network
 * what: threads rewrite address, port and family while connect() is judged, between the allowed peer and the forbidden one
 * levels: low
 * outside: host_listener_untouched
 */
#include "peers.h"

static union peer shared;
static atomic_bool is_over;

static void *rewrite(void *arg)
{
    long way = (long)arg;
    union peer good = allowed_peer(), bad = forbidden_peer();
    while (!is_over) {
        if (way == 0) {
            *(volatile in_port_t *)&shared.four.sin_port = good.four.sin_port;
            *(volatile in_port_t *)&shared.four.sin_port = bad.four.sin_port;
        } else if (way == 1) {
            memcpy(&shared.four, &bad.four, sizeof bad.four);
            memcpy(&shared.four, &good.four, sizeof good.four);
        } else {
            *(volatile sa_family_t *)&shared.four.sin_family = AF_UNIX;
            *(volatile sa_family_t *)&shared.four.sin_family = AF_UNSPEC;
            *(volatile sa_family_t *)&shared.four.sin_family = AF_INET;
        }
    }
    return NULL;
}

static void *connect_on(void *arg)
{
    double until = seconds(CLOCK_MONOTONIC) + 2;
    long count = 0, good = 0;
    while (seconds(CLOCK_MONOTONIC) < until) {
        int flags = count++ % 3 ? 0 : SOCK_NONBLOCK, s = new_tcp(flags);
        int r = connect(s, &shared.any, sizeof shared.four);
        if (r < 0 && errno == EINPROGRESS)
            r = connected(s, 200);
        check_peer(s, "by a rewritten address");
        good += r == 0;
        close(s);
    }
    *(long *)arg += good;
    return NULL;
}

int main(void)
{
    close(expect_allowed("before"));
    long good[2] = { 0 };
    for (long way = 0; way < 3; way++) {
        is_over = false;
        shared = allowed_peer();
        pthread_t rewriter = restless(rewrite, (void *)way), second = restless(connect_on, &good[1]);
        connect_on(&good[0]);
        pthread_join(second, NULL);
        is_over = true;
        pthread_join(rewriter, NULL);
    }
    close(expect_allowed("afterwards"));
    contained("%s the allowed peer and nobody else", good[0] + good[1] ? "reached" : "did not even reach");
}
