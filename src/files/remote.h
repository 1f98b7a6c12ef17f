/* remote.h - the operations of files.h and tar.h asked for from outside a sandbox, done inside.
 *
 * A session's steward starts a worker for each request: it has the sandbox's uid, so that what it makes is the
 * session's own and its memory is charged there (files.h says why nothing else will do). Service and worker talk over a
 * SOCK_SEQPACKET pair, one message each; the worker ends with its reply, or when the service has closed its end.
 *
 *   service:  REQUEST; for PUT and UNPACK then DATA ... END
 *   worker:   for LIST ENTRY ..., for PACK DATA ...; then REPLY, with OPEN the file's descriptor beside it
 *
 * A large file that comes is written by the service itself, which spares two copies and a process (PUT with a number):
 *
 *   worker:   ROOM with the file's descriptor: so many of its bytes, from the first, have their memory, which is
 * charged to the sandbox. ROOM 0: none, what comes is thrown away, and the reply says why. Without a descriptor the
 * first is an offer of none: then DATA as ever service:  writes there; WRITTEN so many bytes, and again ROOM; END
 *
 * The file has no name until its end, so that no job can cut it, and have the next write charged to the service.
 *
 * WATCH is the exception: the reply comes first, then EVENT ... until the service closes its end, or the last is GONE.
 *
 * The worker runs beside the code. The service believes of it: bytes of a file, names, numbers in their ranges. A
 * message of another form is -EBADMSG; 30 s of silence are -ETIMEDOUT; a sandbox that ended is -EPIPE.
 */
#pragma once
#include "files/tar.h"

#define REMOTE_WORKSPACE   "/workspace"
#define REMOTE_CHECKPOINTS "/code/.checkpoints" /* where no job reaches: steward/fence.c */
#define REMOTE_MAX_DATA    (64 * KIB)
#define REMOTE_MAX_SIZE    (REMOTE_MAX_DATA + 16) /* of a message */
#define REMOTE_PATIENCE_MS 30000u

enum remote_op {
    REMOTE_OPEN = 1,
    REMOTE_STAT,
    REMOTE_LIST,
    REMOTE_PUT,
    REMOTE_MKDIR,
    REMOTE_MOVE,
    REMOTE_REMOVE,
    REMOTE_PACK,
    REMOTE_UNPACK,
    REMOTE_WATCH,
    REMOTE_KEEP, /* checkpoint.h: of the workspace, by `number` */
    REMOTE_RESTORE,
    REMOTE_FORGET,
    REMOTE_OPS
};

struct remote_request {
    uint64_t op;
    const char *path, *to;       /* to: MOVE; otherwise "" */
    uint64_t mode;               /* PUT: or WFILE_MODE_KEEP */
    uint64_t max_bytes;          /* PUT, PACK, UNPACK, KEEP */
    uint64_t depth, max_entries; /* LIST; WATCH: depth 1: the directory, more: all below it, too */
    uint64_t replaces;           /* MOVE */
    uint64_t number; /* KEEP, RESTORE, FORGET: the checkpoint's; PUT: bytes that are announced, for ROOM; or 0 */
};

struct remote_reply {
    int error;              /* 0 or negative errno: tar_words() */
    struct wfile_stat stat; /* OPEN, STAT, PUT */
    char text[PATH_MAX];    /* STAT: a link's text; PACK, UNPACK, KEEP, RESTORE: the entry that the error is about; KEEP
                               without one: checkpoint.h, `failed` */
    bool is_made, is_cut;   /* MKDIR; LIST, WATCH */
    uint64_t count;         /* UNPACK, PACK, KEEP: entries */
    uint64_t bytes;         /* KEEP: that were copied */
};

enum remote_kind {
    REMOTE_DATA = 'd',
    REMOTE_END = 'e',
    REMOTE_ENTRY = 'n',
    REMOTE_EVENT = 'v',
    REMOTE_REPLY = 'r',
    REMOTE_ROOM = 'm',   /* u64 */
    REMOTE_WRITTEN = 'w' /* u64 */
};
#define REMOTE_ROOM_MIN    (4 * MIB) /* smaller files come as DATA: their round trips would cost more */
#define REMOTE_ROOM_WINDOW (8 * MIB) /* of memory ahead of what was written */

/* --- inside --------------------------------------------------------------------------------------------- */

/* One request, and its reply. Waits for the service as long as that lives. */
void remote_serve(int sock);

/* --- outside -------------------------------------------------------------------------------------------- */

/* 0 or -errno */
int remote_send(int sock, const struct remote_request *r);
/* For PUT and UNPACK: all of it, and its end. A worker that has failed meanwhile is no error here: its reply says so.
 */
int remote_send_content(int sock, const void *data, size_t size);

/* The same in pieces: -EPIPE where the worker has gone; then its end. */
int remote_send_piece(int sock, const void *data, size_t size);
int remote_send_end(int sock);

struct remote_message {
    enum remote_kind kind;
    const char *data; /* DATA: borrows from the buffer */
    size_t size;
    struct wfile_entry entry; /* ENTRY: borrows from the buffer */
    struct wfile_event event; /* EVENT: likewise */
    struct remote_reply reply;
    uint64_t room; /* ROOM */
    int fd;        /* REPLY of OPEN, ROOM: a regular file's, the caller's; otherwise -EBADF */
};
/* The next one, within wait_ms: 1; 0: nothing yet; or an error. buffer: REMOTE_MAX_SIZE bytes. */
int remote_next(int sock, uint64_t wait_ms, char *buffer, struct remote_message *ret);
/* Waits for the reply; another message is -EBADMSG. */
int remote_wait(int sock, char *buffer, struct remote_message *ret);

/* A file that we write ourselves. */
struct remote_writer {
    int fd; /* -EBADF: what comes is DATA, or thrown away */
    bool is_over;
    uint64_t at, room, told, most; /* bytes: written, with memory, as of the last WRITTEN, in all */
};
/* After a PUT with a number, which is `most`: waits for ROOM. buffer as above. 0, or an error as of remote_next(). */
int remote_writer_begin(int sock, uint64_t most, char *buffer, struct remote_writer *ret);
void remote_writer_done(struct remote_writer *w);
/* All of it, or an error; then remote_send_end(). */
int remote_writer_write(struct remote_writer *w, int sock, char *buffer, const void *data, size_t size);
