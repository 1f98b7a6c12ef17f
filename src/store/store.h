/* store.h - what is remembered of agents and runs. One header, whose verbs lead to a table
 * of operations (ops.h): SQLite in this process (src/sqlite), or sandbox-ledger behind a socket (remote.h).
 *
 * A run is *reserved* before it starts and *settled* when its outcome is known, each in one transaction that several
 * processes may try at once: limits are counted where they are booked, so they are exact. The process that reserved is
 * known by pid, start time, boot and pid namespace; a reserved run whose owner is dead is settled by the next one who
 * asks (store_recover, or a reservation that global.max_concurrent_executions would refuse).
 *
 * The store needs no configuration: rules arrive as numbers (policy/). All structs borrow their strings; out-structs
 * borrow from the store until its next call, or from the arena of struct store.
 * Times are milliseconds since 1970 and always the caller's. Outcomes that are no fault are positive enums in the
 * reply.
 *
 * Durability: SQLite in WAL mode with synchronous=NORMAL. When a process is killed nothing that was answered is lost.
 * When power fails, the store may lack its last transactions (those since the last checkpoint, which every 100 pages
 * make), and is never corrupt; the audit log, which is synced by its own rules (security.audit_sync), has them. A lost
 * reservation does no harm; with a lost settlement the trust and the counters of those last runs are forgotten. A
 * change of standing and every act of an administrator are on the disk before the answer.
 *
 * The place: a directory (made 0700) and a file (made 0600) of our own, that no other user may write, and no symbolic
 * link for either. A damaged database is an error with its remedy and is left as it is.
 */
#pragma once
#include "base/agent_id.h"
#include "base/arena.h"
#include "base/error.h"
#include "policy/limits.h"
#include "policy/standing.h"
#include "policy/trust.h"

#define STORE_ID_MAX         128u /* execution id, language, nonce, public key, rule: bytes */
#define STORE_TEXT_MAX       400u /* reason, detail: bytes; longer ones are cut where the store writes them */
#define STORE_MAX_VIOLATIONS 16u
#define STORE_MAX_HABITS     8192u /* bytes of struct settle's habits, and of what of them was new */
#define STORE_MAX_BASELINE   256u  /* of an agent's habits are kept */
/* Nonces are refused for so long; a check of signatures must not accept one older than this. */
#define STORE_NONCE_KEPT_MS (48 * LIMIT_HOUR_MS)

/* 1 to 128 bytes, no control characters: what a store may hold from before. New ids: agent_id_is_accepted(). */
bool agent_id_is_valid(const char *id);

struct agent {
    const char *id;
    bool is_known;
    uint32_t trust;                            /* milli, as last written: not drifted */
    uint64_t trust_at_ms;                      /* when that was: what trust_drift() counts from; 0: never */
    uint8_t standing;                          /* enum standing */
    const char *standing_reason, *standing_by; /* "" when good */
    uint64_t standing_since_ms, first_seen_ms, last_run_ms;
    /* runs: reserved ones; violations: matters of security (one type counts once a run); refusals: before a reservation
     */
    uint64_t runs, successes, failures, violations, refusals, cpu_ms;
    uint64_t errors, attempts; /* of the failures: by the program's own error; of the violations: attempts */
    uint32_t start, debt;      /* milli: its first score (0: of an older version, not known); trust.h */
    uint8_t level;             /* what its trust gave it last: enum risk_level and 1; 0: none yet */
    uint64_t last_offence_ms;  /* not forgiven; 0: none */
    uint64_t quarantines;      /* by the policy, so far */
    uint32_t shapes, hours;    /* evidence for low: level.h */
    uint64_t first_work_ms;    /* 0: none yet */
    bool is_vouched;           /* an administrator set the score, and no offence came since */
    const char *key_id;        /* of the service's key that brought it: its family; "" none */
    uint64_t bad_relatives;    /* store_agent of an unknown one: others of the family in quarantine or banned */
    const char *public_key;    /* Ed25519, 64 hex digits, or NULL: none registered */
    bool is_remembered;        /* store_agent_within: it was not asked for now */
};

/* The past of the score itself; a start that an older version did not keep is taken for the default's. */
static inline struct trust_state agent_trust_state(const struct agent *a, const struct trust_rules *r)
{
    return (struct trust_state){ a->trust, a->start ? a->start : r->initial, a->debt, a->trust_at_ms,
                                 a->last_offence_ms };
}

/* What a run took, or many. Each at most USE_MAX a run. */
struct use {
    uint64_t cpu_us, memory_mib_ms; /* its memory's integral (base/integral.h) */
    uint64_t bytes_in, bytes_out;   /* of its connections, as the broker counted them; files and pipes are not in it */
};
#define USE_MAX (UINT64_C(1) << 50)

struct execution_row; /* store/service.h */
struct reserve {
    const char *execution_id, *agent_id, *code_hash /* sha256 hex; "": all such count as one code */, *language;
    uint8_t level;
    uint64_t now_ms, owner_pid, owner_start; /* field 22 of /proc/PID/stat */
    uint32_t
        trust_seen; /* agent.trust on which the level was decided: a store that knows another answers RESERVE_RETRY */
    uint32_t initial_trust;
    struct limit_rules limits; /* all zero: none */
    const char *nonce;         /* of the signature: refused when seen before; NULL: none. Taken only with RESERVE_OK */
    const char *shape, *tree;  /* of the program, 16 hex digits each (scan/shape.h); "" unknown */
    uint32_t size;             /* its constructs */
    uint8_t level_held;        /* what its trust gives: enum risk_level and 1; 0: trust is not kept */
    const char *key_id;        /* of the service; NULL: none. A new agent's family */
    bool is_nameless;          /* the request named no agent: the key stands for it */
    bool is_shape_known;       /* RESERVE_SHAPE was answered, and a caller who may choose the level stays with it */
    /* So many relatives with an offence in memory, and a tenth of all: a new agent of the key is refused. 0: never */
    uint32_t family_limit;
    uint64_t family_memory_ms;
    /* Of a service, in its own process only: the execution that begins with this run, written in the same transaction
     * with its level and begin, where reply.was_accepted says so. NULL: it is the caller's to write */
    const struct execution_row *accept;
    uint64_t keys_seen; /* likewise, where there are nodes: store_version() and 1, at which the caller's key was good. A
                           store that has another one answers RESERVE_KEYS. 0: it is not asked for */
};
/* Judged in the order STANDING, FAMILY, KNOWN_BAD, REPLAY, SHAPE, RETRY, LIMIT (where nodes share a database RETRY may
 * come right behind STANDING); nothing is written unless it is RESERVE_OK. */
enum reserve_outcome {
    RESERVE_OK,
    RESERVE_RETRY,
    RESERVE_STANDING,
    RESERVE_LIMIT,
    RESERVE_REPLAY,
    RESERVE_FAMILY,    /* nameless, and a relative is in quarantine or banned; or new, and many relatives offended */
    RESERVE_KNOWN_BAD, /* this very code did harm, of another agent */
    RESERVE_SHAPE,     /* its shape did, and the level is not high */
    RESERVE_KEYS,      /* keys have changed: before the limits, and in no order with the others */
    RESERVE_OUTCOMES
};
struct reserve_reply {
    uint8_t outcome;
    struct limit_verdict limit; /* RESERVE_LIMIT */
    struct agent agent;         /* as it is now */
    uint32_t nearest_share;     /* RESERVE_OK: fullest of the agent's limits with this run, in milli (alerts) */
    const char *nearest_limit;  /* its name; NULL: none is limited */
    bool was_accepted;          /* reserve.accept */
    /* FAMILY, KNOWN_BAD, SHAPE: which agent, for what, when; else NULL */
    const char *known_agent, *known_type;
    uint64_t known_ms;
};

struct settle {
    const char *execution_id;
    uint8_t reason;    /* enum run_reason */
    bool was_stopped;  /* ended from outside: Ctrl-C, the service going down. Neutral */
    bool awaits_audit; /* store_audited() follows; should the owner die before, store_recover() returns the run */
    uint64_t now_ms, duration_ms, peak_memory_bytes;
    struct use use;
    bool has_uncounted; /* and bytes of connections that no process of ours counts: the run is unmeasured */
    uint32_t violation_count;
    struct violation violations[STORE_MAX_VIOLATIONS];
    bool keeps_trust; /* agixt.trust.enabled */
    struct trust_rules trust;
    struct standing_rules standing;
    uint64_t failure_window_ms, volume_window_ms, refusal_window_ms; /* for the counts below; 0: not counted */
    uint64_t volume_enough; /* volume_runs is counted so far and no further; 0: to the end */
    bool has_bad_finding;   /* of high or critical severity, or the code's shape is known as bad: earns nothing */
    const char *habits;     /* what the run did, a sentence a line (watch/habits.h); NULL: not known */
    uint32_t baseline_runs; /* good runs that only teach, before anything is called new; 0: no baseline */
};
struct settle_reply {
    bool was_settled;                   /* false: already, or never reserved */
    uint32_t trust_before, trust_after; /* before: drifted */
    uint8_t standing_before, standing_after;
    const char *standing_reason; /* "" when good */
    /* of this agent within the windows asked for, this run included: for alerts. window_*: of the newest 100 of each
     * level; both 0 where none of them failed */
    uint32_t window_runs, window_failures, volume_runs, window_refusals;
    const char *first_times; /* of the habits: those that no good run had before, a sentence a line; NULL: none */
    bool is_late; /* a service's: the store was away, and is told later (daemon/late.h); all else is not known */
};

/* A refusal before any reservation (scan, signature, standing ...): counted, and its violations kept and judged. */
struct refusal {
    const char *execution_id, *agent_id, *rule;
    uint8_t level;
    uint64_t now_ms;
    uint32_t initial_trust;
    uint32_t violation_count;
    struct violation violations[STORE_MAX_VIOLATIONS];
    bool keeps_trust;
    struct trust_rules trust;
    struct standing_rules standing;
    uint64_t refusal_window_ms; /* for settle_reply.window_refusals */
    bool is_restriction;        /* the level does not offer it: counts in that window */
    const char *key_id;         /* as in struct reserve */
};

/* Where an agent's score comes from: start + all sums == score, but for what older versions did not keep. */
#define STORE_MAX_OFFENCES 16u
struct agent_why {
    uint32_t sum_count;
    struct trust_sum {
        uint8_t source; /* enum trust_source */
        uint32_t plus, minus, times;
    } sums[TRUST_SOURCES];
    uint32_t offence_count; /* newest first; those before a release are not among them */
    struct offence {
        uint64_t at_ms;
        const char *type, *detail, *execution_id;
    } offences[STORE_MAX_OFFENCES];
    uint64_t relatives, bad_relatives; /* of the family, itself not counted */
    uint64_t learned;                  /* good runs that its baseline was learned from */
    uint32_t habit_count;              /* most often seen first */
    struct habit {
        const char *what;
        uint64_t times, last_ms;
    } habits[STORE_MAX_BASELINE];
};

/* The meter: what runs took, by agent, key and hour. A run and what it took are counted when it is settled, in the
 * hour of its end; budgets count the open ones, too. */
enum usage_period { USAGE_ALL, USAGE_HOUR, USAGE_DAY, USAGE_MONTH, USAGE_PERIODS }; /* of UTC */
extern const char *const usage_period_names[USAGE_PERIODS + 1];                     /* key_words.c; NULL-terminated */
struct usage_cursor {                                                               /* all 0: the first page */
    uint64_t agent, hour;                                                           /* the first that is not told yet */
    const char *key_id;
};
struct usage_ask {
    const char *agent_id, *key_id; /* only of these; NULL: of all. key_id "": of the command line */
    uint64_t since_ms, until_ms;   /* whole hours: that in which since lies is in, that in which until lies, too */
    uint8_t period;                /* enum usage_period: a row for each */
    bool by_agent, by_key;         /* a row for each */
    struct usage_cursor after;
};
struct usage_row {
    uint64_t at_ms;                /* begin of the period; USAGE_ALL: 0 */
    const char *agent_id, *key_id; /* NULL: of all of them. key_id "": the command line */
    uint64_t runs, unmeasured; /* unmeasured: of the runs, those of which `use` does not have all: their process died
                                  before it could say, or an engine's bridge carried their connections */
    struct use use;
};
#define STORE_USAGE_PAGE 200u
struct usage_list {
    uint32_t count;
    bool is_cut;              /* ask again with `next` */
    struct usage_cursor next; /* key_id never NULL */
    struct usage_row rows[STORE_USAGE_PAGE];
};

/* An administrator's act. */
enum steer_verb { STEER_TRUST, STEER_QUARANTINE, STEER_RELEASE, STEER_BAN, STEER_KEY, STEER_VERBS };
struct steer {
    uint8_t verb;
    bool may_create;                                 /* otherwise an unknown agent is -ENOENT (BLAME_CALLER) */
    const char *agent_id, *reason, *by, *public_key; /* public_key: STEER_KEY; NULL removes */
    uint32_t trust, initial_trust;                   /* STEER_TRUST */
    uint64_t now_ms;
};

/* A dead owner's run: for the audit. */
struct recovered {
    const char *execution_id, *agent_id;
    uint8_t level, reason; /* enum run_reason */
    bool was_settled;      /* its outcome was known, only the audit's line is missing; else it is sandbox_error now */
    uint64_t started_ms, ended_ms;
    uint32_t trust_before, trust_after;
};
#define STORE_MAX_RECOVERED 64u
/* An agent that the store released by itself when it was migrated: for the audit. store_audited("agent ID"). */
struct released {
    const char *agent_id, *reason;
};
struct recovered_list {
    uint32_t count;
    struct recovered runs[STORE_MAX_RECOVERED];
    uint32_t released_count;
    struct released released[STORE_MAX_RECOVERED];
};

struct trust_point {
    uint64_t at_ms;
    uint32_t trust;
    const char *execution_id; /* whose end or refusal changed it; NULL: an administrator, or it is not kept any more */
    uint8_t event;            /* enum trust_event of that run; 0: it was refused, or not known */
};
#define STORE_MAX_POINTS 256u
struct trust_history {
    uint32_t count; /* oldest first */
    struct trust_point points[STORE_MAX_POINTS];
};
#define STORE_MAX_AGENTS 1000u
struct agent_list {
    uint32_t count;
    bool is_cut;
    struct agent agents[STORE_MAX_AGENTS];
};

/* Opened by store_open() (sqlite/sqlite.h) or store_start() (remote.h). All zero: not open. */
struct store {
    const struct store_ops *ops;
    void *self;
    struct arena *arena; /* the caller's: where the strings of a reply go; NULL: see above */
};
/* Whether there is one to ask. */
static inline bool store_is_open(const struct store *s)
{
    return s->ops != NULL;
}
struct store *store_close(struct store *s); /* accepts NULL and one that is not open, returns NULL */
/* What store_recover() takes over belongs to this process from now on, and is free again when it dies; without this, to
 * the caller's. For a server that outlives its client by a moment. */
void store_act_for(struct store *s, uint64_t pid);
/* An unknown agent is no fault: is_known is false, and trust 0 means nothing. */
int store_agent(struct store *s, const char *id, const char *key_id /* of a new one's; NULL: none */, struct agent *ret,
                struct error *err);
/* It may be so old. For one who decides by it and then reserves: that refuses another trust or standing. Nothing is to
 * be refused by one that is_remembered. */
int store_agent_within(struct store *s, const char *id, const char *key_id, uint64_t within_ms, struct agent *ret,
                       struct error *err);
int store_why(struct store *s, const char *id, struct agent_why *ret, struct error *err);
/* In the order of ids, those behind after_id (NULL or "": from the first). *ret is large. */
int store_agents(struct store *s, const char *after_id, struct agent_list *ret, struct error *err);
int store_history(struct store *s, const char *id, struct trust_history *ret, struct error *err);
/* In the order agent, key, time. An agent that is not known has used nothing. */
int store_usage(struct store *s, const struct usage_ask *r, struct usage_list *ret, struct error *err);
/* What of r's limits is used now, by the fields that a limit of r asks for. An agent that is not known has used none.
 */
int store_counts(struct store *s, const struct reserve *r, struct limit_counts *ret, struct error *err);
int store_reserve(struct store *s, const struct reserve *r, struct reserve_reply *ret, struct error *err);
/* Several, in any order; each has its own answer. As verbs.c checks a request, they are checked by the caller. */
struct reserve_call {
    const struct reserve *request;
    struct reserve_reply *ret;
    struct arena *arena; /* as of struct store */
    struct error *err;
    int e;
    bool is_done; /* the implementation's */
};
void store_reserve_many(struct store *s, struct reserve_call *calls, uint32_t n);
int store_settle(struct store *s, const struct settle *r, struct settle_reply *ret, struct error *err);
/* Several, as if one after the other in this order; each has its own answer. As verbs.c checks a request, they are
 * checked by the caller. */
#define STORE_SETTLE_MANY 32u /* at most so many share one transaction */
struct settle_call {
    const struct settle *request;
    struct settle_reply *ret;
    struct arena *arena; /* as of struct store */
    struct error *err;
    int e;
    bool is_done; /* the implementation's */
};
void store_settle_many(struct store *s, struct settle_call *calls, uint32_t n);
int store_refuse(struct store *s, const struct refusal *r, struct settle_reply *ret, struct error *err);
int store_steer(struct store *s, const struct steer *r, struct agent *ret, struct error *err);
/* Settles what dead owners left, as sandbox_error: neutral for trust; no CPU time is charged, since nothing is known of
 * it. What is returned has to be audited. It belongs to this process from now on, so that no other process reports it,
 * too; it is returned again until store_audited() says that it was, or to another process when this one dies before. */
int store_recover(struct store *s, uint64_t now_ms, struct recovered_list *ret, struct error *err);
#define STORE_AUDITED_AGENT "agent " /* store_audited("agent ID"): of what was released */
int store_audited(struct store *s, const char *execution_id, struct error *err);
/* Removes rows older than the time: settled runs, trust points but the last, nonces, refusals, once-keys that ran out;
 * offences and known-bad code when they are two years older (the longest memory, standing.h), the meter's hours when
 * they are 400 days older. Must lie before every
 * window in use: a day for limits, those of alerts. */
int store_prune(struct store *s, uint64_t before_ms, uint64_t *ret_removed, struct error *err);
/* Takes `key` for `window_ms`: *ret_taken false when it was taken within it (alerts are told once a window). */
int store_once(struct store *s, const char *key, uint64_t now_ms, uint64_t window_ms, bool *ret_taken,
               struct error *err);
