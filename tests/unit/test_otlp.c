/* OTLP: the spans of a run, metrics from our own text, and what may be configured. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "daemon/otlp_internal.h"
#include "test.h"

static struct otlp_record record_of(const struct timing *t, const char *trace, const char *parent)
{
    static const uint64_t random[3] = { UINT64_MAX, 7, 8 };
    const struct otlp_run run = { .trace_id = trace,
                                  .parent_id = parent,
                                  .execution_id = "exec_1",
                                  .agent_id = "a\"\\",
                                  .reason = REASON_COMPLETED,
                                  .timing = *t };
    struct otlp_record r;
    otlp_record_make(&run, random, 5000000, 2000000, &r);
    return r;
}

static const struct timing whole = { .received_us = 1000,
                                     .queued_us = 1010,
                                     .granted_us = 1020,
                                     .scan_us = 1030,
                                     .scanned_us = 1050,
                                     .decided_us = 1100,
                                     .sent_us = 1110,
                                     .started_us = 1200,
                                     .ended_us = 1900,
                                     .settled_us = 2000 };

TEST(the_parts_of_a_run_lie_within_it_and_follow_each_other)
{
    static const char *const names[] = { "queue", "scan", "decide", "start", "run", "settle" };
    static const uint64_t at[][2] = { { 1010, 1020 }, { 1030, 1050 }, { 1050, 1100 },
                                      { 1100, 1200 }, { 1200, 1900 }, { 1900, 2000 } };
    struct otlp_part parts[OTLP_PARTS];
    struct otlp_record r = record_of(&whole, NULL, NULL);
    CHECK_EQ(otlp_parts(&r, parts), ARRAY_LEN(names));
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        CHECK_STR(parts[i].name, names[i]);
        CHECK_EQ(parts[i].from_us, at[i][0]);
        CHECK_EQ(parts[i].to_us, at[i][1]);
    }
}

TEST(a_run_that_did_not_come_so_far_has_fewer_parts_none_beyond_its_end)
{
    static const struct {
        uint64_t granted, decided, started, ended;
        size_t parts;
        const char *last;
    } cases[] = {
        { 0, 0, 0, 0, 1, "queue" },             /* no turn in time */
        { 1020, 0, 0, 0, 3, "decide" },         /* refused */
        { 1020, 1100, 0, 0, 4, "start" },       /* the launcher failed */
        { 1020, 1100, 1200, 9999, 6, "settle" } /* a clock of another process: not beyond the run's end */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct timing t = whole;
        struct otlp_part parts[OTLP_PARTS];
        t.granted_us = cases[i].granted, t.decided_us = cases[i].decided;
        t.started_us = cases[i].started, t.ended_us = cases[i].ended;
        struct otlp_record r = record_of(&t, NULL, NULL);
        const size_t n = otlp_parts(&r, parts);
        CHECK_EQ(n, cases[i].ended > t.settled_us ? cases[i].parts - 1 : cases[i].parts);
        for (size_t k = 0; k < n; k++)
            CHECK(parts[k].from_us >= t.received_us && parts[k].to_us <= t.settled_us &&
                  parts[k].from_us <= parts[k].to_us);
        if (cases[i].ended <= t.settled_us)
            CHECK_STR(parts[n - 1].name, cases[i].last);
    }
}

TEST(a_trace_is_the_callers_or_a_new_one_and_no_id_is_zero)
{
    const struct otlp_resource s = { "host", "0123" };
    struct otlp_record r[2] = { record_of(&whole, "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"),
                                record_of(&whole, NULL, NULL) };
    struct buf b;
    buf_init(&b, MIB);
    otlp_write_traces(&s, r, 2, &b);
    CHECK(!b.failed);
    CHECK(strstr(b.data, "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"spanId\":\"7fffffffffffffff\","
                         "\"parentSpanId\":\"b7ad6b7169203331\",\"name\":\"execution\""));
    CHECK(strstr(b.data, "\"spanId\":\"8000000000000000\",\"parentSpanId\":\"7fffffffffffffff\",\"name\":\"queue\""));
    CHECK(strstr(b.data, "\"startTimeUnixNano\":\"3001000000\",\"endTimeUnixNano\":\"3002000000\"")); /* + 3 s */
    CHECK(strstr(b.data, "{\"stringValue\":\"a\\\"\\\\\"}"));
    CHECK(!r[1].has_parent && r[1].trace[0]);
    buf_done(&b);
}

TEST(metrics_are_those_of_the_text_and_what_is_none_is_left_out)
{
    static const char text[] = "# HELP a_total All \"a\".\n# TYPE a_total counter\na_total{x=\"1\",y=\"q\\\"}\"} 1.5\n"
                               "a_total{x=\"1\" 7\na_total NaN\nb 1\n"
                               "# HELP h H\n# TYPE h histogram\nh_bucket{l=\"p\",le=\"0.5\"} 2\n"
                               "h_bucket{l=\"p\",le=\"+Inf\"} 5\nh_sum{l=\"p\"} 3.25\nh_count{l=\"p\"} 5\n"
                               "# HELP g G\n# TYPE g gauge\ng 4\n# HELP none N\n# TYPE none counter\n";
    static const char expected[] =
        "\"metrics\":[{\"name\":\"a_total\",\"description\":\"All "
        "\\\"a\\\".\",\"sum\":{\"dataPoints\":[{\"attributes\":"
        "[{\"key\":\"x\",\"value\":{\"stringValue\":\"1\"}},{\"key\":\"y\",\"value\":{\"stringValue\":\"q\\\"}\"}}],"
        "\"startTimeUnixNano\":\"1\",\"timeUnixNano\":\"2\",\"asDouble\":1.5}],\"aggregationTemporality\":2,"
        "\"isMonotonic\":true}},{\"name\":\"h\",\"description\":\"H\",\"histogram\":{\"dataPoints\":[{\"attributes\":"
        "[{\"key\":\"l\",\"value\":{\"stringValue\":\"p\"}}],\"startTimeUnixNano\":\"1\",\"timeUnixNano\":\"2\","
        "\"count\":\"5\",\"sum\":3.25,\"bucketCounts\":[\"2\",\"3\"],\"explicitBounds\":[0.5]}],"
        "\"aggregationTemporality\":2}},{\"name\":\"g\",\"description\":\"G\",\"gauge\":{\"dataPoints\":[{"
        "\"attributes\":"
        "[],\"timeUnixNano\":\"2\",\"asDouble\":4}]}}]}]}]}";
    const struct otlp_resource s = { "host", "0123" };
    struct buf b;
    buf_init(&b, MIB);
    otlp_write_metrics(&s, text, 1, 2, &b);
    CHECK(!b.failed);
    CHECK_STR(strstr(b.data, "\"metrics\":["), expected);
    buf_done(&b);
}

/* --- what may be configured ------------------------------------------------------------------------------- */

static int check(const char *url, bool allow_private, const char *headers, mode_t mode)
{
    struct config c;
    struct error err = { 0 };
    char path[] = "/tmp/test-otlp-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0 && (!headers || write(fd, headers, strlen(headers)) == (ssize_t)strlen(headers)));
    CHECK_EQ(fchmod(fd, mode), 0);
    config_defaults(&c);
    c.monitoring.otlp.endpoint = url;
    c.monitoring.otlp.allow_private = allow_private;
    c.monitoring.otlp.headers_file = headers ? path : NULL;
    int e = otlp_check(&c, &err);
    CHECK(e == 0 || (err.blame == BLAME_CALLER && !strstr(err.text, "TOKEN"))); /* a log shows no secret */
    (void)close(fd);
    (void)unlink(path);
    c.monitoring.otlp.endpoint = c.monitoring.otlp.headers_file = NULL;
    config_done(&c);
    return e;
}

TEST(endpoints_and_headers_that_are_accepted_and_those_that_are_not)
{
    static const char good[] = "Authorization: Bearer TOKEN\n\nX-Scope: a\r\n";
    static const struct {
        const char *url;
        bool allow_private;
        const char *headers;
        mode_t mode;
        int result;
    } cases[] = {
        { NULL, false, NULL, 0600, 0 },
        { "https://otel.example.org:4318/otlp/", false, good, 0600, 0 },
        { "http://otel.example.org:4318", false, NULL, 0600, 0 },
        { "http://127.0.0.1:4318", true, good, 0640, 0 },
        { "http://127.0.0.1:4318", false, NULL, 0600, -EACCES },
        { "http://169.254.169.254/", true, NULL, 0600, -EACCES },
        { "http://otel.example.org:4318", false, good, 0600, -EINVAL }, /* a token in the clear */
        { "http://127.0.0.1.example.org", true, good, 0600, -EINVAL },
        { "https://otel.example.org/?a=b", false, NULL, 0600, -EINVAL },
        { "ftp://otel.example.org", false, NULL, 0600, -EINVAL },
        { "https://otel.example.org", false, good, 0604, -EPERM },
        { "https://otel.example.org", false, "TOKEN\n", 0600, -EINVAL },
        { "https://otel.example.org", false, "Host: TOKEN\n", 0600, -EINVAL },
        { "https://otel.example.org", false, "A b: TOKEN\n", 0600, -EINVAL },
        { "https://otel.example.org", false, "A: TOKEN\x01\n", 0600, -EINVAL },
        { "https://otel.example.org", false, "A:1\nA:2\nA:3\nA:4\nA:5\nA:6\nA:7\nA:8\nA:9 TOKEN\n", 0600, -EINVAL },
        { "https://otel.example.org", false, "", 0600, -EINVAL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        CHECK_EQ(check(cases[i].url, cases[i].allow_private, cases[i].headers, cases[i].mode), cases[i].result);
}
