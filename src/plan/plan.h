/* plan.h - a run with everything resolved: what the launcher is told, and what it answers.
 *
 * A plan has two halves, so that a sandbox can be prepared before its work is known:
 *   shape  the fence: namespaces, mounts, limits, filter, ids. Two runs with equal shapes may use
 *          the same prepared slot.
 *   job    the work: argv, environment, files, deadline.
 * Both are plain structs with a field table each (plan.c); packed, they are the launcher's
 * request. `--dry-run` prints the same structs. Nothing in a plan is looked up again by name on the
 * host except mount sources, which the launcher checks (launch/mounts.c).
 */
#pragma once
#include "base/error.h"
#include "base/feature.h"
#include "base/landlock.h"
#include "base/pack.h"

#define SESSION_LIFE_MAX_MS (UINT64_C(7) * 24 * 3600 * 1000) /* a session, however often it is extended */
#define PLAN_MAX_MOUNTS     96
#define TEMPLATE_RULES_MAX  (16u * 1024u)
#define PLAN_MAX_FILES      48
#define NETWORK_MAX_BYTES   (64u * 1024u)  /* job.network */
#define PLAN_MAX_MESSAGE    (160u * 1024u) /* below the default SO_SNDBUF of 208 KiB */

enum mount_kind {
    MOUNT_DIR,    /* an empty directory in the root */
    MOUNT_LINK,   /* symbolic link: target -> source */
    MOUNT_TEXT,   /* a small read-only file holding `source` */
    MOUNT_BIND,   /* a host file or directory, recursively */
    MOUNT_VOLUME, /* the same, asked for by the user: its identity is checked against dev/ino */
    MOUNT_TMPFS,
    MOUNT_PROC,
    MOUNT_DEVICE, /* a host device node, by bind */
    MOUNT_MASK,   /* an empty unreadable file or directory laid over target, if target exists. */
    MOUNT_HOME,   /* a small tmpfs with the planted files of base/homes.h, each of which holds `source` */
    MOUNT_KIND_COUNT,
};
enum {
    MOUNT_RO = 1,
    MOUNT_NOEXEC = 2,
    MOUNT_OPTIONAL = 4, /* a missing source is no error */
    MOUNT_PROC_PIDS_ONLY = 8,
    MOUNT_ON_DISK =
        16, /* TMPFS: a file system in an image on the disk instead, where the launcher can (disk_space.c) */
};
/* How the line of isolation.missing begins that says that MOUNT_ON_DISK is a tmpfs. */
#define DISK_SPACE_MISSING "workspace: in memory, and not on the disk (filesystem.workspace): "
struct plan_mount {
    uint8_t kind;
    uint32_t flags, mode, inodes;
    uint64_t size_bytes;         /* TMPFS */
    uint64_t dev, ino;           /* VOLUME: what the client saw */
    const char *source, *target; /* target: absolute inside */
};

/* What a volume that can be written keeps from the program (launch/guards.c). */
enum guard_kind {
    GUARD_READ_ONLY = 'r',
    GUARD_PIN = 'p', /* a directory stays where it is: what is guarded below it is not carried away with it */
    GUARD_HIDE = 'h' /* neither read nor written: an empty cover lies over it */
};

#define ACCESS_PROGRAM "" /* in a container, as the path of a rule: the job's program, wherever the image has it */
struct plan_access {      /* one landlock rule: what is below path (inside) may be used so */
    const char *path;
    uint32_t access; /* LANDLOCK_* */
};
#define PLAN_MAX_ACCESS 48

struct shape {
    uint32_t uid, gid; /* inside */
    uint32_t require;  /* bit per enum feature: refuse to run without */
    bool loopback, readonly_root, no_new_privs, deny_tcp /* landlock net */;
    bool no_setuid_bits; /* the filter refuses them: files may then be made in an owner's name */
    bool is_brokered;    /* network by name, through the broker: the filter asks for what it needs */
    uint32_t watch;      /* enum notify_watch: what the filter asks about, and what else is looked at */
    uint64_t root_bytes; /* size of the root tmpfs */
    uint64_t memory_bytes;
    uint32_t cpu_milli, pids, max_processes;
    uint32_t room_max;         /* of a session: what MESSAGE_ROOM may add to pids and max_processes. 0: it is none */
    uint64_t io_rbps, io_wbps; /* bytes a second per disk; 0: unlimited */
    uint32_t io_riops, io_wiops;
    uint32_t nofile_soft, nofile_hard;
    uint64_t fsize_bytes;
    uint64_t keep_caps;              /* bit per capability, inside its own user namespace */
    const char *hostname, *apparmor; /* apparmor: profile name or NULL */
    const char *selinux;             /* the program's type, or NULL */
    bool selinux_is_auto;            /* where SELinux does not enforce, it is not missed */
    const char *tenant;              /* whose work this is, or NULL: a prepared slot serves one tenant only */
    /* How a slot's keeper becomes an interpreter that forks instead of one that execs (launch/template.h); empty: it
     * stays what it is. The words are those of every job that is to be forked; the stamp differs when what the
     * interpreter reads at its start does. */
    struct strlist template_argv, template_env;
    struct strlist template_modules; /* that it imports before it is forked */
    const char *template_stamp;
    const char *template_rules; /* JSON: of its guard, which it runs before it is forked; NULL: each fork does */
    struct strlist
        guards; /* of places in volumes, each a letter of enum guard_kind and a path inside; outer ones first */
    uint32_t mount_count, access_count;
    struct plan_mount mounts[PLAN_MAX_MOUNTS];
    struct plan_access access[PLAN_MAX_ACCESS];
    struct bytes filter;   /* struct sock_filter[], loaded; where `watch` says so it asks about calls */
    struct bytes verdicts; /* the same without asking: what is refused without a question. Empty: nothing is asked */
};

struct plan_file {    /* a run of bytes of the code memfd, to be delivered as a file */
    const char *path; /* inside */
    uint64_t offset, size;
    uint32_t mode;
    bool is_late; /* of an instance that is opened early: empty until its work comes */
};

struct job {
    const char *id; /* execution id */
    struct strlist argv, env;
    const char *program, *cwd; /* program: absolute path inside */
    uint64_t timeout_ms, grace_ms;
    uint64_t artifact_max; /* bytes */
    const char *artifact;  /* a file inside whose content is wanted in RUN_FD_ARTIFACT, or NULL */
    uint32_t report_fd;    /* the payload gets RUN_FD_REPORT at this number; 0: it gets three descriptors and no more */
    const char *workspace; /* a directory of the plan's own that the client wants to look into afterwards, or NULL */
    uint32_t file_count;
    struct plan_file files[PLAN_MAX_FILES];
    bool may_reuse;      /* a prepared slot of equal shape may be used and kept */
    bool ends_fork_bomb; /* disable_fork_bomb: end the run when the pids limit is hit again and again */
    bool wants_timings;
    bool wants_events;    /* RUN_FD_EVENTS is given */
    struct bytes network; /* net_rules_pack(): for the broker, which alone reads it */
    /* An instance that is opened early: its program waits for its work at this descriptor, and writes a byte to the one
     * below before it does anything of it. Below report_fd. 0: it has all that it needs */
    uint32_t park_fd;
    /* A session's sandbox: its program gets RUN_FD_STEWARD at this number, above all others. 0: it is none */
    uint32_t steward_fd;
    /* A kernel's (guards/kernel_*): RUN_FD_STDIN is at this number, and standard input is empty. 0: it is none */
    uint32_t kernel_fd;
    /* A kernel's that can make checkpoints: it tells its reaper at this number which process is the kernel after it
     * (steward/reaper.c). 0: it makes none */
    uint32_t reaper_fd;
    bool has_terminal; /* standard input is one, and becomes the program's controlling terminal */
};

/* What an instance that was opened early is told later, once. Its program gets `note` as it is. */
struct work {
    uint64_t timeout_ms, grace_ms;
    uint32_t file_count;
    struct plan_file
        files[PLAN_MAX_FILES]; /* those of the job that are late, in its order; path and mode are not read */
    struct bytes note;
};
#define WORK_MAX_LATE 8u /* late files of one job */

/* Descriptors that travel with a run request, in this order: four always, then those that the job asks for. */
enum {
    RUN_FD_STDIN,
    RUN_FD_STDOUT,
    RUN_FD_STDERR,
    RUN_FD_CODE,
    RUN_FD_COUNT,
    RUN_FD_ARTIFACT = RUN_FD_COUNT, /* job.artifact: a file that takes it */
    RUN_FD_REPORT,                  /* job.report_fd: the pipe into which the payload's guard reports */
    RUN_FD_WORKSPACE, /* job.workspace: a socket; one message brings the directory, by descriptor; of a container a
                         bundle (base/bundle.h) */
    RUN_FD_STEWARD,   /* job.steward_fd: a SOCK_SEQPACKET socket; over it the service talks to the session's steward
                         (steward/protocol.h) */
    RUN_FD_EVENTS,    /* job.wants_events: a SOCK_SEQPACKET socket that takes events (watch/event.h) */
    RUN_FD_MAX,
    RUN_FD_INIT_MAX = RUN_FD_EVENTS
}; /* what is not for init stays with the launcher */
/* Those before `end` (RUN_FD_MAX or RUN_FD_INIT_MAX) that travel, one behind the other. -> how many */
size_t run_fds_gather(const struct job *j, size_t end, const int fds[static RUN_FD_MAX], int out[static RUN_FD_MAX]);
/* As many as came, at the front of fds, move to their places; -1 at the others. False: another number than j asks for.
 */
bool run_fds_place(const struct job *j, size_t end, int fds[static RUN_FD_MAX], size_t count);

enum run_reason {
    REASON_COMPLETED,
    REASON_ERROR,
    REASON_SIGNAL,
    REASON_TIMEOUT,
    REASON_OOM,
    REASON_PIDS_LIMIT,
    REASON_OUTPUT_LIMIT,
    REASON_KILLED,
    REASON_POLICY_DENIED,
    REASON_SANDBOX_ERROR,
    REASON_COUNT
};
const char *reason_name(enum run_reason r);

/* How much of the sandbox was there before it was asked for. */
enum prepared {
    PREPARED_COLD,
    PREPARED_SLOT,   /* mounts, namespaces, limits (launch/slot.h) */
    PREPARED_PARKED, /* all, and the interpreter inside waited */
    PREPARED_FORKED, /* likewise, and it was forked from one that this tenant's runs have in common */
    PREPARED_COUNT
};
const char *prepared_name(enum prepared p); /* as in isolation.prepared */

enum cgroup_kind { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

#define OUTCOME_MAX_STEPS 48
struct step_time {
    const char *name;
    uint64_t at_us; /* since the launcher read the request */
};

struct outcome {
    uint8_t reason;
    bool has_exit, has_signal;
    bool is_unused;   /* of an instance that was opened early: it ended before its work came */
    bool is_silent;   /* what it wrote is in its pipes, though they have other ends for a moment still */
    uint8_t prepared; /* enum prepared */
    uint32_t exit_code, signal;
    uint64_t duration_us, cpu_us, peak_memory_bytes;
    uint64_t memory_mib_ms; /* the memory's integral over the run (base/integral.h) */
    uint64_t ready_us;   /* from the request to the program's start, where duration_us counts from there; 0: it counts
                            from the request */
    uint64_t started_us; /* from the request to the program's start, in any case; 0: it did not start */
    uint32_t oom_kills, pids_hits;
    uint64_t artifact_bytes;
    /* what was in force */
    const char *engine;     /* of a container: «Docker 20.10.24, runc, image sha256:...»; NULL: none */
    uint32_t features;      /* bit per enum feature */
    struct strlist missing; /* «feature: why» */
    /* Of a remote run: what the other side says was in force, the members of `isolation` but `missing` as JSON, in
     * place of what follows; and its violations, three texts each: type, detail, milliseconds. NULL, and empty: no such
     * run */
    const char *isolation;
    struct strlist violations;
    uint8_t cgroup;
    uint32_t landlock_abi, host_uid;
    uint64_t memory_bytes; /* as read back; 0: no limit in force */
    uint32_t cpu_milli, pids;
    /* why it did not run (reason sandbox_error, or a payload that could not be executed) */
    uint32_t error_code; /* errno, 0: none */
    uint8_t error_blame;
    const char *error_step, *error_text, *error_remedy;
    uint32_t step_count;
    struct step_time steps[OUTCOME_MAX_STEPS];
};

/* launcher protocol: one SOCK_SEQPACKET message each, a u64 type first, then a u64 tag (chosen by the
 * client, unique among the live runs of one connection), then the fields */
enum message_type {
    MESSAGE_RUN = 1,    /* client: shape, job; with RUN_FD_* descriptors */
    MESSAGE_KILL,       /* client: u64 enum run_reason */
    MESSAGE_OUTCOME,    /* launcher: outcome. The run is over, and nothing of it runs any more */
    MESSAGE_CONNECTION, /* client, over descriptor 3 only: with a SOCK_SEQPACKET socket, which becomes a further
                           connection */
    MESSAGE_WORK,   /* client: work, for a run of this connection whose job has park_fd; with the code's descriptor */
    MESSAGE_OPENED, /* launcher, of a job with steward_fd: outcome, as far as it is known when its program has started
                     */
    MESSAGE_PAUSE,  /* client: u64, 1: all processes of a run with steward_fd stand still; 0: they go on. Answered */
    MESSAGE_PAUSED, /* launcher: u64, whether they stand still; u64 errno, 0: as asked for */
    /* client: u64, tasks of a run with steward_fd that are there beside those that its limits are for; u64, 0 or a
     * mark. launcher, where there is a mark: u64 mark, u64 errno, when that is in force */
    MESSAGE_ROOM,
    MESSAGE_REMOTE,    /* client, to sandbox-remote in place of MESSAGE_RUN: remote, job (plan/remote.h); RUN_FD_CODE is
                          the request that goes out, JSON */
    MESSAGE_CONTAINER, /* client, to sandbox-engine in place of MESSAGE_RUN: container, shape, job (plan/container.h) */
};

extern const struct field shape_fields[], job_fields[], work_fields[], outcome_fields[];
extern const size_t shape_field_count, job_field_count, work_field_count, outcome_field_count;

void pack_run(struct buf *b, uint64_t tag, const struct shape *s, const struct job *j);
void pack_work(struct buf *b, uint64_t tag, const struct work *w);
void pack_outcome(struct buf *b, uint64_t tag, const struct outcome *o);
void pack_opened(struct buf *b, uint64_t tag, const struct outcome *o);
/* Reason and error of a run that was not to be, or failed: borrows err's words. */
void outcome_set_error(struct outcome *o, const struct error *err);
/* Borrow from data. 0 or -EBADMSG. ret_shape and ret_job: the packed forms, one behind the other. */
int unpack_run(struct unpack *u, struct shape *s, struct job *j, struct bytes *ret_shape, struct bytes *ret_job);
int unpack_work(struct unpack *u, struct work *w);
int unpack_outcome(struct unpack *u, struct outcome *o);
