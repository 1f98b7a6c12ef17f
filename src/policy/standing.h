/* standing.h - may this agent run at all: in good standing, quarantined, banned. Pure. */
#pragma once
#include "base/severity.h"
#include "config/config.h"

enum standing { STANDING_GOOD, STANDING_QUARANTINED, STANDING_BANNED, STANDING_COUNT };
extern const char *const standing_names[]; /* "good", "quarantined", "banned", NULL */

/* One thing a run did that it should not have. Borrows its strings. */
struct violation {
    const char *type; /* blocked_module, memory_limit, ... */
    const char *detail;
    uint64_t at_ms;   /* since the start of the run */
    uint8_t severity; /* enum severity */
};
/* What an act is, by itself and its target, whichever layer saw or stopped it:
 *   limit        a limit was hit: an error in the code
 *   restriction  this level does not offer it, another one does: no offence, and no cost
 *   attempt      hostile, and a layer stopped it before it could matter
 *   violation    hostile at every level
 * Attempts and violations are offences: they are remembered, and lead to quarantine. The table is in standing.c; a type
 * that is not in it is a violation of medium severity: what is new is not harmless because it is not listed. */
enum act_class { ACT_LIMIT, ACT_RESTRICTION, ACT_ATTEMPT, ACT_VIOLATION, ACT_CLASSES };
extern const char *const act_class_names[];
enum act_class violation_class(const char *type);
/* Whether it is an offence. */
bool violation_is_security(const char *type);
/* From SEVERITY_CRITICAL on a violation bans (security.responses.ban_on_severe_violations). */
uint8_t violation_severity(const char *type);
/* The types of the table, one by one; NULL: no more. */
const char *violation_type(size_t i);

struct standing_rules {                /* from security.responses.* */
    uint32_t quarantine_on_violations; /* so many in memory; 0: never */
    uint64_t window_ms;                /* the memory of an agent without a past */
    bool ban_on_severe;
};
struct standing_rules standing_rules_from(const struct config *c);
/* The memory: longer by itself with each earlier quarantine. */
uint64_t offence_memory_ms(const struct standing_rules *r, uint64_t quarantines);
/* What an offence of this age still weighs, in thousandths: 1000 in the first half of the memory, then less, at its end
 * nothing. */
uint32_t offence_weight(const struct standing_rules *r, uint64_t quarantines, uint64_t age_ms);

struct offences { /* in memory, this run's among them; one run counts each type once */
    uint32_t count;
    uint64_t weight; /* sum of offence_weight() */
    uint64_t quarantines;
};
/* After a run: its worst offence has this severity (SEVERITY_INFO: it had none, and nothing changes). Never better than
 * `now`: only an administrator releases. `why` gets the sentence when the standing got worse, else "". */
enum standing standing_after(const struct standing_rules *r, enum standing now, const struct offences *o, uint8_t worst,
                             char why[static 160]);
