/* driver.c - what a sandbox costs inside a launcher that is already running.
 *
 *   driver [--runs N] [--seconds S] [--live N,N,…] [--python]
 *
 * Builds the plan for the program at medium risk exactly as the command line does (policy_load, plan_build), speaks to
 * build/libexec/sandbox-agent/sandbox-launcher as the service will, and takes turns with a plain vfork + exec of the
 * same program, so that ratios are of one process and one minute. «fresh» is a sandbox of its own (job.may_reuse
 * false), «slot» a prepared one. Lives in build/bench/, beside which it finds bin, libexec and share. Prints Markdown.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "resident.h"
#include "../bench/stats.h"
#include "base/parse.h"
#include "run/client.h"
#include "run/policy.h"
#include "plan/build.h"

enum { PLAIN, FRESH, SLOT, VARIANTS };
static const char *const variant_names[VARIANTS] = { "plain", "fresh", "slot" };

struct bench {
    struct paths paths;
    struct arena arena;
    struct options options;
    struct compiled policy;
    struct client client;
    int fds[RUN_FD_MAX], events; /* what is watched is told, and somebody has to listen */
    uint64_t next_tag;
    unsigned runs;
    double seconds;
};

static _Noreturn void die(const struct error *err)
{
    (void)fprintf(stderr, "driver: %s%s%s\n", err->step, err->step[0] ? ": " : "", err->text);
    exit(1);
}

/* --- plans and runs ---------------------------------------------------------------------------- */

static void make_plan(struct bench *b, const char *const *words, struct plan *ret)
{
    struct run_request request = { .language = LANG_COMMAND };
    struct error err = { 0 };
    for (; *words; words++)
        if (strlist_add(&request.command, *words) < 0)
            abort();
    if (plan_build(&b->policy, &request, "exec-bench", 0, &b->arena, ret, &err) < 0)
        die(&err);
    ret->job.workspace = NULL; /* nobody here looks at what is left in it */
}

static void send_run(struct bench *b, struct plan *p, bool may_reuse)
{
    struct error err = { 0 };
    p->job.may_reuse = may_reuse;
    if (client_run(&b->client, b->next_tag++, &p->shape, &p->job, b->fds, &err) < 0)
        die(&err);
}

/* Of all runs: one that nobody hears waits. */
static void hear(const struct bench *b)
{
    for (char event[4096]; recv(b->events, event, sizeof event, MSG_DONTWAIT) > 0;)
        ;
}

static void take_outcome(struct bench *b, enum run_reason expected)
{
    struct error err = { 0 };
    struct outcome o;
    struct pollfd f[] = { { .fd = b->client.sock, .events = POLLIN }, { .fd = b->events, .events = POLLIN } };
    while (!f[0].revents) {
        (void)poll(f, ARRAY_LEN(f), -1);
        hear(b);
    }
    if (client_read(&b->client, &o, &err) < 0)
        die(&err);
    if (o.reason != expected) {
        (void)fprintf(stderr, "driver: a run ended with %s: %s\n", reason_name((enum run_reason)o.reason),
                      o.error_text ? o.error_text : "");
        exit(1);
    }
    strlist_done(&o.missing);
}

static void run_plain(const struct plan *p)
{
    static char *const env[] = { (char *)"PATH=/usr/local/bin:/usr/bin:/bin", (char *)"LANG=C.UTF-8", NULL };
    char **argv = strlist_argv(&p->job.argv);
    int status = -1;
    if (!argv)
        abort();
    pid_t pid = vfork();
    if (pid == 0) {
        (void)execve(p->job.program, argv, env);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    free(argv);
    if (status != 0)
        exit(1);
}

static double time_one(struct bench *b, struct plan *p, int variant)
{
    double begin = clock_now_us();
    if (variant == PLAIN) {
        run_plain(p);
    } else {
        send_run(b, p, variant == SLOT);
        take_outcome(b, REASON_COMPLETED);
    }
    return clock_now_us() - begin;
}

static void end_launcher(struct bench *b)
{
    client_stop(&b->client);
    while (waitpid(b->client.pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* --- latency ------------------------------------------------------------------------------------ */

static void print_latency(const char *what, struct samples s[static VARIANTS])
{
    double plain = samples_percentile(&s[PLAIN], 50);
    for (int v = 0; v < VARIANTS; v++) {
        double median = samples_percentile(&s[v], 50);
        (void)printf("| %s | %s | %.2f (%.2f..%.2f) | x%.2f |\n", what, variant_names[v], median / 1e3,
                     samples_percentile(&s[v], 10) / 1e3, samples_percentile(&s[v], 90) / 1e3, median / plain);
    }
    (void)fflush(stdout);
}

static void measure_latency(struct bench *b, struct plan *p, const char *what, unsigned runs, double idle_us)
{
    struct samples s[VARIANTS] = { 0 };
    for (int v = 0; v < VARIANTS; v++) /* warm */
        (void)time_one(b, p, v);
    for (unsigned i = 0; i < runs; i++)
        for (int v = 0; v < VARIANTS; v++) {
            pause_us(idle_us > 0 ? idle_us
                                 : 1000); /* 1 ms: whoever went before may clean up, as in §3.5 of the research */
            samples_add(&s[v], time_one(b, p, v));
        }
    print_latency(what, s);
    for (int v = 0; v < VARIANTS; v++)
        samples_done(&s[v]);
}

/* --- rate ---------------------------------------------------------------------------------------- */

static unsigned count_runs(struct bench *b, struct plan *p, int variant, unsigned outstanding)
{
    unsigned count = 0, sent = 0;
    double until = clock_now_us() + b->seconds * 1e6;
    while (variant == PLAIN && clock_now_us() < until) {
        run_plain(p);
        count++;
    }
    for (; variant != PLAIN && sent < outstanding; sent++)
        send_run(b, p, variant == SLOT);
    for (; count < sent; count++) {
        take_outcome(b, REASON_COMPLETED);
        if (clock_now_us() < until) {
            send_run(b, p, variant == SLOT);
            sent++;
        }
    }
    return count;
}

/* One launcher with `outstanding` runs, or as many launchers and clients with one each. */
static double measure_rate(struct bench *b, struct plan *p, int variant, unsigned outstanding, unsigned processes)
{
    unsigned *counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        abort();
    double begin = clock_now_us(), total = 0;
    for (unsigned i = 0; i < processes; i++)
        if (fork() == 0) {
            if (variant != PLAIN)
                resident_start(&b->client, b->paths.libexec);
            counts[i] = count_runs(b, p, variant, outstanding);
            if (variant != PLAIN)
                end_launcher(b);
            _exit(0);
        }
    unsigned ended_well = 0;
    for (int status; wait(&status) > 0;)
        ended_well += status == 0;
    for (unsigned i = 0; i < processes; i++)
        total += counts[i];
    (void)munmap(counts, 4096);
    (void)begin; /* launchers start and end outside of b->seconds: counted time is theirs */
    return ended_well == processes ? total / b->seconds : 0;
}

static void print_rates(struct bench *b, struct plan *p)
{
    (void)printf("\n| runs per second | one worker | two, one launcher | two, a launcher each |\n|---|---|---|---|\n");
    for (int v = 0; v < VARIANTS; v++) {
        double one = measure_rate(b, p, v, 1, 1), own = measure_rate(b, p, v, 1, 2);
        double shared = v == PLAIN ? own : measure_rate(b, p, v, 2, 1);
        (void)printf("| %s | %.0f | %.0f | %.0f |\n", variant_names[v], one, shared, own);
        (void)fflush(stdout);
    }
}

/* --- many live sandboxes --------------------------------------------------------------------------- */

struct family {
    unsigned ours, payloads;
    long pss_kib;
    bool is_hidden; /* smaps_rollup cannot be read: an ordinary user and undumpable processes */
};

static bool read_small(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
    out[n > 0 ? n : 0] = '\0';
    if (fd >= 0)
        (void)close(fd);
    return n > 0;
}

static long number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    uint64_t v = 0;
    char digits[24];
    if (!at)
        return 0;
    at += strlen(key);
    at += strspn(at, " \t");
    size_t n = strspn(at, "0123456789");
    if (n == 0 || n >= sizeof digits)
        return 0;
    memcpy(digits, at, n);
    digits[n] = '\0';
    return parse_u64(digits, &v) == 0 ? (long)v : 0;
}

static void add_process(struct family *f, pid_t launcher, const char *pid)
{
    char path[64], text[4096];
    (void)snprintf(path, sizeof path, "/proc/%s/status", pid);
    if (!read_small(path, text, sizeof text))
        return;
    if (strstr(text, "\nState:\tZ"))
        return; /* dead, not yet reaped */
    bool is_sleep = str_starts(text, "Name:\tsleep\n"), is_ours = str_starts(text, "Name:\tsandbox-launche");
    /* a launcher, keeper or init below ours: its session's chain is short, so two levels of parents decide */
    pid_t at = (pid_t)number_after(text, "\nPPid:");
    if (number_after(text, "\nPid:") != launcher)
        for (int level = 0; level < 4 && at > 1 && at != launcher; level++) {
            (void)snprintf(path, sizeof path, "/proc/%d/status", (int)at);
            char above[4096];
            at = read_small(path, above, sizeof above) ? (pid_t)number_after(above, "\nPPid:") : 0;
        }
    else
        at = launcher;
    if (at != launcher || (!is_sleep && !is_ours))
        return;
    f->payloads += is_sleep;
    f->ours += is_ours;
    if (!is_ours)
        return;
    (void)snprintf(path, sizeof path, "/proc/%s/smaps_rollup", pid);
    if (read_small(path, text, sizeof text))
        f->pss_kib += number_after(text, "\nPss:");
    else
        f->is_hidden = true;
}

static struct family look_at_family(pid_t launcher)
{
    struct family f = { 0 };
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
            add_process(&f, launcher, e->d_name);
    if (d)
        (void)closedir(d);
    return f;
}

/* What the kernel keeps: slab, stacks, page tables and per-CPU memory of the whole machine. */
static long kernel_kib(void)
{
    char text[4096];
    if (!read_small("/proc/meminfo", text, sizeof text))
        return 0;
    return number_after(text, "\nSlab:") + number_after(text, "\nKernelStack:") + number_after(text, "\nPageTables:") +
           number_after(text, "\nPercpu:");
}

static void print_family(struct bench *b, unsigned live, int variant, long kernel_before)
{
    struct family f = look_at_family(b->client.pid);
    (void)printf("| %u %s | %u | %.2f | ", live, variant_names[variant], f.payloads, (double)f.ours / live);
    if (f.is_hidden)
        (void)printf("hidden from us |");
    else
        (void)printf("%.0f |", (double)f.pss_kib / live);
    (void)printf(" %.0f |\n", (double)(kernel_kib() - kernel_before) / live);
    (void)fflush(stdout);
}

static void measure_live(struct bench *b, struct plan *true_plan, struct plan *sleep_plan, unsigned live, int variant,
                         struct samples s[static VARIANTS])
{
    resident_start(&b->client, b->paths.libexec);
    long kernel_before = kernel_kib();
    uint64_t first = b->next_tag;
    for (unsigned i = 0; i < live; i++)
        send_run(b, sleep_plan, variant == SLOT);
    for (int attempt = 0; attempt < 6000; attempt++) {
        hear(b);
        if (attempt % 20 == 0 && look_at_family(b->client.pid).payloads >= live)
            break;
        pause_us(5e3);
    }
    pause_us(300e3);
    print_family(b, live, variant, kernel_before);
    for (unsigned i = 0; i < MIN_OF(b->runs, 40u); i++)
        for (int v = 0; v < VARIANTS; v++) {
            pause_us(1000);
            samples_add(&s[v], time_one(b, true_plan, v));
        }
    for (unsigned i = 0; i < live; i++)
        (void)client_kill(&b->client, first + i, REASON_KILLED);
    for (unsigned i = 0; i < live; i++)
        take_outcome(b, REASON_KILLED);
    end_launcher(b);
}

static void print_live(struct bench *b, struct plan *true_plan, const char *list)
{
    static const char *const sleep_words[] = { "/bin/sleep", "3600", NULL };
    static struct plan sleep_plan;
    static struct samples s[8][VARIANTS];
    unsigned lives[8], count = 0;
    make_plan(b, sleep_words, &sleep_plan);
    for (const char *p = list; *p && count < 8; p += strspn(p, ",")) {
        lives[count++] = (unsigned)number_after(p, "");
        p += strcspn(p, ",");
    }
    (void)printf(
        "\n| live | payloads | our processes a sandbox | their Pss a sandbox, KiB | kernel memory a sandbox, KiB |\n"
        "|---|---|---|---|---|\n");
    for (unsigned i = 0; i < count; i++) {
        measure_live(b, true_plan, &sleep_plan, lives[i], SLOT, s[i]);
        for (int v = 0; v < VARIANTS; v++)
            samples_done(&s[i][v]);
        measure_live(b, true_plan, &sleep_plan, lives[i], FRESH, s[i]);
    }
    (void)printf(
        "\n| `true` beside N fresh ones asleep | variant | ms: median (p10..p90) | ratio |\n|---|---|---|---|\n");
    for (unsigned i = 0; i < count; i++) {
        char what[16];
        (void)snprintf(what, sizeof what, "%u", lives[i]);
        print_latency(what, s[i]);
    }
    plan_done(&sleep_plan);
}

/* --- main ----------------------------------------------------------------------------------------- */

static void prepare(struct bench *b)
{
    struct error err = { 0 };
    b->options.has_level = true;
    b->options.risk_level = RISK_MEDIUM;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (paths_find(&b->arena, &b->paths) < 0 || null < 0)
        exit(1);
    if (policy_load(&b->options, &b->paths, NULL, NULL, LANG_COMMAND, &b->policy, &err) < 0)
        die(&err);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        b->fds[i] = -1;
    b->fds[RUN_FD_STDIN] = b->fds[RUN_FD_STDOUT] = b->fds[RUN_FD_STDERR] = null;
    b->fds[RUN_FD_CODE] = memfd_create("code", MFD_CLOEXEC);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        exit(1);
    b->events = pair[0];
    b->fds[RUN_FD_EVENTS] = pair[1];
}

int main(int argc, char **argv)
{
    static const char *const true_words[] = { "/bin/true", NULL };
    static const char *const python_words[] = { "/usr/bin/python3", "-I", "-S", "-c", "pass", NULL };
    static struct bench b = { .runs = 200, .seconds = 2 };
    static struct plan plan, python;
    const char *live = "1,50,500";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (str_eq(argv[i], "--runs"))
            b.runs = (unsigned)number_after(argv[i + 1], "");
        else if (str_eq(argv[i], "--seconds"))
            b.seconds = (double)number_after(argv[i + 1], "");
        else if (str_eq(argv[i], "--live"))
            live = argv[i + 1];
    }
    prepare(&b);
    make_plan(&b, true_words, &plan);
    (void)printf("| program, pause | variant | ms: median (p10..p90) | ratio |\n|---|---|---|---|\n");
    resident_start(&b.client, b.paths.libexec);
    measure_latency(&b, &plan, "true, 1 ms", b.runs, 0);
    measure_latency(&b, &plan, "true, 30 ms", b.runs / 4, 30e3);
    if (access(python_words[0], X_OK) == 0) {
        make_plan(&b, python_words, &python);
        measure_latency(&b, &python, "python3 -I -S -c pass, 1 ms", b.runs / 4, 0);
    }
    end_launcher(&b);
    print_rates(&b, &plan);
    if (*live)
        print_live(&b, &plan, live);
    plan_done(&plan);
    plan_done(&python);
    compiled_done(&b.policy);
    arena_done(&b.arena);
    return 0;
}
