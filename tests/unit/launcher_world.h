/* launcher_world.h - a real launcher and all that a client, a hostile one too, may say to it. SANDBOX_LAUNCHER names
 * another one than build/libexec/sandbox-agent/sandbox-launcher. As root and as an ordinary user. */
#pragma once
#include "base/clock.h"
#include "base/parse.h"
#include "random.h"
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "run/client.h"
#include "sample_plan.h"

#define PATIENCE_MS 60000 /* of a loaded machine: only for what does not come */

/* --- a launcher, and messages of any kind to it ------------------------------------------------- */

struct server {
    struct client client;
    int null, code; /* what runs get as their descriptors */
    uint64_t next_tag;
};

static inline const char *launcher_path(void)
{
    const char *path = getenv("SANDBOX_LAUNCHER");
    return path ? path : "build/libexec/sandbox-agent/sandbox-launcher";
}

/* pair: the client's end and the launcher's. */
static inline void server_start_with(struct server *s, const int pair[2], char *const *argv, char *const *envp)
{
    *s = (struct server){ .client = { .sock = -1 }, .next_tag = 1 };
    if (access(launcher_path(), X_OK) < 0)
        SKIP("no launcher is built");
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        int fd = fcntl(pair[1], F_DUPFD, 10); /* off 3, so that dup2() clears CLOEXEC */
        if (fd >= 0 && dup2(fd, 3) == 3)
            (void)execve(launcher_path(), argv, envp);
        _exit(125);
    }
    (void)close(pair[1]);
    s->client.sock = pair[0];
    s->client.pid = pid;
    s->null = open("/dev/null", O_RDWR | O_CLOEXEC);
    s->code = memfd_create("code", MFD_CLOEXEC);
    CHECK(s->null >= 0 && s->code >= 0);
}

static inline void server_start_at(struct server *s, const int pair[2])
{
    char *const argv[] = { (char *)"sandbox-launcher", NULL }, *const envp[] = { NULL };
    server_start_with(s, pair, argv, envp);
}

static inline void server_start_as(struct server *s, char *const *argv, char *const *envp)
{
    int pair[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    server_start_with(s, pair, argv, envp);
}

static inline void server_start(struct server *s)
{
    char *const argv[] = { (char *)"sandbox-launcher", NULL }, *const envp[] = { NULL };
    server_start_as(s, argv, envp);
}

static inline bool server_is_alive(const struct server *s)
{
    return waitpid(s->client.pid, NULL, WNOHANG) == 0;
}

/* Ends it as a client does, by leaving; it must end well. */
static inline void server_stop(struct server *s)
{
    int status = -1;
    client_stop(&s->client);
    (void)close(s->null);
    (void)close(s->code);
    for (uint64_t until = clock_ms() + PATIENCE_MS;
         waitpid(s->client.pid, &status, WNOHANG) == 0 && clock_ms() < until;)
        (void)usleep(2000);
    CHECK_EQ(status, 0);
}

static inline void send_raw(struct server *s, const void *data, size_t size, const int *fds, size_t count)
{
    union {
        char buf[CMSG_SPACE(sizeof(int) * 64)];
        struct cmsghdr align;
    } control = { 0 };
    struct iovec iov = { (void *)data, size };
    struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
    assert(count <= 64);
    if (count) {
        msg.msg_control = control.buf;
        msg.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *h = CMSG_FIRSTHDR(&msg);
        *h = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
                               .cmsg_type = SCM_RIGHTS,
                               .cmsg_len = CMSG_LEN(sizeof(int) * count) };
        memcpy(CMSG_DATA(h), fds, sizeof(int) * count);
    }
    ssize_t n;
    do
        n = sendmsg(s->client.sock, &msg, MSG_NOSIGNAL);
    while (n < 0 && (errno == EINTR || errno == ETOOMANYREFS)); /* too many descriptors in flight: it takes them soon */
    CHECK(n == (ssize_t)size);
}

/* Sends the sample, whatever it says, with the descriptors that it asks for. */
static inline uint64_t send_sample(struct server *s, const struct sample *p)
{
    struct buf b;
    const int all[RUN_FD_MAX] = { s->null, s->null, s->null, s->code, s->null, s->null, s->null, s->null };
    int fds[RUN_FD_MAX];
    size_t count = run_fds_gather(&p->job, RUN_FD_MAX, all, fds);
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_run(&b, s->next_tag, &p->shape, &p->job);
    CHECK(!b.failed);
    send_raw(s, b.data, b.size, fds, count);
    buf_done(&b);
    return s->next_tag++;
}

static inline bool has_answer(struct server *s, int timeout_ms)
{
    struct pollfd f = { .fd = s->client.sock, .events = POLLIN };
    return poll(&f, 1, timeout_ms) == 1;
}

/* The next outcome's reason; its text in `ret_text` (borrows until the next call). -1: none comes. */
static inline int take_outcome(struct server *s, const char **ret_text)
{
    static struct outcome o;
    struct error err = { 0 };
    if (!has_answer(s, PATIENCE_MS) || client_read(&s->client, &o, &err) < 0)
        return -1;
    *ret_text = o.error_text ? o.error_text : "";
    return o.reason;
}

static inline int run_sample(struct server *s, const struct sample *p, const char **ret_text)
{
    (void)send_sample(s, p);
    return take_outcome(s, ret_text);
}

/* What is no request may be ignored or answered with an error; nothing else. */
static inline void take_refusals(struct server *s)
{
    const char *text;
    while (has_answer(s, 0))
        CHECK_EQ(take_outcome(s, &text), REASON_SANDBOX_ERROR);
}

/* All refusals of what was sent until now: it takes one message after another, so they come before that of a last one.
 */
static inline void take_all_refusals(struct server *s)
{
    const uint64_t last[] = { MESSAGE_RUN, UINT64_C(0x1a57) << 48 | s->next_tag++ }; /* and nothing behind it */
    const char *text;
    uint64_t answered[2] = { 0 };
    send_raw(s, last, sizeof last, NULL, 0);
    while (answered[1] != last[1]) {
        CHECK_EQ(take_outcome(s, &text), REASON_SANDBOX_ERROR);
        memcpy(answered, s->client.message, sizeof answered);
    }
}

static inline void run_true(struct server *s)
{
    struct sample p;
    const char *text = "";
    sample_init(&p, "/bin/true", NULL, NULL);
    int reason = run_sample(s, &p, &text);
    sample_done(&p);
    if (reason != REASON_COMPLETED)
        (void)fprintf(stderr, "# %s: %s\n", reason < 0 ? "no outcome" : reason_name((enum run_reason)reason), text);
    CHECK_EQ(reason, REASON_COMPLETED);
}

/* Starts a launcher in which a sandbox works, or skips. */
static inline void server_ready(struct server *s)
{
    struct sample p;
    const char *text = "";
    server_start(s);
    sample_init(&p, "/bin/true", NULL, NULL);
    int reason = run_sample(s, &p, &text);
    sample_done(&p);
    if (reason == REASON_COMPLETED)
        return;
    (void)fprintf(stderr, "# %s\n", text);
    server_stop(s);
    if (getenv("SANDBOX_MUST_WORK"))
        test_fail(__FILE__, __LINE__, "a sandbox works here");
    SKIP("no sandbox works here");
}

static inline unsigned count_fds(const struct server *s)
{
    char path[64];
    unsigned n = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)s->client.pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        n += e->d_name[0] != '.';
    if (d)
        (void)closedir(d);
    return n;
}

/* What the launcher prepares ahead comes and goes; what leaked stays. No run of s may be under way. Each refusal is a
 * turn that it has had since. */
static inline unsigned count_fds_at_rest(struct server *s)
{
    unsigned least = UINT32_MAX;
    for (int i = 0; i < 20; i++) {
        (void)usleep(5000);
        take_all_refusals(s);
        least = MIN_OF(least, count_fds(s));
    }
    return least;
}

/* There are no more than these, or soon there are: a loaded machine ends a run in its own time. */
static inline void check_fds_at_rest(struct server *s, unsigned most)
{
    unsigned now = count_fds_at_rest(s);
    for (uint64_t until = clock_ms() + PATIENCE_MS; now > most && clock_ms() < until;)
        now = count_fds_at_rest(s);
    if (now > most)
        CHECK_EQ(now, most);
}

/* A process with this word in its arguments, or 0. */
static inline pid_t process_find(const char *word)
{
    pid_t found = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        char path[300], text[2048];
        if (e->d_name[0] < '0' || e->d_name[0] > '9')
            continue;
        (void)snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
        if (fd >= 0)
            (void)close(fd);
        uint64_t pid;
        if (n > 0 && memmem(text, (size_t)n, word, strlen(word)) && parse_u64(e->d_name, &pid) == 0)
            found = (pid_t)pid;
    }
    if (d)
        (void)closedir(d);
    return found;
}

static inline bool process_exists(const char *word)
{
    return process_find(word) != 0;
}

static inline bool becomes(bool wanted, const char *word)
{
    for (uint64_t until = clock_ms() + PATIENCE_MS; process_exists(word) != wanted; (void)usleep(5000))
        if (clock_ms() >= until)
            return false;
    return true;
}

/* Argument of sleep that nobody else uses: some seconds with our number behind the point. */
static inline const char *some_nap(char out[static 32], int number)
{
    (void)snprintf(out, 32, "97.%d%d", (int)getpid(), number);
    return out;
}
