/* Whatever the bytes: a profile that loads compiles to a program that passes the
 * launcher's check, is hardened, and stays so when the options take more away. And it
 * is written for container engines, or refused as too fine. */
#include "filter/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct filter_spec spec;
    static struct sock_filter prog[BPF_MAXINSNS];
    const struct filter_options high = { .refuse_setuid_bits = true, .notify_fork = true };
    struct error err = { 0 };
    size_t n = 0;
    if (filter_load_oci("fuzz.json", (const char *)data, size, &spec, &err) < 0) {
        assert(err.code < 0 && err.text[0]);
        return 0;
    }
    struct buf json;
    buf_init(&json, 512 * 1024);
    int written = filter_write_oci(&spec, &json);
    buf_done(&json);
    assert(written == 0 || written == -E2BIG || written == -EMSGSIZE);
    for (int narrowed = 0; narrowed < 2; narrowed++) {
        if (narrowed && filter_narrow(&spec, &high) < 0)
            return 0; /* no room left for its rules */
        int r = filter_compile(&spec, prog, BPF_MAXINSNS, &n, &err);
        assert(r == 0 || r == -E2BIG);
        if (r < 0)
            return 0;
        assert(filter_verify(prog, n) == 0);
        assert(filter_is_hardened(prog, n));
    }
    return 0;
}
