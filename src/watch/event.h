/* event.h - what happened in a run: one typed thing for detectors, audit, result and recordings.
 *
 * Made by the launcher and the broker (src/notify), which answer the calls that were asked about, and by what samples
 * and counts. Travels as one message each over a SOCK_SEQPACKET socket of the client's (RUN_FD_EVENTS), is fed to the
 * detectors (watch.h) and may be recorded as a line of JSON (record.h). Texts come from inside: any bytes but NUL, cut
 * to their maximum, escaped by a process that prints them.
 *
 * What an event says was read once, before the call was decided on; nothing is read again. Where a call was let
 * continue, its memory may have changed since: such events are observations, no fences.
 */
#pragma once
#include "base/error.h"
#include "base/pack.h"

enum watch_kind {
    WATCH_EXEC = 1, /* execve: text path, argv, flags, stdio */
    WATCH_CALL,     /* a call of the watched surface that is no network call: nr, args, error (0: let through); or
                       connect(2) to an AF_UNIX socket of the system, text: its path */
    WATCH_SOCKET,   /* socket(2) beyond AF_UNIX where there is no network, or of a refused family: args: family, type,
                       protocol */
    WATCH_CONNECT,  /* a connection was asked for: family, protocol, address, port, name, verdict, text: the rule; error
                     */
    WATCH_BIND,     /* family, address, port */
    WATCH_LISTEN,
    WATCH_NAME, /* the resolver was asked: name, args[0]: query type, verdict, text: the rule, argv: the text of a TXT
                   record that it answers with */
    WATCH_TRAFFIC, /* connection, bytes_out, bytes_in so far; name, address, port as in its CONNECT */
    WATCH_CLOSED,  /* the same, final */
    WATCH_FILE,    /* a file was opened: text path, flags */
    WATCH_SAMPLE,  /* cpu_us so far, memory_bytes now, pids now, args[0]: processes started so far (0: not counted),
                      args[1]: microseconds that its threads waited for a processor so far */
    WATCH_LIMIT, /* a limit was hit: text memory, pids or storage, args[0]: how often so far; pids, args[1]: by how many
                    processes, up to 8, where that is known; storage: name: the place that is full */
    WATCH_WORDS, /* words of a mining protocol in a process's memory: text: the word; pid */
    WATCH_FEED,  /* a program gets its standard input, by any chain, from a process that has a connection: pid: the
                    program's, text: its file, argv; args[0]: that process, args[1]: bytes that it wrote since it
                    connected; the connection as in TRAFFIC */
    WATCH_LOST,  /* events that no process took: args[0]: how many */
    WATCH_END,   /* the run is over; text: the reason, as in its result */
    WATCH_BEGUN, /* the interpreter's own start is over: its guard says so, before it runs the program */
    WATCH_STARTING, /* an interpreter starts; args[0]: microseconds of CPU time that this may take at most. Told again
                       with more where the machine turns out to be slow */
    WATCH_KIND_COUNT,
};
extern const char *const watch_kind_names[WATCH_KIND_COUNT]; /* [0] is NULL */

enum watch_verdict { WATCH_ALLOWED, WATCH_REFUSED };

enum {                           /* flags */
       WATCH_WRITABLE_PLACE = 1, /* EXEC: the program lies on a mount that can be written, or is a memfd */
       WATCH_SETUID_FILE = 2,    /* EXEC: it has a set-id bit */
       WATCH_FOR_WRITING = 4,    /* FILE */
       WATCH_SENSITIVE = 8,      /* FILE: by its name */
       WATCH_CANARY = 16,        /* FILE: planted */
       WATCH_INSIDE = 32,        /* CONNECT, BIND: within the sandbox itself (its loopback) */
       WATCH_SETTINGS =
           64, /* FILE: credentials that programs open by themselves; args: its inode, its size, the hash of a line */
       WATCH_ANSWERS = 128,    /* FEED: what it says goes back to that process */
       WATCH_AS_CAME = 256,    /* FEED: instead of all that: pid is about to execute a command that stands in its
                                  memory at the end of a line */
       WATCH_AS_STRING = 512,  /* FEED: likewise, that stands there between the quotes of a string: JSON */
       WATCH_OF_OTHERS = 1024, /* FILE: planted in the home of a user who does not exist, and read */
};

enum watch_stdio {
    WATCH_FD_NONE,
    WATCH_FD_FILE,
    WATCH_FD_PIPE,
    WATCH_FD_TTY,
    WATCH_FD_UNIX,
    WATCH_FD_INET,
    WATCH_FD_OTHER
};

#define WATCH_FRAME_MAX      80u /* bytes around a command in a message, where it is the end of a line */
#define WATCH_TEXT_MAX       512u
#define WATCH_ARGV_MAX       1024u /* all arguments, joined */
#define WATCH_ARGV_SEPARATOR '\x1f'
#define WATCH_MESSAGE_MAX    4096u

struct watch_event {
    uint64_t at_us; /* since the run began (the launcher read the request) */
    uint8_t kind;
    uint8_t verdict; /* enum watch_verdict */
    uint32_t pid;    /* of the process, as the supervisor sees it; 0: no process's */
    uint32_t inside,
        parent;         /* its pid as seen inside; its parent's, as the supervisor sees it:
                           the nearest that asked for something, too, which a subshell may not have. 0: not known */
    uint32_t nr, error; /* system call number; errno that was answered, 0: none */
    uint64_t args[3];
    uint8_t family, protocol; /* AF_*, IPPROTO_TCP or IPPROTO_UDP */
    uint16_t port;
    uint64_t address[2];          /* network order in memory: 4 bytes for AF_INET, 16 for AF_INET6; zeros behind */
    uint64_t connection;          /* CONNECT, TRAFFIC, CLOSED: its number in this run, from 1 */
    uint64_t bytes_out, bytes_in; /* as the code sees it */
    uint64_t cpu_us, memory_bytes;
    uint32_t pids;
    uint32_t flags;
    uint8_t stdio0, stdio1, stdio2;           /* EXEC: enum watch_stdio of descriptors 0, 1, 2 */
    uint64_t stdio_id0, stdio_id1, stdio_id2; /* inode of a pipe or socket: the same number is the same pipe */
    const char *text, *name, *argv;           /* NULL: none */
};

extern const struct field watch_event_fields[];
extern const size_t watch_event_field_count;

void watch_event_pack(struct buf *b, const struct watch_event *e);
/* Borrows from data. 0 or -EBADMSG: damaged, or a kind that is none. */
int watch_event_unpack(const void *data, size_t size, struct watch_event *ret);
/* «93.184.216.34:443», «[2606:2800::1]:443» */
#define WATCH_ADDRESS_MAX 64
void watch_event_address(const struct watch_event *e, char out[static WATCH_ADDRESS_MAX]);
