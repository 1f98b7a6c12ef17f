#include "daemon/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "session/session.h"

#define PROCESS_PATIENCE_MS 5000u
#define END_OF_FILE         '\x04' /* ^D */

/* --- its descriptors ----------------------------------------------------------------------------------------- */

static int open_pipe(struct process *p)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    p->inside = ends[0];
    p->input = ends[1];
    return fcntl(p->input, F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

/* run/launch.c opens the other side. */
static int open_terminal(struct process *p, uint16_t rows, uint16_t columns)
{
    p->input = terminal_new(&(struct winsize){ .ws_row = rows, .ws_col = columns });
    return MIN_OF(p->input, 0);
}

int process_open(const struct process_asked *asked, const char *session_id, struct options *o, struct process **ret,
                 struct error *err)
{
    struct process *p = calloc(1, sizeof *p);
    if (!p)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    p->input = p->inside = p->job = -1;
    p->is_terminal = asked->has_terminal;
    (void)snprintf(p->session_id, sizeof p->session_id, "%s", session_id);
    int e = asked->has_terminal ? open_terminal(p, asked->rows, asked->columns) : asked->has_input ? open_pipe(p) : 0;
    STRLIST_FOREACH(word, &o->command)
    {
        if (e == 0 && o->language == LANG_COMMAND)
            e = strlist_add(&p->argv, word);
    }
    if (e < 0) {
        (void)process_free(p);
        return err_set(err, e, BLAME_HOST, NULL, "%s: %s", asked->has_terminal ? "a terminal" : "a pipe", strerror(-e));
    }
    o->has_terminal = asked->has_terminal;
    o->terminal = p->input;
    o->has_input_fd = p->inside >= 0;
    o->input_fd = p->inside;
    *ret = p;
    return 0;
}

void process_close(struct process *p)
{
    if (!p)
        return;
    closep(&p->input);
    closep(&p->inside);
    closep(&p->job);
    strlist_done(&p->argv);
}

struct process *process_free(struct process *p)
{
    process_close(p);
    free(p);
    return NULL;
}

/* --- of an execution ------------------------------------------------------------------------------------------- */

void process_own(struct execution *e, struct process *p)
{
    (void)pthread_mutex_lock(&e->lock);
    e->process = p;
    (void)pthread_mutex_unlock(&e->lock);
}

void process_begun(struct execution *e, int job, uint64_t tag)
{
    (void)pthread_mutex_lock(&e->lock);
    if (e->process) {
        e->process->job = fcntl(job, F_DUPFD_CLOEXEC, 3);
        e->process->tag = tag;
    }
    (void)pthread_mutex_unlock(&e->lock);
}

bool process_is_of(struct execution *e, const char *session_id)
{
    (void)pthread_mutex_lock(&e->lock);
    const bool is_of = e->process && str_eq(e->process->session_id, session_id);
    (void)pthread_mutex_unlock(&e->lock);
    return is_of;
}

static int no_input(struct error *err)
{
    (void)err_set(err, -EPIPE, BLAME_CALLER, NULL, "the process has no open input");
    return err_remedy(err, "it has ended, was begun without stdin or pty, or its input was closed");
}

/* A descriptor of the caller's own, so that no lock is held while the process reads. */
static int dup_input(struct execution *e, bool *ret_is_terminal)
{
    (void)pthread_mutex_lock(&e->lock);
    int fd = e->process && e->process->input >= 0 ? fcntl(e->process->input, F_DUPFD_CLOEXEC, 3) : -1;
    *ret_is_terminal = fd >= 0 && e->process->is_terminal;
    (void)pthread_mutex_unlock(&e->lock);
    return fd;
}

static int write_patiently(int fd, const char *data, size_t size, size_t *taken)
{
    uint64_t until_ms = clock_ms() + PROCESS_PATIENCE_MS;
    while (*taken < size) {
        const ssize_t n = write(fd, data + *taken, size - *taken);
        struct pollfd f = { .fd = fd, .events = POLLOUT };
        const uint64_t now_ms = clock_ms();
        if (n > 0) {
            *taken += (size_t)n;
            until_ms = now_ms + PROCESS_PATIENCE_MS;
        } else if (n < 0 && errno != EAGAIN && errno != EINTR)
            return -EPIPE; /* EIO: all of the terminal's other side has gone */
        else if (now_ms >= until_ms)
            return -EAGAIN;
        else
            (void)poll(&f, 1, (int)(until_ms - now_ms));
    }
    return 0;
}

int process_write(struct execution *e, const char *data, size_t size, size_t *ret_taken, struct error *err)
{
    bool is_terminal;
    cleanup(closep) int fd = dup_input(e, &is_terminal);
    *ret_taken = 0;
    int r = fd < 0 ? -EPIPE : write_patiently(fd, data, size, ret_taken);
    if (r == -EPIPE)
        return no_input(err);
    if (r == -EAGAIN)
        return err_set(err, r, BLAME_CALLER, NULL, "the process does not read its input: %zu of %zu bytes were taken",
                       *ret_taken, size);
    return r;
}

int process_end_input(struct execution *e, struct error *err)
{
    bool is_terminal;
    cleanup(closep) int fd = dup_input(e, &is_terminal);
    size_t taken = 0;
    if (fd < 0)
        return no_input(err);
    if (is_terminal)
        return process_write(e, (const char[]){ END_OF_FILE }, 1, &taken, err);
    (void)pthread_mutex_lock(&e->lock);
    closep(&e->process->input);
    (void)pthread_mutex_unlock(&e->lock);
    return 0;
}

int process_resize(struct execution *e, uint16_t rows, uint16_t columns, struct error *err)
{
    const struct winsize size = { .ws_row = rows, .ws_col = columns };
    bool is_terminal;
    cleanup(closep) int fd = dup_input(e, &is_terminal);
    if (fd < 0 || !is_terminal) {
        (void)err_set(err, -ENOTTY, BLAME_CALLER, NULL, "the process has no terminal");
        return err_remedy(err, "it has ended, or was begun without pty");
    }
    return ioctl(fd, TIOCSWINSZ, &size) < 0 ? err_set(err, -errno, BLAME_HOST, NULL, "the terminal's size: %m") : 0;
}

int process_signal(struct execution *e, int sig, struct error *err)
{
    (void)pthread_mutex_lock(&e->lock);
    const int r = e->state == EXECUTION_RUNNING ? session_signal(e->process->job, e->process->tag, sig) : -EBADF;
    (void)pthread_mutex_unlock(&e->lock);
    if (r == -EAGAIN)
        return err_set(err, r, BLAME_HOST, NULL, "too many signals are on their way");
    return r < 0 ? err_set(err, -ENOENT, BLAME_CALLER, NULL, "the process does not run") : 0;
}
