#include "front/sandboxes.h"

#include "base/json.h"
#include "daemon/sessions.h"

#define SESSIONS_MOST 100000u
#define METADATA_EACH 4096u /* bytes */
#define METADATA_MOST 64u

/* --- a new one ------------------------------------------------------------------------------------------------ */

static void put_agent_and_level(struct front_call *c, struct body *metadata, struct buf *b)
{
    const char *agent = inner_agent(c->call->caller, body_text_if(metadata, FRONT_AGENT));
    const char *level = body_text_if(metadata, FRONT_LEVEL);
    if (agent)
        json_key(b, "agent_id"), json_put_string(b, agent);
    if (level)
        json_key(b, "risk_level"), json_put_string(b, level);
}

static void put_new(struct front_call *c, const struct front_new *new, struct buf *b)
{
    struct strlist metadata = { 0 };
    body_pairs(c->body, new->metadata, &metadata, METADATA_EACH, METADATA_MOST);
    json_open(b, '{');
    json_key(b, "ttl"), json_uint(b, new->ttl);
    put_agent_and_level(c, body_object_if(c->body, new->metadata), b);
    json_key(b, "metadata"), json_open(b, '{'), json_pairs(b, &metadata, new->own);
    if (new->own_text)
        json_key(b, new->own), json_put_string(b, new->own_text);
    json_close(b, '}');
    if (new->is_offline)
        json_key(b, "network"), (void)buf_adds(b, "{\"mode\":\"none\"}");
    front_put_env(c->body, new->env, b);
    json_close(b, '}');
    strlist_done(&metadata);
}

struct body *front_session_create(struct front_call *c, const struct front_new *new)
{
    struct body *session = NULL;
    struct buf b;
    buf_init(&b, MIB);
    put_new(c, new, &b);
    if (front_offers(c, new->not_offered, new->page) && front_is_read(c))
        session = front_ask(c, "POST", "/sessions", front_body(&b));
    buf_done(&b);
    return session;
}

/* --- what is said of one -------------------------------------------------------------------------------------- */

void front_put_metadata(struct buf *b, const char *member, struct body *session, const char *without)
{
    struct strlist pairs = { 0 };
    body_pairs(session, "metadata", &pairs, STRLIST_MAX_BYTES, 1000);
    json_key(b, member), json_open(b, '{'), json_pairs(b, &pairs, without), json_close(b, '}');
    strlist_done(&pairs);
}

struct front_size front_size(struct service *v, struct body *session)
{
    const char *level = body_text_if(session, "risk_level");
    const int i = level ? risk_level_find(level) : -1;
    if (i < 0)
        return (struct front_size){ .cpus = 1 };
    struct policy_set *policies = service_policies(v);
    const struct profile *p = &policies->level[i].profile;
    const struct front_size s = { MAX_OF((p->resources.cpu + 999u) / 1000u, 1u), p->resources.memory / MIB,
                                  p->resources.storage / MIB };
    (void)policy_set_unref(policies);
    return s;
}

/* --- which ---------------------------------------------------------------------------------------------------- */

bool front_session_is_there(struct service *v, const char *session_id)
{
    enum session_end end = SESSION_LOST;
    struct session_entry *e = sessions_find(v->sessions, session_id);
    if (e)
        (void)session_entry_level(e, &end);
    (void)session_entry_unref(e);
    return end == SESSION_LIVES;
}

static bool is_in_state(struct body *session, const char *wanted)
{
    const char *state = body_text_if(session, "state");
    return state && str_eq(state, wanted);
}

bool front_session_is_paused(struct body *session)
{
    return is_in_state(session, "paused");
}

static bool is_own(const struct front_call *c, struct body *session)
{
    const char *key = body_text_if(session, "key_id");
    return key && str_eq(key, c->call->caller->key_id) && body_text_if(session, "state") &&
           !is_in_state(session, "ended");
}

bool front_session_is(const struct front_call *c, struct body *session, const struct strlist *metadata)
{
    struct body *has = body_object_if(session, "metadata");
    bool is_it = is_own(c, session);
    STRLIST_FOREACH(pair, metadata)
    {
        const size_t n = strcspn(pair, "=");
        const char *text = body_text_if(has, arena_copy_bytes(c->call->arena, pair, n));
        is_it = is_it && text && str_eq(text, pair + n + 1);
    }
    return is_it;
}

void front_session_gone(struct front_call *c)
{
    front_fail(c, ANSWER_NOT_FOUND, "sandbox %.100s not found", c->session_id);
}

struct body *front_session(struct front_call *c)
{
    struct body *session = front_ask(c, "GET", "/sessions/{session_id}", (struct inner_asked){ 0 });
    if (!session || is_own(c, session))
        return session;
    front_session_gone(c);
    return body_free(session);
}

bool front_sessions_each(struct front_call *c, bool (*then)(void *context, struct body *session), void *context)
{
    struct body *list = front_ask(c, "GET", "/sessions", (struct inner_asked){ 0 });
    const uint32_t n = list ? body_objects(list, "sessions", SESSIONS_MOST) : 0;
    bool goes_on = true;
    for (uint32_t i = 0; i < n && goes_on; i++) {
        struct body *session = body_object_at(list, "sessions", i);
        if (session)
            goes_on = then(context, session);
    }
    (void)body_free(list);
    return list != NULL;
}
