/* root.c - the private root: a tmpfs at STAGE in our own mount namespace, filled by mounts.c, pivoted into, sealed.
 *
 * Everything lies below its directory «r»; after pivot_root(2) we chroot into r. A chrooted process may not
 * create user namespaces (create_user_ns() in the kernel), which makes a second lock behind the
 * seccomp filter's.
 */
#include "launch/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

/* Beside «r», so outside the chroot: only a descriptor leads to them. */
#define COVER_FILE "masked-file"
#define COVER_DIR  "masked-dir"

static bool has_masks(const struct shape *s)
{
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_MASK)
            return true;
    STRLIST_FOREACH(guard, &s->guards)
    if (guard[0] == GUARD_HIDE)
        return true;
    return false;
}

int root_cover(const struct init_ctx *c, bool is_dir)
{
    return sys_open_tree(c->covers_fd, is_dir ? COVER_DIR : COVER_FILE, KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC);
}

static int keep_at(int fd, int at)
{
    if (fd < 0 || fd == at)
        return fd;
    int r = dup3(fd, at, O_CLOEXEC);
    (void)close(fd);
    return r;
}

static int make_covers(struct init_ctx *c, struct error *err)
{
    int file = open(STAGE "/" COVER_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
    if (file >= 0)
        (void)close(file);
    if (file < 0 || mkdir(STAGE "/" COVER_DIR, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "covers for masks: %m");
    c->covers_fd = keep_at(open(STAGE, O_PATH | O_DIRECTORY | O_CLOEXEC), INIT_FD_COVERS);
    return c->covers_fd < 0 ? err_set(err, -errno, BLAME_HOST, NULL, "open the covers for masks: %m") : 0;
}

int step_root(struct init_ctx *c, struct error *err)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "make mounts private: %m");
    char options[96];
    (void)snprintf(options, sizeof options, "size=%llu,nr_inodes=4096,mode=755",
                   (unsigned long long)c->shape->root_bytes);
    if (mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "tmpfs for the root: %m");
    note_own(c, STAGE);
    if (mkdir(STAGE_ROOT, 0755) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "mkdir in the root: %m");
    return has_masks(c->shape) ? make_covers(c, err) : 0;
}

int step_pivot(struct init_ctx *c, struct error *err)
{
    if (chdir(STAGE) < 0 || syscall(SYS_pivot_root, ".", ".") < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "pivot_root: %m");
    /* the old root is stacked on top of «/» now (pivot_root(2), "pivot_root . ."), where no path from «/» enters it */
    helper_pivoted(c);
    /* kept for SEAL: once chrooted, «/» is a directory inside the mount and no longer its root, which
     * mount_setattr(2) insists on */
    int fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || dup3(fd, INIT_FD_ROOT, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "open the new root: %m");
    c->root_fd = INIT_FD_ROOT;
    if (fd != INIT_FD_ROOT)
        (void)close(fd);
    if (chdir("/r") < 0 || chroot(".") < 0 || chdir("/") < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "chroot: %m");
    return 0;
}

static bool is_below_proc(const struct plan_mount *m)
{
    return str_starts(m->target, "/proc/");
}

static int mask_one(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    struct stat st;
    if (stat(m->target, &st) < 0)
        return 0; /* nothing there to hide */
    cleanup(closep) int tree = root_cover(c, S_ISDIR(st.st_mode));
    /* read-only: the cover belongs to the sandbox's own uid, which could chmod and fill it otherwise */
    struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_RDONLY | KMOUNT_ATTR_NOEXEC };
    if (tree < 0 || sys_mount_setattr(tree, "", KAT_EMPTY_PATH, &attr) < 0 ||
        sys_move_mount(tree, "", AT_FDCWD, m->target, KMOVE_MOUNT_F_EMPTY_PATH | KMOVE_MOUNT_T_SYMLINKS) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "mask %s: %m", m->target);
    return 0;
}

static int mask_all(struct init_ctx *c, bool below_proc, struct error *err)
{
    for (uint32_t i = 0; i < c->shape->mount_count; i++) {
        const struct plan_mount *m = &c->shape->mounts[i];
        if (m->kind != MOUNT_MASK || is_below_proc(m) != below_proc)
            continue;
        int r = mask_one(c, m, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* All but those below /proc, which each job has its own of. */
int step_masks(struct init_ctx *c, struct error *err)
{
    return mask_all(c, false, err);
}

int step_seal(struct init_ctx *c, struct error *err)
{
    const struct shape *s = c->shape;
    struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_RDONLY };
    cleanup(closep) int root = TAKE_FD(c->root_fd);
    if (root >= 0 && s->readonly_root && sys_mount_setattr(root, "", KAT_EMPTY_PATH, &attr) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "root read-only: %m");
    if (!c->job)
        return 0; /* a keeper: what follows belongs to a job */
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_TMPFS && s->mounts[i].flags & MOUNT_RO &&
            sys_mount_setattr(AT_FDCWD, s->mounts[i].target, 0, &attr) < 0)
            return err_set(err, -errno, BLAME_HOST, NULL, "%s read-only: %m", s->mounts[i].target);
    int r = mask_all(c, true, err);
    closep(&c->covers_fd); /* init keeps nothing that leads out of the chroot */
    return r;
}
