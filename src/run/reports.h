/* reports.h - what the courtesy layer inside (guards/) tells: names that it refused.
 *
 * A pipe of its own, beside the output: the guard has the write end as GUARD_REPORT_FD. It is non-blocking on both
 * sides, so neither the program nor the run ever waits for the other, and reading does not delay a run's end.
 *
 * The writer is the payload: it may write whatever it likes. So: a bounded number of bytes and lines, exactly the one
 * form that our guards write, names from a small alphabet, no line twice, and everything else counts as nothing. The
 * worst that a lie can do is to accuse the program that tells it.
 */
#pragma once
#include "base/base.h"

#define REPORTS_MAX       64u
#define REPORTS_MAX_BYTES (64u * 1024u)
#define REPORT_MAX_NAME   200u

struct guard_report {
    const char *type; /* static: blocked_module, blocked_builtin or blocked_command */
    uint64_t at_ms;   /* since reports_open() */
    char name[REPORT_MAX_NAME + 1];
};

/* The first line of every guard: from here on it is the program that runs. Anywhere else it is a line like any other
 * that is not ours: nothing the program writes can come before it. */
#define REPORT_BEGUN "{\"type\":\"begun\",\"detail\":\"program\"}"

struct reports {
    int pipe; /* our end; -1: none. Set by reports_open(), closed by reports_done() */
    uint64_t start_ms;
    uint32_t bytes, lines, count, line_size;
    bool is_full;                    /* no more is read */
    bool has_begun;                  /* REPORT_BEGUN has come */
    char line[REPORT_MAX_NAME + 64]; /* the beginning of one that is not whole yet; a longer one is none of ours */
    struct guard_report list[REPORTS_MAX];
};

/* -> the other end, for the payload, which the caller closes; or -errno. */
int reports_open(struct reports *r);
/* Takes what is there, and never waits. To be called when the pipe is readable, and once when every process inside has
 * ended.
 */
void reports_read(struct reports *r);
/* For poll(2): -1 when there is nothing left to be told. */
int reports_poll_fd(const struct reports *r);
void reports_done(struct reports *r);

/* One line without its newline, in the guards' form. NULL: not one. name gets the detail. */
const char *reports_parse(const char *line, size_t size, char name[static REPORT_MAX_NAME + 1]);
