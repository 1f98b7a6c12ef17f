#include "daemon/body.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/parse.h"
#include "kernel/frame.h"

#define MAX_TOKENS 100000u /* a value costs some 80 bytes, however short it is written */
#define MAX_NAMES  48u
/* Of answers of our own: what a kernel shows (kernel/frame.h) may be this deep, with room around it. */
#define OWN_MAX_DEPTH  (KERNEL_MAX_DEPTH + 8u)
#define OWN_MAX_TOKENS (10 * MAX_TOKENS)

struct body {
    json_t *value;     /* an object; borrowed, but in the root */
    struct body *root; /* who has the error */
    const char *name;  /* «limits», «files[2]»; "" in the root */
    const char *asked[MAX_NAMES];
    size_t asked_count;
    struct body *children, *next; /* those that were asked for, the last one first */
    struct error error;           /* the first; of the root */
    char *texts;                  /* root: numbers as text, one behind the other */
    size_t texts_used;
};
#define TEXTS_SIZE 1024u

/* --- errors ---------------------------------------------------------------------------------------- */

static int refuse(struct body *b, const char *name, const char *why)
{
    struct error *err = &b->root->error;
    if (err->code)
        return err->code;
    char field[sizeof err->field];
    (void)snprintf(field, sizeof field, "%s%s%s", b->name, *b->name ? "." : "", name);
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: %s", field, why);
    err_field(err, field);
    return err->code;
}

void body_fail(struct body *b, const struct error *why)
{
    if (!b->root->error.code)
        b->root->error = *why;
}

int body_refuse(struct body *b, const char *name, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return refuse(b, name, text);
}

/* --- parsing --------------------------------------------------------------------------------------- */

/* What the parser would need for it is known before it is asked: depth is stack, tokens are memory. */
static bool is_modest(const char *data, size_t size, size_t max_depth, size_t max_tokens, const char **ret_why)
{
    size_t depth = 0, tokens = 0;
    bool in_text = false;
    for (size_t i = 0; i < size; i++) {
        char c = data[i];
        if (in_text) {
            if (c == '\\')
                i++;
            in_text = c != '"';
        } else if (c == '"') {
            in_text = true;
        } else if (c == '{' || c == '[') {
            depth++, tokens++;
        } else if ((c == '}' || c == ']') && depth) {
            depth--;
        } else if (c == ',' || c == ':') {
            tokens++;
        }
        if (depth > max_depth || tokens > max_tokens) {
            *ret_why = depth > max_depth ? "is nested too deeply" : "has too many members";
            return false;
        }
    }
    return true;
}

static enum body_kind kind_of(const json_t *v)
{
    static const enum body_kind kinds[] = {
        [JSON_OBJECT] = BODY_OBJECT, [JSON_ARRAY] = BODY_LIST, [JSON_STRING] = BODY_TEXT, [JSON_INTEGER] = BODY_INTEGER,
        [JSON_REAL] = BODY_REAL,     [JSON_TRUE] = BODY_BOOL,  [JSON_FALSE] = BODY_BOOL,  [JSON_NULL] = BODY_NULL
    };
    return v ? kinds[json_typeof(v)] : BODY_ABSENT;
}

static int parse(const char *data, size_t size, enum body_kind *ret_kind, json_t **ret, struct error *err)
{
    json_error_t e;
    *ret = json_loadb(data, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &e);
    if (!*ret) {
        struct buf clean; /* the parser's words quote the sender's */
        buf_init(&clean, 1024);
        (void)buf_adds_clean(&clean, e.text);
        (void)err_set(err, -EBADMSG, BLAME_CALLER, NULL, "the body is no JSON: line %d, column %d: %.200s", e.line,
                      e.column, clean.data ? clean.data : "");
        buf_done(&clean);
        return err_remedy(err, "send one JSON object in UTF-8, each member once");
    }
    *ret_kind = kind_of(*ret);
    if (*ret_kind == BODY_OBJECT)
        return 0;
    json_decref(*ret);
    *ret = NULL;
    return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "the body is JSON, but no object");
}

static int parse_bounded(const char *data, size_t size, size_t max_depth, size_t max_tokens, enum body_kind *ret_kind,
                         struct body **ret, struct error *err)
{
    const char *why = NULL;
    json_t *value = NULL;
    *ret_kind = BODY_ABSENT;
    if (!is_modest(data, size, max_depth, max_tokens, &why))
        return err_set(err, -EBADMSG, BLAME_CALLER, NULL, "the body %s", why);
    int e = parse(data, size, ret_kind, &value, err);
    if (e < 0)
        return e;
    struct body *b = calloc(1, sizeof *b);
    char *texts = b ? calloc(1, TEXTS_SIZE) : NULL;
    if (!texts) {
        free(b);
        json_decref(value);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    }
    *b = (struct body){ .value = value, .root = b, .name = "", .texts = texts };
    *ret = b;
    return 0;
}

int body_parse(const char *data, size_t size, bool may_be_empty, struct body **ret, struct error *err)
{
    enum body_kind ignored;
    if (!size && may_be_empty)
        data = "{}", size = 2;
    return body_parse_kind(data, size, &ignored, ret, err);
}

int body_parse_kind(const char *data, size_t size, enum body_kind *ret_kind, struct body **ret, struct error *err)
{
    if (size)
        return parse_bounded(data, size, BODY_MAX_DEPTH, MAX_TOKENS, ret_kind, ret, err);
    *ret_kind = BODY_ABSENT;
    (void)err_set(err, -EBADMSG, BLAME_CALLER, NULL, "the body is empty");
    return err_remedy(err, "send a JSON object, with Content-Length");
}

int body_parse_own(const char *data, size_t size, struct body **ret, struct error *err)
{
    enum body_kind ignored;
    return parse_bounded(data, size, OWN_MAX_DEPTH, OWN_MAX_TOKENS, &ignored, ret, err);
}

struct body *body_free(struct body *b)
{
    if (!b)
        return NULL;
    for (struct body *c = b->children, *next; c; c = next) {
        next = c->next;
        (void)body_free(c);
    }
    if (b->root == b) {
        json_decref(b->value);
        free(b->texts);
    } else {
        free((char *)(uintptr_t)b->name);
    }
    free(b);
    return NULL;
}

/* --- members --------------------------------------------------------------------------------------- */

/* NULL: not there, or null. */
static json_t *take(struct body *b, const char *name)
{
    size_t i = 0;
    while (i < b->asked_count && !str_eq(b->asked[i], name))
        i++;
    if (i == b->asked_count && i < MAX_NAMES)
        b->asked[b->asked_count++] = name;
    json_t *v = json_object_get(b->value, name);
    return v && !json_is_null(v) ? v : NULL;
}

bool body_has(struct body *b, const char *name)
{
    return take(b, name) != NULL;
}

enum body_kind body_kind(struct body *b, const char *name)
{
    (void)take(b, name);
    return kind_of(json_object_get(b->value, name));
}

static int put_piece(const char *data, size_t size, void *out)
{
    return buf_add(out, data, size) < 0 ? -1 : 0;
}

void body_json(struct body *b, const char *name, struct buf *out)
{
    const json_t *v = take(b, name);
    if (v && json_dump_callback(v, put_piece, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) < 0)
        out->failed = true;
}

static const char *text_of(struct body *b, const char *name, const json_t *v, size_t max, size_t *ret_size)
{
    if (!json_is_string(v)) {
        (void)refuse(b, name, "must be a text");
        return NULL;
    }
    *ret_size = json_string_length(v);
    if (*ret_size > max) {
        (void)body_refuse(b, name, "has %zu bytes, accepted are at most %zu", *ret_size, max);
        return NULL;
    }
    return json_string_value(v);
}

const char *body_bytes(struct body *b, const char *name, size_t max, size_t *ret_size)
{
    json_t *v = take(b, name);
    *ret_size = 0;
    return v ? text_of(b, name, v, max, ret_size) : NULL;
}

static const char *plain(struct body *b, const char *name, const json_t *v, size_t max)
{
    size_t size = 0;
    const char *s = text_of(b, name, v, max, &size);
    if (s && strlen(s) != size) {
        (void)refuse(b, name, "contains a NUL");
        return NULL;
    }
    return s;
}

const char *body_text(struct body *b, const char *name, size_t max)
{
    json_t *v = take(b, name);
    return v ? plain(b, name, v, max) : NULL;
}

const char *body_text_if(struct body *b, const char *name)
{
    return b && body_kind(b, name) == BODY_TEXT ? body_text(b, name, SIZE_MAX) : NULL;
}

bool body_bool(struct body *b, const char *name, bool preset)
{
    json_t *v = take(b, name);
    if (v && !json_is_boolean(v))
        (void)refuse(b, name, "must be true or false");
    return v ? json_is_true(v) : preset;
}

uint64_t body_uint(struct body *b, const char *name, uint64_t max, uint64_t preset)
{
    json_t *v = take(b, name);
    if (!v)
        return preset;
    if (!json_is_integer(v) || json_integer_value(v) < 0 || (uint64_t)json_integer_value(v) > max) {
        (void)body_refuse(b, name, "must be a whole number from 0 to %llu", (unsigned long long)max);
        return preset;
    }
    return (uint64_t)json_integer_value(v);
}

const char *body_scalar(struct body *b, const char *name, size_t max)
{
    json_t *v = take(b, name);
    char *to = b->root->texts + b->root->texts_used;
    size_t room = TEXTS_SIZE - b->root->texts_used;
    int n;
    if (!v)
        return NULL;
    if (!json_is_number(v)) {
        if (json_is_string(v))
            return plain(b, name, v, max);
        (void)refuse(b, name, "must be a number or a text");
        return NULL;
    }
    if (json_is_integer(v))
        n = snprintf(to, room, "%lld", (long long)json_integer_value(v));
    else
        n = isfinite(json_real_value(v)) && fabs(json_real_value(v)) < 1e15
                ? snprintf(to, room, "%.6f", json_real_value(v))
                : -1;
    if (n < 0 || (size_t)n >= room) {
        (void)refuse(b, name, "is no number that could be meant");
        return NULL;
    }
    if (!json_is_integer(v)) /* 0.500000 is not what the client wrote */
        while (n > 1 && (to[n - 1] == '0' || to[n - 1] == '.') && strchr(to, '.'))
            to[--n] = '\0';
    b->root->texts_used += (size_t)n + 1;
    return to;
}

int body_choice(struct body *b, const char *name, const char *const *names)
{
    const char *s = body_text(b, name, 64);
    if (!s)
        return -1;
    struct buf all;
    buf_init(&all, 512);
    for (int i = 0; names[i]; i++) {
        if (str_eq(s, names[i])) {
            buf_done(&all);
            return i;
        }
        (void)buf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    (void)body_refuse(b, name, "accepted are %s", all.data ? all.data : "");
    buf_done(&all);
    return -1;
}

/* --- lists and objects ------------------------------------------------------------------------------ */

struct element { /* the name that an error gives to a value within a member */
    char name[sizeof((struct error *)NULL)->field];
};

static struct element entry(const char *list, size_t index)
{
    struct element e;
    (void)snprintf(e.name, sizeof e.name, "%s[%zu]", list, index);
    return e;
}

/* The key is the client's: no control character of it goes into an error. */
static struct element member(const char *object, const char *key)
{
    struct element e;
    struct buf clean;
    buf_init(&clean, sizeof e.name);
    (void)buf_adds_clean(&clean, key); /* of a longer one as much as there is */
    (void)snprintf(e.name, sizeof e.name, "%s.%s", object, clean.data ? clean.data : "");
    buf_done(&clean);
    return e;
}

static bool is_list(struct body *b, const char *name, json_t *v, uint32_t max_count)
{
    if (!json_is_array(v))
        (void)refuse(b, name, "must be a list");
    else if (json_array_size(v) > max_count)
        (void)body_refuse(b, name, "has %zu entries, accepted are at most %u", json_array_size(v), max_count);
    else
        return true;
    return false;
}

void body_texts(struct body *b, const char *name, struct strlist *ret, size_t max_each, uint32_t max_count)
{
    json_t *v = take(b, name);
    if (!v || !is_list(b, name, v, max_count))
        return;
    for (size_t i = 0; i < json_array_size(v); i++) {
        const char *s = plain(b, entry(name, i).name, json_array_get(v, i), max_each);
        if (!s)
            return;
        if (strlist_add(ret, s) < 0)
            (void)refuse(b, name, "is too long altogether");
    }
}

/* The object of this name; or NULL. */
static json_t *take_members(struct body *b, const char *name, uint32_t max_count)
{
    json_t *v = take(b, name);
    if (!v || (json_is_object(v) && json_object_size(v) <= max_count))
        return v;
    (void)body_refuse(b, name, "must be an object with at most %u members", max_count);
    return NULL;
}

void body_each(struct body *b, const char *name, size_t max_each, uint32_t max_count,
               bool (*each)(void *context, const char *key, const char *text, size_t size), void *context)
{
    json_t *v = take_members(b, name, max_count), *one;
    const char *key;
    size_t size;
    json_object_foreach(v, key, one)
    {
        const char *text = text_of(b, name, one, max_each, &size);
        if (!text || !each(context, key, text, size))
            return;
    }
}

void body_pairs(struct body *b, const char *name, struct strlist *ret, size_t max_each, uint32_t max_count)
{
    json_t *v = take_members(b, name, max_count), *one;
    const char *key;
    json_object_foreach(v, key, one)
    {
        struct buf pair;
        const char *s = plain(b, member(name, key).name, one, max_each);
        if (s && (!*key || strchr(key, '=')))
            (void)refuse(b, name, "has a name that is empty or contains =");
        if (!s)
            return;
        buf_init(&pair, 2 * max_each + 2);
        (void)buf_addf(&pair, "%s=%s", key, s);
        if (pair.failed || strlist_add(ret, pair.data) < 0)
            (void)refuse(b, name, "is too long");
        buf_done(&pair);
    }
}

/* called: what errors name its members after. */
static struct body *child(struct body *b, const char *name, const char *called, json_t *v)
{
    if (!json_is_object(v)) {
        (void)refuse(b, name, "must be an object");
        return NULL;
    }
    struct body *c = calloc(1, sizeof *c);
    char *own = c ? strdup(called) : NULL;
    if (!own) {
        free(c);
        (void)refuse(b, name, "is too much");
        return NULL;
    }
    *c = (struct body){ .value = v, .root = b->root, .name = own, .next = b->children };
    b->children = c;
    return c;
}

/* Its name and those of what it is in. */
static struct body *child_within(struct body *b, const char *name, json_t *v)
{
    char called[128];
    (void)snprintf(called, sizeof called, "%s%s%s", b->name, *b->name ? "." : "", name);
    return child(b, name, called, v);
}

struct body *body_object(struct body *b, const char *name)
{
    json_t *v = take(b, name);
    return v ? child_within(b, name, v) : NULL;
}

struct body *body_object_alone(struct body *b, const char *name)
{
    json_t *v = take(b, name);
    return v ? child(b, name, "", v) : NULL;
}

struct body *body_object_if(struct body *b, const char *name)
{
    return b && body_kind(b, name) == BODY_OBJECT ? body_object(b, name) : NULL;
}

uint32_t body_objects(struct body *b, const char *name, uint32_t max_count)
{
    json_t *v = take(b, name);
    return v && is_list(b, name, v, max_count) ? (uint32_t)json_array_size(v) : 0;
}

struct body *body_object_at(struct body *b, const char *name, uint32_t index)
{
    return child_within(b, entry(name, index).name, json_array_get(take(b, name), index));
}

/* --- end --------------------------------------------------------------------------------------------- */

static void check_known(struct body *b)
{
    const char *key;
    json_t *v;
    json_object_foreach(b->value, key, v)
    {
        size_t i = 0;
        while (i < b->asked_count && !str_eq(b->asked[i], key))
            i++;
        if (i < b->asked_count)
            continue;
        const char *near = nearest_word(key, b->asked, b->asked_count);
        struct buf clean;
        buf_init(&clean, 256);
        (void)buf_adds_clean(&clean, key);
        (void)refuse(b, clean.data ? clean.data : "?",
                     near ? "unknown member" : "unknown member; see docs/openapi.yaml");
        b->root->error.code = -EBADMSG; /* not a value that is wrong, but a request that is */
        if (near)
            (void)err_remedy(&b->root->error, "perhaps %s was meant", near);
        buf_done(&clean);
        return;
    }
}

int body_end_open(struct body *b, struct error *err)
{
    if (b->root->error.code)
        *err = b->root->error;
    return b->root->error.code;
}

int body_end(struct body *b, struct error *err)
{
    if (!b->root->error.code)
        check_known(b);
    return body_end_open(b, err);
}
