/* mounts.c - what is in the root: a table of verbs, one per kind of mount.
 *
 * What a job may change or must not see of another (tmpfs, proc) and what comes from outside by the user's wish
 * (volumes) is mounted in JOB_MOUNTS, everything else once in MOUNTS.
 * Targets are plain absolute paths (check.c) and, apart from volumes, lie in trees that only we and
 * root write; volumes come last and nothing is mounted below one. So no lookup here can be
 * redirected by the code that will run. What a volume keeps from the program is guards.c's.
 */
#include "launch/tree.h"
#include "base/devices.h"
#include "base/homes.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

typedef int verb(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err);

static uint64_t attributes(uint32_t flags)
{
    return KMOUNT_ATTR_NOSUID | (flags & MOUNT_RO ? KMOUNT_ATTR_RDONLY : 0) |
           (flags & MOUNT_NOEXEC ? KMOUNT_ATTR_NOEXEC : 0);
}

static int mount_failed(const struct plan_mount *m, const char *what, struct error *err)
{
    return err_set(err, -errno, BLAME_HOST, NULL, "%s %s at %s: %m", what, m->source ? m->source : "", m->target);
}

static int do_dir(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    (void)c;
    struct tree_path p;
    int r = tree_dir(tree_path(&p, prefix, m->target), m->mode ? m->mode : 0755);
    if (r == 0 && m->mode)
        r = chmod(p.text, m->mode) < 0 ? -errno : 0; /* past the umask: 01777 */
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "directory", err);
    }
    return 0;
}

static int do_link(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    (void)c;
    struct tree_path p, parent;
    if (symlink(m->source, tree_path(&p, prefix, m->target)) == 0)
        return 0;
    parent = p;
    *strrchr(parent.text, '/') = '\0';
    if (errno == ENOENT && tree_dir(parent.text, 0755) == 0 && symlink(m->source, p.text) == 0)
        return 0;
    return mount_failed(m, "symbolic link to", err);
}

static int do_text(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    (void)c;
    struct tree_path p;
    size_t n = strlen(m->source);
    cleanup(closep) int fd = tree_file(tree_path(&p, prefix, m->target), m->mode ? m->mode : 0444);
    if (fd < 0 || write(fd, m->source, n) != (ssize_t)n)
        return err_set(err, fd < 0 ? fd : -EIO, BLAME_HOST, NULL, "write %s", m->target);
    return 0;
}

/* The client named a path and said which inode it saw there; we open it ourselves, follow no link and
 * compare: what was judged is what gets mounted. */
int volume_open(const struct plan_mount *m, struct stat *ret, struct error *err)
{
    struct kopen_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = KRESOLVE_NO_SYMLINKS | KRESOLVE_NO_MAGICLINKS };
    cleanup(closep) int fd = sys_openat2(AT_FDCWD, m->source, &how);
    if (fd < 0 || fstat(fd, ret) < 0)
        return mount_failed(m, "volume", err);
    if (ret->st_dev != m->dev || ret->st_ino != m->ino || !(S_ISDIR(ret->st_mode) || S_ISREG(ret->st_mode))) {
        errno = ESTALE;
        return mount_failed(m, "volume changed between check and use:", err);
    }
    return TAKE_FD(fd);
}

int volume_clone(const struct plan_mount *m, int fd, struct error *err)
{
    cleanup(closep) int tree = sys_open_tree(fd, "",
                                             KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC | KAT_EMPTY_PATH | KAT_RECURSIVE);
    struct kmount_attr attr = { .attr_set = attributes(m->flags) | KMOUNT_ATTR_NODEV };
    if (tree < 0 || sys_mount_setattr(tree, "", KAT_EMPTY_PATH | KAT_RECURSIVE, &attr) < 0)
        return mount_failed(m, "volume", err);
    return TAKE_FD(tree);
}

static int keep_volume(struct init_ctx *c, size_t index, int tree, struct error *err)
{
    int at = INIT_FD_VOLUMES + (int)index;
    if (tree != at && dup3(tree, at, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "keep a volume: %m");
    if (tree != at)
        (void)close(tree);
    c->volume_fds[index] = at;
    return 0;
}

/* Trees are cloned while the host is in reach and attached by do_volume(). */
static int open_volumes(struct init_ctx *c, struct error *err)
{
    size_t index = 0;
    for (uint32_t i = 0; i < c->shape->mount_count; i++) {
        const struct plan_mount *m = &c->shape->mounts[i];
        struct stat st;
        if (m->kind != MOUNT_VOLUME)
            continue;
        cleanup(closep) int fd = volume_open(m, &st, err);
        int tree = fd < 0 ? fd : volume_clone(m, fd, err);
        int r = tree < 0 ? tree : keep_volume(c, index++, tree, err);
        if (r < 0)
            return r;
    }
    return 0;
}

static int receive_volumes(struct init_ctx *c, struct error *err)
{
    struct down d = { 0 };
    int fds[MAX_VOLUMES];
    size_t count;
    ssize_t n = receive_message(c->report_fd, &d, sizeof d, fds, MAX_VOLUMES, &count);
    if (n != (ssize_t)sizeof d || d.type != DOWN_VOLUMES)
        return err_set(err, -EPIPE, BLAME_HOST, NULL, "the launcher went away before the volumes were there");
    c->has_disk = d.has_disk;
    for (size_t i = 0; i < count; i++) { /* out of the way of each other's places first */
        int lifted = fcntl(fds[i], F_DUPFD_CLOEXEC, INIT_FD_FIRST_FREE);
        if (lifted < 0)
            return err_set(err, -errno, BLAME_HOST, NULL, "lift a volume: %m");
        (void)close(fds[i]);
        fds[i] = lifted;
    }
    for (size_t i = 0; i < count; i++) {
        int r = keep_volume(c, i, fds[i], err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* Whether the launcher sends a tree for it: of the disk's it may have none. */
static bool is_sent(const struct init_ctx *c, const struct plan_mount *m)
{
    return m->kind == MOUNT_VOLUME || (c->has_disk && disk_space_is_wanted(m));
}

static int do_volume(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    size_t index = 0;
    for (const struct plan_mount *o = c->shape->mounts; o < m; o++)
        index += is_sent(c, o);
    cleanup(closep) int tree = TAKE_FD(c->volume_fds[index]);
    struct stat st;
    struct tree_path p;
    if (fstat(tree, &st) < 0)
        return mount_failed(m, "volume", err);
    int r = tree_point(tree_path(&p, prefix, m->target), S_ISDIR(st.st_mode));
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for volume", err);
    }
    if (sys_move_mount(tree, "", AT_FDCWD, p.text, KMOVE_MOUNT_F_EMPTY_PATH) < 0)
        return mount_failed(m, "volume", err);
    return 0;
}

static int do_bind(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    (void)c;
    struct tree_path p;
    struct stat st;
    if (stat(m->source, &st) < 0)
        return errno == ENOENT && m->flags & MOUNT_OPTIONAL ? 0 : mount_failed(m, "bind", err);
    int r = tree_point(tree_path(&p, prefix, m->target), S_ISDIR(st.st_mode));
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for", err);
    }
    /* recursive: a plain bind of a tree that has mounts below it is refused in a user namespace */
    if (mount(m->source, p.text, NULL, MS_BIND | MS_REC, NULL) < 0)
        return mount_failed(m, "bind", err);
    struct kmount_attr attr = { .attr_set = attributes(m->flags) | KMOUNT_ATTR_NODEV };
    if (sys_mount_setattr(AT_FDCWD, p.text, KAT_RECURSIVE, &attr) < 0)
        return mount_failed(m, "restrict", err);
    return 0;
}

/* A device is mounted by the descriptor that was looked at: no process can put something else in its place. A host
 * whose /dev/null is a file (a careless «mv x /dev/null» as root makes one) would show us that file. An ordinary user
 * may not make nodes, so it is refused. */
static int do_device(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    (void)c;
    struct tree_path p;
    struct stat st;
    cleanup(closep) int fd = open(m->source, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &st) < 0)
        return mount_failed(m, "device", err);
    const uint32_t minor = device_minor(m->source);
    if (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(DEVICE_MAJOR, minor)) {
        (void)err_set(err, -ENODEV, BLAME_HOST, NULL, "%s is not the device of that name (character device %u:%u)",
                      m->source, DEVICE_MAJOR, minor);
        return err_remedy(err, "as root: rm %s && mknod -m 666 %s c %u %u", m->source, m->source, DEVICE_MAJOR, minor);
    }
    int r = tree_point(tree_path(&p, prefix, m->target), false);
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for", err);
    }
    cleanup(closep) int tree = sys_open_tree(fd, "", KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC | KAT_EMPTY_PATH);
    struct kmount_attr attr = { .attr_set = attributes(m->flags) | KMOUNT_ATTR_NOEXEC };
    if (tree < 0 || sys_mount_setattr(tree, "", KAT_EMPTY_PATH, &attr) < 0 ||
        sys_move_mount(tree, "", AT_FDCWD, p.text, KMOVE_MOUNT_F_EMPTY_PATH) < 0)
        return mount_failed(m, "device", err);
    return 0;
}

/* One too many, or one that cannot be seen, is treated as the host's: its sockets cannot be connected. */
void note_own(struct init_ctx *c, const char *path)
{
    struct stat st;
    struct report *r = &c->report;
    if (r->own_dev_count < OWN_DEVS_MAX && stat(path, &st) == 0)
        r->own_devs[r->own_dev_count++] = st.st_dev;
}

static int do_tmpfs(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    struct tree_path p;
    char options[96];
    if (is_sent(c, m)) {
        const int e = do_volume(c, m, prefix, err);
        if (e == 0)
            note_own(c, tree_path(&p, prefix, m->target));
        return e;
    }
    int r = tree_dir(tree_path(&p, prefix, m->target), 0755);
    if (r < 0) {
        errno = -r;
        return mount_failed(m, "mount point for tmpfs", err);
    }
    (void)snprintf(options, sizeof options, "size=%llu,nr_inodes=%u,mode=%o", (unsigned long long)m->size_bytes,
                   m->inodes, m->mode);
    /* MOUNT_RO: once the files are in it (SEAL) */
    unsigned long flags = MS_NOSUID | MS_NODEV | (m->flags & MOUNT_NOEXEC ? MS_NOEXEC : 0);
    if (mount("tmpfs", p.text, "tmpfs", flags, options) < 0)
        return mount_failed(m, "tmpfs", err);
    note_own(c, p.text);
    return 0;
}

/* With a time of access before that of writing: the next one to read sets it (relatime). */
static int plant(const char *path, const char *text)
{
    cleanup(closep) int fd = tree_file(path, 0644);
    const size_t n = strlen(text);
    const time_t now = time(NULL);
    const struct timespec times[2] = { { .tv_sec = now - 31 * 86400 }, { .tv_sec = now - 30 * 86400 } };
    if (fd < 0)
        return fd;
    if (write(fd, text, n) != (ssize_t)n)
        return -EIO;
    return futimens(fd, times) < 0 ? -errno : 0;
}

static int do_home(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    static const char *const files[] = { HOMES_FILES, HOMES_PLAIN };
    int r = do_tmpfs(c, m, prefix, err);
    for (size_t i = 0; r == 0 && i < ARRAY_LEN(files); i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s/%s", prefix, m->target, files[i]);
        r = plant(path, m->source);
        if (r < 0)
            return err_set(err, r, BLAME_HOST, NULL, "plant %s: %s", path, strerror(-r));
    }
    return r;
}

static int do_proc(struct init_ctx *c, const struct plan_mount *m, const char *prefix, struct error *err)
{
    (void)c;
    struct tree_path p;
    int r = tree_dir(tree_path(&p, prefix, m->target), 0555);
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

static bool is_per_job(const struct init_ctx *c, const struct plan_mount *m)
{
    /* The kernel grants a fresh proc only where one is visible already, so the first comes before PIVOT. In a keeper
     * that is one of the keeper's pid namespace, and each job covers it with its own. */
    if (m->kind == MOUNT_PROC)
        return c->is_slot && c->job;
    return m->kind == MOUNT_TMPFS || m->kind == MOUNT_VOLUME || m->kind == MOUNT_HOME;
}

static int run_verbs(struct init_ctx *c, bool per_job, const char *prefix, struct error *err)
{
    static verb *const verbs[MOUNT_KIND_COUNT] = {
        [MOUNT_DIR] = do_dir,   [MOUNT_LINK] = do_link,     [MOUNT_TEXT] = do_text,
        [MOUNT_BIND] = do_bind, [MOUNT_VOLUME] = do_volume, [MOUNT_TMPFS] = do_tmpfs,
        [MOUNT_PROC] = do_proc, [MOUNT_DEVICE] = do_device, [MOUNT_HOME] = do_home /* MOUNT_MASK: root.c */
    };
    for (uint32_t i = 0; i < c->shape->mount_count; i++) {
        const struct plan_mount *m = &c->shape->mounts[i];
        if (!verbs[m->kind] || is_per_job(c, m) != per_job)
            continue;
        int r = verbs[m->kind](c, m, prefix, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* The root is sealed before a slot's jobs mount anything: their mount points must be there. */
static int prepare_points(struct init_ctx *c, struct error *err)
{
    bool has_volumes = false;
    for (uint32_t i = 0; i < c->shape->mount_count; i++) {
        const struct plan_mount *m = &c->shape->mounts[i];
        struct tree_path p;
        int r;
        has_volumes |= m->kind == MOUNT_VOLUME || (c->by_root && disk_space_is_wanted(m));
        if (m->kind != MOUNT_VOLUME && is_per_job(c, m) &&
            (r = tree_dir(tree_path(&p, STAGE_ROOT, m->target), 0755)) < 0) {
            errno = -r;
            return mount_failed(m, "mount point", err);
        }
    }
    if (!has_volumes)
        return 0;
    return c->by_root ? receive_volumes(c, err) : open_volumes(c, err);
}

int step_mounts(struct init_ctx *c, struct error *err)
{
    int r = run_verbs(c, false, STAGE_ROOT, err);
    return r < 0 ? r : prepare_points(c, err);
}

int step_job_mounts(struct init_ctx *c, struct error *err)
{
    int r = run_verbs(c, true, "", err);
    if (r == 0)
        r = guards_mount(c, err);
    if (r == 0)
        feature_set(&c->report.features, FEATURE_STORAGE); /* every writable place is a sized tmpfs */
    return r;
}

static int deliver(const struct plan_file *f, int code_fd)
{
    cleanup(closep) int fd = tree_file(f->path, f->mode);
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
        int r = f->is_late ? park_late_file(c, f) : deliver(f, INIT_FD_CODE);
        if (r < 0)
            return err_set(err, r, BLAME_HOST, NULL, "deliver %s (%llu bytes): %s", f->path,
                           (unsigned long long)f->size, strerror(-r));
    }
    (void)close(INIT_FD_CODE);
    return c->job->park_fd ? park_open(c, err) : 0;
}
