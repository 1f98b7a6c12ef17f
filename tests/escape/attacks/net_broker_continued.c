/* class: network
 * what: has a harmless connect() or listen() judged - of a unix socket, or on its own loopback - and swaps number and address before the kernel performs it, so that a socket of the host is led elsewhere; by a thread, and by a process that shares the descriptors
 * levels: low
 * timeout: 25
 * outside: host_listener_untouched inside_listener_unreachable slow_door
 */
#include "peers.h"

#define NUMBER 100

/* in memory that processes share, too */
static struct arena {
    union peer to, calm, evil;
    atomic_bool is_over;
    atomic_uint swaps;
} * arena;
static int hosts, harmless; /* a socket that the broker made, in whatever state we could get it to; one of our own */

/* Harmless descriptor with harmless address for a moment, then the host's socket with the forbidden address. */
static void *swap(void *arg)
{
    (void)arg;
    for (unsigned i = 0; !arena->is_over; i++) {
        memcpy(&arena->to, &arena->calm, sizeof arena->calm.four);
        dup2(harmless, NUMBER);
        for (volatile unsigned n = 0; n < (i * 37) % 3000; n++)
            ;
        dup2(hosts, NUMBER);
        memcpy(&arena->to, &arena->evil, sizeof arena->evil.four);
        for (volatile unsigned n = 0; n < (i * 91) % 900; n++)
            ;
        arena->swaps++;
    }
    return NULL;
}

/* A socket of the host that is not connected, or as near to it as we get. */
static int fresh_host_socket(int way)
{
    union peer good = allowed_peer(), slow = slow_peer(), nowhere = { .any.sa_family = AF_UNSPEC };
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

/* Only of a socket that was the host's: our own may listen as it likes. */
static void check_listening(const char *how)
{
    int listens = 0;
    socklen_t size = sizeof listens;
    if (getsockopt(hosts, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens)
        escaped("a socket of the host listens, after %u swaps: %s", arena->swaps, how);
}

static void attack_for(double length, const char *how)
{
    double until = seconds(CLOCK_MONOTONIC) + length;
    while (seconds(CLOCK_MONOTONIC) < until) {
        (void)connect(NUMBER, &arena->to.any, sizeof arena->to.four);
        check_peer(hosts, how);
        (void)!listen(NUMBER, 1);
        check_listening(how);
    }
}

static int harmless_socket(int kind)
{
    if (kind > 0)
        return new_tcp(SOCK_NONBLOCK);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); /* one that may listen, too */
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    snprintf(a.sun_path + 1, sizeof a.sun_path - 1, OURS "%d-%p", (int)getpid(), (void *)&s);
    (void)!bind(s, (struct sockaddr *)&a, sizeof a);
    return s;
}

static void round_of(int way, int kind, bool by_process)
{
    static const char *const addresses[] = { "/tmp/" OURS "x", "127.0.0.3", "" };
    union peer nowhere = { .any.sa_family = AF_UNSPEC };
    const char *how = by_process ? "swapped by a process between judgement and call"
                                 : "swapped by a thread between judgement and call";
    hosts = fresh_host_socket(way);
    harmless = harmless_socket(kind);
    arena->calm = kind == 1   ? peer_at(addresses[1], 9)
                  : kind == 2 ? nowhere
                              : (union peer){ .un = { .sun_family = AF_UNIX, .sun_path = "/tmp/" OURS "x" } };
    arena->evil = nowhere; /* first disconnected, then led elsewhere */
    arena->to = arena->calm;
    arena->is_over = false;
    pthread_t t = 0;
    pid_t pid = by_process ? (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0) : 0;
    if (by_process && pid == 0) {
        swap(NULL);
        _exit(0);
    }
    if (!by_process)
        t = restless(swap, NULL);
    attack_for(0.4, how);
    arena->evil = forbidden_peer();
    attack_for(0.5, how);
    arena->is_over = true;
    if (by_process && pid > 0)
        waitpid(pid, NULL, 0);
    else if (!by_process)
        pthread_join(t, NULL);
    check_peer(NUMBER, "left behind by the race");
    close(NUMBER);
    close(harmless);
    close(hosts);
}

int main(void)
{
    close(expect_allowed("before"));
    signal(SIGPIPE, SIG_IGN);
    arena = mmap(NULL, sizeof *arena, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int way = 0; way < 3; way++)
        for (int kind = 0; kind < (way ? 1 : 3); kind++) {
            round_of(way, kind, true);
            round_of(way, kind, false);
        }
    close(expect_allowed("afterwards"));
    contained("%s swaps, and no other peer", arena->swaps > 10000 ? "many" : "few");
}
