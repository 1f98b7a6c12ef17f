/* client.h - the command line's side of a scan: cache, worker, deadline.
 *
 * The worker is started first and asked later, so that it runs on the other core while policy is loaded. It is confined
 * (no files, no network, bounded memory and CPU); one that dies, lies or is late makes a report with the finding
 * scan-incomplete, never an absent one.
 */
#pragma once
#include "base/buf.h"
#include "plan/request.h"
#include "scan/report.h"

#define SCAN_TIMEOUT_MS 2000u /* of CPU time, when the request names none */

/* A scanner that stays for scans of one owner, one at a time: its rules are loaded once (4 ms each time otherwise).
 * Only for text that an earlier scan's text is part of, as the cells of a context: what took the scanner over could lie
 * about no text that is not its own. Begins as SCAN_RESIDENT_NONE. */
struct scan_resident {
    int fd, pid;        /* -1: there is none */
    struct buf made_of; /* rules, program and patterns that it has */
    uint32_t timeout_ms;
    uint64_t spent_us; /* of its time for scans */
};
#define SCAN_RESIDENT_NONE ((struct scan_resident){ .fd = -1, .pid = -1 })
void scan_resident_end(struct scan_resident *r); /* kills, reaps; may begin again */

struct scan_request {
    enum language language; /* LANG_COMMAND is not scanned as such: see scan_command_text() */
    const char *code;
    size_t code_size;
    const struct strlist *patterns; /* agixt.analysis.patterns (records), or NULL */
    const char *program;            /* sandbox-scan */
    const char *rules_dir;
    const char *cache_dir;          /* NULL: not kept */
    uint32_t timeout_ms;            /* agixt.analysis.timeout; 0: SCAN_TIMEOUT_MS */
    bool rules_only;                /* !agixt.analysis.resemblance: scan_report_by_rules_only() */
    struct scan_resident *resident; /* asked instead of a process for this scan alone; outlives it; NULL */
};

struct scan_job {
    int fd, pid; /* -1: answered from the cache, or not begun. pid: not of a resident's */
    struct scan_resident *resident;
    uint64_t begun_us;
    void *kept; /* packed report from the cache; owned */
    size_t kept_size;
    struct buf head; /* what the report is kept under; empty: not to be kept */
    char rules_id[24];
    uint64_t deadline_ms;
    const char *cache_dir;
    bool was_cached, rules_only;
};

/* 0, or err when no worker can be had at all (installation incomplete). The request is not needed any more afterwards.
 * On an error there is nothing to finish or abandon. */
int scan_start(const struct scan_request *r, struct scan_job *ret, struct error *err);
/* Waits, at most until the deadline. An error is one of rules or patterns that do not load (BLAME_HOST, BLAME_CALLER),
 * never of the code: a worker that dies, lies or is late makes a report with the finding scan-incomplete. The report's
 * strings live in *ret_blob (malloc'ed; the caller frees it after the report). */
int scan_finish(struct scan_job *j, struct scan_report *ret, void **ret_blob, struct error *err);
void scan_abandon(struct scan_job *j); /* when the run was refused for other reasons: kills, reaps */
/* Where a command's program stands: in its words (`bash -c TEXT`, `python3 -c TEXT`, `node -e TEXT`), which *ret_text
 * is then; in its standard input (`bash`, `sh -s`, `python3 -`). */
enum command_program { COMMAND_NONE, COMMAND_TEXT, COMMAND_INPUT };
enum command_program scan_command_text(const struct strlist *argv, enum language *ret_language, const char **ret_text);
