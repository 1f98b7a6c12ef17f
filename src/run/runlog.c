#include "run/runlog.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/dir.h"
#include "run/locations.h"

/* An agent's name becomes part of a file name: anything but plain characters turns into «_». */
static const char *safe_name(struct arena *a, const char *agent)
{
    char name[65];
    size_t n = 0;
    for (; agent[n] && n < sizeof name - 1; n++) {
        char c = agent[n];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                        c == '_' || (c == '.' && n > 0);
        name[n] = is_plain ? c : '_';
    }
    name[n] = '\0';
    return arena_copy(a, n ? name : "_");
}

static int open_new(int dir, const char *path)
{
    int fd = openat(dir, strrchr(path, '/') + 1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND, 0600);
    return fd < 0 ? -errno : fd;
}

/* Several runs of one agent in one second: the later ones have their id in the name. */
static int open_unique(const char *dir, const char *stem, const char *id, struct arena *a, const char **ret_path)
{
    cleanup(closep) int at = dir_open(dir);
    if (at < 0)
        return at;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(at);
    if (visit.is_refused)
        return -EPERM;
    *ret_path = arena_printf(a, "%s/%s.log", dir, stem);
    int fd = open_new(at, *ret_path);
    if (fd != -EEXIST)
        return fd;
    *ret_path = arena_printf(a, "%s/%s-%s.log", dir, stem, id);
    return open_new(at, *ret_path);
}

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct runlog_place runlog_place(const char *dir, const char *output, const char *level, struct arena *a)
{
    const char *own = arena_printf(a, "%s-risk", level);
    const char *path = output && output[0] == '/' ? locations_below(output, dir, a) : dir;
    size_t n = strlen(path);
    const char *slash = strrchr(path, '/');
    if (path == dir || !slash || path[n - 1] == '/' || is_directory(path))
        return (struct runlog_place){ path, own };
    return (struct runlog_place){ slash == path ? "/" : arena_copy_bytes(a, path, (size_t)(slash - path)), slash + 1 };
}

int runlog_open(struct runlog *l, const char *const *dirs, const char *output, const char *level, const char *agent,
                const char *id, struct arena *a, struct error *err)
{
    struct tm tm;
    time_t now = time(NULL);
    int r = -ENOENT;
    *l = (struct runlog){ .fd = -1 };
    (void)localtime_r(&now, &tm);
    (void)strftime(l->stamp, sizeof l->stamp, "%Y%m%d_%H%M%S", &tm);
    (void)strftime(l->time, sizeof l->time, "%Y-%m-%d %H:%M:%S", &tm);
    for (; *dirs; dirs++) {
        struct runlog_place p = runlog_place(*dirs, output, level, a);
        l->fd = open_unique(p.dir, arena_printf(a, "%s_%s_%s", p.start, safe_name(a, agent), l->stamp), id, a,
                            &l->path);
        if (l->fd >= 0) {
            (void)flock(l->fd, LOCK_SH | LOCK_NB); /* for sweep.c: it is in use */
            return 0;
        }
        r = l->fd;
        (void)err_set(err, r, BLAME_HOST, "LOG", "no log file in %s: %s", p.dir, strerror(-r));
    }
    l->fd = -1;
    if (r == -ENOENT)
        (void)err_set(err, r, BLAME_HOST, "LOG", "no directory for logs: set HOME or sandbox.paths.log_dir");
    return r;
}

#define FRAME "=================================" /* 33, as the contract says */

/* What there is to say beside the contract's summary: before it, so that its lines are the last ones. */
static void add_words(struct buf *b, const struct runlog_summary *s)
{
    (void)buf_addf(b, "\nExecution ID: %s\nReason: %s\nWall Time: %llu.%03llu s\n", s->id, s->reason,
                   (unsigned long long)(s->duration_us / 1000000), (unsigned long long)(s->duration_us / 1000 % 1000));
    if (s->has_metrics)
        (void)buf_addf(b, "CPU Time: %llu.%03llu s\nPeak Memory: %llu bytes\n",
                       (unsigned long long)(s->cpu_us / 1000000), (unsigned long long)(s->cpu_us / 1000 % 1000),
                       (unsigned long long)s->peak_memory_bytes);
    if (s->words && s->words->size)
        (void)buf_add(b, s->words->data, s->words->size);
}

bool runlog_close(struct runlog *l, const struct runlog_summary *s)
{
    struct buf b;
    if (l->fd < 0)
        return true;
    buf_init(&b, 256 * KIB);
    add_words(&b, s);
    (void)buf_addf(&b,
                   FRAME "\nExecution Summary\n" FRAME "\nAgent ID: %s\nRisk Level: %s\nLanguage: %s\nCode File: %s\n"
                         "Exit Code: %s\nDuration: %llus\nTimestamp: %s\n" FRAME "\n",
                   s->agent, s->level, s->language, s->code_file, s->exit_code,
                   (unsigned long long)(s->duration_us / 1000000), l->time);
    bool ok = !b.failed && write(l->fd, b.data, b.size) == (ssize_t)b.size;
    buf_done(&b);
    closep(&l->fd);
    return ok;
}
