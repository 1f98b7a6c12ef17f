/* capabilities_api.h - GET /capabilities: what this host and this configuration can do.
 *
 * The host's part is the word of `sandbox-policy doctor`, which tries things for some seconds: it is run when it is asked for the first time, and again
 * when configuration and profiles have been loaded anew. It runs as the service does; what a launcher started by root can do beyond that, results show.
 */
#pragma once
#include <pthread.h>
#include "base/buf.h"
#include "run/policy.h"

struct call;
struct http_answer;

struct capabilities {
    pthread_mutex_t lock; /* also while the doctor is at work: whoever comes meanwhile waits for the same answer */
    struct policy_set *of; /* what was in force then; a reference */
    struct buf doctor;     /* one JSON object; empty: not known */
};
void capabilities_init(struct capabilities *k);
void capabilities_done(struct capabilities *k);
void capabilities_show(struct call *c, struct http_answer *a);
