#include "engine/network.h"

static int check(const struct engine *e, const char *name, const json_t *network, struct error *err)
{
    const char *driver = json_string_value(json_object_get(network, "Driver"));
    if (driver && str_eq(driver, "bridge"))
        return 0;
    (void)err_set(err, -EINVAL, BLAME_HOST, "NETWORK", "%s: network %s is of driver %s, not bridge", e->name, name,
                  driver ? driver : "?");
    return err_remedy(err, "name another one in docker.container.network: it is made where it is absent");
}

/* Containers of it do not reach each other. 409: another client was faster. */
static int make(struct engine *e, const char *name, struct error *err)
{
    static const long made[] = { 200, 201, 409, 0 };
    json_t *body = json_pack("{s:s, s:s, s:b, s:{s:s}, s:{s:s}}", "Name", name, "Driver", "bridge", "CheckDuplicate", 1,
                             "Options", e->is_podman ? "isolate" : "com.docker.network.bridge.enable_icc",
                             e->is_podman ? "true" : "false", "Labels", "sandbox-agent.network", "1");
    int r = body ? engine_call(e, "POST", "/networks/create", body, made, NULL, err)
                 : err_set(err, -ENOMEM, BLAME_HOST, "NETWORK", "no memory");
    json_decref(body);
    if (r < 0 && err && err->code && !err->remedy[0])
        return err_remedy(err,
                          "the engine cannot make the bridge network %s (without root it needs a network namespace of "
                          "its own: slirp4netns, pasta): see its log, or set "
                          "docker.container.network: none, and such runs have no network",
                          name);
    return r;
}

int network_get(struct engine *e, struct arena *a, const char *name, struct error *err)
{
    static const long fine[] = { 200, 404, 0 };
    const char *path = arena_printf(a, "/networks/%s", engine_escape(a, name));
    for (int attempt = 0; attempt < 2; attempt++) {
        json_t *network = NULL;
        int r = engine_call(e, "GET", path, NULL, fine, &network, err);
        if (r == 0 && e->status == 200)
            r = check(e, name, network, err);
        bool is_there = e->status == 200;
        json_decref(network);
        if (r < 0 || is_there)
            return r;
        if (attempt == 0 && (r = make(e, name, err)) < 0)
            return r;
    }
    return err_set(err, -EIO, BLAME_HOST, "NETWORK", "%s made the network %s and does not know it", e->name, name);
}
