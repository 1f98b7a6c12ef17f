/* fleet_audit.h - `sandbox-agent audit verify --fleet` and `audit search --fleet`: the audits of all nodes that share a
 * database, from one of them or from an administrator's machine (docs/fleet.md).
 *
 * Other nodes are asked through their API, at the address that their row has, with the caller's own key: over TLS, or
 * on loopback.
 */
#pragma once
#include "audit/cosign.h"
#include "config/config.h"
#include "postgres/postgres.h"
#include "run/locations.h"

int fleet_audit_main(int argc, char **argv);

/* --- for its verbs ------------------------------------------------------------------------------------------------ */

#define FLEET_MAX_FILES 64u
struct fleet_node { /* strings are the arena's */
    const char *name, *address, *files /* of --node NAME=DIR; NULL: none */;
    bool has_chain, is_claimed; /* there is a log; the log's key has signed the name */
    uint8_t log[32];
    char log_hex[65];
    uint64_t silent_ms, cut_ms;
};
struct fleet_search {
    const char *agent, *since, *until, *reason, *rule, *action, *execution, *limit;
};
struct fleet_audit {
    bool json;
    const char *key_file, *config_path;
    struct fleet_search search;
    const char *given[FLEET_MAX_FILES]; /* NAME=DIR */
    uint32_t given_count;
    struct arena arena;
    const struct config *config;
    struct locations places;
    struct store *store;
    struct fleet_node *nodes;
    uint32_t count, cap;
};
#define FLEET_ALIVE_MS   60000u
#define FLEET_STALLED_MS 120000u

struct buf;
/* GET below the base path of that node; out: caller's buf_done(), in any case. -ENOKEY: there is no key to ask with;
 * -EDESTADDRREQ: no address. BLAME_HOST: it does not answer. */
int fleet_ask(struct fleet_audit *f, const struct fleet_node *n, const char *path, size_t max_bytes, struct buf *out,
              struct error *err);
/* -> the exit code, or an error. */
int fleet_verify(struct fleet_audit *f, struct error *err);
int fleet_search(struct fleet_audit *f, struct error *err);
