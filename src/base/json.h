/* json.h - writes one JSON value into a buffer. Reading JSON is jansson's work, in other programs.
 *
 * Commas are put by the writer: json_key() or a value notices that something precedes it. Strings are
 * repaired: bytes that are no UTF-8 become U+FFFD, one per offending byte.
 * No name here may be one of jansson's (json_string, json_null): in sandbox-policy, which is linked with both, ours
 * would answer the library's own calls.
 */
#pragma once
#include "base/buf.h"
#include "base/strlist.h"

void json_open(struct buf *b, char bracket);  /* '{' or '[' */
void json_close(struct buf *b, char bracket); /* '}' or ']' */
void json_key_sized(struct buf *b, const char *key, size_t size);
/* The length of a literal is known when this is compiled. */
static inline void json_key(struct buf *b, const char *key)
{
    json_key_sized(b, key, strlen(key));
}
void json_put_string(struct buf *b, const char *s);      /* NULL: null */
void json_texts(struct buf *b, const struct strlist *l); /* ["a", "b"] */
/* K=V as members of an object that is open, but for the one with this name; NULL: all. */
void json_pairs(struct buf *b, const struct strlist *pairs, const char *without);
void json_bytes(struct buf *b, const char *s, size_t n);
/* How many bytes json_escape() would add. */
size_t json_escaped_size(const char *s, size_t n);
void json_escape(struct buf *b, const char *s, size_t n); /* what stands between the quotes */
void json_uint(struct buf *b, uint64_t v);
void json_int(struct buf *b, int64_t v);
void json_bool(struct buf *b, bool v);
void json_put_null(struct buf *b);
/* Length of the well-formed UTF-8 sequence at s (RFC 3629: no surrogates, nothing overlong, at most U+10FFFF), or 0. n
 * > 0. */
size_t json_utf8_length(const unsigned char *s, size_t n);
/* All of it is UTF-8, so that a string of JSON brings it back as it was. */
bool json_is_text(const char *s, size_t n);
/* thousandths: 1234 -> 1.234 */
void json_milli(struct buf *b, uint64_t v);
