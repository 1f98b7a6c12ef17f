/* Whatever somebody posts to /execute: it is read or refused, in bounded memory, and what was read keeps to its limits.
 */
#include "audit/hmac.h"
#include "daemon/request.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct config config;
    static struct execute_request r;
    struct arena arena = { 0 };
    struct error err = { 0 };
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const struct http_request q = { .method = "POST", .path = "/", .body = text, .body_size = size, .arena = &arena };
    if (execute_request_read(&q, &config, &arena, &r, &err) == 0) {
        assert(r.options.has_language && r.options.language < LANG_COUNT && r.options.text &&
               r.options.file_count <= REQUEST_MAX_FILES);
        assert(!r.options.volume_count); /* no roots are configured */
    } else {
        assert(err.code < 0 && err.blame == BLAME_CALLER && err.text[0]);
    }
    execute_request_done(&r);
    arena_done(&arena);
    char *back = malloc(size + 1);
    size_t n = 0;
    if (back && base64_read(text, size, back, &n) == 0)
        assert(n <= size);
    free(back);
    free(text);
    return 0;
}
