#include "daemon/backends.h"

#include <stdio.h>

#include "daemon/launcher.h"
#include "engine/connect.h"
#include "run/backend.h"

static int reach_native(struct service *v, const struct config *c, struct error *err)
{
    (void)c;
    return v->launcher && launcher_is_alive(v->launcher)
               ? 0
               : err_set(err, -EAGAIN, BLAME_HOST, NULL, "there is no sandbox-launcher now");
}

/* Whether a process accepts connections there; what it can do is the doctor's to say. */
static int reach_docker(struct service *v, const struct config *c, struct error *err)
{
    const char *socket = c->docker.daemon.socket;
    char program[4096];
    (void)snprintf(program, sizeof program, "%s/%s", v->paths->libexec, backend_of(BACKEND_DOCKER)->program);
    if (access(program, X_OK) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s: %s", program, strerror(errno));
    if (strlen(socket) > ENGINE_SOCKET_MAX)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, NULL,
                       "docker.daemon.socket: a socket's path has at most %u bytes", ENGINE_SOCKET_MAX);
    int fd = engine_connect(socket, BACKENDS_PATIENCE_MS, err);
    if (fd >= 0)
        (void)close(fd);
    return MIN_OF(fd, 0);
}

/* Whether it is set up; whether it answers, the next run says. */
static int reach_remote(struct service *v, const struct config *c, struct error *err)
{
    (void)v;
    return c->sandbox.remote.address && c->sandbox.remote.key_file
               ? 0
               : err_set(err, -EINVAL, BLAME_CALLER, NULL, "sandbox.remote has no address and key_file");
}

static void put_one(struct buf *out, enum config_backend b, const struct config *c, const struct error *err)
{
    char why[sizeof err->text + sizeof err->remedy + 4];
    (void)snprintf(why, sizeof why, "%s%s%s", err->text, err->remedy[0] ? "; " : "", err->remedy);
    json_open(out, '{');
    json_key(out, "name"), json_put_string(out, backend_of(b)->name);
    json_key(out, "is_default"), json_bool(out, b == c->sandbox.backend);
    json_key(out, "available"), json_bool(out, !err->code);
    json_key(out, "reason"), json_put_string(out, err->code ? why : NULL);
    json_close(out, '}');
}

void backends_put(struct service *v, const struct config *c, struct buf *out)
{
    static int (*const reach[])(struct service * v, const struct config *c, struct error *err) = {
        [BACKEND_NATIVE] = reach_native, [BACKEND_DOCKER] = reach_docker, [BACKEND_REMOTE] = reach_remote
    };
    json_key(out, "backends");
    json_open(out, '[');
    for (size_t b = 0; b < ARRAY_LEN(reach); b++) {
        struct error err = { 0 };
        (void)reach[b](v, c, &err);
        put_one(out, (enum config_backend)b, c, &err);
    }
    json_close(out, ']');
}
