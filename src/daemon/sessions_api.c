#include "daemon/sessions_api.h"

#include "base/clock.h"
#include "daemon/body.h"
#include "daemon/pass_on.h"
#include "daemon/peers.h"
#include "daemon/query.h"
#include "daemon/routes.h"
#include "daemon/run_api.h"
#include "daemon/runner.h"
#include "daemon/session_files_api.h"
#include "daemon/snapshots_api.h"
#include "run/result.h"

#define SET_UP_PATIENCE_MS 15000u /* the launcher's own limit is 10 s */
#define METADATA           "metadata."
#define SESSIONS_GONE_MS   60000u /* of a node that was silent for so long sessions are over (postgres/nodes.c) */

enum session_state { STATE_STARTING, STATE_RUNNING, STATE_PAUSED, STATE_ENDED };
static const char *const state_names[] = { "starting", "running", "paused", "ended", NULL };

/* --- what is shown ------------------------------------------------------------------------------------------- */

static enum session_state state_of(const struct session_entry *e)
{
    return e->has_ended || e->end != SESSION_LIVES ? STATE_ENDED
           : session_is_paused(e->live)            ? STATE_PAUSED
           : session_opened(e->live)               ? STATE_RUNNING
                                                   : STATE_STARTING;
}

static void put_pairs(struct buf *b, const char *name, const struct strlist *pairs)
{
    json_key(b, name);
    json_open(b, '{');
    json_pairs(b, pairs, NULL);
    json_close(b, '}');
}

/* With the table's lock, or of an entry in the caller's own hands. */
static void put_entry(struct buf *b, const struct session_entry *e)
{
    const struct result isolation = { .outcome = session_opened(e->live), .plan = session_plan(e->live) };
    json_open(b, '{');
    json_key(b, "session_id"), json_put_string(b, e->id);
    json_key(b, "key_id"), json_put_string(b, e->key_id);
    json_key(b, "agent_id"), json_put_string(b, e->agent_id);
    json_key(b, "risk_level"), json_put_string(b, e->level < 0 ? NULL : risk_level_names[e->level]);
    json_key(b, "state"), json_put_string(b, state_names[state_of(e)]);
    json_key(b, "end"), json_put_string(b, session_end_name(e->end));
    answer_time(b, "created_at", e->created_ms);
    answer_time(b, "expires_at", e->expires_ms);
    answer_time(b, "ended_at", e->ended_ms);
    json_key(b, "jobs"), json_uint(b, e->jobs);
    json_key(b, "jobs_running"), json_uint(b, e->has_ended ? 0 : session_jobs(e->live));
    put_pairs(b, "metadata", &e->metadata);
    result_put_isolation(&isolation, b);
    json_close(b, '}');
}

struct one {
    const char *id;
    struct buf *body;
};

static bool put_if_this(void *context, const struct session_entry *e)
{
    const struct one *one = context;
    if (!str_eq(e->id, one->id))
        return true;
    put_entry(one->body, e);
    return false;
}

static void answer_entry(struct call *c, unsigned status, const struct session_entry *e, struct http_answer *a)
{
    struct one one = { e->id, answer_json(a, status, 512 * KIB) };
    sessions_each(c->service->sessions, put_if_this, &one);
    if (!one.body->size) /* forgotten meanwhile */
        put_entry(one.body, e);
    (void)buf_addc(one.body, '\n');
}

/* --- finding ---------------------------------------------------------------------------------------------------- */

static void not_found(struct call *c, struct http_answer *a)
{
    answer_fail(a, c->arena, ANSWER_NOT_FOUND, arena_printf(c->arena, "no session %.64s", c->parts[0]));
}

struct session_entry *sessions_seen(struct call *c, struct http_answer *a)
{
    struct session_entry *e = sessions_find(c->service->sessions, c->parts[0]);
    if (e && c->caller->role == KEY_RUN && !str_eq(c->caller->key_id, e->key_id))
        e = session_entry_unref(e);
    if (!e)
        not_found(c, a);
    return e;
}

static void has_ended(struct call *c, struct session_entry *e, struct http_answer *a)
{
    struct error err = { 0 };
    enum session_end end;
    (void)session_entry_level(e, &end);
    const char *why = session_end_name(end);
    (void)err_set(&err, -ESHUTDOWN, BLAME_CALLER, NULL, "session %s has ended: %s", e->id, why ? why : "it is over");
    (void)err_remedy(&err, "create another one");
    answer_error(a, c->arena, ANSWER_CONFLICT, &err, &(struct answer_details){ .rule = why });
}

struct session_entry *sessions_own(struct call *c, struct http_answer *a)
{
    struct session_entry *e = sessions_seen(c, a);
    if (!e)
        return NULL;
    if (!str_eq(c->caller->key_id, e->key_id)) {
        answer_fail(a, c->arena, ANSWER_FORBIDDEN, "this session is another key's: only that key works in it");
        return session_entry_unref(e);
    }
    enum session_end end;
    const int level = session_entry_level(e, &end);
    if (level < 0 && !session_has_ended(e->live)) {
        answer_fail(a, c->arena, ANSWER_CONFLICT, "this session is still starting: its level is not decided yet");
        return session_entry_unref(e);
    }
    if (end == SESSION_LIVES && !session_has_ended(e->live))
        return e;
    has_ended(c, e, a);
    return session_entry_unref(e);
}

struct session_entry *sessions_awake(struct call *c, struct http_answer *a)
{
    struct session_entry *e = sessions_own(c, a);
    if (!e || !session_is_paused(e->live))
        return e;
    struct error err = { 0 };
    (void)err_set(&err, -EBUSY, BLAME_CALLER, NULL, "session %s is paused", e->id);
    (void)err_remedy(&err, "resume it: POST /sessions/%s/resume", e->id);
    answer_error(a, c->arena, ANSWER_CONFLICT, &err, &(struct answer_details){ .rule = "session_paused" });
    return session_entry_unref(e);
}

/* --- POST /sessions ------------------------------------------------------------------------------------------------
 */

/* It ended before it was there: as a run that was refused. */
static void answer_refused(struct call *c, struct execution *x, struct http_answer *a)
{
    (void)execution_wait(x, false, EXECUTION_PATIENCE_MS, -1);
    if (x->elsewhere && pass_on_level(c, x->elsewhere - 1, a))
        return;
    if (x->status != 200) {
        runner_answer(x, a, c->arena);
        return;
    }
    answer_fail(a, c->arena, ANSWER_SANDBOX_ERROR, "the session's sandbox ended before it could be used");
}

/* What it is to hold when it is answered. */
struct begun_with {
    struct session_asked asked;
    struct snapshot snapshot;
    struct snapshot_reader *reader; /* NULL: of none */
};

static bool find_snapshot(struct call *c, const struct runner *r, struct begun_with *w, struct http_answer *a)
{
    w->asked = r->asked;
    return !w->asked.from || snapshots_find(c, w->asked.from, &w->snapshot, &w->reader, a);
}

static void answer_made(struct call *c, const struct session_entry *e, struct http_answer *a)
{
    answer_entry(c, 201, e, a);
    http_answer_header(a, "Location", arena_printf(c->arena, "%s/sessions/%s", c->service->routes->base_path, e->id));
}

static void fill(struct call *c, struct session_entry *e, const struct begun_with *w, struct http_answer *a)
{
    if ((!w->reader || snapshots_restore(c, e, &w->snapshot, w->reader, a)) && session_files_put(c, e, &w->asked, a))
        answer_made(c, e, a);
    else
        (void)session_entry_end(e, SESSION_REFUSED);
}

void sessions_create(struct call *c, struct http_answer *a)
{
    struct runner *r;
    struct begun_with with = { .reader = NULL };
    if (runner_begin_session(c->service, c->request, c->caller, &r, a))
        return;
    struct session_entry *e = session_entry_ref(r->session);
    struct execution *x = execution_ref(r->execution);
    if (!find_snapshot(c, r, &with, a)) {
        runner_end(r);
    } else if (runner_start_thread(r) < 0) {
        runner_end(r);
        answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "no thread for another session");
    } else {
        (void)execution_wait_start(x, EXECUTION_PATIENCE_MS, c->request->fd);
        if (session_wait_ready(e->live, SET_UP_PATIENCE_MS)) {
            fill(c, e, &with, a);
        } else {
            (void)session_entry_end(e, SESSION_LOST);
            answer_refused(c, x, a);
        }
    }
    (void)snapshot_close(with.reader);
    (void)execution_unref(x);
    (void)session_entry_unref(e);
}

/* --- the others ------------------------------------------------------------------------------------------------------
 */

void sessions_show(struct call *c, struct http_answer *a)
{
    struct session_entry *e = sessions_seen(c, a);
    if (e)
        answer_entry(c, 200, e, a);
    (void)session_entry_unref(e);
}

void sessions_delete(struct call *c, struct http_answer *a)
{
    struct session_entry *e = sessions_seen(c, a);
    struct error err = { 0 };
    if (!e)
        return;
    struct execution *x = executions_find(c->service->executions, e->id);
    if (x && !session_has_ended(e->live) && run_audit_stop(c, x, NULL, &err) < 0) {
        call_refuse(c, a, &err);
    } else if (!session_entry_end(e, SESSION_DELETED)) {
        has_ended(c, e, a);
    } else {
        service_log(c->service, LOG_INFO, "session %s: ended by %s", e->id, c->caller->name);
        answer_entry(c, 202, e, a);
    }
    (void)execution_unref(x);
    (void)session_entry_unref(e);
}

void sessions_extend(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct body *b = NULL;
    struct session_entry *e = sessions_own(c, a);
    if (!e)
        return;
    int r = body_parse(c->request->body, c->request->body_size, false, &b, &err);
    const uint32_t ttl = r == 0 ? (uint32_t)body_uint(b, "ttl", SESSION_TTL_MAX, 0) : 0;
    if (r == 0 && !ttl)
        (void)body_refuse(b, "ttl", "expected are 1 to %u seconds", SESSION_TTL_MAX);
    if (r == 0)
        r = body_end(b, &err);
    (void)body_free(b);
    if (r < 0)
        call_refuse(c, a, &err);
    else if (!session_entry_extend(e, ttl))
        has_ended(c, e, a);
    else
        answer_entry(c, 200, e, a);
    (void)session_entry_unref(e);
}

/* One that stands still already, or goes on, is answered as it is. */
static void set_paused(struct call *c, bool on, struct http_answer *a)
{
    struct error err = { 0 };
    struct session_entry *e = sessions_own(c, a);
    if (!e)
        return;
    const int r = session_pause(e->live, on, &err);
    if (r == -ESHUTDOWN) {
        has_ended(c, e, a);
    } else if (r < 0) {
        (void)err_remedy(&err, "ask again, or end the session");
        answer_error(a, c->arena, ANSWER_UNAVAILABLE, &err, &(struct answer_details){ .retry_after_ms = 1000 });
    } else {
        service_log(c->service, LOG_INFO, "session %s: %s", e->id, on ? "paused" : "resumed");
        answer_entry(c, 200, e, a);
    }
    (void)session_entry_unref(e);
}

void sessions_pause(struct call *c, struct http_answer *a)
{
    set_paused(c, true, a);
}

void sessions_resume(struct call *c, struct http_answer *a)
{
    set_paused(c, false, a);
}

void sessions_execute(struct call *c, struct http_answer *a)
{
    struct runner *r;
    bool is_background = false;
    struct session_entry *e = sessions_awake(c, a);
    if (!e || runner_begin_job(c->service, c->request, c->caller, e, &r, &is_background, a))
        return;
    if (is_background)
        run_accept(c, r, a);
    else
        run_answer(c, r, a);
}

/* --- the list
 * ---------------------------------------------------------------------------------------------------------- */

struct filter {
    const struct http_request *request;
    const struct caller *caller;
    int state;
    struct buf *body;
};

static bool has_pair(const struct strlist *pairs, const char *name, const char *value)
{
    const size_t n = strlen(name);
    STRLIST_FOREACH(pair, pairs)
    {
        if (strncmp(pair, name, n) == 0 && pair[n] == '=' && str_eq(pair + n + 1, value))
            return true;
    }
    return false;
}

struct pairs {
    const struct session_entry *entry;
    bool has_all;
};

static bool check_pair(void *context, const char *name, const char *value)
{
    struct pairs *p = context;
    if (str_starts(name, METADATA))
        p->has_all &= has_pair(&p->entry->metadata, name + strlen(METADATA), value);
    return p->has_all;
}

static bool is_wanted(const struct filter *f, const struct session_entry *e)
{
    struct pairs p = { e, true };
    if (f->caller->role == KEY_RUN && !str_eq(f->caller->key_id, e->key_id))
        return false;
    if (f->state >= 0 && f->state != (int)state_of(e))
        return false;
    http_query_each(f->request, check_pair, &p);
    return p.has_all;
}

static bool put_wanted(void *context, const struct session_entry *e)
{
    const struct filter *f = context;
    if (is_wanted(f, e))
        put_entry(f->body, e);
    return !f->body->failed;
}

/* metadata.* is any name. */
static bool check_name(void *context, const char *name, const char *value)
{
    struct error *err = context;
    (void)value;
    if (str_starts(name, METADATA) || str_eq(name, "state"))
        return true;
    struct buf clean;
    buf_init(&clean, 256);
    (void)buf_adds_clean(&clean, name);
    (void)err_set(err, -EBADMSG, BLAME_CALLER, NULL, "unknown parameter: %s", clean.failed ? "?" : clean.data);
    (void)err_remedy(err, "accepted are state and metadata.NAME");
    buf_done(&clean);
    return false;
}

void sessions_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct filter f = { .request = c->request, .caller = c->caller, .state = -1 };
    http_query_each(c->request, check_name, &err);
    if (!err.code)
        (void)query_choice(c->request, "state", state_names, &f.state, &err);
    if (err.code) {
        call_refuse(c, a, &err);
        return;
    }
    f.body = answer_json(a, 200, 8 * MIB);
    json_open(f.body, '{');
    json_key(f.body, "sessions");
    json_open(f.body, '[');
    sessions_each(c->service->sessions, put_wanted, &f);
    json_close(f.body, ']');
    json_close(f.body, '}');
    peers_add(c, "sessions", true, SESSIONS_GONE_MS, a);
}
