/* Whatever an engine says: frames come out the same however they are cut, the head of an answer is found at the same
 * place, and its words become one clean line. The first byte says what the rest is: 'f' frames, 'h' a head, 'w' words;
 * the second where it is cut. */
#include "base/buf.h"
#include "base/json.h"
#include "engine/answer.h"
#include "engine/api.h"

struct streams {
    struct buf of[3];
};

static int take(void *context, unsigned stream, const void *data, size_t size)
{
    struct streams *s = context;
    assert((stream == 1 || stream == 2) && size);
    assert(buf_add(&s->of[stream], data, size) == 0);
    return 0;
}

static int feed(const uint8_t *data, size_t size, size_t piece, struct streams *ret)
{
    struct demux d = { 0 };
    int r = 0;
    for (size_t i = 0; i < 3; i++)
        buf_init(&ret->of[i], size + 1);
    for (size_t at = 0; at < size && r == 0; at += piece)
        r = demux_feed(&d, data + at, MIN_OF(piece, size - at), take, ret);
    assert(r == 0 || (r == -EBADMSG && demux_feed(&d, "x", 1, take, ret) == -EBADMSG));
    assert(ret->of[1].size + ret->of[2].size <= size);
    return r;
}

static void try_frames(const uint8_t *data, size_t size, size_t piece)
{
    struct streams whole, cut;
    assert(feed(data, size, size ? size : 1, &whole) == feed(data, size, piece, &cut));
    for (size_t i = 0; i < 3; i++) {
        assert(whole.of[i].size == cut.of[i].size &&
               (!whole.of[i].size || memcmp(whole.of[i].data, cut.of[i].data, whole.of[i].size) == 0));
        buf_done(&whole.of[i]);
        buf_done(&cut.of[i]);
    }
}

static void try_head(const char *data, size_t size, size_t piece)
{
    struct answer_head whole = { 0 }, cut = { 0 };
    const int r = answer_head_read(data, size, &whole);
    int step = -EAGAIN;
    for (size_t n = 0; n < size && step == -EAGAIN;) {
        n += MIN_OF(piece, size - n);
        step = answer_head_read(data, n, &cut);
    }
    assert(size == 0 || r == step || (r == -EBADMSG && step == -EAGAIN));
    assert(r != 0 || (whole.size == cut.size && whole.size <= size && whole.status == cut.status &&
                      whole.status >= 100 && whole.status <= 999));
    assert(r != 0 || memcmp(data + whole.size - 4, "\r\n\r\n", 4) == 0);
}

static void try_words(const char *data, size_t size, size_t max)
{
    char out[ANSWER_TEXT_MAX];
    max = 5 + max % (sizeof out - 5);
    (void)answer_clean(data, size, out, max);
    assert(strlen(out) < max);
    (void)answer_failure(data, size, out);
    for (const unsigned char *s = (const unsigned char *)out; *s;) {
        const size_t n = json_utf8_length(s, strlen((const char *)s));
        assert(n && *s >= 0x20 && *s != 0x7F);
        s += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const size_t piece = 1u + data[1];
    if (data[0] == 'f')
        try_frames(data + 2, size - 2, piece);
    else if (data[0] == 'h')
        try_head((const char *)data + 2, size - 2, piece);
    else
        try_words((const char *)data + 2, size - 2, piece);
    return 0;
}
