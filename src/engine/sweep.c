#include "engine/sweep.h"

bool sweep_takes(const struct owner *self, const json_t *labels, enum sweep_state state,
                 enum process_state (*look)(uint64_t pid, uint64_t start))
{
    const char *owner = json_string_value(json_object_get(labels, LABEL_OWNER));
    const char *machine = json_string_value(json_object_get(labels, LABEL_MACHINE));
    if (state == SWEEP_STOPPED && json_object_get(labels, LABEL_KEPT))
        return false;
    return owner && owner_is_dead(self, owner, machine, look);
}

#define FILTERS "?filters=%7B%22label%22%3A%5B%22" LABEL_OWNER "%22%5D%7D" /* {"label":["sandbox-agent.owner"]} */

static bool remove_one(struct engine *e, struct arena *a, const char *kind, const char *name, const char *how)
{
    static const long done[] = { 200, 202, 204, 404, 0 };
    const char *path = arena_printf(a, "/%s/%s?%s", kind, engine_escape(a, name), how);
    return engine_call(e, "DELETE", path, NULL, done, NULL, NULL) == 0;
}

/* Volumes go after the containers that use them. */
unsigned sweep(struct engine *e)
{
    static const long ok[] = { 200, 0 };
    struct owner self;
    struct arena a = { 0 };
    json_t *list = NULL, *one;
    size_t i;
    unsigned count = 0;
    owner_of_self(&self);
    if (engine_call(e, "GET", "/containers/json" FILTERS "&all=1", NULL, ok, &list, NULL) == 0)
        json_array_foreach(list, i, one)
        {
            const char *id = json_string_value(json_object_get(one, "Id")),
                       *state = json_string_value(json_object_get(one, "State"));
            bool is_stopped = state && (str_eq(state, "exited") || str_eq(state, "dead") || str_eq(state, "stopped"));
            if (id && sweep_takes(&self, json_object_get(one, "Labels"), is_stopped ? SWEEP_STOPPED : SWEEP_LIVE,
                                  process_look))
                count += remove_one(e, &a, "containers", id, "force=1&v=1");
        }
    json_decref(list);
    list = NULL;
    if (engine_call(e, "GET", "/volumes" FILTERS, NULL, ok, &list, NULL) == 0)
        json_array_foreach(json_object_get(list, "Volumes"), i, one)
        {
            const char *name = json_string_value(json_object_get(one, "Name"));
            if (name && sweep_takes(&self, json_object_get(one, "Labels"), SWEEP_STOPPED, process_look))
                count += remove_one(e, &a, "volumes", name, "force=0");
        }
    json_decref(list);
    arena_done(&a);
    return count;
}
