#include "cli/stream.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

static bool write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t w = write(fd, p, n);
        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0 && errno == EAGAIN) { /* somebody made our output non-blocking */
            struct pollfd f = { .fd = fd, .events = POLLOUT };
            (void)poll(&f, 1, -1);
            continue;
        }
        if (w <= 0)
            return false;
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
    if (!write_all(s->log, p, n)) /* a full disk must not end the run: told in the result */
        s->log_failed = true;
}

static void pass_on(struct stream *s, struct output *o, const char *p, size_t n)
{
    uint64_t left = o->max_bytes - MIN_OF(o->seen, o->max_bytes);
    o->seen += n;
    if (n > left) {
        o->is_truncated = true;
        n = (size_t)left;
    }
    if (!n)
        return;
    if (o->to < 0)
        (void)buf_add(&o->kept, p, n); /* its maximum is max_bytes */
    else if (!s->lost_reader && !write_all(o->to, p, n))
        s->lost_reader = true;
    write_log(s, p, n);
    if (s->copy >= 0 && o == &s->out[0] && !write_all(s->copy, p, n))
        s->log_failed = true;
}

static void on_output(struct stream *s, struct output *o)
{
    static char chunk[64 * 1024];
    ssize_t n = read(o->pipe, chunk, sizeof chunk);
    if (n > 0)
        pass_on(s, o, chunk, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        closep(&o->pipe);
}

/* The pipe is non-blocking: what it does not take is kept until it does. */
static void on_input(struct stream *s)
{
    static char chunk[32 * 1024];
    static size_t start, end;
    if (start == end) {
        ssize_t n = read(s->input, chunk, sizeof chunk);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (n <= 0) {
            closep(&s->input_pipe);
            return;
        }
        start = 0;
        end = (size_t)n;
    }
    ssize_t w = write(s->input_pipe, chunk + start, end - start);
    if (w > 0)
        start += (size_t)w;
    else if (w < 0 && errno != EAGAIN && errno != EINTR)
        closep(&s->input_pipe); /* the program does not read any more */
    if (start != end) { /* wait until there is room, not until there is input */
        struct pollfd f = { .fd = s->input_pipe, .events = POLLOUT };
        (void)poll(&f, s->input_pipe >= 0, 20);
    }
}

static void on_signal(struct stream *s, struct client *c, uint64_t tag)
{
    struct signalfd_siginfo info;
    if (read(s->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return;
    s->caught = (int)info.ssi_signo;
    (void)client_kill(c, tag, REASON_KILLED);
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

int stream_run(struct stream *s, struct client *c, uint64_t tag, struct outcome *ret, struct error *err)
{
    bool has_outcome = false, is_killed = false;
    while (!has_outcome || s->out[0].pipe >= 0 || s->out[1].pipe >= 0) {
        struct pollfd f[] = {
            { .fd = has_outcome ? -1 : c->sock, .events = POLLIN },
            { .fd = s->out[0].pipe, .events = POLLIN },
            { .fd = s->out[1].pipe, .events = POLLIN },
            { .fd = s->input_pipe >= 0 ? s->input : -1, .events = POLLIN },
            { .fd = s->signals, .events = POLLIN },
        };
        if (poll(f, ARRAY_LEN(f), -1) < 0) {
            if (errno == EINTR)
                continue;
            return err_set(err, -errno, BLAME_HOST, "STREAM", "poll: %m");
        }
        for (size_t i = 0; i < 2; i++)
            if (f[1 + i].revents)
                on_output(s, &s->out[i]);
        check_runaway(s, c, tag, &is_killed);
        if (f[3].revents)
            on_input(s);
        if (f[4].revents)
            on_signal(s, c, tag);
        if (f[0].revents) {
            int r = client_read(c, ret, err);
            if (r < 0)
                return r;
            has_outcome = true;
        }
    }
    return 0;
}
