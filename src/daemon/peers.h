/* peers.h - the other nodes of the fleet, asked together: for lists whose parts are with each node.
 *
 * Each is asked for the same path and query with the caller's own key, all at once, for PEERS_MS at most. What has not
 * answered by then is named in the answer (`missing_nodes`), so that a list is whole or says what it lacks.
 */
#pragma once
#include "daemon/service.h"

#define PEERS_MS           3000u
#define PEERS_SILENT_MS    5000u                        /* one that was silent for so long is not asked, but named */
#define PEERS_FORGOTTEN_MS (24 * 3600 * UINT64_C(1000)) /* and then no more */
#define PEERS_MAX          64u                          /* are asked; further ones are named */

struct peer { /* strings are the arena's */
    const char *name, *address;
    uint64_t silent_ms;
};
struct peers {
    struct peer *list;
    uint32_t count;
};
/* Those that were heard of within a day and are not cut off. None where there is no fleet. */
int peers_find(struct call *c, struct peers *ret, struct error *err);

/* a has an answer of ours, {member: [...]}: the items of the other nodes' are added, each item says its `node`, and
 * `missing_nodes` says which are not there. is_newest_first: by `created_at`. gone_ms: what was silent for so long has
 * no such items any more. Nothing changes where there is no fleet; of a request that came from another node, a front or
 * a caller without a key only this node's are there. */
void peers_add(struct call *c, const char *member, bool is_newest_first, uint64_t gone_ms, struct http_answer *a);
/* Which other node says that it has an item whose `name` is this value; path: below the base path. "": none of those
 * that answered. In the arena. */
const char *peers_with(struct call *c, const char *path, const char *member, const char *name, const char *value);
