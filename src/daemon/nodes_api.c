#include "daemon/nodes_api.h"

#include "base/json.h"
#include "daemon/routes.h"
#include "postgres/postgres.h"

const char *node_state(const struct node *n)
{
    return n->cut_ms ? "cut off" : n->silent_ms > NODE_SILENT_MS ? "silent" : n->drained_ms ? "drained" : "in use";
}

static void put_levels(struct buf *b, uint32_t levels)
{
    json_open(b, '[');
    for (unsigned i = 0; i < RISK_COUNT; i++)
        if (levels >> i & 1)
            json_put_string(b, risk_level_names[i]);
    json_close(b, ']');
}

void node_put(struct buf *b, const struct node *n)
{
    json_open(b, '{');
    json_key(b, "node"), json_put_string(b, n->name);
    json_key(b, "state"), json_put_string(b, node_state(n));
    json_key(b, "version"), json_put_string(b, n->version);
    json_key(b, "silent_ms"), json_uint(b, n->silent_ms);
    json_key(b, "drained"), json_bool(b, n->drained_ms > 0);
    json_key(b, "open_executions"), json_uint(b, n->open_executions);
    json_key(b, "clock_off_ms"), json_uint(b, n->clock_off_ms);
    json_key(b, "levels"), put_levels(b, n->levels);
    json_key(b, "policy"), json_put_string(b, n->policy);
    json_key(b, "cut_off"), json_bool(b, n->cut_ms > 0);
    json_close(b, '}');
}

static void take(void *context, const struct node *n)
{
    node_put(context, n);
}

/* Rows that other nodes write, a stolen one too: they are text, and all of them are at most as long as the answer. */
void nodes_list(struct call *c, struct http_answer *a)
{
    struct service *v = c->service;
    struct error err = { 0 };
    struct buf list;
    int e = 0;
    buf_init(&list, MIB);
    (void)pthread_mutex_lock(&v->store_lock);
    const bool has_nodes = store_has_nodes(v->store);
    json_open(&list, '[');
    if (has_nodes)
        e = postgres_nodes(v->store, take, &list, &err);
    json_close(&list, ']');
    const char *self = has_nodes ? postgres_node_name(v->store) : NULL;
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e == 0 && list.failed)
        e = err_set(&err, -ENOMEM, BLAME_HOST, "STORE", "no memory, or the nodes are too many");
    if (e < 0) {
        buf_done(&list);
        call_refuse(c, a, &err);
        return;
    }
    struct buf *out = answer_json(a, 200, 2 * MIB);
    json_open(out, '{');
    json_key(out, "node");
    if (self)
        json_put_string(out, self);
    else
        json_put_null(out);
    json_key(out, "nodes"), (void)buf_adds(out, list.data);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
    buf_done(&list);
}
