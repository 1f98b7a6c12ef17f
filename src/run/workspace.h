/* workspace.h - the files that a program leaves in /workspace, read from outside when it has ended.
 *
 * Before the program starts, init sends the directory's descriptor over a socket of ours (launch/workspace.c). When the
 * outcome is there, every process inside has ended and nothing changes any more, whether the program ended by itself or
 * was killed: workspace_read() walks the tree then (base/leftover.h). The descriptor keeps the tmpfs alive, and its
 * memory charged to the sandbox's group, until workspace_done(): call it soon.
 *
 * No process outside can walk a container's: there sandbox-entry does, by the same rules, and before the outcome
 * sandbox-engine sends over that socket what it was told, in sealed memory (base/bundle.h). Hostile, too: neither the
 * files' names nor their sizes are believed.
 */
#pragma once
#include "base/leftover.h"

struct workspace {
    int sock;       /* our end; -1: none */
    int dir;        /* what came through it; -1: nothing yet */
    bool is_bundle; /* and it is no directory, but a bundle */
};

/* -> the other end, for RUN_FD_WORKSPACE, which the caller closes; or -errno. */
int workspace_open(struct workspace *w);
/* The directory that came, or -1: not yet, or a bundle did. Never waits. It stays w's. */
int workspace_dir(struct workspace *w);
/* Calls `each` for every file, until it says false: with its path below the directory, clean (workspace_name()), and
 * its content, borrowed for the call. To be called once, after the outcome. max_bytes: of all files together. -ENODATA:
 * nothing came, because the program was never started. -EBADMSG: what came is no bundle. */
int workspace_read(struct workspace *w, uint64_t max_bytes,
                   bool (*each)(void *ctx, const char *name, const void *data, uint64_t size), void *ctx,
                   struct workspace_rest *ret_left_out);
void workspace_done(struct workspace *w);

/* For people and JSON: control characters, backslashes and bytes that are no UTF-8 as \xNN. Different paths stay
 * different. */
int workspace_name(struct buf *out, const char *path);
/* «2 files too large (20m), 1 link or special file»; nothing where nothing was left out. */
void workspace_rest_words(const struct workspace_rest *r, struct buf *out);
