/* daytona_sandboxes.c - the control plane: a sandbox is a session, «stopped» is one that is paused. */
#include "base/json.h"
#include "daemon/sessions.h"
#include "front/daytona_internal.h"
#include "front/sandboxes.h"

#define AUTOSTOP_PRESET 15u /* minutes, as Daytona has it */
#define NAME_MOST       128u
/* In a session's metadata, beside the labels: after how many minutes without use it ends (0: with its time), a space,
 * and its name. */
#define META "daytona"

/* --- what is told of one -------------------------------------------------------------------------------------- */

static uint64_t autostop_of(const char *meta)
{
    uint64_t minutes = 0;
    for (; meta && *meta >= '0' && *meta <= '9' && minutes < SESSION_TTL_MAX; meta++)
        minutes = 10 * minutes + (uint64_t)(*meta - '0');
    return minutes;
}

static const char *meta_of(struct body *session)
{
    return body_text_if(body_object_if(session, "metadata"), META);
}

static const char *name_of(struct body *session)
{
    const char *meta = meta_of(session), *name = meta ? strchr(meta, ' ') : NULL;
    return name && name[1] ? name + 1 : body_text_if(session, "session_id");
}

static void put_text(struct buf *b, const char *name, const char *text)
{
    json_key(b, name), json_put_string(b, text);
}

static void put_sandbox(struct front_call *c, struct buf *b, struct body *session, const char *state)
{
    const struct front_size size = front_size(c->call->service, session);
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
    put_text(b, "toolboxProxyUrl", arena_printf(c->call->arena, "%s/toolbox", front_own_url(c)));
    front_put_metadata(b, "labels", session, META);
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

static const char *state_of(struct body *session)
{
    return front_session_is_paused(session) ? "stopped" : "started";
}

/* state NULL: its own. */
static void answer_sandbox(struct front_call *c, struct body *session, const char *state)
{
    put_sandbox(c, answer_json(c->out, 200, MIB), session, state ? state : state_of(session));
}

/* --- create --------------------------------------------------------------------------------------------------- */

/* Without use it ends: ttlMinutes is all of its time, autoStopInterval begins anew with each use (0: a day). */
void daytona_create(struct front_call *c)
{
    static const char *const others[] = { "buildInfo",       "volumes",          "networkAllowList",
                                          "domainAllowList", "outboundProxyUrl", "linkedSandbox",
                                          "secrets",         "gpuType",          NULL };
    const uint64_t ttl = body_uint(c->body, "ttlMinutes", UINT32_MAX, 0);
    const uint64_t autostop = body_uint(c->body, "autoStopInterval", UINT32_MAX, AUTOSTOP_PRESET);
    const uint64_t most = SESSION_TTL_MAX / 60, minutes = MIN_OF(ttl ? ttl : autostop ? autostop : most, most);
    const char *name = body_text(c->body, "name", NAME_MOST);
    struct body *session = front_session_create(
        c, &(struct front_new){ .metadata = "labels",
                                .env = "env",
                                .not_offered = others,
                                .own = META,
                                .own_text = arena_printf(c->call->arena, "%llu %s",
                                                         (unsigned long long)(ttl ? 0 : minutes), name ? name : ""),
                                .page = DAYTONA_PAGE,
                                .ttl = minutes * 60,
                                .is_offline = body_bool(c->body, "networkBlockAll", false) });
    if (session)
        answer_sandbox(c, session, "started");
    (void)body_free(session);
}

/* --- one, and all --------------------------------------------------------------------------------------------- */

struct wanted {
    struct front_call *call;
    struct strlist labels; /* that it has */
    const char *name, *id; /* NULL: any */
    struct buf *list;      /* of those that are found; NULL: the first one's id is wanted */
    const char *found;
};

static bool take_session(void *context, struct body *session)
{
    struct wanted *w = context;
    const char *id = body_text_if(session, "session_id");
    if (!front_session_is(w->call, session, &w->labels) || (w->id && !str_eq(w->id, id)) ||
        (w->name && !str_eq(w->name, name_of(session))))
        return true;
    if (w->list)
        put_sandbox(w->call, w->list, session, state_of(session));
    else
        w->found = arena_copy(w->call->call->arena, id);
    return w->list != NULL;
}

/* What the client names is an id, or else a name. NULL: that is the answer. */
static struct body *find(struct front_call *c)
{
    struct wanted w = { .call = c, .name = c->session_id };
    if (str_starts(c->session_id, "sess-"))
        return front_session(c);
    if (!front_sessions_each(c, take_session, &w))
        return NULL;
    if (!w.found) {
        front_session_gone(c);
        return NULL;
    }
    c->session_id = w.found;
    return front_session(c);
}

void daytona_list(struct front_call *c)
{
    const struct http_request *q = c->call->request;
    const char *labels = http_query(q, "labels");
    struct wanted w = { .call = c, .name = http_query(q, "name"), .id = http_query(q, "id") };
    /* as a member of an object, so that its pairs can be asked for by the object's rules */
    const char *text = labels ? arena_printf(c->call->arena, "{\"labels\":%s}", labels) : "{}";
    struct error err = { 0 };
    struct buf b;
    w.list = &b;
    buf_init(&b, 64 * MIB);
    json_open(&b, '{');
    json_key(&b, "items"), json_open(&b, '[');
    if (body_parse(text, strlen(text), false, &c->body, &err) == 0)
        body_pairs(c->body, "labels", &w.labels, STRLIST_MAX_BYTES, 1000);
    if (!c->body || body_end(c->body, &err) < 0)
        front_fail(c, ANSWER_INVALID_REQUEST, "labels: expected is a JSON object of strings");
    else if (front_sessions_each(c, take_session, &w)) {
        (void)buf_adds(&b, "],\"nextCursor\":null}");
        *answer_json(c->out, 200, 0) = b; /* taken; one that is too large has failed, and is answered as 500 */
        b = (struct buf){ 0 };
    }
    strlist_done(&w.labels);
    buf_done(&b);
}

void daytona_show(struct front_call *c)
{
    struct body *session = find(c);
    if (session)
        answer_sandbox(c, session, NULL);
    (void)body_free(session);
}

static void change(struct front_call *c, const char *method, const char *pattern, const char *state)
{
    struct body *session = find(c);
    if (session && front_ask_done(c, method, pattern, (struct inner_asked){ 0 }))
        answer_sandbox(c, session, state);
    (void)body_free(session);
}

void daytona_start(struct front_call *c)
{
    change(c, "POST", "/sessions/{session_id}/resume", "started");
}

void daytona_stop(struct front_call *c)
{
    change(c, "POST", "/sessions/{session_id}/pause", "stopped");
}

void daytona_delete(struct front_call *c)
{
    change(c, "DELETE", "/sessions/{session_id}", "destroyed");
}

void daytona_proxy_url(struct front_call *c)
{
    struct body *session = find(c);
    if (session) {
        struct buf *b = answer_json(c->out, 200, KIB);
        json_open(b, '{');
        put_text(b, "url", arena_printf(c->call->arena, "%s/toolbox", front_own_url(c)));
        json_close(b, '}');
    }
    (void)body_free(session);
}

void daytona_touch(struct front_call *c)
{
    struct session_entry *e = sessions_find(c->call->service->sessions, c->session_id);
    const bool is_own = e && str_eq(e->key_id, c->call->caller->key_id);
    const uint64_t minutes = is_own ? autostop_of(strlist_get(&e->metadata, META)) : 0;
    if (minutes)
        (void)session_entry_extend(e, (uint32_t)minutes * 60); /* one that has ended stays so */
    (void)session_entry_unref(e);
}
