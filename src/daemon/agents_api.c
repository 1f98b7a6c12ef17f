#include "daemon/agents_api.h"

#include "daemon/sessions.h"

#include "base/clock.h"
#include "base/request_field.h"
#include "base/parse.h"
#include "daemon/attempts.h"
#include "daemon/body.h"
#include "daemon/query.h"
#include "daemon/routes.h"
#include "run/agent_view.h"

struct desk { /* what one request about agents needs; desk_close() */
    struct call *call;
    struct policy_set *policies;
    const struct config *config;
    struct trust_rules rules;
    struct store ledger;
    uint64_t now_ms;
};

static void desk_open(struct desk *d, struct call *c)
{
    *d = (struct desk){ .call = c, .policies = service_policies(c->service), .now_ms = wall_clock_ms() };
    d->config = &d->policies->level[0].config;
    d->rules = trust_rules_from(d->config);
    d->ledger = service_ledger(c->service, c->arena);
}

static void desk_close(struct desk *d)
{
    (void)store_close(&d->ledger);
    d->policies = policy_set_unref(d->policies);
}

/* --- looking -------------------------------------------------------------------------------------- */

/* Pages of the store that one request looks through for a standing: what is behind them is the next page's. */
#define LOOK_PAGES 20u

struct page { /* what one request asked for, and what was found */
    const char *after, *next;
    uint64_t limit, count;
    int standing; /* -1: any */
    struct agent *found;
};

/* -> whether there is more */
static bool take(struct page *p, const struct agent_list *list)
{
    uint32_t i = 0;
    for (; i < list->count && p->count < p->limit; i++)
        if (p->standing < 0 || list->agents[i].standing == p->standing)
            p->found[p->count++] = list->agents[i];
    p->next = i && (i < list->count || list->is_cut) ? list->agents[i - 1].id : NULL;
    return p->next != NULL;
}

/* The ids are the arena's: those of a page outlive it. */
static int look(struct desk *d, struct page *p, struct error *err)
{
    struct agent_list *list = arena_zero(d->call->arena, sizeof *list);
    p->found = arena_zero(d->call->arena, p->limit * sizeof *p->found);
    if (!list || !p->found)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    for (unsigned pages = 0; pages < LOOK_PAGES; pages++) {
        int e = store_agents(&d->ledger, pages ? p->next : p->after, list, err);
        if (e < 0)
            return e;
        if (!take(p, list) || p->count == p->limit)
            break;
    }
    return 0;
}

static void put_page(const struct desk *d, const struct page *p, struct http_answer *a)
{
    struct buf *out = answer_json(a, 200, 8 * MIB);
    json_open(out, '{');
    json_key(out, "agents");
    json_open(out, '[');
    for (uint64_t i = 0; i < p->count; i++)
        agent_json(out, &p->found[i], NULL, NULL, &d->rules, d->now_ms);
    json_close(out, ']');
    json_key(out, "next");
    json_put_string(out, p->next);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

void agents_list(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "after", "limit", "standing", NULL };
    struct error err = { 0 };
    struct desk d;
    struct page p = { .after = http_query(c->request, "after"), .limit = 100, .standing = -1 };
    int e = query_known(c->request, names, &err);
    if (e == 0)
        e = query_uint(c->request, "limit", 1, STORE_MAX_AGENTS, &p.limit, &err);
    if (e == 0)
        e = query_choice(c->request, "standing", standing_names, &p.standing, &err);
    if (e < 0) {
        call_refuse(c, a, &err);
        return;
    }
    desk_open(&d, c);
    e = look(&d, &p, &err);
    if (e < 0)
        call_refuse(c, a, &err);
    else
        put_page(&d, &p, a);
    desk_close(&d);
}

/* Straight from memory: neither the store nor its lock is needed. */
void agents_attempts(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "limit", NULL };
    struct error err = { 0 };
    uint64_t limit = 100;
    int e = query_known(c->request, names, &err);
    if (e == 0)
        e = query_uint(c->request, "limit", 1, ATTEMPTS_MAX_AGENTS, &limit, &err);
    struct attempts_row *rows = e == 0 ? arena_zero(c->arena, limit * sizeof *rows) : NULL;
    if (e == 0 && !rows)
        e = err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0) {
        call_refuse(c, a, &err);
        return;
    }
    const size_t count = attempts_busiest(metrics_attempts(c->service->metrics), clock_ms(), rows, limit);
    struct buf *out = answer_json(a, 200, MIB);
    json_open(out, '{');
    json_key(out, "window_seconds"), json_uint(out, ATTEMPTS_WINDOW_MIN * 60u);
    json_key(out, "agents");
    json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_open(out, '{');
        json_key(out, "agent_id"), json_put_string(out, rows[i].id);
        json_key(out, "attempts"), json_uint(out, rows[i].count);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

static int unknown_agent(const char *id, struct error *err)
{
    struct buf clean;
    buf_init(&clean, 1024);
    (void)buf_adds_clean(&clean, id);
    int e = err_set(err, -ENOENT, BLAME_CALLER, NULL, "agent %s is not known", clean.data ? clean.data : "");
    buf_done(&clean);
    return err_remedy(err, "GET /agents shows those that are"), e;
}

static int refuse_id(const char *id, struct error *err)
{
    (void)field_refuse(NULL, err, -EINVAL, BLAME_CALLER, REQUEST_AGENT_ID, id, "accepted are " AGENT_ID_ACCEPTED);
    err_field(err, "agent_id");
    return err_remedy(err, "%s", AGENT_ID_REMEDY);
}

/* The agent of the path. One from before its alphabet was fixed is found as well. */
static int find_agent(struct desk *d, bool may_be_new, struct agent *ret, struct error *err)
{
    const char *id = d->call->parts[0];
    if (!agent_id_is_valid(id))
        return unknown_agent(id, err);
    int e = store_agent(&d->ledger, id, NULL, ret, err);
    if (e < 0 || ret->is_known)
        return e;
    if (!may_be_new)
        return unknown_agent(id, err);
    return agent_id_is_accepted(id) ? 0 : refuse_id(id, err);
}

static void put_agent(const struct desk *d, const struct agent *agent, const struct trust_history *history,
                      const struct agent_why *why, const struct agent_limits *limits, struct http_answer *a)
{
    struct buf *out = answer_json(a, 200, 256 * KIB);
    const struct why_view view = { why, d->config, limits };
    agent_json(out, agent, history, &view, &d->rules, d->now_ms);
    (void)buf_addc(out, '\n');
}

/* Asked as a reservation would; global limits and the budget of a key are of no one agent. */
static int count_limits(struct desk *d, const struct agent *agent, struct agent_limits *ret, struct error *err)
{
    int e = 0;
    for (unsigned level = 0; e == 0 && level < RISK_COUNT; level++) {
        const struct compiled *policy = &d->policies->level[level];
        struct limit_rules r = limit_rules_from(&policy->config, &policy->profile);
        r.jobs_per_hour = limit_rules_of_job(&policy->config, &policy->profile).jobs_per_hour;
        r.global_concurrent = r.global_runs_per_hour = 0;
        r.budgets[BUDGET_OF_KEY] = (struct budget){ 0 };
        const struct reserve ask = { .execution_id = "none",
                                     .agent_id = agent->id,
                                     .code_hash = "",
                                     .language = "none",
                                     .level = (uint8_t)level,
                                     .now_ms = d->now_ms,
                                     .limits = r };
        ret->rules[level] = r;
        e = store_counts(&d->ledger, &ask, &ret->used[level], err);
    }
    return e;
}

void agents_show(struct call *c, struct http_answer *a)
{
    struct trust_history *history = arena_zero(c->arena, sizeof *history);
    struct agent_limits limits = { 0 };
    struct error err = { 0 };
    struct agent agent;
    struct agent_why why = { 0 };
    struct desk d;
    desk_open(&d, c);
    int e = find_agent(&d, false, &agent, &err);
    if (e == 0)
        e = history ? store_history(&d.ledger, agent.id, history, &err)
                    : err_set(&err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    if (e == 0)
        e = store_why(&d.ledger, agent.id, &why, &err);
    if (e == 0)
        e = count_limits(&d, &agent, &limits, &err);
    if (e == 0)
        put_agent(&d, &agent, history, &why, &limits, a);
    else
        call_refuse(c, a, &err);
    desk_close(&d);
}

/* --- acting --------------------------------------------------------------------------------------- */

static const struct act {
    enum steer_verb verb;
    const char *action; /* in the audit */
    bool may_create;
} trust_act = { STEER_TRUST, "agent-trust-set", false },
  quarantine_act = { STEER_QUARANTINE, "agent-quarantined", true },
  release_act = { STEER_RELEASE, "agent-released", false }, ban_act = { STEER_BAN, "agent-banned", true };

static void read_score(const struct desk *d, struct body *b, uint32_t *ret)
{
    char low[32], high[32];
    const char *text = body_scalar(b, "trust", 32);
    if (!text || parse_ratio(text, ret) < 0 || *ret < d->rules.min || *ret > d->rules.max)
        (void)body_refuse(b, "trust", "expected is a score between %s and %s, with at most three decimals",
                          format_milli(d->rules.min, low), format_milli(d->rules.max, high));
}

/* The words of the request; they live in the call's arena. */
static int read_words(const struct desk *d, const struct act *act, struct steer *s, struct error *err)
{
    const struct http_request *q = d->call->request;
    struct body *b = NULL;
    int e = body_parse(q->body, q->body_size, false, &b, err);
    if (e < 0)
        return e;
    if (act->verb == STEER_TRUST)
        read_score(d, b, &s->trust);
    const char *reason = body_text(b, "reason", STORE_TEXT_MAX);
    if (!reason || !*reason)
        (void)body_refuse(b, "reason", "is missing: it goes into the audit");
    else
        s->reason = arena_copy(d->call->arena, reason);
    e = body_end(b, err);
    (void)body_free(b);
    return e;
}

/* Members of the audit line, beside action, agent and reason: as the command's. */
static const char *detail_of(const struct desk *d, const struct steer *s, const struct agent *before)
{
    struct buf b;
    buf_init(&b, 1024);
    if (s->verb == STEER_TRUST) {
        json_key(&b, "trust");
        json_open(&b, '{');
        json_key(&b, "before"), json_milli(&b, before->is_known ? before->trust : d->rules.initial);
        json_key(&b, "after"), json_milli(&b, s->trust);
        json_close(&b, '}');
    } else {
        json_key(&b, "standing_before");
        json_put_string(&b, agent_standing_name(before));
    }
    const char *text = b.failed || !b.data ? NULL : arena_copy(d->call->arena, b.data);
    buf_done(&b);
    return text;
}

static int steer(struct desk *d, const struct act *act, const struct steer *s, struct agent *agent, struct error *err)
{
    const struct call *c = d->call;
    struct trail t = { .shared = &c->service->trail, .user = c->caller->name };
    int e = trail_open(&t, c->service->paths, d->config, c->arena, err);
    if (e == 0)
        e = trail_act(&t, act->action, s->agent_id, s->reason, detail_of(d, s, agent), err);
    if (e == 0 && (e = store_steer(&d->ledger, s, agent, err)) <
                      0) /* the audit says that it was done: it must not stay alone with that */
        (void)trail_act(&t, "agent-change-failed", s->agent_id, err->text, NULL, NULL);
    trail_close(&t);
    return e;
}

static void do_act(const struct act *act, struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct agent agent;
    struct desk d;
    desk_open(&d, c);
    struct steer s = { .verb = (uint8_t)act->verb,
                       .may_create = act->may_create,
                       .agent_id = c->parts[0],
                       .by = c->caller->name,
                       .initial_trust = d.rules.initial,
                       .now_ms = d.now_ms };
    int e = read_words(&d, act, &s, &err);
    if (e == 0)
        e = find_agent(&d, act->may_create, &agent, &err);
    if (e == 0)
        e = steer(&d, act, &s, &agent, &err);
    if (e == 0 && (act->verb == STEER_QUARANTINE || act->verb == STEER_BAN))
        sessions_end_agent(c->service->sessions, s.agent_id, SESSION_STANDING);
    if (e == 0)
        put_agent(&d, &agent, NULL, NULL, NULL, a);
    else
        call_refuse(c, a, &err);
    desk_close(&d);
}

void agents_trust(struct call *c, struct http_answer *a)
{
    do_act(&trust_act, c, a);
}

void agents_quarantine(struct call *c, struct http_answer *a)
{
    do_act(&quarantine_act, c, a);
}

void agents_release(struct call *c, struct http_answer *a)
{
    do_act(&release_act, c, a);
}

void agents_ban(struct call *c, struct http_answer *a)
{
    do_act(&ban_act, c, a);
}
