/* Tests of what a run did, summed up: src/watch/activity.c; and of what has to be seen for which key:
 * src/config/watching.c. */
#include "test.h"

#include "base/watch_bits.h"
#include "config/profile.h"
#include "filter/syscalls.h"
#include "watch/activity.h"

#include <stdio.h>
#include <sys/socket.h>

static struct activity *a;
static struct buf text;

static const char *printed(uint32_t max)
{
    buf_done(&text);
    buf_init(&text, MIB);
    activity_print(a, max, &text);
    CHECK(!text.failed);
    return text.data;
}

static void begin(void)
{
    a = activity_new();
    CHECK(a);
}

static void end(void)
{
    a = activity_free(a);
    buf_done(&text);
}

TEST(equal_programs_are_counted_and_others_listed)
{
    begin();
    struct watch_event e = { .kind = WATCH_EXEC, .nr = NR_execve, .text = "/usr/bin/ls", .argv = "ls\x1f-l\x1f\"q\"" };
    for (int i = 0; i < 3; i++)
        activity_add(a, &e);
    e.argv = "ls";
    activity_add(a, &e);
    e.error = ENOENT; /* a directory of PATH that has it not */
    activity_add(a, &e);
    CHECK(strstr(printed(9), "{\"path\":\"/usr/bin/ls\",\"arguments\":[\"ls\",\"-l\",\"\\\"q\\\"\"],\"count\":3},"
                             "{\"path\":\"/usr/bin/ls\",\"arguments\":[\"ls\"],\"count\":1}"));
    CHECK(strstr(text.data, "{\"call\":\"execve\",\"refused\":false,\"count\":4}"));
    end();
}

TEST(refused_and_permitted_calls_are_told_apart)
{
    begin();
    struct watch_event e = { .kind = WATCH_CALL, .nr = NR_setuid };
    activity_add(a, &e);
    e.error = EPERM;
    activity_add(a, &e);
    activity_add(a, &e);
    CHECK(strstr(
        printed(9),
        "{\"call\":\"setuid\",\"refused\":false,\"count\":1},{\"call\":\"setuid\",\"refused\":true,\"count\":2}"));
    end();
}

TEST(bytes_of_connections_to_one_target_add_up_when_they_end)
{
    begin();
    struct watch_event e = { .kind = WATCH_CONNECT,
                             .nr = NR_connect,
                             .family = AF_INET,
                             .protocol = 6,
                             .port = 443,
                             .name = "pypi.org",
                             .text = "allow pypi.org" };
    memcpy(e.address, (uint8_t[]){ 151, 101, 0, 223 }, 4);
    for (int i = 0; i < 2; i++) {
        e.kind = WATCH_CONNECT, e.bytes_out = e.bytes_in = 0;
        activity_add(a, &e);
        e.kind = WATCH_TRAFFIC, e.bytes_out = 5, e.bytes_in = 7; /* so far: not yet a sum */
        activity_add(a, &e);
        e.kind = WATCH_CLOSED, e.bytes_out = 10, e.bytes_in = 20;
        activity_add(a, &e);
    }
    CHECK(strstr(printed(9), "{\"name\":\"pypi.org\",\"address\":\"151.101.0.223\",\"port\":443,\"protocol\":\"tcp\","
                             "\"verdict\":\"allowed\","
                             "\"rule\":\"allow pypi.org\",\"count\":2,\"bytes_out\":20,\"bytes_in\":40}"));
    end();
}

TEST(lists_are_bounded_and_what_is_left_out_is_counted)
{
    begin();
    char path[32];
    struct watch_event e = { .kind = WATCH_FILE, .text = path, .flags = WATCH_FOR_WRITING };
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(path, sizeof path, "/tmp/%d", i);
        activity_add(a, &e);
    }
    CHECK(strstr(printed(UINT32_MAX), "\"/tmp/63\"") && !strstr(text.data, "\"/tmp/64\"") &&
          strstr(text.data, "\"omitted\":936"));
    CHECK(strstr(printed(2), "\"/tmp/1\"") && !strstr(text.data, "\"/tmp/2\"") && strstr(text.data, "\"omitted\":998"));
    end();
}

TEST(high_water_marks_and_lost_events_are_kept)
{
    begin();
    activity_add(a, &(struct watch_event){ .kind = WATCH_SAMPLE, .cpu_us = 1500, .memory_bytes = 900, .pids = 3 });
    activity_add(a, &(struct watch_event){ .kind = WATCH_SAMPLE, .cpu_us = 2500, .memory_bytes = 100, .pids = 1 });
    activity_add(a, &(struct watch_event){ .kind = WATCH_LOST, .args = { 4 } });
    CHECK(strstr(printed(9), "\"peak\":{\"memory_bytes\":900,\"pids\":3,\"cpu_ms\":2.500}") &&
          strstr(text.data, "\"events_lost\":4"));
    end();
}

TEST(texts_from_inside_leave_no_broken_json)
{
    begin();
    activity_add(a, &(struct watch_event){ .kind = WATCH_EXEC, .text = "/tmp/\xff\n\"", .argv = "\x1b[2J\x1f\x1f" });
    CHECK(strstr(printed(9), "\"/tmp/\xef\xbf\xbd\\n\\\"\"") && !strchr(text.data, '\x1b'));
    end();
}

/* ---- what has to be seen ---- */

static bool is_bridge;

static uint32_t watch_with(const char *key, const char *value)
{
    static struct profile p;
    struct error err = { 0 };
    memset(&p, 0, sizeof p);
    profile_defaults(&p);
    static const char *const all_off[][2] = {
        { "monitoring.detect_anomalies", "false" },
        { "monitoring.syscall_monitoring", "false" },
        { "monitoring.network_attempt_detection", "false" },
        { "monitoring.privilege_escalation_detection", "false" },
        { "monitoring.file_access_monitoring", "false" },
        { "logging.audit_syscalls", "false" },
        { "execution.max_processes", "10" },
    };
    for (size_t i = 0; i < ARRAY_LEN(all_off); i++)
        CHECK_EQ(setting_parse(setting_find(profile_settings, all_off[i][0]), &p, all_off[i][1], &err), 0);
    setting_clear(setting_find(profile_settings, "monitoring.pattern_matching"), &p);
    setting_clear(setting_find(profile_settings, "kill_switches"), &p);
    if (is_bridge)
        CHECK_EQ(setting_parse(setting_find(profile_settings, "network.mode"), &p, "bridge", &err), 0);
    if (key)
        CHECK_EQ(setting_parse(setting_find(profile_settings, key), &p, value, &err), 0);
    uint32_t watch = profile_watch(&p);
    profile_done(&p);
    return watch;
}

TEST(each_key_asks_for_what_it_needs_and_a_profile_without_any_for_nothing)
{
    CHECK_EQ(watch_with(NULL, NULL), 0);
    CHECK_EQ(watch_with("kill_switches", "crypto_mining"), NOTIFY_EXEC | NOTIFY_SAMPLES);
    CHECK_EQ(watch_with("monitoring.pattern_matching", "crypto_mining"), watch_with("kill_switches", "crypto_mining"));
    CHECK_EQ(watch_with("monitoring.pattern_matching", "reverse_shells"), NOTIFY_EXEC);
    CHECK_EQ(watch_with("kill_switches", "reverse_shells"), NOTIFY_EXEC);
    is_bridge = true;
    CHECK_EQ(watch_with("kill_switches", "crypto_mining"), NOTIFY_EXEC | NOTIFY_SAMPLES | NOTIFY_WORDS | NOTIFY_BRIDGE);
    CHECK_EQ(watch_with("kill_switches", "reverse_shells"), NOTIFY_EXEC | NOTIFY_STDIO | NOTIFY_BRIDGE);
    is_bridge = false;
    CHECK_EQ(watch_with("kill_switches", "network_access_attempt"), NOTIFY_SOCKETS);
    CHECK_EQ(watch_with("kill_switches", "suspicious_syscalls"), NOTIFY_CALLS);
    CHECK_EQ(watch_with("kill_switches", "fork_bomb_detection"), NOTIFY_SAMPLES);
    CHECK_EQ(watch_with("monitoring.detect_anomalies", "true"), NOTIFY_SAMPLES);
    CHECK_EQ(watch_with("monitoring.syscall_monitoring", "true"), NOTIFY_CALLS);
    CHECK_EQ(watch_with("execution.max_processes", "5"), NOTIFY_FORKS);
    CHECK_EQ(watch_with("network.mode", "bridge"), NOTIFY_BRIDGE);
}

TEST(processes_have_their_programs_and_parents)
{
    begin();
    struct watch_event e = { .kind = WATCH_EXEC, .nr = NR_execve, .at_us = 1500, .pid = 100, .inside = 2, .parent = 7 };
    e.text = "/bin/bash", e.argv = "bash";
    activity_add(a, &e);
    e = (struct watch_event){ .kind = WATCH_CALL, .nr = NR_setuid, .pid = 101, .inside = 3, .parent = 100 };
    activity_add(a, &e); /* a subshell, which executes nothing */
    e.kind = WATCH_EXEC, e.text = "/bin/gzip", e.argv = "gzip", e.pid = 102, e.inside = 4, e.parent = 101;
    activity_add(a, &e);
    e.error = ENOENT, e.pid = 103, e.text = "/nowhere"; /* its process is one all the same */
    activity_add(a, &e);
    e.error = 0, e.text = "/bin/gzip", e.inside = 5;
    activity_add(a, &e);
    e.text = "/bin/cat", e.argv = "cat"; /* a second program of the same process */
    activity_add(a, &e);
    CHECK(strstr(printed(9), "\"processes\":[{\"pid\":2,\"parent\":null,\"program\":0,\"at_ms\":1.500},"
                             "{\"pid\":3,\"parent\":2,\"program\":null,\"at_ms\":0.000},"
                             "{\"pid\":4,\"parent\":3,\"program\":1,\"at_ms\":0.000},"));
    CHECK(strstr(text.data, "\"parent\":3,\"program\":2,"));
    CHECK(strstr(text.data, "\"omitted\":0"));
    CHECK(strstr(printed(2), "{\"pid\":3,\"parent\":2,\"program\":null,\"at_ms\":0.000}],"));
    end();
}

static uint64_t last_of(const char *list, unsigned *ret_count)
{
    uint64_t last = 0;
    const char *p = strstr(text.data, list) + strlen(list);
    for (*ret_count = 0; *p && *p != ']'; p += *p == ',') {
        last = 0;
        for (; *p >= '0' && *p <= '9'; p++)
            last = last * 10 + (uint64_t)(*p - '0');
        ++*ret_count;
    }
    return last;
}

TEST(curves_are_bounded_and_keep_peaks_and_the_end)
{
    unsigned times, cpus;
    begin();
    for (unsigned i = 1; i <= 1000; i++)
        activity_add(a, &(struct watch_event){ .kind = WATCH_SAMPLE,
                                               .at_us = i * 100000,
                                               .cpu_us = i * 50000,
                                               .memory_bytes = i == 333 ? 77777 : 10,
                                               .pids = 1 });
    for (uint32_t max = 1; max <= 64; max *= 4) {
        CHECK(strstr(printed(max), "\"samples\":{\"at_ms\":["));
        CHECK_EQ(last_of("\"at_ms\":[", &times), 100000);
        CHECK_EQ(last_of("\"cpu_ms\":[", &cpus), 50000);
        CHECK(times == cpus && times <= max && times >= max / 2);
        CHECK(strstr(strstr(text.data, "\"samples\""), "77777"));
    }
    end();
}
