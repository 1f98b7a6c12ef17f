/* auth.c - the keys of the store, kept in memory; a client that shows one has an identity.
 *
 * Everything of struct auth but the counters is guarded by service.store_lock: the store is asked at each request
 * whether others have written.
 */
#include "daemon/auth.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

#include "audit/chain.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "daemon/jwt.h"
#include "daemon/service.h"
#include "daemon/web_session.h"

#define USED_EVERY_MS 60000u
#define SECRET_MAX    1024u
#define ADMITTED_MS   500u /* what the store said so long ago lets a request's body in, and no more */

struct known_key {
    uint8_t hash[32];
    struct key_row row;        /* its strings live in keys_arena */
    uint64_t used_ms, told_ms; /* shown at; the store knows of */
};

struct auth {
    struct service *service;
    bool is_required;
    bool needs_first;        /* there was no key at the start */
    struct access_key first; /* token "": none was made */
    char secret[SECRET_MAX]; /* of AGiXT */
    size_t secret_size;      /* 0: its tokens are not accepted */
    bool is_fresh;           /* what follows is what the store had at `version` */
    uint64_t version, asked_ms;
    struct arena keys_arena;
    struct known_key *keys; /* room for STORE_MAX_KEYS */
    uint32_t count;
    struct key_list list; /* large: the store's answer, while it is copied */
    _Atomic uint64_t failures, last_failures_ms;
};

/* --- the store's keys, in memory -------------------------------------------------------------------- */

static void keep_used(struct known_key *to, const struct known_key *old, uint32_t old_count)
{
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].used_ms > old[i].told_ms && str_eq(old[i].row.id, to->row.id))
            to->used_ms = MAX_OF(to->used_ms, old[i].used_ms);
}

static void adopt(struct arena *a, const struct key_row *from, struct known_key *ret)
{
    *ret = (struct known_key){ .row = *from, .used_ms = from->last_used_ms, .told_ms = from->last_used_ms };
    (void)hex_read(from->hash, ret->hash, sizeof ret->hash); /* the store gives no others */
    ret->row.id = arena_copy(a, from->id);
    ret->row.name = arena_copy(a, from->name);
    ret->row.agents = arena_copy(a, from->agents);
    ret->row.hash = "";
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas" /* gcc without its analyzer */
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#endif
#pragma GCC diagnostic ignored \
    "-Wanalyzer-malloc-leak" /* gcc 12 sees a->keys lost in the very assignment behind its free() */
static int load(struct auth *a, uint64_t version, struct error *err)
{
    struct arena arena = { 0 };
    int e = store_keys(a->service->store, &a->list, err);
    struct known_key *keys = e == 0 ? calloc(STORE_MAX_KEYS, sizeof *keys) : NULL;
    for (uint32_t i = 0; keys && i < a->list.count; i++) {
        adopt(&arena, &a->list.keys[i], &keys[i]);
        keep_used(&keys[i], a->keys, a->count);
    }
    if (!keys || arena.failed) {
        free(keys);
        arena_done(&arena);
        return e < 0 ? e : err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    }
    free(a->keys);
    arena_done(&a->keys_arena);
    a->keys = keys;
    a->keys_arena = arena;
    a->count = a->list.count;
    a->version = version;
    a->is_fresh = true;
    return 0;
}
#pragma GCC diagnostic pop

/* With store_lock. A failure admits no client: a key that was revoked could be among those of before. */
static int refresh(struct auth *a, struct error *err)
{
    uint64_t version = 0;
    int e = store_version(a->service->store, &version, err);
    if (e == 0)
        a->asked_ms = clock_ms();
    return e < 0 || (a->is_fresh && version == a->version) ? e : load(a, version, err);
}

void auth_forget(struct auth *a)
{
    a->is_fresh = false;
}

/* All of them are compared, whichever it is. */
static struct known_key *find(struct auth *a, const uint8_t hash[static 32])
{
    struct known_key *found = NULL;
    for (uint32_t i = 0; i < a->count; i++)
        if (secret_equal(a->keys[i].hash, hash, 32))
            found = &a->keys[i];
    return found;
}

bool auth_next_expiry(struct auth *a, uint64_t *ret_ms)
{
    const uint64_t now_ms = wall_clock_ms();
    struct error err = { 0 };
    uint64_t first_ms = UINT64_MAX;
    (void)pthread_mutex_lock(&a->service->store_lock);
    bool is_known = refresh(a, &err) == 0;
    for (uint32_t i = 0; is_known && i < a->count; i++)
        if (a->keys[i].row.expires_ms && key_row_is_good(&a->keys[i].row, now_ms))
            first_ms = MIN_OF(first_ms, a->keys[i].row.expires_ms);
    (void)pthread_mutex_unlock(&a->service->store_lock);
    *ret_ms = first_ms;
    return is_known && first_ms != UINT64_MAX;
}

bool auth_key_is_gone(struct auth *a, const char *key_id)
{
    const uint64_t now_ms = wall_clock_ms();
    struct error err = { 0 };
    bool is_good = false;
    if (!str_starts(key_id, "key-"))
        return false;
    (void)pthread_mutex_lock(&a->service->store_lock);
    bool is_known = refresh(a, &err) == 0;
    for (uint32_t i = 0; is_known && i < a->count; i++)
        is_good |= str_eq(a->keys[i].row.id, key_id) && key_row_is_good(&a->keys[i].row, now_ms);
    (void)pthread_mutex_unlock(&a->service->store_lock);
    return is_known && !is_good;
}

/* --- asking ------------------------------------------------------------------------------------------ */

static int refuse(struct auth *a, struct error *err, const char *why)
{
    a->failures++;
    (void)err_set(err, -EACCES, BLAME_CALLER, NULL, "%s", why);
    (void)err_remedy(err, "send Authorization: Bearer with a key; sandbox-agent keys create makes one");
    return -EACCES;
}

static int fill(struct arena *to, const struct known_key *k, struct caller *ret, struct error *err)
{
    struct strlist agents = { 0 };
    for (const char *p = k->row.agents; *p;) {
        size_t n = strcspn(p, "\n");
        if (strlist_addf(&agents, "%.*s", (int)n, p) < 0) {
            strlist_done(&agents);
            return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
        }
        p += n + (p[n] == '\n');
    }
    *ret = (struct caller){ .key_id = arena_copy(to, k->row.id),
                            .name = arena_copy(to, k->row.name),
                            .role = k->row.role,
                            .levels = k->row.levels,
                            .allow_risk_override = k->row.allow_risk_override,
                            .agents = { .size = agents.size, .count = agents.count } };
    if (agents.count) /* borrowed from the arena: a caller is not freed */
        ret->agents.data = (char *)(uintptr_t)arena_copy_bytes(to, agents.data, agents.size);
    strlist_done(&agents);
    return to->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory") : 0;
}

static int check_hash(struct auth *a, const uint8_t hash[static 32], struct arena *arena, struct caller *ret,
                      struct error *err)
{
    const uint64_t now_ms = wall_clock_ms();
    const char *why = NULL;
    (void)pthread_mutex_lock(&a->service->store_lock);
    int e = refresh(a, err);
    struct known_key *k = e == 0 ? find(a, hash) : NULL;
    if (e == 0 && !k)
        why = "the key is not known";
    else if (e == 0 && !key_row_is_good(&k->row, now_ms))
        why = k->row.revoked_ms ? "the key was revoked" : "the key has expired";
    else if (e == 0 && (e = fill(arena, k, ret, err)) == 0)
        k->used_ms = now_ms;
    (void)pthread_mutex_unlock(&a->service->store_lock);
    return why ? refuse(a, err, why) : e;
}

static int check_key(struct auth *a, const char *token, struct arena *arena, struct caller *ret, struct error *err)
{
    uint8_t hash[32];
    if (!access_token_is_valid(token))
        return refuse(a, err, "the key has not the form of one: sa_ and 43 characters");
    sha256(token, ACCESS_TOKEN_LENGTH, hash);
    return check_hash(a, hash, arena, ret, err);
}

/* The page's: what it changes it changes from our own origin, and its key is as good as it was. */
static int check_session(struct auth *a, const struct http_request *q, struct caller *ret, struct error *err)
{
    struct web_session s;
    bool is_safe = str_eq(q->method, "GET") || str_eq(q->method, "HEAD");
    if (!is_safe && !http_is_own_origin(q))
        return refuse(a, err, "a session changes something from its own origin only");
    if (!web_session_find(a->service->web_sessions, http_header(q, "Cookie"), http_header(q, WEB_SESSION_HEADER),
                          http_header(q, WEB_SESSION_BACKGROUND) != NULL, clock_ms(), &s))
        return refuse(a, err, "the session is over: log in again");
    int e = check_hash(a, s.key_hash, q->arena, ret, err);
    if (e == -EACCES) /* soon, so that other requests that the page has under way hear why, too */
        web_session_end(a->service->web_sessions, &s, clock_ms() + WEB_SESSION_LAST_MS);
    secret_wipe(&s, sizeof s);
    return e;
}

/* AGiXT has users and no agents: a user is a caller of the role run, an administrator of theirs as well, since what
 * they administrate is not this service. */
static int check_agixt(struct auth *a, const char *token, struct arena *arena, struct caller *ret, struct error *err)
{
    struct jwt_claims claims;
    int e = jwt_check(token, a->secret, a->secret_size, wall_clock_ms() / 1000, arena, &claims, err);
    if (e == -EACCES)
        a->failures++;
    if (e < 0)
        return e;
    *ret = (struct caller){ .key_id = arena_printf(arena, "agixt:%s", claims.sub),
                            .name = claims.email ? claims.email : claims.sub,
                            .role = KEY_RUN };
    return arena->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory") : 0;
}

bool auth_is_from_here(const struct http_request *q)
{
    return (q->is_unix || q->is_loopback) && !http_header(q, "Forwarded") && !http_header(q, "X-Forwarded-For") &&
           !http_header(q, "X-Real-IP");
}

/* NULL: there is no Authorization. */
static const char *token_of(const struct http_request *q)
{
    const char *token = http_header(q, "Authorization");
    if (token && strncasecmp(token, "Bearer ", 7) == 0)
        token += 7;
    return token ? token + strspn(token, " ") : NULL;
}

bool auth_key_hash(const struct http_request *q, uint8_t ret[static 32])
{
    const char *token = token_of(q);
    bool is_key = token && access_token_is_valid(token);
    if (is_key)
        sha256(token, ACCESS_TOKEN_LENGTH, ret);
    return is_key;
}

/* A private service is this user's, or root's who has started it: front/mcp_private.h. */
static bool is_own_user(const struct service *v, const struct http_request *q)
{
    return v->private_lock >= 0 && q->is_unix && (q->peer_uid == geteuid() || q->peer_uid == 0);
}

int auth_check_token(struct service *v, const struct http_request *q, const char *token, struct caller *ret,
                     struct error *err)
{
    struct auth *a = v->auth;
    if (!token && ((!a->is_required && auth_is_from_here(q)) || is_own_user(v, q))) {
        *ret = (struct caller){ .key_id = "local", .name = "local", .role = KEY_RUN };
        return 0;
    }
    if (!token)
        return refuse(a, err, "a key is needed");
    if (a->secret_size && !str_starts(token, ACCESS_TOKEN_PREFIX))
        return check_agixt(a, token, q->arena, ret, err);
    return check_key(a, token, q->arena, ret, err);
}

int auth_check(struct service *v, const struct http_request *q, struct caller *ret, struct error *err)
{
    const char *token = token_of(q);
    if (!token && http_header(q, WEB_SESSION_HEADER))
        return check_session(v->auth, q, ret, err);
    return auth_check_token(v, q, token, ret, err);
}

bool auth_admits(struct service *v, const struct http_request *q)
{
    struct auth *a = v->auth;
    struct caller caller;
    struct error err = { 0 };
    uint8_t hash[32];
    bool is_good = false;
    if (auth_key_hash(q, hash)) {
        (void)pthread_mutex_lock(&v->store_lock);
        const struct known_key *k = a->is_fresh && clock_ms() < a->asked_ms + ADMITTED_MS ? find(a, hash) : NULL;
        is_good = k && key_row_is_good(&k->row, wall_clock_ms());
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    return is_good || auth_check(v, q, &caller, &err) == 0;
}

static struct known_key *find_by_id(struct auth *a, const char *key_id)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (str_eq(a->keys[i].row.id, key_id))
            return &a->keys[i];
    return NULL;
}

bool auth_check_old(struct service *v, const struct http_request *q, struct caller *ret)
{
    struct auth *a = v->auth;
    uint8_t hash[32];
    if (!store_has_nodes(v->store) || !auth_key_hash(q, hash))
        return false;
    const uint64_t now_ms = wall_clock_ms();
    (void)pthread_mutex_lock(&v->store_lock);
    struct known_key *k = a->is_fresh && clock_ms() < a->asked_ms + ADMITTED_MS ? find(a, hash) : NULL;
    const bool is_good = k && key_row_is_good(&k->row, now_ms) && fill(q->arena, k, ret, &(struct error){ 0 }) == 0;
    if (is_good)
        k->used_ms = now_ms;
    (void)pthread_mutex_unlock(&v->store_lock);
    ret->is_old = is_good;
    return is_good;
}

uint64_t auth_keys_seen(struct auth *a, const char *key_id)
{
    (void)pthread_mutex_lock(&a->service->store_lock);
    const struct known_key *k = a->is_fresh ? find_by_id(a, key_id) : NULL;
    const uint64_t seen = k && key_row_is_good(&k->row, wall_clock_ms()) ? a->version + 1 : 0;
    (void)pthread_mutex_unlock(&a->service->store_lock);
    return seen;
}

void auth_keys_held(struct auth *a, uint64_t keys_seen, uint64_t at_ms)
{
    (void)pthread_mutex_lock(&a->service->store_lock);
    if (a->is_fresh && a->version + 1 == keys_seen)
        a->asked_ms = MAX_OF(a->asked_ms, at_ms);
    (void)pthread_mutex_unlock(&a->service->store_lock);
}

int auth_confirm(struct auth *a, const char *key_id, struct error *err)
{
    (void)pthread_mutex_lock(&a->service->store_lock);
    const int e = refresh(a, err);
    const struct known_key *k = e == 0 ? find_by_id(a, key_id) : NULL;
    const bool is_good = k && key_row_is_good(&k->row, wall_clock_ms());
    (void)pthread_mutex_unlock(&a->service->store_lock);
    if (e < 0 || is_good)
        return e;
    (void)refuse(a, err, "the key was revoked, or has expired");
    (void)snprintf(err->step, sizeof err->step, "KEY");
    return -EACCES;
}

int auth_of_key(struct service *v, const char *key_id, struct arena *arena, struct caller *ret, struct error *err)
{
    struct auth *a = v->auth;
    if (!str_starts(key_id, "key-")) { /* «local», or a user of AGiXT's */
        const char *id = arena_copy(arena, key_id);
        *ret = (struct caller){ .key_id = id, .name = id, .role = KEY_RUN };
        return arena->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory") : 0;
    }
    (void)pthread_mutex_lock(&v->store_lock);
    int e = refresh(a, err);
    struct known_key *k = e == 0 ? find_by_id(a, key_id) : NULL;
    const uint64_t now_ms = wall_clock_ms();
    const bool is_good = k && key_row_is_good(&k->row, now_ms);
    if (is_good && (e = fill(arena, k, ret, err)) == 0)
        k->used_ms = now_ms;
    (void)pthread_mutex_unlock(&v->store_lock);
    return e == 0 && !is_good ? refuse(a, err, "the key was revoked, or has expired") : e;
}

int auth_may(const struct caller *c, const char *agent_id, int level, struct error *err)
{
    if (c->agents.count && (!agent_id || !strlist_has(&c->agents, agent_id))) {
        (void)err_set(err, -EPERM, BLAME_POLICY, NULL,
                      agent_id ? "this key is not for agent %s" : "this key is for named agents only%s",
                      agent_id ? agent_id : "");
        return err_remedy(err, "use an agent_id that the key is bound to, or another key"), -EPERM;
    }
    if (level >= 0 && c->levels && !(c->levels & 1u << level)) {
        (void)err_set(err, -EPERM, BLAME_POLICY, NULL, "this key is not for the level %s", risk_level_names[level]);
        return err_remedy(err, "ask for a risk_level that the key is bound to, or use another key"), -EPERM;
    }
    return 0;
}

/* --- housekeeping -------------------------------------------------------------------------------------- */

bool auth_has_key(struct auth *a)
{
    bool has = a->needs_first;
    (void)pthread_mutex_lock(&a->service->store_lock);
    const int e = refresh(a, NULL);
    has = has || (e == -EHOSTDOWN && store_has_nodes(a->service->store));
    for (uint32_t i = 0; e == 0 && i < a->count; i++)
        has = has || key_row_is_good(&a->keys[i].row, wall_clock_ms());
    (void)pthread_mutex_unlock(&a->service->store_lock);
    return has;
}

uint64_t auth_last_used(const struct auth *a, const char *key_id)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (str_eq(a->keys[i].row.id, key_id))
            return a->keys[i].used_ms;
    return 0;
}

/* One at a time, and the lock is free between them. False: that was the last, or it cannot be written now. */
static bool tell_one_used(struct auth *a)
{
    int e = -ENOENT;
    (void)pthread_mutex_lock(&a->service->store_lock);
    for (uint32_t i = 0; i < a->count && e == -ENOENT; i++) {
        struct known_key *k = &a->keys[i];
        if (k->used_ms <= k->told_ms || k->used_ms - k->told_ms < USED_EVERY_MS)
            continue;
        e = store_key_used(a->service->store, k->row.id, k->used_ms, NULL);
        k->told_ms = k->used_ms;
    }
    (void)pthread_mutex_unlock(&a->service->store_lock);
    return e == 0;
}

void auth_tick(struct auth *a)
{
    for (unsigned i = 0; i < STORE_MAX_KEYS && tell_one_used(a); i++)
        ;
    uint64_t now = clock_ms(), failures;
    if (now - a->last_failures_ms < USED_EVERY_MS || !(failures = atomic_exchange(&a->failures, 0)))
        return;
    a->last_failures_ms = now;
    service_log(a->service, LOG_WARN, "%llu requests without a good key since the last such line",
                (unsigned long long)failures);
}

/* --- life ---------------------------------------------------------------------------------------------- */

static int read_secret(struct auth *a, const char *path, struct error *err)
{
    struct stat st;
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "endpoints.api.agixt_secret_file %s: %m", path);
    if (!S_ISREG(st.st_mode) || (st.st_mode & (S_IWGRP | S_IRWXO)) || (st.st_uid != geteuid() && st.st_uid != 0)) {
        (void)err_set(err, -EPERM, BLAME_CALLER, NULL,
                      "endpoints.api.agixt_secret_file %s: others can read or change it", path);
        return err_remedy(err, "chmod 600 it, and give it to the service's user or to root");
    }
    ssize_t n = read(fd, a->secret, sizeof a->secret);
    a->secret_size = n > 0 ? (size_t)n : 0;
    while (a->secret_size && strchr(" \t\r\n", a->secret[a->secret_size - 1]))
        a->secret_size--;
    if (n >= 0 && a->secret_size >= JWT_MIN_SECRET && (size_t)n < sizeof a->secret)
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "endpoints.api.agixt_secret_file %s: expected 16 to 1023 bytes",
                  path);
    return err_remedy(
        err, "put AGiXT's AGIXT_API_KEY there, and give AGiXT a long random one: who guesses it is every user");
}

static int audit_first(struct auth *a, const struct key_row *row, struct error *err)
{
    struct service *v = a->service;
    struct trail t = { .shared = &v->trail };
    struct arena arena = { 0 };
    struct buf b;
    buf_init(&b, 4096);
    json_key(&b, "key");
    key_row_json(&b, row, NULL);
    int e = trail_open(&t, v->paths, &v->first_policies->level[0].config, &arena, err);
    if (e == 0)
        e = trail_act(&t, "key-created", NULL, "the first key, made at the first start", b.failed ? NULL : b.data, err);
    trail_close(&t);
    buf_done(&b);
    arena_done(&arena);
    return e;
}

static int make_first(struct auth *a, struct error *err)
{
    int e = access_key_make(&a->first);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "random numbers: %s", strerror(-e));
    const struct key_row row = { .id = a->first.id,
                                 .name = "first",
                                 .hash = a->first.hash,
                                 .role = KEY_ADMIN,
                                 .agents = "",
                                 .created_ms = wall_clock_ms() };
    e = audit_first(a, &row, err);
    if (e < 0)
        return e;
    (void)pthread_mutex_lock(&a->service->store_lock);
    e = store_key_add(a->service->store, &row, err);
    auth_forget(a);
    (void)pthread_mutex_unlock(&a->service->store_lock);
    return e;
}

int auth_make_first(struct auth *a, struct error *err)
{
    return a->needs_first ? make_first(a, err) : 0;
}

int auth_open(struct service *v, struct auth **ret, struct error *err)
{
    const struct config *c = &v->first_policies->level[0].config;
    struct auth *a = v->web_sessions ? calloc(1, sizeof *a) : NULL;
    if (!a)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    a->service = v;
    a->is_required = c->security.require_authentication;
    int e = c->endpoints.api.agixt_secret_file ? read_secret(a, c->endpoints.api.agixt_secret_file, err) : 0;
    if (e == 0) {
        (void)pthread_mutex_lock(&v->store_lock);
        e = refresh(a, err);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    a->needs_first = e == 0 && !a->count;
    if (e == -EHOSTDOWN &&
        store_has_nodes(v->store)) /* it may come later; until then no key is known, and none opens */
        e = 0;
    if (e < 0)
        (void)auth_close(a);
    else
        *ret = a;
    return e;
}

struct auth *auth_close(struct auth *a)
{
    if (!a)
        return NULL;
    free(a->keys);
    arena_done(&a->keys_arena);
    secret_wipe(a, sizeof *a);
    free(a);
    return NULL;
}

const char *auth_first_key(const struct auth *a)
{
    return a->first.token[0] ? a->first.token : NULL;
}
