/* stream.h - what flows while a program runs: its two outputs, its input, its guard's reports, our signals.
 *
 * Each output goes, byte for byte and as it comes, to the terminal (or into memory for --json), to the run's
 * log and to --output-file. Beyond `max_bytes` it is read and thrown away, so that no process blocks;
 * beyond OUTPUT_RUNAWAY times that the run is ended (reason output_limit).
 */
#pragma once
#include "plan/build.h"
#include "run/decoy.h"
#include "run/denied.h"
#include "run/reports.h"

#define OUTPUT_RUNAWAY 16
/* how long after the deadline a launcher may stay silent: its own limit for a set-up is 10 s */
#define STREAM_PATIENCE_MS 12000u

struct output {
    int pipe;        /* our end; -1 after end of file */
    int to;          /* -1: capture */
    struct buf kept; /* captured bytes, for the result (to: -1) and the artifacts, as many as its maximum */
    uint64_t seen, max_bytes;
    bool is_truncated;
    bool is_full; /* may_keep has said no: what comes is logged, and not kept */
};

struct input_rest { /* read from the input, not yet taken by the program */
    uint32_t start, end;
    uint64_t total; /* bytes that were ever read; no more than end: they are all in chunk */
    char chunk[32 * 1024];
};

struct stream {
    struct output out[2]; /* stdout, stderr */
    int log, copy;        /* -1: none; copy: --output-file, of stdout only */
    uint64_t log_left;    /* bytes the log still takes */
    bool log_failed, copy_failed;
    int input, input_pipe; /* from, to; -1: none */
    struct input_rest input_rest;
    struct reports reports;
    struct denied denied;   /* of stderr */
    struct observe observe; /* the run's events; read also while a reader of ours lets us wait */
    struct decoy decoy;     /* files whose opening becomes an event */
    struct client *client;  /* whom a kill switch tells, and about which run: set by stream_run() */
    uint64_t tag;
    int stop;            /* readable: end the run. The command line's signalfd, the service's eventfd; or -1 */
    int caught;          /* what came through it: a signal's number, or -1 from an eventfd; 0: nothing */
    int sizes, terminal; /* signalfd of SIGWINCH, and our side of the program's terminal, which gets the size of ours
                            then; or -1 */
    int peer;            /* socket of a process that asked: when it is gone, so is the reader; or -1 */
    /* Each piece of output, also to this; must not block. NULL: to none. */
    void (*on_output)(void *context, int which, const char *data, size_t size);
    /* Whether so many more bytes may be kept in memory; asked before they are. NULL: they may. */
    bool (*may_keep)(void *context, size_t size);
    void *output_context; /* of both */
    bool lost_reader;     /* a process that read our output is gone */
    int write_errno;      /* why an output could not be written, other than by its reader's leaving; 0: it could */
    /* Housekeeping while the program runs, from tick_ms (CLOCK_MONOTONIC) on: says in how many ms again; 0: no more.
     * NULL: none. */
    uint32_t (*tick)(void *context);
    void *tick_context;
    uint64_t tick_ms;
    bool is_job; /* in a session: its pipes may live on in another job (SCM_RIGHTS) */
    /* For how long what runs has stood still in all, which its deadline does not count. NULL: never. */
    uint64_t (*paused_ms)(void *context);
    void *paused_context;
    uint64_t give_up_ms; /* CLOCK_MONOTONIC without that; 0: wait for ever */
};

void stream_set_limit(struct stream *s, const struct plan *p);
void stream_set_tick(struct stream *s, uint32_t in_ms, uint32_t (*tick)(void *context), void *context);

/* Whether `stop` says that we are to end, before anything runs; `caught` has the signal then. */
bool stream_is_stopped(struct stream *s);
/* The next reader gets the input from where the first began. False: it was read too far, and cannot be read again. */
bool stream_rewind_input(struct stream *s);
/* Until the outcome is there and both outputs have ended. */
int stream_run(struct stream *s, struct client *c, uint64_t tag, struct outcome *ret, struct error *err);
