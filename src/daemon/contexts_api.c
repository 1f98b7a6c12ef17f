#include "daemon/contexts_api.h"

#include "base/parse.h"
#include "config/language.h"
#include "daemon/body.h"
#include "daemon/checkpoints.h"
#include "daemon/contexts.h"
#include "daemon/routes.h"
#include "daemon/run_api.h"
#include "daemon/runner.h"
#include "daemon/sessions_api.h"

#define END_PATIENCE_MS 15000u /* a kernel that is killed */

static void answer_context(struct call *c, unsigned status, const struct context_entry *e, const char *state,
                           struct http_answer *a)
{
    struct buf *b = answer_json(a, status, 1024);
    json_open(b, '{');
    json_key(b, "context_id"), json_put_string(b, e->id);
    json_key(b, "session_id"), json_put_string(b, c->parts[0]);
    json_key(b, "language"), json_put_string(b, language_names[e->language]);
    json_key(b, "state"), json_put_string(b, state);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

/* Begins the kernel, and answers. The session's reference is taken. */
static void start(struct call *c, struct session_entry *s, const char *id, enum language language, unsigned status,
                  struct http_answer *a)
{
    struct runner *r;
    if (runner_begin_kernel(c->service, c->request, c->caller, s, id, language, &r, a))
        return;
    struct context_entry *e = context_entry_ref(r->context);
    struct execution *x = execution_ref(r->execution);
    struct session_entry *session = session_entry_ref(r->session); /* e lives no longer than that */
    if (runner_start_thread(r) < 0) {
        runner_end(r);
        contexts_remove(session->contexts, e);
        answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "no thread for another context");
    } else {
        (void)execution_wait_start(x, EXECUTION_PATIENCE_MS, c->request->fd);
        if (!x->status || x->status == 200) {
            answer_context(c, status, e, "running", a);
        } else { /* as a job that was refused */
            contexts_remove(session->contexts, e);
            runner_answer(x, a, c->arena);
        }
    }
    (void)execution_unref(x);
    (void)context_entry_unref(e);
    (void)session_entry_unref(session);
}

static int read_language(struct call *c, enum language *ret, struct error *err)
{
    struct body *b = NULL;
    int e = body_parse(c->request->body, c->request->body_size, false, &b, err);
    if (e < 0)
        return e;
    const char *word = body_text(b, "language", 64);
    if (!word || !language_by_name(word, ret) || !context_is_for(*ret))
        (void)body_refuse(b, "language",
                          word ? "contexts are for python, node and bash"
                               : "is missing: contexts are for python, node and bash");
    e = body_end(b, err);
    (void)body_free(b);
    return e;
}

void contexts_create(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    enum language language;
    struct session_entry *s = sessions_awake(c, a);
    if (!s)
        return;
    if (read_language(c, &language, &err) == 0) {
        start(c, s, context_make_id(c->arena), language, 201, a);
        return;
    }
    call_refuse(c, a, &err);
    (void)session_entry_unref(s);
}

/* The context of the path, with references to it and to its session; NULL: an answer was given. */
static struct context_entry *find(struct call *c, struct session_entry **ret, struct http_answer *a)
{
    *ret = sessions_awake(c, a);
    if (!*ret)
        return NULL;
    struct context_entry *e = contexts_find((*ret)->contexts, c->parts[1]);
    if (e)
        return e;
    answer_fail(a, c->arena, ANSWER_NOT_FOUND, arena_printf(c->arena, "no context %.64s in this session", c->parts[1]));
    *ret = session_entry_unref(*ret);
    return NULL;
}

void contexts_execute(struct call *c, struct http_answer *a)
{
    struct runner *r;
    struct session_entry *s;
    struct context_entry *e = find(c, &s, a);
    if (e && runner_begin_cell(c->service, c->request, c->caller, s, e, &r, a) == 0)
        run_answer(c, r, a);
}

void contexts_interrupt(struct call *c, struct http_answer *a)
{
    struct session_entry *s;
    struct context_entry *e = find(c, &s, a);
    if (!e)
        return;
    if (context_interrupt(e->live))
        answer_context(c, 202, e, "running", a);
    else
        answer_fail(a, c->arena, ANSWER_CONFLICT, "no cell of this context is under way");
    (void)context_entry_unref(e);
    (void)session_entry_unref(s);
}

/* Until its kernel and all that it started are gone. False: they are not yet, and *a says so. */
static bool end_kernel(struct call *c, struct context_entry *e, struct http_answer *a)
{
    struct execution *x = context_entry_end(e);
    const bool is_gone = !x || execution_wait(x, true, END_PATIENCE_MS, c->request->fd);
    (void)execution_unref(x);
    if (!is_gone)
        answer_fail(a, c->arena, ANSWER_UNAVAILABLE, "the context's kernel has not ended yet: ask again");
    return is_gone;
}

void contexts_delete(struct call *c, struct http_answer *a)
{
    struct session_entry *s;
    struct context_entry *e = find(c, &s, a);
    if (!e)
        return;
    if (end_kernel(c, e, a)) {
        contexts_remove(s->contexts, e);
        answer_context(c, 200, e, "ended", a);
    }
    (void)context_entry_unref(e);
    (void)session_entry_unref(s);
}

void contexts_restart(struct call *c, struct http_answer *a)
{
    struct session_entry *s;
    struct context_entry *e = find(c, &s, a);
    if (!e)
        return;
    const char *id = arena_copy(c->arena, e->id);
    const enum language language = e->language;
    const bool is_gone = end_kernel(c, e, a);
    (void)context_entry_unref(e);
    if (is_gone)
        start(c, s, id, language, 200, a);
    else
        (void)session_entry_unref(s);
}

/* --- checkpoints ---------------------------------------------------------------------------------------------------
 */

#define CHECKPOINT_PREFIX "cp-"

static void put_checkpoint_id(struct buf *b, uint64_t number)
{
    (void)buf_addf(b, "\"" CHECKPOINT_PREFIX "%llu\"", (unsigned long long)number);
}

static struct buf *begin_checkpoint(struct call *c, unsigned status, const struct context_entry *e,
                                    const struct checkpoint *k, struct http_answer *a)
{
    struct buf *b = answer_json(a, status, 4 * KIB);
    json_open(b, '{');
    json_key(b, "checkpoint_id"), put_checkpoint_id(b, k->number);
    if (e)
        json_key(b, "context_id"), json_put_string(b, e->id);
    json_key(b, "session_id"), json_put_string(b, c->parts[0]);
    json_key(b, "kept"), json_uint(b, k->kept);
    json_key(b, "dropped"), json_open(b, '[');
    for (unsigned i = 0; i < k->dropped_count; i++) {
        if (i)
            (void)buf_addc(b, ',');
        put_checkpoint_id(b, k->dropped[i]);
    }
    json_close(b, ']');
    return b;
}

static void end_checkpoint(struct buf *b)
{
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

static void refuse_checkpoint(struct call *c, const struct error *err, struct http_answer *a)
{
    const struct answer_details later = { .retry_after_ms = 1000 };
    switch (-err->code) {
    case EBUSY:
    case ESHUTDOWN:
    case EDEADLK:
        answer_error(a, c->arena, ANSWER_CONFLICT, err, NULL);
        return;
    case EOPNOTSUPP:
        answer_error(a, c->arena, ANSWER_UNPROCESSABLE, err, &(struct answer_details){ .rule = "unsupported" });
        return;
    case EACCES:
    case EPERM:
        answer_error(a, c->arena, ANSWER_FORBIDDEN, err, NULL);
        return;
    case ENOENT:
        answer_error(a, c->arena, ANSWER_NOT_FOUND, err, NULL);
        return;
    case EAGAIN:
        answer_error(a, c->arena, ANSWER_RATE_LIMITED, err, &later);
        return;
    default:
        answer_error(a, c->arena, err->blame == BLAME_POLICY ? ANSWER_TOO_LARGE : ANSWER_SANDBOX_ERROR, err, NULL);
    }
}

static void tell_made(struct call *c, const struct session_entry *s, const struct context_entry *e,
                      const struct checkpoint *made, struct http_answer *a)
{
    struct buf *b = begin_checkpoint(c, 201, e, made, a);
    if (made->damaged[0])
        service_log(c->service, LOG_WARN, "session %s: the record of %s is damaged: it cannot be gone back to", s->id,
                    made->damaged);
    json_key(b, "workspace"), json_open(b, '{');
    json_key(b, "entries"), json_uint(b, made->entries);
    json_key(b, "copied_bytes"), json_uint(b, made->copied_bytes);
    json_close(b, '}');
    end_checkpoint(b);
}

void contexts_checkpoint(struct call *c, struct http_answer *a)
{
    struct session_entry *s;
    struct context_entry *e = find(c, &s, a);
    struct checkpoint made;
    struct error err = { 0 };
    if (!e)
        return;
    if (checkpoint_make(s, e, &made, &err) < 0)
        refuse_checkpoint(c, &err, a);
    else
        tell_made(c, s, e, &made, a);
    (void)context_entry_unref(e);
    (void)session_entry_unref(s);
}

void sessions_checkpoint(struct call *c, struct http_answer *a)
{
    struct session_entry *s = sessions_awake(c, a);
    struct checkpoint made;
    struct error err = { 0 };
    if (!s)
        return;
    if (checkpoint_make_workspace(s, &made, &err) < 0)
        refuse_checkpoint(c, &err, a);
    else
        tell_made(c, s, NULL, &made, a);
    (void)session_entry_unref(s);
}

/* {checkpoint_id?}; *ret 0: the last one. */
static int read_undo(struct call *c, uint64_t *ret, struct error *err)
{
    struct body *b = NULL;
    int e = body_parse(c->request->body, c->request->body_size, true, &b, err);
    if (e < 0)
        return e;
    const char *id = body_text(b, "checkpoint_id", 64);
    *ret = 0;
    if (id && (!str_starts(id, CHECKPOINT_PREFIX) || parse_u64(id + strlen(CHECKPOINT_PREFIX), ret) < 0 || !*ret))
        (void)body_refuse(b, "checkpoint_id", "is none that POST .../checkpoints gives");
    e = body_end(b, err);
    (void)body_free(b);
    return e;
}

void contexts_undo(struct call *c, struct http_answer *a)
{
    struct session_entry *s;
    struct context_entry *e = find(c, &s, a);
    struct checkpoint to;
    struct error err = { 0 };
    uint64_t number;
    if (!e)
        return;
    if (read_undo(c, &number, &err) < 0)
        call_refuse(c, a, &err);
    else if (checkpoint_undo(s, e, number, &to, &err) < 0)
        refuse_checkpoint(c, &err, a);
    else
        end_checkpoint(begin_checkpoint(c, 200, e, &to, a));
    (void)context_entry_unref(e);
    (void)session_entry_unref(s);
}

void sessions_undo(struct call *c, struct http_answer *a)
{
    struct session_entry *s = sessions_awake(c, a);
    struct checkpoint to;
    struct error err = { 0 };
    uint64_t number;
    if (!s)
        return;
    if (read_undo(c, &number, &err) < 0)
        call_refuse(c, a, &err);
    else if (checkpoint_undo_workspace(s, number, &to, &err) < 0)
        refuse_checkpoint(c, &err, a);
    else
        end_checkpoint(begin_checkpoint(c, 200, NULL, &to, a));
    (void)session_entry_unref(s);
}
