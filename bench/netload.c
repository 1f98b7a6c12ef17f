/* netload.c - the network's and the watch's load, from the inside: the same static program runs plainly, in a sandbox
 * and in the peers' namespaces.
 *
 *   netload serve                            on the host: prints the ports «bulk accept echo», serves until it is
 * killed netload bulk up|down ADDR PORT SECONDS   one TCP connection; prints MB/s (10^6) netload connects ADDR PORT
 * COUNT RATE    connect(2), one after the other; RATE a second, 0: at once after another netload own COUNT the same to
 * a listener of one's own on 127.0.0.1: in a sandbox, its own loopback netload pings ADDR PORT COUNT SIZE       UDP
 * there and back netload sockets COUNT RATE               socket(AF_INET), which a sandbox without network refuses
 *   netload probes COUNT RATE                bpf(2), which every sandbox refuses
 *   netload execs COUNT                      vfork, exec of /bin/true, wait
 *   netload files DIR COUNT                  open for writing a file that is not there, write, close, unlink
 *   netload hold ADDR PORT UDP-PORT PROGRAM  connects, sends a datagram, becomes the program (which keeps both)
 *   netload summary FILE                     median, p10, p90, p99, count of the numbers in it
 *
 * What is timed is printed in microseconds, a number a line, at the end: printing is no part of it. The server resets
 * each connection of «accept» once its client has closed, so that nobody is left in TIME_WAIT and a hundred thousand of
 * them do not run out of ports.
 */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "stats.h"

#define PIECE (256 * 1024)

static char piece[PIECE];

static _Noreturn void die(const char *what)
{
    (void)fprintf(stderr, "netload: %s: %s\n", what, strerror(errno));
    exit(1);
}

static struct sockaddr_in address_of(const char *address, unsigned port)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    if (inet_pton(AF_INET, address, &a.sin_addr) != 1)
        die(address);
    return a;
}

/* --- the server ------------------------------------------------------------------------------------- */

static int bound(int type, unsigned *ret_port)
{
    struct sockaddr_in a = address_of("127.0.0.1", 0);
    socklen_t size = sizeof a;
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) < 0 || getsockname(fd, (struct sockaddr *)&a, &size) < 0)
        die("a port on 127.0.0.1");
    if ((type & 0xf) == SOCK_STREAM && listen(fd, 1024) < 0)
        die("listen");
    *ret_port = ntohs(a.sin_port);
    return fd;
}

static void close_with_reset(int fd)
{
    struct linger at_once = { 1, 0 };
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    (void)close(fd);
}

/* One connection after the other; its first byte says which way the bytes go. */
static void serve_bulk(int listener)
{
    for (;;) {
        char way = 0;
        uint64_t total = 0;
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0 || read(fd, &way, 1) != 1)
            way = 0;
        if (way == 'u') {
            for (ssize_t n; (n = read(fd, piece, PIECE)) > 0;)
                total += (uint64_t)n;
            (void)!write(fd, &total, sizeof total); /* a client that is gone does not care */
        } else if (way == 'd') {
            while (send(fd, piece, PIECE, MSG_NOSIGNAL) > 0)
                ;
        }
        if (fd >= 0)
            (void)close(fd);
    }
}

static void accept_all(int listener, int epoll)
{
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) < 0)
            (void)close(fd);
    }
}

static void serve_accept(int listener)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event e = { .events = EPOLLIN, .data.fd = listener }, got[64];
    if (fcntl(listener, F_SETFL, O_NONBLOCK) < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e) < 0)
        die("epoll");
    for (;;) {
        int n = epoll_wait(epoll, got, 64, -1);
        for (int i = 0; i < n; i++)
            if (got[i].data.fd == listener)
                accept_all(listener, epoll);
            else if (read(got[i].data.fd, piece, PIECE) <= 0)
                close_with_reset(got[i].data.fd);
    }
}

static void serve_echo(int fd)
{
    for (;;) {
        struct sockaddr_storage from;
        socklen_t size = sizeof from;
        ssize_t n = recvfrom(fd, piece, PIECE, 0, (struct sockaddr *)&from, &size);
        if (n >= 0)
            (void)sendto(fd, piece, (size_t)n, 0, (struct sockaddr *)&from, size);
    }
}

static pid_t in_child(void (*serve)(int), int fd)
{
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            serve(fd);
        _exit(0);
    }
    return pid;
}

/* Until SIGTERM, or until one of the three ended: then nobody is left, nor left to be reaped by others. */
static void do_serve(void)
{
    unsigned bulk, accepting, echo;
    int got, a = bound(SOCK_STREAM, &bulk), b = bound(SOCK_STREAM, &accepting), c = bound(SOCK_DGRAM, &echo);
    sigset_t ends;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &ends, NULL);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    const pid_t children[] = { in_child(serve_bulk, a), in_child(serve_accept, b), in_child(serve_echo, c) };
    (void)printf("%u %u %u\n", bulk, accepting, echo);
    (void)fflush(stdout);
    (void)sigwait(&ends, &got);
    for (size_t i = 0; i < 3; i++)
        if (children[i] > 0)
            (void)kill(children[i], SIGKILL);
    while (wait(NULL) > 0)
        ;
}

/* --- what is timed ---------------------------------------------------------------------------------- */

static struct samples taken;

static void print_taken(void)
{
    for (size_t i = 0; i < taken.count; i++)
        (void)printf("%.2f\n", taken.us[i]);
    if (fflush(stdout) != 0)
        die("standard output");
}

/* The i-th of a steady series: late ones do not make the others later. */
static void wait_turn(double begin, unsigned long i, double rate)
{
    double wait = rate > 0 ? begin + (double)i * 1e6 / rate - clock_now_us() : 0;
    if (wait > 0)
        pause_us(wait);
}

static int connected(const struct sockaddr_in *a, int type)
{
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)a, sizeof *a) < 0)
        die("connect");
    return fd;
}

static void do_bulk(const char *way, const struct sockaddr_in *a, double seconds)
{
    uint64_t total = 0, theirs = 0;
    int fd = connected(a, SOCK_STREAM);
    if (write(fd, way, 1) != 1)
        die("write");
    double begin = clock_now_us(), until = begin + seconds * 1e6;
    bool is_up = way[0] == 'u';
    while (clock_now_us() < until) {
        ssize_t n = is_up ? write(fd, piece, PIECE) : read(fd, piece, PIECE);
        if (n <= 0)
            die("the connection ended");
        total += (uint64_t)n;
    }
    if (is_up) { /* what is still on its way has not been transferred: the other side says when it has all */
        (void)shutdown(fd, SHUT_WR);
        if (recv(fd, &theirs, sizeof theirs, MSG_WAITALL) != sizeof theirs || theirs != total)
            die("not everything arrived");
    }
    (void)printf("%.1f\n", (double)total / (clock_now_us() - begin));
}

static void do_connects(const struct sockaddr_in *a, unsigned long count, double rate)
{
    double start = clock_now_us();
    for (unsigned long i = 0; i < count; i++) {
        wait_turn(start, i, rate);
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        double begin = clock_now_us();
        if (fd < 0 || connect(fd, (const struct sockaddr *)a, sizeof *a) < 0)
            die("connect");
        samples_add(&taken, clock_now_us() - begin);
        (void)close(fd);
    }
    (void)fprintf(stderr, "%.0f connects a second\n", (double)count * 1e6 / (clock_now_us() - start));
}

static void do_own(unsigned long count)
{
    unsigned port;
    int listener = bound(SOCK_STREAM, &port);
    pid_t server = in_child(serve_accept, listener);
    struct sockaddr_in a = address_of("127.0.0.1", port);
    do_connects(&a, count, 0);
    (void)kill(server, SIGKILL);
}

static void do_pings(const struct sockaddr_in *a, unsigned long count, size_t size)
{
    int fd = connected(a, SOCK_DGRAM);
    unsigned lost = 0;
    if (size < 4 || size > 1472)
        size = 64;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = ~i;
        struct pollfd p = { .fd = fd, .events = POLLIN };
        double begin = clock_now_us();
        memcpy(piece, &i, sizeof i);
        if (send(fd, piece, size, 0) < 0)
            die("send");
        /* an answer that came too late for its own turn is read and thrown away */
        while (number != i && poll(&p, 1, 300) == 1 && recv(fd, piece, size, 0) >= (ssize_t)sizeof number)
            memcpy(&number, piece, sizeof number);
        if (number == i)
            samples_add(&taken, clock_now_us() - begin);
        else if (++lost == 10)
            die("ten datagrams were lost");
    }
    (void)fprintf(stderr, "%u of %lu lost\n", lost, count);
}

static void do_calls(bool is_socket, unsigned long count, double rate)
{
    double start = clock_now_us();
    for (unsigned long i = 0; i < count; i++) {
        wait_turn(start, i, rate);
        double begin = clock_now_us();
        long got = is_socket ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : syscall(SYS_bpf, 0, NULL, 0);
        samples_add(&taken, clock_now_us() - begin);
        if (is_socket && got >= 0)
            (void)close((int)got);
    }
}

static bool run_true(void)
{
    static char *const argv[] = { (char *)"/bin/true", NULL }, *const env[] = { NULL };
    int status = -1;
    pid_t pid = vfork();
    if (pid == 0) {
        (void)execve(argv[0], argv, env);
        _exit(127);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void do_execs(unsigned long count)
{
    for (unsigned long i = 0; i < count; i++) {
        double begin = clock_now_us();
        if (!run_true())
            die("/bin/true");
        samples_add(&taken, clock_now_us() - begin);
    }
}

static void do_files(const char *dir, unsigned long count)
{
    if (chdir(dir) < 0)
        die(dir);
    for (unsigned long i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "file-%lu", i);
        double begin = clock_now_us();
        int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (fd < 0 || write(fd, piece, 1000) != 1000)
            die(name);
        (void)close(fd);
        (void)unlink(name);
        samples_add(&taken, clock_now_us() - begin);
    }
}

static void do_hold(const struct sockaddr_in *tcp, const struct sockaddr_in *udp, char **program)
{
    int a = connected(tcp, SOCK_STREAM), b = connected(udp, SOCK_DGRAM);
    char answer;
    struct pollfd p = { .fd = b, .events = POLLIN };
    if (send(b, "?", 1, 0) != 1 || poll(&p, 1, 1000) != 1 || recv(b, &answer, 1, 0) != 1)
        (void)fprintf(stderr, "netload: no answer over UDP\n"); /* the TCP connection is what matters */
    (void)fcntl(a, F_SETFD, 0);
    (void)fcntl(b, F_SETFD, 0);
    (void)execv(program[0], program);
    die(program[0]);
}

static void do_summary(const char *path)
{
    FILE *f = fopen(path, "r");
    double us;
    while (f && fscanf(f, "%lf", &us) == 1)
        samples_add(&taken, us);
    if (f)
        (void)fclose(f);
    (void)printf("%.2f %.2f %.2f %.2f %zu\n", samples_percentile(&taken, 50), samples_percentile(&taken, 10),
                 samples_percentile(&taken, 90), samples_percentile(&taken, 99), taken.count);
}

static unsigned long number(const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (*end || end == text) {
        (void)fprintf(stderr, "netload: %s is no number\n", text);
        exit(2);
    }
    return n;
}

static bool is_word(int argc, char **argv, const char *word, int words)
{
    return argc >= 2 && strcmp(argv[1], word) == 0 && (words < 0 ? argc - 2 >= -words : argc - 2 == words);
}

int main(int argc, char **argv)
{
    struct sockaddr_in a;
    (void)signal(SIGPIPE, SIG_IGN);
    if (is_word(argc, argv, "serve", 0)) {
        do_serve();
    } else if (is_word(argc, argv, "bulk", 4)) {
        a = address_of(argv[3], (unsigned)number(argv[4]));
        do_bulk(argv[2], &a, strtod(argv[5], NULL));
    } else if (is_word(argc, argv, "connects", 4)) {
        a = address_of(argv[2], (unsigned)number(argv[3]));
        do_connects(&a, number(argv[4]), (double)number(argv[5]));
    } else if (is_word(argc, argv, "own", 1)) {
        do_own(number(argv[2]));
    } else if (is_word(argc, argv, "pings", 4)) {
        a = address_of(argv[2], (unsigned)number(argv[3]));
        do_pings(&a, number(argv[4]), number(argv[5]));
    } else if (is_word(argc, argv, "sockets", 2) || is_word(argc, argv, "probes", 2)) {
        do_calls(argv[1][0] == 's', number(argv[2]), (double)number(argv[3]));
    } else if (is_word(argc, argv, "execs", 1)) {
        do_execs(number(argv[2]));
    } else if (is_word(argc, argv, "files", 2)) {
        do_files(argv[2], number(argv[3]));
    } else if (is_word(argc, argv, "hold", -4)) {
        a = address_of(argv[2], (unsigned)number(argv[3]));
        struct sockaddr_in udp = address_of(argv[2], (unsigned)number(argv[4]));
        do_hold(&a, &udp, argv + 5);
    } else if (is_word(argc, argv, "summary", 1)) {
        do_summary(argv[2]);
    } else {
        (void)fprintf(stderr, "netload: see the first lines of bench/netload.c\n");
        return 2;
    }
    if (strcmp(argv[1], "summary") != 0)
        print_taken();
    return 0;
}
