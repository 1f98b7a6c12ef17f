#include "base/clock.h"
#include "run/backend.h"
#include "run/exec.h"
#include "run/lend.h"
#include "run/sweep.h"

static const struct exec_host borrowing;

#define DAY_MS (24 * 3600 * UINT64_C(1000))

static const char *program_of(struct exec *s, enum config_backend backend)
{
    return arena_printf(s->arena, "%s/%s", s->paths->libexec, backend_of(backend)->program);
}

static int start(struct exec *s, enum config_backend backend, struct error *err)
{
    s->started = backend;
    return client_start(&s->client, program_of(s, backend), err);
}

/* From now on it is as if nobody had lent anything. */
static int start_own(struct exec *s, enum config_backend backend, struct error *err)
{
    client_stop(&s->client);
    closep(&s->lender);
    s->host = &exec_one_shot;
    s->plan.job.may_reuse = false;
    return start(s, backend, err);
}

int exec_start_launcher(struct exec *s, struct error *err)
{
    /* the configuration may know better, but it is not read yet */
    const enum config_backend backend = s->options.has_backend ? s->options.backend : BACKEND_NATIVE;
    if (backend == BACKEND_NATIVE && !s->options.direct)
        s->lender = lend_begin(program_of(s, backend));
    if (s->lender < 0)
        return start(s, backend, err);
    s->started = backend;
    s->host = &borrowing;
    return 0;
}

static int one_shot_connect(struct exec *s, enum config_backend backend, struct error *err)
{
    if (s->client.sock < 0 || s->started == backend)
        return 0;
    return start_own(s, backend, err);
}

/* The answer came while files and policy were read. */
static int connect_lent(struct exec *s, enum config_backend backend, struct error *err)
{
    if (backend != BACKEND_NATIVE)
        return start_own(s, backend, err);
    const bool is_connected = s->client.sock >= 0 || lend_end(s->lender, program_of(s, backend), &s->client);
    return is_connected ? 0 : start_own(s, backend, err);
}

/* The service's launcher died, or what waited did, and nothing was begun. */
static int reconnect(struct exec *s, struct error *err)
{
    return start_own(s, BACKEND_NATIVE, err);
}

static bool claim(struct exec *s, struct instance *ret)
{
    struct plan park;
    if (exec_is_debug(s) || !exec_park(s, &park)) /* --debug: as with slots (exec.c) */
        return false;
    const bool is_given = lend_claim(s->lender, &park, ret);
    plan_done(&park);
    if (!is_given)
        return false;
    client_stop(&s->client);
    s->client = ret->client;
    return true;
}

static int one_shot_opened(struct exec *s, struct error *err)
{
    return learn_recovered(&s->judgement, &s->trail, wall_clock_ms(), err);
}

/* Once an hour: what is too old, or too much. */
static void one_shot_tidied(struct exec *s)
{
    const struct config *c = &s->policy.config;
    uint64_t now_ms = wall_clock_ms(), kept_ms = c->security.store_artifacts.retention_days * DAY_MS, removed;
    struct sweep sweep;
    struct error ignored = { 0 }; /* in an hour, then */
    if (!s->trail.is_open)
        return;
    sweep_init(&sweep, &s->trail, c, s->paths, s->arena);
    sweep_add_level(&sweep, &s->policy.profile, s->arena);
    if (!sweep_is_due(&sweep, now_ms))
        return;
    sweep_apart(&sweep, c, now_ms);
    if (now_ms > kept_ms && store_is_open(&s->judgement.ledger))
        (void)store_prune(&s->judgement.ledger, now_ms - kept_ms, &removed, &ignored);
}

static void one_shot_done(struct exec *s)
{
    client_stop(&s->client);
    closep(&s->lender);
    closep(&s->stream.stop);
}

const struct exec_host exec_one_shot = {
    .is_interactive = true,
    .connect = one_shot_connect,
    .opened = one_shot_opened,
    .judged = exec_open_log, /* also of a run that is refused; a service opens it while the sandbox starts */
    .tidied = one_shot_tidied,
    .done = one_shot_done,
};

static const struct exec_host borrowing = {
    .is_interactive = true,
    .connect = connect_lent,
    .reconnect = reconnect,
    .claim = claim,
    .opened = one_shot_opened,
    .judged = exec_open_log,
    .tidied = one_shot_tidied,
    .done = one_shot_done,
};
