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
#include "base/process.h"
#include "postgres/private.h"
#include "sql/copy.h"
#include "sqlite/sqlite.h"
#include "store/gather.h"
#include "store/service.h"

static char directory[64];
static uid_t user; /* PostgreSQL refuses to be root, and to be a user without a name */
static gid_t group;
static pid_t server;
static bool waits_for_disk; /* tests are faster without */

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

static PGconn *connect_as(const char *role)
{
    /* a test that failed within a transaction stops no other */
    const char *const keys[] = { "host", "dbname", "user", "options", NULL }, *const values[] = {
        directory, "postgres", role, "-c idle_in_transaction_session_timeout=20s", NULL
    };
    return PQconnectdbParams(keys, values, 0);
}

static PGconn *connect_here(void)
{
    return connect_as("sandbox");
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
                                 waits_for_disk ? "--fsync=on" : "-F",
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
        "baseline; DELETE FROM meter; DELETE FROM nodes; DELETE FROM leases; DELETE FROM shares");
}

/* --- what is PostgreSQL's alone ------------------------------------------------------------------ */

#define T0   UINT64_C(1700000000000)
#define CODE "0000000000000000000000000000000000000000000000000000000000000001"

static struct store *open_here(void)
{
    const struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    return s;
}

static struct store *open_node(const char *name)
{
    struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    o.node = name;
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    CHECK_EQ(store_set_service(s, &err), 0);
    return s;
}

static int reserve_trusted(struct store *s, const char *agent, const char *id, const struct limit_rules *limits,
                           uint32_t trust, struct error *err)
{
    struct reserve_reply reply;
    const struct reserve r = { .execution_id = id,
                               .agent_id = agent,
                               .code_hash = CODE,
                               .language = "python",
                               .now_ms = T0,
                               .owner_pid = (uint64_t)getpid(),
                               .owner_start = process_start((uint64_t)getpid()),
                               .trust_seen = trust,
                               .initial_trust = 500,
                               .limits = *limits };
    int e = store_reserve(s, &r, &reply, err);
    return e < 0 ? e : reply.outcome;
}

static int reserve_below(struct store *s, const char *agent, const char *id, const struct limit_rules *limits,
                         struct error *err)
{
    struct agent a = { 0 };
    int e = store_agent(s, agent, NULL, &a, err);
    return e < 0 ? e : reserve_trusted(s, agent, id, limits, a.is_known ? a.trust : 500, err);
}

static int reserve(struct store *s, const char *id, struct error *err)
{
    return reserve_below(s, "a1", id, &(struct limit_rules){ 0 }, err);
}

TEST(a_verb_during_a_restart_fails_and_the_next_ones_go_on_by_themselves)
{
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_here();
    CHECK_EQ(reserve(s, "before", &err), RESERVE_OK);
    postgres_stop(true);
    CHECK_EQ(reserve(s, "during", &err), -EHOSTDOWN);
    CHECK(strstr(err.text, "PostgreSQL at") && err.remedy[0]);
    postgres_resume();
    const uint64_t until = clock_ms() + 60000;
    int e;
    while ((e = reserve(s, "after", &err)) == -EHOSTDOWN && clock_ms() < until)
        (void)usleep(10000);
    CHECK_EQ(e, RESERVE_OK);
    (void)store_close(s);
}

/* As if the answer to the COMMIT of the last transaction had not come. */
static void doubt(struct postgres *p)
{
    p->doubtful[p->doubtful_count++] = p->booked;
    p->next_look_ms = 0;
}

TEST(a_reservation_whose_commit_was_in_doubt_takes_no_place_for_ever)
{
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_here();
    struct postgres *p = s->self;
    CHECK_EQ(reserve(s, "doubtful", &err), RESERVE_OK);
    doubt(p);
    connection_drop(p);
    CHECK_EQ(reserve(s, "other", &err), RESERVE_OK);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 0"), 1);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs"), 2);
    (void)store_close(s);
}

static void ask_on(PGconn *c, const char *sql)
{
    PGresult *r = PQexec(c, sql);
    CHECK(PQresultStatus(r) == PGRES_COMMAND_OK || PQresultStatus(r) == PGRES_TUPLES_OK);
    PQclear(r);
}

/* The lost connection's backend lives on, and commits after the new connection was there. */
TEST(a_reservation_that_is_committed_after_the_reconnect_takes_no_place_for_ever)
{
    struct error err = { 0 };
    struct agent a;
    char lock[80];
    postgres_begin_anew();
    struct store *s = open_here();
    struct postgres *p = s->self;
    CHECK_EQ(reserve(s, "late", &err), RESERVE_OK);
    (void)postgres_ask("UPDATE runs SET state = 1");
    PGconn *backend = connect_here();
    (void)snprintf(lock, sizeof lock, "SELECT pg_advisory_xact_lock(%d, hashtext('a1'))",
                   POSTGRES_LOCK(SQL_LOCK_AGENT));
    ask_on(backend, "BEGIN");
    ask_on(backend, lock);
    ask_on(backend, "UPDATE runs SET state = 0");
    doubt(p);
    connection_drop(p);
    CHECK_EQ(store_agent(s, "a1", NULL, &a, &err), 0); /* others go on */
    CHECK_EQ(p->doubtful_count, 1);
    ask_on(backend, "COMMIT");
    PQfinish(backend);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 0"), 1);
    p->next_look_ms = 0;
    CHECK_EQ(store_agent(s, "a1", NULL, &a, &err), 0);
    CHECK_EQ(p->doubtful_count, 0);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 0"), 0);
    (void)store_close(s);
}

TEST(more_commits_in_doubt_than_are_remembered_are_not_begun)
{
    struct error err = { 0 };
    struct agent a;
    postgres_begin_anew();
    struct store *s = open_here();
    struct postgres *p = s->self;
    CHECK_EQ(store_agent(s, "a1", NULL, &a, &err), 0);
    while (p->doubtful_count < POSTGRES_DOUBTFUL)
        doubt(p);
    p->next_look_ms = clock_ms() + 60000;
    CHECK_EQ(store_agent(s, "a1", NULL, &a, &err), -EHOSTDOWN);
    p->next_look_ms = 0;
    CHECK_EQ(store_agent(s, "a1", NULL, &a, &err), 0);
    CHECK_EQ(p->doubtful_count, 0);
    (void)store_close(s);
}

TEST(a_commit_without_an_answer_leaves_its_reservation_in_doubt)
{
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_here();
    struct postgres *p = s->self;
    (void)snprintf(p->booked.runs, sizeof p->booked.runs, "{\"late\"}");
    p->patience_ms = 100;
    CHECK_EQ(connection_send(p, "SELECT pg_sleep(14)", &err), 0); /* in place of a COMMIT that takes that long */
    p->is_committing = true;
    CHECK_EQ(connection_wait(p, &err), -EHOSTDOWN);
    CHECK(strstr(err.text, "may have been done") && p->doubtful_count == 1 &&
          str_eq(p->doubtful[0].runs, "{\"late\"}"));
    (void)store_close(s);
}

TEST(a_database_without_tables_and_a_newer_schema_are_refused_with_the_remedy)
{
    const struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    postgres_begin_anew();
    (void)postgres_ask("UPDATE schema_version SET version = 9, schema_min = 8, schema_max = 9");
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), -EPROTO);
    CHECK(strstr(err.text, "versions 8 to 9") && strstr(err.remedy, "upgrade this node"));
    (void)postgres_ask("UPDATE schema_version SET version = 6, schema_min = 1, schema_max = 6");
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0); /* expanded by a newer program: ours goes on */
    s = store_close(s);
    (void)postgres_ask("UPDATE schema_version SET version = 5, schema_min = 1, schema_max = 5");
    (void)postgres_ask("ALTER TABLE schema_version RENAME TO away");
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), -EPROTO);
    CHECK(strstr(err.remedy, "store migrate"));
    (void)postgres_ask("ALTER TABLE away RENAME TO schema_version");
}

TEST(a_service_that_was_not_heard_of_is_lost_and_one_that_was_is_not)
{
    const struct store_place there = {
        .host = postgres_start(), .port = 5432, .database = "postgres", .user = "sandbox", .node = "there"
    };
    struct store *other = NULL;
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_here();
    CHECK_EQ(postgres_open(&there, false, false, &other, &err), 0);
    CHECK_EQ(store_set_service(other, &err), 0);
    const struct sql *o = other->self;
    struct postgres *p = s->self;
    CHECK(owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0));
    (void)postgres_ask("UPDATE nodes SET seen_ms = seen_ms - 61000");
    p->lost_at_ms = 0; /* ask again at once */
    CHECK(!owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0));
    CHECK(owner_is_alive(&p->sql, o->own_pid + 1, o->own_start, o->place, 0)); /* a command line there */
    CHECK_EQ(store_beat(other, NULL, &err), 0);
    p->lost_at_ms = 0;
    CHECK(owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0));
    (void)postgres_ask("UPDATE nodes SET seen_ms = seen_ms - 31000"); /* as if it waited for an answer */
    p->lost_at_ms = 0;
    CHECK(owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0));
    connection_drop(other->self);
    const uint64_t until = clock_ms() + 20000;
    do {
        p->lost_at_ms = 0;
    } while (owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0) && clock_ms() < until &&
             usleep(10000) == 0);
    CHECK(clock_ms() < until);
    (void)store_close(other);
    (void)store_close(s);
}

static void ignore_node(void *context, const struct node *n)
{
    (void)context, (void)n;
}

static void ignore_chain(void *context, const struct chain *c)
{
    (void)context, (void)c;
}

/* A stolen one writes its own row with its role. */
TEST(what_a_node_says_of_itself_ends_no_other_node_and_hides_none_that_is_dead)
{
    static const char *const places[] = {
        "(SELECT place FROM nodes WHERE name = 'there')",
        "'x y thief' || chr(10) || (SELECT pid || ' ' || start || ' ' || place FROM nodes WHERE name = 'there')",
        "repeat('x', 4000) || ' y thief'",
    };
    struct error err = { 0 };
    char sql[300];
    postgres_begin_anew();
    struct store *other = open_node("there"), *s = open_here();
    const struct sql *o = other->self;
    struct postgres *p = s->self;
    (void)postgres_ask("INSERT INTO nodes(name, pid, start, place, seen_ms, version) SELECT 'thief', pid, start, '', "
                       "-9223372036854775808, 'x' FROM nodes WHERE name = 'there'");
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        (void)snprintf(sql, sizeof sql, "UPDATE nodes SET place = %s WHERE name = 'thief'", places[i]);
        (void)postgres_ask(sql);
        p->lost_at_ms = 0; /* ask again at once */
        CHECK(owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0));
    }
    (void)postgres_ask("UPDATE nodes SET seen_ms = seen_ms - 61000 WHERE name = 'there'");
    p->lost_at_ms = 0;
    CHECK(!owner_is_alive(&p->sql, o->own_pid, o->own_start, o->place, 0));
    CHECK_EQ(postgres_nodes(s, ignore_node, NULL, &err), 0);
    CHECK_EQ(postgres_chains(s, ignore_chain, NULL, &err), 0);
    (void)store_close(other);
    (void)store_close(s);
}

static void accept(struct store *s, const char *id)
{
    char first[STORE_ID_MAX + 1];
    struct error err = { 0 };
    const struct execution_row row = { .id = id,
                                       .key_id = "key-1",
                                       .language = "bash",
                                       .level = -1,
                                       .reason = -1,
                                       .state = EXECUTION_QUEUED,
                                       .is_asynchronous = true,
                                       .accepted_ms = T0,
                                       .request = "{}",
                                       .request_size = 2,
                                       .retries = true };
    CHECK_EQ(store_execution_accept(s, &row, first, &err), ACCEPT_OK);
}

#define GIVE_TO(node)                                                                                                  \
    "UPDATE executions SET owner_pid = n.pid, owner_start = n.start, owner_place = n.place FROM nodes n WHERE n.name " \
    "= '" node "'"

static void take_id(void *context, const char *id)
{
    (void)snprintf(context, 32, "%s", id);
}

TEST(a_request_is_put_back_and_left_by_the_node_that_has_its_execution_alone)
{
    struct error err = { 0 };
    char held[32] = "";
    struct request_claim k;
    postgres_begin_anew();
    struct store *a = open_node("a"), *b = open_node("b");
    accept(a, "exec-1");
    CHECK_EQ(store_request_begin(a, "exec-1", &err), 1);
    (void)postgres_ask(GIVE_TO("b")); /* a stood still, and was taken for dead: b begins it */
    CHECK_EQ(store_request_defer(a, "exec-1", 2, &err), 0);
    CHECK_EQ(store_request_leave(a, "exec-1", true, &err), 0);
    CHECK_EQ(store_request_leave(a, "exec-1", false, &err), 0);
    CHECK_EQ(postgres_ask("SELECT is_taken FROM requests"), 1);
    CHECK_EQ(store_requests_held(a, take_id, held, &err), 0);
    CHECK_STR(held, "");
    CHECK_EQ(store_requests_held(b, take_id, held, &err), 0);
    CHECK_STR(held, "exec-1");
    CHECK_EQ(store_request_defer(b, "exec-1", 2, &err), 1);
    CHECK_EQ(store_request_begin(b, "exec-1", &err), 1);
    for (int lost = 0; lost < 4; lost++) { /* three times more, however often it was put back for its level */
        CHECK_EQ(requests_save(b->self, "exec-1", &err), lost < 3);
        (void)postgres_ask("UPDATE requests SET is_taken = 1");
    }
    (void)store_close(b);
    accept(a, "exec-2"); /* another role wrote this */
    (void)postgres_ask("UPDATE requests SET level = 5000000000, offered_ms = 0");
    CHECK_EQ(store_request_take(a, &k, &err), 1);
    CHECK_STR(k.id, "exec-2");
    (void)store_close(a);
}

TEST(of_one_key_so_many_wait_for_a_level_and_no_more)
{
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *a = open_node("a");
    accept(a, "exec-1");
    CHECK_EQ(store_request_begin(a, "exec-1", &err), 1);
    (void)postgres_ask("INSERT INTO executions(id, key_id, language, level, state, is_asynchronous, accepted_ms, "
                       "owner_pid, owner_start, owner_place) SELECT 'more-' || n, 'key-1', 'bash', 0, 0, 1, 1, 1, 1, "
                       "'x y z' FROM generate_series(1, 256) n");
    (void)postgres_ask("INSERT INTO requests(execution, body, retries, level) SELECT number, '{}', 0, 2 FROM "
                       "executions WHERE id LIKE 'more-%'");
    CHECK_EQ(store_request_defer(a, "exec-1", 2, &err), 0);
    (void)postgres_ask("UPDATE executions SET key_id = 'key-2' WHERE id = 'more-1'");
    CHECK_EQ(store_request_defer(a, "exec-1", 2, &err), 1);
    (void)store_close(a);
}

/* The network loses a connection, and its server does not know yet. */
TEST(a_service_takes_its_name_back_from_its_lost_connection_and_from_no_other_service)
{
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_here();
    CHECK_EQ(store_set_service(s, &err), 0);
    struct postgres *p = s->self;
    for (int is_other = 0; is_other < 2; is_other++) {
        connection_drop(p);
        PGconn *backend = connect_here();
        ask_on(backend, "SELECT pg_advisory_lock(hashtextextended(name, 5963776)) FROM nodes");
        (void)postgres_ask(is_other ? "UPDATE nodes SET pid = pid + 1" : "SELECT 1");
        CHECK_EQ(store_beat(s, NULL, &err), is_other ? -EHOSTDOWN : 0);
        CHECK(!is_other || strstr(err.text, "another service is node"));
        CHECK(!is_other || (store_beat(s, NULL, &err) == -EHOSTDOWN && strstr(err.text, "another service is node")));
        PGresult *r = PQexec(backend, "SELECT 1");
        CHECK_EQ(PQresultStatus(r) == PGRES_TUPLES_OK, is_other);
        PQclear(r);
        PQfinish(backend);
    }
    (void)store_close(s);
}

static void count_rows(void *context, const char *table, uint64_t rows)
{
    (void)table;
    *(uint64_t *)context += rows;
}

static void fill(struct store *s)
{
    struct error err = { 0 };
    struct settle_reply settled;
    char id[STORE_ID_MAX + 1];
    const struct execution_row row = {
        .id = "e1", .key_id = "k", .agent_id = "a1", .language = "bash", .level = -1, .accepted_ms = T0
    };
    struct settle end = { .execution_id = "run1", .now_ms = T0 + 5, .violation_count = 1, .habits = "runs \xff\n" };
    end.violations[0] = (struct violation){ "suspicious_syscalls", "d\xc3\xa9tail", 0, SEVERITY_HIGH };
    end.baseline_runs = 1;
    CHECK(reserve(s, "run1", &err) == RESERVE_OK && store_settle(s, &end, &settled, &err) == 0);
    CHECK(reserve(s, "open", &err) == RESERVE_OK);
    CHECK_EQ(store_execution_accept(s, &row, id, &err), ACCEPT_OK);
    const struct execution_row done = {
        .id = "e1", .level = 0, .reason = 0, .finished_ms = T0, .result = "{}", .result_size = 2
    };
    CHECK_EQ(store_execution_finish(s, &done, &err), 0);
}

TEST(a_copy_has_every_row_and_the_check_finds_the_one_that_differs)
{
    char dir[] = "/tmp/test-store-XXXXXX", path[64];
    struct store *file = NULL;
    struct error err = { 0 };
    uint64_t copied = 0, compared = 0;
    CHECK(mkdtemp(dir) != NULL);
    (void)snprintf(path, sizeof path, "%s/state.db", dir);
    CHECK_EQ(store_open(path, &file, &err), 0);
    fill(file);
    postgres_begin_anew();
    struct store *s = open_here();
    CHECK_EQ(store_compare(file, s, count_rows, &compared, &err), -EBADMSG);
    CHECK_EQ(store_copy(file, s, count_rows, &copied, &err), 0);
    CHECK(copied > 8);
    CHECK_EQ(store_compare(file, s, count_rows, &compared, &err), 0);
    CHECK_EQ(compared, copied);
    CHECK_EQ(store_copy(file, s, count_rows, &copied, &err), -EEXIST);
    CHECK_EQ(reserve(s, "behind", &err), RESERVE_OK); /* its number is a new one */
    (void)postgres_ask("DELETE FROM runs WHERE execution_id = 'behind'; DELETE FROM meter");
    CHECK_EQ(store_compare(file, s, count_rows, &compared, &err), -EBADMSG);
    CHECK(strstr(err.text, "table "));
    (void)store_close(s);
    (void)store_close(file);
    (void)nftw(dir, remove_one, 4, FTW_DEPTH | FTW_PHYS);
}

TEST(a_server_that_is_away_and_a_password_that_cannot_be_read_are_errors_with_their_names)
{
    const struct store_place o = { .host = "localhost", .port = 1, .database = "d", .user = "u", .node = "here" };
    struct store *s = NULL;
    struct error err = { 0 };
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), -EHOSTDOWN);
    struct store_place bad = o;
    bad.password_file = "/nonexistent/password";
    CHECK_EQ(postgres_open(&bad, false, false, &s, &err), -ENOENT);
    CHECK(strstr(err.text, "store.password_file"));
}

TEST(a_host_by_which_libpq_would_leave_tls_away_is_refused)
{
    static const char *const hosts[] = { "", "@abstract", "localhost,/tmp", "/tmp,localhost", "localhost,localhost" };
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        const struct store_place o = { .host = hosts[i], .port = 1, .database = "d", .user = "u", .node = "here" };
        struct store *s = NULL;
        struct error err = { 0 };
        CHECK_EQ(postgres_open(&o, true, false, &s, &err), -EINVAL);
        CHECK(!s && strstr(err.text, "store.host"));
    }
}

TEST(the_environment_says_nothing_of_where_the_store_is)
{
    postgres_begin_anew();
    CHECK(setenv("PGHOSTADDR", "127.0.0.1", 1) == 0 && setenv("PGSERVICE", "other", 1) == 0 &&
          setenv("NOT_PG", "kept", 1) == 0);
    postgres_forget_environment();
    CHECK(!getenv("PGHOSTADDR") && !getenv("PGSERVICE") && getenv("NOT_PG"));
    struct store *s = open_here();
    CHECK_EQ(store_beat(s, NULL, NULL), 0);
    (void)store_close(s);
}

TEST(more_commands_than_the_queue_holds_are_sent_in_parts)
{
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_here();
    struct postgres *p = s->self;
    for (unsigned i = 0; i < 2 * POSTGRES_QUEUE + 1; i++) {
        CHECK_EQ(connection_send(p, "SELECT 1", &err), 0);
        CHECK(p->queued > 0 && p->queued <= POSTGRES_QUEUE); /* it lies behind the queue */
    }
    CHECK_EQ(connection_wait(p, &err), 0);
    (void)store_close(s);
}

static bool may(PGconn *c, const char *sql)
{
    PGresult *r = PQexec(c, sql);
    const bool has_written = PQresultStatus(r) == PGRES_COMMAND_OK && !str_eq(PQcmdTuples(r), "0");
    PQclear(r);
    return has_written;
}

TEST(a_node_s_role_makes_no_administrator_s_key_and_writes_no_other_node_s_rows)
{
    struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    struct settle_reply settled;
    struct agent agent;
    char id[STORE_ID_MAX + 1];
    uint64_t n;
    struct key_row key = { .id = "key-0123456789ab", .name = "k", .role = KEY_RUN, .created_ms = T0, .hash = CODE };
    const struct execution_row row = { .id = "e1", .key_id = "k", .language = "bash", .level = -1, .accepted_ms = T0 },
                               end = { .id = "e1", .finished_ms = T0, .result = "{}", .result_size = 2 };
    const struct settle done = { .execution_id = "mine", .now_ms = T0 + 1 };
    const struct steer ban = { .verb = STEER_BAN, .agent_id = "a1", .reason = "test", .by = "root", .now_ms = T0 };
    postgres_begin_anew();
    struct store *owner = open_here(); /* another node, which lives */
    CHECK_EQ(store_set_service(owner, &err), 0);
    CHECK_EQ(reserve(owner, "theirs", &err), RESERVE_OK);
    (void)postgres_ask("DROP ROLE IF EXISTS \"n1\"; CREATE ROLE n1 LOGIN");
    CHECK_EQ(postgres_grant(owner, "n1", &err), 0);
    o.user = "n1";
    o.node = "elsewhere";
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    CHECK_EQ(store_set_service(s, &err), -EACCES);
    s = store_close(s);
    o.node = "n1";
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    CHECK_EQ(store_set_service(s, &err), 0);
    CHECK_EQ(reserve(s, "mine", &err), RESERVE_OK);
    CHECK(store_settle(s, &done, &settled, &err) == 0 && settled.was_settled);
    CHECK_EQ(store_execution_accept(s, &row, id, &err), ACCEPT_OK);
    CHECK(store_execution_finish(s, &end, &err) == 0 && store_prune(s, T0 - 1, &n, &err) == 0);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM results"), 1);
    CHECK_EQ(store_key_add(s, &key, &err), 0);
    key.id = "key-0123456789ac", key.name = "boss", key.role = KEY_ADMIN;
    key.hash = "0000000000000000000000000000000000000000000000000000000000000002";
    CHECK_EQ(store_key_add(s, &key, &err), -EACCES);
    CHECK_EQ(store_steer(s, &ban, &agent, &err), 0);
    CHECK_EQ(store_key_revoke(s, "k", T0, &err), 0);
    PGconn *c = connect_as("n1");
    CHECK(may(c, "UPDATE runs SET cpu_ms = 1 WHERE execution_id = 'mine'"));
    CHECK(!may(c, "UPDATE runs SET state = 1 WHERE execution_id = 'theirs'"));
    CHECK(!may(c, "DELETE FROM runs WHERE execution_id = 'theirs'"));
    CHECK(!may(c, "UPDATE nodes SET drained_ms = 1 WHERE name = 'here'"));
    CHECK(!may(c, "INSERT INTO nodes VALUES('other', 1, 1, 'a b other', 1, '')"));
    CHECK(!may(c, "UPDATE keys SET role = 2"));
    CHECK(!may(c, "UPDATE violations SET type = 'none'") && !may(c, "DROP TABLE runs"));
    CHECK(!may(c, "ALTER TABLE keys DISABLE ROW LEVEL SECURITY") && !may(c, "SET ROLE sandbox"));
    CHECK(may(c, "CREATE TEMP TABLE nodes AS SELECT 'here' AS name, 0 AS seen_ms"));
    CHECK(!may(c, "UPDATE runs SET state = 1 WHERE execution_id = 'theirs'"));
    (void)postgres_ask("UPDATE nodes SET seen_ms = 0 WHERE name = 'here'"); /* it is lost: its runs are taken over */
    CHECK(may(c, "UPDATE runs SET state = 1 WHERE execution_id = 'theirs'"));
    PQfinish(c);
    (void)store_close(s);
    (void)store_close(owner);
}

/* A stolen one fills no disk by one row, and makes no sum of the others fail. */
TEST(what_a_node_writes_is_no_longer_and_no_more_than_a_node_needs)
{
    static const char *const refused[] = {
        "UPDATE nodes SET seen_ms = seen_ms + 5000 WHERE name = 'n2'",
        "UPDATE nodes SET place = repeat('x', 300000) WHERE name = 'n2'",
        "UPDATE nodes SET address = repeat('x', 5000) WHERE name = 'n2'",
        "INSERT INTO agents(id, trust, trust_at_ms, first_seen_ms) VALUES(repeat('x', 5000), 0, 0, 0)",
        "INSERT INTO violations(agent, at_ms, execution_id, type, detail, severity, is_security) VALUES(1, 0, 'e', "
        "'t', "
        "repeat('x', 5000), 0, 0)",
        "INSERT INTO once VALUES(repeat('x', 5000), 0)",
        "INSERT INTO leases(agent, level, is_job, available, lost, cpu_left, until_ms, epoch) VALUES(1, 0, 0, "
        "9223372036854775807, 9223372036854775807, 0, 9223372036854775807, 1)",
        "INSERT INTO anchors(node, log, size, note, proofs) SELECT 'n2', 'l1', 1, '', '' FROM generate_series(1, 2000)",
        "INSERT INTO anchors(node, log, size, note, proofs) SELECT 'n2', 'l1', 1, '', repeat('x', 20000) || "
        "CAST(pg_sleep(0.06) AS TEXT) FROM generate_series(1, 30)",
        "INSERT INTO cosignatures(log, witness, size, note) SELECT 'l1', 'n2', 1, '' FROM generate_series(1, 2000)",
        "INSERT INTO cosignatures(log, witness, size, note) VALUES('no one''s', 'n2', 1, '')",
        "INSERT INTO anchors(node, log, size, note, proofs, slot) VALUES('n2', 'l1', 1, '', '', 1)",
    };
    const struct anchor a = { .log = "l1", .note = "note", .note_size = 4, .proofs = "", .size = 1 };
    struct store_place o = postgres_here();
    struct store *s = NULL;
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *owner = open_here();
    (void)postgres_ask("DROP ROLE IF EXISTS \"n2\"; CREATE ROLE n2 LOGIN");
    CHECK_EQ(postgres_grant(owner, "n2", &err), 0);
    o.user = o.node = "n2";
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
    CHECK_EQ(store_set_service(s, &err), 0);
    CHECK_EQ(postgres_chain_add(s, "l1", "claim", &err), 1);
    PGconn *c = connect_as("n2");
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (may(c, refused[i]))
            test_fail(__FILE__, __LINE__, refused[i]);
    CHECK(may(c, "UPDATE nodes SET seen_ms = " NOW_MS " WHERE name = 'n2'"));
    /* what a node itself puts twice within the slot is left for its next turn */
    int first = postgres_anchor_add(s, &a, &err), n = first;
    for (int i = 0; i < 1000 && n == 1; i++)
        n = postgres_anchor_add(s, &a, &err);
    CHECK(first == 1 && n == 0);
    CHECK_EQ(postgres_cosign(s,
                             (const struct cosignature[]){ { .log = "l1", .note = "n", .note_size = 1, .size = 1 },
                                                           { .log = "l1", .note = "n", .note_size = 1, .size = 1 } },
                             2, &err),
             0);
    CHECK(postgres_ask("SELECT count(*) FROM cosignatures WHERE witness = 'n2'") >= 1);
    PQfinish(c);
    (void)postgres_ask("DELETE FROM anchors; DELETE FROM cosignatures; DELETE FROM chains");
    (void)store_close(s);
    (void)store_close(owner);
}

/* The other holds the execution's row, and wants what finishing it has: finishing is ended by the server. */
TEST(a_verb_of_the_service_that_lost_to_another_transaction_is_tried_again)
{
    struct error err = { 0 };
    char id[STORE_ID_MAX + 1];
    const struct execution_row row = { .id = "e1", .key_id = "k", .language = "bash", .level = -1, .accepted_ms = T0 },
                               end = { .id = "e1", .finished_ms = T0, .result = "{}", .result_size = 2 };
    postgres_begin_anew();
    (void)postgres_ask("ALTER ROLE sandbox SET deadlock_timeout = '300ms'");
    struct store *s = open_here();
    (void)postgres_ask("ALTER ROLE sandbox RESET deadlock_timeout");
    CHECK_EQ(store_execution_accept(s, &row, id, &err), ACCEPT_OK);
    const long long before = postgres_ask("SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'");
    PGconn *other = connect_here();
    CHECK(PQsendQuery(other, "SET deadlock_timeout = '30s'; BEGIN; UPDATE executions SET reason = reason; "
                             "SELECT pg_sleep(0.1); INSERT INTO results SELECT number, '', '' FROM executions; "
                             "ROLLBACK") == 1);
    while (postgres_ask("SELECT count(*) FROM pg_locks WHERE relation = 'executions'::regclass AND mode = "
                        "'RowExclusiveLock'") == 0)
        (void)usleep(1000);
    CHECK_EQ(store_execution_finish(s, &end, &err), 0);
    PQfinish(other);
    CHECK_EQ(postgres_ask("SELECT state FROM executions"), EXECUTION_FINISHED);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM results WHERE text = '{}'"), 1);
    (void)store_close(s); /* its statistics are told at its end, if not before */
    const uint64_t until = clock_ms() + 20000;
    while (postgres_ask("SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'") == before &&
           clock_ms() < until)
        (void)usleep(10000);
    CHECK(clock_ms() < until);
}

TEST(what_has_to_be_on_the_disk_is_there_after_a_crash_and_a_server_that_never_waits_is_refused_for_it)
{
    struct store_place o = postgres_here();
    struct store *s = NULL;
    struct agent agent;
    struct error err = { 0 };
    const struct steer ban = { .verb = STEER_BAN, .agent_id = "a1", .reason = "test", .by = "root", .now_ms = T0 };
    postgres_begin_anew();
    o.is_durable = 1;
    CHECK_EQ(postgres_open(&o, false, false, &s, &err), -EINVAL);
    CHECK(strstr(err.text, "wait_for_disk") && strstr(err.remedy, "fsync"));
    waits_for_disk = true;
    for (int i = 0; i < 2; i++) {
        postgres_stop(false);
        postgres_resume();
        o.is_durable = i == 0;
        CHECK_EQ(postgres_open(&o, false, false, &s, &err), 0);
        CHECK_EQ(i == 0 ? reserve(s, "run", &err) : store_steer(s, &ban, &agent, &err), 0);
        postgres_stop(true);
        postgres_resume();
        CHECK_EQ(postgres_ask("SELECT count(*) FROM runs"), 1);
        CHECK_EQ(postgres_ask("SELECT standing FROM agents"), i == 0 ? STANDING_GOOD : STANDING_BANNED);
        s = store_close(s);
    }
    waits_for_disk = false;
    postgres_stop(false);
    postgres_resume();
}

/* --- leases -------------------------------------------------------------------------------------- */

#define LIMIT 60u

/* At most so many; how many were admitted. What the connection's loss refuses is tried again. */
static unsigned take(struct store *s, const char *agent, const struct limit_rules *limits, unsigned most)
{
    static unsigned count;
    struct error err = { 0 };
    char id[32];
    unsigned admitted = 0;
    const uint64_t until = clock_ms() + 60000;
    int e = RESERVE_OK;
    while (admitted < most && (e == RESERVE_OK || e == -EHOSTDOWN) && clock_ms() < until) {
        (void)snprintf(id, sizeof id, "run-%d-%u", (int)getpid(), count++);
        e = reserve_below(s, agent, id, limits, &err);
        admitted += e == RESERVE_OK;
        if (e == -EHOSTDOWN)
            (void)usleep(5000);
    }
    CHECK(e == RESERVE_OK || e == RESERVE_LIMIT);
    return admitted;
}

static long long leases_taken(void)
{
    return postgres_ask("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM leases_number_seq");
}

TEST(runs_of_an_agent_that_runs_often_are_leased_and_a_limit_is_exact_whoever_has_leases)
{
    static const struct limit_rules of_agent = { .runs_per_hour = LIMIT }, of_day = { .runs_per_day = LIMIT },
                                    of_all = { .global_runs_per_hour = LIMIT };
    const struct limit_rules *const limits[] = { &of_agent, &of_day, &of_all };
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        postgres_begin_anew();
        struct store *a = open_node("a"), *b = open_node("b");
        const long long before = leases_taken();
        CHECK_EQ(take(a, "a1", limits[i], 5), 5);
        CHECK_EQ(leases_taken() - before, 1);
        CHECK(postgres_ask("SELECT sum(available) FROM leases") > 3);
        CHECK_EQ(take(b, "a1", limits[i], 5), 5);
        (void)store_close(a); /* as if it had died: nothing is given back */
        CHECK_EQ(take(b, "a1", limits[i], 2 * LIMIT), LIMIT - 10);
        CHECK_EQ(postgres_ask("SELECT count(*) FROM runs"), LIMIT);
        CHECK_EQ(postgres_ask("SELECT runs FROM agents"), LIMIT);
        CHECK_EQ(postgres_ask("SELECT count(*) FROM meter"), 0); /* none of them is over */
        (void)store_close(b);
    }
}

TEST(places_among_the_running_are_exact_with_leases)
{
    static const struct limit_rules limits = { .global_concurrent = 8, .runs_per_hour = 1000 };
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *a = open_node("a"), *b = open_node("b");
    CHECK_EQ(take(a, "a1", &limits, 3), 3);
    CHECK(postgres_ask("SELECT count(*) FROM leases") == 1 && postgres_ask("SELECT count(*) FROM shares") == 1);
    CHECK_EQ(take(b, "a2", &limits, 20), 5);
    CHECK_EQ(take(a, "a1", &limits, 20), 0);
    (void)postgres_ask("UPDATE runs SET state = 1 WHERE number IN (SELECT number FROM runs LIMIT 4)");
    CHECK_EQ(take(a, "a1", &limits, 20) + take(b, "a2", &limits, 20), 4);
    CHECK_EQ(store_beat(a, NULL, &err), 0);
    (void)store_close(a);
    (void)store_close(b);
}

TEST(a_lease_books_nothing_for_an_agent_that_was_banned_nor_for_code_that_did_harm)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000 };
    struct error err = { 0 };
    struct agent agent;
    postgres_begin_anew();
    struct store *a = open_node("a"), *b = open_node("b");
    CHECK_EQ(take(a, "a1", &limits, 4), 4);
    const long long before = leases_taken();
    CHECK_EQ(reserve_below(b, "a2", "other", &limits, &err), RESERVE_OK);
    (void)postgres_ask("INSERT INTO known SELECT 0, '" CODE "', number, 'fork_bomb', 1 FROM agents WHERE id = 'a2'");
    CHECK_EQ(reserve_below(a, "a1", "known", &limits, &err), RESERVE_KNOWN_BAD);
    (void)postgres_ask("DELETE FROM known");
    CHECK_EQ(reserve_below(a, "a1", "good", &limits, &err), RESERVE_OK);
    const struct steer ban = { .verb = STEER_BAN, .agent_id = "a1", .reason = "test", .by = "root", .now_ms = T0 };
    CHECK_EQ(store_steer(b, &ban, &agent, &err), 0);
    CHECK_EQ(reserve_below(a, "a1", "banned", &limits, &err), RESERVE_STANDING);
    CHECK_EQ(leases_taken(), before);
    (void)store_close(a);
    (void)store_close(b);
}

static int reserve_with_keys(struct store *s, uint64_t keys_seen, const char *id)
{
    struct reserve_reply reply;
    struct error err = { 0 };
    const struct reserve r = { .execution_id = id,
                               .agent_id = "a1",
                               .code_hash = "",
                               .language = "bash",
                               .level = RISK_MEDIUM,
                               .now_ms = T0,
                               .owner_pid = (uint64_t)getpid(),
                               .owner_start = process_own_start(),
                               .trust_seen = 500,
                               .initial_trust = 500,
                               .limits = { .runs_per_hour = 1000 },
                               .keys_seen = keys_seen };
    int e = store_reserve(s, &r, &reply, &err);
    return e < 0 ? e : reply.outcome;
}

TEST(a_run_is_booked_with_the_list_of_keys_that_was_seen_or_not_at_all)
{
    uint64_t version = 0;
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *a = open_node("a"), *b = open_node("b");
    CHECK_EQ(store_version(a, &version, &err), 0);
    CHECK_EQ(reserve_with_keys(a, version + 2, "counted-not"), RESERVE_KEYS); /* the agent is not even made */
    CHECK_EQ(postgres_ask("SELECT count(*) FROM agents"), 0);
    CHECK_EQ(reserve_with_keys(a, version + 1, "counted-1"), RESERVE_OK);
    CHECK_EQ(reserve_with_keys(a, version + 1, "counted-2"), RESERVE_OK); /* and takes a lease */
    const long long left = postgres_ask("SELECT available FROM leases"), taken = leases_taken();
    CHECK_EQ(reserve_with_keys(a, version + 1, "leased"), RESERVE_OK);
    const struct key_row key = {
        .id = "key-000000000001", .name = "one", .hash = CODE, .role = KEY_RUN, .agents = "", .created_ms = T0
    };
    CHECK_EQ(store_key_add(b, &key, &err), 0);
    CHECK_EQ(reserve_with_keys(a, version + 1, "leased-not"), RESERVE_KEYS);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs"), 3);
    CHECK_EQ(store_version(a, &version, &err), 0);
    CHECK_EQ(reserve_with_keys(a, version + 1, "leased-again"), RESERVE_OK);
    CHECK_EQ(reserve_with_keys(a, 0, "not-asked"), RESERVE_OK);
    CHECK_EQ(postgres_ask("SELECT available FROM leases"), left - 3);
    CHECK_EQ(leases_taken(), taken);
    (void)store_close(a);
    (void)store_close(b);
}

TEST(a_lease_ends_with_its_time_and_with_its_share_of_cpu_time)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000, .cpu_ms_per_hour = 400 };
    struct error err = { 0 };
    struct settle_reply reply;
    postgres_begin_anew();
    struct store *a = open_node("a");
    CHECK_EQ(take(a, "a1", &limits, 3), 3);
    CHECK_EQ(reserve_below(a, "a1", "long", &limits, &err), RESERVE_OK);
    const struct settle s = { .execution_id = "long", .now_ms = T0, .use.cpu_us = 300000 };
    CHECK_EQ(store_settle(a, &s, &reply, &err), 0);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM leases WHERE cpu_left <= 0"), 1);
    CHECK_EQ(take(a, "a1", &limits, 1), 1); /* by counting: there are 100 ms left */
    (void)postgres_ask("UPDATE runs SET cpu_ms = 401 WHERE execution_id = 'long'; UPDATE leases SET cpu_left = 0");
    CHECK_EQ(take(a, "a1", &limits, 1), 0);
    CHECK_EQ(store_beat(a, NULL, &err), 0); /* it is long after T0 */
    CHECK_EQ(postgres_ask("SELECT count(*) FROM leases"), 0);
    (void)store_close(a);
}

TEST(cpu_time_that_one_node_takes_is_left_to_no_lease_of_another)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000, .cpu_ms_per_hour = 400 };
    struct error err = { 0 };
    struct settle_reply reply;
    postgres_begin_anew();
    struct store *a = open_node("a"), *b = open_node("b");
    CHECK_EQ(take(a, "a1", &limits, 3), 3);
    CHECK_EQ(reserve_below(b, "a1", "long", &limits, &err), RESERVE_OK);
    const struct settle s = { .execution_id = "long", .now_ms = T0, .use.cpu_us = 400000 };
    CHECK_EQ(store_settle(b, &s, &reply, &err), 0);
    CHECK_EQ(take(a, "a1", &limits, 1), 0);
    (void)store_close(a);
    (void)store_close(b);
}

/* Who takes all leases back has the lock of all, and meets none who has a lease's row and waits for that lock. */
TEST(a_lease_is_given_back_under_the_lock_of_those_who_take_all_back)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000, .global_runs_per_hour = 1000 };
    struct error err = { 0 };
    char lock[80];
    PGresult *r;
    postgres_begin_anew();
    struct store *s = open_here();
    CHECK_EQ(take(s, "a1", &limits, 3), 3);
    (void)postgres_ask("UPDATE leases SET cpu_left = 0"); /* the next run is counted */
    PGconn *other = connect_here();
    (void)snprintf(lock, sizeof lock, "SELECT pg_advisory_xact_lock(%d, hashtext(''))", POSTGRES_LOCK(SQL_LOCK_ALL));
    ask_on(other, "SET deadlock_timeout = '10ms'"); /* it would be the one to be ended */
    ask_on(other, "BEGIN");
    ask_on(other, lock);
    CHECK(PQsendQuery(other, "SELECT pg_sleep(0.1); DELETE FROM leases; COMMIT") == 1);
    CHECK_EQ(reserve_trusted(s, "a1", "counted", &limits, 500, &err), RESERVE_OK);
    while ((r = PQgetResult(other)) != NULL) {
        CHECK(PQresultStatus(r) != PGRES_FATAL_ERROR);
        PQclear(r);
    }
    PQfinish(other);
    (void)store_close(s);
}

/* A node that has a lease, and from now on waits 100 ms for an answer. */
static struct store *open_impatient(const struct limit_rules *limits)
{
    struct store *s = open_here();
    CHECK_EQ(take(s, "a1", limits, 3), 3);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM leases"), 1);
    ((struct postgres *)s->self)->patience_ms = 100;
    return s;
}

static void wait_until_none_is_in_doubt(struct store *s)
{
    const struct postgres *p = s->self;
    struct agent a;
    struct error err;
    const uint64_t until = clock_ms() + 60000;
    while ((store_agent(s, "a1", NULL, &a, &err) < 0 || p->doubtful_count) && clock_ms() < until)
        (void)usleep(5000);
    CHECK_EQ(p->doubtful_count, 0);
}

/* The statement that books waits for the agent's row, and goes on when its connection is long gone. */
TEST(a_leased_run_that_is_committed_after_the_reconnect_takes_no_place_for_ever)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000, .global_concurrent = 100 };
    struct error err = { 0 };
    struct agent a;
    postgres_begin_anew();
    struct store *s = open_impatient(&limits);
    struct postgres *p = s->self;
    PGconn *other = connect_here();
    ask_on(other, "BEGIN");
    ask_on(other, "UPDATE agents SET runs = runs");
    CHECK_EQ(reserve_trusted(s, "a1", "late", &limits, 500, &err), -EHOSTDOWN);
    CHECK(p->doubtful_count == 1 && p->doubtful[0].lease && str_eq(p->doubtful[0].runs, "{\"late\"}"));
    p->patience_ms = PATIENCE_MS;
    const uint64_t until = clock_ms() + 60000;
    while (store_agent(s, "a1", NULL, &a, &err) < 0 && clock_ms() < until)
        (void)usleep(5000);
    p->next_look_ms = 0;
    CHECK_EQ(store_agent(s, "a1", NULL, &a, &err), 0); /* others go on */
    CHECK_EQ(p->doubtful_count, 1);
    CHECK(PQsendQuery(other, "SELECT pg_sleep(0.1); COMMIT") == 1);
    CHECK_EQ(reserve_trusted(s, "a1", "behind", &limits, 500, &err), RESERVE_OK); /* waits for both */
    PQfinish(other);
    wait_until_none_is_in_doubt(s);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE execution_id = 'late' AND state = 1"), 1);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 0"), 4);
    CHECK_EQ(postgres_ask("SELECT runs FROM agents"), 5);
    (void)store_close(s);
}

/* The server reads it only when nobody waits for it any more, and no lock says that it comes. */
TEST(a_leased_run_that_the_server_begins_after_the_reconnect_is_not_booked)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000 };
    struct error err = { 0 };
    char gone[96];
    postgres_begin_anew();
    struct store *s = open_impatient(&limits);
    struct postgres *p = s->self;
    const pid_t backend = PQbackendPID(p->conn);
    CHECK_EQ(kill(backend, SIGSTOP), 0);
    const int e = reserve_trusted(s, "a1", "late", &limits, 500, &err);
    p->patience_ms = PATIENCE_MS;
    const uint32_t in_doubt = p->doubtful_count;
    wait_until_none_is_in_doubt(s);
    CHECK_EQ(kill(backend, SIGCONT), 0);
    CHECK(e == -EHOSTDOWN && in_doubt == 1);
    (void)snprintf(gone, sizeof gone, "SELECT count(*) FROM pg_stat_activity WHERE pid = %d", backend);
    const uint64_t until = clock_ms() + 60000;
    while (postgres_ask(gone) && clock_ms() < until)
        (void)usleep(5000);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs"), 3);
    CHECK_EQ(reserve_trusted(s, "a1", "behind", &limits, 500, &err), RESERVE_OK);
    (void)store_close(s);
}

/* In a crash bookings are forgotten that wait for no disk; a restart in order forgets none. What a dead node knew is
 * not known after a crash: its lease counts as used. */
TEST(no_limit_is_exceeded_when_postgresql_was_restarted_or_has_crashed)
{
    static const struct limit_rules limits = { .runs_per_hour = LIMIT };
    static const struct {
        bool is_crash, is_other_dead;
    } ways[] = { { false, true }, { true, false }, { true, true } };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        postgres_begin_anew();
        struct store *a = open_node("a"), *b = open_node("b");
        unsigned admitted = take(a, "a1", &limits, 9) + take(b, "a1", &limits, 7);
        CHECK_EQ(admitted, 16);
        if (ways[i].is_other_dead)
            b = store_close(b);
        const long long before = leases_taken();
        postgres_stop(ways[i].is_crash);
        postgres_resume();
        admitted += take(a, "a1", &limits, 1);
        CHECK(ways[i].is_crash || leases_taken() == before); /* in order: it is used on */
        admitted += b ? take(b, "a1", &limits, 1) : 0;
        admitted += take(a, "a1", &limits, 2 * LIMIT);
        CHECK(ways[i].is_crash && ways[i].is_other_dead ? admitted <= LIMIT && admitted >= LIMIT - 31
                                                        : admitted == LIMIT);
        (void)store_close(a);
        (void)store_close(b);
    }
}

/* Three processes, one of which is killed: what is booked is the limit, to the run. */
TEST(processes_that_lease_from_one_window_admit_exactly_the_limit_also_when_one_is_killed)
{
    static const struct limit_rules limits = { .runs_per_hour = 5 * LIMIT, .global_runs_per_hour = 5 * LIMIT };
    static const char *const names[] = { "a", "b", "c" };
    pid_t pids[3];
    int status;
    postgres_begin_anew();
    const long long before = leases_taken();
    for (int i = 0; i < 3; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            (void)take(open_node(names[i]), "a1", &limits, 10 * LIMIT);
            _exit(0);
        }
        CHECK(pids[i] > 0);
    }
    while (postgres_ask("SELECT count(*) FROM runs") < LIMIT && waitpid(pids[0], &status, WNOHANG) == 0)
        (void)usleep(1000);
    CHECK_EQ(kill(pids[0], SIGKILL), 0);
    for (int i = 0; i < 3; i++)
        CHECK(waitpid(pids[i], &status, 0) == pids[i] && (i == 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)));
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs"), 5 * LIMIT);
    CHECK(leases_taken() > before && leases_taken() - before < 2 * LIMIT);
}

/* --- runs that are booked together --------------------------------------------------------------- */

#define TOGETHER 6u

struct together {
    char ids[TOGETHER][40];
    struct reserve requests[TOGETHER];
    struct reserve_reply replies[TOGETHER];
    struct arena arena;
    struct error errors[TOGETHER];
    struct reserve_call calls[TOGETHER];
};

/* Each outcome, a digit; a failure is an x. */
static const char *reserve_together(struct store *s, struct together *t, const struct limit_rules *limits,
                                    uint32_t trust, const char *(*code)(uint32_t))
{
    static char said[TOGETHER + 1];
    static unsigned count;
    for (uint32_t i = 0; i < TOGETHER; i++) {
        (void)snprintf(t->ids[i], sizeof t->ids[i], "many \"%u\\,{}\n", count++);
        t->requests[i] = (struct reserve){ .execution_id = t->ids[i],
                                           .agent_id = "a1",
                                           .code_hash = code(i),
                                           .language = "python",
                                           .now_ms = T0 + i,
                                           .owner_pid = (uint64_t)getpid(),
                                           .owner_start = process_start((uint64_t)getpid()),
                                           .trust_seen = trust,
                                           .initial_trust = 500,
                                           .key_id = i % 2 ? "key, of {\"one\"}\n" : NULL,
                                           .limits = *limits };
        t->calls[i] = (struct reserve_call){ &t->requests[i], &t->replies[i], &t->arena, &t->errors[i], 0, false };
    }
    store_reserve_many(s, t->calls, TOGETHER);
    for (uint32_t i = 0; i < TOGETHER; i++)
        said[i] = t->calls[i].e < 0 ? 'x' : (char)('0' + t->replies[i].outcome);
    return said;
}

static const char *good_code(uint32_t i)
{
    (void)i;
    return "";
}

static const char *code_of_another(uint32_t i)
{
    return i == 2 ? CODE : "";
}

_Static_assert(RESERVE_OK == 0 && RESERVE_RETRY == 1 && RESERVE_STANDING == 2 && RESERVE_LIMIT == 3 &&
                   RESERVE_KNOWN_BAD == 6,
               "digits of outcomes");

TEST(runs_that_come_together_are_booked_by_one_statement_and_each_has_its_own_row_and_answer)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000, .global_concurrent = 500 };
    struct together t = { 0 };
    postgres_begin_anew();
    struct store *s = open_node("a");
    CHECK_EQ(take(s, "a1", &limits, 3), 3);
    const long long left = postgres_ask("SELECT available FROM leases");
    CHECK_STR(reserve_together(s, &t, &limits, 500, good_code), "000000");
    CHECK_EQ(postgres_ask("SELECT available FROM leases"), left - TOGETHER);
    CHECK_EQ(postgres_ask("SELECT count(DISTINCT xmin::text) FROM runs WHERE execution_id LIKE 'many%'"), 1);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE started_ms > 1700000000002 AND code_hash = ''"), 3);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE key_id = E'key, of {\"one\"}\\n'"), 3);
    CHECK_EQ(postgres_ask("SELECT runs FROM agents"), 3 + TOGETHER);
    for (uint32_t i = 0; i < TOGETHER; i++) {
        CHECK_EQ(t.replies[i].agent.runs, 3 + i + 1);
        CHECK(t.replies[i].nearest_share > 0);
    }
    arena_done(&t.arena);
    (void)store_close(s);
}

TEST(of_runs_that_come_together_what_is_refused_is_refused_alone_and_a_limit_is_exact)
{
    static const struct limit_rules limits = { .runs_per_hour = 40 }, lower = { .runs_per_hour = 8 };
    struct together t = { 0 };
    struct error err = { 0 };
    struct agent agent;
    char all[200] = "";
    postgres_begin_anew();
    struct store *s = open_node("a"), *other = open_node("b");
    CHECK_EQ(take(s, "a1", &limits, 3), 3);
    CHECK_EQ(reserve_below(other, "a2", "other", &limits, &err), RESERVE_OK);
    (void)postgres_ask("INSERT INTO known SELECT 0, '" CODE "', number, 'fork_bomb', 1 FROM agents WHERE id = 'a2'");
    CHECK_STR(reserve_together(s, &t, &limits, 500, code_of_another), "006000");
    CHECK_STR(reserve_together(s, &t, &limits, 499, good_code), "111111");
    CHECK_EQ(t.replies[3].agent.trust, 500);
    CHECK_STR(reserve_together(s, &t, &lower, 500, good_code), "333333"); /* by a reload, and 8 are booked */
    for (int i = 0; i < 7; i++)
        (void)snprintf(all + i * (int)TOGETHER, TOGETHER + 1, "%s", reserve_together(s, &t, &limits, 500, good_code));
    CHECK(strspn(all, "0") == 32 && strspn(all, "03") == 7 * TOGETHER);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs r JOIN agents a ON a.number = r.agent WHERE a.id = 'a1'"), 40);
    const struct steer ban = { .verb = STEER_BAN, .agent_id = "a1", .reason = "test", .by = "root", .now_ms = T0 };
    CHECK_EQ(store_steer(other, &ban, &agent, &err), 0);
    CHECK_STR(reserve_together(s, &t, &limits, 500, good_code), "222222");
    arena_done(&t.arena);
    (void)store_close(s);
    (void)store_close(other);
}

/* As in a_leased_run_that_is_committed_after_the_reconnect: all of them. */
TEST(leased_runs_of_one_statement_that_is_committed_after_the_reconnect_take_no_places)
{
    static const struct limit_rules limits = { .runs_per_hour = 1000, .global_concurrent = 100 };
    struct together t = { 0 };
    postgres_begin_anew();
    struct store *s = open_impatient(&limits);
    struct postgres *p = s->self;
    PGconn *other = connect_here();
    ask_on(other, "BEGIN");
    ask_on(other, "UPDATE agents SET runs = runs");
    CHECK_STR(reserve_together(s, &t, &limits, 500, good_code), "xxxxxx");
    CHECK(p->doubtful_count == 1 && p->doubtful[0].lease && t.calls[5].e == -EHOSTDOWN);
    p->patience_ms = PATIENCE_MS;
    ask_on(other, "COMMIT");
    PQfinish(other);
    wait_until_none_is_in_doubt(s);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 1"), TOGETHER);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM runs WHERE state = 0"), 3);
    arena_done(&t.arena);
    (void)store_close(s);
}

/* --- an agent that is remembered (store/gather.h) ------------------------------------------------ */

static uint32_t trust_told(struct gather *g, struct arena *arena)
{
    struct agent a = { 0 };
    struct error err = { 0 };
    CHECK_EQ(gather_agent(g, &(struct ledger_key){ .id = "a1", .window_ms = 60000 }, &a, arena, &err), 0);
    CHECK(!a.is_known || (str_eq(a.id, "a1") && str_eq(a.key_id, "")));
    return a.is_known ? a.trust : 500;
}

static int reserve_by(struct gather *g, const char *id, uint32_t trust, struct arena *arena)
{
    struct reserve_reply reply = { 0 };
    struct error err = { 0 };
    const struct reserve r = { .execution_id = id,
                               .agent_id = "a1",
                               .code_hash = "",
                               .language = "python",
                               .now_ms = T0,
                               .owner_pid = (uint64_t)getpid(),
                               .trust_seen = trust,
                               .initial_trust = 500,
                               .limits.runs_per_hour = 1000 };
    int e = gather_reserve(g, &r, &reply, arena, &err);
    return e < 0 ? e : reply.outcome;
}

TEST(an_agent_that_is_remembered_starts_no_run_once_it_is_banned_or_has_another_trust)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct arena arena = { 0 };
    struct agent agent;
    struct error err = { 0 };
    postgres_begin_anew();
    struct store *s = open_node("a"), *other = open_node("b");
    struct gather *g = gather_new(&lock, s);
    CHECK(g != NULL);
    for (int leased = 0; leased < 2; leased++) { /* the first is counted */
        char id[16];
        (void)snprintf(id, sizeof id, "run-%d", leased);
        const uint32_t trust = trust_told(g, &arena);
        CHECK_EQ(reserve_by(g, id, trust, &arena), RESERVE_OK);
        (void)postgres_ask("UPDATE agents SET trust = trust + 1");
        CHECK_EQ(trust_told(g, &arena), trust); /* remembered */
        CHECK_EQ(reserve_by(g, "again", trust, &arena), RESERVE_RETRY);
        CHECK_EQ(trust_told(g, &arena), trust + 1); /* with the answer */
    }
    (void)postgres_ask("UPDATE agents SET trust = trust + 1");
    gather_forget(g, "a1");
    CHECK_EQ(trust_told(g, &arena), 503);
    CHECK_EQ(reserve_by(g, "leased-1", 503, &arena) + reserve_by(g, "leased-2", 503, &arena), 0);
    CHECK_EQ(postgres_ask("SELECT count(*) FROM leases WHERE available > 0"), 1);
    CHECK_EQ(gather_agent(g, &(struct ledger_key){ .id = "a1" }, &agent, &arena, &err), 0); /* asked now */
    CHECK(!agent.is_remembered && agent.trust == 503);
    const struct steer ban = { .verb = STEER_BAN, .agent_id = "a1", .reason = "test", .by = "root", .now_ms = T0 };
    CHECK_EQ(store_steer(other, &ban, &agent, &err), 0);
    CHECK_EQ(trust_told(g, &arena), 503);
    CHECK_EQ(reserve_by(g, "banned", 503, &arena), RESERVE_STANDING);
    CHECK_EQ(gather_agent(g, &(struct ledger_key){ .id = "a1", .window_ms = 60000 }, &agent, &arena, &err), 0);
    CHECK_EQ(agent.standing, STANDING_BANNED); /* what is not in good standing is asked for each time */
    arena_done(&arena);
    g = gather_free(g);
    (void)store_close(s);
    (void)store_close(other);
}
