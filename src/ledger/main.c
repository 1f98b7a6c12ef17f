/* sandbox-ledger: owns the database of agents and runs for one client, who holds the other end of descriptor 3.
 *
 *   sandbox-ledger DATABASE
 *
 * A loop: one request, one answer, until the other end is closed (also by the client's death). It opens the database at
 * once, while the client does other things; when that fails, the reason is every answer. Signals of the terminal and of
 * a service manager are for the client: what it still has to settle after Ctrl-C must arrive. Requests are checked as
 * if the client were hostile, although it has the same rights as we: a bug there must not become damage here.
 */
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>
#include "ledger/serve.h"
#include "sqlite/sqlite.h"

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
    static struct ledger_server server;
    uint64_t client = 0;
    if (argc != 2 || !ledger_has_client(&client)) {
        (void)fprintf(stderr, "sandbox-ledger: started by sandbox-agent, with a socket as descriptor 3\n");
        return 2;
    }
    ledger_confine();
    if (become_owner(argv[1], &server.error) == 0 && store_open(argv[1], &server.store, &server.error) == 0 && client)
        store_act_for(server.store, client);
    int code = ledger_loop(&server);
    (void)store_close(server.store);
    return code;
}
