#include "daemon/audit_api.h"

#include <fcntl.h>

#include "audit/hmac.h"
#include "audit/note.h"
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

const char *audit_dir(struct service *v, struct arena *a)
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
    if (p->is_full || (!s->limit && r.is_late))
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

/* --- the tree ------------------------------------------------------------------------------------- */

static void answer_text(struct http_answer *a, size_t max)
{
    a->status = 200;
    a->content_type = "text/plain; charset=utf-8";
    buf_init(&a->body, max);
}

void audit_checkpoint(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct gate *gate = &c->service->routes->searches;
    struct checkpoint now;
    struct buf note = { 0 };
    const char *dir = audit_dir(c->service, c->arena);
    if (!gate_enter(gate, AT_ONCE, "searches in the audit", c, a))
        return;
    int e = dir ? note_now(dir, c->service->places.state_dir, &now, &note, NULL, &err)
                : err_set(&err, -ENOENT, BLAME_HOST, "AUDIT", "the audit is not open");
    gate_leave(gate);
    if (e < 0) {
        call_refuse(c, a, &err);
    } else {
        answer_text(a, NOTE_MAX_BYTES);
        (void)buf_add(&a->body, note.data, note.size);
    }
    buf_done(&note);
}

/* Of a tree that a checkpoint has named: what the file has already. */
static int open_tree(struct call *c, uint64_t size, struct error *err)
{
    const char *dir = audit_dir(c->service, c->arena);
    uint64_t count = 0;
    cleanup(closep) int d = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int fd = d < 0 ? -ENOENT : tree_open(d, false), e = fd < 0 ? fd : tree_count(fd, &count);
    if (e == 0 && count >= size)
        return fd;
    closep(&fd);
    if (e < 0 && e != -ENOENT)
        return err_set(err, e, BLAME_HOST, "AUDIT", "audit.tree: %s", strerror(-e));
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "the tree has %llu lines, not %llu", (unsigned long long)count,
                  (unsigned long long)size);
    return err_remedy(err, "ask for a checkpoint first: it says how many there are");
}

static void answer_proof(struct call *c, struct http_answer *a, int e, const struct tree_proof *proof,
                         struct error *err)
{
    if (e < 0) {
        if (!err->code)
            (void)err_set(err, e, BLAME_HOST, "AUDIT", "audit.tree: %s", strerror(-e));
        call_refuse(c, a, err);
        return;
    }
    answer_text(a, 8 * KIB);
    for (size_t i = 0; i < proof->count; i++) {
        base64_write(&a->body, proof->list[i].bytes, sizeof proof->list[i].bytes);
        (void)buf_addc(&a->body, '\n');
    }
}

/* Two whole numbers, the first at most the second. */
static int read_two(const struct http_request *q, const char *const *names, uint64_t *first, uint64_t *second,
                    struct error *err)
{
    int e = query_known(q, names, err);
    *first = *second = 0;
    if (e == 0)
        e = query_uint(q, names[0], 1, UINT64_MAX / 4, first, err);
    if (e == 0)
        e = query_uint(q, names[1], 1, UINT64_MAX / 4, second, err);
    if (e == 0 && (!*first || *first > *second))
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s and %s are both needed, and the first is at most the second",
                    names[0], names[1]);
    return e;
}

void audit_consistency(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "from", "to", NULL };
    struct error err = { 0 };
    struct tree_proof proof = { 0 };
    uint64_t from, to;
    int e = read_two(c->request, names, &from, &to, &err);
    cleanup(closep) int fd = e < 0 ? -1 : open_tree(c, to, &err);
    if (e == 0)
        e = fd < 0 ? fd : tree_consistency(fd, from, to, &proof);
    answer_proof(c, a, e, &proof, &err);
}

void audit_inclusion(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "sequence", "size", NULL };
    struct error err = { 0 };
    struct tree_proof proof = { 0 };
    uint64_t sequence, size;
    int e = read_two(c->request, names, &sequence, &size, &err);
    cleanup(closep) int fd = e < 0 ? -1 : open_tree(c, size, &err);
    if (e == 0)
        e = fd < 0 ? fd : tree_inclusion(fd, sequence - 1, size, &proof);
    answer_proof(c, a, e, &proof, &err);
}
