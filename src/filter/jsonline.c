#include "filter/jsonline.h"

struct cursor {
    const char *at, *end;
};

static bool is_at(const struct cursor *c, char want)
{
    return c->at < c->end && *c->at == want;
}

static void skip_space(struct cursor *c)
{
    while (c->at < c->end && strchr(" \t\r\n,:", *c->at) && *c->at)
        c->at++;
}

static void skip_string(struct cursor *c)
{
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++)
        if (*c->at == '\\')
            c->at++;
    if (c->at < c->end)
        c->at++;
    else
        c->at = c->end; /* an escape at the very end may have stepped over */
}

static void skip_value(struct cursor *c)
{
    size_t depth = 0;
    const char *before;
    do {
        before = c->at;
        if (is_at(c, '"')) {
            skip_string(c);
        } else if (c->at < c->end && strchr("{[", *c->at) && *c->at) {
            depth++;
            c->at++;
        } else if (c->at < c->end && strchr("}]", *c->at) && *c->at) {
            depth -= depth > 0;
            c->at++;
        } else {
            while (c->at < c->end && !strchr(" \t\r\n,:{}[]\"", *c->at))
                c->at++;
        }
        skip_space(c);
    } while (depth > 0 && c->at < c->end && c->at != before);
}

/* From the opening brace to the value of `key`. */
static bool enter_key(struct cursor *c, const char *key)
{
    size_t length = strlen(key);
    c->at++;
    for (skip_space(c); is_at(c, '"'); skip_value(c)) {
        const char *name = c->at + 1;
        skip_string(c);
        bool found = (size_t)(c->at - name) == length + 1 && memcmp(name, key, length) == 0;
        skip_space(c);
        if (found)
            return true;
    }
    return false;
}

static bool enter_index(struct cursor *c, size_t index)
{
    c->at++;
    for (skip_space(c); c->at < c->end && !is_at(c, ']'); skip_value(c))
        if (index-- == 0)
            return true;
    return false;
}

unsigned json_line(const char *bytes, size_t size, const struct json_step *path, size_t count)
{
    struct cursor c = { bytes, bytes + size };
    const char *found = c.at;
    skip_space(&c);
    for (size_t i = 0; i < count; i++) {
        bool inside = path[i].key ? is_at(&c, '{') && enter_key(&c, path[i].key)
                                  : is_at(&c, '[') && enter_index(&c, path[i].index);
        if (!inside)
            break;
        found = c.at;
    }
    unsigned line = 1;
    for (const char *p = bytes; p < found; p++)
        line += *p == '\n';
    return line;
}
