/* e2b_files.c - filesystem.Filesystem of envd, and /files: places below the session's /workspace. */
#include "base/json.h"
#include "base/path.h"
#include "front/e2b_internal.h"
#include "front/files.h"

/* --- what is told of one -------------------------------------------------------------------------------------- */

/* path: whole, as the client is to see it. */
static void put_entry(struct body *entry, const char *path, struct buf *b)
{
    const struct front_entry e = front_entry(entry);
    json_open(b, '{');
    json_key(b, "name"), json_put_string(b, path_last(path));
    json_key(b, "type"), json_put_string(b, e.is_directory ? "FILE_TYPE_DIRECTORY"
                                            : e.is_link    ? "FILE_TYPE_SYMLINK"
                                                           : "FILE_TYPE_FILE");
    json_key(b, "path"), json_put_string(b, path);
    json_key(b, "size"), (void)buf_addf(b, "\"%llu\"", (unsigned long long)e.size);
    json_key(b, "mode"), json_uint(b, e.mode);
    json_key(b, "permissions"), json_put_string(b, e.permissions);
    json_key(b, "owner"), json_put_string(b, "user");
    json_key(b, "group"), json_put_string(b, "user");
    json_key(b, "modifiedTime"), json_put_string(b, e.modified);
    const char *target = e.is_link ? body_text_if(entry, "target") : NULL;
    if (target)
        json_key(b, "symlinkTarget"), json_put_string(b, target);
    json_close(b, '}');
}

/* As the client named it, from the root on. */
static const char *shown(struct front_call *c, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return path[0] == '/' ? arena_copy_bytes(c->call->arena, path, n)
                          : arena_printf(c->call->arena, E2B_HOME "%s%s", n ? "/" : "", front_path(path));
}

/* --- the methods ---------------------------------------------------------------------------------------------- */

static void answer_entry(struct front_call *c, const char *path)
{
    const char *below = front_place(c, path);
    struct body *entry = below ? front_file_stat(c, below) : NULL;
    if (!entry)
        return;
    struct buf *b = answer_json(c->out, 200, 64 * KIB);
    json_open(b, '{');
    json_key(b, "entry"), put_entry(entry, shown(c, path), b);
    json_close(b, '}');
    (void)body_free(entry);
}

static void stat_one(struct front_call *c)
{
    const char *path = e2b_text(c->body, "path");
    if (front_is_read(c))
        answer_entry(c, path);
}

static void list(struct front_call *c)
{
    const char *path = e2b_text(c->body, "path");
    const uint64_t depth = body_uint(c->body, "depth", UINT32_MAX, 1);
    const char *below = front_is_read(c) ? front_place(c, path && *path ? path : E2B_HOME) : NULL;
    const char *deep = arena_printf(c->call->arena, "%u", (unsigned)MIN_OF(MAX_OF(depth, 1u), FRONT_DEPTH_MAX));
    struct body *all = below ? front_file_list(c, below, deep) : NULL;
    if (!all)
        return;
    const uint32_t n = body_objects(all, "entries", FRONT_ENTRIES_MAX);
    const char *above = shown(c, path && *path ? path : E2B_HOME);
    struct buf *b = answer_json(c->out, 200, 64 * MIB);
    json_open(b, '{');
    json_key(b, "entries"), json_open(b, '[');
    for (uint32_t i = 0; i < n; i++) {
        struct body *one = body_object_at(all, "entries", i);
        if (one)
            put_entry(one, arena_printf(c->call->arena, "%s/%s", above, e2b_text(one, "name")), b);
    }
    json_close(b, ']');
    json_close(b, '}');
    (void)body_free(all);
}

static void make(struct front_call *c)
{
    const char *path = e2b_text(c->body, "path");
    const char *below = front_is_read(c) ? front_place(c, path) : NULL;
    const struct inner_asked with = { .parts = { c->session_id, below }, .query = { { "mkdir", "" } } };
    if (!below)
        return;
    struct http_answer made = { 0 };
    if (*below)
        inner_ask(c->call, "POST", FRONT_FILE_PATTERN, &with, &made);
    if (!*below || made.status == 200 || made.status == 409) { /* the SDK takes this for «false» */
        buf_done(&made.body);
        front_fail(c, ANSWER_CONFLICT, "%.100s is there already", path);
        c->code = "already_exists";
    } else if (made.status != 201) {
        *c->out = made;
    } else {
        buf_done(&made.body);
        answer_entry(c, path);
    }
}

static void move(struct front_call *c)
{
    const char *from = e2b_text(c->body, "source"), *to = e2b_text(c->body, "destination");
    if (front_is_read(c) && front_file_move(c, from, to))
        answer_entry(c, to);
}

/* What is not there needs no removal, as with rm -f. */
static void remove_one(struct front_call *c)
{
    const char *path = e2b_text(c->body, "path");
    const char *below = front_is_read(c) ? front_place_below(c, path, "removed") : NULL;
    if (below && (front_file_change(c, "DELETE", below, (struct http_pair){ NULL, NULL }) || c->out->status == 404))
        front_done(c, 200);
}

/* --- watching --------------------------------------------------------------------------------------------------- */

static void put_message(struct buf *out, const char *name)
{
    const size_t at = e2b_envelope_begin(out, 0);
    (void)buf_addf(out, "{\"%s\":{}}", name);
    e2b_envelope_end(out, at);
}

static void put_change(struct buf *out, const char *name, const char *type)
{
    const size_t at = e2b_envelope_begin(out, 0);
    (void)buf_adds(out, "{\"filesystem\":{\"name\":");
    json_put_string(out, name);
    json_key(out, "type"), json_put_string(out, type);
    (void)buf_adds(out, "}}");
    e2b_envelope_end(out, at);
}

/* What is too much to tell one by one ends the watch, so that its client looks for itself. */
static void take_change(struct e2b_stream *s, struct body *event)
{
    static const char *const types[][2] = { { "create", "EVENT_TYPE_CREATE" },
                                            { "write", "EVENT_TYPE_WRITE" },
                                            { "remove", "EVENT_TYPE_REMOVE" },
                                            { "rename", "EVENT_TYPE_RENAME" },
                                            { "chmod", "EVENT_TYPE_CHMOD" } };
    const char *type = event ? e2b_text(event, "type") : NULL, *name = event ? e2b_text(event, "name") : NULL;
    if (!event)
        put_message(&s->events.out, "keepalive");
    else if (type && str_eq(type, "watching"))
        put_message(&s->events.out, "start");
    else if (type && str_eq(type, "overflow"))
        e2b_stream_end(s, "resource_exhausted", "more changes than can be told: list the directory, and watch it anew");
    else if (type && (str_eq(type, "end") || str_eq(type, "gone")))
        e2b_stream_end(s, NULL, NULL);
    for (size_t i = 0; type && name && i < ARRAY_LEN(types); i++)
        if (str_eq(type, types[i][0]))
            put_change(&s->events.out, name, types[i][1]);
}

static void watch(struct front_call *c)
{
    const char *path = e2b_text(c->body, "path");
    const bool is_recursive = body_bool(c->body, "recursive", false);
    const char *below = front_is_read(c) ? front_place(c, path) : NULL;
    struct inner_asked with = { .parts = { c->session_id } };
    struct http_answer events = { 0 };
    size_t n = 0;
    if (!below)
        return;
    if (*below)
        with.query[n++] = (struct http_pair){ "path", below };
    if (is_recursive)
        with.query[n++] = (struct http_pair){ "recursive", "" };
    inner_ask(c->call, "GET", "/sessions/{session_id}/watch", &with, &events);
    if (events.status == 200)
        (void)e2b_stream_begin(c, "application/connect+json", &events, take_change);
    else
        *c->out = events;
}

void e2b_filesystem(struct front_call *c)
{
    static const struct {
        const char *name;
        front_handler handle;
    } methods[] = { { "Stat", stat_one }, { "ListDir", list },      { "MakeDir", make },
                    { "Move", move },     { "Remove", remove_one }, { "WatchDir", watch } };
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (str_eq(methods[i].name, c->call->parts[0])) {
            methods[i].handle(c);
            return;
        }
    front_fail(c, ANSWER_METHOD_NOT_ALLOWED, "filesystem.Filesystem has no method %.64s here", c->call->parts[0]);
}

/* --- /files --------------------------------------------------------------------------------------------------- */

void e2b_download(struct front_call *c)
{
    const struct http_request *q = c->call->request;
    const char *below = front_place(c, http_query(q, "path"));
    if (below)
        front_file_get(c, below, http_header(q, "Range"), c->out);
}

struct upload {
    struct front_call *call;
    const char *path; /* of the parameter; NULL: each part has its own */
    struct buf list;
};

static bool file_of(void *upload, const struct multipart_part *part, const char **ret_path)
{
    const struct upload *u = upload;
    *ret_path = u->path ? u->path : part->filename;
    return str_eq(part->name, "file");
}

static void list_one(void *upload, const char *path)
{
    struct upload *u = upload;
    const char *whole = shown(u->call, path);
    json_open(&u->list, '{');
    json_key(&u->list, "name"), json_put_string(&u->list, path_last(whole));
    json_key(&u->list, "type"), json_put_string(&u->list, "file");
    json_key(&u->list, "path"), json_put_string(&u->list, whole);
    json_close(&u->list, '}');
}

/* As it is, at the parameter's path, or as a form. */
static bool put_all(struct front_call *c, struct upload *u)
{
    const struct http_request *q = c->call->request;
    const char *type = http_header(q, "Content-Type");
    if (type && str_starts(type, "multipart/form-data"))
        return front_upload(c, &(struct front_upload){ .file_of = file_of, .wrote = list_one, .context = u });
    if (!front_file_put(c, u->path, q->body, q->body_size))
        return false;
    list_one(u, u->path);
    return true;
}

void e2b_upload(struct front_call *c)
{
    struct upload u = { .call = c, .path = http_query(c->call->request, "path") };
    if (http_header(c->call->request, "Content-Encoding")) {
        front_fail(c, ANSWER_INVALID_REQUEST, "Content-Encoding: files are sent as they are (gzip: false)");
        return;
    }
    buf_init(&u.list, MIB);
    json_open(&u.list, '[');
    if (put_all(c, &u)) {
        json_close(&u.list, ']');
        (void)buf_add(answer_json(c->out, 200, MIB), u.list.data, u.list.size);
    }
    buf_done(&u.list);
}
