/* A search reads the index of each file, then those lines that it points to and what it does not cover. With a limit,
 * files, and by the index the blocks in each, are taken from the newest back, until there are enough. */
#include "audit/search.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/dir.h"
#include "audit/files.h"
#include "audit/index.h"
#include "audit/reader.h"
#include "base/clock.h"
#include "base/json.h"

#define RECORDS_AT_ONCE 256u
#define WORTH_AN_INDEX  MIB

struct wanted { /* one condition: a word as it stands in the line */
    struct buf quoted;
    struct slice word; /* quoted without its quotes */
    uint16_t offset;   /* of the slice in struct audit_line */
};

struct kept { /* a hit that waits for its turn */
    struct kept *next;
    size_t size;
    char line[];
};

struct seek {
    const struct search *s;
    search_hit *hit;
    void *context;
    struct search_result *ret;
    struct wanted words[6];
    size_t word_count;
    enum index_of of;
    uint32_t hash;
    bool has_hash, is_enough;
    bool is_by_block; /* whose caller looks at the clock */
    uint32_t lines;   /* until the clock is read again */
    /* with a limit: the last hits of the file in hand */
    uint64_t limit, count;
    struct kept *first, **last;
    int fault;
};

static void want(struct seek *k, const char *word, uint16_t offset)
{
    if (!word)
        return;
    struct wanted *w = &k->words[k->word_count++];
    buf_init(&w->quoted, 64 * KIB);
    json_bytes(&w->quoted, word, strlen(word));
    if (w->quoted.failed)
        k->fault = -ENOMEM;
    else
        w->word = (struct slice){ w->quoted.data + 1, (uint32_t)w->quoted.size - 2 };
    w->offset = offset;
}

/* --- one line -------------------------------------------------------------------------------------- */

static bool has_words(const struct seek *k, const char *line, size_t size)
{
    for (size_t i = 0; i < k->word_count; i++)
        if (!memmem(line, size, k->words[i].quoted.data, k->words[i].quoted.size))
            return false;
    return true;
}

static bool in_time(const struct search *s, uint64_t ms)
{
    return ms >= s->since_ms && (!s->until_ms || ms <= s->until_ms);
}

/* Most lines fall here already: the time stands at the beginning of each. */
static bool may_match(const struct seek *k, const char *line, size_t size)
{
    static const char begin[] = "{\"@timestamp\":\"";
    uint64_t ms;
    if ((k->s->since_ms || k->s->until_ms) && size > sizeof begin + 24 && memcmp(line, begin, sizeof begin - 1) == 0 &&
        audit_time_read(line + sizeof begin - 1, 24, &ms) == 0 && !in_time(k->s, ms))
        return false;
    return has_words(k, line, size);
}

static bool matches(const struct seek *k, const struct audit_line *l)
{
    for (size_t i = 0; i < k->word_count; i++) {
        struct slice have;
        memcpy(&have, (const char *)l + k->words[i].offset, sizeof have);
        if (!have.p || have.size != k->words[i].word.size || memcmp(have.p, k->words[i].word.p, have.size) != 0)
            return false;
    }
    return in_time(k->s, l->time_ms) && (!k->s->after || l->sequence > k->s->after) &&
           (!k->s->before || l->sequence < k->s->before) && (!k->s->is_end || audit_line_is_end(l));
}

#define LINES_PER_LOOK 256u /* at the clock: some tenths of a millisecond */

/* `sequence`: of what would be read next. Behind `after` at least one line is read, so that repeated searches advance.
 */
static void check_deadline(struct seek *k, uint64_t sequence)
{
    k->lines = LINES_PER_LOOK;
    if (k->is_by_block || !k->s->deadline_us || sequence <= k->s->after + 1 || clock_us() < k->s->deadline_us)
        return;
    k->is_enough = k->ret->is_late = true;
    k->ret->resume_after = sequence - 1;
}

static void keep(struct seek *k, const char *line, size_t size)
{
    struct kept *n = malloc(sizeof *n + size);
    if (!n) {
        k->fault = -ENOMEM;
        return;
    }
    n->next = NULL;
    n->size = size;
    memcpy(n->line, line, size);
    *k->last = n;
    k->last = &n->next;
    if (++k->count > k->limit) {
        struct kept *old = k->first;
        k->first = old->next;
        free(old);
        k->count--;
    }
}

static void take(struct seek *k, const char *line, size_t size)
{
    struct audit_line l;
    if (k->lines)
        k->lines--;
    else if (audit_line_read(line, size, &l) == 0)
        check_deadline(k, l.sequence);
    if (k->is_enough || !may_match(k, line, size))
        return;
    if (audit_line_read(line, size, &l) < 0) {
        k->ret->unreadable++;
        return;
    }
    if (!matches(k, &l))
        return;
    if (k->limit) {
        keep(k, line, size);
        return;
    }
    k->ret->found++;
    k->is_enough = !k->hit(k->context, line, size, &l);
}

/* --- one file -------------------------------------------------------------------------------------- */

static void scan_range(struct seek *k, int fd, uint64_t from, uint64_t until)
{
    struct reader r;
    struct raw_line raw;
    int e = reader_init(&r, fd, from, until);
    while (e == 0 && !k->is_enough && !k->fault && reader_next(&r, &raw)) {
        k->ret->bytes_read += raw.bytes;
        if (raw.is_whole)
            take(k, raw.p, raw.size);
        else
            k->ret->unreadable++;
    }
    if (e == 0)
        e = r.fault;
    if (e < 0)
        k->fault = e;
    reader_done(&r);
}

/* The line that an entry points to. False: no line begins there, so the record is not of this file. */
static bool take_at(struct seek *k, int fd, uint64_t at)
{
    char text[AUDIT_LINE_MAX + 1];
    size_t before = at ? 1 : 0, have = 0, want_bytes = 1024;
    const char *newline = NULL;
    while (!newline && have < sizeof text) {
        ssize_t n = pread(fd, text + have, MIN_OF(want_bytes, sizeof text - have), (off_t)(at - before + have));
        if (n <= 0)
            return false;
        size_t from = MAX_OF(have, before);
        have += (size_t)n;
        newline = have > from ? memchr(text + from, '\n', have - from) : NULL;
        want_bytes = sizeof text;
    }
    if (!newline || (before && text[0] != '\n'))
        return false;
    k->ret->bytes_read += (uint64_t)(newline - text);
    take(k, text + before, (size_t)(newline - text) - before);
    return true;
}

/* next: the record behind it, as far as it is known; NULL otherwise. */
static void search_block(struct seek *k, int fd, const struct index_record *r, const struct index_record *next)
{
    if (next && next->first_sequence && next->first_sequence <= k->s->after + 1)
        return; /* all of it lies before */
    if (k->s->before && r->first_sequence >= k->s->before)
        return; /* all of it lies behind */
    if (r->first_sequence)
        check_deadline(k, r->first_sequence);
    if (k->is_enough || !r->first_sequence || r->max_ms < k->s->since_ms ||
        (k->s->until_ms && r->min_ms > k->s->until_ms))
        return; /* first_sequence 0: no line in it */
    if (!k->has_hash) {
        scan_range(k, fd, r->offset, r->offset + r->bytes);
        return;
    }
    if (k->of == INDEX_OF_RUNS) {
        for (uint32_t i = 0; i < r->entries; i++)
            if (r->id[i] == k->hash) {
                scan_range(k, fd, r->offset, r->offset + r->bytes);
                return;
            }
        return;
    }
    for (uint32_t i = 0; i < r->entries && !k->is_enough && !k->fault; i++)
        if (r->hash[i] == k->hash && (r->place[i] >= r->bytes || !take_at(k, fd, r->offset + r->place[i]))) {
            scan_range(k, fd, r->offset,
                       r->offset + r->bytes); /* hits before this one come twice: rather that than never */
            return;
        }
}

/* -> up to where the index could be used */
static uint64_t search_index(struct seek *k, int fd, int index, uint64_t size)
{
    uint64_t until = 0;
    const uint64_t id = index_file_id(fd);
    off_t at = 0;
    struct index_record *records = malloc(RECORDS_AT_ONCE * sizeof *records);
    for (bool ok = records != NULL; ok && !k->is_enough && !k->fault;) {
        ssize_t n = pread(index, records, RECORDS_AT_ONCE * sizeof *records, at);
        ok = n >= (ssize_t)sizeof *records;
        for (size_t i = 0; ok && i < (size_t)n / sizeof *records && !k->is_enough; i++) {
            ok = index_is_valid(&records[i], k->of, id, until, size);
            if (!ok)
                break;
            search_block(k, fd, &records[i], i + 1 < (size_t)n / sizeof *records ? &records[i + 1] : NULL);
            until = records[i].offset + records[i].bytes;
        }
        at += n > 0 ? n - n % (ssize_t)sizeof *records : 0;
    }
    free(records);
    return until;
}

/* Whether the index leaves much of the file out: more than what long lines leave behind its last block. */
static bool is_behind(int index, enum index_of of, int file, uint64_t size)
{
    struct stat st;
    struct index_record *r = malloc(sizeof *r);
    uint64_t until = 0;
    if (r && index >= 0 && fstat(index, &st) == 0 && st.st_size >= (off_t)sizeof *r &&
        pread(index, r, sizeof *r, st.st_size - st.st_size % (off_t)sizeof *r - (off_t)sizeof *r) ==
            (ssize_t)sizeof *r &&
        index_is_valid(r, of, index_file_id(file), r->offset, size))
        until = r->offset + r->bytes;
    free(r);
    return size - until > MAX_OF(WORTH_AN_INDEX, size / 16);
}

/* Made aside and put in place whole: writers and other searches never see half of one. Failing is no fault. */
static void make_index(const struct audit_files *files, const char *name, enum index_of of, int fd, uint64_t size)
{
    char aside[FILES_NAME_SIZE + 24];
    cleanup(dir_leave) struct dir_visit visit = dir_enter(files->dir_fd);
    (void)snprintf(aside, sizeof aside, "%s.%d", name, (int)gettid()); /* a thread's: the service searches in several */
    (void)unlinkat(files->dir_fd, aside, 0);
    if (index_extend_at(files->dir_fd, aside, of, fd, size, UINT64_MAX, true) < 0 ||
        renameat(files->dir_fd, aside, files->dir_fd, name) < 0)
        (void)unlinkat(files->dir_fd, aside, 0);
}

/* The index of a file, made anew where it leaves much of the file out; or -1. */
static int open_index(const struct audit_files *files, enum index_of of, size_t i, int fd)
{
    char name[FILES_NAME_SIZE], index_name[FILES_NAME_SIZE];
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    const uint64_t size = files->list[i].size;
    files_index_name(files_name(&files->list[i], name), index_endings[of], index_name);
    int index = openat(files->dir_fd, index_name, flags);
    if (!is_behind(index, of, fd, size))
        return index;
    make_index(files, index_name, of, fd, size);
    closep(&index);
    return openat(files->dir_fd, index_name, flags);
}

static void search_file(struct seek *k, const struct audit_files *files, size_t i)
{
    const uint64_t size = files->list[i].size;
    cleanup(closep) int fd = files_open(files, i);
    uint64_t done = 0;
    if (fd < 0) {
        k->fault = fd;
        return;
    }
    if (!k->s->no_index) {
        cleanup(closep) int index = open_index(files, k->of, i, fd);
        if (index >= 0)
            done = search_index(k, fd, index, size);
    }
    if (!k->is_enough && !k->fault)
        scan_range(k, fd, done, size);
}

/* --- from the end back ------------------------------------------------------------------------------- */

struct back {
    struct kept *all; /* hits, the oldest first */
    uint64_t left;    /* so many may come */
};

static void drop(struct kept *list)
{
    while (list) {
        struct kept *next = list->next;
        free(list);
        list = next;
    }
}

static void begin_part(struct seek *k, const struct back *b)
{
    k->limit = b->left;
    k->count = 0;
    k->first = NULL;
    k->last = &k->first;
}

/* The hits of this part go before those that are there already. */
static void end_part(struct seek *k, struct back *b)
{
    b->left -= k->count;
    *k->last = b->all;
    b->all = k->first;
    k->first = NULL;
    k->last = &k->first;
}

static bool read_record(int index, uint64_t number, struct index_record *ret)
{
    return pread(index, ret, sizeof *ret, (off_t)(number * sizeof *ret)) == (ssize_t)sizeof *ret;
}

/* Blocks by their records, the last first: each has to end where the one behind it begins, and the first to begin the
 * file. False: one does not, and the file has to be read. */
static bool search_blocks_back(struct seek *k, struct back *b, int fd, int index, uint64_t size)
{
    struct stat st;
    struct index_record *r = malloc(sizeof *r);
    const uint64_t id = index_file_id(fd);
    bool ok = r && fstat(index, &st) == 0;
    uint64_t number = ok ? (uint64_t)st.st_size / sizeof *r : 0, begins = size;
    k->is_by_block = true;
    for (bool is_last = true; ok && number && b->left && !k->fault && !k->ret->is_late; is_last = false) {
        ok = read_record(index, --number, r) && index_is_valid(r, k->of, id, r->offset, size) &&
             (is_last || r->offset + r->bytes == begins);
        if (ok && is_last) {
            begin_part(k, b);
            scan_range(k, fd, r->offset + r->bytes, size);
            end_part(k, b);
        }
        if (!ok || !b->left)
            break;
        begins = r->offset;
        begin_part(k, b);
        search_block(k, fd, r, NULL);
        end_part(k, b);
        bool is_read = r->first_sequence && (!k->s->before || r->first_sequence < k->s->before);
        if (is_read && r->first_sequence > k->s->after + 1 && k->s->deadline_us && clock_us() >= k->s->deadline_us) {
            k->ret->is_late = true;
            k->ret->resume_before = r->first_sequence;
        }
    }
    ok = ok && (number || begins == 0 || !b->left || k->ret->is_late);
    k->is_by_block = false;
    free(r);
    return ok;
}

static void search_file_back(struct seek *k, struct back *b, const struct audit_files *files, size_t i)
{
    const struct back before = *b;
    cleanup(closep) int fd = k->s->no_index ? -1 : files_open(files, i);
    cleanup(closep) int index = fd < 0 ? -1 : open_index(files, k->of, i, fd);
    if (index >= 0 && search_blocks_back(k, b, fd, index, files->list[i].size))
        return;
    for (struct kept *n; b->all != before.all; free(n)) { /* what its blocks gave: all of it comes again */
        n = b->all;
        b->all = n->next;
    }
    *b = before;
    k->ret->is_late = false;
    begin_part(k, b);
    if (!k->fault)
        search_file(k, files, i);
    end_part(k, b);
}

/* Newest first. */
static void search_back(struct seek *k, const struct audit_files *files)
{
    struct back b = { .left = k->s->limit };
    for (size_t i = files->count; i && b.left && !k->fault && !k->ret->is_late; i--)
        if (!k->s->before || files->list[i - 1].first == UINT64_MAX || files->list[i - 1].first < k->s->before)
            search_file_back(k, &b, files, i - 1);
    k->is_enough = k->fault != 0;
    for (struct kept *n = b.all; n && !k->is_enough; n = n->next) {
        struct audit_line l;
        if (audit_line_read(n->line, n->size, &l) == 0) {
            k->ret->found++;
            k->is_enough = !k->hit(k->context, n->line, n->size, &l);
        }
    }
    drop(b.all);
}

int audit_search(const struct search *s, search_hit *hit, void *context, struct search_result *ret, struct error *err)
{
    struct seek k = { .s = s, .hit = hit, .context = context, .ret = ret };
    struct audit_files files;
    *ret = (struct search_result){ 0 };
    int e = files_list(s->dir, false, &files, err);
    if (e < 0)
        return e;
    want(&k, s->execution, offsetof(struct audit_line, execution));
    want(&k, s->agent, offsetof(struct audit_line, agent));
    want(&k, s->rule, offsetof(struct audit_line, rule));
    if (k.word_count && !k.fault) { /* the first of them that is asked for decides */
        k.has_hash = true;
        k.of = s->execution ? INDEX_OF_RUNS : INDEX_OF_WORDS;
        k.hash = index_hash(s->execution ? INDEX_RUN : s->agent ? INDEX_AGENT : INDEX_RULE, k.words[0].word);
    }
    want(&k, s->reason, offsetof(struct audit_line, reason));
    want(&k, s->action, offsetof(struct audit_line, action));
    want(&k, s->level, offsetof(struct audit_line, level));
    if (s->limit)
        search_back(&k, &files);
    else
        for (size_t i = 0; i < files.count && !k.is_enough && !k.fault; i++)
            if (i + 1 == files.count || files.list[i + 1].first == UINT64_MAX || files.list[i + 1].first > s->after + 1)
                search_file(&k, &files, i);
    files_done(&files);
    for (size_t i = 0; i < k.word_count; i++)
        buf_done(&k.words[i].quoted);
    return k.fault ? err_set(err, k.fault, BLAME_HOST, "AUDIT", "search in %s: %s", s->dir, strerror(-k.fault)) : 0;
}
