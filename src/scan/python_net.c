/* The network: one flow `net` with the address, whichever library was used. */
#include "scan/python.h"

static void reaches(struct py *p, struct py_call *c, const char *where)
{
    py_fact_call(p, c);
    py_flow(p, c->node, "net", where, NULL);
}

/* Taint of what is sent, headers left out: a token in a header is how one logs in. */
static uint32_t sent_taint(const struct py_call *c)
{
    uint32_t taint = 0;
    for (unsigned i = 0; i < c->count; i++) {
        if (c->keys[i] && (str_eq(c->keys[i], "headers") || str_eq(c->keys[i], "auth") || str_eq(c->keys[i], "cert")))
            continue;
        const struct tv *v = &c->args[i];
        taint |= v->taint;
        for (uint32_t k = 0; (v->kind == TV_RECORD || v->kind == TV_LIST) && k < v->list->count; k++)
            taint |= v->list->items[k].taint;
    }
    return taint & T_ORIGIN;
}

static void sends(struct py *p, struct py_call *c, bool can_carry)
{
    uint32_t taint = sent_taint(c) | (c->callee.taint & (T_SECRET | T_ENV));
    if (taint & (T_SECRET | T_ENV | T_ENV_KEY)) { /* one's own key is sent to many an honest service */
        py_flow(p, c->node, taint & (T_SECRET | T_ENV) ? "secret-then-send" : "credential-then-send", NULL, NULL);
        p->has_sent_secret = true;
    }
    if (taint & T_CLIPBOARD)
        py_flow(p, c->node, "capture-then-send", NULL, NULL);
    if (can_carry)
        p->seen_send = c->node;
}

/* ("host", 80) as host:80 */
static const char *address_text(struct py *p, struct tv v)
{
    if (v.kind == TV_TEXT)
        return py_path_text(p, v, NULL);
    if (v.kind != TV_LIST || v.list->count < 2)
        return NULL;
    const char *host = py_show(p, v.list->items[0]), *port = py_show(p, v.list->items[1]);
    if (!host && !port)
        return NULL;
    return arena_printf(p->e->c->arena, "%s:%s", host ? host : "{}", port ? port : "{}");
}

static void connects(struct py *p, struct py_call *c, struct tv address)
{
    const char *where = address_text(p, address);
    reaches(p, c, where);
    if (p->loops && address.kind == TV_LIST && address.list->count >= 2 && address.list->items[1].taint & T_LOOP)
        py_flow(p, c->node, "port-scan", where, NULL);
    bool is_here = where && (str_starts(where, "127.") || str_starts(where, "localhost:") || str_starts(where, "::1"));
    if (!is_here)
        p->seen_send = c->node;
}

static void looks_up(struct py *p, struct py_call *c)
{
    struct tv name = *py_arg(c, 0, "host");
    const char *text = py_path_text(p, name, NULL);
    py_fact_call(p, c);
    py_flow(p, c->node, "net-dns", text, NULL);
    uint32_t taint = c->taint & (T_SECRET | T_ENV | T_ENV_KEY);
    if (taint || (text && str_starts(text, "{}.") && p->loops) || (text && str_starts(text, "{}.") && p->seen_secret))
        py_flow(p, c->node, "dns-exfil", text, NULL);
}

/* asyncio.start_server(f, ...), websockets.serve(f, ...): f is called with each connection. */
static void serves(struct py *p, const struct py_call *c)
{
    bool is_stream = str_starts(c->name, "asyncio."), is_message = str_starts(c->name, "websockets.");
    struct tv peer = py_object(is_stream ? "asyncio.open_connection" : "websockets.connect", 0);
    struct py_call inner = { .node = c->node, .args_node = c->args_node, .callee = *py_arg(c, 0, NULL) };
    if ((!is_stream && !is_message) || (inner.callee.kind != TV_FUNCTION && inner.callee.kind != TV_PARTIAL) ||
        p->e->depth >= SCAN_MAX_DEPTH)
        return;
    inner.count = inner.positional = is_stream ? 2 : 1;
    inner.args[0] = inner.args[1] = peer;
    p->e->depth++;
    (void)py_apply(p, &inner);
    p->e->depth--;
}

struct tv py_do_net(struct py *p, struct py_call *c, enum effect how)
{
    struct tv a = *py_arg(c, 0, "url"), b = *py_arg(c, 1, "data"), v;
    const char *where;
    switch (how) {
    case EF_FETCH: /* get(url, ...) */
    case EF_POST:  /* post(url, data) */
        reaches(p, c, py_path_text(p, a, NULL));
        sends(p, c,
              how == EF_POST || py_arg(c, 1, "data")->kind != TV_UNKNOWN || (a.taint & (T_HARDLY | T_COMPUTED)) ||
                  a.kind == TV_UNKNOWN);
        return py_object(c->name, T_NET);
    case EF_REQUEST: /* request(method, url) */
        a = *py_arg(c, 1, "url");
        reaches(p, c, py_path_text(p, a, NULL));
        sends(p, c, true);
        return py_object(c->name, T_NET);
    case EF_PREPARE: /* urllib.request.Request(url, data): nothing is sent yet */
        py_fact_call(p, c);
        v = py_object(c->name, (c->taint & T_ORIGIN) | (b.kind != TV_UNKNOWN || b.taint ? T_COMPUTED : 0));
        where = py_path_text(p, a, NULL);
        return where ? py_thing(c->name, fold_of(where), v.taint) : v;
    case EF_RETRIEVE: {
        reaches(p, c, py_path_text(p, a, NULL));
        const char *to = py_path_text(p, *py_arg(c, 1, "filename"), NULL);
        if (to && p->fetched_count < PY_MAX_PATHS)
            p->fetched[p->fetched_count++] = to;
        return py_pair(p, tv_unknown(T_NET), tv_unknown(T_NET));
    }
    case EF_CONNECT: /* s.connect(address) */
        a = *py_arg(c, 0, "address");
        connects(p, c, a);
        return tv_unknown(0);
    case EF_DIAL: /* socket.create_connection(address) */
        connects(p, c, *py_arg(c, 0, "address"));
        return py_object("socket.socket", 0);
    case EF_SESSION: /* SMTP(host, port), HTTPSConnection(host), FTP(host), open_connection(host, port) */
        if (c->count)
            connects(p, c, py_pair(p, *py_arg(c, 0, "host"), *py_arg(c, 1, "port")));
        else
            py_fact_call(p, c);
        return py_object(c->name, 0);
    case EF_LISTEN:
        py_fact_call(p, c);
        py_flow(p, c->node, "net-listen", address_text(p, *py_arg(c, 0, "address")), NULL);
        serves(p, c);
        return py_object(c->name, 0);
    case EF_RECEIVE:
        py_fact_call(p, c);
        return tv_unknown(T_NET);
    case EF_SEND:
        py_fact_call(p, c);
        sends(p, c, true);
        if (c->name && strstr(c->name, "sendto"))
            py_flow(p, c->node, "net", address_text(p, *py_arg(c, (int)c->positional - 1, "address")), NULL);
        return tv_unknown(0);
    case EF_FILENO:
        return tv_unknown(T_SOCKET);
    case EF_RESOLVE:
        looks_up(p, c);
        return tv_unknown(str_starts(c->name, "dns.") ? T_NET : 0); /* an address is none's text, a TXT record is */
    case EF_SOCKET:
        py_fact_call(p, c);
        return py_object("socket.socket", 0);
    case EF_ACCEPT:
        py_fact_call(p, c);
        return py_pair(p, py_object("socket.socket", 0), tv_unknown(0));
    default:
        break;
    }
    return tv_unknown(0);
}
