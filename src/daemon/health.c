#include "daemon/health.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "audit/key.h"
#include "daemon/launcher.h"

void health_live(struct call *c, struct http_answer *a)
{
    (void)c;
    struct buf *out = answer_json(a, 200, 256);
    (void)buf_adds(out, "{\"status\":\"ok\"}\n");
}

/* --- ready ---------------------------------------------------------------------------------------- */

#define WHY_SIZE    512u
#define PROBE_BYTES (16 * KIB) /* about what a run writes at least */

typedef char why_text[WHY_SIZE];

static bool is_bad(why_text why, const char *format, ...) PRINTF_LIKE(2, 3);
static bool is_bad(why_text why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, WHY_SIZE, format, args);
    va_end(args);
    return false;
}

/* A file without a name, or with one for a moment where the file system knows no such. */
static int probe_file(int dir)
{
    char name[40];
    int fd = openat(dir, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT))
        return fd < 0 ? -errno : fd;
    (void)snprintf(name, sizeof name, ".ready.%d", (int)getpid());
    fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int e = fd < 0 ? -errno : fd;
    if (fd >= 0)
        (void)unlinkat(dir, name, 0);
    return e;
}

/* 0: a file can be made and written there now. */
static int probe_directory(const char *path)
{
    static const char bytes[PROBE_BYTES];
    cleanup(closep) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return -errno;
    cleanup(closep) int fd = probe_file(dir);
    if (fd < 0)
        return fd;
    ssize_t n = write(fd, bytes, sizeof bytes);
    return n < 0 ? -errno : n == (ssize_t)sizeof bytes ? 0 : -ENOSPC;
}

/* The database that is open is the one that stands there: SQLite refuses to write to one without a name. */
static bool store_is_there(struct service *v, why_text why)
{
    struct stat st;
    char path[PATH_MAX];
    if (!v->store_ino)
        return true; /* another machine's */
    (void)snprintf(path, sizeof path, "%s/state.db", v->places.state_dir);
    if (stat(path, &st) < 0)
        return is_bad(why, "%s: %s; start the service again", path, strerror(errno));
    if (st.st_dev != v->store_dev || st.st_ino != v->store_ino)
        return is_bad(why, "%s is not the file that was opened; start the service again", path);
    int e = probe_directory(v->places.state_dir);
    return e == 0 || is_bad(why, "cannot write in %s: %s", v->places.state_dir, strerror(-e));
}

static bool store_is_good(struct service *v, why_text why)
{
    struct error err;
    uint64_t version;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = v->store ? store_version(v->store, &version, &err) : -EBADF;
    (void)pthread_mutex_unlock(&v->store_lock);
    return e < 0 ? is_bad(why, "does not answer%s%s", v->store ? ": " : "", v->store ? err.text : "")
                 : store_is_there(v, why);
}

/* Where runs are logged: one of the directories is enough, as for runlog_open(). */
static bool logs_are_good(struct service *v, why_text why)
{
    struct policy_set *policies = service_policies(v);
    const char *first = NULL;
    struct locations where;
    struct arena arena = { 0 };
    int e = -ENOENT, first_e = 0;
    locations_find(v->paths, &policies->level[0].config, &arena, &where);
    for (size_t i = 0; e < 0 && where.log_dirs[i]; i++) {
        e = probe_directory(where.log_dirs[i]);
        first = first ? first : where.log_dirs[i];
        first_e = first_e ? first_e : e;
    }
    if (e < 0)
        (void)is_bad(why, "cannot write in %s: %s", first ? first : "any directory", strerror(-first_e));
    arena_done(&arena);
    (void)policy_set_unref(policies);
    return e == 0;
}

static bool audit_is_good(struct service *v, why_text why)
{
    struct stat at, opened;
    struct audit_key_file key;
    (void)pthread_mutex_lock(&v->trail.lock);
    const struct audit *a = &v->trail.audit;
    bool is_open = a->fd >= 0 && a->lock_fd >= 0 && fstat(a->dir_fd, &opened) == 0;
    const char *dir = a->dir; /* of the service's arena: it stays */
    struct error err = { 0 };
    int key_e = is_open ? key_check(a->key_dir_fd, a->key_dir, &key, &err) : 0;
    (void)pthread_mutex_unlock(&v->trail.lock);
    if (!is_open)
        return is_bad(why, "is not open");
    if (key_e < 0)
        return is_bad(why, "%s", err.text);
    if (stat(dir, &at) < 0)
        return is_bad(why, "%s: %s; start the service again", dir, strerror(errno));
    if (at.st_dev != opened.st_dev || at.st_ino != opened.st_ino)
        return is_bad(why, "%s is not the directory that was opened; start the service again", dir);
    int e = probe_directory(dir);
    return e < 0 ? is_bad(why, "cannot write in %s: %s", dir, strerror(-e)) : logs_are_good(v, why);
}

static bool launcher_answers(struct service *v, why_text why)
{
    return (v->launcher && launcher_is_alive(v->launcher)) || is_bad(why, "is not there");
}

static bool takes_runs(struct service *v, why_text why)
{
    if (v->is_drained)
        return is_bad(why, "is closed: the node is drained");
    if (v->is_off_clock)
        return is_bad(why, "is closed: this node's clock is too far off the database's (fleet.max_clock_difference)");
    return (!v->is_leaving && !v->is_draining) || is_bad(why, "is closed: the service ends");
}

static const struct check {
    const char *name;
    bool (*is_good)(struct service *v, why_text why);
} checks[] = {
    { "store", store_is_good }, { "audit", audit_is_good }, { "launcher", launcher_answers }, { "intake", takes_runs }
};

void health_ready(struct call *c, struct http_answer *a)
{
    struct buf *out = answer_json(a, 200, 8 * KIB);
    bool all = true;
    why_text why[ARRAY_LEN(checks)];
    for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
        (void)snprintf(why[i], sizeof why[i], "ok");
        all &= checks[i].is_good(c->service, why[i]);
    }
    json_open(out, '{');
    json_key(out, "status"), json_put_string(out, all ? "ok" : "unavailable");
    json_key(out, "checks");
    json_open(out, '{');
    for (size_t i = 0; i < ARRAY_LEN(checks); i++)
        json_key(out, checks[i].name), json_put_string(out, why[i]);
    json_close(out, '}');
    json_close(out, '}');
    (void)buf_addc(out, '\n');
    a->status = all ? 200 : 503;
    if (!all)
        http_answer_header(a, "Retry-After", "1");
}

/* --- version and metrics -------------------------------------------------------------------------- */

void health_version(struct call *c, struct http_answer *a)
{
    (void)c;
    struct buf *out = answer_json(a, 200, 256);
    (void)buf_adds(out, "{\"version\":\"" VERSION "\",\"api\":\"v1\"}\n");
}

void health_metrics(struct call *c, struct http_answer *a)
{
    struct policy_set *policies = service_policies(c->service);
    bool is_on = policies->level[0].config.monitoring.metrics.enabled;
    (void)policy_set_unref(policies);
    if (!is_on) {
        answer_fail(a, c->arena, ANSWER_NOT_FOUND, "monitoring.metrics.enabled is false");
        return;
    }
    struct buf *out = answer_json(a, 200, 4 * MIB);
    a->content_type = "text/plain; version=0.0.4; charset=utf-8";
    metrics_text(c->service, out);
}
