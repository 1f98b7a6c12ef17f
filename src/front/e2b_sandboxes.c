/* e2b_sandboxes.c - the control plane: a sandbox is a session. */
#include <stdio.h>

#include "audit/line.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/parse.h"
#include "front/e2b_internal.h"

#define TIMEOUT_PRESET   300u /* seconds: what the SDK says that it is */
#define TIMEOUT_MAX      86400u
#define LIST_MAX         100u
#define SESSIONS_MOST    100000u
#define DEFAULT_TEMPLATE "base"
/* Names in a sandbox's metadata that mean something here. The template is kept, and shown as what it is. */
#define META_AGENT    "agent_id"
#define META_LEVEL    "risk_level"
#define META_TEMPLATE "e2b.template"

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

static void put_token(struct e2b_call *c, struct buf *b, const char *id)
{
    char token[E2B_TOKEN_SIZE];
    e2b_token(c->call->service->e2b, id, token);
    json_key(b, "envdAccessToken"), json_put_string(b, token);
    json_key(b, "trafficAccessToken"), json_put_string(b, token);
    secret_wipe(token, sizeof token);
}

static void put_metadata(struct buf *b, struct body *session)
{
    struct strlist pairs = { 0 };
    body_pairs(session, "metadata", &pairs, STRLIST_MAX_BYTES, 1000);
    json_key(b, "metadata"), json_open(b, '{');
    json_pairs(b, &pairs, META_TEMPLATE);
    json_close(b, '}');
    strlist_done(&pairs);
}

static bool is_paused(struct body *session)
{
    const char *state = e2b_text(session, "state");
    return state && str_eq(state, "paused");
}

static const char *state_of(struct body *session)
{
    return is_paused(session) ? "paused" : "running";
}

static void put_sandbox(struct e2b_call *c, struct buf *b, struct body *session, bool with_token)
{
    const char *id = e2b_text(session, "session_id");
    const struct inner_size size = inner_size(c->call->service, e2b_text(session, "risk_level"));
    json_open(b, '{');
    put_ids(b, session, id);
    json_key(b, "startedAt"), json_put_string(b, e2b_text(session, "created_at"));
    json_key(b, "endAt"), json_put_string(b, e2b_text(session, "expires_at"));
    json_key(b, "cpuCount"), json_uint(b, size.cpus);
    json_key(b, "memoryMB"), json_uint(b, size.memory_mib);
    json_key(b, "diskSizeMB"), json_uint(b, size.disk_mib);
    json_key(b, "state"), json_put_string(b, state_of(session));
    put_metadata(b, session);
    if (with_token)
        put_token(c, b, id);
    json_close(b, '}');
}

/* --- create --------------------------------------------------------------------------------------------------- */

/* «agent_id» and «risk_level» of the metadata. */
static void put_agent_and_level(struct e2b_call *c, struct body *metadata, struct buf *b)
{
    const char *agent = inner_agent(c->call->caller, body_text_if(metadata, META_AGENT));
    const char *level = body_text_if(metadata, META_LEVEL);
    if (agent)
        json_key(b, "agent_id"), json_put_string(b, agent);
    if (level)
        json_key(b, "risk_level"), json_put_string(b, level);
}

/* What would be weaker than what was asked for is refused, not left away. */
static bool is_offered(struct e2b_call *c)
{
    static const char *const names[] = { "network", "mcp", "volumeMounts", "iam" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const enum body_kind kind = body_kind(c->body, names[i]);
        if (kind == BODY_ABSENT || kind == BODY_NULL)
            continue;
        e2b_fail(c, ANSWER_UNPROCESSABLE, "%s: not offered here (docs/e2b.md)", names[i]);
        return false;
    }
    return true;
}

static void answer_connected(struct e2b_call *c, unsigned status, struct body *session)
{
    const char *id = e2b_text(session, "session_id");
    struct buf *b = answer_json(c->out, status, 64 * KIB);
    json_open(b, '{');
    put_ids(b, session, id);
    put_token(c, b, id);
    json_close(b, '}');
}

void e2b_create(struct e2b_call *c)
{
    struct strlist metadata = { 0 }, env = { 0 };
    const char *template = e2b_text(c->body, "templateID");
    struct buf b;
    buf_init(&b, MIB);
    json_open(&b, '{');
    json_key(&b, "ttl"), json_uint(&b, body_uint(c->body, "timeout", TIMEOUT_MAX, TIMEOUT_PRESET));
    body_pairs(c->body, "metadata", &metadata, 4096, 64);
    body_pairs(c->body, "envVars", &env, 32768, 256);
    const bool has_network = body_bool(c->body, "allow_internet_access", true);
    const bool is_accepted = is_offered(c) && e2b_is_read(c);
    if (is_accepted) {
        struct inner_asked with = { 0 };
        put_agent_and_level(c, body_object(c->body, "metadata"), &b);
        json_key(&b, "metadata"), json_open(&b, '{'), json_pairs(&b, &metadata, META_TEMPLATE);
        if (template && !str_eq(template, DEFAULT_TEMPLATE))
            json_key(&b, META_TEMPLATE), json_put_string(&b, template);
        json_close(&b, '}');
        if (!has_network)
            json_key(&b, "network"), (void)buf_adds(&b, "{\"mode\":\"none\"}");
        json_key(&b, "env"), json_open(&b, '{'), json_pairs(&b, &env, NULL), json_close(&b, '}');
        json_close(&b, '}');
        with.body = b.data;
        with.body_size = b.failed ? 0 : b.size;
        struct body *session = e2b_ask_first(c, "POST", "/sessions", &with);
        if (session)
            answer_connected(c, 201, session);
        (void)body_free(session);
    }
    strlist_done(&metadata);
    strlist_done(&env);
    buf_done(&b);
}

/* --- one ------------------------------------------------------------------------------------------------------ */

static void gone(struct e2b_call *c)
{
    buf_done(&c->out->body);
    e2b_fail(c, ANSWER_NOT_FOUND, "sandbox \"%.64s\" not found", c->call->parts[0]);
}

/* One that lives and is this key's; NULL: an answer was given. */
static struct body *find(struct e2b_call *c)
{
    const struct inner_asked with = { .parts = { c->call->parts[0] } };
    struct body *session = e2b_ask_first(c, "GET", "/sessions/{session_id}", &with);
    const char *key = session ? e2b_text(session, "key_id") : NULL;
    if (session && inner_session_lives(session) && key && str_eq(key, c->call->caller->key_id))
        return session;
    if (session)
        gone(c);
    return body_free(session);
}

void e2b_show(struct e2b_call *c)
{
    struct body *session = find(c);
    if (session)
        put_sandbox(c, answer_json(c->out, 200, MIB), session, true);
    (void)body_free(session);
}

static bool extend(struct e2b_call *c, uint64_t seconds)
{
    char text[64];
    (void)snprintf(text, sizeof text, "{\"ttl\":%llu}", (unsigned long long)seconds);
    const struct inner_asked with = { .parts = { c->call->parts[0] }, .body = text, .body_size = strlen(text) };
    if (e2b_ask_done(c, "POST", "/sessions/{session_id}/extend", &with))
        return true;
    if (c->out->status == 409)
        gone(c);
    return false;
}

void e2b_timeout(struct e2b_call *c)
{
    const uint64_t seconds = body_uint(c->body, "timeout", TIMEOUT_MAX, TIMEOUT_PRESET);
    struct body *session = e2b_is_read(c) ? find(c) : NULL;
    if (!session)
        return;
    if (seconds ? extend(c, seconds) : (e2b_kill(c), false))
        e2b_empty(c, 204);
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
static bool resume(struct e2b_call *c, struct body *session)
{
    const struct inner_asked with = { .parts = { c->call->parts[0] } };
    return !is_paused(session) || e2b_ask_done(c, "POST", "/sessions/{session_id}/resume", &with);
}

void e2b_connect(struct e2b_call *c)
{
    const uint64_t seconds = body_uint(c->body, "timeout", TIMEOUT_MAX, 0);
    struct body *session = e2b_is_read(c) ? find(c) : NULL;
    if (session && resume(c, session) && (!seconds || !is_longer(session, seconds) || extend(c, seconds)))
        answer_connected(c, 200, session);
    (void)body_free(session);
}

/* It stood still already: 409, which the SDK takes for «false». */
void e2b_pause(struct e2b_call *c)
{
    const struct inner_asked with = { .parts = { c->call->parts[0] } };
    struct body *session = find(c);
    if (session && is_paused(session))
        e2b_fail(c, ANSWER_CONFLICT, "sandbox \"%.64s\" is paused already", c->call->parts[0]);
    else if (session && e2b_ask_done(c, "POST", "/sessions/{session_id}/pause", &with))
        e2b_empty(c, 204);
    (void)body_free(session);
}

void e2b_kill(struct e2b_call *c)
{
    const struct inner_asked with = { .parts = { c->call->parts[0] } };
    struct body *session = find(c);
    if (session && e2b_ask_done(c, "DELETE", "/sessions/{session_id}", &with))
        e2b_empty(c, 204);
    else if (session && c->out->status == 409)
        gone(c);
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

struct wanted {
    const char *key_id, *state, *metadata; /* state, metadata NULL: any */
    struct arena *arena;
};

/* «a=b&c=d», all of them. */
static bool has_all(const struct wanted *w, struct body *session)
{
    struct body *metadata = body_object(session, "metadata");
    for (const char *p = w->metadata; p && *p;) {
        const size_t n = strcspn(p, "&"), k = MIN_OF(strcspn(p, "="), n);
        char *name = arena_zero(w->arena, n + 1), *value = arena_zero(w->arena, n + 1);
        if (!name || !value)
            return false;
        decode(p, k, name);
        decode(p + k + (k < n), n - k - (k < n), value);
        const char *has = body_text_if(metadata, name);
        if (!has || !str_eq(has, value))
            return false;
        p += n + (p[n] == '&');
    }
    return true;
}

static bool is_wanted(const struct wanted *w, struct body *session)
{
    const char *key = e2b_text(session, "key_id");
    return inner_session_lives(session) && key && str_eq(key, w->key_id) &&
           (!w->state || strstr(w->state, state_of(session))) && has_all(w, session);
}

void e2b_list(struct e2b_call *c)
{
    const struct http_request *q = c->call->request;
    const struct inner_asked with = { 0 };
    const struct wanted w = { .key_id = c->call->caller->key_id,
                              .state = http_query(q, "state"),
                              .metadata = http_query(q, "metadata"),
                              .arena = c->call->arena };
    const char *limit_text = http_query(q, "limit"), *from = http_query(q, "nextToken"), *last = NULL;
    uint64_t limit = LIST_MAX, count = 0;
    bool is_behind = !from || !*from, has_more = false;
    if (limit_text && (parse_u64(limit_text, &limit) < 0 || !limit || limit > LIST_MAX)) {
        e2b_fail(c, ANSWER_INVALID_REQUEST, "limit: expected are 1 to %u", LIST_MAX);
        return;
    }
    struct body *list = e2b_ask_first(c, "GET", "/sessions", &with);
    if (!list)
        return;
    struct buf *b = answer_json(c->out, 200, 16 * MIB);
    json_open(b, '[');
    const uint32_t n = body_objects(list, "sessions", SESSIONS_MOST);
    for (uint32_t i = 0; i < n && !has_more; i++) {
        struct body *session = body_object_at(list, "sessions", i);
        const char *id = session ? e2b_text(session, "session_id") : NULL;
        if (id && is_behind && is_wanted(&w, session)) {
            has_more = count++ == limit;
            if (!has_more)
                put_sandbox(c, b, session, false), last = arena_copy(c->call->arena, id);
        }
        is_behind |= id && from && str_eq(id, from);
    }
    json_close(b, ']');
    if (has_more)
        http_answer_header(c->out, "x-next-token", last);
    (void)body_free(list);
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

/* The whole ones of a number that may have a fraction. */
static uint64_t whole(struct body *b, const char *name)
{
    const char *text = body_kind(b, name) != BODY_ABSENT ? body_scalar(b, name, 64) : NULL;
    uint64_t n = 0;
    for (; text && *text >= '0' && *text <= '9' && n < UINT64_MAX / 20; text++)
        n = 10 * n + (uint64_t)(*text - '0');
    return n;
}

/* cpuUsedPct is the mean since the sandbox began. */
static void put_sample(struct buf *b, struct body *usage, const struct inner_size *size)
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

void e2b_metrics(struct e2b_call *c)
{
    const struct inner_asked with = { .query = { { "state", "running" }, { "limit", "500" } } };
    struct body *session = find(c);
    struct body *list = session ? e2b_ask_first(c, "GET", "/executions", &with) : NULL;
    if (list) {
        const struct inner_size size = inner_size(c->call->service, e2b_text(session, "risk_level"));
        struct body *usage = usage_of(list, c->call->parts[0]);
        struct buf *b = answer_json(c->out, 200, 4 * KIB);
        json_open(b, '[');
        if (usage)
            put_sample(b, usage, &size);
        json_close(b, ']');
    }
    (void)body_free(list);
    (void)body_free(session);
}
