#include "daemon/result_answer.h"

#include <stdlib.h>

#include "daemon/answer.h"

#define COPY_MAX (256 * KIB) /* a longer answer is not made in memory */

struct sending {
    struct execution *execution;
    struct result_reader reader;
    struct buf piece; /* not yet taken */
    size_t sent;
    const char *suffix; /* NULL: it is in the piece */
};

static ssize_t send_part(void *context, char *to, size_t max)
{
    struct sending *s = context;
    if (s->sent == s->piece.size) {
        s->sent = s->piece.size = 0;
        while (!s->piece.size && result_read(&s->reader, &s->piece))
            ; /* a part may be empty */
        if (!s->piece.size && s->suffix) {
            (void)buf_adds(&s->piece, s->suffix);
            s->suffix = NULL;
        }
        if (s->piece.failed)
            return -2;
    }
    size_t n = MIN_OF(max, s->piece.size - s->sent);
    if (!n)
        return -1;
    memcpy(to, s->piece.data + s->sent, n);
    s->sent += n;
    return (ssize_t)n;
}

static void sending_done(void *context)
{
    struct sending *s = context;
    (void)execution_unref(s->execution);
    buf_done(&s->piece);
    free(s);
}

static void answer_whole(const struct execution *e, const struct buf *prefix, const char *suffix, size_t size,
                         struct http_answer *a)
{
    struct result_reader reader = { .text = &e->result };
    struct buf *b = answer_json(a, 200, size);
    (void)buf_add(b, prefix->data, prefix->size);
    while (result_read(&reader, b))
        ;
    (void)buf_adds(b, suffix);
}

void result_answer(struct execution *e, struct buf *prefix, const char *suffix, struct http_answer *a)
{
    size_t size = prefix->size + result_text_size(&e->result) + strlen(suffix);
    struct sending *s = size > COPY_MAX ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        answer_whole(e, prefix, suffix, size, a);
        buf_done(prefix);
        return;
    }
    *s = (struct sending){ .execution = execution_ref(e), .reader.text = &e->result, .suffix = suffix };
    buf_init(&s->piece, 4 * MIB);
    (void)buf_add(&s->piece, prefix->data, prefix->size);
    buf_done(prefix);
    a->status = 200;
    a->stream = send_part;
    a->done = sending_done;
    a->context = s;
}
