#include "steward/steward.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/parse.h"

#define FIRST_FREE     20         /* above all numbers that a job's program gets */
#define SUCCESSORS_MAX (64u << 8) /* what a pipe holds: 64 KiB of int32_t */

struct failure { /* from the job's process, before its exec */
    int32_t step, error;
};

/* --- the job ------------------------------------------------------------------------------------------ */

static _Noreturn void fail(int pipe, enum steward_step step, int error)
{
    const struct failure f = { (int32_t)step, error };
    (void)!write(pipe, &f, sizeof f);
    _exit(127);
}

/* A kernel's standard input, which its cells and what they start may read: at its end. At level high there is no
 * /dev/null. */
static int open_nothing(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    (void)close(ends[1]);
    return ends[0];
}

/* The three, the kernel's and the guard's at their numbers; everything else closes with the exec. Sources may sit on
 * targets. */
static int arrange(const struct job *j, const int fds[static RUN_FD_MAX], int successors)
{
    const struct {
        int from, to;
    } plan[] = { { j->kernel_fd ? open_nothing() : fds[RUN_FD_STDIN], 0 },
                 { j->kernel_fd ? fds[RUN_FD_STDIN] : -1, (int)j->kernel_fd },
                 { successors, (int)j->reaper_fd },
                 { fds[RUN_FD_STDOUT], 1 },
                 { fds[RUN_FD_STDERR], 2 },
                 { fds[RUN_FD_REPORT], (int)j->report_fd } };
    if (j->kernel_fd && plan[0].from < 0)
        return -errno;
    int lifted[ARRAY_LEN(plan)];
    for (size_t i = 0; i < ARRAY_LEN(plan); i++)
        if (plan[i].from >= 0 && (lifted[i] = fcntl(plan[i].from, F_DUPFD_CLOEXEC, FIRST_FREE)) < 0)
            return -errno;
    for (size_t i = 0; i < ARRAY_LEN(plan); i++)
        if (plan[i].from >= 0 && dup2(lifted[i], plan[i].to) < 0)
            return -errno;
    return 0;
}

/* Its own session and group, and its fence. id: of its directory, or NULL */
static void become_job(const char *id, int pipe, uint32_t abi, struct landlock *prepared)
{
    (void)setsid();
    int r = fence_job(abi, prepared, id);
    if (r == 0)
        r = fence_close();
    if (r < 0)
        fail(pipe, STEWARD_STEP_FENCE, -r);
}

#define OWN_WORDS 128 /* of argv, and of the environment: no memory is asked for */
static char *own_words[2][OWN_WORDS];

static char **words_of(const struct strlist *l, char *own[static OWN_WORDS])
{
    if (l->count >= OWN_WORDS)
        return strlist_argv(l);
    size_t i = 0;
    STRLIST_FOREACH(word, l)
    {
        own[i++] = (char *)(uintptr_t)word;
    }
    own[i] = NULL;
    return own;
}

static _Noreturn void become_program(const struct job *j, const int fds[static RUN_FD_MAX], int successors, int pipe)
{
    char **argv = words_of(&j->argv, own_words[0]), **envp = words_of(&j->env, own_words[1]);
    sigset_t none;
    if (!argv || !envp)
        fail(pipe, STEWARD_STEP_EXEC, ENOMEM);
    if (chdir(j->cwd) < 0)
        fail(pipe, STEWARD_STEP_CWD, errno);
    const int r = arrange(j, fds, successors);
    if (r < 0)
        fail(pipe, STEWARD_STEP_EXEC, -r);
    if (j->has_terminal) /* job control, ^C and the signal of a new size go by it; without it, it is a terminal yet */
        (void)ioctl(STDIN_FILENO, TIOCSCTTY, 0);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)execve(j->program, argv, envp);
    fail(pipe, STEWARD_STEP_EXEC, errno);
}

/* Of a job that is still to come. Its line ends without one when it is not needed any more. */
static _Noreturn void wait_for_job(int line, char *message, int pipe)
{
    struct job job = { 0 };
    int fds[RUN_FD_MAX];
    size_t count = 0;
    memset(own_words, 0, sizeof own_words); /* its own pages now, and not when the job is there */
    memset(message, 0, MIN_OF(PLAN_MAX_MESSAGE, 2 * 4096));
    const ssize_t n = receive_message(line, message, PLAN_MAX_MESSAGE, fds, RUN_FD_MAX, &count);
    if (n <= 0)
        fail(pipe, STEWARD_STEP_EXEC, ECANCELED); /* its reaper must not look for it by kill(-1): see end_the_rest() */
    struct unpack u = unpack_start(message, (size_t)n);
    const uint64_t type = unpack_u64(&u);
    (void)unpack_u64(&u);
    unpack_fields(&u, job_fields, job_field_count, &job);
    if (type != STEWARD_START || unpack_end(&u) < 0 || !job.program || !job.cwd ||
        !run_fds_place(&job, RUN_FD_INIT_MAX, fds, count))
        fail(pipe, STEWARD_STEP_EXEC, EBADMSG);
    become_program(&job, fds, -1, pipe);
}

/* --- the reaper ----------------------------------------------------------------------------------------- */

/* fork(), with a pipe whose end there tells of a failure, and closes with the exec. -> pid, 0 in the child, or -errno
 */
static pid_t fork_job(int *ret_pipe)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    const int end = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_FREE);
    (void)close(ends[1]);
    const pid_t pid = end < 0 ? -1 : fork();
    const int e = errno;
    *ret_pipe = pid == 0 ? end : ends[0];
    if (pid != 0 && end >= 0)
        (void)close(end);
    if (pid <= 0)
        (void)close(ends[0]);
    return pid < 0 ? -e : pid;
}

/* Waits for its exec. */
static struct failure hear(int pipe)
{
    struct failure f;
    if (read(pipe, &f, sizeof f) != (ssize_t)sizeof f)
        f = (struct failure){ 0 };
    (void)close(pipe);
    return f;
}

static pid_t parent_of(pid_t pid)
{
    char path[32], text[256];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    uint64_t parent = 0;
    if (n <= 0)
        return 0;
    text[n] = '\0';
    char *at = strrchr(text, ')'); /* behind the name, which may hold anything: « S PPID » */
    if (!at || strlen(at) < 5)
        return 0;
    at[4 + strspn(at + 4, "0123456789")] = '\0';
    return parse_u64(at + 4, &parent) == 0 ? (pid_t)parent : 0;
}

static bool is_below_us(pid_t pid, pid_t us)
{
    for (int depth = 0; depth < 1000 && pid > 1; depth++)
        if ((pid = parent_of(pid)) == us)
            return true;
    return false;
}

/* For a kernel whose landlock does not keep signals in (before ABI 6), or that has none: kill(-1) would reach others.
 */
static void signal_by_proc(int sig)
{
    DIR *proc = opendir("/proc");
    for (struct dirent *d; proc && (d = readdir(proc));) {
        uint64_t pid;
        if (parse_u64(d->d_name, &pid) == 0 && pid > 1 && pid <= INT32_MAX && is_below_us((pid_t)pid, getpid()))
            (void)kill((pid_t)pid, sig);
    }
    if (proc)
        (void)closedir(proc);
}

/* To every process of the job: they are all that our domain lets us reach. */
static void signal_job(uint32_t abi, int sig)
{
    if (abi >= LANDLOCK_KEEPS_SIGNALS)
        (void)kill(-1, sig);
    else
        signal_by_proc(sig);
}

/* Orphans become our children before their parent can be reaped, so without a child there is no process of the job. */
static bool is_anything_left(void)
{
    siginfo_t ignored;
    return waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/* The main process's status is known: everything else goes. Mostly nothing is left, and kill(-1) would be a question to
 * the launcher (notify.h), which takes longer than all of the reaper's other work. */
static void end_the_rest(uint32_t abi)
{
    while (is_anything_left()) {
        signal_job(abi, SIGKILL);
        (void)waitpid(-1, NULL, __WALL);
    }
}

/* The job's main process. A kernel's may have another one after it: a twin that it had forked for a checkpoint, and
 * that lives by then (guards/kernel_python.py). It says so before it ends; a false word is its own job's harm. */
struct main_process {
    pid_t pid;
    int successors; /* pids, int32_t each; non-blocking. -1: there are none */
};

static bool is_our_child(pid_t pid)
{
    siginfo_t ignored;
    return pid > 1 && waitid(P_PID, (id_t)pid, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* It has ended. False: nothing comes after it. The last word counts, of so many: a process of the job's may write there
 * as fast as we read. */
static bool pass_on(struct main_process *m)
{
    int32_t next = 0, pid;
    for (unsigned i = 0; i < SUCCESSORS_MAX && m->successors >= 0; i++) {
        if (read(m->successors, &pid, sizeof pid) != (ssize_t)sizeof pid)
            break;
        next = pid;
    }
    if (!is_our_child(next))
        return false;
    m->pid = next;
    return true;
}

/* True: the main process has ended, with *ret. */
static bool reap(struct main_process *m, int *ret)
{
    int status;
    for (pid_t one; (one = waitpid(-1, &status, WNOHANG)) > 0;)
        if (one == m->pid && !pass_on(m)) {
            *ret = status;
            return true;
        }
    return false;
}

/* False: the other end is gone. */
static bool receive_order(int control, struct steward_order *ret)
{
    return recv(control, ret, sizeof *ret, 0) == (ssize_t)sizeof *ret;
}

/* Without the service, or where it has taken back what it had prepared, nothing of the job is to be left. */
static void pass_signal(int *control, uint32_t abi)
{
    struct steward_order o;
    const bool is_there = receive_order(*control, &o);
    const int sig = is_there ? (int)MIN_OF(o.signal, UINT64_C(64)) : SIGKILL;
    if (!is_there)
        *control = -1;
    signal_job(abi, sig);
    if (sig == SIGTERM)
        signal_job(abi, SIGCONT); /* a stopped process must get its warning too */
}

static int wait_for(struct main_process *m, int control, int signals, uint32_t abi)
{
    int status = 0;
    while (!reap(m, &status)) {
        struct pollfd f[2] = { { .fd = control, .events = POLLIN }, { .fd = signals, .events = POLLIN } };
        struct signalfd_siginfo info;
        if (poll(f, 2, -1) < 0)
            continue;
        if (f[1].revents)
            (void)!read(signals, &info, sizeof info);
        if (f[0].revents)
            pass_signal(&control, abi);
    }
    return status;
}

static _Noreturn void tell(int control, const struct steward_word *w)
{
    (void)send(control, w, sizeof *w, MSG_NOSIGNAL);
    _exit(0);
}

static _Noreturn void tell_failed(int control, uint64_t number, enum steward_step step, int error)
{
    tell(control, &(struct steward_word){
                      .type = STEWARD_FAILED, .job = number, .step = (uint64_t)step, .error = (uint64_t)error });
}

static uint64_t time_us(const struct timeval *t)
{
    return (uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_usec;
}

static int watch_children(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigprocmask(SIG_SETMASK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static void close_inputs(const int fds[static RUN_FD_MAX])
{
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
}

/* -> the last signal that was asked for before it was to begin; 0: none */
static int wait_for_go(int control)
{
    struct steward_order o;
    int early = 0;
    while (receive_order(control, &o)) {
        if (o.type == STEWARD_GO)
            return early;
        early = (int)MIN_OF(o.signal, UINT64_C(64));
    }
    _exit(1); /* the steward is gone */
}

/* -> a descriptor that hears of its children */
static int become_reaper(uint64_t number, int control, uint32_t abi)
{
    const int signals = watch_children();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const int r = signals < 0 ? -errno : fence_reaper(abi);
    if (r < 0)
        tell_failed(control, number, STEWARD_STEP_FENCE, -r);
    return signals;
}

/* From its exec, or what became of it, to its end. */
static _Noreturn void reap_job(uint64_t number, struct main_process *m, int pipe, int control, int signals, int early,
                               uint32_t abi)
{
    struct rusage u;
    const struct failure f = hear(pipe);
    if (f.error) { /* no program of the job has begun, so there is nothing else to end */
        (void)waitpid(m->pid, NULL, __WALL);
        tell_failed(control, number, (enum steward_step)f.step, f.error);
    }
    const uint64_t started_us = clock_us();
    if (early)
        signal_job(abi, early);
    const int status = wait_for(m, control, signals, abi);
    end_the_rest(abi);
    (void)getrusage(RUSAGE_CHILDREN, &u);
    tell(control, &(struct steward_word){ .type = STEWARD_ENDED,
                                          .job = number,
                                          .status = (uint64_t)(uint32_t)status,
                                          .cpu_us = time_us(&u.ru_utime) + time_us(&u.ru_stime),
                                          .max_rss_bytes = (uint64_t)u.ru_maxrss * KIB,
                                          .run_us = clock_us() - started_us });
}

_Noreturn void reaper_main(uint64_t number, const struct job *j, const int fds[static RUN_FD_MAX], int control,
                           uint32_t abi, struct landlock *prepared)
{
    const int signals = become_reaper(number, control, abi);
    const int early = wait_for_go(control);
    int successors[2] = { -1, -1 }, pipe = -1;
    if (j->reaper_fd && pipe2(successors, O_CLOEXEC | O_NONBLOCK) < 0)
        tell_failed(control, number, STEWARD_STEP_EXEC, errno);
    struct main_process m = { fork_job(&pipe), successors[0] };
    if (m.pid == 0) {
        become_job(j->id, pipe, abi, prepared);
        become_program(j, fds, successors[1], pipe);
    }
    if (m.pid < 0)
        tell_failed(control, number, STEWARD_STEP_EXEC, -m.pid);
    landlock_close(prepared);
    close_inputs(fds);
    closep(&successors[1]);
    reap_job(number, &m, pipe, control, signals, early, abi);
}

_Noreturn void reaper_wait_main(uint64_t number, int line, char *message, uint32_t abi, struct landlock *prepared)
{
    const int signals = become_reaper(number, line, abi);
    int pipe = -1;
    struct main_process m = { fork_job(&pipe), -1 };
    if (m.pid == 0) {
        become_job(NULL, pipe, abi, prepared);
        wait_for_job(line, message, pipe);
    }
    if (m.pid < 0)
        tell_failed(line, number, STEWARD_STEP_EXEC, -m.pid);
    landlock_close(prepared);
    reap_job(number, &m, pipe, line, signals, 0, abi);
}
