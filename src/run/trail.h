/* trail.h - what the command line writes into the audit, event by event. If it can't be written, nothing runs. */
#pragma once
#include <pthread.h>
#include "audit/audit.h"
#include "audit/key.h"
#include "run/judge.h"
#include "run/paths.h"
#include "run/told.h"
#include "plan/build.h"

struct activity;

/* What the watch has to say in the end. */
struct watched {
    const char *kill_switch;         /* that ended the run, or NULL */
    const struct activity *activity; /* logging.audit_syscalls; NULL: not asked for */
};

/* One open audit for many runs at once. */
struct event_line;
struct trail_shared {
    struct audit audit;
    struct key_kept key;
    pthread_mutex_t lock;   /* around every use of audit and key */
    pthread_cond_t written; /* there are lines that are not on the disk: audit.is_behind */
    struct told told;
    /* How long a line took, the waiting for others included. NULL: not asked for */
    void (*on_write)(void *context, uint64_t us);
    void *write_context;
    /* The channel «webhook» of monitoring.alerts; never waits. NULL: there is none here */
    void (*alert)(void *context, const char *json, size_t size);
    void *alert_context;
    /* The channels to people (email, slack, teams, matrix): once an alert, whichever there are; never waits. */
    void (*tell)(void *context, const char *condition, const char *agent_id, const char *message);
    void *tell_context;
    /* Takes a line of run/event_log.h into the service's log. NULL: lines are appended to the files */
    void (*log)(void *context, const struct event_line *line);
    void *log_context;
};

struct trail {
    struct audit audit; /* our own ... */
    struct trail_shared
        *shared; /* ... or, set before trail_open(), a process's, who also brings lines to the disk; NULL: our own */
    bool is_open;
    bool tells_all; /* security.audit_all: ordinary runs, too */
    struct arena *arena;
    const char *trace_id;   /* of the caller's traceparent, or NULL */
    const char *session_id; /* of a job in a session, or NULL */
    const char *via_node;   /* which node of the fleet passed the request on, or NULL */
    const char *user;       /* who asked, set before trail_open(); NULL: our own uid */
};

/* The audit of this configuration. trail_open() uses it where nothing is shared. */
int trail_open_audit(struct audit *audit, const struct paths *p, const struct config *c, struct arena *a,
                     struct error *err);
int trail_open(struct trail *t, const struct paths *p, const struct config *c, struct arena *a, struct error *err);
/* The audit's key (key_done()), and how far its chain goes now: for what is signed beside it. */
int trail_key(struct trail *t, struct audit_key *ret, struct audit_head *ret_head, struct error *err);
/* The directory that the audit lies in. */
const char *trail_dir(const struct trail *t);
/* While a program runs: hands over what is not yet on the disk. In how many ms to call again, or 0. For struct stream.
 */
#define TRAIL_TICK_MS 20u
uint32_t trail_tick(void *trail);
void trail_close(struct trail *t); /* also of one never opened; hands over what is not yet on the disk */

/* Before the run: who asked for what, at which level and why. */
int trail_decided(struct trail *t, const struct judgement *j, const struct run_request *r, struct error *err);
/* The run will not take place. `why`: the error that the caller is told. */
int trail_refused(struct trail *t, const struct judgement *j, const struct run_request *r, const struct error *why,
                  struct error *err);
/* After the run. `failure`: NULL, or why the outcome is ours to answer for. */
int trail_finished(struct trail *t, const struct judgement *j, const struct run_request *r, const struct outcome *o,
                   const struct watched *seen, const struct error *failure, struct error *err);
/* A run that was reserved, whose owner died, and that is settled now: its end, where the audit has its decision and
 * lacks every end. Fails where the audit cannot be searched: whoever asks must not hold the end for told then. Both
 * trusts 0: they are not known. */
int trail_recovered(struct trail *t, const struct recovered *r, struct error *err);
/* Quarantine or ban that followed from a run. */
int trail_standing(struct trail *t, const char *agent_id, enum standing now, const char *reason, struct error *err);
int trail_alert(struct trail *t, const char *agent_id, const char *condition, const char *message, struct error *err);
/* Something that no good run of the agent did before: an event of its own, from severity medium on an alert. */
int trail_first_time(struct trail *t, const char *agent_id, const char *execution_id, const char *message,
                     enum severity severity, struct error *err);

/* One administrative act, before it is done, in a trail that is open. detail_json: further members, or NULL. */
int trail_act(struct trail *t, const char *action, const char *agent_id, const char *reason, const char *detail_json,
              struct error *err);
/* The same for a process that has none: opens, writes, closes. action: agent-quarantined, agent-released, ... */
int trail_admin(const struct paths *p, const struct config *c, struct arena *a, const char *action,
                const char *agent_id, const char *reason, const char *detail_json, struct error *err);
