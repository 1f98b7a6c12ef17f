/* audit.h - the tamper-evident record: one JSON line an event, append-only, hash-chained, periodically signed.
 *
 * The file is the truth (<log_dir>/audit.jsonl); an index beside it is a convenience that can be made again. Each line
 * carries its sequence number and event.hash = SHA-256(previous hash, line without the hash). Several processes append to
 * one file: an flock covers read-last, write. A line cut short by a crash is completed to a line of its own by the next
 * writer («audit-repaired»), so that nothing is lost in silence.
 * Names are those of the Elastic Common Schema; ours stand below "agentsandbox".
 *
 * No secret enters: code goes in as its hash, environment variables as their names.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "config/config.h"

struct audit {
    int fd, lock_fd;      /* -1: not open */
    const char *path;
    uint8_t sync;         /* enum audit_sync */
    uint32_t sign_every;  /* lines */
    uint64_t max_bytes;   /* rotation */
    struct arena *arena;  /* the caller's */
};

/* Opens or begins the file, its key and its index; dirs as in runlog_open (tried in order, NULL-terminated).
 * -errno with the remedy: the run is refused then. */
int audit_open(struct audit *a, const char *const *dirs, const char *key_dir, const struct config *c, struct arena *arena,
               struct error *err);
void audit_close(struct audit *a);

/* What an event is: filled by the caller, NULL or 0 where it does not apply. Borrows. */
struct audit_event {
    const char *action;   /* event.action: execution-requested, execution-decided, execution-finished, agent-quarantined ... */
    const char *category, *type, *outcome; /* ECS: process / start / success ... */
    const char *kind;     /* event | alert */
    const char *message, *reason;
    const char *execution_id, *agent_id, *level, *language, *user;
    const char *code_hash, *plan_hash;
    const char *rule;     /* rule.id: what refused or was violated */
    bool has_exit;
    uint32_t exit_code;
    uint64_t duration_us, cpu_us, peak_memory_bytes;
    uint32_t risk_score;  /* 0..100 */
    const struct strlist *reasons;   /* agentsandbox.reasons */
    const char *extra;    /* further members of "agentsandbox" as finished JSON («"trust":{...},"violations":[...]»), or NULL */
    uint64_t now_ms;      /* 0: the clock's */
};
/* Appends; durable as `sync` says before it returns (group: within 50 ms, audit_settle()). */
int audit_write(struct audit *a, const struct audit_event *e, struct error *err);
/* Hands what is not yet on the disk to whoever syncs next, or does it: called once before the program ends. */
void audit_settle(struct audit *a);
/* sha256 as 64 hex digits. */
void audit_hash(const void *data, size_t size, char out[static 65]);
