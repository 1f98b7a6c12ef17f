#include "front/piston.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/chain.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "base/json.h"
#include "daemon/routes.h"
#include "front/call.h"

#define FILES_MAX       1000u
#define ARGS_MAX        1000u
#define VERSION_MAX     32u
#define VERSIONS_AGE_MS UINT64_C(600000)

/* What Piston calls them. */
static const struct runtime {
    enum language language;
    bool is_compiled;
    const char *name, *aliases[5], *program; /* program: NULL, or what Piston says beside the name */
} runtimes[] = {
    { LANG_PYTHON, false, "python", { "py", "py3", "python3" }, NULL },
    { LANG_NODE, false, "javascript", { "node-javascript", "node-js", "js", "node" }, "node" },
    { LANG_BASH, false, "bash", { "sh" }, NULL },
    { LANG_GO, true, "go", { "golang" }, NULL },
    { LANG_RUST, true, "rust", { "rs" }, NULL },
};

struct versions {
    char of[LANG_COUNT][VERSION_MAX]; /* "": this service does not offer it */
    uint64_t asked_ms;                /* clock_ms(); 0: never */
};

struct piston {
    pthread_mutex_t lock;
    struct versions versions;
};

/* A request, whose key was let in. */
struct piston_call {
    struct front_call front;
    struct versions versions;
    const struct runtime *runtime; /* that was asked for */
};

/* --- versions ------------------------------------------------------------------------------------------------- */

struct numbers {
    unsigned part[3];
    size_t count; /* of those that are said; «3.x» says one */
};

static const char *read_numbers(const char *p, struct numbers *ret)
{
    *ret = (struct numbers){ 0 };
    while (ret->count < 3 && *p >= '0' && *p <= '9') {
        unsigned n = 0;
        for (; *p >= '0' && *p <= '9'; p++)
            n = MIN_OF(n, 100000u) * 10 + (unsigned)(*p - '0');
        ret->part[ret->count++] = n;
        p += *p == '.';
    }
    while (*p == '*' || *p == 'x' || *p == 'X' || *p == '.')
        p++;
    return p;
}

static int compare(const struct numbers *a, const struct numbers *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    return 0;
}

/* One of «^3.1», «>=18», «3»: *p is set behind it. */
static bool is_in_one(const struct numbers *has, const char **p)
{
    static const char *const operators[] = { ">=", "<=", ">", "<", "^", "~", "=", "" };
    struct numbers n;
    size_t o = 0, same = 0;
    while (!str_starts(*p, operators[o]))
        o++;
    const char *at = *p + strlen(operators[o]), *end;
    at += strspn(at, " ");
    end = read_numbers(at + (*at == 'v'), &n);
    if (end == at + (*at == 'v') || (*end && *end != ' ' && *end != '|'))
        return *p += strlen(*p), false;
    *p = end;
    const int c = compare(has, &n, n.count);
    switch (operators[o][0]) {
    case '>':
        return operators[o][1] ? c >= 0 : c > 0;
    case '<':
        return operators[o][1] ? c <= 0 : c < 0;
    case '^':
        while (same + 1 < n.count && !n.part[same])
            same++;
        return c >= 0 && compare(has, &n, MIN_OF(same + 1, n.count)) == 0;
    case '~':
        return c >= 0 && compare(has, &n, MIN_OF(n.count, (size_t)2)) == 0;
    default:
        return c == 0;
    }
}

bool piston_version_is(const char *has, const char *wanted)
{
    struct numbers own;
    (void)read_numbers(has, &own);
    const char *p = wanted;
    for (;;) {
        bool is_in = true;
        for (p += strspn(p, " "); *p && *p != '|'; p += strspn(p, " "))
            is_in &= is_in_one(&own, &p);
        if (is_in || !*p)
            return is_in;
        p += strspn(p, "|");
    }
}

/* {"languages":{"go":{"levels":[…]}},"doctor":{"languages":{"go":{"version":…}}}} */
static void take_versions(struct body *b, struct versions *ret)
{
    struct body *permitted = body_object_if(b, "languages");
    struct body *found = body_object_if(body_object_if(b, "doctor"), "languages");
    for (size_t i = 0; i < ARRAY_LEN(runtimes); i++) {
        const char *name = language_names[runtimes[i].language];
        struct body *may = body_object_if(permitted, name);
        const char *version = body_text_if(body_object_if(found, name), "version");
        struct strlist levels = { 0 };
        if (may)
            body_texts(may, "levels", &levels, 16, RISK_COUNT);
        if (levels.count && version)
            (void)snprintf(ret->of[runtimes[i].language], VERSION_MAX, "%s", version);
        strlist_done(&levels);
    }
}

/* The doctor has a look at the host for it, which takes about a second; so it is asked now and then. */
static bool learn_versions(struct piston_call *c)
{
    struct piston *p = c->front.call->service->piston;
    const struct inner_asked with = { .query = { { "max_age", "600" } } };
    (void)pthread_mutex_lock(&p->lock);
    c->versions = p->versions;
    (void)pthread_mutex_unlock(&p->lock);
    if (c->versions.asked_ms && clock_ms() - c->versions.asked_ms < VERSIONS_AGE_MS)
        return true;
    struct body *b = inner_ask_first(c->front.call, "GET", "/capabilities", &with, c->front.out);
    if (!b)
        return false;
    c->versions = (struct versions){ .asked_ms = MAX_OF(clock_ms(), UINT64_C(1)) };
    take_versions(b, &c->versions);
    (void)body_free(b);
    (void)pthread_mutex_lock(&p->lock);
    p->versions = c->versions;
    (void)pthread_mutex_unlock(&p->lock);
    return true;
}

static void list(struct piston_call *c)
{
    if (!learn_versions(c))
        return;
    struct buf *b = answer_json(c->front.out, 200, 64 * KIB);
    json_open(b, '[');
    for (const struct runtime *r = runtimes; r < runtimes + ARRAY_LEN(runtimes); r++) {
        if (!c->versions.of[r->language][0])
            continue;
        json_open(b, '{');
        json_key(b, "language"), json_put_string(b, r->name);
        json_key(b, "version"), json_put_string(b, c->versions.of[r->language]);
        json_key(b, "aliases"), json_open(b, '[');
        for (size_t i = 0; i < ARRAY_LEN(r->aliases) && r->aliases[i]; i++)
            json_put_string(b, r->aliases[i]);
        json_close(b, ']');
        if (r->program)
            json_key(b, "runtime"), json_put_string(b, r->program);
        json_close(b, '}');
    }
    json_close(b, ']');
}

/* --- what was asked for --------------------------------------------------------------------------------------- */

static bool is_called(const struct runtime *r, const char *word)
{
    bool is = str_eq(r->name, word);
    for (size_t i = 0; i < ARRAY_LEN(r->aliases) && r->aliases[i]; i++)
        is |= str_eq(r->aliases[i], word);
    return is;
}

/* Without a version it is the one that there is: piston-client sends none for an alias. */
static bool find_runtime(struct piston_call *c)
{
    const char *language = body_text_if(c->front.body, "language"), *version = body_text_if(c->front.body, "version");
    if (!language || !*language)
        front_fail(&c->front, ANSWER_INVALID_REQUEST, "language is required as a string");
    else if (!version && body_has(c->front.body, "version"))
        front_fail(&c->front, ANSWER_INVALID_REQUEST, "version is required as a string");
    else if (learn_versions(c)) {
        for (size_t i = 0; i < ARRAY_LEN(runtimes) && !c->runtime; i++) {
            const char *has = c->versions.of[runtimes[i].language];
            if (is_called(&runtimes[i], language) && *has && (!version || piston_version_is(has, version)))
                c->runtime = &runtimes[i];
        }
        if (!c->runtime)
            front_fail(&c->front, ANSWER_INVALID_REQUEST, "%.64s-%.64s runtime is unknown", language,
                       version ? version : "*");
    }
    return c->runtime != NULL;
}

enum coding { AS_TEXT, AS_BASE64, AS_HEX };

/* Whatever else is said is text, as Piston has it. */
static enum coding coding_of(struct body *file)
{
    const char *word = body_text_if(file, "encoding");
    return word && str_eq(word, "base64") ? AS_BASE64 : word && str_eq(word, "hex") ? AS_HEX : AS_TEXT;
}

/* text: NULL where it has a NUL. */
static bool put_hex(const char *text, struct buf *b)
{
    const size_t n = text ? strlen(text) / 2 : 0;
    uint8_t *bytes = malloc(n + 1);
    const bool is_read = bytes && text && strlen(text) == 2 * n && hex_read(text, bytes, n) == 0;
    (void)buf_addc(b, '"');
    if (is_read)
        base64_write(b, bytes, n);
    (void)buf_addc(b, '"');
    free(bytes);
    return is_read;
}

static const char *name_of(struct piston_call *c, struct body *file, uint32_t index)
{
    const char *own = body_text_if(file, "name");
    return own && *own ? own : arena_printf(c->front.call->arena, "file%u.code", index);
}

static bool put_file(struct piston_call *c, struct body *file, const char *name, uint32_t index, struct buf *b)
{
    const enum coding coding = coding_of(file);
    bool is_read = true;
    json_open(b, '{');
    json_key(b, "path"), json_put_string(b, name);
    json_key(b, coding == AS_TEXT ? "content" : "content_base64");
    if (coding == AS_HEX)
        is_read = put_hex(body_text(file, "content", SIZE_MAX), b);
    else
        body_json(file, "content", b);
    json_close(b, '}');
    if (!is_read)
        front_fail(&c->front, ANSWER_INVALID_REQUEST, "files[%u].content is no hex", index);
    return is_read;
}

/* The first that is text is the program. */
static bool put_files(struct piston_call *c, struct buf *b)
{
    const bool is_list = body_kind(c->front.body, "files") == BODY_LIST;
    const uint32_t n = is_list ? body_objects(c->front.body, "files", FILES_MAX) : 0;
    const char *entry = NULL;
    json_key(b, "files"), json_open(b, '[');
    for (uint32_t i = 0; i < n; i++) {
        struct body *file = body_object_at(c->front.body, "files", i);
        if (!file || body_kind(file, "content") != BODY_TEXT) {
            front_fail(&c->front, ANSWER_INVALID_REQUEST, "files[%u].content is required as a string", i);
            return false;
        }
        const char *name = name_of(c, file, i);
        if (!put_file(c, file, name, i, b))
            return false;
        if (!entry && coding_of(file) == AS_TEXT)
            entry = name;
    }
    json_close(b, ']');
    json_key(b, "entry"), json_put_string(b, entry);
    if (!entry)
        front_fail(&c->front, ANSWER_INVALID_REQUEST,
                   is_list ? "files must include at least one utf8 encoded file" : "files is required as an array");
    return entry != NULL;
}

static bool put_args(struct piston_call *c, struct buf *b)
{
    struct strlist args = { 0 };
    const enum body_kind kind = body_kind(c->front.body, "args");
    const bool is_list = kind == BODY_LIST;
    if (!is_list && kind != BODY_ABSENT && kind != BODY_NULL) {
        front_fail(&c->front, ANSWER_INVALID_REQUEST, "args must be an array of strings");
        return false;
    }
    if (is_list)
        body_texts(c->front.body, "args", &args, STRLIST_MAX_BYTES, ARGS_MAX);
    json_key(b, "args"), json_texts(b, &args);
    strlist_done(&args);
    return true;
}

/* A number; 0 and -1 ask for none. */
static bool read_limit(struct piston_call *c, const char *name, uint64_t *ret)
{
    const enum body_kind kind = body_kind(c->front.body, name);
    const char *text = kind == BODY_INTEGER ? body_scalar(c->front.body, name, 32) : NULL;
    *ret = 0;
    if (kind == BODY_ABSENT || kind == BODY_NULL || (text && str_eq(text, "-1")))
        return true;
    if (text && text[0] != '-') {
        *ret = body_uint(c->front.body, name, INT64_MAX, 0);
        return true;
    }
    front_fail(&c->front, ANSWER_INVALID_REQUEST,
               text ? "%s must be non-negative" : "If specified, %s must be a number (a whole one)", name);
    return false;
}

/* A compiler's are the service's own, whatever is asked for; CPU time is less than the run's time at every level. */
static bool put_limits(struct piston_call *c, struct buf *b)
{
    static const char *const others[] = { "compile_timeout", "compile_memory_limit", "run_cpu_time",
                                          "compile_cpu_time" };
    uint64_t ms, bytes, ignored;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (!read_limit(c, others[i], &ignored))
            return false;
    if (!read_limit(c, "run_timeout", &ms) || !read_limit(c, "run_memory_limit", &bytes))
        return false;
    json_key(b, "limits"), json_open(b, '{');
    if (ms)
        json_key(b, "timeout"), (void)buf_addf(b, "\"%llums\"", (unsigned long long)ms);
    if (bytes)
        json_key(b, "memory"), (void)buf_addf(b, "\"%llu\"", (unsigned long long)bytes);
    json_close(b, '}');
    json_key(b, "strict_limits"), json_bool(b, true);
    return true;
}

static bool put_stdin(struct piston_call *c, struct buf *b)
{
    const enum body_kind kind = body_kind(c->front.body, "stdin");
    if (kind == BODY_TEXT)
        json_key(b, "stdin"), body_json(c->front.body, "stdin", b);
    else if (kind != BODY_ABSENT && kind != BODY_NULL)
        front_fail(&c->front, ANSWER_INVALID_REQUEST, "stdin must be a string");
    return !c->front.out->status;
}

static bool put_request(struct piston_call *c, struct buf *b)
{
    const char *agent = inner_agent(c->front.call->caller, NULL);
    json_open(b, '{');
    json_key(b, "language"), json_put_string(b, language_names[c->runtime->language]);
    json_key(b, "stream"), json_bool(b, true);
    if (agent)
        json_key(b, "agent_id"), json_put_string(b, agent);
    const bool is_put = put_files(c, b) && put_args(c, b) && put_stdin(c, b) && put_limits(c, b);
    json_close(b, '}');
    return is_put && front_is_read(&c->front);
}

/* --- what came of it ------------------------------------------------------------------------------------------ */

/* The integer part of a number. */
static void put_whole(struct buf *b, const char *name, const char *number)
{
    json_key(b, name);
    (void)buf_addf(b, "%.*s", number ? (int)strcspn(number, ".") : 4, number ? number : "null");
}

/* Piston's two letters; NULL: it ended well. */
static const char *status_of(struct body *result, const char *reason)
{
    static const char *const letters[][2] = {
        { "completed", NULL }, { "error", "RE" }, { "timeout", "TO" }, { "sandbox_error", "XX" }
    };
    for (size_t i = 0; i < ARRAY_LEN(letters); i++)
        if (str_eq(reason, letters[i][0]))
            return letters[i][1];
    if (str_eq(reason, "output_limit"))
        return body_bool(result, "stderr_truncated", false) ? "EL" : "OL";
    return "SG";
}

static const char *why(struct piston_call *c, struct body *result, const char *reason, int number)
{
    const char *message = body_text_if(body_object_if(result, "error"), "message");
    const char *kill_switch = body_text_if(result, "kill_switch");
    const char *code = inner_number(result, "exit_code");
    if (str_eq(reason, "completed"))
        return NULL;
    if (str_eq(reason, "error"))
        return arena_printf(c->front.call->arena, "Exited with error status %s", code ? code : "-1");
    if (str_eq(reason, "timeout"))
        return "Time limit exceeded (wall clock)";
    if (str_eq(reason, "signal"))
        return arena_printf(c->front.call->arena, "Caught fatal signal %d", number);
    return arena_printf(c->front.call->arena, "%s%s%s", reason, message || kill_switch ? ": " : "",
                        message       ? message
                        : kill_switch ? kill_switch
                                      : "");
}

/* What ended by itself has a code; everything else a signal: SIGKILL where we ended it, as Piston does. */
static void put_end(struct piston_call *c, struct buf *b, struct body *result)
{
    const char *reason = body_text_if(result, "reason"), *code = inner_number(result, "exit_code");
    reason = reason ? reason : "sandbox_error";
    const uint64_t signal = str_eq(reason, "signal") ? body_uint(result, "signal", 64, SIGKILL) : SIGKILL;
    const char *name = sigabbrev_np((int)signal);
    const bool has_code = code && (str_eq(reason, "completed") || str_eq(reason, "error"));
    put_whole(b, "code", has_code ? code : NULL);
    json_key(b, "signal");
    json_put_string(b, has_code ? NULL : arena_printf(c->front.call->arena, "SIG%s", name ? name : "KILL"));
    json_key(b, "status"), json_put_string(b, status_of(result, reason));
    json_key(b, "message"), json_put_string(b, why(c, result, reason, (int)signal));
    put_whole(b, "memory", inner_number(result, "peak_memory_bytes"));
    put_whole(b, "cpu_time", inner_number(result, "cpu_ms"));
    put_whole(b, "wall_time", inner_number(result, "duration_ms"));
}

static void put_stage(struct piston_call *c, struct buf *b, const char *name, const struct inner_ran *ran,
                      struct body *result)
{
    json_key(b, name), json_open(b, '{');
    json_key(b, "stdout"), body_json(result, "stdout", b);
    json_key(b, "stderr"), body_json(result, "stderr", b);
    json_key(b, "output"), json_bytes(b, ran->output.size ? ran->output.data : "", ran->output.size);
    put_end(c, b, result);
    json_close(b, '}');
}

/* Of a compiler that succeeded our interface tells only how long it took: neither its output nor its usage. */
static void put_compiled(struct buf *b, struct body *result)
{
    const char *ms = inner_number(body_object_if(result, "timing"), "start_ms");
    json_key(b, "compile");
    (void)buf_adds(b, "{\"stdout\":\"\",\"stderr\":\"\",\"output\":\"\",\"code\":0,\"signal\":null,\"status\":null,"
                      "\"message\":null,\"memory\":null,\"cpu_time\":null");
    put_whole(b, "wall_time", ms);
    json_close(b, '}');
}

/* A program that was not compiled was not run: both are the compiler's then, as with Piston. */
static void answer(void *context, const struct inner_ran *ran, struct body *result)
{
    struct piston_call *c = context;
    struct buf *b = answer_json(c->front.out, 200, INNER_ANSWER_MAX);
    json_open(b, '{');
    put_stage(c, b, "run", ran, result);
    if (c->runtime->is_compiled && ran->has_started)
        put_compiled(b, result);
    else if (c->runtime->is_compiled)
        put_stage(c, b, "compile", ran, result);
    json_key(b, "language"), json_put_string(b, c->runtime->name);
    json_key(b, "version"), json_put_string(b, c->versions.of[c->runtime->language]);
    json_close(b, '}');
}

static void execute(struct piston_call *c)
{
    const struct http_request *q = c->front.call->request;
    struct buf b;
    buf_init(&b, INNER_ANSWER_MAX);
    if (front_read(&c->front, q->body, q->body_size, false) && find_runtime(c) && put_request(c, &b)) {
        const struct inner_asked with = front_body(&b);
        inner_run(c->front.call, "/execute", &with, c->front.out, answer, c);
    }
    buf_done(&b);
}

/* --- one request ---------------------------------------------------------------------------------------------- */

static const struct row {
    const char *method, *paths[2];
    void (*handle)(struct piston_call *c);
} rows[] = { { "GET", { "/api/v2/runtimes", "/api/v2/piston/runtimes" }, list },
             { "POST", { "/api/v2/execute", "/api/v2/piston/execute" }, execute } };

static const struct row *find(const struct http_request *q)
{
    for (const struct row *r = rows; r < rows + ARRAY_LEN(rows); r++)
        if (str_eq(q->method, r->method) && (str_eq(q->path, r->paths[0]) || str_eq(q->path, r->paths[1])))
            return r;
    return NULL;
}

/* The key's rights of now. */
static int who(struct front_call *c, struct caller *ret, struct error *err)
{
    struct policy_set *policies = service_policies(c->call->service);
    const char *key_id = policies->level[0].config.endpoints.piston.key;
    key_id = arena_copy(c->call->arena, key_id ? key_id : "");
    (void)policy_set_unref(policies);
    const int e = auth_of_key(c->call->service, key_id, c->call->arena, ret, err);
    if (e == -EACCES)
        return err_set(err, e, BLAME_CALLER, NULL,
                       "endpoints.piston.key %.40s: the key was revoked, has expired, or is not there", key_id);
    return e;
}

static void respond(struct piston_call *c)
{
    const struct row *r = find(c->front.call->request);
    if (!front_is_on(&c->front, piston))
        return;
    if (!r)
        front_fail(&c->front, ANSWER_NOT_FOUND, "Not Found");
    else if (front_let_in(&c->front, who))
        r->handle(c);
    (void)body_free(c->front.body);
}

/* Piston's clients know 400 and, for «later», 429. */
static unsigned status_for(unsigned status)
{
    return status == 403 || status == 409 || status == 422 ? 400 : status;
}

static void handle(void *service, struct http_request *q, struct http_answer *a)
{
    struct call call = { .service = service, .request = q, .arena = q->arena };
    struct piston_call c = { .front = { .call = &call, .out = a } };
    respond(&c);
    call_finish(&call, a);
    if (a->status >= 400) {
        const char *message = inner_reword(a, q->arena, status_for(a->status), "the request failed");
        json_open(&a->body, '{');
        json_key(&a->body, "message"), json_put_string(&a->body, message);
        json_close(&a->body, '}');
    }
    metrics_http(call.service->metrics, q->method, a->status, clock_us() - q->received_us);
}

static void refuse(void *service, const struct http_request *q, unsigned status, const char *code, const char *message,
                   struct buf *body)
{
    (void)q;
    (void)service;
    (void)status;
    (void)code;
    json_open(body, '{');
    json_key(body, "message"), json_put_string(body, message);
    json_close(body, '}');
}

/* --- life ----------------------------------------------------------------------------------------------------- */

struct piston *piston_new(void)
{
    struct piston *p = calloc(1, sizeof *p);
    if (p)
        (void)pthread_mutex_init(&p->lock, NULL);
    return p;
}

struct piston *piston_free(struct piston *p)
{
    if (p)
        (void)pthread_mutex_destroy(&p->lock);
    free(p);
    return NULL;
}

int piston_listen(struct service *v, const struct http_options *like, struct http_server **ret, struct error *err)
{
    const struct config *c = &v->first_policies->level[0].config;
    struct http_options h = *like;
    if (!c->endpoints.piston.enabled)
        return 0;
    h.host = c->endpoints.piston.host;
    h.port = (uint16_t)c->endpoints.piston.port;
    h.socket = NULL;
    h.fds = NULL, h.fd_count = 0;
    h.handle = handle, h.feeds = NULL, h.admits = NULL, h.refuse = refuse;
    if (!http_is_loopback(h.host) && !c->endpoints.piston.allow_remote) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                      "endpoints.piston.host %s is beyond loopback, and Piston's clients show no key", h.host);
        return err_remedy(err, "listen on 127.0.0.1, or set endpoints.piston.allow_remote: true where only those reach "
                               "it that may use the key");
    }
    const int e = http_start(&h, ret, err);
    if (e == 0)
        service_log(v, LOG_INFO, "Piston's clients: http%s://%s%s%s:%u/api/v2, with the rights of %s",
                    h.tls_certificate ? "s" : "", strchr(h.host, ':') ? "[" : "", h.host,
                    strchr(h.host, ':') ? "]" : "", http_port(*ret), c->endpoints.piston.key);
    return e;
}
