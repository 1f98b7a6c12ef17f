/* base64.h - RFC 4648, strictly: no blanks, no line breaks, no bits behind the end. */
#pragma once
#include "base/base.h"

/* Both alphabets by choice: url «-_» without padding, or «+/» with it. At most 3/4 of size bytes go to `to`. -EINVAL: not well-formed. */
int base64_read(const char *text, size_t size, bool is_url, void *to, size_t *ret_size);

/* With padding. */
struct buf;
void base64_write(struct buf *b, const void *data, size_t size);
