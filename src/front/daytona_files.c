/* daytona_files.c - files of the sandbox: places below the session's /workspace. */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/chain.h"
#include "base/json.h"
#include "base/path.h"
#include "daemon/routes.h"
#include "front/daytona_internal.h"
#include "front/e2b_wire.h"
#include "run/load.h"

#define ENTRIES_MAX  10000u
#define DEPTH_MAX    "64"
#define PATHS_MAX    1000u
#define FILE_PATTERN "/sessions/{session_id}/files/{path}"
#define TOP_PATTERN  "/sessions/{session_id}/files"
#define ANSWER_MOST  (64 * MIB) /* of files in one answer, which is made whole */

/* NULL: an answer was given. */
static const char *place(struct daytona_call *c, const char *path)
{
    return inner_place(c->call, path, c->out);
}

/* The query's path; without one, the workspace. */
static const char *place_of_query(struct daytona_call *c)
{
    const char *path = http_query(c->call->request, "path");
    return place(c, path && *path ? path : DAYTONA_HOME);
}

static struct body *ask(struct daytona_call *c, const char *method, const char *below, struct http_pair query,
                        struct http_pair more)
{
    const struct inner_asked with = { .parts = { *below ? below : NULL }, .query = { query, more } };
    return daytona_ask(c, method, *below ? FILE_PATTERN : TOP_PATTERN, with);
}

static void put_entry(struct buf *b, struct body *one, const char *name)
{
    const struct inner_entry e = inner_entry(one);
    char mode[8];
    (void)snprintf(mode, sizeof mode, "%04o", e.mode);
    json_open(b, '{');
    json_key(b, "name"), json_put_string(b, name ? name : e.name);
    json_key(b, "isDir"), json_bool(b, e.is_directory);
    json_key(b, "size"), json_uint(b, e.size);
    json_key(b, "modTime"), json_put_string(b, e.modified);
    json_key(b, "modifiedAt"), json_put_string(b, e.modified);
    json_key(b, "mode"), json_put_string(b, e.permissions);
    json_key(b, "permissions"), json_put_string(b, mode);
    json_key(b, "owner"), json_put_string(b, "user");
    json_key(b, "group"), json_put_string(b, "user");
    json_close(b, '}');
}

static struct body *list(struct daytona_call *c, const char *depth, const char **ret_below)
{
    const char *below = *ret_below = place_of_query(c);
    return below ? ask(c, "GET", below, (struct http_pair){ "list", "" }, (struct http_pair){ "depth", depth }) : NULL;
}

void daytona_files_list(struct daytona_call *c)
{
    const char *below, *depth = http_query(c->call->request, "depth");
    struct body *all = list(c, depth ? depth : "1", &below);
    const uint32_t n = all ? body_objects(all, "entries", ENTRIES_MAX) : 0;
    if (!all)
        return;
    struct buf *b = answer_json(c->out, 200, 64 * MIB);
    json_open(b, '[');
    for (uint32_t i = 0; i < n; i++)
        put_entry(b, body_object_at(all, "entries", i), NULL);
    json_close(b, ']');
    (void)body_free(all);
}

/* Names that fit the pattern, in all directories below the path. */
void daytona_files_search(struct daytona_call *c)
{
    const char *pattern = http_query(c->call->request, "pattern"), *below;
    if (!pattern || !*pattern || strlen(pattern) >= NAME_MAX) {
        daytona_fail(c, ANSWER_INVALID_REQUEST, "pattern: expected is one of names, such as *.txt");
        return;
    }
    struct body *all = list(c, DEPTH_MAX, &below);
    const uint32_t n = all ? body_objects(all, "entries", ENTRIES_MAX) : 0;
    if (!all)
        return;
    struct buf *b = answer_json(c->out, 200, 64 * MIB);
    json_open(b, '{');
    json_key(b, "files"), json_open(b, '[');
    for (uint32_t i = 0; i < n; i++) {
        const struct inner_entry e = inner_entry(body_object_at(all, "entries", i));
        if (fnmatch(pattern, path_last(e.name), 0) == 0)
            json_put_string(b, arena_printf(c->call->arena, DAYTONA_HOME "%s%s/%s", *below ? "/" : "", below, e.name));
    }
    json_close(b, ']');
    json_close(b, '}');
    (void)body_free(all);
}

void daytona_file_info(struct daytona_call *c)
{
    const char *below = place_of_query(c);
    struct body *one = below ? ask(c, "GET", below, (struct http_pair){ "stat", "" }, (struct http_pair){ NULL, NULL })
                             : NULL;
    if (one)
        put_entry(answer_json(c->out, 200, 64 * KIB), one, *below ? path_last(below) : "workspace");
    (void)body_free(one);
}

/* A directory only with recursive=true, as Daytona has it. */
void daytona_file_delete(struct daytona_call *c)
{
    const char *recursive = http_query(c->call->request, "recursive");
    const char *below = place(c, http_query(c->call->request, "path"));
    if (below && !*below) {
        daytona_fail(c, ANSWER_INVALID_REQUEST, "the workspace itself is not removed");
        return;
    }
    struct body *one = below ? ask(c, "GET", below, (struct http_pair){ "stat", "" }, (struct http_pair){ NULL, NULL })
                             : NULL;
    const bool is_directory = one && inner_entry(one).is_directory;
    (void)body_free(one);
    if (!one)
        return;
    if (is_directory && !(recursive && str_eq(recursive, "true")))
        daytona_fail(c, ANSWER_INVALID_REQUEST, "%.100s is a directory: recursive=true removes it", below);
    else if (daytona_ask_done(c, "DELETE", FILE_PATTERN, (struct inner_asked){ .parts = { below } }))
        daytona_done(c, 204);
}

/* One that is there already is as good as made. */
void daytona_folder(struct daytona_call *c)
{
    const char *below = place(c, http_query(c->call->request, "path"));
    if (!below)
        return;
    const struct inner_asked with = { .parts = { below }, .query = { { "mkdir", "" } } };
    if (!*below || daytona_ask_done(c, "POST", FILE_PATTERN, with))
        daytona_done(c, 201);
}

void daytona_file_move(struct daytona_call *c)
{
    const struct http_request *q = c->call->request;
    const char *from = place(c, http_query(q, "source"));
    const char *to = from ? place(c, http_query(q, "destination")) : NULL;
    if (!to)
        return;
    const struct inner_asked with = { .parts = { from }, .query = { { "move", to }, { "replace", "" } } };
    if (!*from || !*to)
        daytona_fail(c, ANSWER_INVALID_REQUEST, "the workspace itself is not moved");
    else if (daytona_ask_done(c, "POST", FILE_PATTERN, with))
        daytona_done(c, 200);
}

/* --- down ------------------------------------------------------------------------------------------------------- */

static void get(struct daytona_call *c, const char *below, struct http_answer *a)
{
    const struct inner_asked with = { .parts = { c->id, below } };
    if (*below)
        inner_ask(c->call, "GET", FILE_PATTERN, &with, a);
    else
        answer_fail(a, c->call->arena, ANSWER_INVALID_REQUEST, "this is a directory");
}

void daytona_download(struct daytona_call *c)
{
    const char *below = place_of_query(c);
    if (below)
        get(c, below, c->out);
}

/* A name that is not plain is told as RFC 5987 has it, which readers of all kinds take alike. */
static void put_head(struct buf *b, const char *boundary, bool is_file, const char *path)
{
    static const char plain_path[] = "/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
                      *const plain = plain_path + 1;
    const bool is_plain = strspn(path, plain_path) == strlen(path);
    (void)buf_addf(b, "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename%s", boundary,
                   is_file ? "file" : "error", is_plain ? "=\"" : "*=utf-8''");
    for (const char *p = path; *p; p++)
        (void)buf_addf(b, is_plain || strchr(plain, *p) ? "%c" : "%%%02X", (unsigned char)*p);
    (void)buf_addf(b, "%s\r\nContent-Type: %s\r\n\r\n", is_plain ? "\"" : "",
                   is_file ? "application/octet-stream" : "application/json");
}

/* What could not be read is a part of its own, in the words of an error. */
static void put_file(struct daytona_call *c, const char *boundary, const char *path, struct buf *b)
{
    struct http_answer a = { 0 };
    struct buf data;
    bool is_cut = false;
    const char *below = inner_place(c->call, path, &a);
    if (below)
        get(c, below, &a);
    const unsigned status = a.status;
    buf_init(&data, ANSWER_MOST - MIN_OF(b->size, (size_t)ANSWER_MOST - 1));
    if (status == 200 && (!inner_read(&a, &data, &is_cut) || is_cut)) {
        a = (struct http_answer){ 0 };
        answer_fail(&a, c->call->arena, is_cut ? ANSWER_TOO_LARGE : ANSWER_SANDBOX_ERROR,
                    is_cut ? "more than 64 MiB in one answer: GET /files/download has no such limit"
                           : "the file could not be read to its end");
    }
    put_head(b, boundary, a.status == 200, path);
    if (a.status == 200) {
        (void)buf_add(b, data.data, data.size);
    } else {
        const char *words = inner_reword(&a, c->call->arena, a.status, "the file could not be read");
        daytona_put_error(&a.body, a.status, words, daytona_file_code(a.status), true);
        (void)buf_add(b, a.body.data, a.body.size);
        buf_done(&a.body);
    }
    (void)buf_adds(b, "\r\n");
    buf_done(&data);
}

void daytona_download_all(struct daytona_call *c)
{
    struct strlist paths = { 0 };
    uint8_t bytes[16];
    char boundary[2 * sizeof bytes + 1];
    body_texts(c->body, "paths", &paths, PATH_MAX, PATHS_MAX);
    if (!daytona_is_read(c) || random_bytes(bytes, sizeof bytes) < 0) {
        strlist_done(&paths);
        return;
    }
    hex_write(bytes, sizeof bytes, boundary);
    struct buf *b = answer_json(c->out, 200, ANSWER_MOST + MIB);
    c->out->content_type = arena_printf(c->call->arena, "multipart/form-data; boundary=%s", boundary);
    STRLIST_FOREACH(path, &paths)
    put_file(c, boundary, path, b);
    (void)buf_addf(b, "--%s--\r\n", boundary);
    strlist_done(&paths);
}

/* --- up --------------------------------------------------------------------------------------------------------- */

struct upload {
    struct daytona_call *call;
    const char *path; /* of the next file: the query's, or «files[0].path» before «files[0].file» */
    bool is_for_real;
    unsigned count;
};

static bool take_part(void *context, const struct e2b_part *part)
{
    struct upload *u = context;
    struct daytona_call *c = u->call;
    if (str_ends(part->name, ".path")) {
        u->path = arena_copy_bytes(c->call->arena, part->data, part->size);
        return true;
    }
    if (!str_ends(part->name, "file"))
        return true;
    const char *below = place(c, u->path);
    const struct inner_asked with = { .parts = { below }, .body = part->data, .body_size = part->size };
    u->count++;
    if (below && !load_is_plain_relative(below))
        daytona_fail(c, ANSWER_INVALID_REQUEST, "%.100s: is no path of a file", u->path);
    return !c->out->status && (!u->is_for_real || daytona_ask_done(c, "PUT", FILE_PATTERN, with));
}

/* A body that is not whole, or names a place that is none, writes none of its files. */
void daytona_upload(struct daytona_call *c)
{
    const struct http_request *q = c->call->request;
    const char *type = http_header(q, "Content-Type");
    int e = type ? 0 : -EBADMSG;
    for (unsigned round = 0; round < 2 && e == 0 && !c->out->status; round++) {
        struct upload u = { .call = c, .path = http_query(q, "path"), .is_for_real = round == 1 };
        e = e2b_parts_read(type, q->body, q->body_size, c->call->arena, take_part, &u);
        if (e == 0 && !u.count && !c->out->status)
            e = -EBADMSG;
    }
    if (e == -EMFILE)
        daytona_fail(c, ANSWER_INVALID_REQUEST, "more than %u parts at once", E2B_PARTS_MAX);
    else if (e < 0)
        daytona_fail(c, ANSWER_INVALID_REQUEST, "the body is no whole multipart/form-data with files");
    else if (!c->out->status)
        daytona_done(c, 200);
}
