/* fold.h - computing with constant text as the scanned languages would: what resolvers see through disguises with.
 *
 * A fold_mem is a resolver's scratch memory: taken piece by piece, freed all at once, never more than its maximum, so
 * that "a" * 10**9 and friends end as «not known» (false, NULL) and nothing else. Results live in it, are bytes that
 * may hold anything, and have a NUL behind them that is not counted. No text is ever longer than FOLD_MAX_TEXT.
 */
#pragma once
#include "base/arena.h"

#define FOLD_MAX_TEXT (64u << 10)

struct fold_mem {
    struct arena arena;
    size_t used, max;
    bool failed; /* the maximum was reached or memory ran out */
};
struct fold_text {
    const char *data;
    uint32_t size;
};

void fold_init(struct fold_mem *m, size_t max_bytes);
void fold_done(struct fold_mem *m);
void *fold_take(struct fold_mem *m, size_t size); /* zeroed, aligned for anything; NULL: too much */
bool fold_copy(struct fold_mem *m, const char *p, size_t size, struct fold_text *ret);

/* Text that grows. A zeroed one with its memory set is empty; after a failure it stays failed. */
struct fold_out {
    struct fold_mem *mem;
    char *data;
    uint32_t size, cap;
    bool failed;
};
/* One on the stack: a longer one is cut there, and failed. */
#define FRAGMENT_MAX 16384u
struct fragment {
    struct fold_out out;
    char text[FRAGMENT_MAX]; /* not zeroed: a scan makes many */
};
static inline void fragment_init(struct fragment *m)
{
    m->out = (struct fold_out){ .data = m->text, .cap = FRAGMENT_MAX };
}

void fold_add(struct fold_out *o, const char *p, size_t size);
void fold_addc(struct fold_out *o, char c);
void fold_add_utf8(struct fold_out *o, uint32_t code); /* a surrogate: U+FFFD; beyond Unicode: nothing */
void fold_add_int(struct fold_out *o, int64_t v);
bool fold_end(struct fold_out *o, struct fold_text *ret);

struct fold_text fold_of(const char *s); /* borrows */
bool fold_is(struct fold_text t, const char *s);
bool fold_concat(struct fold_mem *m, struct fold_text a, struct fold_text b, struct fold_text *ret);
bool fold_repeat(struct fold_mem *m, struct fold_text t, int64_t times, struct fold_text *ret);
bool fold_reverse(struct fold_mem *m, struct fold_text t, struct fold_text *ret); /* by character where it is UTF-8 */
/* t[start:stop:step] with Python's meaning of negative numbers; a missing bound is NULL. By byte. */
bool fold_slice(struct fold_mem *m, struct fold_text t, const int64_t *start, const int64_t *stop, int64_t step,
                struct fold_text *ret);
bool fold_replace(struct fold_mem *m, struct fold_text t, struct fold_text from, struct fold_text to,
                  struct fold_text *ret);
bool fold_rot13(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
struct fold_text fold_strip(struct fold_text t, struct fold_text set, bool left, bool right); /* borrows from t */

/* Decoders skip white space; base64 takes both alphabets and missing padding. False: not of the form. */
bool fold_base64(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
bool fold_base32(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
bool fold_hex(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
/* What digits of so many bits each stand for; characters that are none are passed over. False: it has such other than
 * white space, and padding at its end. */
bool fold_add_decoded(struct fold_out *o, struct fold_text t, int (*digit)(char c), unsigned bits);

void fold_add_unquoted(struct fold_out *o, struct fold_text t); /* %41 */
char fold_lower_of(char c), fold_upper_of(char c);
void fold_add_each(struct fold_out *o, struct fold_text t, char (*change)(char c));

/* A format from *i on, up to its next place for a value: the letter behind %, what stands in {}. '\0', false: the end.
 */
char fold_to_percent(struct fold_out *o, struct fold_text t, uint32_t *i);
bool fold_to_brace(struct fold_out *o, struct fold_text t, uint32_t *i, struct fold_text *ret);

/* How a language writes characters in its texts. */
struct fold_escapes {
    const char *simple; /* a letter and what it stands for, in turn */
    bool is_in_bytes;   /* a code is a byte, and \0 has a digit more; else a character */
    bool has_bytes;     /* ... where it is \x or octal */
    bool has_long;      /* \U and eight digits */
    bool joins_lines;   /* a backslash at a line's end */
    bool drops_indent;  /* ... also takes what blanks the next one begins with */
    bool keeps_others;  /* another backslash stays; else the character itself stands behind it */
};
/* Text with its escapes undone: letters, \x \u \u{} \U and octal codes. */
void fold_add_unescaped(struct fold_out *o, struct fold_text t, const struct fold_escapes *how);
bool fold_unhex_escapes(struct fold_mem *m, struct fold_text t, struct fold_text *ret); /* Python's */
/* Base 0: by prefix (0x 0o 0b), underscores allowed. */
bool fold_int(struct fold_text t, unsigned base, int64_t *ret);
