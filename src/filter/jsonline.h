/* jsonline.h - the line on which a value of a JSON text stands.
 *
 * jansson tells lines for syntax errors only. When a value is well-formed but wrong, the
 * text is walked once more along the path that led to it. For valid JSON only; a key
 * written with escapes is not found, and then the answer is the line of its parent.
 */
#pragma once
#include "base/base.h"

struct json_step {
    const char *key; /* NULL: element `index` of an array */
    size_t index;
};

unsigned json_line(const char *bytes, size_t size, const struct json_step *path, size_t count);
