#include "run/backend.h"

static int run_native(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                      struct error *err)
{
    return client_run(c, tag, &p->shape, &p->job, fds, err);
}

static int run_container(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                         struct error *err)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_container_run(&b, tag, &p->container, &p->shape, &p->job);
    int e = client_send(c, &b, &p->job, fds, err);
    buf_done(&b);
    return e;
}

static const struct backend backends[] = {
    /* by enum config_backend */
    [BACKEND_NATIVE] = { "native", "sandbox-launcher", run_native },
    [BACKEND_DOCKER] = { "docker", "sandbox-engine", run_container },
};

const struct backend *backend_of(enum config_backend b)
{
    assert(b < ARRAY_LEN(backends));
    return &backends[b];
}

int backend_choose(const char *asked, const struct config *c, enum config_backend *ret, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(backends); i++)
        if (asked ? str_eq(asked, backends[i].name) : i == c->sandbox.backend) {
            *ret = (enum config_backend)i;
            return 0;
        }
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--backend %s: accepted are native and docker", asked);
}

int backend_run(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                struct error *err)
{
    return backend_of(p->is_container ? BACKEND_DOCKER : BACKEND_NATIVE)->run(c, tag, p, fds, err);
}
