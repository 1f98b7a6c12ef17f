#include "run/backend.h"

static int run_native(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                      struct error *err)
{
    return client_run(c, tag, &p->shape, &p->job, fds, err);
}

static int send_packed(struct client *c, struct buf *b, const struct plan *p, const int fds[static RUN_FD_MAX],
                       struct error *err)
{
    int e = client_send(c, b, &p->job, fds, err);
    buf_done(b);
    return e;
}

static int run_container(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                         struct error *err)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_container_run(&b, tag, &p->container, &p->shape, &p->job);
    return send_packed(c, &b, p, fds, err);
}

static int run_remote(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                      struct error *err)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_remote_run(&b, tag, &p->remote, &p->job);
    return send_packed(c, &b, p, fds, err);
}

static const struct backend backends[] = {
    /* by enum config_backend */
    [BACKEND_NATIVE] = { "native", "sandbox-launcher", run_native },
    [BACKEND_DOCKER] = { "docker", "sandbox-engine", run_container },
    [BACKEND_REMOTE] = { "remote", "sandbox-remote", run_remote },
};

const struct backend *backend_of(enum config_backend b)
{
    assert(b < ARRAY_LEN(backends));
    return &backends[b];
}

enum config_backend backend_choose(const struct options *o, const struct config *c)
{
    return o->has_backend ? o->backend : (enum config_backend)c->sandbox.backend;
}

int backend_run(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                struct error *err)
{
    const enum config_backend b = p->is_remote ? BACKEND_REMOTE : p->is_container ? BACKEND_DOCKER : BACKEND_NATIVE;
    return backend_of(b)->run(c, tag, p, fds, err);
}
