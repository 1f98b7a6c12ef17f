#include "run/artifacts.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "audit/dir.h"
#include "base/kernel.h"
#include "run/locations.h"

void plan_hash(const struct plan *p, char out[static 65])
{
    struct buf b;
    struct job job = p->job;
    job.id = NULL;
    job.wants_timings = false;
    buf_init(&b, 2 * PLAN_MAX_MESSAGE);
    pack_run(&b, 0, &p->shape, &job);
    audit_hash(b.data, b.size, out);
    buf_done(&b);
}

uint64_t keep_max(const struct config *c)
{
    return c->security.store_artifacts.enabled ? c->security.store_artifacts.max_size : 0;
}

const char *keep_path(const struct trail *t, const struct config *c, struct arena *a)
{
    if (c->security.store_artifacts.path)
        return locations_below(c->security.store_artifacts.path, trail_dir(t), a);
    return arena_printf(a, "%s/artifacts", trail_dir(t));
}

static void complain(struct keep *k, const struct error *err)
{
    (void)fprintf(stderr, "sandbox-agent: artifacts: %s\n", err->text);
    k->is_on = false;
}

/* The environment by its names: a value may be a secret. */
static int add_plan(struct keep *k, const struct plan *p, const struct compiled *policy, struct error *err)
{
    struct plan shown = *p;
    struct buf text;
    shown.job.env = (struct strlist){ 0 };
    STRLIST_FOREACH(pair, &p->job.env)
    (void)strlist_addf(&shown.job.env, "%.*s=(not kept)", (int)strcspn(pair, "="), pair);
    buf_init(&text, 4 * MIB);
    plan_print_json(&shown, policy, false, &text);
    int e = artifacts_add(&k->store, "plan", "plan.json", text.data, text.size, err);
    buf_done(&text);
    strlist_done(&shown.job.env);
    return e;
}

int keep_code(struct keep *k, const struct trail *t, const struct config *c, const struct run_request *r,
              const char *execution_id, struct arena *a)
{
    struct error err = { 0 };
    if (!c->security.store_artifacts.enabled || !t->is_open)
        return 0;
    int e = artifacts_open(&k->store, keep_path(t, c, a), c->security.store_artifacts.max_size, execution_id, a, &err);
    k->is_on = e == 0;
    if (e == 0 && r->code)
        e = artifacts_add(&k->store, "code", language_names[r->language], r->judged, r->judged_size, &err);
    if (e < 0)
        complain(k, &err);
    return e;
}

void keep_begin(struct keep *k, const struct trail *t, const struct compiled *policy, const struct run_request *r,
                const struct plan *p, const char *execution_id, struct arena *a)
{
    struct error err = { 0 };
    k->planted = &policy->profile.monitoring.canaries;
    if (keep_code(k, t, &policy->config, r, execution_id, a) == 0 && k->is_on && add_plan(k, p, policy, &err) < 0)
        complain(k, &err);
}

static bool add_file(void *ctx, const char *name, const void *data, uint64_t size)
{
    struct keep *k = ctx;
    struct error err = { 0 };
    for (const char *path = k->planted ? strlist_first(k->planted) : NULL; path; path = strlist_next(k->planted, path))
        if (str_eq(path + strlen("/workspace/"), name))
            return true; /* ours, not the program's */
    if (artifacts_add(&k->store, "workspace", name, data, size, &err) < 0)
        complain(k, &err);
    return k->is_on;
}

static void add_workspace(struct keep *k, struct workspace *w)
{
    struct workspace_rest rest = { 0 };
    if (w->sock < 0)
        return; /* its profile has none */
    int e = workspace_read(w, k->store.max_bytes, add_file, k, &rest);
    if (e < 0) {
        artifacts_leave_out(&k->store, "workspace", "(all files)", 0,
                            e == -EBADMSG ? "what the container handed out is malformed"
                                          : "the sandbox handed no directory out");
        return;
    }
    struct buf words;
    buf_init(&words, KIB);
    workspace_rest_words(&rest, &words);
    if (words.size && k->is_on)
        artifacts_leave_out(&k->store, "workspace", "(further files)", rest.bytes, words.data);
    buf_done(&words);
}

void keep_end(struct keep *k, const struct stream *s, struct workspace *w)
{
    static const char *const names[] = { "stdout", "stderr" };
    struct error err = { 0 };
    int e = 0;
    if (!k->is_on)
        return;
    for (size_t i = 0; i < 2 && s && e == 0; i++)
        if (s->out[i].seen)
            e = artifacts_add(&k->store, names[i], names[i], s->out[i].kept.data, s->out[i].kept.size, &err);
    if (e == 0 && w)
        add_workspace(k, w);
    if (e == 0 && k->is_on)
        e = artifacts_close(&k->store, &err);
    if (e < 0)
        complain(k, &err);
}

#define DAY_MS (24 * 3600 * UINT64_C(1000))

/* The mark is a file whose time says when. False: not yet due, or somebody else is at it. */
static bool sweep_is_due(const char *path, uint64_t now_ms)
{
    struct stat st;
    cleanup(closep) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dir);
    cleanup(closep) int fd = dir < 0 ? -1 : openat(dir, ".swept", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &st) < 0)
        return false;
    uint64_t marked_ms = (uint64_t)st.st_mtim.tv_sec * 1000;
    bool is_new = st.st_size == 0; /* nothing here can be old */
    if (!is_new && marked_ms <= now_ms && now_ms - marked_ms < DAY_MS)
        return false;
    return pwrite(fd, "1", 1, 0) == 1 && !is_new; /* which sets the time */
}

static _Noreturn void sweep_apart(const char *path, uint64_t before_ms)
{
    struct sweep_result removed;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)setsid();
    (void)signal(SIGHUP, SIG_IGN);
    for (int fd = 0; fd < 3; fd++)
        (void)dup2(null, fd); /* whoever waits for the end of our output must not wait for this */
    (void)sys_close_range(3, ~0u);
    (void)artifacts_sweep(path, before_ms, &removed, NULL); /* what fails now is tried again tomorrow */
    _exit(0);
}

uint64_t keep_sweep(const struct keep *k, const struct config *c)
{
    uint64_t now_ms = wall_clock_ms(), kept_ms = c->security.store_artifacts.retention_days * DAY_MS;
    if (!k->store.path || now_ms <= kept_ms || !sweep_is_due(k->store.path, now_ms))
        return 0;
    pid_t pid = fork();
    if (pid == 0)
        sweep_apart(k->store.path, now_ms - kept_ms);
    return pid > 0 ? now_ms - kept_ms : 0;
}
