#include "policy/standing.h"

#include <stdio.h>

const char *const standing_names[] = { "good", "quarantined", "banned", NULL };

static const struct kind {
    const char *type;
    uint8_t severity;
    bool is_security;
} kinds[] = {
    /* a limit was hit: an error in the code */
    { "memory_limit", SEVERITY_MEDIUM, false },
    { "pids_limit", SEVERITY_MEDIUM, false },
    { "output_limit", SEVERITY_LOW, false },
    { "network_limit", SEVERITY_MEDIUM, false },
    { "storage_limit", SEVERITY_LOW, false },
    { "excessive_cpu_usage", SEVERITY_MEDIUM, false },
    { "excessive_memory_usage", SEVERITY_MEDIUM, false },
    /* something forbidden was tried: the courtesy layers saw it, before the run or in it */
    { "blocked_module", SEVERITY_MEDIUM, true },
    { "blocked_builtin", SEVERITY_MEDIUM, true },
    { "blocked_command", SEVERITY_MEDIUM, true },
    { "interpreter_only", SEVERITY_MEDIUM, true },
    { "scan_blocked", SEVERITY_MEDIUM, true },
    { "signature_invalid", SEVERITY_MEDIUM, true },
    { "signature_replay", SEVERITY_HIGH, true }, /* somebody kept a signature to use it again */
    { "network_access_attempt", SEVERITY_MEDIUM, true },
    { "suspicious_syscalls", SEVERITY_HIGH, true },
    { "privilege_escalation_attempt", SEVERITY_HIGH, true },
    { "fork_bomb_detection", SEVERITY_HIGH, true },
    { "port_scanning", SEVERITY_HIGH, true },
    { "crypto_mining", SEVERITY_CRITICAL, true },
    { "data_exfiltration", SEVERITY_CRITICAL, true },
    { "reverse_shells", SEVERITY_CRITICAL, true },
};

static struct kind find(const char *type)
{
    for (size_t i = 0; type && i < ARRAY_LEN(kinds); i++)
        if (str_eq(type, kinds[i].type))
            return kinds[i];
    return (struct kind){ type, SEVERITY_MEDIUM, true };
}

bool violation_is_security(const char *type)
{
    return find(type).is_security;
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

static void say_window(uint64_t ms, char out[static 32])
{
    if (ms >= 3600000 && ms % 3600000 == 0)
        (void)snprintf(out, 32, "%llu h", (unsigned long long)(ms / 3600000));
    else
        (void)snprintf(out, 32, "%llu s", (unsigned long long)(ms / 1000));
}

enum standing standing_after(const struct standing_rules *r, enum standing now, uint32_t count, uint8_t worst,
                             char why[static 160])
{
    why[0] = '\0';
    if (now == STANDING_BANNED || worst == SEVERITY_INFO)
        return now;
    if (r->ban_on_severe && worst >= SEVERITY_CRITICAL) {
        (void)snprintf(why, 160, "a critical violation (security.responses.ban_on_severe_violations)");
        return STANDING_BANNED;
    }
    if (now == STANDING_QUARANTINED || !r->quarantine_on_violations || count < r->quarantine_on_violations)
        return now;
    char window[32];
    say_window(r->window_ms, window);
    (void)snprintf(why, 160, "%u violations within %s (security.responses.quarantine_on_violations is %u)", count,
                   window, r->quarantine_on_violations);
    return STANDING_QUARANTINED;
}
