/* buf.h - a growing byte buffer that knows its maximum.
 *
 * Born with a limit; an append beyond it fails with -EMSGSIZE and sets `failed`,
 * so a sequence of appends may be checked once at the end. Always NUL-terminated
 * behind `size` once anything was appended. buf_done() frees; a zeroed struct is
 * a valid empty buffer that cannot grow.
 */
#pragma once
#include "base/base.h"

struct buf {
    char *data;
    size_t size, cap, max;
    bool failed;
};

void buf_init(struct buf *b, size_t max_bytes);
void buf_done(struct buf *b);
/* Nothing more will be added: gives the room for it back. */
void buf_trim(struct buf *b);
int buf_add(struct buf *b, const void *p, size_t n);
int buf_adds(struct buf *b, const char *s);
int buf_addc_slowly(struct buf *b, char c);
static inline int buf_addc(struct buf *b, char c)
{
    if (b->failed || b->size + 1 >= b->cap)
        return buf_addc_slowly(b, c);
    b->data[b->size++] = c;
    b->data[b->size] = '\0';
    return 0;
}
/* For a terminal: control characters of s, which an attacker may have chosen, as \xNN. */
int buf_adds_clean(struct buf *b, const char *s);
int buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
