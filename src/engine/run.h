/* run.h - one run in a container: steps in order, then the live part, then what is left is removed and the outcome
 * told.
 *
 *   ENGINE IMAGE NETWORK TURN CODE CREATE START FACTS  |  RUN  |  REMOVE
 *   setup.c                                          live.c   run.c
 *
 * Nothing of the payload's runs before FACTS has found everything in force. Each call of the engine is bounded, and the
 * client is heard all the time: one who wants the end does not wait for an engine that does not answer. What such an
 * engine may still have, or make, is labelled: a sweep finds it.
 */
#pragma once
#include "engine/api.h"
#include "engine/check.h"
#include "engine/control.h"
#include "engine/collected.h"
#include "engine/pathfile.h"
#include "engine/owner.h"
#include "engine/request.h"
#include "engine/channel.h"
#include "engine/turn.h"
#include "engine/usage.h"
#include "base/integral.h"

enum flow { FLOW_OUT, FLOW_ERR, FLOW_REPORT, FLOW_ARTIFACT, FLOW_COUNT };

struct run {
    struct control *control;
    struct request *request;
    struct engine engine;
    bool has_engine;
    struct turn turn;            /* from CODE to FACTS */
    struct engine_caller caller; /* run.c */
    uint64_t until_ms; /* by when calls have to be over since the run is to end; 0: no process is in a hurry */
    bool is_silent;    /* a call was cut off for that */
    bool is_cleaning;
    struct arena arena;
    struct owner owner;
    struct host_facts host;

    const char *image, *volume, *container; /* NULL: not yet */
    const char *name;                       /* the container's, for people: it is asked for by its id */
    unsigned tries;                         /* of creating it */
    const char *runtime;                    /* that the engine says it uses; NULL: not told */
    bool is_watched;          /* the payload's own filter judges, and asks: the engine's leaves it what that is about */
    uint32_t watch_error;     /* errno: tried in vain */
    bool is_without_apparmor; /* tried with it in vain */
    uint32_t leaves_out;      /* limits, likewise */
    uint32_t told;            /* limits that the engine says are set */
    json_t *labels;
    struct pathfile seccomp; /* Podman's way to the profile */
    struct channel talk;
    struct group group;
    struct group_usage before, usage; /* at GO; last */
    struct integral memory;
    struct group_limits limits;
    struct strlist copies, probes, own_places;

    /* from inside */
    bool has_facts, has_started, has_ended, has_failed;
    struct buf facts_bytes; /* facts borrows from it */
    struct entry_facts facts;
    struct entry_end end;
    uint64_t artifact_bytes;
    struct collected kept; /* of the workspace */

    struct check_result checked;
    enum run_reason forced;
    struct error err; /* code 0: none */

    struct buf flows[FLOW_COUNT]; /* on their way to the client */
    size_t flow_sent[FLOW_COUNT];
    bool is_discarding; /* no process is to read any more */
    uint64_t start_us, go_us, ended_us /* as END came; 0: it did not */, deadline_us, kill_us, lost_us, sample_us;
    bool is_warned, is_killed;
    uint32_t told_pids_hits, told_oom_kills;
    struct entry_forks forks; /* as entry has told last */
    uint64_t lost_events;
    struct buf events; /* from inside, on their way to the client: u32 size and the message, one behind the other */
    size_t events_sent;

    uint32_t step_count;
    struct step_time steps[OUTCOME_MAX_STEPS];
};

/* Answers over control, and closes q's descriptors. */
void container_run(struct control *control, struct request *q);

/* setup.c */
int step_engine(struct run *r, struct error *err);
int step_image(struct run *r, struct error *err);
int step_bridge(struct run *r, struct error *err);
int step_turn(struct run *r, struct error *err);
int step_code(struct run *r, struct error *err);
int step_create(struct run *r, struct error *err);
int step_start(struct run *r, struct error *err);
int step_facts(struct run *r, struct error *err);

/* live.c: says GO and stays until the end of the payload, of the client's patience or of the connection */
int live(struct run *r, struct error *err);
int live_wait_facts(struct run *r, struct error *err);
