/* launcher.h - the process that owns the sandboxes, as the service has it: one launcher at a time, many connections to
 * it, and a new one when it dies.
 *
 * A connection leads to the one launcher (run/client.h): a run uses one alone, and gives it back
 * when it is through. Idle ones are kept. When a launcher dies, all its connections read end of file: runs on them end
 * as sandbox_error («the launcher died during the run») by what exec.h does anyway, and the kernel has killed what
 * was inside (the parent death signal). A thread sees it, too, and starts the next one: at once, then after 100 ms, 500
 * ms
 * ... 5 s while they die young. Connections of a dead launcher are never handed out.
 *
 * All functions may be called from any thread.
 */
#pragma once
#include "run/client.h"

struct launcher_options { /* exactly one of the first three */
    const char *program;  /* started as our child */
    const char *
        socket; /* connected to: a SOCK_SEQPACKET socket whose connections have a launcher each (systemd: Accept=yes) */
    int parent_fd;             /* root's parent is asked (parent.h); -1: not. Stays the caller's */
    const char *name;          /* what logs and errors call it; NULL: sandbox-launcher. Borrowed for good */
    uint32_t idle_connections; /* that are kept, at most LAUNCHER_MAX_IDLE */
    /* A line for the log, from the launcher's thread: it died, it was started again, it could not be. */
    void (*tell)(void *context, bool is_bad, const char *text);
    void *context;
};
#define LAUNCHER_MAX_IDLE 64u

struct launcher;
/* The first one is started before it returns. Copies the options' strings. */
int launcher_open(const struct launcher_options *o, struct launcher **ret, struct error *err);
/* A connection; err is touched by failures only. -EAGAIN (BLAME_HOST, step LAUNCHER) when there has been no launcher
 * for LAUNCHER_PATIENCE_MS: 503. */
#define LAUNCHER_PATIENCE_MS 2000
int launcher_connection(struct launcher *l, struct client *ret, struct error *err);
/* The connection back; is_good: the last run on it was answered, and nothing more is to come. Otherwise it is closed,
 * which ends what still runs on it. */
void launcher_return(struct launcher *l, struct client *connection, bool is_good);

bool launcher_is_alive(struct launcher *l);
uint64_t launcher_restarts(struct launcher *l);
uint64_t launcher_idle(struct launcher *l);
int launcher_pid(struct launcher *l); /* 0: not known (another service's), or none */
/* Ends it and everything it made. All connections are back before. Returns NULL. */
struct launcher *launcher_close(struct launcher *l);
