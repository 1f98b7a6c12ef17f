/* artifacts_api.c - what was kept of an execution: the list of its artifacts, and each. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "audit/dsse.h"
#include "audit/manifest.h"
#include "audit/seal.h"
#include "base/json.h"
#include "daemon/content_bundle.h"
#include "daemon/download.h"
#include "daemon/executions.h"
#include "daemon/routes.h"
#include "daemon/run_api.h"

#define END_PATIENCE_MS 5000u /* artifacts are written when the answer is out */

/* Whose execution it is, in memory or in the store, and when it was accepted. 1, 0: the caller sees none. */
static int look_up(struct call *c, bool waits, uint64_t *ret_accepted_ms, struct error *err)
{
    struct service *v = c->service;
    struct execution *e = executions_find(v->executions, c->parts[0]);
    struct execution_row row;
    bool is_there = false;
    int r = 0;
    if (e) {
        is_there = caller_may_see(c->caller, e->key_id);
        *ret_accepted_ms = e->accepted_ms;
        if (is_there && waits)
            (void)execution_wait(e, true, END_PATIENCE_MS, c->request->fd);
        (void)execution_unref(e);
    } else {
        (void)pthread_mutex_lock(&v->store_lock);
        r = store_execution_get(v->store, c->parts[0], &row, err);
        is_there = r == 1 && caller_may_see(c->caller, row.key_id);
        *ret_accepted_ms = is_there ? row.accepted_ms : 0;
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    return r < 0 ? r : is_there;
}

/* What is kept: on this node's disk, or else in the content store. */
struct kept {
    struct buf manifest;
    int dir; /* -1: in the store */
    char day[CONTENT_DAY_SIZE];
    struct content_bundle bundle;
};

static void kept_done(struct kept *k)
{
    closep(&k->dir);
    buf_done(&k->manifest);
    content_bundle_done(&k->bundle);
}

static int open_shared(struct call *c, struct kept *k, struct error *err)
{
    struct error why = { 0 };
    const int e = content_bundle_read(c->service->content, k->day, c->parts[0], &k->bundle, &why);
    if (e == 0 && buf_add(&k->manifest, k->bundle.manifest.data, k->bundle.manifest.size) < 0)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0 && e != -ENOENT)
        *err = why;
    return e == -ENOENT ? err->code : e;
}

/* Waits for its end where it is about to end. kept_done() in any case. */
static int open_kept(struct call *c, struct kept *k, struct error *err)
{
    uint64_t accepted_ms = 0;
    *k = (struct kept){ .dir = -1 };
    int e = look_up(c, true, &accepted_ms, err);
    if (e == 0)
        e = err_set(err, -ENOENT, BLAME_CALLER, NULL, "no execution %s", c->parts[0]);
    if (e < 0)
        return e;
    content_day(accepted_ms, k->day);
    e = manifest_open(c->service->places.artifacts_dir, c->parts[0], &k->dir, &k->manifest, err);
    if (e != -ENOENT || !c->service->content)
        return e;
    buf_done(&k->manifest);
    buf_init(&k->manifest, CONTENT_MAX);
    return open_shared(c, k, err);
}

bool run_artifacts_are_shared(struct call *c)
{
    struct error ignored = { 0 };
    uint64_t accepted_ms = 0;
    char day[CONTENT_DAY_SIZE];
    if (!c->service->content || look_up(c, false, &accepted_ms, &ignored) < 1)
        return false;
    content_day(accepted_ms, day);
    return content_bundle_is_there(c->service->content, day, c->parts[0]);
}

/* --- the receipt ---------------------------------------------------------------------------------- */

/* As it is kept, or, where it is sealed only, signed now. */
static int sign_receipt(struct service *v, struct slice kept, struct buf *out, struct error *err)
{
    struct trail trail = { .shared = &v->trail };
    struct audit_key key;
    struct audit_head head;
    buf_init(out, 2 * DSSE_MAX_BYTES);
    if (!seal_is_one(kept.p, kept.size))
        return buf_add(out, kept.p, kept.size) == 0 && buf_addc(out, '\n') == 0
                   ? 0
                   : err_set(err, -ENOMEM, BLAME_HOST, "RECEIPT", "no memory");
    int e = trail_key(&trail, &key, &head, err);
    if (e < 0)
        return e;
    e = seal_sign(&key, kept.p, kept.size, out);
    key_done(&key);
    if (e < 0)
        return err_set(err, e, BLAME_US, "RECEIPT", "the receipt cannot be signed: %s",
                       e == -EKEYREJECTED ? "the audit has another key now than when the run was sealed"
                       : e == -EBADMSG    ? "what is kept of it was changed since the run"
                                          : strerror(-e));
    return 0;
}

/* In the list, too, a receipt is signed; one that cannot be keeps nothing else from being listed. */
void run_artifacts_sign(struct service *v, struct buf *manifest)
{
    struct slice kept;
    struct buf receipt = { 0 }, whole;
    struct error err = { 0 };
    if (!manifest_receipt(manifest, &kept) || !seal_is_one(kept.p, kept.size))
        return;
    int e = sign_receipt(v, kept, &receipt, &err);
    const char *behind = kept.p + kept.size;
    buf_init(&whole, manifest->size + receipt.size + sizeof err.text * 6);
    (void)buf_add(&whole, manifest->data, (size_t)(kept.p - manifest->data));
    if (e == 0)
        (void)buf_add(&whole, receipt.data, receipt.size - 1); /* its newline */
    else
        (void)buf_adds(&whole, "null,\"receipt_error\":"), json_put_string(&whole, err.text);
    (void)buf_add(&whole, behind, manifest->size - (size_t)(behind - manifest->data));
    buf_done(manifest);
    buf_done(&receipt);
    *manifest = whole;
}

void run_artifacts(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct kept k;
    if (open_kept(c, &k, &err) < 0) {
        call_refuse(c, a, &err);
    } else {
        if (k.dir >= 0) /* its own node has signed it otherwise */
            run_artifacts_sign(c->service, &k.manifest);
        a->status = 200;
        a->body = k.manifest;
        k.manifest = (struct buf){ 0 };
    }
    kept_done(&k);
}

void run_receipt(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct kept k;
    struct slice receipt;
    int e = open_kept(c, &k, &err);
    if (e == 0 && !manifest_receipt(&k.manifest, &receipt))
        e = err_set(&err, -ENOENT, BLAME_CALLER, NULL, "this execution has no receipt (security.receipts)");
    if (e == 0)
        e = sign_receipt(c->service, receipt, &a->body, &err);
    if (e < 0) {
        buf_done(&a->body);
        call_refuse(c, a, &err);
    } else {
        a->status = 200;
        a->content_type = "application/vnd.dsse.envelope.v1+json";
    }
    kept_done(&k);
}

/* --- one artifact ----------------------------------------------------------------------------------- */

static int open_content(struct call *c, const struct kept *k, const char *name, struct error *err)
{
    char hash[65];
    bool is_left_out;
    if (!manifest_find(&k->manifest, name, hash, &is_left_out))
        return err_set(err, -ENOENT, BLAME_CALLER, NULL, "no artifact %s%s", name,
                       is_left_out ? ": it was left out, the list says why" : "");
    if (k->dir < 0)
        return content_bundle_open(c->service->content, &k->bundle, k->day, c->parts[0], hash,
                                   c->service->places.state_dir, err);
    int fd = openat(k->dir, hash, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    return fd < 0 ? err_set(err, -errno, BLAME_HOST, "ARTIFACTS", "%s: %m", name) : fd;
}

void run_artifact(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct kept k;
    int fd = -1, e = open_kept(c, &k, &err);
    if (e == 0)
        e = fd = open_content(c, &k, c->parts[1], &err);
    kept_done(&k);
    if (e >= 0 && !download_answer(a, fd, UINT64_MAX))
        e = err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0)
        call_refuse(c, a, &err);
    else
        a->status = 200;
}
