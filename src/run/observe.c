#include "run/observe.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include "base/clock.h"
#include "base/io.h"
#include "run/slowness.h"
#include "watch/record.h"

static bool any_detector(const struct profile *p)
{
    for (enum detector d = 0; d < DETECTOR_COUNT; d++)
        if (detector_mode_of(p, d) != DETECTOR_OFF)
            return true;
    return false;
}

int observe_start(struct observe *o, const struct profile *p, const char *record_path, bool is_learning,
                  struct error *err)
{
    o->attempts.is_root_fixed = p->filesystem.readonly_root;
    if (record_path && (o->record = open(record_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--record-events %s: %m", record_path);
    if ((any_detector(p) && !(o->watch = watch_new(p))) ||
        (p->logging.audit_syscalls && !(o->activity = activity_new())) ||
        (is_learning && !(o->learn = net_learn_new())))
        return err_set(err, -ENOMEM, BLAME_HOST, "WATCH", "no memory for the watch");
    return 0;
}

int observe_open(struct observe *o, const struct profile *p, const char *record_path, bool is_learning,
                 struct error *err)
{
    int pair[2], e = observe_start(o, p, record_path, is_learning, err);
    if (e < 0)
        return e;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_set(err, -errno, BLAME_HOST, "WATCH", "socketpair: %m");
    o->sock = pair[0];
    /* room for what comes while we write output: the kernel takes as much as net.core.wmem_max lets it */
    (void)setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &(int){ 1 << 20 }, sizeof(int));
    return pair[1];
}

static void record(struct observe *o, const struct watch_event *e)
{
    if (o->record < 0)
        return;
    cleanup(buf_done) struct buf b;
    buf_init(&b, RECORD_LINE_MAX);
    if (record_write(&b, e) < 0 || write_all(o->record, b.data, b.size) < 0)
        o->record_failed = true;
}

static void kill_for(struct observe *o, enum detector d, struct client *c, uint64_t tag)
{
    if (o->kill_switch || o->has_ended)
        return;
    o->kill_switch = detector_names[d];
    if (c)
        (void)client_kill(c, tag, REASON_KILLED); /* a launcher that is gone has ended the run already */
}

/* Node's start takes 0.13 s of CPU time where slowness_measure() says 1, and 21 s in an emulated machine where it says
 * 25 or more. At high's quarter of a CPU 3 s are over in twelve seconds, so that a loop in a start that never ends is
 * still found before high's deadline. */
#define START_CPU_US  (3000u * 1000)
#define SLOW_START_US (1000u * 1000) /* one that lasts as long is worth a measurement, which takes milliseconds */

void observe_starting(struct observe *o)
{
    o->is_starting = true;
    observe_tell(o, &(struct watch_event){ .kind = WATCH_STARTING, .args = { START_CPU_US } }, NULL, 0);
}

static void look_at_start(struct observe *o, const struct watch_event *e)
{
    const bool is_slow = e->kind == WATCH_SAMPLE && e->at_us >= SLOW_START_US;
    if (!is_slow && e->kind != WATCH_BEGUN)
        return;
    o->is_starting = false;
    const uint32_t slowness = is_slow ? slowness_measure() : 1;
    if (slowness > 1)
        observe_tell(o,
                     &(struct watch_event){
                         .kind = WATCH_STARTING, .at_us = e->at_us, .args = { (uint64_t)START_CPU_US * slowness } },
                     NULL, 0);
}

void observe_tell(struct observe *o, const struct watch_event *e, struct client *c, uint64_t tag)
{
    struct watch_finding found[DETECTOR_COUNT];
    if (o->is_starting)
        look_at_start(o, e);
    record(o, e);
    if (o->on_event)
        o->on_event(o->event_context, e);
    habits_add(&o->habits, e);
    attempts_see(&o->attempts, e);
    if (o->activity)
        activity_add(o->activity, e);
    if (o->learn)
        net_learn_add(o->learn, e);
    if (e->kind == WATCH_CONNECT && e->verdict == WATCH_ALLOWED)
        o->has_connected = true;
    if (e->kind == WATCH_CLOSED) {
        o->bytes_in += MIN_OF(e->bytes_in, UINT64_MAX - o->bytes_in);
        o->bytes_out += MIN_OF(e->bytes_out, UINT64_MAX - o->bytes_out);
    }
    if (e->kind == WATCH_LOST)
        o->lost += e->args[0];
    if (e->kind == WATCH_LIMIT && e->text && str_starts(e->text, "network.") && !o->kill_switch) {
        o->kill_switch = NETWORK_LIMIT; /* the launcher has ended it already */
        o->network_limit_ms = e->at_us / 1000;
        o->is_over_network_limit = true;
    }
    if (e->kind == WATCH_LIMIT && e->text && str_eq(e->text, "storage") && e->name && !o->full[0]) {
        (void)snprintf(o->full, sizeof o->full, "%.48s was full: no room or no files were left", e->name);
        o->full_ms = e->at_us / 1000;
    }
    size_t count = o->watch ? watch_feed(o->watch, e, found) : 0;
    for (size_t i = 0; i < count && o->finding_count < DETECTOR_COUNT; i++) {
        o->findings[o->finding_count++] = found[i];
        if (found[i].mode == DETECTOR_KILL)
            kill_for(o, found[i].detector, c, tag);
    }
}

/* Waking a sleeping reader costs the process that tells an event several times what the telling does (11 of 17 us, on
 * two virtual CPUs), and what asks inside waits for that. So when all is read we are not to be woken for a moment: the
 * first of a burst is read at once, the next ones together. A socket's buffer holds some two hundred; a full one makes
 * the askers wait for us, not more. */
#define REST_US 1000u

bool observe_read_one(struct observe *o, struct client *c, uint64_t tag)
{
    char message[WATCH_MESSAGE_MAX];
    struct watch_event e;
    ssize_t n = recv(o->sock, message, sizeof message, MSG_DONTWAIT);
    if (n > 0) {
        if (watch_event_unpack(message, (size_t)n, &e) == 0)
            observe_tell(o, &e, c, tag);
        return true;
    }
    if (n == 0 || (errno != EAGAIN && errno != EINTR))
        closep(&o->sock);
    o->rest_until_us = clock_us() + REST_US;
    return false;
}

int observe_poll_fd(const struct observe *o)
{
    return o->sock >= 0 && clock_us() >= o->rest_until_us ? o->sock : -1;
}

void observe_read(struct observe *o, struct client *c, uint64_t tag)
{
    for (int i = 0; i < 64 && o->sock >= 0; i++) /* then the others have their turn */
        if (!observe_read_one(o, c, tag))
            return;
}

/* The broker, with which no process shares the socket by then, tells its last numbers and ends. */
static void wait_for_numbers(struct observe *o)
{
    struct pollfd f = { .fd = o->sock, .events = POLLIN };
    for (int tries = 0; tries < 256 && o->sock >= 0 && poll(&f, 1, OBSERVE_PATIENCE_MS) > 0; tries++)
        observe_read(o, NULL, 0);
}

void observe_end(struct observe *o, const struct outcome *outcome)
{
    if (o->has_ended)
        return;
    o->has_ended = true;
    while (o->sock >= 0 && observe_read_one(o, NULL, 0))
        ;
    if (o->has_connected)
        wait_for_numbers(o);
    const struct watch_event end = { .kind = WATCH_END,
                                     .at_us = outcome ? outcome->duration_us : 0,
                                     .cpu_us = outcome ? outcome->cpu_us : 0,
                                     .text = outcome ? reason_name((enum run_reason)outcome->reason) : NULL };
    observe_tell(o, &end, NULL, 0);
    if (!outcome || outcome->reason != REASON_KILLED) /* it ended by itself before the order came */
        o->kill_switch = NULL;
    closep(&o->sock);
}

void observe_missing(const struct observe *o, struct strlist *missing)
{
    if (o->lost)
        (void)strlist_addf(missing, "monitoring: %llu events were lost: more came than were read",
                           (unsigned long long)o->lost);
    if (o->record_failed)
        (void)strlist_add(missing, "monitoring: the recording of events (--record-events) could not take everything");
}

void observe_done(struct observe *o)
{
    closep(&o->sock);
    closep(&o->record);
    o->watch = watch_free(o->watch);
    o->activity = activity_free(o->activity);
    o->learn = net_learn_free(o->learn);
}
