/* e2b_sandboxes.c - the control plane: a sandbox is a session. */
#include "audit/line.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/parse.h"
#include "front/e2b_internal.h"
#include "front/sandboxes.h"

#define TIMEOUT_PRESET   300u /* seconds: what the SDK says that it is */
#define TIMEOUT_MAX      86400u
#define LIST_MAX         100u
#define DEFAULT_TEMPLATE "base"
#define META_TEMPLATE    "e2b.template" /* of a sandbox's metadata: it is kept, and shown as what it is */

/* --- what is told of one -------------------------------------------------------------------------------------- */

static const char *template_of(struct body *session)
{
    struct body *metadata = body_object(session, "metadata");
    const char *name = metadata ? e2b_text(metadata, META_TEMPLATE) : NULL;
    return name ? name : DEFAULT_TEMPLATE;
}

static void put_ids(struct buf *b, struct body *session, const char *id)
{
    json_key(b, "templateID"), json_put_string(b, template_of(session));
    json_key(b, "sandboxID"), json_put_string(b, id);
    json_key(b, "clientID"), json_put_string(b, "sandbox-agent");
    json_key(b, "envdVersion"), json_put_string(b, E2B_ENVD_VERSION);
}

static void put_token(struct front_call *c, struct buf *b, const char *id)
{
    char token[E2B_TOKEN_SIZE];
    e2b_token(c->call->service->e2b, id, token);
    json_key(b, "envdAccessToken"), json_put_string(b, token);
    json_key(b, "trafficAccessToken"), json_put_string(b, token);
    secret_wipe(token, sizeof token);
}

static const char *state_of(struct body *session)
{
    return front_session_is_paused(session) ? "paused" : "running";
}

static void put_sandbox(struct front_call *c, struct buf *b, struct body *session, bool with_token)
{
    const char *id = e2b_text(session, "session_id");
    const struct front_size size = front_size(c->call->service, session);
    json_open(b, '{');
    put_ids(b, session, id);
    json_key(b, "startedAt"), json_put_string(b, e2b_text(session, "created_at"));
    json_key(b, "endAt"), json_put_string(b, e2b_text(session, "expires_at"));
    json_key(b, "cpuCount"), json_uint(b, size.cpus);
    json_key(b, "memoryMB"), json_uint(b, size.memory_mib);
    json_key(b, "diskSizeMB"), json_uint(b, size.disk_mib);
    json_key(b, "state"), json_put_string(b, state_of(session));
    front_put_metadata(b, "metadata", session, META_TEMPLATE);
    if (with_token)
        put_token(c, b, id);
    json_close(b, '}');
}

/* --- create --------------------------------------------------------------------------------------------------- */

static void answer_connected(struct front_call *c, unsigned status, struct body *session)
{
    const char *id = e2b_text(session, "session_id");
    struct buf *b = answer_json(c->out, status, 64 * KIB);
    json_open(b, '{');
    put_ids(b, session, id);
    put_token(c, b, id);
    json_close(b, '}');
}

void e2b_create(struct front_call *c)
{
    static const char *const others[] = { "network", "mcp", "volumeMounts", "iam", NULL };
    const char *template = e2b_text(c->body, "templateID");
    struct body *session = front_session_create(
        c, &(struct front_new){ .metadata = "metadata",
                                .env = "envVars",
                                .not_offered = others,
                                .own = META_TEMPLATE,
                                .own_text = template && !str_eq(template, DEFAULT_TEMPLATE) ? template : NULL,
                                .page = E2B_PAGE,
                                .ttl = body_uint(c->body, "timeout", TIMEOUT_MAX, TIMEOUT_PRESET),
                                .is_offline = !body_bool(c->body, "allow_internet_access", true) });
    if (session)
        answer_connected(c, 201, session);
    (void)body_free(session);
}

/* --- one ------------------------------------------------------------------------------------------------------ */

void e2b_show(struct front_call *c)
{
    struct body *session = front_session(c);
    if (session)
        put_sandbox(c, answer_json(c->out, 200, MIB), session, true);
    (void)body_free(session);
}

/* One that has ended meanwhile is not there, in E2B's words. */
static bool done(struct front_call *c, const char *method, const char *pattern, struct inner_asked with)
{
    const bool is_done = front_ask_done(c, method, pattern, with);
    if (!is_done && c->out->status == 409)
        front_session_gone(c);
    return is_done;
}

static bool extend(struct front_call *c, uint64_t seconds)
{
    const char *text = arena_printf(c->call->arena, "{\"ttl\":%llu}", (unsigned long long)seconds);
    return done(c, "POST", "/sessions/{session_id}/extend",
                (struct inner_asked){ .body = text, .body_size = strlen(text) });
}

void e2b_timeout(struct front_call *c)
{
    const uint64_t seconds = body_uint(c->body, "timeout", TIMEOUT_MAX, TIMEOUT_PRESET);
    struct body *session = front_is_read(c) ? front_session(c) : NULL;
    if (!session)
        return;
    if (seconds ? extend(c, seconds) : (e2b_kill(c), false))
        front_done(c, 204);
    (void)body_free(session);
}

/* Only ever longer, as E2B has it: another client of the same sandbox may want more. */
static bool is_longer(struct body *session, uint64_t seconds)
{
    const char *text = e2b_text(session, "expires_at");
    uint64_t until_ms = 0;
    return text && audit_time_read(text, strlen(text), &until_ms) == 0 && wall_clock_ms() + seconds * 1000 > until_ms;
}

/* A client that connects to a paused one wants it to go on. */
static bool resume(struct front_call *c, struct body *session)
{
    return !front_session_is_paused(session) ||
           front_ask_done(c, "POST", "/sessions/{session_id}/resume", (struct inner_asked){ 0 });
}

void e2b_connect(struct front_call *c)
{
    const uint64_t seconds = body_uint(c->body, "timeout", TIMEOUT_MAX, 0);
    struct body *session = front_is_read(c) ? front_session(c) : NULL;
    if (session && resume(c, session) && (!seconds || !is_longer(session, seconds) || extend(c, seconds)))
        answer_connected(c, 200, session);
    (void)body_free(session);
}

/* It stood still already: 409, which the SDK takes for «false». */
void e2b_pause(struct front_call *c)
{
    struct body *session = front_session(c);
    if (session && front_session_is_paused(session))
        front_fail(c, ANSWER_CONFLICT, "sandbox %.64s is paused already", c->session_id);
    else if (session && front_ask_done(c, "POST", "/sessions/{session_id}/pause", (struct inner_asked){ 0 }))
        front_done(c, 204);
    (void)body_free(session);
}

void e2b_kill(struct front_call *c)
{
    struct body *session = front_session(c);
    if (session && done(c, "DELETE", "/sessions/{session_id}", (struct inner_asked){ 0 }))
        front_done(c, 204);
    (void)body_free(session);
}

/* --- all ------------------------------------------------------------------------------------------------------ */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

static size_t decode_once(const char *text, size_t size, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        const bool is_coded = text[i] == '%' && i + 2 < size && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
        out[n++] = is_coded ? (char)(digit(text[i + 1]) << 4 | digit(text[i + 2])) : text[i] == '+' ? ' ' : text[i];
        i += is_coded ? 2 : 0;
    }
    out[n] = '\0';
    return n;
}

/* The SDK encodes names and values twice inside the parameter. out may be where text is. */
static void decode(const char *text, size_t size, char *out)
{
    (void)decode_once(out, decode_once(text, size, out), out);
}

/* «a=b&c=d», as pairs. No sandbox has a name with «=», nor one without a name. */
static void read_metadata(const char *query, struct arena *a, struct strlist *ret)
{
    for (const char *p = query; p && *p;) {
        const size_t n = strcspn(p, "&"), k = MIN_OF(strcspn(p, "="), n);
        char *name = arena_zero(a, n + 1), *value = arena_zero(a, n + 1);
        if (!name || !value)
            return;
        decode(p, k, name);
        decode(p + k + (k < n), n - k - (k < n), value);
        (void)strlist_add(ret, strchr(name, '=') ? "=" : arena_printf(a, "%s=%s", name, value));
        p += n + (p[n] == '&');
    }
}

struct wanted {
    struct front_call *call;
    const char *state; /* NULL: any */
    struct strlist metadata;
    const char *from; /* those behind this one; NULL: all */
    struct buf *list;
    uint64_t limit, count;
    const char *last; /* of the list */
    bool has_more;
};

static bool take_session(void *context, struct body *session)
{
    struct wanted *w = context;
    const char *id = e2b_text(session, "session_id");
    if (w->from) { /* it may have ended since */
        w->from = id && str_eq(id, w->from) ? NULL : w->from;
        return true;
    }
    if (!front_session_is(w->call, session, &w->metadata) || (w->state && !strstr(w->state, state_of(session))))
        return true;
    w->has_more = w->count++ == w->limit;
    if (w->has_more)
        return false;
    put_sandbox(w->call, w->list, session, false);
    w->last = arena_copy(w->call->call->arena, id);
    return true;
}

void e2b_list(struct front_call *c)
{
    const struct http_request *q = c->call->request;
    const char *limit = http_query(q, "limit"), *from = http_query(q, "nextToken");
    struct buf b;
    struct wanted w = {
        .call = c, .state = http_query(q, "state"), .from = from && *from ? from : NULL, .list = &b, .limit = LIST_MAX
    };
    if (limit && (parse_u64(limit, &w.limit) < 0 || !w.limit || w.limit > LIST_MAX)) {
        front_fail(c, ANSWER_INVALID_REQUEST, "limit: expected are 1 to %u", LIST_MAX);
        return;
    }
    read_metadata(http_query(q, "metadata"), c->call->arena, &w.metadata);
    buf_init(&b, 16 * MIB);
    json_open(&b, '[');
    if (front_sessions_each(c, take_session, &w)) {
        json_close(&b, ']');
        *answer_json(c->out, 200, 0) = b; /* taken */
        b = (struct buf){ 0 };
        if (w.has_more)
            http_answer_header(c->out, "x-next-token", w.last);
    }
    strlist_done(&w.metadata);
    buf_done(&b);
}

/* --- metrics -------------------------------------------------------------------------------------------------- */

/* Of the session's sandbox, as the list of executions has it; NULL: it is not measured yet. */
static struct body *usage_of(struct body *list, const char *id)
{
    const uint32_t n = body_objects(list, "executions", 1000);
    for (uint32_t i = 0; i < n; i++) {
        struct body *one = body_object_at(list, "executions", i);
        const char *its = one ? e2b_text(one, "execution_id") : NULL;
        if (its && str_eq(its, id))
            return body_object(one, "usage");
    }
    return NULL;
}

/* The integer part of a number. */
static uint64_t whole(struct body *b, const char *name)
{
    const char *text = inner_number(b, name);
    uint64_t n = 0;
    for (; text && *text >= '0' && *text <= '9' && n < UINT64_MAX / 20; text++)
        n = 10 * n + (uint64_t)(*text - '0');
    return n;
}

/* cpuUsedPct is the mean since the sandbox began. */
static void put_sample(struct buf *b, struct body *usage, const struct front_size *size)
{
    const uint64_t now_ms = wall_clock_ms(), at_ms = whole(usage, "at_ms"), cpu_ms = whole(usage, "cpu_ms");
    json_open(b, '{');
    answer_time(b, "timestamp", now_ms);
    json_key(b, "timestampUnix"), json_uint(b, now_ms / 1000);
    json_key(b, "cpuCount"), json_uint(b, size->cpus);
    json_key(b, "cpuUsedPct"), json_milli(b, at_ms ? cpu_ms * 100000 / at_ms : 0);
    json_key(b, "memUsed"), json_uint(b, whole(usage, "memory_bytes"));
    json_key(b, "memTotal"), json_uint(b, size->memory_mib * MIB);
    json_key(b, "memCache"), json_uint(b, 0);
    json_key(b, "diskUsed"), json_uint(b, 0);
    json_key(b, "diskTotal"), json_uint(b, size->disk_mib * MIB);
    json_close(b, '}');
}

void e2b_metrics(struct front_call *c)
{
    const struct inner_asked with = { .query = { { "state", "running" }, { "limit", "500" } } };
    struct body *session = front_session(c);
    struct body *list = session ? front_ask(c, "GET", "/executions", with) : NULL;
    if (list) {
        const struct front_size size = front_size(c->call->service, session);
        struct body *usage = usage_of(list, c->session_id);
        struct buf *b = answer_json(c->out, 200, 4 * KIB);
        json_open(b, '[');
        if (usage)
            put_sample(b, usage, &size);
        json_close(b, ']');
    }
    (void)body_free(list);
    (void)body_free(session);
}
