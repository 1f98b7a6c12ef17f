#include "daemon/scan_api.h"

#include "base/clock.h"
#include "config/language.h"
#include "daemon/body.h"
#include "daemon/routes.h"
#include "scan/client.h"
#include "scan/print.h"

#define AT_ONCE 4u /* workers; each has bounds of its own for memory and time */

struct scan_words {
    struct body *body; /* owns the code */
    enum language language;
    const char *code;
    size_t size;
};

static int read_words(const struct http_request *q, struct scan_words *w, struct error *err)
{
    int e = body_parse(q->body, q->body_size, false, &w->body, err);
    if (e < 0)
        return e;
    const char *language = body_text(w->body, "language", 64);
    w->code = body_bytes(w->body, "code", REQUEST_MAX_CODE_BYTES, &w->size);
    if (!language)
        (void)body_refuse(w->body, "language", "is missing: " LANGUAGE_ACCEPTED);
    else if (!language_by_name(language, &w->language))
        (void)body_refuse(w->body, "language", "accepted are " LANGUAGE_ACCEPTED);
    else if (!body_has(w->body, "code"))
        (void)body_refuse(w->body, "code", "is missing");
    return body_end(w->body, err);
}

static int scan(const struct call *c, const struct scan_words *w, struct scan_report *ret, void **ret_blob,
                struct error *err)
{
    const struct paths *p = c->service->paths;
    struct policy_set *policies = service_policies(c->service);
    const struct config *config = &policies->level[0].config;
    const struct scan_request request = { .language = w->language,
                                          .code = w->code,
                                          .code_size = w->size,
                                          .patterns = &config->agixt.analysis.patterns,
                                          .rules_only = !config->agixt.analysis.resemblance,
                                          .timeout_ms = (uint32_t)config->agixt.analysis.timeout,
                                          .program = arena_printf(c->arena, "%s/sandbox-scan", p->libexec),
                                          .rules_dir = arena_printf(c->arena, "%s/rules", p->data),
                                          .cache_dir = p->cache };
    struct scan_job job;
    if (request.cache_dir)
        (void)make_dirs(request.cache_dir, 0700); /* without it nothing is kept */
    uint64_t start_us = clock_us();
    int e = scan_start(&request, &job, err);
    (void)policy_set_unref(policies);
    if (e == 0)
        e = scan_finish(&job, ret, ret_blob, err);
    metrics_time(c->service->metrics, METRICS_SCAN, clock_us() - start_us);
    if (e < 0)
        err->blame = BLAME_HOST; /* rules and patterns are ours, not the caller's */
    return e;
}

static void put_report(enum language language, const struct scan_report *r, struct http_answer *a)
{
    struct buf *out = answer_json(a, 200, MIB);
    json_open(out, '{');
    json_key(out, "language"), json_put_string(out, language_names[language]);
    scan_report_members(r, out);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

void scan_code(struct call *c, struct http_answer *a)
{
    struct gate *gate = &c->service->routes->scans;
    struct scan_report *report = arena_zero(c->arena, sizeof *report); /* large */
    struct scan_words w = { 0 };
    struct error err = { 0 };
    cleanup(freep) void *blob = NULL;
    int e = report ? read_words(c->request, &w, &err) : err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0)
        call_refuse(c, a, &err);
    else if (gate_enter(gate, AT_ONCE, "scans", c, a)) {
        e = scan(c, &w, report, &blob, &err);
        gate_leave(gate);
        if (e < 0)
            call_refuse(c, a, &err);
        else
            put_report(w.language, report, a);
    }
    (void)body_free(w.body);
}
