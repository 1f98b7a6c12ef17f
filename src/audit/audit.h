/* audit.h - the tamper-evident record: one JSON line an event, append-only, hash-chained, periodically signed.
 *
 * The file is the truth (<log_dir>/audit.jsonl); an index beside it is a convenience that can be made again. Each line
 * carries its sequence number and event.hash = SHA-256(previous hash, line without the hash); docs/audit.md has the
 * format to the byte. The state directory holds the key (audit.key, audit.pub) and for each log directory a head: the
 * number and hash of the last line, without which lines cut off at the end would not be missed.
 *
 * Several processes append to one file: a lock (audit.lock) covers read head, write line, write head. A line cut short
 * by a crash is completed to a line of its own by the next writer, which says so («audit-repaired»): nothing is lost in
 * silence. Names are those of the Elastic Common Schema; ours stand below "agentsandbox".
 *
 * No secret enters: code goes in as its hash, environment variables as their names.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "config/config.h"

#define AUDIT_LINE_MAX  16384u /* bytes, newline included */
#define AUDIT_HASH_SIZE 65u    /* 64 hex digits and a NUL */

/* What the last line was, kept in the state directory. */
struct audit_head {
    uint64_t sequence, offset; /* of the last line; where it ends in the current file */
    uint64_t first;            /* sequence of the current file's first line */
    uint64_t file_dev, file_ino;
    uint64_t signed_sequence;  /* the last line that a signature covers */
    uint64_t sign_due;         /* when the file reaches this, it is signed again: promised in the last signature */
    uint64_t indexed_sequence; /* when the index was last looked after */
    char hash[AUDIT_HASH_SIZE];
};

#define AUDIT_TREE_BATCH 64u

/* Which file the key was when it was last looked at. */
struct audit_key_file {
    uint64_t dev, ino, at_ms; /* at_ms: clock_ms(); 0: there was none, or it was not looked at */
    int64_t changed_s, changed_ns;
};

struct audit {
    int fd, lock_fd, dir_fd, head_fd, key_dir_fd; /* -1: not open */
    const char *path, *dir, *key_dir;
    uint8_t sync;           /* enum audit_sync */
    uint32_t sign_every;    /* lines */
    uint64_t max_bytes;     /* rotation */
    struct arena *arena;    /* the caller's */
    struct audit_head head; /* valid while the lock is held, and of our own last line after it */
    struct buf line;        /* the one in hand; kept for the next */
    bool is_behind;         /* lines of ours that no process is about to bring to the disk */
    int sync_pid;           /* the child that last did; 0: none */
    struct audit_key_file key_file;
    struct audit_leaves { /* of the tree (audit/tree.h), which are not in its file yet: of lines in a row */
        uint32_t batch;   /* set by the caller: how many wait for each other; 0: none does */
        uint32_t count;
        uint64_t first;
        uint8_t hashes[AUDIT_TREE_BATCH][32];
    } leaves;
};

/* Opens or begins the file, its key and its head; dirs as in runlog_open (tried in order, NULL-terminated).
 * key_dir is the state directory. -errno with the remedy: the run is refused then. 40 us. */
int audit_open(struct audit *a, const char *const *dirs, const char *key_dir, const struct config *c,
               struct arena *arena, struct error *err);
void audit_close(struct audit *a); /* also of one that could not be opened */

/* What an event is: filled by the caller, NULL or 0 where it does not apply. Borrows. */
struct audit_event {
    const char
        *action; /* event.action: execution-requested, execution-decided, execution-finished, agent-quarantined ... */
    const char *category, *type, *outcome; /* ECS: process / start / success ... */
    const char *kind;                      /* event | alert */
    const char *message, *reason;
    const char *execution_id, *agent_id, *level, *language, *user;
    const char *trace_id; /* ECS trace.id */
    const char *code_hash, *plan_hash;
    const char *rule; /* rule.id: what refused or was violated */
    bool has_exit;
    uint32_t exit_code;
    uint64_t duration_us, cpu_us, peak_memory_bytes;
    uint32_t risk_score;           /* 0..100 */
    const struct strlist *reasons; /* agentsandbox.reasons */
    const char
        *extra; /* further members of "agentsandbox" as finished JSON («"trust":{...},"violations":[...]»), or NULL */
    uint64_t now_ms; /* 0: the clock's */
};
/* Appends; durable as `sync` says before it returns. group: the writer calls audit_settle() within 20 ms and before
 * it ends; then the line is durable within 50 ms. Too long texts are cut, too much `extra` is left out, and the line
 * says so. */
int audit_write(struct audit *a, const struct audit_event *e, struct error *err);
/* Hands what is not yet on the disk to the next process that syncs, by a child of ours that outlives us if need be;
 * reaps an earlier one. Not on the way of an answer: a run has two lines, and one child for both. True: a child is
 * still at it.
 */
bool audit_settle(struct audit *a);
/* sha256 as 64 hex digits. */
void audit_hash(const void *data, size_t size, char out[static AUDIT_HASH_SIZE]);
