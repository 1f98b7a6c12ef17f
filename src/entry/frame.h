/* frame.h - what sandbox-engine and sandbox-entry say to each other over the container's standard input and output.
 *
 * sandbox-entry is the first program in a container: pid 1, the payload's uid, no rights. Its standard streams are the engine's attach
 * connection; the payload gets pipes of its own, so nothing that it prints can be taken for one of our frames.
 *
 * Order: host PLAN; entry FACTS (what is true inside, before any foreign code runs); host GO, or it ends the container; then OUT, ERR,
 * REPORT and STDIN as they come. When the payload has ended, entry kills whatever is left, drains the pipes, sends ARTIFACT frames
 * if one was asked for, then END, and waits for BYE (or the end of its input): until then the control group exists and can be read.
 * FAILED in place of END: the payload could not be started. An end of the input before BYE is a host that died: entry kills everything and ends.
 *
 * A frame: u32 type, u32 size, size bytes; native byte order, since both are from the same build on the same machine.
 */
#pragma once
#include "plan/plan.h"

#define FRAME_MAX_DOWN (192u * 1024u) /* host to entry */
#define FRAME_MAX_UP (64u * 1024u)    /* entry to host */

enum frame_type {
    FRAME_PLAN = 1,  /* host: struct entry_plan, packed */
    FRAME_GO,        /* host: empty */
    FRAME_STDIN,     /* host: bytes */
    FRAME_STDIN_END, /* host: empty */
    FRAME_SIGNAL,    /* host: u64, a signal for every process but entry */
    FRAME_BYE,       /* host: empty */
    FRAME_FACTS = 16, /* entry: struct entry_facts, packed */
    FRAME_OUT,
    FRAME_ERR,
    FRAME_REPORT,   /* entry: bytes that the guard wrote */
    FRAME_ARTIFACT, /* entry: bytes of the file */
    FRAME_END,      /* entry: struct entry_end, packed */
    FRAME_FAILED,   /* entry: struct entry_failed, packed */
};

#define ENTRY_MAX_PROBES 32

struct entry_plan {
    struct strlist argv, env;
    const char *program, *cwd; /* program: absolute, or a name for PATH of env, or of entry's own environment (the image's) where env has none */
    uint32_t access_count;     /* landlock, applied to the payload; none: not asked for */
    struct plan_access access[PLAN_MAX_ACCESS];
    bool deny_tcp;
    bool needs_landlock; /* FAILED where it cannot be had, rather than to run without */
    uint32_t report_fd;  /* the payload gets a pipe at this number; 0: none */
    struct strlist copies; /* from, to, from, to ...: made before GO is answered; regular files, mode 0644 */
    struct strlist probes; /* at most ENTRY_MAX_PROBES paths to look at for FACTS */
    const char *artifact;  /* or NULL */
    uint64_t artifact_max;
};

enum { ENTRY_NS_USER, ENTRY_NS_PID, ENTRY_NS_MOUNT, ENTRY_NS_NET, ENTRY_NS_IPC, ENTRY_NS_UTS, ENTRY_NS_CGROUP, ENTRY_NS_COUNT };

struct entry_probe {
    uint32_t error; /* errno of stat(2), 0: it is there */
    uint64_t dev, ino;
    bool is_readonly, is_noexec; /* the mount that it lies on: statvfs(3) */
    uint64_t size_bytes;         /* of that file system */
};

struct entry_facts {
    uint32_t pid, uid, gid, group_count; /* supplementary groups other than gid */
    uint32_t seccomp;                    /* Seccomp: of /proc/self/status; 2: a filter */
    bool no_new_privs, is_root_readonly;
    uint64_t cap_inheritable, cap_permitted, cap_effective, cap_bounding, cap_ambient;
    uint32_t landlock_abi; /* that can be had; 0: none */
    uint32_t interfaces;   /* network interfaces other than lo */
    uint64_t nofile_soft, nofile_hard, fsize, core, nproc; /* RLIM_INFINITY as UINT64_MAX */
    uint64_t ns[ENTRY_NS_COUNT]; /* inode numbers, 0: cannot be told */
    const char *kernel;   /* «Linux 6.1.0-18-amd64 #1 SMP ...»: sysname, release, version of uname(2) */
    const char *apparmor; /* /proc/self/attr/apparmor/current or attr/current, NULL: cannot be told */
    const char *program;  /* where it was found, NULL: nowhere */
    uint32_t probe_count;
    struct entry_probe probes[ENTRY_MAX_PROBES];
};

struct entry_end {
    bool has_exit, has_signal;
    uint32_t exit_code, signal;
    uint64_t duration_us; /* from the payload's start to its end */
    uint64_t artifact_bytes;
};

struct entry_failed {
    uint32_t error; /* errno */
    uint32_t blame; /* enum blame */
    const char *step, *text;
};

extern const struct field entry_plan_fields[], entry_facts_fields[], entry_end_fields[], entry_failed_fields[];
extern const size_t entry_plan_field_count, entry_facts_field_count, entry_end_field_count, entry_failed_field_count;

struct frame_head {
    uint32_t type, size;
};
