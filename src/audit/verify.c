/* One pass over all lines. What is known between two lines: the number and hash that the next one has to continue, when
 * the next signature has to come, and whether bytes that are no line wait for the audit-repaired that accounts for
 * them.
 *
 * After a problem the walk goes on from what the file says, so that one changed line is one problem and not a thousand.
 */
#include "audit/verify.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/chain.h"
#include "audit/files.h"
#include "audit/head.h"
#include "audit/key.h"
#include "audit/line.h"
#include "audit/reader.h"

#define SIGN_SLACK 8u /* lines by which a signature may be late: alerts of a repair come in between */

struct walk {
    const struct verify_options *o;
    verify_tell *tell;
    void *context;
    struct verify_result *ret;
    struct verify_options known; /* the keys */
    const char *file;
    int fd;
    uint64_t line;     /* in the file */
    uint64_t expected; /* 0: whatever comes */
    char previous[AUDIT_HASH_SIZE];
    bool knows_previous;
    uint64_t sign_due;
    struct {
        uint64_t line, offset, bytes; /* bytes 0: none */
        bool is_cut;                  /* without a newline at its end */
    } junk;
    bool is_last_file;
    uint64_t tail_bytes; /* of a line that a writer had begun when it was killed */
    struct audit_head head;
    bool has_head;
    struct tree_front tree;        /* of the lines so far, where a witness is asked */
    size_t compared;               /* of what witnesses saw */
    char at_head[AUDIT_HASH_SIZE]; /* hash of the line that the head says was the last */
};

static void PRINTF_LIKE(4, 5) say(struct walk *w, uint64_t line, uint64_t sequence, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    w->ret->problems++;
    w->tell(w->context, &(struct verify_problem){ w->file, line, sequence, text, false });
}

static void PRINTF_LIKE(4, 5) note(struct walk *w, uint64_t line, uint64_t sequence, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    w->ret->notes++;
    w->tell(w->context, &(struct verify_problem){ w->file, line, sequence, text, true });
}

static bool is_over(const struct walk *w)
{
    return w->o->is_over && *w->o->is_over;
}

/* --- bytes that are no line -------------------------------------------------------------------- */

static void add_junk(struct walk *w, const struct raw_line *raw)
{
    if (!w->junk.bytes) {
        w->junk.line = w->line;
        w->junk.offset = raw->offset;
    }
    w->junk.bytes += raw->bytes;
    w->junk.is_cut = !raw->has_newline;
}

/* A writer killed in the middle of a line: the kernel stops at a page's border. Nothing is missing, and the next writer
 * tells. */
static bool is_unfinished(const struct walk *w)
{
    return w->is_last_file && w->has_head && w->junk.is_cut && w->junk.bytes < AUDIT_LINE_MAX &&
           w->junk.offset >= w->head.offset && w->expected > w->head.sequence;
}

static void end_junk(struct walk *w, const struct audit_line *next)
{
    char hash[AUDIT_HASH_SIZE];
    if (!w->junk.bytes) {
        if (next && next->chain.repair_hash.p)
            say(w, w->line, next->sequence,
                "speaks of a repair, and before it there is nothing that was repaired: bytes were removed");
        return;
    }
    bool is_told = next && slice_is(next->action, "audit-repaired") && next->chain.repair_offset == w->junk.offset &&
                   next->chain.repair_bytes == w->junk.bytes &&
                   reader_hash(w->fd, w->junk.offset, w->junk.bytes, "", hash) == 0 &&
                   slice_is(next->chain.repair_hash, hash);
    if (is_told) {
        w->ret->repairs++;
        note(w, w->junk.line, 0,
             "%llu bytes are no line of the audit; line %llu accounts for them, they are as they were then",
             (unsigned long long)w->junk.bytes, (unsigned long long)next->sequence);
    } else if (!next && is_unfinished(w)) {
        w->tail_bytes = w->junk.bytes;
        note(w, w->junk.line, 0, "%llu bytes of a line that was never finished: the next writer accounts for them",
             (unsigned long long)w->junk.bytes);
    } else {
        say(w, w->junk.line, 0, "%llu bytes are no line of the audit: a line was damaged, or something was inserted",
            (unsigned long long)w->junk.bytes);
    }
    w->junk.bytes = 0;
}

/* --- signatures ---------------------------------------------------------------------------------- */

static bool is_known_key(const struct walk *w, const uint8_t key[static 32])
{
    for (size_t i = 0; i < w->known.key_count; i++)
        if (memcmp(w->known.keys[i], key, 32) == 0)
            return true;
    return false;
}

/* `previous` and the number are those of the line before: what the signature has to be about. */
static void check_signature(struct walk *w, const struct audit_line *l)
{
    uint8_t key[32];
    struct buf text;
    w->ret->signatures++;
    if (l->chain.signature.size != 128 || l->chain.public_key.size != 64 || l->chain.signed_hash.size != 64 ||
        hex_read(l->chain.public_key.p, key, 32) < 0) {
        say(w, w->line, l->sequence, "is no signature");
        return;
    }
    if (l->chain.signed_sequence + 1 != l->sequence ||
        (w->knows_previous && !slice_is(l->chain.signed_hash, w->previous))) {
        say(w, w->line, l->sequence, "the signature is of another line than the one before it");
        return;
    }
    if (!is_known_key(w, key)) {
        if (w->known.key_count)
            say(w, w->line, l->sequence, "signed with the unknown key %.64s", l->chain.public_key.p);
        return; /* no key at all is told once, at the end */
    }
    buf_init(&text, 512);
    key_audit_text(&text, l->chain.signed_sequence, l->chain.signed_hash.p, l->chain.next_within);
    if (!key_verify(key, text.data, text.size, l->chain.signature.p)) {
        say(w, w->line, l->sequence, "the signature is wrong: this line or one before it was written without the key");
    } else {
        w->ret->signed_sequence = l->chain.signed_sequence;
        w->sign_due = l->sequence + MIN_OF(l->chain.next_within, UINT64_C(1000000)) + SIGN_SLACK;
    }
    buf_done(&text);
}

static void check_due(struct walk *w, const struct audit_line *l)
{
    if (l->sequence <= w->sign_due)
        return;
    say(w, w->line, l->sequence, "a signature was due before this line, and there is none");
    w->sign_due = UINT64_MAX; /* told */
}

/* --- the chain ----------------------------------------------------------------------------------- */

/* The first line of a file tells what it continues. */
static void check_first(struct walk *w, const struct audit_line *l)
{
    if (!l->chain.previous_hash.p || l->chain.previous_hash.size != 64) {
        say(w, w->line, l->sequence,
            "the file does not begin with a line that says what it continues: its beginning is missing");
        return;
    }
    if (w->knows_previous && w->expected == l->sequence) {
        if (!slice_is(l->chain.previous_hash, w->previous))
            say(w, w->line, l->sequence, "continues another file than the one before it");
        return;
    }
    memcpy(w->previous, l->chain.previous_hash.p, 64); /* a gap, told elsewhere: at least this line can be checked */
    w->knows_previous = true;
}

static void check_line(struct walk *w, const struct audit_line *l, const char *line, size_t body, const char *hash)
{
    char computed[AUDIT_HASH_SIZE];
    const uint64_t expected = w->expected;
    if (expected && l->sequence < expected) {
        say(w, w->line, l->sequence, "out of order: number %llu where %llu was due (repeated, inserted or moved)",
            (unsigned long long)l->sequence, (unsigned long long)expected);
        return; /* the walk goes on as if it were not there */
    }
    bool is_gap = expected && l->sequence > expected;
    if (is_gap) {
        say(w, w->line, l->sequence, "%llu line%s missing before this one: number%s %llu to %llu",
            (unsigned long long)(l->sequence - expected), l->sequence - expected == 1 ? " is" : "s are",
            l->sequence - expected == 1 ? "" : "s", (unsigned long long)expected,
            (unsigned long long)(l->sequence - 1));
        w->knows_previous = false;
        w->sign_due = UINT64_MAX; /* told already, in a way */
    }
    if (w->line == 1)
        check_first(w, l);
    if (w->knows_previous) {
        chain_hash(w->previous, line, body, computed);
        if (memcmp(computed, hash, 64) != 0)
            say(w, w->line, l->sequence, "was changed, or the line before it was: its hash does not fit");
    }
    check_due(w, l);
    if (slice_is(l->action, "audit-signed"))
        check_signature(w, l);
    memcpy(w->previous, hash, 64);
    w->previous[64] = '\0';
    w->knows_previous = true;
    w->expected = l->sequence + 1;
    if (!w->ret->first_sequence)
        w->ret->first_sequence = l->sequence;
    w->ret->last_sequence = l->sequence;
    if (w->has_head && l->sequence == w->head.sequence)
        memcpy(w->at_head, w->previous, sizeof w->at_head);
}

/* --- the witness ------------------------------------------------------------------------------------ */

/* A holder of the key can write another history, chained and signed. What a witness has signed it cannot fit. */
static void compare(struct walk *w)
{
    struct tree_hash root;
    for (; w->compared < w->o->witnessed_count && w->o->witnessed[w->compared].size <= w->tree.count; w->compared++) {
        const struct checkpoint *c = &w->o->witnessed[w->compared];
        tree_front_root(&w->tree, &root);
        if (c->size == w->tree.count && c->size && memcmp(&root, &c->root, sizeof root) != 0)
            say(w, 0, 0, "the first %llu lines are not those that the witness saw: history was written anew",
                (unsigned long long)c->size);
    }
}

static void add_leaf(struct walk *w, const struct tree_hash *leaf)
{
    tree_front_add(&w->tree, leaf);
    compare(w);
}

/* Lines that are archived elsewhere, of which the tree's file has the leaves: other ones fit no witness either. */
static void add_archived(struct walk *w, uint64_t count)
{
    struct tree_hash leaf;
    cleanup(closep) int dir = open(w->o->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cleanup(closep) int fd = dir < 0 ? -1 : tree_open(dir, false);
    for (uint64_t i = 0; fd >= 0 && i < count && tree_read_leaf(fd, i, &leaf) == 0; i++)
        add_leaf(w, &leaf);
}

static void grow(struct walk *w, const struct raw_line *raw, const struct audit_line *l)
{
    struct tree_hash leaf;
    if (w->compared == w->o->witnessed_count)
        return;
    if (!w->tree.count && l->sequence > 1 && !w->o->file && l->sequence <= w->o->first)
        add_archived(w, l->sequence - 1);
    if (l->sequence != w->tree.count + 1)
        return;
    tree_leaf(raw->p, raw->size, &leaf);
    add_leaf(w, &leaf);
}

static void check_witness(struct walk *w)
{
    if (w->compared < w->o->witnessed_count)
        say(w, 0, 0, "the witness saw %llu lines, and the first %llu of them are here",
            (unsigned long long)w->o->witnessed[w->o->witnessed_count - 1].size, (unsigned long long)w->tree.count);
}

static int walk_file(struct walk *w, int fd, const char *name, uint64_t size, struct error *err)
{
    struct reader r;
    struct raw_line raw;
    int e = reader_init(&r, fd, 0, size);
    w->file = name;
    w->fd = fd;
    w->line = 0;
    w->ret->files++;
    while (e == 0 && !is_over(w) && reader_next(&r, &raw)) {
        struct audit_line l;
        size_t body;
        const char *hash;
        w->line++;
        w->ret->lines++;
        w->ret->bytes += raw.bytes;
        if (raw.is_whole && chain_split(raw.p, raw.size, &body, &hash) && audit_line_read(raw.p, raw.size, &l) == 0 &&
            l.has_sequence && l.sequence) {
            end_junk(w, &l);
            grow(w, &raw, &l);
            check_line(w, &l, raw.p, body, hash);
        } else {
            add_junk(w, &raw);
        }
    }
    if (e == 0)
        e = is_over(w) ? -ECANCELED : r.fault;
    reader_done(&r);
    if (e < 0)
        return err_set(err, e, BLAME_HOST, "AUDIT", "read %s: %s", name, strerror(-e));
    end_junk(w, NULL);
    w->file = NULL;
    return 0;
}

/* --- the end: what the state directory knows ------------------------------------------------------- */

static void check_head(struct walk *w, uint64_t size)
{
    const uint64_t last = w->ret->last_sequence, head = w->head.sequence;
    if (last < head) {
        say(w, 0, 0, "the last line is %llu, the head says %llu: %llu line%s missing at the end",
            (unsigned long long)last, (unsigned long long)head, (unsigned long long)(head - last),
            head - last == 1 ? " is" : "s are");
        return;
    }
    if (w->at_head[0] && memcmp(w->at_head, w->head.hash, 64) != 0)
        say(w, 0, head, "line %llu is not the one that the head knows: the end of the audit was written anew",
            (unsigned long long)head);
    else if (last == head && size - w->tail_bytes != w->head.offset)
        say(w, 0, last, "the last file is %llu bytes long, and the head says %llu", (unsigned long long)size,
            (unsigned long long)w->head.offset);
    else if (last > head)
        note(w, 0, last, "the head is %llu line%s behind: a writer was killed there, or another program wrote them",
             (unsigned long long)(last - head), last - head == 1 ? "" : "s");
}

static int read_state(struct walk *w, const char *dir, struct error *err)
{
    char real[4096], link[48];
    cleanup(closep) int state = w->o->key_dir ? open(w->o->key_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (!w->o->key_dir || (state < 0 && errno == ENOENT))
        return 0;
    if (state < 0)
        return err_set(err, -errno, BLAME_HOST, "AUDIT", "%s: %m", w->o->key_dir);
    if (!w->known.key_count && key_read_public(state, w->known.keys[0]) == 0)
        w->known.key_count = 1;
    cleanup(closep) int d = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", d);
    ssize_t n = d < 0 ? -1 : readlink(link, real, sizeof real - 1);
    if (n < 0)
        return 0;
    real[n] = '\0';
    cleanup(closep) int head = head_open(state, real, false);
    w->has_head = head >= 0 && head_read(head, &w->head) == 1;
    return 0;
}

static int walk_all(struct walk *w, struct error *err)
{
    struct audit_files files;
    uint64_t size = 0;
    cleanup(closep) int d = open(w->o->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (d < 0)
        return err_set(err, -errno, BLAME_HOST, "AUDIT", "%s: %m", w->o->dir);
    cleanup(closep) int lock = files_lock(d); /* so that head and files are of one moment */
    if (lock == -ETIMEDOUT)
        return err_set(err, lock, BLAME_HOST, "AUDIT", "another process has held %s/audit.lock for 5 s", w->o->dir);
    int e = read_state(w, w->o->dir, err);
    if (e == 0)
        e = files_list(w->o->dir, true, &files, err);
    if (e < 0)
        return e;
    closep(&lock);
    for (size_t i = 0; e == 0 && i < files.count; i++) {
        char name[FILES_NAME_SIZE];
        cleanup(closep) int fd = files_open(&files, i);
        if (files.list[i].size ||
            !i) /* a new file without a line: a writer died while rotating, the head is of the one before */
            size = files.list[i].size;
        w->is_last_file = i + 1 == files.count;
        if (fd < 0)
            e = err_set(err, fd, BLAME_HOST, "AUDIT", "%s/%s: %s", w->o->dir, files_name(&files.list[i], name),
                        strerror(-fd));
        else
            e = walk_file(w, fd, files_name(&files.list[i], name), files.list[i].size, err);
    }
    files_done(&files);
    if (e == 0 && w->has_head)
        check_head(w, size);
    else if (e == 0 && w->ret->lines && w->o->key_dir)
        say(w, 0, 0, "the head in the state directory is missing: lines cut off at the end could not be seen");
    return e;
}

static int walk_one(struct walk *w, struct error *err)
{
    struct stat st;
    int e = read_state(w, NULL, err);
    cleanup(closep) int fd = open(w->o->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (e < 0)
        return e;
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return err_set(err, fd < 0 ? -errno : -EINVAL, BLAME_CALLER, NULL, "--file %s: %s", w->o->file,
                       fd < 0 ? strerror(errno) : "not a regular file");
    return walk_file(w, fd, w->o->file, (uint64_t)st.st_size, err);
}

int audit_verify(const struct verify_options *o, verify_tell *tell, void *context, struct verify_result *ret,
                 struct error *err)
{
    struct walk w = { .o = o, .tell = tell, .context = context, .ret = ret, .known = *o, .sign_due = UINT64_MAX };
    *ret = (struct verify_result){ 0 };
    if (!o->file || o->first) {
        w.expected = MAX_OF(o->first, UINT64_C(1));
        memcpy(w.previous, chain_zero, sizeof chain_zero);
        w.knows_previous = w.expected == 1;
    }
    if (w.knows_previous)
        w.sign_due = 2 + SIGN_SLACK;
    int e = o->file ? walk_one(&w, err) : walk_all(&w, err);
    if (e < 0)
        return e;
    check_witness(&w);
    ret->has_head = w.has_head;
    if (!w.known.key_count && ret->lines)
        say(&w, 0, 0,
            "no public key is known: signatures were not checked (--public-key, or audit.pub in the state directory)");
    else if (ret->lines && !ret->signed_sequence)
        say(&w, 0, 0, "there is no valid signature in it");
    return 0;
}
