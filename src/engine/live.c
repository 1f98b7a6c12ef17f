/* live.c - while the container runs: streams, deadline, kills, samples. One loop, nothing in it blocks.
 *
 * What the payload prints is read from the attach connection only while nothing of it waits for the client, so at most
 * a few frames are held. The client's pipes are shared descriptions and stay as they are: a write of PIPE_BUF bytes
 * does not block where poll(2) says there is room.
 */
#include "engine/run.h"

#include <limits.h>
#include <signal.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "base/watch_bits.h"
#include "watch/event.h"

#define FACTS_US       (UINT64_C(10) * 1000 * 1000) /* at least; the engine's time for an answer where that is longer */
#define ENTRY_SLACK_US (UINT64_C(500) * 1000)       /* for the entry to keep the deadline, and to tell of it */
#define LOST_US        (UINT64_C(2) * 1000 * 1000)  /* entry's time to tell the end after a SIGKILL */
#define KEPT_US                                                                                                        \
    (UINT64_C(2) * 1000 * 1000) /* its time to hand out the workspace's files after the end; of a run that was killed, \
                                   what is left of LOST_US */
#define SAMPLE_US      (UINT64_C(100) * 1000)
#define FORK_BOMB_HITS 200u /* as launch/run.c */
#define STDIN_CHUNK    16384u

static const unsigned char flow_fds[FLOW_COUNT] = { [FLOW_OUT] = RUN_FD_STDOUT,
                                                    [FLOW_ERR] = RUN_FD_STDERR,
                                                    [FLOW_REPORT] = RUN_FD_REPORT,
                                                    [FLOW_ARTIFACT] = RUN_FD_ARTIFACT };

static void end_now(struct run *r, enum run_reason why);

/* --- frames ----------------------------------------------------------------------------------------------- */

static int on_facts(struct run *r, const void *data, size_t size)
{
    if (r->has_facts || buf_add(&r->facts_bytes, data, size) < 0)
        return -EBADMSG;
    r->has_facts = frame_get_facts(r->facts_bytes.data, r->facts_bytes.size, &r->facts) == 0;
    return r->has_facts ? 0 : -EBADMSG;
}

static int on_end(struct run *r, const void *data, size_t size)
{
    if (!r->has_started || r->has_ended || frame_get_end(data, size, &r->end) < 0)
        return -EBADMSG;
    r->has_ended = true;
    r->ended_us = clock_us();
    r->kept.until_us = r->is_killed ? r->lost_us : r->ended_us + KEPT_US;
    group_read_usage(&r->group, &r->usage);
    if (r->end.is_timed_out && r->forced == REASON_COMPLETED)
        r->forced = REASON_TIMEOUT;
    r->end.exit_code &= 0xff;
    r->end.signal &= 0x7f;
    return 0;
}

/* A program is looked for in the image, which a reader of its absence may not have thought of. */
static int blame_image(struct error *err, const char *image)
{
    (void)err_wrap(err, "image %s", image);
    return err_remedy(err, "take an image that has it, for this machine's architecture: languages.*.default_image in "
                           "the configuration, languages.*.image in the profile; deploy/images/README.md");
}

/* A mask lies on the file that a name leads to. */
static int blame_mask(struct error *err, const char *image)
{
    (void)err_wrap(err, "image %s", image);
    return err_remedy(err, "in an image whose programs are links to one file (busybox, Alpine) hiding one "
                           "(blocked_commands, restricted_commands, shell_access, allow_compilation) hides them all: "
                           "take an image with a file for each, as deploy/images "
                           "makes, or a level or profile that hides none");
}

static int on_failed(struct run *r, const void *data, size_t size)
{
    struct entry_failed f;
    if (frame_get_failed(data, size, &f) < 0)
        return -EBADMSG;
    r->has_failed = true;
    r->kept.is_whole = true; /* nothing ran that could have left something */
    enum blame blame = f.blame <= BLAME_GUEST ? (enum blame)f.blame : BLAME_HOST;
    (void)err_set(&r->err, -(int)MAX_OF(MIN_OF(f.error, 4095u), 1u), blame, f.step ? f.step : "ENTRY", "%s",
                  f.text ? f.text : "it does not say why");
    if ((f.error == ENOENT || f.error == ENOEXEC) && str_eq(r->err.step, "EXEC"))
        (void)blame_image(&r->err, r->request->container.image);
    if (f.error == EACCES && f.text && strstr(f.text, ENTRY_HIDDEN))
        (void)blame_mask(&r->err, r->request->container.image);
    return 0;
}

static int on_output(struct run *r, enum flow flow, const void *data, size_t size)
{
    if (!r->has_started || r->has_ended)
        return -EBADMSG;
    if (flow == FLOW_ARTIFACT && r->artifact_bytes + size > r->request->job.artifact_max)
        return -EBADMSG;
    if (flow == FLOW_ARTIFACT)
        r->artifact_bytes += size;
    if (r->is_discarding || r->request->fds[flow_fds[flow]] < 0)
        return 0;
    if (flow == FLOW_REPORT) /* not blocking, and what its reader does not want is lost: no process waits for reports
                                (run/reports.h) */
        return (void)!write(r->request->fds[RUN_FD_REPORT], data, size), 0;
    return buf_add(&r->flows[flow], data, size);
}

/* Behind END only. */
static int on_workspace(struct run *r, uint32_t type, const void *data, size_t size)
{
    if (!r->has_ended)
        return -EBADMSG;
    switch (type) {
    case FRAME_FILE:
        return collected_file(&r->kept, data, size);
    case FRAME_FILE_DATA:
        return collected_data(&r->kept, data, size);
    default:
        return collected_rest(&r->kept, data, size);
    }
}

/* What is known of the payload's doing: what it says is entry's, and the client looks at it again. */
static int on_event(struct run *r, const void *data, size_t size)
{
    const uint32_t length = (uint32_t)size;
    struct watch_event e;
    if (!r->has_started || r->has_ended || !r->is_watched || size > WATCH_MESSAGE_MAX ||
        watch_event_unpack(data, size, &e) < 0)
        return -EBADMSG;
    if (r->request->fds[RUN_FD_EVENTS] < 0)
        return 0;
    (void)buf_add(&r->events, &length, sizeof length);
    return buf_add(&r->events, data, size);
}

/* A fork bomb that max_processes stops is one where no control group can be sampled, too. */
static int on_forks(struct run *r, const void *data, size_t size)
{
    if (!r->has_started || r->has_ended || !r->is_watched || frame_get_forks(data, size, &r->forks) < 0)
        return -EBADMSG;
    if (r->request->job.ends_fork_bomb && r->forks.refused > FORK_BOMB_HITS)
        end_now(r, REASON_PIDS_LIMIT);
    return 0;
}

static int on_taken(struct run *r, const void *data, size_t size)
{
    uint64_t bytes;
    return frame_get_u64(data, size, &bytes) < 0 ? -EBADMSG : channel_taken(&r->talk, bytes);
}

static int on_frame(void *context, uint32_t type, const void *data, size_t size)
{
    struct run *r = context;
    switch (type) {
    case FRAME_FACTS:
        return on_facts(r, data, size);
    case FRAME_OUT:
        return on_output(r, FLOW_OUT, data, size);
    case FRAME_ERR:
        return on_output(r, FLOW_ERR, data, size);
    case FRAME_REPORT:
        return on_output(r, FLOW_REPORT, data, size);
    case FRAME_ARTIFACT:
        return on_output(r, FLOW_ARTIFACT, data, size);
    case FRAME_END:
        return on_end(r, data, size);
    case FRAME_EVENT:
        return on_event(r, data, size);
    case FRAME_FORKS:
        return on_forks(r, data, size);
    case FRAME_TAKEN:
        return on_taken(r, data, size);
    case FRAME_FAILED:
        return on_failed(r, data, size);
    case FRAME_FILE:
    case FRAME_FILE_DATA:
    case FRAME_REST:
        return on_workspace(r, type, data, size);
    default:
        return -EBADMSG;
    }
}

static int hear(struct run *r, struct error *err)
{
    int e = channel_read(&r->talk, on_frame, r);
    return e == 0
               ? 0
               : err_set(err, e, BLAME_US, "FRAMES", "sandbox-entry says what is none of its words: %s", strerror(-e));
}

static int lost_connection(const struct run *r, struct error *err)
{
    const char *words = r->talk.words;
    (void)err_set(err, -EPIPE, BLAME_HOST, "ENGINE",
                  "the engine ended the connection to the container before the program had ended%s%.200s",
                  *words ? ": " : "", words);
    return err_remedy(err, "see the engine's log: did it stop, or was the container removed?");
}

/* --- FACTS ------------------------------------------------------------------------------------------------ */

int live_wait_facts(struct run *r, struct error *err)
{
    uint64_t patience = MAX_OF(r->request->container.answer_ms * 1000, FACTS_US), until = clock_us() + patience;
    while (!r->has_facts && !r->has_failed && r->control->killed == REASON_COMPLETED && !r->control->is_leaving) {
        uint64_t now = clock_us();
        struct pollfd p[CONTROL_POLLS + 1];
        if (r->talk.has_ended)
            return lost_connection(r, err);
        if (now >= until)
            return err_set(err, -ETIMEDOUT, BLAME_HOST, NULL, "the container said nothing for %llu s",
                           (unsigned long long)patience / 1000000);
        peer_polls(r->control, p);
        p[CONTROL_POLLS] = (struct pollfd){ .fd = r->talk.fd,
                                            .events = channel_waiting(&r->talk) ? POLLIN | POLLOUT : POLLIN };
        (void)poll(p, CONTROL_POLLS + 1, (int)((until - now) / 1000 + 1));
        peer_on_polls(r->control, p);
        channel_flush(&r->talk);
        int e = p[CONTROL_POLLS].revents & ~POLLOUT ? hear(r, err) : 0;
        if (e < 0)
            return e;
    }
    if (r->has_facts)
        return 0;
    if (r->has_failed)
        *err = r->err;
    return r->has_failed ? err->code : err_set(err, -ECANCELED, BLAME_CALLER, NULL, "ended by the client");
}

/* --- ending it -------------------------------------------------------------------------------------------- */

static void send_signal(struct run *r, uint64_t sig)
{
    (void)channel_send(&r->talk, FRAME_SIGNAL, &sig, sizeof sig); /* no room: LOST_US decides */
}

static void end_now(struct run *r, enum run_reason why)
{
    if (r->forced == REASON_COMPLETED)
        r->forced = why;
    if (r->forced == REASON_OUTPUT_LIMIT)
        r->is_discarding = true;
    if (r->is_killed)
        return;
    r->is_killed = true;
    r->lost_us = clock_us() + LOST_US;
    send_signal(r, SIGKILL);
}

static void warn(struct run *r, uint64_t now)
{
    if (r->forced == REASON_COMPLETED)
        r->forced = REASON_TIMEOUT;
    r->is_warned = true;
    r->kill_us = now + r->request->job.grace_ms * 1000;
    send_signal(r, SIGTERM);
}

/* --- watching --------------------------------------------------------------------------------------------- */

static bool wants_samples(const struct run *r)
{
    return r->request->shape.watch & NOTIFY_SAMPLES && r->request->fds[RUN_FD_EVENTS] >= 0;
}

static bool send_event(const struct run *r, const struct watch_event *e)
{
    struct buf b;
    buf_init(&b, WATCH_MESSAGE_MAX);
    watch_event_pack(&b, e);
    bool is_sent = !b.failed && send(r->request->fds[RUN_FD_EVENTS], b.data, b.size, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
    buf_done(&b);
    return is_sent;
}

static void tell(struct run *r, struct watch_event e)
{
    e.at_us = clock_us() - r->go_us;
    struct watch_event lost = { .kind = WATCH_LOST, .at_us = e.at_us, .args = { r->lost_events } };
    if (r->lost_events && send_event(r, &lost))
        r->lost_events = 0;
    if (r->lost_events || !send_event(r, &e))
        r->lost_events++;
}

static void tell_hits(struct run *r, const char *what, uint32_t now, uint32_t askers, uint32_t *told)
{
    if (now <= *told)
        return;
    *told = now;
    tell(r, (struct watch_event){ .kind = WATCH_LIMIT, .text = what, .args = { now, askers } });
}

static void sample(struct run *r)
{
    struct watch_event e = { .kind = WATCH_SAMPLE };
    struct group_usage u;
    group_read_usage(&r->group, &u);
    if (u.cpu_us) /* not when the group has just gone */
        r->usage = u;
    uint32_t hits = u.pids_hits - MIN_OF(u.pids_hits, r->before.pids_hits) + r->forks.refused;
    group_read_now(&r->group, &e.memory_bytes, &e.pids);
    if (e.memory_bytes)
        integral_look(&r->memory, r->go_us, clock_us(), e.memory_bytes);
    if (wants_samples(r)) {
        e.pids -= MIN_OF(e.pids, 1u); /* sandbox-entry */
        e.args[0] = r->forks.granted;
        e.cpu_us = u.cpu_us - MIN_OF(u.cpu_us, r->before.cpu_us);
        tell(r, e);
        tell_hits(r, "pids", hits, r->forks.askers, &r->told_pids_hits);
        tell_hits(r, "memory", u.oom_kills - MIN_OF(u.oom_kills, r->before.oom_kills), 0, &r->told_oom_kills);
    }
    if (r->request->job.ends_fork_bomb && hits > FORK_BOMB_HITS)
        end_now(r, REASON_PIDS_LIMIT);
}

/* --- streams ---------------------------------------------------------------------------------------------- */

static size_t waiting(const struct run *r, enum flow f)
{
    return r->flows[f].size - r->flow_sent[f];
}

static bool has_events(const struct run *r)
{
    return r->events_sent < r->events.size;
}

/* One message each, in their order; none is lost while a process reads. */
static void write_events(struct run *r)
{
    while (has_events(r)) {
        uint32_t size;
        const char *at = r->events.data + r->events_sent;
        memcpy(&size, at, sizeof size);
        if (send(r->request->fds[RUN_FD_EVENTS], at + sizeof size, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
            (errno == EAGAIN || errno == ENOBUFS || errno == EINTR))
            return;
        r->events_sent += sizeof size + size;
    }
    r->events.size = r->events_sent = 0;
}

static bool is_waiting(const struct run *r)
{
    if (has_events(r))
        return true;
    for (enum flow f = 0; f < FLOW_COUNT; f++)
        if (waiting(r, f))
            return true;
    return false;
}

static void drop(struct run *r, enum flow f)
{
    r->flows[f].size = r->flow_sent[f] = 0;
}

static void write_flow(struct run *r, enum flow f)
{
    int *fd = &r->request->fds[flow_fds[f]];
    ssize_t n = write(*fd, r->flows[f].data + r->flow_sent[f], MIN_OF(waiting(r, f), (size_t)PIPE_BUF));
    if (n > 0)
        r->flow_sent[f] += (size_t)n;
    else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        closep(fd); /* no process reads it; what is still printed is thrown away */
        drop(r, f);
    }
    if (!waiting(r, f))
        drop(r, f);
}

static void read_stdin(struct run *r)
{
    char data[STDIN_CHUNK];
    int *fd = &r->request->fds[RUN_FD_STDIN];
    ssize_t n = read(*fd, data, MIN_OF(sizeof data, channel_input_room(&r->talk)));
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0) {
        (void)channel_send_input(&r->talk, data, (size_t)n); /* there is room for it */
        return;
    }
    (void)channel_send(&r->talk, FRAME_STDIN_END, NULL, 0);
    closep(fd);
}

/* --- the loop --------------------------------------------------------------------------------------------- */

enum { POLL_TALK = CONTROL_POLLS, POLL_STDIN, POLL_EVENTS, POLL_FLOWS, POLL_COUNT = POLL_FLOWS + FLOW_COUNT };

/* The run has ended, and its files come. A request for its end does not wait for them. */
static bool is_handing_out(const struct run *r)
{
    bool is_unwanted = !r->is_killed && r->control->killed != REASON_COMPLETED;
    return r->has_ended && !r->talk.has_ended && r->kept.is_wanted && !r->kept.is_whole && !is_unwanted &&
           clock_us() < r->kept.until_us;
}

/* Nothing more comes. */
static bool is_told(const struct run *r)
{
    return r->has_failed || r->talk.has_ended || (r->has_ended && !is_handing_out(r));
}

static void set_polls(const struct run *r, struct pollfd p[static POLL_COUNT])
{
    bool is_over = is_told(r), takes_more = r->has_ended || !is_waiting(r); /* behind END no output comes */
    peer_polls(r->control, p);
    p[POLL_TALK] = (struct pollfd){ .fd = is_over ? -1 : r->talk.fd,
                                    .events = (short)((takes_more ? POLLIN : 0) |
                                                      (channel_waiting(&r->talk) ? POLLOUT : 0)) };
    bool takes_input = !is_over && !r->has_ended && channel_input_room(&r->talk) > 0;
    p[POLL_STDIN] = (struct pollfd){ .fd = takes_input ? r->request->fds[RUN_FD_STDIN] : -1, .events = POLLIN };
    p[POLL_EVENTS] = (struct pollfd){ .fd = has_events(r) ? r->request->fds[RUN_FD_EVENTS] : -1, .events = POLLOUT };
    for (enum flow f = 0; f < FLOW_COUNT; f++)
        p[POLL_FLOWS + f] = (struct pollfd){ .fd = waiting(r, f) ? r->request->fds[flow_fds[f]] : -1,
                                             .events = POLLOUT };
    if (!p[POLL_TALK].events) /* nothing is wanted of it: a connection that broke would be told again and again */
        p[POLL_TALK].fd = -1;
}

static bool is_sampling(const struct run *r)
{
    return r->group.kind != CGROUP_NONE && (wants_samples(r) || r->request->job.ends_fork_bomb) && !r->has_ended;
}

static int patience_ms(const struct run *r, uint64_t now)
{
    uint64_t next = r->is_killed ? r->lost_us : r->is_warned ? r->kill_us : r->deadline_us;
    if (is_handing_out(r))
        next = r->kept.until_us;
    if (is_sampling(r))
        next = MIN_OF(next, r->sample_us);
    return next <= now ? 0 : (int)MIN_OF((next - now + 999) / 1000, (uint64_t)60000);
}

static void tick(struct run *r, uint64_t now)
{
    if (r->control->killed != REASON_COMPLETED)
        end_now(r, r->control->killed);
    if (!r->is_warned && !r->is_killed && now >= r->deadline_us)
        warn(r, now);
    if (r->is_warned && !r->is_killed && now >= r->kill_us)
        end_now(r, REASON_TIMEOUT);
    if (is_sampling(r) && now >= r->sample_us) {
        sample(r);
        r->sample_us = now + SAMPLE_US;
    }
}

static void say_go(struct run *r)
{
    group_read_usage(&r->group, &r->before);
    r->has_started = true;
    r->go_us = clock_us();
    /* the program's time is the entry's to keep: here it is kept only where the entry does not, as in one that is ill
     */
    r->deadline_us = r->go_us + r->request->job.timeout_ms * 1000 + ENTRY_SLACK_US;
    r->sample_us = r->go_us + SAMPLE_US;
    (void)channel_send(&r->talk, FRAME_GO, NULL, 0);
}

/* Over when all has been handed on, or no process takes it by the deadline. */
static bool is_over(const struct run *r, uint64_t now)
{
    if (r->is_killed && now >= r->lost_us)
        return true;
    return is_told(r) && (now >= MAX_OF(r->deadline_us, r->kill_us) || r->is_discarding || !is_waiting(r));
}

int live(struct run *r, struct error *err)
{
    say_go(r);
    for (uint64_t now = r->go_us; !is_over(r, now); now = clock_us()) {
        struct pollfd p[POLL_COUNT];
        set_polls(r, p);
        (void)poll(p, POLL_COUNT, patience_ms(r, now));
        peer_on_polls(r->control, p);
        if (r->control->is_leaving) {
            r->forced = REASON_KILLED;
            return 0;
        }
        if (p[POLL_STDIN].revents)
            read_stdin(r);
        channel_flush(&r->talk);
        int e = p[POLL_TALK].revents & ~POLLOUT ? hear(r, err) : 0;
        if (e < 0)
            return e;
        for (enum flow f = 0; f < FLOW_COUNT; f++)
            if (p[POLL_FLOWS + f].revents)
                write_flow(r, f);
        write_events(r);
        if (!r->has_ended && !r->has_failed)
            tick(r, clock_us());
    }
    if (r->has_failed)
        return *err = r->err, err->code;
    return 0;
}
