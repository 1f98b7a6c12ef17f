#include "daemon/routes.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "daemon/agents_api.h"
#include "daemon/audit_api.h"
#include "daemon/audit_files_api.h"
#include "daemon/batch_api.h"
#include "daemon/health.h"
#include "daemon/node_tls.h"
#include "daemon/nodes_api.h"
#include "daemon/packages_api.h"
#include "daemon/pass_on.h"
#include "daemon/processes_api.h"
#include "daemon/profiles_api.h"
#include "daemon/query.h"
#include "daemon/run_api.h"
#include "daemon/scan_api.h"
#include "daemon/ports_api.h"
#include "daemon/session_files_api.h"
#include "daemon/contexts_api.h"
#include "daemon/sessions_api.h"
#include "daemon/snapshots_api.h"
#include "daemon/ui.h"
#include "daemon/what_if_api.h"
#include "daemon/usage_api.h"
#include "front/daytona.h"
#include "front/e2b.h"
#include "front/mcp.h"

#define REASON_MAX 400u /* bytes, as for what is done to agents */

#define RUN  MAY_RUN
#define READ MAY_READ
#define ANY  (MAY_RUN | MAY_READ)

const struct route routes_table[] = {
    { "GET", "/healthz", 0, ROUTE_OUTSIDE | ROUTE_OPEN, health_live },
    { "GET", "/readyz", 0, ROUTE_OUTSIDE | ROUTE_OPEN, health_ready },
    { "GET", "/version", 0, ROUTE_OUTSIDE | ROUTE_OPEN, health_version },
    { "GET", "/metrics", READ, ROUTE_OUTSIDE | ROUTE_LOCAL, health_metrics },
    { "GET", "/ui", 0, ROUTE_OUTSIDE | ROUTE_OPEN | ROUTE_SLASH, ui_index },
    { "POST", "/ui/session", READ, ROUTE_OUTSIDE, ui_log_in },
    { "GET", "/ui/session", READ, ROUTE_OUTSIDE, ui_who },
    { "DELETE", "/ui/session", READ, ROUTE_OUTSIDE, ui_log_out },
    { "GET", "/ui/files/{name}", 0, ROUTE_OUTSIDE | ROUTE_OPEN, ui_show },
    { "POST", "/mcp", RUN, ROUTE_OUTSIDE, mcp_post },
    { "DELETE", "/mcp", RUN, ROUTE_OUTSIDE, mcp_delete },
    { "POST", "/execute", RUN, ROUTE_BOOKS, run_execute },
    { "POST", "/executions", RUN, 0, run_submit },
    { "POST", "/executions:batch", RUN, 0, batch_run },
    { "GET", "/executions", ANY, ROUTE_ASKS, run_list },
    { "GET", "/executions/{execution_id}", ANY, 0, run_get },
    { "DELETE", "/executions/{execution_id}", RUN, ROUTE_ASKS | ROUTE_LIVES, run_cancel },
    { "GET", "/executions/{execution_id}/events", ANY, ROUTE_ASKS | ROUTE_LIVES, run_events },
    { "GET", "/executions/{execution_id}/artifacts", ANY, ROUTE_OWNED | ROUTE_KEPT, run_artifacts },
    { "GET", "/executions/{execution_id}/artifacts/{name}", ANY, ROUTE_SPANS | ROUTE_OWNED | ROUTE_KEPT, run_artifact },
    { "GET", "/executions/{execution_id}/receipt", ANY, ROUTE_OWNED | ROUTE_KEPT, run_receipt },
    { "POST", "/sessions", RUN, 0, sessions_create },
    { "GET", "/sessions", ANY, ROUTE_ASKS, sessions_list },
    { "GET", "/sessions/{session_id}", ANY, ROUTE_OWNED, sessions_show },
    { "DELETE", "/sessions/{session_id}", RUN, ROUTE_OWNED, sessions_delete },
    { "POST", "/sessions/{session_id}/extend", RUN, ROUTE_OWNED, sessions_extend },
    { "POST", "/sessions/{session_id}/pause", RUN, ROUTE_OWNED, sessions_pause },
    { "POST", "/sessions/{session_id}/resume", RUN, ROUTE_OWNED, sessions_resume },
    { "POST", "/sessions/{session_id}/execute", RUN, ROUTE_OWNED, sessions_execute },
    { "POST", "/sessions/{session_id}/processes", RUN, ROUTE_OWNED, processes_create },
    { "GET", "/sessions/{session_id}/processes", ANY, ROUTE_OWNED, processes_list },
    { "GET", "/sessions/{session_id}/processes/{process_id}", ANY, ROUTE_OWNED, processes_show },
    { "DELETE", "/sessions/{session_id}/processes/{process_id}", RUN, ROUTE_ASKS | ROUTE_OWNED, processes_end },
    { "GET", "/sessions/{session_id}/processes/{process_id}/events", ANY, ROUTE_ASKS | ROUTE_OWNED, processes_events },
    { "POST", "/sessions/{session_id}/processes/{process_id}/stdin", RUN, ROUTE_ASKS | ROUTE_OWNED, processes_write },
    { "POST", "/sessions/{session_id}/processes/{process_id}/signal", RUN, ROUTE_OWNED, processes_signal },
    { "POST", "/sessions/{session_id}/processes/{process_id}/resize", RUN, ROUTE_OWNED, processes_resize },
    { "POST", "/sessions/{session_id}/contexts", RUN, ROUTE_OWNED, contexts_create },
    { "DELETE", "/sessions/{session_id}/contexts/{context_id}", RUN, ROUTE_OWNED, contexts_delete },
    { "POST", "/sessions/{session_id}/contexts/{context_id}/execute", RUN, ROUTE_OWNED, contexts_execute },
    { "POST", "/sessions/{session_id}/contexts/{context_id}/interrupt", RUN, ROUTE_OWNED, contexts_interrupt },
    { "POST", "/sessions/{session_id}/contexts/{context_id}/restart", RUN, ROUTE_OWNED, contexts_restart },
    { "POST", "/sessions/{session_id}/contexts/{context_id}/checkpoints", RUN, ROUTE_OWNED, contexts_checkpoint },
    { "POST", "/sessions/{session_id}/contexts/{context_id}/undo", RUN, ROUTE_OWNED, contexts_undo },
    { "GET", "/sessions/{session_id}/files/{path}", RUN, ROUTE_SPANS | ROUTE_ASKS | ROUTE_OWNED, session_file_get },
    { "PUT", "/sessions/{session_id}/files/{path}", RUN, ROUTE_SPANS | ROUTE_ASKS | ROUTE_OWNED | ROUTE_FEEDS,
      session_file_put },
    { "POST", "/sessions/{session_id}/files/{path}", RUN, ROUTE_SPANS | ROUTE_ASKS | ROUTE_OWNED, session_file_post },
    { "DELETE", "/sessions/{session_id}/files/{path}", RUN, ROUTE_SPANS | ROUTE_OWNED, session_file_delete },
    { "GET", "/sessions/{session_id}/files", RUN, ROUTE_SLASH | ROUTE_ASKS | ROUTE_OWNED, session_file_get },
    { "POST", "/sessions/{session_id}/checkpoints", RUN, ROUTE_OWNED, sessions_checkpoint },
    { "POST", "/sessions/{session_id}/undo", RUN, ROUTE_OWNED, sessions_undo },
    { "POST", "/sessions/{session_id}/snapshots", RUN, ROUTE_OWNED, snapshots_create },
    { "GET", "/snapshots", ANY, 0, snapshots_list },
    { "DELETE", "/snapshots/{snapshot_id}", RUN, 0, snapshots_delete },
    { "GET", "/sessions/{session_id}/watch", RUN, ROUTE_ASKS | ROUTE_OWNED, session_watch },
    { "GET", "/sessions/{session_id}/ports/{target}", RUN, ROUTE_PASSES | ROUTE_OWNED, ports_pass },
    { "POST", "/sessions/{session_id}/ports/{target}", RUN, ROUTE_PASSES | ROUTE_OWNED, ports_pass },
    { "PUT", "/sessions/{session_id}/ports/{target}", RUN, ROUTE_PASSES | ROUTE_OWNED, ports_pass },
    { "PATCH", "/sessions/{session_id}/ports/{target}", RUN, ROUTE_PASSES | ROUTE_OWNED, ports_pass },
    { "DELETE", "/sessions/{session_id}/ports/{target}", RUN, ROUTE_PASSES | ROUTE_OWNED, ports_pass },
    { "OPTIONS", "/sessions/{session_id}/ports/{target}", RUN, ROUTE_PASSES | ROUTE_OWNED, ports_pass },
    { "GET", "/sessions/{session_id}/archive", RUN, ROUTE_SLASH | ROUTE_OWNED, session_archive_get },
    { "PUT", "/sessions/{session_id}/archive", RUN, ROUTE_SLASH | ROUTE_OWNED | ROUTE_FEEDS, session_archive_put },
    { "GET", "/sessions/{session_id}/archive/{path}", RUN, ROUTE_SPANS | ROUTE_OWNED, session_archive_get },
    { "PUT", "/sessions/{session_id}/archive/{path}", RUN, ROUTE_SPANS | ROUTE_OWNED | ROUTE_FEEDS,
      session_archive_put },
    { "POST", "/packages", RUN, 0, packages_create },
    { "GET", "/packages", ANY, 0, packages_list },
    { "GET", "/packages/{name}", ANY, 0, packages_show },
    { "DELETE", "/packages/{name}", RUN, 0, packages_delete },
    { "POST", "/scan", RUN, 0, scan_code },
    { "GET", "/agents", READ, ROUTE_ASKS, agents_list },
    { "GET", "/agents/{agent_id}", READ, ROUTE_SPANS, agents_show },
    { "GET", "/attempts", READ, ROUTE_ASKS, agents_attempts },
    { "GET", "/usage", ANY, ROUTE_ASKS, usage_show },
    { "PATCH", "/agents/{agent_id}", 0, ROUTE_SPANS, agents_trust },
    { "POST", "/agents/{agent_id}/quarantine", 0, ROUTE_SPANS, agents_quarantine },
    { "POST", "/agents/{agent_id}/release", 0, ROUTE_SPANS, agents_release },
    { "POST", "/agents/{agent_id}/ban", 0, ROUTE_SPANS, agents_ban },
    { "GET", "/profiles", ANY, 0, profiles_list },
    { "GET", "/profiles/{level}", ANY, 0, profiles_show },
    { "POST", "/policy/test", 0, 0, what_if },
    { "GET", "/audit", READ, ROUTE_ASKS, audit_list },
    { "GET", "/audit/checkpoint", READ, 0, audit_checkpoint },
    { "GET", "/audit/consistency", READ, ROUTE_ASKS, audit_consistency },
    { "GET", "/audit/inclusion", READ, ROUTE_ASKS, audit_inclusion },
    { "GET", "/audit/files", READ, 0, audit_files },
    { "GET", "/audit/files/{name}", READ, ROUTE_ASKS, audit_file },
    { "GET", "/capabilities", ANY, ROUTE_ASKS, capabilities_show },
    { "GET", "/nodes", READ, 0, nodes_list },
    { "GET", "/keys", 0, 0, keys_list },
    { "POST", "/keys", 0, 0, keys_create },
    { "DELETE", "/keys/{key_id}", 0, ROUTE_SPANS | ROUTE_ASKS, keys_revoke },
};
const size_t routes_count = ARRAY_LEN(routes_table);

/* --- finding -------------------------------------------------------------------------------------- */

/* How much of the path stands for {…}: up to the next slash, or, where it may span, all but the words behind it. */
static size_t part_length(const struct route *r, const char *path, const char *rest, bool may_span)
{
    size_t whole = strlen(path), tail = strlen(rest);
    if (!*rest && r->flags & ROUTE_PASSES)
        return whole;
    if (!may_span || strchr(rest, '{'))
        return strcspn(path, "/");
    size_t n = whole > tail && str_eq(path + whole - tail, rest) ? whole - tail : 0;
    return n && path[n - 1] != '/' && path[0] != '/' ? n : 0;
}

bool route_match(const struct route *r, const char *path, bool may_span, const char *parts[static 2], struct arena *a)
{
    const char *p = r->pattern;
    size_t count = 0;
    while (*p) {
        if (*p != '{') {
            if (*p++ != *path++)
                return false;
            continue;
        }
        const char *rest = strchr(p, '}') + 1;
        size_t n = part_length(r, path, rest, may_span && (r->flags & ROUTE_SPANS));
        if (!n || count == 2)
            return false;
        parts[count++] = arena_copy_bytes(a, path, n);
        path += n;
        p = rest;
    }
    return !*path || (r->flags & ROUTE_SLASH && str_eq(path, "/"));
}

/* Where the routes below the base path begin in it, or NULL. */
static const char *below(const char *base_path, const char *path)
{
    size_t n = strlen(base_path);
    return strncmp(path, base_path, n) == 0 && path[n] == '/' ? path + n : NULL;
}

static const struct route *find(const char *base_path, const char *method, const char *path, bool may_span,
                                const char *parts[static 2], struct buf *allow, struct arena *a)
{
    for (size_t i = 0; i < routes_count; i++) {
        const struct route *r = &routes_table[i];
        const char *at = r->flags & ROUTE_OUTSIDE ? path : below(base_path, path);
        if (!at || !route_match(r, at, may_span, parts, a))
            continue;
        if (str_eq(r->method, method))
            return r;
        (void)buf_addf(allow, "%s%s", allow->size ? ", " : "", r->method);
    }
    return NULL;
}

const struct route *route_find(const char *base_path, const char *method, const char *path, const char *parts[static 2],
                               const char **ret_allow, struct arena *a)
{
    struct buf allow;
    buf_init(&allow, 256);
    const struct route *r = find(base_path, method, path, false, parts, &allow, a);
    if (!r && !allow.size)
        r = find(base_path, method, path, true, parts, &allow, a);
    *ret_allow = !r && allow.size ? arena_copy(a, allow.data) : NULL;
    buf_done(&allow);
    return r;
}

/* --- letting in ----------------------------------------------------------------------------------- */

static void role_names(uint8_t may, struct buf *out)
{
    for (unsigned i = 0; i < KEY_ROLES; i++)
        if ((may | MAY_ADMIN) & 1u << i)
            (void)buf_addf(out, "%s%s", out->size && out->data[out->size - 1] != ' ' ? "," : "", key_role_names[i]);
}

static void forbid(const struct call *c, const struct route *r, struct http_answer *a)
{
    struct error err;
    struct buf roles;
    buf_init(&roles, 64);
    role_names(r->may, &roles);
    (void)err_set(&err, -EPERM, BLAME_POLICY, NULL, "a key of role %s may not %s %s", key_role_names[c->caller->role],
                  r->method, r->pattern);
    (void)err_remedy(&err, "roles that may: %s", roles.data ? roles.data : "");
    buf_done(&roles);
    answer_error(a, c->arena, ANSWER_FORBIDDEN, &err, NULL);
}

void call_refuse_key(struct call *c, struct http_answer *a, int e, const struct error *err)
{
    answer_error(a, c->arena, e == -EACCES ? ANSWER_UNAUTHENTICATED : ANSWER_UNAVAILABLE, err,
                 &(struct answer_details){ .retry_after_ms = e == -EACCES ? 0 : 1000 });
    a->closes = true; /* who has no key has no connection either */
}

static bool let_in(struct call *c, const struct route *r, struct http_answer *a)
{
    struct error err = { 0 };
    if ((r->flags & ROUTE_OPEN) || ((r->flags & ROUTE_LOCAL) && auth_is_from_here(c->request)))
        return true;
    struct caller *caller = arena_zero(c->arena, sizeof *caller); /* a stream outlives the handler */
    int e = !caller ? err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory")
            : (r->flags & ROUTE_BOOKS) && auth_check_old(c->service, c->request, caller)
                ? 0
                : auth_check(c->service, c->request, caller, &err);
    if (e < 0) {
        call_refuse_key(c, a, e, &err);
        if (e == -EACCES)
            http_answer_header(a, "WWW-Authenticate",
                               http_header(c->request, "Authorization")
                                   ? "Bearer realm=\"sandbox-agent\", error=\"invalid_token\""
                                   : "Bearer realm=\"sandbox-agent\"");
        return false;
    }
    c->caller = caller;
    if ((r->may | MAY_ADMIN) & 1u << caller->role)
        return true;
    forbid(c, r, a);
    return false;
}

/* --- one request ---------------------------------------------------------------------------------- */

static void not_here(const struct call *c, const char *allow, struct http_answer *a)
{
    struct error err;
    struct buf path;
    buf_init(&path, 512);
    (void)buf_adds_clean(&path, c->request->path);
    const char *shown = path.data && !path.failed ? path.data : "this path";
    if (allow)
        (void)err_set(&err, -ENOSYS, BLAME_CALLER, NULL, "%s does not know this method; accepted: %s", shown, allow);
    else
        (void)err_set(&err, -ENOENT, BLAME_CALLER, NULL, "there is nothing at %s", shown);
    (void)err_remedy(&err, "docs/openapi.yaml names every path; those of the API are below %s",
                     c->service->routes->base_path);
    buf_done(&path);
    answer_error(a, c->arena, allow ? ANSWER_METHOD_NOT_ALLOWED : ANSWER_NOT_FOUND, &err, NULL);
    if (allow)
        http_answer_header(a, "Allow", allow);
}

static bool check_query(struct call *c, const struct route *r, struct http_answer *a)
{
    static const char *const none[] = { NULL };
    struct error err = { 0 };
    if ((r->flags & (ROUTE_ASKS | ROUTE_OUTSIDE | ROUTE_PASSES)) ||
        query_known(c->request, none, &err) == 0) /* probes add what they like */
        return true;
    call_refuse(c, a, &err);
    return false;
}

void call_finish(struct call *c, struct http_answer *a)
{
    if (a->feed && !a->status)
        return; /* its body comes first */
    if (a->status && (a->stream || !a->body.failed))
        return;
    const char *why = a->body.failed ? arena_printf(c->arena, "the answer is larger than %zu bytes", a->body.max)
                                     : "no handler answered";
    answer_fail(a, c->arena, ANSWER_INTERNAL, why);
}

static void respond(struct call *c, struct http_answer *a)
{
    const char *allow = NULL;
    const struct http_request *q = c->request;
    const struct route *r = route_find(c->service->routes->base_path, q->method, q->path, c->parts, &allow, c->arena);
    if (!node_tls_admits(c, a)) {
        call_finish(c, a);
        return;
    }
    if (e2b_answer(c, r != NULL, a))
        return;
    if (!r && daytona_answer(c, a))
        return;
    if (!r) {
        not_here(c, allow, a);
        return;
    }
    if (let_in(c, r, a) && check_query(c, r, a) && !pass_on(c, r, a))
        r->handler(c, a);
    call_finish(c, a);
}

void routes_inner(struct call *c, const char *method, const char *pattern, struct http_answer *a)
{
    const struct route *r = routes_table;
    while (r < routes_table + routes_count && !(str_eq(r->method, method) && str_eq(r->pattern, pattern)))
        r++;
    assert(r < routes_table + routes_count);
    if ((r->may | MAY_ADMIN) & 1u << c->caller->role)
        r->handler(c, a);
    else
        forbid(c, r, a);
    call_finish(c, a);
}

/* It was let in before its body, which is there now. */
static void respond_to_fed(struct call *c, struct http_answer *a)
{
    const char *allow;
    const struct http_request *q = c->request;
    const struct route *r = route_find(c->service->routes->base_path, q->method, q->path, c->parts, &allow, c->arena);
    if (r && !pass_on_ended(c, a)) /* as before: no memory otherwise, and no answer then */
        r->handler(c, a);
    call_finish(c, a);
}

void routes_handle(void *service, struct http_request *q, struct http_answer *a)
{
    struct call c = { .service = service, .request = q, .arena = q->arena };
    if (a->feed) {
        respond_to_fed(&c, a);
    } else {
        respond(&c, a);
    }
    if (a->status)
        metrics_http(c.service->metrics, q->method, a->status, clock_us() - q->received_us);
}

bool routes_feed(void *service, struct http_request *q)
{
    const struct service *v = service;
    const char *parts[2], *allow;
    if (!strstr(q->path, "/ports/") && !str_eq(q->method, "PUT")) /* fast path */
        return false;
    const struct route *r = route_find(v->routes->base_path, q->method, q->path, parts, &allow, q->arena);
    return r && r->flags & (ROUTE_FEEDS | ROUTE_PASSES);
}

bool routes_admit(void *service, struct http_request *q)
{
    return e2b_admits(service, q) || auth_admits(service, q);
}

void routes_refuse(void *service, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body)
{
    (void)service;
    if (q && (mcp_refuse_request(q, status, message, body) || e2b_refuse(q, status, message, body) ||
              daytona_refuse(q, status, message, body)))
        return;
    enum answer_code found = status < 500 ? ANSWER_INVALID_REQUEST : ANSWER_INTERNAL;
    for (unsigned i = ANSWER_CODES; i-- > 0;) /* the first of this status, unless one has the name */
        if (answer_status(i) == status)
            found = (enum answer_code)i;
    for (unsigned i = 0; i < ANSWER_CODES; i++)
        if (code && str_eq(code, answer_code_name(i)))
            found = (enum answer_code)i;
    answer_error_body(found, message, NULL, NULL, body);
}

static enum answer_code code_of(const struct error *err)
{
    if (err->code == -EACCES || err->code == -EPERM)
        return err->blame == BLAME_CALLER || err->blame == BLAME_POLICY ? ANSWER_FORBIDDEN : ANSWER_INTERNAL;
    if (err->blame == BLAME_POLICY)
        return ANSWER_FORBIDDEN;
    if (err->blame == BLAME_CALLER)
        return err->code == -EBADMSG  ? ANSWER_INVALID_REQUEST
               : err->code == -ENOENT ? ANSWER_NOT_FOUND
                                      : ANSWER_UNPROCESSABLE;
    return err->blame == BLAME_HOST && err->code != -ENOMEM ? ANSWER_UNAVAILABLE : ANSWER_INTERNAL;
}

void call_refuse(struct call *c, struct http_answer *a, const struct error *err)
{
    enum answer_code code = code_of(err);
    answer_error(a, c->arena, code, err,
                 &(struct answer_details){ .retry_after_ms = code == ANSWER_UNAVAILABLE ? 1000 : 0 });
}

bool call_reason(const struct call *c, const char **ret, struct error *err)
{
    static const char *const names[] = { "reason", NULL };
    *ret = http_query(c->request, "reason");
    if (query_known(c->request, names, err) < 0)
        return false;
    if (!*ret || (**ret && strlen(*ret) <= REASON_MAX && utf8_is(*ret, strlen(*ret))))
        return true;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "reason: expected 1 to %u bytes of UTF-8", REASON_MAX);
    return false;
}

/* --- gates ---------------------------------------------------------------------------------------- */

bool gate_enter(struct gate *g, unsigned most, const char *what, struct call *c, struct http_answer *a)
{
    struct error err;
    if (g->inside++ < most)
        return true;
    g->inside--;
    (void)err_set(&err, -EBUSY, BLAME_HOST, NULL, "%u %s are under way already", most, what);
    (void)err_remedy(&err, "come back in a moment");
    answer_error(a, c->arena, ANSWER_QUEUE_FULL, &err, &(struct answer_details){ .retry_after_ms = 1000 });
    return false;
}

void gate_leave(struct gate *g)
{
    g->inside--;
}

/* --- life ----------------------------------------------------------------------------------------- */

int routes_open(struct service *v, struct routes **ret, struct error *err)
{
    struct routes *r = calloc(1, sizeof *r);
    if (!r)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    struct policy_set *policies = service_policies(v);
    const char *base = policies->level[0].config.endpoints.api.base_path;
    size_t n = strlen(base);
    while (n && base[n - 1] == '/')
        n--;
    r->base_path = arena_copy_bytes(&v->arena, base, n);
    (void)policy_set_unref(policies);
    capabilities_init(&r->capabilities);
    *ret = r;
    return 0;
}

struct routes *routes_close(struct routes *r)
{
    if (r)
        capabilities_done(&r->capabilities);
    free(r);
    return NULL;
}

void routes_print(const char *base_path, struct buf *out)
{
    for (size_t i = 0; i < routes_count; i++) {
        const struct route *r = &routes_table[i];
        (void)buf_addf(out, "%s %s%s ", r->method, r->flags & ROUTE_OUTSIDE ? "" : base_path, r->pattern);
        if (r->flags & ROUTE_OPEN)
            (void)buf_adds(out, "none");
        else
            role_names(r->may, out);
        (void)buf_addc(out, '\n');
    }
}
