#include "run/trail.h"

#include <stdio.h>

#include "audit/search.h"
#include "base/json.h"
#include "run/locations.h"
#include "watch/activity.h"

int trail_open_audit(struct audit *audit, const struct paths *p, const struct config *c, struct arena *a,
                     struct error *err)
{
    struct locations where = { 0 };
    locations_find(p, c, a, &where);
    struct error first = { 0 }; /* a directory that was tried in vain is no error if another one served */
    if (audit_open(audit, where.log_dirs, where.state_dir, c, a, &first) == 0)
        return 0;
    *err = first;
    if (!err->remedy[0])
        (void)err_remedy(err, "make the directory writable, or set sandbox.paths.log_dir and sandbox.paths.state_dir");
    return err_wrap(err, "audit, and nothing runs without it");
}

int trail_open(struct trail *t, const struct paths *p, const struct config *c, struct arena *a, struct error *err)
{
    int e = t->shared ? 0 : trail_open_audit(&t->audit, p, c, a, err);
    if (e < 0)
        return e;
    t->is_open = true;
    t->arena = a;
    t->tells_all = c->security.audit_all;
    if (!t->user)
        t->user = arena_printf(a, "%u", (unsigned)getuid());
    return 0;
}

int trail_key(struct trail *t, struct audit_key *ret, struct audit_head *ret_head, struct error *err)
{
    struct trail_shared *s = t->shared;
    if (!s) {
        *ret_head = t->audit.head;
        return key_load(t->audit.key_dir_fd, t->audit.key_dir, ret, err);
    }
    (void)pthread_mutex_lock(&s->lock);
    *ret_head = s->audit.head;
    int e = key_load_kept(&s->key, s->audit.key_dir_fd, s->audit.key_dir, &s->audit.key_file, ret, err);
    (void)pthread_mutex_unlock(&s->lock);
    return e;
}

const char *trail_dir(const struct trail *t)
{
    return t->shared ? t->shared->audit.dir : t->audit.dir;
}

void trail_close(struct trail *t)
{
    if (!t->is_open)
        return;
    if (!t->shared) {
        (void)audit_settle(&t->audit);
        audit_close(&t->audit);
    }
    t->is_open = false;
}

uint32_t trail_tick(void *trail)
{
    struct trail *t = trail;
    return t->is_open && !t->shared && audit_settle(&t->audit) ? 100 : 0; /* until the child is reaped */
}

static int put(struct trail *t, const struct audit_event *e, struct error *err)
{
    if (!t->shared)
        return audit_write(&t->audit, e, err);
    uint64_t start_us = clock_us();
    (void)pthread_mutex_lock(&t->shared->lock);
    int r = audit_write(&t->shared->audit, e, err);
    if (t->shared->audit.is_behind)
        (void)pthread_cond_signal(&t->shared->written);
    (void)pthread_mutex_unlock(&t->shared->lock);
    if (t->shared->on_write)
        t->shared->on_write(t->shared->write_context, clock_us() - start_us);
    return r;
}

/* --- members of "agentsandbox" ---------------------------------------------------------------------- */

#define NAMES_KEPT 48u

/* What language rules were compared with: modules, commands, builtins. */
static void put_names(struct buf *b, const struct judgement *j)
{
    static const char *const keys[NAME_KINDS] = {
        [NAME_MODULE] = "modules", [NAME_COMMAND] = "commands", [NAME_BUILTIN] = "builtins"
    };
    for (unsigned kind = 0; kind < NAME_KINDS; kind++) {
        json_key(b, keys[kind]);
        json_open(b, '[');
        for (uint32_t i = 0, kept = 0; j->was_scanned && i < j->report.name_count && kept < NAMES_KEPT; i++)
            if (j->report.names[i].kind == kind && strlen(j->report.names[i].name) <= 64) {
                json_put_string(b, j->report.names[i].name);
                kept++;
            }
        json_close(b, ']');
    }
}

/* The level as arithmetic, for a program that shows it; the reasons say it in words. */
static void put_sum(struct buf *b, const struct judgement *j)
{
    const struct level_sum *s = &j->sum;
    json_key(b, "sum");
    if (!j->has_sum) {
        json_put_null(b);
        return;
    }
    json_open(b, '{');
    json_key(b, "score"), json_milli(b, s->score);
    json_key(b, "counted"), json_milli(b, s->counted);
    json_key(b, "left"), json_milli(b, s->left);
    json_key(b, "low_from"), json_milli(b, s->low_from);
    json_key(b, "medium_from"), json_milli(b, s->medium_from);
    json_close(b, '}');
}

/* All that level_decide() was told, so that `policy test` can ask it again; and what it reckoned. */
static void put_decision(struct buf *b, const struct judgement *j)
{
    const struct level_facts *f = &j->facts;
    json_key(b, "decision");
    json_open(b, '{');
    json_key(b, "has_agent"), json_bool(b, f->has_agent);
    json_key(b, "trust"), json_milli(b, f->trust);
    json_key(b, "is_new"), json_bool(b, f->is_new);
    json_key(b, "held"), json_put_string(b, f->held < 0 ? NULL : risk_level_names[f->held]);
    json_key(b, "evidence");
    json_open(b, '{');
    json_key(b, "shapes"), json_uint(b, f->evidence.shapes);
    json_key(b, "hours"), json_uint(b, f->evidence.hours);
    json_key(b, "age_ms"), json_uint(b, f->evidence.age_ms);
    json_key(b, "vouched"), json_bool(b, f->evidence.is_vouched);
    json_key(b, "start"), json_milli(b, f->evidence.start);
    json_close(b, '}');
    json_key(b, "known_bad"), json_bool(b, f->is_known_bad);
    json_key(b, "nameless"), json_bool(b, f->is_nameless);
    json_key(b, "asked"), json_put_string(b, f->was_asked ? risk_level_names[f->asked] : NULL);
    json_key(b, "own_profile"), json_bool(b, f->has_own_profile);
    json_key(b, "scanned"), json_bool(b, f->was_scanned);
    json_key(b, "risk_increase"), json_milli(b, f->risk_increase);
    json_key(b, "need_count"), json_uint(b, f->need_count);
    json_key(b, "needs"), json_put_string(b, f->needs);
    json_key(b, "findings"), json_uint(b, f->finding_count);
    json_key(b, "worst_rule"), json_put_string(b, f->worst_rule);
    json_key(b, "blocking_rule"), json_put_string(b, f->blocking_rule);
    put_names(b, j);
    put_sum(b, j);
    json_close(b, '}');
}

static void put_findings(struct buf *b, const struct judgement *j)
{
    json_key(b, "findings");
    json_open(b, '[');
    for (uint32_t i = 0; j->was_scanned && i < MIN_OF(j->report.finding_count, 16u); i++) {
        const struct finding *f = &j->report.findings[i];
        json_open(b, '{');
        json_key(b, "rule"), json_put_string(b, f->rule);
        json_key(b, "line"), json_uint(b, f->line);
        json_key(b, "severity"), json_put_string(b, severity_names[f->severity]);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_violations(struct buf *b, const struct judgement *j)
{
    json_key(b, "violations");
    json_open(b, '[');
    for (uint32_t i = 0; i < j->violation_count; i++) {
        const struct violation *v = &j->violations[i];
        json_open(b, '{');
        json_key(b, "type"), json_put_string(b, v->type);
        json_key(b, "detail"), json_put_string(b, v->detail);
        json_key(b, "severity"), json_put_string(b, severity_names[v->severity]);
        json_key(b, "class"), json_put_string(b, act_class_names[violation_class(v->type)]);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_trust(struct buf *b, uint32_t before, uint32_t after)
{
    json_key(b, "trust");
    json_open(b, '{');
    json_key(b, "before"), json_milli(b, before);
    json_key(b, "after"), json_milli(b, after);
    json_close(b, '}');
}

/* Names only: a value may be a secret. */
static void put_request(struct buf *b, const struct run_request *r)
{
    json_key(b, "environment");
    json_open(b, '[');
    STRLIST_FOREACH(pair, &r->env)
    json_bytes(b, pair, strcspn(pair, "="));
    json_close(b, ']');
    json_key(b, "volumes");
    json_open(b, '[');
    for (uint32_t i = 0; i < r->volume_count; i++)
        json_put_string(b, r->volumes[i].host);
    json_close(b, ']');
    if (r->packages.name) {
        json_key(b, "packages"), json_open(b, '{');
        json_key(b, "name"), json_put_string(b, r->packages.name);
        json_key(b, "tree"), json_put_string(b, r->packages.tree);
        json_close(b, '}');
    }
}

/* What stands between the braces, in the arena. */
static const char *members(struct arena *a, struct buf *b)
{
    json_close(b, '}');
    const char *text = b->failed || b->size < 2 ? "" : arena_printf(a, "%.*s", (int)(b->size - 2), b->data + 1);
    buf_done(b);
    return text;
}

static struct buf begin_members(const struct trail *t)
{
    struct buf b;
    buf_init(&b, 12 * KIB);
    json_open(&b, '{');
    if (t->session_id)
        json_key(&b, "session_id"), json_put_string(&b, t->session_id);
    if (t->via_node)
        json_key(&b, "via_node"), json_put_string(&b, t->via_node);
    return b;
}

/* --- events ---------------------------------------------------------------------------------------------- */

static struct audit_event of_run(const struct trail *t, const struct judgement *j, const struct run_request *r)
{
    return (struct audit_event){
        .kind = "event",
        .category = "process",
        .execution_id = j->execution_id,
        .agent_id = j->agent_id,
        .level = risk_level_names[j->level],
        .language = language_names[r->language],
        .user = t->user,
        .trace_id = t->trace_id,
        .code_hash = j->code_hash[0] ? j->code_hash : NULL,
        .plan_hash = j->plan_hash[0] ? j->plan_hash : NULL,
        .risk_score = j->was_scanned ? j->report.risk_increase / 10 : 0,
    };
}

int trail_decided(struct trail *t, const struct judgement *j, const struct run_request *r, struct error *err)
{
    if (!t->tells_all)
        return 0;
    struct buf b = begin_members(t);
    put_decision(&b, j);
    put_findings(&b, j);
    put_request(&b, r);
    struct audit_event e = of_run(t, j, r);
    e.action = "execution-decided", e.type = "start", e.outcome = "success";
    e.message = arena_printf(t->arena, "runs at level %s", e.level);
    e.reasons = &j->reasons;
    e.extra = members(t->arena, &b);
    return put(t, &e, err);
}

int trail_refused(struct trail *t, const struct judgement *j, const struct run_request *r, const struct error *why,
                  struct error *err)
{
    struct buf b = begin_members(t);
    put_decision(&b, j);
    put_findings(&b, j);
    put_violations(&b, j);
    put_request(&b, r);
    struct audit_event e = of_run(t, j, r);
    e.category = "intrusion_detection", e.type = "denied", e.outcome = "failure";
    e.action = "execution-refused", e.reason = err_public_code(why), e.rule = j->rule;
    e.message = why->text, e.reasons = &j->reasons;
    e.extra = members(t->arena, &b);
    return put(t, &e, err);
}

#define ACTIVITY_ITEMS 24u /* of each list, or fewer: a line of the audit has its maximum; the result has them all */

static void put_end(struct buf *b, const struct judgement *j, const struct watched *seen, uint32_t activity_items)
{
    put_violations(b, j);
    if (j->is_settled)
        put_trust(b, j->settled.trust_before, j->settled.trust_after);
    else
        json_key(b, "trust"), json_put_null(b);
    json_key(b, "kill_switch"), json_put_string(b, seen->kill_switch);
    if (seen->activity && activity_items)
        json_key(b, "activity"), activity_print(seen->activity, activity_items, b);
}

/* With as much of the activity as the line takes. */
static struct buf end_members(const struct trail *t, const struct judgement *j, const struct watched *seen)
{
    struct buf b;
    for (uint32_t items = ACTIVITY_ITEMS;; items /= 2) {
        b = begin_members(t);
        put_end(&b, j, seen, items);
        if (!b.failed || !items)
            return b;
        buf_done(&b);
    }
}

int trail_finished(struct trail *t, const struct judgement *j, const struct run_request *r, const struct outcome *o,
                   const struct watched *seen, const struct error *failure, struct error *err)
{
    if (!t->tells_all && !j->violation_count)
        return 0;
    struct buf b = end_members(t, j, seen);
    struct audit_event e = of_run(t, j, r);
    bool is_ours = !o || (failure && failure->code);
    e.action = "execution-finished", e.type = "end";
    e.reason = is_ours ? "sandbox_error" : reason_name((enum run_reason)o->reason);
    e.outcome = !is_ours && o->reason == REASON_COMPLETED ? "success" : "failure";
    e.message = failure && failure->code ? failure->text : arena_printf(t->arena, "ended: %s", e.reason);
    if (o) {
        e.has_exit = o->has_exit, e.exit_code = o->exit_code;
        e.duration_us = o->duration_us, e.cpu_us = o->cpu_us, e.peak_memory_bytes = o->peak_memory_bytes;
    }
    e.rule = j->violation_count ? j->violations[0].type : NULL;
    e.extra = members(t->arena, &b);
    return put(t, &e, err);
}

/* Oldest first: in the end, whether the last decision has no end of any kind behind it. */
static bool see(void *lacks_end, const char *line, size_t size, const struct audit_line *l)
{
    (void)line, (void)size;
    if (slice_is(l->action, "execution-decided"))
        *(bool *)lacks_end = true;
    else if (audit_line_is_end(l))
        *(bool *)lacks_end = false;
    return true;
}

/* The clock may have been set back between the store's time of the start and the decision's line: by so much at most.
 */
#define CLOCK_SET_BACK_MS (3600 * UINT64_C(1000))

/* 1: the audit has this run's decision, and no end of any kind behind it. A process that was killed before the
 * decision's line has run nothing; one that was killed right behind the end's line, be it the run's owner or one that
 * recovered it, has told nothing else of it. An execution that is run once more (retry: node_lost) has a decision and
 * an end each time. Negative: the audit cannot be searched, so it is not known. */
static int lacks_end(const struct trail *t, const struct recovered *r, struct error *err)
{
    const struct search s = { .dir = trail_dir(t),
                              .execution = r->execution_id,
                              .since_ms = r->started_ms - MIN_OF(r->started_ms, CLOCK_SET_BACK_MS) };
    struct search_result result;
    bool lacks = false;
    int e = audit_search(&s, see, &lacks, &result, err);
    return e < 0 ? e : lacks;
}

int trail_recovered(struct trail *t, const struct recovered *r, struct error *err)
{
    const int is_due = lacks_end(t, r, err);
    if (is_due <= 0)
        return is_due;
    struct buf b = begin_members(t);
    if (!r->agent_id || r->trust_before || r->trust_after)
        put_trust(&b, r->trust_before, r->trust_after);
    json_key(&b, "started_ms"), json_uint(&b, r->started_ms);
    struct audit_event e = {
        .kind = "event",
        .category = "process",
        .type = "end",
        .outcome = "unknown",
        .action = "execution-recovered",
        .reason = reason_name((enum run_reason)r->reason),
        .message = r->was_settled ? "settled, and its owner died before the audit had it"
                                  : "its owner died before it was settled",
        .execution_id = r->execution_id,
        .agent_id = r->agent_id,
        .level = r->level < RISK_COUNT ? risk_level_names[r->level] : NULL,
        .user = t->user,
        .extra = members(t->arena, &b),
    };
    return put(t, &e, err);
}

int trail_standing(struct trail *t, const char *agent_id, enum standing now, const char *reason, struct error *err)
{
    struct audit_event e = { .kind = "alert",
                             .category = "intrusion_detection",
                             .type = "info",
                             .outcome = "success",
                             .action = now == STANDING_BANNED ? "agent-banned" : "agent-quarantined",
                             .rule = "responses",
                             .message = reason,
                             .agent_id = agent_id,
                             .user = t->user };
    return put(t, &e, err);
}

int trail_alert(struct trail *t, const char *agent_id, const char *condition, const char *message, struct error *err)
{
    struct audit_event e = { .kind = "alert",
                             .category = "process",
                             .type = "info",
                             .outcome = "unknown",
                             .action = "alert-raised",
                             .rule = condition,
                             .message = message,
                             .agent_id = agent_id,
                             .user = t->user };
    return put(t, &e, err);
}

int trail_first_time(struct trail *t, const char *agent_id, const char *execution_id, const char *message,
                     enum severity severity, struct error *err)
{
    struct audit_event e = { .kind = severity >= SEVERITY_MEDIUM ? "alert" : "event",
                             .category = "process",
                             .type = "info",
                             .outcome = "unknown",
                             .action = "agent-first-time",
                             .rule = "baseline",
                             .message = message,
                             .reason = severity_names[severity],
                             .execution_id = execution_id,
                             .agent_id = agent_id,
                             .user = t->user };
    return put(t, &e, err);
}

int trail_act(struct trail *t, const char *action, const char *agent_id, const char *reason, const char *detail_json,
              struct error *err)
{
    const struct audit_event event = { .kind = "event",
                                       .category = "configuration",
                                       .type = "change",
                                       .outcome = "success",
                                       .action = action,
                                       .message = reason,
                                       .reason = reason,
                                       .agent_id = agent_id,
                                       .user = t->user,
                                       .extra = detail_json };
    return put(t, &event, err);
}

int trail_admin(const struct paths *p, const struct config *c, struct arena *a, const char *action,
                const char *agent_id, const char *reason, const char *detail_json, struct error *err)
{
    struct trail t = { 0 };
    int e = trail_open(&t, p, c, a, err);
    if (e < 0)
        return e;
    e = trail_act(&t, action, agent_id, reason, detail_json, err);
    trail_close(&t);
    return e;
}
