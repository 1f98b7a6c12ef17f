/* pump.c - the loop: bytes between host and payload, and from one state to the next.
 *
 * Nothing here waits but ppoll(). While the host does not read, `out` is full and the payload's pipes are left alone;
 * while the payload does not read, the host's window for STDIN is used up. Orders are read all the time.
 */
#include "entry/entry.h"

#include <poll.h>
#include <time.h>
#include <sys/wait.h>
#include "base/clock.h"

#define OUT_WORTHWHILE 4096 /* less room than that is not worth a read */
#define KILL_AGAIN_MS  20

/* --- telling -------------------------------------------------------------------------------------- */

void tell_fields(struct entry *e, enum frame_type type, const struct field *t, size_t n, const void *base)
{
    char bytes[40 * 1024]; /* less than grow_stack() */
    struct buf b = { .data = bytes,
                     .cap = sizeof bytes,
                     .max = sizeof bytes - 1 }; /* buf.c asks for memory only beyond cap */
    frame_put_fields(&b, type, t, n, base);
    assert(!b.failed); /* facts, the largest: probes, mounts with their words, a path, two lines */
    bool is_put = queue_put(&e->out, b.data, b.size);
    assert(
        is_put); /* FACTS and FAILED are the first of all, END has its reserve, what comes behind it waits for room */
}

void tell_failed(struct entry *e, const struct error *err)
{
    struct entry_failed f = {
        .error = (uint32_t)-err->code, .blame = err->blame, .step = err->step, .text = err->text
    };
    tell_fields(e, FRAME_FAILED, entry_failed_fields, entry_failed_field_count, &f);
    e->state = STATE_TOLD;
}

static void tell_end(struct entry *e)
{
    bool has_exit = WIFEXITED(e->wait_status);
    struct entry_end end = { .has_exit = has_exit,
                             .has_signal = !has_exit,
                             .exit_code = has_exit ? (uint32_t)WEXITSTATUS(e->wait_status) : 0,
                             .signal = has_exit ? 0 : (uint32_t)WTERMSIG(e->wait_status),
                             .duration_us = e->end_us - e->start_us,
                             .artifact_bytes = e->artifact_bytes,
                             .is_timed_out = e->is_timed_out,
                             .is_killed = e->is_killed };
    tell_fields(e, FRAME_END, entry_end_fields, entry_end_field_count, &end);
}

/* Often enough for a host that sends much, at once for one that waits; one frame of it at a time. */
static void tell_taken(struct entry *e)
{
    uint64_t fresh = e->taken - e->taken_told;
    struct {
        struct frame_head head;
        uint64_t taken;
    } f = { { FRAME_TAKEN, sizeof(uint64_t) }, e->taken };
    if (e->state >= STATE_LEFTOVER || fresh == 0 || (fresh < ENTRY_STDIN_WINDOW / 4 && queue_size(&e->in)) ||
        queue_space(&e->out) < ENTRY_OUT_RESERVED)
        return;
    if (queue_put(&e->out, &f, sizeof f))
        e->taken_told = e->taken;
}

/* --- bytes ---------------------------------------------------------------------------------------- */

static bool has_room(const struct entry *e)
{
    return queue_space(&e->out) >= ENTRY_OUT_RESERVED + OUT_WORTHWHILE;
}

/* A frame of what fill() brings, put together where it goes. False: it brought nothing. */
static bool relay(struct entry *e, enum frame_type type,
                  ssize_t (*fill)(struct entry *e, int which, char *to, size_t max), int which)
{
    size_t room, space = queue_space(&e->out) - ENTRY_OUT_RESERVED;
    size_t max = MIN_OF(space, (size_t)FRAME_MAX_UP);
    char *to = queue_room(&e->out, max, &room);
    assert(to && max > sizeof(struct frame_head));
    ssize_t n = fill(e, which, to + sizeof(struct frame_head), max - sizeof(struct frame_head));
    if (n <= 0)
        return false;
    struct frame_head head = { .type = type, .size = (uint32_t)n };
    memcpy(to, &head, sizeof head);
    queue_grow(&e->out, sizeof head + (size_t)n);
    return true;
}

static ssize_t fill_from_pipe(struct entry *e, int which, char *to, size_t max)
{
    uint32_t left = ENTRY_MAX_REPORT - e->report_bytes;
    ssize_t n = read(e->pipes[which], to, which == PIPE_REPORT ? MIN_OF(max, (size_t)left) : max);
    if (which == PIPE_REPORT && n > 0)
        e->report_bytes += (uint32_t)n;
    /* empty: a process may still write, unless all are dead; then who else might hold the other end does not matter
     */
    bool is_empty = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (n == 0 || (n < 0 && (!is_empty || e->state >= STATE_DRAINING)))
        closep(&e->pipes[which]);
    return n;
}

static ssize_t fill_from_artifact(struct entry *e, int which, char *to, size_t max)
{
    (void)which;
    return (ssize_t)artifact_read(e, to, max);
}

static ssize_t fill_from_file(struct entry *e, int which, char *to, size_t max)
{
    (void)which;
    return (ssize_t)leftover_read(e, to, max);
}

static bool pump_pipe(struct entry *e, int which)
{
    static const enum frame_type types[PIPE_COUNT] = { FRAME_OUT, FRAME_ERR, FRAME_REPORT };
    return relay(e, types[which], fill_from_pipe, which);
}

static void read_orders(struct entry *e)
{
    ssize_t n = read(STDIN_FILENO, e->chunk, sizeof e->chunk);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        e->is_host_gone = true;
        return;
    }
    /* BYE may be followed by nothing: whatever comes behind it is not looked at */
    if (frame_feed(&e->reader, e->chunk, (size_t)n, order_take, e) < 0 && !e->is_ending)
        e->is_broken = true;
}

static void drop_stdin(struct entry *e)
{
    e->taken += queue_size(&e->in);
    queue_drop(&e->in);
    closep(&e->stdin_fd);
}

static void write_stdin(struct entry *e)
{
    if (e->stdin_fd < 0)
        return;
    ssize_t n = queue_write(&e->in, e->stdin_fd);
    if (n > 0)
        e->taken += (uint64_t)n;
    if (n < 0 || (e->has_stdin_end && queue_size(&e->in) == 0))
        drop_stdin(e);
}

static void write_out(struct entry *e)
{
    if (queue_write(&e->out, STDOUT_FILENO) < 0)
        e->is_host_gone = true;
}

/* --- from state to state -------------------------------------------------------------------------- */

/* True when no process is left to wait for. */
static bool kill_rest(struct entry *e, bool is_alone)
{
    if (!e->payload && (is_alone || !e->is_init))
        return true;
    payload_signal(e, SIGKILL); /* again and again: who has not got it yet may still fork */
    return false;
}

/* A payload may write there without end, and no process waits for it: at the maximum its pipe stays open and fills up.
 */
static bool is_told(const struct entry *e, int which)
{
    return which == PIPE_REPORT && e->report_bytes >= ENTRY_MAX_REPORT;
}

/* True: as far as it goes, until there is room in `out`. */
static bool drain(struct entry *e)
{
    for (int i = 0; i < PIPE_COUNT; i++)
        while (e->pipes[i] >= 0 && !is_told(e, i)) {
            if (!has_room(e))
                return false;
            (void)pump_pipe(e, i);
        }
    return true;
}

static bool send_artifact(struct entry *e)
{
    while (e->artifact_fd >= 0) {
        if (!has_room(e))
            return false;
        (void)relay(e, FRAME_ARTIFACT, fill_from_artifact, 0);
    }
    return true;
}

static bool send_leftover(struct entry *e)
{
    while (e->has_leftover) {
        if (e->out.end > LEFTOVER_OUT) /* until it is empty, and begins anew */
            return false;
        if (e->file_fd >= 0)
            (void)relay(e, FRAME_FILE_DATA, fill_from_file, 0);
        else
            leftover_tell(e);
    }
    return true;
}

static void advance(struct entry *e, bool is_alone)
{
    if (e->state == STATE_RUNNING && !e->payload && e->start_error && e->start_error->code) {
        tell_failed(e, e->start_error); /* it ended before it was another program */
        return;
    }
    if (e->state == STATE_RUNNING && !e->payload)
        e->state = STATE_KILLING;
    if (e->state == STATE_KILLING && kill_rest(e, is_alone)) {
        drop_stdin(e);
        e->state = STATE_DRAINING;
    }
    if (e->state == STATE_DRAINING && drain(e)) {
        artifact_open(e);
        e->state = STATE_ARTIFACT;
    }
    if (e->state == STATE_ARTIFACT && send_artifact(e)) {
        tell_end(e);
        leftover_open(e);
        e->state = STATE_LEFTOVER;
    }
    if (e->state == STATE_LEFTOVER && send_leftover(e))
        e->state = STATE_TOLD;
}

/* --- the loop ------------------------------------------------------------------------------------- */

enum { POLL_ORDERS, POLL_HOST, POLL_STDIN, POLL_QUESTIONS, POLL_PIPES, POLL_COUNT = POLL_PIPES + PIPE_COUNT };

static void poll_fill(const struct entry *e, struct pollfd p[static POLL_COUNT])
{
    bool may_read = e->state == STATE_RUNNING || e->state == STATE_KILLING;
    bool has_out = queue_size(&e->out) > 0, has_in = queue_size(&e->in) > 0;
    p[POLL_ORDERS] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
    p[POLL_HOST] = (struct pollfd){ .fd = STDOUT_FILENO,
                                    .events = has_out ? POLLOUT : 0 }; /* and POLLERR: no process will read it */
    p[POLL_STDIN] = (struct pollfd){ .fd = has_in ? e->stdin_fd : -1, .events = POLLOUT };
    p[POLL_QUESTIONS] = (struct pollfd){ .fd = may_read && questions_has_room(e) ? e->notify.listener : -1,
                                         .events = POLLIN };
    for (int i = 0; i < PIPE_COUNT; i++)
        p[POLL_PIPES + i] = (struct pollfd){ .fd = may_read && has_room(e) && !is_told(e, i) ? e->pipes[i] : -1,
                                             .events = POLLIN };
}

static void pump_ready(struct entry *e, const struct pollfd p[static POLL_COUNT])
{
    if (p[POLL_ORDERS].revents)
        read_orders(e);
    if (p[POLL_HOST].revents & (POLLERR | POLLHUP | POLLNVAL))
        e->is_host_gone = true;
    if (p[POLL_QUESTIONS].revents)
        questions_answer(e);
    for (int i = 0; i < PIPE_COUNT; i++)
        if (p[POLL_PIPES + i].revents && has_room(e) && e->pipes[i] >= 0 && !is_told(e, i))
            (void)pump_pipe(e, i);
}

/* ppoll() refuses more places than RLIMIT_NOFILE, which the payload may set to 0 for us: then everything is tried now
 * and then, since nothing of it waits. */
static void pretend_ready(struct pollfd p[static POLL_COUNT])
{
    const struct timespec pause = { .tv_nsec = 2000000L };
    (void)nanosleep(&pause, NULL);
    for (int i = 0; i < POLL_COUNT; i++)
        p[i].revents = p[i].fd < 0 ? 0 : p[i].events;
}

/* It waits for nothing but room, and there is all of it: one write took everything. No event would come. */
static bool is_in_the_middle(const struct entry *e)
{
    return e->state >= STATE_DRAINING && e->state < STATE_TOLD && queue_size(&e->out) == 0;
}

static bool is_over(const struct entry *e)
{
    return e->is_broken || e->is_host_gone || e->is_ending;
}

/* How long there is nothing to do if nothing comes. NULL: for ever. */
static const struct timespec *patience(const struct entry *e, bool is_more, struct timespec *ret)
{
    *ret = (struct timespec){ 0 };
    if (is_more || is_in_the_middle(e))
        return ret;
    ret->tv_nsec = KILL_AGAIN_MS * 1000000L;
    if (e->state == STATE_KILLING)
        return ret;
    if (!e->deadline_us)
        return NULL;
    const uint64_t now = clock_us(), next = e->state != STATE_RUNNING ? e->gone_us
                                            : e->is_timed_out         ? e->kill_us
                                                                      : e->deadline_us;
    if (next <= now) /* killed, and not yet dead */
        return ret;
    *ret = (struct timespec){ .tv_sec = (time_t)((next - now) / 1000000),
                              .tv_nsec = (long)((next - now) % 1000000) * 1000 };
    return ret;
}

void entry_loop(struct entry *e)
{
    bool is_more = false, is_alone = false;
    while (!is_over(e)) {
        struct pollfd p[POLL_COUNT];
        struct timespec pause;
        poll_fill(e, p);
        bool is_refused = false;
        int n = ppoll(p, ARRAY_LEN(p), patience(e, is_more, &pause), &e->waiting_mask);
        if (n < 0 && errno == EINVAL) {
            is_refused = true;
            pretend_ready(p);
        }
        if (n > 0 || is_refused)
            pump_ready(e, p);
        if (e->state == STATE_RUNNING || e->state == STATE_KILLING)
            is_more = payload_reap(e, &is_alone);
        deadline_look(e);
        advance(e, is_alone);
        write_stdin(e);
        tell_taken(e);
        write_out(e);
    }
}
