#include "front/daytona.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "daemon/routes.h"
#include "front/daytona_internal.h"

#define CONTROL    "/api/sandbox"
#define TOOLBOX    "/toolbox/"
#define SOURCE     "X-Daytona-Source" /* which its packages say with each request */
#define SHELLS_MAX 65536u             /* each holds a process */

static void work_dir(struct daytona_call *c);

/* Below CONTROL, and inside: below TOOLBOX and the sandbox's id. */
static const struct row {
    struct route route;
    bool is_inside, has_body;
    daytona_handler handle;
} rows[] = {
    { { "POST", "", 0, 0, NULL }, false, true, daytona_create },
    { { "GET", "", 0, 0, NULL }, false, false, daytona_list },
    { { "GET", "/{id}", 0, 0, NULL }, false, false, daytona_show },
    { { "DELETE", "/{id}", 0, 0, NULL }, false, false, daytona_delete },
    { { "POST", "/{id}/start", 0, 0, NULL }, false, false, daytona_start },
    { { "POST", "/{id}/stop", 0, 0, NULL }, false, false, daytona_stop },
    { { "POST", "/{id}/pause", 0, 0, NULL }, false, false, daytona_stop },
    { { "GET", "/{id}/toolbox-proxy-url", 0, 0, NULL }, false, false, daytona_proxy_url },
    { { "GET", "/work-dir", 0, 0, NULL }, true, false, work_dir },
    { { "GET", "/user-home-dir", 0, 0, NULL }, true, false, work_dir },
    { { "POST", "/process/execute", 0, 0, NULL }, true, true, daytona_execute },
    { { "POST", "/process/code-run", 0, 0, NULL }, true, true, daytona_code_run },
    { { "POST", "/process/session", 0, 0, NULL }, true, true, daytona_shell_create },
    { { "GET", "/process/session", 0, 0, NULL }, true, false, daytona_shell_list },
    { { "GET", "/process/session/{s}", 0, 0, NULL }, true, false, daytona_shell_show },
    { { "DELETE", "/process/session/{s}", 0, 0, NULL }, true, false, daytona_shell_delete },
    { { "POST", "/process/session/{s}/exec", 0, 0, NULL }, true, true, daytona_shell_execute },
    { { "GET", "/process/session/{s}/command/{c}", 0, 0, NULL }, true, false, daytona_command_show },
    { { "GET", "/process/session/{s}/command/{c}/logs", 0, 0, NULL }, true, false, daytona_command_logs },
    { { "POST", "/process/session/{s}/command/{c}/input", 0, 0, NULL }, true, true, daytona_command_input },
    { { "GET", "/files", 0, 0, NULL }, true, false, daytona_files_list },
    { { "DELETE", "/files", 0, 0, NULL }, true, false, daytona_file_delete },
    { { "GET", "/files/info", 0, 0, NULL }, true, false, daytona_file_info },
    { { "POST", "/files/folder", 0, 0, NULL }, true, false, daytona_folder },
    { { "POST", "/files/move", 0, 0, NULL }, true, false, daytona_file_move },
    { { "GET", "/files/search", 0, 0, NULL }, true, false, daytona_files_search },
    { { "GET", "/files/download", 0, 0, NULL }, true, false, daytona_download },
    { { "POST", "/files/bulk-download", 0, 0, NULL }, true, true, daytona_download_all },
    { { "POST", "/files/upload", 0, 0, NULL }, true, false, daytona_upload },
    { { "POST", "/files/bulk-upload", 0, 0, NULL }, true, false, daytona_upload },
};

/* --- for the handlers ----------------------------------------------------------------------------------------- */

void daytona_fail(struct daytona_call *c, enum answer_code code, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    answer_fail(c->out, c->call->arena, code, text);
}

void daytona_done(struct daytona_call *c, unsigned status)
{
    struct buf *b = answer_json(c->out, status, 16);
    if (status != 204)
        (void)buf_adds(b, "{}");
}

bool daytona_is_read(struct daytona_call *c)
{
    struct error err = { 0 };
    if (body_end_open(c->body, &err) == 0)
        return true;
    call_refuse(c->call, c->out, &err);
    return false;
}

struct body *daytona_ask(struct daytona_call *c, const char *method, const char *pattern, struct inner_asked with)
{
    with.parts[1] = with.parts[0];
    with.parts[0] = c->id;
    return inner_ask_first(c->call, method, pattern, &with, c->out);
}

bool daytona_ask_done(struct daytona_call *c, const char *method, const char *pattern, struct inner_asked with)
{
    struct body *b = daytona_ask(c, method, pattern, with);
    (void)body_free(b);
    return b != NULL;
}

static void work_dir(struct daytona_call *c)
{
    (void)buf_adds(answer_json(c->out, 200, 64), "{\"dir\":\"" DAYTONA_HOME "\"}");
}

/* --- shells --------------------------------------------------------------------------------------------------- */

struct daytona {
    pthread_mutex_t lock;
    struct row_of_shell {
        struct daytona_shell shell;
        struct row_of_shell *next;
    } * first;
    unsigned count;
};

struct daytona *daytona_new(void)
{
    struct daytona *d = calloc(1, sizeof *d);
    if (d)
        (void)pthread_mutex_init(&d->lock, NULL);
    return d;
}

static void drop(struct daytona *d, struct row_of_shell **at)
{
    struct row_of_shell *r = *at;
    *at = r->next;
    d->count--;
    free(r);
}

struct daytona *daytona_free(struct daytona *d)
{
    while (d && d->first)
        drop(d, &d->first);
    if (d)
        (void)pthread_mutex_destroy(&d->lock);
    free(d);
    return NULL;
}

static struct row_of_shell **place(struct daytona *d, const char *session_id, const char *name)
{
    struct row_of_shell **at = &d->first;
    while (*at && !(str_eq((*at)->shell.session_id, session_id) && str_eq((*at)->shell.name, name)))
        at = &(*at)->next;
    return at;
}

bool daytona_shell_add(struct daytona *d, const struct daytona_shell *s)
{
    struct row_of_shell *r = malloc(sizeof *r);
    (void)pthread_mutex_lock(&d->lock);
    const bool may = r && d->count < SHELLS_MAX && !*place(d, s->session_id, s->name);
    if (may) {
        *r = (struct row_of_shell){ *s, d->first };
        d->first = r;
        d->count++;
    }
    (void)pthread_mutex_unlock(&d->lock);
    if (!may)
        free(r);
    return may;
}

bool daytona_shell_find(struct daytona *d, const char *session_id, const char *name, struct daytona_shell *ret)
{
    (void)pthread_mutex_lock(&d->lock);
    const struct row_of_shell *r = *place(d, session_id, name);
    if (r)
        *ret = r->shell;
    (void)pthread_mutex_unlock(&d->lock);
    return r != NULL;
}

void daytona_shell_remove(struct daytona *d, const char *session_id, const char *name)
{
    (void)pthread_mutex_lock(&d->lock);
    struct row_of_shell **at = place(d, session_id, name);
    if (*at)
        drop(d, at);
    (void)pthread_mutex_unlock(&d->lock);
}

void daytona_shells_each(struct daytona *d, const char *session_id, void (*then)(void *context, const char *name),
                         void *context)
{
    (void)pthread_mutex_lock(&d->lock);
    for (const struct row_of_shell *r = d->first; r; r = r->next)
        if (str_eq(r->shell.session_id, session_id))
            then(context, r->shell.name);
    (void)pthread_mutex_unlock(&d->lock);
}

void daytona_shells_prune(struct daytona *d, struct service *v)
{
    (void)pthread_mutex_lock(&d->lock);
    for (struct row_of_shell **at = &d->first; *at;) {
        if (inner_session_is_there(v, (*at)->shell.session_id))
            at = &(*at)->next;
        else
            drop(d, at);
    }
    (void)pthread_mutex_unlock(&d->lock);
}

/* --- one request ---------------------------------------------------------------------------------------------- */

static const struct row *find_inside(struct daytona_call *c, const char *path)
{
    const size_t n = strcspn(path, "/");
    c->id = arena_copy_bytes(c->call->arena, path, n);
    for (const struct row *r = rows; n && r < rows + ARRAY_LEN(rows); r++)
        if (r->is_inside && str_eq(r->route.method, c->call->request->method) &&
            route_match(&r->route, path + n, false, c->parts, c->call->arena))
            return r;
    return NULL;
}

static const struct row *find(struct daytona_call *c)
{
    const char *path = c->call->request->path;
    if (str_starts(path, TOOLBOX))
        return find_inside(c, path + strlen(TOOLBOX));
    if (!str_starts(path, CONTROL))
        return NULL;
    for (const struct row *r = rows; r < rows + ARRAY_LEN(rows); r++)
        if (!r->is_inside && str_eq(r->route.method, c->call->request->method) &&
            route_match(&r->route, path + strlen(CONTROL), false, c->parts, c->call->arena)) {
            c->id = c->parts[0];
            return r;
        }
    return NULL;
}

static bool let_in(struct daytona_call *c)
{
    struct error err = { 0 };
    struct call *call = c->call;
    struct caller *caller = arena_zero(call->arena, sizeof *caller); /* a stream outlives the handler */
    const int e = !caller ? err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory")
                          : auth_check(call->service, call->request, caller, &err);
    call->caller = caller;
    if (e == 0)
        return true;
    answer_error(c->out, call->arena, e == -EACCES ? ANSWER_UNAUTHENTICATED : ANSWER_UNAVAILABLE, &err,
                 &(struct answer_details){ .retry_after_ms = e == -EACCES ? 0 : 1000 });
    c->out->closes = true; /* as in routes.c */
    return false;
}

static bool read_body(struct daytona_call *c, const struct row *r)
{
    const struct http_request *q = c->call->request;
    struct error err = { 0 };
    if (!r->has_body || body_parse(q->body, q->body_size, true, &c->body, &err) == 0)
        return true;
    call_refuse(c->call, c->out, &err);
    return false;
}

static bool is_enabled(struct service *v)
{
    struct policy_set *policies = service_policies(v);
    const bool is_on = policies->level[0].config.endpoints.daytona.enabled;
    (void)policy_set_unref(policies);
    return is_on;
}

static void respond(struct daytona_call *c)
{
    const struct row *r = find(c);
    if (!is_enabled(c->call->service))
        daytona_fail(c, ANSWER_NOT_FOUND, "endpoints.daytona.enabled is false");
    else if (!r)
        daytona_fail(c, ANSWER_NOT_FOUND, "not offered here: %s %.100s (docs/daytona.md)", c->call->request->method,
                     c->call->request->path);
    else if (let_in(c) && read_body(c, r)) {
        if (r->is_inside)
            daytona_touch(c);
        c->is_file = r->is_inside && str_starts(r->route.pattern, "/files");
        r->handle(c);
    }
    c->body = body_free(c->body);
}

const char *daytona_file_code(unsigned status)
{
    return status == 404 ? "FILE_NOT_FOUND" : status == 403 ? "FILE_ACCESS_DENIED" : NULL;
}

void daytona_put_error(struct buf *b, unsigned status, const char *message, const char *code, bool is_inside)
{
    json_open(b, '{');
    json_key(b, "statusCode"), json_uint(b, status);
    json_key(b, "message"), json_put_string(b, message);
    if (code)
        json_key(b, "code"), json_put_string(b, code);
    json_key(b, "source"), json_put_string(b, is_inside ? "DAYTONA_DAEMON" : "DAYTONA_API");
    json_close(b, '}');
}

bool daytona_answer(struct call *call, struct http_answer *a)
{
    const char *path = call->request->path;
    const char *behind = str_starts(path, CONTROL) ? path + strlen(CONTROL) : NULL;
    if (!(behind && (!*behind || *behind == '/')) && !str_starts(path, TOOLBOX) && !http_header(call->request, SOURCE))
        return false;
    struct daytona_call c = { .call = call, .out = a };
    respond(&c);
    call_finish(call, a);
    if (a->status < 400)
        return true;
    const unsigned status = a->status == 405 ? 404 : a->status;
    const char *message = inner_reword(a, call->arena, status, "the request failed");
    const char *code = c.code ? c.code : c.is_file ? daytona_file_code(status) : NULL;
    daytona_put_error(&a->body, status, message, code, str_starts(path, TOOLBOX));
    return true;
}
