#include "audit/index.h"

#include <fcntl.h>
#include <sys/stat.h>
#include "audit/dir.h"
#include "audit/head.h"

#define VERSION_WORDS   0x31584449u /* "IDX1" */
#define VERSION_RUNS    0x314e5552u /* "RUN1" */
#define MAX_BLOCK_BYTES (64u * MIB)
#define WRITER_BYTES    (8u * MIB) /* more than that at once would hold up a run */

const char *const index_endings[INDEX_COUNT] = { "idx", "run" };

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

uint32_t index_hash(enum index_kind kind, struct slice escaped)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)kind;
    for (uint32_t i = 0; i < escaped.size; i++)
        h = (h ^ (unsigned char)escaped.p[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

/* Four connections: 80 MB of records are checked in a search of ten million lines. */
static uint64_t check_of(const struct index_record *r)
{
    uint64_t connection[4] = { 1, 2, 3, 4 }, h = 0;
    const char *p = (const char *)r->id;
    static_assert(sizeof r->id % 32 == 0 && sizeof r->hash + sizeof r->place == sizeof r->id,
                  "the entries are one run of whole words");
    for (size_t i = 0; i < sizeof r->id; i += 32) {
        uint64_t v[4];
        memcpy(v, p + i, sizeof v);
        for (size_t k = 0; k < 4; k++)
            connection[k] = (connection[k] ^ v[k]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    for (size_t k = 0; k < 4; k++)
        h = mix(h, connection[k]);
    h = mix(mix(mix(h, r->offset), r->first_sequence), (uint64_t)r->bytes << 32 | r->lines);
    h = mix(h, r->file_id);
    return mix(mix(mix(h, (uint64_t)r->entries << 32 | r->version), r->min_ms), r->max_ms);
}

uint64_t index_file_id(int file)
{
    char text[AUDIT_LINE_MAX];
    ssize_t n = pread(file, text, sizeof text, 0);
    const char *newline = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a: against a mix-up, not an attack */
    for (const char *p = text; newline && p < newline; p++)
        h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return h;
}

void index_begin(struct index_builder *b, enum index_of of, uint64_t offset, uint64_t file_id)
{
    memset(b, 0, sizeof *b);
    b->of = of;
    b->r.offset = b->until = offset;
    b->r.file_id = file_id;
    b->r.version = of == INDEX_OF_RUNS ? VERSION_RUNS : VERSION_WORDS;
    b->r.min_ms = UINT64_MAX;
}

static void add_entry(struct index_record *r, enum index_kind kind, struct slice word, uint32_t place)
{
    if (!word.p)
        return;
    r->hash[r->entries] = index_hash(kind, word);
    r->place[r->entries++] = place;
}

static bool has_id(const struct index_record *r, uint32_t hash)
{
    uint32_t found = 0; /* without a branch: the compiler makes vectors of it */
    for (uint32_t i = 0; i < r->entries; i++)
        found |= r->id[i] == hash;
    return found;
}

/* A run's lines are mostly neighbours. */
static void add_id(struct index_record *r, struct slice word)
{
    const uint32_t hash = word.p ? index_hash(INDEX_RUN, word) : 0;
    if (word.p && !has_id(r, hash))
        r->id[r->entries++] = hash;
}

static bool is_full(const struct index_builder *b, const struct raw_line *raw, const struct audit_line *l)
{
    const struct index_record *r = &b->r;
    const bool is_runs = b->of == INDEX_OF_RUNS;
    const uint32_t words = l ? (l->agent.p != NULL) + (l->rule.p != NULL) : 0;
    return r->lines == (is_runs ? RUN_LINES : INDEX_LINES) ||
           (is_runs ? r->entries == INDEX_IDS : r->entries + words > INDEX_LINES) ||
           r->bytes + raw->bytes > MAX_BLOCK_BYTES;
}

bool index_add(struct index_builder *b, const struct raw_line *raw, const struct audit_line *l)
{
    struct index_record *r = &b->r;
    if (r->lines && is_full(b, raw, l))
        return false;
    if (l && b->of == INDEX_OF_RUNS) {
        add_id(r, l->execution);
    } else if (l) {
        uint32_t place = (uint32_t)(raw->offset - r->offset);
        add_entry(r, INDEX_AGENT, l->agent, place);
        add_entry(r, INDEX_RULE, l->rule, place);
    }
    if (l) {
        r->min_ms = MIN_OF(r->min_ms, l->time_ms);
        r->max_ms = MAX_OF(r->max_ms, l->time_ms);
        if (!r->first_sequence)
            r->first_sequence = l->sequence;
    }
    r->lines++;
    r->bytes += (uint32_t)MIN_OF(raw->bytes,
                                 UINT64_C(0xF0000000)); /* a run of junk so long makes the index useless, not wrong */
    b->until = raw->offset + raw->bytes;
    return true;
}

const struct index_record *index_finish(struct index_builder *b)
{
    if (!b->r.lines)
        return NULL;
    b->r.check = check_of(&b->r);
    return &b->r;
}

bool index_is_valid(const struct index_record *r, enum index_of of, uint64_t file_id, uint64_t offset,
                    uint64_t file_size)
{
    const bool is_runs = of == INDEX_OF_RUNS;
    return r->version == (is_runs ? VERSION_RUNS : VERSION_WORDS) && r->file_id == file_id && r->offset == offset &&
           r->bytes && r->entries <= (is_runs ? INDEX_IDS : INDEX_LINES) &&
           r->bytes <= file_size - MIN_OF(offset, file_size) && r->check == check_of(r);
}

static int write_record(int index, struct index_builder *b)
{
    if (!index_finish(b))
        return 0;
    ssize_t n = write(index, &b->r, sizeof b->r);
    return n == (ssize_t)sizeof b->r ? 0 : n < 0 ? -errno : -ENOSPC;
}

static int extend(int file, int index, enum index_of of, uint64_t offset, uint64_t size, bool takes_all)
{
    struct reader r;
    struct raw_line raw;
    struct audit_line l;
    struct index_builder *b = malloc(sizeof *b);
    int e = b ? reader_init(&r, file, offset, size) : -ENOMEM;
    if (e < 0) {
        free(b);
        return e;
    }
    const uint64_t id = index_file_id(file);
    index_begin(b, of, offset, id);
    while (e == 0 && reader_next(&r, &raw) && raw.has_newline) {
        const struct audit_line *line = audit_line_read(raw.p, raw.size, &l) == 0 ? &l : NULL;
        if (index_add(b, &raw, line))
            continue;
        if ((e = write_record(index, b)) < 0)
            break;
        index_begin(b, of, raw.offset, id);
        (void)index_add(b, &raw, line); /* an empty block takes any line */
    }
    if (e == 0)
        e = r.fault;
    if (e == 0 && takes_all)
        e = write_record(index, b);
    reader_done(&r);
    free(b);
    return e;
}

/* Where the index ends; -errno when it is none that could be gone on with. */
static int end_of(int index, enum index_of of, int file, uint64_t file_size, uint64_t *ret)
{
    struct index_record *last;
    struct stat st;
    *ret = 0;
    if (fstat(index, &st) < 0)
        return -errno;
    off_t extra = st.st_size % (off_t)sizeof *last, whole = st.st_size - extra;
    if (extra && ftruncate(index, whole) < 0) /* a writer was killed in the middle */
        return -errno;
    if (!whole)
        return 0;
    if (!(last = malloc(sizeof *last)))
        return -ENOMEM;
    ssize_t n = pread(index, last, sizeof *last, whole - (off_t)sizeof *last);
    bool ok = n == (ssize_t)sizeof *last && index_is_valid(last, of, index_file_id(file), last->offset, file_size);
    if (ok)
        *ret = last->offset + last->bytes;
    free(last);
    return ok ? 0 : -EBADMSG;
}

int index_extend_at(int dir, const char *name, enum index_of of, int file, uint64_t size, uint64_t most, bool takes_all)
{
    uint64_t from;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dir);
    cleanup(closep) int index = openat(dir, name, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                                       0600);
    if (index < 0)
        return -errno;
    int e = end_of(index, of, file, size, &from);
    if (e == -EBADMSG) { /* of another file, or damaged: from the beginning */
        e = ftruncate(index, 0) < 0 ? -errno : 0;
        from = 0;
    }
    if (e == 0 && size - from > most)
        return -EFBIG;
    return e == 0 ? extend(file, index, of, from, size, takes_all) : e;
}

/* What it cannot do, search does. */
void index_extend_current(struct audit *a, bool is_closed)
{
    const uint64_t last = a->head.indexed_sequence, now = a->head.sequence;
    if (now - last <= INDEX_LINES && !is_closed)
        return;
    a->head.indexed_sequence = now; /* whatever comes of it: not again before as many lines */
    (void)index_extend_at(a->dir_fd, "audit.idx", INDEX_OF_WORDS, a->fd, a->head.offset, WRITER_BYTES, is_closed);
    if (now / RUN_LINES != last / RUN_LINES || is_closed)
        (void)index_extend_at(a->dir_fd, "audit.run", INDEX_OF_RUNS, a->fd, a->head.offset, WRITER_BYTES, true);
    (void)head_write(a->head_fd, &a->head);
}
