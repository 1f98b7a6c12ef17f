#include "run/ledger.h"

struct store_place ledger_place(const struct config *c)
{
    return (struct store_place){ .host = c->store.host,
                                 .port = c->store.port,
                                 .database = c->store.database,
                                 .user = c->store.user,
                                 .password_file = c->store.password_file,
                                 .ca_file = c->store.ca_file,
                                 .certificate = c->store.certificate,
                                 .key = c->store.key,
                                 .node = c->store.node,
                                 .address = c->fleet.address,
                                 .levels = c->fleet.levels | (c->fleet.share_queue ? c->fleet.levels << RISK_COUNT : 0),
                                 .is_durable = c->store.wait_for_disk };
}

/* sandboxd has PostgreSQL's library, and does the ledger's work for one client under its name. */
static int start_shared(const struct paths *p, const struct config *c, struct arena *a, struct store *ret,
                        struct error *err)
{
    const struct store_place place = ledger_place(c);
    const char *word = store_place_print(&place, a);
    if (!word)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    return store_start(ret, arena_printf(a, "%s/../../bin/sandboxd", p->libexec), word, a, err);
}

int ledger_start(const struct paths *p, const struct config *c, bool may_make, struct arena *a, struct store *ret,
                 struct error *err)
{
    if (c->store.backend == STORE_POSTGRESQL)
        return start_shared(p, c, a, ret, err);
    const char *dir = c->sandbox.paths.state_dir ? c->sandbox.paths.state_dir : p->state;
    if (!dir) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, NULL,
                      "no place for what is known of agents: neither HOME nor XDG_STATE_HOME is set");
        return err_remedy(err, "set sandbox.paths.state_dir");
    }
    const char *database = arena_printf(a, "%s/state.db", dir);
    if (!may_make && access(database, F_OK) < 0 && errno == ENOENT)
        return 0;
    return store_start(ret, arena_printf(a, "%s/sandbox-ledger", p->libexec), database, a, err);
}
