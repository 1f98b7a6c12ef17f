#include "ledger/serve.h"

#include "store/ops.h"

/* What fits into a message; the client asks for the next page. */
static void cut_agents(struct agent_list *l)
{
    if (l->count > LEDGER_AGENTS_A_PAGE) {
        l->count = LEDGER_AGENTS_A_PAGE;
        l->is_cut = true;
    }
}

static void cut_keys(struct key_list *l, const char *after_id)
{
    uint32_t first = 0;
    for (uint32_t i = 0; after_id && i < l->count; i++)
        if (str_eq(l->keys[i].id, after_id))
            first = i + 1;
    uint32_t count = MIN_OF(l->count - first, LEDGER_KEYS_A_PAGE);
    l->is_cut = first + count < l->count;
    memmove(l->keys, l->keys + first, count * sizeof l->keys[0]);
    l->count = count;
}

static int serve(struct ledger_server *v, enum ledger_request verb, struct error *err)
{
    memset(&v->reply, 0, ledger_form(verb)->reply_size);
    int e = v->store->ops->call(v->store, verb, &v->request, &v->reply, err);
    if (e == 0 && verb == LEDGER_AGENTS)
        cut_agents(&v->reply.agents);
    if (e == 0 && verb == LEDGER_KEYS)
        cut_keys(&v->reply.keys, v->request.key.id);
    return e;
}

void ledger_serve(struct ledger_server *v, const void *message, size_t size, struct buf *out)
{
    struct error err = v->error;
    uint64_t type = 0;
    int e = err.code;
    if (v->store) {
        e = unpack_ledger_request(message, size, &type, &v->request);
        e = e < 0 ? err_set(&err, e, BLAME_US, "STORE", "a request that is none")
                  : serve(v, (enum ledger_request)type, &err);
    }
    if (e == 0)
        pack_ledger_reply(out, (enum ledger_request)type, &v->reply);
    if (e == 0 && out->failed) {
        buf_done(out);
        buf_init(out, LEDGER_MAX_MESSAGE);
        e = err_set(&err, -EMSGSIZE, BLAME_US, "STORE", "an answer longer than %u bytes", LEDGER_MAX_MESSAGE);
    }
    if (e < 0)
        pack_ledger_failure(out, &err);
}
