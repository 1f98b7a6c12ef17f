/* event_log.h - one line for each event of a run, in the files of monitoring.logging.output: AGiXT's agixt-sandbox.log.
 *
 *   execution_started    the code is about to run
 *   execution_completed  it ended with exit code 0
 *   execution_failed     it ended otherwise, or was refused
 *   security_violation   one for each violation of a run
 *   alert                what monitoring.alerts sends to the channel log
 *
 * By monitoring.logging.format and level. The command line appends to files only: its standard output is the program's.
 * A service has its log open, files and stdout, and takes the lines over (struct trail_shared). A file that takes
 * nothing is a word on stderr: the run stands.
 */
#pragma once
#include "run/trail.h"

struct exec;

struct event_line { /* for struct trail_shared's log */
    const char *line;
    size_t size;  /* with its newline */
    size_t words; /* where in the line its words begin, behind time and level; 0: it is JSON */
    enum log_level level;
    const char *event, *agent, *execution; /* the last two may be NULL */
};

void event_log_started(const struct trail *t, const struct config *c, const struct exec *s);
void event_log_ended(const struct trail *t, const struct config *c, const struct exec *s);
void event_log_alert(const struct trail *t, const struct config *c, enum log_level level, const char *condition,
                     const char *agent_id, const char *message);
