#include "daemon/log.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>

#include "audit/line.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/json.h"
#include "run/locations.h"
#include "run/rotate.h"

void service_log_init(struct service_log *l)
{
    *l = (struct service_log){ .is_on = true, .level = LOG_INFO, .fds = { STDERR_FILENO }, .count = 1 };
    (void)pthread_mutex_init(&l->lock, NULL);
}

static void close_files(struct service_log *l)
{
    for (size_t i = 0; i < l->count; i++) {
        if (l->fds[i] > STDERR_FILENO)
            (void)close(l->fds[i]);
        free(l->paths[i]);
    }
    for (size_t i = 0; i < l->collector_count; i++)
        collector_close(&l->collectors[i]);
    l->count = l->collector_count = 0;
}

/* The directory is walked as the service's user does it, whose file it is. */
static int open_named(const char *path)
{
    const char *slash = strrchr(path, '/');
    char dir[4096];
    int n = slash ? snprintf(dir, sizeof dir, "%.*s", (int)(slash == path ? 1 : slash - path), path) : -1;
    cleanup(closep) int at = n > 0 && n < (int)sizeof dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    return at < 0 ? open(path, ROTATE_FLAGS, 0600) /* a directory that may be entered and not read */
                  : rotate_open(at, slash + 1);
}

static void open_file(struct service_log *l, const char *path)
{
    bool is_stream = str_eq(path, "stderr") || str_eq(path, "stdout");
    int fd = !is_stream ? open_named(path) : str_eq(path, "stderr") ? STDERR_FILENO : STDOUT_FILENO;
    if (fd < 0) {
        (void)fprintf(stderr, "sandboxd: monitoring.logging.output: %s: %m\n", path);
        return;
    }
    l->paths[l->count] = is_stream ? NULL : strdup(path); /* without memory it is not moved aside */
    l->fds[l->count++] = fd;
}

static void open_collector(struct service_log *l, const char *output, enum collector_kind kind, const char *path)
{
    int e = l->collector_count < ARRAY_LEN(l->collectors)
                ? collector_open(kind, path, &l->collectors[l->collector_count])
                : -E2BIG;
    if (e < 0)
        (void)fprintf(stderr, "sandboxd: monitoring.logging.output: %s: %s\n", output, strerror(-e));
    else
        l->collector_count++;
}

static void open_output(struct service_log *l, const char *output, const char *log_dir, struct arena *a)
{
    enum collector_kind kind;
    const char *path;
    if (collector_parse(output, &kind, &path))
        open_collector(l, output, kind, path);
    else if (l->count < ARRAY_LEN(l->fds))
        open_file(l, log_dir ? locations_below(output, log_dir, a) : output);
}

void service_log_configure(struct service_log *l, const struct config *c, const char *log_dir)
{
    struct arena a = { 0 };
    (void)pthread_mutex_lock(&l->lock);
    close_files(l);
    l->is_on = c->monitoring.logging.enabled;
    l->level = c->monitoring.logging.level;
    l->is_json = c->monitoring.logging.format == 1;
    STRLIST_FOREACH(output, &c->monitoring.logging.output)
    open_output(l, output, log_dir, &a);
    (void)pthread_mutex_unlock(&l->lock);
    arena_done(&a);
}

/* *ret_words: where in the line its words begin, behind time and level: collectors have these of their own. */
static void compose(const struct service_log *l, enum log_level level, const char *text, struct buf *out,
                    size_t *ret_words)
{
    char stamp[AUDIT_TIME_SIZE];
    audit_time_write(wall_clock_ms(), stamp);
    *ret_words = 0;
    if (l->is_json) {
        json_open(out, '{');
        json_key(out, "time"), json_put_string(out, stamp);
        json_key(out, "level"), json_put_string(out, log_level_names[level]);
        json_key(out, "message"), json_put_string(out, text);
        json_close(out, '}');
    } else {
        (void)buf_addf(out, "%s sandboxd: %s: ", stamp, log_level_names[level]);
        *ret_words = out->size;
        (void)buf_adds_clean(out, text);
    }
    (void)buf_addc(out, '\n');
}

/* Before a line is written, under the lock. */
static void rotate(struct service_log *l)
{
    for (size_t i = 0; i < l->count; i++) {
        int fresh = l->paths[i] && rotate_is_due(l->fds[i], l->paths[i]) ? open_named(l->paths[i]) : -1;
        if (fresh >= 0) {
            (void)close(l->fds[i]);
            l->fds[i] = fresh;
        }
    }
}

/* A standard output that nothing reads must not hold the service up: what does not fit there now is dropped. */
static void write_line(struct service_log *l, int fd, const char *line, size_t size)
{
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    if (fd != STDOUT_FILENO || poll(&p, 1, 0) == 1)
        (void)write_all(fd, line, size); /* nowhere left to complain */
    else
        l->dropped++;
}

static void tell_collectors(struct service_log *l, const struct collector_line *line)
{
    for (size_t i = 0; i < l->collector_count; i++) {
        struct collector *c = &l->collectors[i];
        if (collector_send(c, line))
            continue;
        if (!c->is_told)
            (void)fprintf(stderr,
                          "sandboxd: monitoring.logging.output: %s takes no lines: %m; such lines are counted\n",
                          c->to.sun_path);
        c->is_told = true; /* until a reload */
        l->dropped++;
    }
}

void service_log_write(struct service_log *l, enum log_level level, const char *text)
{
    struct buf line;
    size_t words;
    if (!l->is_on || level < l->level)
        return;
    buf_init(&line, 16 * KIB);
    (void)pthread_mutex_lock(&l->lock);
    compose(l, level, text, &line, &words);
    rotate(l);
    for (size_t i = 0; i < l->count; i++)
        write_line(l, l->fds[i], line.data, line.size);
    if (!line.failed)
        tell_collectors(
            l, &(struct collector_line){ .level = level, .text = line.data + words, .size = line.size - words - 1 });
    (void)pthread_mutex_unlock(&l->lock);
    buf_done(&line);
}

void service_log_line(struct service_log *l, const struct event_line *e)
{
    const struct collector_line line = { .level = e->level,
                                         .text = e->line + e->words,
                                         .size = e->size - e->words - 1,
                                         .event = e->event,
                                         .agent = e->agent,
                                         .execution = e->execution };
    (void)pthread_mutex_lock(&l->lock);
    rotate(l);
    for (size_t i = 0; i < l->count; i++)
        if (l->fds[i] != STDERR_FILENO)
            write_line(l, l->fds[i], e->line, e->size);
    tell_collectors(l, &line);
    (void)pthread_mutex_unlock(&l->lock);
}

void service_log_done(struct service_log *l)
{
    close_files(l);
    (void)pthread_mutex_destroy(&l->lock);
}
