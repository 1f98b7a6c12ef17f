#include "daemon/fleet_command.h"

#include <stdio.h>
#include "base/json.h"
#include "daemon/nodes_api.h"
#include "postgres/postgres.h"
#include "run/ledger.h"
#include "run/policy.h"
#include "run/result.h"

static const char help[] =
    "usage: sandbox-agent fleet status [--json] [--config FILE]\n"
    "       sandbox-agent fleet drain|resume|cut-off|rekey NODE [--config FILE]\n\n"
    "The nodes (sandboxd) that share the PostgreSQL database of the configuration (docs/fleet.md).\n"
    "  status   each with its version, the time since it was heard of, and its open executions\n"
    "  drain    it takes no new runs, and /readyz says so; what runs there goes on, and so do its sessions\n"
    "  resume   it takes runs again\n"
    "  cut-off  it was stolen: its role loses all rights, its login and its connections, and the others treat it as\n"
    "           dead; `store grant NODE` lets one of that name in again\n"
    "  rekey    it was set up anew or restored: its audit may begin anew, maybe with another key; every witness says\n"
    "           so in its own audit\n"
    "A node knows within a second. exit: 0 done, 2 usage, 125 it could not be done\n";

enum verb { VERB_STATUS, VERB_DRAIN, VERB_RESUME, VERB_CUT_OFF, VERB_REKEY, VERBS };
static const char *const verb_names[VERBS] = { "status", "drain", "resume", "cut-off", "rekey" };

struct command {
    enum verb verb;
    bool has_verb, json;
    const char *node, *config_path;
    struct buf out;
    char policy[65]; /* of the node before */
    bool has_differing;
};

static int wrong(struct error *err, const char *what, const char *word)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s%s%s", what, *word ? ": " : "", word);
    return err_remedy(err, "see sandbox-agent fleet --help");
}

static bool take_verb(struct command *c, const char *word)
{
    for (size_t v = 0; v < VERBS && !c->has_verb; v++)
        if (str_eq(word, verb_names[v])) {
            c->verb = (enum verb)v;
            return c->has_verb = true;
        }
    return false;
}

static int read_words(struct command *c, int argc, char **argv, struct error *err)
{
    for (int i = 1; i < argc; i++) {
        if (str_eq(argv[i], "--config") && i + 1 < argc && !c->config_path)
            c->config_path = argv[++i];
        else if (str_eq(argv[i], "--json") && !c->json)
            c->json = true;
        else if (c->has_verb && c->verb != VERB_STATUS && !c->node && argv[i][0] != '-')
            c->node = argv[i];
        else if (!take_verb(c, argv[i]))
            return wrong(err, "unexpected argument", argv[i]);
    }
    if (!c->has_verb)
        return wrong(err, "say what to do: status, drain, resume, cut-off or rekey", "");
    if (c->verb != VERB_STATUS && (!c->node || c->json))
        return wrong(err, c->node ? "--json is for status" : "name the node", "");
    return 0;
}

static const char *levels_text(uint32_t levels)
{
    static const char *const texts[LEVELS_ALL + 1] = { "no level", "low",          "medium",          "low and medium",
                                                       "high",     "low and high", "medium and high", "all levels" };
    return texts[levels & LEVELS_ALL];
}

static void put_line(void *context, const struct node *n)
{
    struct command *c = context;
    (void)buf_addf(
        &c->out, "%-24s %-8s %-12s takes %s, heard of %llu s ago, %llu open executions, clock %llu ms off%s\n", n->name,
        node_state(n), n->version, levels_text(n->levels), (unsigned long long)(n->silent_ms / 1000),
        (unsigned long long)n->open_executions, (unsigned long long)n->clock_off_ms,
        n->silent_ms > NODE_SILENT_MS && n->drained_ms ? ", drained" : "");
}

static void put_object(void *context, const struct node *n)
{
    node_put(&((struct command *)context)->out, n);
}

/* Of those that are in use: whether all say the same. */
static void compare(void *context, const struct node *n)
{
    struct command *c = context;
    if (n->cut_ms || n->silent_ms > NODE_SILENT_MS || !*n->policy)
        return;
    c->has_differing |= *c->policy && !str_eq(c->policy, n->policy);
    (void)snprintf(c->policy, sizeof c->policy, "%s", n->policy);
}

static int show(struct command *c, struct store *s, struct error *err)
{
    buf_init(&c->out, 4u << 20);
    if (c->json)
        json_open(&c->out, '[');
    int e = postgres_nodes(s, c->json ? put_object : put_line, c, err);
    if (c->json) {
        json_close(&c->out, ']');
        (void)buf_addc(&c->out, '\n');
    }
    if (e == 0 && !c->json)
        e = postgres_nodes(s, compare, c, err);
    if (e == 0 && c->has_differing)
        (void)buf_adds(&c->out, "the nodes' policies differ: --json has a digest of each level's\n");
    if (e == 0 && c->out.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    if (e == 0)
        (void)fputs(c->out.data ? c->out.data : "", stdout);
    buf_done(&c->out);
    return e;
}

static int act(const struct command *c, struct store *s, struct error *err)
{
    switch (c->verb) {
    case VERB_CUT_OFF:
        return postgres_cut_off(s, c->node, err);
    case VERB_REKEY:
        return postgres_chain_retire(s, c->node, err);
    default:
        return postgres_set_drained(s, c->node, c->verb == VERB_DRAIN, err);
    }
}

static int run(struct command *c, const struct config *config, struct error *err)
{
    const struct store_place place = ledger_place(config);
    struct store *s = NULL;
    if (config->store.backend != STORE_POSTGRESQL) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "STORE", "the configuration has no store.backend: postgresql");
        return err_remedy(err, "set it, and where PostgreSQL is (docs/fleet.md)");
    }
    int e = postgres_open(&place, false, false, &s, err);
    if (e < 0)
        return e;
    e = c->verb == VERB_STATUS ? show(c, s, err) : act(c, s, err);
    (void)store_close(s);
    return e;
}

int fleet_command_main(int argc, char **argv)
{
    struct command c = { 0 };
    struct error err = { 0 };
    struct arena arena = { 0 };
    struct paths paths;
    struct compiled policy;
    if (argc > 1 && (str_eq(argv[1], "--help") || str_eq(argv[1], "-h")))
        return fputs(help, stdout) == EOF ? 125 : 0;
    int e = read_words(&c, argc, argv, &err);
    const struct options words = { .config = c.config_path };
    if (e == 0 && (e = paths_find(&arena, &paths)) < 0)
        e = err_set(&err, e, BLAME_HOST, NULL, "where the program lies: %s", strerror(-e));
    if (e == 0 && (e = policy_load(&words, &paths, NULL, "low", LANG_COMMAND, &policy, &err)) == 0) {
        e = run(&c, &policy.config, &err);
        compiled_done(&policy);
    }
    arena_done(&arena);
    if (fflush(stdout) != 0)
        return 125;
    if (e < 0)
        err_say("sandbox-agent fleet", &err);
    return e < 0 ? error_exit_code(&err) : 0;
}
