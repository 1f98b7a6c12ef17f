#include "base/pack.h"

void pack_u64(struct buf *b, uint64_t v)
{
    (void)buf_add(b, &v, sizeof v);
}

static void pack_run(struct buf *b, const void *p, uint32_t n)
{
    (void)buf_add(b, &n, sizeof n);
    (void)buf_add(b, p, n);
}

void pack_str(struct buf *b, const char *s)
{
    pack_run(b, s, s ? (uint32_t)strlen(s) + 1 : 0);
}

void pack_list(struct buf *b, const struct strlist *l)
{
    (void)buf_add(b, &l->count, sizeof l->count);
    pack_run(b, l->data, l->size);
}

void pack_bytes(struct buf *b, struct bytes v)
{
    pack_run(b, v.data, v.size);
}

struct unpack unpack_start(const void *data, size_t size)
{
    return (struct unpack){ .p = data, .end = (const char *)data + size };
}

static const char *take(struct unpack *u, size_t n)
{
    if (u->failed || n > (size_t)(u->end - u->p)) {
        u->failed = true;
        return NULL;
    }
    const char *p = u->p;
    u->p += n;
    return p;
}

static uint32_t take_u32(struct unpack *u)
{
    uint32_t v = 0;
    const char *p = take(u, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}

uint64_t unpack_u64(struct unpack *u)
{
    uint64_t v = 0;
    const char *p = take(u, sizeof v);
    if (p)
        memcpy(&v, p, sizeof v);
    return v;
}

const char *unpack_str(struct unpack *u)
{
    uint32_t n = take_u32(u);
    if (n == 0)
        return NULL;
    const char *p = take(u, n);
    if (!p)
        return NULL;
    if (memchr(p, '\0', n) != p + n - 1) {
        u->failed = true;
        return NULL;
    }
    return p;
}

struct strlist unpack_list(struct unpack *u)
{
    uint32_t count = take_u32(u), n = take_u32(u);
    const char *p = take(u, n);
    if (!p || !strlist_is_valid(p, n, count)) {
        u->failed = true;
        return (struct strlist){ 0 };
    }
    return (struct strlist){ .data = (char *)p, .size = n, .count = count, .cap = 0 };
}

struct bytes unpack_bytes(struct unpack *u)
{
    uint32_t n = take_u32(u);
    const char *p = take(u, n);
    return p ? (struct bytes){ p, n } : (struct bytes){ 0 };
}

int unpack_end(const struct unpack *u)
{
    return u->failed || u->p != u->end ? -EBADMSG : 0;
}

static uint64_t load_uint(const void *p, size_t size)
{
    uint64_t v = 0; /* little endian: the low bytes come first (both our machines are) */
    memcpy(&v, p, size);
    return v;
}

static void pack_array(struct buf *b, const struct field *f, const char *base)
{
    uint32_t count = *(const uint32_t *)(const void *)(base + f->count_offset);
    assert(count <= f->max); /* the function that filled the array guarantees this */
    pack_u64(b, count);
    for (uint32_t i = 0; i < count; i++)
        pack_fields(b, f->sub, f->sub_count, base + f->offset + (size_t)i * f->elem_size);
}

void pack_fields(struct buf *b, const struct field *t, size_t n, const void *base)
{
    for (const struct field *f = t; f < t + n; f++) {
        const void *m = (const char *)base + f->offset;
        switch (f->kind) {
        case FIELD_UINT:
            pack_u64(b, load_uint(m, f->size));
            break;
        case FIELD_STR:
            pack_str(b, *(const char *const *)m);
            break;
        case FIELD_LIST:
            pack_list(b, m);
            break;
        case FIELD_BYTES:
            pack_bytes(b, *(const struct bytes *)m);
            break;
        case FIELD_ARRAY:
            pack_array(b, f, base);
            break;
        }
    }
}

static void unpack_array(struct unpack *u, const struct field *f, char *base)
{
    uint64_t count = unpack_u64(u);
    if (count > f->max) {
        u->failed = true;
        return;
    }
    for (uint64_t i = 0; i < count && !u->failed; i++)
        unpack_fields(u, f->sub, f->sub_count, base + f->offset + i * f->elem_size);
    if (!u->failed)
        *(uint32_t *)(void *)(base + f->count_offset) = (uint32_t)count;
}

static void unpack_uint(struct unpack *u, const struct field *f, void *m)
{
    uint64_t v = unpack_u64(u);
    if (v > f->max)
        u->failed = true;
    if (!u->failed)
        memcpy(m, &v, f->size);
}

void unpack_fields(struct unpack *u, const struct field *t, size_t n, void *base)
{
    for (const struct field *f = t; f < t + n && !u->failed; f++) {
        void *m = (char *)base + f->offset;
        switch (f->kind) {
        case FIELD_UINT:
            unpack_uint(u, f, m);
            break;
        case FIELD_STR:
            *(const char **)m = unpack_str(u);
            break;
        case FIELD_LIST:
            *(struct strlist *)m = unpack_list(u);
            break;
        case FIELD_BYTES:
            *(struct bytes *)m = unpack_bytes(u);
            break;
        case FIELD_ARRAY:
            unpack_array(u, f, base);
            break;
        }
    }
}
