#include "policy/standing.h"

#include <stdio.h>

const char *const standing_names[] = { "good", "quarantined", "banned", NULL };

const char *const act_class_names[] = { "limit", "restriction", "attempt", "violation", NULL };

static const struct kind {
    const char *type;
    uint8_t severity, class;
} kinds[] = {
    /* a limit was hit: an error in the code */
    { "memory_limit", SEVERITY_MEDIUM, ACT_LIMIT },
    { "pids_limit", SEVERITY_MEDIUM, ACT_LIMIT },
    { "output_limit", SEVERITY_LOW, ACT_LIMIT },
    { "network_limit", SEVERITY_MEDIUM, ACT_LIMIT },
    { "storage_limit", SEVERITY_LOW, ACT_LIMIT },
    { "excessive_cpu_usage", SEVERITY_MEDIUM, ACT_LIMIT },
    { "excessive_memory_usage", SEVERITY_MEDIUM, ACT_LIMIT },
    /* this level does not offer it, another one does */
    { "blocked_module", SEVERITY_MEDIUM, ACT_RESTRICTION },
    { "blocked_builtin", SEVERITY_MEDIUM, ACT_RESTRICTION },
    { "blocked_command", SEVERITY_MEDIUM, ACT_RESTRICTION },
    { "interpreter_only", SEVERITY_MEDIUM, ACT_RESTRICTION },
    { "network_access_attempt", SEVERITY_MEDIUM, ACT_RESTRICTION },
    /* a hostile act that a layer stopped */
    { "hostile_write", SEVERITY_HIGH, ACT_ATTEMPT },
    { "hostile_connect", SEVERITY_HIGH, ACT_ATTEMPT },
    { "known_bad_code", SEVERITY_HIGH, ACT_ATTEMPT },
    /* hostile at every level */
    { "signature_invalid", SEVERITY_MEDIUM, ACT_VIOLATION },
    { "signature_replay", SEVERITY_HIGH, ACT_VIOLATION },         /* a signature was kept to be used again */
    { "suspected_exfiltration", SEVERITY_MEDIUM, ACT_VIOLATION }, /* an honest program may look so */
    { "suspicious_syscalls", SEVERITY_HIGH, ACT_VIOLATION },
    { "privilege_escalation_attempt", SEVERITY_HIGH, ACT_VIOLATION },
    { "fork_bomb_detection", SEVERITY_HIGH, ACT_VIOLATION },
    { "port_scanning", SEVERITY_HIGH, ACT_VIOLATION },
    { "crypto_mining", SEVERITY_CRITICAL, ACT_VIOLATION },
    { "data_exfiltration", SEVERITY_CRITICAL, ACT_VIOLATION },
    { "reverse_shells", SEVERITY_CRITICAL, ACT_VIOLATION },
};

static struct kind find(const char *type)
{
    for (size_t i = 0; type && i < ARRAY_LEN(kinds); i++)
        if (str_eq(type, kinds[i].type))
            return kinds[i];
    return (struct kind){ type, SEVERITY_MEDIUM, ACT_VIOLATION };
}

enum act_class violation_class(const char *type)
{
    return (enum act_class)find(type).class;
}

bool violation_is_security(const char *type)
{
    return violation_class(type) >= ACT_ATTEMPT;
}

uint8_t violation_severity(const char *type)
{
    return find(type).severity;
}

const char *violation_type(size_t i)
{
    return i < ARRAY_LEN(kinds) ? kinds[i].type : NULL;
}

struct standing_rules standing_rules_from(const struct config *c)
{
    return (struct standing_rules){
        .quarantine_on_violations = c->security.responses.quarantine_on_violations,
        .window_ms = c->security.responses.violation_window,
        .ban_on_severe = c->security.responses.ban_on_severe_violations,
    };
}

#define LONGEST 12u /* memories: about a year, with the default */

uint64_t offence_memory_ms(const struct standing_rules *r, uint64_t quarantines)
{
    return r->window_ms * (1 + MIN_OF(quarantines, (uint64_t)LONGEST - 1));
}

uint32_t offence_weight(const struct standing_rules *r, uint64_t quarantines, uint64_t age_ms)
{
    const uint64_t memory = offence_memory_ms(r, quarantines), half = memory / 2;
    if (age_ms >= memory)
        return 0;
    return age_ms <= half ? 1000 : (uint32_t)((memory - age_ms) * 1000 / (memory - half));
}

static void say_window(uint64_t ms, char out[static 32])
{
    if (ms >= 2 * 86400000 && ms % 86400000 == 0)
        (void)snprintf(out, 32, "%llu days", (unsigned long long)(ms / 86400000));
    else if (ms >= 3600000 && ms % 3600000 == 0)
        (void)snprintf(out, 32, "%llu h", (unsigned long long)(ms / 3600000));
    else
        (void)snprintf(out, 32, "%llu s", (unsigned long long)(ms / 1000));
}

enum standing standing_after(const struct standing_rules *r, enum standing now, const struct offences *o, uint8_t worst,
                             char why[static 160])
{
    why[0] = '\0';
    if (now == STANDING_BANNED || worst == SEVERITY_INFO)
        return now;
    if (r->ban_on_severe && worst >= SEVERITY_CRITICAL) {
        (void)snprintf(why, 160, "a critical violation (security.responses.ban_on_severe_violations)");
        return STANDING_BANNED;
    }
    if (now == STANDING_QUARANTINED || !r->quarantine_on_violations ||
        o->weight < (uint64_t)r->quarantine_on_violations * 1000)
        return now;
    char window[32];
    say_window(offence_memory_ms(r, o->quarantines), window);
    (void)snprintf(why, 160, "%u violations within %s (security.responses.quarantine_on_violations is %u)", o->count,
                   window, r->quarantine_on_violations);
    return STANDING_QUARANTINED;
}
