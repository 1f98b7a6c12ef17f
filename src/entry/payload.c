/* payload.c - from GO to the payload's exec. As init.c of the launcher does it: by vfork, so that why an exec failed is
 * told in our own memory; or where its filter asks us, by fork, and then that is told in memory which both have until
 * the exec. */
#include "entry/entry.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "base/clock.h"
#include "base/kernel.h"
#include "base/landlock.h"
#include "base/rlimits.h"

#define OOM_SCORE                                                                                         \
    "100" /* a tenth of the memory worse than we: whichever is killed when it is used up, it is not pid 1 \
           */

struct start {
    struct entry *entry;
    char **argv, **envp, *path;
    int ends[3], report; /* the payload's: descriptors 0 to 2, and report_fd */
    int way[2];          /* ours and the payload's: the listener's way to us, where it loads a filter that asks */
    struct landlock fence;
    struct error *err; /* filled by the child: in our memory, or where it asks in memory that it shares */
};

/* Our ends are not waited for; of the payload's only the report is, since a guard must never be held up by us
 * (run/reports.h). */
static int open_pipe(int *ours, int *theirs, bool is_input, bool is_report)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | (is_report ? O_NONBLOCK : 0)) < 0)
        return -errno;
    *ours = ends[is_input];
    *theirs = ends[!is_input];
    return fcntl(*ours, F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

static int open_pipes(struct start *s, struct error *err)
{
    struct entry *e = s->entry;
    int r = open_pipe(&e->stdin_fd, &s->ends[0], true, false);
    if (r == 0)
        r = open_pipe(&e->pipes[PIPE_OUT], &s->ends[1], false, false);
    if (r == 0)
        r = open_pipe(&e->pipes[PIPE_ERR], &s->ends[2], false, false);
    if (r == 0 && e->plan.report_fd)
        r = open_pipe(&e->pipes[PIPE_REPORT], &s->report, false, true);
    return r < 0 ? err_set(err, r, BLAME_HOST, "EXEC", "pipes for the program: %s", strerror(-r)) : 0;
}

static int allow(struct start *s, const struct plan_access *a, struct error *err)
{
    const char *path = str_eq(a->path, ACCESS_PROGRAM) ? s->entry->program : a->path;
    int r = landlock_allow(&s->fence, path, a->access, err);
    if (r != -EACCES && r != -ENOTDIR)
        return r;
    *err = (struct error){ 0 }; /* what we cannot reach the payload cannot, having our uid */
    return 0;
}

static int open_fence(struct start *s, struct error *err)
{
    const struct entry_plan *p = &s->entry->plan;
    uint64_t refused_net = p->deny_tcp ? KLANDLOCK_NET_BIND | KLANDLOCK_NET_CONNECT : 0;
    if (!p->access_count && !p->deny_tcp)
        return 0;
    if (landlock_abi() < (p->access_count ? 1 : 4)) /* 4: the first that knows TCP */
        return p->needs_landlock ? err_set(err, -EOPNOTSUPP, BLAME_HOST, "LANDLOCK",
                                           "this kernel, or the container's filter, has no landlock")
                                 : 0;
    int r = landlock_open(&s->fence, p->access_count ? LANDLOCK_FILES : 0, refused_net, err);
    for (uint32_t i = 0; r == 0 && i < p->access_count; i++)
        r = allow(s, &p->access[i], err);
    if (r < 0)
        (void)snprintf(err->step, sizeof err->step, "LANDLOCK");
    return r;
}

/* All from 3 on but these two, of which either may be less than 3. Those on the way are close-on-exec, for a kernel
 * older than Linux 5.9. */
static void close_but(unsigned a, unsigned b)
{
    const unsigned low = MIN_OF(a, b), high = MAX_OF(a, b);
    if (low > 3)
        (void)sys_close_range(3, low - 1);
    if (high > MAX_OF(low, 2u) + 1)
        (void)sys_close_range(MAX_OF(low, 2u) + 1, high - 1);
    (void)sys_close_range(MAX_OF(high, 2u) + 1, ~0u);
}

/* In the child. A number of its own for each. */
static int arrange_fds(struct start *s)
{
    unsigned guard = s->entry->plan.report_fd;
    int report = s->report;
    if (guard && s->way[1] == (int)guard && (s->way[1] = fcntl(s->way[1], F_DUPFD_CLOEXEC, 3)) < 0)
        return -errno;
    for (int i = 0; i < 3; i++)
        if (dup2(s->ends[i], i) < 0)
            return -errno;
    if (guard && report == (int)guard)
        (void)fcntl(report, F_SETFD, 0);
    else if (guard && dup2(report, (int)guard) < 0)
        guard = 0; /* beyond its own limit of descriptors: it goes without */
    close_but(guard, s->way[1] < 0 ? 0 : (unsigned)s->way[1]);
    return 0;
}

/* In the child. No count of processes: it would be of all containers with this uid; the control group counts.
 */
static int lower_limits(const struct start *s)
{
    const struct entry_plan *p = &s->entry->plan;
    const struct rlimit_plan nofile = { RLIMIT_NOFILE, "nofile", p->nofile_soft, p->nofile_hard };
    int r = rlimits_lower_fixed(true, s->err);
    if (r == 0 && p->nofile_hard)
        r = rlimit_lower(&nofile, s->err);
    if (r < 0)
        (void)snprintf(s->err->step, sizeof s->err->step, "RLIMITS");
    return r;
}

/* Ignored signals survive exec. */
static void reset_signals(void)
{
    sigset_t none;
    for (int sig = 1; sig < NSIG; sig++)
        if (sig != SIGKILL && sig != SIGSTOP)
            (void)signal(sig, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child: one that asks nothing shares our memory and stops us until exec. */
static _Noreturn void payload_main(struct start *s)
{
    struct entry *e = s->entry;
    reset_signals();
    (void)setsid(); /* its own session, so a signal to its group never meets us */
    (void)umask(022);
    int r = 0;
    if (chdir(e->plan.cwd) < 0)
        r = err_set(s->err, -errno, BLAME_CALLER, "EXEC", "change to directory %s: %m", e->plan.cwd);
    if (r == 0 && (s->fence.ruleset >= 0 || s->way[1] >= 0))
        (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* what landlock and filters want of those without rights */
    if (r == 0 && s->fence.ruleset >= 0) {
        if ((r = landlock_enter(&s->fence, s->err)) < 0)
            (void)snprintf(s->err->step, sizeof s->err->step, "LANDLOCK");
    }
    if (r == 0)
        r = lower_limits(s); /* before the descriptors: the report's number may be beyond the limit */
    if (r == 0 && (r = arrange_fds(s)) < 0)
        (void)err_set(s->err, r, BLAME_HOST, "EXEC", "the program's descriptors: %s", strerror(-r));
    if (r == 0 && s->way[1] >= 0 && (r = questions_load(e, s->way[1])) < 0)
        (void)err_set(s->err, r, BLAME_HOST, "SECCOMP", "load the filter: %s", strerror(-r));
    if (r == 0) {
        (void)execve(e->program, s->argv,
                     s->envp); /* and is dumpable again, as every program is that its user may read */
        (void)err_set(s->err, -errno, BLAME_GUEST, "EXEC", "%s: %m", e->program);
    }
    _exit(127);
}

/* Raised before the child is made, which inherits it, and lowered again: a child that is not dumpable cannot open its
 * own file. No other process is in here yet. */
static pid_t fork_payload(struct start *s)
{
    char before[16] = "";
    (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    cleanup(closep) int score = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    ssize_t n = score < 0 ? -1 : read(score, before, sizeof before);
    bool is_raised = n > 0 && str_eq(before, "0\n") &&
                     pwrite(score, OOM_SCORE, strlen(OOM_SCORE), 0) > 0; /* another one is the engine's choice */
    pid_t pid = s->way[1] < 0 ? vfork() : fork(); /* of one that asks, the exec waits for our answer */
    if (pid == 0)
        payload_main(s);
    if (is_raised)
        (void)!pwrite(score, before, (size_t)n, 0); /* no room is needed: it only lowers */
    return pid;
}

static int open_way(struct start *s, struct error *err)
{
    if (!s->entry->plan.filter.size)
        return 0;
    s->err = mmap(NULL, sizeof *s->err, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->err == MAP_FAILED || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, s->way) < 0)
        return err_set(err, -errno, BLAME_HOST, "SECCOMP", "a way for the filter's questions: %m");
    s->entry->start_error = s->err;
    return 0;
}

/* The payload waits meanwhile, and is a program of ours still. */
static int take_listener(struct start *s, struct error *err)
{
    struct entry *e = s->entry;
    closep(&s->way[1]); /* a payload that ends is the end of the conversation */
    int listener = questions_take(s->way[0]);
    int r = listener < 0 ? listener : questions_start(e, listener);
    if (r == 0)
        r = questions_confine(e);
    if (r == 0 && write(s->way[0], "", 1) != 1)
        r = -errno;
    if (r == 0)
        return 0;
    if (s->err->code) {
        *err = *s->err;
        return err->code;
    }
    return err_set(err, r, BLAME_HOST, "SECCOMP", "the filter's questions: %s", strerror(-r));
}

static int start_prepared(struct start *s, struct error *err)
{
    struct entry *e = s->entry;
    if (!s->argv || !s->envp || !s->path)
        return err_set(err, -ENOMEM, BLAME_HOST, "EXEC", "no memory for arguments");
    if (open_way(s, err) < 0)
        return err->code;
    e->start_us = clock_us();
    pid_t pid = fork_payload(s);
    if (pid < 0)
        return err_set(err, -errno, BLAME_HOST, "EXEC", "fork the program: %m");
    e->payload = pid; /* also of one that failed: it is taken as a dead one is */
    return s->way[1] < 0 ? err->code : take_listener(s, err);
}

static int not_found(const struct entry *e, struct error *err)
{
    const char *path = strlist_get(&e->plan.env, "PATH"), *name = e->plan.program;
    if (e->is_program_hidden)
        return err_set(err, -EACCES, BLAME_GUEST, "EXEC", "%s: %s", name, ENTRY_HIDDEN);
    if (name[0] == '/')
        return err_set(err, -ENOENT, BLAME_GUEST, "EXEC", "%s: %s", name, strerror(ENOENT));
    return err_set(err, -ENOENT, BLAME_GUEST, "EXEC", "%s: not found in %s", name, path ? path : image_path());
}

/* The plan's, and the image's PATH where the plan has none: who was found by it may look for others there. */
static void make_environment(struct start *s)
{
    const struct strlist *env = &s->entry->plan.env;
    s->envp = calloc((size_t)env->count + 2, sizeof *s->envp);
    if (asprintf(&s->path, "PATH=%s", image_path()) < 0)
        s->path = NULL;
    size_t i = 0;
    STRLIST_FOREACH(pair, env)
    if (s->envp)
        s->envp[i++] = (char *)pair;
    if (s->envp && !strlist_get(env, "PATH"))
        s->envp[i] = s->path;
}

int payload_start(struct entry *e, struct error *err)
{
    struct start s = { .entry = e,
                       .ends = { -1, -1, -1 },
                       .report = -1,
                       .way = { -1, -1 },
                       .fence = { .ruleset = -1 },
                       .err = err,
                       .argv = strlist_argv(&e->plan.argv) };
    make_environment(&s);
    int r = e->program ? open_pipes(&s, err) : not_found(e, err);
    if (r == 0)
        r = open_fence(&s, err);
    if (r == 0)
        r = start_prepared(&s, err);
    for (int i = 0; i < 3; i++)
        closep(&s.ends[i]);
    closep(&s.way[0]);
    closep(&s.way[1]);
    closep(&s.report);
    landlock_close(&s.fence);
    free(s.argv);
    free(s.envp);
    free(s.path);
    return r;
}
