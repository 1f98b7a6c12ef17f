/* Whatever a server inside a session says: its head is refused, incomplete, or what is passed on are headers that can
 * be sent and say nothing twice; its chunks stay within their bounds. */
#include <strings.h>

#include "daemon/port_head.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_head(const struct port_head *h, ssize_t n, size_t size)
{
    assert((size_t)n <= size && h->status >= 100 && h->status <= 599 && !(h->has_length && h->is_chunked));
    for (const struct http_pair *p = h->headers; p->name; p++) {
        assert(*p->name && *p->value && strcasecmp(p->name, "Set-Cookie") != 0);
        for (const char *c = p->value; *c; c++)
            assert((unsigned char)*c >= 0x20 && *c != 0x7F);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *why = NULL;
    struct arena arena = { 0 };
    struct port_head head;
    struct port_chunks chunks = { 0 };
    char to[7];
    size_t at = 0;
    const struct port_place place = { "/p", "/a/b?c", "h:1", 80 };
    const ssize_t n = port_head_read(text, size, &arena, &place, &head, &why);
    assert(n >= 0 || n == -EBADMSG || n == -ENOMEM);
    if (n > 0)
        check_head(&head, n, size);
    at = n > 0 ? (size_t)n : 0;
    for (ssize_t k = 1; k > 0;) {
        k = port_chunks_read(&chunks, text, size, &at, to, sizeof to);
        assert(k <= (ssize_t)sizeof to && at <= size);
    }
    arena_done(&arena);
    return 0;
}
