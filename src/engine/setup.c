/* setup.c - the steps up to a container in which everything is known to be in force, and nothing of the payload's runs
 * yet. */
#include "engine/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include "base/clock.h"
#include "base/io.h"
#include "base/watch_bits.h"
#include "engine/image.h"
#include "engine/network.h"
#include "engine/readback.h"
#include "engine/spec.h"
#include "engine/archive.h"
#include "engine/volume.h"

/* What an earlier run of this process could not remove, the engine being away. */
static void remove_left(struct run *r)
{
    static const long done[] = { 200, 204, 404, 409, 0 };
    struct strlist left = r->control->left;
    r->control->left = (struct strlist){ 0 };
    STRLIST_FOREACH(what, &left)
    if (engine_call(&r->engine, "DELETE", arena_printf(&r->arena, "/%s?force=1", what), NULL, done, NULL, NULL) < 0)
        (void)strlist_add(&r->control->left, what);
    strlist_done(&left);
}

int step_engine(struct run *r, struct error *err)
{
    int e = engine_open_for(&r->engine, r->request->container.socket, r->request->container.answer_ms, &r->caller, err);
    if (e < 0)
        return e;
    r->has_engine = true;
    r->engine.is_shown = r->control->is_for_one_run; /* the command line's, whose terminal is ours */
    remove_left(r);
    owner_of_self(&r->owner);
    r->labels = owner_labels(&r->owner, r->request->job.id, !r->request->container.removes);
    return r->labels ? 0 : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
}

int step_image(struct run *r, struct error *err)
{
    return image_get(&r->engine, &r->request->container, &r->arena, &r->image, err);
}

int step_bridge(struct run *r, struct error *err)
{
    const char *name = r->request->container.network;
    return name ? network_get(&r->engine, &r->arena, name, err) : 0;
}

/* --- TURN ------------------------------------------------------------------------------------------------- */

static bool is_unwanted(const struct run *r)
{
    return r->control->killed != REASON_COMPLETED || r->control->is_leaving;
}

int step_turn(struct run *r, struct error *err)
{
    const uint64_t until_ms = clock_ms() + r->request->container.answer_ms;
    while (!turn_take(&r->turn, r->request->container.socket) && clock_ms() < until_ms) {
        struct pollfd p[CONTROL_POLLS];
        peer_polls(r->control, p);
        (void)poll(p, CONTROL_POLLS, (int)TURN_LOOK_MS);
        peer_on_polls(r->control, p);
        if (is_unwanted(r))
            return err_set(err, -ECANCELED, BLAME_CALLER, NULL, "ended by the client");
    }
    return 0;
}

/* --- CODE ------------------------------------------------------------------------------------------------- */

/* The programs of an installation lie together. */
static const char *entry_path(struct run *r)
{
    char self[4000];
    if (r->control->entry)
        return r->control->entry;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[MAX_OF(n, 0)] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    return arena_printf(&r->arena, "%s/sandbox-entry", self);
}

/* What belongs to the container alone. */
static int list_own_places(struct run *r, struct error *err)
{
    const struct shape *s = &r->request->shape;
    int e = strlist_add(&r->own_places, "/");
    e = e < 0 ? e : strlist_add(&r->own_places, "/dev/shm");
    for (uint32_t i = 0; e == 0 && i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_TMPFS)
            e = strlist_add(&r->own_places, s->mounts[i].target);
    return e < 0 ? err_set(err, e, BLAME_HOST, "CODE", "list the mounts: %s", strerror(-e)) : 0;
}

int step_code(struct run *r, struct error *err)
{
    struct buf tar;
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        return err_set(err, -EIO, BLAME_HOST, NULL, "getrandom: %m");
    const char *name = arena_printf(&r->arena, "sandbox-agent-%s-%016llx", r->request->job.id,
                                    (unsigned long long)random);
    buf_init(&tar, ARCHIVE_MAX);
    int e = volume_copies(r->request, &r->copies, err);
    if (e == 0)
        e = check_probes(&r->request->shape, &r->probes, err);
    if (e == 0 && !r->own_places.count)
        e = list_own_places(r, err);
    if (e == 0)
        e = volume_archive(r->request, entry_path(r), &tar, err);
    if (e == 0)
        e = volume_make(&r->engine, &r->arena, name, r->image, r->labels,
                        (struct bytes){ tar.data, (uint32_t)tar.size }, err);
    if (e == 0)
        r->volume = name;
    buf_done(&tar);
    return e;
}

/* --- CREATE ----------------------------------------------------------------------------------------------- */

/* Docker takes the profile itself, Podman a path. */
static const char *seccomp_option(struct run *r, struct error *err)
{
    const struct container *c = &r->request->container;
    const struct bytes *profile = r->is_watched ? &c->seccomp_watched : &c->seccomp;
    if (!r->engine.is_podman)
        return arena_copy_bytes(&r->arena, profile->data, profile->size);
    return pathfile_make(&r->seccomp, r->request->container.socket, *profile, err) < 0 ? NULL : r->seccomp.path;
}

static uint64_t hard_limit(int which)
{
    struct rlimit l;
    return getrlimit(which, &l) < 0 || l.rlim_max == RLIM_INFINITY ? UINT64_MAX : l.rlim_max;
}

/* AppArmor of the engine's host: without, Docker refuses a profile that is named, and `require` decides. Podman 4.3
 * takes 0.4 to 1 s for the answer; it runs on this kernel, or else (podman machine) the profile is not named, which the
 * facts tell. */
static int has_apparmor(struct run *r, bool *ret, struct error *err)
{
    static const long ok[] = { 200, 0 };
    json_t *info = NULL, *option;
    size_t i;
    *ret = false;
    if (!r->request->shape.apparmor || r->is_without_apparmor ||
        (r->engine.is_podman && access("/sys/module/apparmor", F_OK) < 0))
        return 0;
    int e = engine_call(&r->engine, "GET", "/info", NULL, ok, &info, err);
    json_array_foreach(json_object_get(info, "SecurityOptions"), i,
                       option) *ret = *ret || (json_is_string(option) && strstr(json_string_value(option), "apparmor"));
    json_decref(info);
    return e;
}

/* Podman 4.3 makes one line of options of each, with commas between them, and takes it apart as CSV. */
static int check_places(const struct run *r, struct error *err)
{
    const struct shape *s = &r->request->shape;
    for (uint32_t i = 0; r->engine.is_podman && i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_VOLUME &&
            (strpbrk(s->mounts[i].source, ",\"\r\n") || strpbrk(s->mounts[i].target, ",\"\r\n"))) {
            (void)err_set(
                err, -EINVAL, BLAME_CALLER, NULL,
                "volume %.100s at %.100s: Podman takes no path with a comma, a quotation mark or a line's end",
                s->mounts[i].source, s->mounts[i].target);
            return err_remedy(err, "rename it, or mount the directory above");
        }
    return 0;
}

static int make_body(struct run *r, json_t **ret, struct error *err)
{
    struct spec_input in = { .request = r->request,
                             .image = r->image,
                             .volume = r->volume,
                             .labels = r->labels,
                             .is_podman = r->engine.is_podman,
                             .leaves_out = r->leaves_out,
                             .nofile_max = hard_limit(RLIMIT_NOFILE),
                             .fsize_max = hard_limit(RLIMIT_FSIZE),
                             .nproc_max = MIN_OF(hard_limit(RLIMIT_NPROC),
                                                 (uint64_t)30000) }; /* Podman 4.3 lowers its own to 32768 */
    int e = check_places(r, err);
    if (e == 0)
        e = has_apparmor(r, &in.has_apparmor, err);
    if (e < 0)
        return e;
    if (r->request->container.seccomp.size && !(in.seccomp = seccomp_option(r, err)))
        return err->code;
    *ret = spec_body(&in);
    return *ret ? 0 : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
}

/* Limits that the run may go on without. */
static uint32_t accepted_limits(const struct run *r)
{
    return CHECK_LIMITS & r->request->container.accept_missing;
}

/* Which limit a warning of the engine's is about: «Your kernel does not support pids limit capabilities or the cgroup
 * is not mounted. PIDs limit discarded.» */
static uint32_t warned_limit(const char *text)
{
    return strcasestr(text, "memory") ? UINT32_C(1) << FEATURE_MEMORY
           : strcasestr(text, "cpu")  ? UINT32_C(1) << FEATURE_CPU
           : strcasestr(text, "pids") ? UINT32_C(1) << FEATURE_PIDS
                                      : 0;
}

/* An engine that cannot do what it was told may say so here only. */
static int check_warnings(struct run *r, const json_t *answer, struct error *err)
{
    size_t i;
    json_t *w;
    json_array_foreach(json_object_get(answer, "Warnings"), i, w)
    {
        const char *text = json_string_value(w);
        if (!text || !*text || strcasestr(text, "platform"))
            continue;
        if (strcasestr(text, "swap") &&
            !strcasestr(text, "memory limit")) /* no swap accounting: the control group's own file is read */
            continue;
        if (warned_limit(text) & accepted_limits(r)) /* the facts tell what is in force */
            continue;
        (void)err_set(err, -ENOTSUP, BLAME_HOST, NULL, "%s: %.300s", r->engine.name, text);
        if (warned_limit(text))
            return check_limits_remedy(err);
        return err_remedy(err, "the engine's host lacks what the profile's limits need (control groups)");
    }
    return 0;
}

static int inspect(struct run *r, json_t **ret, struct error *err)
{
    static const long ok[] = { 200, 0 };
    return engine_call(&r->engine, "GET", arena_printf(&r->arena, "/containers/%s/json", r->container), NULL, ok, ret,
                       err);
}

/* As its volume's. One that is made anew, since its start failed, has its number: the first's name may be in use for as
 * long as the engine takes to remove it. */
static const char *next_name(struct run *r)
{
    r->tries++;
    r->name = r->tries == 1 ? r->volume : arena_printf(&r->arena, "%s-%u", r->volume, r->tries);
    return arena_printf(&r->arena, "/containers/create?name=%s", engine_escape(&r->arena, r->name));
}

static int create(struct run *r, json_t *body, struct error *err)
{
    static const long made[] = { 201, 0 };
    json_t *answer = NULL;
    int e = engine_call(&r->engine, "POST", next_name(r), body, made, &answer, err);
    if (e < 0 && r->request->container.runtime && err->text[0] && strcasestr(err->text, "runtime"))
        (void)err_remedy(err,
                         "register it with the engine (daemon.json: runtimes), or leave docker.daemon.runtime out");
    if (e < 0 && r->seccomp.is_file && err->text[0] && strcasestr(err->text, "seccomp"))
        (void)err_remedy(err, "Podman takes the seccomp profile by a path below /tmp, which it must see as we do: no "
                              "private /tmp (systemd: PrivateTmp), container or virtual machine "
                              "between us");
    if (e < 0 && strstr(err->text, "memory limit"))
        (void)err_remedy(err,
                         "this engine wants more than %llu bytes: resources.memory in the profile, or the memory limit "
                         "that the run asks for",
                         (unsigned long long)r->request->shape.memory_bytes);
    const char *id = json_string_value(json_object_get(answer, "Id"));
    if (e == 0 && (!id || strspn(id, "0123456789abcdef") != strlen(id)))
        e = err_set(err, -EPROTO, BLAME_HOST, NULL, "engine: POST /containers/create: an answer without Id");
    if (e == 0)
        r->container = arena_copy(&r->arena, id);
    if (e == 0)
        e = check_warnings(r, answer, err);
    json_decref(answer);
    return e;
}

/* The runtime that Podman uses it tells in its own words only. Without an answer readback.c finds none, and refuses if
 * one was asked for. */
static void add_podman_runtime(struct run *r, json_t *found)
{
    static const long fine[] = { 200, 404, 500, 0 };
    json_t *own = NULL;
    if (!r->engine.is_podman || json_object_get(found, "OCIRuntime"))
        return;
    (void)engine_call(&r->engine, "GET", arena_printf(&r->arena, "/libpod/containers/%s/json", r->container), NULL,
                      fine, &own, NULL);
    if (json_is_string(json_object_get(own, "OCIRuntime")))
        (void)json_object_set(found, "OCIRuntime", json_object_get(own, "OCIRuntime"));
    json_decref(own);
}

/* An engine whose every container has another kernel: what is known of it holds only when it was asked for. */
static int check_default_runtime(const struct run *r, struct error *err)
{
    const struct container found = { .runtime = r->runtime };
    if (check_is_other_kernel(&r->request->container) || !check_is_other_kernel(&found))
        return 0;
    const char *name = strrchr(found.runtime, '/');
    (void)err_set(err, -ENOTSUP, BLAME_HOST, NULL,
                  "the engine's own runtime is %.200s, whose kernel is another than the host's, and the configuration "
                  "says nothing of it",
                  found.runtime);
    return err_remedy(err,
                      "docker.daemon.runtime: %.100s, and what it lacks in accept_missing (docs/docker.md); or an "
                      "engine with runc or crun",
                      name ? name + 1 : found.runtime);
}

/* Docker's begin with a slash. Another name is another container. */
static int compare_name(const struct run *r, const json_t *found, struct error *err)
{
    const char *name = json_string_value(json_object_get(found, "Name"));
    if (name && str_eq(name + (name[0] == '/'), r->name))
        return 0;
    return err_set(err, -ENOTSUP, BLAME_HOST, "CREATE", "engine: the container is called %.80s, and was to be %.80s",
                   name ? name : "nothing", r->name);
}

int step_create(struct run *r, struct error *err)
{
    json_t *body = NULL, *found = NULL;
    int e = make_body(r, &body, err);
    if (e == 0)
        e = create(r, body, err);
    if (e == 0)
        e = inspect(r, &found, err);
    if (e == 0)
        add_podman_runtime(r, found);
    if (e == 0)
        e = compare_name(r, found, err);
    if (e == 0)
        e = readback_compare(body, found, r->engine.is_podman, accepted_limits(r), err);
    r->told = readback_limits(body, found, r->engine.is_podman);
    const char *runtime = readback_runtime(found, r->engine.is_podman);
    if (runtime)
        r->runtime = arena_copy(&r->arena, runtime);
    if (e == 0)
        e = check_default_runtime(r, err);
    json_decref(body);
    json_decref(found);
    return e;
}

/* --- START ------------------------------------------------------------------------------------------------ */

/* runc and crun name what they could not write: «controller `cpu` is not available», «error setting cgroup config». */
static bool is_about_limits(const struct error *err)
{
    return strcasestr(err->text, "cgroup") || strcasestr(err->text, "controller");
}

#define OTHER_KERNEL_BYTES (64u << 20) /* gVisor of 2022 starts in 24 MiB */

static int explain_start(struct run *r, struct error *err)
{
    if (r->request->shape.apparmor && strcasestr(err->text, "apparmor"))
        return err_remedy(err, "load the profile where the engine runs: apparmor_parser -r /etc/apparmor.d/%s",
                          r->request->shape.apparmor);
    if (!err->remedy[0] && check_is_other_kernel(&r->request->container) && strstr(err->text, "network enabled"))
        return err_remedy(
            err, "register the runtime with runtimeArgs [\"--network=none\"] for containers without a network");
    if (!err->remedy[0] && check_is_other_kernel(&r->request->container) && r->request->shape.memory_bytes &&
        r->request->shape.memory_bytes < OTHER_KERNEL_BYTES)
        return err_remedy(err,
                          "the runtime's own kernel lives in the same memory, and may not have had enough to start: "
                          "give it %u MiB or more (resources.memory, or the memory limit that the run asks for)",
                          OTHER_KERNEL_BYTES >> 20);
    if (!err->remedy[0] && strstr(err->text, "hybrid"))
        return err_remedy(err, "crun refuses a host that has both versions of control groups: let the engine use runc, "
                               "or start the host with cgroup v2 alone "
                               "(systemd.unified_cgroup_hierarchy=1)");
    if (!err->remedy[0] && strstr(err->text, "systemd"))
        return err_remedy(err, "the engine's control groups are to be made by a systemd that it does not reach: start "
                               "it with cgroupfs (dockerd --exec-opt "
                               "native.cgroupdriver=cgroupfs, podman --cgroup-manager cgroupfs), or let it run in a "
                               "session of its user's");
    if (!err->remedy[0] && r->request->container.network && strstr(err->text, "netns"))
        return err_remedy(err, "the engine could not make the container's network (without root: slirp4netns or pasta, "
                               "and /dev/net/tun for its user): see its log, or set "
                               "docker.container.network: none, and such runs have no network");
    if (!err->remedy[0] && is_about_limits(err))
        return check_limits_remedy(err);
    return err->code;
}

static int read_pid(struct run *r, uint64_t *ret, struct error *err)
{
    json_t *found = NULL;
    int e = inspect(r, &found, err);
    json_int_t pid = json_integer_value(json_object_get(json_object_get(found, "State"), "Pid"));
    *ret = pid > 0 ? (uint64_t)pid : 0;
    json_decref(found);
    return e;
}

static int send_plan(struct run *r, struct error *err)
{
    const struct request *q = r->request;
    struct entry_plan *p = arena_zero(&r->arena, sizeof *p);
    if (!p)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    *p = (struct entry_plan){ .argv = q->job.argv,
                              .env = q->job.env,
                              .program = q->job.program,
                              .cwd = q->job.cwd,
                              .deny_tcp = q->shape.deny_tcp,
                              .needs_landlock = check_needs_landlock(q),
                              .report_fd = q->job.report_fd,
                              .nofile_soft = q->shape.nofile_soft,
                              .nofile_hard = q->shape.nofile_hard,
                              .fsize = q->shape.fsize_bytes,
                              .copies = r->copies,
                              .probes = r->probes,
                              .artifact = q->job.artifact,
                              .artifact_max = q->job.artifact_max,
                              .workspace = q->job.workspace,
                              .workspace_max = q->container.workspace_max,
                              .timeout_ms = q->job.timeout_ms,
                              .grace_ms = q->job.grace_ms,
                              .access_count = q->shape.access_count };
    memcpy(p->access, q->shape.access, sizeof p->access);
    if (r->is_watched) {
        p->own_places = r->own_places;
        p->filter = q->shape.filter;
        p->verdicts = q->shape.verdicts;
        p->watch = q->shape.watch;
        p->max_processes = q->shape.watch & NOTIFY_FORKS ? q->shape.max_processes : 0;
    }
    int e = channel_send_fields(&r->talk, FRAME_PLAN, entry_plan_fields, entry_plan_field_count, p);
    return e < 0
               ? err_set(err, e, BLAME_CALLER, NULL, "plan, arguments and environment exceed %u bytes", FRAME_MAX_DOWN)
               : 0;
}

static int start(struct run *r, struct error *err)
{
    static const long started[] = { 200, 204, 304, 0 };
    struct buf begun = { 0 };
    r->talk.fd = engine_attach(&r->engine, r->container, &begun, err);
    int e = r->talk.fd < 0 ? r->talk.fd : 0;
    if (e == 0)
        e = engine_call(&r->engine, "POST", arena_printf(&r->arena, "/containers/%s/start", r->container), NULL,
                        started, NULL, err);
    if (e == 0 && begun.size) /* before PLAN entry says nothing, so this is the engine's own */
        e = err_set(err, -EPROTO, BLAME_HOST, NULL, "engine: attach: %zu bytes before the container was started",
                    begun.size);
    buf_done(&begun);
    return e;
}

static int start_again(struct run *r, struct error *err)
{
    closep(&r->talk.fd);
    *err = (struct error){ 0 };
    int e = container_remove(&r->engine, &r->arena, r->container, err);
    if (e == 0) {
        r->container = NULL;
        e = step_create(r, err);
    }
    return e < 0 ? e : start(r, err);
}

/* That an AppArmor profile is not loaded, or a limit cannot be written, is known when the runtime tries, which is the
 * start: no engine says it before. */
int step_start(struct run *r, struct error *err)
{
    int e = start(r, err);
    if (e < 0 && !r->is_without_apparmor && strcasestr(err->text, "apparmor") && check_may_lack_apparmor(r->request)) {
        r->is_without_apparmor = true;
        e = start_again(r, err);
    }
    if (e < 0 && !r->leaves_out && accepted_limits(r) && is_about_limits(err)) {
        r->leaves_out = accepted_limits(r);
        e = start_again(r, err);
    }
    return e < 0 ? explain_start(r, err) : send_plan(r, err);
}

/* --- FACTS ------------------------------------------------------------------------------------------------ */

/* What it cannot limit an engine says nowhere else: its answer to create and its word on the container repeat what was
 * asked (Docker 20.10 without root). */
static int ask_for_limits(struct run *r, struct error *err)
{
    static const long ok[] = { 200, 0 };
    static const struct {
        const char *member;
        enum feature feature;
    } words[] = { { "MemoryLimit", FEATURE_MEMORY }, { "CpuCfsQuota", FEATURE_CPU }, { "PidsLimit", FEATURE_PIDS } };
    json_t *info = NULL;
    int e = engine_call(&r->engine, "GET", "/info", NULL, ok, &info, err);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (!json_is_true(json_object_get(info, words[i].member)))
            r->told &= ~(UINT32_C(1) << words[i].feature);
    json_decref(info);
    return e;
}

/* The filter that asks cannot be had in there: the container is made anew with an engine's filter that refuses all
 * itself, and what is not seen the result says. */
static int give_up_watching(struct run *r, struct error *err)
{
    r->is_watched = false;
    r->watch_error = r->facts.watch_error;
    r->has_facts = false;
    buf_done(&r->facts_bytes);
    buf_init(&r->facts_bytes, FRAME_MAX_UP);
    channel_done(&r->talk);
    int e = channel_init(&r->talk);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "no memory");
    e = start_again(r, err);
    if (e == 0)
        e = send_plan(r, err);
    return e < 0 ? e : live_wait_facts(r, err);
}

int step_facts(struct run *r, struct error *err)
{
    uint64_t pid = 0;
    int e = live_wait_facts(r, err);
    if (e == 0 && r->is_watched && r->facts.watch_error)
        e = give_up_watching(r, err);
    if (e == 0)
        e = read_pid(r, &pid, err);
    if (e < 0)
        return e;
    group_open(&r->group, pid, r->container, r->facts.ns[ENTRY_NS_PID]);
    if (r->group.kind == CGROUP_NONE && !r->group.is_shared && (e = ask_for_limits(r, err)) < 0)
        return e;
    group_read_limits(&r->group, &r->limits);
    host_facts_read(&r->host);
    struct check_input in = { .request = r->request,
                              .host = &r->host,
                              .facts = &r->facts,
                              .group_kind = r->group.kind,
                              .limits = &r->limits,
                              .container = r->container,
                              .volume = r->volume,
                              .told = r->told,
                              .is_shared = r->group.is_shared,
                              .is_watched = r->is_watched,
                              .watch_error = r->watch_error };
    turn_end(&r->turn); /* what is left to do is not the engine's */
    return check_run(&in, &r->checked, err);
}
