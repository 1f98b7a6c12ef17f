/* capabilities_api.h - GET /capabilities: what this host and this configuration can do.
 *
 * The host's part is the word of `sandbox-policy doctor`, which tries things for some seconds. An answer may be
 * CAPABILITIES_AGE_S old, or as old as the caller permits; then, and when configuration and profiles have been loaded
 * anew, the doctor is asked again, one at a time: who comes meanwhile waits for the same answer, if it must be a new
 * one. It runs as the service does; what a launcher started by root can do beyond that, results show.
 */
#pragma once
#include <pthread.h>
#include "audit/line.h"
#include "base/buf.h"
#include "run/policy.h"

struct call;
struct http_answer;

#define CAPABILITIES_AGE_S 60u

struct capabilities {
    pthread_mutex_t lock;
    pthread_cond_t answered;  /* the doctor has come to its end */
    bool is_asking;           /* a request does, without the lock */
    uint64_t asked;           /* how often one came to its end */
    struct error failure;     /* of the last one; code 0: none */
    struct policy_set *of;    /* what was in force then; a reference */
    struct buf doctor;        /* one JSON object; empty: not known */
    uint64_t begun_ms;        /* clock_ms() when that doctor began */
    char at[AUDIT_TIME_SIZE]; /* the same for people */
};
void capabilities_init(struct capabilities *k);
void capabilities_done(struct capabilities *k);
void capabilities_show(struct call *c, struct http_answer *a);
