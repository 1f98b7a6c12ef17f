/* processes.h - what an execution has that is a process of a session (docs/sessions.md): an input that stays open, or a
 * terminal.
 *
 * Made by the request that begins it, then its execution's, under whose lock it stands. The descriptors are closed when
 * the execution has finished; what is left says whose it was. All functions may be called by any thread.
 */
#pragma once
#include "daemon/executions.h"
#include "run/options.h"

#define PROCESS_SIDE_MAX 1000u /* rows, columns */

struct process_asked {
    bool has_input, has_terminal;
    uint16_t rows, columns;
};

struct process {
    char session_id[EXECUTION_ID_SIZE];
    struct strlist argv; /* what it runs, while it runs; empty: code */
    bool is_terminal;
    int input;    /* what is written here it reads: a pipe's end, or our side of the terminal; -1: closed, or none */
    int inside;   /* the pipe's other end; -1: none */
    int job;      /* the connection over which its job runs (session/session.h); -1: it has not begun */
    uint64_t tag; /* of its run */
};

/* Lends its descriptors to o. */
int process_open(const struct process_asked *asked, const char *session_id, struct options *o, struct process **ret,
                 struct error *err);
void process_close(struct process *p);                    /* its descriptors; accepts NULL */
struct process *process_free(struct process *p);          /* accepts NULL, returns NULL */
void process_own(struct execution *e, struct process *p); /* p is e's now */
/* Its job will run over this connection, with this tag. */
void process_begun(struct execution *e, int job, uint64_t tag);

/* True: e is a process of that session. */
bool process_is_of(struct execution *e, const char *session_id);
/* Until all is taken, or the process has not read for PROCESS_PATIENCE_MS (-EAGAIN). -EPIPE: it has no open input.
 * *ret_taken: bytes, in any case. */
int process_write(struct execution *e, const char *data, size_t size, size_t *ret_taken, struct error *err);
/* End of file: of a terminal, as by ^D at the beginning of a line. */
int process_end_input(struct execution *e, struct error *err);
/* To every process of it inside. */
int process_signal(struct execution *e, int sig, struct error *err);
int process_resize(struct execution *e, uint16_t rows, uint16_t columns, struct error *err);
