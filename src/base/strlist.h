/* strlist.h - a list of strings as one run of bytes: "a\0b\0c\0".
 *
 * It packs and unpacks by copying, needs one allocation, and can borrow its bytes
 * from a mapped file. strlist_add() owns its memory (cap > 0); a borrowed list has
 * cap == 0 and must not be added to or freed. No string holds a NUL.
 */
#pragma once
#include "base/base.h"

struct strlist {
    char *data;
    uint32_t size, count, cap;
};

#define STRLIST_MAX_BYTES (64u * 1024u)

/* -E2BIG beyond STRLIST_MAX_BYTES, -ENOMEM, -EPERM on a borrowed list. Copies s. */
int strlist_add(struct strlist *l, const char *s);
int strlist_addf(struct strlist *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strlist_done(struct strlist *l);
bool strlist_has(const struct strlist *l, const char *s);
/* True when bytes are a well-formed list of exactly count strings. */
bool strlist_is_valid(const char *data, size_t size, size_t count);
/* Borrowing pointers into the list, NULL-terminated; caller frees the array. NULL: no memory. */
char **strlist_argv(const struct strlist *l);
/* Value of "KEY=" in a list of K=V strings; NULL if absent. Borrows. */
const char *strlist_get(const struct strlist *l, const char *key);

static inline const char *strlist_next(const struct strlist *l, const char *s)
{
    s += strlen(s) + 1;
    return s < l->data + l->size ? s : NULL;
}
static inline const char *strlist_first(const struct strlist *l)
{
    return l->count ? l->data : NULL;
}
#define STRLIST_FOREACH(s, l) for (const char *s = strlist_first(l); s; s = strlist_next((l), s))
