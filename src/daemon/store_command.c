#include "daemon/store_command.h"

#include <stdio.h>
#include <sys/stat.h>
#include "ledger/serve.h"
#include "postgres/postgres.h"
#include "run/ledger.h"
#include "run/locations.h"
#include "run/policy.h"
#include "run/result.h"
#include "sql/copy.h"
#include "sqlite/sqlite.h"
#include "store/service.h"

static const char help[] =
    "usage: sandbox-agent store migrate|copy|check [--config FILE]\n"
    "       sandbox-agent store grant ROLE [--config FILE]\n\n"
    "The PostgreSQL database that store.* of the configuration names (docs/fleet.md).\n"
    "  migrate   make its tables, or bring them up to this version\n"
    "  copy      all rows of this machine's state.db into it; it has to be empty, and no sandboxd may run here\n"
    "  check     whether both have the same rows\n"
    "  grant     to a role of the database, which has the name of a node, what that node needs and no more\n"
    "exit: 0 done (check: the same), 1 they differ, 2 usage, 125 it could not be done\n";

enum verb { VERB_MIGRATE, VERB_COPY, VERB_CHECK, VERB_GRANT, VERBS };
static const char *const verb_names[VERBS] = { "migrate", "copy", "check", "grant" };

struct command {
    enum verb verb;
    const char *config_path, *role;
    struct arena arena;
    struct paths paths;
    struct compiled policy;
    struct store *file, *shared;
};

static int wrong(struct error *err, const char *what, const char *word)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s%s%s", what, *word ? ": " : "", word);
    return err_remedy(err, "see sandbox-agent store --help");
}

static int read_words(struct command *c, int argc, char **argv, struct error *err)
{
    bool has_verb = false;
    for (int i = 1; i < argc; i++) {
        size_t v = 0;
        if (str_eq(argv[i], "--config") && i + 1 < argc && !c->config_path) {
            c->config_path = argv[++i];
            continue;
        }
        if (has_verb && c->verb == VERB_GRANT && !c->role && argv[i][0] != '-') {
            c->role = argv[i];
            continue;
        }
        while (v < VERBS && !str_eq(argv[i], verb_names[v]))
            v++;
        if (v == VERBS || has_verb)
            return wrong(err, "unexpected argument", argv[i]);
        c->verb = (enum verb)v;
        has_verb = true;
    }
    if (has_verb && c->verb == VERB_GRANT && !c->role)
        return wrong(err, "name the role", "");
    return has_verb ? 0 : wrong(err, "say what to do: migrate, copy, check or grant", "");
}

static void tell(void *context, const char *table, uint64_t rows)
{
    (void)context;
    (void)printf("%-12s %llu rows\n", table, (unsigned long long)rows);
}

static int open_file(struct command *c, struct error *err)
{
    struct locations where = { 0 };
    struct stat st;
    locations_find(&c->paths, &c->policy.config, &c->arena, &where);
    const char *path = where.state_dir ? arena_printf(&c->arena, "%s/state.db", where.state_dir) : NULL;
    if (!path || stat(path, &st) < 0) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "STORE", "%s: there is no store of this machine",
                      path ? path : "state.db");
        return err_remedy(err, "set sandbox.paths.state_dir to where it is");
    }
    int e = store_open(path, &c->file, err);
    return e < 0 ? e : store_set_service(c->file, err); /* nothing writes it meanwhile but a command line */
}

static int run(struct command *c, struct error *err)
{
    const struct config *config = &c->policy.config;
    const struct store_place place = ledger_place(config);
    if (config->store.backend != STORE_POSTGRESQL) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "STORE", "the configuration has no store.backend: postgresql");
        return err_remedy(err, "set it, and where PostgreSQL is (docs/fleet.md)");
    }
    int e = postgres_open(&place, false, c->verb == VERB_MIGRATE, &c->shared, err);
    if (e == 0 && c->verb == VERB_MIGRATE)
        return postgres_migrate(c->shared, err);
    if (e == 0 && c->verb == VERB_GRANT)
        return postgres_grant(c->shared, c->role, err);
    if (e == 0)
        e = open_file(c, err);
    if (e < 0)
        return e;
    return c->verb == VERB_COPY ? store_copy(c->file, c->shared, tell, NULL, err)
                                : store_compare(c->file, c->shared, tell, NULL, err);
}

static int begin(struct command *c, struct error *err)
{
    const struct options words = { .config = c->config_path };
    int e = paths_find(&c->arena, &c->paths);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, NULL, "where the program lies: %s", strerror(-e));
    return policy_load(&words, &c->paths, NULL, "low", LANG_COMMAND, &c->policy, err);
}

int store_command_main(int argc, char **argv)
{
    struct command c = { 0 };
    struct error err = { 0 };
    if (argc > 1 && (str_eq(argv[1], "--help") || str_eq(argv[1], "-h")))
        return fputs(help, stdout) == EOF ? 125 : 0;
    int e = read_words(&c, argc, argv, &err);
    const bool has_policy = e == 0 && (e = begin(&c, &err)) == 0;
    if (e == 0)
        e = run(&c, &err);
    (void)store_close(c.file);
    (void)store_close(c.shared);
    if (has_policy)
        compiled_done(&c.policy);
    arena_done(&c.arena);
    if (fflush(stdout) != 0)
        return 125;
    if (e < 0)
        err_say("sandbox-agent store", &err);
    return e == -EBADMSG ? 1 : e < 0 ? error_exit_code(&err) : 0;
}

int shared_ledger_main(const char *word)
{
    static struct ledger_server server;
    struct arena arena = { 0 };
    struct store_place place;
    uint64_t client = 0;
    if (!ledger_has_client(&client)) {
        (void)fprintf(stderr, "sandbox-ledger: started by sandbox-agent, with a socket as descriptor 3\n");
        return 2;
    }
    ledger_confine();
    if (store_place_read(word, &arena, &place, &server.error) == 0 &&
        postgres_open(&place, false, false, &server.store, &server.error) == 0 && client)
        store_act_for(server.store, client);
    int code = ledger_loop(&server);
    (void)store_close(server.store);
    arena_done(&arena);
    return code;
}
