#include "base/retention.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

/* ---- ages ---- */

/* The age's highest bit, and the six below it. */
static size_t step_of(uint64_t age_ms)
{
    uint64_t v = age_ms + RETENTION_STEPS; /* so that there are always six bits below the highest */
    unsigned high = 63u - (unsigned)__builtin_clzll(v);
    return (size_t)(high - 6) * RETENTION_STEPS + (size_t)(v >> (high - 6) & (RETENTION_STEPS - 1));
}

/* The youngest age of a step. */
static uint64_t age_of(size_t step)
{
    unsigned high = (unsigned)(step / RETENTION_STEPS) + 6;
    return ((UINT64_C(1) << high) | (uint64_t)(step % RETENTION_STEPS) << (high - 6)) - RETENTION_STEPS;
}

void retention_init(struct retention *r, uint64_t now_ms)
{
    memset(r, 0, sizeof *r);
    r->now_ms = now_ms;
}

void retention_add(struct retention *r, uint64_t at_ms, uint64_t bytes)
{
    size_t step = step_of(r->now_ms > at_ms ? r->now_ms - at_ms : 0);
    r->bytes[MIN_OF(step, ARRAY_LEN(r->bytes) - 1)] += bytes;
    r->total_bytes += bytes;
    r->files++;
}

uint64_t retention_before(const struct retention *r, uint64_t max_bytes, uint64_t max_age_ms)
{
    uint64_t before_ms = r->now_ms > max_age_ms ? r->now_ms - max_age_ms : 0, sum = 0;
    for (size_t i = 0; max_bytes && i < ARRAY_LEN(r->bytes); i++) {
        sum += r->bytes[i];
        if (sum <= max_bytes)
            continue;
        uint64_t age = age_of(i);
        /* what is of this step goes, too: before is exclusive */
        return MAX_OF(before_ms, r->now_ms > age ? r->now_ms - age + 1 : 0);
    }
    return before_ms;
}

/* ---- files ---- */

static DIR *open_again(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        closep(&fd);
    return d;
}

static uint64_t written_ms(const struct stat *st)
{
    return (uint64_t)MAX_OF(st->st_mtim.tv_sec, 0) * 1000 + (uint64_t)st->st_mtim.tv_nsec / 1000000;
}

/* On the disk, or as it says: blocks may be counted late. */
static uint64_t size_of(const struct stat *st)
{
    return MAX_OF((uint64_t)st->st_size, (uint64_t)st->st_blocks * 512);
}

static bool look(int dir, const char *name, struct stat *ret)
{
    return fstatat(dir, name, ret, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(ret->st_mode);
}

void retention_scan(struct retention *r, int dir, retention_is_ours *is_ours, const void *context)
{
    DIR *d = open_again(dir);
    struct stat st;
    for (const struct dirent *e; d && (e = readdir(d));)
        if (is_ours(e->d_name, context) && look(dir, e->d_name, &st))
            retention_add(r, written_ms(&st), size_of(&st));
    if (d)
        (void)closedir(d);
}

static bool is_in_use(int dir, const char *name)
{
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

void retention_remove(struct retention *r, int dir, retention_is_ours *is_ours, const void *context, uint64_t before_ms)
{
    DIR *d = open_again(dir);
    struct stat st;
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (!is_ours(e->d_name, context) || !look(dir, e->d_name, &st) || written_ms(&st) >= before_ms ||
            is_in_use(dir, e->d_name) || unlinkat(dir, e->d_name, 0) < 0)
            continue; /* what could not be removed is tried again the next time */
        r->removed_files++;
        r->removed_bytes += size_of(&st);
    }
    if (d)
        (void)closedir(d);
}

/* ---- names ---- */

static bool has_form(const char *s, const char *form)
{
    for (; *form; s++, form++)
        if (*form == '0'   ? *s < '0' || *s > '9'
            : *form == '#' ? !((*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'f'))
                           : *s != *form)
            return false;
    return *s == '\0';
}

/* What follows the agent: the last two forms that run/runlog.c gives. */
static bool has_log_end(const char *name)
{
    static const char *const ends[] = { "_00000000_000000.log", "_00000000_000000-exec-########################.log",
                                        "_00000000_000000-sess-########################.log",
                                        "_00000000_000000-job-########################.log" };
    size_t n = strlen(name);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (n > strlen(ends[i]) && has_form(name + n - strlen(ends[i]), ends[i]))
            return true;
    return false;
}

bool retention_is_run_log(const char *name, const void *context)
{
    static const char *const starts[] = { "low-risk_", "medium-risk_", "high-risk_" };
    const char *own = context;
    if (!has_log_end(name))
        return false;
    if (own)
        return str_starts(name, own) && name[strlen(own)] == '_';
    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (str_starts(name, starts[i]))
            return true;
    return false;
}

bool retention_is_policy(const char *name, const void *context)
{
    (void)context;
    return has_form(name, "################.policy");
}

bool retention_is_entry(const char *name, const void *context)
{
    (void)context;
    return has_form(name, "################");
}
