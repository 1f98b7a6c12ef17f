/* cgroup.h - one group of processes with limits, on cgroup v2 or v1 alike.
 *
 * Each sandbox (or prepared slot) gets a directory «sandbox-agent.<launcher pid>.<number>» in a place
 * found once at start. The launcher holds a flock on it while it lives: a process that can take the lock
 * of such a directory may remove it (cgroup_sweep), since its owner is dead.
 *
 * v2: clone3 puts the child into the group (CLONE_INTO_CGROUP).
 * v1: the child writes «0» into each `tasks` file itself. That is not a detail: moving *another* process, or
 *     a thread group through cgroup.procs, takes the kernel's cgroup_threadgroup_rwsem, which costs an RCU
 *     grace period (5 to 15 ms after idle, measured on 6.18); a single thread moving itself takes no lock
 *     (cgroup_procs_write_start(), since 5.3) and costs 30 us.
 */
#pragma once
#include "launch/disks.h"
#include "launch/launch.h"

#define CGROUP_MAX_DIRS 5 /* v1: memory, pids, cpu, blkio, of a session also freezer; v2: one */
#define CGROUP_NO_DIRS     \
    {                      \
        -1, -1, -1, -1, -1 \
    }

struct cgroup_host {
    enum cgroup_kind kind;
    char parent[CGROUP_MAX_DIRS][512]; /* "" where that controller is not available */
    char why[160];                     /* kind NONE, or a controller is missing: why */
    char outer[512];                   /* v2: where parent[0], a node of this launcher's own, was made */
    int inner_fd;                      /* v2: parent[0] */
};

struct cgroup {
    enum cgroup_kind kind;
    char name[64];
    int dir[CGROUP_MAX_DIRS]; /* -1: not there */
    uint32_t features;        /* FEATURE_MEMORY, _CPU, _PIDS, _IO in force */
    uint64_t memory_bytes;    /* as read back */
    bool is_tcp_counted;      /* v1: what waits in TCP sockets has its limit, too */
    uint32_t cpu_milli, pids;
    struct disks disks; /* with limits of resources.io */
    char io_why[160];   /* FEATURE_IO is not in force: why */
};

struct cgroup_usage {
    uint64_t peak_memory_bytes;
    uint32_t oom_kills, pids_hits;
};

bool cgroup_is_v2(void); /* the unified hierarchy, alone, at its usual place */
/* Looks at this machine; never fails (kind NONE and why). stays: we are a service's, and keep to what systemd delegated
 * to it (delegated.h). */
void cgroup_find(struct cgroup_host *h, bool stays);
/* Makes the group, without limits yet. */
int cgroup_create(const struct cgroup_host *h, unsigned number, struct cgroup *ret, struct error *err);
/* Gives it the shape's limits (+ extra_tasks of our own) and reads them back. What cannot be had is missing in
 * g->features. */
void cgroup_limit(struct cgroup *g, const struct shape *s, uint32_t extra_tasks);
/* Another number of tasks in all. 0 or -errno; 0 where none are counted. */
int cgroup_set_tasks(const struct cgroup *g, uint64_t tasks);
/* For a sandbox that may be paused; before cgroup_let_join(). On v1 it makes the group in the freezer's hierarchy. What
 * cannot be had shows by cgroup_can_freeze(). */
void cgroup_add_freezer(const struct cgroup_host *h, struct cgroup *g);
bool cgroup_can_freeze(const struct cgroup *g);
/* 0 or -errno. Takes until cgroup_is_frozen(): a task that is over its CPU share freezes only when it may run again.
 * v2: what is frozen can be killed. v1: it dies when it is thawed. */
int cgroup_freeze(const struct cgroup *g, bool on);
bool cgroup_is_frozen(const struct cgroup *g);
int cgroup_thaw_file(const struct cgroup *g); /* v1: a descriptor to which «THAWED» is written, or -errno */
/* The CPU limit is lifted, or as it was. 0 or -errno. */
int cgroup_hold_cpu(const struct cgroup *g, bool is_limited);
/* Tells who waits in step CGROUP at the other end of sock that the limits are set; on v1 it then joins by itself. */
int cgroup_let_join(const struct cgroup *g, int sock);
/* How often a fork was refused, ever. */
uint32_t cgroup_pids_hits(const struct cgroup *g);
void cgroup_read_usage(const struct cgroup *g, struct cgroup_usage *ret);
/* CPU time of the group, ever. False: this hierarchy does not count it (v1 without cpuacct beside cpu). */
bool cgroup_cpu_us(const struct cgroup *g, uint64_t *ret);
uint32_t cgroup_tasks(const struct cgroup *g); /* processes and threads in it; 0: not known */
/* Memory without file pages that the kernel would give back at once. */
void cgroup_read_now(const struct cgroup *g, uint64_t *ret_memory_bytes, uint32_t *ret_pids);
uint32_t cgroup_processes(const struct cgroup *g); /* thread groups in it, our own included */
/* For a group that is being killed and not used again: a process that is over its CPU share dies only when it may run
 * again, up to a period (100 ms) later, and one whose read or write is held back when that is done. */
void cgroup_lift(const struct cgroup *g);
/* A prepared slot's group before its next job. */
void cgroup_reset_usage(const struct cgroup *g);
/* The group must be empty of processes. Tolerates a short delay of the kernel. */
void cgroup_destroy(const struct cgroup_host *h, struct cgroup *g);
/* v2: removes the launcher's own node. */
void cgroup_leave(struct cgroup_host *h);
/* Removes groups whose owner died, killing what still runs in them. Returns how many. A thorough one also finds owners
 * that nobody has reaped, and numbers that another process has by now; it costs some ten calls for each group that
 * there is, and the other one call. */
int cgroup_sweep(const struct cgroup_host *h, bool is_thorough);

/* Of v1's group dir: -> how many. Those of the first 4 KiB, and of no number that ends there: half of one is another
 * process's. */
size_t cgroup_members(int dir, pid_t *ret, size_t max);

/* Of a file below the directory dir. Bytes read, or 0; -errno. */
ssize_t cgroup_read_file(int dir, const char *path, char *out, size_t size);
int cgroup_write_file(int dir, const char *path, const char *text);
/* io.c: dir is where the controller's files are, or -1 */
bool io_is_limited(const struct shape *s); /* a limit is asked for */
void io_limit(struct cgroup *g, int dir, const struct shape *s);
void io_lift(const struct cgroup *g, int dir);
