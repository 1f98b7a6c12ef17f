/* log_words.c - what a run's log file says beside the program's output, by the profile's logging.level. */
#include "run/exec.h"

bool exec_logs(const struct exec *s, enum log_level level)
{
    const struct profile *p = &s->policy.profile;
    return s->has_policy && p->logging.enabled && level >= (enum log_level)p->logging.level;
}

static void add_line(struct buf *out, enum log_level level, const char *what, const char *text)
{
    (void)buf_addf(out, "%s: %s", log_level_names[level], what);
    (void)buf_adds_clean(out, text);
    (void)buf_addc(out, '\n');
}

static void add_error(const struct exec *s, struct buf *out)
{
    if (!s->error.code || !exec_logs(s, LOG_ERROR))
        return;
    add_line(out, LOG_ERROR, "", s->error.text);
    if (s->error.remedy[0])
        add_line(out, LOG_ERROR, "remedy: ", s->error.remedy);
}

static void add_violations(const struct exec *s, struct buf *out)
{
    for (uint32_t i = 0; exec_logs(s, LOG_WARN) && i < s->violations.count; i++) {
        const struct violation *v = &s->violations.list[i];
        (void)buf_addf(out, "%s: violation %s at %llu ms: ", log_level_names[LOG_WARN], v->type,
                       (unsigned long long)v->at_ms);
        (void)buf_adds_clean(out, v->detail);
        (void)buf_addc(out, '\n');
    }
}

static void add_missing(const struct exec *s, struct buf *out)
{
    if (!s->has_outcome || !exec_logs(s, LOG_INFO))
        return;
    STRLIST_FOREACH(line, &s->outcome.missing)
    add_line(out, LOG_INFO, "missing: ", line);
}

static void add_decision(const struct exec *s, struct buf *out)
{
    const struct judgement *j = &s->judgement;
    if (!exec_logs(s, LOG_DEBUG))
        return;
    STRLIST_FOREACH(reason, &j->reasons)
    add_line(out, LOG_DEBUG, "level: ", reason);
    for (uint32_t i = 0; j->was_scanned && i < j->report.finding_count; i++) {
        const struct finding *f = &j->report.findings[i];
        (void)buf_addf(out, "%s: finding %s in line %u (%s, risk +%u.%03u): ", log_level_names[LOG_DEBUG], f->rule,
                       f->line, severity_names[f->severity], f->risk_increase / 1000, f->risk_increase % 1000);
        (void)buf_adds_clean(out, f->message);
        (void)buf_addc(out, '\n');
    }
}

static void add_step(struct buf *out, const char *of, const char *name, uint64_t at_us, uint64_t *last_us)
{
    (void)buf_addf(out, "%s: %-7s %-15s +%6llu us  at %7llu us\n", log_level_names[LOG_TRACE], of, name,
                   (unsigned long long)(at_us - *last_us), (unsigned long long)at_us);
    *last_us = at_us;
}

static void add_steps(const struct exec *s, struct buf *out)
{
    uint64_t last = 0;
    if (!exec_logs(s, LOG_TRACE))
        return;
    for (size_t i = 0; i < s->mark_count; i++)
        add_step(out, "command", s->marks[i].name, s->marks[i].at_us, &last);
    last = 0;
    for (uint32_t i = 0; i < s->outcome.step_count; i++)
        add_step(out, "launch", s->outcome.steps[i].name, s->outcome.steps[i].at_us, &last);
}

void exec_log_words(const struct exec *s, struct buf *out)
{
    add_error(s, out);
    add_violations(s, out);
    add_missing(s, out);
    add_decision(s, out);
    add_steps(s, out);
}
