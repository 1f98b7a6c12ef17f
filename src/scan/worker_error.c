#include "scan/worker.h"

#include <stdio.h>

void worker_error_pack(const struct error *err, struct buf *out)
{
    pack_u64(out, (uint64_t)-err->code);
    pack_u64(out, err->blame);
    pack_str(out, err->text);
    pack_str(out, err->remedy);
}

/* Bytes below space, and above 0x7e: the worker's texts may quote a file of rules. */
static void copy_clean(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from ? from : "");
    for (char *p = to; *p; p++)
        if (*p < 0x20 || *p > 0x7e)
            *p = '?';
}

int worker_error_unpack(const void *data, size_t size, struct error *ret)
{
    struct unpack u = unpack_start(data, size);
    uint64_t code = unpack_u64(&u), blame = unpack_u64(&u);
    const char *text = unpack_str(&u), *remedy = unpack_str(&u);
    if (unpack_end(&u) < 0 || code == 0 || code > 4095 || blame > BLAME_GUEST)
        return -EBADMSG;
    *ret = (struct error){ .code = -(int)code, .blame = (enum blame)blame, .step = "SCAN" };
    copy_clean(ret->text, sizeof ret->text, text);
    copy_clean(ret->remedy, sizeof ret->remedy, remedy);
    return 0;
}
