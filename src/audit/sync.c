/* Group sync: many writers, one fdatasync.
 *
 * After its lines are in the file, a writer tries the lock audit.sync. Who gets it starts a child that sleeps GROUP_MS,
 * releases the lock, and only then syncs the file. Who does not get it is done: its lines are in the file, and the
 * holder has yet to release, so the sync comes later than the lines. No line waits longer than GROUP_MS and one sync.
 * The child outlives us: it is a process of its own session with nothing open but what it needs.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include "audit/dir.h"
#include "audit/internal.h"
#include "base/kernel.h"

#define GROUP_MS 20

/* Puts the two descriptors at 3 and 4 and closes all others: a pipe kept open would make our caller wait for us. */
static int keep_two(int dir, int lock)
{
    int d = fcntl(dir, F_DUPFD, 10), l = fcntl(lock, F_DUPFD, 10);
    if (d < 0 || l < 0 || dup2(d, 3) < 0 || dup2(l, 4) < 0)
        return -errno;
    (void)sys_close_range(0, 2);
    (void)sys_close_range(5, ~0u);
    return 0;
}

static _Noreturn void child(int dir, int lock)
{
    const struct timespec pause = { .tv_nsec = GROUP_MS * 1000000L };
    (void)setsid(); /* a ^C is not for us */
    if (keep_two(dir, lock) == 0) {
        (void)nanosleep(&pause, NULL);
        (void)flock(4, LOCK_UN);
        /* opened after the release: a rotation before it has synced the old file itself */
        int file = openat(3, "audit.jsonl", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (file >= 0)
            (void)fdatasync(file); /* no caller to tell: the next always or rotation finds the same fault */
    }
    _exit(0);
}

static void reap(struct audit *a, int flags)
{
    if (a->sync_pid > 0 && waitpid(a->sync_pid, NULL, (int)__WALL | flags) != 0)
        a->sync_pid = 0;
}

/* Like fork, but without a signal to our caller, who waits for children of its own. */
static int start_child(struct audit *a, int lock)
{
    struct kclone_args args = { 0 };
    pid_t pid = sys_clone3(&args);
    if (pid == 0)
        child(a->dir_fd, lock);
    if (pid < 0)
        return -errno;
    a->sync_pid = (int)pid;
    return 0;
}

static int group(struct audit *a)
{
    cleanup(dir_leave) struct dir_visit visit = dir_enter(a->dir_fd);
    cleanup(closep) int lock = openat(a->dir_fd, "audit.sync", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                                      0600);
    if (lock < 0)
        return -errno;
    if (flock(lock, LOCK_EX | LOCK_NB) < 0)
        return errno == EWOULDBLOCK ? 0 : -errno;
    reap(a, WNOHANG);
    if (a->sync_pid > 0) /* it has released the lock and the disk is slow: a second one would make us forget the first,
                            which no process would reap */
        return -EAGAIN;
    return start_child(a, lock); /* the lock belongs to the open file, which the child shares */
}

int audit_sync_lines(struct audit *a, struct error *err)
{
    if (!a->is_behind || a->sync == AUDIT_SYNC_OS)
        return 0;
    if (a->sync == AUDIT_SYNC_GROUP && group(a) == 0) {
        a->is_behind = false;
        return 0;
    }
    if (fdatasync(a->fd) < 0) /* always; or no child, or not another one, could be had */
        return audit_fail(a, -errno, "sync", err);
    a->is_behind = false;
    return 0;
}

bool audit_settle(struct audit *a)
{
    if (!a->arena || a->lock_fd < 0)
        return false;
    (void)audit_sync_lines(a, NULL);
    reap(a, WNOHANG);
    return a->sync_pid > 0;
}
