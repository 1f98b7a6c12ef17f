#include "session/internal.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/message.h"

static void close_all(int fds[static RUN_FD_MAX])
{
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

/* --- from the session's exec to the launcher ------------------------------------------------------------- */

/* Ours first: the launcher's side gets another socket, and what comes over it is passed on. */
static int put_between(int *fd, int *ret_in, int *ret_out)
{
    int pair[2];
    if (*fd < 0)
        return 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    *ret_in = pair[0];
    *ret_out = *fd;
    *fd = pair[1];
    return 0;
}

/* What its isolation is told with. */
static void note_shape(struct session *s, const struct shape *shape)
{
    s->plan.shape = (struct shape){ .is_brokered = shape->is_brokered,
                                    .loopback = shape->loopback,
                                    .deny_tcp = shape->deny_tcp,
                                    .keep_caps = shape->keep_caps,
                                    .uid = shape->uid,
                                    .gid = shape->gid,
                                    .max_processes = shape->max_processes,
                                    .room_max = shape->room_max,
                                    .nofile_soft = shape->nofile_soft,
                                    .fsize_bytes = shape->fsize_bytes };
    (void)snprintf(s->apparmor, sizeof s->apparmor, "%s", shape->apparmor ? shape->apparmor : "");
    (void)snprintf(s->selinux, sizeof s->selinux, "%s", shape->selinux ? shape->selinux : "");
    s->plan.shape.apparmor = shape->apparmor ? s->apparmor : NULL;
    s->plan.shape.selinux = shape->selinux ? s->selinux : NULL;
    for (uint32_t i = 0; i < shape->mount_count; i++)
        s->wants_disk |= shape->mounts[i].kind == MOUNT_TMPFS && shape->mounts[i].flags & MOUNT_ON_DISK;
    s->room = shape->room_max ? 1 : 0; /* as the launcher begins (launch/run.c) */
    if (shape->loopback && !session_port_is_sure())
        (void)strlist_add(&s->plan.notes, "ports: before Linux 5.14 it cannot be checked that a connection to a port "
                                          "is one of the session's own network");
}

static int pass_plan_on(struct session *s, size_t size, int fds[static RUN_FD_MAX], size_t count)
{
    struct shape shape = { 0 };
    struct job job = { 0 };
    struct bytes ignored[2];
    struct unpack u = unpack_start(s->message + 2 * sizeof(uint64_t), size - 2 * sizeof(uint64_t));
    if (unpack_run(&u, &shape, &job, &ignored[0], &ignored[1]) < 0 || !run_fds_place(&job, RUN_FD_MAX, fds, count))
        return -EBADMSG;
    note_shape(s, &shape);
    s->plan.job.timeout_ms = job.timeout_ms;
    memcpy(&s->own_tag, s->message + sizeof(uint64_t), sizeof s->own_tag);
    int e = put_between(&fds[RUN_FD_EVENTS], &s->events_in, &s->events_out);
    if (e < 0)
        return e;
    s->started_us = clock_us();
    int travelling[RUN_FD_MAX];
    const size_t n = run_fds_gather(&job, RUN_FD_MAX, fds, travelling);
    return send_message(s->launcher.sock, s->message, size, travelling, n);
}

/* False: the exec has gone, or its plan cannot be passed on. */
static bool on_own(struct session *s)
{
    int fds[RUN_FD_MAX];
    size_t count = 0;
    uint64_t type;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    ssize_t n = receive_message(s->own, s->message, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    if (n < (ssize_t)(2 * sizeof type)) {
        close_all(fds);
        return false;
    }
    memcpy(&type, s->message, sizeof type);
    int e = type == MESSAGE_RUN ? pass_plan_on(s, (size_t)n, fds, count)
                                : send_message(s->launcher.sock, s->message, (size_t)n, NULL, 0);
    close_all(fds);
    return e == 0;
}

/* --- from the launcher ----------------------------------------------------------------------------------- */

static void set_ready(struct session *s)
{
    s->is_ready = s->was_opened && s->has_steward;
    if (s->is_ready)
        (void)pthread_cond_broadcast(&s->changed);
}

static bool on_opened(struct session *s, size_t size)
{
    struct outcome o = { 0 };
    char *copy = s->was_opened ? NULL : malloc(size);
    if (!copy)
        return false;
    memcpy(copy, s->message, size);
    struct unpack u = unpack_start(copy, size);
    (void)unpack_u64(&u);
    (void)unpack_u64(&u);
    if (unpack_outcome(&u, &o) < 0) {
        free(copy);
        return false;
    }
    (void)pthread_mutex_lock(&s->lock);
    s->opened = o;
    s->opened_message = copy;
    s->was_opened = true;
    set_ready(s);
    (void)pthread_mutex_unlock(&s->lock);
    return true;
}

static void on_paused(struct session *s, const uint64_t words[static 4])
{
    const uint64_t now = clock_ms();
    (void)pthread_mutex_lock(&s->lock);
    if (s->is_paused)
        s->paused_ms += now - s->paused_at;
    s->is_paused = words[2] == 1;
    s->paused_at = now;
    s->pause_error = (int)MIN_OF(words[3], UINT64_C(4095));
    s->is_asked = false;
    s->pause_answers++;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
}

/* False: the sandbox has ended, as the session's exec has been told; *ret_is_lost: or the launcher has. */
static bool on_launcher(struct session *s, bool *ret_is_lost)
{
    uint64_t type = 0, words[4];
    ssize_t n = recv(s->launcher.sock, s->message, PLAN_MAX_MESSAGE, 0);
    if (n < 0 && errno == EINTR)
        return true;
    *ret_is_lost = n < (ssize_t)sizeof type;
    if (*ret_is_lost)
        return false;
    memcpy(&type, s->message, sizeof type);
    if (type == MESSAGE_OPENED)
        return on_opened(s, (size_t)n);
    if (type == MESSAGE_PAUSED && n == (ssize_t)sizeof words) {
        memcpy(words, s->message, sizeof words);
        on_paused(s, words);
        return true;
    }
    if (type == MESSAGE_ROOM && n == (ssize_t)sizeof words) {
        memcpy(words, s->message, sizeof words);
        session_room_is_set(s, words[2], words[3]);
        return true;
    }
    (void)send(s->own, s->message, (size_t)n, MSG_NOSIGNAL); /* an exec that has gone needs no answer */
    return false;
}

/* --- from the steward -------------------------------------------------------------------------------------- */

static bool on_word(struct session *s, const struct steward_word *w, int pidfd)
{
    if (w->type == STEWARD_FORKED) {
        session_job_forked(s, w->job, pidfd);
        return true;
    }
    if (w->type != STEWARD_READY)
        return session_job_on_word(s, w);
    (void)pthread_mutex_lock(&s->lock);
    s->has_steward = true;
    s->landlock_abi = w->landlock_abi;
    set_ready(s);
    (void)pthread_mutex_unlock(&s->lock);
    return true;
}

/* So many at a time: a flood of them does not keep the others from their turn. */
#define WORDS_MAX 256

bool session_hear_steward(struct session *s)
{
    for (int i = 0; i < WORDS_MAX && s->steward >= 0; i++) {
        struct steward_word w;
        int fd = -1;
        size_t count = 0;
        ssize_t n = receive_message(s->steward, &w, sizeof w, &fd, 1, &count);
        const bool is_good = n == (ssize_t)sizeof w && on_word(s, &w, fd);
        closep(&fd);
        if (n == -EAGAIN)
            return true;
        if (!is_good)
            return false;
    }
    return true;
}

/* --- the thread ---------------------------------------------------------------------------------------------- */

enum {
    FD_WAKE,
    FD_LAUNCHER,
    FD_OWN,
    FD_STEWARD,
    FD_EVENTS,
    FD_WAITING,
    FD_JOBS,
    FD_LINES = FD_JOBS + STEWARD_JOBS_MAX,
    FD_COUNT = FD_LINES + STEWARD_JOBS_MAX
};

static void wait_for_something(struct session *s, struct pollfd f[static FD_COUNT])
{
    session_room_tell(s);
    const uint64_t until = session_jobs_tick(s), now = session_clock_ms(s);
    const int fds[] = { s->wake, s->launcher.sock, s->own, s->steward, s->events_in, s->waiting.line };
    for (size_t i = 0; i < FD_JOBS; i++)
        f[i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        f[FD_JOBS + i] = (struct pollfd){ .fd = s->jobs[i].sock, .events = POLLIN };
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        f[FD_LINES + i] = (struct pollfd){ .fd = s->jobs[i].line, .events = POLLIN };
    int left = until == UINT64_MAX || session_is_paused(s) ? -1
               : until <= now                              ? 0
                                                           : (int)MIN_OF(until - now, (uint64_t)INT_MAX);
    if (poll(f, FD_COUNT, left) < 0)
        memset(f, 0, FD_COUNT * sizeof *f); /* EINTR */
}

/* False: it is over. The launcher comes last: what the steward said before the end is still heard. */
static bool turn(struct session *s, bool *ret_is_lost)
{
    struct pollfd f[FD_COUNT];
    eventfd_t ignored;
    wait_for_something(s, f);
    if (f[FD_WAKE].revents && eventfd_read(s->wake, &ignored) == 0) {
        session_jobs_take(s);
        session_requests_take(s);
    }
    /* the steward first: it has named the reaper before its job did anything */
    if ((f[FD_STEWARD].revents || f[FD_EVENTS].revents) && !session_hear_steward(s))
        closep(&s->steward); /* which ends it, and it the sandbox */
    if (f[FD_EVENTS].revents)
        session_events_pass(s);
    if (f[FD_WAITING].revents)
        session_waiting_end(s);
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        if (f[FD_LINES + i].revents && s->jobs[i].line >= 0 && !session_job_on_line(s, &s->jobs[i]))
            closep(&s->steward);
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        if (f[FD_JOBS + i].revents)
            session_job_on_message(s, &s->jobs[i]);
    if (f[FD_OWN].revents && !on_own(s)) {
        *ret_is_lost = true;
        return false;
    }
    return !f[FD_LAUNCHER].revents || on_launcher(s, ret_is_lost);
}

void *session_keep(void *session)
{
    struct session *s = session;
    bool is_lost = false;
    while (turn(s, &is_lost))
        ;
    (void)pthread_mutex_lock(&s->lock);
    s->has_ended = true;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    session_jobs_take(s);
    session_events_pass(s);
    session_jobs_end(s, is_lost);
    session_events_close(s);
    closep(&s->own); /* without an outcome before: «died during the run» */
    closep(&s->steward);
    session_requests_take(s); /* closes them: their requests end */
    return NULL;
}
