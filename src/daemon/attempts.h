/* attempts.h - how often each agent asked for a run in the last hour, refused ones included: what the alert on one
 * agent's attempts is made of.
 *
 * In memory, since agents are no labels of metrics, and refused attempts are no rows of the store. Bounded: of more
 * than ATTEMPTS_MAX_AGENTS agents in an hour those that were silent longest are forgotten, so the busy ones stay.
 * Begins empty with the service. Thread-safe.
 */
#pragma once
#include "base/agent_id.h"
#include "base/base.h"

#define ATTEMPTS_MAX_AGENTS 4096u
#define ATTEMPTS_WINDOW_MIN 60u /* minutes; the count is of the running minute and the 59 before */

struct attempts;
struct attempts *attempts_new(void); /* NULL: no memory */
struct attempts *attempts_free(struct attempts *a);
/* id: at most AGENT_ID_MAX bytes; NULL or "": anonymous, which is not counted. now_ms: monotonic. */
void attempts_add(struct attempts *a, const char *id, uint64_t now_ms);

struct attempts_row {
    char id[AGENT_ID_MAX + 1];
    uint32_t count;
};
/* The busiest first, at most `max`; -> how many. */
size_t attempts_busiest(struct attempts *a, uint64_t now_ms, struct attempts_row *rows, size_t max);
