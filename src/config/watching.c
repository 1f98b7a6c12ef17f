/* watching.c - from a profile's words to what has to be seen: each key and detector names its sources. */
#include "config/profile.h"

#include <stdatomic.h>

#include "base/watch_bits.h"

/* In the order of the choices of monitoring.pattern_matching */
static const uint32_t pattern_needs[] = {
    NOTIFY_EXEC | NOTIFY_SAMPLES | NOTIFY_WORDS, /* crypto_mining */
    0,                                           /* port_scanning: the broker tells in any case */
    0,                                           /* data_exfiltration: likewise */
    NOTIFY_EXEC | NOTIFY_STDIO,                  /* reverse_shells */
};

/* In the order of the choices of kill_switches, behind which the patterns follow in theirs */
static const uint32_t switch_needs[] = {
    NOTIFY_SAMPLES,                             /* excessive_cpu_usage */
    NOTIFY_SAMPLES,                             /* excessive_memory_usage */
    NOTIFY_SOCKETS,                             /* network_access_attempt */
    NOTIFY_CALLS | NOTIFY_EXEC | NOTIFY_LEVERS, /* privilege_escalation_attempt: set-id programs, too */
    NOTIFY_CALLS,                               /* suspicious_syscalls */
    NOTIFY_SAMPLES,                             /* fork_bomb_detection; forks are not asked about for it: see below */
};

static uint32_t needs_of(uint32_t bits, const uint32_t *needs, size_t count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1)
            all |= needs[i];
    return all;
}

/* `known`: where the table has it, which each run asks two dozen times. */
static bool has_choice(const char *key, const struct setting *_Atomic *known, uint32_t bits, const char *name)
{
    const struct setting *s = atomic_load_explicit(known, memory_order_relaxed);
    if (!s)
        atomic_store_explicit(known, s = setting_find(profile_settings, key), memory_order_relaxed);
    for (size_t i = 0; s->choices[i]; i++)
        if (str_eq(s->choices[i], name))
            return bits >> i & 1;
    return false;
}

bool profile_kills(const struct profile *p, const char *name)
{
    static const struct setting *_Atomic known;
    return has_choice("kill_switches", &known, p->kill_switches, name);
}

bool profile_recognises(const struct profile *p, const char *name)
{
    static const struct setting *_Atomic known;
    return profile_kills(p, name) ||
           has_choice("monitoring.pattern_matching", &known, p->monitoring.pattern_matching, name);
}

uint32_t profile_watch(const struct profile *p)
{
    uint32_t patterns = p->monitoring.pattern_matching | p->kill_switches >> ARRAY_LEN(switch_needs);
    uint32_t watch = needs_of(patterns, pattern_needs, ARRAY_LEN(pattern_needs)) |
                     needs_of(p->kill_switches, switch_needs, ARRAY_LEN(switch_needs));
    if (p->monitoring.detect_anomalies)
        watch |= NOTIFY_SAMPLES;
    if (p->monitoring.syscall_monitoring)
        watch |= NOTIFY_CALLS;
    if (p->monitoring.privilege_escalation_detection)
        watch |= NOTIFY_CALLS | NOTIFY_EXEC | NOTIFY_LEVERS;
    if (p->monitoring.network_attempt_detection)
        watch |= NOTIFY_SOCKETS;
    if (p->monitoring.file_access_monitoring)
        watch |= NOTIFY_FILES;
    if (p->logging.audit_syscalls)
        watch |= NOTIFY_EXEC | NOTIFY_CALLS | NOTIFY_SAMPLES;
    /* Only where they must be counted: a call that is asked about may come back with EINTR when a signal arrives
     * meanwhile, which no shell expects of fork(2) (dash: «Cannot fork», when a child of its pipeline ends at that
     * moment). */
    if (p->execution.max_processes && p->execution.max_processes < p->resources.pids)
        watch |= NOTIFY_FORKS;
    if (p->network.mode == NETWORK_BRIDGE) /* sockets are what a network is for */
        return (watch & ~(uint32_t)NOTIFY_SOCKETS) | NOTIFY_BRIDGE;
    return watch & ~(uint32_t)(NOTIFY_STDIO | NOTIFY_WORDS); /* no peer outside to obey, or to mine for */
}
