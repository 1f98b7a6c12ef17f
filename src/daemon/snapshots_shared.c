/* snapshots_shared.c - snapshots in the content store: what a node brings there of its own, and what others read of it.
 *
 *   snapshots/OWNER/ID/NODE   the manifest, when all of its chunks are there; empty: another node has removed it
 *   chunks/OWNER/NODE/HASH
 *
 * Only the node itself writes below its NODE, one snapshot at a time (mirror.c), so that what no manifest of it names
 * is of no use. When it is dead, others may remove: what they leave says so, and the node follows when it comes back.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "audit/audit.h"
#include "base/io.h"
#include "config/profile.h"
#include "daemon/snapshots_internal.h"

#define CHUNK_BYTES (1 * MIB) /* more than a chunk has */

static void manifest_key(const char *owner, const char *id, const char *node, char ret[static CONTENT_KEY_MAX + 1])
{
    (void)snprintf(ret, CONTENT_KEY_MAX + 1, "snapshots/%.64s/%.32s/%s", owner, id, node);
}

static void chunk_key(const char *owner, const char *node, const char *hash, char ret[static CONTENT_KEY_MAX + 1])
{
    (void)snprintf(ret, CONTENT_KEY_MAX + 1, "chunks/%.64s/%s/%.64s", owner, node, hash);
}

/* --- reading -------------------------------------------------------------------------------------------------- */

static bool take_key(void *context, const char *key)
{
    (void)snprintf(context, CONTENT_KEY_MAX + 1, "%s", key);
    return false; /* an id is one node's */
}

static int find_key(struct content *s, const char *owner, const char *id, char ret[static CONTENT_KEY_MAX + 1],
                    struct error *err)
{
    char prefix[CONTENT_KEY_MAX + 1];
    manifest_key(owner, id, "", prefix);
    ret[0] = '\0';
    const int e = snapshots_is_id(id) ? content_each(s, prefix, take_key, ret, err) : 0;
    return e < 0 ? e : ret[0] ? 0 : -ENOENT;
}

static int read_key(struct content *s, const char *key, const char *id, struct snapshot *ret, struct buf *text,
                    const char **ret_hashes, struct error *err)
{
    *ret = (struct snapshot){ 0 };
    int e = content_get(s, key, CONTENT_MAX, text, err);
    if (e == 0 && !text->size)
        return -ENOENT; /* removed */
    if (e == 0 && snapshots_head(text->data, text->size, text->size, ret, ret_hashes) < 0)
        e = err_set(err, -EBADMSG, BLAME_HOST, "SNAPSHOT", "%s in content.place is no manifest", key);
    (void)snprintf(ret->id, sizeof ret->id, "%.31s", id);
    return e;
}

int shared_open(struct content *s, const char *owner, const char *id, struct snapshot *ret, struct buf *text,
                const char **ret_hashes, char ret_node[static CONTENT_NODE_MAX], struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    int e = find_key(s, owner, id, key, err);
    if (e == 0)
        e = read_key(s, key, id, ret, text, ret_hashes, err);
    if (e == 0)
        (void)snprintf(ret_node, CONTENT_NODE_MAX, "%.*s", (int)CONTENT_NODE_MAX - 1, strrchr(key, '/') + 1);
    return e;
}

int shared_chunk(struct content *s, const char *owner, const char *node, const char *hash, size_t max, struct buf *ret,
                 struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], is[DIGEST_HEX_SIZE];
    chunk_key(owner, node, hash, key);
    const int e = content_get(s, key, max, ret, err);
    if (e < 0)
        return e;
    audit_hash(ret->data ? ret->data : "", ret->size, is);
    return str_eq(is, hash)
               ? 0
               : err_set(err, -EBADMSG, BLAME_HOST, "SNAPSHOT", "%s in content.place is another chunk", key);
}

/* --- what a node has there ------------------------------------------------------------------------------------ */

struct list { /* of words, each with a NUL behind it */
    struct buf text;
    const char *node; /* of manifests: only this node's; NULL: any */
    size_t at;        /* of the word in a key */
};

static bool add_word(void *context, const char *key)
{
    struct list *l = context;
    const char *word = key + l->at, *node = strrchr(key, '/') + 1;
    if (!l->node || str_eq(node, l->node)) {
        (void)buf_add(&l->text, word, strcspn(word, "/"));
        (void)buf_addc(&l->text, '\0');
    }
    return !l->text.failed;
}

static int list_words(struct content *s, const char *prefix, const char *node, struct list *ret, struct error *err)
{
    *ret = (struct list){ .node = node, .at = strlen(prefix) };
    buf_init(&ret->text, SNAPSHOT_HASHES_MAX * 2);
    int e = content_each(s, prefix, add_word, ret, err);
    if (e == 0 && ret->text.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "SNAPSHOT", "no memory for the list of %s", prefix);
    return e;
}

static int by_text(const void *a, const void *b)
{
    return memcmp(a, b, DIGEST_HEX_SIZE - 1);
}

static int read_here(int dir, const char *id, struct buf *ret)
{
    cleanup(closep) int fd = dir < 0 ? -1 : openat(dir, id, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    buf_init(ret, CONTENT_MAX);
    return fd < 0 ? -ENOENT : read_open_file(fd, ret);
}

/* The hashes that manifests of this node name, in order: from here where they are here, as they never change. */
static int named(struct content *s, const char *owner, const char *node, int dir, struct buf *ret, struct error *err)
{
    char prefix[CONTENT_KEY_MAX + 1], key[CONTENT_KEY_MAX + 1];
    struct list ids;
    (void)snprintf(prefix, sizeof prefix, "snapshots/%.64s/", owner);
    buf_init(ret, GIB);
    int e = list_words(s, prefix, node, &ids, err);
    for (const char *id = ids.text.data; e == 0 && ids.text.size && id < ids.text.data + ids.text.size;
         id += strlen(id) + 1) {
        struct buf text;
        struct snapshot head;
        const char *hashes = NULL;
        manifest_key(owner, id, node, key);
        if (read_here(dir, id, &text) < 0 || snapshots_head(text.data, text.size, text.size, &head, &hashes) < 0) {
            buf_done(&text);
            e = read_key(s, key, id, &head, &text, &hashes, err);
            e = e == -ENOENT ? 0 : e;
        }
        if (e == 0 && hashes)
            (void)buf_add(ret, hashes, text.size - (size_t)(hashes - text.data));
        buf_done(&text);
    }
    if (e == 0 && ret->failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, "SNAPSHOT", "no memory for the chunks of %s", node);
    if (ret->size)
        qsort(ret->data, ret->size / SNAPSHOT_HASH_LINE, SNAPSHOT_HASH_LINE, by_text);
    buf_done(&ids.text);
    return e;
}

/* Chunks of this node that no manifest of it names. dir: the owner's here, or -1. */
static int collect(struct content *s, const char *owner, const char *node, int dir, struct error *err)
{
    char prefix[CONTENT_KEY_MAX + 1], key[CONTENT_KEY_MAX + 1];
    struct list chunks;
    struct buf hashes;
    int e = named(s, owner, node, dir, &hashes, err);
    chunk_key(owner, node, "", prefix);
    if (e == 0)
        e = list_words(s, prefix, NULL, &chunks, err);
    for (const char *hash = e == 0 ? chunks.text.data : NULL;
         e == 0 && hash && hash < chunks.text.data + chunks.text.size; hash += strlen(hash) + 1) {
        if (!snapshots_is_hash(hash) ||
            (hashes.size && bsearch(hash, hashes.data, hashes.size / SNAPSHOT_HASH_LINE, SNAPSHOT_HASH_LINE, by_text)))
            continue;
        chunk_key(owner, node, hash, key);
        e = content_remove(s, key, err);
    }
    if (e == 0)
        buf_done(&chunks.text);
    buf_done(&hashes);
    return e;
}

/* --- bringing ------------------------------------------------------------------------------------------------- */

static int bring_chunk(struct content *s, const char *owner, const char *hash, int chunks, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], is[DIGEST_HEX_SIZE];
    struct buf text;
    chunk_key(owner, content_node(s), hash, key);
    int e = content_has(s, key, err);
    if (e)
        return MIN_OF(e, 0);
    e = read_here(chunks, hash, &text);
    audit_hash(text.data ? text.data : "", text.size, is);
    if (e < 0 || !str_eq(is, hash))
        e = err_set(err, e < 0 ? e : -EBADMSG, BLAME_US, "SNAPSHOT", "the chunk %s is not what it was", hash);
    else
        e = content_put(s, key, text.data, text.size, err);
    buf_done(&text);
    return e;
}

static int bring_all_of(struct content *s, const char *owner, const char *id, int dir, const struct buf *manifest,
                        struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], hash[DIGEST_HEX_SIZE];
    struct snapshot head;
    const char *hashes;
    cleanup(closep) int chunks = snapshots_open_below(dir, SNAPSHOT_CHUNKS, false);
    int e = snapshots_head(manifest->data, manifest->size, manifest->size, &head, &hashes);
    if (e < 0)
        return err_set(err, e, BLAME_US, "SNAPSHOT", "%s is damaged", id);
    for (const char *p = hashes; e == 0 && p < manifest->data + manifest->size; p += SNAPSHOT_HASH_LINE) {
        (void)snprintf(hash, sizeof hash, "%.64s", p);
        e = snapshots_is_hash(hash) ? bring_chunk(s, owner, hash, chunks, err)
                                    : err_set(err, -EBADMSG, BLAME_US, "SNAPSHOT", "%s is damaged", id);
    }
    manifest_key(owner, id, content_node(s), key);
    return e < 0 ? e : content_put(s, key, manifest->data, manifest->size, err);
}

static int remove_there(struct content *s, const char *owner, const char *id, int dir, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    manifest_key(owner, id, content_node(s), key);
    const int e = content_remove(s, key, err);
    return e < 0 ? e : collect(s, owner, content_node(s), dir, err);
}

/* Another node has removed it there: then it goes here, too, which tells changed(). */
static int follow(struct snapshots *l, const char *key_id, const char *id, struct error *err)
{
    struct snapshot ignored;
    const int e = snapshot_remove(l, key_id, id, &ignored, err);
    return e == -ENOENT ? 0 : e;
}

int snapshots_bring(struct snapshots *l, const char *owner, const char *id, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    struct content *s = l->content;
    struct buf manifest, there = { 0 };
    cleanup(closep) int top = snapshots_open_top(l, false);
    cleanup(closep) int dir = top < 0 ? -1 : snapshots_open_below(top, owner, false);
    int e = read_here(dir, id, &manifest);
    if (e < 0) {
        buf_done(&manifest);
        return remove_there(s, owner, id, dir, err);
    }
    manifest_key(owner, id, content_node(s), key);
    e = content_get(s, key, CONTENT_MAX, &there, err);
    if (e == 0 && !there.size)
        e = follow(l, NULL, id, err);
    else if (e == -ENOENT || e == -EBADMSG) /* damaged, for ever: ours is written over it */
        e = bring_all_of(s, owner, id, dir, &manifest, err);
    buf_done(&there);
    buf_done(&manifest);
    if (e < 0 && err->blame == BLAME_US && (dir < 0 || faccessat(dir, id, F_OK, AT_SYMLINK_NOFOLLOW) < 0))
        e = 0; /* removed meanwhile: its name waits once more */
    return e;
}

/* --- those of others ------------------------------------------------------------------------------------------ */

struct wish {
    bool (*is_wanted)(void *context, const char *id);
    void *context;
    struct buf keys;
};

static bool add_wish(void *context, const char *key)
{
    struct wish *w = context;
    char id[SNAPSHOT_ID_SIZE];
    const char *word = strchr(strchr(key, '/') + 1, '/');
    if (!word)
        return true;
    (void)snprintf(id, sizeof id, "%.*s", (int)MIN_OF(strcspn(word + 1, "/"), sizeof id - 1), word + 1);
    if (snapshots_is_id(id) && w->is_wanted(w->context, id))
        (void)buf_add(&w->keys, key, strlen(key) + 1);
    return !w->keys.failed;
}

int snapshots_each_shared(struct snapshots *l, const char *key_id, bool (*is_wanted)(void *context, const char *id),
                          void (*each)(void *context, const struct snapshot *s), void *context, struct error *err)
{
    char prefix[CONTENT_KEY_MAX + 1] = "snapshots/", owner[DIGEST_HEX_SIZE];
    struct wish w = { .is_wanted = is_wanted, .context = context };
    if (!l->content)
        return 0;
    if (key_id) {
        snapshots_owner(key_id, owner);
        (void)snprintf(prefix, sizeof prefix, "snapshots/%s/", owner);
    }
    buf_init(&w.keys, 16 * MIB);
    int e = content_each(l->content, prefix, add_wish, &w, err);
    for (const char *key = w.keys.data; e == 0 && w.keys.size && key < w.keys.data + w.keys.size;
         key += strlen(key) + 1) {
        struct snapshot s;
        struct buf text;
        const char *hashes, *id = strchr(strchr(key, '/') + 1, '/') + 1;
        char name[SNAPSHOT_ID_SIZE];
        (void)snprintf(name, sizeof name, "%.*s", (int)MIN_OF(strcspn(id, "/"), sizeof name - 1), id);
        e = read_key(l->content, key, name, &s, &text, &hashes, err);
        if (e == -EBADMSG)
            s = (struct snapshot){ .is_damaged = true, .level = RISK_HIGH }, memcpy(s.id, name, sizeof s.id);
        s.node = strrchr(key, '/') + 1;
        if (e == 0 || e == -EBADMSG)
            each(context, &s);
        e = e == -ENOENT || e == -EBADMSG ? 0 : e; /* gone meanwhile */
        buf_done(&text);
    }
    buf_done(&w.keys);
    return e;
}

struct seeking {
    const char *id;
    char *key;
};

static bool is_sought(void *context, const char *key)
{
    struct seeking *k = context;
    const char *word = strchr(strchr(key, '/') + 1, '/');
    const size_t n = strlen(k->id);
    if (!word || strncmp(word + 1, k->id, n) != 0 || word[1 + n] != '/')
        return true;
    (void)snprintf(k->key, CONTENT_KEY_MAX + 1, "%s", key);
    return false;
}

/* key_id NULL: whose it is, is looked for. */
static int seek(struct content *s, const char *key_id, const char *id, char owner[static DIGEST_HEX_SIZE],
                char key[static CONTENT_KEY_MAX + 1], struct error *err)
{
    struct seeking k = { id, key };
    key[0] = '\0';
    if (!snapshots_is_id(id))
        return -ENOENT;
    if (key_id) {
        snapshots_owner(key_id, owner);
        return find_key(s, owner, id, key, err);
    }
    const int e = content_each(s, "snapshots/", is_sought, &k, err);
    if (key[0])
        (void)snprintf(owner, DIGEST_HEX_SIZE, "%.64s", key + strlen("snapshots/"));
    return e < 0 ? e : key[0] ? 0 : -ENOENT;
}

int snapshot_maker(struct snapshots *l, const char *key_id, const char *id, char ret[static SNAPSHOT_NODE_MAX],
                   struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], owner[DIGEST_HEX_SIZE];
    struct snapshot head;
    struct buf text = { 0 };
    const char *hashes;
    int e = l->content ? seek(l->content, key_id, id, owner, key, err) : -ENOENT;
    if (e == 0)
        e = read_key(l->content, key, id, &head, &text, &hashes, err);
    if (e == 0)
        (void)snprintf(ret, SNAPSHOT_NODE_MAX, "%.*s", (int)SNAPSHOT_NODE_MAX - 1, strrchr(key, '/') + 1);
    buf_done(&text);
    return e == -ENOENT ? snapshots_not_found(id, err) : e;
}

int snapshot_retract(struct snapshots *l, const char *key_id, const char *id, struct snapshot *ret, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], owner[DIGEST_HEX_SIZE];
    struct content *s = l->content;
    struct buf text = { 0 };
    const char *hashes;
    int e = s ? seek(s, key_id, id, owner, key, err) : -ENOENT;
    if (e == 0)
        e = read_key(s, key, id, ret, &text, &hashes, err);
    buf_done(&text);
    if (e == 0 || e == -EBADMSG) {
        const char *node = strrchr(key, '/') + 1;
        const bool is_own = str_eq(node, content_node(s)); /* from before this node lost its disk */
        e = is_own ? content_remove(s, key, err) : content_put(s, key, "", 0, err);
        if (e == 0 && is_own)
            l->changed(l->changed_context, owner, id);
        else if (e == 0)
            e = collect(s, owner, node, -1, err);
    }
    return e == -ENOENT ? snapshots_not_found(id, err) : e;
}
