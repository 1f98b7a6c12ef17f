#include "run/stream.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include "base/clock.h"
#include "base/io.h"

#define LAST_WORDS_MS 1000u /* for what is in a job's pipes when it has ended */

/* To a reader who may not read: a signal must still end us. poll(2) promises room for PIPE_BUF bytes, so no write
 * blocks. False when the reader is gone or we are to end. */
static bool write_to_reader(struct stream *s, int fd, const char *p, size_t n)
{
    while (n) {
        struct pollfd f[] = { { .fd = fd, .events = POLLOUT },
                              { .fd = s->stop, .events = POLLIN },
                              { .fd = s->observe.sock, .events = POLLIN } };
        if (poll(f, ARRAY_LEN(f), -1) < 0 && errno != EINTR)
            return false;
        if (f[2].revents)
            observe_read(&s->observe, s->client, s->tag);
        if (f[1].revents)
            return false;
        if (!f[0].revents)
            continue;
        ssize_t w = write(fd, p, MIN_OF(n, (size_t)PIPE_BUF));
        if (w < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (w <= 0) {
            s->write_errno = w < 0 && errno != EPIPE ? errno : 0;
            return false;
        }
        p += w;
        n -= (size_t)w;
    }
    return true;
}

static void write_log(struct stream *s, const char *p, size_t n)
{
    n = (size_t)MIN_OF((uint64_t)n, s->log_left);
    if (s->log < 0 || !n)
        return;
    s->log_left -= n;
    if (write_all(s->log, p, n) < 0) /* a full disk must not end the run: told in the result */
        s->log_failed = true;
}

static void pass_on(struct stream *s, struct output *o, const char *p, size_t n)
{
    uint64_t left = o->max_bytes - MIN_OF(o->seen, o->max_bytes);
    o->seen += n;
    if (o == &s->out[1])
        denied_feed(&s->denied, p, n);
    if (n > left) {
        o->is_truncated = true;
        n = (size_t)left;
    }
    if (!n)
        return;
    o->is_full = o->is_full || (s->may_keep && !s->may_keep(s->output_context, n));
    o->is_truncated |= o->is_full;
    if (!o->is_full)
        (void)buf_add(&o->kept, p, n); /* the caller that gave it its maximum knows that more is not in it */
    if (s->on_output && !o->is_full)
        s->on_output(s->output_context, o == &s->out[1], p, n);
    if (o->to >= 0 && !s->lost_reader && !write_to_reader(s, o->to, p, n))
        s->lost_reader = true;
    write_log(s, p, n);
    if (s->copy >= 0 && o == &s->out[0] && write_all(s->copy, p, n) < 0)
        s->copy_failed = true;
}

static void on_output(struct stream *s, struct output *o)
{
    char chunk[64 * 1024];
    ssize_t n = read(o->pipe, chunk, sizeof chunk);
    if (n > 0)
        pass_on(s, o, chunk, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        closep(&o->pipe);
}

/* The pipe is non-blocking: what it does not take is kept until it does. */
static void on_input(struct stream *s)
{
    struct input_rest *r = &s->input_rest;
    if (r->start == r->end) {
        ssize_t n = read(s->input, r->chunk, sizeof r->chunk);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (n <= 0) {
            closep(&s->input_pipe);
            return;
        }
        r->start = 0;
        r->end = (uint32_t)n;
        r->total += (uint64_t)n;
    }
    ssize_t w = write(s->input_pipe, r->chunk + r->start, r->end - r->start);
    if (w > 0)
        r->start += (uint32_t)w;
    else if (w < 0 && errno != EAGAIN && errno != EINTR)
        closep(&s->input_pipe); /* the program does not read any more */
}

/* Room for what was read before, or else what is there to read. */
static struct pollfd input_poll(const struct stream *s)
{
    if (s->input_pipe < 0 || s->input_rest.start == s->input_rest.end)
        return (struct pollfd){ .fd = s->input_pipe < 0 ? -1 : s->input, .events = POLLIN };
    return (struct pollfd){ .fd = s->input_pipe, .events = POLLOUT };
}

bool stream_rewind_input(struct stream *s)
{
    struct input_rest *r = &s->input_rest;
    const bool is_in_chunk = r->total <= r->end;
    r->start = 0;
    if (is_in_chunk)
        return true;
    r->end = 0;
    const off_t back = -(off_t)r->total;
    r->total = 0;
    return lseek(s->input, back, SEEK_CUR) >= 0;
}

static void on_size(const struct stream *s)
{
    struct signalfd_siginfo ignored;
    struct winsize size;
    if (read(s->sizes, &ignored, sizeof ignored) > 0 && ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0)
        (void)ioctl(s->terminal, TIOCSWINSZ, &size);
}

static bool read_stop(struct stream *s)
{
    struct signalfd_siginfo info;
    ssize_t n = read(s->stop, &info, sizeof info);
    if (n < (ssize_t)sizeof(uint64_t))
        return false;
    s->caught = n == (ssize_t)sizeof info ? (int)info.ssi_signo : -1;
    return true;
}

bool stream_is_stopped(struct stream *s)
{
    struct pollfd f = { .fd = s->stop, .events = POLLIN };
    return poll(&f, 1, 0) == 1 && read_stop(s);
}

static void on_stop(struct stream *s, struct client *c, uint64_t tag, bool *is_killed)
{
    if (!read_stop(s))
        return;
    s->lost_reader = true; /* no more waiting for a reader */
    (void)client_kill(c, tag, REASON_KILLED);
    *is_killed = true;
}

static void check_runaway(struct stream *s, struct client *c, uint64_t tag, bool *is_killed)
{
    if (*is_killed)
        return;
    bool is_runaway = false;
    for (size_t i = 0; i < 2; i++)
        is_runaway |= s->out[i].seen / OUTPUT_RUNAWAY > s->out[i].max_bytes;
    if (is_runaway || s->lost_reader) {
        (void)client_kill(c, tag, is_runaway ? REASON_OUTPUT_LIMIT : REASON_KILLED);
        *is_killed = true;
    }
}

static uint64_t paused_ms(const struct stream *s)
{
    return s->paused_ms ? s->paused_ms(s->paused_context) : 0;
}

static bool is_late(const struct stream *s)
{
    return s->give_up_ms && clock_ms() >= s->give_up_ms + paused_ms(s);
}

/* Until the next thing that has its time. */
static int time_left_ms(const struct stream *s)
{
    uint64_t now = clock_ms(), until = s->give_up_ms ? s->give_up_ms + paused_ms(s) : UINT64_MAX;
    if (s->tick)
        until = MIN_OF(until, s->tick_ms);
    if (until == UINT64_MAX)
        return -1;
    return now >= until ? 0 : (int)MIN_OF(until - now, (uint64_t)INT_MAX);
}

static void run_tick(struct stream *s)
{
    if (!s->tick || clock_ms() < s->tick_ms)
        return;
    uint32_t again_ms = s->tick(s->tick_context);
    if (again_ms)
        s->tick_ms = clock_ms() + again_ms;
    else
        s->tick = NULL;
}

void stream_set_tick(struct stream *s, uint32_t in_ms, uint32_t (*tick)(void *context), void *context)
{
    s->tick = tick;
    s->tick_context = context;
    s->tick_ms = clock_ms() + in_ms;
}

void stream_set_limit(struct stream *s, const struct plan *p)
{
    uint64_t patience_ms = STREAM_PATIENCE_MS + (p->is_container ? container_patience_ms(&p->container)
                                                 : p->is_remote  ? p->remote.connect_ms + p->remote.patience_ms
                                                                 : 0);
    s->give_up_ms = clock_ms() - paused_ms(s) + p->job.timeout_ms + p->job.grace_ms + patience_ms;
}

/* The launcher keeps the deadline. One that does not answer long after it is stopped or stuck: its death ends the
 * sandbox (PDEATHSIG). */
static int give_up(struct client *c, struct error *err)
{
    if (c->pid > 0)
        (void)kill(c->pid, SIGKILL);
    return err_set(err, -ETIMEDOUT, BLAME_HOST, "LAUNCHER", "no answer %u s after the deadline; the launcher %s",
                   STREAM_PATIENCE_MS / 1000,
                   c->pid > 0 ? "was killed" : "does not answer on this connection any more");
}

/* A file that was read before bytes went out has to be heard of before they are: so each time files are looked at
 * first. */
static void on_events(struct stream *s, struct client *c, uint64_t tag, bool is_decoy_read)
{
    for (int i = 0; i < 64; i++) { /* then the others have their turn */
        if (s->decoy.profile && (is_decoy_read || !s->decoy.waits_for_workspace))
            decoy_read(&s->decoy, &s->observe, c, tag);
        is_decoy_read = false;
        if (s->observe.sock < 0 || !observe_read_one(&s->observe, c, tag))
            break;
    }
}

static void on_reports(struct stream *s, struct client *c, uint64_t tag)
{
    const bool had_begun = s->reports.has_begun;
    reports_read(&s->reports);
    if (s->reports.has_begun && !had_begun)
        observe_tell(&s->observe,
                     &(struct watch_event){ .kind = WATCH_BEGUN, .at_us = (clock_ms() - s->reports.start_ms) * 1000 },
                     c, tag);
}

/* Nothing more comes, and to wait for the other end would be to wait for the kernel's end of the program. */
static void drain(struct stream *s)
{
    for (size_t i = 0; i < 2; i++) {
        struct pollfd f = { .fd = s->out[i].pipe, .events = POLLIN };
        while (s->out[i].pipe >= 0 && poll(&f, 1, 0) == 1)
            on_output(s, &s->out[i]);
        closep(&s->out[i].pipe);
    }
}

int stream_run(struct stream *s, struct client *c, uint64_t tag, struct outcome *ret, struct error *err)
{
    bool has_outcome = false, is_killed = false;
    s->client = c;
    s->tag = tag;
    while (!has_outcome || s->out[0].pipe >= 0 || s->out[1].pipe >= 0) {
        struct pollfd f[] = {
            { .fd = has_outcome ? -1 : c->sock, .events = POLLIN },
            { .fd = s->out[0].pipe, .events = POLLIN },
            { .fd = s->out[1].pipe, .events = POLLIN },
            input_poll(s),
            { .fd = s->stop, .events = POLLIN },
            { .fd = reports_poll_fd(&s->reports), .events = POLLIN },
            { .fd = observe_poll_fd(&s->observe), .events = POLLIN },
            { .fd = decoy_poll_fd(&s->decoy), .events = POLLIN },
            { .fd = s->lost_reader ? -1 : s->peer, .events = POLLRDHUP },
            { .fd = s->sizes, .events = POLLIN },
        };
        bool is_resting = f[6].fd != s->observe.sock;
        int left = time_left_ms(s), n = poll(f, ARRAY_LEN(f), is_resting && left ? 1 : left);
        if (n < 0 && errno != EINTR)
            return err_set(err, -errno, BLAME_HOST, "STREAM", "poll: %m");
        run_tick(s);
        if (has_outcome && is_late(s)) { /* another job of the session holds an end */
            closep(&s->out[0].pipe);
            closep(&s->out[1].pipe);
            continue;
        }
        if (n == 0 && is_late(s))
            return give_up(c, err);
        if (n <= 0)
            continue;
        if (f[6].revents || f[7].revents) /* first: a kill switch does not wait for output */
            on_events(s, c, tag, f[7].revents);
        for (size_t i = 0; i < 2; i++)
            if (f[1 + i].revents)
                on_output(s, &s->out[i]);
        if (f[8].revents) {
            s->lost_reader = true;
            s->caught = -1;
        }
        if (f[9].revents)
            on_size(s);
        check_runaway(s, c, tag, &is_killed);
        if (f[3].revents)
            on_input(s);
        if (f[4].revents)
            on_stop(s, c, tag, &is_killed);
        if (f[5].revents)
            on_reports(s, c, tag);
        if (f[0].revents) {
            int r = client_read(c, ret, err);
            if (r < 0)
                return r;
            has_outcome = true;
            if (ret->is_silent)
                drain(s);
            if (s->is_job)
                s->give_up_ms = clock_ms() - paused_ms(s) + LAST_WORDS_MS;
        }
    }
    reports_read(&s->reports); /* no process inside is left to write more */
    observe_end(&s->observe, ret);
    return 0;
}
