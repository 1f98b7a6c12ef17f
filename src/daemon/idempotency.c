#include "daemon/idempotency.h"

#include "audit/audit.h"
#include "daemon/executions.h"
#include "daemon/listener.h"
#include "daemon/runner.h"

#define KEY_MAX     128u
#define PATIENCE_MS (24 * 3600 * UINT64_C(1000)) /* longer than any run may take */

int idempotency_read(const struct http_request *q, struct arena *a, const char **ret_key, const char **ret_hash,
                     struct error *err)
{
    char hash[AUDIT_HASH_SIZE];
    const char *key = http_header(q, "Idempotency-Key");
    *ret_key = *ret_hash = NULL;
    if (!key)
        return 0;
    size_t n = strlen(key);
    for (size_t i = 0; i < n; i++)
        if (key[i] <= 0x20 || key[i] >= 0x7F)
            n = 0;
    if (!n || n > KEY_MAX)
        return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "Idempotency-Key: accepted are 1 to %u printable characters",
                       KEY_MAX);
    audit_hash(arena_printf(a, "%s\n%s", q->path, q->body), strlen(q->path) + 1 + q->body_size, hash);
    *ret_key = arena_copy(a, key);
    *ret_hash = arena_copy(a, hash);
    return 0;
}

static void answer_row(struct service *v, const struct http_request *q, const char *id, bool is_streaming,
                       struct http_answer *a)
{
    struct error err = { 0 };
    struct execution_row row;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = store_execution_get(v->store, id, &row, &err);
    if (e == 1 && row.result && is_streaming) {
        listener_replay(&row, 0, a, q->arena);
    } else if (e == 1 && row.result) {
        (void)buf_add(answer_json(a, 200, row.result_size + 1), row.result, row.result_size);
        http_answer_header(a, "X-Execution-Id", arena_copy(q->arena, id));
    }
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e < 0)
        answer_error(a, q->arena, ANSWER_UNAVAILABLE, &err, &(struct answer_details){ .retry_after_ms = 1000 });
    else if (e == 0 || !a->status)
        answer_fail(a, q->arena, ANSWER_CONFLICT,
                    "this Idempotency-Key was used, and the result of that execution is not kept any more");
}

int idempotency_replay(struct service *v, const struct http_request *q, const char *first, bool is_asynchronous,
                       bool is_streaming, struct http_answer *a)
{
    struct execution *e = executions_find(v->executions, first);
    http_answer_header(a, "Idempotency-Replayed", "true");
    if (is_asynchronous)
        runner_answer_accepted(v, first, a, q->arena);
    else if (e && is_streaming)
        listener_answer(execution_ref(e), 0, false, a, q->arena);
    else if (e && execution_wait(e, false, PATIENCE_MS, q->fd))
        runner_answer(e, a, q->arena);
    else
        answer_row(v, q, first, is_streaming, a);
    (void)execution_unref(e);
    return 1;
}
