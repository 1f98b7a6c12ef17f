/* class: network
 * what: has a harmless connect() judged - of a unix socket, or to its own loopback - and swaps number and address before the kernel performs it, so that a socket of the host is led elsewhere
 * levels: low
 * timeout: 20
 * outside: host_listener_untouched inside_listener_unreachable slow_door
 */
#include "peers.h"

#define NUMBER 100
static atomic_bool is_over;
static atomic_int hosts; /* a socket that the broker made, in whatever state we could get it to */
static int harmless;
static union peer shared, calm, evil;

/* Harmless descriptor with harmless address for a moment, then the host's socket with the forbidden address. */
static void *swap(void *arg)
{
    (void)arg;
    for (unsigned i = 0; !is_over; i++) {
        memcpy(&shared, &calm, sizeof calm.four);
        dup2(harmless, NUMBER);
        for (volatile unsigned n = 0; n < (i * 37) % 3000; n++)
            ;
        dup2(hosts, NUMBER);
        memcpy(&shared, &evil, sizeof evil.four);
        for (volatile unsigned n = 0; n < (i * 91) % 900; n++)
            ;
    }
    return NULL;
}

/* A socket of the host that is not connected, or as near to it as we get. */
static int fresh_host_socket(int way)
{
    union peer good = allowed_peer(), slow = slow_peer(), nowhere = {.any.sa_family = AF_UNSPEC};
    int s = new_tcp(SOCK_NONBLOCK);
    if (way == 0) { /* one that is connected; swap() may disconnect it */
        if (connect_to(s, &good) < 0 && errno == EINPROGRESS)
            connected(s, 500);
    } else { /* one on its way: shutdown() takes it back to the beginning */
        (void)connect_to(s, &slow);
        shutdown(s, SHUT_RDWR);
        if (way == 2)
            (void)connect_to(s, &nowhere);
    }
    return s;
}

static long tries, changed;

static void attack_for(double length)
{
    double until = seconds(CLOCK_MONOTONIC) + length;
    while (seconds(CLOCK_MONOTONIC) < until) {
        union peer p = {0};
        socklen_t size = sizeof p;
        (void)connect(NUMBER, &shared.any, sizeof shared.four);
        tries++;
        check_peer(hosts, "swapped between the judgement and the call");
        if (tries % 8 == 0 && getpeername(hosts, &p.any, &size) < 0)
            changed++; /* it is no longer connected: half of the way */
        (void)!listen(NUMBER, 1);
    }
}

int main(void)
{
    close(expect_allowed("before"));
    signal(SIGPIPE, SIG_IGN);
    union peer nowhere = {.any.sa_family = AF_UNSPEC};
    for (int way = 0; way < 3; way++)
        for (int kind = 0; kind < 3; kind++) {
            hosts = fresh_host_socket(way);
            harmless = kind == 0 ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : new_tcp(SOCK_NONBLOCK);
            calm = (union peer){.un = {.sun_family = AF_UNIX, .sun_path = "/tmp/" OURS "x"}};
            if (kind == 1)
                calm = peer_at("127.0.0.3", 9); /* its own loopback, where nobody listens */
            if (kind == 2)
                calm = nowhere;
            evil = kind == 2 ? nowhere : forbidden_peer();
            shared = calm;
            is_over = false;
            pthread_t t = restless(swap, NULL);
            attack_for(0.5);
            evil = forbidden_peer();
            attack_for(0.8);
            is_over = true;
            pthread_join(t, NULL);
            check_peer(NUMBER, "left behind by the race");
            close(NUMBER);
            close(harmless);
            close(hosts);
        }
    close(expect_allowed("afterwards"));
    contained("%s no other peer%s", tries > 1000 ? "many tries," : "few tries,", changed ? "" : "; connected ones stayed so");
}
