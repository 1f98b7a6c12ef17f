/* snapshots.h - snapshots of workspaces, as the service keeps them.
 *
 *   <state>/snapshots/OWNER/ID             the manifest: a line of JSON, then the SHA-256 of each chunk on a line
 *   <state>/snapshots/OWNER/chunks/HASH    what the archive is cut into
 *
 * OWNER is the SHA-256 of the key's id. A snapshot is the workspace's archive (files/tar.h) as the worker inside packs
 * it: it is never read here, only cut, by its content, so that a change of one file changes the chunks around it and no
 * others. What is equal is stored once for a key; nothing is shared by keys, so that none learns what another one has.
 * A chunk is compared with its hash when it is read.
 *
 * A manifest takes its name when all of its chunks are on the disk. What an attempt that failed has left, also one that
 * was killed, is removed when the last user of its key's directory goes, and by the next one that comes.
 *
 * Functions may be called by any thread. Errors: 0 or negative errno, err filled; BLAME_POLICY: beyond the limit.
 */
#pragma once
#include "base/buf.h"
#include "base/error.h"

#define SNAPSHOT_ID_SIZE  32u
#define SNAPSHOT_TEXT_MAX 160u
#define SNAPSHOTS_MAX     1000u /* of a key */

struct snapshot {
    char id[SNAPSHOT_ID_SIZE];
    char key_id[SNAPSHOT_TEXT_MAX], agent_id[SNAPSHOT_TEXT_MAX], session_id[SNAPSHOT_TEXT_MAX];
    int level;                                /* enum risk_level, of the session */
    uint64_t created_ms, bytes, stored_bytes; /* of the archive; of its chunks that were not there before */
    bool is_damaged;                          /* nothing is known but its id and its file's time; it can be removed */
    const char *node; /* of one in the content store: who made it, as content_node_word() has it; NULL: it is here */
};

struct snapshots;
/* state_dir: copied; NULL: there is none, and each call says so. warn (may be NULL) is told, with the lock, why nothing
 * is collected. */
struct snapshots *snapshots_new(const char *state_dir, void (*warn)(void *context, const char *text), void *context);
struct snapshots *snapshots_free(struct snapshots *l); /* accepts NULL, returns NULL */

/* With a content store (content.h): what is not here is read there, and changed() is told, by any thread and maybe with
 * a lock of ours, which snapshots have come or gone here. All NULL: no more. */
struct content;
void snapshots_share(struct snapshots *l, struct content *s,
                     void (*changed)(void *context, const char *owner, const char *id), void *context);
/* changed() for all that are here: another node may have removed them there, or the store is new. */
void snapshots_tell_all(struct snapshots *l);
/* The store becomes what is here, for this one. One call at a time. */
int snapshots_bring(struct snapshots *l, const char *owner, const char *id, struct error *err);
/* Of those in the store that is_wanted() wants. key_id NULL: of all keys. */
int snapshots_each_shared(struct snapshots *l, const char *key_id, bool (*is_wanted)(void *context, const char *id),
                          void (*each)(void *context, const struct snapshot *s), void *context, struct error *err);
/* Removes one of a node that is dead, and what it alone names; that node removes its own when it comes back. ret->node
 * is NULL. -ENOENT (BLAME_CALLER). */
int snapshot_retract(struct snapshots *l, const char *key_id, const char *id, struct snapshot *ret, struct error *err);
#define SNAPSHOT_NODE_MAX 400u
/* Who made one that the store has. -ENOENT (BLAME_CALLER). */
int snapshot_maker(struct snapshots *l, const char *key_id, const char *id, char ret[static SNAPSHOT_NODE_MAX],
                   struct error *err);

/* A new one: head without id, time and sizes. max_bytes: of all that the key has stored, manifests included. */
struct snapshot_writer;
int snapshot_begin(struct snapshots *l, const struct snapshot *head, uint64_t max_bytes, struct snapshot_writer **ret,
                   struct error *err);
int snapshot_write(struct snapshot_writer *w, const void *data, size_t size, struct error *err);
int snapshot_finish(struct snapshot_writer *w, struct snapshot *ret, struct error *err); /* abort() all the same */
struct snapshot_writer *snapshot_abort(struct snapshot_writer *w); /* accepts NULL, returns NULL */

/* key_id: whose it is. -ENOENT (BLAME_CALLER). */
struct snapshot_reader;
int snapshot_open(struct snapshots *l, const char *key_id, const char *id, struct snapshot *ret,
                  struct snapshot_reader **ret_reader, struct error *err);
/* The next piece, borrowed until the next call; *ret_size 0: that was all. */
int snapshot_read(struct snapshot_reader *r, const void **ret, size_t *ret_size, struct error *err);
struct snapshot_reader *snapshot_close(struct snapshot_reader *r);

/* key_id NULL: of all keys. */
int snapshots_each(struct snapshots *l, const char *key_id, void (*each)(void *context, const struct snapshot *s),
                   void *context, struct error *err);
/* What all of them take on the disk. */
uint64_t snapshots_bytes(const struct snapshots *l);
/* Of all keys: those that are older go, and then the oldest, until the others are within the bounds. 0: there is no
 * such bound. gone() is told of each. One that cannot be opened stays; one that cannot be removed keeps no other. */
struct snapshot_bounds {
    uint64_t max_age_ms, max_bytes;
};
int snapshots_sweep(struct snapshots *l, const struct snapshot_bounds *b, uint64_t now_ms,
                    void (*gone)(void *context, const struct snapshot *s), void *context, struct error *err);
/* key_id NULL: of any key; also a damaged one. -ENOENT (BLAME_CALLER). */
int snapshot_remove(struct snapshots *l, const char *key_id, const char *id, struct snapshot *ret, struct error *err);
