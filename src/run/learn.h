/* learn.h - what follows from a run or a refusal: settled in the store, told in the audit, alerts where they are due.
 */
#pragma once
#include "run/judge.h"
#include "run/trail.h"

/* Runs whose owner died: settled by the ledger when it was opened, told here. */
int learn_recovered(struct judgement *j, struct trail *t, uint64_t now_ms, struct error *err);

/* Trust, counters, violations and CPU time, in one transaction. was_stopped: by a signal to us, which is no agent's
 * failure. */
int learn_outcome(struct judgement *j, const struct trail *t, const struct config *c, const struct outcome *o,
                  bool was_stopped, uint64_t now_ms, struct error *err);
/* The audit has the run's end: no process needs to tell it for us. */
int learn_told(struct judgement *j, struct error *err);
/* A known agent was refused before anything was reserved. */
int learn_refusal(struct judgement *j, const struct config *c, enum risk_level level, uint64_t now_ms,
                  struct error *err);
/* What changed in the agent's standing, and alerts (monitoring.alerts): audit, log channel, command. */
int learn_tell(struct judgement *j, struct trail *t, const struct config *c, uint64_t now_ms, struct error *err);
