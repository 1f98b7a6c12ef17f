#include "config/setting_json.h"

#include <stdio.h>

#include "base/json.h"

/* "k": "v" for each «k=v» of a record (or of one pair, which has no separator). */
static void add_pairs(struct buf *out, const char *record, char separator)
{
    for (const char *part = record;;) {
        size_t n = strcspn(part, (char[]){ separator, '\0' });
        const char *eq = memchr(part, '=', n);
        if (eq) {
            json_bytes(out, part, (size_t)(eq - part));
            (void)buf_addc(out, ':');
            json_bytes(out, eq + 1, n - (size_t)(eq - part) - 1);
        }
        if (!part[n])
            return;
        part += n + 1;
    }
}

static void add_map(struct buf *out, const struct strlist *l)
{
    json_open(out, '{');
    STRLIST_FOREACH(pair, l)
    add_pairs(out, pair, '\0');
    json_close(out, '}');
}

static void add_list(struct buf *out, const struct strlist *l, bool is_records)
{
    json_open(out, '[');
    STRLIST_FOREACH(item, l)
    {
        if (is_records) {
            json_open(out, '{');
            add_pairs(out, item, RECORD_SEPARATOR);
            json_close(out, '}');
        } else {
            json_put_string(out, item);
        }
    }
    json_close(out, ']');
}

static void add_flags(struct buf *out, const struct setting *s, uint32_t bits)
{
    json_open(out, '[');
    for (size_t i = 0; s->choices[i]; i++)
        if (bits & UINT32_C(1) << i)
            json_put_string(out, s->choices[i]);
    json_close(out, ']');
}

static void add_user(struct buf *out, const struct user_ids *ids)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%u:%u", ids->uid, ids->gid);
    json_put_string(out, text);
}

/* "true" and "false" are the words of a boolean. */
static void add_switch(struct buf *out, const char *v)
{
    if (v[0] == '/')
        json_put_string(out, v);
    else
        json_bool(out, str_eq(v, "true"));
}

/* Sizes in bytes, times in seconds, CPU in cores. */
static void add_value(struct buf *out, const struct setting *s, const void *base)
{
    const void *m = (const char *)base + s->offset;
    if (setting_is_unset(s, base)) {
        json_put_null(out);
        return;
    }
    switch (s->type) {
    case SET_BOOL:
        json_bool(out, *(const bool *)m);
        break;
    case SET_UINT:
        json_uint(out, *(const uint32_t *)m);
        break;
    case SET_SIZE:
        json_uint(out, *(const uint64_t *)m);
        break;
    case SET_CPU:
    case SET_RATIO:
        json_milli(out, *(const uint32_t *)m);
        break;
    case SET_DURATION:
        json_milli(out, *(const uint64_t *)m);
        break;
    case SET_ENUM:
        json_put_string(out, s->choices[*(const uint8_t *)m]);
        break;
    case SET_FLAGS:
        add_flags(out, s, *(const uint32_t *)m);
        break;
    case SET_STRING:
        json_put_string(out, *(const char *const *)m);
        break;
    case SET_LIST:
    case SET_TARGETS:
        add_list(out, m, false);
        break;
    case SET_SWITCH:
        add_switch(out, *(const char *const *)m);
        break;
    case SET_RECORDS:
        add_list(out, m, true);
        break;
    case SET_MAP:
        add_map(out, m);
        break;
    case SET_USER:
        add_user(out, m);
        break;
    }
}

/* How many sections two keys have in common, and how many one has. */
static int common_depth(const char *a, const char *b)
{
    int depth = 0;
    for (; *a && *a == *b; a++, b++)
        depth += *a == '.';
    return depth;
}
static int own_depth(const char *key)
{
    return common_depth(key, key);
}

/* From the place of one key to that of the next: closes sections and opens others. "" is the root. */
static void move_between(struct buf *out, const char *from, const char *to)
{
    int common = common_depth(from, to), depth = 0;
    const char *dot;
    for (int i = own_depth(from); i > common; i--)
        json_close(out, '}');
    for (; (dot = strchr(to, '.')); to = dot + 1)
        if (depth++ >= common) {
            json_bytes(out, to, (size_t)(dot - to));
            (void)buf_addc(out, ':');
            json_open(out, '{');
        }
}

static const char *last_word(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? dot + 1 : key;
}

void settings_json(struct settings s, const void *base, settings_note *origin, void *ctx, struct buf *out)
{
    const char *place = "";
    json_open(out, '{');
    json_key(out, "values");
    json_open(out, '{');
    for (size_t i = 0; i < s.count; i++) {
        move_between(out, place, s.table[i].key);
        place = s.table[i].key;
        json_key(out, last_word(place));
        add_value(out, &s.table[i], base);
    }
    move_between(out, place, "");
    json_close(out, '}');
    json_key(out, "origins");
    json_open(out, '{');
    for (size_t i = 0; i < s.count; i++) {
        struct buf text;
        buf_init(&text, 8192);
        origin(ctx, i, &text);
        json_key(out, s.table[i].key);
        json_put_string(out, text.data);
        buf_done(&text);
    }
    json_close(out, '}');
    json_close(out, '}');
}
