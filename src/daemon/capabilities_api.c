#include "daemon/capabilities_api.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/wait.h"
#include "daemon/backends.h"
#include "daemon/policy_tool.h"
#include "daemon/query.h"
#include "daemon/queue.h"
#include "daemon/routes.h"
#include "daemon/stock.h"

#define DOCTOR_PATIENCE_MS 30000u
#define DOCTOR_TIDY_MS     5000u /* from SIGTERM on: it has made cgroups and directories, and removes them */
#define DOCTOR_MAX_BYTES   (256 * KIB)

void capabilities_init(struct capabilities *k)
{
    *k = (struct capabilities){ .lock = PTHREAD_MUTEX_INITIALIZER };
    wait_init(&k->answered);
}

void capabilities_done(struct capabilities *k)
{
    k->of = policy_set_unref(k->of);
    buf_done(&k->doctor);
    (void)pthread_cond_destroy(&k->answered);
    (void)pthread_mutex_destroy(&k->lock);
}

/* --- the doctor ----------------------------------------------------------------------------------- */

static int ask_doctor(const struct service *v, struct arena *a, struct buf *out, struct error *err)
{
    const char *const config = v->config_path ? arena_copy(a, v->config_path) : NULL;
    const char *const words[] = { "sandbox-policy", "doctor", "--json", config ? "--config" : NULL, config, NULL };
    int code = 0, e = policy_tool_run(v->paths->libexec, a,
                                      &(struct policy_tool){ .step = "DOCTOR",
                                                             .words = words,
                                                             .lent_fd = -1,
                                                             .patience_ms = DOCTOR_PATIENCE_MS,
                                                             .tidy_ms = DOCTOR_TIDY_MS },
                                      out, &code, err);
    if (e < 0)
        return e;
    while (out->size && out->data[out->size - 1] == '\n')
        out->size--;
    const bool has_ended = code <= 1; /* 1: a program at medium risk does not work here */
    if (has_ended && out->size > 1 && out->data[0] == '{' && out->data[out->size - 1] == '}')
        return 0;
    return err_set(err, -EBADMSG, BLAME_HOST, "DOCTOR", "sandbox-policy doctor did not come to its end");
}

/* Lock held; the answer is taken. */
static void note(struct capabilities *k, struct policy_set *policies, uint64_t begun_ms, const char *at,
                 struct buf *answer)
{
    buf_done(&k->doctor);
    k->doctor = *answer;
    (void)policy_set_unref(k->of);
    k->of = policy_set_ref(policies);
    k->begun_ms = begun_ms;
    (void)snprintf(k->at, sizeof k->at, "%s", at);
}

/* Lock held, but not meanwhile. */
static int ask(struct capabilities *k, struct policy_set *policies, struct call *c, struct error *err)
{
    struct buf fresh;
    char at[AUDIT_TIME_SIZE];
    buf_init(&fresh, DOCTOR_MAX_BYTES);
    k->is_asking = true;
    (void)pthread_mutex_unlock(&k->lock);
    uint64_t begun_ms = clock_ms();
    audit_time_write(wall_clock_ms(), at);
    int e = ask_doctor(c->service, c->arena, &fresh, err);
    (void)pthread_mutex_lock(&k->lock);
    k->is_asking = false;
    k->asked++;
    k->failure = e < 0 ? *err : (struct error){ 0 };
    if (e == 0)
        note(k, policies, begun_ms, at, &fresh);
    else
        buf_done(&fresh);
    (void)pthread_cond_broadcast(&k->answered);
    return e;
}

/* The doctor's word for these policies, at most so old; lock held. Who has waited for one that failed does not send the
 * next. */
static int refresh(struct capabilities *k, struct policy_set *policies, uint64_t max_age_ms, struct call *c,
                   struct error *err)
{
    const uint64_t asked_ms = clock_ms();
    while (k->of != policies || k->begun_ms + max_age_ms < asked_ms) {
        if (!k->is_asking)
            return ask(k, policies, c, err);
        for (uint64_t before = k->asked; k->asked == before;)
            (void)pthread_cond_wait(&k->answered, &k->lock);
        if (k->failure.code) {
            *err = k->failure;
            return err->code;
        }
    }
    return 0;
}

/* --- what the configuration permits --------------------------------------------------------------- */

static bool may_run(const struct compiled *p, enum language lang)
{
    bool is_compiled = lang == LANG_GO || lang == LANG_RUST;
    return p->config.languages[lang].enabled && (!is_compiled || config_may_compile(&p->config, &p->profile, lang));
}

static void put_languages(const struct policy_set *s, struct buf *out)
{
    json_key(out, "languages");
    json_open(out, '{');
    for (unsigned lang = 0; lang < LANG_COUNT; lang++) {
        json_key(out, language_names[lang]);
        json_open(out, '{');
        json_key(out, "enabled"), json_bool(out, s->level[0].config.languages[lang].enabled);
        json_key(out, "levels");
        json_open(out, '[');
        for (unsigned i = 0; i < RISK_COUNT; i++)
            if (may_run(&s->level[i], (enum language)lang))
                json_put_string(out, risk_level_names[i]);
        json_close(out, ']');
        json_close(out, '}');
    }
    json_close(out, '}');
}

static void put_level(const struct profile *p, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "memory_bytes"), json_uint(out, p->resources.memory);
    json_key(out, "cpu"), json_milli(out, p->resources.cpu);
    json_key(out, "timeout_seconds"), json_milli(out, p->resources.timeout);
    json_key(out, "storage_bytes"), json_uint(out, p->resources.storage);
    json_key(out, "pids"), json_uint(out, p->resources.pids);
    json_key(out, "max_output_bytes"), json_uint(out, p->execution.max_output);
    json_close(out, '}');
}

static void put_limits(const struct policy_set *s, struct buf *out)
{
    const struct config *c = &s->level[0].config;
    json_key(out, "limits");
    json_open(out, '{');
    json_key(out, "max_body_bytes"), json_uint(out, c->endpoints.api.max_body);
    json_key(out, "max_connections"), json_uint(out, c->endpoints.api.max_connections);
    json_key(out, "request_timeout_seconds"), json_milli(out, c->endpoints.api.request_timeout);
    json_key(out, "queue_timeout_seconds"), json_milli(out, c->endpoints.api.queue_timeout);
    json_key(out, "levels");
    json_open(out, '{');
    for (unsigned i = 0; i < RISK_COUNT; i++) {
        json_key(out, risk_level_names[i]);
        put_level(&s->level[i].profile, out);
    }
    json_close(out, '}');
    json_close(out, '}');
}

static void put_queue(struct queue *q, struct buf *out)
{
    struct queue_counts n = { 0 };
    queue_count(q, &n);
    json_key(out, "queue");
    json_open(out, '{');
    json_key(out, "slots"), json_uint(out, n.slots);
    json_key(out, "size"), json_uint(out, n.size);
    json_key(out, "running"), json_uint(out, n.running);
    json_key(out, "waiting"), json_uint(out, n.waiting);
    json_close(out, '}');
}

static void put_capabilities(struct call *c, const struct policy_set *s, const char *doctor, const char *at,
                             struct http_answer *a)
{
    struct buf *out = answer_json(a, 200, MIB);
    json_open(out, '{');
    json_key(out, "version"), json_put_string(out, VERSION);
    json_key(out, "api"), json_put_string(out, "v1");
    json_key(out, "default_risk_level"), json_put_string(out, risk_level_names[s->default_level]);
    backends_put(c->service, &s->level[0].config, out);
    put_languages(s, out);
    put_limits(s, out);
    put_queue(c->service->queue, out);
    json_key(out, "pool"); /* of sandboxes in which an interpreter waits */
    json_open(out, '{');
    json_key(out, "is_enabled"), json_bool(out, c->service->stock != NULL);
    json_key(out, "parked"), json_uint(out, stock_waiting(c->service->stock));
    json_close(out, '}');
    json_key(out, "doctor_at"), json_put_string(out, at);
    json_key(out, "doctor");
    (void)buf_adds(out, doctor);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

static int read_age(const struct http_request *q, uint64_t *ret_ms, struct error *err)
{
    static const char *const names[] = { "max_age", NULL };
    uint64_t age_s = CAPABILITIES_AGE_S;
    int e = query_known(q, names, err);
    if (e == 0)
        e = query_uint(q, "max_age", 1, 86400, &age_s, err);
    *ret_ms = age_s * 1000;
    return e;
}

void capabilities_show(struct call *c, struct http_answer *a)
{
    struct capabilities *k = &c->service->routes->capabilities;
    struct error err = { 0 };
    uint64_t max_age_ms;
    const char *doctor = "", *at = "";
    if (read_age(c->request, &max_age_ms, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct policy_set *policies = service_policies(c->service);
    (void)pthread_mutex_lock(&k->lock);
    int e = refresh(k, policies, max_age_ms, c, &err);
    if (e == 0) {
        doctor = arena_copy_bytes(c->arena, k->doctor.data, k->doctor.size);
        at = arena_copy(c->arena, k->at);
    }
    (void)pthread_mutex_unlock(&k->lock);
    if (e == 0)
        put_capabilities(c, policies, doctor, at, a);
    (void)policy_set_unref(policies);
    if (e < 0)
        call_refuse(c, a, &err);
}
