/* class: network
 * what: reaches the host's servers by their sockets in a read-only volume: by name, link, working directory, with
 * datagrams, and while another thread exchanges the path, the address and the socket
 * outside: host_listener_untouched
 */
#include "attack.h"
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#define ROUNDS 1500

static const char *own, *target, *flip_a, *flip_b;
static struct sockaddr_un shared;
static volatile int shared_fd = -1;

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
    return a;
}

static void connect_to(const char *what, const char *path, int kind)
{
    struct sockaddr_un a = address_of(path);
    int s = socket(AF_UNIX, kind, 0);
    if (s < 0) {
        refused(what, errno);
        return;
    }
    worked(what, connect(s, (struct sockaddr *)&a, sizeof a));
    close(s);
}

static void send_to(const char *what, int s)
{
    if (s < 0) {
        refused(what, errno);
        return;
    }
    char name[150];
    snprintf(name, sizeof name, "%s-dgram", target);
    struct sockaddr_un a = address_of(name);
    struct iovec one = { "x", 1 };
    struct mmsghdr m = { .msg_hdr = { .msg_name = &a, .msg_namelen = sizeof a, .msg_iov = &one, .msg_iovlen = 1 } };
    worked(what, sendto(s, "x", 1, 0, (struct sockaddr *)&a, sizeof a));
    worked(what, sendmsg(s, &m.msg_hdr, 0));
    worked(what, sendmmsg(s, &m, 1, 0));
    close(s);
}

/* --- races: what connects may be our own server, and the host's listener says whether it was -------------- */

static void *flip_path(void *unused)
{
    for (;;)
        syscall(SYS_renameat2, AT_FDCWD, flip_a, AT_FDCWD, flip_b, 2 /* RENAME_EXCHANGE */);
    return unused;
}

static void *flip_address(void *unused)
{
    struct sockaddr_un a = address_of(own), b = address_of(target);
    for (;;) {
        memcpy(&shared, &a, sizeof a);
        memcpy(&shared, &b, sizeof b);
        shared.sun_family = AF_INET; /* and now and then something else altogether */
    }
    return unused;
}

static void *flip_socket(void *unused)
{
    int stream = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    for (;;) {
        dup2(other < 0 ? 0 : other, shared_fd);
        dup2(stream, shared_fd);
        close(stream);
        stream = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    }
    return unused;
}

static void *serve(void *listener)
{
    for (;;) {
        int s = accept(*(int *)listener, NULL, NULL);
        if (s >= 0)
            close(s);
    }
    return NULL;
}

static void race(void *(*fn)(void *), const struct sockaddr_un *to, int fixed_fd)
{
    pthread_t t;
    if (pthread_create(&t, NULL, fn, NULL) != 0)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        int s = fixed_fd >= 0 ? fixed_fd : socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        (void)!connect(s, (const struct sockaddr *)to, sizeof *to);
        if (fixed_fd < 0)
            close(s);
    }
    pthread_cancel(t);
}

int main(void)
{
    static char path[120];
    snprintf(path, sizeof path, "/attack/service.sock");
    target = is_inside() ? path : param("host_volume_socket", path);
    connect_to("stream", target, SOCK_STREAM);
    char name[150];
    snprintf(name, sizeof name, "%s-dgram", target);
    connect_to("dgram", name, SOCK_DGRAM);
    connect_to("raw", name, SOCK_RAW);
    snprintf(name, sizeof name, "%s-seqpacket", target);
    connect_to("seqpacket", name, SOCK_SEQPACKET);
    send_to("named dgram", socket(AF_UNIX, SOCK_DGRAM, 0));
    int pair[2] = { -1, -1 };
    (void)!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    send_to("named dgram of a pair", pair[0]);
    if (chdir("/attack") == 0) {
        connect_to("relative", "service.sock", SOCK_STREAM);
        connect_to("by /proc", "/proc/self/cwd/service.sock", SOCK_STREAM);
    }
    const char *dir = scratch_dir();
    if (!dir)
        verdict();
    own = strdup(scratch_path(dir, "own"));
    flip_a = strdup(scratch_path(dir, "a")), flip_b = strdup(scratch_path(dir, "b"));
    if (link(target, flip_a) == 0)
        connect_to("hard link", flip_a, SOCK_STREAM);
    unlink(flip_a);
    if (symlink(target, flip_a) == 0)
        connect_to("link", flip_a, SOCK_STREAM);
    struct sockaddr_un mine = address_of(own), changing = address_of(flip_a);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pthread_t server;
    if (bind(listener, (struct sockaddr *)&mine, sizeof mine) < 0 || listen(listener, 64) < 0 ||
        pthread_create(&server, NULL, serve, &listener) != 0)
        verdict();
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&mine, sizeof mine) < 0) {
        printf("NOTHING WORKS: own server: %s\n", errname(errno));
        return 1;
    }
    close(s);
    (void)!symlink(own, flip_b);
    race(flip_path, &changing, -1);
    race(flip_address, &shared, -1);
    shared_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un host = address_of(target);
    race(flip_socket, &host, shared_fd);
    unlink(flip_a), unlink(flip_b), unlink(own);
    verdict();
}
