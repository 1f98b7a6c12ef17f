#include "session/internal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/landlock.h"
#include "base/message.h"
#include "base/parse.h"

#define KILL_PATIENCE_MS 8000u /* below the patience of a stream (run/stream.h) */
#define PLAN_PATIENCE_MS 20000 /* longer than a scan may take */

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
            s->jobs[i] = (struct session_job){
                .state = JOB_WAITS, .sock = s->incoming[--s->incoming_count], .events = -1, .line = -1
            };
    (void)pthread_mutex_unlock(&s->lock);
}

static void forget(struct session *s, struct session_job *j)
{
    if (j->reaper)
        s->past[s->past_count++ % SESSION_PAST] = (struct session_past){ j->reaper, clock_ms() + SESSION_PAST_MS };
    closep(&j->sock);
    closep(&j->events);
    closep(&j->line);
    *j = (struct session_job){ .sock = -1, .events = -1, .line = -1 };
    (void)pthread_mutex_lock(&s->lock);
    s->job_count--;
    (void)pthread_mutex_unlock(&s->lock);
}

/* --- its outcome ------------------------------------------------------------------------------------------- */

/* What is in force is the sandbox's, and what is not also the fence's between its jobs. The list is the caller's. */
static struct strlist missing_of(const struct session *s)
{
    struct strlist list = { 0 };
    STRLIST_FOREACH(line, &s->opened.missing)
    {
        (void)strlist_add(&list, line); /* no memory: the session itself has told it */
    }
    if (s->landlock_abi < LANDLOCK_KEEPS_SIGNALS)
        (void)strlist_add(&list, s->landlock_abi
                                     ? "jobs: landlock before ABI 6 does not keep their signals from each other"
                                     : "jobs: without landlock they can signal, trace and read each other");
    return list;
}

struct outcome session_outcome(const struct session *s, uint64_t start_us, uint64_t started_us)
{
    struct outcome o = s->opened;
    const uint64_t now_us = clock_us();
    o.reason = REASON_COMPLETED;
    o.prepared = PREPARED_SLOT;
    o.missing = missing_of(s);
    o.step_count = 0;
    o.duration_us = start_us ? now_us - start_us : 0;
    o.started_us = started_us ? started_us - start_us : 0;
    return o;
}

static struct outcome outcome_of(const struct session *s, const struct session_job *j)
{
    return session_outcome(s, j->start_us, 0);
}

void session_tell_lost(struct outcome *o)
{
    struct error err = { 0 };
    (void)err_set(&err, -EPIPE, BLAME_HOST, "SESSION", "session_lost: its sandbox died during the job");
    outcome_set_error(o, &err);
}

/* Takes its list. */
static void send_outcome(struct session *s, struct session_job *j, struct outcome *o)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, j->tag, o);
    if (j->sock >= 0 && !b.failed)
        (void)send(j->sock, b.data, b.size, MSG_NOSIGNAL | MSG_DONTWAIT); /* the one message that it waits for */
    buf_done(&b);
    strlist_done(&o->missing);
    forget(s, j);
}

static void send_error(struct session *s, struct session_job *j, const struct error *err)
{
    struct outcome o = outcome_of(s, j);
    outcome_set_error(&o, err);
    send_outcome(s, j, &o);
}

static void send_lost(struct session *s, struct session_job *j)
{
    struct outcome o = outcome_of(s, j);
    session_tell_lost(&o);
    send_outcome(s, j, &o);
}

static void send_killed(struct session *s, struct session_job *j)
{
    struct outcome o = outcome_of(s, j);
    o.reason = (uint8_t)(j->forced != REASON_COMPLETED ? j->forced : REASON_KILLED);
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
    if (step == STEWARD_STEP_EXEC && code == ENOSYS) /* each exec is told to the launcher: its listener has closed */
        (void)err_set(&err, -EPIPE, BLAME_HOST, "EXEC", "the launcher died before the job's program began");
    else
        (void)err_set(&err, -code, steps[step].blame, steps[step].step, "%s: %s", steps[step].what, strerror(code));
    send_error(s, j, &err);
}

static void end_with(struct session *s, struct session_job *j, const struct steward_word *w)
{
    struct outcome o = outcome_of(s, j);
    o.started_us = o.duration_us - MIN_OF(w->run_us, o.duration_us);
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
    if ((o.reason == REASON_ERROR || o.reason == REASON_SIGNAL) && session_is_lost(s))
        session_tell_lost(&o);
    send_outcome(s, j, &o);
}

bool session_job_on_word(struct session *s, const struct steward_word *w)
{
    struct session_job *j = find(s, w->job);
    if (w->type != STEWARD_FAILED && w->type != STEWARD_ENDED)
        return false;
    if (!j && s->waiting.line >= 0 && w->job == s->waiting.number) /* it could not be forked */
        session_waiting_end(s);
    if (!j) /* of none, or of one that has been answered */
        return true;
    session_events_pass(s); /* what came before its end is told before it */
    const bool is_command = j->is_command;
    if (w->type == STEWARD_ENDED)
        end_with(s, j, w);
    else if (j->forced != REASON_COMPLETED)
        send_killed(s, j); /* before it had begun */
    else
        end_failed(s, j, w);
    if (is_command) /* the next one is likely soon; its client has been told */
        session_waiting_begin(s);
    return true;
}

bool session_job_on_line(struct session *s, struct session_job *j)
{
    struct steward_word w;
    ssize_t n = recv(j->line, &w, sizeof w, MSG_DONTWAIT);
    if (n < 0 && errno == ECONNRESET) /* it ended with a signal of ours unread: told before its word, and once */
        n = recv(j->line, &w, sizeof w, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    const bool is_word = n == (ssize_t)sizeof w && w.job == j->number;
    if (!is_word) /* its reaper was killed: so the steward ends, and all of it */
        closep(&j->line);
    return is_word ? session_job_on_word(s, &w) : n <= 0;
}

/* As we see it; 0: it is none, or of a process elsewhere. */
static uint32_t pid_of(int pidfd)
{
    char path[40], text[512];
    (void)snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    uint64_t pid = 0;
    if (n <= 0)
        return 0;
    text[n] = '\0';
    char *at = strstr(text, "\nPid:\t");
    if (!at)
        return 0;
    at += strlen("\nPid:\t");
    at[strcspn(at, "\n")] = '\0';
    return parse_u64(at, &pid) == 0 && pid > 1 && pid <= INT32_MAX ? (uint32_t)pid : 0;
}

void session_job_forked(struct session *s, uint64_t number, int pidfd)
{
    struct session_job *j = find(s, number);
    const uint32_t pid = pid_of(pidfd);
    if (!pid)
        return;
    if (!s->steward_pid)
        s->steward_pid = session_parent_of(pid);
    if (session_waiting_is_forked(s, number, pid) || !j || j->reaper)
        return;
    const struct steward_order go = { STEWARD_GO, number, 0 };
    j->reaper = pid;
    (void)send(s->steward, &go, sizeof go, MSG_NOSIGNAL | MSG_DONTWAIT); /* full: its deadline ends it */
}

/* --- orders -------------------------------------------------------------------------------------------------- */

static void signal_job(struct session *s, const struct session_job *j, int sig)
{
    const struct steward_order order = { STEWARD_SIGNAL, j->number, (uint64_t)sig };
    if (j->line >= 0) {
        (void)send(j->line, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT); /* full: tick() ends it all */
        return;
    }
    /* a steward that does not read its socket has 200 KiB of orders waiting: the session is of no use any more */
    if (send(s->steward, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EAGAIN)
        closep(&s->steward);
}

static void kill_job(struct session *s, struct session_job *j, enum run_reason why)
{
    if (j->forced == REASON_COMPLETED)
        j->forced = why;
    j->state = JOB_KILLED;
    j->next_ms = session_clock_ms(s) + KILL_PATIENCE_MS;
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
    int e = b.failed ? -E2BIG : send_message(j->line >= 0 ? j->line : s->steward, b.data, b.size, travelling, n);
    buf_done(&b);
    return e;
}

/* To what waits for one, or to the steward. */
static int start(struct session *s, struct session_job *j, const struct job *job, const int *fds)
{
    j->is_command = session_waiting_is_for(job);
    if (j->is_command && session_waiting_take(s, j)) {
        session_room_trim(s);
        if (send_start(s, j, job, fds) == 0)
            return 0;
        closep(&j->line); /* it has gone meanwhile */
        j->reaper = 0;
    }
    session_waiting_end(s); /* it would take a place of this job's */
    j->number = ++s->last_number;
    session_room_trim(s); /* for its reaper */
    return send_start(s, j, job, fds);
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
    j->state = JOB_ORDERED;
    j->start_us = clock_us();
    j->grace_ms = job.grace_ms;
    j->events = e == 0 ? TAKE_FD(fds[RUN_FD_EVENTS]) : -1;
    j->next_ms = session_clock_ms(s) + job.timeout_ms;
    if (e == 0)
        e = start(s, j, &job, fds);
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
    if (j->state == JOB_NONE) /* its end was heard in this turn: there is no job to be ended */
        return;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    ssize_t n = receive_message(j->sock, s->message, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    memcpy(words, s->message, MIN_OF((size_t)MAX_OF(n, 0), sizeof words));
    if (n >= (ssize_t)(2 * sizeof *words) && words[0] == MESSAGE_RUN && j->state == JOB_WAITS) {
        order(s, j, (size_t)n, fds, count);
    } else if (n == (ssize_t)sizeof words && words[0] == MESSAGE_KILL && j->state != JOB_WAITS) {
        kill_job(s, j, words[2] < REASON_COUNT ? (enum run_reason)words[2] : REASON_KILLED);
    } else if (n == (ssize_t)sizeof words && words[0] == SESSION_SIGNAL && j->state != JOB_WAITS) {
        signal_job(s, j, (int)words[2]);
    } else if (n == (ssize_t)sizeof words && words[0] == SESSION_FLUSH && j->state != JOB_WAITS) {
        session_events_pass(s);
        (void)send(j->sock, words, sizeof words, MSG_NOSIGNAL | MSG_DONTWAIT); /* it waits for this one message */
    } else {                                                                   /* it has gone */
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
    if (j->state == JOB_KILLED) { /* reaper or steward is kept from its work: the launcher ends the sandbox */
        const uint64_t order[] = { MESSAGE_KILL, s->own_tag, REASON_KILLED };
        j->next_ms = 0;
        (void)send_message(s->launcher.sock, order, sizeof order, NULL, 0);
        return;
    }
    if (j->state == JOB_WARNED) {
        kill_job(s, j, REASON_TIMEOUT);
        return;
    }
    j->forced = REASON_TIMEOUT;
    j->state = JOB_WARNED;
    j->next_ms = session_clock_ms(s) + j->grace_ms;
    signal_job(s, j, SIGTERM);
}

uint64_t session_jobs_tick(struct session *s)
{
    uint64_t next = s->lower_ms ? s->lower_ms : UINT64_MAX;
    if (s->waiting.line >= 0 && session_clock_ms(s) >= s->waiting.until_ms)
        session_waiting_end(s);
    if (s->waiting.line >= 0)
        next = MIN_OF(next, s->waiting.until_ms);
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++) {
        struct session_job *j = &s->jobs[i];
        if (j->next_ms && session_clock_ms(s) >= j->next_ms)
            tick(s, j);
        if (j->next_ms)
            next = MIN_OF(next, j->next_ms);
    }
    return next;
}

/* It is judged, and will send its plan: with the descriptors in it, whose other ends it reads to their end. */
static void take_plan(struct session_job *j)
{
    struct pollfd f = { .fd = j->sock, .events = POLLIN };
    char type;
    int fds[RUN_FD_MAX];
    size_t count = 0;
    if (poll(&f, 1, PLAN_PATIENCE_MS) > 0)
        (void)receive_message(j->sock, &type, sizeof type, fds, RUN_FD_MAX, &count);
    for (size_t i = 0; i < count; i++)
        closep(&fds[i]);
}

void session_jobs_end(struct session *s, bool is_lost)
{
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++) {
        struct session_job *j = &s->jobs[i];
        if (j->state == JOB_NONE)
            continue;
        if (j->state == JOB_WAITS)
            take_plan(j);
        if (is_lost)
            send_lost(s, j);
        else
            send_killed(s, j);
    }
}
