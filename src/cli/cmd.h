/* cmd.h - one function a command; the table is in main.c. */
#pragma once
#include <stdio.h>
#include "run/paths.h"

/* argv[0] is the command's name. Returns the exit code. */
int cmd_run(const struct paths *p, struct arena *a, int argc, char **argv);
/* The same for a person's own tool, in the project directory (wrap.h). */
int cmd_wrap(const struct paths *p, struct arena *a, int argc, char **argv);
int cmd_audit(const struct paths *p, struct arena *a, int argc, char **argv);     /* audit.c */
int cmd_usage(const struct paths *p, struct arena *a, int argc, char **argv);     /* usage.c */
int cmd_artifacts(const struct paths *p, struct arena *a, int argc, char **argv); /* artifacts.c */
int cmd_alerts(const struct paths *p, struct arena *a, int argc, char **argv);    /* alerts.c */
int cmd_watch(const struct paths *p, struct arena *a, int argc, char **argv);     /* watch.c */
int cmd_sign(const struct paths *p, struct arena *a, int argc, char **argv);      /* sign.c */
int cmd_receipt(const struct paths *p, struct arena *a, int argc, char **argv);   /* receipt.c */
/* witness: on another machine, asks a service for the proof that its audit only grew, and signs. ps, top: what runs.
 * sandboxd's, which has the network (forward.c). */
int cmd_service(const struct paths *p, struct arena *a, int argc, char **argv);
int cmd_keys(const struct paths *p, struct arena *a, int argc, char **argv); /* keys.c */
/* agents list|show|trust|quarantine|release|ban|key: what is remembered of agents. */
int cmd_agents(const struct paths *p, struct arena *a, int argc, char **argv);
/* policy simulate; any other `policy` is cmd_forward()'s. */
int cmd_policy_command(const struct paths *p, struct arena *a, int argc, char **argv);
int cmd_simulate(const struct paths *p, struct arena *a, int argc, char **argv); /* simulate.c */
/* Everything that needs YAML, JSON or a look at the machine lives in sandbox-policy. */
int cmd_forward(const struct paths *p, struct arena *a, int argc, char **argv);
/* What the scan before a run finds in a file. */
int cmd_scan(const struct paths *p, struct arena *a, int argc, char **argv);
/* What is said and returned when standard output cannot take it: 125, and words unless the reader has gone (0: he does
 * not want to know). `error` is an errno. */
int output_lost(const char *what, int error);
/* The end of a command that printed to stdout: `code`, or 125 when that was in vain. */
int output_end(int code);
void help_print(FILE *to, bool is_of_wrap);
void version_print(void);
