/* waiting.c - what is ready for the next job: a reaper, and below it a process in the fence of a job.
 *
 * To fork and fence the two takes half of the time in which a short command runs, so it is done behind the end of the
 * last one (steward/steward.h says how they wait). One a session, and only where commands come one after the other: it
 * goes when none has come for WAITING_MS, so that a session that does nothing costs nothing. Nothing waits beside a
 * job: the process below the reaper has a place of the code's own, which nobody else wants then, and which the job's
 * first process has when it begins. So no job has a place more for the moment in which the launcher is told, nor one
 * less. Everything that one job has and another has not comes with the job. What all jobs of a session have, its fence,
 * does not change in its life.
 *
 * Where landlock does not keep signals in, a job could end it, and there is none.
 */
#include "session/internal.h"

#include <fcntl.h>
#include <sys/socket.h>

#include "base/landlock.h"
#include "base/message.h"

#define WAITING_MS 10000u
#define CODE       "/code" /* below it lie the files of jobs */

static bool is_wanted(const struct session *s)
{
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        if (s->jobs[i].state != JOB_NONE)
            return false;
    return s->waiting.line < 0 && s->steward >= 0 && s->landlock_abi >= LANDLOCK_KEEPS_SIGNALS &&
           s->plan.shape.room_max >= STEWARD_PROCESSES;
}

void session_waiting_begin(struct session *s)
{
    const struct steward_order order = { STEWARD_PREPARE, ++s->last_number, 0 };
    int pair[2];
    if (!is_wanted(s) || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return;
    s->waiting = (struct session_waiting){ .line = pair[0],
                                           .number = order.job,
                                           .until_ms = session_clock_ms(s) + WAITING_MS };
    session_room_tell(s);
    if (fcntl(pair[0], F_SETFL, O_NONBLOCK) < 0 || send_message(s->steward, &order, sizeof order, &pair[1], 1) < 0)
        session_waiting_end(s);
    (void)close(pair[1]);
}

bool session_waiting_is_forked(struct session *s, uint64_t number, uint32_t reaper)
{
    if (s->waiting.line < 0 || s->waiting.number != number)
        return false;
    s->waiting.reaper = s->waiting.reaper ? s->waiting.reaper : reaper;
    return true;
}

/* Files are the steward's to write, and what a kernel has its reaper has to know. */
bool session_waiting_is_for(const struct job *job)
{
    return !job->file_count && !job->kernel_fd && !job->reaper_fd && !str_starts(job->cwd, CODE);
}

bool session_waiting_take(struct session *s, struct session_job *j)
{
    if (s->waiting.line < 0 || !s->waiting.reaper)
        return false;
    j->line = TAKE_FD(s->waiting.line);
    j->number = s->waiting.number;
    j->reaper = s->waiting.reaper;
    return true;
}

void session_waiting_end(struct session *s)
{
    closep(&s->waiting.line);
}
