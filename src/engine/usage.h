/* usage.h - a container's control group as the host sees it: the limits that are in force, and what was used. v1 and
 * v2.
 *
 * Found by the pid that the engine names, and only where that pid's group carries the container's id: an engine in
 * another pid namespace (a virtual machine, another container) names some pid, and it may be any process's here.
 */
#pragma once
#include "plan/plan.h"

#define GROUP_DIRS 4 /* v1: memory, pids, cpu, cpuacct; v2: one */

struct group {
    enum cgroup_kind kind; /* CGROUP_NONE: cannot be seen from here */
    int dir[GROUP_DIRS];   /* -1: that controller is not there */
    bool is_shared; /* CGROUP_NONE: seen well enough, but it is no group of the container's own, so nothing limits it */
    uint32_t host_uid; /* of the container's first process, as seen from here; UINT32_MAX: cannot be told */
};
struct group_limits {                  /* 0: none */
    uint64_t memory_bytes, swap_bytes; /* swap: beyond memory; UINT64_MAX: cannot be told */
    uint32_t cpu_milli;
    uint64_t pids;
};
struct group_usage {
    uint64_t peak_memory_bytes, cpu_us;
    uint32_t oom_kills, pids_hits;
};

/* The path of `controller` («» for v2) in a /proc/PID/cgroup, if it carries id. Into out; false: not there, or it leads
 * upward. */
bool group_path(const char *text, const char *controller, const char *id, char *out, size_t size);
/* Of a /proc/PID/status. UINT32_MAX: it does not say. */
uint32_t group_uid(const char *status);
void group_init(struct group *g);
/* pid_ns: inode of the container's pid namespace, as seen inside. Where the process has the same one, it is the
 * container's whatever its group is called. */
void group_open(struct group *g, uint64_t pid, const char *id, uint64_t pid_ns);
void group_close(struct group *g);
void group_read_limits(const struct group *g, struct group_limits *ret);
void group_read_usage(const struct group *g, struct group_usage *ret);
void group_read_now(const struct group *g, uint64_t *ret_memory_bytes, uint32_t *ret_pids);

/* The first number in text, or after «key » at the start of one of its lines. «max», nothing: other. */
uint64_t group_number(const char *text, const char *key, uint64_t other);
