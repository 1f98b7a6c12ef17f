#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

void buf_init(struct buf *b, size_t max_bytes)
{
    *b = (struct buf){ .max = max_bytes };
}

void buf_done(struct buf *b)
{
    free(b->data);
    *b = (struct buf){ 0 };
}

static int buf_reserve(struct buf *b, size_t n)
{
    if (b->failed)
        return -EMSGSIZE;
    if (n > b->max || b->size > b->max - n) {
        b->failed = true;
        return -EMSGSIZE;
    }
    size_t need = b->size + n + 1;
    if (need <= b->cap)
        return 0;
    size_t cap = b->cap ? b->cap : 256;
    while (cap < need)
        cap *= 2;
    cap = MIN_OF(cap, b->max + 1);
    char *p = realloc(b->data, cap);
    if (!p) {
        b->failed = true;
        return -ENOMEM;
    }
    b->data = p;
    b->cap = cap;
    return 0;
}

void buf_trim(struct buf *b)
{
    char *p = b->data && b->cap > b->size + 1 ? realloc(b->data, b->size + 1) : NULL;
    if (!p)
        return;
    b->data = p;
    b->cap = b->size + 1;
}

int buf_add(struct buf *b, const void *p, size_t n)
{
    int r = buf_reserve(b, n);
    if (r < 0)
        return r;
    if (n)
        memcpy(b->data + b->size, p, n);
    b->size += n;
    b->data[b->size] = '\0';
    return 0;
}

int buf_adds(struct buf *b, const char *s)
{
    return buf_add(b, s, strlen(s));
}

int buf_adds_clean(struct buf *b, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        int r = c < 0x20 || c == 0x7F ? buf_addf(b, "\\x%02x", c) : buf_addc(b, *s);
        if (r < 0)
            return r;
    }
    return 0;
}

int buf_addc_slowly(struct buf *b, char c)
{
    return buf_add(b, &c, 1);
}

int buf_addf(struct buf *b, const char *fmt, ...)
{
    char small[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < 0) {
        b->failed = true;
        return -EINVAL;
    }
    if ((size_t)n < sizeof small)
        return buf_add(b, small, (size_t)n);
    int r = buf_reserve(b, (size_t)n);
    if (r < 0)
        return r;
    va_start(ap, fmt);
    (void)vsnprintf(b->data + b->size, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->size += (size_t)n;
    return 0;
}
