#include "front/mcp_private.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/unix_socket.h"
#include "run/locations.h"

/* The last one drains for 30 s at most (daemon/main.c) and kills what is left (daemon/service.c); then ours starts,
 * which takes less than a second where the machine is not busy. */
#define PATIENCE_MS 60000u
#define SECOND_MS   5000u /* for the service that ours was not needed beside, where none is seen ending */
#define AGAIN_MS    1000u /* between the end of one that was not needed and the start of the next */
#define STEP_MS     20
#define SAID_MAX    4096u

int mcp_place_find(const struct paths *p, const struct config *c, struct arena *a, struct mcp_place *ret,
                   struct error *err)
{
    struct locations places;
    locations_find(p, c, a, &places);
    if (!places.state_dir)
        return err_set(err, -ENOENT, BLAME_CALLER, NULL,
                       "no place for the state: neither HOME nor XDG_STATE_HOME is set");
    ret->socket = arena_printf(a, "%s/mcp.sock", places.state_dir);
    ret->lock = arena_printf(a, "%s/mcp.lock", places.state_dir);
    return 0;
}

/* --- the service ------------------------------------------------------------------------------------------------ */

int mcp_private_begin(const struct mcp_place *p, int *ret_fd, struct error *err)
{
    cleanup(closep) int fd = open(p->lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", p->lock);
    *ret_fd = TAKE_FD(fd);
    return 0;
}

bool mcp_private_is_unused(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/* --- a client --------------------------------------------------------------------------------------------------- */

static bool listens(const char *path)
{
    cleanup(closep) int fd = unix_connect(path, SOCK_STREAM);
    return fd >= 0;
}

enum joined { JOINED, IS_ENDING, NOT_THERE };

/* First the lock, then a look: one that listens while we have the lock goes on. One that ends has it for itself. */
static enum joined join(const struct mcp_place *p, int *ret_fd)
{
    cleanup(closep) int fd = open(p->lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0)
        return errno == EWOULDBLOCK ? IS_ENDING : NOT_THERE;
    if (fd < 0 || !listens(p->socket))
        return NOT_THERE;
    *ret_fd = TAKE_FD(fd);
    return JOINED;
}

static _Noreturn void become(const char *program, const char *config, int out)
{
    char *words[5] = { (char *)"sandboxd", (char *)"--private" };
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t none;
    if (config)
        words[2] = (char *)"--config", words[3] = (char *)(uintptr_t)config;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setsid(); /* what a terminal says to the client is not for the service */
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        (void)execv(program, words);
    _exit(125);
}

struct starting {
    const char *program, *config;
    pid_t pid;         /* -1: it has ended */
    int status;        /* then: as of waitpid() */
    uint64_t ended_ms; /* when that was seen */
    int said;          /* what it says until it is there */
    struct buf text;
};

/* The first one, or another one after that has ended. */
static int start(struct starting *s, struct error *err)
{
    int pair[2];
    closep(&s->said);
    s->text.size = 0;
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "pipe: %m");
    s->said = pair[0];
    s->pid = fork();
    if (s->pid == 0)
        become(s->program, s->config, pair[1]);
    const int e = s->pid < 0 ? err_set(err, -errno, BLAME_HOST, NULL, "fork: %m") : 0;
    (void)close(pair[1]);
    return e;
}

/* First whether it has ended, then what it said: nothing comes behind its last words. */
static void listen_to(struct starting *s)
{
    char piece[512];
    ssize_t n;
    if (s->pid > 0 && waitpid(s->pid, &s->status, WNOHANG) == s->pid)
        s->pid = -1, s->ended_ms = clock_ms();
    while ((n = read(s->said, piece, sizeof piece)) > 0)
        (void)buf_add(&s->text, piece, MIN_OF((size_t)n, SAID_MAX - MIN_OF(s->text.size, (size_t)SAID_MAX)));
}

static int explain(const struct starting *s, struct error *err)
{
    const char *text = s->text.size ? s->text.data : "it said nothing";
    (void)err_set(err, -EIO, BLAME_HOST, NULL, "the private service does not start: %.300s", text);
    return err_remedy(err, "where a service of this user runs, name it: SANDBOX_AGENT_URL and SANDBOX_AGENT_API_KEY");
}

/* Another client has started one at the same moment, or one is just ending. */
static bool is_second(const struct starting *s)
{
    return WIFEXITED(s->status) && WEXITSTATUS(s->status) == MCP_PRIVATE_SECOND;
}

/* One that is ending may take its time: ours is started anew until the state directory is free. Where none is ending,
 * another client's is about to listen, or it is a service that has no lock: then we say so soon. */
static int wait_for_it(const struct mcp_place *p, struct starting *s, int *ret_fd, struct error *err)
{
    const uint64_t until_ms = clock_ms() + PATIENCE_MS;
    uint64_t now_ms, second_ms = 0; /* since when ours was not needed and none is ending; 0: that is not so */
    while ((now_ms = clock_ms()) < until_ms) {
        const enum joined joined = join(p, ret_fd);
        if (joined == JOINED)
            return 0;
        listen_to(s);
        if (joined == IS_ENDING)
            second_ms = 0;
        else if (s->pid < 0 && !second_ms)
            second_ms = now_ms;
        if (s->pid < 0 && (!is_second(s) || (second_ms && now_ms - second_ms > SECOND_MS)))
            break;
        if (s->pid < 0 && clock_ms() - s->ended_ms >= AGAIN_MS) {
            const int e = start(s, err);
            if (e < 0)
                return e;
        }
        (void)poll(NULL, 0, STEP_MS);
    }
    return explain(s, err);
}

/* It is ours, and goes on; or another client's was joined, and ours ends by itself: without a wait for it later. */
static void leave(const struct starting *s)
{
    (void)signal(SIGCHLD, SIG_IGN);
    if (s->pid > 0)
        (void)waitpid(s->pid, NULL, WNOHANG); /* it ended before that */
}

int mcp_private_join(const struct mcp_place *p, const char *program, const char *config, int *ret_fd, struct error *err)
{
    struct starting s = { .program = program, .config = config, .pid = -1, .said = -EBADF };
    if (join(p, ret_fd) == JOINED)
        return 0;
    buf_init(&s.text, SAID_MAX + 1);
    int e = start(&s, err);
    if (e == 0)
        e = wait_for_it(p, &s, ret_fd, err);
    closep(&s.said); /* what it says later is for its log */
    if (e == 0)
        leave(&s);
    else if (s.pid > 0)
        (void)kill(s.pid, SIGTERM), (void)waitpid(s.pid, NULL, 0);
    buf_done(&s.text);
    return e;
}
