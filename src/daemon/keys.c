/* keys.c - keys by the API: GET and POST /keys, DELETE /keys/{key_id}. As `sandbox-agent keys` does it: audited, then
 * done. */
#include "audit/hmac.h"
#include "base/clock.h"
#include "daemon/auth.h"
#include "daemon/body.h"
#include "daemon/routes.h"
#include "daemon/service.h"

#define LIST_MAX   (6 * MIB) /* of STORE_MAX_KEYS, with all the agents that they may have */
#define AGENTS_MAX 64u
#define YEARS_S    (UINT64_C(3660) * 86400) /* ten */

static int audit(struct call *c, const char *action, const struct key_row *k, const char *text, struct error *err)
{
    struct service *v = c->service;
    struct trail t = { .shared = &v->trail, .user = c->caller->name };
    struct buf b;
    buf_init(&b, 32 * KIB);
    json_key(&b, "key");
    key_row_json(&b, k, NULL);
    int e = trail_open(&t, v->paths, &v->first_policies->level[0].config, c->arena, err);
    if (e == 0)
        e = trail_act(&t, action, NULL, text, b.failed ? NULL : b.data, err);
    trail_close(&t);
    buf_done(&b);
    return e;
}

static void answer_key(struct http_answer *a, unsigned status, const struct key_row *k, const char *token)
{
    struct buf *out = answer_json(a, status, 64 * KIB);
    key_row_json(out, k, token);
    (void)buf_addc(out, '\n');
}

static struct key_list *get(struct call *c, struct error *err)
{
    struct key_list *l = arena_zero(c->arena, sizeof *l);
    if (l && store_keys(c->service->store, l, err) == 0)
        return l;
    if (!l)
        (void)err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    return NULL;
}

/* --- list ------------------------------------------------------------------------------------------- */

void keys_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    (void)pthread_mutex_lock(&c->service->store_lock);
    const struct key_list *l = get(c, &err);
    if (l) { /* they borrow from the store: written while it is ours */
        struct buf *out = answer_json(a, 200, LIST_MAX);
        json_open(out, '{');
        json_key(out, "keys");
        json_open(out, '[');
        for (uint32_t i = 0; i < l->count; i++) {
            struct key_row k = l->keys[i]; /* of which the store is told once a minute */
            k.last_used_ms = MAX_OF(k.last_used_ms, auth_last_used(c->service->auth, k.id));
            key_row_json(out, &k, NULL);
        }
        json_close(out, ']');
        json_close(out, '}');
        (void)buf_addc(out, '\n');
    }
    (void)pthread_mutex_unlock(&c->service->store_lock);
    if (!l)
        call_refuse(c, a, &err);
}

/* --- create ----------------------------------------------------------------------------------------- */

static void read_agents(struct call *c, struct body *b, struct key_row *ret)
{
    struct strlist agents = { 0 };
    body_texts(b, "agents", &agents, AGENT_ID_MAX, AGENTS_MAX);
    ret->agents = "";
    STRLIST_FOREACH(id, &agents)
    {
        if (!agent_id_is_accepted(id))
            (void)body_refuse(b, "agents", "accepted are " AGENT_ID_ACCEPTED);
        ret->agents = *ret->agents ? arena_printf(c->arena, "%s\n%s", ret->agents, id) : arena_copy(c->arena, id);
    }
    strlist_done(&agents);
}

static void read_levels(struct body *b, struct key_row *ret)
{
    struct strlist levels = { 0 };
    body_texts(b, "levels", &levels, 16, RISK_COUNT);
    STRLIST_FOREACH(word, &levels)
    {
        int level = risk_level_find(word);
        if (level < 0)
            (void)body_refuse(b, "levels", "accepted are low, medium and high");
        else
            ret->levels |= 1u << level;
    }
    strlist_done(&levels);
}

static int read_request(struct call *c, struct key_row *ret, struct error *err)
{
    struct body *b = NULL;
    int e = body_parse(c->request->body, c->request->body_size, false, &b, err);
    if (e < 0)
        return e;
    const char *name = body_text(b, "name", KEY_NAME_MAX);
    int role = body_choice(b, "role", key_role_names);
    uint64_t seconds = body_uint(b, "expires_in_seconds", YEARS_S, 0);
    if (!name)
        (void)body_refuse(b, "name", "is missing: call the key after who will use it");
    if (role < 0)
        (void)body_refuse(b, "role", "is missing: run, read or admin");
    if (!seconds && body_has(b, "expires_in_seconds"))
        (void)body_refuse(b, "expires_in_seconds",
                          "must be at least 1; without it the key is good until it is revoked");
    ret->name = arena_copy(c->arena, name ? name : "");
    ret->role = (uint8_t)MAX_OF(role, 0);
    ret->expires_ms = seconds ? ret->created_ms + seconds * 1000 : 0;
    ret->allow_risk_override = body_bool(b, "allow_risk_override", false);
    read_agents(c, b, ret);
    read_levels(b, ret);
    e = body_end(b, err);
    (void)body_free(b);
    return e < 0 ? e : key_row_check(ret, err);
}

static int add(struct call *c, const struct key_row *row, struct error *err)
{
    struct service *v = c->service;
    int e = audit(c, "key-created", row, arena_printf(c->arena, "key %s (%s) was created", row->name, row->id), err);
    if (e < 0)
        return e;
    (void)pthread_mutex_lock(&v->store_lock);
    e = store_key_add(v->store, row, err);
    auth_forget(v->auth);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0)
        (void)audit(c, "key-change-failed", row, err->text, NULL);
    return e;
}

void keys_create(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct access_key key;
    int e = access_key_make(&key);
    struct key_row row = { .id = arena_copy(c->arena, key.id), .hash = key.hash, .created_ms = wall_clock_ms() };
    if (e < 0)
        (void)err_set(&err, e, BLAME_HOST, NULL, "random numbers: %s", strerror(-e));
    else if ((e = read_request(c, &row, &err)) == 0)
        e = add(c, &row, &err);
    if (e == -EEXIST)
        answer_error(a, c->arena, ANSWER_CONFLICT, &err, NULL);
    else if (e < 0)
        call_refuse(c, a, &err);
    else
        answer_key(a, 201, &row, key.token);
    if (e == 0)
        http_answer_header(a, "Location", arena_printf(c->arena, "%s/keys/%s", c->service->routes->base_path, row.id));
    secret_wipe(&key, sizeof key);
}

/* --- revoke ----------------------------------------------------------------------------------------- */

/* Which one is meant, copied; -EBUSY: it is the last that may administrate. With store_lock. */
static int choose(struct call *c, struct key_row *ret, struct error *err)
{
    const struct key_list *l = get(c, err);
    const struct key_row *found = NULL;
    const uint64_t now_ms = wall_clock_ms();
    unsigned others = 0;
    if (!l)
        return err->code;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct key_row *k = &l->keys[i];
        if (!k->revoked_ms && (str_eq(k->id, c->parts[0]) || str_eq(k->name, c->parts[0])))
            found = k;
        else if (k->role == KEY_ADMIN && key_row_is_good(k, now_ms))
            others++;
    }
    if (!found)
        return err_set(err, -ENOENT, BLAME_CALLER, NULL, "no key that is not revoked has this id or name");
    *ret = *found;
    ret->id = arena_copy(c->arena, found->id), ret->name = arena_copy(c->arena, found->name),
    ret->agents = arena_copy(c->arena, found->agents);
    ret->hash = "";
    if (found->role != KEY_ADMIN || others || !key_row_is_good(found, now_ms))
        return 0;
    (void)err_set(err, -EBUSY, BLAME_CALLER, NULL, "%s is the last key with the role admin", found->name);
    (void)err_remedy(err, "create another one first, or use sandbox-agent keys revoke on the service's machine");
    return -EBUSY;
}

/* Looked at again under the lock that it is done under: two admins could revoke each other's. */
static int remove_key(struct call *c, struct key_row *row, uint64_t now_ms, struct error *err)
{
    struct service *v = c->service;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = choose(c, row, err);
    if (e == 0)
        e = store_key_revoke(v->store, row->id, now_ms, err);
    auth_forget(v->auth);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0)
        (void)audit(c, "key-change-failed", row, err->text, NULL);
    return e;
}

void keys_revoke(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct key_row row;
    const uint64_t now_ms = wall_clock_ms();
    const char *reason;
    if (!call_reason(c, &reason, &err)) {
        call_refuse(c, a, &err);
        return;
    }
    (void)pthread_mutex_lock(&c->service->store_lock);
    int e = choose(c, &row, &err);
    (void)pthread_mutex_unlock(&c->service->store_lock);
    if (e == 0)
        e = audit(c, "key-revoked", &row,
                  reason ? reason : arena_printf(c->arena, "key %s (%s) is revoked", row.name, row.id), &err);
    if (e == 0)
        e = remove_key(c, &row, now_ms, &err);
    row.revoked_ms = now_ms;
    if (e == -EBUSY)
        answer_error(a, c->arena, ANSWER_CONFLICT, &err, NULL);
    else if (e < 0)
        call_refuse(c, a, &err);
    else
        answer_key(a, 200, &row, NULL);
}
