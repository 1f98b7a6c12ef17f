/* daytona_sandboxes.c - the control plane: a sandbox is a session, «stopped» is one that is paused. */
#include <stdio.h>

#include "base/json.h"
#include "daemon/routes.h"
#include "daemon/sessions.h"
#include "front/daytona_internal.h"

#define AUTOSTOP_PRESET 15u /* minutes, as Daytona has it */
#define SESSIONS_MOST   100000u
#define META_AGENT      "agent_id"
#define META_LEVEL      "risk_level"

/* --- what is told of one -------------------------------------------------------------------------------------- */

/* The way to what is inside a sandbox, by the address that the client has us by. */
static const char *toolbox_of(const struct daytona_call *c)
{
    const struct http_request *q = c->call->request;
    const char *host = http_header(q, "Host"), *proto = http_header(q, "X-Forwarded-Proto");
    const bool is_tls = q->is_tls || (proto && str_eq(proto, "https")); /* a proxy's: the client is told its own */
    return arena_printf(c->call->arena, "http%s://%.255s/toolbox", is_tls ? "s" : "", host ? host : "localhost");
}

static const char *state_of(struct body *session)
{
    const char *state = body_text_if(session, "state");
    return !inner_session_lives(session) ? "destroyed" : str_eq(state, "paused") ? "stopped" : "started";
}

static uint64_t autostop_of(const char *meta)
{
    uint64_t minutes = 0;
    for (; meta && *meta >= '0' && *meta <= '9' && minutes < SESSION_TTL_MAX; meta++)
        minutes = 10 * minutes + (uint64_t)(*meta - '0');
    return minutes;
}

static const char *meta_of(struct body *session)
{
    return body_text_if(body_object_if(session, "metadata"), DAYTONA_META);
}

static const char *name_of(struct body *session)
{
    const char *meta = meta_of(session), *name = meta ? strchr(meta, ' ') : NULL;
    return name && name[1] ? name + 1 : body_text_if(session, "session_id");
}

static void put_labels(struct buf *b, struct body *session)
{
    struct strlist pairs = { 0 };
    body_pairs(session, "metadata", &pairs, STRLIST_MAX_BYTES, 1000);
    json_key(b, "labels"), json_open(b, '{');
    json_pairs(b, &pairs, DAYTONA_META);
    json_close(b, '}');
    strlist_done(&pairs);
}

static void put_text(struct buf *b, const char *name, const char *text)
{
    json_key(b, name), json_put_string(b, text);
}

static void put_sandbox(struct daytona_call *c, struct buf *b, struct body *session, const char *state)
{
    const struct inner_size size = inner_size(c->call->service, body_text_if(session, "risk_level"));
    const char *net = body_text_if(body_object_if(session, "isolation"), "net");
    json_open(b, '{');
    put_text(b, "id", body_text_if(session, "session_id"));
    put_text(b, "name", name_of(session));
    put_text(b, "organizationId", c->call->caller->key_id);
    put_text(b, "user", "user");
    put_text(b, "target", "local");
    put_text(b, "snapshot", "default");
    put_text(b, "state", state);
    put_text(b, "desiredState", state);
    put_text(b, "createdAt", body_text_if(session, "created_at"));
    put_text(b, "updatedAt", body_text_if(session, "created_at"));
    put_text(b, "autoDestroyAt", body_text_if(session, "expires_at"));
    put_text(b, "toolboxProxyUrl", toolbox_of(c));
    put_labels(b, session);
    json_key(b, "env"), (void)buf_adds(b, "{}");
    json_key(b, "public"), json_bool(b, false);
    json_key(b, "networkBlockAll"), json_bool(b, !net || !str_eq(net, "bridge"));
    json_key(b, "cpu"), json_uint(b, size.cpus);
    json_key(b, "gpu"), json_uint(b, 0);
    json_key(b, "memory"), json_milli(b, size.memory_mib * 1000 / 1024);
    json_key(b, "disk"), json_milli(b, size.disk_mib * 1000 / 1024);
    json_key(b, "autoStopInterval"), json_uint(b, autostop_of(meta_of(session)));
    json_key(b, "autoDeleteInterval"), json_int(b, -1);
    json_close(b, '}');
}

static void answer_sandbox(struct daytona_call *c, struct body *session, const char *state)
{
    put_sandbox(c, answer_json(c->out, 200, MIB), session, state);
}

/* --- create --------------------------------------------------------------------------------------------------- */

/* What would be weaker, or other, than what was asked for is refused, not ignored. */
static bool is_offered(struct daytona_call *c)
{
    static const char *const names[] = { "buildInfo",        "volumes",       "networkAllowList", "domainAllowList",
                                         "outboundProxyUrl", "linkedSandbox", "secrets",          "gpuType" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const enum body_kind kind = body_kind(c->body, names[i]);
        if (kind == BODY_ABSENT || kind == BODY_NULL)
            continue;
        daytona_fail(c, ANSWER_INVALID_REQUEST, "%s: not offered here (docs/daytona.md)", names[i]);
        return false;
    }
    return true;
}

/* «agent_id» and «risk_level» of the labels. */
static void put_agent_and_level(struct daytona_call *c, struct body *labels, struct buf *b)
{
    const char *agent = inner_agent(c->call->caller, body_text_if(labels, META_AGENT));
    const char *level = body_text_if(labels, META_LEVEL);
    if (agent)
        put_text(b, "agent_id", agent);
    if (level)
        put_text(b, "risk_level", level);
}

static void put_metadata(struct daytona_call *c, const struct strlist *labels, uint64_t autostop, struct buf *b)
{
    const char *name = body_text(c->body, "name", DAYTONA_NAME_MAX);
    json_key(b, "metadata"), json_open(b, '{');
    json_pairs(b, labels, DAYTONA_META);
    json_key(b, DAYTONA_META);
    json_put_string(b, arena_printf(c->call->arena, "%llu %s", (unsigned long long)autostop, name ? name : ""));
    json_close(b, '}');
}

/* Without use it ends: ttlMinutes is all of its time, autoStopInterval begins anew with each use (0: a day). */
static void put_request(struct daytona_call *c, struct buf *b)
{
    struct strlist labels = { 0 }, env = { 0 };
    const uint64_t ttl = body_uint(c->body, "ttlMinutes", UINT32_MAX, 0);
    const uint64_t autostop = body_uint(c->body, "autoStopInterval", UINT32_MAX, AUTOSTOP_PRESET);
    const uint64_t most = SESSION_TTL_MAX / 60, minutes = MIN_OF(ttl ? ttl : autostop ? autostop : most, most);
    body_pairs(c->body, "labels", &labels, 4096, 64);
    body_pairs(c->body, "env", &env, 32768, 256);
    json_open(b, '{');
    json_key(b, "ttl"), json_uint(b, minutes * 60);
    put_agent_and_level(c, body_object_if(c->body, "labels"), b);
    put_metadata(c, &labels, ttl ? 0 : minutes, b);
    json_key(b, "env"), json_open(b, '{'), json_pairs(b, &env, NULL), json_close(b, '}');
    if (body_bool(c->body, "networkBlockAll", false))
        json_key(b, "network"), (void)buf_adds(b, "{\"mode\":\"none\"}");
    json_close(b, '}');
    strlist_done(&labels);
    strlist_done(&env);
}

void daytona_create(struct daytona_call *c)
{
    struct buf b;
    buf_init(&b, MIB);
    put_request(c, &b);
    if (is_offered(c) && daytona_is_read(c)) {
        const struct inner_asked with = { .body = b.data, .body_size = b.failed ? 0 : b.size };
        struct body *session = inner_ask_first(c->call, "POST", "/sessions", &with, c->out);
        if (session)
            answer_sandbox(c, session, "started");
        (void)body_free(session);
    }
    buf_done(&b);
}

/* --- one, and all --------------------------------------------------------------------------------------------- */

struct wanted {
    const char *key_id, *name, *id; /* name, id NULL: any */
    struct body *labels;
    struct strlist pairs; /* of labels */
};

static bool is_wanted(const struct wanted *w, struct body *session)
{
    const char *key = body_text_if(session, "key_id"), *id = body_text_if(session, "session_id");
    struct body *metadata = body_object_if(session, "metadata");
    if (!inner_session_lives(session) || !id || !key || !str_eq(key, w->key_id) || (w->id && !str_eq(w->id, id)) ||
        (w->name && !str_eq(w->name, name_of(session))))
        return false;
    STRLIST_FOREACH(pair, &w->pairs)
    {
        char name[256];
        const size_t n = strcspn(pair, "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)MIN_OF(n, sizeof name - 1), pair);
        const char *has = n < sizeof name ? body_text_if(metadata, name) : NULL;
        if (!has || !str_eq(has, pair + n + (pair[n] == '=')))
            return false;
    }
    return true;
}

/* Calls then() with each that is wanted, of those that live and are this key's. False: an answer was given. */
static bool each(struct daytona_call *c, const struct wanted *w,
                 void (*then)(struct daytona_call *c, struct body *session, void *context), void *context)
{
    const struct inner_asked with = { 0 };
    struct body *list = inner_ask_first(c->call, "GET", "/sessions", &with, c->out);
    const uint32_t n = list ? body_objects(list, "sessions", SESSIONS_MOST) : 0;
    for (uint32_t i = 0; i < n; i++) {
        struct body *session = body_object_at(list, "sessions", i);
        if (session && is_wanted(w, session))
            then(c, session, context);
    }
    (void)body_free(list);
    return list != NULL;
}

static void take_id(struct daytona_call *c, struct body *session, void *context)
{
    const char **id = context;
    *id = arena_copy(c->call->arena, body_text_if(session, "session_id"));
}

/* What the client names is an id, or else a name. */
static bool resolve_name(struct daytona_call *c)
{
    const struct wanted w = { .key_id = c->call->caller->key_id, .name = c->id };
    const char *id = NULL;
    if (!each(c, &w, take_id, &id))
        return false;
    if (!id)
        daytona_fail(c, ANSWER_NOT_FOUND, "Sandbox with ID or name %.100s not found", c->id);
    else
        c->id = id;
    return id != NULL;
}

/* One that lives and is this key's; NULL: an answer was given. */
static struct body *find(struct daytona_call *c)
{
    const struct inner_asked with = { 0 };
    if (!str_starts(c->id, "sess-") && !resolve_name(c))
        return NULL;
    struct body *session = daytona_ask(c, "GET", "/sessions/{session_id}", with);
    const char *key = body_text_if(session, "key_id");
    if (session && inner_session_lives(session) && key && str_eq(key, c->call->caller->key_id))
        return session;
    if (session)
        daytona_fail(c, ANSWER_NOT_FOUND, "Sandbox with ID or name %.100s not found", c->id);
    return body_free(session);
}

static void put_one(struct daytona_call *c, struct body *session, void *context)
{
    put_sandbox(c, context, session, state_of(session));
}

void daytona_list(struct daytona_call *c)
{
    const struct http_request *q = c->call->request;
    const char *labels = http_query(q, "labels");
    struct error err = { 0 };
    struct wanted w = { .key_id = c->call->caller->key_id, .name = http_query(q, "name"), .id = http_query(q, "id") };
    /* as a member of an object, so that its pairs can be asked for by the object's rules */
    const char *text = labels ? arena_printf(c->call->arena, "{\"labels\":%s}", labels) : "{}";
    struct buf b;
    buf_init(&b, 64 * MIB);
    json_open(&b, '{');
    json_key(&b, "items"), json_open(&b, '[');
    if (body_parse(text, strlen(text), false, &w.labels, &err) == 0)
        body_pairs(w.labels, "labels", &w.pairs, 4096, 64);
    if (!w.labels || body_end(w.labels, &err) < 0)
        daytona_fail(c, ANSWER_INVALID_REQUEST, "labels: expected is a JSON object of strings");
    else if (each(c, &w, put_one, &b)) {
        (void)buf_adds(&b, "],\"nextCursor\":null}");
        *answer_json(c->out, 200, 0) = b; /* taken; one that is too large has failed, and is answered as 500 */
        b = (struct buf){ 0 };
    }
    buf_done(&b);
    strlist_done(&w.pairs);
    (void)body_free(w.labels);
}

void daytona_show(struct daytona_call *c)
{
    struct body *session = find(c);
    if (session)
        answer_sandbox(c, session, state_of(session));
    (void)body_free(session);
}

static void change(struct daytona_call *c, const char *method, const char *pattern, const char *state)
{
    const struct inner_asked with = { 0 };
    struct body *session = find(c);
    if (session && daytona_ask_done(c, method, pattern, with))
        answer_sandbox(c, session, state);
    (void)body_free(session);
}

void daytona_start(struct daytona_call *c)
{
    change(c, "POST", "/sessions/{session_id}/resume", "started");
}

void daytona_stop(struct daytona_call *c)
{
    change(c, "POST", "/sessions/{session_id}/pause", "stopped");
}

void daytona_delete(struct daytona_call *c)
{
    change(c, "DELETE", "/sessions/{session_id}", "destroyed");
}

void daytona_proxy_url(struct daytona_call *c)
{
    struct body *session = find(c);
    if (session) {
        struct buf *b = answer_json(c->out, 200, KIB);
        json_open(b, '{');
        put_text(b, "url", toolbox_of(c));
        json_close(b, '}');
    }
    (void)body_free(session);
}

void daytona_touch(struct daytona_call *c)
{
    struct session_entry *e = sessions_find(c->call->service->sessions, c->id);
    const char *meta = NULL;
    if (e && str_eq(e->key_id, c->call->caller->key_id)) {
        STRLIST_FOREACH(pair, &e->metadata)
        {
            if (str_starts(pair, DAYTONA_META "="))
                meta = pair + strlen(DAYTONA_META "=");
        }
    }
    const uint64_t minutes = autostop_of(meta);
    if (minutes)
        (void)session_entry_extend(e, (uint32_t)minutes * 60); /* one that has ended stays so */
    (void)session_entry_unref(e);
}
