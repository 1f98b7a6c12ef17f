/* runlog.h - the file that remains of a run: its output, then the «Execution Summary» of the contract. */
#pragma once
#include "base/arena.h"
#include "base/error.h"

struct runlog {
    int fd; /* -1: not logged */
    const char *path;
    char stamp[20]; /* YYYYmmdd_HHMMSS */
};

struct runlog_summary {
    const char *agent, *level, *language, *code_file, *exit_code, *reason, *id;
    uint64_t duration_us;
    bool has_metrics; /* logging.metrics */
    uint64_t cpu_us, peak_memory_bytes;
};

/* `dirs`: tried in order, NULL-terminated; made when missing. -errno and err when none takes a file. */
int runlog_open(struct runlog *l, const char *const *dirs, const char *level, const char *agent, const char *id,
                struct arena *a, struct error *err);
/* False when the file could not take it (disk full). Closes. */
bool runlog_close(struct runlog *l, const struct runlog_summary *s);
