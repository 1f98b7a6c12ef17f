/* fleet_search.c - the lines of all nodes' audits, node by node, page by page. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/audit.h"
#include "audit/line.h"
#include "base/json.h"
#include "base/parse.h"
#include "daemon/fleet_audit.h"
#include "daemon/service_client.h"

#define PAGE_BYTES   (8 * MIB)
#define NODE_IS_AWAY 3

static void add_filter(struct buf *b, const char *name, const char *value)
{
    if (!value)
        return;
    (void)buf_addf(b, "&%s=", name);
    service_client_quote(b, value, "");
}

static void make_path(const struct fleet_search *s, uint64_t after, struct buf *b)
{
    buf_init(b, 16 * KIB);
    if (s->limit)
        (void)buf_addf(b, "/audit?last=%s", s->limit);
    else
        (void)buf_addf(b, "/audit?limit=1000&after=%llu", (unsigned long long)after);
    add_filter(b, "agent", s->agent);
    add_filter(b, "since", s->since);
    add_filter(b, "until", s->until);
    add_filter(b, "reason", s->reason);
    add_filter(b, "rule", s->rule);
    add_filter(b, "action", s->action);
    add_filter(b, "execution", s->execution);
}

static void put_cell(struct buf *b, struct slice s, int width)
{
    const size_t before = b->size;
    if (s.p)
        slice_print(s, b);
    else
        (void)buf_addc(b, '-');
    for (size_t n = b->size - before; n < (size_t)width; n++)
        (void)buf_addc(b, ' ');
    (void)buf_addc(b, ' ');
}

static void put_text(const char *node, const char *line, struct buf *b)
{
    struct audit_line l;
    if (audit_line_read(line, strlen(line), &l) < 0) {
        (void)buf_addf(b, "%s: a line that cannot be read\n", node);
        return;
    }
    (void)buf_addf(b, "%-16s %-8llu ", node, (unsigned long long)l.sequence);
    put_cell(b, (struct slice){ l.timestamp.p, MIN_OF(l.timestamp.size, 19u) }, 19);
    put_cell(b, l.level, 6);
    put_cell(b, l.agent, 20);
    put_cell(b, l.action, 23);
    put_cell(b, l.reason.p ? l.reason : l.rule, 16);
    put_cell(b, l.message, 0);
    if (l.via_node.p) {
        (void)buf_adds(b, "(via node ");
        slice_print(l.via_node, b);
        (void)buf_addc(b, ')');
    }
    (void)buf_addc(b, '\n');
}

static int print_line(const struct fleet_audit *f, const struct fleet_node *n, const json_t *event)
{
    struct buf b;
    char *line = json_dumps(event, JSON_COMPACT);
    buf_init(&b, 8 * AUDIT_LINE_MAX);
    if (line && f->json) {
        json_open(&b, '{');
        json_key(&b, "node"), json_put_string(&b, n->name);
        json_key(&b, "event");
        (void)buf_adds(&b, line);
        json_close(&b, '}');
        (void)buf_addc(&b, '\n');
    } else if (line) {
        put_text(n->name, line, &b);
    }
    const bool is_good = line && !b.failed && fwrite(b.data, 1, b.size, stdout) == b.size;
    buf_done(&b);
    free(line);
    return is_good ? 0 : -EIO;
}

/* *ret_next: behind which line the next page begins; 0: this was the last. */
static int print_page(struct fleet_audit *f, const struct fleet_node *n, const struct buf *answer, uint64_t *ret_next,
                      struct error *err)
{
    json_t *page = json_loadb(answer->data ? answer->data : "", answer->size, 0, NULL), *event;
    const json_t *events = json_object_get(page, "events"), *next = json_object_get(page, "next");
    size_t i;
    int e = json_is_array(events) ? 0
                                  : err_set(err, -EPROTO, BLAME_HOST, NULL, "what it answers is no page of the audit");
    json_array_foreach(events, i, event)
    {
        if (e == 0 && print_line(f, n, event) < 0)
            e = err_set(err, -EPIPE, BLAME_CALLER, NULL, "standard output takes no more");
    }
    *ret_next = json_is_integer(next) && json_integer_value(next) > 0 && !f->search.limit
                    ? (uint64_t)json_integer_value(next)
                    : 0;
    json_decref(page);
    return e;
}

static int search_node(struct fleet_audit *f, const struct fleet_node *n, struct error *err)
{
    uint64_t after = 0, next = 0;
    int e;
    do {
        struct buf path, answer;
        make_path(&f->search, after, &path);
        e = fleet_ask(f, n, path.data, PAGE_BYTES, &answer, err);
        if (e == 0)
            e = print_page(f, n, &answer, &next, err);
        if (e == 0 && next && next <= after)
            e = err_set(err, -EPROTO, BLAME_HOST, NULL, "its pages do not go on");
        after = next;
        buf_done(&path);
        buf_done(&answer);
    } while (e == 0 && next);
    return e;
}

static void say_away(const struct fleet_audit *f, const struct fleet_node *n, const char *why)
{
    struct buf b;
    buf_init(&b, 8 * KIB);
    if (f->json) {
        json_open(&b, '{');
        json_key(&b, "node"), json_put_string(&b, n->name);
        json_key(&b, "error"), json_put_string(&b, why);
        json_close(&b, '}');
        (void)printf("%s\n", b.data ? b.data : "");
        b.size = 0;
    }
    (void)buf_addf(&b, "sandbox-agent: node %s did not answer: ", n->name);
    (void)buf_adds_clean(&b, why);
    (void)fflush(stdout);
    (void)fprintf(stderr, "%s\n", b.data ? b.data : "");
    buf_done(&b);
}

int fleet_search(struct fleet_audit *f, struct error *err)
{
    uint64_t limit = 0;
    int code = 0;
    if (f->search.limit && (parse_u64(f->search.limit, &limit) < 0 || !limit || limit > 1000))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--limit %s: accepted are 1 to 1000 with --fleet",
                       f->search.limit);
    for (uint32_t i = 0; i < f->count; i++) {
        const struct fleet_node *n = &f->nodes[i];
        struct error why = { 0 };
        int e = n->cut_ms ? err_set(&why, -EACCES, BLAME_POLICY, NULL, "it is cut off") : search_node(f, n, &why);
        if (e < 0 && why.blame == BLAME_CALLER && e != -EACCES) { /* the words, or our output */
            *err = why;
            return e;
        }
        if (e < 0) {
            code = NODE_IS_AWAY;
            say_away(f, n, why.text);
        }
    }
    return code;
}
