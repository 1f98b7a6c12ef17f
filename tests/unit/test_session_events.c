/* Whose an event of a session is: src/session/events.c. */
#include "test.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "session/internal.h"
#include "watch/event.h"

#define STEWARD 4194000u /* above all that there are */
#define REAPER  4194001u
#define NOBODY  4194002u

enum whose { NOBODYS, JOBS, SESSIONS };

struct heard {
    struct session *s;
    int launcher, session, job;
};

/* A session with one job, and the other ends of its sockets. */
static struct heard session_with_a_job(uint32_t reaper)
{
    struct heard h = { .s = calloc(1, sizeof *h.s) };
    int in[2], out[2], job[2];
    CHECK(h.s != NULL);
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, in) == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, out) == 0 &&
          socketpair(AF_UNIX, SOCK_SEQPACKET, 0, job) == 0);
    (void)pthread_mutex_init(&h.s->lock, NULL);
    (void)pthread_mutex_init(&h.s->passing, NULL);
    h.s->events_in = in[0], h.launcher = in[1];
    h.s->events_out = out[0], h.session = out[1];
    h.s->waiting.line = -1;
    h.s->jobs[0] = (struct session_job){
        .state = JOB_ORDERED, .sock = -1, .line = -1, .events = job[0], .reaper = reaper, .start_us = 1000
    };
    h.job = job[1];
    return h;
}

static void is_over(struct heard *h)
{
    const int fds[] = { h->s->events_in, h->s->events_out, h->s->jobs[0].events, h->launcher, h->session, h->job };
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        (void)close(fds[i]);
    (void)pthread_mutex_destroy(&h->s->lock);
    (void)pthread_mutex_destroy(&h->s->passing);
    free(h->s);
}

static enum whose whose(struct heard *h, struct watch_event e)
{
    char message[WATCH_MESSAGE_MAX];
    struct buf b;
    e.at_us = e.at_us ? e.at_us : 5000;
    buf_init(&b, WATCH_MESSAGE_MAX);
    watch_event_pack(&b, &e);
    CHECK(send(h->launcher, b.data, b.size, 0) == (ssize_t)b.size);
    buf_done(&b);
    session_events_pass(h->s);
    if (recv(h->job, message, sizeof message, MSG_DONTWAIT) > 0)
        return JOBS;
    return recv(h->session, message, sizeof message, MSG_DONTWAIT) > 0 ? SESSIONS : NOBODYS;
}

static struct watch_event to_all(uint32_t pid, uint32_t parent)
{
    return (struct watch_event){ .kind = WATCH_CALL, .pid = pid, .parent = parent, .nr = 62 };
}

TEST(what_the_steward_does_for_those_outside_is_told_of_nobody)
{
    struct heard h = session_with_a_job(REAPER);
    const struct watch_event exec = { .kind = WATCH_EXEC, .pid = STEWARD, .text = "/code/steward" };
    const struct watch_event sock = { .kind = WATCH_SOCKET, .pid = STEWARD, .args = { AF_INET, SOCK_STREAM } };
    const struct watch_event other = { .kind = WATCH_SOCKET, .pid = STEWARD, .args = { AF_PACKET, SOCK_RAW } };
    const struct watch_event port = { .kind = WATCH_CONNECT, .flags = WATCH_INSIDE, .pid = STEWARD };
    CHECK_EQ(whose(&h, exec), NOBODYS); /* the first that is executed */
    CHECK_EQ(whose(&h, sock), NOBODYS);
    CHECK_EQ(whose(&h, port), NOBODYS);
    CHECK(whose(&h, other) != NOBODYS); /* it does nothing of the kind */
    CHECK(whose(&h, to_all(STEWARD, 0)) != NOBODYS);
    CHECK_EQ(whose(&h, (struct watch_event){ .kind = WATCH_EXEC, .pid = NOBODY, .text = "/bin/true" }), JOBS);
    is_over(&h);
}

TEST(what_a_reaper_does_is_told_of_nobody_whether_it_has_a_job_or_waits_for_one)
{
    struct heard h = session_with_a_job(REAPER);
    h.s->steward_pid = STEWARD;
    CHECK_EQ(whose(&h, to_all(REAPER, STEWARD)), NOBODYS);
    CHECK_EQ(whose(&h, to_all(NOBODY, STEWARD)), JOBS);
    h.s->waiting.line = h.launcher;
    h.s->waiting.reaper = NOBODY;
    CHECK_EQ(whose(&h, to_all(NOBODY, STEWARD)), NOBODYS);
    h.s->waiting.line = -1;
    h.s->past[3] = (struct session_past){ NOBODY, clock_ms() + SESSION_PAST_MS };
    CHECK_EQ(whose(&h, to_all(NOBODY, STEWARD)), NOBODYS);
    is_over(&h);
}

/* Which has gone when its event is read. */
TEST(what_a_worker_did_is_not_the_only_jobs)
{
    struct heard h = session_with_a_job(REAPER);
    h.s->steward_pid = STEWARD;
    CHECK_EQ(whose(&h, to_all(NOBODY, (uint32_t)getpid())), SESSIONS); /* its parent leads to no reaper */
    CHECK_EQ(whose(&h, to_all(NOBODY, 0)), JOBS);
    h.s->jobs[0].reaper = (uint32_t)getppid();
    CHECK_EQ(whose(&h, to_all(NOBODY, (uint32_t)getpid())), JOBS);
    is_over(&h);
}

TEST(what_was_done_before_a_job_began_is_not_its_own)
{
    struct heard h = session_with_a_job(REAPER);
    struct watch_event e = to_all(NOBODY, 0);
    e.at_us = 999;
    CHECK_EQ(whose(&h, e), SESSIONS);
    e.at_us = 1000;
    CHECK_EQ(whose(&h, e), JOBS);
    is_over(&h);
}
