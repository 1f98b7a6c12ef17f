/* Hostile clients of the launcher: whatever comes over descriptor 3, the launcher lives, keeps no descriptor, and
 * starts nothing that plan_check() would not have let pass. The real program is started; SANDBOX_LAUNCHER names another
 * one than build/libexec/sandbox-agent/sandbox-launcher. As root and as an ordinary user. */
#include "base/watch_bits.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include "base/parse.h"
#include "launcher_world.h"

/* --- bytes that are no request --------------------------------------------------------------------- */

TEST(launcher_outlives_garbage_and_keeps_none_of_its_descriptors)
{
    struct server s;
    char bytes[3000];
    int fds[16];
    server_ready(&s);
    unsigned before = count_fds_at_rest(&s);
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        fds[i] = i % 2 ? s.null : s.code;
    for (int i = 0; i < 1000; i++) {
        size_t size = 1 + rnd(i % 2 ? 40 : sizeof bytes);
        for (size_t at = 0; at < size; at++)
            bytes[at] = (char)rnd(256);
        uint64_t type = rnd(5); /* often one that means something */
        memcpy(bytes, &type, MIN_OF(size, sizeof type));
        send_raw(&s, bytes, size, fds, rnd(ARRAY_LEN(fds) + 1));
        take_refusals(&s);
    }
    take_all_refusals(&s);
    run_true(&s);
    CHECK(server_is_alive(&s));
    check_fds_at_rest(&s, before);
    server_stop(&s);
}

TEST(launcher_runs_nothing_for_a_request_that_is_cut_short_or_too_long)
{
    struct server s;
    struct sample p;
    struct buf b;
    const char *text;
    server_ready(&s);
    unsigned before = count_fds_at_rest(&s);
    const int fds[RUN_FD_COUNT] = { s.null, s.null, s.null, s.code };
    sample_init(&p, "/bin/true", NULL, NULL);
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_run(&b, 77, &p.shape, &p.job);
    for (size_t size = 1; size < b.size; size += 1 + size / 64) {
        send_raw(&s, b.data, size, fds, RUN_FD_COUNT);
        take_refusals(&s);
    }
    (void)buf_add(&b, "x", 1);
    send_raw(&s, b.data, b.size, fds, RUN_FD_COUNT);
    char *huge = calloc(1, PLAN_MAX_MESSAGE + 1); /* one byte more than it takes */
    CHECK(huge != NULL);
    memcpy(huge, b.data, b.size);
    send_raw(&s, huge, PLAN_MAX_MESSAGE + 1, fds, RUN_FD_COUNT);
    free(huge);
    buf_done(&b);
    take_all_refusals(&s);
    CHECK_EQ(run_sample(&s, &p, &text), REASON_COMPLETED);
    sample_done(&p);
    check_fds_at_rest(&s, before);
    server_stop(&s);
}

TEST(launcher_answers_a_request_with_the_wrong_number_of_descriptors_by_an_error)
{
    struct server s;
    struct sample p;
    struct buf b;
    int fds[64];
    server_ready(&s);
    unsigned before = count_fds_at_rest(&s);
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        fds[i] = s.null;
    sample_init(&p, "/bin/true", NULL, NULL);
    for (int asks = 0; asks < 8; asks++) {
        int ignored[RUN_FD_MAX] = { 0 };
        p.job.artifact = asks & 1 ? "/tmp/out" : NULL;
        p.job.report_fd = asks & 2 ? 15 : 0;
        p.job.workspace = asks & 4 ? "/tmp" : NULL;
        size_t right = run_fds_gather(&p.job, RUN_FD_MAX, ignored, ignored);
        CHECK_EQ(right, RUN_FD_COUNT + (asks & 1) + (asks >> 1 & 1) + (asks >> 2));
        buf_init(&b, PLAN_MAX_MESSAGE);
        pack_run(&b, 77, &p.shape, &p.job);
        for (size_t count = 0; count <= ARRAY_LEN(fds); count += 1 + count / 20) {
            struct outcome o;
            struct error err = { 0 };
            send_raw(&s, b.data, b.size, fds, count);
            CHECK(has_answer(&s, PATIENCE_MS));
            CHECK(client_read(&s.client, &o, &err) == 0);
            CHECK_EQ(o.reason, count == right ? REASON_COMPLETED : REASON_SANDBOX_ERROR);
            if (count != right)
                CHECK_STR(o.error_step, "REQUEST");
        }
        buf_done(&b);
    }
    sample_done(&p);
    run_true(&s);
    check_fds_at_rest(&s, before);
    server_stop(&s);
}

TEST(launcher_survives_a_valid_request_with_any_byte_changed)
{
    struct server s;
    struct sample p;
    struct buf b;
    struct outcome o;
    struct error err = { 0 };
    server_ready(&s);
    unsigned before = count_fds_at_rest(&s);
    const int fds[RUN_FD_COUNT] = { s.null, s.null, s.null, s.code };
    sample_init(&p, "/bin/true", NULL, NULL);
    p.job.timeout_ms = 2000;
    unsigned answers = 0;
    for (unsigned i = 0; i < 400; i++) {
        buf_init(&b, PLAN_MAX_MESSAGE);
        pack_run(&b, 1000 + i, &p.shape, &p.job);
        for (uint64_t edits = 1 + rnd(3); edits; edits--)
            b.data[8 + rnd(b.size - 8)] = (char)(rnd(2) ? rnd(256) : 0xff);
        send_raw(&s, b.data, b.size, fds, RUN_FD_COUNT);
        buf_done(&b);
        for (; has_answer(&s, 0); answers++)
            CHECK(client_read(&s.client, &o, &err) == 0);
    }
    sample_done(&p);
    CHECK(server_is_alive(&s));
    for (; answers < 400; answers++) /* those that became a run */
        CHECK(has_answer(&s, PATIENCE_MS) && client_read(&s.client, &o, &err) == 0);
    CHECK(!has_answer(&s, 0));
    run_true(&s);
    check_fds_at_rest(&s, before);
    server_stop(&s);
}

/* More answers than the socket holds: each must come, and meanwhile deadlines are kept. */
TEST(launcher_waits_for_no_client_that_does_not_read)
{
    struct server s;
    struct sample p;
    struct outcome o;
    struct error err = { 0 };
    int out[2], null;
    char byte;
    server_ready(&s);
    CHECK(pipe2(out, O_CLOEXEC) == 0);
    sample_init(&p, "/bin/sh", "-c", "echo; exec sleep 60");
    p.job.timeout_ms = 300;
    null = s.null, s.null = out[1];
    (void)send_sample(&s, &p);
    s.null = null;
    (void)close(out[1]);
    for (uint64_t i = 0; i < 900; i++) {
        uint64_t message[] = { MESSAGE_RUN, 1000 + i }; /* and nothing behind it */
        send_raw(&s, message, sizeof message, NULL, 0);
    }
    struct pollfd f = { .fd = out[0], .events = POLLIN };
    while (poll(&f, 1, PATIENCE_MS) == 1 && read(out[0], &byte, 1) == 1)
        ;
    CHECK(f.revents == POLLHUP); /* it has ended, and nobody has read anything yet */
    (void)close(out[0]);
    unsigned refusals = 0, naps = 0;
    while (refusals + naps < 901) {
        CHECK(has_answer(&s, PATIENCE_MS) && client_read(&s.client, &o, &err) == 0);
        if (o.reason == REASON_SANDBOX_ERROR)
            refusals++;
        else
            naps += o.reason == REASON_TIMEOUT;
    }
    CHECK_EQ(refusals, 900);
    CHECK(naps == 1 && !has_answer(&s, 50));
    sample_done(&p);
    run_true(&s);
    server_stop(&s);
}

TEST(launcher_ignores_kill_messages_that_name_nothing)
{
    struct server s;
    server_ready(&s);
    const uint64_t messages[][4] = { { MESSAGE_KILL, 424242, REASON_KILLED, 0 },
                                     { MESSAGE_KILL, 1, REASON_COUNT, 0 },
                                     { MESSAGE_KILL, 1, UINT64_MAX, 0 },
                                     { MESSAGE_OUTCOME, 1, 0, 0 },
                                     { UINT64_MAX, 1, 0, 0 },
                                     { 0, 0, 0, 0 } };
    for (size_t i = 0; i < ARRAY_LEN(messages); i++)
        for (size_t size = 1; size <= sizeof messages[i]; size++)
            send_raw(&s, messages[i], size, &s.null, size % 2);
    run_true(&s);
    server_stop(&s);
}

/* Answered by tag, and nothing that is no session's sandbox stands still. */
TEST(launcher_pauses_no_run_but_a_session_of_the_same_connection)
{
    struct server s;
    struct sample p;
    uint64_t words[4];
    server_ready(&s);
    sample_init(&p, "/bin/sleep", "60", NULL);
    const uint64_t tag = send_sample(&s, &p), pauses[][2] = { { tag + 1000, ESRCH }, { tag, EINVAL } };
    for (size_t i = 0; i < ARRAY_LEN(pauses); i++) {
        const uint64_t message[] = { MESSAGE_PAUSE, pauses[i][0], 1, 0 };
        send_raw(&s, message, 2 * sizeof *message, NULL, 0); /* no answer: it asks for nothing */
        send_raw(&s, message, 4 * sizeof *message, NULL, 0);
        send_raw(&s, message, 3 * sizeof *message, NULL, 0);
        CHECK_EQ(recv(s.client.sock, words, sizeof words, 0), sizeof words);
        CHECK(words[0] == MESSAGE_PAUSED && words[1] == pauses[i][0] && words[2] == 0 && words[3] == pauses[i][1]);
    }
    sample_done(&p);
    server_stop(&s);
}

TEST(launcher_gives_room_for_more_tasks_to_no_run_but_a_session_of_the_same_connection)
{
    struct server s;
    struct sample p;
    uint64_t words[4];
    server_ready(&s);
    sample_init(&p, "/bin/sleep", "60", NULL);
    const uint64_t tag = send_sample(&s, &p), asked[][3] = { { tag + 1000, 1, ESRCH }, { tag, 1, EINVAL } };
    for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
        const uint64_t message[] = { MESSAGE_ROOM, asked[i][0], asked[i][1], 0, 0 };
        send_raw(&s, message, 3 * sizeof *message, NULL, 0); /* no answer: it asks for nothing */
        send_raw(&s, message, 5 * sizeof *message, NULL, 0);
        send_raw(&s, message, 4 * sizeof *message, NULL, 0); /* nor is there a mark to answer with */
        const uint64_t marked[] = { MESSAGE_ROOM, asked[i][0], asked[i][1], 77 };
        send_raw(&s, marked, sizeof marked, NULL, 0);
        CHECK_EQ(recv(s.client.sock, words, sizeof words, 0), sizeof words);
        CHECK(words[0] == MESSAGE_ROOM && words[1] == asked[i][0] && words[2] == 77 && words[3] == asked[i][2]);
    }
    sample_done(&p);
    server_stop(&s);
}

/* --- requests that ask for too much ------------------------------------------------------------------- */

/* Spoils a sample in one way and expects an answer that is an error. */
static struct server refusing;

static void expect_refusal(const char *what, const struct sample *p)
{
    const char *text = "";
    int reason = run_sample(&refusing, p, &text);
    if (reason != REASON_SANDBOX_ERROR || !*text || !server_is_alive(&refusing)) {
        (void)fprintf(stderr, "# %s: reason %d (%s)\n", what, reason, text);
        test_fail(__FILE__, __LINE__, what);
    }
}

#define REFUSED(...)                              \
    do {                                          \
        struct sample p;                          \
        sample_init(&p, "/bin/true", NULL, NULL); \
        struct shape *shape = &p.shape;           \
        struct job *job = &p.job;                 \
        (void)shape, (void)job;                   \
        __VA_ARGS__;                              \
        expect_refusal(#__VA_ARGS__, &p);         \
        sample_done(&p);                          \
    } while (0)

TEST(launcher_refuses_root_ids_and_missing_limits)
{
    char long_name[100];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    server_ready(&refusing);
    REFUSED(shape->uid = 0);
    REFUSED(shape->gid = 0);
    REFUSED(shape->pids = 0);
    REFUSED(shape->nofile_hard = 3);
    REFUSED(shape->root_bytes = 0);
    REFUSED(shape->hostname = NULL);
    REFUSED(shape->hostname = "");
    REFUSED(shape->hostname = long_name);
    REFUSED(shape->apparmor = "a b");
    REFUSED(shape->apparmor = "a\nb");
    REFUSED(shape->apparmor = "../unconfined");
    REFUSED(shape->apparmor = "unconfined");
    REFUSED(shape->apparmor = ":other:profile");
    REFUSED(shape->apparmor = "a&b");
    REFUSED(shape->apparmor = "");
    REFUSED(shape->selinux = "");
    REFUSED(shape->selinux = "a:b");
    REFUSED(shape->selinux = "unconfined_t");
    REFUSED(shape->selinux = long_name);
    REFUSED(shape->keep_caps = UINT64_C(1) << CAP_SYS_ADMIN);
    REFUSED(shape->keep_caps = UINT64_C(1) << CAP_NET_RAW | UINT64_C(1) << CAP_CHOWN);
    REFUSED(shape->keep_caps = UINT64_C(1) << 63);
    REFUSED(shape->apparmor = long_name);
    REFUSED(job->id = NULL);
    REFUSED(job->id = long_name);
    REFUSED(job->timeout_ms = 0);
    server_stop(&refusing);
}

/* Who would be asked must be able to answer; a network without rules, or one that nobody hears of, is none. */
TEST(launcher_refuses_a_watch_without_verdicts_and_a_network_without_rules)
{
    static char many[NETWORK_MAX_BYTES + 1];
    server_ready(&refusing);
    REFUSED(shape->watch = NOTIFY_EXEC);
    REFUSED(shape->verdicts = shape->filter);
    REFUSED(shape->watch = NOTIFY_EXEC, shape->verdicts = (struct bytes){ "seven bytes", 7 });
    REFUSED(shape->watch = NOTIFY_BRIDGE, shape->verdicts = shape->filter);
    REFUSED(shape->is_brokered = true);
    REFUSED(shape->is_brokered = true, shape->watch = NOTIFY_BRIDGE, shape->verdicts = shape->filter,
            job->network = (struct bytes){ "rules", 5 });
    REFUSED(job->network = (struct bytes){ many, sizeof many });
    server_stop(&refusing);
}

TEST(launcher_refuses_sources_that_are_not_the_systems)
{
    static const char *const sources[] = { "/",
                                           "/root",
                                           "/etc",
                                           "/etc/shadow",
                                           "/etc/ssh",
                                           "/home",
                                           "/var",
                                           "/proc",
                                           "/proc/self/root",
                                           "/proc/1/root",
                                           "/sys",
                                           "/dev",
                                           "/run",
                                           "/tmp",
                                           "/usr/../etc",
                                           "/usr/..",
                                           "/usr/./../root",
                                           "//usr/../root",
                                           "usr",
                                           "",
                                           "/usr/../../root",
                                           "/etc/sslx",
                                           "/usrx",
                                           "/lib/../etc/shadow",
                                           "/etc/alternatives/../shadow",
                                           "/etc/ssl/../shadow",
                                           "/usr//../root" };
    static const char *const devices[] = { "/dev/sda",   "/dev/mem", "/dev/kmsg",    "/dev/tty",
                                           "/dev/vsock", "/dev/kvm", "/dev/null/..", "/dev/../dev/mem",
                                           "/dev",       "/root",    "/dev/nullx",   "",
                                           "null" };
    server_ready(&refusing);
    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        REFUSED((void)sample_add(&p, MOUNT_BIND, sources[i], "/mnt", MOUNT_RO));
    for (size_t i = 0; i < ARRAY_LEN(devices); i++)
        REFUSED((void)sample_add(&p, MOUNT_DEVICE, devices[i], "/dev/x", 0));
    REFUSED((void)sample_add(&p, MOUNT_BIND, "/usr", "/mnt", 0)); /* writable */
    REFUSED((void)sample_add(&p, MOUNT_BIND, NULL, "/mnt", MOUNT_RO));
    REFUSED((void)sample_add(&p, MOUNT_DEVICE, NULL, "/mnt", 0));
    REFUSED((void)sample_add(&p, MOUNT_VOLUME, "/tmp", "/mnt", 0)); /* the inode is not the one that was judged */
    REFUSED((void)sample_add(&p, MOUNT_VOLUME, "/proc/self/cwd", "/mnt", 0)); /* a link on its way */
    REFUSED((void)sample_add(&p, MOUNT_VOLUME, "tmp", "/mnt", 0));
    REFUSED((void)sample_add(&p, MOUNT_VOLUME, "/tmp/../root", "/mnt", 0));
    REFUSED((void)sample_add(&p, MOUNT_HOME, "key", "/workspace", 0));
    server_stop(&refusing);
}

TEST(launcher_refuses_targets_and_paths_that_are_not_plain)
{
    static const char *const paths[] = { "/..",    "/../x", "/a/../../x", "x",     "",  "./x",
                                         "/a/./b", "/a//b", "//a",        "/a/..", NULL };
    server_ready(&refusing);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        REFUSED((void)sample_add(&p, MOUNT_DIR, NULL, paths[i], 0));
        REFUSED((void)sample_add(&p, MOUNT_TMPFS, NULL, paths[i], 0));
        REFUSED((void)sample_add(&p, MOUNT_MASK, NULL, paths[i], 0));
        REFUSED((void)sample_add(&p, MOUNT_TEXT, "text", paths[i], 0));
        REFUSED(shape->access[0].path = paths[i]);
        REFUSED(job->program = paths[i]);
        REFUSED(job->cwd = paths[i]);
        REFUSED(job->file_count = 1; job->files[0] = (struct plan_file){ paths[i] ? paths[i] : "", 0, 0, 0444, false });
        if (paths[i]) {
            REFUSED(job->artifact = paths[i]);
            REFUSED(job->workspace = paths[i]);
        }
    }
    REFUSED((void)sample_add(&p, MOUNT_TMPFS, NULL, "/", 0));
    REFUSED((void)sample_add(&p, MOUNT_TEXT, NULL, "/text", 0));
    REFUSED((void)sample_add(&p, MOUNT_LINK, NULL, "/link", 0));
    REFUSED(strlist_done(&job->argv));
    server_stop(&refusing);
}

TEST(launcher_refuses_filters_that_are_none)
{
    static const struct sock_filter allow[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    static const struct sock_filter by_number[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                             offsetof(struct seccomp_data, nr)),
                                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    static const struct sock_filter jumps_out[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SAMPLE_ARCH, 200, 200), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    };
    static const struct sock_filter endless[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                           offsetof(struct seccomp_data, arch)) };
    static const struct sock_filter packet[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)), BPF_STMT(BPF_LD | BPF_B | BPF_IND, 4),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    };
    static struct sock_filter large[BPF_MAXINSNS + 1];
    for (size_t i = 0; i < ARRAY_LEN(large); i++)
        large[i] = sample_filter[0];
    server_ready(&refusing);
    REFUSED(shape->filter.size = 0);
    REFUSED(shape->filter.size = 7);
    REFUSED(shape->filter.size = sizeof sample_filter - 1);
    REFUSED(shape->filter = ((struct bytes){ allow, sizeof allow }));
    REFUSED(shape->filter = ((struct bytes){ by_number, sizeof by_number }));
    REFUSED(shape->filter = ((struct bytes){ jumps_out, sizeof jumps_out }));
    REFUSED(shape->filter = ((struct bytes){ endless, sizeof endless }));
    REFUSED(shape->filter = ((struct bytes){ packet, sizeof packet }));
    REFUSED(shape->filter = ((struct bytes){ large, sizeof large }));
    server_stop(&refusing);
}

TEST(launcher_makes_an_error_of_code_it_cannot_deliver)
{
    server_ready(&refusing);
    int code = refusing.code, pair[2];
    CHECK(pipe2(pair, O_CLOEXEC) == 0);
    const int odd[] = { open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), open("/", O_PATH | O_CLOEXEC), pair[1],
                        refusing.null };
    for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
        refusing.code = odd[i];
        REFUSED(job->file_count = 1; job->files[0] = (struct plan_file){ "/code/main", 0, 100, 0444, false });
    }
    refusing.code = code;
    CHECK(write(code, "0123456789", 10) == 10);
    REFUSED(job->file_count = 1; job->files[0] = (struct plan_file){ "/code/main", 5, 6, 0444, false });
    REFUSED(job->file_count = 1; job->files[0] = (struct plan_file){ "/code/main", INT64_MAX, 1, 0444, false });
    REFUSED(job->file_count = 1; job->files[0] = (struct plan_file){ "/code/main", 0, INT64_MAX, 0444, false });
    run_true(&refusing);
    for (size_t i = 0; i < 2; i++) {
        (void)close(odd[i]);
        (void)close(pair[i]);
    }
    server_stop(&refusing);
}

/* What a client asks to be laid into the root must not land outside it, by whatever detour. */
static void expect_no_file(struct server *s, struct sample *p, const char *file)
{
    const char *text;
    (void)run_sample(s, p, &text);
    bool is_there = access(file, F_OK) == 0;
    (void)unlink(file);
    CHECK(!is_there);
    CHECK(server_is_alive(s));
}

TEST(launcher_follows_no_link_of_the_plan_out_of_the_new_root)
{
    struct server s;
    char dir[] = "/tmp/test-launcher-XXXXXX", file[64];
    server_ready(&s);
    CHECK(mkdtemp(dir) && chmod(dir, 0777) == 0);
    (void)snprintf(file, sizeof file, "%s/evil", dir);
    for (int kind = 0; kind < 6; kind++) {
        struct sample p;
        struct plan_mount *m;
        sample_init(&p, "/bin/true", NULL, NULL);
        (void)sample_add(&p, MOUNT_LINK, dir, "/way", 0);
        switch (kind) {
        case 0:
            (void)sample_add(&p, MOUNT_TEXT, "evil", "/way/evil", 0);
            break;
        case 1:
            (void)sample_add(&p, MOUNT_DIR, NULL, "/way/evil", 0);
            break;
        case 2:
            (void)sample_add(&p, MOUNT_LINK, "/etc", "/way/evil", 0);
            break;
        case 3:
            m = sample_add(&p, MOUNT_TMPFS, NULL, "/way/evil", 0);
            m->size_bytes = 4096;
            break;
        case 4:
            (void)sample_add(&p, MOUNT_BIND, "/usr/bin/true", "/way/evil", MOUNT_RO);
            break;
        default:
            p.job.file_count = 1;
            p.job.files[0] = (struct plan_file){ "/way/evil", 0, 0, 0444, false };
            break;
        }
        expect_no_file(&s, &p, file);
        (void)rmdir(file);
        sample_done(&p);
    }
    run_true(&s);
    server_stop(&s);
    CHECK(rmdir(dir) == 0);
}

TEST(launcher_delivers_no_code_through_a_link_in_a_volume)
{
    struct server s;
    char volume[] = "/tmp/test-launcher-volume-XXXXXX", outside[] = "/tmp/test-launcher-outside-XXXXXX", path[96],
         file[96];
    struct stat st;
    struct sample p;
    server_ready(&s);
    CHECK(mkdtemp(volume) && mkdtemp(outside) && chmod(volume, 0777) == 0 && chmod(outside, 0777) == 0);
    (void)snprintf(path, sizeof path, "%s/way", volume);
    (void)snprintf(file, sizeof file, "%s/evil", outside);
    CHECK(symlink(outside, path) == 0 && stat(volume, &st) == 0);
    sample_init(&p, "/bin/true", NULL, NULL);
    struct plan_mount *m = sample_add(&p, MOUNT_VOLUME, volume, "/data", 0);
    m->dev = st.st_dev;
    m->ino = st.st_ino;
    p.job.file_count = 1;
    p.job.files[0] = (struct plan_file){ "/data/way/evil", 0, 0, 0444, false };
    expect_no_file(&s, &p, file);
    sample_done(&p);
    run_true(&s);
    server_stop(&s);
    (void)unlink(path);
    CHECK(rmdir(volume) == 0 && rmdir(outside) == 0);
}

/* --- many at once, and sudden ends ---------------------------------------------------------------------- */

static void run_overlapping(bool may_reuse, unsigned runs, unsigned at_once)
{
    struct server s;
    struct sample p;
    const char *text = "";
    unsigned sent = 0;
    server_ready(&s);
    sample_init(&p, "/bin/true", NULL, NULL);
    p.job.may_reuse = may_reuse;
    for (; sent < at_once; sent++)
        (void)send_sample(&s, &p);
    for (unsigned done = 0; done < sent; done++) {
        int reason = take_outcome(&s, &text);
        if (reason != REASON_COMPLETED)
            (void)fprintf(stderr, "# after %u: reason %d %s\n", done, reason, text);
        CHECK_EQ(reason, REASON_COMPLETED);
        if (sent < runs) {
            (void)send_sample(&s, &p);
            sent++;
        }
    }
    sample_done(&p);
    CHECK(!has_answer(&s, 50));
    server_stop(&s);
}

TEST(launcher_serves_runs_that_overlap)
{
    run_overlapping(false, 200, 2);
    run_overlapping(false, 100, 20);
}

TEST(launcher_serves_runs_that_overlap_in_prepared_sandboxes)
{
    run_overlapping(true, 300, 2);
    run_overlapping(true, 100, 20);
}

TEST(launcher_serves_masks_in_prepared_sandboxes)
{
    struct server s;
    struct sample p;
    const char *text = "";
    server_ready(&s);
    sample_init(&p, "/usr/bin/test", "-s", "/proc/uptime"); /* exit 1: it is masked, so empty; 2: no such test */
    (void)sample_add(&p, MOUNT_PROC, NULL, "/proc", 0);
    (void)sample_add(&p, MOUNT_MASK, NULL, "/proc/uptime", 0);
    (void)sample_add(&p, MOUNT_MASK, NULL, "/usr/bin/apt", 0);
    for (int i = 0; i < 6; i++) {
        p.job.may_reuse = i >= 2;
        int reason = run_sample(&s, &p, &text);
        if (reason != REASON_ERROR)
            (void)fprintf(stderr, "# run %d: reason %d %s\n", i, reason, text);
        CHECK_EQ(reason, REASON_ERROR);
    }
    sample_done(&p);
    server_stop(&s);
}

TEST(launcher_keeps_no_descriptor_of_300_runs)
{
    struct server s;
    struct sample p;
    const char *text;
    server_ready(&s);
    sample_init(&p, "/bin/false", NULL, NULL);
    for (int reuse = 0; reuse < 2; reuse++) {
        p.job.may_reuse = reuse;
        CHECK_EQ(run_sample(&s, &p, &text), REASON_ERROR);
        unsigned before = count_fds_at_rest(&s);
        for (int i = 0; i < 150; i++)
            CHECK_EQ(run_sample(&s, &p, &text), REASON_ERROR);
        check_fds_at_rest(&s, before + (reuse ? 49 : 0)); /* a few prepared sandboxes, five descriptors each */
    }
    sample_done(&p);
    server_stop(&s);
}

TEST(launcher_ends_a_run_that_is_killed_at_any_moment)
{
    struct server s;
    struct sample p;
    const char *text = "";
    char nap[32];
    server_ready(&s);
    sample_init(&p, "/bin/sleep", some_nap(nap, 0), NULL);
    for (int i = 0; i < 100; i++) {
        p.job.may_reuse = i % 3 == 0;
        uint64_t tag = send_sample(&s, &p);
        if (i % 4)
            (void)usleep((useconds_t)rnd(6000));
        CHECK(client_kill(&s.client, tag, REASON_KILLED) == 0);
        (void)client_kill(&s.client, tag, REASON_OOM); /* too late to change anything */
        int reason = take_outcome(&s, &text);
        if (reason != REASON_KILLED)
            (void)fprintf(stderr, "# kill %d: reason %d %s\n", i, reason, text);
        CHECK_EQ(reason, REASON_KILLED);
    }
    sample_done(&p);
    CHECK(becomes(false, nap));
    CHECK(!has_answer(&s, 50));
    server_stop(&s);
}

TEST(launcher_leaves_nothing_when_its_client_goes_during_ten_runs)
{
    struct server s;
    struct sample p;
    char nap[32];
    for (int round = 0; round < 4; round++) {
        server_ready(&s);
        sample_init(&p, "/bin/sleep", some_nap(nap, 1 + round), NULL);
        for (int i = 0; i < 10; i++) {
            p.job.may_reuse = i % 2;
            (void)send_sample(&s, &p);
        }
        if (round == 0)
            CHECK(becomes(true, nap));
        else
            (void)usleep((useconds_t)rnd(20000));
        sample_done(&p);
        server_stop(&s);
        CHECK(becomes(false, nap));
    }
}

/* kill -9 of the launcher: nobody is left to tell init and keeper, they must see it themselves. */
static void kill_launcher(bool may_reuse, bool is_up, int number)
{
    struct server s;
    struct sample p;
    char nap[32];
    server_ready(&s);
    sample_init(&p, "/bin/sleep", some_nap(nap, number), NULL);
    p.job.may_reuse = may_reuse;
    (void)send_sample(&s, &p);
    if (is_up)
        CHECK(becomes(true, nap));
    else
        (void)usleep((useconds_t)rnd(5000));
    (void)kill(s.client.pid, SIGKILL);
    (void)waitpid(s.client.pid, NULL, 0);
    client_stop(&s.client);
    sample_done(&p);
    (void)usleep(20000); /* a payload that was about to start has started */
    bool is_gone = becomes(false, nap);
    (void)close(s.null);
    (void)close(s.code);
    CHECK(is_gone);
}

TEST(launchers_sudden_death_ends_a_running_program)
{
    kill_launcher(false, true, 10);
}

TEST(launchers_sudden_death_ends_a_program_in_a_prepared_sandbox)
{
    kill_launcher(true, true, 11);
}

TEST(launchers_sudden_death_during_set_up_starts_no_program)
{
    for (int i = 0; i < 60; i++)
        kill_launcher(i % 2, false, 20 + i);
}

/* As systemd starts it, with Accept=yes: an environment of any kind, no arguments, or not even a name. */
TEST(launcher_takes_nothing_from_its_environment)
{
    static const char *const envp[] = { "LISTEN_FDS=1",
                                        "LISTEN_PID=1",
                                        "LISTEN_FDNAMES=connection",
                                        "INVOCATION_ID=0",
                                        "PATH=/nowhere",
                                        "LD_PRELOAD=/nowhere.so",
                                        "HOME=/nowhere",
                                        "TMPDIR=/nowhere",
                                        "MALLOC_CHECK_=3",
                                        "=",
                                        "",
                                        NULL };
    static const char *const argvs[][2] = { { "sandbox-launcher", NULL }, { "", NULL }, { NULL } };
    for (size_t i = 0; i < ARRAY_LEN(argvs); i++) {
        struct server s;
        struct sample p;
        const char *text = "";
        char said[256];
        int out[2];
        server_ready(&s); /* or skips */
        server_stop(&s);
        server_start_as(&s, (char *const *)(uintptr_t)argvs[i], (char *const *)(uintptr_t)envp);
        CHECK(pipe2(out, O_CLOEXEC) == 0);
        int null = s.null;
        s.null = out[1];
        sample_init(&p, "/usr/bin/env", NULL, NULL);
        CHECK_EQ(run_sample(&s, &p, &text), REASON_COMPLETED);
        sample_done(&p);
        ssize_t n = read(out[0], said, sizeof said - 1);
        CHECK(n > 0);
        said[n] = '\0';
        CHECK_STR(said, "PATH=/usr/bin:/bin\n");
        (void)close(out[0]);
        (void)close(out[1]);
        s.null = null;
        server_stop(&s);
    }
}

TEST(launcher_started_without_its_socket_says_so_and_ends)
{
    if (access(launcher_path(), X_OK) < 0)
        SKIP("no launcher is built");
    for (int kind = 0; kind < 3; kind++) {
        int status, pair[2];
        pid_t pid = fork();
        if (pid == 0) {
            int null = open("/dev/null", O_RDWR);
            (void)dup2(null, 2);
            (void)close(3);
            if (kind && socketpair(AF_UNIX, kind == 1 ? SOCK_STREAM : SOCK_DGRAM, 0, pair) == 0)
                (void)dup2(pair[0], 3);
            (void)execl(launcher_path(), "sandbox-launcher", (char *)NULL);
            _exit(99);
        }
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    }
}

/* --- the guard's pipe ------------------------------------------------------------------------------- */

/* A shell script in a sandbox of its own, or in a prepared slot, with the write end of a pipe. */
static void run_script(struct server *s, const char *script, uint32_t report_fd, bool may_reuse, int write_end,
                       int wanted)
{
    struct sample p;
    struct buf b;
    const char *text = "";
    const int fds[] = { s->null, s->null, s->null, s->code, write_end };
    sample_init(&p, "/bin/sh", "-c", script);
    p.job.report_fd = report_fd;
    p.job.may_reuse = may_reuse;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_run(&b, s->next_tag++, &p.shape, &p.job);
    send_raw(s, b.data, b.size, fds, ARRAY_LEN(fds));
    buf_done(&b);
    sample_done(&p);
    int reason = take_outcome(s, &text);
    if (reason != wanted)
        (void)fprintf(stderr, "# %s: %s\n", script, text);
    CHECK_EQ(reason, wanted);
}

TEST(payload_gets_the_guards_pipe_at_its_number_and_nothing_else)
{
    struct server s;
    int ends[2];
    char got[64];
    server_ready(&s);
    for (int reuse = 0; reuse < 4; reuse++) { /* the last two: a slot that is made, and one that was there */
        CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
        run_script(&s, "echo told >&9; for n in 3 4 5 6 7 8; do (eval \"exec >&$n\") 2>&- && exit 1; done; exit 0", 9,
                   reuse >= 2, ends[1], REASON_COMPLETED);
        (void)close(ends[1]);
        CHECK_EQ(read(ends[0], got, sizeof got), 5);
        CHECK(memcmp(got, "told\n", 5) == 0);
        struct pollfd f = { .fd = ends[0] }; /* soon nobody holds it any more, a slot's keeper neither */
        CHECK(poll(&f, 1, PATIENCE_MS) == 1 && f.revents == POLLHUP);
        (void)close(ends[0]);
    }
    server_stop(&s);
}

TEST(launcher_gives_no_descriptor_that_was_not_announced_or_does_not_fit)
{
    struct server s;
    int ends[2];
    server_ready(&s);
    CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    run_script(&s, "exit 0", 0, false, ends[1], REASON_SANDBOX_ERROR);
    run_script(&s, "exit 0", 3, false, ends[1], REASON_SANDBOX_ERROR); /* where ours lie */
    (void)close(ends[1]);
    struct pollfd f = { .fd = ends[0], .events = POLLIN };
    CHECK(poll(&f, 1, PATIENCE_MS) == 1 && f.revents == POLLHUP);
    (void)close(ends[0]);
    server_stop(&s);
}

TEST(payload_goes_without_the_guards_pipe_beyond_its_own_limit_of_descriptors)
{
    struct server s;
    struct sample p;
    const char *text = "";
    server_ready(&s);
    sample_init(&p, "/bin/sh", "-c", "for n in 3 4 5 6 7 8 9; do (eval \"exec <&$n\") 2>&- && exit 1; done; exit 0");
    p.job.report_fd = 40;
    p.shape.nofile_soft = 32;
    CHECK_EQ(run_sample(&s, &p, &text), REASON_COMPLETED);
    p.job.report_fd = 9; /* and within it, it is found by this script */
    CHECK_EQ(run_sample(&s, &p, &text), REASON_ERROR);
    sample_done(&p);
    server_stop(&s);
}

/* --- one run's memory is not another's --------------------------------------------------------------- */

/* pid 1 of the sandbox in which a process with this word in its arguments lives. */
static pid_t init_of(const char *word)
{
    char path[64], text[2048];
    uint64_t parent = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process_find(word));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        (void)close(fd);
    text[MAX_OF(n, 0)] = '\0';
    char *after = strrchr(text, ')'); /* «) S PPID » */
    if (!after || strlen(after) <= 4)
        return 0;
    after += 4;
    after[strcspn(after, " ")] = '\0';
    return parse_u64(after, &parent) == 0 ? (pid_t)parent : 0;
}

static uint64_t hex(const char **p)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t n = 0;
    for (const char *at; **p && (at = strchr(digits, **p)); (*p)++)
        n = n << 4 | (uint64_t)(at - digits);
    return n;
}

/* How often the word is in the memory of this process. -1: it cannot be read. */
static int count_in_memory(pid_t pid, const char *word)
{
    char path[64], *line = NULL;
    size_t size = 0;
    int found = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    int mem = open(path, O_RDONLY | O_CLOEXEC);
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    char *page = malloc(1 << 20);
    if (mem < 0 || !maps || !page)
        found = -1;
    while (found >= 0 && getline(&line, &size, maps) > 0) {
        const char *rest = line;
        uint64_t from = hex(&rest);
        rest += *rest == '-';
        uint64_t to = hex(&rest);
        for (uint64_t at = from; at < to; at += 1 << 20) {
            ssize_t n = pread(mem, page, (size_t)MIN_OF(to - at, (uint64_t)1 << 20), (off_t)at);
            for (char *p = page; n > 0 && (p = memmem(p, (size_t)(page + n - p), word, strlen(word))); p++)
                found++;
        }
    }
    free(page);
    free(line);
    if (maps)
        (void)fclose(maps);
    if (mem >= 0)
        (void)close(mem);
    return found;
}

static void start_nap(struct server *s, const char *nap, const char *secret, bool may_reuse)
{
    struct sample p;
    sample_init(&p, "/bin/sleep", nap, NULL);
    (void)strlist_add(&p.job.env, secret);
    p.job.may_reuse = may_reuse;
    (void)send_sample(s, &p);
    sample_done(&p);
    CHECK(becomes(true, nap));
}

static void look_into_each_other(bool may_reuse)
{
    struct server s;
    char naps[3][32], secrets[3][64];
    server_ready(&s);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(secrets[i], sizeof secrets[i], "TOKEN=%d-%016llx%016llx", i, (unsigned long long)rnd(UINT64_MAX),
                       (unsigned long long)getpid());
        start_nap(&s, some_nap(naps[i], (may_reuse ? 50 : 40) + i), secrets[i], may_reuse);
    }
    for (int i = 0; i < 3; i++) {
        pid_t init = init_of(naps[i]);
        CHECK(init > 1);
        int own = count_in_memory(init, secrets[i]);
        if (own < 0) {
            server_stop(&s);
            SKIP("pid 1 of a sandbox is not dumpable: only root can look into it");
        }
        CHECK(own > 0); /* the search finds what is there: it needs it for exec, and is cleared with its process */
        for (int j = 0; j < 3; j++)
            if (j != i)
                CHECK_EQ(count_in_memory(init, secrets[j]), 0);
    }
    server_stop(&s);
}

TEST(init_of_a_sandbox_holds_nothing_of_another_runs_memory)
{
    look_into_each_other(false);
}

TEST(init_in_a_slot_holds_nothing_of_another_runs_memory)
{
    look_into_each_other(true);
}
