#include "watch/detect.h"

#include <stdio.h>

#include "base/pages.h"

const char *const detector_names[] = { "crypto_mining",          "port_scanning",
                                       "data_exfiltration",      "reverse_shells",
                                       "network_access_attempt", "privilege_escalation_attempt",
                                       "suspicious_syscalls",    "fork_bomb_detection",
                                       "excessive_cpu_usage",    "excessive_memory_usage",
                                       "suspected_exfiltration", NULL };
_Static_assert(ARRAY_LEN(detector_names) == DETECTOR_COUNT + 1, "a detector has no name");

struct watch {
    const struct profile *profile;
    enum detector_mode mode[DETECTOR_COUNT];
    bool has_fired[DETECTOR_COUNT];
    struct mining mining;
    struct scanning scanning;
    struct exfiltration exfiltration;
    struct shells shells;
    struct nothing network;
    struct hunting privilege;
    struct calls calls;
    struct forks forks;
    struct cpu_use cpu;
    struct fullness memory;
    struct suspicion suspicion;
    struct family family;
};
_Static_assert(sizeof(struct watch) <= 128 * 1024, "what a run can make us remember is bounded");

typedef bool detect_fn(void *state, const struct watch_event *e, const struct profile *p, struct evidence *ret);
#define DETECT(fn, T)                                                                                              \
    static bool call_##fn(void *state, const struct watch_event *e, const struct profile *p, struct evidence *ret) \
    {                                                                                                              \
        return fn((T *)state, e, p, ret);                                                                          \
    }
DETECT(detect_mining, struct mining)
DETECT(detect_scanning, struct scanning)
DETECT(detect_exfiltration, struct exfiltration)
DETECT(detect_shells, struct shells)
DETECT(detect_network, struct nothing)
DETECT(detect_privilege, struct hunting)
DETECT(detect_calls, struct calls)
DETECT(detect_forks, struct forks)
DETECT(detect_cpu, struct cpu_use)
DETECT(detect_memory, struct fullness)
DETECT(detect_suspicion, struct suspicion)

/* In the order of enum detector. What switches one on beside kill_switches: its word in pattern_matching, or a key. */
static const struct row {
    detect_fn *detect;
    uint32_t state;
    bool is_pattern;
    uint32_t key; /* offset in struct profile */
} rows[DETECTOR_COUNT] = {
    { call_detect_mining, offsetof(struct watch, mining), true, 0 },
    { call_detect_scanning, offsetof(struct watch, scanning), true, 0 },
    { call_detect_exfiltration, offsetof(struct watch, exfiltration), true, 0 },
    { call_detect_shells, offsetof(struct watch, shells), true, 0 },
    { call_detect_network, offsetof(struct watch, network), false,
      offsetof(struct profile, monitoring.network_attempt_detection) },
    { call_detect_privilege, offsetof(struct watch, privilege), false,
      offsetof(struct profile, monitoring.privilege_escalation_detection) },
    { call_detect_calls, offsetof(struct watch, calls), false,
      offsetof(struct profile, monitoring.syscall_monitoring) },
    { call_detect_forks, offsetof(struct watch, forks), false, offsetof(struct profile, monitoring.detect_anomalies) },
    { call_detect_cpu, offsetof(struct watch, cpu), false, offsetof(struct profile, monitoring.detect_anomalies) },
    { call_detect_memory, offsetof(struct watch, memory), false,
      offsetof(struct profile, monitoring.detect_anomalies) },
    { call_detect_suspicion, offsetof(struct watch, suspicion), false, 0 }, /* as data_exfiltration */
};

enum detector_mode detector_mode_of(const struct profile *p, enum detector d)
{
    const struct row *r = &rows[d];
    if (d == DETECT_SUSPICION)
        return detector_mode_of(p, DETECT_DATA_EXFILTRATION) == DETECTOR_OFF ? DETECTOR_OFF : DETECTOR_REPORT;
    if (profile_kills(p, detector_names[d]))
        return DETECTOR_KILL;
    /* privilege probes: bpf, userfaultfd and their like are both */
    if (d == DETECT_SYSCALLS && p->monitoring.privilege_escalation_detection)
        return DETECTOR_REPORT;
    const bool is_on = r->is_pattern ? profile_recognises(p, detector_names[d])
                                     : *(const bool *)((const char *)p + r->key);
    return is_on ? DETECTOR_REPORT : DETECTOR_OFF;
}

struct watch *watch_new(const struct profile *p)
{
    struct watch *w = pages_alloc(sizeof *w);
    if (!w)
        return NULL;
    w->profile = p;
    for (int d = 0; d < DETECTOR_COUNT; d++)
        w->mode[d] = detector_mode_of(p, (enum detector)d);
    return w;
}

struct watch *watch_free(struct watch *w)
{
    pages_free(w, sizeof *w);
    return NULL;
}

/* A suspicion adds nothing to what is certain. */
static bool is_settled(const struct watch *w, enum detector d)
{
    return w->has_fired[d] || (d == DETECT_SUSPICION && w->has_fired[DETECT_DATA_EXFILTRATION]);
}

size_t watch_feed(struct watch *w, const struct watch_event *e, struct watch_finding ret[static DETECTOR_COUNT])
{
    size_t n = 0;
    family_note(&w->family, e);
    for (int mode = DETECTOR_KILL; mode > DETECTOR_OFF; mode--)
        for (int d = 0; d < DETECTOR_COUNT; d++) {
            struct evidence evidence;
            if (w->mode[d] != (enum detector_mode)mode || is_settled(w, (enum detector)d) ||
                !rows[d].detect((char *)w + rows[d].state, e, w->profile, &evidence))
                continue;
            w->has_fired[d] = true;
            ret[n] = (struct watch_finding){ .detector = (enum detector)d, .mode = w->mode[d], .at_us = e->at_us };
            family_tell(&w->family, e, &evidence);
            memcpy(ret[n++].evidence, evidence.text, sizeof evidence.text);
        }
    return n;
}
