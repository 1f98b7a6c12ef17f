/* The file of the tree: hashes in the order in which they become known. Behind leaf n stand the nodes that it
 * completes, so that node i of a level has one place for ever, whatever comes later. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/dir.h"
#include "audit/files.h"
#include "audit/line.h"
#include "audit/reader.h"
#include "audit/tree.h"

#define HASH             sizeof(struct tree_hash)
#define BATCH_LINES      4096u
#define LOCK_PATIENCE_MS 10000u
#define TRIES            4u /* while other processes replace the tree */

/* Where node n of a level is, in hashes. */
static uint64_t place(unsigned level, uint64_t n)
{
    const unsigned up = level;
    for (; level; level--)
        n = 2 * n + 1;
    uint64_t at = up;
    for (; n; n >>= 1)
        at += n;
    return at;
}

/* How many hashes n leaves have. */
static uint64_t hashes_of(uint64_t n)
{
    return 2 * n - (uint64_t)__builtin_popcountll(n);
}

#define TREE  "audit.tree"
#define ASIDE "audit.tree.new" /* being made in its place; one that was left is begun anew */

static int open_named(int audit_dir, const char *name, bool may_create)
{
    struct stat st;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(audit_dir);
    int fd = openat(audit_dir, name, (may_create ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                    0600);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (!may_create || dir_owns(audit_dir, &st)))
        return fd;
    (void)close(fd);
    return -EPERM;
}

int tree_open(int audit_dir, bool may_create)
{
    return open_named(audit_dir, TREE, may_create);
}

int tree_count(int fd, uint64_t *ret)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    const uint64_t hashes = (uint64_t)st.st_size / HASH;
    uint64_t n = hashes / 2;
    while (hashes_of(n + 1) <= hashes)
        n++;
    *ret = n;
    return 0;
}

static int read_node(int fd, unsigned level, uint64_t n, struct tree_hash *ret)
{
    ssize_t r = pread(fd, ret, HASH, (off_t)(place(level, n) * HASH));
    return r == (ssize_t)HASH ? 0 : r < 0 ? -errno : -ENODATA;
}

int tree_read_leaf(int fd, uint64_t index, struct tree_hash *ret)
{
    return read_node(fd, 0, index, ret);
}

/* The node left of what is made last: in the batch, which is stored from hash `base` on, or in the file. */
static int left_node(int fd, unsigned level, uint64_t n, const struct tree_hash *batch, uint64_t base,
                     struct tree_hash *ret)
{
    const uint64_t at = place(level, n);
    if (at < base)
        return read_node(fd, level, n, ret);
    *ret = batch[at - base];
    return 0;
}

/* How many of them the file has: tree_update() may have been quicker. The last one alone decides, since a line has the
 * hash of the one before it. */
static size_t stored_of(int fd, uint64_t index, uint64_t count, const struct tree_hash *leaves, size_t n)
{
    struct tree_hash stored;
    const size_t have = (size_t)MIN_OF(count - index, (uint64_t)n);
    return have && tree_read_leaf(fd, index + have - 1, &stored) == 0 && memcmp(&stored, &leaves[have - 1], HASH) == 0
               ? have
               : 0;
}

/* Behind the leaves that are there; others from `index` on go. */
static int append_behind(int fd, uint64_t index, const struct tree_hash *leaves, size_t n)
{
    struct tree_hash made[2 * TREE_BATCH + 64], left;
    const uint64_t base = hashes_of(index);
    size_t size = 0;
    int e;
    for (size_t k = 0; k < n; k++) {
        unsigned level = 0;
        made[size++] = leaves[k];
        for (uint64_t i = index + k; i & 1; i >>= 1, level++, size++) {
            if ((e = left_node(fd, level, i - 1, made, base, &left)) < 0)
                return e;
            tree_node(&left, &made[size - 1], &made[size]);
        }
    }
    ssize_t r = pwrite(fd, made, size * HASH, (off_t)(base * HASH));
    return r == (ssize_t)(size * HASH) ? 0 : r < 0 ? -errno : -ENOSPC;
}

int tree_append(int fd, uint64_t index, const struct tree_hash *leaves, size_t n)
{
    uint64_t count;
    int e = n > TREE_BATCH ? -E2BIG : tree_count(fd, &count);
    if (e < 0 || index > count)
        return e < 0 ? e : -EAGAIN;
    const size_t have = stored_of(fd, index, count, leaves, n);
    if (have == n)
        return 0;
    if (index + have < count && ftruncate(fd, (off_t)(hashes_of(index + have) * HASH)) < 0)
        return -errno;
    return append_behind(fd, index + have, leaves + have, n - have);
}

/* --- roots and proofs: RFC 6962, 2.1, by its own recursion ---------------------------------------------- */

/* The largest power of two below n, n > 1. */
static uint64_t split(uint64_t n)
{
    return UINT64_C(1) << (63 - __builtin_clzll(n - 1));
}

/* Of leaves from..to, which begin where a tree of the whole has them. */
static int range(int fd, uint64_t from, uint64_t to, struct tree_hash *ret)
{
    const uint64_t n = to - from;
    struct tree_hash left, right;
    if (!n) {
        tree_front_root(&(struct tree_front){ 0 }, ret);
        return 0;
    }
    if (!(n & (n - 1)))
        return read_node(fd, (unsigned)__builtin_ctzll(n), from / n, ret);
    int e = range(fd, from, from + split(n), &left);
    if (e == 0)
        e = range(fd, from + split(n), to, &right);
    if (e == 0)
        tree_node(&left, &right, ret);
    return e;
}

int tree_root(int fd, uint64_t size, struct tree_hash *ret)
{
    return range(fd, 0, size, ret);
}

static int add(int fd, uint64_t from, uint64_t to, struct tree_proof *ret)
{
    if (ret->count == TREE_PROOF_MAX)
        return -E2BIG;
    return range(fd, from, to, &ret->list[ret->count++]);
}

/* SUBPROOF(m, D[from:to], is_own): the first m leaves of it are the old tree's. */
static int subproof(int fd, uint64_t m, uint64_t from, uint64_t to, bool is_own, struct tree_proof *ret)
{
    const uint64_t n = to - from;
    if (m == n)
        return is_own ? 0 : add(fd, from, to, ret);
    const uint64_t k = split(n);
    int e = m <= k ? subproof(fd, m, from, from + k, is_own, ret) : subproof(fd, m - k, from + k, to, false, ret);
    if (e == 0)
        e = m <= k ? add(fd, from + k, to, ret) : add(fd, from, from + k, ret);
    return e;
}

int tree_consistency(int fd, uint64_t old, uint64_t size, struct tree_proof *ret)
{
    ret->count = 0;
    if (old > size)
        return -EINVAL;
    return !old || old == size ? 0 : subproof(fd, old, 0, size, true, ret);
}

static int path(int fd, uint64_t m, uint64_t from, uint64_t to, struct tree_proof *ret)
{
    const uint64_t n = to - from;
    if (n == 1)
        return 0;
    const uint64_t k = split(n);
    int e = m < k ? path(fd, m, from, from + k, ret) : path(fd, m - k, from + k, to, ret);
    if (e == 0)
        e = m < k ? add(fd, from + k, to, ret) : add(fd, from, from + k, ret);
    return e;
}

int tree_inclusion(int fd, uint64_t index, uint64_t size, struct tree_proof *ret)
{
    ret->count = 0;
    return index < size ? path(fd, index, 0, size, ret) : -EINVAL;
}

/* --- catching up ---------------------------------------------------------------------------------------- */

struct update {
    int dir_fd, lock_fd, fd;
    uint64_t count;    /* leaves that are there */
    unsigned in_batch; /* lines since the lock was taken */
    bool is_checked;   /* the last leaf is that of its line */
    bool is_stale;     /* it is not: the lines were written anew */
    bool is_last;      /* writers wait until this pass is over */
};

static int lock_file(int fd)
{
    struct timespec pause = { .tv_nsec = 1000000 };
    for (unsigned waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; waited++) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || waited > LOCK_PATIENCE_MS)
            return errno == EWOULDBLOCK ? -ETIMEDOUT : -errno;
        (void)nanosleep(&pause, NULL);
    }
    return 0;
}

static int take_lock(struct update *u)
{
    int e = lock_file(u->lock_fd);
    u->in_batch = 0;
    return e < 0 ? e : tree_count(u->fd, &u->count); /* a writer may have gone on meanwhile */
}

/* Lets writers in now and then. */
static int breathe(struct update *u)
{
    if (u->is_last || ++u->in_batch < BATCH_LINES)
        return 0;
    (void)flock(u->lock_fd, LOCK_UN);
    return take_lock(u);
}

static int take_line(struct update *u, const struct raw_line *raw, uint64_t sequence)
{
    struct tree_hash leaf, stored;
    if (sequence < u->count || (sequence == u->count && u->is_checked))
        return breathe(u);
    tree_leaf(raw->p, raw->size, &leaf);
    if (sequence == u->count) {
        int e = tree_read_leaf(u->fd, sequence - 1, &stored);
        u->is_checked = true;
        u->is_stale = e == 0 && memcmp(&stored, &leaf, HASH) != 0;
        return u->is_stale ? -ESTALE : e;
    }
    int e = tree_append(u->fd, sequence - 1, &leaf, 1);
    if (e == 0) {
        u->count = sequence;
        u->is_checked = true;
    }
    return e == -EAGAIN ? -ENODATA : e < 0 ? e : breathe(u);
}

static int take_file(struct update *u, int fd, uint64_t size)
{
    struct reader r;
    struct raw_line raw;
    int e = reader_init(&r, fd, 0, size);
    while (e == 0 && reader_next(&r, &raw)) {
        struct audit_line l;
        size_t body;
        const char *hash;
        if (raw.is_whole && chain_split(raw.p, raw.size, &body, &hash) && audit_line_read(raw.p, raw.size, &l) == 0 &&
            l.has_sequence && l.sequence)
            e = take_line(u, &raw, l.sequence);
    }
    if (e == 0)
        e = r.fault;
    reader_done(&r);
    return e;
}

/* Files are listed with the lock held; lines that come while it is not are taken in by their writers. */
static int take_files(struct update *u, const char *dir, struct error *err)
{
    struct audit_files files;
    int e = files_list(dir, true, &files, err);
    if (e < 0)
        return e;
    for (size_t i = 0; e == 0 && i < files.count; i++) {
        const bool is_before = i + 1 < files.count && files.list[i + 1].first != UINT64_MAX &&
                               files.list[i + 1].first <= u->count;
        cleanup(closep) int fd = is_before ? -1 : files_open(&files, i);
        if (!is_before)
            e = fd < 0 ? fd : take_file(u, fd, files.list[i].size);
    }
    files_done(&files);
    return e;
}

static bool is_named(int dir_fd, const char *name, int fd)
{
    struct stat st, there;
    return fstat(fd, &st) == 0 && fstatat(dir_fd, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           st.st_dev == there.st_dev && st.st_ino == there.st_ino;
}

/* In the place of the old one, which holds as long as lines are missing or the disk is full. Names are the owner's. */
static int replace(const struct update *u)
{
    cleanup(dir_leave) struct dir_visit visit = dir_enter(u->dir_fd);
    return renameat(u->dir_fd, ASIDE, u->dir_fd, TREE) < 0 ? -errno : 0;
}

/* Writers add to the old tree meanwhile: what came is taken in by a second pass, for which they wait. */
static int fill_aside(struct update *u, const char *dir, struct error *err)
{
    int e = ftruncate(u->fd, 0) < 0 ? -errno : take_lock(u);
    if (e == 0)
        e = take_files(u, dir, err);
    u->is_last = true;
    u->is_checked = false;
    if (e == 0)
        e = take_files(u, dir, err);
    return e == 0 ? replace(u) : e;
}

/* From the first line on, in a file aside. -EAGAIN: another process has just replaced the tree. On success *old_fd is
 * the new tree, and old->count its leaves. */
static int rebuild(struct update *old, int *old_fd, const char *dir, struct error *err)
{
    cleanup(closep) int fd = open_named(old->dir_fd, ASIDE, true);
    struct update u = { .dir_fd = old->dir_fd, .lock_fd = old->lock_fd, .fd = fd };
    int e = fd < 0 ? fd : lock_file(fd); /* one at a time */
    if (e < 0)
        return e;
    e = is_named(u.dir_fd, ASIDE, fd) && is_named(u.dir_fd, TREE, *old_fd) ? fill_aside(&u, dir, err) : -EAGAIN;
    if (e < 0 && is_named(u.dir_fd, ASIDE, fd)) {
        cleanup(dir_leave) struct dir_visit visit = dir_enter(u.dir_fd);
        (void)unlinkat(u.dir_fd, ASIDE, 0);
    }
    (void)flock(u.lock_fd, LOCK_UN);
    if (e == 0) {
        (void)flock(fd, LOCK_UN); /* the descriptor lives on */
        closep(old_fd);
        *old_fd = TAKE_FD(fd);
        old->count = u.count;
    }
    return e;
}

static int update(struct update *u, int *fd, const char *dir, struct error *err)
{
    *fd = u->fd = tree_open(u->dir_fd, true);
    int e = *fd < 0 ? *fd : take_lock(u);
    if (e == 0)
        e = take_files(u, dir, err);
    (void)flock(u->lock_fd, LOCK_UN);
    if (e == -ESTALE && u->is_stale)
        e = rebuild(u, fd, dir, err);
    return e;
}

int tree_update(const char *dir, int *ret_fd, uint64_t *ret_count, struct error *err)
{
    struct update u = { .lock_fd = -1, .fd = -1 };
    cleanup(closep) int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int e = dir_fd < 0 ? -errno : 0;
    cleanup(closep) int lock = e < 0 ? -1 : openat(dir_fd, "audit.lock", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (e == 0 && lock < 0)
        e = -errno;
    cleanup(closep) int fd = -1;
    for (unsigned tries = 0; e == 0 || (e == -EAGAIN && tries < TRIES); tries++) {
        closep(&fd);
        u = (struct update){ .dir_fd = dir_fd, .lock_fd = lock };
        if ((e = update(&u, &fd, dir, err)) == 0)
            break;
    }
    if (e == 0) {
        *ret_count = u.count;
        *ret_fd = TAKE_FD(fd);
        return 0;
    }
    if (e == -ENODATA) {
        (void)err_set(err, e, BLAME_HOST, "AUDIT", "the tree over %s ends with line %llu: the next one is not here",
                      dir, (unsigned long long)u.count);
        return err_remedy(err,
                          "`audit verify` names what is missing; put archived files back, or audit.tree as it was");
    }
    return err->code ? err->code : err_set(err, e, BLAME_HOST, "AUDIT", "the tree over %s: %s", dir, strerror(-e));
}
