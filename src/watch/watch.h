/* watch.h - from events to violations: detectors over one run's stream. Pure: no I/O; time is what the events say.
 *
 * Each detector is a small function over (its state, an event, its thresholds); a table names them. It fires at most
 * once a run. The same stream gives the same findings, live or replayed (`sandbox-agent watch replay FILE`).
 */
#pragma once
#include "config/profile.h"
#include "watch/event.h"

enum detector {
    DETECT_CRYPTO_MINING,
    DETECT_PORT_SCANNING,
    DETECT_DATA_EXFILTRATION,
    DETECT_REVERSE_SHELLS,
    DETECT_NETWORK,
    DETECT_PRIVILEGE,
    DETECT_SYSCALLS,
    DETECT_FORK_BOMB,
    DETECT_CPU,
    DETECT_MEMORY,
    DETECT_SUSPICION,
    DETECTOR_COUNT
};
enum detector_mode { DETECTOR_OFF, DETECTOR_REPORT, DETECTOR_KILL };
extern const char *const detector_names[]; /* crypto_mining ... suspected_exfiltration, NULL: the names of violations
                                              and, but for the last, of kill switches */

/* In kill_switches: kill. Else its monitoring key (pattern_matching, network_attempt_detection,
 * privilege_escalation_detection, syscall_monitoring for suspicious_syscalls, detect_anomalies for the last three) is
 * on: report. Else off. suspected_exfiltration is reported where data_exfiltration is looked for, and kills nowhere. */
enum detector_mode detector_mode_of(const struct profile *p, enum detector d);

#define WATCH_EVIDENCE_MAX 640u
struct watch_finding {
    enum detector detector;
    enum detector_mode mode;
    uint64_t at_us;                    /* of the deciding event */
    char evidence[WATCH_EVIDENCE_MAX]; /* which events, in words, and of which process: inside, outside, its parents */
};

struct watch;                                     /* about 110 KiB at most, whatever the stream says */
struct watch *watch_new(const struct profile *p); /* borrows p; NULL: no memory */
struct watch *watch_free(struct watch *w);
/* How many detectors fired at this event (at most DETECTOR_COUNT), worst mode first. */
size_t watch_feed(struct watch *w, const struct watch_event *e, struct watch_finding ret[static DETECTOR_COUNT]);
