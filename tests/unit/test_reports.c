/* What a guard, or a payload in its name, writes: parsed strictly, bounded, and never waited for. */
#include "run/denied.h"
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include "run/violations.h"

static const struct intent nothing_meant = { false, METADATA_NOT_NAMED };

static const char *parse(const char *line, char name[static REPORT_MAX_NAME + 1])
{
    return reports_parse(line, strlen(line), name);
}

static struct reports *opened(int *ret_fd)
{
    static struct reports r;
    r = (struct reports){ .pipe = -1 };
    *ret_fd = reports_open(&r);
    CHECK(*ret_fd >= 0 && r.pipe >= 0);
    return &r;
}

static void say(int fd, const char *text)
{
    CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
}

#define LINE(type, name) "{\"type\":\"" type "\",\"detail\":\"" name "\"}"

TEST(a_report_has_exactly_one_form)
{
    char name[REPORT_MAX_NAME + 1];
    CHECK_STR(parse(LINE("blocked_module", "os"), name), "blocked_module");
    CHECK_STR(name, "os");
    CHECK_STR(parse(LINE("blocked_builtin", "Worker with eval"), name), "blocked_builtin");
    CHECK_STR(parse(LINE("blocked_command", "/usr/bin/x-y_z.1@a:b"), name), "blocked_command");
    CHECK_STR(name, "/usr/bin/x-y_z.1@a:b");
    static const char *const bad[] = { "",
                                       "{}",
                                       "null",
                                       LINE("blocked_modules", "os"),
                                       LINE("memory_limit", "x"),
                                       LINE("", "x"),
                                       LINE("blocked_module", ""),
                                       LINE("blocked_module", "a\\u0041"),
                                       LINE("blocked_module", "a\"b"),
                                       LINE("blocked_module", "\033[31m"),
                                       LINE("blocked_module", "\xc3\xa9"),
                                       LINE("blocked_module", "os") " ",
                                       " " LINE("blocked_module", "os"),
                                       LINE("blocked_module", "os") "{",
                                       "{\"detail\":\"os\",\"type\":\"blocked_module\"}",
                                       "{\"type\": \"blocked_module\",\"detail\":\"os\"}",
                                       "{\"type\":\"blocked_module\",\"detail\":\"os\",\"severity\":\"low\"}",
                                       "{\"type\":\"blocked_module\"}",
                                       "{\"type\":\"blocked_module\",\"detail\":7}",
                                       "{\"type\":\"blocked_module\",\"detail\":\"os" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (parse(bad[i], name))
            CHECK_STR(bad[i], "refused");
    CHECK(!reports_parse(LINE("blocked_module", "o\0s"), sizeof LINE("blocked_module", "o\0s") - 1, name));
}

TEST(a_reported_name_has_at_most_two_hundred_letters)
{
    char line[512], name[REPORT_MAX_NAME + 1], x[300];
    memset(x, 'x', sizeof x);
    for (int n = (int)REPORT_MAX_NAME - 1; n <= (int)REPORT_MAX_NAME + 2; n++) {
        (void)snprintf(line, sizeof line, "{\"type\":\"blocked_module\",\"detail\":\"%.*s\"}", n, x);
        CHECK_EQ(parse(line, name) != NULL, n <= (int)REPORT_MAX_NAME);
    }
}

TEST(reports_are_merged_and_what_is_none_counts_as_nothing)
{
    int fd;
    struct reports *r = opened(&fd);
    say(fd, LINE("blocked_module", "os") "\n" LINE("blocked_module", "os") "\ngarbage\n\n" LINE("blocked_builtin",
                                                                                                "os") "\n");
    say(fd, "{\"type\":\"blocked_mo");
    reports_read(r);
    CHECK_EQ(r->count, 2);
    say(fd, "dule\",\"detail\":\"so"); /* in pieces */
    reports_read(r);
    CHECK_EQ(r->count, 2);
    say(fd, "cket\"}\n" LINE("blocked_module", "never ended"));
    reports_read(r);
    (void)close(fd);
    reports_read(r);
    CHECK_EQ(r->count, 3);
    CHECK_STR(r->list[0].type, "blocked_module");
    CHECK_STR(r->list[0].name, "os");
    CHECK_STR(r->list[1].type, "blocked_builtin");
    CHECK_STR(r->list[2].name, "socket");
    CHECK_EQ(reports_poll_fd(r), -1);
    reports_done(r);
    CHECK(r->pipe < 0);
}

TEST(no_more_than_sixty_four_lines_are_read_of_anybody)
{
    int fd;
    char line[100];
    struct reports *r = opened(&fd);
    for (int i = 0; i < 200; i++) {
        (void)snprintf(line, sizeof line, LINE("blocked_module", "m%d") "\n", i);
        say(fd, line);
    }
    reports_read(r);
    CHECK_EQ(r->count, REPORTS_MAX);
    CHECK_STR(r->list[REPORTS_MAX - 1].name, "m63");
    CHECK_EQ(reports_poll_fd(r), -1);
    (void)close(fd);
    reports_done(r);
    r = opened(&fd);
    for (int i = 0; i < 63; i++)
        say(fd, "\n");
    say(fd, LINE("blocked_module", "last") "\n" LINE("blocked_module", "late") "\n");
    reports_read(r);
    CHECK_EQ(r->count, 1);
    (void)close(fd);
    reports_done(r);
}

TEST(no_more_than_64_kib_are_read_of_anybody_and_the_writer_never_waits)
{
    int fd;
    static char junk[REPORTS_MAX_BYTES];
    struct reports *r = opened(&fd);
    memset(junk, 'x', sizeof junk);
    uint64_t written = 0;
    for (int i = 0; i < 100; i++) {
        ssize_t n = write(fd, junk, sizeof junk);
        CHECK(n > 0 || errno == EAGAIN);
        written += n > 0 ? (uint64_t)n : 0;
        reports_read(r);
    }
    CHECK_EQ(r->bytes, REPORTS_MAX_BYTES);
    CHECK(written >= REPORTS_MAX_BYTES && written <= 4u * REPORTS_MAX_BYTES);
    CHECK_EQ(r->count, 0);
    (void)close(fd);
    reports_done(r);
}

TEST(a_line_that_is_too_long_does_not_spoil_the_next)
{
    int fd;
    static char junk[5000];
    struct reports *r = opened(&fd);
    memset(junk, 'x', sizeof junk - 1);
    say(fd, junk);
    say(fd, "\n" LINE("blocked_command", "curl") "\n");
    reports_read(r);
    CHECK_EQ(r->count, 1);
    CHECK_STR(r->list[0].name, "curl");
    (void)close(fd);
    reports_done(r);
}

TEST(a_run_without_a_guard_has_no_reports)
{
    struct reports r = { .pipe = -1 };
    reports_read(&r);
    CHECK_EQ(r.count, 0);
    CHECK_EQ(reports_poll_fd(&r), -1);
    reports_done(&r);
}

TEST(violations_are_the_reports_and_the_limits_that_were_hit)
{
    static struct stream s;
    static struct violations v;
    struct outcome o = { .oom_kills = 1, .pids_hits = 3, .duration_us = 12345 };
    s = (struct stream){
        .reports = { .pipe = -1, .count = 1, .list = { { .type = "blocked_module", .at_ms = 7, .name = "os" } } }
    };
    s.out[1].is_truncated = true;
    s.out[1].seen = 1; /* its maximum is 0 */
    collect_violations(&o, &s, &nothing_meant, &v);
    static const char *const types[] = { "blocked_module", "memory_limit", "pids_limit", "output_limit" };
    CHECK_EQ(v.count, ARRAY_LEN(types));
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        CHECK_STR(v.list[i].type, types[i]);
    CHECK_STR(v.list[0].detail, "os");
    CHECK_EQ(v.list[0].at_ms, 7);
    CHECK_EQ(v.list[1].at_ms, 12);
    CHECK_EQ(v.list[0].severity, SEVERITY_MEDIUM);
    CHECK_EQ(v.list[3].severity, SEVERITY_LOW);
    collect_violations(NULL, NULL, &nothing_meant, &v);
    CHECK_EQ(v.count, 0);
}

TEST(nothing_was_refused_after_the_end_however_late_it_is_read)
{
    static struct stream s;
    static struct violations v;
    struct outcome o = { .ready_us = 5000, .duration_us = 12345 };
    s = (struct stream){ .reports = { .pipe = -1,
                                      .count = 2,
                                      .list = { { .type = "blocked_module", .at_ms = 12, .name = "os" },
                                                { .type = "blocked_module", .at_ms = 900, .name = "socket" } } } };
    collect_violations(&o, &s, &nothing_meant, &v);
    CHECK_EQ(v.list[0].at_ms, 7);
    CHECK_EQ(v.list[1].at_ms, 12);
}

TEST(a_full_list_of_reports_leaves_room_for_every_limit)
{
    static struct stream s;
    static struct violations v;
    struct outcome o = { .oom_kills = 1, .pids_hits = 1 };
    s = (struct stream){ .reports = { .pipe = -1, .count = REPORTS_MAX } };
    s.out[0].is_truncated = true;
    s.out[0].seen = 1; /* its maximum is 0 */
    for (uint32_t i = 0; i < REPORTS_MAX; i++)
        s.reports.list[i].type = "blocked_module";
    collect_violations(&o, &s, &nothing_meant, &v);
    CHECK_EQ(v.count, REPORTS_MAX + 3);
}

static const char *denied_by(const char *text, bool means_to_write)
{
    static struct denied d;
    memset(&d, 0, sizeof d);
    for (const char *p = text; *p; p++) /* in the smallest pieces */
        denied_feed(&d, p, 1);
    return denied_found(&d, means_to_write);
}

TEST(what_a_restricted_shell_or_a_permission_stopped_is_told_with_target_and_layer)
{
    CHECK_STR(denied_by("/code/main.sh: line 1: /etc/passwd: restricted: cannot redirect output\n", false),
              "/etc/passwd, stopped by the restricted shell");
    CHECK_STR(denied_by("ok\nm.sh: line 2: /root/.ssh/authorized_keys: restricted: cannot redirect output\n", false),
              "/root/.ssh, stopped by the restricted shell");
    const char *python = "PermissionError: [Errno 13] Permission denied: '/etc/passwd'\n";
    CHECK_STR(denied_by(python, true), "/etc/passwd, stopped by the file's permission");
    CHECK(!denied_by(python, false)); /* it may only have looked */
    CHECK(!denied_by("m.sh: line 1: /tmp/x: restricted: cannot redirect output\n", true));
    CHECK(!denied_by("find: '/root': Permission denied\n", true));
    CHECK(!denied_by("cat: /etc/hostname: No such file or directory\n", true));
    CHECK(!denied_by("/etc/passwd: restricted: cannot redirect output", true)); /* no line */
    char longer[2000];
    memset(longer, 'x', sizeof longer);
    memcpy(longer + 1000, "/etc/passwd: Permission denied", 30);
    longer[1500] = '\n', longer[1501] = '\0';
    CHECK(!denied_by(longer, true)); /* what lies behind the first half KiB of a line is not looked at */
}

TEST(what_the_guard_says_first_is_that_the_program_begins_and_later_it_is_nothing)
{
    struct reports r = { .pipe = -1 };
    static const char begun[] = REPORT_BEGUN "\n", other[] = "{\"type\":\"blocked_module\",\"detail\":\"os\"}\n";
    int fd = reports_open(&r);
    CHECK(fd >= 0);
    CHECK(write(fd, begun, strlen(begun)) > 0 && write(fd, other, strlen(other)) > 0);
    reports_read(&r);
    CHECK(r.has_begun && r.count == 1 && r.lines == 1);
    reports_done(&r);
    (void)close(fd);
    r = (struct reports){ .pipe = -1 };
    fd = reports_open(&r);
    CHECK(write(fd, other, strlen(other)) > 0 && write(fd, begun, strlen(begun)) > 0);
    reports_read(&r);
    CHECK(!r.has_begun && r.count == 1);
    reports_done(&r);
    (void)close(fd);
}

/* --- attempts that the watch has seen --------------------------------------------------------------------- */

static struct watch_event connect_to(const char *address, enum watch_verdict verdict)
{
    struct watch_event e = { .kind = WATCH_CONNECT, .verdict = (uint8_t)verdict, .at_us = 7000, .port = 80 };
    e.family = strchr(address, ':') ? AF_INET6 : AF_INET;
    CHECK_EQ(inet_pton(e.family, address, e.address), 1);
    return e;
}

static const char *after_probes(const char *address, enum watch_verdict verdict, uint32_t count,
                                enum metadata_intent intent)
{
    static struct attempts a;
    uint64_t at_us;
    a = (struct attempts){ .is_root_fixed = true };
    for (uint32_t i = 0; i < count; i++) {
        struct watch_event e = connect_to(address, verdict);
        attempts_see(&a, &e);
    }
    return attempts_connect(&a, intent, &at_us);
}

TEST(attempt_at_the_metadata_service)
{
    const char *told = "the metadata service 169.254.169.254:80, stopped by the broker";
    CHECK_STR(after_probes("169.254.169.254", WATCH_REFUSED, 1, METADATA_NAMED), told);
    CHECK_STR(after_probes("169.254.169.254", WATCH_REFUSED, ATTEMPTS_PROBES + 1, METADATA_NOT_NAMED), told);
    CHECK(after_probes("::ffff:169.254.169.254", WATCH_REFUSED, 1, METADATA_ASKED));
    CHECK(after_probes("fd00:ec2::254", WATCH_REFUSED, 1, METADATA_NAMED));
}

/* A cloud's library that looks for credentials; an operator's rule that allows it; private and other addresses. */
TEST(attempt_is_none_of_what_the_honest_do)
{
    CHECK(!after_probes("169.254.169.254", WATCH_REFUSED, 3, METADATA_NOT_NAMED));
    CHECK(!after_probes("169.254.169.254", WATCH_ALLOWED, 100, METADATA_ASKED));
    static const char *const others[] = { "93.184.216.34", "10.0.0.1",    "127.0.0.1",   "255.255.255.255",
                                          "224.0.0.251",   "169.254.1.1", "192.168.1.1", "2606:2800::1" };
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        CHECK(!after_probes(others[i], WATCH_REFUSED, 100, METADATA_ASKED));
}

/* Where there is no network the address is never seen: the scan's word and the socket together. */
TEST(attempt_at_the_metadata_service_without_a_network)
{
    uint64_t at_us = 0;
    struct attempts a = { .is_root_fixed = true };
    const struct watch_event e = { .kind = WATCH_SOCKET, .family = AF_INET, .at_us = 9000, .error = EPERM };
    CHECK(!attempts_connect(&a, METADATA_ASKED, &at_us));
    attempts_see(&a, &e);
    CHECK(!attempts_connect(&a, METADATA_NOT_NAMED, &at_us) && !attempts_connect(&a, METADATA_NAMED, &at_us));
    CHECK_STR(attempts_connect(&a, METADATA_ASKED, &at_us), "a metadata service, stopped by the filter");
    CHECK_EQ(at_us, 9000u);
}

static const char *after_opening(const char *path, uint32_t flags, bool is_root_fixed)
{
    static struct attempts a;
    uint64_t at_us;
    a = (struct attempts){ .is_root_fixed = is_root_fixed };
    const struct watch_event e = { .kind = WATCH_FILE, .flags = flags, .text = path };
    attempts_see(&a, &e);
    return attempts_write(&a, &at_us);
}

TEST(attempt_to_write_what_the_system_trusts)
{
    CHECK_STR(after_opening("/root/.ssh/authorized_keys", WATCH_FOR_WRITING, true),
              "/root/.ssh, stopped by the mounts");
    CHECK(after_opening("/etc/cron.d/job", WATCH_FOR_WRITING, true));
    CHECK(after_opening("/tmp/..//etc/./passwd", WATCH_FOR_WRITING, true));
    CHECK(after_opening("/home/me/.ssh/authorized_keys", WATCH_FOR_WRITING, true));
    CHECK(!after_opening("/etc/passwd", 0, true));                  /* reading */
    CHECK(!after_opening("/etc/passwd", WATCH_FOR_WRITING, false)); /* its own, to change as it likes */
    static const char *const honest[] = { "/tmp/image/etc/passwd",
                                          "etc/passwd",
                                          "/workspace/.ssh/authorized_keys",
                                          "/etc/../tmp/etc/passwd",
                                          "/workspace/etc/cron.d/job",
                                          "/dev/null",
                                          "" };
    for (size_t i = 0; i < ARRAY_LEN(honest); i++)
        CHECK(!after_opening(honest[i], WATCH_FOR_WRITING, true));
}

TEST(attempts_are_violations_of_their_own_and_told_once)
{
    static struct stream s;
    static struct violations v;
    s = (struct stream){ .reports = { .pipe = -1 }, .observe.attempts.is_root_fixed = true };
    struct watch_event e = connect_to("169.254.169.254", WATCH_REFUSED);
    attempts_see(&s.observe.attempts, &e);
    e = (struct watch_event){ .kind = WATCH_FILE, .flags = WATCH_FOR_WRITING, .text = "/root/.ssh/x", .at_us = 8000 };
    attempts_see(&s.observe.attempts, &e);
    denied_feed(&s.denied, "/root/.ssh/x: Read-only file system\n", 35);
    struct outcome o = { .duration_us = 12345 };
    const struct intent intent = { true, METADATA_NAMED };
    collect_violations(&o, &s, &intent, &v);
    CHECK_EQ(v.count, 2u);
    CHECK_STR(v.list[0].type, "hostile_connect");
    CHECK_EQ(v.list[0].at_ms, 7u);
    CHECK_STR(v.list[1].type, "hostile_write");
    CHECK_EQ(v.list[1].at_ms, 8u);
}
