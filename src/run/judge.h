/* judge.h - from a request to a verdict: what is known of the agent, what the scan saw, the level, the reservation.
 *
 * In this order, each only if it applies:
 *   judge_begin    hash of the code; scan and ledger start, both on the other core
 *   judge_level    agent's facts, standing, signature, scan's result -> level
 *   judge_permit   what that level's policy forbids: language, environment, volumes, names that the scan saw, findings
 *   judge_reserve  rate limits, counted where they are booked; 1: the agent has changed meanwhile, begin again at
 * judge_level and after the run learn.h. A refusal is an error with BLAME_POLICY; `rule` says which rule it was.
 */
#pragma once
#include "base/clock.h"
#include "run/attempts.h"
#include "run/options.h"
#include "run/paths.h"
#include "config/compiled.h"
#include "plan/request.h"
#include "policy/level.h"
#include "scan/client.h"
#include "store/store.h"

struct judgement {
    struct arena *arena;
    const char *execution_id, *agent_id; /* agent_id NULL: anonymous */
    const char *key_id;                  /* of the service: the family of a new agent; NULL: none */
    bool is_nameless;                    /* the request named no agent: the key stands for it */
    bool may_override;                   /* the key may ask for a laxer level */
    char code_hash[65], plan_hash[65];   /* "" until known */

    struct store ledger;
    struct agent agent;
    bool is_agent_told;       /* by a reservation that is tried again: it is not asked for */
    bool must_ask;            /* what a process remembers of it is not enough */
    uint32_t trust;           /* drifted */
    char shape[17], tree[17]; /* of the program (scan/shape.h); "" unknown */
    uint32_t size;
    bool has_unread_input; /* what it is given while it runs has been scanned by none */
    bool is_known_bad;     /* its shape did harm before, of another agent */
    enum risk_level by_trust;
    bool has_sum;                       /* of the level */
    const struct execution_row *accept; /* struct reserve; set before judge_begin(), outlives judge_reserve() */
    struct level_sum sum;

    struct scan_resident *scanner; /* NULL: each scan has its own; set before judge_begin(), outlives it */
    struct scan_job scan;
    bool is_scanning, was_scanned;
    uint64_t scan_us, scanned_us; /* CLOCK_MONOTONIC: when it began, when its report was read; 0: it was not */
    enum language scan_language;
    struct scan_report report;
    uint32_t need_count; /* kinds of things that the program needs, */
    char needs[256];     /* and their words */
    void *report_blob;

    struct level_facts facts;
    enum risk_level level;
    struct strlist reasons;
    const char
        *rule; /* what refused: scan, blocked_modules, max_executions_per_hour, quarantine ...; NULL: nothing did */
    uint64_t retry_after_ms; /* of a limit */
    const char *nonce;       /* of a signature that was verified */

    uint32_t violation_count; /* found before, during and after the run */
    struct violation violations[STORE_MAX_VIOLATIONS];

    bool is_reserved;
    struct reserve_reply reserved;
    const char *habits;           /* what the run did (watch/habits.h); NULL: not observed */
    uint64_t bytes_in, bytes_out; /* of its connections */
    bool has_uncounted;           /* and of others that no process of ours counts (plan_counts_bytes) */
    bool is_settled;
    struct settle_reply settled;
};

void judge_init(struct judgement *j, struct arena *a, const char *execution_id);
void judge_done(struct judgement *j); /* kills what still runs */
/* After a refusal: it was decided by what a process remembers of the agent (store_agent_within). Begin again at
 * judge_level(), which asks the store now. */
bool judge_asks_again(struct judgement *j);
void judge_leave_scanner(struct judgement *j); /* it is another's now */

/* writes_nothing: for --dry-run: no cache, no database where there is none. */
int judge_begin(struct judgement *j, const struct options *o, const struct paths *p, const struct config *c,
                const struct run_request *r, bool writes_nothing, struct error *err);
/* asked: the level that --risk-level or --profile names; the default's, if none does. */
int judge_level(struct judgement *j, const struct options *o, const struct config *c, const struct run_request *r,
                enum risk_level asked, uint64_t now_ms, struct error *err);
int judge_permit(struct judgement *j, const struct config *c, const struct profile *p, const struct run_request *r,
                 struct error *err);
int judge_reserve(struct judgement *j, const struct config *c, const struct profile *p, const struct run_request *r,
                  uint64_t now_ms, struct error *err);

void judge_add_violation(struct judgement *j, const char *type, const char *detail, uint64_t at_ms);
/* Whether the run earns nothing whatever it does: a finding of high or critical severity, known-bad code. */
bool judge_has_bad_finding(const struct judgement *j);
/* What the scan found: with high severity that the code changes what the system starts or trusts (reading is not it),
 * and that it names a metadata service. */
struct intent judge_intent(const struct judgement *j);
