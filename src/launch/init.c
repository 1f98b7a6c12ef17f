/* init.c - pid 1 inside, and the payload's last steps before its exec. */
#include "launch/launch.h"
#include "launch/template.h"

#include "base/seccomp.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

uint64_t now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* cannot fail for this clock */
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void report_send(struct init_ctx *c, enum report_type type)
{
    c->report.type = type;
    /* a launcher that is gone ends us by PDEATHSIG; there is no other process to tell */
    ssize_t n = write(c->report_fd, &c->report, sizeof c->report);
    (void)n;
}

_Noreturn void init_fail(struct init_ctx *c, const struct error *err)
{
    c->report.error = *err;
    report_send(c, REPORT_FAILED);
    _exit(125);
}

/* The listener exists only in this process until the launcher has it. */
static int load_listening(struct init_ctx *c)
{
    int listener = seccomp_load_listening(c->shape->filter, c->shape->is_brokered);
    if (listener < 0)
        return listener;
    c->report.type = REPORT_LISTENER;
    return send_message(c->report_fd, &c->report, sizeof c->report, &listener, 1);
}

/* All but the three, what a fork's interpreter reads, and those that the job names: the guard's, the two below it of a
 * program that waits, a steward's. */
static void close_others(unsigned own, unsigned guard, unsigned park, unsigned steward)
{
    unsigned next = 3;
    const unsigned kept[] = { own, park ? park - 1 : 0, park, guard, steward };
    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        if (kept[i] > next)
            (void)sys_close_range(next, kept[i] - 1);
        next = MAX_OF(next, kept[i] + 1);
    }
    (void)sys_close_range(next, ~0u);
}

int init_become_payload(struct init_ctx *c)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (chdir(c->job->cwd) < 0) {
        c->chdir_errno = errno;
        return -c->chdir_errno;
    }
    (void)setsid();           /* its own session, so a signal to its group never meets init */
    if (c->job->has_terminal) /* job control, ^C and the signal of a new size go by it */
        (void)ioctl(STDIN_FILENO, TIOCSCTTY, 0);
    unsigned guard = c->job->report_fd, park = c->job->park_fd, steward = c->job->steward_fd;
    if (guard && dup2(INIT_FD_GUARD, (int)guard) < 0)
        guard = 0; /* beyond its own limit of descriptors: it goes without */
    if (park && (dup2(INIT_FD_PARK, (int)park) < 0 || dup2(INIT_FD_TAKES, (int)park - 1) < 0))
        return -errno;
    if (steward && dup2(INIT_FD_STEWARD, (int)steward) < 0)
        return -errno;
    int r = c->shape->verdicts.size ? load_listening(c) : seccomp_load(c->shape->filter);
    if (r == 0)
        close_others(c->kept_fd, guard, park, steward);
    return r;
}

/* In the vforked child: shares init's memory, stops init until exec. Only system calls here. */
static _Noreturn void payload_main(struct init_ctx *c, char **argv, char **envp)
{
    int r = init_become_payload(c);
    if (r < 0) {
        c->exec_errno = r;
        _exit(126);
    }
    (void)execve(c->job->program, argv, envp);
    c->exec_errno = errno;
    _exit(127);
}

static pid_t start_payload(struct init_ctx *c, struct error *err)
{
    if (c->fork_payload && template_is_for(c->shape, c->job))
        return c->fork_payload(c, err);
    char **argv = strlist_argv(&c->job->argv), **envp = strlist_argv(&c->job->env);
    if (!argv || !envp)
        return err_set(err, -ENOMEM, BLAME_HOST, "EXEC", "no memory for arguments");
    c->exec_errno = c->chdir_errno = 0;
    pid_t pid = vfork();
    if (pid == 0)
        payload_main(c, argv, envp);
    if (pid < 0)
        return err_set(err, -errno, BLAME_HOST, "EXEC", "fork the payload: %m");
    int e = c->exec_errno;
    if (c->chdir_errno)
        return err_set(err, -c->chdir_errno, BLAME_CALLER, "EXEC", "change to directory %s: %s", c->job->cwd,
                       strerror(c->chdir_errno));
    if (e == 0)
        return pid;
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "SECCOMP", "before exec of %s: %s (%d)", c->job->program, strerror(-e), -e);
    return err_set(err, -e, BLAME_GUEST, "EXEC", "%s: %s", c->job->program, strerror(e));
}

static uint64_t copy_artifact(const struct job *j)
{
    /* raw: musl's open() is another call number and an fcntl() on top, which our filter does not allow */
    cleanup(closep) int in = (int)syscall(SYS_openat, AT_FDCWD, j->artifact,
                                          O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (in < 0 || fstat(in, &st) < 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > j->artifact_max)
        return 0;
    uint64_t done = 0;
    while (done < (uint64_t)st.st_size) {
        ssize_t n = sendfile(INIT_FD_ARTIFACT, in, NULL, (size_t)((uint64_t)st.st_size - done));
        if (n <= 0)
            return 0;
        done += (uint64_t)n;
    }
    return done;
}

/* Everything else inside dies first: then nothing changes the artifact under us, and the launcher may answer at once,
 * while the kernel still takes the namespaces down. */
static _Noreturn void finish(struct init_ctx *c, int status)
{
    struct rusage u;
    /* Orphans are our children: without one there is no other process, and kill(-1) looks at each of the machine's. */
    if (waitpid(-1, NULL, WNOHANG) >= 0)
        (void)kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
    (void)getrusage(RUSAGE_CHILDREN, &u);
    c->report.cpu_us = (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
                       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    c->report.max_rss_bytes = (uint64_t)u.ru_maxrss * KIB;
    if (c->job->artifact && WIFEXITED(status) && !WEXITSTATUS(status))
        c->report.artifact_bytes = copy_artifact(c->job);
    c->report.is_unused = c->job->park_fd && park_is_unused();
    c->report.wait_status = status;
    report_send(c, REPORT_ENDED);
    _exit(0); /* and with us everything that is left inside */
}

/* Reaps until the payload ends. SIGTERM from outside (si_pid 0: the sender is not in our namespace)
 * is the deadline's polite warning and goes to all. */
static _Noreturn void supervise(struct init_ctx *c, pid_t payload, const sigset_t *watched)
{
    for (;;) {
        int status;
        pid_t pid;
        while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
            if (pid == payload)
                finish(c, status);
        siginfo_t info;
        int sig = sigwaitinfo(watched, &info);
        if (sig == SIGTERM && info.si_pid == 0) {
            (void)kill(-1, SIGTERM);
            (void)kill(-1, SIGCONT); /* a stopped process must get its warning too */
        }
    }
}

/* Ignored signals survive exec: what our callers ignored (nohup, our own SIGPIPE) the payload must not. */
static void reset_signals(void)
{
    for (int sig = 1; sig < 32; sig++)
        if (sig != SIGKILL && sig != SIGSTOP)
            (void)signal(sig, SIG_DFL);
}

_Noreturn void init_main(struct init_ctx *c, unsigned phases)
{
    struct error err = { 0 };
    sigset_t watched;
    reset_signals();
    (void)sigemptyset(&watched);
    (void)sigaddset(&watched, SIGCHLD);
    (void)sigaddset(&watched, SIGTERM);
    (void)sigprocmask(SIG_SETMASK, &watched, NULL);

    if (steps_run(c, phases, &err) < 0 || require_check_inside(c, &err) < 0)
        init_fail(c, &err);
    pid_t payload = start_payload(c, &err);
    if (payload < 0)
        init_fail(c, &err);
    feature_set(&c->report.features, FEATURE_SECCOMP);
    steps_note_exec(c);
    /* the payload's streams must end when it does, not when we do */
    (void)sys_close_range(0, 2);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* ours, whatever the payload's profile says */
    int r = seccomp_load_init(c->job->park_fd);
    if (r < 0) {
        (void)err_set(&err, r, BLAME_HOST, "SECCOMP", "init's own filter: %s", strerror(-r));
        init_fail(c, &err);
    }
    report_send(c, REPORT_STARTED);
    if (c->job->park_fd) {
        struct bytes note = { 0 };
        if (park_wait(c, &note, &err) < 0)
            init_fail(c, &err);
        park_pass_on(note);
    }
    supervise(c, payload, &watched);
}
