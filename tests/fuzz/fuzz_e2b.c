/* Whatever E2B's clients send beside JSON: an envelope is all of its input or refused, parts lie inside the body, a
 * path never begins with a slash, and no name of a file adds a line to its part. Up to its first NUL the input is a
 * Content-Type, a key and a path; behind it a body.
 */
#include <stdlib.h>

#include "front/e2b_wire.h"
#include "front/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    const char *begin, *end, *last;
    unsigned count;
};

static bool take(void *context, const struct multipart_part *part)
{
    struct seen *s = context;
    assert(part->data >= s->last && part->data + part->size <= s->end);
    assert(!part->filename || strlen(part->filename) <= (size_t)(part->data - s->begin));
    s->last = part->data + part->size;
    return ++s->count < MULTIPART_MAX;
}

static void check_envelope(const char *body, size_t size)
{
    const char *message = NULL;
    size_t n = 0;
    struct buf again;
    if (e2b_envelope_read(body, size, &message, &n) < 0)
        return;
    assert(message == body + E2B_ENVELOPE_HEAD && n + E2B_ENVELOPE_HEAD == size);
    buf_init(&again, size + 1);
    const size_t at = e2b_envelope_begin(&again, 0);
    (void)buf_add(&again, message, n);
    e2b_envelope_end(&again, at);
    assert(!again.failed && again.size == size && memcmp(again.data, body, size) == 0);
    buf_done(&again);
}

static void check_words(const char *text, struct arena *a)
{
    const char *path = front_path(text), *key = e2b_key(text, a);
    char signature[E2B_SIGNATURE_SIZE];
    const struct e2b_signed what = { .path = text, .operation = "read" };
    assert(!path || (path[0] != '/' && strlen(path) <= strlen(text)));
    assert(key == text || access_token_is_valid(key));
    e2b_sign(&what, "token", signature);
    assert(strlen(signature) == E2B_SIGNATURE_SIZE - 2 && e2b_pid(text) >= 1 && e2b_pid(text) <= INT32_MAX);
}

/* Whatever a file is called, its part has our three lines and an empty one. */
static void check_head(const char *filename)
{
    static const char *const ends[] = { "--b", "\"; filename", "Content-Type: t", "" };
    struct buf b;
    buf_init(&b, 4 * strlen(filename) + KIB);
    multipart_put_head(&b, "b", "file", filename, "t");
    assert(!b.failed);
    const char *line = b.data;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        const char *end = strstr(line, "\r\n");
        assert(end && !memchr(line, '\n', (size_t)(end - line)) &&
               memmem(line, (size_t)(end - line), ends[i], strlen(ends[i])));
        line = end + 2;
    }
    assert(!*line);
    buf_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = { 0 };
    const char *nul = size ? memchr(data, '\0', size) : NULL;
    const size_t head = nul ? (size_t)(nul - (const char *)data) : 0;
    const char *text = arena_copy_bytes(&arena, data, head);
    const size_t rest = size - head - (nul != NULL);
    char *body = malloc(rest ? rest : 1); /* exactly as large, so that a byte too many is seen */
    if (body) {
        if (rest)
            memcpy(body, data + size - rest, rest);
        struct seen s = { .begin = body, .end = body + rest, .last = body };
        check_words(text, &arena);
        check_head(text);
        check_envelope(body, rest);
        (void)multipart_read(text, body, rest, &arena, take, &s);
    }
    free(body);
    arena_done(&arena);
    return 0;
}
