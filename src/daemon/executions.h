/* executions.h - executions in memory: those that live, and the finished ones of the last minutes. Older ones are in
 * the store.
 *
 * Both are bounded in bytes. Finished ones have 64 MiB together, and the oldest go first. What those that live keep
 * (their request, their output) is charged to one account before it is kept: beyond its limit a new one is refused, and
 * of one that runs no more output is kept than EXECUTION_OWN_BYTES, and its result says so.
 *
 * An execution is shared by who runs it, who waits for it and who listens: counted references. What may change stands
 * behind its lock; `changed` is signalled with every event and with the end.
 */
#pragma once
#include <pthread.h>
#include "daemon/events.h"
#include "run/result.h"
#include "store/service.h"
#include "watch/live.h"

#define EXECUTION_ID_SIZE 48u

struct process;

struct execution {
    /* fixed from the beginning */
    char id[EXECUTION_ID_SIZE], trace_id[33];
    char *key_id, *agent_id, *language; /* agent_id NULL: anonymous */
    bool is_asynchronous;
    bool is_shared;                    /* while it waits, any node may take it: claims.h */
    uint64_t accepted_ms, accepted_us; /* wall clock; CLOCK_MONOTONIC */
    int stop;                          /* eventfd: execution_stop() */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum execution_state state;
    int level, reason; /* -1: not known yet */
    uint64_t started_ms, finished_ms;
    struct live_usage usage; /* while it runs */
    struct events events;
    struct result_text result; /* once finished */
    unsigned status;           /* what who waited is answered: 200 with the result, or this with `refusal` */
    struct buf refusal;
    uint64_t retry_after_ms;
    char timing[TIMING_HEADER_SIZE]; /* Server-Timing, once finished */
    bool is_none;                    /* as in struct execution_end */
    bool has_ended;                  /* and nothing of it is to be done any more: artifacts are there */
    bool was_stopped;                /* on request */
    bool is_tried_again;             /* retry: node_lost */
    int elsewhere;                   /* as in struct execution_end */
    _Atomic bool is_away;            /* another node has it: its runner has not seen that yet */
    bool was_moved;                  /* to another node: whoever listens here has to ask anew */
    uint64_t own_bytes;              /* kept beside that account; of its thread */
    bool was_cut;                    /* output was not kept for want of memory */
    struct process *process;         /* of a session (processes.h); NULL: it is none */
    uint64_t charged;                /* to the account of those that live; under the home's lock */

    struct executions *home;
    unsigned refs; /* under the home's lock */
    bool is_listed;
    struct execution *next, *older, *newer;
};

struct executions *executions_new(void);
/* endpoints.api.max_buffered, at any time; until then there is no limit. */
void executions_limit(struct executions *l, uint64_t max_live_bytes);
struct executions *executions_free(struct executions *l); /* none may live */
/* One reference is the caller's, until execution_unref(). NULL: no memory or descriptors. id: taken; agent_id, trace_id
 * may be NULL. is_listened_to: its output is streamed, or will be asked for: all of it is kept as events. */
struct execution *executions_add(struct executions *l, const char *id, const char *key_id, const char *agent_id,
                                 const char *language, const char *trace_id, bool is_asynchronous, bool is_listened_to);
struct execution *executions_find(struct executions *l, const char *id); /* with a reference, or NULL */
/* Those that is_wanted() takes of all in memory, in no order, with a reference each; -> how many, at most `most`. It is
 * asked under the list's lock: it may call no function of this header but those of one execution's own lock. */
uint32_t executions_select(struct executions *l, bool (*is_wanted)(void *context, struct execution *e), void *context,
                           struct execution **ret, uint32_t most);
struct execution *execution_ref(struct execution *e);
struct execution *execution_unref(struct execution *e); /* accepts NULL, returns NULL */
/* Asks its runner to end it. False: it has finished already. */
bool execution_stop(struct execution *e);
uint32_t execution_age_ms(const struct execution *e); /* since it was accepted */
void execution_started(struct execution *e, int level);
void execution_uses(struct execution *e, const struct live_usage *usage);
/* What it uses now. False: it does not run, or nothing is known of it yet. */
bool executions_usage(struct executions *l, const char *id, struct live_usage *ret);
void execution_output(struct execution *e, int which, const char *data, size_t size);
#define EXECUTION_OWN_BYTES (256 * KIB)
/* So many bytes more of its request, or of its output, are to be kept. False: they may not be. */
bool execution_charge(struct execution *e, uint64_t size);
bool execution_may_keep(struct execution *e, size_t size);
uint64_t executions_kept_bytes(struct executions *l);
/* How it ended. Buffers are taken. */
struct execution_end {
    int reason, level;
    struct result_text result;
    struct buf refusal;
    unsigned status;
    uint64_t retry_after_ms;
    char timing[TIMING_HEADER_SIZE];
    int elsewhere; /* 1 and the level that this node does not take: another one may be asked (pass_on_level()); 0: none
                    */
    bool is_none;  /* what was asked for could not be meant: it has no row, and its id is never told */
};
void execution_finished(struct execution *e, struct execution_end *end);
/* Another node has taken it: who listens is broken off, and asks that node next. */
void execution_moved(struct execution *e);
/* Nothing of it is to be done any more. Takes the caller's reference, and is the last that its thread does with any of
 * this: when none lives, the list and whatever else the service has may be freed. */
void execution_ended(struct execution *e);
/* Until finished (or ended), at most so long; false: not yet. peer: as in queue.h. */
bool execution_wait(struct execution *e, bool for_end, uint64_t max_ms, int peer);
#define EXECUTION_PATIENCE_MS                                                              \
    (24 * 3600 * UINT64_C(1000)) /* for one that waits for its turn: the queue has its own \
                                  */
/* Until it runs or has finished. */
bool execution_wait_start(struct execution *e, uint64_t max_ms, int peer);
/* One that was never begun, or that could not be meant: as if it had not been there. Otherwise as execution_ended(). */
void execution_forget(struct execution *e);
/* How many are queued or running. */
uint32_t executions_live(struct executions *l);
void executions_stop_all(struct executions *l);
/* Until none lives; false: some do after max_ms. */
bool executions_wait_all(struct executions *l, uint64_t max_ms);
