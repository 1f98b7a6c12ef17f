/* audit.c - what the audit costs.
 *
 *   audit write DIR            opening and two lines, as a run does it; alone, and eight processes at once
 *   audit search DIR [LINES]   makes LINES (default 10,000,000) lines below DIR, searches them, verifies the last file,
 * removes them
 *   audit make LOG [LINES]     makes them in LOG, and leaves them: for a service that shows them (bench/page.py)
 *   audit find LOG [LINES]     searches those that are there already
 *
 * DIR must exist; a directory of our own below it is made and removed. Prints rows of a Markdown table.
 */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/compose.h"
#include "audit/files.h"
#include "audit/index.h"
#include "audit/search.h"
#include "audit/verify.h"
#include "base/parse.h"

#define FILE_BYTES (256u * MIB)
#define AGENTS     1000u

static char top[4096];

static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double cpu_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static _Noreturn void die(const char *what)
{
    (void)fprintf(stderr, "bench: %s: %m\n", what);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static double at(double *v, size_t n, double share)
{
    qsort(v, n, sizeof *v, by_value);
    return v[(size_t)(share * (double)(n - 1))];
}

/* --- writing ------------------------------------------------------------------------------------- */

static void one_run(struct config *c, uint64_t i)
{
    char log[4200], state[4200], agent[32], id[40];
    struct arena arena = { 0 };
    struct error err = { 0 };
    struct audit a;
    (void)snprintf(log, sizeof log, "%s/log", top);
    (void)snprintf(state, sizeof state, "%s/state", top);
    (void)snprintf(agent, sizeof agent, "agent-%llu", (unsigned long long)(i % AGENTS));
    (void)snprintf(id, sizeof id, "exec-%024llx", (unsigned long long)i);
    const char *const dirs[] = { log, NULL };
    const struct audit_event request = { .action = "execution-requested",
                                         .category = "process",
                                         .type = "start",
                                         .agent_id = agent,
                                         .execution_id = id,
                                         .level = "medium",
                                         .language = "python",
                                         .code_hash = chain_zero,
                                         .message = "a run was asked for" };
    struct audit_event end = request;
    end.action = "execution-finished";
    end.type = "end";
    end.outcome = "success";
    end.reason = "completed";
    end.duration_us = 3000;
    if (audit_open(&a, dirs, state, c, &arena, &err) < 0 || audit_write(&a, &request, &err) < 0 ||
        audit_write(&a, &end, &err) < 0) {
        (void)fprintf(stderr, "bench: %s\n", err.text);
        exit(1);
    }
    (void)audit_settle(&a);
    audit_close(&a);
    arena_done(&arena);
}

/* Each run in a process of its own, as on the command line; its time comes back through a pipe. */
static void time_writes(struct config *c, const char *name, unsigned workers, unsigned runs)
{
    int fds[2];
    double *us = calloc((size_t)workers * runs, sizeof *us), begin = now_us();
    if (!us || pipe(fds) < 0)
        die("pipe");
    for (unsigned w = 0; w < workers; w++)
        if (fork() == 0) {
            for (unsigned i = 0; i < runs; i++) {
                if (fork() == 0) {
                    double t = now_us();
                    one_run(c, w * runs + i);
                    t = now_us() - t;
                    _exit(write(fds[1], &t, sizeof t) == sizeof t ? 0 : 1);
                }
                (void)wait(NULL);
            }
            _exit(0);
        }
    for (size_t i = 0; i < (size_t)workers * runs; i++)
        if (read(fds[0], &us[i], sizeof *us) != sizeof *us)
            die("a run failed");
    while (wait(NULL) > 0)
        ;
    double seconds = (now_us() - begin) / 1e6;
    double p50 = at(us, (size_t)workers * runs, 0.5), p90 = at(us, (size_t)workers * runs, 0.9),
           p99 = at(us, (size_t)workers * runs, 0.99);
    (void)printf("| %s, %u process%s | %.0f | %.0f | %.0f | %.0f |\n", name, workers, workers == 1 ? "" : "es", p50,
                 p90, p99, (double)workers * runs / seconds);
    (void)fflush(stdout);
    free(us);
    (void)close(fds[0]);
    (void)close(fds[1]);
}

static void bench_write(void)
{
    static const struct {
        const char *name;
        enum audit_sync sync;
        unsigned runs;
    } rows[] = { { "os", AUDIT_SYNC_OS, 300 },
                 { "group", AUDIT_SYNC_GROUP, 300 },
                 { "always", AUDIT_SYNC_ALWAYS, 30 } };
    struct config c;
    config_defaults(&c);
    one_run(&c, 0); /* the key, the first lines */
    (void)printf("| open, two lines, close: us | median | p90 | p99 | runs/s |\n|---|---|---|---|---|\n");
    (void)fflush(stdout);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        c.security.audit_sync = (uint8_t)rows[i].sync;
        time_writes(&c, rows[i].name, 1, rows[i].runs);
        time_writes(&c, rows[i].name, 8, rows[i].runs / 2);
    }
    config_done(&c);
    (void)usleep(100000); /* the child that syncs */
}

/* --- ten million lines --------------------------------------------------------------------------------- */

struct maker {
    struct buf line;
    FILE *file;
    char name[FILES_NAME_SIZE], hash[AUDIT_HASH_SIZE];
    uint64_t sequence, bytes;
};

/* The writer's own lines, without its locks, heads and signatures: those cost 20 us a line. */
static void make_line(struct maker *m, const struct audit_event *e)
{
    struct error err;
    m->line.size = 0;
    if (compose_line(&m->line, e, ++m->sequence, &err) < 0)
        die("compose");
    chain_seal(&m->line, m->hash, m->hash);
    if (fwrite(m->line.data, 1, m->line.size, m->file) != m->line.size)
        die("write");
    m->bytes += m->line.size;
}

static void begin_file(struct maker *m, int dir)
{
    char extra[200];
    files_rotated_name(m->sequence + 1, m->name);
    int fd = openat(dir, m->name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || !(m->file = fdopen(fd, "w+")))
        die(m->name);
    (void)setvbuf(m->file, NULL, _IOFBF, 1 << 20);
    m->bytes = 0;
    (void)snprintf(extra, sizeof extra, "\"chain\":{\"previous_hash\":\"%s\"}", m->hash);
    make_line(m, &(struct audit_event){ .action = "audit-continued", .extra = extra, .now_ms = 1700000000000 });
}

static void end_file(struct maker *m, int dir)
{
    if (fflush(m->file) != 0)
        die("write");
    for (enum index_of of = 0; of < INDEX_COUNT; of++) {
        char index[FILES_NAME_SIZE];
        files_index_name(m->name, index_endings[of], index);
        if (index_extend_at(dir, index, of, fileno(m->file), m->bytes, UINT64_MAX, true) < 0)
            die("index");
    }
    (void)fclose(m->file);
}

static void make_lines(const char *log, uint64_t lines)
{
    struct maker m = { 0 };
    double begin = now_us();
    int dir = open(log, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    memcpy(m.hash, chain_zero, sizeof m.hash);
    buf_init(&m.line, AUDIT_LINE_MAX);
    for (uint64_t i = 0; i < lines; i++) {
        char agent[32], id[40];
        if (!m.file || m.bytes > FILE_BYTES) {
            if (m.file)
                end_file(&m, dir);
            begin_file(&m, dir);
        }
        (void)snprintf(agent, sizeof agent, "agent-%llu", (unsigned long long)(i * 2654435761u % AGENTS));
        (void)snprintf(id, sizeof id, "exec-%llx", (unsigned long long)i);
        bool is_bad = i % 50 == 0;
        make_line(&m, &(struct audit_event){ .action = is_bad ? "execution-refused" : "execution-finished",
                                             .outcome = is_bad ? "failure" : "success",
                                             .reason = is_bad ? "policy_denied" : "completed",
                                             .rule = is_bad ? "scan.reverse-shell" : NULL,
                                             .agent_id = agent,
                                             .execution_id = id,
                                             .level = "low",
                                             .now_ms = 1700000000000 + i * 100 });
    }
    end_file(&m, dir); /* its name stays: what verify and search do does not depend on it */
    buf_done(&m.line);
    (void)close(dir);
    (void)fprintf(stderr, "bench: made %llu lines in %.0f s\n", (unsigned long long)lines, (now_us() - begin) / 1e6);
}

static bool count(void *context, const char *line, size_t size, const struct audit_line *l)
{
    (void)line;
    (void)size;
    (void)l;
    ++*(uint64_t *)context;
    return true;
}

static void time_search(const char *name, const char *log, struct search s, unsigned times)
{
    double us[9];
    uint64_t found = 0;
    struct search_result r;
    struct error err;
    double cpu = cpu_us();
    s.dir = log;
    for (unsigned i = 0; i < times; i++) {
        found = 0;
        double t = now_us();
        if (audit_search(&s, count, &found, &r, &err) < 0)
            die(err.text);
        us[i] = now_us() - t;
    }
    cpu = (cpu_us() - cpu) / times;
    double first = us[0] / 1e6;
    (void)printf("| %s | %llu | %.1f | %.3f | %.3f | %.3f |\n", name, (unsigned long long)found,
                 (double)r.bytes_read / 1e6, first, at(us, times, 0.5) / 1e6, cpu / 1e6);
    (void)fflush(stdout);
}

static void ignore(void *context, const struct verify_problem *p)
{
    (void)context;
    (void)p;
}

static void time_verify(const char *log)
{
    char path[4300];
    struct verify_result r;
    struct error err;
    (void)snprintf(path, sizeof path, "%s/audit-000000000001.jsonl", log);
    const struct verify_options o = { .dir = log, .file = path };
    double t = now_us(), cpu = cpu_us();
    if (audit_verify(&o, ignore, NULL, &r, &err) < 0)
        die(err.text);
    double seconds = (now_us() - t) / 1e6;
    cpu = (cpu_us() - cpu) / 1e6;
    (void)printf("\nverify: %llu lines (%.0f MB) in %.2f s, %.2f s of CPU: %.0f lines per second of CPU\n",
                 (unsigned long long)r.lines, (double)r.bytes / 1e6, seconds, cpu, (double)r.lines / cpu);
}

static void time_searches(const char *log, uint64_t lines)
{
    const uint64_t begin = 1700000000000, span = lines * 100;
    (void)printf("| search in %llu lines | hits | MB of lines read | first, s | median of 5, s | CPU, s "
                 "|\n|---|---|---|---|---|---|\n",
                 (unsigned long long)lines);
    time_search(
        "one agent of 1000, an hour", log,
        (struct search){ .agent = "agent-500", .since_ms = begin + span / 2, .until_ms = begin + span / 2 + 3600000 },
        5);
    time_search(
        "one agent of 1000, a tenth of the time", log,
        (struct search){ .agent = "agent-500", .since_ms = begin + span / 2, .until_ms = begin + span / 10 * 6 }, 5);
    time_search("an agent that is not there, all time", log, (struct search){ .agent = "nobody" }, 5);
    time_search("one agent of 1000, all time", log, (struct search){ .agent = "agent-500" }, 5);
    time_search("one agent, the last 100", log, (struct search){ .agent = "agent-500", .limit = 100 }, 5);
    time_search("the page's first list: how the last 200 runs ended", log,
                (struct search){ .is_end = true, .limit = 200 }, 5);
    time_search("the page's list, from the middle back", log,
                (struct search){ .is_end = true, .limit = 200, .before = lines / 2 }, 5);
    time_search("one run by its id", log, (struct search){ .execution = "exec-4c4b40" }, 5);
    time_search("one run by its id, as the page asks", log, (struct search){ .execution = "exec-4c4b40", .limit = 20 },
                5);
    time_search("the id of no run", log, (struct search){ .execution = "exec-none", .limit = 20 }, 5);
    time_search("a minute, everybody", log,
                (struct search){ .since_ms = begin + span / 3, .until_ms = begin + span / 3 + 60000 }, 5);
    time_search("a rule (2 % of the lines), the last 1000", log,
                (struct search){ .rule = "scan.reverse-shell", .limit = 1000 }, 5);
    time_search("a reason that is not there (no index for it)", log, (struct search){ .reason = "oom" }, 1);
}

static void bench_search(uint64_t lines)
{
    char log[4200];
    struct statvfs v;
    (void)snprintf(log, sizeof log, "%s/log", top);
    if (mkdir(log, 0700) < 0 || statvfs(log, &v) < 0)
        die(log);
    if (v.f_bavail * v.f_frsize < lines * 900) {
        (void)fprintf(stderr, "bench: %s has too little room for %llu lines\n", log, (unsigned long long)lines);
        exit(1);
    }
    make_lines(log, lines);
    time_searches(log, lines);
    time_verify(log);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

int main(int argc, char **argv)
{
    uint64_t lines = 10000000;
    static const char *const names[] = { "write", "search", "make", "find" };
    size_t which = 0;
    while (which < ARRAY_LEN(names) && (argc < 3 || !str_eq(argv[1], names[which])))
        which++;
    if (which == ARRAY_LEN(names) || (argc > 3 && parse_u64(argv[3], &lines) < 0)) {
        (void)fprintf(stderr, "usage: audit write DIR | audit search|make|find DIR [LINES]\n");
        return 2;
    }
    if (which >= 2) {
        (which == 2 ? make_lines : time_searches)(argv[2], lines);
        return 0;
    }
    (void)snprintf(top, sizeof top, "%s/bench-audit-XXXXXX", argv[2]);
    if (!mkdtemp(top))
        die(top);
    if (str_eq(argv[1], "write"))
        bench_write();
    else
        bench_search(lines);
    (void)fflush(stdout);
    return nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0 ? 0 : 1;
}
