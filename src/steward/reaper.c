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
#include <sys/wait.h>

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

static _Noreturn void job_main(const struct job *j, const int fds[static RUN_FD_MAX], int successors, int pipe,
                               uint32_t abi, struct landlock *prepared)
{
    char **argv = strlist_argv(&j->argv), **envp = strlist_argv(&j->env);
    sigset_t none;
    if (!argv || !envp)
        fail(pipe, STEWARD_STEP_EXEC, ENOMEM);
    (void)setsid(); /* its own session and group */
    int r = fence_job(abi, prepared, j->id);
    if (r == 0)
        r = fence_close();
    if (r < 0)
        fail(pipe, STEWARD_STEP_FENCE, -r);
    if (chdir(j->cwd) < 0)
        fail(pipe, STEWARD_STEP_CWD, errno);
    if ((r = arrange(j, fds, successors)) < 0)
        fail(pipe, STEWARD_STEP_EXEC, -r);
    if (j->has_terminal) /* job control, ^C and the signal of a new size go by it; without it, it is a terminal yet */
        (void)ioctl(STDIN_FILENO, TIOCSCTTY, 0);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)execve(j->program, argv, envp);
    fail(pipe, STEWARD_STEP_EXEC, errno);
}

/* --- the reaper ----------------------------------------------------------------------------------------- */

/* -> pid, or -errno; of what came before the exec *ret tells. */
static pid_t start(const struct job *j, const int fds[static RUN_FD_MAX], int successors, uint32_t abi,
                   struct landlock *prepared, struct failure *ret)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    const int end = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_FREE);
    (void)close(ends[1]);
    ends[1] = end;
    pid_t pid = end < 0 ? -1 : fork();
    if (pid == 0)
        job_main(j, fds, successors, ends[1], abi, prepared);
    int e = errno;
    landlock_close(prepared);
    closep(&ends[1]);
    if (pid < 0)
        *ret = (struct failure){ STEWARD_STEP_EXEC, e };
    else if (read(ends[0], ret, sizeof *ret) != (ssize_t)sizeof *ret)
        *ret = (struct failure){ 0 };
    (void)close(ends[0]);
    return pid;
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

static void pass_signal(int control, uint32_t abi)
{
    unsigned char sig;
    if (read(control, &sig, 1) != 1)
        _exit(1); /* the steward is gone */
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
            pass_signal(control, abi);
    }
    return status;
}

static _Noreturn void tell(int control, const struct reaper_word *w)
{
    (void)!write(control, w, sizeof *w);
    _exit(0);
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
static unsigned char wait_for_go(int control)
{
    unsigned char byte, early = 0;
    while (read(control, &byte, 1) == 1) {
        if (!byte)
            return early;
        early = byte;
    }
    _exit(1); /* the steward is gone */
}

_Noreturn void reaper_main(const struct job *j, const int fds[static RUN_FD_MAX], int control, uint32_t abi,
                           struct landlock *prepared)
{
    struct reaper_word w = { 0 };
    struct failure f = { 0 };
    struct rusage u;
    const int signals = watch_children();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    int r = fence_reaper(abi);
    if (r < 0 || signals < 0)
        tell(control, &(struct reaper_word){ 1, STEWARD_STEP_FENCE, r < 0 ? -r : errno, 0, 0, 0 });
    const unsigned char early = wait_for_go(control);
    int successors[2] = { -1, -1 };
    if (j->reaper_fd && pipe2(successors, O_CLOEXEC | O_NONBLOCK) < 0)
        tell(control, &(struct reaper_word){ 1, STEWARD_STEP_EXEC, errno, 0, 0, 0 });
    struct main_process m = { start(j, fds, successors[1], abi, prepared, &f), successors[0] };
    close_inputs(fds);
    closep(&successors[1]);
    if (f.error)
        w = (struct reaper_word){ .has_failed = 1, .step = f.step, .error = f.error };
    if (m.pid > 0) {
        if (!f.error)
            (void)!write(control, "s", 1);
        if (early)
            signal_job(abi, early);
        w.status = wait_for(&m, control, signals, abi);
        end_the_rest(abi);
    }
    (void)getrusage(RUSAGE_CHILDREN, &u);
    w.cpu_us = time_us(&u.ru_utime) + time_us(&u.ru_stime);
    w.max_rss_bytes = (uint64_t)u.ru_maxrss * KIB;
    tell(control, &w);
}
