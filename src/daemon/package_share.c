#include "daemon/package_share.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/audit.h"
#include "audit/digest.h"
#include "base/io.h"
#include "daemon/content.h"
#include "daemon/mirror.h"
#include "daemon/package_build.h"
#include "daemon/package_builds.h"
#include "daemon/package_sets.h"
#include "files/tar.h"
#include "packages/tree.h"

#define PIECE      (128 * KIB)
#define ENTRY_ROOM (8 * KIB) /* more than a tar has beside the contents of one: header, padding, a long name */

struct set { /* NAME.json, here or there */
    struct buf text;
    struct package_brief brief;
    uint64_t created_ms;
};

static void set_done(struct set *s)
{
    buf_done(&s->text);
}

static void owner_word(const char *owner, char ret[static DIGEST_HEX_SIZE])
{
    audit_hash(owner, strlen(owner), ret);
}

static void set_key(const char *name, const char *owner_word, char ret[static CONTENT_KEY_MAX + 1])
{
    (void)snprintf(ret, CONTENT_KEY_MAX + 1, "sets/%.64s/%.64s", name, owner_word);
}

static void tree_key(const char *hash, char ret[static CONTENT_KEY_MAX + 1])
{
    (void)snprintf(ret, CONTENT_KEY_MAX + 1, "trees/%.64s", hash);
}

static int read_created(struct set *s)
{
    json_t *set = json_loadb(s->text.data ? s->text.data : "", s->text.size, 0, NULL);
    s->created_ms = (uint64_t)json_integer_value(json_object_get(set, "created_ms"));
    const bool is_set = json_is_object(set);
    json_decref(set);
    return is_set ? package_brief_read(&s->text, &s->brief) : -EBADMSG;
}

/* 0, or 1: there is none. set_done() in any case. */
static int read_here(int store, const char *name, struct set *ret, struct error *err)
{
    *ret = (struct set){ 0 };
    int e = package_set_read(store, name, &ret->text, err);
    if (e == 0 && read_created(ret) < 0)
        return err_set(err, -EBADMSG, BLAME_US, "PACKAGES", "packages/sets/%s.json is damaged", name);
    return e == -ENOENT ? 1 : e;
}

static int read_there(struct content *c, const char *key, struct set *ret, struct error *err)
{
    *ret = (struct set){ 0 };
    struct error why = { 0 };
    int e = content_get(c, key, PACKAGE_SET_MAX_SIZE, &ret->text, &why);
    if (e == -ENOENT)
        return 1;
    if (e == 0 && read_created(ret) < 0)
        e = err_set(&why, -EBADMSG, BLAME_HOST, "PACKAGES", "%s in content.place is no set", key);
    if (e < 0)
        *err = why;
    return e;
}

/* --- what was there -------------------------------------------------------------------------------------------- */

/* A file in <state>/content/brought, with the hash of NAME.json: this set is, or was, in the store as it is here. Where
 * the store has it no more, another node has removed it; without the mark it was never there. */
static void mark_path(struct service *v, const char *name, const char *word, char ret[static PATH_MAX])
{
    (void)snprintf(ret, PATH_MAX, "%s/content/brought/%s:%s", v->places.state_dir, name, word);
}

static bool is_marked(struct service *v, const char *name, const char *word, const struct set *s)
{
    char path[PATH_MAX], hash[DIGEST_HEX_SIZE];
    struct buf text;
    buf_init(&text, DIGEST_HEX_SIZE);
    mark_path(v, name, word, path);
    audit_hash(s->text.data, s->text.size, hash);
    const bool is_marked = read_file(path, &text) == 0 && text.data && str_eq(text.data, hash);
    buf_done(&text);
    return is_marked;
}

/* One that is cut off is none: then the set counts as one that was never there. */
static int mark(struct service *v, const char *name, const char *word, const struct set *s, struct error *err)
{
    char path[PATH_MAX], hash[DIGEST_HEX_SIZE];
    mark_path(v, name, word, path);
    audit_hash(s->text.data, s->text.size, hash);
    cleanup(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int e = fd < 0 ? -errno : write_all(fd, hash, strlen(hash));
    return e < 0 ? err_set(err, e, BLAME_HOST, "PACKAGES", "%s: %s", path, strerror(-e)) : 0;
}

static void unmark(struct service *v, const char *name, const char *word)
{
    char path[PATH_MAX];
    mark_path(v, name, word, path);
    (void)unlink(path);
}

static int remove_here(struct service *v, const char *name, const char *owner, const char *word, struct error *err)
{
    const int e = package_remove(&v->first_policies->level[0].config, v->paths, name, owner, err);
    if (e == 0 || e == -ENOENT)
        unmark(v, name, word);
    return e == -ENOENT ? 0 : e;
}

/* --- bringing ------------------------------------------------------------------------------------------------- */

/* The tar into a file without a name; *ret_hash and *ret_size are of that file. -> its descriptor. */
static int pack(struct service *v, int tree, char ret_hash[static DIGEST_HEX_SIZE], uint64_t *ret_size,
                struct error *err)
{
    struct tar_out *t = NULL;
    struct digest d;
    uint8_t bytes[DIGEST_SIZE];
    char *piece = malloc(PIECE);
    cleanup(closep) int fd = open(v->places.state_dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int e = !piece ? -ENOMEM : fd < 0 ? -errno : tar_out_begin(tree, ".", UINT64_MAX, &t);
    ssize_t n = 0;
    sha256_begin(&d);
    *ret_size = 0;
    while (e == 0 && (n = tar_out_read(t, piece, PIECE)) > 0) {
        sha256_add(&d, piece, (size_t)n);
        *ret_size += (uint64_t)n;
        e = write_all(fd, piece, (size_t)n);
    }
    sha256_end(&d, bytes);
    sha256_hex(bytes, ret_hash);
    (void)tar_out_free(t);
    free(piece);
    e = e < 0 ? e : n < 0 ? (int)n : 0;
    return e < 0 ? err_set(err, e, BLAME_HOST, "PACKAGES", "pack a package set: %s", strerror(-e)) : TAKE_FD(fd);
}

static int bring_tree(struct service *v, int store, const char *hash, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], path[80], of_file[DIGEST_HEX_SIZE];
    uint64_t size;
    tree_key(hash, key);
    int e = content_has(v->content, key, err);
    if (e)
        return MIN_OF(e, 0);
    (void)snprintf(path, sizeof path, "trees/%s", hash);
    cleanup(closep) int tree = openat(store, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (tree < 0 || flock(tree, LOCK_SH | LOCK_NB) < 0)
        return err_set(err, -errno, BLAME_US, "PACKAGES", "packages/%s: %m", path);
    cleanup(closep) int fd = pack(v, tree, of_file, &size, err);
    return fd < 0 ? fd : content_put_file(v->content, key, fd, size, of_file, err);
}

struct others {
    const char *own; /* the key of this owner */
    bool are_there;
};

static bool is_other(void *context, const char *key)
{
    struct others *o = context;
    o->are_there |= !str_eq(key, o->own);
    return !o->are_there;
}

/* Another owner was first: a name is one owner's. */
static int give_up(struct service *v, const char *name, const char *owner, const char *word, struct error *err)
{
    struct error why = { 0 };
    (void)err_set(&why, -EACCES, BLAME_POLICY, "PACKAGES",
                  "packages %s: another owner's build on another node was first", name);
    (void)err_remedy(&why, "build one of your own, by another name");
    service_log(v, LOG_WARN, "%s; that of %s goes", why.text, owner);
    package_builds_lost(v->packages, name, owner, &why);
    return remove_here(v, name, owner, word, err);
}

static int bring_set(struct service *v, int store, const char *name, const char *word, const char *key,
                     const struct set *here, struct error *err)
{
    char prefix[CONTENT_KEY_MAX + 1];
    struct others o = { key, false };
    struct set there;
    (void)snprintf(prefix, sizeof prefix, "sets/%.64s/", name);
    int e = content_each(v->content, prefix, is_other, &o, err);
    if (e == 0 && o.are_there)
        return give_up(v, name, here->brief.owner, word, err);
    if (e < 0)
        return e;
    e = read_there(v->content, key, &there, err);
    const bool is_damaged = e == -EBADMSG; /* for ever, so it is written anew */
    e = is_damaged ? 0 : e;
    const bool is_newer = e == 0 && !is_damaged && there.created_ms > here->created_ms;
    if (e == 1 && is_marked(v, name, word, here)) {
        e = remove_here(v, name, here->brief.owner, word, err);
    } else if (e >= 0 && !is_newer) {
        e = bring_tree(v, store, here->brief.tree, err);
        if (e == 0)
            e = content_put(v->content, key, here->text.data, here->text.size, err);
        if (e == 0) /* another node may have taken it for one that no set names */
            e = bring_tree(v, store, here->brief.tree, err);
        if (e == 0)
            e = mark(v, name, word, here, err);
    }
    set_done(&there);
    return MIN_OF(e, 0);
}

struct listing {
    struct buf text; /* words, each with a NUL behind it */
};

static bool add_key(void *context, const char *key)
{
    struct listing *l = context;
    (void)buf_add(&l->text, key, strlen(key) + 1);
    return !l->text.failed;
}

static int list_keys(struct content *c, const char *prefix, struct listing *ret, struct error *err)
{
    buf_init(&ret->text, 64 * MIB);
    const int e = content_each(c, prefix, add_key, ret, err);
    return e < 0              ? e
           : ret->text.failed ? err_set(err, -ENOMEM, BLAME_HOST, "PACKAGES", "no memory for the list of %s", prefix)
                              : 0;
}

#define EACH_KEY(key, l)                                                                            \
    for (const char *key = (l)->text.data; (l)->text.size && key < (l)->text.data + (l)->text.size; \
         key += strlen(key) + 1)

/* Trees that were there before all sets were read, and that none of these names. While a set is damaged, whatever it
 * names, all stay: that stops nothing else. */
static int collect(struct service *v, struct error *err)
{
    struct content *c = v->content;
    bool is_damaged = false;
    struct listing trees, sets = { 0 };
    struct buf named;
    int e = list_keys(c, "trees/", &trees, err);
    if (e == 0)
        e = list_keys(c, "sets/", &sets, err);
    buf_init(&named, 64 * MIB);
    EACH_KEY(key, &sets)
    {
        struct set s;
        if (e < 0 || is_damaged)
            continue;
        e = read_there(c, key, &s, err);
        is_damaged = e == -EBADMSG;
        if (is_damaged)
            service_log(v, LOG_WARN, "content.place: trees that no set names stay: %s", err->text);
        else if (e == 0)
            (void)buf_addf(&named, "trees/%s\n", s.brief.tree);
        set_done(&s);
        e = e == 1 || is_damaged ? 0 : e;
    }
    EACH_KEY(key, &trees)
    {
        if (e == 0 && !is_damaged && !named.failed && !(named.data && strstr(named.data, key)))
            e = content_remove(c, key, err);
    }
    buf_done(&named);
    buf_done(&trees.text);
    buf_done(&sets.text);
    return e;
}

int package_share_bring(struct service *v, const char *name, const char *owner, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], word[DIGEST_HEX_SIZE] = "";
    struct set here;
    if (!package_name_is_accepted(name))
        return err_set(err, -EINVAL, BLAME_US, "PACKAGES", "no name of a set");
    cleanup(closep) int store = package_store_open(v->places.state_dir, err);
    int e = store < 0 ? store : read_here(store, name, &here, err);
    if (store < 0)
        return e;
    set_key(name, owner, key);
    if (e == 0)
        owner_word(here.brief.owner, word);
    if (e == 0 && str_eq(word, owner)) {
        e = bring_set(v, store, name, word, key, &here, err);
    } else if (e >= 0) {
        e = content_remove(v->content, key, err);
    }
    if (e == 0) /* also what the set was before */
        e = collect(v, err);
    set_done(&here);
    return e;
}

/* --- following ------------------------------------------------------------------------------------------------ */

static int feed(struct tar_in *t, int fd)
{
    char *piece = malloc(PIECE);
    ssize_t n = 0;
    int e = piece ? 0 : -ENOMEM;
    while (e == 0 && (n = read(fd, piece, PIECE)) > 0)
        e = tar_in_feed(t, piece, (size_t)n);
    free(piece);
    return e < 0 ? e : n < 0 ? -errno : tar_in_end(t);
}

/* Into place/raw, then as a builder would have left it into place/tree. */
static int unpack(struct service *v, int place, int fd, const char *hash, struct error *err)
{
    const uint64_t max_bytes = v->first_policies->level[0].config.packages.max_size;
    const struct tar_in_limits limits = { .max_bytes = max_bytes, .max_entries = PACKAGE_TREE_MAX_ENTRIES };
    struct tar_in *t = NULL;
    struct package_tree tree;
    int e = lseek(fd, 0, SEEK_SET) < 0 ? -errno : tar_in_begin(place, "raw", &limits, &t);
    if (e == 0)
        e = feed(t, fd);
    (void)tar_in_free(t);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "PACKAGES", "unpack the package set %s: %s", hash, tar_words(e));
    if (mkdirat(place, "tree", 0755) < 0 || fchmodat(place, "tree", 0755, 0) < 0)
        return err_set(err, -errno, BLAME_HOST, "PACKAGES", "make a tree: %m");
    cleanup(closep) int from = openat(place, "raw", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    cleanup(closep) int to = openat(place, "tree", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (from < 0 || to < 0)
        return err_set(err, -errno, BLAME_HOST, "PACKAGES", "open a tree: %m");
    e = package_tree_copy(from, to, max_bytes, &tree, err);
    if (e == 0 && !str_eq(tree.hash, hash)) {
        e = err_set(err, -EBADMSG, BLAME_HOST, "PACKAGES", "the tree %s in content.place is another", hash);
        (void)err_remedy(err, "build the set again");
    }
    if (e < 0)
        err->blame = BLAME_HOST;
    return e;
}

/* -> building/HASH.new, locked: what a killed service leaves goes with the next build. */
static int make_place(int store, const char *hash, char ret_name[static 96], struct error *err)
{
    (void)snprintf(ret_name, 96, "building/%s.new", hash);
    (void)wfile_remove(store, ret_name);
    cleanup(closep) int fd = mkdirat(store, ret_name, 0700) < 0
                                 ? -1
                                 : openat(store, ret_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, -errno, BLAME_HOST, "PACKAGES", "make packages/%s: %m", ret_name);
    return TAKE_FD(fd);
}

/* A tree that is here: its descriptor, which holds it (packages/store.h); -ENOENT. */
static int hold(int store, const char *path)
{
    struct stat st, again;
    cleanup(closep) int fd = openat(store, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    const bool is_held = flock(fd, LOCK_SH | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
                         fstatat(store, path, &again, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == again.st_ino;
    return is_held ? TAKE_FD(fd) : -ENOENT;
}

/* -> as hold() */
static int fetch_tree(struct service *v, int store, const char *hash, struct error *err)
{
    char key[CONTENT_KEY_MAX + 1], name[96], path[80], from[112];
    (void)snprintf(path, sizeof path, "trees/%s", hash);
    int held = hold(store, path);
    if (held != -ENOENT)
        return held < 0 ? err_set(err, held, BLAME_HOST, "PACKAGES", "packages/%s: %s", path, strerror(-held)) : held;
    cleanup(closep) int fd = open(v->places.state_dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set(err, -errno, BLAME_HOST, "PACKAGES", "a file in the state directory: %m");
    tree_key(hash, key);
    const uint64_t max = v->first_policies->level[0].config.packages.max_size + PACKAGE_TREE_MAX_ENTRIES * ENTRY_ROOM;
    int e = content_get_any(v->content, key, MIN_OF(max, (uint64_t)CONTENT_FILE_MAX), fd, err);
    cleanup(closep) int place = e < 0 ? -1 : make_place(store, hash, name, err);
    if (e == 0)
        e = place < 0 ? place : unpack(v, place, fd, hash, err);
    (void)snprintf(from, sizeof from, "%s/tree", name);
    if (e == 0 && syncfs(place) < 0)
        e = err_set(err, -errno, BLAME_HOST, "PACKAGES", "bring the set to the disk: %m");
    if (e == 0 && (held = hold(store, from)) < 0)
        e = err_set(err, held, BLAME_HOST, "PACKAGES", "hold the tree: %s", strerror(-held));
    if (e == 0 && renameat2(store, from, store, path, RENAME_NOREPLACE) < 0)
        e = err_set(err, -errno, BLAME_HOST, "PACKAGES", "give the tree its place: %m");
    if (place >= 0)
        (void)wfile_remove(store, name);
    if (e == 0)
        return held;
    closep(&held);
    return e;
}

static bool is_same_text(const struct set *a, const struct set *b)
{
    return a->text.size == b->text.size && (!a->text.size || memcmp(a->text.data, b->text.data, a->text.size) == 0);
}

/* With the store's lock, which a build takes to put its set here: one may have ended since `seen` was read, and another
 * owner's at that. Then the set stays, and the next one that asks follows anew. */
static int check_again(int store, const char *name, const struct set *seen, struct error *err)
{
    struct set now;
    int e = read_here(store, name, &now, err);
    if (e >= 0 && !is_same_text(&now, seen))
        e = err_set(err, -EBUSY, BLAME_HOST, "PACKAGES", "packages %s: the set was built here just now", name);
    set_done(&now);
    return MIN_OF(e, 0);
}

/* No tree goes that is held. seen: what was here. */
static int take_over(struct service *v, int store, const char *name, const char *word, const struct set *seen,
                     const struct set *there, struct error *err)
{
    (void)pthread_mutex_lock(&v->packages_lock);
    cleanup(closep) int held = fetch_tree(v, store, there->brief.tree, err);
    cleanup(closep) int lock = held < 0 ? -1 : package_store_lock(store, true, err);
    int e = held < 0 ? held : lock < 0 ? lock : check_again(store, name, seen, err);
    if (e == 0)
        e = package_set_write(store, name, &there->text, err);
    if (e == 0)
        e = mark(v, name, word, there, err);
    (void)pthread_mutex_unlock(&v->packages_lock);
    return e;
}

static int follow(struct service *v, int store, const char *name, const char *owner, const char *word,
                  struct error *err)
{
    char key[CONTENT_KEY_MAX + 1];
    struct set here, there = { 0 };
    const bool waits = mirror_has_package(v->mirror, name, word); /* before the store is asked */
    set_key(name, word, key);
    int e = read_here(store, name, &here, err);
    const bool is_here = e == 0 && str_eq(here.brief.owner, owner);
    const bool is_anothers = e == 0 && !is_here;
    if (e >= 0)
        e = read_there(v->content, key, &there, err);
    const bool is_same = e == 0 && is_here && is_same_text(&here, &there);
    /* built here and not brought yet, or removed here */
    const bool is_ours = is_here ? !is_marked(v, name, word, &here) && (e == 1 || here.created_ms >= there.created_ms)
                                 : waits && !is_anothers;
    if (e == 0 && is_anothers)
        e = err_set(err, -EACCES, BLAME_POLICY, "PACKAGES",
                    "packages %s: the set belongs to another owner on this node", name);
    else if (e == 0 && !is_same && !is_ours)
        e = str_eq(there.brief.owner, owner)
                ? take_over(v, store, name, word, &here, &there, err)
                : err_set(err, -EBADMSG, BLAME_HOST, "PACKAGES", "%s names another owner", key);
    else if (e == 1 && is_here && !is_ours)
        e = remove_here(v, name, owner, word, err);
    set_done(&here);
    set_done(&there);
    return e == -ENOENT ? 0 : MIN_OF(e, 0);
}

int package_share_follow(struct service *v, const char *name, const char *owner, struct error *err)
{
    char word[DIGEST_HEX_SIZE];
    if (!v->content || !package_name_is_accepted(name) || !str_starts(owner, "key:"))
        return 0;
    cleanup(closep) int store = package_store_open(v->places.state_dir, err);
    owner_word(owner, word);
    return store < 0 ? store : follow(v, store, name, owner, word, err);
}

int package_share_each(struct service *v, const char *owner,
                       void (*each)(void *context, const char *name, const struct buf *text), void *context,
                       struct error *err)
{
    char word[DIGEST_HEX_SIZE] = "";
    struct listing keys = { 0 };
    int e = v->content ? list_keys(v->content, "sets/", &keys, err) : 0;
    if (owner)
        owner_word(owner, word);
    EACH_KEY(key, &keys)
    {
        char name[PACKAGE_NAME_MAX + 1];
        struct set s;
        const char *begin = key + strlen("sets/"), *end = strchr(begin, '/');
        if (e < 0 || !end || (owner && !str_eq(end + 1, word)))
            continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)MIN_OF((size_t)(end - begin), sizeof name - 1), begin);
        e = read_there(v->content, key, &s, err);
        if (e == 0)
            each(context, name, &s.text);
        e = MIN_OF(e, 0);
        set_done(&s);
    }
    buf_done(&keys.text);
    return e;
}

/* --- telling -------------------------------------------------------------------------------------------------- */

void package_share_tell(struct service *v, const char *name, const char *owner)
{
    char word[DIGEST_HEX_SIZE];
    if (!v->content)
        return;
    owner_word(owner, word);
    unmark(v, name, word);
    mirror_package(v->mirror, name, word);
}

bool package_share_waits(struct service *v, const char *name, const char *owner)
{
    char word[DIGEST_HEX_SIZE];
    owner_word(owner, word);
    return mirror_has_package(v->mirror, name, word);
}

struct looking {
    struct service *service;
    int store;
    bool follows;
    struct error *err;
};

/* Its tree may be gone from the store: another node took it for one that no set names just when this one was brought.
 */
static int heal(struct service *v, int store, const char *name, const char *word, struct error *err)
{
    struct set s;
    int e = read_here(store, name, &s, err);
    if (e == 0 && is_marked(v, name, word, &s))
        e = bring_tree(v, store, s.brief.tree, err);
    set_done(&s);
    return MIN_OF(e, 0);
}

static bool look_at(void *context, const char *name)
{
    const struct looking *l = context;
    struct set s;
    struct error ignored = { 0 };
    char word[DIGEST_HEX_SIZE];
    if (read_here(l->store, name, &s, &ignored) == 0 && str_starts(s.brief.owner, "key:")) {
        owner_word(s.brief.owner, word);
        const bool was_there = is_marked(l->service, name, word, &s);
        if (!was_there && !l->follows)
            mirror_package(l->service->mirror, name, word);
        else if (was_there && l->follows && package_share_follow(l->service, name, s.brief.owner, l->err) == 0)
            (void)heal(l->service, l->store, name, word, l->err);
    }
    set_done(&s);
    return !l->err->code;
}

static int look_at_all(struct service *v, bool follows, struct error *err)
{
    cleanup(closep) int store = package_store_open(v->places.state_dir, err);
    struct looking l = { v, store, follows, err };
    const int e = store < 0 ? store : package_sets_each(store, look_at, &l, err);
    return e < 0 ? e : err->code;
}

void package_share_tell_all(struct service *v)
{
    struct error ignored = { 0 };
    (void)look_at_all(v, false, &ignored);
}

int package_share_sweep(struct service *v, struct error *err)
{
    return look_at_all(v, true, err);
}
