#include "daemon/pass_on.h"

#include <strings.h>

#include "daemon/content.h"
#include "daemon/node_line.h"
#include "postgres/postgres.h"
#include "daemon/peers.h"
#include "daemon/port_proxy.h"
#include "daemon/run_api.h"
#include "daemon/sessions.h"

#define SILENT_MS    5000u /* a node says every second that it lives */
#define COME_BACK_MS 5000u
#define CONNECT_MS   5000u
#define WRITE_MS     60000u                       /* for each piece of the body */
#define ANSWER_MS    (UINT64_C(7) * 86400 * 1000) /* no run lasts longer; a node that has gone is found by the kernel */

/* --- refusals ------------------------------------------------------------------------------------------------------
 */

static void come_back(struct call *c, const struct error *err, struct http_answer *a)
{
    answer_error(a, c->arena, ANSWER_UNAVAILABLE, err,
                 &(struct answer_details){ .rule = "other_node", .retry_after_ms = COME_BACK_MS });
}

/* In the clear only among nodes of one machine, which all say so: a row of another node decides nothing for us. */
static bool may_be_asked(const struct call *c, const char *address)
{
    const char *own = c->service->first_policies->level[0].config.fleet.address;
    return node_address_is_good(address, NULL) &&
           (str_starts(address, "https://") || (own && str_starts(own, "http://")));
}

/* Why that node is not asked now; false: it is. */
static bool is_away(struct call *c, const struct execution_owner *o, struct http_answer *a)
{
    struct error err = { 0 };
    if (http_header(c->request, PORT_NODE_HOP)) {
        (void)err_set(&err, -ELOOP, BLAME_HOST, NULL, "%s is of node %s, and the request came from another node",
                      c->parts[0], o->node);
        (void)err_remedy(&err, "see that fleet.address of each node leads to that node");
    } else if (o->silent_ms > SILENT_MS) {
        (void)err_set(&err, -EHOSTDOWN, BLAME_HOST, NULL, "node %s, which has %s, was last heard of %llu s ago",
                      o->node, c->parts[0], (unsigned long long)(o->silent_ms / 1000));
        (void)err_remedy(&err, "come back: it is there again, or its runs end as sandbox_error within a minute");
    } else if (!may_be_asked(c, o->address)) {
        (void)err_set(&err, -EDESTADDRREQ, BLAME_HOST, NULL,
                      "node %s, which has %s, has no address that this node asks", o->node, c->parts[0]);
        (void)err_remedy(&err, "set fleet.address of that node (https://), or ask it yourself");
    } else {
        return false;
    }
    come_back(c, &err, a);
    return true;
}

static bool can_be_asked(struct call *c, const struct execution_owner *o)
{
    return o->silent_ms <= SILENT_MS && may_be_asked(c, o->address) && http_header(c->request, "Authorization");
}

/* Passing on takes a key: what lets a browser or a local process in here lets nothing in there. */
static bool has_no_key(struct call *c, const struct execution_owner *o, struct http_answer *a)
{
    struct error err = { 0 };
    if (http_header(c->request, "Authorization"))
        return false;
    (void)err_set(&err, -EXDEV, BLAME_CALLER, NULL, "%s is of node %s", c->parts[0], o->node);
    (void)err_remedy(&err, "ask that node, or come with a key (Authorization: Bearer): this node passes such requests "
                           "on");
    answer_error(a, c->arena, ANSWER_CONFLICT, &err, &(struct answer_details){ .rule = "other_node" });
    return true;
}

/* --- whose it is ---------------------------------------------------------------------------------------------------
 */

static bool is_here(struct service *v, const char *id)
{
    struct session_entry *s = sessions_find(v->sessions, id);
    struct execution *e = s ? NULL : executions_find(v->executions, id);
    const bool is_here = s || e;
    (void)session_entry_unref(s);
    (void)execution_unref(e);
    return is_here;
}

/* 1: another node's, and the caller's to see; strings are the arena's. 0: this node answers. Negative: the store's. */
static int find_owner(struct call *c, const struct route *r, struct execution_owner *ret, struct error *err)
{
    struct service *v = c->service;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_execution_owner(v->store, c->parts[0], ret, err);
    const bool is_theirs = e == 1 && !ret->is_ours && *ret->node && caller_may_see(c->caller, ret->key_id) &&
                           !(r->flags & ROUTE_LIVES && ret->state == EXECUTION_FINISHED);
    ret->node = arena_copy(c->arena, is_theirs ? ret->node : "");
    ret->address = arena_copy(c->arena, is_theirs ? ret->address : "");
    (void)pthread_mutex_unlock(&v->store_lock);
    return e < 0 ? e : is_theirs;
}

/* --- there and back ------------------------------------------------------------------------------------------------
 */

static void end(void *proxy)
{
    (void)port_proxy_free(proxy);
}

static void feed(void *proxy, const char *data, size_t size)
{
    port_proxy_feed(proxy, data, size);
}

static bool wants_upgrade(const struct http_request *q)
{
    const char *to = http_header(q, "Upgrade");
    return to && strcasecmp(to, "websocket") == 0 && port_list_has(http_header(q, "Connection"), "upgrade") &&
           str_eq(q->method, "GET") && !q->is_head && !q->has_body;
}

/* Its head is there: 0, *ret; or an error. */
static int begin(struct call *c, const struct execution_owner *o, struct port_proxy **ret, struct error *err)
{
    static const struct port_patience patience = { CONNECT_MS, WRITE_MS, ANSWER_MS };
    const struct config *config = &c->service->first_policies->level[0].config;
    struct port_request q = { .client = c->request,
                              .path = c->request->target,
                              .is_upgrade = wants_upgrade(c->request),
                              .node = arena_printf(c->arena, "node %s", o->node),
                              .from = postgres_node_name(c->service->store) };
    struct port_line line;
    (void)node_address_is_good(o->address, &q.host);
    int e = node_line_open(o->address, config, CONNECT_MS, &line, err);
    if (e < 0)
        return err_wrap(err, "%s", q.node);
    struct port_proxy *p = port_proxy_over(&line, &q, &patience);
    if (!p)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    e = port_proxy_begin(p, err);
    *ret = e < 0 ? port_proxy_free(p) : p;
    return e;
}

/* A WebSocket is a tunnel from here on. False: its TLS is none that http/tunnel.c knows. */
static bool answer_upgrade(struct call *c, struct port_proxy *p, struct http_answer *a)
{
    size_t size = 0;
    const char *rest = port_proxy_rest(p, &size);
    bool is_plain;
    a->tunnel_tls = node_line_session(port_proxy_line(p), &is_plain);
    if (!a->tunnel_tls && !is_plain) {
        answer_fail(a, c->arena, ANSWER_BAD_GATEWAY, "WebSockets of another node need a libcurl with GnuTLS");
        return false;
    }
    http_answer_header(a, "Connection", "Upgrade");
    http_answer_header(a, "Upgrade", "websocket");
    buf_init(&a->body, PORT_HEAD_MAX);
    (void)buf_add(&a->body, rest, size);
    a->is_tunnel = true;
    a->tunnel = port_proxy_socket(p);
    return true;
}

/* It has the request, or some of it. Clients send again by themselves what is answered with 503 (nothing ran): not what
 * would then be done twice. */
static void no_answer(struct call *c, struct error *err, struct http_answer *a)
{
    const char *method = c->request->method;
    if (!str_eq(method, "POST") && !str_eq(method, "PATCH")) {
        come_back(c, err, a);
        return;
    }
    (void)err_remedy(err, "look first: it may have been done, or not");
    answer_error(a, c->arena, ANSWER_BAD_GATEWAY, err, &(struct answer_details){ .rule = "other_node" });
}

/* All of the request is there. a->context is the proxy, and a->done ends it. */
static void answer(struct call *c, struct http_answer *a)
{
    struct port_proxy *p = a->context;
    const struct port_head *h;
    struct error err = { 0 };
    port_proxy_feed(p, "", 0);
    if (port_proxy_answer(p, &h, &err) < 0) {
        no_answer(c, &err, a);
        return;
    }
    if (h->is_upgrade && !answer_upgrade(c, p, a))
        return;
    a->status = h->status;
    a->content_type = h->type;
    a->more = h->headers;
    if (!h->is_upgrade && h->status != 204 && h->status != 304) {
        a->stream = port_proxy_read;
        a->has_size = h->has_length;
        a->size = h->length;
    }
}

bool pass_on(struct call *c, const struct route *r, struct http_answer *a)
{
    struct service *v = c->service;
    struct execution_owner o;
    struct port_proxy *p = NULL;
    struct error err = { 0 };
    if (!(r->flags & (ROUTE_OWNED | ROUTE_LIVES)) || !store_has_nodes(v->store) || is_here(v, c->parts[0]))
        return false;
    int e = find_owner(c, r, &o, &err);
    if (e < 0)
        call_refuse(c, a, &err);
    const bool may_stand_in = e > 0 && r->flags & ROUTE_KEPT;
    if (may_stand_in && !can_be_asked(c, &o) && run_artifacts_are_shared(c))
        return false;
    if (e <= 0 || is_away(c, &o, a) || has_no_key(c, &o, a))
        return e != 0;
    if (begin(c, &o, &p, &err) < 0) {
        if (may_stand_in && run_artifacts_are_shared(c))
            return false;
        come_back(c, &err, a);
        return true;
    }
    a->context = p;
    a->done = end;
    if (r->flags & (ROUTE_PASSES | ROUTE_FEEDS) && c->request->has_body) {
        a->feed = feed;
        return true;
    }
    if (c->request->body_size)
        port_proxy_feed(p, c->request->body, c->request->body_size);
    answer(c, a);
    return true;
}

bool pass_on_level(struct call *c, int level, struct http_answer *a)
{
    struct service *v = c->service;
    struct execution_owner o;
    struct port_proxy *p = NULL;
    struct error err = { 0 };
    if (!store_has_nodes(v->store) || c->request->inner || http_header(c->request, PORT_NODE_HOP) ||
        !http_header(c->request, "Authorization"))
        return false;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_node_of_level(v->store, level, &o, &err);
    o.node = arena_copy(c->arena, e == 1 ? o.node : "");
    o.address = arena_copy(c->arena, e == 1 ? o.address : "");
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 1 || !may_be_asked(c, o.address))
        return false;
    if (begin(c, &o, &p, &err) < 0) {
        come_back(c, &err, a);
        return true;
    }
    a->context = p;
    a->done = end;
    if (c->request->body_size)
        port_proxy_feed(p, c->request->body, c->request->body_size);
    answer(c, a);
    return true;
}

bool pass_on_may_ask(const struct call *c, const char *address)
{
    return may_be_asked(c, address);
}

bool pass_on_node(struct call *c, const char *node, struct http_answer *a)
{
    struct error err = { 0 };
    struct peers peers;
    struct port_proxy *p = NULL;
    int e = peers_find(c, &peers, &err);
    for (uint32_t i = 0; e == 0 && i < peers.count; i++) {
        char word[CONTENT_NODE_MAX];
        const struct execution_owner o = { .node = peers.list[i].name,
                                           .address = peers.list[i].address,
                                           .silent_ms = peers.list[i].silent_ms };
        content_node_word(o.node, word);
        if (!str_eq(node, o.node) && !str_eq(node, word))
            continue;
        if (is_away(c, &o, a) || has_no_key(c, &o, a))
            return true;
        if (begin(c, &o, &p, &err) < 0) {
            come_back(c, &err, a);
            return true;
        }
        a->context = p;
        a->done = end;
        if (c->request->body_size)
            port_proxy_feed(p, c->request->body, c->request->body_size);
        answer(c, a);
        return true;
    }
    if (e < 0)
        call_refuse(c, a, &err);
    return e < 0;
}

const char *pass_on_via(const struct http_request *q, struct arena *arena)
{
    const char *hop = http_header(q, PORT_NODE_HOP);
    const char *node = hop && str_starts(hop, "1 ") ? hop + 2 : NULL;
    return node && agent_id_is_valid(node) && !strchr(node, ' ') ? arena_copy(arena, node) : NULL;
}

bool pass_on_ended(struct call *c, struct http_answer *a)
{
    if (a->feed != feed)
        return false;
    answer(c, a);
    return true;
}

int pass_on_check(const struct config *c, struct error *err)
{
    if (!c->fleet.address || node_address_is_good(c->fleet.address, NULL))
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "fleet.address: '%.60s' is not accepted", c->fleet.address);
    return err_remedy(err,
                      "expected is https://NAME:PORT, where other nodes reach this one; http:// only for loopback");
}
