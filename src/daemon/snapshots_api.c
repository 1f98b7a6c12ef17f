#include "daemon/snapshots_api.h"

#include <stdio.h>

#include "daemon/content.h"
#include "daemon/pass_on.h"
#include "daemon/peers.h"
#include "daemon/port_head.h"
#include "daemon/routes.h"
#include "daemon/session_files_api.h"
#include "daemon/sessions_api.h"
#include "run/policy.h"

#define DEAD_MS 60000u

static void put_snapshot(struct buf *b, const struct snapshot *s)
{
    json_open(b, '{');
    json_key(b, "snapshot_id"), json_put_string(b, s->id);
    json_key(b, "key_id"), json_put_string(b, s->key_id);
    json_key(b, "agent_id"), json_put_string(b, s->agent_id);
    json_key(b, "session_id"), json_put_string(b, s->session_id);
    json_key(b, "risk_level"), json_put_string(b, risk_level_names[s->level]);
    answer_time(b, "created_at", s->created_ms);
    json_key(b, "bytes"), json_uint(b, s->bytes);
    json_key(b, "stored_bytes"), json_uint(b, s->stored_bytes);
    if (s->is_damaged)
        json_key(b, "damaged"), json_bool(b, true);
    if (s->node)
        json_key(b, "node"), json_put_string(b, s->node);
    json_close(b, '}');
}

static void refuse(struct call *c, const struct error *err, struct http_answer *a)
{
    const struct answer_details later = { .retry_after_ms = 1000 };
    if (err->code == -ENOENT && err->blame == BLAME_CALLER)
        answer_error(a, c->arena, ANSWER_NOT_FOUND, err, NULL);
    else if (err->blame == BLAME_POLICY)
        answer_error(a, c->arena, ANSWER_TOO_LARGE, err, NULL);
    else
        answer_error(a, c->arena, ANSWER_UNAVAILABLE, err, &later);
}

/* --- POST /sessions/{id}/snapshots ---------------------------------------------------------------------------- */

static int take(void *context, const void *data, size_t size, struct error *err)
{
    return snapshot_write(context, data, size, err);
}

/* Bytes: of all snapshots of the key, and of the files in one of this level. */
static void limits(struct service *v, int level, uint64_t *ret_all, uint64_t *ret_files)
{
    struct policy_set *p = service_policies(v);
    *ret_all = p->level[0].config.endpoints.api.max_storage;
    *ret_files = p->level[level].profile.resources.storage;
    (void)policy_set_unref(p);
}

static void create(struct call *c, struct session_entry *e, struct http_answer *a)
{
    struct error err = { 0 };
    enum session_end ignored;
    struct snapshot s = { .level = session_entry_level(e, &ignored) };
    struct snapshot_writer *w = NULL;
    (void)snprintf(s.key_id, sizeof s.key_id, "%s", e->key_id);
    (void)snprintf(s.agent_id, sizeof s.agent_id, "%s", e->agent_id);
    (void)snprintf(s.session_id, sizeof s.session_id, "%s", e->id);
    uint64_t all, files;
    limits(c->service, s.level, &all, &files);
    int r = snapshot_begin(c->service->snapshots, &s, all, &w, &err);
    if (r == 0)
        r = session_files_pack(c, e, files, take, w, a, &err);
    if (r == 0)
        r = snapshot_finish(w, &s, &err);
    (void)snapshot_abort(w);
    if (r < 0) {
        refuse(c, &err, a);
    } else if (r == 0) {
        service_log(c->service, LOG_INFO, "snapshot %s of session %s: %llu bytes, %llu of them new", s.id, e->id,
                    (unsigned long long)s.bytes, (unsigned long long)s.stored_bytes);
        struct buf *b = answer_json(a, 201, 4 * KIB);
        put_snapshot(b, &s);
        (void)buf_addc(b, '\n');
    }
}

void snapshots_create(struct call *c, struct http_answer *a)
{
    struct session_entry *e = sessions_awake(c, a);
    if (e)
        create(c, e, a);
    (void)session_entry_unref(e);
}

/* --- /snapshots ------------------------------------------------------------------------------------------------ */

static void put_one(void *context, const struct snapshot *s)
{
    put_snapshot(context, s);
}

/* A run key's own; the others see all. */
static const char *owner(const struct call *c)
{
    return c->caller->role == KEY_RUN ? c->caller->key_id : NULL;
}

/* What the content store has of nodes that did not answer. */
struct listing {
    struct buf *body;
    const char *answered; /* the list so far: whose ids are known */
};

static bool is_new(void *context, const char *id)
{
    const struct listing *l = context;
    char quoted[SNAPSHOT_ID_SIZE + 2];
    (void)snprintf(quoted, sizeof quoted, "\"%s\"", id);
    return !l->answered || !strstr(l->answered, quoted);
}

static void put_shared(void *context, const struct snapshot *s)
{
    const struct listing *l = context;
    put_snapshot(l->body, s);
}

/* The last one: items of other nodes may have a member of this name. */
static const char *end_of_list(const char *text)
{
    const char *end = NULL;
    for (const char *p = text; (p = strstr(p, "],\"missing_nodes\":[")); p++)
        end = p;
    return end;
}

/* Behind the last item of the first list. */
static int add_shared(struct call *c, struct http_answer *a, struct error *err)
{
    struct buf more, whole;
    const char *end = !a->body.size                        ? NULL
                      : store_has_nodes(c->service->store) ? end_of_list(a->body.data)
                                                           : a->body.data + a->body.size - 2;
    struct listing l = { &more, a->body.data };
    if (!c->service->content || !end || http_header(c->request, PORT_NODE_HOP))
        return 0;
    buf_init(&more, 8 * MIB);
    json_open(&more, '[');
    const int e = snapshots_each_shared(c->service->snapshots, owner(c), is_new, put_shared, &l, err);
    if (e == 0 && more.size > 1) {
        buf_init(&whole, 64 * MIB);
        (void)buf_add(&whole, a->body.data, (size_t)(end - a->body.data));
        (void)buf_adds(&whole, end[-1] == '[' ? "" : ",");
        (void)buf_adds(&whole, more.data + 1);
        (void)buf_adds(&whole, end);
        whole.failed |= more.failed;
        buf_done(&a->body);
        a->body = whole;
    }
    buf_done(&more);
    return e;
}

void snapshots_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct buf *b = answer_json(a, 200, 8 * MIB);
    json_open(b, '{');
    json_key(b, "snapshots");
    json_open(b, '[');
    int e = snapshots_each(c->service->snapshots, owner(c), put_one, b, &err);
    json_close(b, ']');
    json_close(b, '}');
    if (e == 0)
        peers_add(c, "snapshots", false, PEERS_FORGOTTEN_MS, a);
    if (e == 0 && a->status == 200)
        e = add_shared(c, a, &err);
    if (e < 0) {
        buf_done(&a->body);
        refuse(c, &err, a);
    }
}

/* Other nodes take it for dead (postgres/nodes.c), or there is none of this name any more. */
static bool is_dead(struct call *c, const char *node)
{
    struct error ignored = { 0 };
    struct peers p;
    if (peers_find(c, &p, &ignored) < 0)
        return false;
    for (uint32_t i = 0; i < p.count; i++) {
        char word[CONTENT_NODE_MAX];
        content_node_word(p.list[i].name, word);
        if (str_eq(word, node))
            return p.list[i].silent_ms > DEAD_MS;
    }
    return true;
}

/* One that is not here. True: there is an answer. */
static bool remove_elsewhere(struct call *c, struct error *err, struct http_answer *a)
{
    char node[SNAPSHOT_NODE_MAX];
    struct snapshot s;
    struct error why = { 0 };
    const bool is_ours = http_header(c->request, PORT_NODE_HOP); /* asked for here and nowhere else */
    int e = snapshot_maker(c->service->snapshots, owner(c), c->parts[0], node, &why);
    const bool is_shared = e == 0;
    if (e == -ENOENT && !is_ours) {
        (void)snprintf(node, sizeof node, "%s", peers_with(c, "/snapshots", "snapshots", "snapshot_id", c->parts[0]));
        e = node[0] ? 0 : -ENOENT;
    }
    if (e < 0) {
        if (e != -ENOENT)
            *err = why;
        return false;
    }
    if (!is_ours && !(is_shared && is_dead(c, node)) && pass_on_node(c, node, a))
        return true;
    if (!is_shared)
        return false;
    e = snapshot_retract(c->service->snapshots, owner(c), c->parts[0], &s, err);
    if (e == 0)
        put_snapshot(answer_json(a, 200, 4 * KIB), &s);
    return e == 0;
}

void snapshots_delete(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct snapshot s;
    const int e = snapshot_remove(c->service->snapshots, owner(c), c->parts[0], &s, &err);
    if (e == 0)
        put_snapshot(answer_json(a, 200, 4 * KIB), &s);
    else if (e != -ENOENT || !remove_elsewhere(c, &err, a))
        refuse(c, &err, a);
}

/* --- POST /sessions {from} --------------------------------------------------------------------------------------- */

bool snapshots_find(struct call *c, const char *id, struct snapshot *ret, struct snapshot_reader **ret_reader,
                    struct http_answer *a)
{
    struct error err = { 0 };
    const int e = snapshot_open(c->service->snapshots, c->caller->key_id, id, ret, ret_reader, &err);
    if (e == 0)
        return true;
    const char *node = e == -ENOENT && err.blame == BLAME_CALLER
                           ? peers_with(c, "/snapshots", "snapshots", "snapshot_id", id)
                           : "";
    if (node[0]) {
        (void)err_set(&err, -EXDEV, BLAME_HOST, "SNAPSHOT", "snapshot %s is with node %s%s", id, node,
                      c->service->content ? ", which has not written it into the content store yet" : "");
        (void)err_remedy(&err, c->service->content
                                   ? "come back"
                                   : "ask that node, or give all nodes a content store (content.place)");
    }
    refuse(c, &err, a);
    return false;
}

static int next(void *context, const void **ret, size_t *ret_size, struct error *err)
{
    return snapshot_read(context, ret, ret_size, err);
}

bool snapshots_restore(struct call *c, struct session_entry *e, const struct snapshot *s,
                       struct snapshot_reader *reader, struct http_answer *a)
{
    struct error err = { 0 };
    enum session_end ignored;
    if (session_entry_level(e, &ignored) < s->level) {
        (void)err_set(&err, -EACCES, BLAME_POLICY, NULL,
                      "snapshot %s was made at level %s, and this session's is laxer", s->id,
                      risk_level_names[s->level]);
        (void)err_remedy(&err, "ask for a session at %s", risk_level_names[s->level]);
        answer_error(a, c->arena, ANSWER_POLICY_DENIED, &err, &(struct answer_details){ .rule = "snapshot_level" });
        return false;
    }
    const int r = session_files_unpack(c, e, next, reader, a, &err);
    if (r < 0)
        refuse(c, &err, a);
    return r == 0;
}
