#include "daemon/request.h"

#include "audit/hmac.h"
#include "base/path.h"
#include "config/language.h"
#include "daemon/body.h"
#include "daemon/sessions.h"
#include "packages/store.h"
#include "run/load.h"

#define MAX_ARGUMENTS 256u
#define MAX_ARGUMENT  32768u
#define MAX_ENV       256u
#define MAX_PATH      512u
#define METADATA_MAX  4096u

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
}

static bool is_below(const char *path, const struct strlist *roots)
{
    STRLIST_FOREACH(root, roots)
    {
        if (path_is_within(path, root))
            return true;
    }
    return false;
}

static bool is_plain_absolute(const char *path)
{
    size_t n = strlen(path);
    return path[0] == '/' && !strstr(path, "/../") && !strstr(path, "//") && !(n >= 3 && str_eq(path + n - 3, "/.."));
}

static bool read_volume(struct body *v, const struct config *c, struct request_volume *ret)
{
    static const char *const modes[] = { "ro", "rw", NULL };
    const char *host = body_text(v, "host", 4000), *inside = body_text(v, "inside", MAX_PATH);
    int mode = body_choice(v, "mode", modes);
    *ret = (struct request_volume){ .host = host, .inside = inside, .is_writable = mode == 1 };
    if (!host || !inside)
        (void)body_refuse(v, host ? "inside" : "host", "is missing");
    else if (!is_plain_absolute(host))
        (void)body_refuse(v, "host", "is no plain absolute path");
    else if (!is_below(host, &c->endpoints.api.volume_roots))
        (void)body_refuse(v, "host", "is not below a directory of endpoints.api.volume_roots");
    else
        return true;
    return false;
}

static void read_volumes(struct body *b, const struct config *c, struct options *o)
{
    struct error ignored;
    uint32_t n = body_objects(b, "volumes", REQUEST_MAX_VOLUMES);
    for (uint32_t i = 0; i < n; i++) {
        struct body *v = body_object_at(b, "volumes", i);
        if (!v)
            return;
        if (read_volume(v, c, &o->volumes[o->volume_count]))
            o->volume_count++;
        if (body_end(v, &ignored) < 0)
            return;
    }
}

/* A value that the profile's own key does not take. */
static void read_limit(struct body *l, struct options *o, enum limit_kind k, const char *name)
{
    struct error err = { 0 };
    const char *text = body_scalar(l, name, 32);
    if (text && options_limit(o, k, text, &err) < 0)
        body_fail(l, &err);
}

static void read_limits(struct body *b, struct options *o)
{
    struct error ignored; /* kept in the body */
    struct body *l = body_object(b, "limits");
    if (!l)
        return;
    read_limit(l, o, LIMIT_OF_TIMEOUT, "timeout");
    read_limit(l, o, LIMIT_OF_MEMORY, "memory");
    read_limit(l, o, LIMIT_OF_CPU, "cpu");
    (void)body_end(l, &ignored);
}

/* --- the whole ------------------------------------------------------------------------------------- */

static const struct request_words words = { { [REQUEST_LANGUAGE] = "language",
                                              [REQUEST_CODE] = "code",
                                              [REQUEST_FILES] = "files",
                                              [REQUEST_STDIN] = "stdin",
                                              [REQUEST_ENV] = "env",
                                              [REQUEST_VOLUMES] = "volumes",
                                              [REQUEST_AGENT_ID] = "agent_id",
                                              [REQUEST_RISK_LEVEL] = "risk_level",
                                              [REQUEST_BACKEND] = "backend",
                                              [REQUEST_PACKAGES] = "packages",
                                              [REQUEST_SIGNATURE] = "signature",
                                              [REQUEST_TIMEOUT] = "limits.timeout",
                                              [REQUEST_MEMORY] = "limits.memory",
                                              [REQUEST_CPU] = "limits.cpu" } };

static void read_language(struct body *b, struct options *o)
{
    const char *word = body_text(b, "language", 64);
    if (!word)
        (void)body_refuse(b, "language", "is missing: " LANGUAGE_ACCEPTED);
    else if (!(o->has_language = language_by_name(word, &o->language)))
        (void)body_refuse(b, "language", "accepted are " LANGUAGE_ACCEPTED);
}

static void read_agent(struct body *b, struct options *o)
{
    o->agent_id = body_text(b, "agent_id", AGENT_ID_MAX);
    if (o->agent_id && !agent_id_is_accepted(o->agent_id))
        (void)body_refuse(b, "agent_id", "accepted are " AGENT_ID_ACCEPTED);
}

static int read_members(struct body *b, const struct config *c, struct arena *a, struct execute_request *r,
                        struct error *err)
{
    static const char *const backends[] = {
        [BACKEND_NATIVE] = "native", [BACKEND_DOCKER] = "docker", [BACKEND_REMOTE] = "remote", NULL
    };
    static const char *const retries[] = { "node_lost", NULL };
    struct options *o = &r->options;
    o->words = &words;
    o->json = true; /* output is captured */
    read_language(b, o);
    int level = body_choice(b, "risk_level", risk_level_names), backend = body_choice(b, "backend", backends);
    o->has_level = level >= 0;
    o->risk_level = (enum risk_level)MAX_OF(level, 0);
    o->has_backend = backend >= 0;
    o->backend = (enum config_backend)MAX_OF(backend, 0);
    read_agent(b, o);
    o->signature = body_text(b, "signature", 1024);
    r->is_stream = body_bool(b, "stream", false);
    r->retries = body_choice(b, "retry", retries) == 0;
    read_code(b, a, r);
    (void)read_content(b, "stdin", "stdin_base64", a, &o->input, &o->input_size);
    body_texts(b, "args", &o->command, MAX_ARGUMENT, MAX_ARGUMENTS);
    body_pairs(b, "env", &o->env, MAX_ARGUMENT, MAX_ENV);
    read_limits(b, o);
    o->strict_limits = body_bool(b, "strict_limits", false);
    o->packages = body_text(b, "packages", PACKAGE_NAME_MAX);
    read_volumes(b, c, o);
    return body_end(b, err);
}

int execute_request_read(const struct http_request *q, const struct config *c, struct arena *a,
                         struct execute_request *ret, struct error *err)
{
    *ret = (struct execute_request){ 0 };
    int e = body_parse(q->body, q->body_size, false, &ret->body, err);
    return e < 0 ? e : read_members(ret->body, c, a, ret, err);
}

/* --- sessions ------------------------------------------------------------------------------------------ */

static const struct request_words session_words = { { [REQUEST_LANGUAGE] = "language",
                                                      [REQUEST_CODE] = "code",
                                                      [REQUEST_STDIN] = "stdin",
                                                      [REQUEST_ENV] = "env",
                                                      [REQUEST_AGENT_ID] = "agent_id",
                                                      [REQUEST_RISK_LEVEL] = "risk_level",
                                                      [REQUEST_PACKAGES] = "packages",
                                                      [REQUEST_WORKDIR] = "cwd",
                                                      [REQUEST_TIMEOUT] = "timeout",
                                                      [REQUEST_MEMORY] = "limits.memory",
                                                      [REQUEST_CPU] = "limits.cpu" } };

static void read_session_limits(struct body *b, struct options *o)
{
    struct error ignored; /* kept in the body */
    struct body *l = body_object(b, "limits");
    if (!l)
        return;
    read_limit(l, o, LIMIT_OF_MEMORY, "memory");
    read_limit(l, o, LIMIT_OF_CPU, "cpu");
    (void)body_end(l, &ignored);
}

/* {mode: none}: never more than the level gives. */
static void read_session_network(struct body *b, struct options *o)
{
    static const char *const modes[] = { "none", NULL };
    struct error ignored; /* kept in the body */
    struct body *n = body_object(b, "network");
    if (!n)
        return;
    o->no_network = body_choice(n, "mode", modes) == 0;
    (void)body_end(n, &ignored);
}

struct session_files {
    struct body *body;
    struct arena *arena;
    struct session_asked *asked;
};

static bool read_session_file(void *context, const char *path, const char *coded, size_t size)
{
    const struct session_files *f = context;
    struct session_asked *s = f->asked;
    struct session_file *one = &s->files[s->file_count];
    char *bytes = arena_zero(f->arena, size + 1);
    *one = (struct session_file){ .path = arena_copy(f->arena, path), .data = bytes };
    if (!load_is_plain_relative(path))
        (void)body_refuse(f->body, "files", "%.200s: expected is a relative path without .. below /workspace", path);
    else if (!bytes || base64_read(coded, size, bytes, &one->size) < 0)
        (void)body_refuse(f->body, "files", "%.200s: is no base64 (RFC 4648, with padding)", path);
    else
        s->file_count++;
    return bytes && s->file_count <= SESSION_FILES_MAX;
}

/* {path: base64}. The body's own limit bounds what they are together. */
static void read_session_files(struct body *b, struct arena *a, struct session_asked *ret)
{
    struct session_files f = { b, a, ret };
    if (body_kind(b, "files") != BODY_ABSENT)
        ret->files = arena_zero(a, sizeof *ret->files * (SESSION_FILES_MAX + 1));
    if (ret->files)
        body_each(b, "files", SIZE_MAX / 2, SESSION_FILES_MAX, read_session_file, &f);
}

int session_request_read(const struct http_request *q, const struct config *c, struct execute_request *ret,
                         struct session_asked *ret_asked, struct error *err)
{
    *ret = (struct execute_request){ 0 };
    *ret_asked = (struct session_asked){ 0 };
    int e = body_parse(q->body, q->body_size, true, &ret->body, err);
    if (e < 0)
        return e;
    struct body *b = ret->body;
    struct options *o = &ret->options;
    o->words = &session_words;
    o->json = true;
    o->session = SESSION_OPENS;
    o->language = LANG_COMMAND;
    int level = body_choice(b, "risk_level", risk_level_names);
    o->has_level = level >= 0;
    o->risk_level = (enum risk_level)MAX_OF(level, 0);
    read_agent(b, o);
    ret_asked->ttl = (uint32_t)body_uint(b, "ttl", SESSION_TTL_MAX, SESSION_TTL_PRESET);
    if (!ret_asked->ttl)
        (void)body_refuse(b, "ttl", "expected are 1 to %u seconds", SESSION_TTL_MAX);
    body_pairs(b, "metadata", &ret_asked->metadata, 4096, 64);
    if (ret_asked->metadata.size > METADATA_MAX) /* a list has that of each */
        (void)body_refuse(b, "metadata", "is larger than %u bytes", METADATA_MAX);
    body_pairs(b, "env", &ret_asked->env, MAX_ARGUMENT, MAX_ENV);
    STRLIST_FOREACH(pair, &ret_asked->env) /* judged with the session, and given to its jobs */
    {
        if (strlist_add(&o->env, pair) < 0)
            (void)body_refuse(b, "env", "is too large");
    }
    read_session_limits(b, o);
    read_session_network(b, o);
    read_volumes(b, c, o);
    o->packages = body_text(b, "packages", PACKAGE_NAME_MAX);
    read_session_files(b, q->arena, ret_asked);
    const char *from = body_text(b, "from", 64);
    ret_asked->from = from ? arena_copy(q->arena, from) : NULL;
    return body_end(b, err);
}

/* One of three ways to say what is to run. */
static void read_work(struct body *b, struct execute_request *r)
{
    struct options *o = &r->options;
    const char *command = body_text(b, "command", REQUEST_MAX_CODE_BYTES);
    const bool has_argv = body_has(b, "argv"), has_code = body_has(b, "code") || body_has(b, "language");
    if ((command != NULL) + has_argv + has_code != 1) {
        (void)body_refuse(b, has_code ? "code" : "command", "expected is one of: command, argv, language with code");
        return;
    }
    o->language = LANG_COMMAND;
    body_texts(b, "args", &o->command, MAX_ARGUMENT, MAX_ARGUMENTS);
    if (has_code) {
        read_language(b, o);
        if (o->has_language && (o->language == LANG_GO || o->language == LANG_RUST))
            (void)body_refuse(b, "language", "go and rust are compiled, which a session does not: use /execute");
        o->text = body_bytes(b, "code", REQUEST_MAX_CODE_BYTES, &o->text_size);
        if (!o->text)
            (void)body_refuse(b, "code", "is missing");
        return;
    }
    if (o->command.count)
        (void)body_refuse(b, "args", "is for code");
    body_texts(b, "argv", &o->command, MAX_ARGUMENT, MAX_ARGUMENTS);
    if (command && (strlist_add(&o->command, "bash") < 0 || strlist_add(&o->command, "-c") < 0 ||
                    strlist_add(&o->command, command) < 0))
        (void)body_refuse(b, "command", "is longer than %u bytes; give it as language bash with code",
                          STRLIST_MAX_BYTES);
    if (!command && !o->command.count)
        (void)body_refuse(b, "argv", "is empty");
}

static bool copy_env(const struct strlist *env, struct options *o)
{
    STRLIST_FOREACH(pair, env)
    {
        if (strlist_add(&o->env, pair) < 0)
            return false;
    }
    return true;
}

static void read_job_env(struct body *b, const struct strlist *env, struct options *o)
{
    if (!copy_env(env, o))
        (void)body_refuse(b, "env", "is too large");
    struct strlist own = { 0 };
    body_pairs(b, "env", &own, MAX_ARGUMENT, MAX_ENV);
    STRLIST_FOREACH(pair, &own) /* later ones win (plan/build.c) */
    {
        if (strlist_add(&o->env, pair) < 0)
            (void)body_refuse(b, "env", "is too large");
    }
    strlist_done(&own);
}

/* What a job and a process have both. */
static int read_any_job(const struct http_request *q, struct execute_request *ret, struct error *err)
{
    *ret = (struct execute_request){ 0 };
    int e = body_parse(q->body, q->body_size, false, &ret->body, err);
    if (e < 0)
        return e;
    struct options *o = &ret->options;
    o->words = &session_words;
    o->json = true;
    o->session = SESSION_JOB;
    read_work(ret->body, ret);
    o->workdir = body_text(ret->body, "cwd", MAX_PATH);
    read_limit(ret->body, o, LIMIT_OF_TIMEOUT, "timeout");
    return 0;
}

int session_job_read(const struct http_request *q, const struct strlist *env, struct arena *a,
                     struct execute_request *ret, bool *ret_is_background, struct error *err)
{
    int e = read_any_job(q, ret, err);
    if (e < 0)
        return e;
    struct body *b = ret->body;
    struct options *o = &ret->options;
    ret->is_stream = body_bool(b, "stream", false);
    *ret_is_background = body_bool(b, "background", false);
    if (ret->is_stream && *ret_is_background)
        (void)body_refuse(b, "background", "is there beside stream: one of them");
    (void)read_content(b, "stdin", "stdin_base64", a, &o->input, &o->input_size);
    read_job_env(b, env, o);
    return body_end(b, err);
}

static uint16_t read_side(struct body *b, const char *name)
{
    const uint64_t n = body_uint(b, name, PROCESS_SIDE_MAX, 0);
    if (!n)
        (void)body_refuse(b, name, "expected are 1 to %u", PROCESS_SIDE_MAX);
    return (uint16_t)n;
}

void terminal_size_read(struct body *b, struct process_asked *ret)
{
    ret->rows = read_side(b, "rows");
    ret->columns = read_side(b, "cols");
}

int session_process_read(const struct http_request *q, const struct strlist *env, struct execute_request *ret,
                         struct error *err)
{
    struct error ignored; /* kept in the body */
    int e = read_any_job(q, ret, err);
    if (e < 0)
        return e;
    struct body *b = ret->body, *pty = body_object(b, "pty");
    ret->process = (struct process_asked){ .has_input = body_bool(b, "stdin", false), .has_terminal = pty != NULL };
    if (pty) {
        terminal_size_read(pty, &ret->process);
        (void)body_end(pty, &ignored);
        if (strlist_add(&ret->options.env, "TERM=xterm-256color") < 0) /* env's own comes after it */
            (void)body_refuse(b, "env", "is too large");
    }
    read_job_env(b, env, &ret->options);
    return body_end(b, err);
}

static struct options context_job(enum language language)
{
    return (struct options){
        .words = &session_words, .json = true, .session = SESSION_JOB, .has_language = true, .language = language
    };
}

int context_cell_read(const struct http_request *q, enum language language, const struct strlist *env,
                      struct execute_request *ret, struct error *err)
{
    *ret = (struct execute_request){ .options = context_job(language) };
    ret->options.is_cell = true;
    int e = body_parse(q->body, q->body_size, false, &ret->body, err);
    if (e < 0)
        return e;
    struct body *b = ret->body;
    struct options *o = &ret->options;
    o->text = body_bytes(b, "code", REQUEST_MAX_CODE_BYTES, &o->text_size);
    if (!o->text)
        (void)body_refuse(b, "code", "is missing");
    ret->is_stream = body_bool(b, "stream", false);
    if (!copy_env(env, o)) /* its kernel has it */
        (void)body_refuse(b, "env", "is too large");
    read_limit(b, o, LIMIT_OF_TIMEOUT, "timeout");
    return body_end(b, err);
}

int context_kernel_make(enum language language, const struct strlist *env, struct execute_request *ret,
                        struct error *err)
{
    *ret = (struct execute_request){ .options = context_job(language) };
    ret->options.is_kernel = true;
    return copy_env(env, &ret->options) ? 0 : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
}

void session_asked_done(struct session_asked *s)
{
    strlist_done(&s->metadata);
    strlist_done(&s->env);
}

void execute_request_done(struct execute_request *r)
{
    options_done(&r->options);
    r->body = body_free(r->body);
}
