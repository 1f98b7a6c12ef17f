#include "session/internal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/message.h"

/* --- coming and going ------------------------------------------------------------------------------------- */

static struct session_job *find(struct session *s, uint64_t number)
{
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        if (s->jobs[i].state > JOB_WAITS && s->jobs[i].number == number)
            return &s->jobs[i];
    return NULL;
}

void session_jobs_take(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < STEWARD_JOBS_MAX && s->incoming_count; i++)
        if (s->jobs[i].state == JOB_NONE)
            s->jobs[i] = (struct session_job){ .state = JOB_WAITS, .sock = s->incoming[--s->incoming_count] };
    (void)pthread_mutex_unlock(&s->lock);
}

static void forget(struct session *s, struct session_job *j)
{
    closep(&j->sock);
    *j = (struct session_job){ .sock = -1 };
    (void)pthread_mutex_lock(&s->lock);
    s->job_count--;
    (void)pthread_mutex_unlock(&s->lock);
}

/* --- its outcome ------------------------------------------------------------------------------------------- */

/* What is in force is the sandbox's. */
static struct outcome outcome_of(const struct session *s, const struct session_job *j)
{
    struct outcome o = s->opened;
    const uint64_t now_us = clock_us();
    o.reason = REASON_COMPLETED;
    o.prepared = PREPARED_SLOT;
    o.step_count = 0;
    o.duration_us = j->start_us ? now_us - j->start_us : 0;
    o.started_us = j->started_us ? j->started_us - j->start_us : 0;
    return o;
}

static void send_outcome(struct session *s, struct session_job *j, const struct outcome *o)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, j->tag, o);
    if (j->sock >= 0 && !b.failed)
        (void)send(j->sock, b.data, b.size, MSG_NOSIGNAL | MSG_DONTWAIT); /* the one message that it waits for */
    buf_done(&b);
    forget(s, j);
}

static void send_error(struct session *s, struct session_job *j, const struct error *err)
{
    struct outcome o = outcome_of(s, j);
    outcome_set_error(&o, err);
    send_outcome(s, j, &o);
}

static void end_failed(struct session *s, struct session_job *j, const struct steward_word *w)
{
    static const struct {
        const char *step, *what;
        enum blame blame;
    } steps[STEWARD_STEPS] = { [STEWARD_STEP_FILES] = { "FILES", "lay the job's code into the sandbox", BLAME_HOST },
                               [STEWARD_STEP_FENCE] = { "LANDLOCK", "fence the job from others", BLAME_HOST },
                               [STEWARD_STEP_CWD] = { "EXEC", "change to its working directory", BLAME_CALLER },
                               [STEWARD_STEP_EXEC] = { "EXEC", "execute its program", BLAME_GUEST } };
    struct error err = { 0 };
    const size_t step = MIN_OF(w->step, (uint64_t)STEWARD_STEP_EXEC);
    const int code = w->error && w->error < 4096 ? (int)w->error : EIO;
    (void)err_set(&err, -code, steps[step].blame, steps[step].step, "%s: %s", steps[step].what, strerror(code));
    send_error(s, j, &err);
}

static void end_with(struct session *s, struct session_job *j, const struct steward_word *w)
{
    struct outcome o = outcome_of(s, j);
    const int status = (int)(uint32_t)w->status;
    o.has_exit = WIFEXITED(status);
    o.has_signal = WIFSIGNALED(status);
    o.exit_code = o.has_exit ? (uint32_t)WEXITSTATUS(status) : 0;
    o.signal = o.has_signal ? (uint32_t)WTERMSIG(status) : 0;
    o.reason = (uint8_t)(j->forced != REASON_COMPLETED ? j->forced
                         : o.has_signal                ? REASON_SIGNAL
                         : o.exit_code                 ? REASON_ERROR
                                                       : REASON_COMPLETED);
    /* no more than it can have been: what runs inside has no say in what its agent has used */
    o.cpu_us = MIN_OF(w->cpu_us, o.duration_us * MAX_OF(o.pids, 1u));
    o.peak_memory_bytes = w->max_rss_bytes;
    send_outcome(s, j, &o);
}

bool session_job_on_word(struct session *s, const struct steward_word *w)
{
    struct session_job *j = find(s, w->job);
    if (w->type != STEWARD_STARTED && w->type != STEWARD_FAILED && w->type != STEWARD_ENDED)
        return false;
    if (!j) /* of none, or of one that has been answered */
        return true;
    if (w->type == STEWARD_FAILED) {
        end_failed(s, j, w);
    } else if (w->type == STEWARD_ENDED) {
        end_with(s, j, w);
    } else if (j->state == JOB_ORDERED) {
        j->state = JOB_RUNS;
        j->started_us = clock_us();
    }
    return true;
}

/* --- orders -------------------------------------------------------------------------------------------------- */

static void signal_job(struct session *s, const struct session_job *j, int sig)
{
    const struct steward_order order = { STEWARD_SIGNAL, j->number, (uint64_t)sig };
    /* a steward that does not read its socket has 200 KiB of orders waiting: the session is of no use any more */
    if (send(s->steward, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EAGAIN)
        closep(&s->steward);
}

static void kill_job(struct session *s, struct session_job *j, enum run_reason why)
{
    if (j->forced == REASON_COMPLETED)
        j->forced = why;
    j->state = JOB_KILLED;
    j->next_ms = 0;
    signal_job(s, j, SIGKILL);
}

static int send_start(struct session *s, struct session_job *j, const struct job *job, const int *fds)
{
    struct buf b;
    int travelling[RUN_FD_MAX];
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_u64(&b, STEWARD_START);
    pack_u64(&b, j->number);
    pack_fields(&b, job_fields, job_field_count, job);
    const size_t n = run_fds_gather(job, RUN_FD_INIT_MAX, fds, travelling);
    int e = b.failed ? -E2BIG : send_message(s->steward, b.data, b.size, travelling, n);
    buf_done(&b);
    return e;
}

/* Its plan: the shape is the sandbox's, which stands; the job goes to the steward. */
static void order(struct session *s, struct session_job *j, size_t size, int fds[static RUN_FD_MAX], size_t count)
{
    struct shape shape = { 0 };
    struct job job = { 0 };
    struct bytes ignored[2];
    struct error err = { 0 };
    struct unpack u = unpack_start(s->message, size);
    (void)unpack_u64(&u);
    j->tag = unpack_u64(&u);
    int e = unpack_run(&u, &shape, &job, &ignored[0], &ignored[1]) < 0 || !run_fds_place(&job, RUN_FD_MAX, fds, count)
                ? -EBADMSG
                : 0;
    j->number = ++s->last_number;
    j->state = JOB_ORDERED;
    j->start_us = clock_us();
    j->grace_ms = job.grace_ms;
    j->next_ms = clock_ms() + job.timeout_ms;
    if (e == 0)
        e = send_start(s, j, &job, fds);
    if (e == 0 || e == -EPIPE || e == -EBADF) /* the steward has gone: the end of the sandbox is under way, and tells */
        return;
    (void)err_set(&err, e, BLAME_HOST, "SESSION", "hand the job to the session's steward: %s", strerror(-e));
    send_error(s, j, &err);
}

void session_job_on_message(struct session *s, struct session_job *j)
{
    int fds[RUN_FD_MAX];
    size_t count = 0;
    uint64_t words[3] = { 0 };
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    ssize_t n = receive_message(j->sock, s->message, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    memcpy(words, s->message, MIN_OF((size_t)MAX_OF(n, 0), sizeof words));
    if (n >= (ssize_t)(2 * sizeof *words) && words[0] == MESSAGE_RUN && j->state == JOB_WAITS) {
        order(s, j, (size_t)n, fds, count);
    } else if (n == (ssize_t)sizeof words && words[0] == MESSAGE_KILL && j->state != JOB_WAITS) {
        kill_job(s, j, words[2] < REASON_COUNT ? (enum run_reason)words[2] : REASON_KILLED);
    } else { /* it has gone */
        closep(&j->sock);
        if (j->state == JOB_WAITS)
            forget(s, j);
        else
            kill_job(s, j, REASON_KILLED);
    }
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

/* --- time ------------------------------------------------------------------------------------------------------ */

static void tick(struct session *s, struct session_job *j)
{
    if (j->state == JOB_WARNED) {
        kill_job(s, j, REASON_TIMEOUT);
        return;
    }
    j->forced = REASON_TIMEOUT;
    j->state = JOB_WARNED;
    j->next_ms = clock_ms() + j->grace_ms;
    signal_job(s, j, SIGTERM);
}

uint64_t session_jobs_tick(struct session *s)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++) {
        struct session_job *j = &s->jobs[i];
        if (j->next_ms && clock_ms() >= j->next_ms)
            tick(s, j);
        if (j->next_ms)
            next = MIN_OF(next, j->next_ms);
    }
    return next;
}

void session_jobs_end(struct session *s, bool is_lost)
{
    struct error err = { 0 };
    (void)err_set(&err, -EPIPE, BLAME_HOST, "SESSION", "session_lost: its sandbox died during the job");
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++) {
        struct session_job *j = &s->jobs[i];
        struct outcome o = outcome_of(s, j);
        o.reason = (uint8_t)(j->forced != REASON_COMPLETED ? j->forced : REASON_KILLED);
        if (j->state == JOB_NONE)
            continue;
        if (j->state == JOB_WAITS) { /* its plan is on the way to us: the socket stays open, so that it finds this */
            s->incoming[s->incoming_count++] = fcntl(j->sock, F_DUPFD_CLOEXEC, 3);
            o.reason = REASON_KILLED;
        }
        if (is_lost)
            send_error(s, j, &err);
        else
            send_outcome(s, j, &o);
    }
}
