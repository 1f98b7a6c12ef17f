/* postgres.h - the store (store/store.h) as a PostgreSQL database that the nodes of a fleet share; libpq, version 15
 * on.
 *
 * One connection, which is made again when it was lost: not before a pause that grows from 0.1 to 5 s, in which every
 * verb fails at once with -EHOSTDOWN. A verb that was under way when the connection broke fails; none is sent twice.
 * Where a commit was under way it may have taken place, and the error says so.
 *
 * Durability: a change of standing, an administrator's act and a change of keys are on the disk before the answer.
 * Everything else is as in SQLite's store: PostgreSQL commits it without waiting for the disk, so that when its machine
 * or the whole of PostgreSQL dies the last 0.6 s (3 x wal_writer_delay) may be forgotten; a restart in order forgets
 * nothing. is_durable makes every commit wait.
 *
 * A build without libpq has absent.c in this place: opening says so.
 */
#pragma once
#include "store/place.h"
#include "store/store.h"

/* *ret is open also while PostgreSQL is away, if the connection is all that is missing and `may_wait`: verbs fail until
 * it is there. Otherwise: the failure. Strings are copied. will_migrate: postgres_migrate() follows, and there may be
 * no tables yet. */
int postgres_open(const struct store_place *o, bool may_wait, bool will_migrate, struct store **ret, struct error *err);
/* Unsets PG*, by which libpq fills in what an option leaves open: an address, a service file. Before any thread. */
void postgres_forget_environment(void);
/* The schema's version and which programs may use it: those that know a version between min and max. */
struct postgres_version {
    uint64_t version, min, max;
};
int postgres_version(struct store *s, struct postgres_version *ret, struct error *err);
/* Makes the tables, or brings them up to this program's version. Does nothing where they are. */
int postgres_migrate(struct store *s, struct error *err);
/* What a node needs, to a role that has the node's name. By the role that made the tables. Beyond it the database lets
 * such a role make no key of an administrator, and write no rows of another node that lives (schema.c). */
int postgres_grant(struct store *s, const char *role, struct error *err);

/* The services that share the database, in the order of their names. */
struct node {
    const char *name, *version;
    uint64_t silent_ms;       /* since it said that it lives; it does so every second */
    uint64_t drained_ms;      /* since when it takes no new runs; 0: it takes them */
    uint64_t open_executions; /* accepted and not finished */
    uint64_t clock_off_ms;    /* its clock from the database's */
    uint64_t cut_ms;          /* since when it is cut off; 0: it is not */
    uint32_t levels;          /* bit per enum risk_level that it runs */
    const char *policy;       /* a digest of its policies; "": it does not say */
};
typedef void (*node_each)(void *context, const struct node *n);
int postgres_nodes(struct store *s, node_each each, void *context, struct error *err);
/* The node knows within a second (store_beat), and again when it is started anew. -ENOENT: there is none. */
int postgres_set_drained(struct store *s, const char *node, bool is_drained, struct error *err);
/* A stolen node: its role loses all rights, its login and its connections, and it is dead for the others at once. By
 * the role that owns the tables; what that role may not do is an error, after all that it may. -ENOENT as above.
 * postgres_grant() lets a node of that name in again. */
int postgres_cut_off(struct store *s, const char *node, struct error *err);

/* --- the audits of the nodes (anchors.c): who has which log, its checkpoints, and what others sign of them. Texts are
 * borrowed until the callback returns; times are ms of the database's clock. --- */

struct chain {
    const char *node, *address, *log /* public key, 64 hex digits; "": none is registered */, *claim;
    uint64_t registered_ms, silent_ms, cut_ms;
};
typedef void (*chain_each)(void *context, const struct chain *c);
/* All nodes, in the order of their names. */
int postgres_chains(struct store *s, chain_each each, void *context, struct error *err);
const char *postgres_node_name(const struct store *s);
/* This node's. 1: it is registered; 0: under this name another log is, which an administrator has to retire. */
int postgres_chain_add(struct store *s, const char *log, const char *claim, struct error *err);
/* A registration that there was: 1, an administrator has retired it. */
int postgres_chain_was_retired(struct store *s, const char *log, uint64_t registered_ms, struct error *err);
/* By an administrator: the node's audit begins anew, maybe with another key. -ENOENT: it has none. */
int postgres_chain_retire(struct store *s, const char *node, struct error *err);

struct anchor {
    const char *node, *log, *note, *proofs;
    size_t note_size;
    uint64_t size, made_ms, age_ms;
    uint64_t claimed_size, claimed_ms; /* what this node has signed of it last, by its rows; 0: nothing */
};
typedef void (*anchor_each)(void *context, const struct anchor *a);
/* Of this node's own log. */
int postgres_anchor_add(struct store *s, const struct anchor *a, struct error *err);
/* The newest of each of these logs; nodes and logs: as many words each, with a space between. */
int postgres_anchors(struct store *s, const char *nodes, const char *logs, anchor_each each, void *context,
                     struct error *err);

struct cosignature {
    const char *log, *witness, *note;
    size_t note_size;
    uint64_t size, made_ms, age_ms;
};
typedef void (*cosignature_each)(void *context, const struct cosignature *c);
/* This node's; one transaction. */
int postgres_cosign(struct store *s, const struct cosignature *list, size_t count, struct error *err);
/* The newest of each witness of this log, made within this time (0: ever). */
int postgres_cosignatures(struct store *s, const char *log, uint64_t within_ms, cosignature_each each, void *context,
                          struct error *err);
/* Once an hour, by any node: of what is older than an hour each hour's last stays. */
int postgres_anchors_thin(struct store *s, struct error *err);
