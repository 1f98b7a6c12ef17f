#include "daemon/package_sets.h"

json_t *package_set_load(int store, const char *name, struct error *err)
{
    struct buf text;
    json_t *set = NULL;
    if (package_set_read(store, name, &text, err) == 0 &&
        !(set = json_loadb(text.data ? text.data : "", text.size, 0, NULL)))
        (void)err_set(err, -EBADMSG, BLAME_HOST, "PACKAGES", "packages/sets/%s.json is damaged", name);
    buf_done(&text);
    return set;
}

struct listing {
    int store;
    json_t *sets;
    void (*damaged)(void *context, const char *name);
    void *context;
    struct error *err;
};

static bool add_set(void *context, const char *name)
{
    struct listing *l = context;
    struct error err = { 0 };
    json_t *set = package_set_load(l->store, name, &err);
    if (set)
        (void)json_object_set_new(l->sets, name, set);
    else if (err.code && l->damaged)
        l->damaged(l->context, name);
    else if (err.code)
        *l->err = err;
    return !l->err->code;
}

json_t *package_sets_load(int store, void (*damaged)(void *context, const char *name), void *context, struct error *err)
{
    struct listing l = { .store = store, .sets = json_object(), .damaged = damaged, .context = context, .err = err };
    if (package_sets_each(store, add_set, &l, err) == 0 && !err->code)
        return l.sets;
    json_decref(l.sets);
    return NULL;
}

json_t *package_set_short(json_t *set)
{
    json_t *copy = json_copy(set);
    (void)json_object_set_new(copy, "package_count",
                              json_integer((json_int_t)json_array_size(json_object_get(set, "packages"))));
    (void)json_object_del(copy, "packages");
    (void)json_object_del(copy, "request");
    return copy;
}

const char *package_set_text(const json_t *set, const char *key)
{
    const char *text = json_string_value(json_object_get(set, key));
    return text ? text : "";
}
