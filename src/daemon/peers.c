#include "daemon/peers.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/pass_on.h"
#include "daemon/port_head.h"
#include "daemon/routes.h"
#include "daemon/service_client.h"
#include "postgres/postgres.h"

#define CONNECT_MS 1500u
#define STACK      (512 * KIB)

/* --- who there is --------------------------------------------------------------------------------------------- */

struct peer_finding {
    struct arena *arena;
    const char *self;
    struct peers *to;
    uint32_t room;
};

static void take_node(void *context, const struct chain *n)
{
    struct peer_finding *f = context;
    if (str_eq(n->node, f->self) || n->cut_ms || n->silent_ms > PEERS_FORGOTTEN_MS)
        return;
    if (f->to->count == f->room) {
        const uint32_t room = f->room ? 2 * f->room : 16;
        struct peer *list = arena_zero(f->arena, room * sizeof *list);
        if (!list)
            return; /* the arena says so */
        if (f->to->count)
            memcpy(list, f->to->list, f->to->count * sizeof *list);
        f->to->list = list;
        f->room = room;
    }
    f->to->list[f->to->count++] = (struct peer){ arena_copy(f->arena, n->node), arena_copy(f->arena, n->address),
                                                 n->silent_ms };
}

int peers_find(struct call *c, struct peers *ret, struct error *err)
{
    struct service *v = c->service;
    *ret = (struct peers){ 0 };
    if (!store_has_nodes(v->store))
        return 0;
    struct peer_finding f = { .arena = c->arena, .self = postgres_node_name(v->store), .to = ret };
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = postgres_chains(v->store, take_node, &f, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    return e < 0 ? e : c->arena->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory") : 0;
}

/* --- asking --------------------------------------------------------------------------------------------------- */

struct asked {
    pthread_t thread;
    bool has_thread;
    const struct peer *peer;
    struct service_client client;
    struct service_request request;
    char why[256]; /* it did not answer; "": it did */
    struct buf answer;
};

static void *ask(void *context)
{
    struct asked *k = context;
    struct error err = { 0 };
    if (service_client_open(&k->client, &err) < 0 ||
        service_client_expect(&k->client, &k->request, &k->answer, &err) < 0)
        (void)snprintf(k->why, sizeof k->why, "%.255s", err.text[0] ? err.text : "it did not answer");
    return NULL;
}

static bool may_ask(const struct call *c)
{
    return !c->request->inner && !http_header(c->request, PORT_NODE_HOP) && http_header(c->request, "Authorization");
}

/* path: with the base path, and the query. The answers are the caller's. */
static void ask_all(struct call *c, const struct peers *p, const char *path, struct asked *all)
{
    const char *key = http_header(c->request, "Authorization");
    const char *authorization = arena_printf(c->arena, "Authorization: %s", key ? key : "");
    const char *const headers[] = { authorization, PORT_NODE_HOP ": 1", NULL };
    const struct config *config = &c->service->first_policies->level[0].config;
    pthread_attr_t attr;
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setstacksize(&attr, STACK);
    for (uint32_t i = 0; i < p->count; i++) {
        struct asked *k = &all[i];
        k->peer = &p->list[i];
        k->client = (struct service_client){ .url = k->peer->address,
                                             .ca = config->fleet.ca_file,
                                             .certificate = config->fleet.certificate,
                                             .certificate_key = config->fleet.key,
                                             .connect_ms = CONNECT_MS };
        k->request = (struct service_request){ .method = "GET",
                                               .path = path,
                                               .is_outside = true,
                                               .headers = headers,
                                               .max_bytes = 8 * MIB,
                                               .timeout_ms = PEERS_MS };
        if (k->peer->silent_ms > PEERS_SILENT_MS)
            (void)snprintf(k->why, sizeof k->why, "it was last heard of %llu s ago",
                           (unsigned long long)(k->peer->silent_ms / 1000));
        else if (!may_ask(c))
            (void)snprintf(k->why, sizeof k->why, "other nodes are asked with a key (Authorization: Bearer)");
        else if (!pass_on_may_ask(c, k->peer->address))
            (void)snprintf(k->why, sizeof k->why, "it has no address that this node asks (fleet.address)");
        else if (i >= PEERS_MAX)
            (void)snprintf(k->why, sizeof k->why, "more than %u nodes are not asked at once", PEERS_MAX);
        else if (!(k->has_thread = pthread_create(&k->thread, &attr, ask, k) == 0))
            (void)snprintf(k->why, sizeof k->why, "no thread could be made");
    }
    (void)pthread_attr_destroy(&attr);
    for (uint32_t i = 0; i < p->count; i++)
        if (all[i].has_thread)
            (void)pthread_join(all[i].thread, NULL);
}

static void ask_done(struct asked *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        buf_done(&all[i].answer);
        service_client_done(&all[i].client);
    }
    free(all);
}

static bool are_objects(const json_t *items)
{
    size_t i;
    const json_t *item;
    bool are = json_is_array(items);
    json_array_foreach(items, i, item) are &= json_is_object(item);
    return are;
}

static json_t *read_items(const struct buf *answer, const char *member)
{
    json_t *root = json_loadb(answer->data ? answer->data : "", answer->size, 0, NULL);
    json_t *items = json_incref(json_object_get(root, member));
    json_decref(root);
    if (are_objects(items))
        return items;
    json_decref(items);
    return NULL;
}

/* --- one list of all ------------------------------------------------------------------------------------------ */

/* Package sets are with every node that has used them: the first is enough. False: it was there, or is none. */
static bool is_first(json_t *seen, const json_t *item)
{
    const json_t *hash = json_object_get(item, "hash"), *name = json_object_get(item, "name");
    const json_t *owner = json_object_get(item, "owner");
    json_t *what = hash && name ? json_pack("[O,O,O*]", name, hash, owner) : NULL;
    char *key = what ? json_dumps(what, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    const bool is_first = !hash || !name || (key && !json_object_get(seen, key));
    if (key)
        (void)json_object_set_new(seen, key, json_true());
    free(key);
    json_decref(what);
    return is_first;
}

static void add_items(json_t *to, json_t *seen, json_t *items, const char *node)
{
    size_t i;
    json_t *item;
    json_array_foreach(items, i, item)
    {
        if (!json_object_get(item, "node"))
            (void)json_object_set_new(item, "node", json_string(node));
        if (is_first(seen, item))
            (void)json_array_append(to, item);
    }
}

static void add_missing(json_t *to, const struct asked *k)
{
    (void)json_array_append_new(to, json_pack("{s:s,s:s}", "node", k->peer->name, "reason", k->why));
}

static int newest_first(const void *a, const void *b)
{
    const char *x = json_string_value(json_object_get(*(json_t *const *)a, "created_at"));
    const char *y = json_string_value(json_object_get(*(json_t *const *)b, "created_at"));
    return strcmp(y ? y : "", x ? x : "");
}

static json_t *in_order(json_t *items)
{
    const size_t count = json_array_size(items);
    json_t **list = count ? calloc(count, sizeof *list) : NULL, *sorted = json_array();
    if (!list || !sorted) {
        free(list);
        json_decref(sorted);
        return items;
    }
    for (size_t i = 0; i < count; i++)
        list[i] = json_array_get(items, i);
    qsort(list, count, sizeof *list, newest_first);
    for (size_t i = 0; i < count; i++)
        (void)json_array_append(sorted, list[i]);
    free(list);
    json_decref(items);
    return sorted;
}

static void write_all_of(json_t *root, struct http_answer *a)
{
    char *text = json_dumps(root, JSON_COMPACT);
    buf_done(&a->body);
    buf_init(&a->body, 64 * MIB);
    if (text)
        (void)buf_adds(&a->body, text);
    a->body.failed |= !text;
    free(text);
}

void peers_add(struct call *c, const char *member, bool is_newest_first, uint64_t gone_ms, struct http_answer *a)
{
    struct error err = { 0 };
    struct peers p;
    if (!store_has_nodes(c->service->store) || a->status != 200)
        return;
    if (peers_find(c, &p, &err) < 0) {
        buf_done(&a->body);
        call_refuse(c, a, &err);
        return;
    }
    struct asked *all = calloc(p.count + 1, sizeof *all);
    json_t *root = json_object(), *items = json_array(), *missing = json_array(), *own = read_items(&a->body, member);
    json_t *seen = json_object();
    if (!all || !root || !items || !missing || !own || !seen) {
        buf_done(&a->body);
        answer_fail(a, c->arena, ANSWER_INTERNAL, "no memory for the list of all nodes");
        p.count = 0;
    } else {
        add_items(items, seen, own, postgres_node_name(c->service->store));
        if (!http_header(c->request, PORT_NODE_HOP))
            ask_all(c, &p, c->request->target, all);
        else
            p.count = 0;
        for (uint32_t i = 0; i < p.count; i++) {
            json_t *theirs = all[i].why[0] ? NULL : read_items(&all[i].answer, member);
            if (!theirs && !all[i].why[0])
                (void)snprintf(all[i].why, sizeof all[i].why, "its answer is no list of %s", member);
            if (theirs)
                add_items(items, seen, theirs, p.list[i].name);
            else if (p.list[i].silent_ms < gone_ms)
                add_missing(missing, &all[i]);
            json_decref(theirs);
        }
        if (is_newest_first)
            items = in_order(items);
        (void)json_object_set(root, member, items);
        (void)json_object_set(root, "missing_nodes", missing);
        write_all_of(root, a);
    }
    json_decref(own);
    json_decref(items);
    json_decref(missing);
    json_decref(seen);
    json_decref(root);
    ask_done(all, p.count);
}

/* --- who has it ----------------------------------------------------------------------------------------------- */

static bool has_item(const struct buf *answer, const char *member, const char *name, const char *value)
{
    json_t *items = read_items(answer, member), *item;
    bool is_there = false;
    size_t i;
    json_array_foreach(items, i, item)
    {
        const char *text = json_string_value(json_object_get(item, name));
        is_there |= text && str_eq(text, value);
    }
    json_decref(items);
    return is_there;
}

const char *peers_with(struct call *c, const char *path, const char *member, const char *name, const char *value)
{
    struct error ignored = { 0 };
    struct peers p;
    const char *found = "";
    struct asked *all = !may_ask(c) || peers_find(c, &p, &ignored) < 0 ? NULL : calloc(p.count + 1, sizeof *all);
    if (!all)
        return found;
    ask_all(c, &p, arena_printf(c->arena, "%s%s", c->service->routes->base_path, path), all);
    for (uint32_t i = 0; i < p.count; i++)
        if (!all[i].why[0] && has_item(&all[i].answer, member, name, value))
            found = p.list[i].name;
    ask_done(all, p.count);
    return found;
}
