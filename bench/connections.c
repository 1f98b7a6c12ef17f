/* connections.c - many connections to one launcher, as the threads of the service have them.
 *
 *   connections [--connections N,N,…] [--seconds S]
 *
 * `true` at medium risk, the plan of the command line. «rate»: each connection asks for its next run as soon as the
 * last one has ended. «burst»: all connections ask at the same moment, then rest for 100 ms. Then what the idle
 * launcher keeps: its processes and their memory (PSS; what the kernel holds for namespaces is in no process: the
 * difference of MemAvailable says it, where nobody else is busy). Prints Markdown.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "resident.h"
#include "../bench/stats.h"
#include "base/parse.h"
#include "plan/build.h"
#include "run/policy.h"

#define CONNECTIONS_MAX 512

struct bench {
    struct paths paths;
    struct arena arena;
    struct options options;
    struct compiled policy;
    struct plan plan;
    int fds[RUN_FD_MAX];
    struct client owner;
    struct connection {
        struct client client;
        int events[2]; /* theirs, ours: what is watched is told, and somebody has to listen */
        double sent_us;
    } connections[CONNECTIONS_MAX];
    double seconds;
};

static _Noreturn void die(const struct error *err)
{
    (void)fprintf(stderr, "connections: %s%s%s\n", err->step, err->step[0] ? ": " : "", err->text);
    exit(1);
}

/* --- runs ---------------------------------------------------------------------------------------------- */

static void ask(struct bench *b, struct connection *connection)
{
    struct error err = { 0 };
    connection->sent_us = clock_now_us();
    b->fds[RUN_FD_EVENTS] = connection->events[0];
    if (client_run(&connection->client, 1, &b->plan.shape, &b->plan.job, b->fds, &err) < 0)
        die(&err);
}

static void take(struct connection *connection, struct samples *s)
{
    struct error err = { 0 };
    struct outcome o;
    if (client_read(&connection->client, &o, &err) < 0)
        die(&err);
    if (o.reason != REASON_COMPLETED) {
        (void)fprintf(stderr, "connections: %s: %s\n", reason_name((enum run_reason)o.reason),
                      o.error_text ? o.error_text : "");
        exit(1);
    }
    strlist_done(&o.missing);
    samples_add(s, clock_now_us() - connection->sent_us);
    for (char event[4096]; recv(connection->events[1], event, sizeof event, MSG_DONTWAIT) > 0;)
        ;
}

/* Until all have their answer; who has may ask again while `again_until_us` is not over. */
static void collect(struct bench *b, unsigned count, double again_until_us, struct samples *s)
{
    static struct pollfd f[CONNECTIONS_MAX];
    unsigned waiting = count;
    for (unsigned i = 0; i < count; i++)
        f[i] = (struct pollfd){ .fd = b->connections[i].client.sock, .events = POLLIN };
    while (waiting) {
        if (poll(f, count, -1) < 0)
            abort();
        for (unsigned i = 0; i < count; i++) {
            if (!f[i].revents)
                continue;
            take(&b->connections[i], s);
            if (clock_now_us() < again_until_us) {
                ask(b, &b->connections[i]);
            } else {
                f[i].fd = -1;
                waiting--;
            }
        }
    }
}

static void measure_rate(struct bench *b, unsigned count, struct samples *s)
{
    double until = clock_now_us() + b->seconds * 1e6;
    for (unsigned i = 0; i < count; i++)
        ask(b, &b->connections[i]);
    collect(b, count, until, s);
}

static void measure_bursts(struct bench *b, unsigned count, struct samples *s)
{
    double until = clock_now_us() + b->seconds * 1e6;
    while (clock_now_us() < until) {
        pause_us(100e3);
        for (unsigned i = 0; i < count; i++)
            ask(b, &b->connections[i]);
        collect(b, count, 0, s);
    }
}

/* --- what is kept ---------------------------------------------------------------------------------------- */

static long number_in(const char *path, const char *key)
{
    char text[8192];
    uint64_t v = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[MAX_OF(n, 0)] = '\0';
    if (fd >= 0)
        (void)close(fd);
    char *at = strstr(text, key);
    if (!at)
        return 0;
    at += strlen(key);
    at += strspn(at, " \t");
    at[strspn(at, "0123456789")] = '\0';
    return parse_u64(at, &v) == 0 ? (long)v : 0;
}

static bool is_below(pid_t pid, pid_t ancestor)
{
    char path[64];
    for (int level = 0; level < 4 && pid > 1; level++) {
        if (pid == ancestor)
            return true;
        (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
        pid = (pid_t)number_in(path, "\nPPid:");
    }
    return false;
}

static void look(pid_t launcher, unsigned *ret_processes, long *ret_kib)
{
    DIR *d = opendir("/proc");
    *ret_processes = 0;
    *ret_kib = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[300];
        uint64_t pid;
        if (parse_u64(e->d_name, &pid) < 0 || !is_below((pid_t)pid, launcher))
            continue;
        (void)snprintf(path, sizeof path, "/proc/%s/smaps_rollup", e->d_name);
        *ret_kib += number_in(path, "\nPss:");
        ++*ret_processes;
    }
    if (d)
        (void)closedir(d);
}

/* --- main -------------------------------------------------------------------------------------------------- */

static void open_connections(struct bench *b, unsigned count)
{
    struct error err = { 0 };
    resident_start(&b->owner, b->paths.libexec);
    for (unsigned i = 0; i < count; i++)
        if (client_connection(&b->owner, &b->connections[i].client, &err) < 0)
            die(&err);
        else if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, b->connections[i].events) < 0)
            abort();
}

static void close_connections(struct bench *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        client_stop(&b->connections[i].client);
        (void)close(b->connections[i].events[0]);
        (void)close(b->connections[i].events[1]);
    }
    client_stop(&b->owner);
    while (waitpid(b->owner.pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void measure(struct bench *b, unsigned count, bool may_reuse)
{
    struct samples rate = { 0 }, burst = { 0 }, warm = { 0 };
    unsigned processes;
    long kib, before_kib = number_in("/proc/meminfo", "MemAvailable:");
    b->plan.job.may_reuse = may_reuse;
    open_connections(b, count);
    for (unsigned i = 0; i < count; i++)
        ask(b, &b->connections[i]);
    collect(b, count, 0, &warm);
    measure_rate(b, count, &rate);
    measure_bursts(b, count, &burst);
    pause_us(500e3);
    look(b->owner.pid, &processes, &kib);
    long available_kib = number_in("/proc/meminfo", "MemAvailable:");
    (void)printf("| %u | %s | %.0f | %.1f (%.1f) | %.1f (%.1f) | %u | %ld | %ld |\n", count,
                 may_reuse ? "slot" : "fresh", (double)rate.count / b->seconds, samples_percentile(&rate, 50) / 1e3,
                 samples_percentile(&rate, 95) / 1e3, samples_percentile(&burst, 50) / 1e3,
                 samples_percentile(&burst, 95) / 1e3, processes, kib, before_kib - available_kib);
    (void)fflush(stdout);
    close_connections(b, count);
    samples_done(&rate);
    samples_done(&burst);
    samples_done(&warm);
}

static void prepare(struct bench *b)
{
    struct run_request request = { .language = LANG_COMMAND };
    struct error err = { 0 };
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    b->options.has_level = true;
    b->options.risk_level = RISK_MEDIUM;
    if (paths_find(&b->arena, &b->paths) < 0 || null < 0 || strlist_add(&request.command, "/bin/true") < 0)
        exit(1);
    if (policy_load(&b->options, &b->paths, NULL, NULL, LANG_COMMAND, &b->policy, &err) < 0 ||
        plan_build(&b->policy, &request, "exec-bench", 0, &b->arena, &b->plan, &err) < 0)
        die(&err);
    b->plan.job.workspace = NULL; /* nobody here looks at what is left in it */
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        b->fds[i] = -1;
    b->fds[RUN_FD_STDIN] = b->fds[RUN_FD_STDOUT] = b->fds[RUN_FD_STDERR] = null;
    b->fds[RUN_FD_CODE] = memfd_create("code", MFD_CLOEXEC);
}

int main(int argc, char **argv)
{
    static struct bench b = { .seconds = 2 };
    char counts[64] = "1,8,64", *rest = counts;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t v;
        if (str_eq(argv[i], "--connections"))
            (void)snprintf(counts, sizeof counts, "%s", argv[i + 1]);
        else if (str_eq(argv[i], "--seconds") && parse_u64(argv[i + 1], &v) == 0)
            b.seconds = (double)v;
    }
    prepare(&b);
    (void)printf(
        "| connections | variant | runs a second | ms each: median (p95) | burst, ms: median (p95) | processes kept "
        "| KiB | MemAvailable - KiB |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        uint64_t count;
        if (parse_u64(word, &count) < 0 || count == 0 || count > CONNECTIONS_MAX)
            return 2;
        for (int reuse = 0; reuse < 2; reuse++)
            measure(&b, (unsigned)count, reuse);
    }
    plan_done(&b.plan);
    compiled_done(&b.policy);
    arena_done(&b.arena);
    return 0;
}
