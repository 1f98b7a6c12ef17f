#include "daemon/packages_api.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "daemon/body.h"
#include "daemon/package_builds.h"
#include "daemon/package_sets.h"
#include "daemon/package_share.h"
#include "daemon/pass_on.h"
#include "daemon/peers.h"
#include "daemon/routes.h"
#include "packages/requirements.h"

/* NAME.json without what was asked for, and what an answer adds. */
#define ANSWER_MAX (PACKAGE_SET_MAX_SIZE + 64 * KIB)
#define LIST_MAX   (16 * MIB)

const char *packages_owner(const char *key_id, struct arena *a)
{
    return arena_printf(a, "key:%s", key_id);
}

/* Whose sets are seen; NULL: all. */
static const char *seen_owner(const struct call *c)
{
    return c->caller->role == KEY_RUN ? packages_owner(c->caller->key_id, c->arena) : NULL;
}

static void refuse(struct call *c, const struct error *err, struct http_answer *a)
{
    const struct answer_details later = { .retry_after_ms = 1000 };
    const struct answer_details taken = { .rule = "package_name" };
    if (err->code == -ENOENT && err->blame == BLAME_CALLER)
        answer_error(a, c->arena, ANSWER_NOT_FOUND, err, NULL);
    else if (err->blame == BLAME_CALLER)
        answer_error(a, c->arena, ANSWER_UNPROCESSABLE, err, NULL);
    else if (err->blame != BLAME_POLICY)
        answer_error(a, c->arena, ANSWER_UNAVAILABLE, err, &later);
    else if (err->code == -EDQUOT)
        answer_error(a, c->arena, ANSWER_TOO_LARGE, err, NULL);
    else if (err->code == -EAGAIN)
        answer_error(a, c->arena, ANSWER_QUEUE_FULL, err, &later);
    else
        answer_error(a, c->arena, ANSWER_CONFLICT, err, &taken);
}

static void not_found(struct call *c, struct http_answer *a)
{
    answer_fail(a, c->arena, ANSWER_NOT_FOUND, arena_printf(c->arena, "no package set %.64s", c->parts[0]));
}

/* --- one set -------------------------------------------------------------------------------------------------- */

/* A set that is there, a build of it that is under way or has failed, or both. */
struct found {
    const char *name;
    json_t *set; /* or NULL */
    bool has_build;
    struct package_build_state build;
};

static void put_value(struct buf *b, const char *name, const json_t *set, const char *key)
{
    const json_t *value = json_object_get(set, key);
    char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    json_key(b, name);
    (void)buf_adds(b, text ? text : "null");
    free(text);
}

static void put_error(struct buf *b, const struct error *err)
{
    json_key(b, "error"), json_open(b, '{');
    json_key(b, "message"), json_put_string(b, err->text);
    json_key(b, "remedy"), json_put_string(b, err->remedy[0] ? err->remedy : NULL);
    json_key(b, "blame"), json_put_string(b, blame_name(err->blame));
    json_close(b, '}');
}

static void put_build(struct buf *b, const struct found *f)
{
    const struct package_build_state *s = f->has_build ? &f->build : NULL;
    const char *state = !s ? "ready" : s->has_failed ? "failed" : "building";
    json_key(b, "state"), json_put_string(b, state);
    if (s && !s->has_failed) {
        json_key(b, "progress"), json_open(b, '{');
        json_key(b, "step"), json_put_string(b, package_step_names[s->step]);
        answer_time(b, "begun_at", s->begun_ms);
        json_close(b, '}');
    } else {
        json_key(b, "progress"), json_put_null(b);
    }
    if (s && s->has_failed)
        put_error(b, &s->error);
    else
        json_key(b, "error"), json_put_null(b);
}

static void put_found(struct buf *b, const struct found *f, bool is_whole)
{
    static const char *const members[] = { "index", "bytes", "files", "native_files" };
    const json_t *set = f->set;
    json_open(b, '{');
    json_key(b, "name"), json_put_string(b, f->name);
    json_key(b, "owner"), json_put_string(b, set ? package_set_text(set, "owner") : f->build.owner);
    json_key(b, "kind");
    json_put_string(b, set ? package_set_text(set, "kind") : package_kind_names[f->build.kind]);
    put_build(b, f);
    put_value(b, "hash", set, "tree");
    answer_time(b, "created_at", (uint64_t)json_integer_value(json_object_get(set, "created_ms")));
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        put_value(b, members[i], set, members[i]);
    json_key(b, "package_count"), json_uint(b, json_array_size(json_object_get(set, "packages")));
    if (is_whole) {
        put_value(b, "packages", set, "packages");
        put_value(b, "scan", set, "scan");
    }
    json_close(b, '}');
}

static int open_store(struct call *c, struct error *err)
{
    return package_store_open(c->service->places.state_dir, err);
}

struct wanted {
    const char *name;
    char owner[128];
};

static void take_owner(void *context, const char *name, const struct buf *text)
{
    struct wanted *w = context;
    struct package_brief b;
    if (str_eq(name, w->name) && package_brief_read(text, &b) == 0)
        (void)snprintf(w->owner, sizeof w->owner, "%s", b.owner);
}

/* What is here becomes what the content store has. owner NULL: whose it is there. */
static int follow(struct call *c, const char *name, const char *owner, struct error *err)
{
    struct wanted w = { .name = name };
    int e = owner ? 0 : package_share_each(c->service, NULL, take_owner, &w, err);
    const char *of = owner ? owner : w.owner;
    return e < 0 || !*of ? e : package_share_follow(c->service, name, of, err);
}

/* 0: *ret is there (its set the caller's). -ENOENT: for this caller there is none. */
static int find(struct call *c, struct found *ret, struct error *err)
{
    const char *owner = seen_owner(c);
    *ret = (struct found){ .name = c->parts[0] };
    if (!package_name_is_accepted(ret->name))
        return -ENOENT;
    if (follow(c, ret->name, owner, err) < 0)
        return err->code;
    cleanup(closep) int store = open_store(c, err);
    if (store < 0)
        return store;
    ret->set = package_set_load(store, ret->name, err);
    if (err->code)
        return err->code;
    if (ret->set && owner && !str_eq(owner, package_set_text(ret->set, "owner"))) {
        json_decref(ret->set);
        ret->set = NULL;
    }
    ret->has_build = package_builds_find(c->service->packages, ret->name,
                                         ret->set ? package_set_text(ret->set, "owner") : owner, &ret->build);
    return ret->set || ret->has_build ? 0 : -ENOENT;
}

static bool find_or_answer(struct call *c, struct found *ret, struct http_answer *a)
{
    struct error err = { 0 };
    const int e = find(c, ret, &err);
    const char *node = e == -ENOENT ? peers_with(c, "/packages", "packages", "name", c->parts[0]) : "";
    if (node[0] && pass_on_node(c, node, a))
        return false;
    if (e == -ENOENT)
        not_found(c, a);
    else if (e < 0)
        refuse(c, &err, a);
    return e == 0;
}

void packages_show(struct call *c, struct http_answer *a)
{
    struct found f;
    if (!find_or_answer(c, &f, a))
        return;
    put_found(answer_json(a, 200, ANSWER_MAX), &f, true);
    json_decref(f.set);
}

/* --- all of them ---------------------------------------------------------------------------------------------- */

struct listing {
    const char *owner;
    json_t *sets, *shared; /* shared: those of the content store, by name */
    struct package_builds *builds;
    struct buf *body;
    struct service *service;
};

static void tell_damaged(void *context, const char *name)
{
    const struct listing *l = context;
    service_log(l->service, LOG_WARN, "packages/sets/%s.json cannot be read: the set is left out of the list", name);
}

static void put_sets(struct listing *l)
{
    const char *name;
    json_t *set;
    json_object_foreach(l->sets, name, set)
    {
        const char *owner = package_set_text(set, "owner");
        struct found f = { .name = name, .set = set };
        if (l->owner && !str_eq(l->owner, owner))
            continue;
        f.has_build = package_builds_find(l->builds, name, owner, &f.build);
        put_found(l->body, &f, false);
    }
}

/* Of a set that is not there yet. */
static void put_new(void *context, const struct package_build_state *s)
{
    struct listing *l = context;
    const struct found f = { .name = s->name, .has_build = true, .build = *s };
    if (!str_eq(package_set_text(json_object_get(l->sets, s->name), "owner"), s->owner))
        put_found(l->body, &f, false);
}

/* The store's, where it is not here or another one is. */
static void add_shared(void *context, const char *name, const struct buf *text)
{
    struct listing *l = context;
    json_t *set = json_loadb(text->data ? text->data : "", text->size, 0, NULL);
    const json_t *here = json_object_get(l->sets, name);
    const bool is_older = here && str_eq(package_set_text(here, "owner"), package_set_text(set, "owner")) &&
                          json_integer_value(json_object_get(here, "created_ms")) <
                              json_integer_value(json_object_get(set, "created_ms"));
    if (set && (!here || is_older))
        (void)json_object_set(l->sets, name, set);
    (void)json_object_set_new(l->shared, name, json_true());
    json_decref(set);
}

/* Removed on another node: here they go when they are next asked for. */
static void drop_removed(struct listing *l)
{
    void *next;
    const char *name;
    json_t *set;
    json_object_foreach_safe(l->sets, next, name, set)
    {
        if (!json_object_get(l->shared, name) && !package_share_waits(l->service, name, package_set_text(set, "owner")))
            (void)json_object_del(l->sets, name);
    }
}

void packages_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct listing l = { .owner = seen_owner(c), .builds = c->service->packages, .service = c->service };
    cleanup(closep) int store = open_store(c, &err);
    l.sets = store < 0 ? NULL : package_sets_load(store, tell_damaged, &l, &err);
    l.shared = json_object();
    if (l.sets && package_share_each(c->service, l.owner, add_shared, &l, &err) < 0) {
        json_decref(l.sets);
        l.sets = NULL;
    } else if (l.sets && c->service->content) {
        drop_removed(&l);
    }
    json_decref(l.shared);
    if (!l.sets) {
        refuse(c, &err, a);
        return;
    }
    l.body = answer_json(a, 200, LIST_MAX);
    json_open(l.body, '{');
    json_key(l.body, "packages"), json_open(l.body, '[');
    put_sets(&l);
    package_builds_each(l.builds, l.owner, put_new, &l);
    json_close(l.body, ']');
    json_close(l.body, '}');
    json_decref(l.sets);
    peers_add(c, "packages", false, PEERS_FORGOTTEN_MS, a);
}

/* --- POST ----------------------------------------------------------------------------------------------------- */

/* The text of a package.json, or the object that it is. */
static const char *read_node(struct call *c, struct body *b, size_t *ret_size)
{
    struct buf text;
    if (body_kind(b, "node") != BODY_OBJECT)
        return body_bytes(b, "node", REQUIREMENTS_MAX_SIZE, ret_size);
    buf_init(&text, REQUIREMENTS_MAX_SIZE);
    body_json(b, "node", &text);
    if (text.failed)
        (void)body_refuse(b, "node", "is larger than %u bytes", (unsigned)REQUIREMENTS_MAX_SIZE);
    const char *copy = arena_copy_bytes(c->arena, text.data ? text.data : "", text.failed ? 0 : text.size);
    *ret_size = text.failed ? 0 : text.size;
    buf_done(&text);
    return copy;
}

static int read_order(struct call *c, struct body *b, struct package_order *ret, struct error *err)
{
    size_t python_size = 0, node_size = 0;
    const char *name = body_text(b, "name", PACKAGE_NAME_MAX);
    const char *python = body_bytes(b, "python", REQUIREMENTS_MAX_SIZE, &python_size);
    const char *node = read_node(c, b, &node_size);
    if (!name || !package_name_is_accepted(name))
        (void)body_refuse(b, "name", "accepted are " PACKAGE_NAME_WORDS);
    if (!python == !node)
        (void)body_refuse(b, "python", "give one of python (requirements) and node (a package.json)");
    *ret = (struct package_order){ .name = name,
                                   .owner = packages_owner(c->caller->key_id, c->arena),
                                   .kind = node ? PACKAGE_NODE : PACKAGE_PYTHON,
                                   .text = node ? node : python,
                                   .size = node ? node_size : python_size };
    return body_end(b, err);
}

static void begin(struct call *c, const struct package_order *o, struct http_answer *a)
{
    struct error err = { 0 };
    struct found f = { .name = o->name };
    if (auth_may(c->caller, NULL, RISK_LOW, &err) < 0) { /* a build runs what its index sends, and is no agent's */
        answer_error(a, c->arena, ANSWER_FORBIDDEN, &err, NULL);
        return;
    }
    if (package_builds_begin(c->service->packages, o, c->caller, &err) < 0) {
        refuse(c, &err, a);
        return;
    }
    const char *location = arena_printf(c->arena, "%s/packages/%s", c->service->routes->base_path, o->name);
    service_log(c->service, LOG_INFO, "packages %s of %s: asked for by %s", o->name, o->owner, c->caller->name);
    f.build = (struct package_build_state){ .kind = o->kind, .begun_ms = wall_clock_ms() };
    (void)snprintf(f.build.owner, sizeof f.build.owner, "%s", o->owner);
    f.has_build = true;
    put_found(answer_json(a, 202, 8 * KIB), &f, false);
    http_answer_header(a, "Location", location);
}

void packages_create(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct body *b = NULL;
    struct package_order o;
    int e = body_parse(c->request->body, c->request->body_size, false, &b, &err);
    if (e == 0)
        e = read_order(c, b, &o, &err);
    if (e < 0)
        call_refuse(c, a, &err);
    else
        begin(c, &o, a);
    (void)body_free(b);
}

/* --- DELETE --------------------------------------------------------------------------------------------------- */

static int remove_set(struct call *c, const struct found *f, struct error *err)
{
    struct service *v = c->service;
    const char *owner = package_set_text(f->set, "owner");
    if (!f->set)
        return 0;
    const int e = package_remove(&v->first_policies->level[0].config, v->paths, f->name, owner, err);
    return e < 0 ? e
                 : package_audit(v, c->caller->name, "package-removed", f->name, owner,
                                 package_set_text(f->set, "tree"), "the package set was removed", err);
}

void packages_delete(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct found f;
    if (!find_or_answer(c, &f, a))
        return;
    int e = 0;
    if (f.has_build && !f.build.has_failed) {
        e = err_set(&err, -EBUSY, BLAME_POLICY, "PACKAGES", "a build of %s is under way", f.name);
        (void)err_remedy(&err, "remove it when the build has ended; packages.timeout bounds it");
    }
    if (e == 0)
        e = remove_set(c, &f, &err);
    if (e < 0) {
        refuse(c, &err, a);
    } else {
        if (f.set)
            package_share_tell(c->service, f.name, package_set_text(f.set, "owner"));
        (void)package_builds_forget(c->service->packages, f.name,
                                    f.set ? package_set_text(f.set, "owner") : f.build.owner);
        service_log(c->service, LOG_INFO, "packages %s: removed by %s", f.name, c->caller->name);
        put_found(answer_json(a, 200, LIST_MAX), &f, false);
    }
    json_decref(f.set);
}
