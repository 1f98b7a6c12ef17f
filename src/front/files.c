#include "front/files.h"

#include <limits.h>

#include "base/json.h"

#define TOP_PATTERN "/sessions/{session_id}/files"

/* --- places --------------------------------------------------------------------------------------------------- */

const char *front_path(const char *path)
{
    static const char *const tops[] = { "/home/user", "/workspace" };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(tops) && !n; i++)
        if (str_starts(path, tops[i]) && (!path[strlen(tops[i])] || path[strlen(tops[i])] == '/'))
            n = strlen(tops[i]);
    if (path[0] == '/' && !n)
        return NULL;
    path += n;
    while (path[0] == '/' || (path[0] == '.' && (path[1] == '/' || !path[1])))
        path++;
    return path;
}

void front_put_cwd(struct front_call *c, const char *path, struct buf *b)
{
    const char *below = path && *path ? front_path(path) : NULL;
    if (below)
        path = arena_printf(c->call->arena, "/workspace%s%s", *below ? "/" : "", below);
    if (path && *path)
        json_key(b, "cwd"), json_put_string(b, path);
}

const char *front_place(struct front_call *c, const char *path)
{
    const bool is_long = path && strlen(path) >= PATH_MAX;
    const char *below = path && !is_long ? front_path(path) : NULL;
    if (!path || is_long)
        front_fail(c, ANSWER_INVALID_REQUEST, path ? "path: is too long" : "path: is missing");
    else if (!below)
        front_fail(c, ANSWER_FORBIDDEN, "%.100s: files are reached in /workspace (/home/user); elsewhere, by commands",
                   path);
    return below;
}

const char *front_place_below(struct front_call *c, const char *path, const char *what)
{
    const char *below = front_place(c, path);
    if (!below || *below)
        return below;
    front_fail(c, ANSWER_INVALID_REQUEST, "the workspace itself is not %s", what);
    return NULL;
}

/* 0644 */
static unsigned read_mode(const char *text)
{
    unsigned mode = 0;
    for (; text && *text >= '0' && *text <= '7' && mode <= 0777; text++)
        mode = mode << 3 | (unsigned)(*text - '0');
    return mode;
}

struct front_entry front_entry(struct body *entry)
{
    const char *type = body_text_if(entry, "type"), *name = body_text_if(entry, "name");
    struct front_entry e = { .name = name ? name : "",
                             .modified = body_text_if(entry, "modified"),
                             .size = body_uint(entry, "size", UINT64_MAX, 0),
                             .mode = read_mode(body_text_if(entry, "mode")),
                             .is_directory = type && str_eq(type, "directory"),
                             .is_link = type && str_eq(type, "link"),
                             .permissions = "-rwxrwxrwx" };
    e.permissions[0] = e.is_directory ? 'd' : '-';
    for (unsigned i = 0; i < 9; i++)
        if (!(e.mode & 0400u >> i))
            e.permissions[1 + i] = '-';
    return e;
}

/* --- asking --------------------------------------------------------------------------------------------------- */

static struct body *get(struct front_call *c, const char *below, struct http_pair query, struct http_pair more)
{
    return front_ask(c, "GET", *below ? FRONT_FILE_PATTERN : TOP_PATTERN,
                     (struct inner_asked){ .parts = { *below ? below : NULL }, .query = { query, more } });
}

struct body *front_file_list(struct front_call *c, const char *below, const char *depth)
{
    return get(c, below, (struct http_pair){ "list", "" }, (struct http_pair){ "depth", depth });
}

struct body *front_file_stat(struct front_call *c, const char *below)
{
    return get(c, below, (struct http_pair){ "stat", "" }, (struct http_pair){ NULL, NULL });
}

void front_file_get(struct front_call *c, const char *below, const char *range, struct http_answer *a)
{
    const struct inner_asked with = { .parts = { c->session_id, below },
                                      .headers = { { range ? "Range" : NULL, range } } };
    if (*below)
        inner_ask(c->call, "GET", FRONT_FILE_PATTERN, &with, a);
    else
        answer_fail(a, c->call->arena, ANSWER_INVALID_REQUEST, "this is a directory");
}

bool front_file_read(struct front_call *c, const char *path, struct buf *data)
{
    const char *below = front_place(c, path);
    bool is_cut = false;
    if (below)
        front_file_get(c, below, NULL, c->out);
    if (c->out->status != 200)
        return false;
    const bool is_read = inner_read(c->out, data, &is_cut);
    *c->out = (struct http_answer){ 0 };
    if (is_cut)
        front_fail(c, ANSWER_TOO_LARGE, "more than is read at once: read the file by itself");
    else if (!is_read)
        front_fail(c, ANSWER_SANDBOX_ERROR, "the file could not be read to its end");
    return is_read && !is_cut;
}

bool front_file_change(struct front_call *c, const char *method, const char *below, struct http_pair query)
{
    return front_ask_done(c, method, FRONT_FILE_PATTERN,
                          (struct inner_asked){ .parts = { below }, .query = { query } });
}

bool front_file_move(struct front_call *c, const char *from, const char *to)
{
    const char *source = front_place_below(c, from, "moved");
    const char *target = source ? front_place_below(c, to, "moved") : NULL;
    return target && front_ask_done(c, "POST", FRONT_FILE_PATTERN,
                                    (struct inner_asked){ .parts = { source },
                                                          .query = { { "move", target }, { "replace", "" } } });
}

/* --- uploads -------------------------------------------------------------------------------------------------- */

static bool leads_above(const char *below)
{
    int depth = 0;
    for (const char *p = below; *p && depth >= 0;) {
        const size_t n = strcspn(p, "/");
        const bool is_up = n == 2 && memcmp(p, "..", 2) == 0, is_here = !n || (n == 1 && *p == '.');
        depth += is_up ? -1 : !is_here;
        p += n + (p[n] == '/');
    }
    return depth < 0;
}

static const char *place_of_file(struct front_call *c, const char *path)
{
    const char *below = front_place_below(c, path, "a file");
    if (!below || !leads_above(below))
        return below;
    front_fail(c, ANSWER_INVALID_REQUEST, "%.100s: leads above /workspace", path);
    return NULL;
}

static bool put(struct front_call *c, const char *below, const void *data, size_t size)
{
    return front_ask_done(c, "PUT", FRONT_FILE_PATTERN,
                          (struct inner_asked){ .parts = { below }, .body = data, .body_size = size });
}

bool front_file_put(struct front_call *c, const char *path, const void *data, size_t size)
{
    const char *below = place_of_file(c, path);
    return below && put(c, below, data, size);
}

struct taking {
    struct front_call *call;
    const struct front_upload *upload;
    bool is_for_real;
    unsigned count;
};

static bool take_part(void *taking, const struct multipart_part *part)
{
    struct taking *t = taking;
    const struct front_upload *u = t->upload;
    const char *path = NULL;
    if (!u->file_of(u->context, part, &path))
        return true;
    t->count++;
    const char *below = place_of_file(t->call, path);
    if (!below || (t->is_for_real && !put(t->call, below, part->data, part->size)))
        return false;
    if (t->is_for_real && u->wrote)
        u->wrote(u->context, path);
    return true;
}

bool front_upload(struct front_call *c, const struct front_upload *u)
{
    const struct http_request *q = c->call->request;
    const char *type = http_header(q, "Content-Type");
    int e = type ? 0 : -EBADMSG;
    for (unsigned round = 0; round < 2 && e == 0 && !c->out->status; round++) {
        struct taking t = { .call = c, .upload = u, .is_for_real = round == 1 };
        e = multipart_read(type, q->body, q->body_size, c->call->arena, take_part, &t);
        if (e == 0 && !t.count && !c->out->status)
            e = -EBADMSG;
    }
    if (e == -EMFILE)
        front_fail(c, ANSWER_INVALID_REQUEST, "more than %u parts at once", MULTIPART_MAX);
    else if (e < 0)
        front_fail(c, ANSWER_INVALID_REQUEST, "the body is no whole multipart/form-data with files");
    return !c->out->status;
}
