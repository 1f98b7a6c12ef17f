/* verbs.c - each verb of the store once: its request, and its way to the implementation. */
#include "store/ops.h"

struct store *store_close(struct store *s)
{
    if (s && s->ops) {
        void (*close_self)(void *) = s->ops->close;
        s->ops = NULL; /* before: an implementation may keep *s itself */
        close_self(s->self);
    }
    return NULL;
}

void store_act_for(struct store *s, uint64_t pid)
{
    if (s->ops && s->ops->act_for)
        s->ops->act_for(s->self, pid);
}

static int call(struct store *s, enum ledger_request verb, const void *request, void *ret, struct error *err)
{
    const struct ledger_form *f = ledger_form(verb);
    if (!store_is_open(s)) {
        (void)err_set(err, -EPIPE, BLAME_HOST, "STORE", "%s: sandbox-ledger died", f->name);
        return err_remedy(err, "start the run again; if it happens again, look at the memory of this machine and at "
                               "dmesg");
    }
    if (!f->is_request(request))
        return err_set(err, -EINVAL, BLAME_US, "STORE", "%s: a request that is none", f->name);
    return s->ops->call(s, verb, request, ret, err);
}

int store_adopt(struct store *s, enum ledger_request verb, void *ret, struct error *err)
{
    const struct ledger_form *f = ledger_form(verb);
    if (!s->arena)
        return 0;
    if (verb == LEDGER_KEYS) /* what does not travel is nowhere there */
        for (uint32_t i = 0; i < ((struct key_list *)ret)->count; i++)
            ((struct key_list *)ret)->keys[i].hash = NULL;
    adopt_strings(f->reply, f->reply_count, ret, s->arena);
    return s->arena->failed ? err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory") : 0;
}

int store_agent(struct store *s, const char *id, const char *key_id, struct agent *ret, struct error *err)
{
    return store_agent_within(s, id, key_id, 0, ret, err);
}

int store_agent_within(struct store *s, const char *id, const char *key_id, uint64_t within_ms, struct agent *ret,
                       struct error *err)
{
    const struct ledger_key key = { .id = id, .key_id = key_id, .window_ms = within_ms };
    return call(s, LEDGER_AGENT, &key, ret, err);
}

int store_why(struct store *s, const char *id, struct agent_why *ret, struct error *err)
{
    return call(s, LEDGER_WHY, &(struct ledger_key){ .id = id }, ret, err);
}

/* The first page goes into *ret; where it is not the whole, further ones behind it. */
int store_agents(struct store *s, const char *after_id, struct agent_list *ret, struct error *err)
{
    cleanup(freep) struct agent_list *page = NULL;
    if (after_id && !*after_id)
        after_id = NULL; /* behind none: from the beginning */
    if (after_id && !agent_id_is_valid(after_id))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "after: no agent has this id (at most %u bytes)",
                       AGENT_ID_MAX);
    int e = call(s, LEDGER_AGENTS, &(struct ledger_key){ .id = after_id }, ret, err);
    while (e == 0 && ret->is_cut && ret->count && ret->count < STORE_MAX_AGENTS) {
        if (!page && !(page = calloc(1, sizeof *page)))
            return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
        e = call(s, LEDGER_AGENTS, &(struct ledger_key){ .id = ret->agents[ret->count - 1].id }, page, err);
        if (e < 0)
            break;
        uint32_t n = MIN_OF(page->count, STORE_MAX_AGENTS - ret->count);
        memcpy(ret->agents + ret->count, page->agents, n * sizeof page->agents[0]);
        ret->count += n;
        ret->is_cut = page->is_cut || n < page->count;
    }
    return e;
}

int store_history(struct store *s, const char *id, struct trust_history *ret, struct error *err)
{
    return call(s, LEDGER_HISTORY, &(struct ledger_key){ .id = id }, ret, err);
}

int store_usage(struct store *s, const struct usage_ask *r, struct usage_list *ret, struct error *err)
{
    return call(s, LEDGER_USAGE, r, ret, err);
}

int store_counts(struct store *s, const struct reserve *r, struct limit_counts *ret, struct error *err)
{
    return call(s, LEDGER_COUNTS, r, ret, err);
}

int store_reserve(struct store *s, const struct reserve *r, struct reserve_reply *ret, struct error *err)
{
    return call(s, LEDGER_RESERVE, r, ret, err);
}

void store_reserve_many(struct store *s, struct reserve_call *calls, uint32_t n)
{
    if (s->ops->reserve_many) {
        s->ops->reserve_many(s, calls, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct store own = *s;
        own.arena = calls[i].arena;
        calls[i].e = own.ops->call(&own, LEDGER_RESERVE, calls[i].request, calls[i].ret, calls[i].err);
    }
}

int store_settle(struct store *s, const struct settle *r, struct settle_reply *ret, struct error *err)
{
    return call(s, LEDGER_SETTLE, r, ret, err);
}

void store_settle_many(struct store *s, struct settle_call *calls, uint32_t n)
{
    if (s->ops->settle_many) {
        s->ops->settle_many(s, calls, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct store own = *s;
        own.arena = calls[i].arena;
        calls[i].e = own.ops->call(&own, LEDGER_SETTLE, calls[i].request, calls[i].ret, calls[i].err);
    }
}

int store_refuse(struct store *s, const struct refusal *r, struct settle_reply *ret, struct error *err)
{
    return call(s, LEDGER_REFUSE, r, ret, err);
}

int store_steer(struct store *s, const struct steer *r, struct agent *ret, struct error *err)
{
    return call(s, LEDGER_STEER, r, ret, err);
}

int store_recover(struct store *s, uint64_t now_ms, struct recovered_list *ret, struct error *err)
{
    return call(s, LEDGER_RECOVER, &(struct ledger_key){ .now_ms = now_ms }, ret, err);
}

int store_audited(struct store *s, const char *execution_id, struct error *err)
{
    struct ledger_number n;
    return call(s, LEDGER_AUDITED, &(struct ledger_key){ .id = execution_id }, &n, err);
}

int store_prune(struct store *s, uint64_t before_ms, uint64_t *ret_removed, struct error *err)
{
    struct ledger_number n;
    int e = call(s, LEDGER_PRUNE, &(struct ledger_key){ .now_ms = before_ms }, &n, err);
    if (e == 0)
        *ret_removed = n.value;
    return e;
}

int store_once(struct store *s, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken,
               struct error *err)
{
    struct ledger_number n;
    int e = call(s, LEDGER_ONCE, &(struct ledger_key){ .id = key, .now_ms = now_ms, .window_ms = window_ms }, &n, err);
    if (e == 0)
        *ret_taken = n.value != 0;
    return e;
}

int store_key_add(struct store *s, const struct key_row *k, struct error *err)
{
    struct ledger_number n;
    return call(s, LEDGER_KEY_ADD, k, &n, err);
}

int store_keys(struct store *s, struct key_list *ret, struct error *err)
{
    cleanup(freep) struct key_list *page = NULL;
    int e = call(s, LEDGER_KEYS, &(struct ledger_key){ 0 }, ret, err);
    while (e == 0 && ret->is_cut && ret->count && ret->count < STORE_MAX_KEYS) {
        if (!page && !(page = calloc(1, sizeof *page)))
            return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
        e = call(s, LEDGER_KEYS, &(struct ledger_key){ .id = ret->keys[ret->count - 1].id }, page, err);
        if (e < 0)
            break;
        uint32_t n = MIN_OF(page->count, STORE_MAX_KEYS - ret->count);
        memcpy(ret->keys + ret->count, page->keys, n * sizeof page->keys[0]);
        ret->count += n;
        ret->is_cut = page->is_cut;
    }
    return e;
}

int store_key_revoke(struct store *s, const char *id_or_name, uint64_t now_ms, struct error *err)
{
    struct ledger_number n;
    return call(s, LEDGER_KEY_REVOKE, &(struct ledger_key){ .id = id_or_name, .now_ms = now_ms }, &n, err);
}

/* --- the service's own ---------------------------------------------------------------------------- */

#define OWN(s, verb, ...) ((s)->ops && (s)->ops->verb ? (s)->ops->verb((s)->self, __VA_ARGS__) : cannot(err))

/* The whole of a verb's function: once more where another transaction was preferred. */
#define OWN_AGAIN(s, verb, ...)             \
    unsigned tries = 0;                     \
    int e;                                  \
    do                                      \
        e = OWN(s, verb, __VA_ARGS__);      \
    while (is_tried_again((s), e, &tries)); \
    return e

static bool is_tried_again(const struct store *s, int e, unsigned *tries)
{
    return s->ops && s->ops->tries_again && s->ops->tries_again(s->self, e, tries);
}

static int cannot(struct error *err)
{
    return err_set(err, -EOPNOTSUPP, BLAME_US, "STORE", "only the process that has the database can");
}

int store_checkpoint(const struct store *s, uint64_t *ret_pages, struct error *err)
{
    return OWN(s, checkpoint, ret_pages, err);
}

int store_set_service(struct store *s, struct error *err)
{
    return OWN(s, set_service, err);
}

int store_beat(struct store *s, struct beat *ret, struct error *err)
{
    return s->ops && s->ops->beat ? s->ops->beat(s->self, ret, err) : 0;
}

int store_checkpoint_rest(struct store *s, struct error *err)
{
    return OWN(s, checkpoint_rest, err);
}

int store_version(struct store *s, uint64_t *ret, struct error *err)
{
    OWN_AGAIN(s, version, ret, err);
}

int store_execution_accept(struct store *s, const struct execution_row *r, char *ret_id, struct error *err)
{
    OWN_AGAIN(s, execution_accept, r, ret_id, err);
}

int store_execution_start(struct store *s, const char *id, int level, uint64_t now_ms, struct error *err)
{
    OWN_AGAIN(s, execution_start, id, level, now_ms, err);
}

int store_execution_finish(struct store *s, const struct execution_row *r, struct error *err)
{
    OWN_AGAIN(s, execution_finish, r, err);
}

void store_execution_finish_many(struct store *s, struct finish_call *calls, uint32_t n)
{
    if (s->ops->finish_many) {
        s->ops->finish_many(s->self, calls, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        calls[i].e = store_execution_finish(s, calls[i].row, calls[i].err);
}

int store_execution_release(struct store *s, const char *id, struct error *err)
{
    OWN_AGAIN(s, execution_release, id, err);
}

int store_execution_get(struct store *s, const char *id, struct execution_row *ret, struct error *err)
{
    return OWN(s, execution_get, id, ret, err);
}

int store_executions(struct store *s, const struct execution_filter *f, execution_each each, void *ctx,
                     struct error *err)
{
    return OWN(s, executions, f, each, ctx, err);
}

int store_executions_orphaned(struct store *s, uint64_t now_ms, orphan_each each, void *ctx, struct error *err)
{
    return OWN(s, executions_orphaned, now_ms, each, ctx, err);
}

int store_executions_prune(struct store *s, uint32_t keep, uint64_t now_ms, uint64_t *ret_removed, struct error *err)
{
    OWN_AGAIN(s, executions_prune, keep, now_ms, ret_removed, err);
}

int store_execution_counts(struct store *s, struct execution_counts *ret, struct error *err)
{
    return OWN(s, execution_counts, ret, err);
}

bool store_has_nodes(const struct store *s)
{
    return s->ops && s->ops->execution_owner;
}

int store_execution_owner(struct store *s, const char *id, struct execution_owner *ret, struct error *err)
{
    return OWN(s, execution_owner, id, ret, err);
}

int store_request_begin(struct store *s, const char *id, struct error *err)
{
    OWN_AGAIN(s, request_begin, id, err);
}

int store_request_take(struct store *s, struct request_claim *ret, struct error *err)
{
    OWN_AGAIN(s, request_take, ret, err);
}

int store_request_leave(struct store *s, const char *id, bool is_offered, struct error *err)
{
    OWN_AGAIN(s, request_leave, id, is_offered, err);
}

int store_request_defer(struct store *s, const char *id, int level, struct error *err)
{
    OWN_AGAIN(s, request_defer, id, level, err);
}

int store_requests_held(struct store *s, request_each each, void *context, struct error *err)
{
    return OWN(s, requests_held, each, context, err);
}

int store_node_of_level(struct store *s, int level, struct execution_owner *ret, struct error *err)
{
    return OWN(s, node_of_level, level, ret, err);
}

int store_key_used(struct store *s, const char *id, uint64_t now_ms, struct error *err)
{
    OWN_AGAIN(s, key_used, id, now_ms, err);
}
