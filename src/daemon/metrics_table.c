/* metrics_table.c - the families, one row each, and how their samples are written.
 *
 * Counters that may stay at nothing for weeks are written as 0 all the same: an alert on an increase misses the first
 * one of a series that was not there before. Where the combinations are many (HTTP status, severities) only those that
 * happened are.
 */
#include "daemon/metrics_internal.h"

#include <stdio.h>

#include "base/parse.h"

/* Microseconds; origin: what profiles allow at most (300 s), and what a run costs at least (a prepared sandbox 1 ms, a
 * cold one 3 ms, an interpreter 10 to 40 ms). */
#define MS UINT64_C(1000)
#define S  UINT64_C(1000000)
const struct histogram_bounds metrics_run_bounds = { S,
                                                     14,
                                                     { 1 * MS, 5 * MS, 10 * MS, 25 * MS, 50 * MS, 100 * MS, 250 * MS,
                                                       500 * MS, S, 5 * S, 15 * S, 60 * S, 120 * S, 300 * S } };
const struct histogram_bounds metrics_startup_bounds = { S,
                                                         14,
                                                         { 500, 1 * MS, 2 * MS, 3 * MS, 5 * MS, 7500, 10 * MS, 15 * MS,
                                                           25 * MS, 50 * MS, 100 * MS, 250 * MS, 1 * S, 5 * S } };
const struct histogram_bounds metrics_queue_bounds = {
    S, 11, { 100, 1 * MS, 5 * MS, 25 * MS, 100 * MS, 500 * MS, 1 * S, 5 * S, 15 * S, 30 * S, 60 * S }
};
const struct histogram_bounds metrics_memory_bounds = { 1,
                                                        11,
                                                        { 1 * MIB, 4 * MIB, 8 * MIB, 16 * MIB, 32 * MIB, 64 * MIB,
                                                          128 * MIB, 256 * MIB, 512 * MIB, 1 * GIB, 4 * GIB } };
const struct histogram_bounds metrics_http_bounds = {
    S, 13, { 500, 1 * MS, 5 * MS, 10 * MS, 25 * MS, 50 * MS, 100 * MS, 250 * MS, 1 * S, 5 * S, 30 * S, 60 * S, 300 * S }
};
const struct histogram_bounds metrics_short_bounds = {
    S, 11, { 50, 100, 250, 500, 1 * MS, 2500, 5 * MS, 10 * MS, 50 * MS, 250 * MS, 1 * S }
};

struct view {
    const struct metrics *m;
    const struct metrics_gauges *g;
    const char *name; /* of the family */
    struct buf *out;
};

/* --- samples ---------------------------------------------------------------------------------------------- */

static void put(const struct view *v, const char *labels, uint64_t value, uint64_t divisor)
{
    (void)buf_addf(v->out, *labels ? "%s{%s} " : "%s%s ", v->name, labels);
    decimal_text(value, divisor, v->out);
    (void)buf_addc(v->out, '\n');
}

struct labels {
    char text[160];
};

static struct labels label(const char *name, const char *value)
{
    struct labels l;
    (void)snprintf(l.text, sizeof l.text, "%s=\"%s\"", name, value);
    return l;
}

static struct labels label2(const char *name, const char *value, const char *name2, const char *value2)
{
    struct labels l;
    (void)snprintf(l.text, sizeof l.text, "%s=\"%s\",%s=\"%s\"", name, value, name2, value2);
    return l;
}

static void put_names(const struct view *v, const char *name, struct metrics_names names, const counter *counters)
{
    for (size_t i = 0; i <= names.count; i++)
        put(v, label(name, metrics_name(names, i)).text, counter_get(&counters[i]), 1);
}

static void put_languages(const struct view *v, const struct histogram *h, const struct histogram_bounds *b)
{
    for (size_t i = 0; i < METRICS_LANGUAGES; i++)
        histogram_text(&h[i], b, v->name, label("language", language_names[i]).text, v->out);
}

/* --- what a table cannot say ---------------------------------------------------------------------------- */

static void put_execution(const struct view *v, size_t level, size_t language, size_t backend)
{
    for (size_t reason = 0; reason < REASON_COUNT; reason++) {
        const uint64_t n = counter_get(&v->m->executions[level][language][backend][reason]);
        struct labels l;
        (void)snprintf(l.text, sizeof l.text, "level=\"%s\",language=\"%s\",backend=\"%s\",reason=\"%s\"",
                       risk_level_names[level], language_names[language], metrics_name(metrics_backends, backend),
                       reason_name((enum run_reason)reason));
        if (n || backend == METRICS_BACKEND_NATIVE)
            put(v, l.text, n, 1);
    }
}

static void write_executions(const struct view *v)
{
    for (size_t level = 0; level < RISK_COUNT; level++)
        for (size_t language = 0; language < METRICS_LANGUAGES; language++)
            for (size_t backend = 0; backend <= METRICS_BACKENDS; backend++)
                put_execution(v, level, language, backend);
}

static void write_cpu(const struct view *v)
{
    for (size_t level = 0; level < RISK_COUNT; level++)
        for (size_t language = 0; language < METRICS_LANGUAGES; language++)
            put(v, label2("level", risk_level_names[level], "language", language_names[language]).text,
                counter_get(&v->m->cpu_us[level][language]), S);
}

static void write_duration(const struct view *v)
{
    put_languages(v, v->m->duration, &metrics_run_bounds);
}

static void write_startup(const struct view *v)
{
    put_languages(v, v->m->startup, &metrics_startup_bounds);
}

static void write_queue(const struct view *v)
{
    histogram_text(&v->m->queue, &metrics_queue_bounds, v->name, "", v->out);
}

static void write_memory(const struct view *v)
{
    histogram_text(&v->m->peak_memory, &metrics_memory_bounds, v->name, "", v->out);
}

static void write_violations(const struct view *v)
{
    bool is_known = true;
    for (size_t i = 0; i < METRICS_MAX_TYPES + 1 && is_known; i++) {
        const char *type = i < METRICS_MAX_TYPES ? violation_type(i) : NULL;
        is_known = type != NULL;
        for (size_t severity = 0; severity < SEVERITY_COUNT; severity++) {
            const uint64_t n = counter_get(&v->m->violations[i][severity]);
            if (n || (type && severity == violation_severity(type)))
                put(v, label2("type", type ? type : "other", "severity", severity_names[severity]).text, n, 1);
        }
    }
}

static void write_switches(const struct view *v)
{
    for (size_t i = 0; i < METRICS_SWITCHES + 1; i++) {
        const char *name = i < DETECTOR_COUNT ? detector_names[i] : i == DETECTOR_COUNT ? "network_limit" : "other";
        put(v, label("name", name).text, counter_get(&v->m->switches[i]), 1);
    }
}

static void write_refusals(const struct view *v)
{
    put_names(v, "rule", metrics_rules, v->m->rules);
}

static void write_limits(const struct view *v)
{
    put_names(v, "limit", metrics_limits, v->m->limits);
}

static void write_near(const struct view *v)
{
    static const char *const names[] = { "memory", "time", "processes" };
    _Static_assert(ARRAY_LEN(names) == METRICS_NEAR, "a limit has no name");
    for (size_t i = 0; i < METRICS_NEAR; i++)
        put(v, label("limit", names[i]).text, counter_get(&v->m->near[i]), 1);
}

static void put_disks(const struct view *v, size_t at)
{
    static const char *const names[] = { "state", "log" };
    _Static_assert(ARRAY_LEN(names) == METRICS_DISKS, "a place has no name");
    for (size_t i = 0; i < METRICS_DISKS; i++) {
        uint64_t bytes;
        memcpy(&bytes, (const char *)&v->g->disks[i] + at, sizeof bytes);
        if (v->g->disks[i].is_known)
            put(v, label("place", names[i]).text, bytes, 1);
    }
}

static void write_disk_free(const struct view *v)
{
    put_disks(v, offsetof(struct metrics_disk, free_bytes));
}

static void write_disk_size(const struct view *v)
{
    put_disks(v, offsetof(struct metrics_disk, size_bytes));
}

static void write_http(const struct view *v)
{
    char code[8];
    for (size_t method = 0; method <= METRICS_METHODS; method++)
        for (size_t i = 0; i < METRICS_STATUSES; i++) {
            const uint64_t n = counter_get(&v->m->http[method][i]);
            (void)snprintf(code, sizeof code, "%u", (unsigned)(METRICS_STATUS_FIRST + i));
            if (n || (i == 100 && method < 2)) /* 200 to GET and POST: so that the family has samples from the start */
                put(v, label2("method", metrics_name(metrics_methods, method), "code", code).text, n, 1);
        }
}

static void write_http_time(const struct view *v)
{
    histogram_text(&v->m->http_time, &metrics_http_bounds, v->name, "", v->out);
}

static void write_timer(const struct view *v, enum metrics_timer t)
{
    histogram_text(&v->m->timers[t], &metrics_short_bounds, v->name, "", v->out);
}

static void write_audit_time(const struct view *v)
{
    write_timer(v, METRICS_AUDIT_WRITE);
}

static void write_store_time(const struct view *v)
{
    write_timer(v, METRICS_STORE);
}

static void write_scan_time(const struct view *v)
{
    write_timer(v, METRICS_SCAN);
}

static void write_webhooks(const struct view *v)
{
    static const struct {
        const char *result;
        enum metrics_event event;
    } rows[] = { { "sent", METRICS_WEBHOOK_SENT },
                 { "failed", METRICS_WEBHOOK_FAILED },
                 { "dropped", METRICS_WEBHOOK_DROPPED } };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        put(v, label("result", rows[i].result).text, counter_get(&v->m->events[rows[i].event]), 1);
}

static void write_otlp(const struct view *v)
{
    put(v, label("result", "sent").text, counter_get(&v->m->events[METRICS_OTLP_SENT]), 1);
    put(v, label("result", "failed").text, counter_get(&v->m->events[METRICS_OTLP_FAILED]), 1);
}

static void write_warm(const struct view *v)
{
    put(v, label("result", "found").text, counter_get(&v->m->events[METRICS_WARM_FOUND]), 1);
    put(v, label("result", "missed").text, counter_get(&v->m->events[METRICS_WARM_MISSED]), 1);
}

static void write_messages(const struct view *v)
{
    put(v, label("result", "sent").text, counter_get(&v->m->events[METRICS_MESSAGE_SENT]), 1);
    put(v, label("result", "failed").text, counter_get(&v->m->events[METRICS_MESSAGE_FAILED]), 1);
}

static void write_reloads(const struct view *v)
{
    put(v, label("result", "success").text, counter_get(&v->m->events[METRICS_RELOAD]), 1);
    put(v, label("result", "failure").text, counter_get(&v->m->events[METRICS_RELOAD_FAILED]), 1);
}

static void write_reload_state(const struct view *v)
{
    put(v, "", !counter_get(&v->m->has_failed_reload), 1);
}

static void write_reload_time(const struct view *v)
{
    put(v, "", counter_get(&v->m->loaded_ms), 1000);
}

static void write_standing(const struct view *v)
{
    for (size_t i = 0; i < STANDING_COUNT; i++)
        put(v, label("standing", standing_names[i]).text, v->g->agents.standing[i], 1);
}

static void write_trust(const struct view *v)
{
    static const char *const ranges[] = { "0.0-0.1", "0.1-0.2", "0.2-0.3", "0.3-0.4", "0.4-0.5",
                                          "0.5-0.6", "0.6-0.7", "0.7-0.8", "0.8-0.9", "0.9-1.0" };
    _Static_assert(ARRAY_LEN(ranges) == ARRAY_LEN(v->g->agents.trust), "a range of trust has no name");
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
        put(v, label("range", ranges[i]).text, v->g->agents.trust[i], 1);
}

static void write_build(const struct view *v)
{
    put(v, label("version", VERSION).text, 1, 1);
}

/* --- the table -------------------------------------------------------------------------------------------- */

enum kind { COUNTER, GAUGE, HISTOGRAM };
static const char *const kind_names[] = { "counter", "gauge", "histogram" };

#define PREFIX "sandbox_agent_"
struct family {
    const char *name;
    enum kind kind;
    const char *help;
    void (*write)(const struct view *v); /* NULL: the one number below */
    bool is_event;
    uint16_t at;      /* offset in the gauges, or the event */
    uint32_t divisor; /* of that number */
    uint16_t only_if; /* offset of a bool in the gauges that has to be true; 0: none */
    bool is_bare;     /* without our prefix: the names that every program of Prometheus's has */
};
#define GAUGE_AT(member, by) .at = offsetof(struct metrics_gauges, member), .divisor = by
#define EVENT(e)             .is_event = true, .at = e, .divisor = 1
#define IF(member)           .only_if = offsetof(struct metrics_gauges, member)

static const struct family families[] = {
    { "build_info", GAUGE, "The version that runs; always 1.", .write = write_build },
    { "executions_total", COUNTER, "Executions that ended, by level, language, backend and reason.",
      .write = write_executions },
    { "execution_duration_seconds", HISTOGRAM, "How long programs ran, by language.", .write = write_duration },
    { "startup_seconds", HISTOGRAM,
      "From the arrival of a request to the start of its program, without the queue, by language.",
      .write = write_startup },
    { "queue_seconds", HISTOGRAM, "How long executions waited for their turn.", .write = write_queue },
    { "cpu_seconds_total", COUNTER, "CPU time of programs, by level and language.", .write = write_cpu },
    { "peak_memory_bytes", HISTOGRAM, "The most memory that an execution had.", .write = write_memory },
    { "executions_running", GAUGE, "Executions that run now.", GAUGE_AT(running, 1) },
    { "executions_queued", GAUGE, "Executions that wait for their turn now.", GAUGE_AT(queued, 1) },
    { "queue_capacity", GAUGE, "How many executions may wait (endpoints.api.queue_size).", GAUGE_AT(queue_max, 1) },
    { "queue_full_total", COUNTER, "Requests that were refused since too many waited already.",
      EVENT(METRICS_QUEUE_FULL) },
    { "clients_gone_total", COUNTER, "Executions that were ended since their client had left.",
      EVENT(METRICS_CLIENT_GONE) },
    { "violations_total", COUNTER, "Violations in executions, by type and severity.", .write = write_violations },
    { "kill_switches_total", COUNTER, "Executions that a kill switch ended, by its name.", .write = write_switches },
    { "refusals_total", COUNTER, "Executions that were refused, by the rule that did.", .write = write_refusals },
    { "rate_limit_refusals_total", COUNTER,
      "Executions that a rate limit refused, by limit; each is one of refusals_total, too.", .write = write_limits },
    { "executions_near_limit_total", COUNTER, "Executions that came to 90 % or more of a limit, or met it, by limit.",
      .write = write_near },
    { "agent_attempts_max", GAUGE,
      "Most requests for executions by one agent in the last hour, refused ones included; GET /attempts names agents.",
      GAUGE_AT(busiest_attempts, 1) },
    { "http_requests_total", COUNTER, "Requests that reached a handler, by method and status.", .write = write_http },
    { "http_request_seconds", HISTOGRAM,
      "From the arrival of a request until its answer, or the first part of it, is there.", .write = write_http_time },
    { "http_connections", GAUGE, "Connections that are open now.", GAUGE_AT(connections, 1) },
    { "http_connections_total", COUNTER, "Connections that were accepted.", GAUGE_AT(connections_total, 1) },
    { "http_connections_refused_total", COUNTER, "Connections that there was no room for.",
      GAUGE_AT(connections_refused, 1) },
    { "http_connections_evicted_total", COUNTER, "Waiting connections that were closed to make room.",
      GAUGE_AT(connections_evicted, 1) },
    { "http_bad_requests_total", COUNTER, "Requests that were refused before they reached a handler.",
      GAUGE_AT(requests_bad, 1) },
    { "http_timeouts_total", COUNTER, "Connections that were closed since a deadline had passed.",
      GAUGE_AT(requests_timed_out, 1) },
    { "draining", GAUGE, "1 while the service takes no new runs and sessions: it ends, or its node is drained.",
      GAUGE_AT(is_draining, 1) },
    { "launcher_up", GAUGE, "1 while the launcher of the native backend answers.", GAUGE_AT(launcher_is_up, 1) },
    { "launcher_restarts_total", COUNTER,
      "Launchers that had to be started anew, those of the docker backend (sandbox-engine) included.",
      EVENT(METRICS_LAUNCHER_RESTART) },
    { "warm_waiting", GAUGE, "Sandboxes in which an interpreter waits for its work.", GAUGE_AT(warm_waiting, 1),
      IF(has_warm) },
    { "warm_claims_total", COUNTER, "Executions that an interpreter could have waited for, by whether one did.",
      .write = write_warm, IF(has_warm) },
    { "warm_lost_total", COUNTER, "Interpreters that ended while they waited; the service's log says why.",
      EVENT(METRICS_WARM_LOST), IF(has_warm) },
    { "agents", GAUGE, "Agents that are known, by standing.", .write = write_standing, IF(agents.is_known) },
    { "agents_by_trust", GAUGE,
      "Agents that are known, by trust; the upper end belongs to the next range, 1.0 to the last.",
      .write = write_trust, IF(agents.is_known) },
    { "scan_seconds", HISTOGRAM, "How long scans of code took.", .write = write_scan_time },
    { "store_seconds", HISTOGRAM, "How long the store took for one call, waiting for it included.",
      .write = write_store_time },
    { "audit_write_seconds", HISTOGRAM, "How long a line of the audit took to be written.", .write = write_audit_time },
    { "audit_lines_total", COUNTER, "Number of the audit's last line.", GAUGE_AT(audit_lines, 1), IF(has_audit) },
    { "audit_file_bytes", GAUGE, "Size of the audit's current file.", GAUGE_AT(audit_file_bytes, 1), IF(has_audit) },
    { "audit_failures_total", COUNTER, "Executions that were not run, or not settled, since the audit was not written.",
      EVENT(METRICS_AUDIT_FAILED) },
    { "audit_verified_timestamp_seconds", GAUGE, "When the service last verified the whole audit.",
      GAUGE_AT(verified_ms, 1000), IF(is_verified) },
    { "audit_problems", GAUGE, "Problems that the last verification found; see sandbox-agent audit verify.",
      GAUGE_AT(audit_problems, 1), IF(is_verified) },
    { "audit_witnessed_timestamp_seconds", GAUGE,
      "When another node of the fleet last signed a checkpoint of this node's audit.", GAUGE_AT(witnessed_ms, 1000),
      IF(is_witnessed) },
    { "fleet_cosigned_timestamp_seconds", GAUGE,
      "Of the audits that this node witnesses, when the checkpoint was made that is the oldest of the last it signed.",
      GAUGE_AT(cosigned_ms, 1000), IF(has_cosigned) },
    { "fleet_audits_refused", GAUGE,
      "Audits of other nodes that this node does not sign any more, since they are not what they were.",
      GAUGE_AT(audits_refused, 1), IF(has_cosigner) },
    { "fleet_policies_differ", GAUGE, "Living nodes of the fleet whose policies are others than this node's.",
      GAUGE_AT(policies_differ, 1), IF(has_nodes) },
    { "content_waiting", GAUGE, "What this node has for content.place and has not written there yet.",
      GAUGE_AT(content_waiting, 1), IF(has_content) },
    { "content_written_total", COUNTER,
      "Executions and snapshots whose contents content.place has now as this node does.", GAUGE_AT(content_written, 1),
      IF(has_content) },
    { "content_retries_total", COUNTER, "Attempts to write into content.place that failed and are made again.",
      GAUGE_AT(content_failed, 1), IF(has_content) },
    { "content_dropped_total", COUNTER,
      "What stays on this node alone, though content.place is given; the log says why.", GAUGE_AT(content_dropped, 1),
      IF(has_content) },
    { "store_failures_total", COUNTER, "Calls of the store that failed.", EVENT(METRICS_STORE_FAILED) },
    { "disk_free_bytes", GAUGE, "What the service may still write on the file system of its state or its logs.",
      .write = write_disk_free, IF(disks[METRICS_DISK_LOG].is_known) },
    { "disk_size_bytes", GAUGE, "Size of that file system.", .write = write_disk_size,
      IF(disks[METRICS_DISK_LOG].is_known) },
    { "key_expiry_timestamp_seconds", GAUGE, "When the first of the keys that are good now expires.",
      GAUGE_AT(key_expires_ms, 1000), IF(has_expiry) },
    { "webhook_posts_total", COUNTER, "Posts to webhooks: sent, failed for good, or dropped since too many waited.",
      .write = write_webhooks },
    { "webhook_retries_total", COUNTER, "Attempts of posts to webhooks that failed and are made again.",
      EVENT(METRICS_WEBHOOK_RETRIED) },
    { "webhook_posts_waiting", GAUGE, "Posts to webhooks that wait, those under way included.",
      GAUGE_AT(webhooks_waiting, 1) },
    { "log_lines_dropped_total", COUNTER,
      "Lines of the log that standard output, journald or syslog did not take (monitoring.logging.output).",
      GAUGE_AT(log_dropped, 1) },
    { "otlp_posts_total", COUNTER, "Posts to the OpenTelemetry collector: sent, or given up.", .write = write_otlp },
    { "otlp_runs_dropped_total", COUNTER,
      "Runs without a trace since too many waited for the collector (monitoring.otlp.queue_size).",
      EVENT(METRICS_OTLP_DROPPED) },
    { "alert_messages_total", COUNTER, "Messages to e-mail addresses and chats: sent, or given up.",
      .write = write_messages },
    { "config_reloads_total", COUNTER, "Reloads of the configuration, by result.", .write = write_reloads },
    { "config_last_reload_successful", GAUGE, "0 when the last reload failed, and what was there before still holds.",
      .write = write_reload_state },
    { "config_last_reload_success_timestamp_seconds", GAUGE, "When the configuration of now was read.",
      .write = write_reload_time },
    { "process_cpu_seconds_total", COUNTER, "CPU time of the service itself.", GAUGE_AT(process.cpu_us, S),
      .is_bare = true },
    { "process_start_time_seconds", GAUGE, "When the service was started, in seconds since 1970.",
      GAUGE_AT(process.start_ms, 1000), .is_bare = true },
    { "process_resident_memory_bytes", GAUGE, "Memory of the service that is in RAM.",
      GAUGE_AT(process.resident_bytes, 1), .is_bare = true },
    { "process_virtual_memory_bytes", GAUGE, "Address space of the service.", GAUGE_AT(process.virtual_bytes, 1),
      .is_bare = true },
    { "process_open_fds", GAUGE, "Descriptors that the service has open.", GAUGE_AT(process.open_fds, 1),
      .is_bare = true },
    { "process_max_fds", GAUGE, "Descriptors that the service may have open.", GAUGE_AT(process.max_fds, 1),
      .is_bare = true },
    { "process_threads", GAUGE, "Threads of the service.", GAUGE_AT(process.threads, 1), .is_bare = true },
};
_Static_assert(ARRAY_LEN(families) <= METRICS_MAX_FAMILIES, "more families than bits");

static uint64_t number_of(const struct family *f, const struct view *v)
{
    uint64_t n;
    if (f->is_event)
        return counter_get(&v->m->events[f->at]);
    memcpy(&n, (const char *)v->g + f->at, sizeof n);
    return n;
}

static bool is_shown(size_t i, const struct view *v)
{
    const struct family *f = &families[i];
    bool is_there = true;
    if (f->only_if)
        memcpy(&is_there, (const char *)v->g + f->only_if, sizeof is_there);
    return is_there && !(counter_get(&v->m->hidden[i / 64]) >> (i % 64) & 1);
}

void metrics_write(const struct metrics *m, const struct metrics_gauges *g, struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(families); i++) {
        const struct family *f = &families[i];
        char name[80];
        struct view v = { m, g, name, out };
        (void)snprintf(name, sizeof name, "%s%s", f->is_bare ? "" : PREFIX, f->name);
        if (!is_shown(i, &v))
            continue;
        (void)buf_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, f->help, name, kind_names[f->kind]);
        if (f->write)
            f->write(&v);
        else
            put(&v, "", number_of(f, &v), f->divisor);
    }
}

/* --- which are shown ------------------------------------------------------------------------------------ */

static size_t find_family(const char *name)
{
    const char *bare = str_starts(name, PREFIX) ? name + strlen(PREFIX) : name;
    size_t i = 0;
    while (i < ARRAY_LEN(families) && !str_eq(families[i].name, bare))
        i++;
    return i;
}

static void tell_unknown(const char *name, struct buf *unknown)
{
    const char *names[ARRAY_LEN(families)];
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        names[i] = families[i].name;
    const char *near = nearest_word(name, names, ARRAY_LEN(names));
    (void)buf_adds(unknown, unknown->size ? ", " : "");
    (void)buf_adds_clean(unknown, name);
    if (near)
        (void)buf_addf(unknown, " (did you mean %s?)", near);
}

/* What configurations for AGiXT call what they want to see, and the families that say it. */
static const struct topic {
    const char *name, *families[2];
} topics[] = {
    { "execution_count", { "executions_total", NULL } },
    { "execution_duration", { "execution_duration_seconds", NULL } },
    { "resource_usage", { "cpu_seconds_total", "peak_memory_bytes" } },
    { "failure_rate", { "executions_total", NULL } }, /* by its label reason */
    { "risk_level_distribution", { "executions_total", NULL } },
};

static void show(uint64_t *shown, const char *name)
{
    const size_t i = find_family(name);
    assert(i < ARRAY_LEN(families)); /* of our own tables */
    shown[i / 64] |= UINT64_C(1) << (i % 64);
}

static bool show_topic(uint64_t *shown, const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(topics); i++)
        if (str_eq(topics[i].name, name)) {
            for (size_t k = 0; k < ARRAY_LEN(topics[i].families) && topics[i].families[k]; k++)
                show(shown, topics[i].families[k]);
            return true;
        }
    return false;
}

void metrics_configure(struct metrics *m, const struct config *c, struct buf *unknown)
{
    const struct strlist *names = &c->monitoring.metrics.metrics;
    uint64_t shown[METRICS_MAX_FAMILIES / 64] = { 0 };
    STRLIST_FOREACH(name, names)
    {
        if (show_topic(shown, name))
            continue;
        if (find_family(name) == ARRAY_LEN(families))
            tell_unknown(name, unknown);
        else
            show(shown, name);
    }
    for (size_t i = 0; i < ARRAY_LEN(shown); i++)
        m->hidden[i] = names->count ? ~shown[i] : 0;
    m->collect_interval_ms = c->monitoring.metrics.collect_interval;
}
