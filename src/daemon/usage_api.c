#include "daemon/usage_api.h"

#include "base/clock.h"
#include "daemon/query.h"
#include "daemon/routes.h"
#include "run/usage_view.h"

#define ANSWER_MAX (16 * MIB)

/* What a key of role run used is its own to see, and no other's. */
static int bind_to_key(const struct caller *caller, struct usage_ask *r, struct error *err)
{
    if (caller->role != KEY_RUN)
        return 0;
    if (r->key_id && !str_eq(r->key_id, caller->key_id)) {
        (void)err_set(err, -EPERM, BLAME_CALLER, NULL, "a key of role run sees what it used itself");
        return err_remedy(err, "leave key_id out, or use a key of role read");
    }
    r->key_id = caller->key_id;
    return 0;
}

static int read_words(const struct call *c, struct usage_ask *r, bool *ret_csv, struct error *err)
{
    static const char *const names[] = { "agent_id", "key_id", "since", "until", "by", "format", NULL };
    static const char *const formats[] = { "json", "csv", NULL };
    const struct http_request *q = c->request;
    const uint64_t now_ms = wall_clock_ms();
    const char *by = http_query(q, "by");
    int format = 0;
    *r = (struct usage_ask){ .since_ms = now_ms - MIN_OF(now_ms, USAGE_SINCE_MS),
                             .until_ms = now_ms,
                             .agent_id = http_query(q, "agent_id"),
                             .key_id = http_query(q, "key_id") };
    int e = query_known(q, names, err);
    if (e == 0)
        e = query_time(q, "since", now_ms, &r->since_ms, err);
    if (e == 0)
        e = query_time(q, "until", now_ms, &r->until_ms, err);
    if (e == 0)
        e = query_choice(q, "format", formats, &format, err);
    if (e == 0)
        e = usage_by("by", by ? by : USAGE_BY, r, err);
    if (e == 0 && r->agent_id && !agent_id_is_valid(r->agent_id))
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "agent_id: no agent has this id");
    if (e == 0 && r->key_id && strlen(r->key_id) > STORE_ID_MAX)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "key_id: no key has this id");
    *ret_csv = format == 1;
    return e < 0 ? e : bind_to_key(c->caller, r, err);
}

static int ask_ledger(void *context, const struct usage_ask *r, struct usage_list *ret, struct error *err)
{
    return store_usage(context, r, ret, err);
}

void usage_show(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct usage_ask r;
    bool is_csv = false;
    if (read_words(c, &r, &is_csv, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct store ledger = service_ledger(c->service, c->arena);
    struct buf *out = answer_json(a, 200, ANSWER_MAX);
    if (is_csv)
        usage_csv_begin(out);
    else
        usage_json_begin(out, &r);
    int e = usage_read(ask_ledger, &ledger, &r, is_csv ? usage_csv_row : usage_json_row, out, &err);
    (void)store_close(&ledger);
    if (e < 0) {
        buf_done(&a->body);
        call_refuse(c, a, &err);
        return;
    }
    if (is_csv)
        a->content_type = "text/csv; charset=utf-8; header=present";
    else
        usage_json_end(out);
}
