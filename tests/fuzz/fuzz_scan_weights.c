/* Whatever the bytes: a file of weights is read or refused with its line, and the same bytes as a program's text give
 * pieces of bounded size and a score that is no lower than that of nothing. */
#include "scan/resemble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_piece(void *ctx, const char *piece, size_t size, size_t at)
{
    const size_t *all = ctx;
    assert(size > 0 && size < PIECE_MAX && at <= *all && !memchr(piece, '\0', size) && !memchr(piece, '\n', size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct resemblance w;
    const char *text = (const char *)data;
    struct resembled r = { 0 };
    struct arena a = { 0 };
    struct error err = { 0 };
    if (resemblance_read(&w, "w", text, size, &err) < 0)
        assert(err.code < 0 && err.text[0]);
    else {
        resemble_add(&w, &r, text, size, PIECE_COMMENT_HASH, false, 0);
        resemble_add(&w, &r, text, size, PIECE_COMMENT_SLASHES, true, 1);
        assert(resemble_score(&w, &r) >= w.base);
        (void)resemble_words(&r, &a);
    }
    pieces_of(text, size, PIECE_COMMENT_NONE, on_piece, &size);
    arena_done(&a);
    return 0;
}
