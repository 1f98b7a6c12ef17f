#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>

#define CHUNK_BYTES 4096u

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    char data[];
};

static char *arena_take(struct arena *a, size_t n)
{
    struct arena_chunk *c = a->first;
    if (!c || n > c->size - c->used) {
        size_t size = MAX_OF(n, (size_t)CHUNK_BYTES);
        c = malloc(sizeof *c + size);
        if (!c) {
            a->failed = true;
            return NULL;
        }
        *c = (struct arena_chunk){ .next = a->first, .size = size };
        a->first = c;
    }
    char *p = c->data + c->used;
    c->used += n;
    return p;
}

const char *arena_copy(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = arena_take(a, n);
    return p ? memcpy(p, s, n) : "";
}

const char *arena_copy_bytes(struct arena *a, const void *p, size_t n)
{
    char *to = arena_take(a, n + 1);
    if (!to)
        return "";
    memcpy(to, p, n);
    to[n] = '\0';
    return to;
}

void *arena_zero(struct arena *a, size_t n)
{
    const size_t align = _Alignof(max_align_t);
    char *p = arena_take(a, n + align - 1);
    if (!p)
        return NULL;
    p += (align - (uintptr_t)p % align) % align;
    return memset(p, 0, n);
}

const char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = n < 0 ? NULL : arena_take(a, (size_t)n + 1);
    if (!p) {
        a->failed = true;
        return "";
    }
    va_start(ap, fmt);
    (void)vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}

void arena_done(struct arena *a)
{
    while (a->first) {
        struct arena_chunk *next = a->first->next;
        free(a->first);
        a->first = next;
    }
}
