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
/* A limit that was hit is an error in the code; a forbidden thing that was tried is a matter of security: only the
 * latter costs trust as a violation and counts for quarantine. The table is in standing.c; a type that is not in it
 * counts as security, medium: what is new is not harmless because nobody listed it. */
bool violation_is_security(const char *type);
/* From SEVERITY_CRITICAL on a violation bans (security.responses.ban_on_severe_violations). */
uint8_t violation_severity(const char *type);
/* The types of the table, one by one; NULL: no more. */
const char *violation_type(size_t i);

struct standing_rules {                /* from security.responses.* */
    uint32_t quarantine_on_violations; /* so many within the window; 0: never */
    uint64_t window_ms;
    bool ban_on_severe;
};
struct standing_rules standing_rules_from(const struct config *c);
/* After a run: `count` security violations within the window (this run's among them; one run counts each type once),
 * the worst of this run's (SEVERITY_INFO: it had none, and nothing changes). Never better than `now`: only an
 * administrator releases. `why` gets the sentence when the standing got worse, else "". */
enum standing standing_after(const struct standing_rules *r, enum standing now, uint32_t count, uint8_t worst,
                             char why[static 160]);
