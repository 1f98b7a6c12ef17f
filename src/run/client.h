/* client.h - the launcher as a function call: start it, hand it a plan, read the outcome.
 *
 * The launcher is a child with an empty environment and a socket as descriptor 3; closing the socket ends it
 * and everything it made.
 */
#pragma once
#include "plan/plan.h"

struct client {
    int sock; /* -1: not started */
    int pid;
    char *message; /* the last outcome borrows from it */
};

int client_start(struct client *c, const char *launcher, struct error *err);
/* fds: RUN_FD_* ; -1 where j does not ask for one. They stay the caller's. */
int client_run(struct client *c, uint64_t tag, const struct shape *s, const struct job *j,
               const int fds[static RUN_FD_MAX], struct error *err);
int client_kill(struct client *c, uint64_t tag, enum run_reason why);
/* Blocks for one message. *ret borrows from c until the next call. -EPIPE when the launcher died. */
int client_read(struct client *c, struct outcome *ret, struct error *err);
void client_stop(struct client *c);
