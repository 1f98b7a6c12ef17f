#include "session/internal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/parse.h"
#include "watch/event.h"

#define EVENTS_MAX 256 /* at a time */
#define DEPTH_MAX  256 /* of a process below its job's reaper */

uint32_t session_parent_of(uint32_t pid)
{
    char path[32], text[256];
    (void)snprintf(path, sizeof path, "/proc/%u/stat", pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    uint64_t parent = 0;
    if (n <= 0)
        return 0;
    text[n] = '\0';
    char *at = strrchr(text, ')'); /* behind the name, which may hold anything: «) S PPID » */
    if (!at || strlen(at) < 5)
        return 0;
    at[4 + strspn(at + 4, "0123456789")] = '\0';
    return parse_u64(at + 4, &parent) == 0 ? (uint32_t)parent : 0;
}

static struct session_job *job_of_reaper(struct session *s, uint32_t pid)
{
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        if (s->jobs[i].state > JOB_WAITS && s->jobs[i].reaper && s->jobs[i].reaper == pid)
            return &s->jobs[i];
    return NULL;
}

/* Its own work, such as kill(-1), for which a job's program would be blamed. */
static bool is_reaper(struct session *s, uint32_t pid)
{
    const uint64_t now_ms = clock_ms();
    for (size_t i = 0; i < SESSION_PAST; i++)
        if (s->past[i].pid == pid && now_ms < s->past[i].until_ms)
            return true;
    return (s->waiting.line >= 0 && s->waiting.reaper == pid) || job_of_reaper(s, pid);
}

/* What the steward does for those outside, and its own exec: nothing of the code did it, and no agent has asked for
 * it. The first program that a session executes is the steward. Everything else that it may do is told. */
static bool is_stewards(struct session *s, const struct watch_event *e)
{
    if (!s->steward_pid && e->kind == WATCH_EXEC)
        s->steward_pid = e->pid;
    if (e->pid != s->steward_pid)
        return false;
    switch ((enum watch_kind)e->kind) {
    case WATCH_EXEC:
        return true;
    case WATCH_CONNECT: /* to a port */
        return e->flags & WATCH_INSIDE;
    case WATCH_SOCKET: /* for that */
        return e->args[0] == AF_INET || e->args[0] == AF_INET6;
    default:
        return false;
    }
}

/* Where there is one only, what was done was done by it, but for what was done before it began. */
static struct session_job *only_job(struct session *s, const struct watch_event *e)
{
    struct session_job *only = NULL;
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++) {
        if (s->jobs[i].state <= JOB_WAITS)
            continue;
        if (only)
            return NULL;
        only = &s->jobs[i];
    }
    return only && s->started_us + e->at_us >= only->start_us ? only : NULL;
}

/* From a process upwards: what a job starts stays below its reaper, whatever ends in between (PR_SET_CHILD_SUBREAPER).
 * False: a process on the way has gone. *ret NULL: it is the session's own. */
static bool climb(struct session *s, uint32_t pid, struct session_job **ret)
{
    *ret = NULL;
    for (int depth = 0; depth < DEPTH_MAX && pid > 1; depth++) {
        *ret = job_of_reaper(s, pid);
        if (*ret)
            return true;
        pid = session_parent_of(pid);
    }
    return pid;
}

/* Of one that has gone, the launcher may have seen the parent. A worker's is init; the steward may be told for a
 * reaper, which has not asked for anything (notify/caller.c), so that it leads nowhere. */
static struct session_job *job_of(struct session *s, const struct watch_event *e)
{
    struct session_job *j;
    const bool is_known = climb(s, e->pid, &j) || (e->parent && e->parent != s->steward_pid && climb(s, e->parent, &j));
    return is_known ? j : only_job(s, e);
}

/* Its time counts from the job's beginning. False: it was not taken. */
static bool pass_to(const struct session *s, const struct session_job *j, const struct watch_event *e)
{
    struct watch_event moved = *e;
    struct buf b;
    const uint64_t before_us = j->start_us > s->started_us ? j->start_us - s->started_us : 0;
    moved.at_us = e->at_us > before_us ? e->at_us - before_us : 0;
    buf_init(&b, WATCH_MESSAGE_MAX);
    watch_event_pack(&b, &moved);
    const bool was_taken = !b.failed && send(j->events, b.data, b.size, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
    buf_done(&b);
    return was_taken;
}

/* Of the whole sandbox; detectors put it beside what a job did (crypto_mining). */
static void pass_sample(struct session *s, const struct watch_event *e)
{
    (void)pthread_mutex_lock(&s->lock);
    s->memory_bytes = e->memory_bytes;
    s->seen++;
    (void)pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        if (s->jobs[i].state > JOB_WAITS && s->jobs[i].events >= 0)
            (void)pass_to(s, &s->jobs[i], e);
}

static void pass(struct session *s, const char *data, size_t size)
{
    struct watch_event e;
    const bool is_good = watch_event_unpack(data, size, &e) == 0;
    if (is_good && e.kind == WATCH_SAMPLE)
        pass_sample(s, &e);
    if (is_good && e.pid) {
        if (is_reaper(s, e.pid) || is_stewards(s, &e))
            return;
        const struct session_job *j = e.parent ? job_of_reaper(s, e.parent) : NULL; /* mostly: /proc need not tell */
        j = j ? j : job_of(s, &e);
        if (j && j->events >= 0 && pass_to(s, j, &e))
            return;
    }
    (void)send(s->events_out, data, size, MSG_NOSIGNAL); /* waits for the exec, which reads at every turn */
}

static void pass_all(struct session *s)
{
    char message[WATCH_MESSAGE_MAX];
    for (int i = 0; i < EVENTS_MAX && s->events_in >= 0; i++) {
        ssize_t n = recv(s->events_in, message, sizeof message, MSG_DONTWAIT);
        if (n > 0) {
            pass(s, message, (size_t)n);
            continue;
        }
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        closep(&s->events_in);
        closep(&s->events_out); /* the end of what the exec reads */
    }
}

void session_events_pass(struct session *s)
{
    (void)pthread_mutex_lock(&s->passing);
    pass_all(s);
    (void)pthread_mutex_unlock(&s->passing);
}

void session_events_close(struct session *s)
{
    (void)pthread_mutex_lock(&s->passing);
    closep(&s->events_in);
    closep(&s->events_out);
    (void)pthread_mutex_unlock(&s->passing);
}

bool session_events_are_passed(struct session *s)
{
    (void)pthread_mutex_lock(&s->passing);
    struct pollfd f = { .fd = s->events_in, .events = POLLIN };
    const bool are_passed = s->events_in >= 0 && poll(&f, 1, 0) == 0;
    (void)pthread_mutex_unlock(&s->passing);
    return are_passed;
}
