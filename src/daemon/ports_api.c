#include "daemon/ports_api.h"

#include <strings.h>

#include "base/parse.h"
#include "daemon/port_proxy.h"
#include "daemon/routes.h"
#include "daemon/sessions_api.h"

/* A request on its way. */
struct passage {
    struct session_entry *session;
    struct port_proxy *proxy;
};

static void passage_end(void *passage)
{
    struct passage *w = passage;
    (void)port_proxy_free(w->proxy);
    w->session->port_connections--;
    (void)session_entry_unref(w->session);
    free(w);
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

enum answer_code ports_answer_code(const struct error *err)
{
    const bool is_guest = err->blame == BLAME_GUEST || err->code == -ECONNREFUSED;
    return is_guest && err->code == -ETIMEDOUT              ? ANSWER_GATEWAY_TIMEOUT
           : is_guest                                       ? ANSWER_BAD_GATEWAY
           : err->code == -ESHUTDOWN || err->code == -EBUSY ? ANSWER_CONFLICT
           : err->code == -EAGAIN                           ? ANSWER_RATE_LIMITED
                                                            : ANSWER_UNAVAILABLE;
}

static void refuse(struct arena *arena, const struct error *err, struct http_answer *a)
{
    const struct answer_details later = { .retry_after_ms = 1000 };
    const enum answer_code code = ports_answer_code(err);
    answer_error(a, arena, code, err, code == ANSWER_RATE_LIMITED || code == ANSWER_UNAVAILABLE ? &later : NULL);
}

static void deny(struct call *c, const char *message, const char *rule, const char *remedy, struct http_answer *a)
{
    struct error err = { 0 };
    (void)err_set(&err, -EPERM, BLAME_POLICY, NULL, "%s", message);
    (void)err_remedy(&err, "%s", remedy);
    answer_error(a, c->arena, ANSWER_POLICY_DENIED, &err, &(struct answer_details){ .rule = rule });
}

/* --- the request -------------------------------------------------------------------------------------------------- */

/* Where the service is asked, and what it asks inside: of the target as it came, since «%2F» is the server's to read.
 * False: an answer was given. */
static bool read_target(struct call *c, struct port_request *q, struct http_answer *a)
{
    struct error err = { 0 };
    const char *part = c->parts[1];
    const size_t digits = strspn(part, "0123456789");
    uint64_t port = 0;
    const char *number = arena_copy_bytes(c->arena, part, digits);
    if (!digits || (part[digits] && part[digits] != '/') || parse_u64(number, &port) < 0 || !port ||
        port > UINT16_MAX) {
        (void)err_set(&err, -EINVAL, BLAME_CALLER, NULL, "ports/…: expected is a port of 1 to 65535");
        call_refuse(c, a, &err);
        return false;
    }
    q->port = (uint16_t)port;
    q->prefix = arena_printf(c->arena, "%s/sessions/%s/ports/%s", c->service->routes->base_path, c->parts[0], number);
    const size_t n = strlen(q->prefix);
    if (strncmp(c->request->target, q->prefix, n) != 0 || !strchr("/?", c->request->target[n])) {
        (void)err_set(&err, -EBADMSG, BLAME_CALLER, NULL, "the path up to the port is not to be percent-encoded");
        call_refuse(c, a, &err);
        return false;
    }
    q->path = c->request->target + n;
    return true;
}

/* Relative links of its first page are links below it. */
static bool add_slash(struct call *c, const struct port_request *q, struct http_answer *a)
{
    if (q->path[0] == '/')
        return false;
    a->status = 308;
    http_answer_header(a, "Location", arena_printf(c->arena, "%u/%s", q->port, q->path));
    return true;
}

/* A level's own loopback is down at high, and jobs cannot make servers there. */
static bool may_have_ports(struct call *c, struct session_entry *e)
{
    enum session_end end;
    const int level = session_entry_level(e, &end);
    struct policy_set *p = service_policies(c->service);
    const bool has_jobs = level >= 0 && p->level[level].profile.execution.shell_access != SHELL_NONE;
    (void)policy_set_unref(p);
    return has_jobs && session_opened(e->live) && session_plan(e->live)->shape.loopback;
}

static bool is_permitted(struct call *c, struct session_entry *e, struct http_answer *a)
{
    struct error err = { 0 };
    if (!may_have_ports(c, e)) {
        deny(c, "a session of this risk level has no ports: it has no loopback of its own, or no jobs that could serve",
             "session_ports", "use a session at low or medium", a);
        return false;
    }
    if (http_header(c->request, "Service-Worker")) {
        deny(c, "a service worker would act for all pages of this origin", "session_ports",
             "serve the page from an origin of its own", a);
        return false;
    }
    if (++e->port_connections <= PORT_CONNECTIONS_MAX)
        return true;
    e->port_connections--;
    (void)err_set(&err, -EAGAIN, BLAME_POLICY, NULL, "%u connections to ports of this session are open",
                  PORT_CONNECTIONS_MAX);
    (void)err_remedy(&err, "end some of them");
    refuse(c->arena, &err, a);
    return false;
}

/* Until its head is there: 0, or an error. */
static int send_head(struct passage *w, const struct port_request *q, struct error *err)
{
    static const struct port_patience patience = PORT_PATIENCE;
    int fd = -1, e = session_port(w->session->live, q->port, patience.connect_ms, &fd, err);
    if (e < 0)
        return e;
    w->proxy = port_proxy_new(fd, q, &patience);
    return w->proxy ? port_proxy_begin(w->proxy, err) : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
}

/* -> the passage, or NULL and an answer. e: its reference is taken, and one of its connections. */
static struct passage *begin(struct call *c, struct session_entry *e, const struct port_request *q,
                             struct http_answer *a)
{
    struct error err = { 0 };
    struct passage *w = calloc(1, sizeof *w);
    if (!w) {
        answer_fail(a, c->arena, ANSWER_INTERNAL, "no memory");
        e->port_connections--;
        (void)session_entry_unref(e);
        return NULL;
    }
    w->session = e;
    if (send_head(w, q, &err) == 0)
        return w;
    refuse(c->arena, &err, a);
    passage_end(w);
    return NULL;
}

/* --- the answer
 * ------------------------------------------------------------------------------------------------------- */

/* A body without a length ends with its connection: also when its server is killed with the session. */
static bool may_be_cut(struct session_entry *e)
{
    enum session_end end;
    (void)session_entry_level(e, &end);
    return end != SESSION_LIVES || session_has_ended(e->live);
}

static ssize_t next_part(void *passage, char *to, size_t max)
{
    struct passage *w = passage;
    const ssize_t n = port_proxy_read(w->proxy, to, max);
    return n == -1 && may_be_cut(w->session) ? -2 : n;
}

/* A page of this answer is of no origin: not of the service's, where it could act as the page of /ui/, and keeps
 * nothing. */
static void add_fence(struct http_answer *a)
{
    http_answer_header(a, "Content-Security-Policy", "sandbox allow-scripts");
    http_answer_header(a, "Referrer-Policy", "no-referrer");
}

static void answer_head(struct passage *w, const struct port_head *h, struct http_answer *a)
{
    a->status = h->status;
    a->content_type = h->type;
    a->more = h->headers;
    add_fence(a);
    if (h->is_upgrade) {
        size_t size = 0;
        const char *rest = port_proxy_rest(w->proxy, &size);
        http_answer_header(a, "Connection", "Upgrade");
        http_answer_header(a, "Upgrade", "websocket");
        buf_init(&a->body, PORT_HEAD_MAX);
        (void)buf_add(&a->body, rest, size);
        a->is_tunnel = true;
        a->tunnel = port_proxy_socket(w->proxy);
    } else if (h->status != 204 && h->status != 304) {
        a->stream = next_part;
        a->has_size = h->has_length;
        a->size = h->length;
    }
}

/* All of the request is there. a->context is the passage, and a->done ends it. */
static void answer(struct call *c, struct http_answer *a)
{
    struct passage *w = a->context;
    const struct port_head *h;
    struct error err = { 0 };
    port_proxy_feed(w->proxy, "", 0);
    if (port_proxy_answer(w->proxy, &h, &err) < 0)
        refuse(c->arena, &err, a);
    else
        answer_head(w, h, a);
}

static void feed(void *passage, const char *data, size_t size)
{
    struct passage *w = passage;
    port_proxy_feed(w->proxy, data, size);
}

static bool wants_upgrade(const struct http_request *q)
{
    const char *to = http_header(q, "Upgrade");
    return to && strcasecmp(to, "websocket") == 0 && port_list_has(http_header(q, "Connection"), "upgrade") &&
           str_eq(q->method, "GET") && !q->is_head && !q->has_body;
}

void ports_pass(struct call *c, struct http_answer *a)
{
    struct port_request q = { .client = c->request, .is_upgrade = wants_upgrade(c->request) };
    if (a->feed) { /* its body has come */
        answer(c, a);
        return;
    }
    struct session_entry *e = sessions_awake(c, a);
    if (!e)
        return;
    if (!read_target(c, &q, a) || add_slash(c, &q, a) || !is_permitted(c, e, a)) {
        (void)session_entry_unref(e);
        return;
    }
    struct passage *w = begin(c, e, &q, a);
    if (!w)
        return;
    a->context = w;
    a->done = passage_end;
    if (c->request->has_body)
        a->feed = feed;
    else
        answer(c, a);
}
