/* artifacts_api.c - what was kept of an execution: the list of its artifacts, and each. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "audit/dsse.h"
#include "audit/manifest.h"
#include "audit/seal.h"
#include "base/json.h"
#include "daemon/download.h"
#include "daemon/executions.h"
#include "daemon/routes.h"
#include "daemon/run_api.h"

#define END_PATIENCE_MS 5000u /* artifacts are written when the answer is out */

/* Whose execution it is, in memory or in the store; waits for its end where it is about to end. */
static int check_owner(struct call *c, struct error *err)
{
    struct service *v = c->service;
    struct execution *e = executions_find(v->executions, c->parts[0]);
    struct execution_row row;
    bool is_there = false;
    int r = 0;
    if (e) {
        is_there = caller_may_see(c->caller, e->key_id);
        if (is_there)
            (void)execution_wait(e, true, END_PATIENCE_MS, c->request->fd);
        (void)execution_unref(e);
    } else {
        (void)pthread_mutex_lock(&v->store_lock);
        r = store_execution_get(v->store, c->parts[0], &row, err);
        is_there = r == 1 && caller_may_see(c->caller, row.key_id);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    if (r >= 0 && !is_there)
        r = err_set(err, -ENOENT, BLAME_CALLER, NULL, "no execution %s", c->parts[0]);
    return MIN_OF(r, 0);
}

static int open_manifest(struct call *c, int *ret_dir, struct buf *ret, struct error *err)
{
    int e = check_owner(c, err);
    return e < 0 ? e : manifest_open(c->service->places.artifacts_dir, c->parts[0], ret_dir, ret, err);
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
static void sign_in_place(struct service *v, struct buf *manifest)
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
    struct buf manifest = { 0 };
    int dir = -1;
    if (open_manifest(c, &dir, &manifest, &err) < 0) {
        call_refuse(c, a, &err);
    } else {
        sign_in_place(c->service, &manifest);
        a->status = 200;
        a->body = manifest;
        manifest = (struct buf){ 0 };
    }
    closep(&dir);
    buf_done(&manifest);
}

void run_receipt(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct buf manifest = { 0 };
    struct slice receipt;
    int dir = -1, e = open_manifest(c, &dir, &manifest, &err);
    if (e == 0 && !manifest_receipt(&manifest, &receipt))
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
    closep(&dir);
    buf_done(&manifest);
}

/* --- one artifact ----------------------------------------------------------------------------------- */

static int open_content(int dir, const struct buf *manifest, const char *name, struct error *err)
{
    char hash[65];
    bool is_left_out;
    if (!manifest_find(manifest, name, hash, &is_left_out))
        return err_set(err, -ENOENT, BLAME_CALLER, NULL, "no artifact %s%s", name,
                       is_left_out ? ": it was left out, the list says why" : "");
    int fd = openat(dir, hash, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    return fd < 0 ? err_set(err, -errno, BLAME_HOST, "ARTIFACTS", "%s: %m", name) : fd;
}

void run_artifact(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct buf manifest = { 0 };
    int dir = -1, fd = -1, e = open_manifest(c, &dir, &manifest, &err);
    if (e == 0)
        e = fd = open_content(dir, &manifest, c->parts[1], &err);
    closep(&dir);
    buf_done(&manifest);
    if (e >= 0 && !download_answer(a, fd, UINT64_MAX))
        e = err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0)
        call_refuse(c, a, &err);
    else
        a->status = 200;
}
