#include "engine/connect.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include "base/clock.h"
#include "base/parse.h"
#include "engine/caller.h"

#define LISTEN_MS 100u /* connect(2) does not poll for the caller: it is interrupted to listen */

const char *engine_seconds(uint64_t ms, char out[static 32])
{
    char number[32];
    (void)snprintf(out, 32, "%s s", format_milli((uint32_t)MIN_OF(ms, (uint64_t)UINT32_MAX), number));
    return out;
}

static bool is_socket(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISSOCK(st.st_mode);
}

static int say_absent(const char *path, int code, struct error *err)
{
    (void)err_set(err, code, BLAME_HOST, NULL, "engine: there is no socket %s", path);
    return err_remedy(err, "start the engine (systemctl start docker, or podman system service), or say where its "
                           "socket is: docker.daemon.socket");
}

static int say_forbidden(const char *path, struct error *err)
{
    (void)err_set(err, -EACCES, BLAME_HOST, NULL, "engine: this user may not use %s: %s", path, strerror(EACCES));
    return err_remedy(err, "a user who may use it is as good as root here: add the user to the group that owns it "
                           "(docker) if that is wanted, or name an "
                           "engine of the user's own (rootless Docker or Podman): docker.daemon.socket");
}

/* connect(2) says ECONNREFUSED for a plain file too. */
static int say_refused(const char *path, struct error *err)
{
    if (!is_socket(path)) {
        (void)err_set(err, -ENOTSOCK, BLAME_HOST, NULL, "engine: %s is no socket", path);
        return err_remedy(err, "say where the engine's socket is: docker.daemon.socket");
    }
    (void)err_set(err, -ECONNREFUSED, BLAME_HOST, NULL, "engine: no process listens at %s: the engine does not run",
                  path);
    return err_remedy(err, "start it (systemctl start docker, or podman system service), or say where its socket is: "
                           "docker.daemon.socket");
}

static int say_late(const char *path, uint64_t patience_ms, struct error *err)
{
    char seconds[32];
    (void)err_set(err, -ETIMEDOUT, BLAME_HOST, NULL, "engine: %s took no connection within %s", path,
                  engine_seconds(patience_ms, seconds));
    return err_remedy(
        err, "the engine hangs or is overloaded: look at its log; docker.daemon.timeout is how long is waited");
}

static int say_why(const char *path, int code, uint64_t patience_ms, struct error *err)
{
    switch (code) {
    case -ENOENT:
    case -ENOTDIR:
        return say_absent(path, code, err);
    case -EACCES:
    case -EPERM:
        return say_forbidden(path, err);
    case -ECONNREFUSED:
        return say_refused(path, err);
    case -ETIMEDOUT:
        return say_late(path, patience_ms, err);
    case -ECANCELED:
        return caller_say_cut(err, "engine: %s took no connection", path);
    case -EPROTOTYPE:
        (void)err_set(err, code, BLAME_HOST, NULL, "engine: %s is a socket of another kind, not an engine's", path);
        return err_remedy(err, "say where the engine's socket is: docker.daemon.socket");
    default:
        return err_set(err, code, BLAME_HOST, NULL, "engine: connecting to %s: %s", path, strerror(-code));
    }
}

/* A listener that accepts no connection: a UNIX socket cannot be polled for that, but its connect(2) knows SO_SNDTIMEO
 * (EAGAIN when it is over). */
static int connect_until(int fd, const struct sockaddr_un *to, uint64_t until_ms, const struct engine_caller *caller)
{
    for (uint64_t now; (now = clock_ms()) < until_ms;) {
        struct pollfd unused[ENGINE_CALLER_POLLS];
        if (caller_listen(caller, unused) <= now)
            return -ECANCELED;
        const uint64_t left = caller ? MIN_OF(until_ms - now, (uint64_t)LISTEN_MS) : until_ms - now;
        const struct timeval t = { .tv_sec = (time_t)(left / 1000), .tv_usec = (suseconds_t)(left % 1000) * 1000 };
        if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t) < 0)
            return -errno;
        if (connect(fd, (const void *)to, sizeof *to) == 0)
            return 0;
        if (errno != EINTR && errno != EAGAIN)
            return -errno;
    }
    return -ETIMEDOUT;
}

int engine_connect_for(const char *path, uint64_t patience_ms, const struct engine_caller *caller, struct error *err)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    assert(strlen(path) <= ENGINE_SOCKET_MAX && ENGINE_SOCKET_MAX < sizeof to.sun_path); /* engine_open() looked */
    memcpy(to.sun_path, path, strlen(path) + 1);
    cleanup(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int r = fd < 0 ? -errno : connect_until(fd, &to, clock_ms() + patience_ms, caller);
    if (r == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
        r = -errno;
    return r < 0 ? say_why(path, r, patience_ms, err) : TAKE_FD(fd);
}

int engine_connect(const char *path, uint64_t patience_ms, struct error *err)
{
    return engine_connect_for(path, patience_ms, NULL, err);
}
