/* metrics_text.c - the text of /metrics without a service, for test_metrics.py: with everything known and something
 * counted everywhere, or (argument «empty») of a service that has just begun. */
#include <stdio.h>

#include "daemon/metrics.h"
#include "policy/limits.h"
#include "watch/watch.h"

static void count_runs(struct metrics *m)
{
    struct metrics_run r = { .backend = NULL };
    for (unsigned level = 0; level < RISK_COUNT; level++)
        for (unsigned language = 0; language <= LANG_COMMAND; language++)
            for (unsigned reason = 0; reason < REASON_COUNT; reason++) {
                r.level = (enum risk_level)level;
                r.language = (enum language)language;
                r.reason = (enum run_reason)reason;
                r.duration_us = 1000u << (2 * reason);
                r.startup_us = 300u * (reason + 1);
                r.queue_us = 77u * reason;
                r.cpu_us = 1234567;
                r.peak_memory_bytes = MIB << reason;
                r.kill_switch = reason == REASON_KILLED ? detector_names[language] : NULL;
                metrics_run(m, &r);
            }
    r.backend = "docker";
    metrics_run(m, &r);
    r.backend = "another";
    metrics_run(m, &r);
}

static void count_rest(struct metrics *m)
{
    static const char *const methods[] = { "GET", "POST", "DELETE", "PATCH", "BREW" };
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        for (unsigned status = 200; status < 512; status += 13)
            metrics_http(m, methods[i], status, status * 1000);
    for (unsigned limit = 0; limit < LIMIT_COUNT; limit++)
        metrics_refused(m, limit_names[limit], true);
    metrics_refused(m, "an agent's \"own\"\nrule\\", false);
    for (unsigned t = 0; t < METRICS_TIMERS; t++)
        metrics_time(m, (enum metrics_timer)t, 700 * t);
    for (unsigned e = 0; e < METRICS_EVENTS; e++)
        metrics_count(m, (enum metrics_event)e);
    metrics_attempt(m, "an agent");
    const struct violation odd = { "an \"odd\"\n\\ type", "", 0, SEVERITY_HIGH };
    struct metrics_run r = { .violations = &odd, .violation_count = 1 };
    metrics_run(m, &r);
}

int main(int argc, char **argv)
{
    struct metrics *m = metrics_new();
    struct metrics_gauges g = { 0 };
    struct buf out;
    buf_init(&out, METRICS_MAX_TEXT);
    if (!m)
        return 1;
    if (argc < 2 || strcmp(argv[1], "empty") != 0) {
        count_runs(m);
        count_rest(m);
        g = (struct metrics_gauges){ .running = 3,
                                     .queued = 4,
                                     .queue_max = 256,
                                     .launcher_is_up = 1,
                                     .has_warm = true,
                                     .warm_waiting = 4,
                                     .has_audit = true,
                                     .audit_lines = 12,
                                     .audit_file_bytes = 3456,
                                     .busiest_attempts = 101,
                                     .has_expiry = true,
                                     .key_expires_ms = 1700000000000,
                                     .disks = { { true, 4096, 8192 }, { true, 1, 2 } },
                                     .is_verified = true,
                                     .verified_ms = 1700000000000,
                                     .has_cosigner = true,
                                     .has_nodes = true,
                                     .has_content = true,
                                     .is_witnessed = true,
                                     .witnessed_ms = 1700000000000,
                                     .has_cosigned = true,
                                     .cosigned_ms = 1700000000000,
                                     .agents = { .is_known = true, .trust = { 1, [9] = 2 } } };
    }
    metrics_write(m, &g, &out);
    const bool is_whole = !out.failed && fwrite(out.data, 1, out.size, stdout) == out.size;
    buf_done(&out);
    (void)metrics_free(m);
    return is_whole ? 0 : 1;
}
