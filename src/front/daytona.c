#include "front/daytona.h"

#include "base/json.h"
#include "daemon/routes.h"
#include "front/daytona_internal.h"

#define CONTROL "/api/sandbox"
#define TOOLBOX "/toolbox/"
#define SOURCE  "X-Daytona-Source" /* which its packages say with each request */

static void work_dir(struct front_call *c);

/* Below CONTROL, and inside: below TOOLBOX and the sandbox's id. */
static const struct front_row rows[] = {
    { "POST", "", FRONT_JSON, daytona_create },
    { "GET", "", 0, daytona_list },
    { "GET", "/{id}", 0, daytona_show },
    { "DELETE", "/{id}", 0, daytona_delete },
    { "POST", "/{id}/start", 0, daytona_start },
    { "POST", "/{id}/stop", 0, daytona_stop },
    { "POST", "/{id}/pause", 0, daytona_stop },
    { "GET", "/{id}/toolbox-proxy-url", 0, daytona_proxy_url },
    { "GET", "/work-dir", FRONT_INSIDE, work_dir },
    { "GET", "/user-home-dir", FRONT_INSIDE, work_dir },
    { "POST", "/process/execute", FRONT_INSIDE | FRONT_JSON, daytona_execute },
    { "POST", "/process/code-run", FRONT_INSIDE | FRONT_JSON, daytona_code_run },
    { "POST", "/process/session", FRONT_INSIDE | FRONT_JSON, daytona_shell_create },
    { "GET", "/process/session", FRONT_INSIDE, daytona_shell_list },
    { "GET", "/process/session/{s}", FRONT_INSIDE, daytona_shell_show },
    { "DELETE", "/process/session/{s}", FRONT_INSIDE, daytona_shell_delete },
    { "POST", "/process/session/{s}/exec", FRONT_INSIDE | FRONT_JSON, daytona_shell_execute },
    { "GET", "/process/session/{s}/command/{c}", FRONT_INSIDE, daytona_command_show },
    { "GET", "/process/session/{s}/command/{c}/logs", FRONT_INSIDE, daytona_command_logs },
    { "POST", "/process/session/{s}/command/{c}/input", FRONT_INSIDE | FRONT_JSON, daytona_command_input },
    { "GET", "/files", FRONT_INSIDE, daytona_files_list },
    { "DELETE", "/files", FRONT_INSIDE, daytona_file_delete },
    { "GET", "/files/info", FRONT_INSIDE, daytona_file_info },
    { "POST", "/files/folder", FRONT_INSIDE, daytona_folder },
    { "POST", "/files/move", FRONT_INSIDE, daytona_file_move },
    { "GET", "/files/search", FRONT_INSIDE, daytona_files_search },
    { "GET", "/files/download", FRONT_INSIDE, daytona_download },
    { "POST", "/files/bulk-download", FRONT_INSIDE | FRONT_JSON, daytona_download_all },
    { "POST", "/files/upload", FRONT_INSIDE, daytona_upload },
    { "POST", "/files/bulk-upload", FRONT_INSIDE, daytona_upload },
};

static void work_dir(struct front_call *c)
{
    (void)buf_adds(answer_json(c->out, 200, 64), "{\"dir\":\"" DAYTONA_HOME "\"}");
}

/* --- one request ---------------------------------------------------------------------------------------------- */

static const struct front_row *find(struct front_call *c)
{
    const char *path = c->call->request->path;
    const bool is_inside = str_starts(path, TOOLBOX);
    if (is_inside) {
        path += strlen(TOOLBOX);
        const size_t n = strcspn(path, "/");
        c->session_id = arena_copy_bytes(c->call->arena, path, n);
        path += n;
    } else {
        path = str_starts(path, CONTROL) ? path + strlen(CONTROL) : "?";
    }
    const struct front_row *r = front_find(c, rows, ARRAY_LEN(rows), path, FRONT_INSIDE, is_inside ? FRONT_INSIDE : 0);
    if (!is_inside)
        c->session_id = c->call->parts[0];
    return r && !(is_inside && !*c->session_id) ? r : NULL;
}

static int who(struct front_call *c, struct caller *ret, struct error *err)
{
    return auth_check(c->call->service, c->call->request, ret, err);
}

static void respond(struct front_call *c, const struct front_row *r)
{
    const struct http_request *q = c->call->request;
    if (!front_is_on(c, daytona))
        return;
    if (!r)
        front_not_offered(c, DAYTONA_PAGE);
    else if (front_let_in(c, who) && (!(r->flags & FRONT_JSON) || front_read(c, q->body, q->body_size, true))) {
        if (r->flags & FRONT_INSIDE)
            daytona_touch(c);
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

static bool is_ours(const char *path)
{
    const char *behind = str_starts(path, CONTROL) ? path + strlen(CONTROL) : NULL;
    return (behind && (!*behind || *behind == '/')) || str_starts(path, TOOLBOX);
}

bool daytona_refuse(const struct http_request *q, unsigned status, const char *message, struct buf *body)
{
    if (is_ours(q->path))
        daytona_put_error(body, status, message, NULL, str_starts(q->path, TOOLBOX));
    return is_ours(q->path);
}

bool daytona_answer(struct call *call, struct http_answer *a)
{
    const bool is_inside = str_starts(call->request->path, TOOLBOX);
    if (!is_ours(call->request->path) && !http_header(call->request, SOURCE))
        return false;
    struct front_call c = { .call = call, .out = a };
    const struct front_row *r = find(&c);
    respond(&c, r);
    call_finish(call, a);
    if (a->status < 400)
        return true;
    const unsigned status = a->status == 405 ? 404 : a->status;
    const bool is_file = r && is_inside && str_starts(r->pattern, "/files");
    const char *message = inner_reword(a, call->arena, status, "the request failed");
    daytona_put_error(&a->body, status, message, c.code || !is_file ? c.code : daytona_file_code(status), is_inside);
    return true;
}
