/* run.h - one run's life as the launcher sees it: born, watched, ended, told.
 *
 *   SETTING_UP --REPORT_STARTED--> RUNNING --deadline--> WARNED --grace--> KILLED --gone--> finished
 *              \\--of an instance opened early--> PARKED --its work--> RUNNING
 *
 * A run owns its message (shape and job borrow from it), its descriptors, and, unless it was given a
 * prepared slot, its cgroup. It lives in private memory (private.h).
 */
#pragma once
#include "base/integral.h"
#include "launch/cgroup.h"
#include "notify/notify.h"

#include <sys/socket.h>
#include <sys/stat.h>

struct connection;
struct slot;
struct spare;

#define CONNECTORS_MAX  16 /* connects under way at once */
#define RUN_STORES_MAX  8  /* file systems of a sandbox that are looked at */
#define RUN_STORE_LOOKS 16 /* for them, at most */

#define UNFORKABLE_MAX 16 /* the oldest is forgotten, and tried once more */

enum run_state { RUN_SETTING_UP, RUN_PARKED, RUN_RUNNING, RUN_WARNED, RUN_KILLED };

/* what all runs of a launcher share; made in main */
struct launcher {
    struct cgroup_host cgroups;
    int epoll;
    char *incoming;                 /* private memory of PLAN_MAX_MESSAGE bytes */
    struct connection *connections; /* connections, descriptor 3 the last of them (control.c) */
    unsigned connection_count;
    unsigned next_number;
    bool is_root, has_apparmor, is_leaving;
    int enforce_fd; /* /sys/fs/selinux/enforce; -1: SELinux is off */
    struct ucred
        peer; /* who holds the other end of descriptor 3, as the kernel noted when it was connected (rights.c) */
    struct run *runs; /* a list */
    unsigned run_count;
    struct slot *slots;
    uint64_t unforkable[UNFORKABLE_MAX]; /* hashes of shapes whose interpreter said so (template.h); 0: none */
    unsigned unforkable_next;
    struct spare *spare; /* always non-NULL; its pid is 0 when there is none */
    bool is_for_one_run; /* no second spare is made ahead */
    uint64_t sweep_us;   /* when to look for left groups again; CLOCK_MONOTONIC */
};

struct run {
    struct run *next;
    struct launcher *launcher;
    struct connection *connection; /* who asked, and is told; NULL: that connection is closed */
    uint64_t tag;
    unsigned number;
    struct shape shape;
    struct job job;
    struct bytes shape_bytes, job_bytes; /* both as they came, one behind the other */
    int fds[RUN_FD_MAX];

    struct slot *slot; /* NULL: a sandbox of its own */
    struct cgroup cgroup;
    pid_t pid; /* of init, in our pid namespace */
    int pidfd, report_fd;
    struct notify notify;         /* what the filter asks (notify.c); its descriptors are -1 where there is nothing */
    struct sock_filter *verdicts; /* what notify borrows */
    struct {
        pid_t pid; /* 0: not started */
        int sock;
        bool is_busy;        /* it waits for bytes to be taken */
    } broker;                /* broker.c */
    struct grants grants;    /* of forks (notify.c) */
    struct fork_tally forks; /* likewise; those refused count as pids_hits */
    struct {
        pid_t pids[CONNECTORS_MAX]; /* 0: none */
        uint64_t user_ns;           /* the sandbox's: its inode. 0: no process has asked yet */
    } connectors;                   /* connector.c */
    uint32_t host_uid;
    char disk_why[96]; /* why /workspace is not on the disk, or "" (disk_space.c) */
    uint32_t room;     /* of a session: tasks beside those that its limits are for (MESSAGE_ROOM) */

    enum run_state state;
    uint64_t start_us, next_us; /* next_us: when run_tick() has something to do */
    uint64_t deadline_us, kill_us, setup_until_us;
    uint64_t give_up_us;    /* KILLED in a slot: when its keeper, who has not told the end, goes too */
    enum run_reason forced; /* why we end it; REASON_COMPLETED: we do not */
    bool has_started, has_failed, has_ended, is_told;
    bool is_silent;             /* it has ended while its program still has its pipes open (run_end()) */
    bool has_work;              /* a job with park_fd: its work has come */
    bool was_slot;              /* its slot had been prepared for another run */
    bool is_lingering;          /* init is dead, and its broker tells its last numbers */
    bool has_execed;            /* the plan's program has been asked for */
    uint64_t stream_ids[3];     /* inodes of its standard streams, which are pipes or files of the client's */
    uint8_t stream_kinds[3];    /* enum watch_stdio */
    struct report report;       /* the last one; init adds to it, so it holds all that came before */
    struct cgroup_usage before; /* a slot's counters when this job began */
    uint64_t before_cpu_us;     /* likewise */
    uint64_t sample_us;         /* when the next sample, or only the next look at its memory, is due */
    struct integral memory;
    uint32_t told_pids_hits, told_oom_kills; /* sample.c */
    struct store {                           /* what a program can fill (sample.c) */
        int fd;                              /* O_PATH; keeps the file system until the run is told of */
        const char *path;                    /* borrowed of shape */
        bool is_told;
    } stores[RUN_STORES_MAX];
    uint32_t store_count, store_looks;
    int home_fd;                   /* of the planted files (base/homes.h), or -1 */
    uint32_t home_seen, home_told; /* a bit each: it was read, and that was told */
    uint32_t samples;
    uint64_t wait_us, wait_sum_us; /* so far; of the threads that were there at the last look */
    struct measure {
        uint64_t peak_bytes, bytes, cpu_us, next_us;
        uint32_t pids;
        bool is_stopped;
        bool is_close; /* more memory is asked for than the limit, though not used yet */
    } measure;
    struct freeze {
        bool is_wanted, is_trying, is_there; /* it is to stand still; does not yet; was told that it does */
        uint64_t give_up_us;                 /* is_trying */
        pid_t guard;                         /* v1: thaws when we die. 0: none */
        int guard_pipe;
    } freeze; /* freeze.c */
    size_t message_size;
    char message[];
};

#define RUNS_MAX           4096                            /* alive at once, of all connections together */
#define RUN_SETUP_LIMIT_US (10u * 1000 * 1000)             /* a set-up that takes longer is stuck */
#define RUN_PARKED_US      (3600u * UINT64_C(1000) * 1000) /* an instance may wait for its work */
#define RUN_MEASURE_US     (50u * 1000)                    /* limits by looking: 20 a second */
#define RUN_CLOSE_US       (2u * 1000)                     /* while the memory limit may be passed between two looks */
#define RUN_KEEPER_US \
    (1000u * 1000) /* for a keeper to tell that a killed init is dead: no longer than its slot is worth */
#define RUN_DELIVER_US (1500u * 1000) /* for the last bytes of closed connections; the broker gives up after 1 s */
#define RUN_LINGER_US  (100u * 1000)  /* for the broker's last numbers; it takes 1 ms */
#define RUN_SAMPLE_US  (100u * 1000)  /* watching: 10 a second */

/* Answers a request that cannot be served at all. */
void run_answer_error(struct launcher *l, struct connection *connection, uint64_t tag, const struct error *err);
/* With a copy of message, and nothing else filled in. Never NULL: without a few kilobytes the launcher ends. */
struct run *run_new(struct launcher *l, struct connection *connection, uint64_t tag, struct bytes message);
void run_free(struct run *r);
/* Takes r, whose shape, job and descriptors are filled in. On failure the outcome has been sent and r is freed. */
void run_start(struct run *r);
/* Makes r's cgroup if need be, gives it its limits, refuses what `require` asks of it in vain, and lets the process at
 * the other end of sock join it and go on. */
int run_limit(struct run *r, int sock, uint32_t extra_tasks, struct error *err);
/* «d» and bytes to a process inside. */
int run_send_down(int sock, enum down_type type, uint64_t start_us, struct bytes bytes, const int *fds, size_t count);
/* What its group has used until now is not the run's. */
void run_note_usage(struct run *r);
/* The work of an instance that was opened early: from now on it is a run. bytes: packed; code stays the caller's. */
void run_give_work(struct run *r, const struct work *w, struct bytes bytes, int code);
void run_kill(struct run *r, enum run_reason why);
/* Its program waits in its last call, and no other process is inside: it has ended well. */
void run_end(struct run *r, uint64_t cpu_us);
/* 0, or an errno: it is too much, or r has no such limit. One that cannot be lowered ends the run. */
int run_set_room(struct run *r, uint64_t tasks);
/* epoll: owner (a run or a slot) is told of fd; unwatch() closes it, too */
void watch(struct launcher *l, int fd, void *owner, unsigned kind);
void unwatch(struct launcher *l, int *fd);
/* Makes the launcher's spare r's. */
void run_take_spare(struct run *r);
void run_on_report(struct run *r);
/* init is dead: tells the client unless that is done, removes what is left and frees r. */
void run_on_gone(struct run *r);
void run_on_broker_end(struct run *r);      /* may free r */
void run_tick(struct run *r, uint64_t now); /* likewise */

/* require.c: refuses when `require` asks, among `scope`, for what is not in `have` */
int require_check(uint32_t require, uint32_t scope, uint32_t have, const char *cgroup_why, struct error *err);

/* freeze.c: a session's sandbox is paused, by its cgroup's freezer, or by SIGSTOP where there is none. Answers over r's
 * connection, when all stand still; or that they do not. */
void freeze_begin(struct run *r); /* before it joins its cgroup */
void freeze_set(struct run *r, bool on);
bool freeze_is_exact(const struct run *r); /* by a freezer */
void freeze_tick(struct run *r, uint64_t now);
void freeze_end(struct run *r); /* it is being killed, or freed */
#define FREEZE_LOOK_US    UINT64_C(1000)
#define STOP_LOOK_US      UINT64_C(20000)   /* by SIGSTOP: a look reads the /proc of all that is inside */
#define FREEZE_GIVE_UP_US UINT64_C(2000000) /* one in the kernel for longer: a network file system, a swapping disk */

/* measure.c: limits by looking, where there is no cgroup */
void measure_tick(struct run *r, uint64_t now);
uint32_t measure_processes(const struct run *r); /* without init */
/* Stops all inside. True: none had to be. */
bool measure_stop(const struct run *r);
void measure_continue(const struct run *r);
uint64_t measure_cpu_us(const struct run *r);
/* What the threads that live have waited for a processor. */
uint64_t measure_wait_us(const struct run *r);

/* ask: of a process of the sandbox's, which waits for us. The first may be one that an ordinary user cannot look at:
 * before its execve it is a copy of our own side. So it is tried with the next ones, too. */
void sample_begin(struct run *r, const struct seccomp_notif *ask);
void sample_done(struct run *r);
/* sample.c: one look at what the run uses, told as events; or only at its memory, for the meter */
void sample_tick(struct run *r);
void sample_memory(struct run *r);
/* What has been met since the last look; u: as of now. */
void sample_hits(struct run *r, const struct cgroup_usage *u, bool is_last);

/* notify.c: what the filter asks */
void notify_note_streams(struct run *r);         /* while we have them: for the first program's event */
void notify_attach(struct run *r, int listener); /* takes listener */
void notify_detach(struct run *r);
void notify_on_event(struct run *r, uint32_t events);
void notify_on_room(struct run *r); /* the client has read events */
void notify_on_fork(struct run *r, uint32_t tid, uint64_t id);

/* broker.c */
bool is_tcp_fenced(
    const struct run *r); /* landlock refuses the payload every connect and bind of a TCP socket by itself */
void broker_start(struct run *r, const struct seccomp_notif *pending); /* answers it if it fails, and ends the run */
void broker_on_event(struct run *r);
void broker_end(struct run *r); /* no process inside is left: it tells its last numbers and ends by itself */
struct diag_id;
void orphan_abort(const struct diag_id *id); /* orphan.c */
void broker_stop(struct run *r);             /* now, if it has not */

/* connector.c: connect(2) where volumes are mounted, performed by a process of its own on exactly what was judged */
void connector_note(struct run *r, uint32_t pid); /* who asked the launcher itself: what namespace the sandbox is */
void connector_start(struct run *r, const struct seccomp_notif *ask); /* answers it, now or later */
void connector_stop(struct run *r);

/* rights.c: a volume opened for a client who may do less than we */
struct opened {
    int fd; /* O_PATH */
    struct stat st;
    uint32_t gid; /* whose rights its user has there: the directory's group where he is in it, or his own */
};
bool rights_are_less(const struct launcher *l);
int rights_open(const struct launcher *l, const struct plan_mount *m, struct opened *ret, struct error *err);

/* volumes.c: opens r's volumes and sends them down; nothing to do for an ordinary user */
int volumes_send(struct run *r, struct error *err);
/* disk_space.c: a mount that is nowhere yet, with a file system of the disk's; or -errno, and r->disk_why. */
int disk_space_open(struct run *r, const struct plan_mount *m);

/* maps.c: writes the id maps of a fresh user namespace; sets *ret_host_uid */
int maps_write(const struct launcher *l, pid_t pid, const struct shape *s, unsigned number, uint32_t *ret_host_uid,
               struct error *err);
