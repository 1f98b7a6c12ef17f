/* entry.h - how sandbox-entry works, and what its files share.
 *
 *   PLAN_WANTED --PLAN--> GO_WANTED --GO--> RUNNING --payload dead--> KILLING --no process left--> DRAINING --pipes
 * empty--> ARTIFACT --END--> LEFTOVER --> TOLD --BYE--> exit 0 |                   |
 *                 +---- FAILED -------+----> TOLD
 *
 * One process, one ppoll() loop (pump.c), which never waits for anything else: the payload may do with its pipes, its
 * children and its signals what it likes. From GO on nothing is allocated and, but for the artifact and what is left in
 * the workspace, and of who asks what it names (notify/caller.c), nothing opened: the payload has our uid, so
 * prlimit(2) on us is allowed to it, and what cannot be opened for it is told as unreadable. A workspace may hold all
 * the memory that there is: what the telling takes was touched before. What else a uid gives (ptrace, /proc/1/fd,
 * pidfd_getfd, process_vm_readv) is refused by our not being dumpable, and pid 1 of a namespace takes no signal from
 * inside that it has no handler for.
 *
 * As pid 1 it ends all by kill(-1). Started otherwise, as by a test, it touches the payload's process group
 * alone. Links libc and nothing else; never writes to its standard error but a last word to a person who started it by
 * hand.
 */
#pragma once
#include "base/error.h"
#include "entry/frame.h"
#include "entry/queue.h"
#include "notify/notify.h"

#include <limits.h>
#include <signal.h>

#define ENTRY_EXIT_BROKEN  125
#define ENTRY_CHUNK        (64u * 1024u) /* of one read */
#define ENTRY_MAX_HELPERS  16
#define ENTRY_OUT_RESERVED 256 /* of `out`: for TAKEN and END, which must not wait for room */

enum entry_state {
    STATE_PLAN_WANTED,
    STATE_GO_WANTED,
    STATE_RUNNING,
    STATE_KILLING,
    STATE_DRAINING,
    STATE_ARTIFACT,
    STATE_LEFTOVER,
    STATE_TOLD
};
enum { PIPE_OUT, PIPE_ERR, PIPE_REPORT, PIPE_COUNT };

struct entry {
    enum entry_state state;
    bool is_init; /* pid 1 of its namespace */
    bool is_host_gone, is_ending /* BYE */, is_broken /* not our protocol */;
    struct entry_plan plan;                                  /* borrows from plan_bytes */
    const char *program;                                     /* NULL: not found */
    bool is_program_hidden;                                  /* one is there, and the plan's masks lie over it */
    char program_path[PATH_MAX], kernel[256], apparmor[256]; /* what facts borrow */

    pid_t payload; /* 0: none, or reaped */
    int wait_status;
    uint64_t start_us, end_us;
    uint64_t deadline_us, kill_us, gone_us; /* of the plan's timeout; 0: none */
    bool is_timed_out, is_killed;
    int stdin_fd, pipes[PIPE_COUNT]; /* our ends, non-blocking; -1: closed */
    bool has_stdin_end;
    uint64_t taken, taken_told; /* bytes of STDIN */
    int artifact_fd;
    uint64_t artifact_left, artifact_bytes;
    struct leftover leftover;
    bool has_leftover; /* REST is not yet told */
    int file_fd;       /* of the workspace, that is being told; -1: none */
    uint64_t file_size, file_left;
    uint32_t report_bytes; /* told; at most ENTRY_MAX_REPORT */

    int proc; /* /proc, where new processes are counted; -1: they are not */
    struct grants grants;
    struct fork_tally forks;
    struct notify notify; /* its listener; -1: nothing asks */
    struct sock_filter verdicts[ENTRY_MAX_VERDICTS];
    struct error *start_error; /* of a payload that asks: shared with it until it is another program; NULL: none */
    bool has_execed;
    uint64_t connections; /* that were asked for */
    uint32_t own_mount_count;
    uint64_t own_mounts[ENTRY_MAX_PROBES]; /* their numbers */
    struct helper {
        pid_t pid; /* 0: none */
        uint64_t id;
    } helpers[ENTRY_MAX_HELPERS]; /* that connect for the payload */
    int questions;                /* epoll, of the listener */

    struct frame_reader reader;
    struct queue out;      /* to the host */
    struct queue in;       /* to the payload's stdin */
    sigset_t waiting_mask; /* all but SIGCHLD: only ppoll() lets it in */

    char plan_bytes[FRAME_MAX_DOWN], reader_bytes[FRAME_MAX_DOWN], chunk[ENTRY_CHUNK];
    char out_bytes[4 * FRAME_MAX_UP], in_bytes[ENTRY_STDIN_WINDOW];
};

/* facts.c: looks, and changes nothing. *ret borrows from e. */
void facts_gather(struct entry *e, struct entry_facts *ret);

/* mounts.c */
struct mountinfo { /* a line of it, escapes resolved */
    const char *root, *point, *type;
    bool is_readonly /* by either */, is_super_readonly, is_noexec;
};
/* Takes the line at *cursor apart, in place: 1, 0 where there is none, -EBADMSG for one that is not understood. */
int mountinfo_next(char **cursor, struct mountinfo *ret);
/* One that can be read, and has no entry. */
bool is_empty_directory(const char *path);
/* text: room for the table; what is told borrows from it. probes: the paths of f's. */
void mounts_gather(struct entry_facts *f, const struct strlist *probes, char *text, size_t size);

/* Bit per ENTRY_CALL_*: permitted to the caller. */
uint32_t calls_open(void);

/* questions.c: the payload's filter, what it asks, and how that is told */
/* Loads the plan's filter in a child and asks as a payload may. 0, or an errno; *ret_open: as calls_open(). */
int questions_probe(struct entry *e, uint32_t *ret_open);
/* In the payload's child: 0 when the other end of sock has the listener and has sent a byte, or -errno. */
int questions_load(const struct entry *e, int sock);
/* The listener that a child sent. -errno, -EPIPE where it ended without. */
int questions_take(int sock);
/* Takes the listener. 0 or -errno. */
int questions_start(struct entry *e, int listener);
/* Puts ourselves under the plan's plain filter, but for what answering takes. */
int questions_confine(const struct entry *e);
bool questions_has_room(const struct entry *e);
void questions_answer(struct entry *e);

/* forks.c */
int forks_prepare(struct entry *e); /* before GO. 0 or -errno */
void forks_answer(struct entry *e, const struct seccomp_notif *ask);

/* connect.c */
void connect_prepare(struct entry *e); /* before GO */
void connect_answer(struct entry *e, const struct seccomp_notif *ask);
void connect_reaped(struct entry *e, pid_t pid);

/* prepare.c */
/* e->program from the plan's: absolute, or by PATH. */
const char *image_path(void); /* of our own environment, which is the image's */
void program_find(struct entry *e);
int copies_make(const struct strlist *copies, struct error *err);

/* payload.c: 0, and the payload runs, or a filled error */
int payload_start(struct entry *e, struct error *err);

/* ending.c */
void deadline_start(struct entry *e);
/* Signals a payload that is late, and gives up a host that is. */
void deadline_look(struct entry *e);
void payload_signal(struct entry *e, int signal);    /* all processes but us */
void payload_wake_with(struct entry *e, int signal); /* and a stopped process gets it, too */
/* Takes the dead, ours and those that were left to us. True: more of them may be there. */
bool payload_reap(struct entry *e, bool *ret_is_alone);
void artifact_open(struct entry *e);
/* Up to `max` bytes of it to `to`; 0: that was all. */
size_t artifact_read(struct entry *e, char *to, size_t max);

/* leftover.c: what lies in the workspace, when every process has ended */
#define LEFTOVER_OUT FRAME_MAX_UP       /* of `out`: where a frame of it may begin */
void leftover_prepare(struct entry *e); /* before GO */
void leftover_open(struct entry *e);
/* Tells the next file's head, or the rest. */
void leftover_tell(struct entry *e);
/* Up to `max` bytes of the file to `to`; 0: it cannot be read. */
size_t leftover_read(struct entry *e, char *to, size_t max);

/* pump.c */
void tell_fields(struct entry *e, enum frame_type type, const struct field *t, size_t n, const void *base);
void tell_failed(struct entry *e, const struct error *err);
/* Until there is nothing more to do. */
void entry_loop(struct entry *e);

/* orders.c: what the host says. frame_take; 0 or -EBADMSG. */
int order_take(void *entry, uint32_t type, const void *data, size_t size);
