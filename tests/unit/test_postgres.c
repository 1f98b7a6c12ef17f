/* The store on PostgreSQL: what is not the same on SQLite. The store's tests themselves run on both (test_store.c and
 * test_service_store.c, and here test_store_postgres.c and test_service_store_postgres.c). */
#include "postgres.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "base/clock.h"
#include "base/parse.h"
#include "postgres/private.h"
#include "store/service.h"

static char directory[64];
static uid_t user; /* PostgreSQL refuses to be root, and to be a user without a name */
static gid_t group;
static pid_t server;

/* --- the server ---------------------------------------------------------------------------------- */

static void become_somebody(void)
{
    if (geteuid() == 0 &&
        (setgroups(1, &group) < 0 || setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0))
        _exit(1);
    (void)prctl(PR_SET_PDEATHSIG, SIGQUIT);
}

static pid_t start(const char *const *argv)
{
    char log[80];
    (void)snprintf(log, sizeof log, "%s/log", directory);
    pid_t pid = fork();
    if (pid == 0) {
        become_somebody();
        const int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (chdir(directory) < 0 || fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
            _exit(1);
        (void)execv(argv[0], (char *const *)argv);
        _exit(1);
    }
    CHECK(pid > 0);
    return pid;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static pid_t runner;

static void end(void)
{
    if (getpid() != runner) /* a child of a test */
        return;
    if (server > 0) {
        (void)kill(server, SIGQUIT);
        (void)waitpid(server, NULL, 0);
    }
    (void)nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static PGconn *connect_here(void)
{
    const char *const keys[] = { "host", "dbname", "user", NULL }, *const values[] = { directory, "postgres", "sandbox",
                                                                                       NULL };
    return PQconnectdbParams(keys, values, 0);
}

static void find_program(const char *name, char ret[static 128])
{
    glob_t found;
    char pattern[80];
    (void)snprintf(pattern, sizeof pattern, "/usr/lib/postgresql/*/bin/%s", name);
    if (glob(pattern, 0, NULL, &found) != 0) {
        ret[0] = '\0';
        return;
    }
    (void)snprintf(ret, 128, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
}

void postgres_resume(void)
{
    char program[128], data[80];
    find_program("postgres", program);
    (void)snprintf(data, sizeof data, "%s/data", directory);
    const char *const argv[] = { program,
                                 "-D",
                                 data,
                                 "-k",
                                 directory,
                                 "-c",
                                 "listen_addresses=",
                                 "-F",
                                 "-c",
                                 "shared_buffers=16MB",
                                 "-c",
                                 "autovacuum=off",
                                 NULL };
    server = start(argv);
    for (int i = 0; i < 3000; i++) {
        PGconn *c = connect_here();
        const bool is_up = PQstatus(c) == CONNECTION_OK;
        PQfinish(c);
        if (is_up)
            return;
        CHECK(waitpid(server, NULL, WNOHANG) == 0);
        (void)usleep(10000);
    }
    CHECK(!"PostgreSQL has started");
}

void postgres_stop(bool now)
{
    int status;
    CHECK(kill(server, now ? SIGQUIT : SIGINT) == 0 && waitpid(server, &status, 0) == server);
    server = 0;
}

const char *postgres_start(void)
{
    char program[128], data[80];
    int status;
    if (server > 0)
        return directory;
    find_program("initdb", program);
    if (!program[0])
        SKIP("PostgreSQL is not installed (Debian: postgresql-15)");
    const struct passwd *who = geteuid() == 0 ? getpwnam("postgres") : getpwuid(geteuid());
    if (!who)
        SKIP("PostgreSQL refuses to be a user without a name");
    user = who->pw_uid;
    group = who->pw_gid;
    CHECK(!*directory); /* a second try would fail as the first */
    (void)snprintf(directory, sizeof directory, "/tmp/test-postgres-XXXXXX");
    CHECK(mkdtemp(directory) != NULL);
    runner = getpid();
    CHECK(atexit(end) == 0);
    CHECK(geteuid() != 0 || chown(directory, user, group) == 0);
    (void)snprintf(data, sizeof data, "%s/data", directory);
    const char *const argv[] = { program, "-D",      data,          "-N", "-A",   "trust",
                                 "-U",    "sandbox", "--no-locale", "-E", "UTF8", NULL };
    CHECK(waitpid(start(argv), &status, 0) > 0 && status == 0);
    postgres_resume();
    return directory;
}

struct store_place postgres_here(void)
{
    return (struct store_place){
        .host = postgres_start(), .port = 5432, .database = "postgres", .user = "sandbox", .node = "here"
    };
}

long long postgres_ask(const char *sql)
{
    PGconn *c = connect_here();
    PGresult *r = PQexec(c, sql);
    const ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        (void)fprintf(stderr, "# %s\n", PQerrorMessage(c));
    const bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    uint64_t n = 0;
    if (status == PGRES_TUPLES_OK && PQntuples(r) > 0)
        (void)parse_u64(PQgetvalue(r, 0, 0), &n);
    PQclear(r);
    PQfinish(c);
    CHECK(is_good);
    return (long long)n;
}

/* Tables are made once: making them costs a second beside load, emptying them nothing. */
static void make_tables(void)
{
    const struct store_place o = postgres_here();
    struct store *s;
    struct error err = { 0 };
    CHECK_EQ(postgres_open(&o, false, true, &s, &err), 0);
    CHECK_EQ(postgres_migrate(s, &err), 0);
    (void)store_close(s);
}

void postgres_begin_anew(void)
{
    static bool are_there;
    (void)postgres_start();
    if (!are_there)
        make_tables();
    are_there = true;
    (void)postgres_ask(
        "DELETE FROM agents; DELETE FROM runs; DELETE FROM gains; DELETE FROM violations; DELETE FROM points; "
        "DELETE FROM nonces; DELETE FROM once; DELETE FROM executions; DELETE FROM results; DELETE FROM "
        "keys; DELETE FROM shapes; DELETE FROM sums; DELETE FROM known; DELETE FROM refusals; DELETE FROM "
        "baseline; DELETE FROM meter; DELETE FROM nodes");
}
