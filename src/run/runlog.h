/* runlog.h - the file that remains of a run: its output, what we have to say, then the «Execution Summary» of the
 * contract, which ends the file. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

struct runlog {
    int fd; /* -1: not logged */
    const char *path;
    char stamp[20]; /* YYYYmmdd_HHMMSS */
    char time[20];  /* the same moment, for people */
};

struct runlog_summary {
    const char *agent, *level, *language, *code_file, *exit_code, *reason, *id;
    uint64_t duration_us;
    bool has_metrics; /* logging.metrics */
    uint64_t cpu_us, peak_memory_bytes;
    const struct buf *words; /* our own, whole lines, before the summary; NULL: none */
};

/* A directory, and what the names in it begin with. */
struct runlog_place {
    const char *dir, *start;
};
/* Where the logs of a level are, for one of the log directories. Borrows, or from a. */
struct runlog_place runlog_place(const char *dir, const char *output, const char *level, struct arena *a);

/* `dirs`: tried in order, NULL-terminated; made when missing. -errno and err when none takes a file. `output`: the
 * profile's logging.output: true or false, or a path: a directory (it exists, or ends with a slash), or what the names
 * begin with. The file's name is <level>-risk_<agent>_<YYYYmmdd_HHMMSS>.log or <output>_<agent>_<YYYYmmdd_HHMMSS>.log.
 */
int runlog_open(struct runlog *l, const char *const *dirs, const char *output, const char *level, const char *agent,
                const char *id, struct arena *a, struct error *err);
/* False when the file could not take it (disk full). Closes. */
bool runlog_close(struct runlog *l, const struct runlog_summary *s);
