/* Whatever the bytes: a run request unpacks and is checked, an outcome unpacks, and neither reads beyond its end. What
 * unpacks packs again to the same bytes. The first byte says what the rest is: 'r' a request, 'o' an outcome, 'R' and
 * 'O' edits (three bytes each: where, where, what) to a valid one, which stay useful when the protocol grows. */
#include "launch/launch.h"
#include "sample_plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void edit(struct buf *b, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 3 <= size && b->size; i += 3)
        b->data[(data[i] | (size_t)data[i + 1] << 8) % b->size] = (char)data[i + 2];
    if (size % 3 == 1 && b->size) /* a byte left over cuts the end off */
        b->size -= MIN_OF(b->size, (size_t)data[size - 1]);
}

static void valid(struct buf *b, bool is_run)
{
    struct sample s;
    struct outcome o = { .reason = REASON_ERROR,
                         .has_exit = true,
                         .exit_code = 3,
                         .error_text = "text",
                         .step_count = 2,
                         .steps = { { "SESSION", 1 }, { "EXEC", 2 } } };
    sample_init(&s, "/bin/true", NULL, NULL);
    (void)strlist_add(&o.missing, "apparmor: not enabled");
    if (is_run)
        pack_run(b, 1, &s.shape, &s.job);
    else
        pack_outcome(b, 1, &o);
    strlist_done(&o.missing);
    sample_done(&s);
}

static void read_run(const char *data, size_t size)
{
    static struct shape shape; /* large */
    static struct job job;
    struct error err = { 0 };
    struct buf again;
    shape = (struct shape){ 0 };
    job = (struct job){ 0 };
    struct unpack u = unpack_start(data, size);
    uint64_t type = unpack_u64(&u), tag = unpack_u64(&u);
    struct bytes shape_bytes, job_bytes; /* what the launcher hands on, as it came */
    const char *begin = u.p;
    if (unpack_run(&u, &shape, &job, &shape_bytes, &job_bytes) < 0)
        return;
    assert(shape_bytes.data == begin && (const char *)job_bytes.data == begin + shape_bytes.size &&
           (const char *)job_bytes.data + job_bytes.size == data + size);
    int r = plan_check(&shape, &job, &err);
    assert(r == 0 || (r < 0 && err.code == r && err.text[0]));
    assert(r < 0 || (shape.uid != 0 && shape.gid != 0)); /* the least that a checked plan promises */
    buf_init(&again, 2 * PLAN_MAX_MESSAGE);
    pack_run(&again, tag, &shape, &job);
    assert(type != MESSAGE_RUN || (again.size == size && memcmp(again.data, data, size) == 0));
    buf_done(&again);
}

static void read_outcome(const char *data, size_t size)
{
    struct outcome o = { 0 };
    struct buf again;
    struct unpack u = unpack_start(data, size);
    uint64_t type = unpack_u64(&u), tag = unpack_u64(&u);
    if (unpack_outcome(&u, &o) < 0)
        return;
    assert(reason_name((enum run_reason)o.reason));
    buf_init(&again, 2 * PLAN_MAX_MESSAGE);
    pack_outcome(&again, tag, &o);
    assert(type != MESSAGE_OUTCOME || (again.size == size && memcmp(again.data, data, size) == 0));
    buf_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > PLAN_MAX_MESSAGE)
        return 0;
    bool is_run = data[0] == 'r' || data[0] == 'R', is_edit = data[0] == 'R' || data[0] == 'O';
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    if (is_edit) {
        valid(&b, is_run);
        edit(&b, data + 1, size - 1);
    } else {
        (void)buf_add(&b, data + 1, size - 1);
    }
    char *exact = malloc(b.size + 1); /* so that a sanitizer sees the first byte too many */
    if (exact && b.size) {
        exact = realloc(exact, b.size);
        memcpy(exact, b.data, b.size);
        if (is_run)
            read_run(exact, b.size);
        else
            read_outcome(exact, b.size);
    }
    free(exact);
    buf_done(&b);
    return 0;
}
