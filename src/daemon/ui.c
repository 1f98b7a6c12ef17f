#include "daemon/ui.h"

#include "audit/chain.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "daemon/routes.h"
#include "daemon/web_session.h"

/* 'self' is scheme, host and port. No inline script or style, no evaluation, no plug-in, no frame on either side, no
 * form that leads elsewhere, and no text that becomes markup: trusted-types 'none' makes the browser refuse each way to
 * it. */
#define POLICY                                                                                                       \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " \
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

static enum config_page setting(struct service *v)
{
    return (enum config_page)v->first_policies->level[0].config.endpoints.api.page;
}

/* NULL: the page is for this client. */
static const char *why_not(const struct call *c, const char **ret_remedy)
{
    const enum config_page page = setting(c->service);
    const struct http_request *q = c->request;
    *ret_remedy = "endpoints.api.page: auto serves it to this machine, and over TLS";
    if (page == PAGE_OFF)
        return "the page is switched off: endpoints.api.page";
    *ret_remedy = "build it where npm has filled node_modules: scripts/fetch_grammars.py && make";
    if (!ui_files_count)
        return "this sandboxd was built without the page: esbuild was not there";
    *ret_remedy =
        "endpoints.api.tls.certificate and .key; or, behind a proxy that ends TLS, endpoints.api.page: always";
    return page == PAGE_ALWAYS || q->is_tls || auth_is_from_here(q)
               ? NULL
               : "the page is off beyond this machine without TLS: a key that is typed into it could be read on the "
                 "way";
}

static bool is_refused(struct call *c, struct http_answer *a)
{
    struct error err;
    const char *remedy, *why = why_not(c, &remedy);
    if (!why)
        return false;
    (void)err_set(&err, -EPERM, BLAME_POLICY, NULL, "%s", why);
    (void)err_remedy(&err, "%s", remedy);
    answer_error(a, c->arena, ANSWER_FORBIDDEN, &err, NULL);
    return true;
}

static void put_file(struct call *c, const struct ui_file *f, struct http_answer *a)
{
    const char *known = http_header(c->request, "If-None-Match");
    bool is_known = known && str_eq(known, f->etag);
    a->status = is_known ? 304 : 200;
    a->content_type = f->type;
    buf_init(&a->body, f->size + 1);
    if (!is_known)
        (void)buf_add(&a->body, (const char *)f->data, f->size);
    http_answer_header(a, "Content-Encoding", "gzip");
    http_answer_header(a, "ETag", f->etag);
    http_answer_header(a, "Content-Security-Policy", POLICY);
    http_answer_header(a, "Cross-Origin-Opener-Policy", "same-origin");
    http_answer_header(a, "Cross-Origin-Resource-Policy", "same-origin");
    http_answer_header(a, "Referrer-Policy", "no-referrer");
    http_answer_header(
        a, "Permissions-Policy",
        "camera=(), clipboard-read=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()");
}

static void show(struct call *c, const char *name, struct http_answer *a)
{
    if (is_refused(c, a))
        return;
    for (size_t i = 0; i < ui_files_count; i++)
        if (str_eq(ui_files[i].name, name)) {
            put_file(c, &ui_files[i], a);
            return;
        }
    answer_fail(a, c->arena, ANSWER_NOT_FOUND, "the page has no such file");
}

void ui_index(struct call *c, struct http_answer *a)
{
    show(c, "index.html", a);
}

void ui_show(struct call *c, struct http_answer *a)
{
    show(c, c->parts[0], a);
}

/* --- sessions ---------------------------------------------------------------------------------------- */

static void put_who(struct call *c, const struct web_session *s, bool is_new, struct http_answer *a)
{
    struct buf *b = answer_json(a, is_new ? 201 : 200, 4 * KIB);
    const uint64_t now_ms = clock_ms();
    json_open(b, '{');
    json_key(b, "key_id"), json_put_string(b, c->caller->key_id);
    json_key(b, "name"), json_put_string(b, c->caller->name);
    json_key(b, "role"), json_put_string(b, key_role_names[c->caller->role]);
    json_key(b, "base_path"), json_put_string(b, c->service->routes->base_path);
    json_key(b, "ends_in_seconds"), json_uint(b, (s->until_ms - MIN_OF(now_ms, s->until_ms)) / 1000);
    json_key(b, "idle_seconds"), json_uint(b, WEB_SESSION_IDLE_MS / 1000);
    if (is_new)
        json_key(b, "session"), json_put_string(b, s->header);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

static void set_cookie(struct call *c, const char *value, uint64_t seconds, struct http_answer *a)
{
    const char *origin = http_header(c->request, "Origin"); /* https: TLS that a proxy has ended */
    const bool is_secure = c->request->is_tls || (origin && str_starts(origin, "https://"));
    http_answer_header(a, "Set-Cookie",
                       arena_printf(c->arena, "%s=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%llu%s",
                                    WEB_SESSION_COOKIE, value, (unsigned long long)seconds,
                                    is_secure ? "; Secure" : ""));
}

/* The key came as it does to every route. A token of AGiXT's begins none, and neither does another session. */
void ui_log_in(struct call *c, struct http_answer *a)
{
    uint8_t hash[32];
    struct web_session s;
    if (is_refused(c, a))
        return;
    if (!auth_key_hash(c->request, hash)) {
        answer_fail(a, c->arena, ANSWER_FORBIDDEN, "a session begins with a key: Authorization: Bearer sa_...");
        return;
    }
    if (web_session_begin(c->service->web_sessions, hash, clock_ms(), &s) < 0) {
        answer_fail(a, c->arena, ANSWER_INTERNAL, "no random numbers");
        return;
    }
    put_who(c, &s, true, a);
    set_cookie(c, s.cookie, WEB_SESSION_MS / 1000, a);
    secret_wipe(&s, sizeof s);
    service_log(c->service, LOG_INFO, "%s (%s) logged in to the page", c->caller->name, c->caller->key_id);
}

static bool find_session(struct call *c, struct web_session *ret, struct http_answer *a)
{
    const struct http_request *q = c->request;
    if (web_session_find(c->service->web_sessions, http_header(q, "Cookie"), http_header(q, WEB_SESSION_HEADER), true,
                         clock_ms(), ret))
        return true;
    answer_fail(a, c->arena, ANSWER_NOT_FOUND, "this request came without a session");
    return false;
}

void ui_who(struct call *c, struct http_answer *a)
{
    struct web_session s;
    if (find_session(c, &s, a))
        put_who(c, &s, false, a);
}

void ui_log_out(struct call *c, struct http_answer *a)
{
    struct web_session s;
    if (!find_session(c, &s, a))
        return;
    web_session_end(c->service->web_sessions, &s, 0);
    put_who(c, &s, false, a);
    set_cookie(c, "", 0, a);
}
