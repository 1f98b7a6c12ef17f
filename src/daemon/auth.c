/* INTERIM until branch keys is merged. */
#include "daemon/auth.h"
#include <stdlib.h>
#include "audit/audit.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "config/profile.h"
#include "daemon/service.h"
struct auth { struct access_key first; bool has_first; struct key_list list; };
int auth_open(struct service *v, struct auth **ret, struct error *err)
{
    struct auth *a = calloc(1, sizeof *a);
    int e = store_keys(v->store, &a->list, err);
    if (e == 0 && !a->list.count) {
        a->has_first = access_key_make(&a->first) == 0;
        const struct key_row k = { .id = a->first.id, .name = "first", .hash = a->first.hash, .role = KEY_ADMIN, .agents = "", .created_ms = wall_clock_ms() };
        e = store_key_add(v->store, &k, err);
    }
    *ret = a;
    return e;
}
struct auth *auth_close(struct auth *a) { free(a); return NULL; }
const char *auth_first_key(const struct auth *a) { return a->has_first ? a->first.token : NULL; }
bool auth_has_key(struct auth *a) { return a->has_first || a->list.count; }
int auth_check(struct service *v, const struct http_request *q, struct caller *ret, struct error *err)
{
    const char *h = http_header(q, "Authorization");
    char hash[65];
    int e = -EACCES;
    *ret = (struct caller){ 0 };
    if (h && str_starts(h, "Bearer ")) {
        audit_hash(h + 7, strlen(h + 7), hash);
        (void)pthread_mutex_lock(&v->store_lock);
        (void)store_keys(v->store, &v->auth->list, err);
        for (uint32_t i = 0; i < v->auth->list.count; i++) {
            const struct key_row *k = &v->auth->list.keys[i];
            if (str_eq(k->hash, hash) && !k->revoked_ms && (!k->expires_ms || k->expires_ms > wall_clock_ms())) {
                *ret = (struct caller){ .key_id = arena_copy(q->arena, k->id), .name = arena_copy(q->arena, k->name), .role = (enum key_role)k->role, .levels = k->levels };
                e = 0;
            }
        }
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    return e < 0 ? err_set(err, e, BLAME_CALLER, NULL, "no valid key") : 0;
}
int auth_may(const struct caller *c, const char *agent_id, int level, struct error *err)
{
    (void)c; (void)agent_id; (void)level; (void)err;
    return 0;
}
void keys_list(struct call *c, struct http_answer *a) { answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "not yet"); }
void keys_create(struct call *c, struct http_answer *a) { answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "not yet"); }
void keys_revoke(struct call *c, struct http_answer *a) { answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "not yet"); }
