/* suggest.h - the tightest profile under which the recorded good runs of an agent still pass.
 *
 * A good run ended by itself with success and without a violation. The base is the laxest level that one of them ran
 * at; what is known of all of them tightens it: memory, time, processes, hosts. Memory has a quarter more than was
 * seen, time and processes twice as much. What is not recorded (processes and hosts of a run without
 * logging.audit_syscalls) stays as the level has it, and the profile's head says so.
 */
#pragma once
#include <jansson.h>
#include "config/profile.h"
#include "net/learn.h"

struct suggestion {
    uint64_t runs, unseen;                    /* unseen: of the runs, those without a record of what they did */
    uint64_t memory_bytes, duration_ms, pids; /* the most */
    uint8_t level;                            /* enum risk_level; the laxest */
    struct net_learn *learn;
    bool has_connected, is_cut; /* is_cut: a run connected to more than its line holds */
};
void suggest_begin(struct suggestion *s); /* learn NULL: no memory */
void suggest_done(struct suggestion *s);
/* One end's line of the audit, of a run that passed then. */
void suggest_add(struct suggestion *s, uint8_t level, const json_t *line);
/* Tightens p, the profile of that level. */
int suggest_tighten(const struct suggestion *s, struct profile *p, struct error *err);
/* As a file for --profile. */
void suggest_print(const struct suggestion *s, const struct profile *p, const char *agent_id, struct buf *out);
