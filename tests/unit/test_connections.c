/* Further connections to one launcher: what they share, what they do not, and whose end ends what. */
#include "launcher_world.h"

#include <ftw.h>
#include <pthread.h>
#include <sys/resource.h>

/* A kill may meet the end of what it was to end: the connection then closes with it unread, behind the outcome. */
TEST(an_outcome_is_read_also_where_its_sender_left_something_unread)
{
    int pair[2];
    struct error err = { 0 };
    struct outcome said = { .reason = REASON_KILLED }, heard = { 0 };
    struct buf b;
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    struct client c = { .sock = pair[0] };
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, 7, &said);
    CHECK_EQ(client_kill(&c, 7, REASON_KILLED), 0);
    CHECK_EQ(send(pair[1], b.data, b.size, 0), (ssize_t)b.size);
    (void)close(pair[1]);
    CHECK_EQ(client_read(&c, &heard, &err), 0);
    CHECK_EQ(heard.reason, REASON_KILLED);
    CHECK_EQ(client_read(&c, &heard, &err), -EPIPE); /* that was all */
    strlist_done(&heard.missing);
    buf_done(&b);
    client_stop(&c);
}

/* --- connections, as servers that somebody else started ----------------------------------------------------- */

static void connection_open(const struct server *owner, struct server *ret)
{
    struct error err = { 0 };
    *ret = *owner;
    ret->next_tag = 7; /* the same in each, on purpose */
    if (client_connection(&owner->client, &ret->client, &err) < 0)
        test_fail(__FILE__, __LINE__, err.text);
    CHECK_EQ(ret->client.pid, 0);
}

static uint64_t start_nap(struct server *s, char nap[static 32], int number, bool may_reuse)
{
    struct sample p;
    sample_init(&p, "/bin/sleep", some_nap(nap, number), NULL);
    p.job.may_reuse = may_reuse;
    uint64_t tag = send_sample(s, &p);
    sample_done(&p);
    CHECK(becomes(true, nap));
    return tag;
}

static bool is_closed(struct server *s, int timeout_ms)
{
    char byte;
    return has_answer(s, timeout_ms) && recv(s->client.sock, &byte, 1, 0) <= 0;
}

static unsigned groups_found;
static char groups_prefix[64];

static int on_group(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    groups_found += type == FTW_D && str_starts(path + at->base, groups_prefix);
    return 0;
}

static unsigned count_groups(const struct server *s)
{
    (void)snprintf(groups_prefix, sizeof groups_prefix, "sandbox-agent.%d.", (int)s->client.pid);
    groups_found = 0;
    (void)nftw("/sys/fs/cgroup", on_group, 32, FTW_PHYS);
    return groups_found;
}

/* The launcher's cgroups that are there when nothing goes on: those of spares. */
static unsigned count_groups_at_rest(const struct server *s)
{
    unsigned least = UINT32_MAX;
    for (int i = 0; i < 8; i++) {
        (void)usleep(20000);
        least = MIN_OF(least, count_groups(s));
    }
    return least;
}

/* There are no more than these, or soon there are: one that is busy is removed later. */
static void check_groups_at_rest(const struct server *s, unsigned most)
{
    unsigned now = count_groups(s);
    for (uint64_t until = clock_ms() + PATIENCE_MS; now > most && clock_ms() < until; now = count_groups(s))
        (void)usleep(20000);
    if (now > most)
        CHECK_EQ(now, most);
}

/* --- apart from each other ---------------------------------------------------------------------------- */

TEST(connections_run_at_once_and_each_hears_of_its_own_runs_only)
{
    struct server s, a, b;
    char nap[32];
    const char *text;
    server_ready(&s);
    connection_open(&s, &a);
    connection_open(&s, &b);
    uint64_t tag = start_nap(&a, nap, 1, false);
    run_true(&b); /* with the same tag, while the other sleeps */
    run_true(&s);
    CHECK(!has_answer(&a, 0) && process_exists(nap));
    CHECK(client_kill(&a.client, tag, REASON_OUTPUT_LIMIT) == 0);
    CHECK_EQ(take_outcome(&a, &text), REASON_OUTPUT_LIMIT);
    CHECK(!has_answer(&b, 50) && !has_answer(&s, 0));
    client_stop(&a.client);
    client_stop(&b.client);
    server_stop(&s);
}

TEST(a_kill_over_another_connection_does_nothing)
{
    struct server s, a, b;
    char naps[2][32];
    const char *text;
    server_ready(&s);
    connection_open(&s, &a);
    connection_open(&s, &b);
    for (int reuse = 0; reuse < 2; reuse++) {
        uint64_t tag = start_nap(&a, naps[reuse], 2 + reuse, reuse);
        for (uint64_t t = 0; t < 100; t++) {
            (void)client_kill(&b.client, t, REASON_KILLED);
            (void)client_kill(&s.client, t, REASON_KILLED);
        }
        run_true(&b); /* whatever it did is done */
        run_true(&s);
        CHECK(!has_answer(&a, 50) && process_exists(naps[reuse]));
        (void)client_kill(&a.client, tag, REASON_KILLED);
        CHECK_EQ(take_outcome(&a, &text), REASON_KILLED);
    }
    client_stop(&a.client);
    client_stop(&b.client);
    server_stop(&s);
}

/* Also when its client dies: the kernel closes it then. */
TEST(a_connection_that_is_closed_ends_its_runs_and_no_others_and_leaves_nothing)
{
    struct server s, a, b;
    char mine[2][32], other[32];
    const char *text;
    server_ready(&s);
    connection_open(&s, &b);
    uint64_t tag = start_nap(&b, other, 10, false);
    unsigned groups = count_groups_at_rest(&s), fds = count_fds_at_rest(&s);
    for (int round = 0; round < 3; round++) {
        connection_open(&s, &a);
        (void)start_nap(&a, mine[0], 11 + 2 * round, false);
        (void)start_nap(&a, mine[1], 12 + 2 * round, false);
        client_stop(&a.client);
        CHECK(becomes(false, mine[0]) && becomes(false, mine[1]));
        CHECK(process_exists(other) && !has_answer(&b, 0));
    }
    check_groups_at_rest(&s, groups);
    check_fds_at_rest(&s, fds);
    (void)client_kill(&b.client, tag, REASON_KILLED);
    CHECK_EQ(take_outcome(&b, &text), REASON_KILLED);
    run_true(&b);
    client_stop(&b.client);
    server_stop(&s);
}

/* The moment is arbitrary: before the run has begun, while it is prepared, in a slot, at its end. */
TEST(a_connection_may_be_closed_at_any_moment)
{
    struct server s, a;
    struct sample p;
    char nap[32];
    server_ready(&s);
    sample_init(&p, "/bin/sleep", some_nap(nap, 30), NULL);
    for (int i = 0; i < 60; i++) {
        connection_open(&s, &a);
        for (int n = 0; n < 3; n++) {
            p.job.may_reuse = (i + n) % 3 == 0;
            (void)send_sample(&a, &p);
        }
        if (i % 4)
            (void)usleep((useconds_t)rnd(8000));
        client_stop(&a.client);
    }
    sample_done(&p);
    run_true(&s);
    CHECK(becomes(false, nap));
    server_stop(&s);
    check_groups_at_rest(&s, 0);
}

/* All processes of its own: the spare, and the keepers of slots. */
static size_t children_of(const struct server *s, pid_t pids[static 16])
{
    char path[64], text[4096];
    size_t n = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)s->client.pid, (int)s->client.pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    (void)close(fd);
    text[MAX_OF(size, 0)] = '\0';
    for (char *at = text, *end; n < 16 && (end = strchr(at, ' ')); at = end + 1) {
        uint64_t pid;
        *end = '\0';
        if (parse_u64(at, &pid) == 0)
            pids[n++] = (pid_t)pid;
    }
    return n;
}

/* -> how many took it */
static unsigned signal_children(const struct server *s, int sig)
{
    pid_t pids[16];
    unsigned taken = 0;
    for (size_t n = children_of(s, pids); n; n--)
        taken += kill(pids[n - 1], sig) == 0;
    return taken;
}

static bool has_living_child(const struct server *s)
{
    pid_t pids[16];
    for (size_t n = children_of(s, pids); n; n--) {
        char path[64], text[512];
        (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pids[n - 1]);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
        (void)close(fd);
        text[MAX_OF(size, 0)] = '\0';
        if (size > 0 && !strstr(text, ") Z "))
            return true;
    }
    return false;
}

/* Whoever stopped it: the run's deadline, and its connection's end, do not wait for it. */
TEST(a_run_in_a_prepared_sandbox_whose_keeper_is_stuck_ends_in_its_time)
{
    struct server s, a;
    struct sample p;
    const char *text = "";
    server_ready(&s);
    sample_init(&p, "/bin/true", NULL, NULL);
    p.job.may_reuse = true;
    CHECK_EQ(run_sample(&s, &p, &text), REASON_COMPLETED);
    CHECK(signal_children(&s, SIGSTOP) >= 1);
    p.job.timeout_ms = p.job.grace_ms = 50;
    CHECK_EQ(run_sample(&s, &p, &text), REASON_TIMEOUT);
    (void)signal_children(&s, SIGCONT);
    run_true(&s);
    p.job.timeout_ms = 100000;
    CHECK_EQ(run_sample(&s, &p, &text), REASON_COMPLETED);
    CHECK(signal_children(&s, SIGSTOP) >= 1);
    connection_open(&s, &a);
    (void)send_sample(&a, &p);
    client_stop(&a.client);
    sample_done(&p);
    server_stop(&s); /* which waits for all runs */
}

/* The kernel's, when memory is short, or anybody's who may: what was prepared is nothing that a run would have to die
 * for. */
TEST(a_spare_that_was_killed_while_it_waited_costs_no_run)
{
    struct server s;
    struct sample p;
    const char *text = "";
    server_ready(&s);
    sample_init(&p, "/bin/true", NULL, NULL);
    for (int reuse = 0; reuse < 2; reuse++) {
        for (int i = 0; i < 1000 && !signal_children(&s, SIGKILL); i++)
            (void)usleep(10000);
        for (int i = 0; i < 2000 && has_living_child(&s);
             i++) /* one that is still about to die is used, and its run's error is the right one */
            (void)usleep(5000);
        p.job.may_reuse = reuse;
        CHECK_EQ(run_sample(&s, &p, &text), REASON_COMPLETED);
    }
    sample_done(&p);
    server_stop(&s);
}

TEST(the_end_of_descriptor_3_ends_what_all_connections_asked_for)
{
    struct server s, connections[3];
    char naps[3][32];
    server_ready(&s);
    for (int i = 0; i < 3; i++) {
        connection_open(&s, &connections[i]);
        (void)start_nap(&connections[i], naps[i], 40 + i, i % 2);
    }
    server_stop(&s); /* waits for a launcher that ends well although connections are open */
    for (int i = 0; i < 3; i++) {
        CHECK(is_closed(&connections[i], PATIENCE_MS));
        CHECK(becomes(false, naps[i]));
        client_stop(&connections[i].client);
    }
}

/* --- hostile ones -------------------------------------------------------------------------------------- */

static _Noreturn void flood(struct server *s)
{
    char bytes[4000] = { MESSAGE_RUN };
    for (uint64_t i = 0;; i++) {
        bytes[0] = (char)(i % 3 ? MESSAGE_KILL : MESSAGE_RUN); /* answered, and nobody reads the answers */
        (void)send(s->client.sock, bytes, i % sizeof bytes + 1, MSG_NOSIGNAL | (i % 2 ? MSG_DONTWAIT : 0));
    }
}

TEST(a_connection_full_of_garbage_does_not_disturb_another)
{
    struct server s, a, b;
    char nap[32];
    const char *text;
    server_ready(&s);
    connection_open(&s, &a);
    connection_open(&s, &b);
    uint64_t tag = start_nap(&b, nap, 50, false);
    pid_t pid = fork();
    if (pid == 0)
        flood(&a);
    for (int i = 0; i < 30; i++)
        run_true(i % 2 ? &b : &s);
    CHECK(waitpid(pid, NULL, WNOHANG) == 0); /* it was there all the time */
    (void)kill(pid, SIGKILL);
    CHECK(waitpid(pid, NULL, 0) == pid);
    client_stop(&a.client);
    (void)client_kill(&b.client, tag, REASON_KILLED);
    CHECK_EQ(take_outcome(&b, &text), REASON_KILLED);
    client_stop(&b.client);
    server_stop(&s);
}

TEST(launcher_takes_no_connection_that_is_none)
{
    struct server s, a;
    int pair[2], stream[2];
    server_ready(&s);
    connection_open(&s, &a);
    run_true(&a);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0 &&
          socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream) == 0);
    unsigned before = count_fds_at_rest(&s);
    const uint64_t words[] = { MESSAGE_CONNECTION, 0, 0 };
    send_raw(&s, words, 16, NULL, 0);
    send_raw(&s, words, 16, &s.null, 1);
    send_raw(&s, words, 16, stream, 1);
    send_raw(&s, words, 16, pair, 2);
    send_raw(&s, words, 8, pair, 1);
    send_raw(&s, words, 24, pair, 1);
    send_raw(&a, words, 16, pair, 1); /* well-formed, over a connection */
    run_true(&a);
    run_true(&s);
    check_fds_at_rest(&s, before);
    send_raw(&s, words, 16, pair, 1); /* and this is one: the checks above could have failed */
    run_true(&s);
    CHECK_EQ(count_fds_at_rest(&s), before + 1);
    for (int i = 0; i < 2; i++) {
        (void)close(pair[i]);
        (void)close(stream[i]);
    }
    client_stop(&a.client);
    server_stop(&s);
}

TEST(launcher_closes_connections_beyond_its_maximum_and_takes_others_when_some_are_gone)
{
    static struct server connections[1024];
    struct server s, more;
    struct rlimit r;
    CHECK(getrlimit(RLIMIT_NOFILE, &r) == 0);
    rlim_t before = r.rlim_cur;
    if (r.rlim_max < 2048)
        SKIP("ulimit -Hn is below 2048");
    r.rlim_cur = 2048;
    CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
    server_ready(&s);
    for (size_t i = 0; i < ARRAY_LEN(connections); i++) {
        connection_open(&s, &connections[i]);
        if (i % 100 == 0)
            run_true(&connections[i]); /* and it has taken those that were under way */
    }
    run_true(&connections[ARRAY_LEN(connections) - 1]);
    connection_open(&s, &more);
    CHECK(is_closed(&more, PATIENCE_MS));
    client_stop(&more.client);
    for (size_t i = 0; i < ARRAY_LEN(connections); i++)
        client_stop(&connections[i].client);
    run_true(&s);
    connection_open(&s, &more);
    run_true(&more);
    client_stop(&more.client);
    server_stop(&s);
    r.rlim_cur = before;
    CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
}

/* --- as the service has them ---------------------------------------------------------------------------- */

struct worker {
    pthread_t thread;
    struct server *owner;
    unsigned completed;
};

static void *work(void *context)
{
    struct worker *w = context;
    struct server s;
    struct sample p;
    struct error err = { 0 };
    s = *w->owner;
    s.next_tag = 1;
    if (client_connection(&w->owner->client, &s.client, &err) < 0)
        return NULL;
    sample_init(&p, "/bin/true", NULL, NULL);
    for (int i = 0; i < 15; i++) {
        struct outcome o = { 0 };
        p.job.may_reuse = i % 2;
        (void)send_sample(&s, &p);
        w->completed += client_read(&s.client, &o, &err) == 0 && o.reason == REASON_COMPLETED;
        strlist_done(&o.missing);
    }
    sample_done(&p);
    client_stop(&s.client);
    return NULL;
}

TEST(threads_share_a_resident_launcher_by_a_connection_each)
{
    struct server s = { .next_tag = 1,
                        .null = open("/dev/null", O_RDWR | O_CLOEXEC),
                        .code = memfd_create("code", MFD_CLOEXEC) };
    struct worker workers[8] = { 0 };
    struct server probe;
    struct error err = { 0 };
    server_ready(&probe); /* or skips */
    server_stop(&probe);
    CHECK(client_start_resident(&s.client, launcher_path(), &err) == 0);
    for (size_t i = 0; i < ARRAY_LEN(workers); i++) {
        workers[i].owner = &s;
        CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(workers); i++) {
        CHECK(pthread_join(workers[i].thread, NULL) == 0);
        CHECK_EQ(workers[i].completed, 15);
    }
    server_stop(&s);
}
