/* room.c - what a session's sandbox may have beside its jobs' processes: as many as are there.
 *
 * The steward, its reapers, workers and checkpoints are tasks of the sandbox, as the code's own are, and the kernel
 * does not tell them apart. So the launcher adds to the profile's limits what the keeper tells it: before a process of
 * ours is ordered, and a moment after the last one has ended.
 */
#include "session/internal.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/wait.h"

#define LINGER_MS   50u   /* a worker ends by itself, after its request; and short jobs come one after the other */
#define PATIENCE_MS 5000u /* for the launcher */

/* With the lock. */
static uint32_t room_of(const struct session *s)
{
    const uint32_t workers = s->requests_count[SESSION_WORKER_FILES] + s->requests_count[SESSION_WORKER_WATCH];
    uint32_t reapers = 0;
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        reapers += s->jobs[i].state > JOB_WAITS;
    const uint32_t waiting = s->waiting.line >= 0; /* the reaper; below it is what will be the job's own (waiting.c) */
    const uint32_t all = 1 + reapers + waiting + STEWARD_WORKERS(workers) +
                         STEWARD_CHECKPOINTS(s->checkpoints, s->checkpoint_contexts);
    return MIN_OF(all, s->plan.shape.room_max);
}

/* With the lock: of those that a caller waits for, which the launcher has not been asked for. 0: none */
static uint32_t take_mark(struct session *s)
{
    if (s->checkpoints <= s->checkpoints_set || s->mark == s->checkpoints)
        return 0;
    s->mark = s->checkpoints;
    s->room_error = 0;
    return s->mark;
}

void session_room_tell(struct session *s)
{
    if (!s->was_opened)
        return;
    const uint64_t now = session_clock_ms(s);
    (void)pthread_mutex_lock(&s->lock);
    const uint32_t room = room_of(s), mark = take_mark(s);
    (void)pthread_mutex_unlock(&s->lock);
    if (room >= s->room)
        s->lower_ms = 0;
    else if (!s->lower_ms)
        s->lower_ms = now + LINGER_MS;
    const bool is_due = room > s->room || (s->lower_ms && now >= s->lower_ms);
    if (!is_due && !mark)
        return;
    s->room = is_due ? room : s->room;
    s->lower_ms = is_due ? 0 : s->lower_ms;
    const uint64_t words[] = { MESSAGE_ROOM, s->own_tag, s->room, mark };
    (void)send(s->launcher.sock, words, sizeof words, MSG_NOSIGNAL); /* its end is seen by its messages */
}

void session_room_trim(struct session *s)
{
    s->lower_ms = 1; /* long ago */
    session_room_tell(s);
}

/* What was refused is not asked for again before there is another checkpoint, or one less. */
void session_room_is_set(struct session *s, uint64_t mark, uint64_t error)
{
    (void)pthread_mutex_lock(&s->lock);
    if (!error)
        s->checkpoints_set = (uint32_t)MIN_OF(mark, (uint64_t)s->checkpoints);
    if (error && s->mark == mark)
        s->room_error = (int)MIN_OF(error, UINT64_C(4095));
    else if (s->mark == mark)
        s->mark = 0;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
}

void session_add_checkpoint(struct session *s, bool is_first)
{
    (void)pthread_mutex_lock(&s->lock);
    s->checkpoints++;
    s->checkpoint_contexts += is_first;
    s->mark = 0;
    s->room_error = 0;
    (void)pthread_mutex_unlock(&s->lock);
    (void)eventfd_write(s->wake, 1);
}

int session_wait_checkpoint(struct session *s, struct error *err)
{
    const uint64_t until_ms = clock_ms() + PATIENCE_MS;
    (void)pthread_mutex_lock(&s->lock);
    while (s->checkpoints_set < s->checkpoints && !s->room_error && !s->has_ended && clock_ms() < until_ms)
        (void)wait_until(&s->changed, &s->lock, until_ms);
    const bool has_ended = s->has_ended, is_set = s->checkpoints_set >= s->checkpoints;
    const int error = s->room_error;
    (void)pthread_mutex_unlock(&s->lock);
    if (has_ended)
        return err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION", "the session has ended");
    if (is_set)
        return 0;
    return error ? err_set(err, -EIO, BLAME_HOST, "SESSION", "the launcher could not raise the limit of processes: %s",
                           strerror(error))
                 : err_set(err, -ETIMEDOUT, BLAME_HOST, "SESSION", "the launcher does not answer");
}

void session_drop_checkpoint(struct session *s, bool is_last)
{
    (void)pthread_mutex_lock(&s->lock);
    s->checkpoints--;
    s->checkpoint_contexts -= is_last;
    s->checkpoints_set = MIN_OF(s->checkpoints_set, s->checkpoints);
    (void)pthread_mutex_unlock(&s->lock);
    (void)eventfd_write(s->wake, 1);
}
