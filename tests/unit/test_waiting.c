/* What waits for a job: its process, its reaper, and the line to both (src/steward/reaper.c, src/session/waiting.c). No
 * landlock here: what it fences off is tried from inside (tests/integration/service/test_sessions.py). */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/message.h"
#include "session/internal.h"
#include "steward/steward.h"

static char message[PLAN_MAX_MESSAGE];

/* -> our end of its line */
static int prepare(pid_t *ret_reaper)
{
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    *ret_reaper = fork();
    if (*ret_reaper == 0) {
        struct landlock none = { .ruleset = -1 };
        (void)close(pair[0]);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
            _exit(2);
        reaper_wait_main(7, pair[1], message, 0, &none);
    }
    (void)close(pair[1]);
    return pair[0];
}

static void start(int line, const char *program, const char *script)
{
    struct job job = { .id = "job", .program = program, .cwd = "/" };
    int fds[RUN_FD_MAX], travelling[RUN_FD_MAX];
    struct buf b;
    CHECK(strlist_add(&job.argv, "sh") == 0 && strlist_add(&job.argv, "-c") == 0 &&
          strlist_add(&job.argv, script) == 0 && strlist_add(&job.env, "PLACE=here") == 0);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = STDERR_FILENO;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_u64(&b, STEWARD_START);
    pack_u64(&b, 7);
    pack_fields(&b, job_fields, job_field_count, &job);
    const size_t n = run_fds_gather(&job, RUN_FD_INIT_MAX, fds, travelling);
    CHECK(!b.failed && send_message(line, b.data, b.size, travelling, n) == 0);
    buf_done(&b);
    strlist_done(&job.argv);
    strlist_done(&job.env);
}

/* Its last word; the reaper has ended without an error. */
static struct steward_word end_of(int line, pid_t reaper)
{
    struct steward_word w = { 0 };
    int status = -1;
    CHECK_EQ(recv(line, &w, sizeof w, 0), (ssize_t)sizeof w);
    CHECK(waitpid(reaper, &status, 0) == reaper && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)close(line);
    CHECK_EQ(w.job, 7);
    return w;
}

TEST(what_waits_becomes_the_program_that_comes_over_its_line)
{
    pid_t reaper;
    const int line = prepare(&reaper);
    start(line, "/bin/sh", "[ $PLACE = here ] && exit 9");
    const struct steward_word w = end_of(line, reaper);
    CHECK_EQ(w.type, STEWARD_ENDED);
    CHECK_EQ(w.status, 9 << 8);
    CHECK(w.run_us > 0);
}

TEST(a_program_that_is_not_there_is_told_over_the_line)
{
    pid_t reaper;
    const int line = prepare(&reaper);
    start(line, "/nowhere", "");
    const struct steward_word w = end_of(line, reaper);
    CHECK_EQ(w.type, STEWARD_FAILED);
    CHECK_EQ(w.step, STEWARD_STEP_EXEC);
    CHECK_EQ(w.error, ENOENT);
}

TEST(a_signal_over_the_line_reaches_the_program_also_right_behind_its_start)
{
    pid_t reaper;
    const int line = prepare(&reaper);
    const struct steward_order order = { STEWARD_SIGNAL, 7, SIGKILL };
    start(line, "/bin/sh", "sleep 100 & wait");
    CHECK(send(line, &order, sizeof order, MSG_NOSIGNAL) == (ssize_t)sizeof order);
    const struct steward_word w = end_of(line, reaper);
    CHECK_EQ(w.type, STEWARD_ENDED);
    CHECK_EQ(w.status, SIGKILL);
}

TEST(what_waits_and_is_not_needed_ends_without_an_error)
{
    for (int i = 0; i < 20; i++) { /* its process and its line end at once, in any order */
        pid_t reaper;
        int status = -1;
        (void)close(prepare(&reaper));
        CHECK(waitpid(reaper, &status, 0) == reaper);
        CHECK_EQ(status, 0);
    }
}

/* --- the keeper's side --------------------------------------------------------------------------------------- */

/* Of a session that can have something waiting; *ret_steward is the steward's end, *ret_launcher the launcher's. */
static struct session *session_of(int *ret_steward, int *ret_launcher)
{
    int pair[2], other[2];
    struct session *s = session_new();
    CHECK(s != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0 &&
          socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, other) == 0);
    s->steward = pair[0];
    s->launcher.sock = other[0];
    s->landlock_abi = 6;
    s->was_opened = true;
    s->plan.shape.room_max = STEWARD_PROCESSES;
    s->room = 1;
    *ret_steward = pair[1];
    *ret_launcher = other[1];
    return s;
}

static struct session *end_session(struct session *s, int steward, int launcher)
{
    (void)close(s->launcher.sock);
    (void)close(steward);
    (void)close(launcher);
    return session_free(s);
}

static uint64_t room_told(int launcher)
{
    uint64_t words[4] = { 0 };
    CHECK_EQ(recv(launcher, words, sizeof words, MSG_DONTWAIT), (ssize_t)sizeof words);
    CHECK_EQ(words[0], MESSAGE_ROOM);
    return words[2];
}

TEST(what_waits_has_a_place_for_its_reaper_before_it_is_forked_and_no_longer_than_it_waits)
{
    int steward, launcher, line = -1;
    size_t count = 0;
    struct steward_order order = { 0 };
    struct session *s = session_of(&steward, &launcher);
    session_waiting_begin(s);
    CHECK_EQ(room_told(launcher), 2);
    CHECK_EQ(receive_message(steward, &order, sizeof order, &line, 1, &count), (ssize_t)sizeof order);
    CHECK(order.type == STEWARD_PREPARE && count == 1);
    session_waiting_begin(s); /* one at most */
    CHECK(recv(steward, &order, sizeof order, MSG_DONTWAIT) < 0);

    CHECK(session_jobs_tick(s) <= s->waiting.until_ms);
    CHECK(s->waiting.line >= 0);
    s->waiting.until_ms = 0;
    CHECK_EQ(session_jobs_tick(s), UINT64_MAX); /* nothing is left that would wake it */
    CHECK(s->waiting.line < 0);
    CHECK_EQ(recv(line, &order, sizeof order, MSG_DONTWAIT), 0);
    session_room_tell(s);
    CHECK(s->lower_ms > 0);
    s->lower_ms = 1;
    session_room_tell(s);
    CHECK_EQ(room_told(launcher), 1);
    (void)close(line);
    s = end_session(s, steward, launcher);
}

TEST(a_job_gets_what_waits_when_its_reaper_is_known_and_only_a_plain_one)
{
    int steward, launcher;
    struct session *s = session_of(&steward, &launcher);
    struct session_job *j = &s->jobs[0];
    struct job job = { .cwd = "/workspace" };
    CHECK(session_waiting_is_for(&job));
    job.kernel_fd = 10;
    CHECK(!session_waiting_is_for(&job));
    job = (struct job){ .cwd = "/workspace", .file_count = 1 };
    CHECK(!session_waiting_is_for(&job));
    job = (struct job){ .cwd = "/code/job-1" };
    CHECK(!session_waiting_is_for(&job));

    CHECK(!session_waiting_take(s, j));
    session_waiting_begin(s);
    CHECK(!session_waiting_take(s, j));
    CHECK(!session_waiting_is_forked(s, s->waiting.number + 1, 99));
    CHECK(session_waiting_is_forked(s, s->waiting.number, 99));
    const uint64_t number = s->waiting.number;
    CHECK(session_waiting_take(s, j));
    CHECK(j->line >= 0 && j->number == number && j->reaper == 99 && s->waiting.line < 0);
    s = end_session(s, steward, launcher);
}

TEST(nothing_waits_where_a_job_could_end_it)
{
    int steward, launcher;
    struct session *s = session_of(&steward, &launcher);
    s->landlock_abi = LANDLOCK_KEEPS_SIGNALS - 1;
    session_waiting_begin(s);
    CHECK(s->waiting.line < 0);
    s->landlock_abi = LANDLOCK_KEEPS_SIGNALS;
    s->jobs[3].state = JOB_ORDERED; /* nor beside one, whose places it would take */
    session_waiting_begin(s);
    CHECK(s->waiting.line < 0);
    s->jobs[3].state = JOB_NONE;
    session_waiting_begin(s);
    CHECK(s->waiting.line >= 0);
    s = end_session(s, steward, launcher);
}
