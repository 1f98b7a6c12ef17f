/* sandbox-remote: runs code on another machine, for a process that holds the other end of descriptor 3.
 *
 * Speaks the launcher's protocol (plan/plan.h) with MESSAGE_REMOTE in place of MESSAGE_RUN, and to the other side the
 * REST API of a sandboxd. Started by sandbox-agent for one run (argument «once»), or kept by the service for many.
 * Takes no environment; ends, with every request under way, when descriptor 3 does.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include "base/kernel.h"
#include "base/message.h"
#include "remote/run.h"

static char message[PLAN_MAX_MESSAGE];

void peer_answer(uint64_t tag, const struct outcome *o)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, tag, o);
    if (!b.failed)
        (void)send_message(CONTROL_FD, b.data, b.size, NULL, 0);
    buf_done(&b);
}

static void refuse(uint64_t tag, int code, const char *text)
{
    struct error err = { 0 };
    struct outcome o = { 0 };
    (void)err_set(&err, code, BLAME_HOST, "REQUEST", "%s", text);
    outcome_set_error(&o, &err);
    peer_answer(tag, &o);
}

enum run_reason peer_killed(uint64_t tag)
{
    uint64_t words[3];
    size_t count;
    struct pollfd p = { .fd = CONTROL_FD, .events = POLLIN };
    while (poll(&p, 1, 0) == 1) {
        const ssize_t n = receive_message(CONTROL_FD, words, sizeof words, NULL, 0, &count);
        if (n <= 0)
            return REASON_KILLED;
        if (n == sizeof words && words[0] == MESSAGE_KILL && words[1] == tag && words[2] < REASON_COUNT &&
            words[2] != REASON_COMPLETED)
            return (enum run_reason)words[2];
        if (words[0] == MESSAGE_REMOTE || words[0] == MESSAGE_RUN)
            refuse(words[1], -EBUSY, "a connection has one run at a time");
    }
    return REASON_COMPLETED;
}

static void on_run(size_t size, int *fds, size_t count)
{
    struct remote_run r = { 0 };
    struct unpack u = unpack_start(message, size);
    (void)unpack_u64(&u);
    r.tag = unpack_u64(&u);
    if (unpack_remote_run(&u, &r.remote, &r.job) < 0 || !r.remote.address || !r.remote.key_file ||
        !run_fds_place(&r.job, RUN_FD_MAX, fds, count)) {
        refuse(r.tag, -EBADMSG, "a run request arrived damaged or without its descriptors (is `ulimit -n` too low?)");
        return;
    }
    memcpy(r.fds, fds, sizeof r.fds);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    remote_run(&r);
}

/* The child: a connection of its own, and nothing else of its parent's. */
static void become_connection(pid_t parent, int sock)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup3(sock, CONTROL_FD, O_CLOEXEC) < 0)
        _exit(125);
    (void)sys_close_range(CONTROL_FD + 1, ~0u);
}

/* False: the client is gone. */
static bool serve_one(bool *is_owner)
{
    int fds[RUN_FD_MAX];
    size_t count;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    const ssize_t n = receive_message(CONTROL_FD, message, sizeof message, fds, RUN_FD_MAX, &count);
    struct unpack u = unpack_start(message, n > 0 ? (size_t)n : 0);
    const uint64_t type = unpack_u64(&u);
    const pid_t self = getpid();
    if (type == MESSAGE_REMOTE) {
        on_run((size_t)n, fds, count);
    } else if (type == MESSAGE_CONNECTION && *is_owner && count == 1 && is_message_socket(fds[0]) && fork() == 0) {
        become_connection(self, fds[0]);
        fds[0] = -1;
        *is_owner = false;
    }
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
    return n > 0;
}

int main(int argc, char **argv)
{
    bool is_owner = !(argc == 2 && str_eq(argv[1], "once"));
    if (argc > 2 - is_owner || !is_message_socket(CONTROL_FD)) {
        static const char text[] =
            "sandbox-remote: started by sandbox-agent with a socket as descriptor 3; not for use by hand\n";
        ssize_t n = write(2, text, sizeof text - 1);
        (void)n;
        return 2;
    }
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); /* a core would hold the key */
    (void)prctl(PR_SET_DUMPABLE, 0);
    (void)setsid(); /* ^C is for the command line, which tells us */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGCHLD, SIG_IGN);
    (void)fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    (void)sys_close_range(CONTROL_FD + 1, ~0u);
    while (serve_one(&is_owner))
        ;
    return 0;
}
