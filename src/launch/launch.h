/* launch.h - how the launcher works, and what its files share.
 *
 * Processes of ours in a run:
 *
 *   launcher   outside. Reads run requests, from one connection or many (control.h), writes id maps and limits, keeps
 * the deadline, decides the outcome, removes what it made. One event loop, no threads. spare      a process cloned
 * before it is known what for (spare.c): pid 1 of a fresh pid namespace in a fresh user namespace. Its first message
 * makes it one of the next two. helper     beside it, for a millisecond: makes the network namespace on the other core
 * (namespaces.c). init       pid 1 inside. Walks the rest of the steps, starts the payload, reaps, forwards the
 * deadline's SIGTERM, reports the exit. When it dies the kernel ends everything inside. opener     only in root's
 * launcher for another user's client, for a millisecond: is that user, and opens a volume (rights.c). keeper     only
 * for prepared slots (slot.c): has walked the steps of a shape and clones one init per job.
 *
 * They talk over SOCK_SEQPACKET pairs: down come struct down messages, up go struct report messages. If either side
 * dies the other sees it: inside by PDEATHSIG and end of file, the launcher by its pidfd.
 *
 * Links libc and nothing else; everything here runs in processes without threads.
 */
#pragma once
#include "base/kernel.h"
#include "base/message.h"
#include "plan/plan.h"

#include <sys/resource.h>

#define MAX_VOLUMES 18 /* those of a request, a package set, and a session's /workspace on the disk */

/* descriptor numbers inside, fixed so that one close_range() sweeps the rest */
enum {
    INIT_FD_REPORT = 3,
    INIT_FD_CODE,
    INIT_FD_ARTIFACT,
    INIT_FD_GUARD,
    INIT_FD_WORKSPACE,
    INIT_FD_STEWARD,
    INIT_FD_ATTR,
    INIT_FD_SELINUX,
    INIT_FD_ENFORCE,
    INIT_FD_ROOT,
    INIT_FD_HELPER,
    INIT_FD_COVERS,
    INIT_FD_VOLUMES,
    INIT_FD_FIRST_FREE = INIT_FD_VOLUMES + MAX_VOLUMES,
    /* an instance that is opened early (park.c) has no volumes, and in their place: */
    INIT_FD_WORK = INIT_FD_VOLUMES,              /* our ends: of the pipe with the work, */
    INIT_FD_TAKEN,                               /* and of the one that says it was taken; */
    INIT_FD_LATE,                                /* the files that are still empty; */
    INIT_FD_PARK = INIT_FD_LATE + WORK_MAX_LATE, /* the program's ends, at no number that it gets (dup2) */
    INIT_FD_TAKES
};

/* --- down: launcher -> spare, init, keeper ------------------------------------------------------- */

enum down_type {
    DOWN_RUN = 1,    /* to a spare: shape and job follow, with RUN_FD_* descriptors: become init */
    DOWN_KEEP,       /* to a spare: a shape follows: become a keeper */
    DOWN_KEEP_PLAIN, /* likewise, and never an interpreter that is forked, though the shape names one (template.h) */
    DOWN_JOB,        /* to a keeper: a job follows, with the job's report socket and RUN_FD_* */
    DOWN_MAPPED,     /* the id maps are written */
    DOWN_VOLUMES,    /* from root's launcher: the volumes' trees, in the order of the shape (volumes.c) */
    DOWN_WORK,       /* to an init whose job has park_fd: work follows, with the code's descriptor */
    DOWN_LIMITED, /* the cgroup has its limits, and what the profile requires of it is there. On v1: its `tasks` files
                   */
};
struct down {
    uint32_t type;
    uint16_t is_measured; /* LIMITED: there is no cgroup */
    uint16_t group_count; /* LIMITED: how many `tasks` files came along */
    uint16_t has_disk;    /* VOLUMES: one of them is the shape's MOUNT_ON_DISK */
    uint64_t start_us;    /* CLOCK_MONOTONIC when the launcher read the request */
};

/* --- up: init -> launcher -------------------------------------------------------------------------- */

/* LISTENER comes first where the filter notifies, from the payload's process, with the descriptor */
enum report_type { REPORT_STARTED = 1, REPORT_FAILED, REPORT_ENDED, REPORT_LISTENER };

#define OWN_DEVS_MAX 24
struct report {
    uint32_t type;
    uint32_t features;      /* STARTED: what was put in force inside */
    uint32_t landlock_abi;  /* STARTED */
    int32_t wait_status;    /* ENDED: the payload's. Everything else inside is dead, too */
    uint64_t cpu_us;        /* ENDED: of all processes inside */
    uint64_t max_rss_bytes; /* ENDED: of the largest of them */
    uint64_t artifact_bytes;
    uint32_t is_unused; /* ENDED: of an instance that was opened early; its program took no work */
    uint32_t is_forked; /* STARTED: the program is a fork of the slot's interpreter (template.h) */
    uint32_t step_count;
    struct {
        uint32_t name;  /* index in the table of steps */
        uint64_t at_us; /* CLOCK_MONOTONIC */
    } steps[OUTCOME_MAX_STEPS];
    uint32_t own_dev_count;
    uint64_t own_devs[OWN_DEVS_MAX]; /* LISTENER: file systems that we made for this sandbox (connector.c) */
    struct error error;              /* FAILED */
};

/* Everything a process inside knows. */
struct init_ctx {
    const struct shape *shape; /* NULL in a spare */
    const struct job *job;     /* NULL in a spare and a keeper */
    int report_fd, fds[RUN_FD_MAX];
    bool by_root;                /* root's launcher: setgroups(0) is possible, volumes come as descriptors */
    bool measured;               /* no cgroup, known since CGROUP: tighter rlimits help the supervisor's measuring */
    bool is_slot;                /* a keeper, or an init that a keeper cloned */
    bool is_plain;               /* DOWN_KEEP_PLAIN */
    int attr_fd;                 /* AppArmor's attribute file, opened while the host's /proc is there; -1: none */
    int selinux_fd;              /* SELinux's: what the next exec runs as; -1: it is off */
    int enforce_fd;              /* /sys/fs/selinux/enforce; -1: it is off */
    char selinux_own[256];       /* our label, where it is on */
    int root_fd;                 /* the root's mount, between PIVOT and SEAL */
    int covers_fd;               /* the directory, outside the chroot, of what masks are made of; -1: no masks */
    int helper_fd;               /* a socket to the helper process (namespaces.c), until NETWORK */
    int volume_fds[MAX_VOLUMES]; /* detached trees, in the order of the shape's volumes */
    bool has_disk;               /* MOUNT_ON_DISK is among them */
    uint32_t late_count;         /* of the job's late files, opened so far */
    /* in a slot whose keeper is an interpreter: starts the payload as a fork of it (src/fork); otherwise NULL */
    pid_t (*fork_payload)(struct init_ctx *c, struct error *err);
    unsigned kept_fd;         /* below those of the job: what a fork reads before its program (src/fork); 0: nothing */
    struct report report;     /* built up on the way */
    volatile int exec_errno;  /* written by the vforked payload process in our memory */
    volatile int chdir_errno; /* likewise */
};

uint64_t now_us(void);
/* Notes the device of the file system that was just mounted at path. */
void note_own(struct init_ctx *c, const char *path);

/* steps.c */
enum step_phase { PHASE_SPARE = 1, PHASE_PREPARE = 2, PHASE_JOB = 4 };
int steps_run(struct init_ctx *c, unsigned phases, struct error *err);
void steps_note_exec(struct init_ctx *c); /* the payload runs: for --debug */
const char *step_name(uint32_t index);

/* init.c: never return */
_Noreturn void init_main(struct init_ctx *c, unsigned phases);
_Noreturn void init_fail(struct init_ctx *c, const struct error *err);
/* In the payload's process, which then becomes the program: directory, session, descriptors, filter. 0; -errno, and
 * chdir_errno says whether it was the directory's. */
int init_become_payload(struct init_ctx *c);

/* the steps, by file. Each returns 0 or a filled error. */
/* session.c: dies with the launcher, also with one that died before we asked to */
int bind_to_launcher(const struct init_ctx *c, struct error *err);
int step_descriptors(struct init_ctx *c, struct error *err); /* session.c */
int step_session(struct init_ctx *c, struct error *err);
int step_apparmor(struct init_ctx *c, struct error *err);
int step_selinux(struct init_ctx *c, struct error *err);
#define SELINUX_ENFORCE "/sys/fs/selinux/enforce"
bool selinux_is_enforcing(int fd);
int selinux_context(const char *own, const char *type, char *ret, size_t size);
int step_no_new_privs(struct init_ctx *c, struct error *err);
int step_cgroup(struct init_ctx *c, struct error *err);     /* cgroup.c */
int step_namespaces(struct init_ctx *c, struct error *err); /* namespaces.c */
int step_job_namespaces(struct init_ctx *c, struct error *err);
void helper_pivoted(const struct init_ctx *c); /* it may detach the host's root */
int step_network(struct init_ctx *c, struct error *err);
int step_hostname(struct init_ctx *c, struct error *err);
int step_identity(struct init_ctx *c, struct error *err); /* identity.c */
int step_bounding(struct init_ctx *c, struct error *err);
int step_capabilities(struct init_ctx *c, struct error *err);
int capset_masks(uint64_t now, uint64_t inheritable);
int step_root(struct init_ctx *c, struct error *err); /* root.c */
int step_pivot(struct init_ctx *c, struct error *err);
int step_masks(struct init_ctx *c, struct error *err);
int step_seal(struct init_ctx *c, struct error *err);
int step_mounts(struct init_ctx *c, struct error *err); /* mounts.c */
int step_job_mounts(struct init_ctx *c, struct error *err);
struct stat;
/* O_PATH descriptor of what the client named, if it still is what the client saw; or -errno and err. */
int volume_open(const struct plan_mount *m, struct stat *ret, struct error *err);
static inline bool disk_space_is_wanted(const struct plan_mount *m)
{
    return m->kind == MOUNT_TMPFS && m->flags & MOUNT_ON_DISK;
}
int volume_clone(const struct plan_mount *m, int fd,
                 struct error *err); /* a detached copy of the tree below it, or the same */
int step_files(struct init_ctx *c, struct error *err);
int step_workspace(struct init_ctx *c, struct error *err); /* workspace.c */
/* park.c: a file that gets its content later; the program's descriptor; waiting for the work, in two halves: what needs
 * rights that init gives up, and handing it to the program */
int park_late_file(struct init_ctx *c, const struct plan_file *f);
int park_open(struct init_ctx *c, struct error *err);
int park_wait(struct init_ctx *c, struct bytes *ret_note, struct error *err);
void park_pass_on(struct bytes note);
bool park_is_unused(void);
void park_forget(void); /* in a keeper whose init had its memory, and has ended: what init was told */
int step_rlimits(struct init_ctx *c, struct error *err);  /* limits.c */
int step_landlock(struct init_ctx *c, struct error *err); /* landlock.c */

int seccomp_load_init(bool waits_for_work); /* init's own short filter, once the payload runs */
int seccomp_check(struct bytes filter, struct error *err);

/* require.c: what is known inside, just before the payload starts */
int require_check_inside(const struct init_ctx *c, struct error *err);
const char *missing_reason(enum feature f, const char *cgroup_why);

/* check.c: plan checks that the launcher does again, for any sender */
int plan_check(const struct shape *s, const struct job *j, struct error *err);

static inline void feature_set(uint32_t *features, enum feature f)
{
    *features |= UINT32_C(1) << f;
}
static inline bool feature_has(uint32_t features, enum feature f)
{
    return features >> f & 1;
}
