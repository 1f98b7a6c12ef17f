/* How this works: a synchronous execution is run by the thread of its connection, from the request to the answer, and
 * no other thread is woken; an asynchronous one, and one whose output is streamed, gets a thread of its own. The
 * store's row is written before anything runs, and once more before the answer; an asynchronous execution, and one with
 * an Idempotency-Key, has its row before it is accepted. */
#include "daemon/runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/io.h"
#include "daemon/checkpoints.h"
#include "daemon/contexts.h"
#include "daemon/idempotency.h"
#include "daemon/janitor.h"
#include "daemon/launcher.h"
#include "daemon/mirror.h"
#include "daemon/package_share.h"
#include "daemon/packages_api.h"
#include "daemon/pass_on.h"
#include "daemon/result_answer.h"
#include "daemon/routes.h"
#include "daemon/runner_posts.h"
#include "daemon/runner_row.h"
#include "daemon/sessions.h"
#include "daemon/stock.h"
#include "run/backend.h"
#include "scan/print.h"

#define THREAD_STACK MIB
#define SMALL_BODY   (64 * KIB) /* not worth an account */

/* --- begin -------------------------------------------------------------------------------------------- */

/* It may be there in a moment, and nothing was begun: no launcher, no engine (step ENGINE of engine/run.c; one
 * that hangs is there, and one that left later says EPIPE), no descriptors. */
static bool is_unavailable(const struct error *err)
{
    switch (err->code) {
    case -EREMOTE: /* fleet.levels */
        return str_eq(err->step, "NODE");
    case -EMFILE:
    case -ENFILE:
    case -ENOMEM:
        return true;
    case -EHOSTDOWN: /* the store's database, before a run: service.c */
        return str_eq(err->step, "STORE");
    case -EAGAIN: /* launcher.h */
    case -ENOENT: /* the program of the backend */
    case -EACCES:
        return str_eq(err->step, "LAUNCHER") || str_eq(err->step, "ENGINE");
    default:
        return str_eq(err->step, "ENGINE") && err->code != -EPIPE && err->code != -ETIMEDOUT;
    }
}

static enum answer_code code_of(const struct error *err)
{
    switch (err->blame) {
    case BLAME_CALLER:
        return err->code == -EBADMSG                            ? ANSWER_INVALID_REQUEST
               : err->code == -ESHUTDOWN || err->code == -EBUSY ? ANSWER_CONFLICT /* its session, or kernel */
                                                                : ANSWER_UNPROCESSABLE;
    case BLAME_POLICY:
        return ANSWER_POLICY_DENIED;
    case BLAME_GUEST:
        return ANSWER_UNPROCESSABLE;
    case BLAME_HOST:
        return is_unavailable(err) ? ANSWER_UNAVAILABLE : ANSWER_SANDBOX_ERROR;
    case BLAME_US:
        break;
    }
    return ANSWER_SANDBOX_ERROR;
}

static int refuse(struct http_answer *a, const struct http_request *q, enum answer_code c, const struct error *err,
                  uint64_t retry_after_ms)
{
    const struct answer_details d = { .retry_after_ms = retry_after_ms };
    answer_error(a, q->arena, c, err, &d);
    return 1;
}

static bool is_hex(const char *s, size_t n)
{
    bool has_one = false; /* all zero means nothing, says W3C */
    for (size_t i = 0; i < n; i++) {
        if (!((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'f')))
            return false;
        has_one |= s[i] != '0';
    }
    return has_one;
}

/* W3C Trace Context, version 00: one that is malformed is as if it were not there. -> its trace id */
static const char *trace_of(struct runner *r, const struct http_request *q)
{
    r->is_traced = true;
    const char *t = http_header(q, "traceparent");
    if (!t || strlen(t) != 55 || strncmp(t, "00-", 3) != 0 || t[35] != '-' || t[52] != '-' || !is_hex(t + 3, 32) ||
        !is_hex(t + 36, 16))
        return NULL;
    memcpy(r->parent_span, t + 36, 16);
    r->is_traced = strchr("13579bdf", t[54]) != NULL; /* the last bit of the flags: sampled */
    return arena_copy_bytes(q->arena, t + 3, 32);
}

static void copy_caller(struct runner *r, const struct caller *c)
{
    r->caller = (struct caller){ .key_id = arena_copy(&r->arena, c->key_id),
                                 .name = arena_copy(&r->arena, c->name),
                                 .role = c->role,
                                 .levels = c->levels,
                                 .allow_risk_override = c->allow_risk_override,
                                 .is_old = c->is_old };
}

/* What a synchronous request is told by its run, an asynchronous one is told now: nothing is accepted that could never
 * run. */
static int check_words(struct runner *r, struct error *err)
{
    struct load load;
    struct compiled policy;
    int e = load_request(&r->request.options, &load, err);
    if (e == 0)
        e = policy_load(&r->request.options, r->service->paths, r->policies, NULL, load.request.language, &policy, err);
    load_done(&load);
    return e;
}

/* Where the operator has decided for containers, no request decides against them. */
static int choose_backend(struct runner *r, const struct http_request *q, struct http_answer *a)
{
    static const struct answer_details details = { .rule = "backend" };
    const struct config *c = &r->policies->level[0].config;
    struct error err = { 0 };
    r->backend = backend_choose(&r->request.options, c);
    if (r->backend == BACKEND_REMOTE) /* the level decides (run/remote.h); until then it is as if it ran here */
        r->backend = BACKEND_NATIVE;
    if (r->backend != BACKEND_NATIVE || c->sandbox.backend != BACKEND_DOCKER)
        return 0;
    (void)err_set(&err, -EACCES, BLAME_POLICY, NULL, "backend native: this service runs code in containers only");
    (void)err_remedy(&err, "leave backend out; the operator's setting is sandbox.backend");
    metrics_refused(r->service->metrics, details.rule, false);
    answer_error(a, q->arena, ANSWER_POLICY_DENIED, &err, &details);
    return 1;
}

/* A container has no steward. */
static int check_backend(struct runner *r, const struct http_request *q, struct http_answer *a)
{
    struct error err = { 0 };
    if (r->request.options.session == SESSION_NONE || r->backend == BACKEND_NATIVE)
        return 0;
    (void)err_set(&err, -ENOTSUP, BLAME_POLICY, NULL, "sessions are for the native backend (sandbox.backend)");
    (void)err_remedy(&err, "use /execute");
    return refuse(a, q, ANSWER_POLICY_DENIED, &err, 0);
}

struct begin_options {
    enum session_role role;
    bool is_asynchronous;              /* the client does not wait */
    bool is_process;                   /* of a session */
    const char *kernel;                /* the context whose kernel it is; NULL: none */
    enum language language;            /* the kernel's */
    const struct request_claim *claim; /* NULL: this node accepts it */
};

#define KEY_AGENT "key:" /* and the key's id: the agent of a request that names none */

/* Names of keys' own agents are theirs: no other key acts, and offends, under them. */
static int name_agent(struct runner *r, const struct caller *c, struct error *err)
{
    struct options *o = &r->request.options;
    const char *own = arena_printf(&r->arena, KEY_AGENT "%.120s", c->key_id);
    if (o->agent_id && str_starts(o->agent_id, KEY_AGENT) && !str_eq(o->agent_id, own)) {
        (void)err_set(err, -EPERM, BLAME_POLICY, NULL, "agent_id %s is another key's own", o->agent_id);
        return err_remedy(err, "choose an agent_id that does not begin with " KEY_AGENT ", or leave it out"), -EPERM;
    }
    r->is_nameless = !o->agent_id || str_eq(o->agent_id, own);
    if (!o->agent_id)
        o->agent_id = own;
    return 0;
}

/* Ours: not the agent's code, and so it is not scanned. One context's that is stopped is not held against all. */
static int make_kernel(struct runner *r, const char *context_id, enum language language, struct error *err)
{
    static const char *const names[LANG_COUNT] = {
        [LANG_PYTHON] = "kernel_python.py", [LANG_NODE] = "kernel_node.js", [LANG_BASH] = "kernel_bash.sh"
    };
    struct buf b;
    const char *path = arena_printf(&r->arena, "%s/guards/%s", r->service->paths->data, names[language]);
    int e = context_kernel_make(language, &r->session->env, &r->request, err);
    struct options *o = &r->request.options;
    if (e < 0)
        return e;
    buf_init(&b, MIB);
    if ((e = read_file(path, &b)) < 0) {
        (void)err_set(err, e, BLAME_HOST, "KERNEL", "%s: %s", path, strerror(-e));
        (void)err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    o->text = e == 0 ? arena_copy_bytes(&r->arena, b.data, b.size) : NULL;
    o->text_size = b.size;
    o->judged = arena_printf(&r->arena, "%s the kernel of context %s\n", context_comment(language), context_id);
    o->judged_size = strlen(o->judged);
    buf_done(&b);
    r->is_kernel = true;
    return e;
}

static int read_cell(struct runner *r, const struct http_request *q, struct error *err)
{
    int e = context_cell_read(q, r->context->language, &r->session->env, &r->request, err);
    struct options *o = &r->request.options;
    if (e < 0)
        return e;
    r->cell = (struct context_cell){ .source = o->text, .size = o->text_size };
    return 0;
}

/* Its agent and level are the session's: no job of it is another's, or laxer. */
static int read_job(struct runner *r, const struct http_request *q, struct begin_options *how, struct error *err)
{
    struct session_entry *s = r->session;
    enum session_end ignored;
    int e = how->kernel       ? make_kernel(r, how->kernel, how->language, err)
            : r->context      ? read_cell(r, q, err)
            : how->is_process ? session_process_read(q, &s->env, &r->request, err)
                              : session_job_read(q, &s->env, &r->arena, &r->request, &how->is_asynchronous, err);
    struct options *o = &r->request.options;
    o->agent_id = s->agent_id;
    o->mounted = &s->packages.mounted; /* of an entry that the runner holds */
    o->has_level = true;
    o->risk_level = (enum risk_level)MAX_OF(session_entry_level(s, &ignored), 0); /* decided: sessions_own() */
    return e;
}

/* No two sessions have the same «code»: what one is stopped for is not held against all. */
static int read_session(struct runner *r, const struct http_request *q, struct error *err)
{
    int e = session_request_read(q, &r->policies->level[0].config, &r->request, &r->asked, err);
    if (e == 0 && (strlist_add(&r->request.options.command, "session") < 0 ||
                   strlist_add(&r->request.options.command, r->id) < 0))
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    return e;
}

/* Whether any node may run it: what lies on this one's disk, what is signed for now, and what a key did not ask for,
 * only this one does. */
static int check_sharing(struct runner *r, const struct begin_options *how, const struct http_request *q,
                         struct error *err)
{
    const struct options *o = &r->request.options;
    const bool is_alike = how->is_asynchronous && how->role == SESSION_NONE && (!q->inner || how->claim) &&
                          store_has_nodes(r->service->store) &&
                          r->service->first_policies->level[0].config.fleet.share_queue;
    r->is_shared = is_alike && !o->volume_count && !o->packages && !o->signature &&
                   str_starts(r->caller.key_id, "key-") && q->body_size <= STORE_REQUEST_MAX;
    if (r->is_shared || !r->request.retries)
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "retry: not accepted %s",
                  is_alike ? "with volumes, packages, a signature, without a key, or for more than 4 MiB"
                           : "here: it is for POST /executions of a fleet (fleet.share_queue)");
    return err_remedy(err, "leave it out: what was lost with its node is told as node_lost");
}

static int read_request(struct runner *r, const struct http_request *q, const struct caller *c,
                        struct begin_options *how, struct http_answer *a)
{
    struct error err = { 0 };
    r->policies = service_policies(r->service);
    int e = how->role == SESSION_OPENS ? read_session(r, q, &err)
            : how->role == SESSION_JOB
                ? read_job(r, q, how, &err)
                : execute_request_read(q, &r->policies->level[0].config, &r->arena, &r->request, &err);
    r->request.options.packages_owner = packages_owner(c->key_id, &r->arena);
    const struct options *o = &r->request.options; /* what is decided in the end exec.c compares with the key */
    if (e == 0 && auth_may(c, o->agent_id, o->has_level ? (int)o->risk_level : -1, &err) < 0)
        return refuse(a, q, ANSWER_FORBIDDEN, &err, 0);
    if (e == 0 && name_agent(r, c, &err) < 0)
        return refuse(a, q, ANSWER_FORBIDDEN, &err, 0);
    if (e == 0)
        e = check_sharing(r, how, q, &err);
    if (e == 0 && how->is_asynchronous)
        e = check_words(r, &err);
    if (e == 0)
        e = idempotency_read(q, &r->arena, &r->idempotency_key, &r->request_hash, &err);
    if (e == 0 && how->role != SESSION_NONE && r->idempotency_key) /* an answer of before would not be of now */
        e = err_set(&err, -EBADMSG, BLAME_CALLER, NULL, "Idempotency-Key: not for sessions");
    if (e < 0)
        return refuse(a, q, code_of(&err), &err, 0);
    return choose_backend(r, q, a) || check_backend(r, q, a);
}

static int join_queue(struct runner *r, const struct begin_options *how, const struct http_request *q,
                      struct http_answer *a)
{
    const bool is_lasting = how->role == SESSION_JOB && how->is_asynchronous && !how->kernel;
    struct error err = { 0 };
    uint64_t wait_ms = 0;
    const char *agent = r->request.options.agent_id;
    r->tenant = arena_printf(&r->arena, "%s/%s", agent ? "agent" : "key", agent ? agent : r->caller.key_id);
    if (queue_join(r->service->queue, r->tenant, is_lasting, &r->place, &wait_ms))
        return 0;
    metrics_count(r->service->metrics, METRICS_QUEUE_FULL);
    if (is_lasting)
        (void)err_set(&err, -EAGAIN, BLAME_POLICY, NULL,
                      "too many executions wait for their turn, or all sessions together have %u background jobs and "
                      "processes, or one agent or key three quarters of these",
                      queue_lasting_max(r->service->queue));
    else
        (void)err_set(&err, -EAGAIN, BLAME_POLICY, NULL, "too many executions wait for their turn");
    (void)err_remedy(&err,
                     "come again in %llu s; endpoints.api.queue_size and "
                     "rate_limiting.global.max_concurrent_executions are the limits",
                     (unsigned long long)((wait_ms + 999) / 1000));
    return refuse(a, q, ANSWER_QUEUE_FULL, &err, wait_ms);
}

/* Its row before the client is told that it was accepted, where a client may ask for it later. */
static int accept_first(struct runner *r, const struct http_request *q, struct http_answer *a)
{
    struct error err = { 0 };
    char first[STORE_ID_MAX + 1];
    r->execution->is_shared = r->is_shared;
    r->shared = r->is_shared ? q->body : NULL;
    r->shared_size = q->body_size;
    int e = row_accept(r, EXECUTION_QUEUED, -1, first, &err);
    if (e == ACCEPT_SEEN)
        return idempotency_replay(r->service, q, first, r->execution->is_asynchronous, r->is_streaming, a);
    if (e == ACCEPT_CONFLICT) {
        (void)err_set(&err, -EEXIST, BLAME_CALLER, NULL,
                      "this Idempotency-Key came with another request before (execution %s)", first);
        (void)err_remedy(&err, "take a new key for a new request");
        return refuse(a, q, ANSWER_CONFLICT, &err, 0);
    }
    return e < 0 ? refuse(a, q, ANSWER_UNAVAILABLE, &err, 1000) : 0;
}

static bool accepts_stream(const struct http_request *q)
{
    const char *accept = http_header(q, "Accept");
    return accept && strstr(accept, "text/event-stream");
}

/* A session's, once its execution is there. */
static int add_session(struct runner *r, const struct http_request *q, struct http_answer *a)
{
    struct error err = { 0 };
    const struct session_spec spec = { .id = r->execution->id,
                                       .key_id = r->caller.key_id,
                                       .agent_id = r->request.options.agent_id,
                                       .is_nameless = r->is_nameless,
                                       .metadata = &r->asked.metadata,
                                       .env = &r->asked.env,
                                       .ttl = r->asked.ttl,
                                       .max_per_key = r->policies->level[0].config.endpoints.api.max_sessions };
    int e = sessions_add(r->service->sessions, &spec, r->execution, &r->session, &err);
    if (e == 0)
        return 0;
    return refuse(a, q, e == -ENOMEM ? ANSWER_UNAVAILABLE : ANSWER_QUEUE_FULL, &err, 1000);
}

static int open_process(struct runner *r, const struct http_request *q, struct http_answer *a)
{
    struct error err = { 0 };
    struct process *p;
    if (process_open(&r->request.process, r->session->id, &r->request.options, &p, &err) < 0)
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 1000);
    process_own(r->execution, p);
    return 0;
}

/* Likewise. */
static int add_context(struct runner *r, const struct http_request *q, const struct begin_options *how,
                       struct http_answer *a)
{
    struct error err = { 0 };
    int e = contexts_add(r->session->contexts, r->session->live, how->kernel, how->language, &r->context, &err);
    if (e == 0)
        context_entry_begun(r->context, r->execution);
    return e == 0 ? 0
                  : refuse(a, q,
                           e == -ESHUTDOWN ? ANSWER_CONFLICT
                           : e == -ENOMEM  ? ANSWER_UNAVAILABLE
                                           : ANSWER_QUEUE_FULL,
                           &err, 1000);
}

static int begin(struct runner *r, const struct http_request *q, const struct caller *c, struct begin_options *how,
                 struct http_answer *a)
{
    struct error err = { 0 };
    copy_caller(r, c);
    r->id = how->claim                   ? arena_copy(&r->arena, how->claim->id)
            : how->role == SESSION_OPENS ? session_make_id(&r->arena)
            : how->role == SESSION_JOB   ? job_make_id(&r->arena)
                                         : exec_make_id(&r->arena);
    int e = read_request(r, q, c, how, a);
    const bool is_asynchronous = how->is_asynchronous;
    r->is_streaming = r->request.is_stream || accepts_stream(q);
    if (e == 0)
        e = join_queue(r, how, q, a);
    if (e)
        return e;
    r->execution = executions_add(r->service->executions, r->id, r->caller.key_id, r->request.options.agent_id,
                                  language_names[r->request.options.language],
                                  how->claim ? how->claim->trace_id : trace_of(r, q), is_asynchronous,
                                  is_asynchronous || r->is_streaming);
    if (!r->execution) {
        (void)err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory or no descriptors for another execution");
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 1000);
    }
    if (q->inner && q->inner->begun)
        q->inner->begun(q->inner->context, r->id);
    if (q->body_size > SMALL_BODY &&
        !execution_charge(r->execution, 2 * q->body_size)) { /* text, and what is decoded */
        (void)err_set(&err, -ENOMEM, BLAME_HOST, NULL,
                      "what runs and waits now has used up endpoints.api.max_buffered");
        (void)err_remedy(&err, "come again in a moment, or raise it");
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 1000);
    }
    if (how->role == SESSION_OPENS && (e = add_session(r, q, a)) != 0)
        return e;
    if (how->is_process && (e = open_process(r, q, a)) != 0)
        return e;
    if (how->kernel && (e = add_context(r, q, how, a)) != 0)
        return e;
    r->execution->is_tried_again = r->request.retries;
    if (how->claim) {
        r->execution->accepted_ms = how->claim->accepted_ms;
        r->is_recorded = r->is_shared = r->is_taken = r->is_traced = true;
        return 0;
    }
    return is_asynchronous || r->idempotency_key ? accept_first(r, q, a) : 0;
}

static int begin_any(struct service *v, const struct http_request *q, const struct caller *c, struct begin_options *how,
                     struct session_entry *session, struct context_entry *context, struct runner **ret,
                     struct http_answer *a)
{
    struct error err = { 0 };
    if (v->is_draining) {
        (void)context_entry_unref(context);
        (void)session_entry_unref(session);
        (void)err_set(&err, -ESHUTDOWN, BLAME_HOST, NULL, "the service is going down");
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 5000);
    }
    if (v->is_drained && clock_ms() >= v->closed_ms && !session) { /* sessions that are here go on */
        (void)err_set(&err, -ESHUTDOWN, BLAME_HOST, NULL, "this node is drained");
        (void)err_remedy(&err, "use another node, or have an administrator use it again: sandbox-agent fleet resume");
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 5000);
    }
    if (v->is_off_clock && !session) {
        (void)err_set(&err, -ESHUTDOWN, BLAME_HOST, NULL, "this node's clock is %llu ms off the database's",
                      (unsigned long long)v->clock_off_ms);
        (void)err_remedy(&err, "use another node, and set this machine's clock (fleet.max_clock_difference)");
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 5000);
    }
    struct runner *r = calloc(1, sizeof *r);
    if (!r) {
        (void)context_entry_unref(context);
        (void)session_entry_unref(session);
        (void)err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
        return refuse(a, q, ANSWER_UNAVAILABLE, &err, 1000);
    }
    r->service = v;
    r->session = session;
    r->context = context;
    r->received_us = q->received_us;
    r->via_node = pass_on_via(q, &r->arena);
    int e = begin(r, q, c, how, a);
    r->was_begun = !e;
    if (e)
        runner_end(r);
    else
        *ret = r;
    return e;
}

int runner_begin(struct service *v, const struct http_request *q, const struct caller *c, bool is_asynchronous,
                 struct runner **ret, struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_NONE, .is_asynchronous = is_asynchronous };
    return begin_any(v, q, c, &how, NULL, NULL, ret, a);
}

int runner_begin_claimed(struct service *v, const struct http_request *q, const struct caller *c,
                         const struct request_claim *claim, struct runner **ret, struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_NONE, .is_asynchronous = true, .claim = claim };
    return begin_any(v, q, c, &how, NULL, NULL, ret, a);
}

int runner_begin_session(struct service *v, const struct http_request *q, const struct caller *c, struct runner **ret,
                         struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_OPENS };
    return begin_any(v, q, c, &how, NULL, NULL, ret, a);
}

int runner_begin_job(struct service *v, const struct http_request *q, const struct caller *c,
                     struct session_entry *session, struct runner **ret, bool *ret_is_background, struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_JOB };
    int e = begin_any(v, q, c, &how, session, NULL, ret, a);
    *ret_is_background = how.is_asynchronous;
    return e;
}

int runner_begin_process(struct service *v, const struct http_request *q, const struct caller *c,
                         struct session_entry *session, struct runner **ret, struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_JOB, .is_asynchronous = true, .is_process = true };
    return begin_any(v, q, c, &how, session, NULL, ret, a);
}

int runner_begin_kernel(struct service *v, const struct http_request *q, const struct caller *c,
                        struct session_entry *session, const char *context_id, enum language language,
                        struct runner **ret, struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_JOB, .kernel = context_id, .language = language };
    return begin_any(v, q, c, &how, session, NULL, ret, a);
}

int runner_begin_cell(struct service *v, const struct http_request *q, const struct caller *c,
                      struct session_entry *session, struct context_entry *context, struct runner **ret,
                      struct http_answer *a)
{
    struct begin_options how = { .role = SESSION_JOB };
    return begin_any(v, q, c, &how, session, context, ret, a);
}

/* --- run ------------------------------------------------------------------------------------------------ */

static bool may_keep(void *context, size_t size)
{
    return execution_may_keep(context, size);
}

static void on_output(void *context, int which, const char *data, size_t size)
{
    execution_output(context, which, data, size);
}

/* Before the audit has its line: should we die in between, the store still knows of it, and its end is told
 * (orphans.c). */
static void decided(struct exec *s, enum risk_level level)
{
    struct runner *r = s->host_context;
    r->was_decided = true;
    row_start(r, (int)level);
    if (r->exec.options.session == SESSION_OPENS)
        session_entry_decided(r->session, (int)level, &r->exec.load.request.packages);
}

static void sent(struct exec *s, enum risk_level level)
{
    struct runner *r = s->host_context;
    execution_started(r->execution, (int)level);
    posts_started(r, level);
    if (r->exec.options.session == SESSION_OPENS || r->is_kernel)
        queue_leave(&r->place); /* it may live for hours; its jobs, or cells, wait for their turns */
}

/* A short run's end says the same (runner_end()), when nothing waits for the processor that its thread takes. */
static void lasting(struct exec *s)
{
    const struct runner *r = s->host_context;
    if (r->has_early)
        stock_wake(r->service->stock);
}

static int reconnect(struct exec *s, struct error *err)
{
    struct runner *r = s->host_context;
    launcher_return(r->launcher, &s->client, false);
    return launcher_connection(r->launcher, &s->client, err);
}

static int connect_other(struct exec *s, enum config_backend backend, struct error *err)
{
    struct runner *r = s->host_context;
    struct launcher *other;
    if (r->backend == backend)
        return 0;
    int e = service_launcher(r->service, backend, &other, err);
    if (e < 0)
        return e;
    launcher_return(r->launcher, &s->client, true);
    s->client = (struct client){ .sock = -1 };
    r->launcher = other;
    r->backend = backend;
    e = launcher_connection(other, &s->client, err);
    if (e < 0)
        r->launcher = NULL;
    else
        process_begun(r->execution, s->client.sock, s->tag);
    return e;
}

/* An instance instead of the connection, which others may use. */
static bool claim(struct exec *s, struct instance *ret)
{
    struct plan park;
    struct runner *r = s->host_context;
    if (!r->service->stock || !exec_park(s, &park))
        return false;
    r->has_early = stock_claim(r->service->stock, &park, ret);
    plan_done(&park);
    metrics_count(r->service->metrics, r->has_early ? METRICS_WARM_FOUND : METRICS_WARM_MISSED);
    if (!r->has_early)
        return false;
    launcher_return(r->launcher, &s->client, true);
    s->client = ret->client;
    return true;
}

/* What is kept of it goes to the content store. */
static void tidied(struct exec *s)
{
    struct runner *r = s->host_context;
    if (r->execution && s->keep.is_on)
        mirror_execution(r->service->mirror, r->execution->id, r->execution->accepted_ms);
}

/* An old key that no booking has asked for. Once it is gone, or cannot be asked for, nothing is told and nothing runs.
 */
static int ask_for_key(struct runner *r)
{
    if (r->caller.is_old && !r->exec.judgement.is_reserved && !r->is_key_asked) {
        r->is_key_asked = true;
        r->no_key.code = auth_confirm(r->service->auth, r->caller.key_id, &r->no_key);
    }
    return r->no_key.code;
}

/* What a key that is gone was refused for is no one's offence. */
static int judged(struct exec *s, struct error *err)
{
    struct runner *r = s->host_context;
    const int e = ask_for_key(r);
    if (e < 0) {
        *err = r->no_key;
        s->judgement.ledger = (struct store){ 0 };
    }
    return e;
}

static const struct exec_host resident = { .serves_others = true,
                                           .connect = connect_other,
                                           .reconnect = reconnect,
                                           .claim = claim,
                                           .judged = judged,
                                           .decided = decided,
                                           .sent = sent,
                                           .lasting = lasting,
                                           .tidied = tidied };
/* What was to run it ended before it had the plan: by its client, as a rule, and there is no other. */
static int is_over(struct exec *s, struct error *err)
{
    const struct runner *r = s->host_context;
    const bool is_cell = r->context && !r->is_kernel;
    (void)err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION",
                  is_cell ? "the context's kernel has ended" : "the session has ended");
    return is_cell ? err_remedy(err, "restart the context, or create another one") : err->code;
}

/* Of a session. */
static const struct exec_host of_session = {
    .serves_others = true, .decided = decided, .sent = sent, .lasting = lasting, .tidied = tidied
};
/* Of its jobs: their sandbox is the session's. */
static const struct exec_host of_job = {
    .serves_others = true, .reconnect = is_over, .decided = decided, .sent = sent, .lasting = lasting, .tidied = tidied
};

static uint64_t paused_ms(void *context)
{
    return session_paused_ms(context);
}

/* A job that is killed in a paused session ends when that goes on; a kill switch does not wait for it. */
static void on_event(void *context, const struct watch_event *e)
{
    struct runner *r = context;
    if (r->exec.stream.observe.kill_switch && r->session && session_is_paused(r->session->live))
        (void)session_entry_end(r->session, SESSION_KILLED);
    if (live_add(&r->live, e))
        execution_uses(r->execution, &r->live.usage);
}

static void prepare_exec(struct runner *r, int peer)
{
    struct exec *s = &r->exec;
    struct execution *e = r->execution;
    struct service *v = r->service;
    exec_init(s, v->paths, &r->arena);
    s->id = s->judgement.execution_id = e->id;
    s->options = r->request.options; /* taken */
    r->request.options.env = r->request.options.command = (struct strlist){ 0 };
    s->policies = r->policies;
    s->timing.received_us = r->received_us;
    s->timing.queued_us = r->place.joined_us;
    s->host = s->options.session == SESSION_NONE    ? &resident
              : s->options.session == SESSION_OPENS ? &of_session
                                                    : &of_job;
    s->host_context = r;
    s->tenant = r->tenant;
    s->levels = r->caller.levels;
    s->trail.shared = &v->trail;
    s->trail.user = r->caller.name;
    s->trail.via_node = r->via_node;
    s->trail.trace_id = e->trace_id[0] ? e->trace_id : NULL;
    s->judgement.ledger = service_ledger(v, &r->arena);
    s->judgement.key_id = r->caller.key_id;
    s->judgement.is_nameless = r->is_nameless;
    s->judgement.may_override = r->caller.allow_risk_override;
    s->stream.stop = e->stop;
    s->stream.peer = peer;
    s->stream.is_job = s->options.session == SESSION_JOB;
    if (s->stream.is_job) {
        s->stream.paused_ms = paused_ms;
        s->stream.paused_context = r->session->live;
    }
    s->stream.on_output = on_output;
    s->stream.may_keep = may_keep;
    s->stream.output_context = e;
    s->stream.observe.on_event = on_event;
    s->stream.observe.event_context = r;
    s->keeps_late = s->stream.is_job && !r->is_kernel;
    s->session_id = s->trail.session_id = s->options.session == SESSION_JOB ? r->session->id : NULL;
    r->has_exec = true;
    row_prepare(r);
}

/* It never came to its turn. */
static void give_up(struct exec *s, enum queue_answer why)
{
    if (why == QUEUE_TIMEOUT) {
        (void)err_set(&s->error, -EAGAIN, BLAME_HOST, "QUEUE", "no turn came in time (endpoints.api.queue_timeout)");
        (void)err_remedy(&s->error, "come again later");
    } else {
        s->outcome = (struct outcome){ .reason = REASON_KILLED };
        s->has_outcome = true;
    }
}

/* The session's keeper stands between its exec and the launcher. */
static int start_session(struct runner *r)
{
    struct exec *s = &r->exec;
    struct client launcher = s->client;
    s->client = (struct client){ .sock = -1 };
    int e = session_start(r->session->live, &launcher, &s->client, &s->steward, &s->error);
    if (e < 0)
        launcher_return(r->launcher, &launcher, true);
    r->has_keeper = e == 0;
    return e;
}

/* From here on it is the context's only cell: what it is judged with are all cells before it. */
static int join_context(struct runner *r)
{
    struct exec *s = &r->exec;
    struct options *o = &s->options;
    int e = context_connect(r->context->live, &r->cell, &s->client, &s->error);
    if (e < 0)
        return e;
    s->judgement.scanner = &r->context->scanner;
    o->judged = context_entry_judged(r->context, o->text, o->text_size, &r->arena, &o->judged_size);
    if (o->judged)
        return 0;
    (void)err_set(&s->error, -E2BIG, BLAME_CALLER, NULL, "code: with the cells before it longer than %u bytes",
                  REQUEST_MAX_CODE_BYTES);
    return err_remedy(&s->error, "restart the context: what is scanned is what its cells add up to");
}

/* A job that was accepted ends with its session, also when it had not begun. */
static int join_session(struct runner *r)
{
    struct exec *s = &r->exec;
    struct client session = { .sock = -1 };
    int e = r->context && !r->is_kernel ? join_context(r) : session_connect(r->session->live, &session, &s->error);
    if (e == 0 && r->is_kernel)
        e = context_start(r->context->live, &session, &s->client, &s->error);
    else if (session.sock >= 0)
        s->client = session;
    if (e == -ESHUTDOWN && r->execution->is_asynchronous) {
        s->error = (struct error){ 0 };
        s->outcome = (struct outcome){ .reason = REASON_KILLED };
        s->has_outcome = true;
    }
    return e;
}

static int take_connection(struct runner *r)
{
    struct exec *s = &r->exec;
    struct launcher *l;
    if (s->options.session == SESSION_JOB)
        return join_session(r);
    int e = service_launcher(r->service, r->backend, &l, &s->error);
    if (e == 0)
        e = launcher_connection(l, &s->client, &s->error);
    r->launcher = e == 0 ? l : NULL;
    return e == 0 && s->options.session == SESSION_OPENS ? start_session(r) : e;
}

static void run_exec(struct runner *r, int peer)
{
    struct exec *s = &r->exec;
    const struct config *c = &r->policies->level[0].config;
    enum queue_answer turn = queue_wait(&r->place, c->endpoints.api.queue_timeout, r->execution->stop, peer,
                                        &r->execution->is_away);
    s->timing.granted_us = r->place.granted_us;
    if (turn == QUEUE_MOVED || (r->is_shared && !r->is_taken && !(r->is_taken = row_begin(r)))) {
        r->has_moved = true;
        return;
    }
    if (turn != QUEUE_TURN) {
        give_up(s, turn);
        return;
    }
    if (take_connection(r) < 0)
        return;
    s->tag = atomic_fetch_add(&r->service->next_tag, 2) + 2;
    process_begun(r->execution, s->client.sock, s->tag);
    if (s->options.packages &&
        package_share_follow(r->service, s->options.packages, s->options.packages_owner, &s->error) < 0)
        return;
    if (exec_prepare(s, &s->error) == 0)
        (void)exec_run(s, &s->error);
}

/* --- the end ----------------------------------------------------------------------------------------------- */

static const char *findings_json(const struct result *res, struct arena *arena)
{
    struct buf b;
    if (!res->scan || !res->scan->finding_count)
        return NULL;
    buf_init(&b, 128 * KIB);
    scan_findings_member(res->scan, &b);
    const char *text = b.failed ? NULL : arena_copy_bytes(arena, b.data, b.size);
    buf_done(&b);
    return text;
}

/* What a synchronous request asked for could not be meant, which is seen before anything was decided: that is no
 * execution, and no statistics, alerts and lists shall take a caller's slip for a sandbox that fails. */
static bool is_no_execution(const struct runner *r, const struct execution_end *end)
{
    return !r->was_decided && (end->elsewhere || end->status == answer_status(ANSWER_INVALID_REQUEST) ||
                               end->status == answer_status(ANSWER_UNPROCESSABLE));
}

/* The sandbox ran, or the status that says why it did not. */
static void judge_answer(struct runner *r, const struct result *res, struct execution_end *end)
{
    const struct error *err = ask_for_key(r) < 0 ? &r->no_key : res->error;
    end->status = 200;
    end->elsewhere = exec_level_elsewhere(&r->exec) + 1;
    if (!err->code || (res->outcome && res->outcome->features && res->outcome->reason != REASON_SANDBOX_ERROR))
        return;
    enum answer_code c = res->retry_after_ms                          ? ANSWER_RATE_LIMITED
                         : err->step[0] && str_eq(err->step, "QUEUE") ? ANSWER_QUEUE_FULL
                         : err->step[0] && str_eq(err->step, "KEY")   ? ANSWER_UNAUTHENTICATED
                                                                      : code_of(err);
    end->status = answer_status(c);
    end->is_none = is_no_execution(r, end) && !r->is_recorded;
    const struct answer_details d = { .rule = r->exec.judgement.rule,
                                      .execution_id = end->is_none ? NULL : r->execution->id,
                                      .retry_after_ms = res->retry_after_ms,
                                      .more = findings_json(res, &r->arena) };
    buf_init(&end->refusal, 256 * KIB);
    answer_error_body(c, NULL, err, &d, &end->refusal);
    end->retry_after_ms = c == ANSWER_QUEUE_FULL || c == ANSWER_UNAVAILABLE ? 1000 : res->retry_after_ms;
}

/* From the request's arrival to the program's start, without the queue. */
static uint64_t startup_of(const struct runner *r, const struct outcome *o)
{
    const struct exec *s = &r->exec;
    uint64_t end_us = 0;
    for (size_t i = 0; i < s->mark_count; i++)
        if (str_eq(s->marks[i].name, "OUTCOME"))
            end_us = s->start_us + s->marks[i].at_us;
    uint64_t before_us = r->received_us + (r->place.granted_us - r->place.joined_us) + (o ? o->duration_us : 0);
    return end_us > before_us ? end_us - before_us : 0;
}

static void count_failures(struct metrics *m, const struct error *err)
{
    if (!err || !err->code)
        return;
    if (str_eq(err->step, "AUDIT"))
        metrics_count(m, METRICS_AUDIT_FAILED);
    if (str_eq(err->step, "STORE"))
        metrics_count(m, METRICS_STORE_FAILED);
}

static void count(struct runner *r, const struct result *res, const struct execution_end *end)
{
    const struct outcome *o = res->outcome;
    struct metrics *m = r->service->metrics;
    metrics_attempt(m, r->request.options.agent_id);
    count_failures(m, res->error);
    if (end->reason == REASON_POLICY_DENIED)
        metrics_refused(m, r->exec.judgement.rule, res->retry_after_ms);
    const struct metrics_run run = { .language = (enum language)r->exec.load.request.language,
                                     .level = (enum risk_level)MAX_OF(end->level, 0),
                                     .reason = (enum run_reason)end->reason,
                                     .duration_us = o ? o->duration_us : 0,
                                     .timeout_us = res->plan ? res->plan->job.timeout_ms * 1000 : 0,
                                     .memory_bytes = o ? o->memory_bytes : 0,
                                     .has_met_processes = o && o->pids_hits,
                                     .cpu_us = o ? o->cpu_us : 0,
                                     .peak_memory_bytes = o ? o->peak_memory_bytes : 0,
                                     .queue_us = r->place.granted_us ? r->place.granted_us - r->place.joined_us : 0,
                                     .startup_us = startup_of(r, o),
                                     .backend = res->backend,
                                     .kill_switch = res->kill_switch,
                                     .violations = res->violations,
                                     .violation_count = res->violation_count };
    metrics_run(m, &run);
    if (r->exec.stream.caught && !r->execution->was_stopped)
        metrics_count(m, METRICS_CLIENT_GONE);
}

/* monitoring.logging.level: trace. Where the time went, in us since the request's head was there. */
static void trace_times(const struct runner *r)
{
    const struct exec *s = &r->exec;
    struct buf b;
    if (r->service->log.level > LOG_TRACE)
        return;
    buf_init(&b, 4 * KIB);
    for (size_t i = 0; i < s->mark_count; i++)
        (void)buf_addf(&b, " %s %llu", s->marks[i].name,
                       (unsigned long long)(s->start_us + s->marks[i].at_us - r->received_us));
    service_log(r->service, LOG_TRACE, "execution %s: BEGUN %llu%s ANSWER %llu, of which the run took %llu us",
                r->execution->id, (unsigned long long)(s->start_us - r->received_us), b.data ? b.data : "",
                (unsigned long long)(clock_us() - r->received_us), (unsigned long long)s->outcome.duration_us);
    buf_done(&b);
}

/* From now on the execution has the output (result_text_make): exec only looks at it, until runner_end(). */
static void keep_output(struct runner *r)
{
    struct exec *s = &r->exec;
    for (int i = 0; i < 2; i++)
        buf_trim(&s->stream.out[i].kept);
    if (r->execution->was_cut)
        (void)strlist_add(&s->plan.notes, "output: not all of it was kept: what runs and waits now has used up the "
                                          "service's memory for it (endpoints.api.max_buffered)");
}

/* Before its end is told: who hears of it finds no session that lives. */
static void end_session(struct runner *r)
{
    const struct exec *s = &r->exec;
    if (s->options.session == SESSION_JOB)
        session_entry_count_job(r->session);
    if (s->options.session == SESSION_JOB && s->stream.observe.kill_switch)
        (void)session_entry_end(r->session, SESSION_KILLED);
    if (s->options.session != SESSION_OPENS)
        return;
    session_entry_over(r->session, !r->was_decided                                   ? SESSION_REFUSED
                                   : s->has_outcome && s->stream.observe.kill_switch ? SESSION_KILLED
                                   : s->has_outcome && s->outcome.reason != REASON_SANDBOX_ERROR &&
                                           s->outcome.reason != REASON_SIGNAL && s->outcome.reason != REASON_ERROR
                                       ? SESSION_KILLED
                                       : SESSION_LOST);
}

/* What was not parsed as a whole could hide what comes behind it, were it scanned in front of that. */
static bool was_read(const struct judgement *j)
{
    bool was_read = !j->was_scanned || j->report.finding_count < SCAN_MAX_FINDINGS;
    for (uint32_t i = 0; j->was_scanned && i < j->report.finding_count; i++)
        was_read &= !str_eq(j->report.findings[i].rule, "syntax-error");
    return was_read;
}

static void keep_cell(struct runner *r, struct result *res)
{
    static const struct buf none = { 0 };
    struct context_cell *cell = &r->cell;
    const bool has_room = execution_charge(r->execution, cell->results.size + cell->error.size);
    if (!has_room)
        (void)strlist_add(&r->exec.plan.notes, "results: not kept: what runs and waits now has used up the service's "
                                               "memory for it (endpoints.api.max_buffered)");
    res->results = has_room && !cell->results.failed ? &cell->results : &none;
    res->exception = has_room && !cell->error.failed ? &cell->error : &none;
    if (r->exec.has_outcome)
        context_entry_ran(r->context, cell->source, cell->size, was_read(&r->exec.judgement));
    judge_leave_scanner(&r->exec.judgement);
    context_leave(r->context->live, cell);
    closep(&r->exec.client.sock); /* for the next cell; its message is still borrowed from */
}

void runner_run(struct runner *r, int peer)
{
    struct result res;
    prepare_exec(r, peer);
    run_exec(r, peer);
    if (!r->has_moved && r->is_taken && exec_level_elsewhere(&r->exec) >= 0)
        r->has_moved = row_defer(r, exec_level_elsewhere(&r->exec));
    if (r->has_moved) {
        queue_leave(&r->place);
        r->was_begun = false; /* it is forgotten */
        execution_moved(r->execution);
        return;
    }
    exec_result(&r->exec, &res);
    res.backend = backend_of(r->backend)->name; /* also of one that never came so far as to choose one */
    if (r->context && !r->is_kernel)
        keep_cell(r, &res);
    struct execution_end end = { .reason = (int)result_reason(&res),
                                 .level = r->exec.has_policy ? (int)r->exec.policy.profile.risk_level : -1 };
    keep_output(r);
    if (!result_text_make(&res, &end.result))
        service_log(r->service, LOG_ERROR, "execution %s: no memory for its result", r->execution->id);
    judge_answer(r, &res, &end);
    timing_header(&res.timing, end.timing);
    bool is_none = is_no_execution(r, &end);
    if (!is_none)
        count(r, &res, &end);
    if (!end.is_none)
        row_end(r, &end);
    r->was_begun = !end.is_none; /* it is forgotten */
    trace_times(r);
    queue_leave(&r->place);
    end_session(r);
    execution_finished(r->execution, &end);
    if (!is_none)
        posts_trace(r, &res, &end);
    if (!is_none)
        posts_end(r, &res, &end); /* last: a client that hears of it may ask for the result at once */
}

void runner_answer(struct execution *e, struct http_answer *a, struct arena *arena)
{
    if (!e->is_none)
        http_answer_header(a, "X-Execution-Id", arena_copy(arena, e->id));
    if (e->timing[0])
        http_answer_header(a, "Server-Timing", arena_copy(arena, e->timing));
    if (e->status == 200) {
        struct buf none = { 0 };
        result_answer(e, &none, "\n", a);
        return;
    }
    (void)pthread_mutex_lock(&e->lock);
    struct buf *b = answer_json(a, e->status, e->refusal.size + 1);
    (void)buf_add(b, e->refusal.data, e->refusal.size);
    if (e->retry_after_ms)
        http_answer_header(a, "Retry-After", answer_seconds(arena, e->retry_after_ms));
    (void)pthread_mutex_unlock(&e->lock);
}

void runner_answer_accepted(struct service *v, const char *id, struct http_answer *a, struct arena *arena)
{
    const char *location = arena_printf(arena, "%s/executions/%s", v->routes->base_path, id);
    struct buf *b = answer_json(a, 202, 1024);
    json_open(b, '{');
    json_key(b, "execution_id"), json_put_string(b, id);
    json_key(b, "state"), json_put_string(b, "queued");
    json_key(b, "location"), json_put_string(b, location);
    json_close(b, '}');
    http_answer_header(a, "Location", location);
    http_answer_header(a, "X-Execution-Id", arena_copy(arena, id));
}

/* Its client was never a connection of the launcher's. That of a session's sandbox is closed, not used again. */
static void leave_session(struct runner *r)
{
    if (r->is_kernel && r->context && !r->has_exec)
        context_entry_over(r->context);
    if (!r->has_exec && r->request.options.session == SESSION_OPENS)
        session_entry_over(r->session, SESSION_REFUSED);
    if (!r->has_exec)
        return;
    client_stop(&r->exec.client);
    r->exec.has_outcome = false;
    if (r->is_kernel) {
        context_join(r->context->live);
        checkpoints_end(r->session, r->context);
        context_entry_over(r->context);
    }
    if (r->has_keeper)
        session_join(r->session->live, &r->exec.client);
}

/* Of one that was begun, whatever came of it. */
void runner_end(struct runner *r)
{
    struct execution *e = r->execution;
    const bool was_begun = r->was_begun;
    queue_leave(&r->place);
    if (r->has_early)
        stock_done(r->service->stock);
    if (r->has_exec) {
        if (r->exec.has_policy)
            exec_tidy(&r->exec);
        for (int i = 0; i < 2; i++) /* the execution's */
            r->exec.stream.out[i].kept = (struct buf){ 0 };
        exec_done(&r->exec);
    }
    if (r->session)
        leave_session(r);
    if (r->launcher && (!r->session || r->has_keeper))
        launcher_return(r->launcher, &r->exec.client, r->exec.has_outcome);
    execute_request_done(&r->request);
    session_asked_done(&r->asked);
    buf_done(&r->cell.results);
    buf_done(&r->cell.error);
    r->context = context_entry_unref(r->context);
    r->session = session_entry_unref(r->session);
    r->policies = policy_set_unref(r->policies);
    arena_done(&r->arena);
    free(r);
    if (e && !was_begun)
        execution_forget(e);
    else if (e)
        execution_ended(e);
}

void runner_end_later(struct runner *r)
{
    janitor_add(r->service->janitor, r);
}

static void *thread(void *context)
{
    runner_run(context, -1);
    runner_end(context);
    return NULL;
}

int runner_start_thread(struct runner *r)
{
    pthread_t id;
    pthread_attr_t attr;
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attr, THREAD_STACK);
    int e = pthread_create(&id, &attr, thread, r);
    (void)pthread_attr_destroy(&attr);
    return -e;
}
