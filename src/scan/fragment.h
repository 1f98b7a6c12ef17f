/* fragment.h - one text in the making, on the stack: what scripts spell in pieces. A longer one is not what a name or a
 * path is, and is unknown, not cut. */
#pragma once
#include "base/arena.h"

#define FRAGMENT_MAX 16384u

struct fragment {
    char text[FRAGMENT_MAX]; /* not zeroed: a scan makes many */
    size_t len;
    bool is_over;
};

static inline void fragment_init(struct fragment *p)
{
    p->len = 0;
    p->is_over = false;
}

static inline void fragment_add(struct fragment *p, const char *s, size_t n)
{
    if (n > sizeof p->text - p->len) {
        p->is_over = true;
        n = sizeof p->text - p->len;
    }
    if (n) /* s may be NULL then */
        memcpy(p->text + p->len, s, n);
    p->len += n;
}

void fragment_add_utf8(struct fragment *p, uint32_t code); /* nothing for what is beyond Unicode */

/* How a language writes characters in its texts. */
struct fragment_escapes {
    const char *simple; /* a letter and what it stands for, in turn */
    bool is_in_bytes;   /* a code is a byte, and \0 has a digit more; else a character */
    bool has_long;      /* \U and eight digits */
    bool joins_lines;   /* a backslash at a line's end */
    bool drops_indent;  /* ... also takes what blanks the next one begins with */
};
/* Text with its escapes undone: letters, \x \u \u{} \U and octal codes; behind another backslash stands the character
 * itself. */
void fragment_add_unescaped(struct fragment *p, const char *s, size_t n, const struct fragment_escapes *how);

/* What digits of so many bits each stand for; characters that are none are passed over. */
void fragment_add_decoded(struct fragment *p, const char *s, size_t n, int (*digit)(char c), unsigned bits);

/* A copy, without NULs, that a scan keeps; NULL: too long, or more than what is left of its budget. */
const char *fragment_keep(struct arena *a, uint32_t *budget, const char *s, size_t n, uint32_t *ret_len);
