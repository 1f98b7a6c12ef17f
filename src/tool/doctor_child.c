/* doctor_child.c - children with a deadline.
 *
 * Doctor blocks SIGCHLD, SIGINT, SIGTERM and SIGHUP for as long as it runs and reads them from one
 * signalfd, so waiting for a child, for its output, for the deadline and for the user is one poll().
 * (Not a pidfd: doctor also runs on machines whose filters refuse newer calls.) Children get the old
 * mask back.
 */
#include "tool/doctor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>

enum { TRY_TIMEOUT_MS = 5000, OUTPUT_MAX = 4 * 1024 * 1024 };

/* With 0..2 taken, no pipe of ours can sit where a child's stdio goes. Stays open: harmless. */
static int standard_fds(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (fd >= 0 && fd <= 2);
    if (fd < 0)
        return -errno;
    (void)close(fd);
    return 0;
}

int doctor_start(struct doctor *d)
{
    sigset_t ours;
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    (void)sigemptyset(&ours);
    const int ended_by[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < ARRAY_LEN(ended_by); i++)
        (void)sigaddset(&ours, ended_by[i]);
    int r = standard_fds();
    if (r < 0)
        return r;
    d->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    if (d->signals < 0)
        return -errno;
    (void)sigprocmask(SIG_BLOCK, &ours, &d->old_mask);
    /* «ignored» is inherited through exec, and then no child could be waited for */
    (void)sigaction(SIGCHLD, &standard, &d->old_child_action);
    return 0;
}

void doctor_finish(struct doctor *d)
{
    (void)sigaction(SIGCHLD, &d->old_child_action, NULL);
    (void)sigprocmask(SIG_SETMASK, &d->old_mask, NULL);
    closep(&d->signals);
}

void *shared_new(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void shared_free(void *p, size_t size)
{
    if (p)
        (void)munmap(p, size);
}

static int64_t now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct stream {
    int fd;
    struct buf *out;
};

/* What a child says beyond our limit is read and dropped, so that it never waits for us. */
static void stream_drain(struct stream *s)
{
    char chunk[16384];
    while (s->fd >= 0) {
        ssize_t n = read(s->fd, chunk, sizeof chunk);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0)
            closep(&s->fd);
        else
            (void)buf_add(s->out, chunk, (size_t)n);
    }
}

static void signals_drain(struct doctor *d)
{
    struct signalfd_siginfo info;
    while (read(d->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo != SIGCHLD && !d->stopped_by)
            d->stopped_by = (int)info.ssi_signo;
}

/* Until the child has ended, the deadline or the user's signal: CHILD_DONE, _LATE or _STOPPED. */
static int wait_until(struct doctor *d, pid_t pid, struct stream *streams, size_t count, int64_t deadline,
                      int *ret_status)
{
    struct pollfd p[3] = { { .fd = d->signals, .events = POLLIN } };
    assert(count < ARRAY_LEN(p));
    for (;;) {
        pid_t ended = waitpid(pid, ret_status, WNOHANG);
        for (size_t i = 0; i < count; i++) {
            stream_drain(&streams[i]);
            p[i + 1] = (struct pollfd){ .fd = streams[i].fd, .events = POLLIN };
        }
        if (ended == pid)
            return CHILD_DONE;
        if (ended < 0)
            return -errno;
        int64_t left = deadline - now_ms();
        if (left <= 0)
            return CHILD_LATE;
        (void)poll(p, 1 + count, (int)MIN_OF(left, 1000)); /* any reason to wake up will do */
        signals_drain(d);
        if (d->stopped_by)
            return CHILD_STOPPED;
    }
}

/* The child may be a step before its setsid(): then it is no group yet. */
static void kill_group(pid_t pid, int signo)
{
    if (kill(-pid, signo) < 0)
        (void)kill(pid, signo);
}

/* SIGTERM first: sandbox-agent then ends what it started. */
static int child_wait(struct doctor *d, pid_t pid, struct stream *streams, size_t count, int timeout_ms, int grace_ms,
                      int *ret_status)
{
    int end = wait_until(d, pid, streams, count, now_ms() + timeout_ms, ret_status);
    if (end == CHILD_DONE || end < 0)
        return end;
    int stopped_by = d->stopped_by;
    d->stopped_by = 0; /* or the grace would be over at once */
    if (grace_ms > 0)
        kill_group(pid, SIGTERM);
    if (grace_ms <= 0 || wait_until(d, pid, streams, count, now_ms() + grace_ms, ret_status) != CHILD_DONE) {
        kill_group(pid, SIGKILL);
        (void)waitpid(pid, ret_status, 0);
    }
    d->stopped_by = stopped_by ? stopped_by : d->stopped_by;
    return end;
}

static void child_signals(const struct doctor *d)
{
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    (void)sigaction(SIGPIPE, &standard, NULL);
    (void)sigprocmask(SIG_SETMASK, &d->old_mask, NULL);
}

int child_try(struct doctor *d, void (*fn)(void *shared), void *shared, bool dies_with_us)
{
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return -errno;
    if (pid == 0) {
        child_signals(d);
        (void)setsid();
        if (dies_with_us)
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        fn(shared);
        _exit(0);
    }
    int end = child_wait(d, pid, NULL, 0, TRY_TIMEOUT_MS, 0, &status);
    if (end == CHILD_DONE && WIFSIGNALED(status))
        return CHILD_DIED;
    return end;
}

static _Noreturn void program_exec(const struct doctor *d, const struct program *p, int in, int out, int err)
{
    child_signals(d);
    (void)setsid(); /* no terminal to ask questions on, and one group to kill */
    /* none of the three is 0..2 itself: standard_fds() */
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(127);
    /* SIGTERM, so that sandbox-agent can end its sandbox when we are killed */
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    (void)execve(p->argv[0], (char *const *)(uintptr_t)p->argv, p->env);
    _exit(127);
}

static int input_open(const char *text)
{
    if (!text)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    cleanup(closep) int fd = memfd_create("doctor", MFD_CLOEXEC);
    size_t n = strlen(text);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
        return -1;
    return TAKE_FD(fd);
}

/* A pipe whose reading end never blocks us. */
static int pipe_open(int ret_fd[static 2])
{
    if (pipe2(ret_fd, O_CLOEXEC) < 0)
        return -errno;
    (void)fcntl(ret_fd[0], F_SETFL, O_NONBLOCK);
    return 0;
}

int child_program(struct doctor *d, const struct program *p, struct program_end *ret)
{
    int status;
    *ret = (struct program_end){ .exit_code = -1 };
    buf_init(&ret->out, OUTPUT_MAX);
    buf_init(&ret->err, 64 * 1024);
    cleanup(closep) int in = input_open(p->input);
    int out[2] = { -EBADF, -EBADF }, err[2] = { -EBADF, -EBADF }, end = -EMFILE;
    if (in < 0 || pipe_open(out) < 0 || pipe_open(err) < 0)
        goto out;
    pid_t pid = fork();
    if (pid == 0)
        program_exec(d, p, in, out[1], err[1]);
    end = pid < 0 ? -errno : 0;
    closep(&out[1]);
    closep(&err[1]);
    if (pid < 0)
        goto out;
    struct stream streams[] = { { TAKE_FD(out[0]), &ret->out }, { TAKE_FD(err[0]), &ret->err } };
    end = child_wait(d, pid, streams, ARRAY_LEN(streams), p->timeout_ms, p->grace_ms, &status);
    for (size_t i = 0; i < ARRAY_LEN(streams); i++)
        closep(&streams[i].fd);
    if (end != CHILD_DONE)
        goto out;
    ret->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ret->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end = WIFSIGNALED(status) ? CHILD_DIED : CHILD_DONE;
out:
    for (int i = 0; i < 2; i++) {
        closep(&out[i]);
        closep(&err[i]);
    }
    return end;
}

void program_end_done(struct program_end *e)
{
    buf_done(&e->out);
    buf_done(&e->err);
}
