/* result.h - the outcome for the caller: the JSON object of the contract, the exit code, a word for people. */
#pragma once
#include "run/policy.h"
#include "run/stream.h"
#include "run/timing.h"
#include "plan/build.h"
#include "scan/report.h"
#include "store/store.h"

struct result {
    const char *id, *agent, *language, *level, *backend;
    const char *trace_id;               /* NULL: none, and no member for it */
    const char *session_id;             /* of a job; likewise */
    const struct outcome *outcome;      /* NULL: it never came to a launch */
    const struct plan *plan;            /* may be NULL */
    const struct error *error;          /* NULL or code 0: none */
    const struct stream *stream;        /* captured output; may be NULL */
    const struct violation *violations; /* collect_violations() */
    uint32_t violation_count;
    const struct strlist *reasons;    /* why this level; may be NULL or empty */
    const struct scan_report *scan;   /* NULL: not scanned */
    const struct settle_reply *trust; /* NULL: nothing was settled */
    uint64_t retry_after_ms;          /* a rate limit's; 0: none */
    const char *log_path;             /* NULL: not logged */
    bool log_failed;
    bool record_failed;              /* --record-events is not complete */
    uint8_t log_level;               /* enum log_level: words below it are not said */
    const char *kill_switch;         /* the detector that ended the run, or NULL */
    const struct activity *activity; /* what it did; NULL: not asked for */
    uint64_t bytes_in, bytes_out;    /* of its connections, where the plan counts them */
    const struct net_learn *learned; /* what it connected to; NULL: not asked for */
    struct limits_clamped clamped;
    bool tells_violations; /* logging.alert_on_violations */
    struct timing timing;
    const struct buf *results, *exception; /* of a cell, as JSON (kernel/frame.h); NULL: it is none, and has no member.
                                              Size 0: it was not answered */
};

/* Exit codes of the contract. */
int result_exit_code(const struct result *r);
/* What a receipt says of it, too: members «isolation», «violations», «findings» and «error». */
/* «isolation»: what was in force. */
void result_put_isolation(const struct result *r, struct buf *b);
void result_put_evidence(const struct result *r, struct buf *b);
/* Members «exit_code» and «signal», null where there is none; o may be NULL. */
void result_put_exit(const struct outcome *o, struct buf *b);
/* In pieces, so that a long output is not held in memory twice. False when fd takes no more. */
bool result_print_json(const struct result *r, int fd);
/* The same object into a buffer that has room for it. */
bool result_json(const struct result *r, struct buf *out);
/* The same object, kept for later: its outputs as the program wrote them, since one byte of them may be six of JSON.
 * They become JSON as it is read. A newline is not part of it. */
struct result_text {
    struct buf head, out[2], tail;
};
/* Takes head and tail of r; the outputs are r->stream's own buffers: one of both frees them. False: no memory. */
bool result_text_make(const struct result *r, struct result_text *ret);
void result_text_done(struct result_text *t);
size_t result_text_size(const struct result_text *t);   /* as JSON */
size_t result_text_weight(const struct result_text *t); /* in memory */
struct result_reader {
    const struct result_text *text;
    unsigned part;
    size_t at;
};
/* Appends the next piece, some 64 KiB of output and what stands around it. False: that was all. */
bool result_read(struct result_reader *r, struct buf *to);
enum run_reason result_reason(const struct result *r);
/* One or two lines for stderr, or nothing when there is nothing to say. */
void result_print_words(const struct result *r, struct buf *out);
int error_exit_code(const struct error *err);
/* «sandbox-agent: step X: text» and «  remedy: ...». */
void error_print(const struct error *err, struct buf *out);
