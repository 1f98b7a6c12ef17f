/* daytona_files.c - files of the sandbox: places below the session's /workspace. */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>

#include "base/json.h"
#include "base/path.h"
#include "daemon/service.h"
#include "front/daytona_internal.h"
#include "front/files.h"

#define PATHS_MAX   1000u
#define ANSWER_MOST (64 * MIB) /* of files in one answer, which is made whole */

/* The query's path; without one, the workspace. */
static const char *place_of_query(struct front_call *c)
{
    const char *path = http_query(c->call->request, "path");
    return front_place(c, path && *path ? path : DAYTONA_HOME);
}

static void put_entry(struct buf *b, struct body *one, const char *name)
{
    const struct front_entry e = front_entry(one);
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

void daytona_files_list(struct front_call *c)
{
    const char *depth = http_query(c->call->request, "depth"), *below = place_of_query(c);
    struct body *all = below ? front_file_list(c, below, depth ? depth : "1") : NULL;
    const uint32_t n = all ? body_objects(all, "entries", FRONT_ENTRIES_MAX) : 0;
    struct buf *b = all ? answer_json(c->out, 200, 64 * MIB) : NULL;
    if (!b)
        return;
    json_open(b, '[');
    for (uint32_t i = 0; i < n; i++)
        put_entry(b, body_object_at(all, "entries", i), NULL);
    json_close(b, ']');
    (void)body_free(all);
}

/* Names that fit the pattern, in all directories below the path. */
void daytona_files_search(struct front_call *c)
{
    const char *pattern = http_query(c->call->request, "pattern"), *below = place_of_query(c);
    if (below && (!pattern || !*pattern || strlen(pattern) >= NAME_MAX)) {
        front_fail(c, ANSWER_INVALID_REQUEST, "pattern: expected is one of names, such as *.txt");
        return;
    }
    struct body *all = below ? front_file_list(c, below, "64") : NULL;
    const uint32_t n = all ? body_objects(all, "entries", FRONT_ENTRIES_MAX) : 0;
    struct buf *b = all ? answer_json(c->out, 200, 64 * MIB) : NULL;
    if (!b)
        return;
    json_open(b, '{');
    json_key(b, "files"), json_open(b, '[');
    for (uint32_t i = 0; i < n; i++) {
        const struct front_entry e = front_entry(body_object_at(all, "entries", i));
        if (fnmatch(pattern, path_last(e.name), 0) == 0)
            json_put_string(b, arena_printf(c->call->arena, DAYTONA_HOME "%s%s/%s", *below ? "/" : "", below, e.name));
    }
    json_close(b, ']');
    json_close(b, '}');
    (void)body_free(all);
}

void daytona_file_info(struct front_call *c)
{
    const char *below = place_of_query(c);
    struct body *one = below ? front_file_stat(c, below) : NULL;
    if (one)
        put_entry(answer_json(c->out, 200, 64 * KIB), one, *below ? path_last(below) : "workspace");
    (void)body_free(one);
}

/* A directory only with recursive=true, as Daytona has it. */
void daytona_file_delete(struct front_call *c)
{
    const char *recursive = http_query(c->call->request, "recursive");
    const char *below = front_place_below(c, http_query(c->call->request, "path"), "removed");
    struct body *one = below ? front_file_stat(c, below) : NULL;
    if (one && front_entry(one).is_directory && !(recursive && str_eq(recursive, "true")))
        front_fail(c, ANSWER_INVALID_REQUEST, "%.100s is a directory: recursive=true removes it", below);
    else if (one && front_file_change(c, "DELETE", below, (struct http_pair){ NULL, NULL }))
        front_done(c, 204);
    (void)body_free(one);
}

/* One that is there already is as good as made. */
void daytona_folder(struct front_call *c)
{
    const char *below = front_place(c, http_query(c->call->request, "path"));
    if (below && (!*below || front_file_change(c, "POST", below, (struct http_pair){ "mkdir", "" })))
        front_done(c, 201);
}

void daytona_file_move(struct front_call *c)
{
    const struct http_request *q = c->call->request;
    if (front_file_move(c, http_query(q, "source"), http_query(q, "destination")))
        front_done(c, 200);
}

/* --- down ------------------------------------------------------------------------------------------------------- */

void daytona_download(struct front_call *c)
{
    const char *below = place_of_query(c);
    if (below)
        front_file_get(c, below, NULL, c->out);
}

/* What could not be read is a part of its own, in the words of an error. */
static void put_file(const struct front_call *c, const char *boundary, const char *path, struct buf *b)
{
    struct http_answer a = { 0 };
    struct front_call one = *c;
    struct buf data;
    one.out = &a;
    buf_init(&data, ANSWER_MOST - MIN_OF(b->size, (size_t)ANSWER_MOST - 1));
    const bool is_read = front_file_read(&one, path, &data);
    multipart_put_head(b, boundary, is_read ? "file" : "error", path,
                       is_read ? "application/octet-stream" : "application/json");
    if (!is_read) {
        const char *words = inner_reword(&a, c->call->arena, a.status, "the file could not be read");
        buf_done(&data);
        buf_init(&data, 64 * KIB);
        daytona_put_error(&data, a.status, words, daytona_file_code(a.status), true);
    }
    (void)buf_add(b, data.data, data.size);
    (void)buf_adds(b, "\r\n");
    buf_done(&data);
    buf_done(&a.body);
}

void daytona_download_all(struct front_call *c)
{
    struct strlist paths = { 0 };
    char boundary[MULTIPART_BOUNDARY_SIZE];
    body_texts(c->body, "paths", &paths, PATH_MAX, PATHS_MAX);
    if (front_is_read(c)) {
        multipart_make_boundary(boundary);
        struct buf *b = answer_json(c->out, 200, ANSWER_MOST + MIB);
        c->out->content_type = arena_printf(c->call->arena, "multipart/form-data; boundary=%s", boundary);
        STRLIST_FOREACH(path, &paths)
        put_file(c, boundary, path, b);
        (void)buf_addf(b, "--%s--\r\n", boundary);
    }
    strlist_done(&paths);
}

/* --- up --------------------------------------------------------------------------------------------------------- */

struct upload {
    struct arena *arena;
    const char *path; /* of the next file: the query's, or «files[0].path» before «files[0].file» */
};

static bool file_of(void *upload, const struct multipart_part *part, const char **ret_path)
{
    struct upload *u = upload;
    if (str_ends(part->name, ".path"))
        u->path = arena_copy_bytes(u->arena, part->data, part->size);
    *ret_path = u->path;
    return str_ends(part->name, "file");
}

void daytona_upload(struct front_call *c)
{
    struct upload u = { c->call->arena, http_query(c->call->request, "path") };
    if (front_upload(c, &(struct front_upload){ .file_of = file_of, .context = &u }))
        front_done(c, 200);
}
