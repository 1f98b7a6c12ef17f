/* Whatever a cell writes where its kernel's replies are expected, in whatever pieces: bounds hold, and what is made of
 * it for a client is JSON. The first byte says how large the pieces are. */
#include "kernel/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned brackets(const char *p, size_t size)
{
    unsigned count = 0;
    for (size_t i = 0; i < size; i++)
        count += p[i] == '[' || p[i] == '{';
    return count;
}

static void check_json(const struct kernel_reply *r, void (*put)(struct buf *, const struct kernel_reply *))
{
    struct buf b;
    buf_init(&b, 64 * MIB);
    put(&b, r);
    assert(!b.failed && !memchr(b.data, '\n', b.size));
    /* a result has two levels of its own around a value that may be as deep as is allowed */
    assert(kernel_is_json(b.data, b.size) || brackets(b.data, b.size) > KERNEL_MAX_DEPTH);
    buf_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kernel_reply r;
    if (size < 2)
        return 0;
    const size_t piece = 1 + (size_t)(data[0] >> 1) * 4;
    kernel_reply_begin(&r, data[0] & 1 ? 7 : 0);
    (void)kernel_is_json((const char *)data + 1, size - 1);
    data++, size--;
    for (size_t n; size; data += n, size -= n) {
        n = MIN_OF(piece, size);
        if (kernel_reply_feed(&r, data, n) < 0)
            break;
        assert(r.count <= KERNEL_MAX_RESULTS && r.kept <= KERNEL_MAX_CELL && r.frame.size <= KERNEL_MAX_FORM + 200);
    }
    check_json(&r, kernel_results_json);
    check_json(&r, kernel_error_json);
    kernel_reply_done(&r);
    return 0;
}
