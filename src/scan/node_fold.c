/* Folding of JavaScript's strings: what a program spells in pieces, in codes or in base64, said plainly. */
#include "scan/digits.h"
#include "scan/node.h"
#include "scan/fragment.h"

struct js_value js_text(struct js *j, uint8_t kind, const char *s, size_t n, uint16_t flags)
{
    struct js_value v = { .flags = flags };
    v.text = fragment_keep(j->c->arena, &j->budget, s, n, &v.len);
    if (v.text)
        v.kind = kind;
    return v;
}

static struct js_value take(struct js *j, const struct fragment *p, uint8_t kind, uint32_t flags)
{
    if (p->is_over)
        return (struct js_value){ .flags = (uint16_t)flags };
    return js_text(j, kind, p->text, p->len, (uint16_t)flags);
}

bool js_is(const struct js_value *v, const char *text)
{
    return v->text && v->len == strlen(text) && memcmp(v->text, text, v->len) == 0;
}

static void unescape(struct fragment *p, const char *s, size_t n)
{
    static const struct fragment_escapes how = { .simple = "n\nt\tr\rb\bf\fv\v", .joins_lines = true };
    fragment_add_unescaped(p, s, n, &how);
}

struct js_value js_literal(struct js *j, uint32_t node)
{
    const struct flat_node *n = &j->flat.nodes[node];
    const char *s = j->flat.text + n->start;
    uint32_t len = n->end - n->start;
    if (len < 2)
        return (struct js_value){ 0 };
    s++, len -= 2;
    if (!memchr(s, '\\', len)) /* fast path: borrowed from the program */
        return (struct js_value){ .kind = JS_STRING, .len = len, .text = s };
    struct fragment p;
    fragment_init(&p);
    unescape(&p, s, len);
    return take(j, &p, JS_STRING, 0);
}

size_t js_spell(const struct js_value *v, const char **ret)
{
    if (v->kind == JS_STRING || v->kind == JS_NUMBER) {
        *ret = v->text;
        return v->len;
    }
    bool is_home = v->kind == JS_NAME && (js_is(v, "process.env.HOME") || js_is(v, "process.env.USERPROFILE"));
    *ret = is_home ? "~" : JS_HOLE;
    return is_home ? 1 : 2;
}

static void spell(struct fragment *p, const struct js_value *v, uint32_t *flags, bool *is_known)
{
    const char *s;
    size_t n = js_spell(v, &s);
    if (n == 2 && s[0] == JS_HOLE[0] && s[1] == JS_HOLE[1])
        *flags |= JS_PARTIAL;
    else if (n)
        *is_known = true;
    *flags |= v->flags;
    fragment_add(p, s, n);
}

struct js_value js_template(struct js *j, uint32_t node)
{
    const struct flat *f = &j->flat;
    uint32_t at = f->nodes[node].start + 1, end = f->nodes[node].end, flags = 0;
    struct fragment p;
    bool is_known = false;
    fragment_init(&p);
    if (end <= at)
        return (struct js_value){ 0 };
    FLAT_CHILDREN(c, f, node)
    {
        if (f->nodes[c].kind != N_SUBSTITUTION || f->nodes[c].start < at)
            continue;
        unescape(&p, f->text + at, f->nodes[c].start - at);
        is_known |= f->nodes[c].start > at;
        spell(&p, &j->values[c], &flags, &is_known);
        at = f->nodes[c].end;
    }
    if (at < end - 1) {
        unescape(&p, f->text + at, end - 1 - at);
        is_known = true;
    }
    if (!is_known && flags & JS_PARTIAL)
        return (struct js_value){ .flags = (uint16_t)flags };
    return take(j, &p, JS_STRING, flags);
}

static bool number_of(const struct js_value *v, int64_t *ret)
{
    int64_t n = 0;
    bool is_negative = v->len && v->text && v->text[0] == '-';
    if (v->kind != JS_NUMBER || !v->len || v->len > 12)
        return false;
    for (uint32_t i = is_negative; i < v->len; i++) {
        if (v->text[i] < '0' || v->text[i] > '9')
            return false;
        n = n * 10 + (v->text[i] - '0');
    }
    *ret = is_negative ? -n : n;
    return true;
}

static struct js_value make_number(struct js *j, int64_t n, uint16_t flags)
{
    const char *s = arena_printf(j->c->arena, "%lld", (long long)n);
    return (struct js_value){ .kind = JS_NUMBER, .flags = flags, .len = (uint32_t)strlen(s), .text = s };
}

static struct js_value arithmetic(struct js *j, char op, int64_t a, int64_t b, uint16_t flags)
{
    switch (op) {
    case '+':
        return make_number(j, a + b, flags);
    case '-':
        return make_number(j, a - b, flags);
    case '*':
        return a > -1000000 && a < 1000000 && b > -1000000 && b < 1000000 ? make_number(j, a * b, flags)
                                                                          : (struct js_value){ 0 };
    case '^':
        return make_number(j, a ^ b, flags);
    default:
        return (struct js_value){ .flags = flags };
    }
}

struct js_value js_binary(struct js *j, uint32_t node)
{
    const struct flat *f = &j->flat;
    uint32_t left = flat_field(f, node, F_LEFT), right = flat_field(f, node, F_RIGHT),
             op = flat_field(f, node, F_OPERATOR);
    if (left == FLAT_NONE || right == FLAT_NONE || op == FLAT_NONE)
        return (struct js_value){ 0 };
    const struct js_value *a = &j->values[left], *b = &j->values[right];
    uint32_t flags = a->flags | b->flags, op_len = f->nodes[op].end - f->nodes[op].start;
    const char *o = f->text + f->nodes[op].start;
    int64_t x, y;
    if (op_len == 2 && (memcmp(o, "||", 2) == 0 || memcmp(o, "??", 2) == 0 || memcmp(o, "&&", 2) == 0)) {
        struct js_value v = a->kind == JS_UNKNOWN || o[0] == '&' ? *b : *a;
        v.flags = (uint16_t)flags;
        return v;
    }
    if (op_len != 1)
        return (struct js_value){ 0 };
    if (number_of(a, &x) && number_of(b, &y))
        return arithmetic(j, o[0], x, y, (uint16_t)flags);
    if (o[0] != '+' || (a->kind != JS_STRING && b->kind != JS_STRING && !(flags & JS_PARTIAL)))
        return (struct js_value){ .flags = (uint16_t)flags };
    struct fragment p;
    bool is_known = false;
    fragment_init(&p);
    spell(&p, a, &flags, &is_known);
    spell(&p, b, &flags, &is_known);
    return is_known || !(flags & JS_PARTIAL) ? take(j, &p, JS_STRING, flags)
                                             : (struct js_value){ .flags = (uint16_t)flags };
}

struct js_value js_array(struct js *j, uint32_t node)
{
    const struct flat *f = &j->flat;
    struct fragment p;
    uint32_t flags = 0;
    bool is_known = true;
    fragment_init(&p);
    FLAT_CHILDREN(c, f, node)
    {
        const struct js_value *v = &j->values[c];
        if (!f->nodes[c].is_named || f->nodes[c].kind == N_COMMENT)
            continue;
        flags |= v->flags;
        if (v->kind == JS_ARRAY && f->nodes[c].kind == N_SPREAD && v->text) {
            fragment_add(&p, v->text, v->len);
        } else if (v->kind == JS_STRING || v->kind == JS_NUMBER) {
            if (memchr(v->text, JS_SEPARATOR, v->len))
                is_known = false;
            fragment_add(&p, v->text, v->len);
            fragment_add(&p, "\x1f", 1);
        } else {
            const char *s;
            size_t n = js_spell(v, &s);
            flags |= JS_PARTIAL;
            fragment_add(&p, s, n);
            fragment_add(&p, "\x1f", 1);
        }
    }
    struct js_value v = { .kind = JS_ARRAY, .flags = (uint16_t)flags, .node = node };
    if (is_known && !p.is_over)
        v = take(j, &p, JS_ARRAY, flags);
    v.kind = JS_ARRAY;
    v.node = node;
    return v;
}

struct js_value js_append(struct js *j, const struct js_value *list, const struct js_value *more, uint32_t count)
{
    struct fragment p;
    uint32_t flags = list->flags;
    bool is_known = list->kind == JS_ARRAY && list->text;
    fragment_init(&p);
    if (is_known)
        fragment_add(&p, list->text, list->len);
    for (uint32_t i = 0; i < count; i++) {
        const char *s;
        size_t n = js_spell(&more[i], &s);
        flags |= more[i].flags;
        is_known &= !memchr(s, JS_SEPARATOR, n);
        fragment_add(&p, s, n);
        fragment_add(&p, "\x1f", 1);
    }
    if (!is_known) {
        struct js_value v = *list;
        v.flags = (uint16_t)flags;
        return v;
    }
    struct js_value v = take(j, &p, JS_ARRAY, flags);
    v.kind = JS_ARRAY;
    return v;
}

static bool next_element(const struct js_value *a, uint32_t *at, struct js_value *ret)
{
    if (a->kind != JS_ARRAY || !a->text || *at >= a->len)
        return false;
    const char *s = a->text + *at, *end = memchr(s, JS_SEPARATOR, a->len - *at);
    uint32_t n = end ? (uint32_t)(end - s) : a->len - *at;
    *ret = (struct js_value){ .kind = JS_STRING, .flags = a->flags & ~JS_PARTIAL, .len = n, .text = s };
    *at += n + 1;
    return true;
}

bool js_element(const struct js_value *a, uint32_t n, struct js_value *ret)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i <= n && i < 256; i++)
        if (!next_element(a, &at, ret))
            return false;
    return true;
}

/* --- calls that only compute -------------------------------------------------------------------- */

static struct js_value decode(struct js *j, const struct js_value *v, const struct js_value *how)
{
    struct fragment p;
    uint32_t flags = v->flags | JS_DECODED;
    fragment_init(&p);
    if (v->kind != JS_STRING || v->flags & JS_PARTIAL)
        return (struct js_value){ .flags = (uint16_t)flags };
    bool is_hex = js_is(how, "hex");
    fragment_add_decoded(&p, v->text, v->len, is_hex ? hex_digit : base64_digit, is_hex ? 4 : 6);
    return take(j, &p, JS_STRING, flags);
}

static struct js_value from_codes(struct js *j, const struct js_call *k)
{
    struct fragment p;
    uint32_t flags = JS_DECODED;
    fragment_init(&p);
    for (uint32_t i = 0; i < k->count; i++) {
        const struct js_value *v = &k->args[i];
        struct js_value e;
        uint32_t at = 0;
        int64_t n;
        flags |= v->flags;
        if (number_of(v, &n) && n >= 0 && n < 0x110000)
            fragment_add_utf8(&p, (uint32_t)n);
        else if (v->kind == JS_ARRAY && v->text)
            while (next_element(v, &at, &e)) {
                e.kind = JS_NUMBER;
                if (!number_of(&e, &n) || n < 0 || n >= 0x110000)
                    return (struct js_value){ .flags = (uint16_t)flags };
                fragment_add_utf8(&p, (uint32_t)n);
            }
        else
            return (struct js_value){ .flags = (uint16_t)flags };
    }
    return take(j, &p, JS_STRING, flags);
}

static struct js_value percent(struct js *j, const struct js_value *v)
{
    struct fragment p;
    fragment_init(&p);
    if (v->kind != JS_STRING || !memchr(v->text, '%', v->len))
        return *v;
    for (uint32_t i = 0; i < v->len; i++) {
        if (v->text[i] == '%' && i + 2 < v->len && hex_digit(v->text[i + 1]) >= 0 && hex_digit(v->text[i + 2]) >= 0) {
            char c = (char)(hex_digit(v->text[i + 1]) << 4 | hex_digit(v->text[i + 2]));
            fragment_add(&p, &c, 1);
            i += 2;
        } else {
            fragment_add(&p, v->text + i, 1);
        }
    }
    return take(j, &p, JS_STRING, v->flags | JS_DECODED);
}

static struct js_value split(struct js *j, const struct js_value *v, const struct js_value *by)
{
    struct fragment p;
    fragment_init(&p);
    for (uint32_t i = 0; i < v->len;) {
        if (by->len && v->len - i >= by->len && memcmp(v->text + i, by->text, by->len) == 0) {
            fragment_add(&p, "\x1f", 1);
            i += by->len;
            continue;
        }
        fragment_add(&p, v->text + i++, 1);
        if (!by->len)
            fragment_add(&p, "\x1f", 1);
    }
    if (by->len)
        fragment_add(&p, "\x1f", 1);
    return take(j, &p, JS_ARRAY, v->flags);
}

static struct js_value join(struct js *j, const struct js_value *v, const char *with, size_t n)
{
    struct fragment p;
    struct js_value e;
    uint32_t at = 0;
    bool is_first = true;
    fragment_init(&p);
    while (next_element(v, &at, &e)) {
        if (!is_first)
            fragment_add(&p, with, n);
        fragment_add(&p, e.text, e.len);
        is_first = false;
    }
    return take(j, &p, JS_STRING, v->flags);
}

static struct js_value reverse(struct js *j, const struct js_value *v)
{
    struct fragment p;
    fragment_init(&p);
    for (uint32_t end = v->len; end > 0;) {
        uint32_t start = end - 1; /* at a separator */
        while (start > 0 && v->text[start - 1] != JS_SEPARATOR)
            start--;
        fragment_add(&p, v->text + start, end - start);
        end = start;
    }
    return take(j, &p, JS_ARRAY, v->flags);
}

/* [104, 105].map(c => String.fromCharCode(c)): the codes' text, if the function says no more than that. */
static struct js_value map(struct js *j, const struct js_call *k)
{
    struct js_value v = { .flags = k->base.flags };
    if (!k->count || !(k->args[0].kind == JS_FUNCTION || js_is(&k->args[0], "String.fromCharCode")))
        return v;
    const struct flat_node *f = &j->flat.nodes[k->arg_nodes[0]];
    const char *s = j->flat.text + f->start;
    uint32_t n = f->end - f->start;
    bool is_base64 = n <= 200 &&
                     (memmem(s, n, "atob(", 5) || memmem(s, n, "'base64'", 8) || memmem(s, n, "\"base64\"", 8)) &&
                     !memmem(s, n, "toString('base64", 16);
    if (is_base64) { /* parts.map(p => atob(p)) */
        struct fragment p;
        struct js_value e;
        uint32_t at = 0;
        fragment_init(&p);
        while (next_element(&k->base, &at, &e)) {
            fragment_add_decoded(&p, e.text, e.len, base64_digit, 6);
            fragment_add(&p, "\x1f", 1);
        }
        return take(j, &p, JS_ARRAY, v.flags | JS_DECODED);
    }
    if (n > 120 || !memmem(s, n, "fromCharCode", 12))
        return v;
    v.flags |= JS_DECODED;
    if (memchr(s, '^', n) || memchr(s, '-', n) || memchr(s, '+', n))
        return v;
    struct js_call codes = { .count = 1, .args = { k->base } };
    struct js_value all = from_codes(j, &codes);
    return all.kind == JS_STRING ? split(j, &all, &(struct js_value){ .text = "" }) : v;
}

static struct js_value slice(struct js *j, const struct js_call *k, bool is_substr)
{
    int64_t from = 0, to = k->base.len, n = k->base.len;
    if ((k->count > 0 && !number_of(&k->args[0], &from)) || (k->count > 1 && !number_of(&k->args[1], &to)))
        return (struct js_value){ .flags = k->base.flags };
    from = from < 0 ? MAX_OF(n + from, 0) : MIN_OF(from, n);
    to = is_substr && k->count > 1 ? from + to : to;
    to = to < 0 ? MAX_OF(n + to, 0) : MIN_OF(to, n);
    (void)j;
    struct js_value v = k->base;
    v.text += from;
    v.len = (uint32_t)(to > from ? to - from : 0);
    return v;
}

static struct js_value replace(struct js *j, const struct js_call *k, bool is_all)
{
    struct fragment p;
    const struct js_value *what = &k->args[0], *with = &k->args[1];
    struct js_value plain = *what;
    fragment_init(&p);
    if (k->count != 2 || with->kind != JS_STRING)
        return (struct js_value){ .flags = k->base.flags };
    if (what->kind != JS_STRING) { /* /x/g of plain characters */
        const struct flat_node *n = &j->flat.nodes[k->arg_nodes[0]];
        const char *s = j->flat.text + n->start, *end;
        uint32_t len = n->end - n->start;
        if (n->kind != N_REGEX || len < 3 || !(end = memrchr(s, '/', len)) || end <= s + 1)
            return (struct js_value){ .flags = k->base.flags };
        plain = (struct js_value){ .text = s + 1, .len = (uint32_t)(end - s - 1) };
        is_all = memchr(end, 'g', len - (uint32_t)(end - s));
        for (uint32_t i = 0; i < plain.len; i++)
            if (strchr("\\[](){}.*+?^$|", plain.text[i]))
                return (struct js_value){ .flags = k->base.flags };
    }
    bool is_done = false;
    for (uint32_t i = 0; i < k->base.len;) {
        if (!is_done && plain.len && k->base.len - i >= plain.len &&
            memcmp(k->base.text + i, plain.text, plain.len) == 0) {
            fragment_add(&p, with->text, with->len);
            i += plain.len;
            is_done = !is_all;
        } else {
            fragment_add(&p, k->base.text + i++, 1);
        }
    }
    return take(j, &p, JS_STRING, k->base.flags);
}

static struct js_value change_case(struct js *j, const struct js_value *v, bool is_upper)
{
    struct fragment p;
    fragment_init(&p);
    fragment_add(&p, v->text, v->len);
    for (size_t i = 0; i < p.len; i++) {
        char c = p.text[i];
        if (is_upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z')
            p.text[i] = (char)(c ^ 0x20);
    }
    return take(j, &p, JS_STRING, v->flags);
}

static bool is_method(const struct js_call *k, const char *name)
{
    return k->method && k->method_len == strlen(name) && memcmp(k->method, name, k->method_len) == 0;
}

static bool string_method(struct js *j, const struct js_call *k, struct js_value *ret)
{
    const struct js_value *b = &k->base;
    int64_t n;
    if (is_method(k, "split") && k->count && k->args[0].kind == JS_STRING)
        *ret = split(j, b, &k->args[0]);
    else if (is_method(k, "toString") || is_method(k, "valueOf") || is_method(k, "trim") || is_method(k, "normalize"))
        *ret = k->count && (js_is(&k->args[0], "base64") || js_is(&k->args[0], "hex"))
                   ? (struct js_value){ .flags = b->flags }
                   : *b;
    else if (is_method(k, "slice") || is_method(k, "substring"))
        *ret = slice(j, k, false);
    else if (is_method(k, "substr"))
        *ret = slice(j, k, true);
    else if (is_method(k, "replace") || is_method(k, "replaceAll"))
        *ret = replace(j, k, is_method(k, "replaceAll"));
    else if (is_method(k, "toLowerCase") || is_method(k, "toUpperCase"))
        *ret = change_case(j, b, is_method(k, "toUpperCase"));
    else if (is_method(k, "charAt") && k->count && number_of(&k->args[0], &n) && n >= 0 && n < b->len)
        *ret = (struct js_value){ .kind = JS_STRING, .flags = b->flags, .text = b->text + n, .len = 1 };
    else if (is_method(k, "concat")) {
        struct fragment p;
        uint32_t flags = 0;
        bool is_known = false;
        fragment_init(&p);
        spell(&p, b, &flags, &is_known);
        for (uint32_t i = 0; i < k->count; i++)
            spell(&p, &k->args[i], &flags, &is_known);
        *ret = take(j, &p, JS_STRING, flags);
    } else {
        return false;
    }
    return true;
}

static bool array_method(struct js *j, const struct js_call *k, struct js_value *ret)
{
    if (is_method(k, "join")) {
        bool is_given = k->count && k->args[0].kind == JS_STRING;
        *ret = join(j, &k->base, is_given ? k->args[0].text : ",", is_given ? k->args[0].len : 1);
    } else if (is_method(k, "reverse")) {
        *ret = reverse(j, &k->base);
    } else if (is_method(k, "map")) {
        *ret = map(j, k);
    } else if (is_method(k, "slice") && !k->count) {
        *ret = k->base;
    } else {
        return false;
    }
    return true;
}

static struct js_value path_join(struct js *j, const struct js_call *k)
{
    struct fragment p;
    uint32_t flags = 0;
    bool is_known = false;
    fragment_init(&p);
    for (uint32_t i = 0; i < k->count; i++) {
        if (p.len && p.text[p.len - 1] != '/')
            fragment_add(&p, "/", 1);
        const struct js_value *v = &k->args[i];
        if (v->kind == JS_STRING && v->len > 1 && v->text[0] == '/' && p.len)
            fragment_add(&p, v->text + 1, v->len - 1), is_known = true;
        else
            spell(&p, v, &flags, &is_known);
    }
    return is_known ? take(j, &p, JS_STRING, flags) : (struct js_value){ .flags = (uint16_t)flags };
}

/* Object.values({ a: "x", b: "y" }) */
static struct js_value values_of(struct js *j, const struct js_value *object)
{
    struct js_value list = { .kind = JS_ARRAY, .flags = object->flags, .text = "" };
    FLAT_CHILDREN(c, &j->flat, object->node)
    {
        uint32_t value = j->flat.nodes[c].kind == N_PAIR ? flat_field(&j->flat, c, F_VALUE) : FLAT_NONE;
        if (value != FLAT_NONE)
            list = js_append(j, &list, &j->values[value], 1);
    }
    return list;
}

bool js_fold_call(struct js *j, const struct js_call *k, struct js_value *ret)
{
    const struct js_value *f = &k->callee, none = { 0 };
    if (k->base.text && k->base.kind == JS_STRING)
        return string_method(j, k, ret);
    if (k->base.text && k->base.kind == JS_ARRAY)
        return array_method(j, k, ret);
    if (f->kind != JS_NAME)
        return false;
    const struct js_value *first = k->count ? &k->args[0] : &none;
    if (js_does(k, EF_BASE64))
        *ret = decode(j, first, &none);
    else if (js_does(k, EF_BUFFER) && k->count > 1 &&
             (js_is(&k->args[1], "base64") || js_is(&k->args[1], "hex") || js_is(&k->args[1], "base64url")))
        *ret = decode(j, first, &k->args[1]);
    else if (js_does(k, EF_CHR) || (js_does(k, EF_BYTES) && first->kind == JS_ARRAY))
        *ret = from_codes(j, k);
    else if (js_does(k, EF_PASS) && k->count)
        *ret = *first;
    else if (js_does(k, EF_UNQUOTE))
        *ret = percent(j, first);
    else if (js_is(f, "Object.values") && first->kind == JS_OBJECT && first->node)
        *ret = values_of(j, first);
    else if (js_does(k, EF_PATH_JOIN))
        *ret = path_join(j, k);
    else if (js_does(k, EF_HOME))
        *ret = js_constant(JS_STRING, "~", 0);
    else if (js_does(k, EF_TEMP))
        *ret = js_constant(JS_STRING, "/tmp", 0);
    else if (js_does(k, EF_CWD))
        *ret = js_constant(JS_STRING, ".", 0);
    else
        return false;
    return true;
}
