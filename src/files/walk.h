/* walk.h - what lies below a directory, descriptor by descriptor, in constant memory, while it changes.
 *
 * Each directory is opened from the descriptor of the one above, by one name and without links: what is renamed
 * meanwhile can make the walk miss or repeat something, never leave the tree. A directory that the code moves out while
 * we are in it is walked where it is: it is the sandbox's own still.
 */
#pragma once
#include "files/files.h"

struct wfile_walk_dir {
    int fd;
    uint32_t at, end;   /* in entries */
    uint32_t path_size; /* of the path before its entries' names */
    _Alignas(8) char entries[4096];
};
struct wfile_walk {
    char path[WFILE_MAX_PATH]; /* of the entry that came last, below the directory */
    struct wfile_stat stat;    /* of it */
    uint32_t entries, left_entries, depth, max_depth;
    bool is_cut; /* there were more entries than it may look at */
    int failure; /* the first error about an entry but that it vanished: unreadable, too deep, too long; 0: none */
    char failed[WFILE_MAX_PATH]; /* that entry */
    struct wfile_walk_dir dirs[WFILE_MAX_DEPTH];
};

/* Of the directory `path`. w: of walk_new(). */
int wfile_walk_begin(struct wfile_walk *w, int root, const char *path, uint32_t max_depth, uint32_t max_entries);
/* The next entry: true, with path and stat; a directory comes before what is in it. */
bool wfile_walk_next(struct wfile_walk *w);
/* The directory of the entry that came last, and its name there. */
int wfile_walk_dir(const struct wfile_walk *w, const char **ret_name);
void wfile_walk_done(struct wfile_walk *w);
