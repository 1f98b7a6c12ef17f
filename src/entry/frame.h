/* frame.h - what sandbox-engine and sandbox-entry say to each other over the container's standard input and output.
 *
 * sandbox-entry is the first program in a container: pid 1, the payload's uid, no rights. Its standard streams are the
 * engine's attach connection; the payload gets pipes of its own, so nothing that it prints can be taken for one of our
 * frames.
 *
 * Order: host PLAN; entry FACTS (what is true inside, before any foreign code runs); host GO, or it ends the container;
 * then OUT, ERR, REPORT and STDIN as they come. When the payload has ended, entry kills whatever is left, drains the
 * pipes, sends ARTIFACT frames if one was asked for, then END, and waits for BYE (or the end of its input): until then
 * the control group exists and can be read. Behind END, where the plan names a workspace, comes what was left in it
 * (base/leftover.h): for each file FILE and as many FILE_DATA as it takes, at last REST. Behind, so that how a run
 * ended is known whatever becomes of its files, and BYE may cut them short. A file that the next FILE or REST finds
 * incomplete is none. FAILED in place of END: the payload could not be started; in place of FACTS: the copies could not
 * be made. An end of the input before BYE is a host that died: entry kills everything and ends. What is not understood,
 * or not in this order, is a host that cannot be trusted with a payload: the same, with exit 125.
 *
 * STDIN has a window, so that a payload which does not read never keeps SIGNAL and BYE from being seen: the host has at
 * most ENTRY_STDIN_WINDOW bytes under way that no TAKEN has told of; more is an error. Bytes that the payload does not
 * want any more (it closed its stdin, or ended) are taken, too. After END none are told.
 *
 * The deadline is the entry's: an engine that was killed leaves its containers running, and their streams open. A host
 * that does not say BYE within ENTRY_PATIENCE_MS of the last KILL is taken for gone.
 *
 * A frame: u32 type, u32 size, size bytes; native byte order, since both are from the same build on the same machine.
 */
#pragma once
#include "base/leftover.h"
#include "plan/plan.h"

/* whole frames, head included */
#define FRAME_MAX_DOWN       (192u * 1024u) /* host to entry */
#define FRAME_MAX_UP         (64u * 1024u)  /* entry to host */
#define ENTRY_STDIN_WINDOW   (256u * 1024u)
#define ENTRY_TIMEOUT_MAX_MS (UINT64_MAX / 4000) /* sums in microseconds stay numbers */
#define ENTRY_PATIENCE_MS    UINT64_C(60000)     /* longer than the host takes to collect a workspace (engine/live.c) */

enum frame_type {
    FRAME_PLAN = 1,  /* host: struct entry_plan, packed */
    FRAME_GO,        /* host: empty */
    FRAME_STDIN,     /* host: bytes */
    FRAME_STDIN_END, /* host: empty */
    FRAME_SIGNAL,    /* host: u64, a signal for every process but entry: TERM, INT, HUP, QUIT (each followed by CONT) or
                        KILL; others are ignored */
    FRAME_BYE,       /* host: empty */
    FRAME_FACTS = 16, /* entry: struct entry_facts, packed */
    FRAME_OUT,
    FRAME_ERR,
    FRAME_REPORT,    /* entry: bytes that the guard wrote */
    FRAME_ARTIFACT,  /* entry: bytes of the file */
    FRAME_END,       /* entry: struct entry_end, packed */
    FRAME_FAILED,    /* entry: struct entry_failed, packed */
    FRAME_TAKEN,     /* entry: u64, how many bytes of STDIN it is rid of so far */
    FRAME_FILE,      /* entry: struct entry_file, packed: a file in the workspace */
    FRAME_FILE_DATA, /* entry: bytes of it */
    FRAME_REST,      /* entry: struct workspace_rest, packed: what was not handed out. The last of all */
    FRAME_EVENT,     /* entry: struct watch_event, packed: a call that the payload asked for (entry/questions.c) */
    FRAME_FORKS,     /* entry: struct entry_forks, packed: after each answer to a fork that is counted */
};

#define ENTRY_MAX_PROBES      48
#define ENTRY_MAX_VERDICTS    4072          /* instructions: entry puts some of its own before them (BPF_MAXINSNS) */
#define ENTRY_MAX_MOUNTS      64            /* told; engines make about twenty, and more where control groups are v1 */
#define ENTRY_MAX_MOUNT_BYTES (24u * 1024u) /* of all their words */
#define ENTRY_LEAST_NOFILE    64            /* descriptors that entry has, whatever the payload gets */
#define ENTRY_HIDDEN          "hidden in the container, where the profile hides programs" /* what FAILED says of one */
#define ENTRY_MAX_REPORT                                                                                             \
    (64u * 1024u) /* bytes of REPORT: as many as are read of a run (run/reports.h); then the guard's pipe is left to \
                     fill up */

struct entry_plan {
    struct strlist argv, env;  /* env without PATH: the payload gets the image's */
    const char *program, *cwd; /* program: absolute, or a name for PATH of env, or of entry's own environment (the
                                  image's) where env has none */
    uint32_t access_count;     /* landlock, applied to the payload; none: not asked for */
    struct plan_access access[PLAN_MAX_ACCESS];
    bool deny_tcp;       /* by landlock, too; without rules and this, needs_landlock has nothing to need */
    bool needs_landlock; /* FAILED where it cannot be had, rather than to run without */
    uint32_t report_fd;  /* the payload gets a pipe at this number, 3 to 1023; 0: none */
    uint64_t nofile_soft,
        nofile_hard; /* the payload's, lowered from entry's own, which needs some itself; 0: as they are */
    uint64_t fsize;  /* lowered before FACTS, with core dumps: not every engine sets what it was told; 0: as it is */
    struct strlist copies; /* from, to, from, to ...: made before FACTS; regular files, mode 0644 */
    struct strlist probes; /* at most ENTRY_MAX_PROBES paths to look at for FACTS */
    const char *artifact;  /* or NULL; wanted where the payload ended with 0 */
    uint64_t artifact_max;
    const char *workspace;     /* a directory, or NULL; wanted however the payload ended */
    uint64_t workspace_max;    /* bytes of all files in it together */
    uint64_t timeout_ms;       /* from GO: then every process inside gets TERM; 0: no deadline */
    uint64_t grace_ms;         /* after that: KILL */
    struct bytes filter;       /* struct sock_filter[]: the payload loads it, and it asks entry. Empty: it loads none */
    struct bytes verdicts;     /* the same without asking: what is refused without a question */
    uint32_t watch;            /* enum notify_watch */
    uint32_t max_processes;    /* of the payload, where the filter asks about forks; 0: not counted */
    struct strlist own_places; /* mounts of the container's own: of AF_UNIX sockets elsewhere the host is the server */
};

enum {
    ENTRY_NS_USER,
    ENTRY_NS_PID,
    ENTRY_NS_MOUNT,
    ENTRY_NS_NET,
    ENTRY_NS_IPC,
    ENTRY_NS_UTS,
    ENTRY_NS_CGROUP,
    ENTRY_NS_COUNT
};

/* Calls that filter/harden.c refuses whatever the profile says, and engines' own filters permit. */
enum { ENTRY_CALL_PTRACE, ENTRY_CALL_READV, ENTRY_CALL_WRITEV, ENTRY_CALL_URING, ENTRY_CALL_COUNT };

struct entry_probe {
    uint32_t error; /* errno of stat(2), 0: it is there */
    uint64_t dev, ino;
    bool is_null;                /* the null device: what engines hide a file with */
    bool is_readonly, is_noexec; /* the mount that it lies on: statvfs(3) */
    bool is_empty;               /* a directory without entries on a tmpfs: what engines hide a directory with */
    uint64_t size_bytes;         /* of that file system */
};

/* One that something can be had through: not /dev/null laid over a file, not an empty read-only directory, not what
 * another mount covers (entry/mounts.c). */
struct entry_mount {
    const char *point, *type; /* where it is, and the kind of its file system */
    const char *root;         /* what of that file system: «/», or for a bind the path there */
    uint64_t dev, ino;        /* of what lies there: stat(2); 0: may not be looked at */
    bool is_readonly;
};

/* What cannot be told is 0, NULL or false; where that would be good news it is the largest value instead: groups,
 * capabilities, interfaces, limits. */
struct entry_facts {
    uint32_t pid, uid, gid, group_count; /* supplementary groups other than gid */
    uint32_t seccomp;                    /* as Seccomp: of /proc/self/status; 2: a filter */
    bool no_new_privs, is_root_readonly;
    uint64_t cap_inheritable, cap_permitted, cap_effective, cap_bounding, cap_ambient;
    uint32_t landlock_abi; /* that can be had; 0: none */
    uint32_t open_calls;   /* bit per ENTRY_CALL_*: permitted, though every filter of ours refuses it */
    uint32_t watch_error;  /* errno: the plan's filter cannot be loaded, or not be answered as it should; 0: it was
                              tried, and can */
    uint32_t devices;      /* nodes in /dev other than those that engines make */
    uint32_t interfaces;   /* network interfaces other than lo and the tunnels that the kernel puts everywhere (tunl0,
                              sit0 ...) */
    uint64_t nofile_soft, nofile_hard, fsize, core, nproc; /* RLIM_INFINITY as UINT64_MAX */
    uint64_t ns[ENTRY_NS_COUNT];                           /* inode numbers, 0: cannot be told */
    const char *kernel;   /* «Linux 6.1.0-18-amd64 #1 SMP ...»: sysname, release, version of uname(2) */
    const char *apparmor; /* /proc/self/attr/apparmor/current or attr/current, NULL: cannot be told */
    const char *program;  /* where it was found, NULL: nowhere */
    uint32_t probe_count;
    struct entry_probe probes[ENTRY_MAX_PROBES];
    bool are_mounts_whole; /* false: the table could not be read, or not to its end, or there are more */
    uint32_t mount_count;
    struct entry_mount mounts[ENTRY_MAX_MOUNTS];
};

struct entry_end {
    bool has_exit, has_signal;
    uint32_t exit_code, signal;
    uint64_t duration_us; /* from the payload's start to its end */
    uint64_t artifact_bytes;
    bool is_timed_out; /* the deadline came before the payload's end */
    bool is_killed;    /* and so did the KILL behind it */
};

struct entry_forks { /* so far */
    uint64_t granted;
    uint32_t refused; /* at max_processes */
    uint32_t askers;  /* distinct threads that were refused; 8: or more */
};

struct entry_failed {
    uint32_t error; /* errno */
    uint32_t blame; /* enum blame */
    const char *step, *text;
};

struct entry_file {
    const char *path; /* below the workspace, as leftover_path_is_sound() has it */
    uint64_t size;
};

extern const struct field entry_plan_fields[], entry_facts_fields[], entry_end_fields[], entry_failed_fields[],
    entry_file_fields[], entry_forks_fields[];
extern const size_t entry_plan_field_count, entry_facts_field_count, entry_end_field_count, entry_failed_field_count,
    entry_file_field_count, entry_forks_field_count;

struct frame_head {
    uint32_t type, size;
};

/* --- writing: a failure is in b, as with its other users --- */

void frame_put(struct buf *b, enum frame_type type, const void *data, size_t size);
void frame_put_u64(struct buf *b, enum frame_type type, uint64_t v);
void frame_put_fields(struct buf *b, enum frame_type type, const struct field *t, size_t n, const void *base);

/* --- reading: bytes as they come, cut anywhere --- */

struct frame_reader {
    char *memory; /* borrowed, of max bytes */
    size_t size, max;
};
/* max: FRAME_MAX_DOWN or FRAME_MAX_UP */
void frame_reader_init(struct frame_reader *r, char *memory, size_t max);
/* Borrows data for the call. 0, or what ended the reading of this frame and of all to come: not 0. */
typedef int frame_take(void *context, uint32_t type, const void *data, size_t size);
/* 0, -EBADMSG for a frame larger than may be, or what take() returned that was not 0. */
int frame_feed(struct frame_reader *r, const void *data, size_t size, frame_take *take, void *context);

/* The bytes of one frame. Borrow from data. 0, or -EBADMSG, also where a value is none that the other side may send:
 * then nothing in *ret is to be used. *ret is zeroed first. After 0 the strings argv, program, cwd (plan), kernel and
 * those of mounts (facts), step and text (failed), path (file) are not NULL. */
int frame_get_u64(const void *data, size_t size, uint64_t *ret);
int frame_get_plan(const void *data, size_t size, struct entry_plan *ret);
int frame_get_facts(const void *data, size_t size, struct entry_facts *ret);
int frame_get_end(const void *data, size_t size, struct entry_end *ret);
int frame_get_failed(const void *data, size_t size, struct entry_failed *ret);
int frame_get_forks(const void *data, size_t size, struct entry_forks *ret);
int frame_get_file(const void *data, size_t size, struct entry_file *ret);
int frame_get_rest(const void *data, size_t size, struct workspace_rest *ret);
