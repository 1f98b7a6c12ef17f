#include "daemon/health.h"

#include "daemon/launcher.h"

void health_live(struct call *c, struct http_answer *a)
{
    (void)c;
    struct buf *out = answer_json(a, 200, 256);
    (void)buf_adds(out, "{\"status\":\"ok\"}\n");
}

/* --- ready ---------------------------------------------------------------------------------------- */

static bool store_answers(struct service *v)
{
    struct error err;
    uint64_t version;
    (void)pthread_mutex_lock(&v->store_lock);
    bool ok = v->store && store_version(v->store, &version, &err) == 0;
    (void)pthread_mutex_unlock(&v->store_lock);
    return ok;
}

static bool audit_is_open(struct service *v)
{
    (void)pthread_mutex_lock(&v->trail.lock);
    bool ok = v->trail.audit.fd >= 0 && v->trail.audit.lock_fd >= 0;
    (void)pthread_mutex_unlock(&v->trail.lock);
    return ok;
}

static bool launcher_answers(struct service *v)
{
    return v->launcher && launcher_is_alive(v->launcher);
}

static bool takes_runs(struct service *v)
{
    return !v->is_draining;
}

void health_ready(struct call *c, struct http_answer *a)
{
    static const struct {
        const char *name, *trouble;
        bool (*is_good)(struct service *v);
    } checks[] = {
        { "store", "does not answer", store_answers },
        { "audit", "is not open", audit_is_open },
        { "launcher", "is not there", launcher_answers },
        { "intake", "is closed: the service ends", takes_runs },
    };
    struct buf *out = answer_json(a, 200, 4 * KIB);
    bool all = true, good[ARRAY_LEN(checks)];
    for (size_t i = 0; i < ARRAY_LEN(checks); i++)
        all &= good[i] = checks[i].is_good(c->service);
    json_open(out, '{');
    json_key(out, "status"), json_put_string(out, all ? "ok" : "unavailable");
    json_key(out, "checks");
    json_open(out, '{');
    for (size_t i = 0; i < ARRAY_LEN(checks); i++)
        json_key(out, checks[i].name), json_put_string(out, good[i] ? "ok" : checks[i].trouble);
    json_close(out, '}');
    json_close(out, '}');
    (void)buf_addc(out, '\n');
    a->status = all ? 200 : 503;
    if (!all)
        http_answer_header(a, "Retry-After", "1");
}

/* --- version and metrics -------------------------------------------------------------------------- */

void health_version(struct call *c, struct http_answer *a)
{
    (void)c;
    struct buf *out = answer_json(a, 200, 256);
    (void)buf_adds(out, "{\"version\":\"" VERSION "\",\"api\":\"v1\"}\n");
}

void health_metrics(struct call *c, struct http_answer *a)
{
    struct policy_set *policies = service_policies(c->service);
    bool is_on = policies->level[0].config.monitoring.metrics.enabled;
    (void)policy_set_unref(policies);
    if (!is_on) {
        answer_fail(a, c->arena, ANSWER_NOT_FOUND, "monitoring.metrics.enabled is false");
        return;
    }
    struct buf *out = answer_json(a, 200, 4 * MIB);
    a->content_type = "text/plain; version=0.0.4; charset=utf-8";
    metrics_text(c->service, out);
}
