/* Log lines for journald and syslog: what agents wrote is neither a line nor a field of its own, and a collector that
 * is gone or full costs a line, never time. */
#include "daemon/collector.h"

#include <stdio.h>

#include "test.h"

static struct buf out;

static const char *composed(enum collector_kind kind, const char *text, const char *agent)
{
    const struct collector_line l = {
        .level = LOG_WARN, .text = text, .size = strlen(text), .event = "alert", .agent = agent
    };
    buf_done(&out);
    buf_init(&out, 256 * KIB);
    collector_compose(kind, &l, &out);
    CHECK(!out.failed);
    return out.data;
}

TEST(what_an_agent_wrote_is_no_field_of_the_journal)
{
    const char *d = composed(COLLECTOR_JOURNALD, "a\nPRIORITY=0\nMESSAGE\n\x1b[2J \xc2\x9b \xff \xe2\x80\xa6",
                             "x\nPRIORITY=0");
    char expected[512];
    (void)snprintf(expected, sizeof expected,
                   "PRIORITY=4\nSYSLOG_IDENTIFIER=sandboxd\nSYSLOG_PID=%d\n"
                   "MESSAGE=a\\x0aPRIORITY=0\\x0aMESSAGE\\x0a\\x1b[2J \\x9b ? \xe2\x80\xa6\n"
                   "AGENTSANDBOX_EVENT=alert\nAGENTSANDBOX_AGENT=x\\x0aPRIORITY=0\n",
                   (int)getpid());
    CHECK_STR(d, expected);
}

TEST(a_line_of_syslog_is_one_line_and_has_an_end)
{
    static char longest[60000];
    const char *d = composed(COLLECTOR_SYSLOG, "a\n<0>Jan  1 00:00:00 kernel: b\x07\x7f", NULL);
    CHECK(str_starts(d, "<28>"));
    CHECK(strstr(d, "]: a\\x0a<0>Jan  1 00:00:00 kernel: b\\x07\\x7f") != NULL);
    CHECK(!strchr(d, '\n'));
    for (size_t i = 0; i + 2 < sizeof longest; i += 2)
        memcpy(longest + i, "\xc3\xa4", 2);
    d = composed(COLLECTOR_SYSLOG, longest, NULL);
    CHECK(out.size <= COLLECTOR_SYSLOG_MAX && out.size > COLLECTOR_SYSLOG_MAX - 4);
    CHECK(str_starts(d + out.size - 5, "\xc3\xa4\xe2\x80\xa6"));
}

/* <PRI>1 TIME HOST sandboxd PID alert [agentsandbox@32473 ...] TEXT, as RFC 5424 wants it. */
TEST(what_an_agent_wrote_ends_no_structured_data)
{
    char host[256] = "", expected[512];
    CHECK_EQ(gethostname(host, sizeof host - 1), 0);
    const char *d = composed(COLLECTOR_RFC5424, "a\n<0>1 b", "x\"] [origin y=\"\\\n");
    CHECK(str_starts(d, "<28>1 2") && strlen(d) > 30 && d[29] == 'Z');
    (void)snprintf(expected, sizeof expected,
                   " %s sandboxd %d alert [agentsandbox@32473 event=\"alert\" "
                   "agent=\"x\\\"\\] [origin y=\\\"\\\\\\\\x0a\"] a\\x0a<0>1 b",
                   host, (int)getpid());
    CHECK_STR(d + 30, expected);
    d = composed(COLLECTOR_RFC5424, "\xc3\xa4", NULL); /* UTF-8 has the mark before it */
    CHECK(strstr(d, "\"alert\"] \xEF\xBB\xBF\xc3\xa4") != NULL);
    const struct collector_line plain = { .level = LOG_INFO, .text = "hello", .size = 5 };
    buf_done(&out);
    buf_init(&out, 256 * KIB);
    collector_compose(COLLECTOR_RFC5424, &plain, &out);
    CHECK(str_starts(out.data, "<30>1 ") && strstr(out.data, " - - hello") && !out.failed);
}

TEST(outputs_that_are_collectors)
{
    static const struct {
        const char *output, *path;
    } cases[] = {
        { "journald", "/run/systemd/journal/socket" },
        { "syslog", "/dev/log" },
        { "syslog:/x", "/x" },
        { "syslog-rfc5424", "/dev/log" },
        { "syslog-rfc5424:/y", "/y" },
        { "journald:/a:/b", "/a:/b" },
        { "stderr", NULL },
        { "/dev/log", NULL },
        { "syslog:x", NULL },
        { "syslogd", NULL },
        { "syslog-rfc5425", NULL },
        { "journald:", NULL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        enum collector_kind kind;
        const char *path = NULL;
        CHECK_EQ(collector_parse(cases[i].output, &kind, &path), cases[i].path != NULL);
        if (cases[i].path)
            CHECK_STR(path, cases[i].path);
    }
    struct collector c;
    static char path[200];
    memset(path, 'x', sizeof path - 1);
    CHECK_EQ(collector_open(COLLECTOR_SYSLOG, path, &c), -ENAMETOOLONG);
}

/* A socket that nothing reads: the kernel takes net.unix.max_dgram_qlen lines. */
TEST(a_collector_that_is_full_or_gone_loses_lines_and_no_time)
{
    char dir[] = "/tmp/test-collector-XXXXXX";
    CHECK(mkdtemp(dir) != NULL);
    struct collector c;
    char path[64];
    (void)snprintf(path, sizeof path, "%s/socket", dir);
    CHECK_EQ(collector_open(COLLECTOR_JOURNALD, path, &c), 0);
    const struct collector_line l = { .level = LOG_INFO, .text = "hello", .size = 5 };
    CHECK(!collector_send(&c, &l)); /* not there yet */
    int reader = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(bind(reader, (struct sockaddr *)&c.to, sizeof c.to), 0);
    unsigned taken = 0;
    while (taken < 100000 && collector_send(&c, &l))
        taken++;
    CHECK(taken > 0 && taken < 100000);
    char first[200];
    CHECK(recv(reader, first, sizeof first, 0) > 0); /* there is room again */
    CHECK(collector_send(&c, &l));
    (void)close(reader);
    CHECK(!collector_send(&c, &l));
    CHECK_EQ(unlink(path), 0);
    CHECK(!collector_send(&c, &l));
    CHECK_EQ(rmdir(dir), 0);
    collector_close(&c);
}
