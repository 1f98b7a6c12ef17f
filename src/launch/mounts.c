/* mounts.c - the private root: built under STAGE in our own mount namespace, then pivoted into.
 *
 * The root is a tmpfs with everything below its directory «r»; after pivot_root(2) we chroot into r.
 * A chrooted process may not create user namespaces (create_user_ns() in the kernel), which makes a second
 * lock behind the seccomp filter's.
 * Targets are plain absolute paths (check.c) and, apart from volumes, lie in trees that only we and
 * root write; volumes come last and nothing is mounted below one. So no lookup here can be
 * redirected by the code that will run.
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

/* /proc exists everywhere, no source lies in it, and covering it hurts nobody: our own copy of the tree */
#define STAGE "/proc"
#define STAGE_ROOT STAGE "/r"
#define EMPTY_FILE "/.empty-file"
#define EMPTY_DIR "/.empty-dir"

struct stage_path {
    char text[4200];
};

static const char *staged(struct stage_path *p, const char *target)
{
    (void)snprintf(p->text, sizeof p->text, STAGE_ROOT "%s", target);
    return p->text;
}

static int make_parents(const char *path)
{
    char copy[4200];
    size_t n = strlen(path);
    if (n >= sizeof copy)
        return -ENAMETOOLONG;
    memcpy(copy, path, n + 1);
    for (char *slash = strchr(copy + sizeof STAGE_ROOT, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0755) < 0 && errno != EEXIST)
            return -errno;
        *slash = '/';
    }
    return 0;
}

static int make_dir(const char *path, mode_t mode)
{
    if (mkdir(path, mode) == 0 || errno == EEXIST)
        return 0;
    if (errno != ENOENT)
        return -errno;
    int r = make_parents(path);
    if (r < 0)
        return r;
    return mkdir(path, mode) < 0 && errno != EEXIST ? -errno : 0;
}

static int make_file(const char *path, mode_t mode)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
        if (errno != ENOENT || make_parents(path) < 0)
            break;
    }
    return -errno;
}

/* A mount point of the kind of its source. An existing one serves. */
static int make_point(const char *path, bool is_dir)
{
    if (is_dir)
        return make_dir(path, 0755);
    int fd = make_file(path, 0644);
    if (fd < 0)
        return fd == -EEXIST ? 0 : fd;
    (void)close(fd);
    return 0;
}

static uint64_t attributes(uint32_t flags)
{
    return KMOUNT_ATTR_NOSUID | (flags & MOUNT_RO ? KMOUNT_ATTR_RDONLY : 0) |
           (flags & MOUNT_NOEXEC ? KMOUNT_ATTR_NOEXEC : 0);
}

static int mount_failed(const struct plan_mount *m, const char *what, struct error *err)
{
    return err_set(err, -errno, BLAME_HOST, NULL, "%s %s at %s: %m", what, m->source ? m->source : "",
                   m->target);
}

static int do_dir(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct stage_path p;
    int r = make_dir(staged(&p, m->target), m->mode ? m->mode : 0755);
    if (r == 0 && m->mode)
        r = chmod(p.text, m->mode) < 0 ? -errno : 0; /* past the umask: 01777 */
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "directory", err);
    }
    return 0;
}

static int do_link(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct stage_path p;
    if (symlink(m->source, staged(&p, m->target)) == 0)
        return 0;
    if (errno == ENOENT && make_parents(p.text) == 0 && symlink(m->source, p.text) == 0)
        return 0;
    return mount_failed(m, "symbolic link to", err);
}

static int do_text(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct stage_path p;
    size_t n = strlen(m->source);
    cleanup(closep) int fd = make_file(staged(&p, m->target), m->mode ? m->mode : 0444);
    if (fd < 0 || write(fd, m->source, n) != (ssize_t)n)
        return err_set(err, fd < 0 ? fd : -EIO, BLAME_HOST, NULL, "write %s", m->target);
    return 0;
}

/* The client named a path and said which inode it saw there; we open it ourselves, follow no link and
 * compare: what was judged is what gets mounted. */
static int do_volume(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct kopen_how how = { .flags = O_PATH | O_CLOEXEC,
                             .resolve = KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS };
    cleanup(closep) int fd = sys_openat2(AT_FDCWD, m->source, &how);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        return mount_failed(m, "volume", err);
    if (st.st_dev != m->dev || st.st_ino != m->ino || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) {
        errno = ESTALE;
        return mount_failed(m, "volume changed between check and use:", err);
    }
    struct stage_path p;
    int r = make_point(staged(&p, m->target), S_ISDIR(st.st_mode));
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for volume", err);
    }
    cleanup(closep) int tree =
        sys_open_tree(fd, "", KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC | KAT_EMPTY_PATH | KAT_RECURSIVE);
    struct kmount_attr attr = { .attr_set = attributes(m->flags) | KMOUNT_ATTR_NODEV };
    if (tree < 0 || sys_mount_setattr(tree, "", KAT_EMPTY_PATH | KAT_RECURSIVE, &attr) < 0 ||
        sys_move_mount(tree, "", AT_FDCWD, p.text, KMOVE_MOUNT_F_EMPTY_PATH) < 0)
        return mount_failed(m, "volume", err);
    return 0;
}

static int do_bind(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct stage_path p;
    struct stat st;
    if (stat(m->source, &st) < 0)
        return errno == ENOENT && m->flags & MOUNT_OPTIONAL ? 0 : mount_failed(m, "bind", err);
    int r = make_point(staged(&p, m->target), S_ISDIR(st.st_mode));
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for", err);
    }
    /* recursive: a plain bind of a tree that has mounts below it is refused in a user namespace */
    if (mount(m->source, p.text, NULL, MS_BIND | MS_REC, NULL) < 0)
        return mount_failed(m, "bind", err);
    bool is_device = m->kind == MOUNT_DEVICE;
    struct kmount_attr attr = { .attr_set = attributes(m->flags) | (is_device ? KMOUNT_ATTR_NOEXEC
                                                                              : KMOUNT_ATTR_NODEV) };
    if (sys_mount_setattr(AT_FDCWD, p.text, KAT_RECURSIVE, &attr) < 0)
        return mount_failed(m, "restrict", err);
    return 0;
}

static int do_tmpfs(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct stage_path p;
    char options[96];
    int r = make_dir(staged(&p, m->target), 0755);
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for tmpfs", err);
    }
    (void)snprintf(options, sizeof options, "size=%llu,nr_inodes=%u,mode=%o",
                   (unsigned long long)m->size_bytes, m->inodes, m->mode);
    unsigned long flags = MS_NOSUID | MS_NODEV | (m->flags & MOUNT_NOEXEC ? MS_NOEXEC : 0) |
                          (m->flags & MOUNT_RO ? MS_RDONLY : 0);
    if (mount("tmpfs", p.text, "tmpfs", flags, options) < 0)
        return mount_failed(m, "tmpfs", err);
    return 0;
}

static int do_proc(struct init_ctx *c, const struct plan_mount *m, struct error *err)
{
    (void)c;
    struct stage_path p;
    int r = make_dir(staged(&p, m->target), 0555);
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for proc", err);
    }
    /* read-only: /proc/sys and friends cannot be written whatever their mode says; hidepid=2: only
     * processes one could ptrace are visible, so not init */
    const char *options = m->flags & MOUNT_PROC_PIDS_ONLY ? "hidepid=2,subset=pid" : "hidepid=2";
    if (mount("proc", p.text, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, options) < 0) {
        (void)mount_failed(m, "proc", err);
        if (err->code == -EPERM)
            (void)err_remedy(err, "inside a container whose /proc is masked the kernel refuses a fresh "
                                  "proc: run that container with an unmasked /proc "
                                  "(docker: --security-opt systempaths=unconfined)");
        return err->code;
    }
    return 0;
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
    if (mkdir(STAGE_ROOT, 0755) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "mkdir in the root: %m");
    return 0;
}

int step_mounts(struct init_ctx *c, struct error *err)
{
    static int (*const verbs[MOUNT_KIND_COUNT])(struct init_ctx *, const struct plan_mount *,
                                                 struct error *) = {
        [MOUNT_DIR] = do_dir,       [MOUNT_LINK] = do_link,   [MOUNT_TEXT] = do_text,
        [MOUNT_BIND] = do_bind,     [MOUNT_VOLUME] = do_volume, [MOUNT_TMPFS] = do_tmpfs,
        [MOUNT_PROC] = do_proc,     [MOUNT_DEVICE] = do_bind,
    };
    for (uint32_t i = 0; i < c->shape->mount_count; i++) {
        const struct plan_mount *m = &c->shape->mounts[i];
        if (!verbs[m->kind])
            continue;
        int r = verbs[m->kind](c, m, err);
        if (r < 0)
            return r;
    }
    feature_set(&c->report.features, FEATURE_STORAGE); /* every writable place is a sized tmpfs */
    return 0;
}

static int deliver(const struct plan_file *f, int code_fd)
{
    struct stage_path p;
    cleanup(closep) int fd = make_file(staged(&p, f->path), f->mode);
    if (fd < 0)
        return fd;
    off_t offset = (off_t)f->offset;
    for (uint64_t left = f->size; left;) {
        ssize_t n = sendfile(fd, code_fd, &offset, left);
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        left -= (uint64_t)n;
    }
    return 0;
}

int step_files(struct init_ctx *c, struct error *err)
{
    for (uint32_t i = 0; i < c->job->file_count; i++) {
        const struct plan_file *f = &c->job->files[i];
        int r = deliver(f, INIT_FD_CODE);
        if (r < 0)
            return err_set(err, r, BLAME_HOST, NULL, "deliver %s (%llu bytes): %s", f->path,
                           (unsigned long long)f->size, strerror(-r));
    }
    (void)close(INIT_FD_CODE);
    return 0;
}

static bool has_masks(const struct shape *s)
{
    for (uint32_t i = 0; i < s->mount_count; i++)
        if (s->mounts[i].kind == MOUNT_MASK)
            return true;
    return false;
}

int step_pivot(struct init_ctx *c, struct error *err)
{
    if (chdir(STAGE) < 0 || syscall(SYS_pivot_root, ".", ".") < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "pivot_root: %m");
    /* the old root is stacked on top of «.» now (pivot_root(2), "pivot_root . .") */
    if (umount2(".", MNT_DETACH) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "detach the host's root: %m");
    /* kept for step MASKS: once chrooted, «/» is a directory inside the mount and no longer its root,
     * which mount_setattr(2) insists on */
    c->root_mount_fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (c->root_mount_fd < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "open the new root: %m");
    if (chdir("/r") < 0 || chroot(".") < 0 || chdir("/") < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "chroot: %m");
    return 0;
}

static int mask_one(const struct plan_mount *m, struct error *err)
{
    struct stat st;
    if (stat(m->target, &st) < 0)
        return 0; /* nothing there to hide */
    const char *cover = S_ISDIR(st.st_mode) ? EMPTY_DIR : EMPTY_FILE;
    struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_RDONLY | KMOUNT_ATTR_NOEXEC };
    /* read-only: the cover belongs to the sandbox's own uid, which could chmod and fill it otherwise */
    if (mount(cover, m->target, NULL, MS_BIND, NULL) < 0 ||
        sys_mount_setattr(AT_FDCWD, m->target, 0, &attr) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "mask %s: %m", m->target);
    return 0;
}

static int make_covers(struct error *err)
{
    cleanup(closep) int fd = open(EMPTY_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
    if (fd < 0 || mkdir(EMPTY_DIR, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "covers for masks: %m");
    return 0;
}

int step_masks(struct init_ctx *c, struct error *err)
{
    const struct shape *s = c->shape;
    if (has_masks(s)) {
        int r = make_covers(err);
        for (uint32_t i = 0; i < s->mount_count && r == 0; i++)
            if (s->mounts[i].kind == MOUNT_MASK)
                r = mask_one(&s->mounts[i], err);
        if (r < 0)
            return r;
        (void)unlink(EMPTY_FILE); /* the mounts keep them alive; the names need not show */
        (void)rmdir(EMPTY_DIR);
    }
    cleanup(closep) int root = TAKE_FD(c->root_mount_fd);
    struct kmount_attr attr = { .attr_set = KMOUNT_ATTR_RDONLY };
    if (s->readonly_root && sys_mount_setattr(root, "", KAT_EMPTY_PATH, &attr) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "root read-only: %m");
    return 0;
}
