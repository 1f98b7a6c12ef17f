/* stream.h - what flows while a program runs: its two outputs, its input, its guard's reports, our signals.
 *
 * Each output goes, byte for byte and as it comes, to the terminal (or into memory for --json), to the run's
 * log and to --output-file. Beyond `max_bytes` it is read and thrown away, so that nobody blocks;
 * beyond OUTPUT_RUNAWAY times that the run is ended (reason output_limit).
 */
#pragma once
#include "cli/lure.h"
#include "cli/reports.h"

#define OUTPUT_RUNAWAY 16
/* how long after the deadline a launcher may stay silent: its own limit for a set-up is 10 s */
#define STREAM_PATIENCE_MS 12000u

struct output {
    int pipe;        /* our end; -1 after end of file */
    int to;          /* -1: capture */
    struct buf kept; /* captured bytes, for the result (to: -1) and the artifacts, as many as its maximum */
    uint64_t seen, max_bytes;
    bool is_truncated;
};

struct stream {
    struct output out[2]; /* stdout, stderr */
    int log, copy;        /* -1: none; copy: --output-file, of stdout only */
    uint64_t log_left;    /* bytes the log still takes */
    bool log_failed;
    int input, input_pipe; /* from, to; -1: none */
    struct reports reports;
    struct observe observe; /* the run's events; read also while a reader of ours lets us wait */
    struct lure lure;       /* files whose opening becomes an event */
    struct client *client;  /* whom a kill switch tells, and about which run: set by stream_run() */
    uint64_t tag;
    int signals;           /* signalfd, or -1 */
    int caught;            /* the signal that ended us, or 0 */
    bool lost_reader;      /* whoever read our output is gone */
    int write_errno;       /* why an output could not be written, other than by its reader's leaving; 0: it could */
    /* Housekeeping while the program runs, from tick_ms (CLOCK_MONOTONIC) on: says in how many ms again; 0: no more. NULL: none. */
    uint32_t (*tick)(void *context);
    void *tick_context;
    uint64_t tick_ms;
    uint64_t give_up_ms;   /* CLOCK_MONOTONIC; 0: wait for ever */
};

void stream_set_limit(struct stream *s, const struct job *j);
void stream_set_tick(struct stream *s, uint32_t in_ms, uint32_t (*tick)(void *context), void *context);

/* Until the outcome is there and both outputs have ended. */
int stream_run(struct stream *s, struct client *c, uint64_t tag, struct outcome *ret, struct error *err);
