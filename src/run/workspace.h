/* workspace.h - the files that a program leaves in /workspace, read from outside when it has ended.
 *
 * Before the program starts, init sends the directory's descriptor over a socket of ours (launch/workspace.c). When the outcome is
 * there, everybody inside is dead and nothing changes any more, whether the program ended by itself or was killed:
 * workspace_read() walks the tree then. The descriptor keeps the tmpfs alive, and its memory charged to the sandbox's
 * group, until workspace_done(): call it soon.
 *
 * The tree is hostile: links, fifos, mounts, sparse files, a hundred thousand entries, names of any bytes. So: one component at a time,
 * from descriptor to descriptor, never through a link or into another mount, regular files only, and everything bounded.
 */
#pragma once
#include "base/buf.h"

#define WORKSPACE_MAX_FILES 256u
#define WORKSPACE_MAX_DEPTH 8u      /* directories below each other */
#define WORKSPACE_MAX_PATH 512u     /* bytes, as they stand in the file system */
#define WORKSPACE_MAX_ENTRIES 4096u /* looked at, of any kind: what bounds the time, some milliseconds */
#define WORKSPACE_MAX_FILE_BYTES (256 * MIB) /* held in memory at once */

struct workspace {
    int sock; /* our end; -1: none */
    int dir;  /* what came through it; -1: nothing yet */
};

/* What was not handed out, by reason. */
struct workspace_rest {
    uint32_t too_large; /* files for which max_bytes had no room left */
    uint32_t too_many;  /* files beyond WORKSPACE_MAX_FILES */
    uint32_t too_deep;  /* directories */
    uint32_t too_long;  /* names */
    uint32_t special;   /* symbolic links, fifos, sockets */
    uint32_t mounts;    /* volumes below the directory */
    uint32_t unreadable;
    uint64_t bytes; /* of the files that are too large or too many */
    bool is_cut;    /* more than WORKSPACE_MAX_ENTRIES: what came behind them was not even counted */
};

/* -> the other end, for RUN_FD_WORKSPACE, which the caller closes; or -errno. */
int workspace_open(struct workspace *w);
/* The directory that came, or -1: not yet. Never waits. It stays w's. */
int workspace_dir(struct workspace *w);
/* Calls `each` for every file, until it says false: with its path below the directory, clean (workspace_name()), and its
 * content, borrowed for the call. To be called once, after the outcome. max_bytes: of all files together.
 * -ENODATA: no directory came, because the program was never started. */
int workspace_read(struct workspace *w, uint64_t max_bytes,
                   bool (*each)(void *ctx, const char *name, const void *data, uint64_t size), void *ctx,
                   struct workspace_rest *ret_left_out);
void workspace_done(struct workspace *w);

/* For people and JSON: control characters, backslashes and bytes that are no UTF-8 as \xNN. Different paths stay different. */
int workspace_name(struct buf *out, const char *path);
/* «2 files too large (20m), 1 link or special file»; nothing where nothing was left out. */
void workspace_rest_words(const struct workspace_rest *r, struct buf *out);
