/* What a session's steward says of its jobs, and what their clients are told: src/session/jobs.c. */
#include "test.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include "base/message.h"
#include "session/internal.h"

/* A session whose job 1 was ordered; the other end of its connection is *ret_client. */
static void session_with_a_job(struct session *s, int *ret_client)
{
    int pair[2];
    *s = (struct session){
        .landlock_abi = 7, .waiting.line = -1, .steward = -1, .events_in = -1, .events_out = -1, .job_count = 1
    };
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        s->jobs[i] = (struct session_job){ .sock = -1, .events = -1, .line = -1 };
    (void)pthread_mutex_init(&s->lock, NULL);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    s->jobs[0] = (struct session_job){
        .state = JOB_ORDERED, .sock = pair[0], .events = -1, .line = -1, .number = 1, .tag = 5
    };
    *ret_client = pair[1];
}

/* What the job's client is told when its program could not be executed. The texts are in message. */
static struct outcome told_of(int error, char *message, size_t size)
{
    struct session *s = calloc(1, sizeof *s);
    struct outcome o = { 0 };
    int client = -1;
    CHECK(s != NULL);
    session_with_a_job(s, &client);
    const struct steward_word w = {
        .type = STEWARD_FAILED, .job = 1, .step = STEWARD_STEP_EXEC, .error = (uint64_t)error
    };
    CHECK(session_job_on_word(s, &w));
    const ssize_t n = recv(client, message, size, MSG_DONTWAIT);
    CHECK(n > 16);
    struct unpack u = unpack_start(message, (size_t)n);
    CHECK(unpack_u64(&u) == MESSAGE_OUTCOME && unpack_u64(&u) == 5);
    CHECK(unpack_outcome(&u, &o) == 0);
    (void)close(client);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
    return o;
}

TEST(a_program_that_is_not_there_is_its_callers_error)
{
    static char message[PLAN_MAX_MESSAGE];
    struct outcome o = told_of(ENOENT, message, sizeof message);
    CHECK(o.error_code == ENOENT && o.error_blame == BLAME_GUEST);
    CHECK_STR(o.error_step, "EXEC");
    strlist_done(&o.missing);
}

TEST(an_exec_that_the_dead_launcher_did_not_answer_is_no_error_of_the_callers)
{
    static char message[PLAN_MAX_MESSAGE];
    struct outcome o = told_of(ENOSYS, message, sizeof message);
    CHECK(o.error_blame == BLAME_HOST && o.reason == REASON_SANDBOX_ERROR);
    CHECK(strstr(o.error_text, "launcher died") != NULL);
    strlist_done(&o.missing);
}

/* The launcher's listener closes with it, and what asks then is refused: ENOSYS. */
static enum run_reason ended_with(int code, bool has_launcher)
{
    struct session *s = calloc(1, sizeof *s);
    static char message[PLAN_MAX_MESSAGE];
    struct outcome o = { 0 };
    int client = -1, launcher[2];
    CHECK(s != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, launcher) == 0);
    session_with_a_job(s, &client);
    s->launcher.sock = launcher[0];
    if (!has_launcher)
        (void)close(launcher[1]);
    CHECK(session_job_on_word(
        s, &(struct steward_word){ .type = STEWARD_ENDED, .job = 1, .status = (uint64_t)W_EXITCODE(code, 0) }));
    const ssize_t n = recv(client, message, sizeof message, MSG_DONTWAIT);
    struct unpack u = unpack_start(message, (size_t)MAX_OF(n, 0));
    CHECK(unpack_u64(&u) == MESSAGE_OUTCOME && unpack_u64(&u) == 5 && unpack_outcome(&u, &o) == 0);
    strlist_done(&o.missing);
    if (has_launcher)
        (void)close(launcher[1]);
    (void)close(launcher[0]);
    (void)close(client);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
    return (enum run_reason)o.reason;
}

TEST(an_error_beside_a_dead_launcher_is_not_the_programs)
{
    CHECK_EQ(ended_with(126, true), REASON_ERROR);
    CHECK_EQ(ended_with(126, false), REASON_SANDBOX_ERROR);
    CHECK_EQ(ended_with(0, false), REASON_COMPLETED);
}

/* One that is taken for killed is waited for, and its session ended when it does not end. */
TEST(a_client_that_leaves_while_its_job_ends_leaves_no_job_behind)
{
    struct session *s = calloc(1, sizeof *s);
    int client = -1;
    CHECK(s != NULL);
    session_with_a_job(s, &client);
    (void)close(client); /* both are seen in the same turn: the steward is heard first */
    CHECK(session_job_on_word(s, &(struct steward_word){ .type = STEWARD_ENDED, .job = 1 }));
    session_job_on_message(s, &s->jobs[0]);
    CHECK(s->jobs[0].state == JOB_NONE && s->job_count == 0);
    CHECK_EQ(session_jobs_tick(s), UINT64_MAX);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}
