#include "daemon/processes_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/body.h"
#include "daemon/processes.h"
#include "daemon/query.h"
#include "daemon/routes.h"
#include "daemon/run_api.h"
#include "daemon/runner.h"
#include "daemon/sessions_api.h"

#define LIST_MAX 256u

/* --- what is shown --------------------------------------------------------------------------------------------- */

static void put_process(struct buf *b, struct execution *e)
{
    static const char *const states[] = { "queued", "running", "finished" };
    (void)pthread_mutex_lock(&e->lock);
    json_open(b, '{');
    json_key(b, "process_id"), json_put_string(b, e->id);
    json_key(b, "state"), json_put_string(b, states[e->state]);
    json_key(b, "argv");
    e->process->argv.count ? json_texts(b, &e->process->argv) : json_put_null(b);
    json_key(b, "pty"), json_bool(b, e->process->is_terminal);
    json_key(b, "stdin"), json_bool(b, e->process->input >= 0);
    answer_time(b, "started_at", e->started_ms);
    answer_time(b, "finished_at", e->finished_ms);
    json_key(b, "reason");
    json_put_string(b, e->reason < 0 ? NULL : reason_name((enum run_reason)e->reason));
    json_close(b, '}');
    (void)pthread_mutex_unlock(&e->lock);
}

static void answer_process(unsigned status, struct execution *e, struct http_answer *a)
{
    struct buf *b = answer_json(a, status, 8 * STRLIST_MAX_BYTES);
    put_process(b, e);
    (void)buf_addc(b, '\n');
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

/* And the caller's to see. */
static bool is_of_session(void *context, struct execution *e)
{
    const struct call *c = context;
    return caller_may_see(c->caller, e->key_id) && process_is_of(e, c->parts[0]);
}

/* In memory, of this session, and the caller's to see: with a reference. */
static struct execution *find(struct call *c, struct http_answer *a)
{
    struct execution *e = executions_find(c->service->executions, c->parts[1]);
    if (e && is_of_session(c, e))
        return e;
    answer_fail(a, c->arena, ANSWER_NOT_FOUND,
                arena_printf(c->arena, "no process %.64s of session %.64s", c->parts[1], c->parts[0]));
    return execution_unref(e);
}

/* Only the key that began it works with it. */
static struct execution *find_own(struct call *c, struct http_answer *a)
{
    struct execution *e = find(c, a);
    if (!e || str_eq(c->caller->key_id, e->key_id))
        return e;
    answer_fail(a, c->arena, ANSWER_FORBIDDEN, "this process is another key's: only that key works with it");
    return execution_unref(e);
}

/* --- POST /sessions/{id}/processes ----------------------------------------------------------------------------------
 */

static bool was_refused(struct execution *e)
{
    (void)pthread_mutex_lock(&e->lock);
    const bool was = e->state == EXECUTION_FINISHED && e->status != 200 && !e->started_ms;
    (void)pthread_mutex_unlock(&e->lock);
    return was;
}

void processes_create(struct call *c, struct http_answer *a)
{
    struct runner *r;
    struct session_entry *s = sessions_awake(c, a);
    if (!s || runner_begin_process(c->service, c->request, c->caller, s, &r, a))
        return;
    struct execution *e = execution_ref(r->execution);
    run_begun(r);
    (void)execution_wait_start(e, EXECUTION_PATIENCE_MS, c->request->fd);
    if (was_refused(e))
        runner_answer(e, a, c->arena);
    else
        answer_process(201, e, a);
    (void)execution_unref(e);
}

/* --- GET, DELETE ----------------------------------------------------------------------------------------------------
 */

static int by_age(const void *a, const void *b)
{
    const struct execution *x = *(struct execution *const *)a, *y = *(struct execution *const *)b;
    return x->accepted_us < y->accepted_us ? -1 : x->accepted_us > y->accepted_us;
}

void processes_list(struct call *c, struct http_answer *a)
{
    struct session_entry *s = sessions_seen(c, a);
    if (!s)
        return;
    struct execution *found[LIST_MAX];
    const uint32_t count = executions_select(c->service->executions, is_of_session, c, found, LIST_MAX);
    qsort(found, count, sizeof *found, by_age);
    struct buf *b = answer_json(a, 200, 32 * MIB);
    json_open(b, '{');
    json_key(b, "processes"), json_open(b, '[');
    for (uint32_t i = 0; i < count; i++) {
        put_process(b, found[i]);
        (void)execution_unref(found[i]);
    }
    json_close(b, ']');
    json_close(b, '}');
    (void)buf_addc(b, '\n');
    (void)session_entry_unref(s);
}

void processes_show(struct call *c, struct http_answer *a)
{
    struct execution *e = find(c, a);
    if (e)
        answer_process(200, e, a);
    (void)execution_unref(e);
}

/* What an execution is asked for by its own path is asked for by this one, too. names: of the parameters. */
static void as_execution(struct call *c, struct http_answer *a, const char *const *names, route_handler handle)
{
    struct error err = { 0 };
    if (query_known(c->request, names, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct execution *e = find(c, a);
    if (!e)
        return;
    c->parts[0] = c->parts[1];
    handle(c, a);
    (void)execution_unref(e);
}

void processes_end(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "reason", NULL };
    as_execution(c, a, names, run_cancel);
}

void processes_events(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "from", NULL };
    as_execution(c, a, names, run_events);
}

/* --- what it is told
 * ---------------------------------------------------------------------------------------------------- */

/* What it may be told depends on how it is by now: 409. */
static void refuse(struct call *c, int e, const struct error *err, struct http_answer *a)
{
    const bool is_late = e == -EPIPE || e == -ENOTTY || e == -EAGAIN || e == -ENOENT;
    if (is_late)
        answer_error(a, c->arena, ANSWER_CONFLICT, err, NULL);
    else
        call_refuse(c, a, err);
}

void processes_write(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "eof", NULL };
    struct error err = { 0 };
    size_t taken = 0;
    if (query_known(c->request, names, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct execution *e = find_own(c, a);
    if (!e)
        return;
    int r = process_write(e, c->request->body, c->request->body_size, &taken, &err);
    if (r == 0 && http_query(c->request, "eof"))
        r = process_end_input(e, &err);
    if (r < 0) {
        refuse(c, r, &err, a);
    } else {
        struct buf *b = answer_json(a, 200, 256);
        json_open(b, '{');
        json_key(b, "written"), json_uint(b, taken);
        json_close(b, '}');
    }
    (void)execution_unref(e);
}

/* «SIGINT», «INT», 2. */
static int read_signal(struct body *b)
{
    const char *word = body_scalar(b, "signal", 16);
    const char *name = word && str_starts(word, "SIG") ? word + 3 : word;
    for (int sig = 1; name && sig < 32; sig++) {
        const char *known = sigabbrev_np(sig);
        char number[4];
        (void)snprintf(number, sizeof number, "%d", sig);
        if (str_eq(name, known ? known : "") || str_eq(word, number))
            return sig;
    }
    (void)body_refuse(b, "signal", "expected is the name or number of one, such as SIGINT");
    return 0;
}

static int take_signal(struct execution *e, struct body *b, struct error *err)
{
    const int sig = read_signal(b);
    const int r = body_end(b, err);
    return r == 0 ? process_signal(e, sig, err) : r;
}

static int take_size(struct execution *e, struct body *b, struct error *err)
{
    struct process_asked size = { 0 };
    terminal_size_read(b, &size);
    const int r = body_end(b, err);
    return r == 0 ? process_resize(e, size.rows, size.columns, err) : r;
}

/* In a session that lives. */
static void tell(struct call *c, struct http_answer *a,
                 int (*take)(struct execution *e, struct body *b, struct error *err))
{
    struct error err = { 0 };
    struct body *b = NULL;
    struct session_entry *s = sessions_awake(c, a);
    struct execution *e = s ? find_own(c, a) : NULL;
    if (e) {
        int r = body_parse(c->request->body, c->request->body_size, false, &b, &err);
        if (r == 0)
            r = take(e, b, &err);
        (void)body_free(b);
        if (r < 0)
            refuse(c, r, &err, a);
        else
            answer_process(200, e, a);
    }
    (void)execution_unref(e);
    (void)session_entry_unref(s);
}

void processes_signal(struct call *c, struct http_answer *a)
{
    tell(c, a, take_signal);
}

void processes_resize(struct call *c, struct http_answer *a)
{
    tell(c, a, take_size);
}
