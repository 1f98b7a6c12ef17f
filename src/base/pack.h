/* pack.h - typed values to bytes and back, for the launcher's messages and the policy cache.
 *
 * Writer: a struct buf. Reader: a cursor over bytes that the caller owns; strings, lists
 * and byte runs that come out *borrow* from them. Every getter checks the length first; after a
 * failure the cursor stays failed and returns zeros, so a sequence is checked once at its end by
 * unpack_end(), which also insists that nothing is left over.
 * Both ends are on the same machine and of the same build: native byte order.
 */
#pragma once
#include "base/buf.h"
#include "base/strlist.h"

struct bytes {
    const void *data;
    uint32_t size;
};

void pack_u64(struct buf *b, uint64_t v);
void pack_str(struct buf *b, const char *s); /* NULL is kept apart from "" */
void pack_list(struct buf *b, const struct strlist *l);
void pack_bytes(struct buf *b, struct bytes v);

struct unpack {
    const char *p, *end;
    bool failed;
};

struct unpack unpack_start(const void *data, size_t size);
uint64_t unpack_u64(struct unpack *u);
const char *unpack_str(struct unpack *u); /* may be NULL */
struct strlist unpack_list(struct unpack *u);
struct bytes unpack_bytes(struct unpack *u);
/* 0, or -EBADMSG when a getter failed or bytes are left. */
int unpack_end(const struct unpack *u);

/* A struct described once, packed and unpacked by walking its table. Unsigned members of 1, 2, 4 or
 * 8 bytes, const char *, struct strlist, struct bytes, and bounded arrays of structs with a count. */
enum field_kind { FIELD_UINT, FIELD_STR, FIELD_LIST, FIELD_BYTES, FIELD_ARRAY };
struct field {
    const char *name;
    enum field_kind kind;
    uint16_t offset, size;
    uint64_t max;            /* FIELD_UINT: largest value accepted; FIELD_ARRAY: capacity */
    const struct field *sub; /* FIELD_ARRAY: table of the element, its length and where the count is */
    uint16_t sub_count, elem_size, count_offset;
};
#define FIELD_U(T, m, maximum)                                                        \
    {                                                                                 \
#m, FIELD_UINT, offsetof(T, m), sizeof(((T *)0)->m), (maximum), NULL, 0, 0, 0 \
    }
#define FIELD_S(T, m)                                      \
    {                                                      \
#m, FIELD_STR, offsetof(T, m), 0, 0, NULL, 0, 0, 0 \
    }
#define FIELD_L(T, m)                                       \
    {                                                       \
#m, FIELD_LIST, offsetof(T, m), 0, 0, NULL, 0, 0, 0 \
    }
#define FIELD_B(T, m)                                        \
    {                                                        \
#m, FIELD_BYTES, offsetof(T, m), 0, 0, NULL, 0, 0, 0 \
    }
#define FIELD_A(T, m, n, table)                                                                                      \
    {                                                                                                                \
#m, FIELD_ARRAY, offsetof(T, m), 0, ARRAY_LEN(((T *)0)->m), table, ARRAY_LEN(table), sizeof(((T *)0)->m[0]), \
            offsetof(T, n)                                                                                           \
    }

void pack_fields(struct buf *b, const struct field *t, size_t n, const void *base);
void unpack_fields(struct unpack *u, const struct field *t, size_t n, void *base);
