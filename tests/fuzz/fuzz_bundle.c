/* Whatever the bytes: a bundle is read within its bounds, and hands out no more than may be kept, below the directory;
 * or it is none, and hands out nothing. The first byte bounds the bytes of all files; a bundle follows. */
#include "base/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    const char *from, *to;
    uint64_t bytes, max_bytes;
    uint32_t count;
};

static bool see(void *context, const char *path, const void *data, uint64_t size)
{
    struct seen *s = context;
    s->count++;
    s->bytes += size;
    assert(leftover_path_is_sound(path));
    assert((const char *)data >= s->from && (const char *)data + size <= s->to);
    assert(s->count <= WORKSPACE_MAX_FILES && s->bytes <= s->max_bytes);
    return s->count < WORKSPACE_MAX_FILES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    char *exact = malloc(size); /* so that a sanitizer sees the first byte too many */
    if (!exact)
        abort();
    memcpy(exact, data + 1, size - 1);
    struct seen s = { .from = exact, .to = exact + size - 1, .max_bytes = (uint64_t)1 << (data[0] % 21) };
    struct workspace_rest rest = { 0 };
    int r = bundle_read(exact, size - 1, s.max_bytes, see, &s, &rest);
    assert(r == 0 || (r == -EBADMSG && s.count == 0));
    free(exact);
    return 0;
}
