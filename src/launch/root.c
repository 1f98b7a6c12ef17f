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

#define COVER_FILE "/.masked-file"
#define COVER_DIR "/.masked-dir"

int step_root(struct init_ctx *c, struct error *err)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "make mounts private: %m");
    char options[96];
    (void)snprintf(options, sizeof options, "size=%llu,nr_inodes=4096,mode=755",
                   (unsigned long long)c->shape->root_bytes);
    if (mount("tmpfs", STAGE, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "tmpfs for the root: %m");
    if (mkdir(STAGE_ROOT, 0755) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "mkdir in the root: %m");
    return 0;
}

int step_pivot(struct init_ctx *c, struct error *err)
{
    if (chdir(STAGE) < 0 || syscall(SYS_pivot_root, ".", ".") < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "pivot_root: %m");
    /* the old root is stacked on top of «.» now (pivot_root(2), "pivot_root . .") */
    if (umount2(".", MNT_DETACH) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "detach the host's root: %m");
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

static int mask_one(const struct plan_mount *m, struct error *err)
{
    struct stat st;
    if (stat(m->target, &st) < 0)
        return 0; /* nothing there to hide */
    const char *cover = S_ISDIR(st.st_mode) ? COVER_DIR : COVER_FILE;
    /* read-only: the cover belongs to the sandbox's own uid, which could chmod and fill it otherwise */
    struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_RDONLY | KMOUNT_ATTR_NOEXEC };
    if (mount(cover, m->target, NULL, MS_BIND, NULL) < 0 ||
        sys_mount_setattr(AT_FDCWD, m->target, 0, &attr) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "mask %s: %m", m->target);
    return 0;
}

static int mask_all(const struct shape *s, bool below_proc, struct error *err)
{
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        if (m->kind != MOUNT_MASK || is_below_proc(m) != below_proc)
            continue;
        int r = mask_one(m, err);
        if (r < 0)
            return r;
    }
    return 0;
}

static int make_covers(struct error *err)
{
    cleanup(closep) int fd = open(COVER_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
    if (fd < 0 || mkdir(COVER_DIR, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "covers for masks: %m");
    return 0;
}

/* All but those below /proc, which is not there yet. */
int step_masks(struct init_ctx *c, struct error *err)
{
    bool has_masks = false;
    for (uint32_t i = 0; i < c->shape->mount_count; i++)
        has_masks |= c->shape->mounts[i].kind == MOUNT_MASK;
    if (!has_masks)
        return 0;
    int r = make_covers(err);
    return r < 0 ? r : mask_all(c->shape, false, err);
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
    return mask_all(s, true, err);
}
