/* auth.h - who may call: keys (bearer tokens) and, where configured, AGiXT's own tokens.
 *
 * A key is «sa_» and 43 characters (32 random bytes, base64url); the store has its SHA-256, which is enough for a text
 * that cannot be guessed. It has a role, and one with the role run may be bound to agents and levels: run    executes,
 * scans, sees its own executions read   sees executions, agents, profiles, audit; changes and runs nothing admin
 * everything, keys included No key in the store: one is made at the first start that succeeds, and printed once.
 * require_authentication: false lets loopback and the UNIX socket in without one (role run); beyond loopback, and
 * through a proxy, a key is always needed. What the store's keys are is asked anew as soon as another process has
 * written, so that `sandbox-agent keys revoke` holds from the next request on.
 */
#pragma once
#include "base/error.h"
#include "base/strlist.h"
#include "http/http.h"
#include "store/service.h"

struct service;
struct auth;

struct caller {
    const char *key_id; /* "key-…", "agixt:<user>", or "local" */
    const char *name;
    enum key_role role;
    struct strlist agents;    /* empty: any agent, also none */
    uint32_t levels;          /* bit per enum risk_level; 0: any */
    bool allow_risk_override; /* may ask for a laxer level than an agent's own */
    bool is_old;              /* auth_check_old(): what was so is asked for again, with the booking at the latest */
};

/* After store and audit. What it reads of the configuration
 * (security.require_authentication, endpoints.api.agixt_secret_file) is that of the start. */
int auth_open(struct service *v, struct auth **ret, struct error *err);
struct auth *auth_close(struct auth *a); /* accepts NULL, returns NULL */
/* Makes the first key where there is none: when nothing of the start can fail any more, or the token would be lost. */
int auth_make_first(struct auth *a, struct error *err);
/* The token of the key that was made, to be printed once; NULL: there were keys. */
const char *auth_first_key(const struct auth *a);
/* Whether there is a key that is good now, or will be when the first one is made. While a shared store is away that is
 * unknown, and true: none opens until it is there. */
bool auth_has_key(struct auth *a);
/* When the first of the keys that are good now expires; false: none of them does. */
bool auth_next_expiry(struct auth *a, uint64_t *ret_ms);
/* A key of the store's that is revoked, expired or not there any more. False also where the store does not answer. */
bool auth_key_is_gone(struct auth *a, const char *key_id);
/* When it was used last, as far as this service knows; 0: not since it started. With service.store_lock held. */
uint64_t auth_last_used(const struct auth *a, const char *key_id);
/* Once a minute, by housekeeping: when keys were used last goes into the store, and attempts that failed into the log.
 */
void auth_tick(struct auth *a);
/* For code that has changed keys by our own connection, with service.store_lock held. */
void auth_forget(struct auth *a);
/* What this key's holder has begun: its own, for keys of role run. */
static inline bool caller_may_see(const struct caller *c, const char *key_id)
{
    return c->role != KEY_RUN || str_eq(c->key_id, key_id);
}

/* 0, or -EACCES: 401 with WWW-Authenticate; other failures are the store's. Strings live in the request's arena.
 * Constant time over secrets. */
int auth_check(struct service *v, const struct http_request *q, struct caller *ret, struct error *err);
/* Before the body is read: the same, but a key that was good half a second ago is good. auth_check() has to follow. */
bool auth_admits(struct service *v, const struct http_request *q);
/* The same without asking the store, where the keys of half a second ago know this one: ret->is_old. False: ask. */
bool auth_check_old(struct service *v, const struct http_request *q, struct caller *ret);
/* For reserve.keys_seen: this key is good in what is known, and that is the store's list number so and so. 0: it is
 * not.
 */
uint64_t auth_keys_seen(struct auth *a, const char *key_id);
/* The store had that list at this time (clock_ms) still. */
void auth_keys_held(struct auth *a, uint64_t keys_seen, uint64_t at_ms);
/* Asks the store: 0, -EACCES with step KEY (it is gone), or the store's failure. */
int auth_confirm(struct auth *a, const char *key_id, struct error *err);
/* The same, of a token that a front found in a place of its own; NULL: the client shows none. */
int auth_check_token(struct service *v, const struct http_request *q, const char *token, struct caller *ret,
                     struct error *err);
/* The current rights of this key, for a request with a token that was made under it. -EACCES: it has none any more. */
int auth_of_key(struct service *v, const char *key_id, struct arena *arena, struct caller *ret, struct error *err);
/* From this machine, and not for a client that may be anywhere: a proxy here says so in Forwarded, X-Forwarded-For or
 * X-Real-IP. */
bool auth_is_from_here(const struct http_request *q);
/* Whether this caller may act for this agent (NULL: anonymous) at this level (-1: not said). Binding to agents forbids
 * anonymous runs. */
int auth_may(const struct caller *c, const char *agent_id, int level, struct error *err);
/* The hash of the key that this request shows in Authorization; false: it shows none. Whether it is good is
 * auth_check()'s to say. */
bool auth_key_hash(const struct http_request *q, uint8_t ret[static 32]);
/* GET/POST /keys, DELETE /keys/{id} */
struct call;
struct http_answer;
void keys_list(struct call *c, struct http_answer *a);
void keys_create(struct call *c, struct http_answer *a);
void keys_revoke(struct call *c, struct http_answer *a);
