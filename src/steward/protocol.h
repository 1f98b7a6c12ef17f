/* protocol.h - what the service and a session's steward say to each other.
 *
 * A steward is the one program of a session's sandbox (steward/main.c); it starts the jobs. They talk over a
 * SOCK_SEQPACKET pair, one message each: the service holds one end, the steward has the other at STEWARD_FD.
 *
 *   START    service   u64 type, u64 job, then the job's fields (plan/plan.h), with the descriptors that
 *                      run_fds_gather() takes for it up to RUN_FD_INIT_MAX. Its files lie in the code's descriptor
 *   SIGNAL   service   struct steward_order: to every process of the job
 *   FILES    service   u64 type, with a socket: a worker serves one request for files over it (files/remote.h)
 *   PORT     service   u64 type, u64 port, with a socket: over it goes one u64, errno or 0, and with 0 a TCP socket
 *                      that has begun to connect to this port of the session's own loopback
 *   PREPARE  service   struct steward_order, with a socket, the line: a reaper and a fenced process below it are forked
 *                      for a job that is still to come
 *   READY    steward   struct steward_word: it waits for jobs
 *   FORKED   steward   with a descriptor: the job's reaper, as a pidfd
 *   GO       service   struct steward_order: it knows the reaper, whose events are no job's; now the job may start
 *   FAILED   steward   it could not be started: step and errno. The job is over
 *   ENDED    steward   its main process ended, and no process of it is left
 *
 * Of a job that was prepared the steward says FORKED, or FAILED; everything else goes over its line: START (by which
 * the process becomes the job's program, so that it has no files), SIGNAL, ENDED and FAILED. The service takes back
 * what it has prepared by closing the line.
 *
 * No byte of a job flows through the steward: it passes the descriptors on. The service believes nothing of what comes
 * from it but what concerns this session: it runs beside the code, under the same uid. A steward that ends, or says
 * what is none of this, ends its session.
 */
#pragma once
#include "base/base.h"

#define STEWARD_FD        14
#define STEWARD_JOBS_MAX  16u /* at once */
#define STEWARD_FILES_MAX 4u  /* workers at once */
#define STEWARD_WATCH_MAX 4u  /* and of those that watch */
#define STEWARD_PORTS_MAX 8u  /* connections to ports that are asked for at once */
/* Of a session, all together. Those of contexts are a process each (guards/kernel_python.py). */
#define STEWARD_CHECKPOINTS_MAX 100u
#define STEWARD_CONTEXTS_MAX    8u
/* What is in a sandbox beside its jobs' processes, at most: the steward, a reaper for each job, workers with the one
 * process in between that forks them; checkpoints, with one in between for each context that has any, and one more
 * while a context goes back. The limit is raised by those that are there, and no more (session/room.c). */
#define STEWARD_WORKERS(n)               ((n) ? (n) + 1 : 0)
#define STEWARD_CHECKPOINTS(n, contexts) ((n) ? (n) + (contexts) + 1 : 0)
#define STEWARD_PROCESSES                                                            \
    (1 + STEWARD_JOBS_MAX + STEWARD_WORKERS(STEWARD_FILES_MAX + STEWARD_WATCH_MAX) + \
     STEWARD_CHECKPOINTS(STEWARD_CHECKPOINTS_MAX, STEWARD_CONTEXTS_MAX))
/* The same where its jobs are contexts only: there are no files, and at most as many contexts. */
#define STEWARD_BARE_PROCESSES (1 + STEWARD_CONTEXTS_MAX)

enum steward_type {
    STEWARD_START = 1,
    STEWARD_SIGNAL,
    STEWARD_GO,
    STEWARD_READY,
    STEWARD_FORKED,
    STEWARD_FAILED,
    STEWARD_ENDED,
    STEWARD_FILES,
    STEWARD_PORT,
    STEWARD_PREPARE
};

struct steward_order {
    uint64_t type, job, signal;
};

/* What could not be done for a job. */
enum steward_step { STEWARD_STEP_FILES, STEWARD_STEP_FENCE, STEWARD_STEP_CWD, STEWARD_STEP_EXEC, STEWARD_STEPS };

struct steward_word {
    uint64_t type, job;
    uint64_t landlock_abi;          /* READY: of the fence around each job; 0: there is none */
    uint64_t step, error;           /* FAILED: enum steward_step, errno */
    uint64_t status;                /* ENDED: as wait(2) */
    uint64_t cpu_us, max_rss_bytes; /* ENDED: of all its processes; of the largest of them */
    uint64_t run_us;                /* ENDED: since its program was executed */
};
