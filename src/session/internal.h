/* internal.h - what the files of a session share. No other folder includes it. */
#pragma once
#include <pthread.h>

#include "session/session.h"
#include "steward/protocol.h"

/* To a job's connection, in place of MESSAGE_KILL: u64 type, tag, signal, for every process of the job. */
#define SESSION_SIGNAL 256u
/* Likewise: u64 type, tag, number. Comes back as it is when all that the launcher has told so far was passed on. */
#define SESSION_FLUSH 257u

enum session_job_state {
    JOB_NONE,    /* this place is free */
    JOB_WAITS,   /* connected; its plan is still to come */
    JOB_ORDERED, /* it is with the steward, or its reaper */
    JOB_WARNED,  /* its time is over, or it is to end: SIGTERM */
    JOB_KILLED   /* and SIGKILL */
};

/* An event may come after the end of which it is. Longer than that, and the number may be another process's. */
#define SESSION_PAST_MS 2000u
#define SESSION_PAST    32u

struct session_past { /* a reaper that has ended */
    uint32_t pid;
    uint64_t until_ms;
};

struct session_job {
    enum session_job_state state;
    int sock;        /* to its exec; -1: that has gone */
    int events;      /* likewise, for what its processes do; -1: it wants none */
    int line;        /* to its reaper, where that had waited for it; -1: the steward stands between */
    bool is_command; /* such as can be given to what waits (waiting.c) */
    uint32_t reaper; /* the process from which all of it comes, as we see it; 0: not known */
    uint64_t number; /* the steward's name for it */
    uint64_t tag;
    uint64_t timeout_ms, grace_ms;
    uint64_t start_us;
    uint64_t next_ms;       /* session_clock_ms(): its deadline, or when SIGKILL is due; 0: neither */
    enum run_reason forced; /* why we end it; REASON_COMPLETED: we do not */
};

struct session {
    pthread_mutex_t lock; /* around what is marked S */
    pthread_cond_t changed;
    pthread_t keeper;
    bool is_started;
    bool is_ready, has_ended;       /* S */
    int incoming[STEWARD_JOBS_MAX]; /* S: connections of jobs that the keeper has not seen yet */
    uint32_t incoming_count;        /* S */
    uint32_t job_count;             /* S: incoming, and those that the keeper has */
    struct session_request {
        int sock;
        uint64_t port;                                                     /* 0: a worker's, for files */
    } requests[STEWARD_FILES_MAX + STEWARD_WATCH_MAX + STEWARD_PORTS_MAX]; /* S: on their way to the steward */
    uint32_t requests_incoming;                                            /* S */
    uint32_t requests_count[SESSION_WORKERS]; /* S: requests under way of each kind, those among them */
    bool is_paused, is_asked;      /* S: as the launcher says; it was asked for another state and has not answered */
    int pause_error;               /* S: of that answer */
    uint64_t pause_answers;        /* S: how many there were */
    uint32_t checkpoints;          /* S: that are there, or are being made */
    uint32_t checkpoint_contexts;  /* S: of how many contexts */
    uint32_t checkpoints_set;      /* S: of those, how many the launcher has said that it has room for */
    uint32_t mark;                 /* S: what it was asked with, and has not answered or has refused; 0: nothing */
    int room_error;                /* S: why it has refused it; 0: it has not */
    uint64_t memory_bytes, seen;   /* S: of the last sample, and how many there were */
    uint64_t paused_ms, paused_at; /* S: until paused_at, in all; CLOCK_MONOTONIC */
    struct outcome opened;         /* S: borrows from opened_message; set once */
    bool wants_disk;               /* MOUNT_ON_DISK */
    bool was_opened, has_steward;  /* S for others than the keeper */
    char *opened_message;

    int wake;                  /* eventfd */
    struct client launcher;    /* the connection */
    int own;                   /* to the session's exec */
    int steward;               /* our end; non-blocking */
    int steward_inside;        /* the other, until session_start() has handed it out */
    int events_in, events_out; /* from the launcher; to the session's exec */
    pthread_mutex_t passing;   /* while the keeper passes events on, or closes events_in */
    uint64_t started_us;       /* when events begin to count */
    struct plan plan;          /* a few members of its shape, from before it is opened */
    char apparmor[96], selinux[96];
    uint64_t landlock_abi; /* of the fence around each job, as the steward says */
    uint64_t last_number;
    struct session_waiting {
        int line;          /* -1: nothing waits */
        uint64_t number;   /* of the job that it will be */
        uint32_t reaper;   /* 0: it is not known yet, and no job is given to it */
        uint64_t until_ms; /* session_clock_ms() */
    } waiting;             /* waiting.c */
    uint32_t room;         /* as the launcher was told last */
    uint64_t lower_ms;     /* session_clock_ms(): when it is told of less; 0: it is not */
    uint64_t own_tag;      /* of the session's run */
    uint32_t steward_pid;  /* as we see it; 0: no reaper was named yet */
    char *message;         /* PLAN_MAX_MESSAGE bytes of the keeper's */
    struct session_job jobs[STEWARD_JOBS_MAX];
    struct session_past past[SESSION_PAST];
    uint32_t past_count; /* ever */
};

/* jobs.c: what a job's outcome begins with; the list `missing` is the caller's. Times are clock_us(); 0: not yet. */
struct outcome session_outcome(const struct session *s, uint64_t start_us, uint64_t started_us);

/* session.c: its launcher has died, and its sandbox is about to. What asks the launcher meanwhile is refused (ENOSYS),
 * so that an error is no fault of the program that meets it. */
bool session_is_lost(struct session *s);
/* jobs.c: this end comes from that. */
void session_tell_lost(struct outcome *o);

/* session.c: CLOCK_MONOTONIC without the time in which it was paused. Of deadlines. */
uint64_t session_clock_ms(struct session *s);

/* session.c: the end of a socket whose other end the steward gets with the order; then session_files_done(). Waits for
 * one of the few that are asked for at once, not beyond until_ms (clock_ms()). */
int session_request_port(struct session *s, uint16_t port, uint64_t until_ms, int *ret, struct error *err);

/* room.c, for the keeper: the launcher is told how many processes beside the jobs' there are; what it answered. */
void session_room_tell(struct session *s);
/* Before a job begins: what lingers is taken back now, or the job would have it. */
void session_room_trim(struct session *s);
void session_room_is_set(struct session *s, uint64_t mark, uint64_t error);

/* port.c: the kernel says of which namespace a socket is (Linux 5.14). */
bool session_port_is_sure(void);
/* port.c: a descriptor from inside is a TCP socket beyond our own network namespace. */
bool session_port_is_good(int fd);

/* keeper.c: the thread */
void *session_keep(void *session);

/* waiting.c, all for the keeper: a reaper with a fenced process below it, forked before its job is known. */
/* One behind the end of a job, where the next one is likely soon. */
void session_waiting_begin(struct session *s);
/* Its reaper's pid, as we see it. False: it is not of this number. */
bool session_waiting_is_forked(struct session *s, uint64_t number, uint32_t reaper);
/* False: a job such as this one needs more than what waits can have. */
bool session_waiting_is_for(const struct job *job);
/* The job gets it: number, reaper and line. False: none waits. */
bool session_waiting_take(struct session *s, struct session_job *j);
/* Nothing waits any more: it has ended, or is not needed. */
void session_waiting_end(struct session *s);

/* jobs.c, all for the keeper */
void session_jobs_take(struct session *s); /* what came in since the last time */
void session_job_on_message(struct session *s, struct session_job *j);
/* Over its line. False: what came is no word of it. */
bool session_job_on_line(struct session *s, struct session_job *j);
/* A word of the steward's. False: it is none. */
bool session_job_on_word(struct session *s, const struct steward_word *w);
/* Requests for files and ports go to the steward. */
void session_requests_take(struct session *s);
/* What is due; -> until when there is nothing to do, session_clock_ms(); UINT64_MAX: never. */
uint64_t session_jobs_tick(struct session *s);
/* A pidfd of its reaper came. */
void session_job_forked(struct session *s, uint64_t number, int pidfd);

/* events.c: of this process; 0: it has gone. */
uint32_t session_parent_of(uint32_t pid);
/* events.c: what the launcher has told of the sandbox goes to the job from which it comes, or to the session. */
void session_events_pass(struct session *s);
void session_events_close(struct session *s);
/* For any thread: all that the launcher has told so far was passed on. False: not yet, or it is not sure
 * (SESSION_FLUSH). */
bool session_events_are_passed(struct session *s);

/* keeper.c: all that the steward has said so far. False: it says what is none of its words, or has gone. */
bool session_hear_steward(struct session *s);

/* The sandbox is gone. is_lost: by no doing of ours. */
void session_jobs_end(struct session *s, bool is_lost);
