#include "run/artifacts.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "audit/dir.h"
#include "run/locations.h"
#include "run/output_dir.h"

void plan_hash(const struct plan *p, char out[static 65])
{
    struct buf b;
    struct job job = p->job;
    job.id = NULL;
    job.wants_timings = false;
    buf_init(&b, 2 * PLAN_MAX_MESSAGE);
    if (p->is_remote)
        pack_remote_run(&b, 0, &p->remote, &job);
    else
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
    if (k->copy_dir >= 0 && !k->copy_error.code)
        (void)output_dir_add(k->copy_dir, name, data, size, &k->copy_error);
    if (k->is_on && artifacts_add(&k->store, "workspace", name, data, size, &err) < 0)
        complain(k, &err);
    return k->is_on || k->copy_dir >= 0;
}

/* Not all that the program left is there: for the list, and for a user who wants copies. */
static void leave_out(struct keep *k, int code, const char *name, uint64_t bytes, const char *why)
{
    if (k->is_on)
        artifacts_leave_out(&k->store, "workspace", name, bytes, why);
    if (k->copy_dir >= 0 && !k->copy_error.code)
        (void)err_set(&k->copy_error, code, BLAME_HOST, NULL, "--output-dir: %s left out: %s", name, why);
}

static void add_workspace(struct keep *k, struct workspace *w)
{
    struct workspace_rest rest = { 0 };
    if (w->sock < 0)
        return; /* its profile has none */
    int e = workspace_read(w, k->copy_dir >= 0 ? k->copy_max : k->store.max_bytes, add_file, k, &rest);
    if (e < 0) {
        leave_out(k, -EIO, "(all files)", 0,
                  e == -EBADMSG ? "what the container handed out is malformed" : "the sandbox handed no directory out");
        return;
    }
    struct buf words;
    buf_init(&words, KIB);
    workspace_rest_words(&rest, &words);
    if (words.size)
        leave_out(k, -ENODATA, "(further files)", rest.bytes, words.data);
    buf_done(&words);
}

void keep_end(struct keep *k, const struct stream *s, struct workspace *w)
{
    static const char *const names[] = { "stdout", "stderr" };
    struct error err = { 0 };
    int e = 0;
    for (size_t i = 0; i < 2 && s && e == 0 && k->is_on; i++)
        if (s->out[i].seen)
            e = artifacts_add(&k->store, names[i], names[i], s->out[i].kept.data, s->out[i].kept.size, &err);
    if (e == 0 && w && (k->is_on || k->copy_dir >= 0))
        add_workspace(k, w);
    if (e < 0)
        complain(k, &err);
}

void keep_close(struct keep *k, const struct buf *receipt)
{
    struct error err = { 0 };
    if (!k->is_on) {
        artifacts_drop(&k->store); /* what could not be kept was said */
        return;
    }
    k->store.receipt = receipt->size ? receipt->data : NULL;
    k->store.receipt_size = receipt->size && receipt->data[receipt->size - 1] == '\n' ? receipt->size - 1
                                                                                      : receipt->size;
    if (artifacts_close(&k->store, &err) < 0)
        complain(k, &err);
}
