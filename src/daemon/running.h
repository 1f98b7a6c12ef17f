/* running.h - what runs on this machine, for `ps` and `top`: the service's executions and sessions, by its API, and
 * runs that the command line started by itself, which are seen in /proc. One row each. */
#pragma once
#include <sys/types.h>
#include "base/agent_id.h"
#include "base/buf.h"
#include "daemon/service_client.h"
#include "watch/live.h"

#define RUNNING_MAX 2000u

enum running_kind { RUNNING_EXECUTION, RUNNING_DIRECT, RUNNING_SESSION, RUNNING_KINDS };
extern const char *const running_kind_names[];

struct running_row {
    enum running_kind kind;
    char id[64]; /* of the execution or session; of a direct run the pid of its sandbox-agent */
    char agent[AGENT_ID_MAX + 1], language[32], level[16], state[16]; /* "": not known */
    pid_t pid;                                                        /* DIRECT */
    uint64_t age_ms;                                                  /* since it was accepted, or began */
    bool has_usage;
    struct live_usage usage; /* at_us: when it was looked at, since it began */
    uint32_t cpu_milli;      /* cores in use, in thousandths: since the look before, or since it began */
};
struct running {
    struct running_row *rows; /* owned */
    size_t count;
    bool is_cut; /* there are more */
};

enum running_order { BY_AGE, BY_CPU, BY_MEMORY, BY_PROCESSES, BY_NETWORK, BY_AGENT, RUNNING_ORDERS };
extern const char *const running_order_names[]; /* age cpu memory processes network agent, NULL */

/* Adds the service's. -EIO: it does not answer; -EACCES: it wants another key; other errors are its word. */
int running_add_service(struct running *r, const struct service_client *c, struct error *err);
/* Adds those of /proc: a sandbox-launcher below a sandbox-agent. What cannot be read is left out. */
void running_add_direct(struct running *r, const char *proc);
/* CPU by what was before (borrowed), then in this order; the largest or newest first, agents by name. */
void running_sort(struct running *r, const struct running *before, enum running_order order);
void running_done(struct running *r);

/* A table with a line of heads; chosen: this row is marked, SIZE_MAX: none. columns 0: as wide as it is. */
void running_print(const struct running *r, size_t chosen, unsigned columns, size_t from, size_t most, struct buf *out);
void running_json(const struct running *r, struct buf *out);

/* --- what is done to one: 0, or an error that says why not --- */
int running_end(const struct running_row *row, const struct service_client *c, const char *reason, struct error *err);
int running_quarantine(const struct running_row *row, const struct service_client *c, const char *reason,
                       struct error *err);
