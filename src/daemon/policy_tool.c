#include "daemon/policy_tool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

static int start(const char *program, const struct policy_tool *t, char *const *argv, int out, pid_t *ret,
                 struct error *err)
{
    sigset_t none;
    (void)sigemptyset(&none);
    volatile int failed = 0;
    pid_t pid = vfork();
    if (pid == 0) {
        (void)sigprocmask(SIG_SETMASK, &none, NULL); /* ours block what the service waits for */
        if (dup2(out, STDOUT_FILENO) == STDOUT_FILENO &&
            (t->lent_fd < 0 || fcntl(t->lent_fd, F_SETFD, 0) == 0)) /* the table of descriptors is its own */
            (void)execv(program, argv);
        failed = errno;
        _exit(125);
    }
    if (pid > 0 && failed)
        (void)waitpid(pid, NULL, 0);
    if (pid < 0 || failed)
        return err_set(err, -(failed ? failed : errno), BLAME_HOST, t->step, "start %s: %s", program,
                       strerror(failed ? failed : errno));
    *ret = pid;
    return 0;
}

/* Everything until it closes its output; false: too late or too much. */
static bool read_all(int fd, uint32_t patience_ms, struct buf *out)
{
    const uint64_t until = clock_ms() + patience_ms;
    for (;;) {
        char chunk[4096];
        struct pollfd p = { .fd = fd, .events = POLLIN };
        uint64_t now = clock_ms();
        int ready = now < until ? poll(&p, 1, (int)(until - now)) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t n = ready > 0 ? read(fd, chunk, sizeof chunk) : -1;
        if (n < 0 && ready > 0 && errno == EINTR)
            continue;
        if (n <= 0 || buf_add(out, chunk, (size_t)n) < 0)
            return n == 0;
    }
}

static void end(pid_t pid, int in, const struct policy_tool *t)
{
    struct buf rest;
    buf_init(&rest, 64 * KIB);
    (void)kill(pid, SIGTERM);
    (void)read_all(in, t->tidy_ms, &rest);
    (void)kill(pid, SIGKILL);
    buf_done(&rest);
}

int policy_tool_run(const char *libexec, struct arena *a, const struct policy_tool *t, struct buf *out, int *ret_exit,
                    struct error *err)
{
    const char *program = arena_printf(a, "%s/sandbox-policy", libexec);
    int pipes[2], status = 0;
    pid_t pid;
    if (pipe2(pipes, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, t->step, "pipe: %s", strerror(errno));
    cleanup(closep) int in = pipes[0];
    int e = start(program, t, (char *const *)(uintptr_t)t->words, pipes[1], &pid, err); /* execv() changes no word */
    (void)close(pipes[1]);
    if (e < 0)
        return e;
    bool is_whole = read_all(in, t->patience_ms, out);
    if (!is_whole)
        end(pid, in, t);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (out->failed)
        return err_set(err, -EFBIG, BLAME_HOST, t->step, "sandbox-policy %s said more than %zu bytes", t->words[1],
                       out->max);
    if (!is_whole)
        return err_set(err, -ETIMEDOUT, BLAME_HOST, t->step, "sandbox-policy %s did not come to its end", t->words[1]);
    *ret_exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return 0;
}
