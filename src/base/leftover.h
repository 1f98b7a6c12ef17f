/* leftover.h - what is kept of the files that a program leaves in /workspace: the limits, the walk, and what is told of
 * the rest.
 *
 * Used where the tree can be reached when every process inside has ended: by the client, from outside
 * (run/workspace.c), or by sandbox-entry in a container (entry/leftover.c). The tree is hostile: links, fifos, mounts,
 * sparse files, a hundred thousand entries, names of any bytes. So: one component at a time, from descriptor to
 * descriptor, never through a link or into another mount, regular files only, and everything bounded. Nothing is
 * allocated, and nothing is read but directories.
 */
#pragma once
#include "base/pack.h"

#include <sys/types.h>

#define WORKSPACE_MAX_FILES      256u
#define WORKSPACE_MAX_DEPTH      8u          /* directories below each other */
#define WORKSPACE_MAX_PATH       512u        /* bytes, as they stand in the file system */
#define WORKSPACE_MAX_ENTRIES    4096u       /* looked at, of any kind: what bounds the time, some milliseconds */
#define WORKSPACE_MAX_FILE_BYTES (256 * MIB) /* held in memory at once */

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
    bool is_late;   /* a container's: it was not done with telling them when its time was over */
};
extern const struct field workspace_rest_fields[];
extern const size_t workspace_rest_field_count;

/* As the walk makes them: relative, at most WORKSPACE_MAX_PATH bytes and WORKSPACE_MAX_DEPTH directories, no component
 * empty, «.» or «..». */
bool leftover_path_is_sound(const char *path);

struct leftover_dir {
    int fd;
    uint32_t at, end;               /* in entries */
    uint32_t path_size;             /* of the path before its entries' names */
    _Alignas(8) char entries[2048]; /* as getdents64(2) has them */
};
struct leftover {
    struct workspace_rest rest;        /* so far */
    char path[WORKSPACE_MAX_PATH + 2]; /* of the file that came last, below the directory */
    uint64_t left_bytes;
    uint32_t files, entries, depth; /* depth: open directories */
    dev_t dev;
    bool is_without_openat2;
    struct leftover_dir dirs[WORKSPACE_MAX_DEPTH + 1];
};

/* Of what lies below `dir`, which stays the caller's. max_bytes: of all files together. 0, or -errno: nothing to be
 * done, but for -EACCES, where rest says «unreadable». */
int leftover_begin(struct leftover *l, int dir, uint64_t max_bytes);
/* The next file, open for reading, which the caller closes; its path is in l. -1: that was all. */
int leftover_next(struct leftover *l, uint64_t *ret_size);
/* The file that came last could not be read to its end, and was not handed out. */
void leftover_take_back(struct leftover *l, uint64_t size);
void leftover_done(struct leftover *l);
