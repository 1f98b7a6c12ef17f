#include "ledger/serve.h"

static int page(struct ledger_server *v, const char *after_id, struct error *err)
{
    int e = store_agents(v->store, after_id, &v->agents, err);
    if (e == 0 && v->agents.count > LEDGER_AGENTS_A_PAGE) {
        v->agents.count = LEDGER_AGENTS_A_PAGE;
        v->agents.is_cut = true;
    }
    return e;
}

static int key_page(struct ledger_server *v, const char *after_id, struct error *err)
{
    struct key_list *l = &v->keys;
    int e = store_keys(v->store, l, err);
    uint32_t first = 0;
    if (e < 0)
        return e;
    for (uint32_t i = 0; after_id && i < l->count; i++)
        if (str_eq(l->keys[i].id, after_id))
            first = i + 1;
    uint32_t count = MIN_OF(l->count - first, LEDGER_KEYS_A_PAGE);
    l->is_cut = first + count < l->count;
    memmove(l->keys, l->keys + first, count * sizeof l->keys[0]);
    l->count = count;
    return 0;
}

/* Fills the reply that belongs to the request; *ret points to it. */
static int serve(struct ledger_server *v, enum ledger_request type, const void **ret, struct error *err)
{
    const union ledger_any_request *r = &v->request;
    bool taken = false;
    int e;
    memset(&v->reply, 0, sizeof v->reply);
    *ret = &v->reply;
    switch (type) {
    case LEDGER_AGENT:
        return store_agent(v->store, r->key.id, r->key.key_id, &v->reply.agent, err);
    case LEDGER_WHY:
        return store_why(v->store, r->key.id, &v->reply.why, err);
    case LEDGER_AGENTS:
        *ret = &v->agents;
        return page(v, r->key.id, err);
    case LEDGER_HISTORY:
        *ret = &v->history;
        return store_history(v->store, r->key.id, &v->history, err);
    case LEDGER_USAGE:
        *ret = &v->usage;
        return store_usage(v->store, &r->usage, &v->usage, err);
    case LEDGER_RESERVE:
        return store_reserve(v->store, &r->reserve, &v->reply.reserve, err);
    case LEDGER_COUNTS:
        return store_counts(v->store, &r->reserve, &v->reply.counts, err);
    case LEDGER_SETTLE:
        return store_settle(v->store, &r->settle, &v->reply.settle, err);
    case LEDGER_REFUSE:
        return store_refuse(v->store, &r->refusal, &v->reply.settle, err);
    case LEDGER_STEER:
        return store_steer(v->store, &r->steer, &v->reply.agent, err);
    case LEDGER_RECOVER:
        *ret = &v->recovered;
        return store_recover(v->store, r->key.now_ms, &v->recovered, err);
    case LEDGER_AUDITED:
        return store_audited(v->store, r->key.id, err);
    case LEDGER_PRUNE:
        return store_prune(v->store, r->key.now_ms, &v->reply.number.value, err);
    case LEDGER_ONCE:
        e = store_once(v->store, r->key.id, r->key.now_ms, r->key.window_ms, &taken, err);
        v->reply.number.value = taken;
        return e;
    case LEDGER_KEY_ADD:
        return store_key_add(v->store, &r->key_row, err);
    case LEDGER_KEYS:
        *ret = &v->keys;
        return key_page(v, r->key.id, err);
    case LEDGER_KEY_REVOKE:
        return store_key_revoke(v->store, r->key.id, r->key.now_ms, err);
    case LEDGER_REQUESTS:
        break;
    }
    return err_set(err, -EBADMSG, BLAME_US, "STORE", "a request that is none");
}

void ledger_serve(struct ledger_server *v, const void *message, size_t size, struct buf *out)
{
    struct error err = v->error;
    const void *reply = NULL;
    uint64_t type = 0;
    int e = err.code;
    if (v->store) {
        e = unpack_ledger_request(message, size, &type, &v->request);
        e = e < 0 ? err_set(&err, e, BLAME_US, "STORE", "a request that is none")
                  : serve(v, (enum ledger_request)type, &reply, &err);
    }
    if (e == 0)
        pack_ledger_reply(out, (enum ledger_request)type, reply);
    if (e == 0 && out->failed) {
        buf_done(out);
        buf_init(out, LEDGER_MAX_MESSAGE);
        e = err_set(&err, -EMSGSIZE, BLAME_US, "STORE", "an answer longer than %u bytes", LEDGER_MAX_MESSAGE);
    }
    if (e < 0)
        pack_ledger_failure(out, &err);
}
