/* class: network
 * what: takes a TCP port of the host: binds a socket that the broker made and whose connection is over, put in the place of the one that was judged, with a rewritten address
 * levels: low
 * outside: host_listener_untouched slow_door
 */
#include "peers.h"

static int the_hosts = -1, own_tcp = -1, own_unix = -1, number = -1;
static union peer shared;
static atomic_bool is_over;

/* A socket of the host that is bound to nothing: one whose connection was broken off. */
static int unbound_of_the_host(void)
{
    union peer slow = slow_peer();
    int s = new_tcp(SOCK_NONBLOCK);
    (void)connect_to(s, &slow);
    (void)shutdown(s, SHUT_RDWR);
    return s;
}

static void *exchange(void *arg)
{
    (void)arg;
    while (!is_over) {
        (void)dup2(own_unix, number);
        (void)dup2(the_hosts, number);
        (void)dup2(own_tcp, number);
        (void)dup2(the_hosts, number);
    }
    return NULL;
}

static void *rewrite(void *arg)
{
    union peer path = { .un = { .sun_family = AF_UNIX, .sun_path = "/tmp/attack-bind" } }, any = peer_at("0.0.0.0", 0);
    (void)arg;
    while (!is_over) {
        shared = path;
        shared = any;
    }
    return NULL;
}

/* That of the connection that is over stays in its memory; another is a new one. */
static unsigned port(void)
{
    union peer name = { 0 };
    socklen_t size = sizeof name;
    return getsockname(the_hosts, &name.any, &size) == 0 ? ntohs(name.four.sin_port) : 0;
}

static void check(const char *how)
{
    static unsigned before;
    unsigned now = port();
    if (before && now != before)
        escaped("a socket of the host is bound to port %u: %s", now, how);
    before = now;
}

int main(void)
{
    close(expect_allowed("before"));
    the_hosts = unbound_of_the_host();
    own_tcp = new_tcp(0);
    own_unix = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    number = dup(own_tcp);
    check("before");
    union peer any = peer_at("0.0.0.0", 0);
    refused("bind of a socket of the host", bind(the_hosts, &any.any, sizeof any.four) ? errno : 0);
    check("plainly");
    pthread_t one = restless(exchange, NULL), two = restless(rewrite, NULL);
    for (double until = seconds(CLOCK_MONOTONIC) + 4; seconds(CLOCK_MONOTONIC) < until;) {
        (void)bind(number, &shared.any, sizeof shared.four);
        (void)bind(number, &shared.any, sizeof shared.un);
        (void)listen(number, 1);
        check("by a race");
        (void)unlink("/tmp/attack-bind");
        close(own_tcp);
        own_tcp = new_tcp(0);
    }
    is_over = true;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    close(expect_allowed("afterwards"));
    verdict();
}
