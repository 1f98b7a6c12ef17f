/* Whatever a Piston client asks for as a version: it is in the range or not, the same each time, and a range beside one
 * that takes all is one that takes all. Up to its first NUL the input is the range, behind it the version that there
 * is; without a NUL that is 3.11.2. */
#include "front/piston.h"

#include "base/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = { 0 };
    const char *nul = size ? memchr(data, '\0', size) : NULL;
    const size_t head = nul ? (size_t)(nul - (const char *)data) : size;
    const char *range = arena_copy_bytes(&a, data, head);
    const char *has = nul ? arena_copy_bytes(&a, nul + 1, size - head - 1) : "3.11.2";
    const bool is_in = piston_version_is(has, range);
    assert(is_in == piston_version_is(has, range));
    assert(piston_version_is(has, arena_printf(&a, "* || %s", range)));
    assert(piston_version_is(has, "*") && piston_version_is("3.11.2", "3.11.2"));
    arena_done(&a);
    return 0;
}
