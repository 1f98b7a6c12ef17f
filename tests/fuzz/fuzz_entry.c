/* Whatever the bytes: frames between sandbox-engine and sandbox-entry are read within their bounds, however they are
 * cut, and what unpacks packs again to the same bytes. The first byte is the size of the pieces in which the rest is
 * fed; the bytes from there are frames. And as a table of mounts all of them are lines within their bounds, an end, or
 * a refusal. */
#include "entry/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_same(const struct field *t, size_t n, const void *base, const void *data, size_t size)
{
    struct buf again;
    buf_init(&again, 2 * FRAME_MAX_DOWN);
    frame_put_fields(&again, FRAME_PLAN, t, n, base);
    assert(!again.failed && again.size == size + sizeof(struct frame_head) &&
           memcmp(again.data + sizeof(struct frame_head), data, size) == 0);
    buf_done(&again);
}

static void read_plan(const void *data, size_t size)
{
    static struct entry_plan p; /* large */
    if (frame_get_plan(data, size, &p) < 0)
        return;
    assert(p.argv.count && p.program[0] && p.cwd[0] == '/' && p.probes.count <= ENTRY_MAX_PROBES &&
           p.copies.count % 2 == 0 && p.report_fd <= 1023);
    must_be_same(entry_plan_fields, entry_plan_field_count, &p, data, size);
}

static void read_facts(const void *data, size_t size)
{
    struct entry_facts f;
    if (frame_get_facts(data, size, &f) < 0)
        return;
    assert(f.kernel && f.probe_count <= ENTRY_MAX_PROBES);
    must_be_same(entry_facts_fields, entry_facts_field_count, &f, data, size);
}

static void read_end(const void *data, size_t size)
{
    struct entry_end e;
    if (frame_get_end(data, size, &e) == 0)
        must_be_same(entry_end_fields, entry_end_field_count, &e, data, size);
}

static void read_failed(const void *data, size_t size)
{
    struct entry_failed f;
    if (frame_get_failed(data, size, &f) < 0)
        return;
    assert(f.step && f.text);
    must_be_same(entry_failed_fields, entry_failed_field_count, &f, data, size);
}

static void read_file(const void *data, size_t size)
{
    struct entry_file f;
    if (frame_get_file(data, size, &f) < 0)
        return;
    assert(leftover_path_is_sound(f.path) && f.size <= WORKSPACE_MAX_FILE_BYTES);
    must_be_same(entry_file_fields, entry_file_field_count, &f, data, size);
}

static void read_forks(const void *data, size_t size)
{
    struct entry_forks f;
    if (frame_get_forks(data, size, &f) == 0)
        must_be_same(entry_forks_fields, entry_forks_field_count, &f, data, size);
}

static void read_rest(const void *data, size_t size)
{
    struct workspace_rest r;
    if (frame_get_rest(data, size, &r) == 0)
        must_be_same(workspace_rest_fields, workspace_rest_field_count, &r, data, size);
}

struct sum {
    size_t frames, bytes;
};

static int take(void *context, uint32_t type, const void *data, size_t size)
{
    struct sum *s = context;
    assert(size <= FRAME_MAX_UP - sizeof(struct frame_head));
    char *exact = malloc(size ? size : 1); /* so that a sanitizer sees the first byte too many */
    uint64_t v;
    if (!exact)
        abort();
    memcpy(exact, data, size);
    s->frames++;
    s->bytes += size;
    switch (type) {
    case FRAME_PLAN:
        read_plan(exact, size);
        break;
    case FRAME_FACTS:
        read_facts(exact, size);
        break;
    case FRAME_END:
        read_end(exact, size);
        break;
    case FRAME_FAILED:
        read_failed(exact, size);
        break;
    case FRAME_FILE:
        read_file(exact, size);
        break;
    case FRAME_REST:
        read_rest(exact, size);
        break;
    case FRAME_FORKS:
        read_forks(exact, size);
        break;
    default:
        (void)frame_get_u64(exact, size, &v);
    }
    free(exact);
    return 0;
}

static struct sum feed(const uint8_t *data, size_t size, size_t piece)
{
    struct frame_reader r;
    struct sum s = { 0 };
    char *memory = malloc(FRAME_MAX_UP);
    int result = 0;
    frame_reader_init(&r, memory, FRAME_MAX_UP);
    for (size_t at = 0; at < size && result == 0; at += piece)
        result = frame_feed(&r, data + at, MIN_OF(piece, size - at), take, &s);
    assert(result == 0 || result == -EBADMSG);
    free(memory);
    return s;
}

static void read_mounts(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *cursor = text;
    struct mountinfo m;
    int r;
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    while ((r = mountinfo_next(&cursor, &m)) > 0)
        assert(m.point[0] == '/' && m.root >= text && m.type >= text && m.type[strlen(m.type)] == '\0' &&
               (m.is_readonly || !m.is_super_readonly));
    assert(r == 0 || r == -EBADMSG);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_mounts(data, size);
    if (size < 1)
        return 0;
    struct sum cut = feed(data + 1, size - 1, (size_t)data[0] + 1), whole = feed(data + 1, size - 1, size);
    assert(cut.frames == whole.frames && cut.bytes == whole.bytes);
    return 0;
}
