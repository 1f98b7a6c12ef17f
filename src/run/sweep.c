#include "run/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "audit/artifacts.h"
#include "audit/dir.h"
#include "base/cache.h"
#include "base/kernel.h"
#include "base/retention.h"
#include "run/artifacts.h"

#define DAY_MS (24 * 3600 * UINT64_C(1000))

void sweep_init(struct sweep *s, const struct trail *t, const struct config *c, const struct paths *p, struct arena *a)
{
    *s = (struct sweep){ .log_dir = trail_dir(t),
                         .artifacts = c->security.store_artifacts.enabled ? keep_path(t, c, a) : NULL,
                         .cache = p->cache };
}

void sweep_add_level(struct sweep *s, const struct profile *p, struct arena *a)
{
    struct runlog_place place = runlog_place(s->log_dir, p->logging.output, risk_level_names[p->risk_level], a);
    bool is_usual = str_eq(place.dir, s->log_dir) && str_starts(place.start, risk_level_names[p->risk_level]) &&
                    str_eq(place.start + strlen(risk_level_names[p->risk_level]), "-risk");
    if (!is_usual)
        s->own[p->risk_level] = place;
}

/* ---- when ---- */

bool sweep_is_due(const struct sweep *s, uint64_t now_ms)
{
    struct stat st;
    /* with the artifacts, where there are any: among the logs it would be in the way of those who list them */
    cleanup(closep) int with = s->artifacts ? open(s->artifacts, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    cleanup(closep) int dir = with >= 0 ? TAKE_FD(with) : open(s->log_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dir);
    cleanup(closep) int fd = dir < 0 ? -1 : openat(dir, ".swept", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &st) < 0)
        return false; /* another process is at it */
    uint64_t marked_ms = (uint64_t)st.st_mtim.tv_sec * 1000;
    if (st.st_size && marked_ms <= now_ms && now_ms - marked_ms < SWEEP_EVERY_MS)
        return false;
    return pwrite(fd, "1", 1, 0) == 1; /* which sets the time */
}

/* ---- logs ---- */

struct kind {
    int dir;
    retention_is_ours *is_ours;
    const char *context;
};

/* All kinds together have this many bytes. */
static void sweep_kinds(struct retention *r, const struct kind *kinds, size_t count, uint64_t days, uint64_t max_bytes)
{
    for (size_t i = 0; i < count; i++) {
        cleanup(dir_leave) struct dir_visit visit = dir_enter(kinds[i].dir);
        retention_scan(r, kinds[i].dir, kinds[i].is_ours, kinds[i].context);
    }
    uint64_t before_ms = retention_before(r, max_bytes, days * DAY_MS);
    for (size_t i = 0; i < count; i++) {
        cleanup(dir_leave) struct dir_visit visit = dir_enter(kinds[i].dir);
        retention_remove(r, kinds[i].dir, kinds[i].is_ours, kinds[i].context, before_ms);
    }
}

static void add_kind(struct kind *kinds, size_t *count, int dir, retention_is_ours *is_ours, const char *context)
{
    if (dir >= 0)
        kinds[(*count)++] = (struct kind){ dir, is_ours, context };
}

static void sweep_logs(const struct sweep *s, const struct config *c, struct retention *r)
{
    struct kind kinds[1 + RISK_COUNT] = { 0 };
    size_t count = 0;
    add_kind(kinds, &count, open(s->log_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), retention_is_run_log, NULL);
    for (size_t i = 0; i < RISK_COUNT; i++)
        if (s->own[i].dir)
            add_kind(kinds, &count, open(s->own[i].dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), retention_is_run_log,
                     s->own[i].start);
    sweep_kinds(r, kinds, count, c->monitoring.logging.retention_days, c->monitoring.logging.max_total_size);
    for (size_t i = 0; i < count; i++)
        (void)close(kinds[i].dir);
}

/* ---- caches ---- */

/* As caches are opened: what others may write is not ours. */
static int open_cache(const char *path, const char *below)
{
    char full[4200];
    struct stat st;
    (void)snprintf(full, sizeof full, "%s%s", path, below);
    cleanup(closep) int fd = open(full, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || !cache_is_ours(&st))
        return -1;
    return TAKE_FD(fd);
}

static void sweep_caches(const struct sweep *s, const struct config *c, struct retention *r)
{
    struct kind kinds[3];
    size_t count = 0;
    if (!s->cache)
        return;
    add_kind(kinds, &count, open_cache(s->cache, ""), retention_is_policy, NULL);
    add_kind(kinds, &count, open_cache(s->cache, "/scan"), retention_is_entry, NULL);
    add_kind(kinds, &count, open_cache(s->cache, "/compiled"), retention_is_entry, NULL);
    sweep_kinds(r, kinds, count, c->sandbox.cache.retention_days, c->sandbox.cache.max_total_size);
    for (size_t i = 0; i < count; i++)
        (void)close(kinds[i].dir);
}

/* ---- artifacts ---- */

/* What would be gained by removing this run: contents that others share count in parts. */
static uint64_t bytes_of_execution(int dir, uint64_t *ret_at_ms)
{
    struct stat st;
    uint64_t bytes = 0;
    int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = again < 0 ? NULL : fdopendir(again);
    if (!d && again >= 0)
        (void)close(again);
    *ret_at_ms = 0;
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
            continue;
        bytes += (uint64_t)st.st_size / (st.st_nlink > 2 ? (uint64_t)st.st_nlink - 1 : 1);
        if (str_eq(e->d_name, "manifest.json"))
            *ret_at_ms = (uint64_t)st.st_mtim.tv_sec * 1000 + (uint64_t)st.st_mtim.tv_nsec / 1000000;
    }
    if (d)
        (void)closedir(d);
    return bytes;
}

static void scan_artifacts(const char *path, struct retention *r)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *top = fd < 0 ? NULL : fdopendir(fd);
    if (!top) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    cleanup(dir_leave) struct dir_visit visit = dir_enter(fd);
    for (const struct dirent *e; (e = readdir(top));) {
        uint64_t at_ms, bytes;
        cleanup(closep) int dir = artifacts_id_is_valid(e->d_name)
                                      ? openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                                      : -1;
        if (dir < 0)
            continue;
        bytes = bytes_of_execution(dir, &at_ms);
        if (at_ms) /* without a manifest it may still run: artifacts_sweep() knows for how long */
            retention_add(r, at_ms, bytes);
    }
    (void)closedir(top);
}

static void sweep_artifacts(const struct sweep *s, const struct config *c, struct retention *r)
{
    struct sweep_result removed;
    if (!s->artifacts)
        return;
    scan_artifacts(s->artifacts, r);
    uint64_t before_ms = retention_before(r, c->security.store_artifacts.max_total_size,
                                          c->security.store_artifacts.retention_days * DAY_MS);
    (void)artifacts_sweep(s->artifacts, before_ms, &removed, NULL); /* what fails is tried again in an hour */
}

/* ---- all ---- */

void sweep_now(const struct sweep *s, const struct config *c, uint64_t now_ms)
{
    static void (*const parts[])(const struct sweep *, const struct config *,
                                 struct retention *) = { sweep_logs, sweep_artifacts, sweep_caches };
    struct retention *r = malloc(sizeof *r);
    for (size_t i = 0; r && i < ARRAY_LEN(parts); i++) {
        retention_init(r, now_ms);
        parts[i](s, c, r);
    }
    free(r);
}

void sweep_apart(const struct sweep *s, const struct config *c, uint64_t now_ms)
{
    if (fork() != 0)
        return; /* without a child: in an hour, then */
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)setsid();
    (void)signal(SIGHUP, SIG_IGN);
    for (int fd = 0; fd < 3; fd++)
        (void)dup2(null, fd); /* a caller that waits for the end of our output must not wait for this */
    (void)sys_close_range(3, ~0u);
    sweep_now(s, c, now_ms);
    _exit(0);
}
