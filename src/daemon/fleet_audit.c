#include "daemon/fleet_audit.h"

#include <stdio.h>
#include <stdlib.h>

#include "audit/chain.h"
#include "daemon/node_line.h"
#include "daemon/service_client.h"
#include "run/ledger.h"
#include "run/policy.h"
#include "run/result.h"

#define CONNECT_MS 5000u
#define TIMEOUT_MS 60000u

static const char help[] =
    "usage: sandbox-agent audit verify --fleet [--key-file FILE] [--node NAME=DIR]... [--json] [--config FILE]\n"
    "       sandbox-agent audit search --fleet [--key-file FILE] [--agent ID] [--since TIME] [--until TIME]\n"
    "                     [--reason R] [--rule R] [--action A] [--execution ID] [--limit N] [--json] [--config "
    "FILE]\n\n"
    "The audits of all nodes that share the PostgreSQL database of the configuration (docs/fleet.md). Other nodes are\n"
    "asked at fleet.address with a key of the role read: --key-file, or SANDBOX_AGENT_API_KEY.\n"
    "  verify   this node's audit line by line, the others' by asking them for proofs, or from the files in DIR: "
    "against\n"
    "           what the nodes have signed of each other's. Names each node whose history was written anew, that is\n"
    "           missing, or that is not witnessed\n"
    "  search   the lines of each node, behind its name. --limit: the last N of each, at most 1000\n"
    "exit: 0 all is well, 1 verify found something, 2 usage, 3 search: a node did not answer, 125 it could not be "
    "done\n";

/* --- words -------------------------------------------------------------------------------------------------------- */

static int wrong(struct error *err, const char *what, const char *word)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s%s%s", what, *word ? ": " : "", word);
    return err_remedy(err, "see sandbox-agent audit verify --fleet --help");
}

static int take_value(struct fleet_audit *f, bool is_search, const char *name, const char *value, struct error *err)
{
    const struct {
        const char *name;
        const char **value;
        bool of_search;
    } table[] = { { "--key-file", &f->key_file, false },         { "--config", &f->config_path, false },
                  { "--agent", &f->search.agent, true },         { "--since", &f->search.since, true },
                  { "--until", &f->search.until, true },         { "--reason", &f->search.reason, true },
                  { "--rule", &f->search.rule, true },           { "--action", &f->search.action, true },
                  { "--execution", &f->search.execution, true }, { "--limit", &f->search.limit, true } };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        if (!str_eq(table[i].name, name) || (table[i].of_search && !is_search))
            continue;
        if (*table[i].value)
            return wrong(err, "is there twice", name);
        *table[i].value = value;
        return 0;
    }
    if (!str_eq(name, "--node") || is_search)
        return wrong(err, "unexpected argument", name);
    if (!strchr(value, '=') || f->given_count == FLEET_MAX_FILES)
        return wrong(err, "--node: expected NAME=DIR, at most 64 of them", value);
    f->given[f->given_count++] = value;
    return 0;
}

static int read_words(struct fleet_audit *f, int argc, char **argv, bool *ret_search, struct error *err)
{
    const char *verb = argc > 1 ? argv[1] : "";
    *ret_search = str_eq(verb, "search");
    if (!*ret_search && !str_eq(verb, "verify"))
        return wrong(err, "--fleet: accepted are verify and search", verb);
    for (int i = 2; i < argc; i++) {
        int e = 0;
        if (str_eq(argv[i], "--json"))
            f->json = true;
        else if (str_eq(argv[i], "--fleet"))
            continue;
        else if (i + 1 == argc)
            return wrong(err, "unexpected argument, or its value is missing", argv[i]);
        else if ((e = take_value(f, *ret_search, argv[i], argv[i + 1], err)) < 0)
            return e;
        else
            i++;
    }
    return 0;
}

/* --- the nodes ---------------------------------------------------------------------------------------------------- */

static const char *files_of(const struct fleet_audit *f, const char *node)
{
    const size_t n = strlen(node);
    for (uint32_t i = 0; i < f->given_count; i++)
        if (strncmp(f->given[i], node, n) == 0 && f->given[i][n] == '=')
            return f->given[i] + n + 1;
    return NULL;
}

static void take_node(void *context, const struct chain *c)
{
    struct fleet_audit *f = context;
    if (f->count == f->cap) {
        const uint32_t cap = f->cap ? 2 * f->cap : 16;
        struct fleet_node *list = realloc(f->nodes, cap * sizeof *list);
        f->arena.failed |= !list;
        if (!list)
            return;
        f->nodes = list;
        f->cap = cap;
    }
    struct fleet_node *n = &f->nodes[f->count++];
    *n = (struct fleet_node){ .name = arena_copy(&f->arena, c->node),
                              .address = arena_copy(&f->arena, c->address),
                              .files = files_of(f, c->node),
                              .silent_ms = c->silent_ms,
                              .cut_ms = c->cut_ms };
    n->has_chain = strlen(c->log) == 64 && hex_read(c->log, n->log, 32) == 0;
    n->is_claimed = n->has_chain && cosign_claim_is_good(n->log, c->node, c->claim);
    if (n->has_chain)
        hex_write(n->log, 32, n->log_hex);
}

static bool is_node(const struct fleet_audit *f, const char *given)
{
    const size_t n = strcspn(given, "=");
    for (uint32_t i = 0; i < f->count; i++)
        if (strlen(f->nodes[i].name) == n && memcmp(f->nodes[i].name, given, n) == 0)
            return true;
    return false;
}

static int list_nodes(struct fleet_audit *f, struct error *err)
{
    int e = postgres_chains(f->store, take_node, f, err);
    if (e == 0 && f->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    for (uint32_t i = 0; e == 0 && i < f->given_count; i++)
        if (!is_node(f, f->given[i]))
            e = wrong(err, "--node: there is no such node", f->given[i]);
    return e;
}

/* In the clear only among nodes of one machine, which all say so (pass_on.c). */
static bool may_be_asked(const struct fleet_audit *f, const char *address)
{
    const char *own = f->config->fleet.address;
    return node_address_is_good(address, NULL) &&
           (str_starts(address, "https://") || (own && str_starts(own, "http://")));
}

int fleet_ask(struct fleet_audit *f, const struct fleet_node *n, const char *path, size_t max_bytes, struct buf *out,
              struct error *err)
{
    const char *key = f->key_file ? NULL : getenv("SANDBOX_AGENT_API_KEY"), *base = f->config->endpoints.api.base_path;
    struct service_client client = { .url = arena_printf(&f->arena, "%s%s", n->address, base ? base : ""),
                                     .key_file = f->key_file,
                                     .key = key && *key ? key : NULL,
                                     .ca = f->config->fleet.ca_file,
                                     .connect_ms = CONNECT_MS };
    const struct service_request r = {
        .method = "GET", .path = path, .max_bytes = max_bytes, .timeout_ms = TIMEOUT_MS
    };
    *out = (struct buf){ 0 };
    if (!client.key_file && !client.key)
        return err_set(err, -ENOKEY, BLAME_CALLER, NULL, "there is no key: --key-file or SANDBOX_AGENT_API_KEY");
    if (!may_be_asked(f, n->address))
        return err_set(err, -EDESTADDRREQ, BLAME_HOST, NULL, "it has no address that is asked (fleet.address)");
    int e = service_client_open(&client, err);
    if (e == 0)
        e = service_client_expect(&client, &r, out, err);
    service_client_done(&client);
    return e;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run(struct fleet_audit *f, bool is_search, struct error *err)
{
    const struct store_place place = ledger_place(f->config);
    if (f->config->store.backend != STORE_POSTGRESQL) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, "STORE", "the configuration has no store.backend: postgresql");
        return err_remedy(err, "set it, and where PostgreSQL is (docs/fleet.md)");
    }
    int e = postgres_open(&place, false, false, &f->store, err);
    if (e < 0)
        return e;
    e = list_nodes(f, err);
    if (e == 0)
        e = is_search ? fleet_search(f, err) : fleet_verify(f, err);
    (void)store_close(f->store);
    return e;
}

int fleet_audit_main(int argc, char **argv)
{
    struct fleet_audit f = { 0 };
    struct error err = { 0 };
    struct paths paths;
    struct compiled policy;
    bool is_search;
    for (int i = 1; i < argc; i++)
        if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h"))
            return fputs(help, stdout) == EOF ? 125 : 0;
    int e = read_words(&f, argc, argv, &is_search, &err);
    const struct options words = { .config = f.config_path };
    if (e == 0 && (e = paths_find(&f.arena, &paths)) < 0)
        e = err_set(&err, e, BLAME_HOST, NULL, "where the program lies: %s", strerror(-e));
    if (e == 0 && (e = policy_load(&words, &paths, NULL, "low", LANG_COMMAND, &policy, &err)) == 0) {
        f.config = &policy.config;
        locations_find(&paths, f.config, &f.arena, &f.places);
        e = run(&f, is_search, &err);
        compiled_done(&policy);
    }
    free(f.nodes);
    arena_done(&f.arena);
    if (fflush(stdout) != 0)
        return 125;
    if (e < 0)
        err_say("sandbox-agent audit", &err);
    return e < 0 ? error_exit_code(&err) : e;
}
