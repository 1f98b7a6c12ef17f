/* yaml.c - pulls libyaml's events one by one and walks the table of settings with them.
 *
 * The recursion in load_mapping() follows the table, not the file: a key that no setting has ends the
 * load before its value is looked at, so the file cannot nest deeper than our own keys do (4).
 */
#include "config/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>
#include <yaml.h>
#include "base/utf8.h"

struct loader {
    yaml_parser_t parser;
    const char *path, *bytes;
    size_t size;
    struct settings s;
    void *base;
    struct origin *origins;
    uint8_t source;
    uint32_t *given;         /* line of each setting in this file, 0: not yet */
    struct strlist sections; /* those this file has opened */
    struct error *err;
};

static void event_done(yaml_event_t *e)
{
    yaml_event_delete(e);
}
#define EVENT(name) cleanup(event_done) yaml_event_t name = { 0 }

/* ---- errors ---- */

static PRINTF_LIKE(3, 4) int fail(struct loader *l, size_t line, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(l->err, -EINVAL, BLAME_CALLER, NULL, "%s:%zu: %s", l->path, line, text);
}

static size_t line_of(const yaml_event_t *e)
{
    return e->start_mark.line + 1;
}

/* What a message may show of a name from the file. */
static const char *shown(const char *s, char out[static 64])
{
    size_t n = 0;
    for (; s[n] && n < 56; n++)
        out[n] = (unsigned char)s[n] < 0x20 || s[n] == 0x7f ? '?' : s[n];
    (void)snprintf(out + n, 64 - n, "%s", s[n] ? "..." : "");
    return out;
}

static size_t line_at(const struct loader *l, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset && i < l->size; i++)
        line += l->bytes[i] == '\n';
    return line;
}

static int fail_parser(struct loader *l)
{
    const yaml_parser_t *p = &l->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return err_set(l->err, -ENOMEM, BLAME_US, NULL, "%s: out of memory", l->path);
    size_t line = p->error == YAML_READER_ERROR ? line_at(l, p->problem_offset) : p->problem_mark.line + 1;
    return fail(l, line, "not valid YAML: %s%s%s; expected lines such as 'key: value', indented by spaces",
                p->context ? p->context : "", p->context ? ", " : "", p->problem ? p->problem : "unreadable");
}

/* ---- before libyaml sees it ---- */

static int check_bytes(struct loader *l)
{
    const unsigned char *p = (const unsigned char *)l->bytes;
    if (l->size > YAML_MAX_BYTES)
        return err_set(l->err, -EFBIG, BLAME_CALLER, NULL, "%s: larger than %u KiB", l->path, YAML_MAX_BYTES / 1024);
    for (size_t i = 0, n; i < l->size; i += n) {
        n = utf8_size(l->bytes + i, l->size - i);
        if (n == 0)
            return fail(l, line_at(l, i), "not valid UTF-8");
        if (p[i] == '\0')
            return fail(l, line_at(l, i), "a NUL byte; expected text");
        /* Many %TAG lines would cost libyaml quadratic time, and none is needed here. */
        if (p[i] == '%' && (i == 0 || p[i - 1] == '\n' || p[i - 1] == '\r'))
            return fail(l, line_at(l, i), "a directive (%%); expected plain YAML");
    }
    return 0;
}

/* ---- events ---- */

static const char *anchor_of(const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return (const char *)e->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return (const char *)e->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return (const char *)e->data.mapping_start.anchor;
    default:
        return NULL;
    }
}
static const char *tag_of(const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return (const char *)e->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return (const char *)e->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return (const char *)e->data.mapping_start.tag;
    default:
        return NULL;
    }
}

/* Nothing that goes to a terminal, an argv or a record may carry control characters (C0 but \t and \n, DEL, C1),
 * nor what YAML itself does not take raw: then a printed setting would not load back (U+2028, U+2029, U+FEFF,
 * U+FFFE, U+FFFF). The bytes are valid UTF-8: libyaml made them. */
static bool is_text(const unsigned char *p, size_t n)
{
    static const char *const refused[] = { "\xe2\x80\xa8", "\xe2\x80\xa9", "\xef\xbb\xbf", "\xef\xbf\xbe",
                                           "\xef\xbf\xbf" };
    for (size_t i = 0; i < n; i++) {
        if ((p[i] < 0x20 && p[i] != '\t' && p[i] != '\n') || p[i] == 0x7f)
            return false;
        if (p[i] == 0xc2 && i + 1 < n && p[i + 1] < 0xa0)
            return false;
        for (size_t k = 0; (p[i] == 0xe2 || p[i] == 0xef) && k < ARRAY_LEN(refused); k++)
            if (n - i >= 3 && memcmp(p + i, refused[k], 3) == 0)
                return false;
    }
    return true;
}

static int check_scalar(struct loader *l, const yaml_event_t *e)
{
    if (e->data.scalar.length > YAML_MAX_SCALAR)
        return fail(l, line_of(e), "a text of more than %u bytes", YAML_MAX_SCALAR);
    if (!is_text(e->data.scalar.value, e->data.scalar.length))
        return fail(l, line_of(e), "a control character in a text; expected printable characters");
    return 0;
}

static int next(struct loader *l, yaml_event_t *ret)
{
    if (!yaml_parser_parse(&l->parser, ret))
        return fail_parser(l);
    if (ret->type == YAML_ALIAS_EVENT)
        return fail(l, line_of(ret), "an alias (*); expected the value itself");
    if (anchor_of(ret))
        return fail(l, line_of(ret), "an anchor (&); expected the value alone");
    if (tag_of(ret))
        return fail(l, line_of(ret), "a tag (!); expected the value alone");
    return ret->type == YAML_SCALAR_EVENT ? check_scalar(l, ret) : 0;
}

static const char *text_of(const yaml_event_t *e)
{
    return (const char *)e->data.scalar.value;
}
static bool is_null(const yaml_event_t *e)
{
    if (e->type != YAML_SCALAR_EVENT || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    const char *v = text_of(e);
    return str_eq(v, "") || str_eq(v, "~") || strcasecmp(v, "null") == 0;
}
static const char *found(const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SEQUENCE_START_EVENT:
        return "a list";
    case YAML_MAPPING_START_EVENT:
        return "a mapping";
    case YAML_SCALAR_EVENT:
        return is_null(e) ? "no value" : "a single value";
    default:
        return "the end";
    }
}

/* ---- values ---- */

static int fail_expected(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    cleanup(buf_done) struct buf accepts;
    buf_init(&accepts, 1024);
    setting_accepts(s, &accepts);
    bool may_be_empty = s->type == SET_LIST || s->type == SET_FLAGS || s->type == SET_RECORDS || s->type == SET_TARGETS;
    return fail(l, line_of(e), "%s: expected %s, found %s%s", s->key, accepts.data ? accepts.data : "a value", found(e),
                is_null(e) && may_be_empty ? "; an empty list is written []" : "");
}

static int parse_value(struct loader *l, const struct setting *s, const char *value, size_t line)
{
    int r = setting_parse(s, l->base, value, l->err);
    if (r < 0)
        (void)err_wrap(l->err, "%s:%zu", l->path, line);
    return r;
}

static int load_scalar(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    if (e->type != YAML_SCALAR_EVENT || is_null(e))
        return fail_expected(l, s, e);
    return parse_value(l, s, text_of(e), line_of(e));
}

static int fail_items(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    return fail(l, line_of(e), "%s: more than %u items", s->key, YAML_MAX_ITEMS);
}

/* The items of a list, one after the other. */
static int load_items(struct loader *l, const struct setting *s,
                      int (*load)(struct loader *l, const struct setting *s, const yaml_event_t *e))
{
    for (unsigned n = 0;; n++) {
        EVENT(item);
        int r = next(l, &item);
        if (r < 0)
            return r;
        if (item.type == YAML_SEQUENCE_END_EVENT)
            return 0;
        if (n == YAML_MAX_ITEMS)
            return fail_items(l, s, &item);
        if ((r = load(l, s, &item)) < 0)
            return r;
    }
}

static int load_list(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    if (e->type == YAML_SCALAR_EVENT)
        return load_scalar(l, s, e);
    return e->type == YAML_SEQUENCE_START_EVENT ? load_items(l, s, load_scalar) : fail_expected(l, s, e);
}

/* «key=value» appended to out (RECORDS: after a separator). 1: the mapping has ended. */
static int load_pair(struct loader *l, const struct setting *s, struct buf *out, size_t *ret_line)
{
    EVENT(key);
    EVENT(value);
    char name[64];
    int r = next(l, &key);
    if (r < 0)
        return r;
    if (key.type == YAML_MAPPING_END_EVENT)
        return 1;
    if (key.type != YAML_SCALAR_EVENT || !*text_of(&key) || strchr(text_of(&key), '='))
        return fail(l, line_of(&key), "%s: expected a name without '='", s->key);
    *ret_line = line_of(&key);
    if ((r = next(l, &value)) < 0)
        return r;
    if (value.type != YAML_SCALAR_EVENT || is_null(&value))
        return fail(l, line_of(&value), "%s.%s: expected a text, found %s%s", s->key, shown(text_of(&key), name),
                    found(&value), is_null(&value) ? "; an empty text is written \"\"" : "");
    if (out->size)
        (void)buf_addc(out, RECORD_SEPARATOR);
    (void)buf_adds(out, text_of(&key));
    (void)buf_addc(out, '=');
    return buf_adds(out, text_of(&value));
}

static int load_map(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    const struct strlist *have = (const void *)((const char *)l->base + s->offset);
    if (e->type != YAML_MAPPING_START_EVENT)
        return fail_expected(l, s, e);
    for (;;) {
        cleanup(buf_done) struct buf pair;
        char name[64];
        size_t line = 0;
        buf_init(&pair, 2 * YAML_MAX_SCALAR + 8);
        int r = load_pair(l, s, &pair, &line);
        if (r != 0)
            return r < 0 ? r : 0;
        char *eq = strchr(pair.data, '=');
        assert(eq); /* load_pair wrote it */
        *eq = '\0';
        if (strlist_get(have, pair.data))
            return fail(l, line, "%s: '%s' is given twice", s->key, shown(pair.data, name));
        if (have->count == YAML_MAX_ITEMS)
            return fail_items(l, s, e);
        *eq = '=';
        if ((r = parse_value(l, s, pair.data, line)) < 0)
            return r;
    }
}

static int load_record(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    cleanup(buf_done) struct buf record = { 0 };
    size_t line;
    int r;
    if (e->type != YAML_MAPPING_START_EVENT)
        return fail_expected(l, s, e);
    buf_init(&record, 4 * YAML_MAX_SCALAR);
    while ((r = load_pair(l, s, &record, &line)) == 0)
        ;
    if (r < 0)
        return r == -EMSGSIZE ? fail(l, line_of(e), "%s: an item is too long", s->key) : r;
    return parse_value(l, s, record.size ? record.data : "", line_of(e));
}

static int load_records(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    return e->type == YAML_SEQUENCE_START_EVENT ? load_items(l, s, load_record) : fail_expected(l, s, e);
}

static int load_target(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    return e->type == YAML_MAPPING_START_EVENT ? load_record(l, s, e) : load_scalar(l, s, e);
}

static int load_targets(struct loader *l, const struct setting *s, const yaml_event_t *e)
{
    return e->type == YAML_SEQUENCE_START_EVENT ? load_items(l, s, load_target) : load_target(l, s, e);
}

static int load_value(struct loader *l, const struct setting *s, size_t key_line)
{
    EVENT(e);
    size_t i = (size_t)(s - l->s.table);
    if (l->given[i])
        return fail(l, key_line, "%s is given twice (first in line %u)", s->key, l->given[i]);
    int r = next(l, &e);
    if (r < 0)
        return r;
    l->given[i] = (uint32_t)key_line;
    if (is_null(&e) && !s->preset)
        return 0; /* what has no default may be left open: as if it were not written */
    setting_clear(s, l->base);
    l->origins[i] = (struct origin){ .source = l->source, .line = (uint16_t)MIN_OF(key_line, (size_t)UINT16_MAX) };
    switch (s->type) {
    case SET_LIST:
    case SET_FLAGS:
        return load_list(l, s, &e);
    case SET_MAP:
        return load_map(l, s, &e);
    case SET_RECORDS:
        return load_records(l, s, &e);
    case SET_TARGETS:
        return load_targets(l, s, &e);
    default:
        return load_scalar(l, s, &e);
    }
}

/* ---- mappings ---- */

static bool is_section(struct settings s, const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < s.count; i++)
        if (strncmp(s.table[i].key, path, n) == 0 && s.table[i].key[n] == '.')
            return true;
    return false;
}

static int fail_unknown(struct loader *l, const char *path, size_t line)
{
    char name[64], near[SETTING_KEY_MAX];
    if (setting_nearest(l->s, path, near))
        (void)fail(l, line, "unknown key '%s'; did you mean '%s'?", shown(path, name), near);
    else
        (void)fail(l, line, "unknown key '%s'", shown(path, name));
    err_field(l->err, path);
    return -EINVAL;
}

static int load_mapping(struct loader *l, const char *prefix);

static int load_section(struct loader *l, const char *path, size_t line)
{
    EVENT(e);
    if (strlist_has(&l->sections, path))
        return fail(l, line, "%s is given twice", path);
    int r = strlist_add(&l->sections, path);
    if (r < 0)
        return err_set(l->err, r, BLAME_US, NULL, "%s: out of memory", l->path);
    if ((r = next(l, &e)) < 0)
        return r;
    if (is_null(&e))
        return 0; /* a heading with everything below it commented out */
    if (e.type != YAML_MAPPING_START_EVENT)
        return fail(l, line_of(&e), "%s: expected a mapping of keys, found %s", path, found(&e));
    return load_mapping(l, path);
}

static int load_key(struct loader *l, const char *prefix, const char *key, size_t line)
{
    char path[SETTING_KEY_MAX * 2], name[64];
    if (str_eq(key, "<<"))
        return fail(l, line, "a merge key (<<); expected the keys themselves");
    int n = snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", key);
    if (n < 0 || (size_t)n >= sizeof path)
        return fail(l, line, "unknown key '%s'", shown(key, name));
    const struct setting *s = setting_find(l->s, path);
    if (strchr(key, '.')) /* one spelling for each key, or duplicates could hide */
        return s ? fail(l, line, "unknown key '%s'; expected one mapping inside the other for each dot",
                        shown(key, name))
                 : fail_unknown(l, path, line);
    if (s)
        return load_value(l, s, line);
    if (is_section(l->s, path))
        return load_section(l, path, line);
    return fail_unknown(l, path, line);
}

/* The keys of a mapping whose start was just read. */
static int load_mapping(struct loader *l, const char *prefix)
{
    for (;;) {
        EVENT(e);
        int r = next(l, &e);
        if (r < 0)
            return r;
        if (e.type == YAML_MAPPING_END_EVENT)
            return 0;
        if (e.type != YAML_SCALAR_EVENT)
            return fail(l, line_of(&e), "expected a key, found %s", found(&e));
        if ((r = load_key(l, prefix, text_of(&e), line_of(&e))) < 0)
            return r;
    }
}

/* ---- document ---- */

static int expect(struct loader *l, yaml_event_type_t type, const char *what)
{
    EVENT(e);
    int r = next(l, &e);
    if (r < 0)
        return r;
    return e.type == type ? 0 : fail(l, line_of(&e), "expected %s", what);
}

static int load_root(struct loader *l)
{
    EVENT(e);
    int r = next(l, &e);
    if (r < 0 || is_null(&e))
        return r;
    if (e.type != YAML_MAPPING_START_EVENT)
        return fail(l, line_of(&e), "expected a mapping of keys, found %s", found(&e));
    return load_mapping(l, "");
}

static int load_stream(struct loader *l)
{
    int r = expect(l, YAML_STREAM_START_EVENT, "text");
    if (r < 0)
        return r;
    EVENT(e);
    if ((r = next(l, &e)) < 0)
        return r;
    if (e.type == YAML_STREAM_END_EVENT)
        return 0;
    if ((r = load_root(l)) < 0 || (r = expect(l, YAML_DOCUMENT_END_EVENT, "the end of the document")) < 0)
        return r;
    return expect(l, YAML_STREAM_END_EVENT, "a single document");
}

int yaml_load(const char *path, const char *bytes, size_t size, struct settings s, void *base, struct origin *origins,
              uint8_t origin_source, struct error *err)
{
    struct loader l = { .path = path,
                        .bytes = bytes,
                        .size = size,
                        .s = s,
                        .base = base,
                        .origins = origins,
                        .source = origin_source,
                        .err = err };
    int r = check_bytes(&l);
    if (r < 0)
        return r;
    l.given = calloc(s.count, sizeof *l.given);
    if (!l.given || !yaml_parser_initialize(&l.parser)) {
        free(l.given);
        return err_set(err, -ENOMEM, BLAME_US, NULL, "%s: out of memory", path);
    }
    yaml_parser_set_encoding(&l.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&l.parser, (const unsigned char *)bytes, size);
    r = load_stream(&l);
    yaml_parser_delete(&l.parser);
    strlist_done(&l.sections);
    free(l.given);
    return r;
}
