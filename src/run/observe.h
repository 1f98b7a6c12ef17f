/* observe.h - the client's end of a run's events: detectors, kill switches, the summary, a recording.
 *
 * Events come from the launcher and the broker over a SOCK_SEQPACKET socket. While no process reads here, what asks
 * inside waits; so this is read also while our own output waits for its reader (stream.c).
 */
#pragma once
#include "run/attempts.h"
#include "run/client.h"
#include "config/profile.h"
#include "net/learn.h"
#include "watch/activity.h"
#include "watch/habits.h"
#include "watch/watch.h"

#define NETWORK_LIMIT "network_limit" /* the violation, and in kill_switch: network.max_bytes were exceeded */

struct observe {
    int sock;                  /* our end; -1: nothing is watched, or all has ended */
    struct watch *watch;       /* NULL: no detector is on */
    struct activity *activity; /* NULL: no summary is wanted */
    struct habits habits;      /* of the whole run, for the agent's baseline */
    struct net_learn *learn;   /* NULL: not learning */
    int record;                /* descriptor that takes the events as lines of JSON, or -1 */
    uint64_t rest_until_us;    /* CLOCK_MONOTONIC: not read before */
    bool record_failed, has_connected, has_ended;
    bool is_starting; /* an interpreter, and it may still turn out that the machine is slow */
    bool is_over_network_limit;
    uint64_t network_limit_ms;    /* when */
    uint64_t bytes_in, bytes_out; /* of connections that have ended */
    char full[96];                /* which file system of the sandbox was full, in words; "": none was seen so */
    uint64_t full_ms;             /* when that was seen */
    uint64_t lost;                /* events that found no room on their way */
    struct attempts attempts;
    void (*on_event)(void *context, const struct watch_event *e); /* NULL, or told of each */
    void *event_context;
    uint32_t finding_count;
    struct watch_finding findings[DETECTOR_COUNT];
    const char *kill_switch; /* name of the detector, or NETWORK_LIMIT, that ended the run; or NULL */
};

/* -> the other end, for RUN_FD_EVENTS, which the caller closes; or -errno. record_path, or NULL. */
int observe_open(struct observe *o, const struct profile *p, const char *record_path, bool is_learning,
                 struct error *err);
/* The same but for the socket, which the caller has and puts into o->sock. 0 or a filled error. */
int observe_start(struct observe *o, const struct profile *p, const char *record_path, bool is_learning,
                  struct error *err);
/* The program is an interpreter, which starts now. Its guard will say when it has. */
void observe_starting(struct observe *o);
/* For poll(2): -1 while we rest, which is for the rest of a millisecond at most. */
int observe_poll_fd(const struct observe *o);
/* What has come, without waiting; ends the run where a kill switch asks for it. */
void observe_read(struct observe *o, struct client *c, uint64_t tag);
/* The next of them. False: no more now. */
bool observe_read_one(struct observe *o, struct client *c, uint64_t tag);
/* An event of our own making (decoy.c); fed like the others. */
void observe_tell(struct observe *o, const struct watch_event *e, struct client *c, uint64_t tag);
/* After the outcome: the rest, and the end. Waits (at most OBSERVE_PATIENCE_MS) for final numbers of connections, if
 * there were any. */
#define OBSERVE_PATIENCE_MS 100
void observe_end(struct observe *o, const struct outcome *outcome);
/* For isolation.missing: what was to be seen and was not. */
void observe_missing(const struct observe *o, struct strlist *missing);
void observe_done(struct observe *o);
