/* exec.h - one run, from the words of a request to its result: request -> judgement -> plan -> outcome -> what is
 * learned.
 *
 * The command line makes one and ends; the service makes one for each execution, many at once, each in a thread of its
 * own. Whatever these two do differently is in their struct exec_host (host.h). What a service has already (a
 * connection, a ledger, an open audit, compiled policies) it lays into the struct between exec_init() and
 * exec_prepare(), lent. What is not there it makes for itself and ends in exec_done().
 *
 * Order: exec_init; options and code are filled in; host and connection; exec_prepare; exec_run (or exec_look, which
 * runs and writes nothing); exec_result, whatever happened before; exec_tidy, when the answer is out; exec_done.
 */
#pragma once
#include "packages/store.h"
#include "run/artifacts.h"
#include "run/host.h"
#include "run/learn.h"
#include "run/load.h"
#include "run/policy.h"
#include "run/result.h"
#include "run/runlog.h"
#include "run/stream.h"
#include "run/violations.h"
#include "run/workspace.h"

struct exec {
    const struct exec_host *host; /* never NULL */
    void *host_context;           /* the host's own */
    const struct paths *paths;
    struct arena *arena;
    struct options options;
    struct load load;
    struct compiled policy;
    bool has_policy;
    const struct policy_set *policies; /* NULL: from the cache, or compiled now */
    enum risk_level asked;             /* by option or profile; the default's, if neither is given */
    struct judgement judgement;
    struct trail trail;
    struct keep keep;
    bool keeps_late; /* nothing of it at once: of a run that is over sooner than files are made, as a parked one is */
    bool has_kept;   /* its beginning */
    struct plan plan;
    struct plan compiler_plan;
    struct buf remote_body; /* the request of a run that goes to another machine */
    struct client client;
    enum config_backend started; /* whose program client is, where it was started for this run */
    int lender;                  /* by which client was lent (run/lend.h); -1: it was not */
    struct package_use packages; /* what options.packages names, held until exec_done() */
    int steward;                 /* of a session's sandbox: the end that goes in; -1: none, or it is gone there */
    const char *tenant;          /* shape.tenant; or NULL */
    uint64_t tag; /* of the run; the compiler's is the next. Unique among all that go through one client */
    struct runlog log;
    int receipt; /* takes the signed statement of the run (run/receipt.h) when it is over; -1: nothing was asked for */
    struct error receipt_error; /* why it could not be made or written; code 0: it was */
    struct stream stream;
    struct workspace workspace;   /* what the program leaves in /workspace */
    struct violations violations; /* borrows from stream */
    struct outcome outcome;
    bool has_outcome;
    bool is_told;    /* the audit has the decision that it runs: it will have the end, too */
    bool is_learned; /* and has it */
    struct error error;
    const char *id;
    bool is_lasting;        /* the host knows that it has run for TRAIL_TICK_MS */
    bool is_parked;         /* an instance that waited was claimed */
    uint32_t reconnects;    /* of this run so far, its compiler's too; launch.c bounds them */
    uint32_t levels;        /* bit per enum risk_level that this caller may run at; 0: any */
    const char *session_id; /* of a job in a session: it runs at the level that was asked for, or not at all. NULL: none
                             */
    uint64_t start_us;
    struct timing timing; /* but the scan's: judgement has it; and received_us, where this began later */
    struct {
        const char *name;
        uint64_t at_us;
    } marks[12]; /* for --debug: the command line's own way */
    size_t mark_count;
};

/* «exec-» and 24 hex digits. */
const char *exec_make_id(struct arena *a);
const char *session_make_id(struct arena *a); /* «sess-» and as many */
const char *job_make_id(struct arena *a);     /* «job-»: in a session */
const char *context_make_id(struct arena *a); /* «ctx-» */
/* s is zero, and stays where it is. */
void exec_init(struct exec *s, const struct paths *p, struct arena *a);
/* The words are read and judged, the policy is there. 0, or BLAME_CALLER and such. */
int exec_prepare(struct exec *s, struct error *err);
/* Judged, run, learned. A refusal and a failure are told in err, and recorded. */
int exec_run(struct exec *s, struct error *err);
/* The audit has the end of the run, and the store is to be told so: with is_learned off it was. */
bool exec_is_told(const struct exec *s);
/* Judged and planned, nothing else: --dry-run. */
int exec_look(struct exec *s, struct error *err);
/* Borrows from s; at any time. */
void exec_result(const struct exec *s, struct result *ret);
/* Where the time went, so far. */
struct timing exec_timing(const struct exec *s);
/* When the answer is out: what is kept of the run, and what is due once an hour. */
void exec_tidy(struct exec *s);
void exec_done(struct exec *s);

/* After exec_run(): the run was refused since this node does not take its level (fleet.levels): the level, and nothing
 * of it was booked or begun; -1: anything else. */
int exec_level_elsewhere(const struct exec *s);

enum log_level exec_log_level(const struct exec *s);
bool exec_is_debug(const struct exec *s);
/* log_words.c: does the profile's logging.level take words of this level into the run's log file? */
bool exec_logs(const struct exec *s, enum log_level level);
/* Those words: warn: violations and what was cut; info: notices; debug: why this level, what the scan found; trace: the
 * time of each step. */
void exec_log_words(const struct exec *s, struct buf *out);
/* For --debug: «this is done now». */
void exec_mark(struct exec *s, const char *name);
/* Where the profile wants one. Unless the host did it before, it is opened while the sandbox starts. */
int exec_open_log(struct exec *s, struct error *err);
/* launch.c: the plan is there; the program runs until its outcome is. binary: of a compiled language, or -1; stays the
 * caller's. */
int exec_launch(struct exec *s, int binary, struct error *err);
/* The plan of an instance that could wait for such runs (plan/park.h; plan_done()). False: none can wait for this one.
 */
bool exec_park(struct exec *s, struct plan *ret);
/* The code and the plan become artifacts, unless that is done. */
void exec_keep(struct exec *s);
/* Until the outcome of a plan that was sent: again by the next launcher, where one died before it had read it. */
int exec_follow(struct exec *s, int binary, struct error *err);
/* True: e says that nothing was started on this connection, and there is another one now; err is empty then. False: e
 * stays, or err says why there is no other. */
bool exec_reconnect(struct exec *s, int e, struct error *err);
/* All descriptors of a run that are its own. Accepts those that are closed or were never opened. */
void exec_close_streams(struct exec *s);
