/* timing.h - where the time of a run went: the result's `timing`, the header Server-Timing, the spans of a trace.
 *
 * A run notes moments on its way (CLOCK_MONOTONIC; 0: it did not come so far). The parts follow from them: they do not
 * overlap, and their sum is the time from the request's arrival to `settled`. Pure.
 */
#pragma once
#include "base/buf.h"
#include "plan/plan.h"

struct timing {
    uint64_t received_us;           /* the request's head was there; the command line's start */
    uint64_t queued_us, granted_us; /* its place in the line, and its turn; the command line has no line */
    uint64_t scan_us, scanned_us;   /* the scan began, and its report was read */
    uint64_t decided_us;            /* it will run; compiling comes after it */
    uint64_t sent_us;               /* the plan is handed to the launcher */
    uint64_t started_us, ended_us;  /* of the program; timing_outcome() */
    uint64_t settled_us;            /* the audit, the store and the log have its end */
};

/* In the order in which they come to pass. */
enum timing_part { TIMING_QUEUE, TIMING_SCAN, TIMING_DECIDE, TIMING_START, TIMING_RUN, TIMING_SETTLE, TIMING_PARTS };
extern const char *const timing_names[];

/* What the launcher knows: when the program started and ended. */
void timing_outcome(struct timing *t, const struct outcome *o);
/* In us, each part. What is refused has all of its time in queue, scan and decide. */
void timing_split(const struct timing *t, uint64_t ret_us[static TIMING_PARTS]);
/* {"queue_ms":…,…} */
void timing_json(const struct timing *t, struct buf *out);
/* The value of Server-Timing: «queue;dur=0.012, scan;dur=…» */
#define TIMING_HEADER_SIZE 240u
void timing_header(const struct timing *t, char ret[static TIMING_HEADER_SIZE]);
