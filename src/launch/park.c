/* park.c - an instance that is opened before its work is known: the interpreter is executed inside the finished fence
 * and waits, with init, for what it is to do.
 *
 * Before the rights are given up init makes the files that are to come, empty, and keeps them open for writing; a
 * directory that is read-only for all inside is written through a second, detached mount of the same file system, which
 * only these descriptors hold. It waits with its own filter loaded (seccomp.c has what follows here). When the work
 * comes init fills the files, closes them and passes the note on; then the program begins. So what is told late is the
 * files' content and the note, and nothing of the fence. Until then no process inside has read a byte that a caller
 * chose. One use each: init ends with the run.
 */
#include "launch/tree.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

_Static_assert(INIT_FD_TAKES < INIT_FD_FIRST_FREE, "the places of volumes are not enough");

static int keep_at(int fd, int place)
{
    if (fd != place && (dup3(fd, place, O_CLOEXEC) < 0 || close(fd) < 0))
        return -errno;
    return 0;
}

/* The mount that SEAL makes read-only, of those the plan has. NULL: the file's place stays writable. */
static const struct plan_mount *sealed_mount(const struct init_ctx *c, const char *path)
{
    for (uint32_t i = 0; i < c->shape->mount_count; i++) {
        const struct plan_mount *m = &c->shape->mounts[i];
        size_t n = strlen(m->target);
        if (m->kind == MOUNT_TMPFS && m->flags & MOUNT_RO && strncmp(path, m->target, n) == 0 && path[n] == '/')
            return m;
    }
    return NULL;
}

/* A new file below a mount, by way of a copy of that mount which nothing will seal. */
static int open_through_copy(const struct plan_mount *m, const struct plan_file *f)
{
    cleanup(closep) int copy = sys_open_tree(AT_FDCWD, m->target, KOPEN_TREE_CLONE | KOPEN_TREE_CLOEXEC);
    if (copy < 0)
        return -errno;
    const char *below = f->path + strlen(m->target) + 1;
    int fd = openat(copy, below, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, f->mode);
    return fd < 0 ? -errno : fd;
}

int park_late_file(struct init_ctx *c, const struct plan_file *f)
{
    const struct plan_mount *m = sealed_mount(c, f->path);
    if (c->late_count >= WORK_MAX_LATE)
        return -EMFILE;
    int fd = m ? open_through_copy(m, f) : tree_file(f->path, f->mode);
    return fd < 0 ? fd : keep_at(fd, INIT_FD_LATE + (int)c->late_count++);
}

/* Both ends of a pipe, at these places. */
static int open_pipe(int reading_place, int writing_place)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    /* the write end first lies anywhere, perhaps where the read end is to be */
    int writing = fcntl(ends[1], F_DUPFD_CLOEXEC, INIT_FD_FIRST_FREE);
    (void)close(ends[1]);
    int r = writing < 0 ? -errno : keep_at(ends[0], reading_place);
    return r < 0 ? r : keep_at(writing, writing_place);
}

/* What it is told of its run. The keeper may have this memory in common (slot.c): no fork of it gets these pages. */
static struct told {
    struct work work;
    char message[PLAN_MAX_MESSAGE];
} * told;

static int make_told(void)
{
    struct told *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t == MAP_FAILED || madvise(t, sizeof *t, MADV_DONTFORK) < 0)
        return -errno;
    told = t;
    return 0;
}

void park_forget(void)
{
    if (told && munmap(told, sizeof *told) < 0)
        _exit(125);
    told = NULL;
}

int park_open(struct init_ctx *c, struct error *err)
{
    (void)c;
    int r = make_told();
    if (r < 0)
        return err_set(err, r, BLAME_HOST, "PARK", "memory for the work: %s", strerror(-r));
    r = open_pipe(INIT_FD_PARK, INIT_FD_WORK);
    if (r == 0)
        r = open_pipe(INIT_FD_TAKEN, INIT_FD_TAKES);
    return r < 0 ? err_set(err, r, BLAME_HOST, "PARK", "a pipe for the work: %s", strerror(-r)) : 0;
}

static int fill(int fd, int code, const struct plan_file *f)
{
    off_t offset = (off_t)f->offset;
    for (uint64_t left = f->size; left;) {
        ssize_t n = sendfile(fd, code, &offset, left);
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        left -= (uint64_t)n;
    }
    return 0;
}

static int receive_work(struct init_ctx *c, int *ret_code)
{
    struct down head;
    size_t count;
    ssize_t n = receive_message(c->report_fd, told->message, sizeof told->message, ret_code, 1, &count);
    if (n <= 0)
        _exit(0); /* the launcher is gone */
    if (n < (ssize_t)sizeof head)
        return -EBADMSG;
    memcpy(&head, told->message, sizeof head);
    struct unpack u = unpack_start(told->message + sizeof head, (size_t)n - sizeof head);
    return head.type != DOWN_WORK || count != 1 ? -EBADMSG : unpack_work(&u, &told->work);
}

/* False: the program has ended, or closed its end, before it was told anything. */
static bool wait_for_message(const struct init_ctx *c)
{
    struct pollfd f[2] = { { .fd = c->report_fd, .events = POLLIN }, { .fd = INIT_FD_WORK } };
    while (poll(f, 2, -1) < 0 && errno == EINTR)
        ;
    return f[1].revents == 0;
}

int park_wait(struct init_ctx *c, struct bytes *ret_note, struct error *err)
{
    cleanup(closep) int code = -1;
    (void)close(INIT_FD_PARK);
    (void)close(INIT_FD_TAKES);
    if (!wait_for_message(c))
        return 0; /* its end is told by init as every program's */
    const struct work *work = &told->work;
    int r = receive_work(c, &code);
    if (r == 0 && work->file_count != c->late_count)
        r = -EBADMSG;
    for (uint32_t i = 0; r == 0 && i < work->file_count; i++) {
        r = fill(INIT_FD_LATE + (int)i, code, &work->files[i]);
        (void)close(INIT_FD_LATE + (int)i);
    }
    if (r < 0)
        return err_set(err, r, BLAME_HOST, "PARK", "take the work: %s", strerror(-r));
    *ret_note = work->note;
    return 0;
}

/* A program that does not read has ended; SIGPIPE does not reach the first process of a pid namespace. */
void park_pass_on(struct bytes note)
{
    const char *p = note.data;
    for (size_t left = note.size; left;) {
        ssize_t n = write(INIT_FD_WORK, p, left);
        if (n <= 0)
            break;
        p += n;
        left -= (size_t)n;
    }
    (void)close(INIT_FD_WORK);
}

/* The program has ended, and said before that it took its work, or did not: then nothing of the work was done. That it
 * has read its note would say nothing: one that is being killed still takes from the pipe. */
bool park_is_unused(void)
{
    int said = 0;
    return ioctl(INIT_FD_TAKEN, FIONREAD, &said) < 0 || said == 0;
}
