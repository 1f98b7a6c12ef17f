/* doctor_engine.c - the container engine of the docker backend: is it there, and could it give the levels what they
 * require?
 *
 * Two questions over its socket, GET /version and GET /info, asked by a child: any program may listen there,
 * and may be slow. No library but jansson is in this program, so HTTP/1.0 by hand: the answer ends where the connection
 * does. Only where sandbox.backend is docker is a lack one.
 */
#include "tool/doctor.h"

#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "engine/answer.h"
#include "engine/connect.h"
#include "engine/version.h"

enum {
    ASK_MS = 4000,
    ANSWER_MAX = 256 * 1024
}; /* for both at once, less than a child has: Podman 4.3 takes 1.7 s for its version */

struct question {
    const char *path;
    size_t size; /* of its answer, head included */
    char answer[ANSWER_MAX];
};

struct talk { /* shared with the child */
    const char *socket;
    struct error err; /* why there is no answer; code 0: there are both */
    struct question version, info;
};

/* --- asking, in the child ----------------------------------------------------------------------------- */

static int wait_for(int fd, short what, uint64_t until_ms)
{
    for (uint64_t now; (now = clock_ms()) < until_ms;) {
        struct pollfd p = { .fd = fd, .events = what };
        int n = poll(&p, 1, (int)(until_ms - now));
        if (n > 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return -errno;
    }
    return -ETIMEDOUT;
}

static int receive(int fd, struct question *q, uint64_t until_ms)
{
    while (q->size < sizeof q->answer) {
        int e = wait_for(fd, POLLIN, until_ms);
        if (e < 0)
            return e;
        ssize_t n = read(fd, q->answer + q->size, sizeof q->answer - q->size);
        if (n == 0)
            return 0;
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        q->size += n > 0 ? (size_t)n : 0;
    }
    return -EMSGSIZE;
}

/* A connection with the question on its way. */
static int ask(const char *socket, const struct question *q, struct error *err)
{
    char request[128];
    cleanup(closep) int fd = engine_connect(socket, ASK_MS, err);
    if (fd < 0)
        return fd;
    int n = snprintf(request, sizeof request, "GET %s HTTP/1.0\r\nHost: docker\r\n\r\n", q->path);
    if (send(fd, request, (size_t)n, MSG_NOSIGNAL) != n) /* a fresh socket has room for it */
        return err_set(err, -EPIPE, BLAME_HOST, NULL, "%s: GET %s: the connection has ended", socket, q->path);
    return TAKE_FD(fd);
}

static void hear(const char *socket, int fd, struct question *q, uint64_t until_ms, struct error *err)
{
    int e = receive(fd, q, until_ms);
    if (e == 0)
        return;
    (void)err_set(err, e, BLAME_HOST, NULL, "%s: GET %s: %s", socket, q->path,
                  e == -ETIMEDOUT ? "no whole answer in time" : strerror(-e));
    (void)err_remedy(
        err, "look at the engine's log; is that the socket of a container engine? docker.daemon.socket names it");
}

static void talk_main(void *shared)
{
    struct talk *t = shared;
    const uint64_t until_ms = clock_ms() + ASK_MS;
    cleanup(closep) int version = ask(t->socket, &t->version, &t->err);
    cleanup(closep) int info = version < 0 ? -EBADF : ask(t->socket, &t->info, &t->err);
    if (info < 0)
        return;
    hear(t->socket, version, &t->version, until_ms, &t->err);
    if (!t->err.code)
        hear(t->socket, info, &t->info, until_ms, &t->err);
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* A new reference, or NULL: no answer 200 with a JSON object. */
static json_t *read_answer(const struct question *q)
{
    struct answer_head h;
    if (answer_head_read(q->answer, q->size, &h) < 0 || h.status != 200)
        return NULL;
    json_t *o = json_loadb(q->answer + h.size, q->size - h.size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(o))
        return o;
    json_decref(o);
    return NULL;
}

static bool is_true(const json_t *info, const char *key)
{
    return json_is_true(json_object_get(info, key));
}

/* «name=userns», also as «name=seccomp,profile=default» */
static bool has_option(const json_t *info, const char *name)
{
    size_t i, n = strlen(name);
    json_t *option;
    json_array_foreach(json_object_get(info, "SecurityOptions"), i, option)
    {
        const char *s = json_string_value(option);
        if (s && str_starts(s, "name=") && strncmp(s + 5, name, n) == 0 && (!s[5 + n] || s[5 + n] == ','))
            return true;
    }
    return false;
}

/* Of what security.require can name: what the engine itself says that it has not. All else shows in the container only,
 * where each run looks for itself. */
static uint32_t lacking(const json_t *info)
{
    const bool has_memory = is_true(info, "MemoryLimit"), has_pids = is_true(info, "PidsLimit");
    const bool has_cpu = is_true(info, "CpuCfsQuota") || is_true(info, "CPUCfsQuota");
    const struct {
        enum feature f;
        bool is_there;
    } rows[] = {
        { FEATURE_USER_NS, has_option(info, "userns") || has_option(info, "rootless") },
        { FEATURE_SECCOMP, has_option(info, "seccomp") },
        { FEATURE_APPARMOR, has_option(info, "apparmor") },
        { FEATURE_MEMORY, has_memory },
        { FEATURE_CPU, has_cpu },
        { FEATURE_PIDS, has_pids },
        { FEATURE_CGROUP, has_memory && has_cpu && has_pids },
        { FEATURE_TIME_NS, false }, /* engines make none */
        { FEATURE_SELINUX, false }, /* engines label containers themselves */
    };
    uint32_t bits = 0;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        bits |= rows[i].is_there ? 0 : UINT32_C(1) << rows[i].f;
    return bits;
}

/* --- telling -------------------------------------------------------------------------------------------- */

static bool is_used(const struct doctor *d)
{
    return d->wishes.backend == BACKEND_DOCKER;
}

static void say_unreachable(const struct doctor *d, struct check *c, const char *text, const char *remedy)
{
    if (!is_used(d)) {
        check_say(c, CHECK_INFO, "not used; %s", text);
        return;
    }
    check_say(c, CHECK_FAIL, "%s", text);
    check_remedy(c, "%s", remedy[0] ? remedy : "start it, or say where its socket is: docker.daemon.socket");
}

/* 0, or what stands in err. */
static int learn(struct doctor *d, struct talk *t, struct error *err)
{
    int end = child_try(d, talk_main, t, true);
    if (end != CHILD_DONE)
        return err_set(err, -ETIMEDOUT, BLAME_HOST, NULL, "%s: no answer in time", t->socket);
    if (t->err.code)
        *err = t->err;
    return t->err.code;
}

static void fact_runtimes(struct check *c, const json_t *info, const char *wanted, bool *ret_has_wanted)
{
    const char *name;
    json_t *value, *list = json_array();
    json_object_foreach(json_object_get(info, "Runtimes"), name, value)
    {
        (void)json_array_append_new(list, text_json(name));
        *ret_has_wanted |= wanted && str_eq(name, wanted);
    }
    fact_take(c, "runtimes", list);
}

static void tell_engine(struct doctor *d, struct check *c, const struct talk *t, const json_t *version)
{
    struct engine e = { .socket = t->socket };
    struct error err = { 0 };
    const char *wanted = d->wishes.runtime;
    bool has_runtime = !wanted;
    int r = version_agree(&e, version, "", &err);
    fact_text(c, "name", e.name[0] ? e.name : NULL);
    fact_text(c, "api_version", r == 0 ? e.version : NULL);
    fact_runtimes(c, d->engine_info, wanted, &has_runtime);
    if (r < 0) {
        say_unreachable(d, c, err.text, err.remedy);
        return;
    }
    check_say(c, is_used(d) ? CHECK_OK : CHECK_INFO, "%s%s, API %s, at %s", is_used(d) ? "" : "not used; ", e.name,
              e.version, t->socket);
    if (wanted && e.is_podman && is_used(d)) {
        check_add(c, CHECK_WARN,
                  "Podman may ignore the runtime that a container asks for (4.3 does); such a run is refused");
        check_remedy(c, "make %s the engine's own: runtime = \"%s\" below [engine] of containers.conf", wanted, wanted);
    }
    if (has_runtime)
        return;
    check_add(c, is_used(d) ? CHECK_FAIL : CHECK_INFO, "it knows no runtime «%s» (docker.daemon.runtime)", wanted);
    if (is_used(d))
        check_remedy(c, "name it in the engine's configuration (/etc/docker/daemon.json: runtimes; containers.conf: "
                        "[engine.runtimes]) and restart the engine");
}

void probe_engine(struct doctor *d, struct check *c)
{
    struct talk *t = shared_new(sizeof *t);
    const char *socket = d->wishes.socket;
    struct error err = { 0 };
    json_t *version = NULL;
    int r = 0;
    fact_bool(c, "used", is_used(d));
    fact_text(c, "socket", socket);
    if (!t || !socket)
        r = err_set(&err, -ENOMEM, BLAME_HOST, NULL, socket ? "no memory" : "the configuration could not be read");
    else if (strlen(socket) > ENGINE_SOCKET_MAX)
        r = err_set(&err, -ENAMETOOLONG, BLAME_CALLER, NULL,
                    "docker.daemon.socket: a socket's path has at most %u bytes", ENGINE_SOCKET_MAX);
    if (r == 0) {
        *t = (struct talk){ .socket = socket, .version.path = "/version", .info.path = "/info" };
        r = learn(d, t, &err);
    }
    if (r == 0 && (!(version = read_answer(&t->version)) || !(d->engine_info = read_answer(&t->info)))) {
        r = err_set(&err, -EBADMSG, BLAME_HOST, NULL, "%s: what listens there does not speak the Engine API", socket);
        (void)err_remedy(&err, "say where the engine's socket is: docker.daemon.socket");
    }
    fact_bool(c, "reachable", r == 0);
    if (r < 0)
        say_unreachable(d, c, err.text, err.remedy);
    else
        tell_engine(d, c, t, version);
    json_decref(version);
    shared_free(t, sizeof *t);
}

static void tell_level(const struct doctor *d, struct check *c, enum risk_level level, uint32_t missing, json_t *unmet)
{
    for (enum feature f = 0; f < FEATURE_COUNT; f++) {
        if (!(missing & d->wishes.require[level] & ~d->wishes.accept_missing & UINT32_C(1) << f))
            continue;
        (void)json_array_append_new(unmet, json_sprintf("%s: %s", risk_level_names[level], feature_name(f)));
        check_add(c, is_used(d) ? level == RISK_MEDIUM ? CHECK_FAIL : CHECK_WARN : CHECK_INFO,
                  "%s requires %s, which this engine does not offer", risk_level_names[level], feature_name(f));
    }
}

/* As the plan refuses it (plan/tree_container.c): whatever the engine, since its bridge leads to its host. */
static bool tell_bridge(const struct doctor *d, struct check *c, enum risk_level level, json_t *unmet)
{
    const struct wishes *w = &d->wishes;
    if (!w->has_bridge[level] || !w->has_engine_network || w->accept_missing >> FEATURE_NETWORK & 1)
        return false;
    (void)json_array_append_new(unmet, json_sprintf("%s: %s", risk_level_names[level], feature_name(FEATURE_NETWORK)));
    check_add(c, is_used(d) ? CHECK_WARN : CHECK_INFO,
              "%s has network.mode bridge, and is refused: on the engine's bridge a program reaches this host",
              risk_level_names[level]);
    return true;
}

void probe_containers(struct doctor *d, struct check *c)
{
    const json_t *info = d->engine_info;
    const char *cgroups = json_string_value(json_object_get(info, "CgroupVersion"));
    json_t *unmet = json_array();
    if (!info) {
        check_say(c, CHECK_INFO, "not known without an engine");
        json_decref(unmet);
        return;
    }
    const bool is_rootless = has_option(info, "rootless"), is_remapped = has_option(info, "userns");
    fact_bool(c, "rootless", is_rootless);
    fact_bool(c, "userns_remap", is_remapped);
    fact_bool(c, "seccomp", has_option(info, "seccomp"));
    fact_bool(c, "apparmor", has_option(info, "apparmor"));
    fact_text(c, "cgroup_version", cgroups);
    check_say(c, is_used(d) ? CHECK_OK : CHECK_INFO, "%s%s; cgroups %s", is_used(d) ? "" : "not used; ",
              is_rootless   ? "rootless"
              : is_remapped ? "ids are mapped (userns-remap)"
                            : "root in a container is root here",
              cgroups ? cgroups : "of an unknown version");
    for (enum risk_level level = 0; level < RISK_COUNT; level++)
        tell_level(d, c, level, lacking(info), unmet);
    const bool is_engines = json_array_size(unmet) > 0;
    bool is_bridges = false;
    for (enum risk_level level = 0; level < RISK_COUNT; level++)
        is_bridges |= tell_bridge(d, c, level, unmet);
    if (c->status >= CHECK_WARN && !is_engines && is_bridges)
        check_remedy(c, "accept it by adding network to docker.container.accept_missing (the setting replaces the "
                        "shipped [user_ns]), or leave such runs without a network: docker.container.network: none");
    else if (c->status >= CHECK_WARN)
        check_remedy(c, "change the engine (for user_ns: userns-remap in Docker's daemon.json, or a rootless engine), "
                        "or accept it: docker.container.accept_missing");
    fact_take(c, "unmet", unmet);
}
