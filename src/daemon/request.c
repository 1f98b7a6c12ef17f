#include "daemon/request.h"

#include <stdio.h>

#include "audit/hmac.h"
#include "daemon/body.h"
#include "run/load.h"

#define MAX_ARGUMENTS 256u
#define MAX_ARGUMENT  32768u
#define MAX_ENV       256u
#define MAX_PATH      512u

/* --- parts ----------------------------------------------------------------------------------------- */

/* Text, or base64 of any bytes; not both. False: neither is there. */
static bool read_content(struct body *b, const char *name, const char *name64, struct arena *a, const char **ret,
                         size_t *ret_size)
{
    size_t size = 0;
    const char *text = body_bytes(b, name, REQUEST_MAX_CODE_BYTES, ret_size);
    const char *coded = body_bytes(b, name64, REQUEST_MAX_CODE_BYTES / 3 * 4 + 4, &size);
    *ret = text;
    if (!coded)
        return text != NULL;
    if (text) {
        (void)body_refuse(b, name64, "is there beside %s: one of them", name);
        return false;
    }
    char *bytes = arena_zero(a, size + 1);
    if (!bytes || base64_read(coded, size, bytes, ret_size) < 0)
        (void)body_refuse(b, name64, "is no base64 (RFC 4648, with padding)");
    *ret = bytes;
    return bytes != NULL;
}

static void read_file(struct body *b, struct arena *a, struct request_file *ret)
{
    ret->path = body_text(b, "path", MAX_PATH);
    if (!ret->path)
        (void)body_refuse(b, "path", "is missing");
    else if (!load_is_plain_relative(ret->path))
        (void)body_refuse(b, "path", "is no plain relative path");
    else if (!read_content(b, "content", "content_base64", a, &ret->data, &ret->size))
        (void)body_refuse(b, "content", "is missing (or content_base64)");
}

/* The entry is the code, the others are files beside it. */
static void read_files(struct body *b, struct arena *a, struct execute_request *r)
{
    struct request_file all[REQUEST_MAX_FILES + 1] = { 0 };
    uint32_t n = body_objects(b, "files", REQUEST_MAX_FILES + 1), entry = 0;
    const char *name = body_text(b, "entry", MAX_PATH);
    struct error ignored;
    for (uint32_t i = 0; i < n; i++) {
        struct body *one = body_object_at(b, "files", i);
        if (!one)
            return;
        read_file(one, a, &all[i]);
        if (body_end(one, &ignored) < 0) /* kept in the body, and told there */
            return;
        for (uint32_t k = 0; k < i; k++)
            if (str_eq(all[i].path, all[k].path))
                (void)body_refuse(b, "files", "has %s twice", all[i].path);
        if (name && str_eq(all[i].path, name))
            entry = i;
    }
    if (name && (!n || !str_eq(all[entry].path, name)))
        (void)body_refuse(b, "entry", "is none of the files");
    for (uint32_t i = 0; i < n; i++) {
        if (i != entry)
            r->files[r->options.file_count++] = all[i];
    }
    r->options.files = r->files;
    r->options.text = all[entry].data;
    r->options.text_size = all[entry].size;
}

static void read_code(struct body *b, struct arena *a, struct execute_request *r)
{
    struct options *o = &r->options;
    bool has_files = body_has(b, "files");
    o->text = body_bytes(b, "code", REQUEST_MAX_CODE_BYTES, &o->text_size);
    if (has_files && o->text)
        (void)body_refuse(b, "files", "is there beside code: one of them");
    else if (has_files)
        read_files(b, a, r);
    else if (body_has(b, "entry"))
        (void)body_refuse(b, "entry", "is for files");
    if (!o->text)
        (void)body_refuse(b, "code", "is missing (or files)");
    o->code = "code"; /* stands for a file's name in messages */
}

static bool is_below(const char *path, const struct strlist *roots)
{
    STRLIST_FOREACH(root, roots)
    {
        size_t n = strlen(root);
        while (n && root[n - 1] == '/') /* of «/» nothing is left, and everything is below it */
            n--;
        if (strncmp(path, root, n) == 0 && (path[n] == '/' || !path[n]))
            return true;
    }
    return false;
}

static void read_volume(struct body *v, const struct config *c, struct strlist *ret)
{
    static const char *const modes[] = { "ro", "rw", NULL };
    const char *host = body_text(v, "host", 4000), *inside = body_text(v, "inside", MAX_PATH);
    int mode = body_choice(v, "mode", modes);
    if (!host || !inside)
        (void)body_refuse(v, host ? "inside" : "host", "is missing");
    else if (host[0] != '/' || strchr(host, ':') || strchr(inside, ':') || strstr(host, "/../") || strstr(host, "//") ||
             (strlen(host) >= 3 && str_eq(host + strlen(host) - 3, "/..")))
        (void)body_refuse(v, "host", "is no plain absolute path");
    else if (!is_below(host, &c->endpoints.api.volume_roots))
        (void)body_refuse(v, "host", "is not below a directory of endpoints.api.volume_roots");
    else if (strlist_addf(ret, "%s:%s:%s", host, inside, mode == 1 ? "rw" : "ro") < 0)
        (void)body_refuse(v, "host", "is too long");
}

static void read_volumes(struct body *b, const struct config *c, struct execute_request *r)
{
    struct error ignored;
    uint32_t n = body_objects(b, "volumes", REQUEST_MAX_VOLUMES);
    for (uint32_t i = 0; i < n; i++) {
        struct body *v = body_object_at(b, "volumes", i);
        if (!v)
            return;
        read_volume(v, c, &r->options.volumes);
        if (body_end(v, &ignored) < 0)
            return;
    }
}

static void read_limits(struct body *b, struct options *o)
{
    struct error ignored; /* kept in the body */
    struct body *l = body_object(b, "limits");
    if (!l)
        return;
    o->timeout = body_scalar(l, "timeout", 32);
    o->memory = body_scalar(l, "memory", 32);
    o->cpu = body_scalar(l, "cpu", 32);
    (void)body_end(l, &ignored);
}

/* --- the whole ------------------------------------------------------------------------------------- */

static const char *name_of(const char *const *names, int index)
{
    return index < 0 ? NULL : names[index];
}

static int read_members(struct body *b, const struct config *c, struct arena *a, struct execute_request *r,
                        struct error *err)
{
    static const char *const languages[] = { "python", "node", "bash", "go", "rust", NULL }, *const levels[] = {
        "low", "medium", "high", NULL
    };
    static const char *const backends[] = { "native", "docker", NULL };
    struct options *o = &r->options;
    o->json = true; /* output is captured */
    o->language = name_of(languages, body_choice(b, "language", languages));
    if (!body_has(b, "language"))
        (void)body_refuse(b, "language", "is missing: python, node, bash, go or rust");
    o->risk_level = name_of(levels, body_choice(b, "risk_level", levels));
    o->backend = name_of(backends, body_choice(b, "backend", backends));
    o->agent_id = body_text(b, "agent_id", AGENT_ID_MAX);
    o->signature = body_text(b, "signature", 1024);
    r->is_stream = body_bool(b, "stream", false);
    read_code(b, a, r);
    (void)read_content(b, "stdin", "stdin_base64", a, &o->input, &o->input_size);
    body_texts(b, "args", &o->command, MAX_ARGUMENT, MAX_ARGUMENTS);
    body_pairs(b, "env", &o->env, MAX_ARGUMENT, MAX_ENV);
    read_limits(b, o);
    read_volumes(b, c, r);
    return body_end(b, err);
}

int execute_request_read(const struct http_request *q, const struct config *c, struct arena *a,
                         struct execute_request *ret, struct error *err)
{
    *ret = (struct execute_request){ 0 };
    int e = body_parse(q->body, q->body_size, false, &ret->body, err);
    return e < 0 ? e : read_members(ret->body, c, a, ret, err);
}

void execute_request_done(struct execute_request *r)
{
    options_done(&r->options);
    r->body = body_free(r->body);
}

static void replace_words(char *text, size_t size)
{
    static const struct {
        const char *option, *member;
    } names[] = { { "use --profile with a profile",
                    "have the level's profile changed to one" }, /* a request names none */
                  { "--timeout", "limits.timeout" },
                  { "--memory", "limits.memory" },
                  { "--cpu", "limits.cpu" },
                  { "--env", "env" },
                  { "--volume", "volumes" },
                  { "--agent-id", "agent_id" },
                  { "--language", "language" },
                  { "--code code", "code" },
                  { "--code", "code" },
                  { "--file", "files" },
                  { "--risk-level", "risk_level" },
                  { "--signature", "signature" },
                  { "--stdin", "stdin" },
                  { "--backend", "backend" } };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char rest[1024], *at = strstr(text, names[i].option);
        if (!at)
            continue;
        (void)snprintf(rest, sizeof rest, "%s", at + strlen(names[i].option));
        (void)snprintf(at, size - (size_t)(at - text), "%s%s", names[i].member, rest);
    }
}

void execute_request_words(struct error *err)
{
    replace_words(err->text, sizeof err->text);
    replace_words(err->remedy, sizeof err->remedy);
}
