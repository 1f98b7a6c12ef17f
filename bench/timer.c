/* timer.c - runs competitors' command lines and says how long each took, or what it keeps in memory.
 *
 *   timer latency ROUNDS IDLE_MS FILE      one line a competitor: name, median, p10, p90 (us), failures
 *   timer rate WORKERS SECONDS FILE        name, runs per second
 *   timer memory LIVE FILE                 name, processes and Pss (KiB) of supervision, both per sandbox
 *
 * FILE holds one competitor a line, fields separated by tabs: name, then argv with a full path. In an argument `@@`
 * becomes a number that no other run has; a field `<N:PATH` opens PATH as descriptor N for the program (bubblewrap's
 * filter). The commands of `memory` must end in a sleep with the argument SLEEP_SECONDS: that is the payload,
 * everything else is supervision.
 *
 * Competitors take turns, so that the machine's moods hit all alike. Each run is vfork + exec +
 * wait with an environment of four plain variables: an inherited NODE_EXTRA_CA_CERTS alone costs node 40 ms.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "stats.h"

#define MAX_COMPETITORS 32
#define MAX_WORDS       96
#define SLEEP_SECONDS   "86397"
#define MAX_TREE        8192

struct competitor {
    const char *name;
    char *words[MAX_WORDS]; /* argv template, NULL-terminated */
    int open_as;            /* -1: nothing to open */
    const char *open_path;
    struct samples samples;
    unsigned failures;
};

static struct competitor competitors[MAX_COMPETITORS];
static size_t competitor_count;
static unsigned run_number;

/* --- the file of competitors ------------------------------------------------------------------- */

static char *read_file(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t have = 0;
    for (ssize_t n = 1; fd >= 0 && n > 0 && have<size - 1; have += n> 0 ? (size_t)n : 0)
        n = read(fd, out + have, size - 1 - have);
    out[have] = '\0';
    if (fd >= 0)
        (void)close(fd);
    return fd < 0 ? NULL : out;
}

static void parse_line(char *line)
{
    struct competitor *c = &competitors[competitor_count++];
    size_t n = 0;
    *c = (struct competitor){ .open_as = -1 };
    for (char *word = strsep(&line, "\t"); word && n < MAX_WORDS - 1; word = strsep(&line, "\t")) {
        if (!c->name) {
            c->name = word;
        } else if (word[0] == '<') {
            c->open_as = (int)strtol(word + 1, &word, 10);
            c->open_path = word + 1;
        } else {
            c->words[n++] = word;
        }
    }
}

static void parse_file(const char *path)
{
    static char text[256 * 1024];
    char *rest = read_file(path, text, sizeof text);
    if (!rest) {
        (void)fprintf(stderr, "timer: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
        if (*line && competitor_count < MAX_COMPETITORS)
            parse_line(line);
}

/* --- one run -------------------------------------------------------------------------------------- */

/* argv with every `@@` replaced. The strings live until the next call. */
static char **number_words(const struct competitor *c)
{
    static char *argv[MAX_WORDS], space[16 * 1024];
    char *at = space;
    size_t i = 0;
    run_number++;
    for (; c->words[i]; i++) {
        char *mark = strstr(c->words[i], "@@");
        argv[i] = c->words[i];
        if (!mark)
            continue;
        size_t left = (size_t)(space + sizeof space - at);
        int n = snprintf(at, left, "%.*s%d-%u%s", (int)(mark - c->words[i]), c->words[i], (int)getpid(), run_number,
                         mark + 2);
        argv[i] = at;
        at += n + 1;
    }
    argv[i] = NULL;
    return argv;
}

static pid_t start(const struct competitor *c, bool own_group)
{
    static char *const env[] = { (char *)"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL,
                                 NULL, (char *)"LANG=C.UTF-8", NULL };
    static char home[512], runtime[512];
    char *full[5];
    memcpy(full, env, sizeof full);
    (void)snprintf(home, sizeof home, "HOME=%s", getenv("HOME") ? getenv("HOME") : "/");
    (void)snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s",
                   getenv("XDG_RUNTIME_DIR") ? getenv("XDG_RUNTIME_DIR") : "/run");
    full[1] = home;
    full[2] = runtime;
    char **argv = number_words(c);
    int fd = c->open_path ? open(c->open_path, O_RDONLY) : -1;
    pid_t pid = vfork();
    if (pid == 0) {
        if (own_group)
            (void)setpgid(0, 0);
        if (fd >= 0 && fd != c->open_as)
            (void)dup2(fd, c->open_as);
        (void)execve(argv[0], argv, full); /* a full path: searching PATH is not what is measured */
        _exit(127);
    }
    if (fd >= 0)
        (void)close(fd);
    return pid;
}

static bool run_once(struct competitor *c, double *ret_us)
{
    int status = -1;
    double begin = clock_now_us();
    pid_t pid = start(c, false);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    *ret_us = clock_now_us() - begin;
    return status == 0;
}

/* --- latency and rate ------------------------------------------------------------------------------- */

/* Back to back means after oneself: some tear down after they answered, and that must not be charged to whoever comes
 * next. So turns are short bursts whose first run does not count. */
#define BURST 5

static void take_turn(struct competitor *c, double idle_us)
{
    double us;
    if (idle_us <= 0)
        (void)run_once(c, &us);
    for (int i = 0; i < (idle_us > 0 ? 1 : BURST); i++) {
        if (idle_us > 0)
            pause_us(idle_us);
        if (run_once(c, &us))
            samples_add(&c->samples, us);
        else
            c->failures++;
    }
}

static void do_latency(unsigned rounds, double idle_us)
{
    double us;
    for (size_t i = 0; i < competitor_count; i++) /* warm: caches of the page, of policies, of the linker */
        if (!run_once(&competitors[i], &us))
            competitors[i].failures = rounds; /* does not work here: out of the race */
    for (unsigned round = 0; round<rounds; round += idle_us> 0 ? 1 : BURST)
        for (size_t i = 0; i < competitor_count; i++)
            if (competitors[i].failures < rounds)
                take_turn(&competitors[i], idle_us);
    for (size_t i = 0; i < competitor_count; i++) {
        struct samples *s = &competitors[i].samples;
        (void)printf("%s\t%.0f\t%.0f\t%.0f\t%u\n", competitors[i].name, samples_percentile(s, 50),
                     samples_percentile(s, 10), samples_percentile(s, 90), competitors[i].failures);
    }
}

static unsigned count_runs(struct competitor *c, double seconds)
{
    unsigned count = 0;
    double us, until = clock_now_us() + seconds * 1e6;
    while (clock_now_us() < until)
        count += run_once(c, &us);
    return count;
}

static void do_rate(unsigned workers, double seconds)
{
    unsigned *counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double us;
    if (counts == MAP_FAILED || workers > 64)
        exit(2);
    for (size_t i = 0; i < competitor_count; i++) {
        unsigned total = 0;
        if (!run_once(&competitors[i], &us)) {
            (void)printf("%s\t-\n", competitors[i].name);
            continue;
        }
        double begin = clock_now_us();
        for (unsigned w = 0; w < workers; w++)
            if (fork() == 0) {
                counts[w] = count_runs(&competitors[i], seconds);
                _exit(0);
            }
        while (wait(NULL) > 0)
            ;
        double took = (clock_now_us() - begin) / 1e6;
        for (unsigned w = 0; w < workers; w++)
            total += counts[w];
        (void)printf("%s\t%.*f\n", competitors[i].name, total / took < 20 ? 1 : 0, total / took);
        (void)fflush(stdout); /* the children of the next round must not print it again */
    }
}

/* --- memory ----------------------------------------------------------------------------------------- */

struct tree {
    pid_t pid[MAX_TREE];
    size_t count;
};

static pid_t parent_of(pid_t pid)
{
    char path[64], text[512];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    char *after_name = read_file(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    return after_name && strlen(after_name) > 4 ? (pid_t)strtol(after_name + 4, NULL, 10) : -1;
}

/* All our descendants: pids grow, so parents mostly come first; repeated until nothing is added. */
static void list_descendants(struct tree *t)
{
    static pid_t all[32768], parents[32768];
    size_t n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d)) && n < 32768;)
        if (e->d_name[0] >= '0' && e->d_name[0] <= '9') {
            all[n] = (pid_t)strtol(e->d_name, NULL, 10);
            parents[n] = parent_of(all[n]);
            n++;
        }
    if (d)
        (void)closedir(d);
    static char is_ours[1 << 22];
    memset(is_ours, 0, sizeof is_ours);
    is_ours[getpid()] = 1;
    t->count = 0;
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < n; i++)
            if (parents[i] > 0 && is_ours[parents[i]] && !is_ours[all[i]] && t->count < MAX_TREE) {
                is_ours[all[i]] = 1;
                t->pid[t->count++] = all[i];
                found = true;
            }
    }
}

static bool is_payload(pid_t pid)
{
    char path[64], text[256];
    (void)snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        (void)close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    const char *word = strrchr(text, '/') ? strrchr(text, '/') + 1 : text;
    return strcmp(word, "sleep") == 0 && (size_t)(word - text) + 6 < (size_t)n && strcmp(word + 6, SLEEP_SECONDS) == 0;
}

static long pss_kib(pid_t pid)
{
    char path[64], text[2048];
    (void)snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    char *line = read_file(path, text, sizeof text) ? strstr(text, "\nPss:") : NULL;
    return line ? strtol(line + 5, NULL, 10) : -1;
}

static size_t count_payloads(struct tree *t, size_t *ret_others)
{
    size_t payloads = 0;
    list_descendants(t);
    for (size_t i = 0; i < t->count; i++)
        payloads += is_payload(t->pid[i]);
    *ret_others = t->count - payloads;
    return payloads;
}

static void end_all(struct tree *t)
{
    for (int attempt = 0; attempt < 600; attempt++) {
        list_descendants(t);
        size_t zombies = 0;
        for (size_t i = 0; i < t->count; i++) {
            /* first politely, by ending the payload: then everybody removes what it made */
            if (attempt < 400 ? is_payload(t->pid[i]) : true)
                (void)kill(t->pid[i], SIGKILL);
            zombies++;
        }
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (!zombies)
            return;
        pause_us(50e3);
    }
}

static void measure_memory(struct competitor *c, unsigned live)
{
    static struct tree t;
    size_t others = 0, payloads = 0;
    for (unsigned i = 0; i < live; i++)
        (void)start(c, true);
    for (int attempt = 0; attempt < 300 && payloads < live; attempt++) {
        pause_us(100e3);
        payloads = count_payloads(&t, &others);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (!t.count)
            break; /* it does not run here */
    }
    pause_us(300e3);
    payloads = count_payloads(&t, &others);
    long sum = 0, hidden = 0;
    for (size_t i = 0; i < t.count; i++) {
        long pss = is_payload(t.pid[i]) ? 0 : pss_kib(t.pid[i]);
        sum += pss > 0 ? pss : 0;
        hidden += pss < 0;
    }
    if (payloads < live)
        (void)printf("%s\t-\t-\tonly %zu of %u started\n", c->name, payloads, live);
    else if (hidden)
        (void)printf("%s\t%.1f\t-\t%ld processes hide it\n", c->name, (double)others / live, hidden);
    else
        (void)printf("%s\t%.1f\t%.0f\t\n", c->name, (double)others / live, (double)sum / live);
    (void)fflush(stdout);
    end_all(&t);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc != 5 && !(argc == 4 && strcmp(what, "memory") == 0)) {
        (void)fprintf(stderr,
                      "usage: timer latency ROUNDS IDLE_MS FILE | rate WORKERS SECONDS FILE | memory LIVE FILE\n");
        return 2;
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* helpers whose parent leaves stay in our tree */
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0) /* 1 is ours, and the programs': see below */
        return 2;
    parse_file(argv[argc - 1]);
    /* our own lines go to a copy of stdout, the programs' output nowhere */
    int out = dup(1);
    (void)fcntl(out, F_SETFD, FD_CLOEXEC);
    (void)dup2(null, 1);
    FILE *lines = fdopen(out, "w");
    if (!lines)
        return 2;
    stdout = lines;
    if (strcmp(what, "latency") == 0)
        do_latency((unsigned)strtoul(argv[2], NULL, 10), strtod(argv[3], NULL) * 1e3);
    else if (strcmp(what, "rate") == 0)
        do_rate((unsigned)strtoul(argv[2], NULL, 10), strtod(argv[3], NULL));
    else
        for (size_t i = 0; i < competitor_count; i++)
            measure_memory(&competitors[i], (unsigned)strtoul(argv[2], NULL, 10));
    return fflush(stdout) == 0 ? 0 : 1;
}
