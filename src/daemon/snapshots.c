#include "daemon/snapshots_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "audit/audit.h"
#include "audit/digest.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/json.h"
#include "config/profile.h"
#include "daemon/body.h"
#include "daemon/snapshot_cut.h"

#define TEMPORARY    "new-"
#define HEAD_MAX     (4 * KIB) /* of a manifest: its first line */
#define MANIFEST_MAX (SNAPSHOT_HASHES_MAX / DIGEST_SIZE * DIGEST_HEX_SIZE + HEAD_MAX)
#define ID_PREFIX    "snap-"
#define CHUNKS       SNAPSHOT_CHUNKS
#define HASHES_MAX   SNAPSHOT_HASHES_MAX
#define HASH_LINE    SNAPSHOT_HASH_LINE

/* A key's directory while it is in use. */
struct home {
    char name[DIGEST_HEX_SIZE];
    int dir, chunks;
    unsigned users;
    bool is_dirty; /* there may be chunks that no manifest names */
    uint64_t used; /* bytes of all chunks and manifests */
    struct home *next;
};

struct snapshots *snapshots_new(const char *state_dir, void (*warn)(void *context, const char *text), void *context)
{
    struct snapshots *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->state_dir = state_dir ? strdup(state_dir) : NULL;
    l->warn = warn;
    l->context = context;
    (void)pthread_mutex_init(&l->lock, NULL);
    return l;
}

struct snapshots *snapshots_free(struct snapshots *l)
{
    if (!l)
        return NULL;
    (void)pthread_mutex_destroy(&l->lock);
    free(l->state_dir);
    free(l);
    return NULL;
}

int snapshots_not_found(const char *id, struct error *err)
{
    return err_set(err, -ENOENT, BLAME_CALLER, NULL, "no snapshot %.64s", id);
}

int snapshots_failed(struct error *err, int e, const char *what)
{
    (void)err_set(err, e, BLAME_HOST, "SNAPSHOT", "%s: %s", what, strerror(-e));
    return e == -ENOSPC || e == -EDQUOT ? err_remedy(err, "make room where sandbox.paths.state_dir is") : e;
}

bool snapshots_is_id(const char *name)
{
    const size_t n = strlen(name);
    return str_starts(name, ID_PREFIX) && n < SNAPSHOT_ID_SIZE &&
           strspn(name + strlen(ID_PREFIX), "0123456789abcdef") == n - strlen(ID_PREFIX);
}

bool snapshots_is_hash(const char *name)
{
    return strlen(name) == DIGEST_HEX_SIZE - 1 && strspn(name, "0123456789abcdef") == DIGEST_HEX_SIZE - 1;
}

/* --- directories ------------------------------------------------------------------------------------------- */

int snapshots_open_below(int dir, const char *name, bool is_made)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    if (is_made && mkdirat(dir, name, 0700) < 0 && errno != EEXIST)
        return -errno;
    const int fd = openat(dir, name, flags);
    return fd < 0 ? -errno : fd;
}

int snapshots_open_top(const struct snapshots *l, bool is_made)
{
    cleanup(closep) int state = l->state_dir ? open(l->state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (!l->state_dir)
        return -ENOENT;
    return state < 0 ? -errno : snapshots_open_below(state, "snapshots", is_made);
}

/* Calls each() with every name in dir; until it says less than 0. -errno also where not all names could be read. */
static int each_name(int dir, int (*each)(void *context, int dir, const char *name), void *context)
{
    const int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    int e = d ? 0 : -errno;
    if (!d) {
        if (copy >= 0)
            (void)close(copy);
        return e;
    }
    while (e >= 0) {
        errno = 0;
        const struct dirent *entry = readdir(d);
        if (!entry) {
            e = -errno;
            break;
        }
        if (entry->d_name[0] != '.')
            e = each(context, dir, entry->d_name);
    }
    (void)closedir(d);
    return e;
}

/* --- manifests ---------------------------------------------------------------------------------------------- */

static int read_whole(int dir, const char *name, size_t max, struct buf *ret)
{
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    buf_init(ret, max);
    return fd < 0 ? -errno : read_open_file(fd, ret);
}

static void take_text(struct body *b, const char *name, char to[static SNAPSHOT_TEXT_MAX])
{
    const char *text = body_text(b, name, SNAPSHOT_TEXT_MAX - 1);
    (void)snprintf(to, SNAPSHOT_TEXT_MAX, "%s", text ? text : "");
}

static int read_head(const char *line, size_t size, struct snapshot *ret)
{
    struct error ignored = { 0 };
    struct body *b = NULL;
    int e = body_parse(line, size, false, &b, &ignored);
    if (e < 0)
        return -EBADMSG;
    take_text(b, "key_id", ret->key_id);
    take_text(b, "agent_id", ret->agent_id);
    take_text(b, "session_id", ret->session_id);
    const char *level = body_text(b, "risk_level", 16);
    ret->level = level ? risk_level_find(level) : -1;
    ret->created_ms = body_uint(b, "created_ms", UINT64_C(1) << 52, 0);
    ret->bytes = body_uint(b, "bytes", UINT64_C(1) << 52, 0);
    ret->stored_bytes = body_uint(b, "stored_bytes", UINT64_C(1) << 52, 0);
    e = body_end(b, &ignored);
    (void)body_free(b);
    return e < 0 || ret->level < 0 ? -EBADMSG : 0;
}

int snapshots_head(const char *text, size_t size, uint64_t total, struct snapshot *ret, const char **ret_hashes)
{
    const char *end = size ? memchr(text, '\n', size) : NULL;
    const int e = end ? read_head(text, (size_t)(end - text), ret) : -EBADMSG;
    *ret_hashes = end ? end + 1 : NULL;
    return e < 0 ? e : (total - (uint64_t)(end + 1 - text)) % HASH_LINE ? -EBADMSG : 0;
}

/* *ret_hashes: the lines behind the head, borrowed from text; NULL: it cannot be read. */
static int read_manifest(int dir, const char *id, struct snapshot *ret, struct buf *text, const char **ret_hashes)
{
    *ret = (struct snapshot){ 0 };
    (void)snprintf(ret->id, sizeof ret->id, "%s", id);
    int e = snapshots_is_id(id) ? read_whole(dir, id, MANIFEST_MAX, text) : -ENOENT;
    if (e == 0)
        e = snapshots_head(text->data, text->size, text->size, ret, ret_hashes);
    if (e < 0)
        *ret_hashes = NULL;
    return e;
}

/* What can be known without its hashes. -EBADMSG and the like: ret says that it is damaged. */
static int read_top(int dir, const char *id, struct snapshot *ret)
{
    char text[HEAD_MAX];
    struct stat st = { 0 };
    cleanup(closep) int fd = openat(dir, id, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t n = fd < 0 || fstat(fd, &st) < 0 ? -1 : read(fd, text, sizeof text);
    const char *hashes;
    *ret = (struct snapshot){ 0 };
    const int e = n < 0 ? -errno : snapshots_head(text, (size_t)n, (uint64_t)st.st_size, ret, &hashes);
    if (e < 0)
        *ret = (struct snapshot){ .is_damaged = true,
                                  .level = RISK_HIGH,
                                  .created_ms = (uint64_t)MAX_OF(st.st_mtime, (time_t)0) * 1000 };
    (void)snprintf(ret->id, sizeof ret->id, "%s", id);
    return e;
}

static void write_head(struct buf *b, const struct snapshot *s)
{
    json_open(b, '{');
    json_key(b, "key_id"), json_put_string(b, s->key_id);
    json_key(b, "agent_id"), json_put_string(b, s->agent_id);
    json_key(b, "session_id"), json_put_string(b, s->session_id);
    json_key(b, "risk_level"), json_put_string(b, risk_level_names[s->level]);
    json_key(b, "created_ms"), json_uint(b, s->created_ms);
    json_key(b, "bytes"), json_uint(b, s->bytes);
    json_key(b, "stored_bytes"), json_uint(b, s->stored_bytes);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

/* --- what no manifest names ----------------------------------------------------------------------------------- */

struct collected {
    struct buf hashes;          /* DIGEST_HEX_SIZE - 1 digits each, of all manifests */
    bool is_short;              /* one could not be read: then nothing is known of what may go */
    char bad[SNAPSHOT_ID_SIZE]; /* which */
    unsigned count;
    uint64_t used;
};

static int collect_one(void *context, int dir, const char *name)
{
    struct collected *c = context;
    struct snapshot s;
    struct buf text = { 0 };
    const char *hashes;
    if (str_starts(name, TEMPORARY))
        (void)unlinkat(dir, name, 0);
    if (!snapshots_is_id(name))
        return 0;
    c->count++;
    const int e = read_manifest(dir, name, &s, &text, &hashes);
    if (e == 0)
        (void)buf_add(&c->hashes, hashes, text.size - (size_t)(hashes - text.data));
    if (e < 0)
        (void)snprintf(c->bad, sizeof c->bad, "%s", name);
    c->is_short |= e < 0 || c->hashes.failed;
    c->used += text.size;
    buf_done(&text);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return memcmp(a, b, DIGEST_HEX_SIZE - 1);
}

static int sweep_one(void *context, int dir, const char *name)
{
    struct collected *c = context;
    struct stat st;
    const bool is_named = snapshots_is_hash(name) && c->hashes.size &&
                          bsearch(name, c->hashes.data, c->hashes.size / HASH_LINE, HASH_LINE, by_text);
    if (!is_named && (str_starts(name, TEMPORARY) || (snapshots_is_hash(name) && !c->is_short)))
        (void)unlinkat(dir, name, 0);
    else if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        c->used += (uint64_t)st.st_size;
    return 0;
}

static void warn_of(const struct snapshots *l, const struct home *h, const struct collected *c)
{
    char text[256];
    (void)snprintf(text, sizeof text,
                   "snapshots/%s: %s%s cannot be read, so chunks that are of no use stay; DELETE of the snapshot helps",
                   h->name, c->bad[0] ? "the manifest " : "all manifests together", c->bad);
    if (l->warn)
        l->warn(l->context, text);
}

/* With the lock, and nothing else under way there. -> how many snapshots there are, or -errno: not all was seen, and
 * used is no bound. */
static int sweep(const struct snapshots *l, struct home *h)
{
    struct collected c = { 0 };
    buf_init(&c.hashes, GIB);
    const int e = each_name(h->dir, collect_one, &c);
    if (c.is_short)
        warn_of(l, h, &c);
    c.is_short |= e < 0; /* told to the caller */
    if (c.hashes.size)
        qsort(c.hashes.data, c.hashes.size / HASH_LINE, HASH_LINE, by_text);
    const int chunks = each_name(h->chunks, sweep_one, &c);
    buf_done(&c.hashes);
    h->used = c.used;
    return e < 0 ? e : chunks < 0 ? chunks : (int)c.count;
}

/* --- homes ---------------------------------------------------------------------------------------------------- */

void snapshots_owner(const char *key_id, char ret[static DIGEST_HEX_SIZE])
{
    audit_hash(key_id, strlen(key_id), ret);
}

static struct home *home_free(struct home *h)
{
    closep(&h->dir);
    closep(&h->chunks);
    free(h);
    return NULL;
}

static int home_new(const struct snapshots *l, const char *name, bool is_made, struct home **ret)
{
    cleanup(closep) int top = snapshots_open_top(l, is_made);
    struct home *h = top < 0 ? NULL : calloc(1, sizeof *h);
    if (!h)
        return top < 0 ? top : -ENOMEM;
    (void)snprintf(h->name, sizeof h->name, "%s", name);
    h->chunks = -EBADF;
    h->dir = snapshots_open_below(top, name, is_made);
    if (h->dir >= 0)
        h->chunks = snapshots_open_below(h->dir, CHUNKS, is_made);
    int e = h->dir < 0 ? h->dir : MIN_OF(h->chunks, 0);
    if (e == 0) /* what a process that was killed has left; and how much there is */
        e = MIN_OF(sweep(l, h), 0);
    if (e < 0) {
        (void)home_free(h);
        return e;
    }
    *ret = h;
    return 0;
}

/* With the lock. */
static int home_use(struct snapshots *l, const char *name, bool is_made, struct home **ret)
{
    struct home *h = l->homes;
    while (h && !str_eq(h->name, name))
        h = h->next;
    int e = h ? 0 : home_new(l, name, is_made, &h);
    if (e < 0)
        return e;
    if (!h->users++) {
        h->next = l->homes;
        l->homes = h;
    }
    *ret = h;
    return 0;
}

/* The last one sweeps; where nothing is left, the directories go, too. */
static void home_leave(struct snapshots *l, struct home *h, bool is_dirty)
{
    (void)pthread_mutex_lock(&l->lock);
    h->is_dirty |= is_dirty;
    if (--h->users == 0) {
        struct home **p = &l->homes;
        while (*p != h)
            p = &(*p)->next;
        *p = h->next;
        cleanup(closep) int top = snapshots_open_top(l, false);
        if (h->is_dirty && sweep(l, h) == 0 && top >= 0 && unlinkat(h->dir, CHUNKS, AT_REMOVEDIR) == 0)
            (void)unlinkat(top, h->name, AT_REMOVEDIR);
        (void)home_free(h);
    }
    (void)pthread_mutex_unlock(&l->lock);
}

static int home_named(struct snapshots *l, const char *name, bool is_made, struct home **ret)
{
    (void)pthread_mutex_lock(&l->lock);
    const int e = home_use(l, name, is_made, ret);
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

static int home_of(struct snapshots *l, const char *key_id, bool is_made, struct home **ret)
{
    char name[DIGEST_HEX_SIZE];
    snapshots_owner(key_id, name);
    return home_named(l, name, is_made, ret);
}

static void tell(const struct snapshots *l, const char *owner, const char *id)
{
    if (l->changed)
        l->changed(l->changed_context, owner, id);
}

/* --- writing -------------------------------------------------------------------------------------------------- */

struct snapshot_writer {
    struct snapshots *list;
    struct home *home;
    struct snapshot head;
    uint64_t max_bytes;
    bool is_done;
    struct cutter cutter;
    struct buf chunk, hashes;
};

static int count_one(void *context, int dir, const char *name)
{
    unsigned *count = context;
    (void)dir;
    *count += snapshots_is_id(name);
    return 0;
}

int snapshot_begin(struct snapshots *l, const struct snapshot *head, uint64_t max_bytes, struct snapshot_writer **ret,
                   struct error *err)
{
    struct snapshot_writer *w = calloc(1, sizeof *w);
    uint8_t random[8];
    unsigned count = 0;
    if (!w)
        return snapshots_failed(err, -ENOMEM, "begin a snapshot");
    w->list = l;
    w->head = *head;
    w->max_bytes = max_bytes;
    w->head.created_ms = wall_clock_ms();
    buf_init(&w->chunk, CHUNK_MAX + 1);
    buf_init(&w->hashes, HASHES_MAX / DIGEST_SIZE * HASH_LINE);
    int e = home_of(l, head->key_id, true, &w->home);
    if (e == 0)
        e = random_bytes(random, sizeof random);
    if (e == 0)
        e = each_name(w->home->dir, count_one, &count);
    if (e < 0) {
        (void)snapshot_abort(w);
        return snapshots_failed(err, e, "begin a snapshot");
    }
    uint64_t number;
    memcpy(&number, random, sizeof number);
    (void)snprintf(w->head.id, sizeof w->head.id, ID_PREFIX "%016llx", (unsigned long long)number);
    if (count >= SNAPSHOTS_MAX) {
        (void)snapshot_abort(w);
        (void)err_set(err, -EAGAIN, BLAME_POLICY, "SNAPSHOT", "this key has %u snapshots", count);
        return err_remedy(err, "remove some of them");
    }
    *ret = w;
    return 0;
}

static int write_file(struct snapshot_writer *w, int dir, const char *name, const struct buf *content,
                      const struct buf *more)
{
    char temporary[sizeof TEMPORARY + SNAPSHOT_ID_SIZE]; /* it writes one at a time */
    (void)snprintf(temporary, sizeof temporary, TEMPORARY "%s", w->head.id);
    cleanup(closep) int fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int e = fd < 0 ? -errno : write_all(fd, content->data, content->size);
    if (e == 0 && more)
        e = write_all(fd, more->data, more->size);
    if (e == 0 && more && syncfs(fd) < 0) /* all chunks before it, and itself */
        e = -errno;
    if (e == 0 && renameat(dir, temporary, dir, name) < 0)
        e = -errno;
    if (e < 0 && fd >= 0)
        (void)unlinkat(dir, temporary, 0);
    if (e == 0 && more && fsync(dir) < 0) { /* its name */
        e = -errno;
        (void)unlinkat(dir, name, 0);
    }
    return e;
}

/* Before it is written: two that write at the same time do not pass the limit together. */
static int charge(struct snapshot_writer *w, uint64_t size, struct error *err)
{
    (void)pthread_mutex_lock(&w->list->lock);
    const bool has_room = w->home->used + size <= w->max_bytes;
    if (has_room)
        w->home->used += size;
    (void)pthread_mutex_unlock(&w->list->lock);
    if (has_room)
        return 0;
    (void)err_set(err, -EDQUOT, BLAME_POLICY, "SNAPSHOT", "the snapshots of this key would be more than %llu bytes",
                  (unsigned long long)w->max_bytes);
    return err_remedy(err, "remove some of them; endpoints.api.max_storage is the limit");
}

static int end_chunk(struct snapshot_writer *w, struct error *err)
{
    char name[DIGEST_HEX_SIZE];
    struct stat st;
    audit_hash(w->chunk.data, w->chunk.size, name);
    (void)buf_adds(&w->hashes, name);
    (void)buf_addc(&w->hashes, '\n');
    int e = w->hashes.failed ? snapshots_failed(err, -EFBIG, "list its chunks") : 0;
    if (e == 0 &&
        (fstatat(w->home->chunks, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || (size_t)st.st_size != w->chunk.size)) {
        e = charge(w, w->chunk.size, err);
        if (e == 0) {
            e = write_file(w, w->home->chunks, name, &w->chunk, NULL);
            w->head.stored_bytes += w->chunk.size;
            if (e < 0)
                (void)snapshots_failed(err, e, "write a chunk");
        }
    }
    w->chunk.size = 0;
    return e;
}

int snapshot_write(struct snapshot_writer *w, const void *data, size_t size, struct error *err)
{
    const char *p = data;
    int e = 0;
    w->head.bytes += size;
    while (e == 0 && size) {
        bool is_end;
        const size_t n = cutter_take(&w->cutter, p, size, &is_end);
        (void)buf_add(&w->chunk, p, n);
        e = w->chunk.failed ? snapshots_failed(err, -ENOMEM, "hold a chunk") : is_end ? end_chunk(w, err) : 0;
        p += n;
        size -= n;
    }
    return e;
}

int snapshot_finish(struct snapshot_writer *w, struct snapshot *ret, struct error *err)
{
    int e = w->chunk.size ? end_chunk(w, err) : 0;
    struct buf head;
    if (e < 0)
        return e;
    buf_init(&head, HEAD_MAX);
    write_head(&head, &w->head);
    e = charge(w, head.size + w->hashes.size, err);
    if (e < 0) {
        buf_done(&head);
        return e;
    }
    e = head.failed ? -ENOMEM : write_file(w, w->home->dir, w->head.id, &head, &w->hashes);
    buf_done(&head);
    if (e < 0)
        return snapshots_failed(err, e, "write its manifest");
    w->is_done = true;
    *ret = w->head;
    tell(w->list, w->home->name, w->head.id);
    return 0;
}

struct snapshot_writer *snapshot_abort(struct snapshot_writer *w)
{
    if (!w)
        return NULL;
    if (w->home)
        home_leave(w->list, w->home, !w->is_done);
    buf_done(&w->chunk);
    buf_done(&w->hashes);
    free(w);
    return NULL;
}

/* --- reading -------------------------------------------------------------------------------------------------- */

struct snapshot_reader {
    struct snapshots *list;
    struct home *home; /* NULL: it is in the content store */
    char owner[DIGEST_HEX_SIZE], node[CONTENT_NODE_MAX];
    struct buf manifest, chunk;
    const char *next, *end; /* hashes */
};

int snapshot_open(struct snapshots *l, const char *key_id, const char *id, struct snapshot *ret,
                  struct snapshot_reader **ret_reader, struct error *err)
{
    struct snapshot_reader *r = calloc(1, sizeof *r);
    if (!r)
        return snapshots_failed(err, -ENOMEM, "open a snapshot");
    r->list = l;
    int e = home_of(l, key_id, false, &r->home);
    if (e == 0)
        e = read_manifest(r->home->dir, id, ret, &r->manifest, &r->next);
    if (e == 0 && !str_eq(ret->key_id, key_id))
        e = -ENOENT;
    snapshots_owner(key_id, r->owner);
    if (e < 0 && l->content) { /* also where the one that is here cannot be read */
        buf_done(&r->manifest);
        if (r->home)
            home_leave(l, r->home, false);
        r->home = NULL;
        e = shared_open(l->content, r->owner, id, ret, &r->manifest, &r->next, r->node, err);
        if (e == 0 && !str_eq(ret->key_id, key_id))
            e = -ENOENT;
        if (e < 0 && e != -ENOENT) {
            (void)snapshot_close(r);
            return e;
        }
    }
    if (e < 0) {
        (void)snapshot_close(r);
        return e == -ENOENT ? snapshots_not_found(id, err) : snapshots_failed(err, e, "read its manifest");
    }
    r->end = r->manifest.data + r->manifest.size;
    *ret_reader = r;
    return 0;
}

/* What is damaged here may be whole in the content store. */
static int read_chunk(struct snapshot_reader *r, const char *name, struct error *err)
{
    char is[DIGEST_HEX_SIZE];
    int e = !snapshots_is_hash(name) ? -EBADMSG : r->home ? 0 : -ENOENT;
    if (e == 0)
        e = read_whole(r->home->chunks, name, CHUNK_MAX + 1, &r->chunk);
    if (e == 0) {
        audit_hash(r->chunk.data, r->chunk.size, is);
        e = str_eq(is, name) ? 0 : -EBADMSG;
    }
    if (e == 0 || !r->list->content || !snapshots_is_hash(name))
        return e < 0 ? snapshots_failed(err, e, "read a chunk") : 0;
    buf_done(&r->chunk);
    return shared_chunk(r->list->content, r->owner, r->home ? content_node(r->list->content) : r->node, name,
                        CHUNK_MAX + 1, &r->chunk, err);
}

int snapshot_read(struct snapshot_reader *r, const void **ret, size_t *ret_size, struct error *err)
{
    char name[DIGEST_HEX_SIZE];
    *ret_size = 0;
    if (r->next == r->end)
        return 0;
    memcpy(name, r->next, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    r->next += HASH_LINE;
    buf_done(&r->chunk);
    const int e = read_chunk(r, name, err);
    if (e < 0)
        return e;
    *ret = r->chunk.data;
    *ret_size = r->chunk.size;
    return 0;
}

struct snapshot_reader *snapshot_close(struct snapshot_reader *r)
{
    if (!r)
        return NULL;
    if (r->home)
        home_leave(r->list, r->home, false);
    buf_done(&r->manifest);
    buf_done(&r->chunk);
    free(r);
    return NULL;
}

/* --- all of them ------------------------------------------------------------------------------------------------ */

struct each {
    const char *key_id; /* or NULL */
    void (*each)(void *context, const struct snapshot *s);
    void *context;
};

static int show_one(void *context, int dir, const char *name)
{
    const struct each *e = context;
    struct snapshot s;
    if (!snapshots_is_id(name) || read_top(dir, name, &s) == -ENOENT)
        return 0;
    if (s.is_damaged && e->key_id)
        (void)snprintf(s.key_id, sizeof s.key_id, "%s", e->key_id);
    e->each(e->context, &s);
    return 0;
}

static int show_owner(void *context, int top, const char *name)
{
    cleanup(closep) int dir = snapshots_is_hash(name) ? snapshots_open_below(top, name, false) : -1;
    return dir < 0 ? 0 : each_name(dir, show_one, context);
}

int snapshots_each(struct snapshots *l, const char *key_id, void (*each)(void *context, const struct snapshot *s),
                   void *context, struct error *err)
{
    struct each of = { key_id, each, context };
    char name[DIGEST_HEX_SIZE];
    cleanup(closep) int top = snapshots_open_top(l, false);
    int e = top < 0 ? top : 0;
    if (e == 0 && key_id) {
        snapshots_owner(key_id, name);
        e = show_owner(&of, top, name);
    } else if (e == 0) {
        e = each_name(top, show_owner, &of);
    }
    return e == 0 || e == -ENOENT ? 0 : snapshots_failed(err, e, "list the snapshots");
}

struct telling {
    struct snapshots *list;
    const char *owner;
};

static int tell_one(void *context, int dir, const char *name)
{
    const struct telling *t = context;
    (void)dir;
    if (snapshots_is_id(name))
        tell(t->list, t->owner, name);
    return 0;
}

static int tell_owner(void *context, int top, const char *name)
{
    struct telling t = { context, name };
    cleanup(closep) int dir = snapshots_is_hash(name) ? snapshots_open_below(top, name, false) : -1;
    return dir < 0 ? 0 : each_name(dir, tell_one, &t);
}

void snapshots_tell_all(struct snapshots *l)
{
    cleanup(closep) int top = snapshots_open_top(l, false);
    if (top >= 0)
        (void)each_name(top, tell_owner, l);
}

void snapshots_share(struct snapshots *l, struct content *s,
                     void (*changed)(void *context, const char *owner, const char *id), void *context)
{
    l->content = s;
    l->changed = changed;
    l->changed_context = context;
}

struct sought {
    const char *id;
    char owner[DIGEST_HEX_SIZE]; /* "": not found */
};

static int seek_in(void *context, int top, const char *name)
{
    struct sought *k = context;
    cleanup(closep) int dir = snapshots_is_hash(name) ? snapshots_open_below(top, name, false) : -1;
    if (dir >= 0 && faccessat(dir, k->id, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        (void)snprintf(k->owner, sizeof k->owner, "%s", name);
    return 0;
}

/* What lies in a key's directory is that key's: a manifest that is damaged does not say whose it is. */
int snapshot_remove(struct snapshots *l, const char *key_id, const char *id, struct snapshot *ret, struct error *err)
{
    struct sought k = { .id = id };
    struct home *h = NULL;
    cleanup(closep) int top = snapshots_is_id(id) ? snapshots_open_top(l, false) : -ENOENT;
    int e = top < 0 ? top : 0;
    if (key_id)
        snapshots_owner(key_id, k.owner);
    else if (e == 0)
        e = each_name(top, seek_in, &k);
    if (e == 0)
        e = k.owner[0] ? home_named(l, k.owner, false, &h) : -ENOENT;
    if (e < 0)
        return e == -ENOENT ? snapshots_not_found(id, err) : snapshots_failed(err, e, "look for it");
    (void)read_top(h->dir, id, ret);
    if (ret->is_damaged && key_id)
        (void)snprintf(ret->key_id, sizeof ret->key_id, "%s", key_id);
    e = unlinkat(h->dir, id, 0) < 0 ? -errno : 0;
    if (e == 0)
        tell(l, k.owner, id);
    home_leave(l, h, true); /* its chunks, unless others have them or it is being read */
    return e == -ENOENT ? snapshots_not_found(id, err) : e < 0 ? snapshots_failed(err, e, "remove it") : 0;
}

/* Directories of ours are three deep. */
static int add_size(void *context, int dir, const char *name)
{
    uint64_t *sum = context;
    struct stat st;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (S_ISREG(st.st_mode))
        *sum += (uint64_t)st.st_size;
    cleanup(closep) int below = S_ISDIR(st.st_mode) ? snapshots_open_below(dir, name, false) : -1;
    if (below >= 0)
        (void)each_name(below, add_size, sum);
    return 0;
}

uint64_t snapshots_bytes(const struct snapshots *l)
{
    uint64_t sum = 0;
    cleanup(closep) int top = snapshots_open_top(l, false);
    if (top >= 0)
        (void)each_name(top, add_size, &sum);
    return sum;
}
