/* snapshots_internal.h - what snapshots.c and snapshots_shared.c have in common. */
#pragma once
#include <pthread.h>

#include "audit/digest.h"
#include "daemon/content.h"
#include "daemon/snapshots.h"

#define SNAPSHOT_CHUNKS     "chunks"
#define SNAPSHOT_HASHES_MAX (64 * MIB)        /* of one manifest: a million chunks, 64 GiB */
#define SNAPSHOT_HASH_LINE  (DIGEST_HEX_SIZE) /* 64 digits and the end of a line */

struct home;

struct snapshots {
    char *state_dir;
    pthread_mutex_t lock; /* around homes, and what changes in them */
    struct home *homes;
    void (*warn)(void *context, const char *text);
    void *context;
    struct content *content; /* snapshots_share(); NULL: there is none */
    void (*changed)(void *context, const char *owner, const char *id);
    void *changed_context;
};

bool snapshots_is_id(const char *name);
bool snapshots_is_hash(const char *name);
int snapshots_not_found(const char *id, struct error *err);
int snapshots_failed(struct error *err, int e, const char *what);
void snapshots_owner(const char *key_id, char ret[static DIGEST_HEX_SIZE]);
/* A descriptor, or -errno. */
int snapshots_open_top(const struct snapshots *l, bool is_made);
int snapshots_open_below(int dir, const char *name, bool is_made);
/* Of a manifest of `total` bytes, of which `size` are in text. *ret_hashes: the lines behind the head, borrowed. */
int snapshots_head(const char *text, size_t size, uint64_t total, struct snapshot *ret, const char **ret_hashes);

/* --- snapshots_shared.c: those in the content store --- */

/* owner: the name of its directory. -ENOENT; *ret_node: whose chunks it has. */
int shared_open(struct content *s, const char *owner, const char *id, struct snapshot *ret, struct buf *text,
                const char **ret_hashes, char ret_node[static CONTENT_NODE_MAX], struct error *err);
int shared_chunk(struct content *s, const char *owner, const char *node, const char *hash, size_t max, struct buf *ret,
                 struct error *err);
