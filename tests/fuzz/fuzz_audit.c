/* Whatever the bytes: a line is read or refused, verify and search come to an end, nothing is read beyond its end, and
 * a search by index finds no more than one without. The first byte says what the rest is: 'l' one line, 'f' a file of
 * the audit, 'x' and 'y' its indexes of words and of runs (for the fixed file below), 't' a time, 's' a signature of
 * code, 'd' a signed envelope, 'n' a checkpoint, 'k' a key of a log or a witness: none is good for a key that signed
 * nothing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "audit/chain.h"
#include "audit/dsse.h"
#include "audit/index.h"
#include "audit/note.h"
#include "audit/search.h"
#include "audit/signature.h"
#include "audit/tail.h"
#include "audit/verify.h"

#define AGENT "agent-3"
#define RUN   "exec-300"

static char directory[64], path[80], index_path[80], runs_path[80];

static void clean_up(void)
{
    (void)unlink(path);
    (void)unlink(index_path);
    (void)unlink(runs_path);
    (void)rmdir(directory);
}

static void put(const char *name, const void *data, size_t size)
{
    if (!directory[0]) {
        (void)snprintf(directory, sizeof directory, "/tmp/fuzz-audit-XXXXXX");
        assert(mkdtemp(directory));
        (void)snprintf(path, sizeof path, "%s/audit.jsonl", directory);
        (void)snprintf(index_path, sizeof index_path, "%s/audit.idx", directory);
        (void)snprintf(runs_path, sizeof runs_path, "%s/audit.run", directory);
        (void)atexit(clean_up);
    }
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    (void)close(fd);
}

static bool inside(struct slice s, const void *data, size_t size)
{
    const char *begin = data;
    return !s.p || (s.p >= begin && s.p + s.size <= begin + size);
}

static void read_line(const char *data, size_t size)
{
    struct audit_line l;
    struct buf b;
    size_t body;
    const char *hash;
    (void)chain_split(data, size, &body, &hash);
    if (audit_line_read(data, size, &l) < 0)
        return;
    assert(size >= 2 && data[0] == '{' && data[size - 1] == '}');
    const struct slice all[] = { l.timestamp,
                                 l.message,
                                 l.agent,
                                 l.execution,
                                 l.rule,
                                 l.level,
                                 l.action,
                                 l.reason,
                                 l.outcome,
                                 l.kind,
                                 l.code_hash,
                                 l.chain.previous_hash,
                                 l.chain.public_key,
                                 l.chain.signature,
                                 l.chain.signed_hash,
                                 l.chain.repair_hash };
    buf_init(&b, 64 * KIB);
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        assert(inside(all[i], data, size));
        slice_print(all[i], &b);
    }
    for (size_t i = 0; i < b.size; i++)
        assert((unsigned char)b.data[i] >= 0x20 && b.data[i] != 0x7F); /* nothing that moves a terminal's cursor */
    buf_done(&b);
}

static void told(void *context, const struct verify_problem *p)
{
    assert(p->text[0]);
    *(uint64_t *)context += !p->is_note;
}

static bool hit(void *context, const char *line, size_t size, const struct audit_line *l)
{
    assert(slice_is(l->agent, AGENT) || slice_is(l->execution, RUN));
    assert(inside(l->agent, line, size) && inside(l->execution, line, size));
    ++*(uint64_t *)context;
    return true;
}

static bool any(void *context, const char *line, size_t size, const struct audit_line *l)
{
    (void)context;
    (void)l;
    assert(size && line[0] == '{');
    return true;
}

static void search_both(struct search s, bool is_index_honest)
{
    uint64_t with = 0, without = 0;
    struct search_result r;
    s.dir = directory;
    struct error err;
    assert(audit_search(&s, hit, &with, &r, &err) == 0 && r.found == with);
    s.no_index = true;
    assert(audit_search(&s, hit, &without, &r, &err) == 0 && r.found == without);
    assert(!is_index_honest || with == without);
}

static void read_file(const uint8_t *data, size_t size)
{
    struct verify_options o = { .dir = directory };
    struct verify_result r;
    struct error err;
    struct tail t;
    uint64_t problems = 0;
    put(path, data, size);
    (void)unlink(index_path);
    (void)unlink(runs_path);
    assert(audit_verify(&o, told, &problems, &r, &err) == 0 && r.problems == problems && r.bytes == size);
    o.file = path;
    problems = 0;
    assert(audit_verify(&o, told, &problems, &r, &err) == 0 && r.problems == problems);
    int fd = open(path, O_RDONLY | O_CLOEXEC), dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert(fd >= 0 && dir >= 0 && index_extend_at(dir, "audit.idx", INDEX_OF_WORDS, fd, size, UINT64_MAX, false) == 0);
    assert(index_extend_at(dir, "audit.run", INDEX_OF_RUNS, fd, size, UINT64_MAX, true) == 0);
    (void)close(fd);
    (void)close(dir);
    search_both((struct search){ .agent = AGENT }, true);
    search_both((struct search){ .execution = RUN }, true);
    assert(tail_begin(directory, 3, any, NULL, &t, &err) == 0);
    tail_done(&t);
}

/* A file long enough for two blocks, always the same. */
static void fixed_file(void)
{
    struct buf b;
    buf_init(&b, MIB);
    for (unsigned i = 0; i < 700; i++)
        (void)buf_addf(&b,
                       "{\"@timestamp\":\"2026-11-21T04:%02u:%02u.000Z\",\"gen_ai\":{\"agent\":{\"id\":\"agent-%u\"}},"
                       "\"process\":{\"entity_id\":\"exec-%u\"},\"event\":{\"sequence\":%u}}\n",
                       i / 60, i % 60, i % 5, i / 2, i + 1);
    put(path, b.data, b.size);
    buf_done(&b);
}

static void read_index(enum index_of of, const uint8_t *data, size_t size)
{
    if (!directory[0])
        put(path, "", 0); /* makes the directory */
    fixed_file();
    put(of == INDEX_OF_RUNS ? runs_path : index_path, data, size);
    search_both(of == INDEX_OF_RUNS ? (struct search){ .execution = RUN } : (struct search){ .agent = AGENT }, false);
}

static void read_texts(uint8_t kind, const char *data, size_t size)
{
    char text[4096], again[AUDIT_TIME_SIZE];
    uint64_t ms, second;
    struct signature s;
    struct error err;
    if (kind == 't' && audit_time_read(data, size, &ms) == 0) {
        audit_time_write(ms, again);
        assert(audit_time_read(again, strlen(again), &second) == 0 &&
               (second == ms || ms >= UINT64_C(253402300800000)));
    }
    if (kind == 's' && size < sizeof text) {
        memcpy(text, data, size);
        text[size] = '\0';
        assert(signature_check(text, "a", "befc4c662c828feed68f74578c764651b459a0eb2da42c51bd1accce592fc4f6", "x", 1,
                               1795276481000, &s, &err) < 0);
    }
}

/* A key that signed nothing: whatever the bytes, they are not good. */
static void read_signed(uint8_t kind, const char *data, size_t size)
{
    static const uint8_t key[1][32] = { { 0xbe, 0xfc, 0x4c, 0x66, 0x2c, 0x82, 0x8f } };
    struct note_key log = { .name = "a/log", .algorithm = NOTE_LOG }, again;
    struct checkpoint c;
    struct buf body;
    size_t which = 0;
    uint64_t seconds;
    char text[4096], words[NOTE_VKEY_MAX];
    if (kind == 'd') {
        assert(dsse_verify(data, size, "application/vnd.in-toto+json", key, 1, &body, &which) != DSSE_GOOD);
        buf_done(&body);
    } else if (kind == 'n') {
        memcpy(log.public, key[0], sizeof log.public);
        assert(!note_is_signed(data, size, &log, &seconds));
        log.algorithm = NOTE_WITNESS;
        assert(!note_is_signed(data, size, &log, &seconds));
        assert(!checkpoint_read(data, size, &c) || c.text_size < size);
    } else if (kind == 'k' && size < sizeof text) {
        memcpy(text, data, size);
        text[size] = '\0';
        if (note_key_read(text, &log) == 0) {
            note_key_write(&log, words);
            assert(note_key_read(words, &again) == 0 && memcmp(&log, &again, sizeof log) == 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    if (data[0] == 'l')
        read_line((const char *)data + 1, size - 1);
    else if (data[0] == 'f')
        read_file(data + 1, size - 1);
    else if (data[0] == 'x' || data[0] == 'y')
        read_index(data[0] == 'y' ? INDEX_OF_RUNS : INDEX_OF_WORDS, data + 1, size - 1);
    else if (data[0] == 'd' || data[0] == 'n' || data[0] == 'k')
        read_signed(data[0], (const char *)data + 1, size - 1);
    else
        read_texts(data[0], (const char *)data + 1, size - 1);
    return 0;
}
