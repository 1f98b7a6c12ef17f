/* guards.c - places in a writable volume that the program may not change, move or see.
 *
 * A volume is one mount, and landlock's rules only add rights on the way down: what lies below a writable directory
 * stays writable by them. So each guarded place becomes a mount of its own over itself. A mount point can be neither
 * removed nor renamed from inside (EBUSY), and nothing can be linked or renamed out of it into the volume (EXDEV).
 * What can be renamed is a directory above it, and the mount goes along: hence GUARD_PIN for those directories.
 *
 * Done after the volumes are mounted, from inside, and in the order of the list, outer places first: the clone of a
 * volume keeps that volume's owner mapping and is recursive. Source and mount point are one descriptor, opened without
 * following a link: what another process does to the directory meanwhile can make this fail, and never leads it
 * elsewhere. A place that is not there is an error: the client makes it beforehand (src/cli/guard.h).
 *
 * Limit: the kernel takes a mount away when its mount point is removed or replaced from outside (rename over it by an
 * editor of the user's). Nothing inside can do that; the client says so when it happened.
 */
#include "launch/tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#define MOVE_MOUNT_T_EMPTY_PATH 0x40 /* linux/mount.h */

static int guard_failed(const char *guard, const char *what, struct error *err)
{
    (void)err_set(err, -errno, BLAME_HOST, NULL, "guard %s: %s: %m", guard + 1, what);
    if (errno == ELOOP)
        return err_remedy(err, "a symbolic link cannot be guarded: replace it by what it points to");
    return errno == ENOENT ? err_remedy(err, "it was removed meanwhile: start again") : err->code;
}

static int open_place(const char *path)
{
    struct kopen_how how = { .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
                             .resolve = KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS };
    return sys_openat2(AT_FDCWD, path, &how);
}

static int open_source(const struct init_ctx *c, char kind, int place, const struct stat *st)
{
    const unsigned clone = KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC;
    if (kind == GUARD_HIDE)
        return root_cover(c, S_ISDIR(st->st_mode));
    return sys_open_tree(place, "", clone | KAT_EMPTY_PATH | KAT_RECURSIVE);
}

static int guard_one(const struct init_ctx *c, const char *guard, struct error *err)
{
    const struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_RDONLY };
    struct stat st;
    cleanup(closep) int place = open_place(guard + 1);
    if (place < 0 || fstat(place, &st) < 0)
        return guard_failed(guard, "open", err);
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode)) {
        errno = S_ISLNK(st.st_mode) ? ELOOP : EINVAL;
        return guard_failed(guard, "neither a directory nor a regular file", err);
    }
    cleanup(closep) int tree = open_source(c, guard[0], place, &st);
    if (tree < 0)
        return guard_failed(guard, "open_tree", err);
    if (guard[0] != GUARD_PIN && sys_mount_setattr(tree, "", KAT_EMPTY_PATH | KAT_RECURSIVE, &attr) < 0)
        return guard_failed(guard, "read-only", err);
    if (sys_move_mount(tree, "", place, "", KMOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0)
        return guard_failed(guard, "mount", err);
    return 0;
}

int guards_mount(struct init_ctx *c, struct error *err)
{
    STRLIST_FOREACH(guard, &c->shape->guards)
    {
        int r = guard_one(c, guard, err);
        if (r < 0)
            return r;
    }
    return 0;
}
