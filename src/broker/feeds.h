/* feeds.h - which programs get their standard input, by any chain, from a process that has a connection to outside.
 *
 * That is a state, whatever came first: the program, the connection, or the pipe between them. It is read from /proc:
 * who holds which end of a pipe, a FIFO, a pair of unix sockets, a terminal, and which socket was handed over. Looked
 * at when something was received, or a program was started, ten times a second at most and for a fiftieth of the time
 * at most; only where the profile recognises reverse_shells. What is told (WATCH_FEED) is no violation: the detector
 * compares what came from the peer with what the holder wrote.
 */
#pragma once
#include "notify/notify.h"

struct broker;

#define FEEDS_TALKS 8u /* connections that are looked at, at a time */

struct talk { /* a connection to outside, now */
    struct watch_event event;
    uint64_t socket; /* inode of the socket that was handed over; 0: none is known (UDP) */
    uint32_t pid;    /* the process that asked for it */
    uint64_t before; /* what it had written until then */
};

struct feeds {
    uint32_t init;    /* of the sandbox, as we see it; 0: not known yet */
    uint32_t process; /* that asked for a connection last, */
    uint64_t before;  /* and what it had written until then */
    uint64_t next_ms; /* not before */
    uint64_t bytes;   /* that all connections had received at the last look */
    uint32_t due;     /* looks: something happened, or has not come to rest */
    struct fed {      /* what was told last */
        uint64_t connection, in, out, written;
        uint64_t seen_in, seen_out, seen_written; /* at the last look: told when it has come to rest */
        uint32_t pid;
    } fed[16];
    uint32_t next_fed;
    uint64_t at_exec;  /* bytes that all talks had received when a program was started last */
    uint32_t searches; /* in memory, for commands */
};

/* pid is about to be given a connection to outside: what it writes afterwards may be what came. */
void feeds_note(struct feeds *f, uint32_t pid);
/* A program is about to be started: the peer's part in it is told first. Where it is a command of sh -c, hardly shorter
 * than what came, its text is looked for in the memory of who starts it (a child's is its parent's until then):
 * WATCH_AS_CAME says that it stands there as the end of a line, WATCH_AS_STRING between quotes. */
void feeds_before_exec(struct broker *b, struct feeds *f, const struct seccomp_notif *ask, uint64_t now_ms);
void feeds_tick(struct broker *b, struct feeds *f, uint64_t now_ms);
