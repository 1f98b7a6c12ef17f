#include "run/event_log.h"

#include <fcntl.h>
#include <stdio.h>

#include "audit/dir.h"
#include "audit/line.h"
#include "base/clock.h"
#include "base/json.h"
#include "run/locations.h"
#include "run/rotate.h"
#include "run/exec.h"

static bool is_wanted(const struct trail *t, const struct config *c, enum log_level level)
{
    if (!t->is_open || !c->monitoring.logging.enabled || level < (enum log_level)c->monitoring.logging.level)
        return false;
    STRLIST_FOREACH(output, &c->monitoring.logging.output)
    if (!str_eq(output, "stderr"))
        return true;
    return false;
}

/* ---- a line ---- */

struct event {
    const char *name, *agent;
    enum log_level level;
    const struct exec *exec; /* NULL: an alert */
    const struct violation *violation;
    const char *message; /* of an alert; its condition is in `detail` */
    const char *detail;
};

static enum run_reason reason_of(const struct exec *s)
{
    struct result r;
    exec_result(s, &r);
    return result_reason(&r);
}

static void put_run(struct buf *b, const struct event *e)
{
    const struct exec *s = e->exec;
    const struct outcome *o = s->has_outcome ? &s->outcome : NULL;
    json_key(b, "execution_id"), json_put_string(b, s->id);
    json_key(b, "language"), json_put_string(b, language_names[s->load.request.language]);
    json_key(b, "risk_level"), json_put_string(b, risk_level_names[s->policy.profile.risk_level]);
    if (e->violation) {
        json_key(b, "violation"), json_put_string(b, e->violation->type);
        json_key(b, "detail"), json_put_string(b, e->violation->detail);
        json_key(b, "at_ms"), json_uint(b, e->violation->at_ms);
    } else if (!str_eq(e->name, "execution_started")) {
        json_key(b, "reason"), json_put_string(b, reason_name(reason_of(s)));
        json_key(b, "exit_code");
        if (o && o->has_exit)
            json_uint(b, o->exit_code);
        else
            json_put_null(b);
        json_key(b, "duration_ms"), json_milli(b, o ? o->duration_us : 0);
        json_key(b, "cpu_ms"), json_milli(b, o ? o->cpu_us : 0);
        json_key(b, "peak_memory_bytes"), json_uint(b, o ? o->peak_memory_bytes : 0);
        json_key(b, "error"), json_put_string(b, s->error.code ? s->error.text : NULL);
    }
}

static void compose_json(const struct event *e, const char *stamp, struct buf *b)
{
    json_open(b, '{');
    json_key(b, "time"), json_put_string(b, stamp);
    json_key(b, "level"), json_put_string(b, log_level_names[e->level]);
    json_key(b, "event"), json_put_string(b, e->name);
    json_key(b, "agent_id"), json_put_string(b, e->agent);
    if (e->exec) {
        put_run(b, e);
    } else {
        json_key(b, "condition"), json_put_string(b, e->detail);
        json_key(b, "message"), json_put_string(b, e->message);
    }
    json_close(b, '}');
}

static void compose_text(const struct event *e, const char *stamp, struct buf *b, size_t *ret_words)
{
    const struct exec *s = e->exec;
    (void)buf_addf(b, "%s sandbox-agent: %s: ", stamp, log_level_names[e->level]);
    *ret_words = b->size;
    (void)buf_adds(b, e->name);
    if (e->agent)
        (void)buf_adds(b, " agent "), (void)buf_adds_clean(b, e->agent);
    if (!s) {
        (void)buf_addf(b, " %s: ", e->detail), (void)buf_adds_clean(b, e->message);
        return;
    }
    (void)buf_addf(b, " %s %s %s", s->id, language_names[s->load.request.language],
                   risk_level_names[s->policy.profile.risk_level]);
    if (e->violation)
        (void)buf_addf(b, " %s: ", e->violation->type), (void)buf_adds_clean(b, e->violation->detail);
    else if (!str_eq(e->name, "execution_started"))
        (void)buf_addf(b, " %s after %llu ms", reason_name(reason_of(s)),
                       (unsigned long long)(s->has_outcome ? s->outcome.duration_us / 1000 : 0));
    if (s->error.code && !e->violation)
        (void)buf_adds(b, ": "), (void)buf_adds_clean(b, s->error.text);
}

/* ---- where it goes ---- */

/* As the owner of the directory: root's command line writes beside the service (audit/dir.h). */
static void append(const char *path, const struct buf *line)
{
    char dir[4096];
    const char *slash = strrchr(path, '/');
    int n = snprintf(dir, sizeof dir, "%.*s", (int)(slash == path ? 1 : slash - path), path);
    cleanup(closep) int at = n > 0 && n < (int)sizeof dir ? dir_open(dir) : -ENAMETOOLONG;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(at);
    int fd = at < 0 ? at : rotate_open(at, slash + 1);
    if (fd < 0 || write(fd, line->data, line->size) != (ssize_t)line->size)
        (void)fprintf(stderr, "sandbox-agent: monitoring.logging.output %s: %s\n", path,
                      strerror(at < 0 ? -at : errno));
    if (fd >= 0)
        (void)close(fd);
}

static void write_event(const struct trail *t, const struct config *c, const struct event *e)
{
    char stamp[AUDIT_TIME_SIZE];
    struct buf line;
    size_t words = 0;
    buf_init(&line, 64 * KIB);
    audit_time_write(wall_clock_ms(), stamp);
    if (c->monitoring.logging.format == CONFIG_LOG_JSON)
        compose_json(e, stamp, &line);
    else
        compose_text(e, stamp, &line, &words);
    (void)buf_addc(&line, '\n');
    if (line.failed) {
        buf_done(&line);
        return;
    }
    if (t->shared && t->shared->log) {
        const struct event_line out = {
            line.data, line.size, words, e->level, e->name, e->agent, e->exec ? e->exec->id : NULL
        };
        t->shared->log(t->shared->log_context, &out);
    } else {
        STRLIST_FOREACH(path, &c->monitoring.logging.output)
        if (path[0] == '/')
            append(locations_below(path, trail_dir(t), t->arena), &line);
    }
    buf_done(&line);
}

/* ---- events ---- */

void event_log_started(const struct trail *t, const struct config *c, const struct exec *s)
{
    const struct event e = { .name = "execution_started", .agent = s->options.agent_id, .exec = s, .level = LOG_INFO };
    if (is_wanted(t, c, LOG_INFO))
        write_event(t, c, &e);
}

static void tell_violations(const struct trail *t, const struct config *c, const struct exec *s)
{
    struct result r;
    exec_result(s, &r);
    for (uint32_t i = 0; i < r.violation_count; i++) {
        const struct event e = { .name = "security_violation",
                                 .agent = s->options.agent_id,
                                 .exec = s,
                                 .violation = &r.violations[i],
                                 .level = LOG_WARN };
        write_event(t, c, &e);
    }
}

void event_log_ended(const struct trail *t, const struct config *c, const struct exec *s)
{
    if (!is_wanted(t, c, LOG_ERROR)) /* no event is more severe: then nothing is */
        return;
    enum run_reason reason = reason_of(s);
    struct event e = { .name = reason == REASON_COMPLETED ? "execution_completed" : "execution_failed",
                       .agent = s->options.agent_id,
                       .exec = s,
                       .level = reason == REASON_SANDBOX_ERROR                         ? LOG_ERROR
                                : reason == REASON_COMPLETED || reason == REASON_ERROR ? LOG_INFO
                                                                                       : LOG_WARN };
    if (is_wanted(t, c, LOG_WARN))
        tell_violations(t, c, s);
    if (is_wanted(t, c, e.level))
        write_event(t, c, &e);
}

void event_log_alert(const struct trail *t, const struct config *c, enum log_level level, const char *condition,
                     const char *agent_id, const char *message)
{
    const struct event e = {
        .name = "alert", .agent = agent_id, .level = level, .detail = condition, .message = message
    };
    if (is_wanted(t, c, level))
        write_event(t, c, &e);
}
