/* What is written, and in which order. The head moves after each line: a process killed between the two leaves a head
 * that is one line behind, which the next writer sees by the file's size. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include "audit/chain.h"
#include "audit/compose.h"
#include "audit/dir.h"
#include "audit/files.h"
#include "audit/head.h"
#include "audit/index.h"
#include "audit/internal.h"
#include "audit/key.h"
#include "audit/tree.h"

static int write_line(struct audit *a, bool is_behind_cut, const struct buf *line, struct error *err)
{
    char end[] = AUDIT_CUT_END;
    const struct iovec parts[] = { { end, is_behind_cut ? strlen(end) : 0 }, { line->data, line->size } };
    ssize_t n;
    do
        n = writev(a->fd, parts, ARRAY_LEN(parts));
    while (n < 0 && errno == EINTR);
    if (n == (ssize_t)(parts[0].iov_len + line->size))
        return 0;
    const int e = n < 0 ? -errno : -ENOSPC;
    /* cut short: it stays there, and the next writer says so. But what was cut before, and is ended now, nothing would
     * account for */
    if (n > 0 && is_behind_cut)
        (void)!ftruncate(a->fd, (off_t)(a->head.offset - strlen(end)));
    return audit_fail(a, e, "write", err);
}

/* What it cannot take now, tree_update() adds: the lines are there. Its file is not held open: a command line may have
 * few descriptors. */
void audit_grow_tree(struct audit *a)
{
    struct audit_leaves *l = &a->leaves;
    cleanup(closep) int fd = l->count ? tree_open(a->dir_fd, true) : -1;
    if (fd >= 0)
        (void)tree_append(fd, l->first, (const struct tree_hash *)(const void *)l->hashes, l->count);
    l->count = 0;
}

static void add_leaf(struct audit *a, const struct buf *line)
{
    struct audit_leaves *l = &a->leaves;
    struct tree_hash leaf;
    tree_leaf(line->data, line->size - 1, &leaf);
    if (l->count && l->first + l->count != a->head.sequence - 1) /* another process has written meanwhile */
        audit_grow_tree(a);
    if (!l->count)
        l->first = a->head.sequence - 1;
    memcpy(l->hashes[l->count++], leaf.bytes, sizeof leaf.bytes);
    if (l->count >= MIN_OF(l->batch, AUDIT_TREE_BATCH))
        audit_grow_tree(a);
}

static int append(struct audit *a, bool is_behind_cut, const struct audit_event *e, struct error *err)
{
    struct buf *line = &a->line;
    char hash[AUDIT_HASH_SIZE];
    line->size = 0;
    line->failed = false;
    int r = compose_line(line, e, a->head.sequence + 1, err);
    if (r == 0) {
        chain_seal(line, a->head.hash, hash);
        r = line->failed ? audit_fail(a, -EMSGSIZE, "compose a line for", err)
                         : write_line(a, is_behind_cut, line, err);
    }
    if (r == 0) {
        a->head.sequence++;
        a->head.offset += line->size;
        memcpy(a->head.hash, hash, sizeof hash);
        a->is_behind = true;
        r = head_write(a->head_fd, &a->head);
        if (r < 0)
            r = audit_fail(a, r, "write the head of", err);
        add_leaf(a, line);
    }
    return r;
}

int audit_append(struct audit *a, const struct audit_event *e, struct error *err)
{
    return append(a, false, e, err);
}

int audit_append_behind(struct audit *a, const struct audit_event *e, struct error *err)
{
    return append(a, true, e, err);
}

int audit_sign(struct audit *a, struct error *err)
{
    struct audit_key key;
    struct buf text;
    char hex[129], public[65], extra[600], message[80];
    int r = key_load(a->key_dir_fd, a->key_dir, &key, err);
    if (r < 0)
        return r;
    const uint64_t signs = a->head.sequence;
    buf_init(&text, 512);
    key_audit_text(&text, signs, a->head.hash, a->sign_every);
    key_sign(&key, text.data, text.size, hex);
    hex_write(key.public, sizeof key.public, public);
    key_done(&key);
    buf_done(&text);
    (void)snprintf(extra, sizeof extra,
                   "\"chain\":{\"signed_sequence\":%llu,\"signed_hash\":\"%s\",\"next_within\":%u,\"public_key\":\"%"
                   "s\",\"signature\":\"%s\"}",
                   (unsigned long long)signs, a->head.hash, a->sign_every, public, hex);
    (void)snprintf(message, sizeof message, "signed up to line %llu", (unsigned long long)signs);
    const struct audit_event e = {
        .action = "audit-signed", .category = "process", .type = "info", .message = message, .extra = extra
    };
    r = audit_append(a, &e, err);
    if (r == 0) {
        a->head.signed_sequence = signs;
        a->head.sign_due = a->head.sequence + a->sign_every;
        r = head_write(a->head_fd, &a->head);
    }
    return r;
}

int audit_begin(struct audit *a, struct error *err)
{
    struct audit_key key;
    struct stat st;
    char public[65], extra[400];
    int r = key_load(a->key_dir_fd, a->key_dir, &key, err);
    if (r < 0)
        return r;
    hex_write(key.public, sizeof key.public, public);
    key_done(&key);
    if (fstat(a->fd, &st) < 0)
        return audit_fail(a, -errno, "look at", err);
    a->head.offset = 0;
    a->head.indexed_sequence = a->head.sequence;
    a->head.first = a->head.sequence + 1;
    a->head.file_dev = st.st_dev;
    a->head.file_ino = st.st_ino;
    (void)snprintf(extra, sizeof extra, "\"chain\":{\"previous_hash\":\"%s\",\"public_key\":\"%s\"}", a->head.hash,
                   public);
    const bool is_new = a->head.sequence == 0;
    const struct audit_event e = { .action = is_new ? "audit-opened" : "audit-continued",
                                   .type = "start",
                                   .message = is_new ? "the audit begins" : "the audit goes on in this file",
                                   .extra = extra };
    r = audit_append(a, &e, err);
    return r < 0 ? r : audit_sign(a, err);
}

/* What cannot be moved search makes again. */
static void rotate_indexes(struct audit *a, const char *name)
{
    index_extend_current(a, true);
    for (size_t of = 0; of < INDEX_COUNT; of++) {
        char from[FILES_NAME_SIZE], to[FILES_NAME_SIZE];
        files_index_name("audit.jsonl", index_endings[of], from);
        files_index_name(name, index_endings[of], to);
        if (renameat(a->dir_fd, from, a->dir_fd, to) < 0 && errno != ENOENT)
            (void)unlinkat(a->dir_fd, from, 0);
    }
}

/* A signature closes the old file. What is written is on the disk before the name changes, since a later sync only
 * looks at the current file. */
int audit_rotate(struct audit *a, struct error *err)
{
    char name[FILES_NAME_SIZE];
    int r = audit_sign(a, err);
    if (r < 0)
        return r;
    if (a->sync != AUDIT_SYNC_OS && fdatasync(a->fd) < 0)
        return audit_fail(a, -errno, "sync", err);
    cleanup(dir_leave) struct dir_visit visit = dir_enter(a->dir_fd);
    files_rotated_name(a->head.first, name);
    rotate_indexes(a, name);
    if (faccessat(a->dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        (void)audit_fail(a, -EEXIST, "rotate", err);
        (void)err_remedy(err, "%s/%s is in the way: move it elsewhere", a->dir, name);
        return -EEXIST;
    }
    if (renameat(a->dir_fd, "audit.jsonl", a->dir_fd, name) < 0)
        return audit_fail(a, -errno, "rotate", err);
    closep(&a->fd);
    r = audit_open_file(a, true, err);
    if (r == 0)
        r = audit_begin(a, err);
    if (r == 0 && a->sync != AUDIT_SYNC_OS && (fdatasync(a->fd) < 0 || fsync(a->dir_fd) < 0))
        r = audit_fail(a, -errno, "sync", err);
    return r;
}
