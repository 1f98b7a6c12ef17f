/* tree.h - making files and directories in the root that is being built; mounts.c and root.c use it.
 *
 * Before PIVOT everything lies under STAGE_ROOT, afterwards under «/»: `prefix` says which.
 */
#pragma once
#include "launch/launch.h"

#include <sys/types.h>

/* /proc exists everywhere, no source lies in it, and covering it does no harm: our own copy of the tree */
#define STAGE      "/proc"
#define STAGE_ROOT STAGE "/r"

#define TREE_PATH_MAX 4200
struct tree_path {
    char text[TREE_PATH_MAX];
};
const char *tree_path(struct tree_path *p, const char *prefix, const char *target);

/* All: 0 (or a descriptor) or -errno; parents are made; what exists serves, except for tree_file(). */
int tree_dir(const char *path, mode_t mode);
int tree_file(const char *path, mode_t mode); /* a new file, open for writing */
int tree_point(const char *path, bool is_dir);
/* A detached mount of what lies over hidden places: an empty file or directory without rights; -1 and errno. */
int root_cover(const struct init_ctx *c, bool is_dir);
/* guards.c: shape.guards, when the volumes are there. */
int guards_mount(struct init_ctx *c, struct error *err);
