/* How a line comes to be: take the lock; read the head (one pread); look whether the file ends where the head says;
 * compose, hash, write; write the head; release. The file itself is read only when they disagree (recover.c). */
#include "audit/audit.h"
#include "audit/key.h"
#include "audit/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/dir.h"
#include "audit/head.h"
#include "audit/index.h"
#include "audit/internal.h"
#include "audit/key.h"

#define LOCK_PATIENCE_MS 10000u

int audit_fail(const struct audit *a, int code, const char *what, struct error *err)
{
    (void)err_set(err, code, BLAME_HOST, "AUDIT", "%s %s: %s", what, a->path ? a->path : "the audit", strerror(-code));
    if (code == -ENOSPC || code == -EDQUOT || code == -EFBIG)
        return err_remedy(err, "make room on the disk (or raise the limit); nothing runs that cannot be audited");
    return err_remedy(err, "nothing runs that cannot be audited: see sandbox.paths.log_dir");
}

static int open_lock(struct audit *a)
{
    struct stat st;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(a->dir_fd);
    if (visit.is_refused)
        return -EPERM;
    a->lock_fd = openat(a->dir_fd, "audit.lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
    if (a->lock_fd < 0 || fstat(a->lock_fd, &st) < 0)
        return -errno;
    return S_ISREG(st.st_mode) && dir_owns(a->dir_fd, &st) ? 0 : -EPERM;
}

/* Waits, but not for ever: a stopped process could hold it. */
static int lock(struct audit *a, struct error *err)
{
    struct timespec pause = { .tv_nsec = 20000 };
    for (uint64_t waited_us = 0; flock(a->lock_fd, LOCK_EX | LOCK_NB) < 0;) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return audit_fail(a, -errno, "lock", err);
        if (waited_us > LOCK_PATIENCE_MS * 1000) {
            (void)err_set(err, -ETIMEDOUT, BLAME_HOST, "AUDIT", "another process has held %s/audit.lock for %u s",
                          a->dir, LOCK_PATIENCE_MS / 1000);
            return err_remedy(err, "see who: fuser %s/audit.lock; a stopped sandbox-agent must go on or end", a->dir);
        }
        (void)nanosleep(&pause, NULL);
        waited_us += (uint64_t)pause.tv_nsec / 1000;
        pause.tv_nsec = MIN_OF(pause.tv_nsec * 2, 200000);
    }
    return 0;
}

static void unlock(struct audit *a)
{
    (void)flock(a->lock_fd, LOCK_UN); /* closing would release it as well */
}

static int try_dir(struct audit *a, const char *dir, struct error *err)
{
    char real[4096], link[48];
    a->dir_fd = dir_open(dir);
    if (a->dir_fd < 0)
        return err_set(err, a->dir_fd, BLAME_HOST, "AUDIT", "no audit in %s: %s", dir, strerror(-a->dir_fd));
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", a->dir_fd);
    ssize_t n = readlink(link, real, sizeof real - 1);
    if (n < 0)
        return err_set(err, -errno, BLAME_HOST, "AUDIT", "%s: %m (is /proc mounted?)", link);
    real[n] = '\0';
    a->dir = arena_copy(a->arena, real);
    a->path = arena_printf(a->arena, "%s/audit.jsonl", real);
    int e = dir_check(a->dir_fd, "AUDIT", dir, err);
    if (e == 0 && (e = open_lock(a)) < 0)
        e = audit_fail(a, e, "lock beside", err);
    return e < 0 ? e : audit_open_file(a, true, err);
}

static int open_state(struct audit *a, const char *key_dir, struct error *err)
{
    a->key_dir = arena_copy(a->arena, key_dir);
    a->key_dir_fd = dir_open(key_dir);
    int e = a->key_dir_fd < 0 ? a->key_dir_fd : 0;
    if (e == 0 && (e = dir_check(a->key_dir_fd, "AUDIT", key_dir, err)) < 0)
        return e;
    if (e == 0) {
        a->head_fd = head_open(a->key_dir_fd, a->dir, true);
        e = a->head_fd < 0 ? a->head_fd : 0;
    }
    if (e == 0)
        return 0;
    (void)err_set(err, e, BLAME_HOST, "AUDIT", "the audit's state in %s: %s", key_dir, strerror(-e));
    if (key_remedy_for_disk(e, key_dir, err))
        return e;
    return err_remedy(
        err, "make it a directory of the user who runs sandbox-agent, or name another sandbox.paths.state_dir");
}

static void close_all(struct audit *a)
{
    closep(&a->fd);
    closep(&a->lock_fd);
    closep(&a->dir_fd);
    closep(&a->head_fd);
    closep(&a->key_dir_fd);
}

int audit_open(struct audit *a, const char *const *dirs, const char *key_dir, const struct config *c,
               struct arena *arena, struct error *err)
{
    int e = -ENOENT;
    *a = (struct audit){ .fd = -1,
                         .lock_fd = -1,
                         .dir_fd = -1,
                         .head_fd = -1,
                         .key_dir_fd = -1,
                         .arena = arena,
                         .sync = c->security.audit_sync,
                         .sign_every = MAX_OF(c->security.audit_sign_every, 1u),
                         .max_bytes = MAX_OF(c->security.audit_max_size, UINT64_C(4) * AUDIT_LINE_MAX) };
    buf_init(&a->line, AUDIT_LINE_MAX);
    if (!*dirs || !key_dir)
        return err_set(err, e, BLAME_HOST, "AUDIT",
                       "no directory for the audit: set HOME, or sandbox.paths.log_dir and state_dir");
    for (; *dirs && e < 0; dirs++) {
        close_all(a);
        e = try_dir(a, *dirs, err);
    }
    if (e >= 0)
        e = open_state(a, key_dir, err);
    if (e < 0)
        close_all(a);
    return e;
}

static bool is_open(const struct audit *a)
{
    return a->arena && a->lock_fd >= 0;
}

void audit_close(struct audit *a)
{
    struct error ignored = { 0 };
    if (is_open(a) && a->leaves.count && lock(a, &ignored) == 0) {
        audit_grow_tree(a);
        unlock(a);
    }
    if (is_open(a))
        (void)audit_settle(a);
    if (a->arena) {
        close_all(a);
        buf_done(&a->line);
    }
}

static bool is_sign_due(const struct audit *a)
{
    const struct audit_head *h = &a->head;
    return h->sequence + 1 >= MIN_OF(h->sign_due, h->signed_sequence + 1 + a->sign_every);
}

static int write_locked(struct audit *a, const struct audit_event *e, struct error *err)
{
    int r = audit_refresh(a, err);
    if (r == 0 && a->head.offset >= a->max_bytes)
        r = audit_rotate(a, err);
    if (r == 0 && a->head.sequence + 1 > a->head.sign_due) /* a writer died before it could sign */
        r = audit_sign(a, err);
    if (r == 0)
        r = audit_append(a, e, err);
    if (r == 0 && is_sign_due(a))
        r = audit_sign(a, err);
    if (r == 0)
        index_extend_current(a, false);
    return r;
}

int audit_write(struct audit *a, const struct audit_event *e, struct error *err)
{
    if (!is_open(a))
        return err_set(err, -EBADF, BLAME_US, "AUDIT", "the audit is not open");
    int r = lock(a, err);
    if (r < 0)
        return r;
    r = key_check(a->key_dir_fd, a->key_dir, &a->key_file,
                  err); /* each time: what a key that others know has signed proves nothing */
    if (r == 0)
        r = write_locked(a, e, err);
    unlock(a);
    return r < 0 || a->sync == AUDIT_SYNC_GROUP ? r : audit_sync_lines(a, err); /* group: audit_settle() */
}
