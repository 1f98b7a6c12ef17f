#include "daemon/otlp_internal.h"

#include <stdio.h>

#include "audit/chain.h"
#include "base/json.h"

/* --- what all requests have ------------------------------------------------------------------------------ */

void otlp_text(struct buf *b, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    json_open(b, '{');
    json_key(b, "key"), json_put_string(b, key);
    json_key(b, "value"), json_open(b, '{');
    json_key(b, "stringValue"), json_put_string(b, value);
    json_close(b, '}'), json_close(b, '}');
}

/* 64-bit numbers are texts in OTLP's JSON. */
static void put_number_text(struct buf *b, const char *key, uint64_t v)
{
    json_key(b, key);
    (void)buf_addf(b, "\"%llu\"", (unsigned long long)v);
}

static void put_number(struct buf *b, const char *key, uint64_t value)
{
    json_open(b, '{');
    json_key(b, "key"), json_put_string(b, key);
    json_key(b, "value"), json_open(b, '{');
    put_number_text(b, "intValue", value);
    json_close(b, '}'), json_close(b, '}');
}

static void begin_list(struct buf *b, const char *key)
{
    json_key(b, key);
    json_open(b, '[');
}

void otlp_begin(const struct otlp_resource *s, const char *resources, const char *scopes, const char *items,
                struct buf *out)
{
    json_open(out, '{');
    begin_list(out, resources);
    json_open(out, '{');
    json_key(out, "resource"), json_open(out, '{');
    begin_list(out, "attributes");
    otlp_text(out, "service.name", "sandboxd");
    otlp_text(out, "service.version", VERSION);
    otlp_text(out, "service.instance.id", s->instance);
    otlp_text(out, "host.name", s->host);
    json_close(out, ']'), json_close(out, '}');
    begin_list(out, scopes);
    json_open(out, '{');
    json_key(out, "scope"), json_open(out, '{');
    json_key(out, "name"), json_put_string(out, "sandbox-agent");
    json_key(out, "version"), json_put_string(out, VERSION);
    json_close(out, '}');
    begin_list(out, items);
}

void otlp_end(struct buf *out)
{
    (void)buf_adds(out, "]}]}]}");
}

/* --- a run that waits ------------------------------------------------------------------------------------- */

static void copy(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from ? from : "");
}

void otlp_record_make(const struct otlp_run *r, const uint64_t random[3], uint64_t wall_us, uint64_t mono_us,
                      struct otlp_record *ret)
{
    *ret = (struct otlp_record){ .span = random[0] | 1, /* not zero, and room for the children's */
                                 .wall_offset_us = wall_us - mono_us,
                                 .end_us = r->timing.settled_us ? r->timing.settled_us : mono_us,
                                 .language = r->language,
                                 .level = r->level,
                                 .backend = r->backend,
                                 .reason = r->reason,
                                 .has_exit = r->has_exit,
                                 .exit_code = r->exit_code,
                                 .violations = r->violations,
                                 .cpu_us = r->cpu_us,
                                 .peak_memory_bytes = r->peak_memory_bytes,
                                 .timing = r->timing };
    ret->span &= UINT64_MAX >> 1; /* adding to it does not wrap */
    memcpy(ret->trace, &random[1], sizeof ret->trace);
    ret->trace[0] |= 1; /* not all zero */
    if (r->trace_id && r->parent_id && hex_read(r->trace_id, ret->trace, sizeof ret->trace) == 0)
        ret->has_parent = hex_read(r->parent_id, ret->parent, sizeof ret->parent) == 0;
    copy(ret->execution_id, sizeof ret->execution_id, r->execution_id);
    copy(ret->agent_id, sizeof ret->agent_id, r->agent_id);
    copy(ret->rule, sizeof ret->rule, r->rule);
    copy(ret->kill_switch, sizeof ret->kill_switch, r->kill_switch);
}

/* --- its spans --------------------------------------------------------------------------------------------- */

static uint64_t latest(uint64_t a, uint64_t b, uint64_t c)
{
    return MAX_OF(a, MAX_OF(b, c));
}

static void add_part(const struct otlp_record *r, const char *name, uint64_t from_us, uint64_t to_us,
                     struct otlp_part *parts, size_t *count)
{
    const uint64_t end_us = to_us ? MIN_OF(to_us, r->end_us) : r->end_us;
    if (from_us >= MAX_OF(r->timing.received_us, UINT64_C(1)) && from_us <= end_us)
        parts[(*count)++] = (struct otlp_part){ name, from_us, end_us };
}

size_t otlp_parts(const struct otlp_record *r, struct otlp_part ret[static OTLP_PARTS])
{
    const struct timing *t = &r->timing;
    size_t n = 0;
    add_part(r, timing_names[TIMING_QUEUE], t->queued_us, t->granted_us, ret, &n);
    if (t->queued_us && !t->granted_us)
        return n; /* its turn never came */
    add_part(r, timing_names[TIMING_SCAN], t->scan_us, t->scanned_us, ret, &n);
    add_part(r, timing_names[TIMING_DECIDE], latest(t->received_us, t->granted_us, t->scanned_us), t->decided_us, ret,
             &n);
    if (!t->decided_us)
        return n; /* refused */
    add_part(r, timing_names[TIMING_START], t->decided_us, t->started_us, ret, &n);
    add_part(r, timing_names[TIMING_RUN], t->started_us, t->ended_us, ret, &n);
    add_part(r, timing_names[TIMING_SETTLE], t->ended_us, t->settled_us, ret, &n);
    return n;
}

static void put_hex(struct buf *b, const char *key, const uint8_t *bytes, size_t size)
{
    char hex[33];
    hex_write(bytes, size, hex);
    json_key(b, key), json_put_string(b, hex);
}

static void put_span_id(struct buf *b, const char *key, uint64_t id)
{
    json_key(b, key);
    (void)buf_addf(b, "\"%016llx\"", (unsigned long long)id);
}

static void put_times(struct buf *b, const struct otlp_record *r, uint64_t from_us, uint64_t to_us)
{
    put_number_text(b, "startTimeUnixNano", (from_us + r->wall_offset_us) * 1000);
    put_number_text(b, "endTimeUnixNano", (to_us + r->wall_offset_us) * 1000);
}

static void put_attributes(struct buf *b, const struct otlp_record *r)
{
    begin_list(b, "attributes");
    otlp_text(b, "sandbox.execution_id", r->execution_id);
    otlp_text(b, "gen_ai.agent.id", r->agent_id);
    otlp_text(b, "sandbox.language", r->language);
    otlp_text(b, "sandbox.risk_level", r->level);
    otlp_text(b, "sandbox.backend", r->backend);
    otlp_text(b, "sandbox.reason", reason_name(r->reason));
    otlp_text(b, "sandbox.rule", r->rule);
    otlp_text(b, "sandbox.kill_switch", r->kill_switch);
    if (r->has_exit)
        put_number(b, "process.exit.code", r->exit_code);
    put_number(b, "sandbox.violations", r->violations);
    put_number(b, "sandbox.cpu_us", r->cpu_us);
    put_number(b, "sandbox.peak_memory_bytes", r->peak_memory_bytes);
    json_close(b, ']');
}

/* 1: ok. 2: error, and the reason. */
static void put_status(struct buf *b, enum run_reason reason)
{
    json_key(b, "status");
    json_open(b, '{');
    json_key(b, "code"), json_uint(b, reason == REASON_COMPLETED ? 1 : 2);
    if (reason != REASON_COMPLETED)
        json_key(b, "message"), json_put_string(b, reason_name(reason));
    json_close(b, '}');
}

static void put_root(struct buf *b, const struct otlp_record *r)
{
    json_open(b, '{');
    put_hex(b, "traceId", r->trace, sizeof r->trace);
    put_span_id(b, "spanId", r->span);
    if (r->has_parent)
        put_hex(b, "parentSpanId", r->parent, sizeof r->parent);
    json_key(b, "name"), json_put_string(b, "execution");
    json_key(b, "kind"), json_uint(b, 2); /* server */
    put_times(b, r, r->timing.received_us, r->end_us);
    put_attributes(b, r);
    put_status(b, r->reason);
    json_close(b, '}');
}

static void put_child(struct buf *b, const struct otlp_record *r, const struct otlp_part *p, size_t number)
{
    json_open(b, '{');
    put_hex(b, "traceId", r->trace, sizeof r->trace);
    put_span_id(b, "spanId", r->span + 1 + number);
    put_span_id(b, "parentSpanId", r->span);
    json_key(b, "name"), json_put_string(b, p->name);
    json_key(b, "kind"), json_uint(b, 1); /* internal */
    put_times(b, r, p->from_us, p->to_us);
    json_close(b, '}');
}

void otlp_write_traces(const struct otlp_resource *s, const struct otlp_record *runs, size_t count, struct buf *out)
{
    otlp_begin(s, "resourceSpans", "scopeSpans", "spans", out);
    for (size_t i = 0; i < count; i++) {
        struct otlp_part parts[OTLP_PARTS];
        const size_t n = otlp_parts(&runs[i], parts);
        put_root(out, &runs[i]);
        for (size_t k = 0; k < n; k++)
            put_child(out, &runs[i], &parts[k], k);
    }
    otlp_end(out);
}
