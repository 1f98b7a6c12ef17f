/* setting_type.c - how each type of setting is read, written and packed. */
#include "config/setting_type.h"

#include "base/parse.h"

#include <strings.h>

/* ---- numbers: UINT SIZE CPU DURATION RATIO ---- */

static int read_cpu(const char *v, uint64_t *ret)
{
    uint32_t milli;
    int r = parse_cpu(v, &milli);
    if (r == 0)
        *ret = milli;
    return r;
}
static int read_ratio(const char *v, uint64_t *ret)
{
    uint32_t milli;
    int r = parse_ratio(v, &milli);
    if (r == 0)
        *ret = milli;
    return r;
}

static void write_uint(uint64_t v, struct buf *out)
{
    (void)buf_addf(out, "%llu", (unsigned long long)v);
}
static void write_size(uint64_t v, struct buf *out)
{
    char text[32];
    (void)buf_adds(out, format_size(v, text));
}
static void write_milli(uint64_t v, struct buf *out)
{
    char text[32];
    (void)buf_adds(out, format_milli((uint32_t)v, text));
}
static void write_duration(uint64_t ms, struct buf *out)
{
    if (ms % 1000)
        (void)buf_addf(out, "%llums", (unsigned long long)ms);
    else if (ms && ms % 3600000 == 0)
        (void)buf_addf(out, "%lluh", (unsigned long long)(ms / 3600000));
    else
        (void)buf_addf(out, "%llus", (unsigned long long)(ms / 1000));
}

static const struct number_type {
    size_t size;
    int (*read)(const char *v, uint64_t *ret);
    void (*write)(uint64_t v, struct buf *out);
    const char *what;
} number_types[] = {
    [SET_UINT] = { 4, parse_u64, write_uint, "a whole number" },
    [SET_SIZE] = { 8, parse_size, write_size, "a size such as 512m or 64MiB" },
    [SET_CPU] = { 4, read_cpu, write_milli, "a number of cores such as 0.25 or 2" },
    [SET_DURATION] = { 8, parse_duration, write_duration, "seconds such as 30 or 1.5, or 500ms, 5m, 1h, 7d," },
    [SET_RATIO] = { 4, read_ratio, write_milli, "a number with at most three decimals" },
};

static uint64_t number_load(const struct setting *s, const void *member)
{
    if (number_types[s->type].size == 8)
        return *(const uint64_t *)member;
    return *(const uint32_t *)member;
}
static void number_store(const struct setting *s, void *member, uint64_t v)
{
    if (number_types[s->type].size == 8)
        *(uint64_t *)member = v;
    else
        *(uint32_t *)member = (uint32_t)v;
}

static bool number_is_in_range(const struct setting *s, uint64_t v)
{
    if (number_types[s->type].size == 4 && v > UINT32_MAX)
        return false;
    return v >= s->min && (s->max == 0 || v <= s->max);
}

static int number_parse(const struct setting *s, void *member, const char *value)
{
    uint64_t v;
    if (number_types[s->type].read(value, &v) < 0 || !number_is_in_range(s, v))
        return -EINVAL;
    number_store(s, member, v);
    return 0;
}
static bool number_is_unset(const struct setting *s, const void *member)
{
    return number_load(s, member) == 0;
}
static void number_print(const struct setting *s, const void *member, struct buf *out)
{
    number_types[s->type].write(number_load(s, member), out);
}
static void number_accepts(const struct setting *s, struct buf *out)
{
    const struct number_type *t = &number_types[s->type];
    (void)buf_adds(out, t->what);
    if (s->max) {
        (void)buf_adds(out, " between ");
        t->write(s->min, out);
        (void)buf_adds(out, " and ");
        t->write(s->max, out);
    } else if (s->min) {
        (void)buf_adds(out, " of at least ");
        t->write(s->min, out);
    }
}
static void number_pack(const struct setting *s, const void *member, struct buf *out)
{
    pack_u64(out, number_load(s, member));
}
static void number_unpack(const struct setting *s, void *member, struct unpack *u)
{
    uint64_t v = unpack_u64(u);
    if (number_is_in_range(s, v) || (!s->preset && v == 0))
        number_store(s, member, v);
    else
        u->failed = true;
}

/* ---- words: BOOL ENUM FLAGS ---- */

static int bool_parse(const struct setting *s, void *member, const char *value)
{
    (void)s;
    return parse_bool(value, member);
}
static void bool_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, *(const bool *)member ? "true" : "false");
}
static void bool_accepts(const struct setting *s, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, "true or false");
}
static void bool_pack(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    pack_u64(out, *(const bool *)member);
}
static void bool_unpack(const struct setting *s, void *member, struct unpack *u)
{
    (void)s;
    uint64_t v = unpack_u64(u);
    if (v > 1)
        u->failed = true;
    *(bool *)member = v == 1;
}

static size_t choice_count(const struct setting *s)
{
    size_t n = 0;
    while (s->choices[n])
        n++;
    return n;
}
/* Index of the choice, or -1. */
static int choice_find(const struct setting *s, const char *word, size_t length)
{
    for (size_t i = 0; s->choices[i]; i++)
        if (strlen(s->choices[i]) == length && memcmp(s->choices[i], word, length) == 0)
            return (int)i;
    return -1;
}
static void choices_list(const struct setting *s, const char *last, struct buf *out)
{
    size_t n = choice_count(s);
    for (size_t i = 0; i < n; i++)
        (void)buf_addf(out, "%s%s", i == 0 ? "" : i + 1 == n ? last : ", ", s->choices[i]);
}

/* Other words for a choice, which files have that were written for other programs. */
static const char *choice_alias(const struct setting *s, const char *word)
{
    static const struct {
        const char *key, *word, *choice;
    } aliases[] = {
        { "docker.images.pull_policy", "if_not_present", "missing" },
        { "docker.images.pull_policy", "IfNotPresent", "missing" },
    };
    for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
        if (str_eq(aliases[i].key, s->key) && str_eq(aliases[i].word, word))
            return aliases[i].choice;
    return word;
}

static int enum_parse(const struct setting *s, void *member, const char *value)
{
    value = choice_alias(s, value);
    int i = choice_find(s, value, strlen(value));
    if (i < 0)
        return -EINVAL;
    *(uint8_t *)member = (uint8_t)i;
    return 0;
}
static bool enum_is_unset(const struct setting *s, const void *member)
{
    (void)s;
    return *(const uint8_t *)member == SETTING_UNSET_ENUM;
}
static void enum_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)buf_adds(out, s->choices[*(const uint8_t *)member]);
}
static void enum_accepts(const struct setting *s, struct buf *out)
{
    choices_list(s, " or ", out);
}
static void enum_pack(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    pack_u64(out, *(const uint8_t *)member);
}
static void enum_unpack(const struct setting *s, void *member, struct unpack *u)
{
    uint64_t v = unpack_u64(u);
    if (v >= choice_count(s) && !(v == SETTING_UNSET_ENUM && !s->preset))
        u->failed = true;
    else
        *(uint8_t *)member = (uint8_t)v;
}

static int flags_parse(const struct setting *s, void *member, const char *value)
{
    int i = choice_find(s, value, strlen(value));
    if (i < 0)
        return -EINVAL;
    *(uint32_t *)member |= UINT32_C(1) << i;
    return 0;
}
static void flags_clear(void *member)
{
    *(uint32_t *)member = 0;
}
static void flags_print(const struct setting *s, const void *member, struct buf *out)
{
    uint32_t v = *(const uint32_t *)member;
    const char *separator = "";
    (void)buf_addc(out, '[');
    for (size_t i = 0; s->choices[i]; i++)
        if (v & UINT32_C(1) << i) {
            (void)buf_addf(out, "%s%s", separator, s->choices[i]);
            separator = ", ";
        }
    (void)buf_addc(out, ']');
}
static void flags_accepts(const struct setting *s, struct buf *out)
{
    (void)buf_adds(out, "a list of ");
    choices_list(s, ", ", out);
}
static void flags_pack(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    pack_u64(out, *(const uint32_t *)member);
}
static void flags_unpack(const struct setting *s, void *member, struct unpack *u)
{
    uint64_t v = unpack_u64(u);
    if (v >> choice_count(s))
        u->failed = true;
    else
        *(uint32_t *)member = (uint32_t)v;
}

/* ---- texts: STRING LIST MAP RECORDS USER ---- */

/* Plain YAML where it cannot be misread, double-quoted otherwise. */
static void print_text(const char *v, size_t n, struct buf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.+-";
    bool is_plain = n > 0 && v[0] != '-' && v[0] != '.' && v[0] != '+' && !(n == 4 && strncasecmp(v, "null", 4) == 0);
    for (size_t i = 0; i < n && is_plain; i++)
        is_plain = memchr(plain, v[i], sizeof plain - 1) != NULL;
    if (is_plain) {
        (void)buf_add(out, v, n);
        return;
    }
    (void)buf_addc(out, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)v[i];
        if (c == '"' || c == '\\')
            (void)buf_addf(out, "\\%c", c);
        else if (c == '\n')
            (void)buf_adds(out, "\\n");
        else if (c < 0x20 || c == 0x7f)
            (void)buf_addf(out, "\\x%02x", c);
        else
            (void)buf_addc(out, (char)c);
    }
    (void)buf_addc(out, '"');
}

static int string_parse(const struct setting *s, void *member, const char *value)
{
    (void)s;
    char *copy = strdup(value);
    if (!copy)
        return -ENOMEM;
    *(const char **)member = copy;
    return 0;
}
static void string_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    const char *v = *(const char *const *)member;
    if (v)
        print_text(v, strlen(v), out);
    else
        (void)buf_adds(out, "null");
}
static void string_accepts(const struct setting *s, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, "a text");
}
static void string_pack(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    pack_str(out, *(const char *const *)member);
}
static void string_unpack(const struct setting *s, void *member, struct unpack *u)
{
    const char *v = unpack_str(u);
    if (!v && s->preset)
        u->failed = true; /* readers rely on it: only a string without preset may be NULL */
    *(const char **)member = v;
}

/* A list that borrows from a policy blob becomes our own before it grows. */
static int list_append(struct strlist *l, const char *value)
{
    if (!l->data || l->cap)
        return strlist_add(l, value);
    struct strlist own = { 0 };
    STRLIST_FOREACH(item, l)
    {
        int r = strlist_add(&own, item);
        if (r < 0) {
            strlist_done(&own);
            return r;
        }
    }
    *l = own;
    return strlist_add(l, value);
}

static int list_parse(const struct setting *s, void *member, const char *value)
{
    (void)s;
    return list_append(member, value);
}
static void list_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    const char *separator = "";
    (void)buf_addc(out, '[');
    STRLIST_FOREACH(item, (const struct strlist *)member)
    {
        (void)buf_adds(out, separator);
        print_text(item, strlen(item), out);
        separator = ", ";
    }
    (void)buf_addc(out, ']');
}
static void list_accepts(const struct setting *s, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, "a list of texts");
}
static void list_pack(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    pack_list(out, member);
}
static void list_unpack(const struct setting *s, void *member, struct unpack *u)
{
    (void)s;
    *(struct strlist *)member = unpack_list(u);
}

static int map_parse(const struct setting *s, void *member, const char *value)
{
    (void)s;
    const char *eq = strchr(value, '=');
    if (!eq || eq == value)
        return -EINVAL;
    return list_append(member, value);
}
/* «k: v» out of «k=v», which ends at end. */
static void print_pair(const char *pair, const char *end, struct buf *out)
{
    const char *eq = memchr(pair, '=', (size_t)(end - pair));
    if (!eq) /* cannot happen: parse refused it */
        eq = end;
    print_text(pair, (size_t)(eq - pair), out);
    (void)buf_adds(out, ": ");
    if (eq < end)
        eq++;
    print_text(eq, (size_t)(end - eq), out);
}
static void map_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    const char *separator = "";
    (void)buf_addc(out, '{');
    STRLIST_FOREACH(item, (const struct strlist *)member)
    {
        (void)buf_adds(out, separator);
        print_pair(item, item + strlen(item), out);
        separator = ", ";
    }
    (void)buf_addc(out, '}');
}
static void map_accepts(const struct setting *s, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, "a mapping of names to texts");
}

/* Each of the choices at most once, the first (the record's name) always. */
static int records_parse(const struct setting *s, void *member, const char *value)
{
    uint32_t seen = 0;
    for (const char *part = value;; part++) {
        size_t length = strcspn(part, (char[]){ RECORD_SEPARATOR, '\0' });
        const char *eq = memchr(part, '=', length);
        int i = eq ? choice_find(s, part, (size_t)(eq - part)) : -1;
        if (i < 0 || (seen & UINT32_C(1) << i))
            return -EINVAL;
        seen |= UINT32_C(1) << i;
        part += length;
        if (!*part)
            break;
    }
    return seen & 1 ? list_append(member, value) : -EINVAL;
}
static void print_record(const char *item, struct buf *out)
{
    (void)buf_addc(out, '{');
    for (const char *part = item;; part++) {
        const char *end = part + strcspn(part, (char[]){ RECORD_SEPARATOR, '\0' });
        print_pair(part, end, out);
        part = end;
        if (!*part)
            break;
        (void)buf_adds(out, ", ");
    }
    (void)buf_addc(out, '}');
}
static void records_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    const char *separator = "";
    (void)buf_addc(out, '[');
    STRLIST_FOREACH(item, (const struct strlist *)member)
    {
        (void)buf_adds(out, separator);
        print_record(item, out);
        separator = ", ";
    }
    (void)buf_addc(out, ']');
}
static void records_accepts(const struct setting *s, struct buf *out)
{
    (void)buf_adds(out, "a list of mappings with the keys ");
    choices_list(s, " and ", out);
}

static int targets_parse(const struct setting *s, void *member, const char *value)
{
    char text[TARGET_MAX];
    int r = target_normalize(s, value, text);
    return r < 0 || !text[0] ? r : list_append(member, text);
}
static void targets_accepts(const struct setting *s, struct buf *out)
{
    (void)buf_adds(out, "a list of texts, or of mappings with the keys ");
    choices_list(s, " and ", out);
}

static int switch_parse(const struct setting *s, void *member, const char *value)
{
    bool is_on;
    if (parse_bool(value, &is_on) == 0)
        return string_parse(s, member, is_on ? "true" : "false");
    return value[0] == '/' ? string_parse(s, member, value) : -EINVAL;
}
static void switch_accepts(const struct setting *s, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, "true, false or an absolute path");
}

static int user_parse(const struct setting *s, void *member, const char *value)
{
    (void)s;
    struct user_ids ids;
    if (parse_user(value, &ids.uid, &ids.gid) < 0)
        return -EINVAL;
    *(struct user_ids *)member = ids;
    return 0;
}
static void user_print(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    const struct user_ids *ids = member;
    (void)buf_addf(out, "\"%u:%u\"", ids->uid, ids->gid);
}
static void user_accepts(const struct setting *s, struct buf *out)
{
    (void)s;
    (void)buf_adds(out, "two numbers uid:gid such as 65534:65534, or one for both");
}
static void user_pack(const struct setting *s, const void *member, struct buf *out)
{
    (void)s;
    const struct user_ids *ids = member;
    pack_u64(out, (uint64_t)ids->uid << 32 | ids->gid);
}
static void user_unpack(const struct setting *s, void *member, struct unpack *u)
{
    (void)s;
    uint64_t v = unpack_u64(u);
    *(struct user_ids *)member = (struct user_ids){ (uint32_t)(v >> 32), (uint32_t)v };
}

static bool string_is_unset(const struct setting *s, const void *member)
{
    (void)s;
    return !*(const char *const *)member;
}
static void string_clear(void *member)
{
    free(*(char **)member);
    *(char **)member = NULL;
}
static void list_clear(void *member)
{
    strlist_done(member);
}

#define OPS(type)  .parse = type##_parse, .print = type##_print, .accepts = type##_accepts
#define PACK(type) .pack = type##_pack, .unpack = type##_unpack
#define NUMBER_OPS                                             \
    {                                                          \
        OPS(number), PACK(number), .is_unset = number_is_unset \
    }
static const struct setting_ops types[] = {
    [SET_BOOL] = { OPS(bool), PACK(bool) },
    [SET_UINT] = NUMBER_OPS,
    [SET_SIZE] = NUMBER_OPS,
    [SET_CPU] = NUMBER_OPS,
    [SET_DURATION] = NUMBER_OPS,
    [SET_RATIO] = NUMBER_OPS,
    [SET_ENUM] = { OPS(enum), PACK(enum), .is_unset = enum_is_unset },
    [SET_FLAGS] = { OPS(flags), PACK(flags), .clear = flags_clear, .takes_items = true },
    [SET_STRING] = { OPS(string), PACK(string), .is_unset = string_is_unset, .clear = string_clear },
    [SET_LIST] = { OPS(list), PACK(list), .clear = list_clear, .takes_items = true },
    [SET_MAP] = { OPS(map), PACK(list), .clear = list_clear, .takes_items = true },
    [SET_RECORDS] = { OPS(records), PACK(list), .clear = list_clear, .takes_items = true },
    [SET_USER] = { OPS(user), PACK(user) },
    [SET_TARGETS] = { .parse = targets_parse,
                      .print = list_print,
                      .accepts = targets_accepts,
                      PACK(list),
                      .clear = list_clear,
                      .takes_items = true },
    [SET_SWITCH] = { .parse = switch_parse,
                     .print = string_print,
                     .accepts = switch_accepts,
                     PACK(string),
                     .is_unset = string_is_unset,
                     .clear = string_clear },
};

const struct setting_ops *setting_ops(const struct setting *s)
{
    return &types[s->type];
}
