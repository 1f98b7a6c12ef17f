/* Instances that are opened before their work is known: what the launcher takes as work, when, and from which client.
 */
#include "launcher_world.h"

#include "launch/template.h"
#include "plan/park.h"

/* A shell that reads its work at descriptor 14, says so, and does what it says. */
#define TAKEN  "printf t >&13; "
#define PARKED "read -r work <&14; " TAKEN "eval \"$work\""

static void parked_init(struct sample *p, const char *script)
{
    sample_init(p, "/bin/bash", "-c", script); /* dash reads descriptors of one digit only */
    p->job.park_fd = PARK_FD;
    p->job.timeout_ms = 1; /* the work says how long */
}

static uint64_t open_parked(struct server *s, const char *script)
{
    struct sample p;
    parked_init(&p, script);
    uint64_t tag = send_sample(s, &p);
    sample_done(&p);
    return tag;
}

static struct work work_of(const char *note)
{
    return (struct work){ .timeout_ms = 30000, .grace_ms = 100, .note = { note, (uint32_t)strlen(note) } };
}

static void send_work(struct server *s, uint64_t tag, const struct work *w, const int *fds, size_t count)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_work(&b, tag, w);
    CHECK(!b.failed);
    send_raw(s, b.data, b.size, fds, count);
    buf_done(&b);
}

static void give_note(struct server *s, uint64_t tag, const char *note)
{
    const struct work w = work_of(note);
    send_work(s, tag, &w, &s->code, 1);
}

static struct outcome hear(struct server *s)
{
    struct outcome o = { 0 };
    struct error err = { 0 };
    CHECK(has_answer(s, PATIENCE_MS));
    CHECK_EQ(client_read(&s->client, &o, &err), 0);
    return o;
}

TEST(a_program_that_waits_does_what_its_work_says_and_ends_as_any_other)
{
    struct server s;
    server_ready(&s);
    uint64_t tag = open_parked(&s, PARKED);
    CHECK(!has_answer(&s, 300)); /* it waits: the plan's deadline of one millisecond is not a parked one's */
    give_note(&s, tag, "exit 7\n");
    struct outcome o = hear(&s);
    CHECK_EQ(o.reason, REASON_ERROR);
    CHECK_EQ(o.exit_code, 7);
    CHECK_EQ(o.prepared, PREPARED_PARKED);
    CHECK(!o.is_unused);
    server_stop(&s);
}

TEST(work_that_comes_before_the_program_is_there_is_not_lost)
{
    struct server s;
    server_ready(&s);
    for (int i = 0; i < 8; i++) {
        uint64_t tag = open_parked(&s, PARKED);
        give_note(&s, tag, "exit 3\n");
        CHECK_EQ(hear(&s).exit_code, 3);
    }
    server_stop(&s);
}

TEST(work_is_taken_once_and_only_for_a_run_of_this_connection_that_waits)
{
    struct server s, other;
    struct error err = { 0 };
    char nap[32], note[64];
    server_ready(&s);
    other = s;
    CHECK_EQ(client_connection(&s.client, &other.client, &err), 0);
    uint64_t tag = open_parked(&s, PARKED);
    give_note(&other, tag, "exit 9\n"); /* another connection's */
    struct outcome o = hear(&other);
    CHECK(o.is_unused && o.error_code == ESRCH);
    CHECK(!has_answer(&s, 100));
    (void)snprintf(note, sizeof note, "exec sleep %s\n", some_nap(nap, 40));
    give_note(&s, tag, note);
    CHECK(becomes(true, nap));
    give_note(&s, tag, "exit 9\n"); /* again */
    o = hear(&s);
    CHECK(o.is_unused && o.error_code == ESRCH);
    CHECK(process_exists(nap));
    (void)client_kill(&s.client, tag, REASON_KILLED);
    CHECK_EQ(hear(&s).reason, REASON_KILLED);
    client_stop(&other.client);
    server_stop(&s);
}

TEST(a_run_that_does_not_wait_takes_no_work)
{
    struct server s;
    struct sample p;
    char nap[32];
    server_ready(&s);
    sample_init(&p, "/bin/sleep", some_nap(nap, 41), NULL);
    uint64_t tag = send_sample(&s, &p);
    sample_done(&p);
    CHECK(becomes(true, nap));
    give_note(&s, tag, "exit 9\n");
    struct outcome o = hear(&s);
    CHECK(o.is_unused && o.error_code == ESRCH);
    (void)client_kill(&s.client, tag, REASON_KILLED);
    CHECK_EQ(hear(&s).reason, REASON_KILLED);
    server_stop(&s);
}

TEST(work_with_other_descriptors_or_without_a_deadline_ends_the_run_that_it_is_for)
{
    struct server s;
    server_ready(&s);
    const int two[] = { s.null, s.null };
    for (size_t count = 0; count <= 2; count += 2) {
        uint64_t tag = open_parked(&s, PARKED);
        const struct work w = work_of("exit 0\n");
        send_work(&s, tag, &w, two, count);
        struct outcome o = hear(&s);
        CHECK_EQ(o.reason, REASON_SANDBOX_ERROR);
        CHECK(o.is_unused);
    }
    struct work endless = work_of("exit 0\n");
    endless.timeout_ms = 0;
    uint64_t tag = open_parked(&s, PARKED);
    send_work(&s, tag, &endless, &s.code, 1);
    CHECK_EQ(hear(&s).reason, REASON_SANDBOX_ERROR);
    run_true(&s);
    server_stop(&s);
}

TEST(the_deadline_begins_with_the_work)
{
    struct server s;
    server_ready(&s);
    uint64_t tag = open_parked(&s, PARKED);
    CHECK(!has_answer(&s, 200));
    struct work w = work_of("sleep 3600\n");
    w.timeout_ms = 100;
    send_work(&s, tag, &w, &s.code, 1);
    CHECK_EQ(hear(&s).reason, REASON_TIMEOUT);
    server_stop(&s);
}

/* --- late files ------------------------------------------------------------------------------------------ */

static void add_code(struct sample *p, bool is_late)
{
    struct plan_mount *m = sample_add(p, MOUNT_TMPFS, NULL, "/code", MOUNT_RO);
    m->size_bytes = 1 << 20;
    m->inodes = 64;
    m->mode = 0755;
    p->job.files[p->job.file_count++] = (struct plan_file){ .path = "/code/main", .mode = 0444, .is_late = is_late };
}

TEST(a_late_file_is_empty_until_the_work_comes_and_never_writable)
{
    struct server s;
    struct sample p;
    server_ready(&s);
    CHECK_EQ(write(s.code, "padhello", 8), 8);
    parked_init(&p, "[ -s /code/main ] && exit 9; " PARKED);
    add_code(&p, true);
    uint64_t tag = send_sample(&s, &p);
    sample_done(&p);
    CHECK(!has_answer(&s, 200));
    struct work w = work_of(
        "[ \"$(cat /code/main)\" = hello ] || exit 2; "
        "{ echo more >>/code/main; } 2>/dev/null && exit 3; { : >/code/new; } 2>/dev/null && exit 4; exit 5\n");
    w.file_count = 1;
    w.files[0] = (struct plan_file){ .path = "/code/main", .offset = 3, .size = 5 };
    send_work(&s, tag, &w, &s.code, 1);
    CHECK_EQ(hear(&s).exit_code, 5);
    server_stop(&s);
}

TEST(work_with_another_number_of_files_is_an_error_of_the_sandbox)
{
    struct server s;
    struct sample p;
    server_ready(&s);
    parked_init(&p, PARKED);
    add_code(&p, true);
    uint64_t tag = send_sample(&s, &p);
    sample_done(&p);
    give_note(&s, tag, "exit 0\n");
    struct outcome o = hear(&s);
    CHECK_EQ(o.reason, REASON_SANDBOX_ERROR);
    CHECK(o.error_step && str_eq(o.error_step, "PARK"));
    server_stop(&s);
}

TEST(a_plan_with_late_files_must_wait_for_them)
{
    struct server s;
    struct sample p;
    const char *text;
    server_ready(&s);
    sample_init(&p, "/bin/true", NULL, NULL);
    add_code(&p, true);
    CHECK_EQ(run_sample(&s, &p, &text), REASON_SANDBOX_ERROR);
    p.job.files[0].is_late = false;
    p.job.park_fd = 3; /* init's own */
    CHECK_EQ(run_sample(&s, &p, &text), REASON_SANDBOX_ERROR);
    p.job.park_fd = PARK_FD;
    (void)sample_add(&p, MOUNT_VOLUME, "/usr/bin", "/data", MOUNT_RO);
    p.job.file_count = 0;
    CHECK_EQ(run_sample(&s, &p, &text), REASON_SANDBOX_ERROR);
    CHECK(strstr(text, "volume"));
    p.shape.mount_count--;
    for (uint32_t i = 0; i <= WORK_MAX_LATE; i++)
        p.job.files[i] = (struct plan_file){ .path = "/code/main", .mode = 0444, .is_late = true };
    p.job.file_count = WORK_MAX_LATE + 1;
    CHECK_EQ(run_sample(&s, &p, &text), REASON_SANDBOX_ERROR);
    sample_done(&p);
    server_stop(&s);
}

/* --- templates --------------------------------------------------------------------------------------------- */

static void template_init(struct sample *p, const char *const *words, const char *pair)
{
    sample_init(p, "/bin/true", NULL, NULL);
    p->shape.no_new_privs = true;
    for (; *words; words++)
        CHECK_EQ(strlist_add(&p->shape.template_argv, *words), 0);
    if (pair)
        CHECK_EQ(strlist_add(&p->shape.template_env, pair), 0);
}

TEST(a_template_is_an_interpreter_of_the_hosts_and_no_word_more)
{
    struct server s;
    static const char *const bad[][6] = {
        { "/bin/sh", "-I", "-B", "/code/.guard.py" },
        { "/usr/bin/python3/../../../tmp/x", "-I", "-B", "/code/.guard.py" },
        { "/usr/bin/python3", "-B", "/code/.guard.py" },
        { "/usr/bin/python3", "-I", "-c", "import os" },
        { "/usr/bin/python3", "-I", "-B", "/tmp/guard.py" },
        { "/usr/bin/python3", "-I", "-B" },
    };
    static const char *const good[] = { "/usr/bin/python3", "-I", "-B", "/code/.guard.py", NULL };
    server_ready(&s);
    static const char *const rules[] = {
        "{\"a\":exit()}", "{\"a\":x.y}", "[\"a\\\"]\"]", "{\"a\":-1}", "\"a", "[0or 1]"
    };
    for (size_t i = 0; i <= ARRAY_LEN(bad) + 3 + ARRAY_LEN(rules); i++) {
        struct sample p;
        const char *text;
        const bool is_bad = i < ARRAY_LEN(bad);
        template_init(&p, is_bad ? bad[i] : good, i == ARRAY_LEN(bad) ? "LD_PRELOAD=/tmp/x.so" : NULL);
        p.shape.no_new_privs = i != ARRAY_LEN(bad) + 1;
        if (i == ARRAY_LEN(bad) + 2)
            CHECK_EQ(strlist_add(&p.shape.template_modules, "../x"), 0);
        const bool is_refused = i != ARRAY_LEN(bad) + 3;
        p.shape.template_rules = i > ARRAY_LEN(bad) + 3 ? rules[i - ARRAY_LEN(bad) - 4]
                                 : is_refused           ? NULL
                                                        : "{\"blocked\":[\"a.b\",\"c\"],\"idle\":true,\"n\":15}";
        CHECK_EQ(run_sample(&s, &p, &text), is_refused ? REASON_SANDBOX_ERROR : REASON_COMPLETED);
        if (is_refused)
            CHECK(strstr(text, "template"));
        strlist_done(&p.shape.template_argv);
        strlist_done(&p.shape.template_env);
        strlist_done(&p.shape.template_modules);
        sample_done(&p);
    }
    server_stop(&s);
}

TEST(a_template_sees_the_hosts_files_at_their_own_places_only)
{
    static const struct {
        enum mount_kind kind;
        const char *source, *target;
    } bad[] = {
        { MOUNT_TEXT, "evil", "/usr/lib/python3/site.py" },
        { MOUNT_TEXT, "/tmp/x.so", "/etc/ld.so.preload" },
        { MOUNT_LINK, "/etc/hosts", "/usr/lib/python3.py" },
        { MOUNT_BIND, "/usr/share", "/opt/lib" },
    };
    static const char *const good[] = { "/usr/bin/python3", "-I", "-B", "/code/.guard.py", NULL };
    struct server s;
    server_ready(&s);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct sample p;
        const char *text;
        template_init(&p, good, NULL);
        (void)sample_add(&p, bad[i].kind, bad[i].source, bad[i].target, bad[i].kind == MOUNT_BIND ? MOUNT_RO : 0);
        CHECK_EQ(run_sample(&s, &p, &text), REASON_SANDBOX_ERROR);
        CHECK(strstr(text, "a template that sees"));
        strlist_done(&p.shape.template_argv);
        sample_done(&p);
    }
    server_stop(&s);
}

/* --- ends ------------------------------------------------------------------------------------------------- */

TEST(a_program_that_ends_while_it_waits_says_that_it_was_not_used)
{
    struct server s;
    server_ready(&s);
    (void)open_parked(&s, "exit 0");
    CHECK(hear(&s).is_unused);
    server_stop(&s);
}

TEST(a_program_that_ends_before_it_has_read_its_work_was_not_used)
{
    struct server s;
    server_ready(&s);
    uint64_t tag = open_parked(&s, "sleep 0.3; exit 0"); /* it never reads */
    give_note(&s, tag, "exit 0\n");
    CHECK(hear(&s).is_unused);
    server_stop(&s);
}

TEST(a_program_that_has_read_its_work_and_not_said_so_was_not_used)
{
    struct server s;
    server_ready(&s);
    uint64_t tag = open_parked(&s, "read -r work <&14; kill -9 $$"); /* killed from outside it may come so far */
    give_note(&s, tag, "exit 0\n");
    CHECK(hear(&s).is_unused);
    tag = open_parked(&s, "read -r work <&14; " TAKEN "kill -9 $$");
    give_note(&s, tag, "exit 0\n");
    CHECK(!hear(&s).is_unused);
    server_stop(&s);
}

TEST(a_client_that_leaves_takes_what_waits_along)
{
    struct server s, other;
    struct error err = { 0 };
    char nap[32], script[96];
    server_ready(&s);
    other = s;
    CHECK_EQ(client_connection(&s.client, &other.client, &err), 0);
    (void)snprintf(script, sizeof script, "sleep %s & " PARKED, some_nap(nap, 42));
    (void)open_parked(&other, script);
    CHECK(becomes(true, nap));
    client_stop(&other.client);
    CHECK(becomes(false, nap));
    run_true(&s);
    server_stop(&s);
}

TEST(a_parent_of_forks_is_given_up_after_ten_thousand_of_them_and_after_an_hour)
{
    static const uint64_t hour_us = UINT64_C(3600) * 1000 * 1000;
    CHECK(!template_is_old(1, 0));
    CHECK(!template_is_old(9999, hour_us - 1));
    CHECK(template_is_old(10000, 0));
    CHECK(template_is_old(UINT32_MAX, 0));
    CHECK(template_is_old(1, hour_us));
}
