/* tool.h - the commands of sandbox-policy, the program that may link libraries.
 *
 * sandbox-agent itself is static and starts in 0.1 ms; whatever needs YAML or JSON
 * lives here and is started only when it is needed: on a miss of the policy cache, for
 * `profiles`, `config`, `doctor`, `syscalls`, `docs`. One file per command, one table in main.c.
 * A command gets its own name as argv[0], prints its result to stdout, its words to stderr,
 * and returns the exit code of the contract (0 good, 2 usage, 125 this machine).
 */
#pragma once
#include "base/buf.h"
#include "base/error.h"

struct tool {
    const char *data_dir; /* holds profiles/ and guards/ */
    const char *exe_dir;  /* where this program lies: its siblings are started from here */
};

int cmd_compile(struct tool *t, int argc, char **argv);  /* compile.c */
int cmd_profiles(struct tool *t, int argc, char **argv); /* profiles.c */
int cmd_config(struct tool *t, int argc, char **argv);   /* profiles.c */
int cmd_docs(struct tool *t, int argc, char **argv);     /* docs.c */
int cmd_syscalls(struct tool *t, int argc, char **argv); /* syscalls.c */
int cmd_policy(struct tool *t, int argc, char **argv);   /* replay.c */
int cmd_batch(struct tool *t, int argc, char **argv);    /* batch.c */
int cmd_hook(struct tool *t, int argc, char **argv);     /* hook_claude.c */
int cmd_srt(struct tool *t, int argc, char **argv);      /* srt.c */
int cmd_doctor(struct tool *t, int argc, char **argv);   /* doctor.c */

/* «PROGRAM: text» (the name we were started by), then the remedy on a line of its own; returns the exit code for err.
 */
int tool_complain(const struct error *err);
int tool_exit_code(const struct error *err);
/* Writes all of out to stdout; 0, or 125 with a complaint. */
int tool_print(const struct buf *out);
