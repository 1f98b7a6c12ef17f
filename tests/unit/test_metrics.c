/* What the service counts: sums are exact, whoever counts at the same time; what no table knows has a place. */
#include "test.h"

#include <pthread.h>

#include "daemon/metrics_internal.h"

/* ---- helpers ---- */

struct page {
    struct metrics *m;
    struct metrics_gauges g;
    struct buf text;
};

static struct page *open_page(void)
{
    static struct page p;
    buf_done(&p.text);
    p.m = metrics_free(p.m);
    p = (struct page){ .m = metrics_new() };
    CHECK(p.m);
    return &p;
}

static const char *text_of(struct page *p)
{
    buf_done(&p->text);
    buf_init(&p->text, METRICS_MAX_TEXT);
    metrics_write(p->m, &p->g, &p->text);
    CHECK(!p->text.failed);
    return p->text.data ? p->text.data : "";
}

static bool has_line(struct page *p, const char *line)
{
    const size_t n = strlen(line);
    for (const char *at = text_of(p); *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, line, n) == 0 && at[n] == '\n')
            return true;
    return false;
}

static struct metrics_run a_run(void)
{
    return (struct metrics_run){ .language = LANG_PYTHON,
                                 .level = RISK_HIGH,
                                 .reason = REASON_COMPLETED,
                                 .duration_us = 20000,
                                 .startup_us = 2600,
                                 .queue_us = 0,
                                 .cpu_us = 1500001,
                                 .peak_memory_bytes = 9 * MIB };
}

static const struct histogram_bounds two = { 1000, 2, { 10, 1500 } };

/* ---- histograms ---- */

static const char *decimal(uint64_t value, uint64_t divisor)
{
    static struct buf b;
    buf_done(&b);
    buf_init(&b, 64);
    decimal_text(value, divisor, &b);
    return b.data;
}

TEST(numbers_are_written_exactly_and_without_trailing_zeros)
{
    CHECK_STR(decimal(0, 1000000), "0");
    CHECK_STR(decimal(1500000, 1000000), "1.5");
    CHECK_STR(decimal(500, 1000000), "0.0005");
    CHECK_STR(decimal(1000001, 1000000), "1.000001");
    CHECK_STR(decimal(42, 1), "42");
    CHECK_STR(decimal(UINT64_MAX, 1000), "18446744073709551.615");
}

TEST(buckets_are_cumulative_include_their_bound_and_end_at_infinity)
{
    struct histogram h = { 0 };
    struct buf b;
    buf_init(&b, 1000);
    const uint64_t values[] = { 0, 10, 11, 1500, 1501 };
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        histogram_add(&h, &two, values[i]);
    histogram_text(&h, &two, "x", "a=\"b\"", &b);
    CHECK_STR(b.data,
              "x_bucket{a=\"b\",le=\"0.01\"} 2\nx_bucket{a=\"b\",le=\"1.5\"} 4\nx_bucket{a=\"b\",le=\"+Inf\"} 5\n"
              "x_sum{a=\"b\"} 3.022\nx_count{a=\"b\"} 5\n");
    CHECK_EQ(histogram_count(&h), 5);
    buf_done(&b);
}

TEST(bounds_of_all_histograms_ascend)
{
    const struct histogram_bounds *all[] = { &metrics_run_bounds,    &metrics_startup_bounds, &metrics_queue_bounds,
                                             &metrics_memory_bounds, &metrics_http_bounds,    &metrics_short_bounds };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        CHECK(all[i]->count > 5 && all[i]->count <= HISTOGRAM_MAX_BOUNDS);
        for (uint32_t k = 1; k < HISTOGRAM_MAX_BOUNDS; k++)
            CHECK(k < all[i]->count ? all[i]->bound[k] > all[i]->bound[k - 1] : all[i]->bound[k] == 0);
    }
}

/* ---- counting ---- */

TEST(a_run_is_counted_by_level_language_backend_and_reason)
{
    struct page *p = open_page();
    struct metrics_run r = a_run();
    metrics_run(p->m, &r);
    CHECK(has_line(p, "sandbox_agent_executions_total{level=\"high\",language=\"python\",backend=\"native\",reason="
                      "\"completed\"} 1"));
    CHECK(has_line(
        p,
        "sandbox_agent_executions_total{level=\"low\",language=\"python\",backend=\"native\",reason=\"completed\"} 0"));
    CHECK(has_line(p, "sandbox_agent_cpu_seconds_total{level=\"high\",language=\"python\"} 1.500001"));
    CHECK(has_line(p, "sandbox_agent_startup_seconds_bucket{language=\"python\",le=\"0.002\"} 0"));
    CHECK(has_line(p, "sandbox_agent_startup_seconds_bucket{language=\"python\",le=\"0.003\"} 1"));
    CHECK(has_line(p, "sandbox_agent_peak_memory_bytes_bucket{le=\"8388608\"} 0"));
    CHECK(has_line(p, "sandbox_agent_peak_memory_bytes_bucket{le=\"16777216\"} 1"));
    CHECK(has_line(p, "sandbox_agent_queue_seconds_count 1"));
    CHECK(!strstr(text_of(p), "backend=\"docker\""));
    r.backend = "docker";
    metrics_run(p->m, &r);
    CHECK(has_line(p, "sandbox_agent_executions_total{level=\"high\",language=\"python\",backend=\"docker\",reason="
                      "\"completed\"} 1"));
}

TEST(a_run_that_did_not_start_is_in_no_histogram_of_running)
{
    struct page *p = open_page();
    const struct metrics_run r = { .language = LANG_COMMAND, .level = RISK_LOW, .reason = REASON_SANDBOX_ERROR };
    metrics_run(p->m, &r);
    CHECK(has_line(p, "sandbox_agent_executions_total{level=\"low\",language=\"command\",backend=\"native\",reason="
                      "\"sandbox_error\"} 1"));
    CHECK(has_line(p, "sandbox_agent_execution_duration_seconds_count{language=\"command\"} 0"));
    CHECK(has_line(p, "sandbox_agent_startup_seconds_count{language=\"command\"} 0"));
    CHECK(has_line(p, "sandbox_agent_peak_memory_bytes_count 0"));
}

TEST(a_run_of_impossible_kind_is_counted_nowhere)
{
    struct page *p = open_page();
    struct metrics_run r = a_run();
    r.reason = REASON_COUNT;
    metrics_run(p->m, &r);
    r = a_run();
    r.level = RISK_COUNT;
    metrics_run(p->m, &r);
    r = a_run();
    r.language = (enum language)(LANG_COMMAND + 1);
    metrics_run(p->m, &r);
    CHECK(has_line(p, "sandbox_agent_queue_seconds_count 0"));
}

TEST(every_type_of_violation_has_a_counter_and_a_new_one_is_other)
{
    struct page *p = open_page();
    size_t types = 0;
    while (violation_type(types))
        types++;
    CHECK(types > 15 && types <= METRICS_MAX_TYPES);
    const struct violation all[] = { { "reverse_shells", "", 0, SEVERITY_CRITICAL },
                                     { "blocked_module", "", 0, SEVERITY_HIGH },
                                     { "invented\"}\n", "", 0, SEVERITY_LOW },
                                     { NULL, "", 0, 200 } };
    struct metrics_run r = a_run();
    r.violations = all;
    r.violation_count = ARRAY_LEN(all);
    metrics_run(p->m, &r);
    CHECK(has_line(p, "sandbox_agent_violations_total{type=\"reverse_shells\",severity=\"critical\"} 1"));
    CHECK(has_line(p, "sandbox_agent_violations_total{type=\"blocked_module\",severity=\"medium\"} 0"));
    CHECK(has_line(p, "sandbox_agent_violations_total{type=\"blocked_module\",severity=\"high\"} 1"));
    CHECK(has_line(p, "sandbox_agent_violations_total{type=\"other\",severity=\"low\"} 1"));
    CHECK(has_line(p, "sandbox_agent_violations_total{type=\"other\",severity=\"critical\"} 1"));
    CHECK(!strstr(text_of(p), "invented"));
}

TEST(kill_switches_are_counted_by_name)
{
    struct page *p = open_page();
    const char *const names[] = { "fork_bomb_detection", "network_limit", "network_limit", "no such" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct metrics_run r = a_run();
        r.kill_switch = names[i];
        metrics_run(p->m, &r);
    }
    CHECK(has_line(p, "sandbox_agent_kill_switches_total{name=\"fork_bomb_detection\"} 1"));
    CHECK(has_line(p, "sandbox_agent_kill_switches_total{name=\"network_limit\"} 2"));
    CHECK(has_line(p, "sandbox_agent_kill_switches_total{name=\"other\"} 1"));
}

TEST(refusals_are_counted_by_rule_and_those_of_limits_by_limit_too)
{
    struct page *p = open_page();
    metrics_refused(p->m, "quarantined", false);
    metrics_refused(p->m, "python-reverse-shell", false);
    metrics_refused(p->m, "somebody's own pattern", false);
    metrics_refused(p->m, NULL, false);
    metrics_refused(p->m, limit_names[LIMIT_COOLDOWN], true);
    metrics_refused(p->m, "no such limit", true);
    CHECK(has_line(p, "sandbox_agent_refusals_total{rule=\"quarantined\"} 1"));
    CHECK(has_line(p, "sandbox_agent_refusals_total{rule=\"scan\"} 1"));
    CHECK(has_line(p, "sandbox_agent_refusals_total{rule=\"other\"} 2"));
    CHECK(has_line(p, "sandbox_agent_refusals_total{rule=\"rate_limit\"} 2"));
    CHECK(has_line(p, "sandbox_agent_rate_limit_refusals_total{limit=\"cooldown_period\"} 1"));
    CHECK(has_line(p, "sandbox_agent_rate_limit_refusals_total{limit=\"other\"} 1"));
    CHECK(!strstr(text_of(p), "limit=\"none\""));
}

TEST(requests_are_counted_by_method_and_status_whatever_the_client_sends)
{
    struct page *p = open_page();
    metrics_http(p->m, "GET", 200, 1000);
    metrics_http(p->m, "BREW\"", 418, 1);
    metrics_http(p->m, "GET", 0, 1);
    metrics_http(p->m, "POST", 60000, 1);
    CHECK(has_line(p, "sandbox_agent_http_requests_total{method=\"GET\",code=\"200\"} 1"));
    CHECK(has_line(p, "sandbox_agent_http_requests_total{method=\"other\",code=\"418\"} 1"));
    CHECK(has_line(p, "sandbox_agent_http_requests_total{method=\"GET\",code=\"500\"} 1"));
    CHECK(has_line(p, "sandbox_agent_http_requests_total{method=\"POST\",code=\"500\"} 1"));
    CHECK(has_line(p, "sandbox_agent_http_request_seconds_count 4"));
}

TEST(a_failed_reload_shows_until_one_succeeds)
{
    struct page *p = open_page();
    CHECK(has_line(p, "sandbox_agent_config_last_reload_successful 1"));
    metrics_count(p->m, METRICS_RELOAD_FAILED);
    CHECK(has_line(p, "sandbox_agent_config_last_reload_successful 0"));
    CHECK(has_line(p, "sandbox_agent_config_reloads_total{result=\"failure\"} 1"));
    metrics_count(p->m, METRICS_RELOAD);
    CHECK(has_line(p, "sandbox_agent_config_last_reload_successful 1"));
}

TEST(what_is_not_known_is_left_out_and_not_shown_as_nothing)
{
    struct page *p = open_page();
    CHECK(!strstr(text_of(p), "sandbox_agent_warm_"));
    CHECK(!strstr(text_of(p), "sandbox_agent_agents"));
    CHECK(!strstr(text_of(p), "sandbox_agent_audit_lines"));
    p->g.has_warm = p->g.has_audit = p->g.agents.is_known = true;
    p->g.agents.trust[9] = 3;
    CHECK(has_line(p, "sandbox_agent_warm_waiting 0"));
    CHECK(has_line(p, "sandbox_agent_agents_by_trust{range=\"0.9-1.0\"} 3"));
    CHECK(has_line(p, "sandbox_agent_audit_lines_total 0"));
}

TEST(only_chosen_families_are_shown_and_unknown_names_are_told)
{
    struct page *p = open_page();
    struct config c;
    struct buf unknown;
    buf_init(&unknown, 1000);
    config_defaults(&c);
    metrics_configure(p->m, &c, &unknown);
    CHECK_EQ(unknown.size, 0);
    CHECK(strlen(text_of(p)) > 5000);
    CHECK_EQ(strlist_add(&c.monitoring.metrics.metrics, "launcher_up"), 0);
    CHECK_EQ(strlist_add(&c.monitoring.metrics.metrics, "sandbox_agent_draining"), 0);
    CHECK_EQ(strlist_add(&c.monitoring.metrics.metrics, "executions_totl"), 0);
    metrics_configure(p->m, &c, &unknown);
    CHECK_STR(unknown.data, "executions_totl (did you mean executions_total?)");
    CHECK(has_line(p, "sandbox_agent_launcher_up 0"));
    CHECK(has_line(p, "sandbox_agent_draining 0"));
    CHECK(!strstr(text_of(p), "executions_total"));
    CHECK(!strstr(text_of(p), "process_"));
    buf_done(&unknown);
    config_done(&c);
}

TEST(the_five_names_of_agixt_s_configurations_show_the_families_that_say_it)
{
    static const struct {
        const char *name, *families[2];
    } cases[] = {
        { "execution_count", { "sandbox_agent_executions_total" } },
        { "execution_duration", { "sandbox_agent_execution_duration_seconds" } },
        { "resource_usage", { "sandbox_agent_cpu_seconds_total", "sandbox_agent_peak_memory_bytes" } },
        { "failure_rate", { "sandbox_agent_executions_total" } },
        { "risk_level_distribution", { "sandbox_agent_executions_total" } },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct page *p = open_page();
        struct config c;
        struct buf unknown;
        unsigned shown = 0, wanted = cases[i].families[1] ? 2 : 1;
        buf_init(&unknown, 1000);
        config_defaults(&c);
        CHECK_EQ(strlist_add(&c.monitoring.metrics.metrics, cases[i].name), 0);
        metrics_configure(p->m, &c, &unknown);
        CHECK_EQ(unknown.size, 0);
        for (const char *at = text_of(p); (at = strstr(at, "# TYPE ")); at += 7) {
            const char *name = at + strlen("# TYPE ");
            shown++;
            CHECK(str_starts(name, cases[i].families[0]) || (wanted == 2 && str_starts(name, cases[i].families[1])));
        }
        CHECK_EQ(shown, wanted);
        buf_done(&unknown);
        config_done(&c);
    }
}

TEST(the_process_knows_itself)
{
    struct metrics_process n;
    metrics_process(&n);
    CHECK(n.resident_bytes > 256 * KIB && n.resident_bytes < n.virtual_bytes);
    CHECK(n.threads >= 1 && n.open_fds >= 3 && n.open_fds <= n.max_fds);
    CHECK(n.start_ms > UINT64_C(1600000000000));
    cleanup(closep) int one = dup(2), another = dup(2);
    struct metrics_process later;
    metrics_process(&later);
    CHECK_EQ(later.open_fds, n.open_fds + 2);
    CHECK(later.cpu_us >= n.cpu_us);
    (void)close(another);
    CHECK(one >= 0);
}

#define COUNTERS 8
#define ROUNDS   20000u

static void *count_much(void *m)
{
    const struct violation v = { "crypto_mining", "", 0, SEVERITY_CRITICAL };
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct metrics_run r = a_run();
        r.startup_us = i;
        r.violations = &v;
        r.violation_count = 1;
        metrics_run(m, &r);
        metrics_http(m, "POST", 200, i);
        metrics_count(m, METRICS_CLIENT_GONE);
        metrics_time(m, METRICS_STORE, i);
        metrics_refused(m, "trust", false);
    }
    return NULL;
}

TEST(eight_threads_count_exactly)
{
    struct page *p = open_page();
    pthread_t threads[COUNTERS];
    char line[160];
    for (size_t i = 0; i < COUNTERS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, count_much, p->m), 0);
    for (unsigned i = 0; i < 20; i++)
        CHECK(strlen(text_of(p)) > 5000); /* somebody looks meanwhile */
    for (size_t i = 0; i < COUNTERS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK(has_line(p, "sandbox_agent_executions_total{level=\"high\",language=\"python\",backend=\"native\",reason="
                      "\"completed\"} 160000"));
    CHECK(has_line(p, "sandbox_agent_violations_total{type=\"crypto_mining\",severity=\"critical\"} 160000"));
    CHECK(has_line(p, "sandbox_agent_startup_seconds_count{language=\"python\"} 159992")); /* the first of each had not
                                                                                              started: 0 us */
    CHECK(has_line(p, "sandbox_agent_startup_seconds_sum{language=\"python\"} 1599.92"));
    CHECK(has_line(p, "sandbox_agent_http_request_seconds_count 160000"));
    CHECK(has_line(p, "sandbox_agent_clients_gone_total 160000"));
    CHECK(has_line(p, "sandbox_agent_refusals_total{rule=\"trust\"} 160000"));
    (void)snprintf(line, sizeof line, "sandbox_agent_cpu_seconds_total{level=\"high\",language=\"python\"} %u.16",
                   240000);
    CHECK(has_line(p, line));
    CHECK(has_line(p, "sandbox_agent_store_seconds_sum 1599.92"));
}
