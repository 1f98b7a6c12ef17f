#include "session/internal.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/wait.h"

#define KEEPER_STACK      (256 * KIB)
#define PAUSE_PATIENCE_MS 5000u /* the launcher itself gives up after 2 s (launch/run.h) */

struct session *session_new(void)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->launcher.sock = s->own = s->steward = s->steward_inside = -1;
    s->events_in = s->events_out = s->waiting.line = -1;
    for (size_t i = 0; i < STEWARD_JOBS_MAX; i++)
        s->jobs[i].sock = s->jobs[i].events = s->jobs[i].line = -1;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_mutex_init(&s->passing, NULL);
    wait_init(&s->changed);
    s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->message = malloc(PLAN_MAX_MESSAGE);
    return s->wake < 0 || !s->message ? session_free(s) : s;
}

struct session *session_free(struct session *s)
{
    if (!s)
        return NULL;
    int *const own[] = { &s->wake,      &s->own,        &s->steward,     &s->steward_inside,
                         &s->events_in, &s->events_out, &s->waiting.line };
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        closep(own[i]);
    for (size_t i = 0; i < s->incoming_count; i++)
        closep(&s->incoming[i]);
    for (size_t i = 0; i < s->requests_incoming; i++)
        closep(&s->requests[i].sock);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->passing);
    (void)pthread_mutex_destroy(&s->lock);
    strlist_done(&s->plan.notes);
    free(s->message);
    free(s->opened_message);
    free(s);
    return NULL;
}

static int open_pair(int *ret_ours, int *ret_theirs)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    *ret_ours = pair[0];
    *ret_theirs = pair[1];
    return 0;
}

static int start_thread(struct session *s)
{
    pthread_attr_t attr;
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setstacksize(&attr, KEEPER_STACK);
    int e = pthread_create(&s->keeper, &attr, session_keep, s);
    (void)pthread_attr_destroy(&attr);
    s->is_started = e == 0;
    return -e;
}

int session_start(struct session *s, const struct client *launcher, struct client *ret_own, int *ret_steward,
                  struct error *err)
{
    int theirs = -1;
    int e = open_pair(&s->own, &theirs);
    if (e == 0)
        e = open_pair(&s->steward, &s->steward_inside);
    if (e == 0 && fcntl(s->steward, F_SETFL, O_NONBLOCK) < 0)
        e = -errno;
    if (e == 0) {
        s->launcher = *launcher;
        e = start_thread(s);
    }
    if (e < 0) {
        closep(&theirs);
        s->launcher.sock = -1;
        return err_set(err, e, BLAME_HOST, "SESSION", "begin a session: %s", strerror(-e));
    }
    *ret_own = (struct client){ .sock = theirs, .name = "the session's sandbox" };
    *ret_steward = TAKE_FD(s->steward_inside);
    return 0;
}

void session_join(struct session *s, struct client *ret_launcher)
{
    if (s->is_started)
        (void)pthread_join(s->keeper, NULL);
    s->is_started = false;
    *ret_launcher = s->launcher;
    s->launcher = (struct client){ .sock = -1 };
}

/* --- what others ask --------------------------------------------------------------------------------------- */

bool session_wait_ready(struct session *s, uint64_t max_ms)
{
    const uint64_t until_ms = clock_ms() + max_ms;
    (void)pthread_mutex_lock(&s->lock);
    while (!s->is_ready && !s->has_ended && clock_ms() < until_ms)
        (void)wait_until(&s->changed, &s->lock, until_ms);
    const bool is_ready = s->is_ready && !s->has_ended;
    (void)pthread_mutex_unlock(&s->lock);
    return is_ready;
}

bool session_has_ended(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    const bool has_ended = s->has_ended;
    (void)pthread_mutex_unlock(&s->lock);
    return has_ended;
}

bool session_is_lost(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock); /* as ask_to_pause() */
    struct pollfd f = { .fd = s->has_ended ? -1 : s->launcher.sock };
    const bool is_lost = poll(&f, 1, 0) > 0 && f.revents & (POLLHUP | POLLERR);
    (void)pthread_mutex_unlock(&s->lock);
    return is_lost;
}

uint32_t session_jobs(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    const uint32_t count = s->job_count;
    (void)pthread_mutex_unlock(&s->lock);
    return count;
}

uint64_t session_memory(struct session *s, uint64_t *ret_seen)
{
    (void)pthread_mutex_lock(&s->lock);
    const uint64_t bytes = s->memory_bytes;
    *ret_seen = s->seen;
    (void)pthread_mutex_unlock(&s->lock);
    return bytes;
}

/* --- standing still ------------------------------------------------------------------------------------------ */

static uint64_t paused_ms(const struct session *s, uint64_t now)
{
    return s->paused_ms + (s->is_paused ? now - s->paused_at : 0);
}

uint64_t session_paused_ms(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    const uint64_t ms = paused_ms(s, clock_ms());
    (void)pthread_mutex_unlock(&s->lock);
    return ms;
}

uint64_t session_clock_ms(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock); /* around both: it never runs backwards */
    const uint64_t now = clock_ms(), ms = now - paused_ms(s, now);
    (void)pthread_mutex_unlock(&s->lock);
    return ms;
}

bool session_is_paused(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    const bool is_paused = s->is_paused;
    (void)pthread_mutex_unlock(&s->lock);
    return is_paused;
}

/* With the lock, which keeps the keeper from its end, and so the connection open. */
static int ask_to_pause(struct session *s, bool on, struct error *err)
{
    const uint64_t words[] = { MESSAGE_PAUSE, s->own_tag, on };
    if (s->has_ended || !s->is_ready)
        return err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION", "the session has ended");
    if (send(s->launcher.sock, words, sizeof words, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return err_set(err, -errno, BLAME_HOST, "SESSION", "ask the launcher: %m");
    s->is_asked = true;
    return 0;
}

/* Likewise. What was answered is done: another request may have undone it before we look. */
static int wait_until_paused(struct session *s, bool on, uint64_t until_ms, struct error *err)
{
    const uint64_t before = s->pause_answers;
    while (s->pause_answers == before && !s->has_ended && clock_ms() < until_ms)
        (void)wait_until(&s->changed, &s->lock, until_ms);
    if (s->pause_answers == before && !s->has_ended)
        return err_set(err, -ETIMEDOUT, BLAME_HOST, "SESSION", "the launcher does not answer");
    if (s->has_ended)
        return err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION", "the session has ended");
    if (!s->pause_error)
        return 0;
    return err_set(err, -s->pause_error, BLAME_HOST, "SESSION", "%s: %s",
                   on ? "pause its processes" : "resume its processes", strerror(s->pause_error));
}

int session_pause(struct session *s, bool on, struct error *err)
{
    const uint64_t until_ms = clock_ms() + PAUSE_PATIENCE_MS;
    int e = 0;
    (void)pthread_mutex_lock(&s->lock);
    while (s->is_asked && !s->has_ended && clock_ms() < until_ms) /* by another request */
        (void)wait_until(&s->changed, &s->lock, until_ms);
    if (s->is_asked && !s->has_ended) {
        e = err_set(err, -ETIMEDOUT, BLAME_HOST, "SESSION", "the launcher does not answer an earlier request");
    } else if (s->is_paused != on || s->has_ended) {
        e = ask_to_pause(s, on, err);
        if (e == 0)
            e = wait_until_paused(s, on, until_ms, err);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return e;
}

/* --- what comes in ------------------------------------------------------------------------------------------- */

static int take_in_job(struct session *s, int theirs, enum session_worker kind, uint64_t port, struct error *err)
{
    (void)kind;
    (void)port;
    if (s->job_count >= STEWARD_JOBS_MAX) {
        (void)err_set(err, -EAGAIN, BLAME_POLICY, "SESSION", "%u jobs of this session are under way", s->job_count);
        return err_remedy(err, "wait until one has ended");
    }
    s->incoming[s->incoming_count++] = theirs;
    s->job_count++;
    return 0;
}

static int take_in_request(struct session *s, int theirs, enum session_worker kind, uint64_t port, struct error *err)
{
    static const uint32_t most[] = { STEWARD_FILES_MAX, STEWARD_WATCH_MAX, STEWARD_PORTS_MAX };
    static const char *const names[] = { "requests for files", "watches", "new connections to ports" };
    if (s->requests_count[kind] >= most[kind] || s->requests_incoming >= ARRAY_LEN(s->requests)) {
        (void)err_set(err, -EAGAIN, BLAME_POLICY, "SESSION", "%u %s of this session are under way",
                      s->requests_count[kind], names[kind]);
        return err_remedy(err, "wait until one has ended");
    }
    s->requests[s->requests_incoming++] = (struct session_request){ theirs, port };
    s->requests_count[kind]++;
    return 0;
}

typedef int take_in_function(struct session *s, int theirs, enum session_worker kind, uint64_t port, struct error *err);

/* A pair of sockets, whose other end the keeper gets. */
static int come_in(struct session *s, take_in_function *take_in, enum session_worker kind, uint64_t port, int *ret,
                   struct error *err)
{
    int ours = -1, theirs = -1;
    int e = open_pair(&ours, &theirs);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "SESSION", "socketpair: %s", strerror(-e));
    (void)pthread_mutex_lock(&s->lock);
    if (s->has_ended || !s->is_ready)
        e = err_set(err, -ESHUTDOWN, BLAME_CALLER, "SESSION", "the session has ended");
    else if (s->is_paused)
        e = err_set(err, -EBUSY, BLAME_CALLER, "SESSION", "the session is paused");
    else
        e = take_in(s, theirs, kind, port, err);
    (void)pthread_mutex_unlock(&s->lock);
    if (e < 0) {
        closep(&ours);
        closep(&theirs);
        return e;
    }
    (void)eventfd_write(s->wake, 1);
    *ret = ours;
    return 0;
}

int session_connect(struct session *s, struct client *ret, struct error *err)
{
    int sock = -1;
    int e = come_in(s, take_in_job, SESSION_WORKERS, 0, &sock, err);
    if (e == 0)
        *ret = (struct client){ .sock = sock, .name = "the session" };
    return e;
}

int session_files(struct session *s, enum session_worker kind, int *ret, struct error *err)
{
    return come_in(s, take_in_request, kind, 0, ret, err);
}

int session_request_port(struct session *s, uint16_t port, uint64_t until_ms, int *ret, struct error *err)
{
    (void)pthread_mutex_lock(&s->lock);
    while (s->requests_count[SESSION_WORKER_PORT] >= STEWARD_PORTS_MAX && !s->has_ended && clock_ms() < until_ms)
        (void)wait_until(&s->changed, &s->lock, until_ms);
    (void)pthread_mutex_unlock(&s->lock);
    return come_in(s, take_in_request, SESSION_WORKER_PORT, port, ret, err);
}

int session_signal(int connection, uint64_t tag, int sig)
{
    const uint64_t words[] = { SESSION_SIGNAL, tag, (uint64_t)sig };
    return send(connection, words, sizeof words, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

void session_files_done(struct session *s, enum session_worker kind)
{
    (void)pthread_mutex_lock(&s->lock);
    s->requests_count[kind]--;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    (void)eventfd_write(s->wake, 1); /* its room goes */
}

void session_requests_take(struct session *s)
{
    session_room_tell(s); /* for their workers */
    (void)pthread_mutex_lock(&s->lock);
    while (s->requests_incoming) {
        struct session_request r = s->requests[--s->requests_incoming];
        const uint64_t order[] = { r.port ? STEWARD_PORT : STEWARD_FILES, r.port };
        const size_t size = r.port ? sizeof order : sizeof *order;
        if (s->steward >= 0 && send_message(s->steward, order, size, &r.sock, 1) == -EAGAIN)
            closep(&s->steward); /* as with any order that it does not read */
        closep(&r.sock);
    }
    (void)pthread_mutex_unlock(&s->lock);
}

const struct plan *session_plan(const struct session *s)
{
    return &s->plan;
}

bool session_is_on_disk(struct session *s)
{
    const struct outcome *o = session_opened(s);
    bool is_disk = o && s->wants_disk;
    STRLIST_FOREACH(line, &s->opened.missing)
    is_disk = is_disk && !str_starts(line, DISK_SPACE_MISSING);
    return is_disk;
}

const struct outcome *session_opened(struct session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    const bool was_opened = s->was_opened;
    (void)pthread_mutex_unlock(&s->lock);
    return was_opened ? &s->opened : NULL;
}
