#include "engine/run.h"

#include <signal.h>
#include <stdio.h>
#include "base/clock.h"
#include "engine/reason.h"
#include "engine/volume.h"

/* --- the client's patience --------------------------------------------------------------------------------- */

/* Reads what the client says. */
static uint64_t listen_to_client(void *context, struct pollfd out[static ENGINE_CALLER_POLLS])
{
    static_assert(ENGINE_CALLER_POLLS == CONTROL_POLLS, "the client is all there is to listen to");
    struct run *r = context;
    const struct control *c = r->control;
    peer_look(r->control);
    peer_polls(c, out);
    const uint64_t now = clock_ms(), until_ms = r->until_ms;
    if (!until_ms && !peer_wants_end(c))
        return UINT64_MAX;
    if (!until_ms)
        return r->until_ms = now + (r->is_cleaning ? c->cleanup_grace_ms : c->call_grace_ms);
    if (now >= until_ms && !r->is_silent) {
        r->is_silent = true;
        r->until_ms = r->is_cleaning ? until_ms : now + c->call_grace_ms; /* for all that is left to do */
    }
    return until_ms;
}

static void begin_cleaning(struct run *r)
{
    bool is_lost = r->forced != REASON_COMPLETED &&
                   !r->has_ended; /* its end, which was wanted, the engine has not told */
    r->is_cleaning = true;
    if ((r->until_ms || is_lost) && !r->is_silent)
        r->until_ms = clock_ms() + r->control->cleanup_grace_ms;
}

/* --- steps ------------------------------------------------------------------------------------------------ */

static const struct step {
    const char *name;
    int (*run)(struct run *r, struct error *err);
} steps[] = { { "ENGINE", step_engine }, { "IMAGE", step_image }, { "NETWORK", step_bridge },
              { "TURN", step_turn },     { "CODE", step_code },   { "CREATE", step_create },
              { "START", step_start },   { "FACTS", step_facts }, { "RUN", live } };

static void note_step(struct run *r, const char *name)
{
    r->steps[r->step_count++] = (struct step_time){ name, clock_us() - r->start_us };
}

static bool is_wanted(struct run *r)
{
    peer_look(r->control);
    if (r->control->killed != REASON_COMPLETED)
        r->forced = r->control->killed;
    if (r->control->is_leaving)
        r->forced = REASON_KILLED;
    return r->forced == REASON_COMPLETED;
}

static void walk(struct run *r)
{
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct error err = { 0 };
        if (!is_wanted(r))
            return;
        if (steps[i].run(r, &err) < 0) {
            if (!err.step[0])
                (void)snprintf(err.step, sizeof err.step, "%s", steps[i].name);
            if (!is_wanted(r) && err.code == -ECANCELED && !r->is_silent)
                return;
            r->err = err;
            return;
        }
        note_step(r, steps[i].name);
    }
}

/* --- what is left ----------------------------------------------------------------------------------------- */

/* Podman keeps a container that no process listens to from being killed while its output is full: closed first. */
static void let_go(struct run *r)
{
    static const long fine[] = { 200, 204, 304, 404, 409, 500, 0 };
    if (r->has_ended && r->talk.fd >= 0)
        (void)channel_send(&r->talk, FRAME_BYE, NULL, 0);
    channel_done(&r->talk);
    if (r->container && !r->request->container.removes && !r->has_ended) /* it stays, and does not run */
        (void)engine_call(&r->engine, "POST", arena_printf(&r->arena, "/containers/%s/kill?signal=KILL", r->container),
                          NULL, fine, NULL, NULL);
}

/* A container of a living owner is not swept: what could not be removed is tried again at the next run. */
static void remember(struct run *r, const char *kind, const char *name, const struct error *err)
{
    (void)strlist_addf(&r->control->left, "%s/%s", kind, name);
    (void)strlist_addf(&r->checked.missing, "cleanup: %s %.40s could not be removed, and will be: %s", kind, name,
                       err->text);
}

/* The engine hung, so no process has ended the program. */
static void tell_of_survivor(struct run *r)
{
    if (r->has_started && !r->has_ended)
        (void)strlist_add(&r->checked.missing, "cleanup: it is unknown whether the program has ended: the engine did "
                                               "not answer when it was told to end it");
}

static void remove_all(struct run *r)
{
    struct error err = { 0 };
    bool keeps = r->has_started && !r->request->container.removes;
    if (!r->has_engine || keeps)
        return;
    bool is_stuck = r->container && container_remove(&r->engine, &r->arena, r->container, &err) < 0;
    if (is_stuck) {
        remember(r, "containers", r->container, &err);
        tell_of_survivor(r);
    }
    if (r->volume && is_stuck) /* it is in use */
        remember(r, "volumes", r->volume, &err);
    else if (r->volume && volume_remove(&r->engine, &r->arena, r->volume, &err) < 0)
        remember(r, "volumes", r->volume, &err);
    note_step(r, "REMOVE");
}

/* --- the outcome ------------------------------------------------------------------------------------------ */

static bool was_oom_killed(struct run *r)
{
    static const long fine[] = { 200, 404, 0 };
    json_t *found = NULL;
    if (!r->has_started || r->err.code || (r->has_ended && r->group.kind != CGROUP_NONE))
        return false;
    (void)engine_call(&r->engine, "GET", arena_printf(&r->arena, "/containers/%s/json", r->container), NULL, fine,
                      &found, NULL);
    bool answer = json_is_true(json_object_get(json_object_get(found, "State"), "OOMKilled"));
    json_decref(found);
    return answer;
}

static enum run_reason decide(struct run *r)
{
    struct reason_facts f = { .forced = r->forced,
                              .has_started = r->has_started,
                              .has_ended = r->has_ended,
                              .end = r->end,
                              .oom_kills = r->usage.oom_kills,
                              .pids_hits = r->usage.pids_hits };
    if (f.forced == REASON_COMPLETED)
        f.was_oom_killed = was_oom_killed(r);
    if (f.was_oom_killed && !r->usage.oom_kills) /* counted in a group that is gone */
        r->usage.oom_kills = 1;
    enum run_reason reason = reason_decide(&f);
    if (reason == REASON_SANDBOX_ERROR && !r->err.code) {
        (void)err_set(&r->err, -EPIPE, BLAME_HOST, "ENGINE",
                      "the engine ended the connection to the container before the program had ended%s%.200s",
                      r->talk.words[0] ? ": " : "", r->talk.words);
        (void)err_remedy(&r->err, "see the engine's log: did it stop, or was the container removed?");
    }
    return reason;
}

static uint64_t since(uint64_t now, uint64_t before)
{
    return now - MIN_OF(now, before);
}

/* Before BYE: afterwards the control group is gone. */
static void read_usage(struct run *r)
{
    if (!r->has_started)
        return;
    struct group_usage now = { 0 };
    if (!r->has_ended) /* otherwise END came with it, before the workspace's files were read */
        group_read_usage(&r->group, &now);
    if (now.cpu_us) /* otherwise the engine was faster to remove the group, and the last sample has to do */
        r->usage = now;
    r->usage.cpu_us = since(r->usage.cpu_us, r->before.cpu_us);
    r->usage.oom_kills = (uint32_t)since(r->usage.oom_kills, r->before.oom_kills);
    r->usage.pids_hits = (uint32_t)since(r->usage.pids_hits, r->before.pids_hits) + r->forks.refused;
}

/* Of a limit that does not hold: 0. */
static void fill_limits(const struct run *r, struct outcome *o)
{
    const struct shape *s = &r->request->shape;
    bool is_seen = r->group.kind != CGROUP_NONE;
    o->memory_bytes = is_seen                                     ? r->limits.memory_bytes
                      : r->checked.features >> FEATURE_MEMORY & 1 ? s->memory_bytes
                                                                  : 0;
    o->cpu_milli = is_seen ? r->limits.cpu_milli : r->checked.features >> FEATURE_CPU & 1 ? s->cpu_milli : 0;
    o->pids = r->checked.features >> FEATURE_PIDS & 1 ? s->pids : 0;
}

static void fill_force(const struct run *r, struct outcome *o)
{
    o->features = r->checked.features;
    o->cgroup = (uint8_t)r->group.kind;
    o->landlock_abi = r->checked.landlock_abi;
    o->host_uid = r->group.host_uid; /* without a mapping it is known anyway */
    if (o->host_uid == UINT32_MAX && !(r->checked.features >> FEATURE_USER_NS & 1))
        o->host_uid = r->request->shape.uid;
    fill_limits(r, o);
}

/* Killed by us: natively its init dies with it, and tells of no signal. */
static bool has_own_signal(const struct run *r)
{
    const bool is_ours = r->end.signal == SIGKILL && (r->is_killed || r->end.is_killed);
    return r->has_ended && r->end.has_signal && !is_ours;
}

static void fill_end(const struct run *r, struct outcome *o)
{
    bool is_whole = r->has_ended && r->end.has_exit && r->end.exit_code == 0 &&
                    r->end.artifact_bytes == r->artifact_bytes;
    o->has_exit = r->has_ended && r->end.has_exit;
    o->has_signal = has_own_signal(r);
    o->exit_code = o->has_exit ? r->end.exit_code : 0;
    o->signal = o->has_signal ? r->end.signal : 0;
    o->artifact_bytes = is_whole ? r->artifact_bytes : 0;
    o->cpu_us = r->usage.cpu_us;
    o->peak_memory_bytes = r->usage.peak_memory_bytes;
    o->oom_kills = r->usage.oom_kills;
    o->pids_hits = r->usage.pids_hits;
}

static void answer(struct run *r, enum run_reason reason, uint64_t ended_us)
{
    struct outcome o = { .reason = (uint8_t)reason,
                         .duration_us = ended_us - (r->has_started ? r->go_us : r->start_us) };
    if (r->has_started) {
        o.ready_us = o.started_us = r->go_us - r->start_us;
        fill_force(r, &o);
        fill_end(r, &o);
        o.memory_mib_ms = integral_end(r->memory, r->go_us, ended_us, o.peak_memory_bytes);
    }
    if (r->image)
        o.engine = arena_printf(&r->arena, "%s, %s, image %s", r->engine.name,
                                r->runtime ? r->runtime : "runtime not known", r->image);
    if (r->err.code)
        outcome_set_error(&o, &r->err);
    o.missing = r->checked.missing;
    if (r->request->job.wants_timings) {
        o.step_count = r->step_count;
        memcpy(o.steps, r->steps, sizeof o.steps);
    }
    peer_answer(r->control, r->request->tag, &o);
}

/* --- life ------------------------------------------------------------------------------------------------- */

static void init(struct run *r, struct control *control, struct request *q)
{
    *r = (struct run){
        .control = control, .request = q, .forced = REASON_COMPLETED, .start_us = clock_us(), .turn = { -1 }
    };
    r->caller = (struct engine_caller){ r, listen_to_client };
    r->is_watched = q->shape.verdicts.size && q->container.seccomp_watched.size &&
                    !check_is_other_kernel(&q->container);
    pathfile_init(&r->seccomp);
    group_init(&r->group);
    if (channel_init(&r->talk) < 0)
        abort();
    collected_init(&r->kept, q->job.workspace != NULL, q->container.workspace_max);
    buf_init(&r->facts_bytes, FRAME_MAX_UP);
    buf_init(&r->events, 2 * FRAME_MAX_UP); /* of one read of the connection */
    for (enum flow f = 0; f < FLOW_COUNT; f++)
        buf_init(&r->flows[f], 4 * FRAME_MAX_UP);
}

static void done(struct run *r)
{
    turn_end(&r->turn);
    collected_done(&r->kept);
    channel_done(&r->talk);
    group_close(&r->group);
    pathfile_done(&r->seccomp);
    for (enum flow f = 0; f < FLOW_COUNT; f++)
        buf_done(&r->flows[f]);
    buf_done(&r->facts_bytes);
    buf_done(&r->events);
    strlist_done(&r->checked.missing);
    strlist_done(&r->copies);
    strlist_done(&r->probes);
    strlist_done(&r->own_places);
    json_decref(r->labels);
    if (r->has_engine)
        engine_close(&r->engine);
    arena_done(&r->arena);
}

/* A call that was given up may yet be carried out. */
static bool may_have_left(const struct run *r)
{
    return r->has_engine &&
           (r->is_silent || r->control->left.count || r->err.code == -ETIMEDOUT || r->err.code == -ECONNRESET);
}

static void close_fds(struct request *q)
{
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&q->fds[i]);
}

void container_run(struct control *control, struct request *q)
{
    struct run *r = calloc(1, sizeof *r);
    if (!r)
        abort(); /* the client sees the end of file */
    init(r, control, q);
    if (request_check(q, &r->err) == 0)
        walk(r);
    turn_end(&r->turn);
    uint64_t ended_us = r->ended_us ? r->ended_us : clock_us();
    read_usage(r);
    if (r->has_started)
        collected_send(&r->kept, q->fds[RUN_FD_WORKSPACE]);
    enum run_reason reason = decide(r);
    begin_cleaning(r);
    let_go(r);
    close_fds(q); /* the client's pipes end before it has its answer */
    remove_all(r);
    control->is_engine_away = !r->has_engine || r->is_silent || r->err.code == -ETIMEDOUT;
    answer(r, reason, ended_us);
    if (may_have_left(r))
        peer_retire(control);
    done(r);
    free(r);
}
