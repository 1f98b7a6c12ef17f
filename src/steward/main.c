/* sandbox-steward: the program of a session's sandbox (steward.h says how it works). */
#include "steward/steward.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/kernel.h"
#include "base/message.h"
#include "files/remote.h"

struct live {        /* a job */
    uint64_t number; /* 0: this place is free */
    pid_t reaper;
    int control; /* of one that was prepared: its reaper's pidfd */
    bool has_line;
    char id[65];
};

/* A job's end over its line is heard by the service first: the next ones may come before its place is free here. */
#define LIVE_MAX (2 * STEWARD_JOBS_MAX)

#define IDLE_MS 1 /* then there is time for what the next job needs */

struct steward {
    uint32_t abi;
    bool was_idle;            /* since the last job came */
    struct landlock prepared; /* for the next job; no ruleset: it is made when that comes */
    /* Of all that waits, since it is the same for each: it has no directory. What it names cannot change: to make, move
     * or remove an entry of «/» no fenced process has the right. */
    struct landlock waiting;
    struct live jobs[LIVE_MAX];
    char message[PLAN_MAX_MESSAGE]; /* the order that is followed; otherwise empty */
};

/* The service is there as long as we are: one that does not read is one that is gone. */
static void say(const struct steward_word *w)
{
    if (send(STEWARD_FD, w, sizeof *w, MSG_NOSIGNAL) != (ssize_t)sizeof *w)
        _exit(1);
}

static void say_failed(uint64_t job, enum steward_step step, int error)
{
    say(&(struct steward_word){ .type = STEWARD_FAILED, .job = job, .step = step, .error = (uint64_t)error });
}

static struct live *find(struct steward *s, uint64_t number)
{
    for (size_t i = 0; i < LIVE_MAX; i++)
        if (s->jobs[i].number == number)
            return &s->jobs[i];
    return NULL;
}

/* --- orders ------------------------------------------------------------------------------------------- */

/* Before it may begin: by this the service knows whose an event is (session/events.c). A job of which it does not know
 * that is none. -> its reaper's pidfd */
static int tell_forked(uint64_t number, const struct live *l)
{
    const struct steward_word w = { .type = STEWARD_FORKED, .job = number };
    const int pidfd = sys_pidfd_open(l->reaper);
    if (pidfd < 0 || send_message(STEWARD_FD, &w, sizeof w, &pidfd, 1) < 0)
        _exit(1);
    return pidfd;
}

/* fork(); the child has nothing of other jobs. */
static pid_t fork_alone(const struct steward *s)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    (void)close(STEWARD_FD);
    for (size_t i = 0; i < LIVE_MAX; i++)
        if (s->jobs[i].number)
            (void)close(s->jobs[i].control);
    return 0;
}

static int fork_reaper(struct steward *s, struct live *l, uint64_t number, const struct job *j,
                       const int fds[static RUN_FD_MAX])
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    l->reaper = fork_alone(s);
    if (l->reaper == 0) {
        (void)close(pair[0]);
        landlock_close(&s->waiting);
        reaper_main(number, j, fds, pair[1], s->abi, &s->prepared);
    }
    int e = l->reaper < 0 ? -errno : 0;
    landlock_close(&s->prepared);
    s->was_idle = false;
    (void)close(pair[1]);
    if (e < 0)
        (void)close(pair[0]);
    else
        l->control = pair[0];
    return e;
}

static void start(struct steward *s, uint64_t number, const struct job *j, int fds[static RUN_FD_MAX])
{
    struct live *l = find(s, 0);
    if (!l || find(s, number)) {
        say_failed(number, STEWARD_STEP_EXEC, EAGAIN);
        return;
    }
    (void)snprintf(l->id, sizeof l->id, "%s", j->id);
    int r = files_write(j, fds[RUN_FD_CODE]);
    if (r < 0) {
        files_remove(l->id);
        say_failed(number, STEWARD_STEP_FILES, -r);
    } else if ((r = fork_reaper(s, l, number, j, fds)) < 0) {
        files_remove(l->id);
        say_failed(number, STEWARD_STEP_EXEC, -r);
    } else {
        l->number = number;
        l->has_line = false;
        (void)close(tell_forked(number, l));
    }
}

static void prepare(struct steward *s, uint64_t number, int line)
{
    struct live *l = find(s, 0);
    if (!l || !number || find(s, number)) {
        say_failed(number, STEWARD_STEP_EXEC, EAGAIN);
        return;
    }
    if (s->waiting.ruleset < 0)
        (void)fence_prepare(&s->waiting); /* an error is told by the process that tries it again */
    l->reaper = fork_alone(s);
    if (l->reaper == 0) {
        landlock_close(&s->prepared);
        reaper_wait_main(number, line, s->message, s->abi, &s->waiting);
    }
    if (l->reaper < 0) {
        say_failed(number, STEWARD_STEP_EXEC, errno);
        return;
    }
    l->number = number;
    l->has_line = true;
    l->control = tell_forked(number, l);
}

static void on_prepare(struct steward *s, struct unpack *u, int fds[static RUN_FD_MAX], size_t count)
{
    const uint64_t number = unpack_u64(u);
    (void)unpack_u64(u);
    memset(s->message, 0, sizeof(struct steward_order));
    if (unpack_end(u) == 0 && count == 1)
        prepare(s, number, fds[0]);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

static bool is_plain_id(const char *id)
{
    return id && *id && strlen(id) <= 64 && !strchr(id, '/') && id[0] != '.';
}

static void on_start(struct steward *s, struct unpack *u, int fds[static RUN_FD_MAX], size_t count)
{
    struct job job = { 0 };
    const uint64_t number = unpack_u64(u);
    unpack_fields(u, job_fields, job_field_count, &job);
    if (unpack_end(u) < 0 || !number || !is_plain_id(job.id) || !job.program || !job.cwd ||
        !run_fds_place(&job, RUN_FD_INIT_MAX, fds, count))
        say_failed(number, STEWARD_STEP_EXEC, EBADMSG);
    else
        start(s, number, &job, fds);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

static void on_signal(struct steward *s, uint64_t type, struct unpack *u)
{
    const uint64_t number = unpack_u64(u);
    const struct steward_order order = { type, number, unpack_u64(u) };
    struct live *l = number ? find(s, number) : NULL;
    if (l && !l->has_line && unpack_end(u) == 0) /* one that has just ended is no error */
        (void)send(l->control, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Not our child: nothing of us waits for it, and its end is init's to see. Under our own uid and domain, which jobs
 * cannot signal or trace. */
static void start_worker(int sock)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() != 0)
            _exit(0);
        if (dup2(sock, STEWARD_FD) < 0)
            _exit(1);
        (void)sys_close_range(3, STEWARD_FD - 1);
        (void)sys_close_range(STEWARD_FD + 1, UINT32_MAX);
        remote_serve(STEWARD_FD);
        _exit(0);
    }
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
}

static void on_files(struct unpack *u, int fds[static RUN_FD_MAX], size_t count)
{
    if (unpack_end(u) == 0 && count == 1)
        start_worker(fds[0]); /* a fork that fails: the service sees the socket's end */
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

static void on_port(struct unpack *u, int fds[static RUN_FD_MAX], size_t count)
{
    const uint64_t port = unpack_u64(u);
    if (unpack_end(u) == 0 && count == 1)
        port_connect(port, fds[0]);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
}

static void on_order(struct steward *s)
{
    int fds[RUN_FD_MAX];
    size_t count = 0;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    ssize_t n = receive_message(STEWARD_FD, s->message, sizeof s->message, fds, RUN_FD_MAX, &count);
    if (n <= 0)
        _exit(0); /* the service is gone */
    struct unpack u = unpack_start(s->message, (size_t)n);
    const uint64_t type = unpack_u64(&u);
    if (type == STEWARD_START)
        on_start(s, &u, fds, count);
    else if (type == STEWARD_SIGNAL || type == STEWARD_GO)
        on_signal(s, type, &u);
    else if (type == STEWARD_FILES)
        on_files(&u, fds, count);
    else if (type == STEWARD_PORT)
        on_port(&u, fds, count);
    else if (type == STEWARD_PREPARE)
        on_prepare(s, &u, fds, count);
    memset(s->message, 0, (size_t)n); /* nothing of it is in a process that is forked later */
}

/* --- reapers -------------------------------------------------------------------------------------------- */

static void forget(struct live *l)
{
    closep(&l->control);
    l->number = 0;
}

static void on_end(struct live *l, const struct steward_word *w)
{
    (void)waitpid(l->reaper, NULL, 0);
    files_remove(l->id);
    forget(l);
    say(w);
}

/* It was killed: what its job has left is out of reach, so all goes. */
static void on_line_end(struct live *l)
{
    int status;
    if (waitpid(l->reaper, &status, 0) != l->reaper || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        _exit(1);
    forget(l);
}

static void on_reaper(struct live *l)
{
    struct steward_word w;
    if (l->has_line) {
        on_line_end(l);
        return;
    }
    ssize_t n = recv(l->control, &w, sizeof w, 0);
    if (n < 0 && errno == ECONNRESET) /* it ended with a signal of ours unread: told before its last word, and once */
        n = recv(l->control, &w, sizeof w, 0);
    if (n != (ssize_t)sizeof w)
        _exit(1); /* as above */
    on_end(l, &w);
}

/* Only those that are there: poll(2) takes no more than RLIMIT_NOFILE, which is small at some levels. */
static nfds_t list_live(struct steward *s, struct pollfd f[static LIVE_MAX], struct live *ret[static LIVE_MAX])
{
    nfds_t count = 0;
    for (size_t i = 0; i < LIVE_MAX; i++) {
        if (!s->jobs[i].number)
            continue;
        f[count] = (struct pollfd){ .fd = s->jobs[i].control, .events = POLLIN };
        ret[count++] = &s->jobs[i];
    }
    return count;
}

static void turn(struct steward *s)
{
    struct pollfd f[1 + LIVE_MAX] = { { .fd = STEWARD_FD, .events = POLLIN } };
    struct live *live[LIVE_MAX];
    const nfds_t count = list_live(s, f + 1, live);
    const int n = poll(f, 1 + count, s->abi && !s->was_idle ? IDLE_MS : -1);
    if (n == 0) {
        (void)fence_prepare(&s->prepared); /* an error is told by the job that tries it again */
        s->was_idle = true;
    }
    if (n <= 0)
        return;
    for (nfds_t i = 0; i < count; i++)
        if (f[1 + i].revents)
            on_reaper(live[i]);
    if (f[0].revents)
        on_order(s);
}

int main(void)
{
    static struct steward s = { .prepared.ruleset = -1, .waiting.ruleset = -1 };
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || fcntl(STEWARD_FD, F_SETFD, FD_CLOEXEC) < 0)
        return 1;
    files_begin();
    s.abi = landlock_abi();
    say(&(struct steward_word){ .type = STEWARD_READY, .landlock_abi = s.abi });
    for (;;)
        turn(&s);
}
