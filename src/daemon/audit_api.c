#include "daemon/audit_api.h"

#include "audit/search.h"
#include "base/clock.h"
#include "daemon/query.h"
#include "daemon/routes.h"

#define PAGE_MAX    1000u
#define PAGE_BYTES  (4 * MIB)
#define PATIENCE_US 3000000u /* how long one request may read */
#define AT_ONCE     2u       /* searches; the disk is one */

struct page {
    struct buf *out;
    uint64_t limit, count, first, last; /* numbers of its first line, and of its last */
    bool is_full;                       /* and there is at least one more */
};

static bool add_line(void *context, const char *line, size_t size, const struct audit_line *l)
{
    struct page *p = context;
    if (p->count == p->limit || p->out->size > PAGE_BYTES) {
        p->is_full = true;
        return false;
    }
    (void)buf_addf(p->out, "%s", p->count++ ? "," : "");
    (void)buf_add(p->out, line, size); /* the scanner that gave it has checked that it is one JSON object */
    p->first = p->count == 1 ? l->sequence : p->first;
    p->last = l->sequence;
    return true;
}

static int read_filters(const struct http_request *q, uint64_t *ret_last, uint64_t *ret_page, struct search *s,
                        struct error *err)
{
    static const char *const names[] = { "agent", "execution", "action", "level", "reason", "rule", "since",
                                         "until", "after",     "limit",  "last",  "before", "ends", NULL };
    static const char *const yes_or_no[] = { "false", "true", NULL };
    const uint64_t now = wall_clock_ms();
    int is_end = 0;
    int e = query_known(q, names, err);
    *s = (struct search){
        .agent = http_query(q, "agent"),
        .execution = http_query(q, "execution"),
        .action = http_query(q, "action"),
        .level = http_query(q, "level"),
        .reason = http_query(q, "reason"),
        .rule = http_query(q, "rule"),
        .deadline_us = clock_us() + PATIENCE_US,
    };
    if (e == 0)
        e = query_time(q, "since", now, &s->since_ms, err);
    if (e == 0)
        e = query_time(q, "until", now, &s->until_ms, err);
    if (e == 0)
        e = query_uint(q, "after", 0, UINT64_MAX / 2, &s->after, err);
    if (e == 0)
        e = query_uint(q, "limit", 1, PAGE_MAX, ret_page, err);
    if (e == 0)
        e = query_uint(q, "last", 1, PAGE_MAX, ret_last, err);
    if (e == 0)
        e = query_uint(q, "before", 1, UINT64_MAX / 2, &s->before, err);
    if (e == 0)
        e = query_choice(q, "ends", yes_or_no, &is_end, err);
    s->is_end = is_end == 1;
    if (e == 0 && *ret_last && (http_query(q, "after") || http_query(q, "limit")))
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL,
                    "last: the last lines are one page; neither after nor limit goes with it");
    if (e == 0 && !*ret_last && http_query(q, "before"))
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "before: the lines before it are asked for by last");
    return e;
}

static const char *audit_dir(struct service *v, struct arena *a)
{
    (void)pthread_mutex_lock(&v->trail.lock);
    const char *dir = v->trail.audit.dir ? arena_copy(a, v->trail.audit.dir) : NULL;
    (void)pthread_mutex_unlock(&v->trail.lock);
    return dir;
}

static int fill(const struct search *s, struct page *p, struct error *err)
{
    struct search_result r;
    json_open(p->out, '{');
    json_key(p->out, "events");
    json_open(p->out, '[');
    int e = audit_search(s, add_line, p, &r, err);
    if (e == 0 && r.is_late && s->limit && !r.resume_before) {
        (void)err_set(err, -ETIMEDOUT, BLAME_CALLER, NULL, "the last lines of that kind were not found in %u s",
                      PATIENCE_US / 1000000);
        e = err_remedy(err, "narrow it by agent, rule or since, or go page by page: without last");
    }
    json_close(p->out, ']');
    json_key(p->out, "next");
    if (!s->limit && (p->is_full || r.is_late))
        json_uint(p->out, p->is_full ? p->last : r.resume_after);
    else
        json_put_null(p->out);
    if (s->limit) {
        json_key(p->out, "previous");
        if (r.is_late || (p->count == s->limit && p->first > 1))
            json_uint(p->out, r.is_late ? r.resume_before : p->first);
        else
            json_put_null(p->out);
    }
    json_close(p->out, '}');
    (void)buf_addc(p->out, '\n');
    return e;
}

static void search_page(struct call *c, const struct search *s, uint64_t limit, struct http_answer *a)
{
    struct error err = { 0 };
    struct page p = { .out = answer_json(a, 200, PAGE_BYTES + 2 * AUDIT_LINE_MAX), .limit = limit };
    int e = s->dir ? fill(s, &p, &err) : err_set(&err, -ENOENT, BLAME_HOST, "AUDIT", "the audit is not open");
    if (e < 0)
        call_refuse(c, a, &err);
}

void audit_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct gate *gate = &c->service->routes->searches;
    uint64_t last = 0, limit = 100;
    struct search s;
    int e = read_filters(c->request, &last, &limit, &s, &err);
    if (e < 0) {
        call_refuse(c, a, &err);
        return;
    }
    if (!gate_enter(gate, AT_ONCE, "searches in the audit", c, a))
        return;
    s.limit = last;
    s.dir = audit_dir(c->service, c->arena);
    search_page(c, &s, last ? last : limit, a);
    gate_leave(gate);
}
