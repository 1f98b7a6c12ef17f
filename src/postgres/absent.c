/* absent.c - in place of all the others, where libpq was not there when this was built. */
#include "postgres/postgres.h"

static int absent(struct error *err)
{
    (void)err_set(err, -ENOSYS, BLAME_HOST, "STORE",
                  "this build has no PostgreSQL: libpq was not there when it was made");
    return err_remedy(err, "install libpq-dev and build again, or set store.backend: sqlite");
}

void postgres_forget_environment(void)
{
}

int postgres_open(const struct store_place *o, bool may_wait, bool will_migrate, struct store **ret, struct error *err)
{
    (void)o, (void)may_wait, (void)will_migrate, (void)ret;
    return absent(err);
}

int postgres_version(struct store *s, struct postgres_version *ret, struct error *err)
{
    (void)s, (void)ret;
    return absent(err);
}

int postgres_migrate(struct store *s, struct error *err)
{
    (void)s;
    return absent(err);
}

int postgres_nodes(struct store *s, node_each each, void *context, struct error *err)
{
    (void)s, (void)each, (void)context;
    return absent(err);
}

int postgres_set_drained(struct store *s, const char *node, bool is_drained, struct error *err)
{
    (void)s, (void)node, (void)is_drained;
    return absent(err);
}

int postgres_grant(struct store *s, const char *role, struct error *err)
{
    (void)s, (void)role;
    return absent(err);
}

int postgres_cut_off(struct store *s, const char *node, struct error *err)
{
    (void)s, (void)node;
    return absent(err);
}

int postgres_chains(struct store *s, chain_each each, void *context, struct error *err)
{
    (void)s, (void)each, (void)context;
    return absent(err);
}

const char *postgres_node_name(const struct store *s)
{
    (void)s;
    return "";
}

int postgres_chain_add(struct store *s, const char *log, const char *claim, struct error *err)
{
    (void)s, (void)log, (void)claim;
    return absent(err);
}

int postgres_chain_was_retired(struct store *s, const char *log, uint64_t registered_ms, struct error *err)
{
    (void)s, (void)log, (void)registered_ms;
    return absent(err);
}

int postgres_chain_retire(struct store *s, const char *node, struct error *err)
{
    (void)s, (void)node;
    return absent(err);
}

int postgres_anchor_add(struct store *s, const struct anchor *a, struct error *err)
{
    (void)s, (void)a;
    return absent(err);
}

int postgres_anchors(struct store *s, const char *nodes, const char *logs, anchor_each each, void *context,
                     struct error *err)
{
    (void)s, (void)nodes, (void)logs, (void)each, (void)context;
    return absent(err);
}

int postgres_cosign(struct store *s, const struct cosignature *list, size_t count, struct error *err)
{
    (void)s, (void)list, (void)count;
    return absent(err);
}

int postgres_cosignatures(struct store *s, const char *log, uint64_t within_ms, cosignature_each each, void *context,
                          struct error *err)
{
    (void)s, (void)log, (void)within_ms, (void)each, (void)context;
    return absent(err);
}

int postgres_anchors_thin(struct store *s, struct error *err)
{
    (void)s;
    return absent(err);
}
