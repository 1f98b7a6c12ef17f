#include "run/remote.h"

#include <poll.h>
#include <stdio.h>

#include "audit/hmac.h"
#include "base/agent_id.h"
#include "base/io.h"
#include "base/json.h"
#include "plan/lang.h"
#include "run/backend.h"

#define INPUT_MAX (8 * MIB)
#define BODY_MAX  (64 * MIB)

bool remote_is_wanted(const struct exec *s)
{
    const struct config *c = &s->policy.config;
    const bool is_asked = s->options.has_backend && s->options.backend == BACKEND_REMOTE,
               is_set = c->sandbox.backend == BACKEND_REMOTE && (!s->options.has_backend || s->host->serves_others);
    return (is_asked || is_set) && c->sandbox.remote.levels >> s->policy.profile.risk_level & 1;
}

static int check_settings(const struct exec *s, struct error *err)
{
    const struct config_remote *c = &s->policy.config.sandbox.remote;
    if (c->address && c->key_file)
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, "REMOTE", "backend remote: the configuration has no %s",
                  c->address ? "sandbox.remote.key_file" : "sandbox.remote.address");
    return err_remedy(err, "set it (docs/remote.md), or use --backend native");
}

/* Where the operator has decided that a level is another machine's, no request decides for this one. */
static int check_choice(struct exec *s, struct error *err)
{
    if (!s->options.has_backend || s->options.backend == BACKEND_REMOTE)
        return 0;
    s->judgement.rule = "backend";
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "backend %s: this service runs level %s on another machine only",
                  backend_of(s->options.backend)->name, risk_level_names[s->policy.profile.risk_level]);
    return err_remedy(err, "leave backend out; the operator's settings are sandbox.backend and sandbox.remote.levels");
}

static bool are_texts(const struct strlist *l)
{
    STRLIST_FOREACH(s, l)
    if (!json_is_text(s, strlen(s)))
        return false;
    return true;
}

static bool are_paths_texts(const struct run_request *r)
{
    for (uint32_t i = 0; i < r->file_count; i++)
        if (!json_is_text(r->files[i].path, strlen(r->files[i].path)))
            return false;
    return true;
}

static int check_travels(const struct exec *s, struct error *err)
{
    const struct options *o = &s->options;
    const struct run_request *r = &s->load.request;
    const struct {
        bool is_asked;
        const char *what;
    } stay[] = {
        { r->volume_count > 0, "volumes" },
        { r->packages.name != NULL, "package sets" },
        { o->has_terminal, "a terminal" },
        { o->has_input_fd, "input while it runs" },
        { o->is_wrap, "wrap" },
        { r->workdir != NULL, "a working directory" },
        { o->no_network || o->allow.count || o->deny.count, "network rules of its own" },
        { o->network_learn || o->record_events, "records of its events" },
        { o->output_dir != NULL, "a directory for its output" },
        { o->profile != NULL, "a profile of its own" },
        { o->build != NULL, "the build of a package set" },
        { o->session != SESSION_NONE, "sessions" },
        { !are_texts(&r->command), "arguments that are no UTF-8" },
        { !are_texts(&r->env), "an environment that is no UTF-8" },
        { !are_paths_texts(r), "names of files that are no UTF-8" },
        { r->language == LANG_COMMAND, "commands (name a language)" },
    };
    for (size_t i = 0; i < ARRAY_LEN(stay); i++)
        if (stay[i].is_asked) {
            (void)err_set(err, -ENOTSUP, BLAME_CALLER, "REMOTE", "level %s runs on another machine, where %s cannot go",
                          risk_level_names[s->policy.profile.risk_level], stay[i].what);
            return err_remedy(err, "leave it out, or use a level that runs here (sandbox.remote.levels)");
        }
    return 0;
}

static void put_base64(struct buf *b, const void *data, size_t size)
{
    (void)buf_addc(b, '"');
    base64_write(b, data, size);
    (void)buf_addc(b, '"');
}

static void put_file(struct buf *b, const char *path, const char *data, size_t size)
{
    json_open(b, '{');
    json_key(b, "path"), json_put_string(b, path);
    json_key(b, "content_base64"), put_base64(b, data, size);
    json_close(b, '}');
}

/* One text as itself; several files, or bytes that are no text, as files. */
static void put_code(struct buf *b, const struct run_request *r)
{
    const char *main = lang_driver(r->language)->file;
    if (!r->file_count && json_is_text(r->code, r->code_size) && !memchr(r->code, 0, r->code_size)) {
        json_key(b, "code"), json_bytes(b, r->code, r->code_size);
        return;
    }
    json_key(b, "files");
    json_open(b, '[');
    put_file(b, main, r->code, r->code_size);
    for (uint32_t i = 0; i < r->file_count; i++)
        put_file(b, r->files[i].path, r->files[i].data, r->files[i].size);
    json_close(b, ']');
    json_key(b, "entry"), json_put_string(b, main);
}

static int put_input(struct buf *b, int fd, struct error *err)
{
    struct buf input;
    char piece[16 * KIB];
    ssize_t n;
    if (fd < 0)
        return 0;
    buf_init(&input, INPUT_MAX);
    struct pollfd p = { .fd = fd, .events = POLLIN }; /* a FIFO is read without waiting in read() */
    while ((n = read(fd, piece, sizeof piece)) > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN))) {
        if (n > 0 && buf_add(&input, piece, (size_t)n) < 0)
            break;
        if (n < 0)
            (void)poll(&p, 1, -1);
    }
    int e = n < 0 ? err_set(err, -errno, BLAME_CALLER, "REMOTE", "standard input: %m")
            : input.failed
                ? err_set(err, -E2BIG, BLAME_CALLER, "REMOTE",
                          "standard input: more than %u bytes cannot go to another machine", (unsigned)INPUT_MAX)
                : 0;
    if (e == 0)
        json_key(b, "stdin_base64"), put_base64(b, input.data, input.size);
    buf_done(&input);
    return e;
}

/* What this machine's level gives holds there, too. With strict_limits only what was asked for: a level that gives less
 * there would refuse the rest. */
static void put_limits(struct buf *b, const struct options *o, const struct profile *p)
{
    static const char *const names[LIMIT_KINDS] = { "timeout", "memory", "cpu" };
    json_key(b, "limits");
    json_open(b, '{');
    for (unsigned k = 0; k < LIMIT_KINDS; k++) {
        const uint64_t value = limit_of(p, k);
        if (!value || (o->strict_limits && !o->limits[k].is_set))
            continue;
        json_key(b, names[k]);
        if (k == LIMIT_OF_MEMORY)
            json_uint(b, value);
        else
            json_milli(b, value); /* seconds, cores */
    }
    json_close(b, '}');
}

/* A key that is its own agent is unknown there, where such names are other keys'. */
static void put_agent(struct buf *b, const char *id)
{
    char name[AGENT_ID_MAX + 16];
    const bool is_key = str_starts(id, "key:");
    (void)snprintf(name, sizeof name, "%s%s", is_key ? "remote:" : "", is_key ? id + 4 : id);
    json_key(b, "agent_id"), json_put_string(b, name);
}

/* docs/openapi.yaml, Execute */
static int put_request(const struct exec *s, struct buf *b, struct error *err)
{
    const struct options *o = &s->options;
    const struct run_request *r = &s->load.request;
    json_open(b, '{');
    json_key(b, "language"), json_put_string(b, language_names[r->language]);
    put_code(b, r);
    json_key(b, "args"), json_texts(b, &r->command);
    json_key(b, "env");
    json_open(b, '{');
    json_pairs(b, &r->env, NULL);
    json_close(b, '}');
    if (o->agent_id)
        put_agent(b, o->agent_id);
    json_key(b, "risk_level"), json_put_string(b, risk_level_names[s->policy.profile.risk_level]);
    json_key(b, "backend"), json_put_string(b, "native"); /* there, and not once more elsewhere */
    put_limits(b, o, &s->policy.profile);
    if (o->strict_limits)
        json_key(b, "strict_limits"), json_bool(b, true);
    json_key(b, "stream"), json_bool(b, true);
    int e = put_input(b, s->load.stdin_fd, err);
    json_close(b, '}');
    return e < 0       ? e
           : b->failed ? err_set(err, -E2BIG, BLAME_CALLER, "REMOTE", "code, files and input are too much to send")
                       : 0;
}

int remote_build(struct exec *s, struct error *err)
{
    const struct profile *p = &s->policy.profile;
    const struct config_remote *c = &s->policy.config.sandbox.remote;
    int e = check_choice(s, err);
    if (e == 0)
        e = check_settings(s, err);
    if (e == 0)
        e = check_travels(s, err);
    if (e < 0)
        return e;
    s->plan = (struct plan){
        .is_remote = true,
        .remote = { .address = c->address,
                    .key_file = c->key_file,
                    .certificate = c->certificate,
                    .connect_ms = c->connect_timeout,
                    .patience_ms = c->patience,
                    .max_output = p->execution.max_output },
        .job = { .id = s->id, .program = "remote", .timeout_ms = p->resources.timeout, .grace_ms = p->execution.grace }
    };
    buf_init(&s->remote_body, BODY_MAX);
    return put_request(s, &s->remote_body, err);
}
