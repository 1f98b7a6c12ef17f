/* The head and the file disagree. Five stories, told apart here:
 *
 *   file longer, valid lines follow          a writer died between line and head: take them in, silently
 *   file longer, something else follows      a line was cut short (crash, full disk) or bytes were put there: they
 * stay, ended, and an audit-repaired line holds their place, number and hash file shorter, or another one, or none
 * lines are gone. The chain goes on from the *head*, so that verify shows the gap for ever, and an alert says so here
 * and now no head                                  state directory lost: taken from the last line, and said no file,
 * but the rotated one is whole    a writer died while rotating: finish that, silently
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/chain.h"
#include "audit/dir.h"
#include "audit/files.h"
#include "audit/head.h"
#include "audit/internal.h"
#include "audit/line.h"
#include "audit/reader.h"

struct trailer { /* bytes at the end of the file that are no line of the chain */
    uint64_t offset, bytes;
};

int audit_open_file(struct audit *a, bool create, struct error *err)
{
    struct stat st;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(a->dir_fd);
    closep(&a->fd);
    a->fd = openat(a->dir_fd, "audit.jsonl",
                   O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (create ? O_CREAT : 0), 0600);
    if (a->fd < 0 && errno == ENOENT && !create)
        return 1;
    if (a->fd < 0) {
        int e = -errno;
        (void)audit_fail(a, e, "open", err);
        return e == -ELOOP ? err_remedy(err, "a symbolic link is never followed here: remove it") : e;
    }
    if (fstat(a->fd, &st) < 0)
        return audit_fail(a, -errno, "look at", err);
    if (S_ISREG(st.st_mode) && dir_owns(a->dir_fd, &st) && st.st_nlink == 1 && !(st.st_mode & 077))
        return 0;
    (void)err_set(err, -EPERM, BLAME_HOST, "AUDIT",
                  "%s is not a file that only we can write (owner %u, mode %04o, %u names)", a->path,
                  (unsigned)st.st_uid, (unsigned)(st.st_mode & 07777), (unsigned)st.st_nlink);
    closep(&a->fd);
    return err_remedy(err,
                      "chown it to the user who runs sandbox-agent and chmod 600, after finding out who made it so");
}

/* A line of the chain becomes the head. */
static void take_line(struct audit *a, const struct raw_line *raw, const struct audit_line *l, const char *hash)
{
    a->head.sequence = l->sequence;
    a->head.offset = raw->offset + raw->bytes;
    memcpy(a->head.hash, hash, 64);
    a->head.hash[64] = '\0';
    if (slice_is(l->action, "audit-signed")) {
        a->head.signed_sequence = l->chain.signed_sequence;
        a->head.sign_due = l->sequence + MIN_OF(l->chain.next_within, UINT64_C(1000000));
    }
}

static bool continues(const struct audit *a, const struct raw_line *raw, struct audit_line *l, const char **hash)
{
    size_t body;
    char expected[AUDIT_HASH_SIZE];
    if (!raw->is_whole || !chain_split(raw->p, raw->size, &body, hash) || audit_line_read(raw->p, raw->size, l) < 0 ||
        l->sequence != a->head.sequence + 1)
        return false;
    chain_hash(a->head.hash, raw->p, body, expected);
    return memcmp(expected, *hash, 64) == 0;
}

/* Reads on from the head: lines that continue the chain are taken in; what is left behind the last of them is the
 * trailer. */
static int absorb(struct audit *a, uint64_t size, struct trailer *ret)
{
    struct reader r;
    struct raw_line raw;
    struct audit_line l;
    const char *hash;
    int e = reader_init(&r, a->fd, a->head.offset, size);
    while (e == 0 && reader_next(&r, &raw))
        if (continues(a, &raw, &l, &hash))
            take_line(a, &raw, &l, hash);
    if (e == 0)
        e = r.fault;
    reader_done(&r);
    *ret = (struct trailer){ a->head.offset, size - a->head.offset };
    return e;
}

/* Without a head to start from: the last line that has the form of one, near the end. False: there is none. */
static bool adopt_last(struct audit *a, int fd, uint64_t size, struct trailer *ret)
{
    struct reader r;
    struct raw_line raw;
    struct audit_line l;
    const char *hash;
    size_t body;
    bool found = false;
    uint64_t from = size > 4 * AUDIT_LINE_MAX ? size - 4 * AUDIT_LINE_MAX : 0;
    if (reader_init(&r, fd, from, size) < 0)
        return false;
    while (reader_next(&r, &raw))
        if (raw.is_whole && chain_split(raw.p, raw.size, &body, &hash) && audit_line_read(raw.p, raw.size, &l) == 0 &&
            l.has_sequence) {
            take_line(a, &raw, &l, hash);
            found = true;
        }
    reader_done(&r);
    if (found)
        *ret = (struct trailer){ a->head.offset, size - a->head.offset };
    return found;
}

static bool read_first(int fd, struct audit_line *l, char *text /* AUDIT_LINE_MAX */)
{
    struct reader r;
    struct raw_line raw;
    if (reader_init(&r, fd, 0, UINT64_MAX) < 0)
        return false;
    bool ok = reader_next(&r, &raw) && raw.is_whole;
    if (ok) {
        memcpy(text, raw.p, raw.size); /* the slices of l borrow */
        ok = audit_line_read(text, raw.size, l) == 0 && l->has_sequence;
    }
    reader_done(&r);
    return ok;
}

/* The trailer stays where it is, made a line of its own; the next line tells about it. `what` is the alert's text. */
static int tell(struct audit *a, struct trailer t, const char *what, struct error *err)
{
    char extra[240] = "", hash[AUDIT_HASH_SIZE], last = '\n';
    if (t.bytes) {
        if (pread(a->fd, &last, 1, (off_t)(t.offset + t.bytes - 1)) != 1)
            return audit_fail(a, -EIO, "read", err);
        const char *end = last == '\n' ? "" : AUDIT_CUT_END;
        t.bytes += strlen(end);
        int e = reader_hash(a->fd, t.offset, t.bytes, end, hash);
        if (e < 0)
            return audit_fail(a, e, "read", err);
        (void)snprintf(extra, sizeof extra,
                       "\"chain\":{\"repair_offset\":%llu,\"repair_bytes\":%llu,\"repair_hash\":\"%s\"}",
                       (unsigned long long)t.offset, (unsigned long long)t.bytes, hash);
    }
    a->head.offset = t.offset + t.bytes;
    const struct audit_event e = { .action = "audit-repaired",
                                   .kind = "alert",
                                   .category = "intrusion_detection",
                                   .type = "info",
                                   .message = what,
                                   .extra = extra };
    return last == '\n' ? audit_append(a, &e, err) : audit_append_behind(a, &e, err);
}

/* Where the last whole line ends: what is behind it was cut. */
static int end_of_lines(int fd, uint64_t size, struct trailer *ret)
{
    struct reader r;
    struct raw_line raw = { 0 };
    int e = reader_init(&r, fd, size > 2 * AUDIT_LINE_MAX ? size - 2 * AUDIT_LINE_MAX : 0, size);
    *ret = (struct trailer){ size, 0 };
    while (e == 0 && reader_next(&r, &raw))
        if (!raw.has_newline)
            *ret = (struct trailer){ raw.offset, raw.bytes };
    if (e == 0)
        e = r.fault;
    reader_done(&r);
    return e;
}

static int adopt_newest_rotated(struct audit *a)
{
    struct audit_files files;
    struct trailer t;
    bool found = false;
    if (files_list(a->dir, true, &files, NULL) < 0)
        return 0;
    for (size_t i = files.count; i && !found; i--) {
        cleanup(closep) int fd = files.list[i - 1].first == UINT64_MAX ? -1 : files_open(&files, i - 1);
        found = fd >= 0 && adopt_last(a, fd, files.list[i - 1].size, &t);
    }
    files_done(&files);
    return found;
}

static bool is_rotated_whole(const struct audit *a)
{
    char name[FILES_NAME_SIZE];
    struct stat st;
    files_rotated_name(a->head.first, name);
    return fstatat(a->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && (uint64_t)st.st_size >= a->head.offset &&
           st.st_ino == a->head.file_ino;
}

/* There is no file, or an empty one. */
static int begin_anew(struct audit *a, bool has_head, struct error *err)
{
    char what[200] = "";
    if (has_head && a->head.sequence && !is_rotated_whole(a)) {
        (void)snprintf(what, sizeof what, "audit.jsonl with lines %llu to %llu was gone",
                       (unsigned long long)a->head.first, (unsigned long long)a->head.sequence);
    } else if (!has_head) {
        a->head = (struct audit_head){ 0 };
        memcpy(a->head.hash, chain_zero, sizeof chain_zero);
        if (adopt_newest_rotated(a))
            (void)snprintf(what, sizeof what,
                           "the head in the state directory was gone: line %llu of the last file was taken for it",
                           (unsigned long long)a->head.sequence);
    }
    int e = audit_begin(a, err);
    return e == 0 && what[0] ? tell(a, (struct trailer){ a->head.offset, 0 }, what, err) : e;
}

/* The head's line is still where it was, in a file that has been rotated since: nothing is lost between it and this
 * file. */
static bool is_head_in_rotated(const struct audit *a)
{
    char name[FILES_NAME_SIZE], tail[CHAIN_TAIL_SIZE + 1], expected[CHAIN_TAIL_SIZE + 2];
    files_rotated_name(a->head.first, name);
    cleanup(closep) int fd = openat(a->dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    (void)snprintf(expected, sizeof expected, CHAIN_TAIL_BEGIN "%.64s" CHAIN_TAIL_END "\n", a->head.hash);
    return fd >= 0 && a->head.offset >= sizeof tail &&
           pread(fd, tail, sizeof tail, (off_t)(a->head.offset - sizeof tail)) == (ssize_t)sizeof tail &&
           memcmp(tail, expected, sizeof tail) == 0;
}

/* The head is missing or damaged, or of a file that this one does not follow. Only a head that has nothing to lose
 * gives way to the file: otherwise another file put here would make the lines before it forgotten. */
static int start_from_file(struct audit *a, bool has_head, uint64_t size, const struct stat *st, struct error *err)
{
    struct trailer t = { 0, size };
    struct audit_line first;
    char text[AUDIT_LINE_MAX], what[200];
    const struct audit_head old = a->head;
    const bool may_adopt = !has_head || is_head_in_rotated(a);
    a->head = (struct audit_head){ .file_dev = st->st_dev, .file_ino = st->st_ino };
    memcpy(a->head.hash, chain_zero, sizeof chain_zero);
    if (may_adopt && adopt_last(a, a->fd, size, &t)) {
        a->head.first = read_first(a->fd, &first, text) ? first.sequence : a->head.sequence + 1;
        (void)snprintf(what, sizeof what,
                       "the head in the state directory was %s: line %llu of the file was taken for the last",
                       has_head ? "of another file" : "gone", (unsigned long long)a->head.sequence);
    } else if (has_head) {
        a->head.sequence = old.sequence;
        memcpy(a->head.hash, old.hash, sizeof old.hash);
        a->head.first = old.sequence + 1;
        (void)snprintf(what, sizeof what, "another file was in the place of the audit, whose last line was %llu",
                       (unsigned long long)old.sequence);
        int e = end_of_lines(a->fd, size, &t);
        if (e < 0)
            return audit_fail(a, e, "read", err);
    } else {
        a->head.first = 1; /* no line at all in what is there: the chain begins behind it */
        (void)snprintf(what, sizeof what, "there was a file without a line of the audit in its place");
    }
    a->head.indexed_sequence = a->head.sequence;
    int e = tell(a, t, what, err);
    return e < 0 ? e : audit_sign(a, err);
}

/* Another inode than the head's: a restored copy of the same file, or one that a process with another state directory
 * began. */
static bool follow_file(struct audit *a, const struct stat *st)
{
    struct audit_line first;
    char text[AUDIT_LINE_MAX];
    if (!read_first(a->fd, &first, text))
        return false;
    if (first.sequence == a->head.sequence + 1 && slice_is(first.chain.previous_hash, a->head.hash))
        a->head.offset = 0;
    else if (first.sequence != a->head.first)
        return false;
    a->head.first = first.sequence;
    a->head.file_dev = st->st_dev;
    a->head.file_ino = st->st_ino;
    return true;
}

static int truncated(struct audit *a, uint64_t size, struct error *err)
{
    struct trailer t;
    char what[200];
    int e = end_of_lines(a->fd, size, &t);
    if (e < 0)
        return audit_fail(a, e, "read", err);
    (void)snprintf(what, sizeof what,
                   "%llu bytes were gone from the end of the file: it ended at %llu, line %llu had ended at %llu",
                   (unsigned long long)(a->head.offset - size), (unsigned long long)size,
                   (unsigned long long)a->head.sequence, (unsigned long long)a->head.offset);
    return tell(a, t, what, err);
}

static int reconcile(struct audit *a, bool has_head, const struct stat *st, struct error *err)
{
    struct trailer t;
    const uint64_t size = (uint64_t)st->st_size;
    char what[120];
    if (size == 0)
        return begin_anew(a, has_head, err);
    if (!has_head)
        return start_from_file(a, false, size, st, err);
    if ((st->st_ino != a->head.file_ino || st->st_dev != a->head.file_dev) && !follow_file(a, st))
        return start_from_file(a, true, size, st, err);
    if (size < a->head.offset)
        return truncated(a, size, err);
    if (size == a->head.offset)
        return 0;
    int e = absorb(a, size, &t);
    if (e < 0)
        return audit_fail(a, e, "read", err);
    (void)snprintf(what, sizeof what, "%llu bytes behind line %llu were no line of the audit",
                   (unsigned long long)t.bytes, (unsigned long long)a->head.sequence);
    e = t.bytes ? tell(a, t, what, err) : head_write(a->head_fd, &a->head);
    return e;
}

int audit_refresh(struct audit *a, struct error *err)
{
    struct stat st, ours;
    int e = head_read(a->head_fd, &a->head);
    if (e < 0)
        return audit_fail(a, e, "read the head of", err);
    const bool has_head = e == 1;
    bool is_there = fstatat(a->dir_fd, "audit.jsonl", &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (!is_there || a->fd < 0 || fstat(a->fd, &ours) < 0 || ours.st_ino != st.st_ino || ours.st_dev != st.st_dev) {
        if ((e = audit_open_file(a, true, err)) < 0)
            return e;
        if (fstat(a->fd, &st) < 0)
            return audit_fail(a, -errno, "look at", err);
    }
    /* fast path: everything is as the last writer left it */
    if (has_head && st.st_size && (uint64_t)st.st_size == a->head.offset && st.st_ino == a->head.file_ino &&
        st.st_dev == a->head.file_dev)
        return 0;
    return reconcile(a, has_head, &st, err);
}
