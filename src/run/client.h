/* client.h - the launcher as a function call: start it, hand it a plan, read the outcome.
 *
 * The launcher is a child with an empty environment and a socket as descriptor 3; closing the socket ends it
 * and everything it made. One that is resident serves many runs, and further connections («connections»), each for a
 * thread of its own: tags are per connection, and closing a connection ends its runs and no others. A struct client is
 * one thread's at a time; only client_connection() may be called by several threads for the same owner.
 */
#pragma once
#include "plan/plan.h"

struct client {
    int sock;        /* -1: not started */
    int pid;         /* 0: a connection. The launcher is another process's child, and not ours to kill */
    char name[24];   /* of its program; "": another process's child, adopted */
    char *message;   /* the last outcome borrows from it */
    bool was_killed; /* client_kill() was sent for the last run */
    bool is_unread;  /* the last run failed, and the launcher had not read its message: nothing was started */
};

/* launcher: absolute, the program of a backend (run/backend.h). For one run: the launcher prepares no more ahead than
 * that. */
int client_start(struct client *c, const char *launcher, struct error *err);
/* For many. May be called in a process with threads. */
int client_start_resident(struct client *c, const char *launcher, struct error *err);
/* A further connection to owner's launcher. It must be closed by client_stop() and is of no use when the owner's is
 * closed. One that the launcher does not take (it has a maximum) reads as a launcher that died. */
int client_connection(const struct client *owner, struct client *ret, struct error *err);
/* fds: RUN_FD_* ; -1 where j does not ask for one. They stay the caller's. */
int client_run(struct client *c, uint64_t tag, const struct shape *s, const struct job *j,
               const int fds[static RUN_FD_MAX], struct error *err);
/* The same with a message that is packed already (plan/container.h); of any backend. */
int client_send(struct client *c, const struct buf *message, const struct job *j, const int fds[static RUN_FD_MAX],
                struct error *err);
int client_kill(struct client *c, uint64_t tag, enum run_reason why);
/* Blocks for one message. *ret borrows from c until the next call. -EPIPE when the launcher died;
 * c->is_unread: before it had read the run's message, which is how the kernel closes a socket with something unread
 * (ECONNRESET, unix(7)). */
int client_read(struct client *c, struct outcome *ret, struct error *err);
void client_stop(struct client *c);
