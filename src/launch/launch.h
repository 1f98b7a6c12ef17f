/* launch.h - how the launcher works, and what its files share.
 *
 * Three processes of ours take part in a run:
 *
 *   launcher   outside. Reads run requests, makes the cgroup, clones init, writes its id maps, keeps the
 *              deadline, decides the outcome, removes what it made. One event loop, no threads.
 *   keeper     only for prepared slots (slot.c): lives in the slot's user, net and uts namespace and
 *              in its cgroup, clones one init per job.
 *   init       pid 1 inside. Walks the table of steps (steps.c), starts the payload, reaps, forwards the
 *              deadline's SIGTERM, reports the exit. When it dies the kernel ends everything inside.
 *
 * launcher <-> init talk over a SOCK_SEQPACKET pair: down come «ids are mapped» and the cgroup's task files,
 * up go one REPORT_STARTED or REPORT_FAILED and one REPORT_ENDED. If either side dies, the other sees it: init by
 * PDEATHSIG and end of file, the launcher by its pidfd and end of file.
 *
 * Links libc and nothing else; everything here runs in processes without threads.
 */
#pragma once
#include "base/kernel.h"
#include "plan/plan.h"

#include <sys/resource.h>

#define MAX_VOLUMES 16

/* descriptor numbers inside init, fixed so that one close_range() sweeps the rest */
enum { INIT_FD_REPORT = 3, INIT_FD_CODE = 4, INIT_FD_ARTIFACT = 5, INIT_FD_FIRST_FREE = 6 };

/* LISTENER comes first where the filter notifies, from the payload's process, with the descriptor */
enum report_type { REPORT_STARTED = 1, REPORT_FAILED, REPORT_ENDED, REPORT_LISTENER };

struct report {
    uint32_t type;
    uint32_t features;     /* STARTED: what init put in force */
    uint32_t landlock_abi; /* STARTED */
    int32_t wait_status;   /* ENDED */
    uint64_t artifact_bytes;
    uint32_t step_count;
    struct {
        uint32_t name; /* index in the table of steps */
        uint32_t at_us;
    } steps[OUTCOME_MAX_STEPS];
    struct error error; /* FAILED */
};

/* what launcher sends down, one byte each */
#define DOWN_MAPPED 'm'
#define DOWN_CGROUP 'c' /* with 0..3 descriptors of v1 `tasks` files */

/* Everything init (or a keeper) needs; copied by clone. */
struct init_ctx {
    const struct shape *shape;
    const struct job *job;
    int report_fd, fds[RUN_FD_MAX];
    bool joins_cgroup;       /* v1: receive task files and write ourselves into them */
    bool drop_groups;        /* root launcher: setgroups(0) is possible */
    bool measured;           /* no cgroup: tighter rlimits help the supervisor's measuring */
    uint32_t extra_tasks;    /* our own tasks inside the sandbox's limits */
    uint64_t start_us;       /* CLOCK_MONOTONIC when the request was read */
    int root_mount_fd;       /* between PIVOT and MASKS */
    struct report report;    /* built up on the way */
    volatile int exec_errno; /* written by the vforked payload process in our memory */
};

uint64_t now_us(void);

/* steps.c */
enum step_phase { PHASE_PREPARE = 1, PHASE_JOB = 2 };
int steps_run(struct init_ctx *c, unsigned phases, struct error *err);
const char *step_name(uint32_t index);

/* init.c: never returns */
_Noreturn void init_main(struct init_ctx *c, unsigned phases);

/* the steps, by file. Each returns 0 or a filled error. */
int step_session(struct init_ctx *c, struct error *err);      /* session.c */
int step_descriptors(struct init_ctx *c, struct error *err);
int step_namespaces(struct init_ctx *c, struct error *err);   /* namespaces.c */
int step_identity(struct init_ctx *c, struct error *err);     /* identity.c */
int step_loopback(struct init_ctx *c, struct error *err);     /* namespaces.c */
int step_hostname(struct init_ctx *c, struct error *err);     /* namespaces.c */
int step_cgroup(struct init_ctx *c, struct error *err);       /* cgroup.c */
int step_job_namespaces(struct init_ctx *c, struct error *err);
int step_apparmor(struct init_ctx *c, struct error *err);     /* session.c */
int step_root(struct init_ctx *c, struct error *err);         /* mounts.c */
int step_mounts(struct init_ctx *c, struct error *err);
int step_files(struct init_ctx *c, struct error *err);
int step_pivot(struct init_ctx *c, struct error *err);
int step_masks(struct init_ctx *c, struct error *err);
int step_rlimits(struct init_ctx *c, struct error *err);      /* limits.c */
int step_landlock(struct init_ctx *c, struct error *err);     /* landlock.c */
int step_capabilities(struct init_ctx *c, struct error *err); /* identity.c */
int step_no_new_privs(struct init_ctx *c, struct error *err); /* session.c */

/* payload side, called between vfork and exec: 0 or -errno */
int seccomp_load(struct bytes filter);  /* seccomp.c */
int seccomp_load_listening(struct bytes filter); /* the listener's descriptor, or -errno */
int seccomp_load_init(void);            /* init's own short filter, once the payload runs */
int seccomp_check(struct bytes filter, struct error *err);

/* require.c: what is known inside, just before the payload starts */
int require_check_inside(const struct init_ctx *c, struct error *err);
const char *missing_reason(enum feature f, const char *cgroup_why);

/* plan checks that the launcher does again, whoever sent it */
int plan_check(const struct shape *s, const struct job *j, struct error *err); /* check.c */

/* message.c: one message with descriptors over a SOCK_SEQPACKET pair */
ssize_t receive_message(int sock, void *data, size_t size, int *fds, size_t max, size_t *ret_count);
int send_message(int sock, const void *data, size_t size, const int *fds, size_t count);

static inline void feature_set(uint32_t *features, enum feature f)
{
    *features |= UINT32_C(1) << f;
}
static inline bool feature_has(uint32_t features, enum feature f)
{
    return features >> f & 1;
}
