/* sandbox-ledger: owns the database of agents and runs for one client, who holds the other end of descriptor 3.
 *
 *   sandbox-ledger DATABASE
 *
 * A loop: one request, one answer, until the other end is closed (also by the client's death). It opens the database at
 * once, while the client does other things; when that fails, the reason is every answer. Signals of the terminal and of
 * a service manager are for the client: what it still has to settle after Ctrl-C must arrive. Requests are checked as
 * if the client were hostile, although it has the same rights as we: a bug there must not become damage here.
 */
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "base/kernel.h"
#include "ledger/serve.h"
#include "sqlite/sqlite.h"

#define CLIENT 3

static int loop(struct ledger_server *v)
{
    static char message[LEDGER_MAX_MESSAGE];
    for (;;) {
        struct buf out;
        ssize_t n = recv(CLIENT, message, sizeof message, MSG_TRUNC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 || errno == ECONNRESET ? 0 : 125;
        if ((size_t)n > sizeof message)
            n = 0; /* unpacks as no request */
        buf_init(&out, LEDGER_MAX_MESSAGE);
        ledger_serve(v, message, (size_t)n, &out);
        bool was_sent = out.size && !out.failed && send(CLIENT, out.data, out.size, MSG_NOSIGNAL) == (ssize_t)out.size;
        buf_done(&out);
        if (!was_sent)
            return errno == EPIPE || errno == ECONNRESET ? 0 : 125;
    }
}

static void confine(void)
{
    static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ };
    for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
        (void)signal(ignored[i], SIG_IGN);
    (void)umask(077);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); /* a core would hold agents' names and keys */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)sys_close_range(CLIENT + 1, ~0u);
}

/* Root at the command line, over the state of a service that runs as another user: what we make there (the file, its
 * WAL) must be that user's, or the service cannot open it any more. So we are that user from here on, which is also
 * less than we were. */
static int become_owner(const char *database, struct error *err)
{
    struct stat st;
    const char *slash = strrchr(database, '/');
    cleanup(freep) char *dir = slash ? strndup(database, (size_t)(slash - database)) : NULL;
    if (geteuid() != 0 || !dir || lstat(dir, &st) < 0 || !S_ISDIR(st.st_mode) || st.st_uid == 0)
        return 0; /* what is wrong with the place, store_open() tells */
    if (setgroups(0, NULL) == 0 && setresgid(st.st_gid, st.st_gid, st.st_gid) == 0 &&
        setresuid(st.st_uid, st.st_uid, st.st_uid) == 0)
        return 0;
    (void)err_set(err, -errno, BLAME_HOST, "STORE", "%s belongs to user %u, whom we cannot become: %m", dir,
                  (unsigned)st.st_uid);
    return err_remedy(err, "run as that user, or set sandbox.paths.state_dir to a directory of your own");
}

int main(int argc, char **argv)
{
    struct stat st;
    if (argc != 2 || fstat(CLIENT, &st) < 0 || !S_ISSOCK(st.st_mode)) {
        (void)fprintf(stderr, "sandbox-ledger: started by sandbox-agent, with a socket as descriptor 3\n");
        return 2;
    }
    confine();
    static struct ledger_server server;
    struct ucred client = { 0 };
    socklen_t size = sizeof client;
    if (become_owner(argv[1], &server.error) == 0 && store_open(argv[1], &server.store, &server.error) == 0 &&
        getsockopt(CLIENT, SOL_SOCKET, SO_PEERCRED, &client, &size) == 0 && client.pid > 0)
        store_act_for(server.store, (uint64_t)client.pid);
    int code = loop(&server);
    (void)store_close(server.store);
    return code;
}
