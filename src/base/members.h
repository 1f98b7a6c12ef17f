/* members.h - reads one line of our own JSON, which another program may have changed since.
 *
 * A strict scanner of one pass that builds nothing: it checks the grammar and remembers where the members of a table
 * stand. Texts stay as they are in the line, escaped; to compare with a word, escape the word (json_escape) and compare
 * bytes: the writer has one form for each text. Reading JSON of others is jansson's work, in other programs.
 */
#pragma once
#include "base/base.h"
#include "base/buf.h"

struct slice {
    const char *p; /* NULL: not in the line */
    uint32_t size;
};

enum member_kind { MEMBER_TEXT, MEMBER_NUMBER }; /* struct slice; uint64_t */
struct member {
    const char *path; /* "event.sequence" */
    uint8_t size, kind;
    uint16_t offset;
};
#define MEMBER(path, kind, T, m)                    \
    {                                               \
        path, sizeof path - 1, kind, offsetof(T, m) \
    }
#define MEMBERS_MAX 32u

/* 0, or -EBADMSG: not one JSON object, a wanted member of the wrong type or twice, nested deeper than 16.
 * *ret_seen: a bit for each member of the table that was there. */
int members_read(const char *text, size_t size, const struct member *table, size_t count, void *ret,
                 uint32_t *ret_seen);
/* The same for a flat object of these members and no others. */
int members_read_all(const char *text, size_t size, const struct member *table, size_t count, void *ret,
                     uint32_t *ret_seen);
bool slice_is(struct slice s, const char *text);
/* What an escaped text says, for a person: escapes resolved, control characters as \xNN. */
void slice_print(struct slice s, struct buf *out);
