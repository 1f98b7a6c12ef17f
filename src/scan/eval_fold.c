/* Folding of constant text: what several spellings of one string have in common. */
#include "scan/eval.h"

#include <stdio.h>
#include "scan/digits.h"
#include "scan/fold.h"

/* Longer ones are cut, which rules do not mind. */
struct tv tv_made(struct eval *e, const struct fragment *m, bool is_partial, uint32_t taint)
{
    struct tv v = tv_text(e, m->text, m->out.size);
    v.is_partial = is_partial;
    v.taint |= taint;
    return v;
}

static void add_value(struct eval *e, struct fragment *m, struct tv v, bool *is_partial)
{
    char number[24];
    if (v.kind == TV_LIST)
        v = tv_from_bytes(e, v);
    if (v.kind == TV_TEXT) {
        *is_partial |= v.is_partial;
        fold_add(&m->out, v.text, strlen(v.text));
    } else if (v.kind == TV_NUMBER) {
        int n = snprintf(number, sizeof number, "%lld", (long long)v.number);
        fold_add(&m->out, number, (size_t)n);
    } else {
        *is_partial = true;
        fold_add(&m->out, "{}", 2);
    }
}

struct tv tv_text(struct eval *e, const char *bytes, size_t n)
{
    struct fragment m;
    n = MIN_OF(n, sizeof m.text - 1);
    e->folded += (uint32_t)n + 1;
    if (e->folded > EVAL_FOLDED_MAX) {
        e->c->is_cut = true;
        return tv_unknown(0);
    }
    while (n > 0 && bytes[n - 1] == '\0') /* "/bin/sh\0", as C wants it */
        n--;
    for (size_t i = 0; i < n; i++)
        m.text[i] = bytes[i] ? bytes[i] : '\1'; /* a text ends at its first NUL; a program's need not */
    m.text[n] = '\0';
    return (struct tv){ .kind = TV_TEXT, .text = arena_copy(e->c->arena, m.text) };
}

struct tv tv_path(struct eval *e, const char *head, const char *separator, const char *tail, size_t tail_size)
{
    struct fragment m;
    fragment_init(&m);
    fold_add(&m.out, head, strlen(head));
    fold_add(&m.out, separator, strlen(separator));
    fold_add(&m.out, tail, MIN_OF(tail_size, (size_t)256));
    struct tv v = tv_text(e, m.text, m.out.size);
    if (v.kind == TV_TEXT)
        v.kind = TV_PATH;
    return v;
}

struct tv tv_list(void)
{
    return (struct tv){ .kind = TV_LIST };
}

void tv_append(struct eval *e, struct tv *list, struct tv item)
{
    list->taint |= item.taint;
    if (e->pool_count + 1 >= e->pool_size) {
        if (e->pool_size >= EVAL_POOL_MAX) {
            list->is_partial = true; /* a table of data, not a hidden command: no reason to call the scan incomplete */
            return;
        }
        struct eval_item *bigger = realloc(e->pool, e->pool_size * 4 * sizeof *bigger);
        if (!bigger) {
            e->c->is_cut = true;
            return;
        }
        e->pool = bigger;
        e->pool_size *= 4;
    }
    uint32_t at = ++e->pool_count; /* 0 is the end of a chain */
    e->pool[at] = (struct eval_item){ item, 0 };
    if (list->count)
        e->pool[(uint32_t)list->number].next = at; /* number: the last one */
    else
        list->head = at;
    list->number = at;
    list->count++;
}

struct tv tv_item(struct eval *e, struct tv list, int64_t i)
{
    if (list.kind != TV_LIST || i < 0 || i >= (int64_t)list.count)
        return tv_unknown(list.taint);
    uint32_t at = list.head;
    for (; i > 0; i--)
        at = e->pool[at].next;
    return e->pool[at].value;
}

bool tv_field(struct eval *e, struct tv record, struct span name, struct tv *ret)
{
    bool is_found = false;
    for (uint32_t i = 0, at = record.head, value; i + 1 < record.count && i < 512; i += 2, at = e->pool[value].next) {
        value = e->pool[at].next;
        if (e->pool[at].value.kind == TV_TEXT && span_is(name, e->pool[at].value.text)) {
            *ret = e->pool[value].value;
            is_found = true;
        }
    }
    return is_found;
}

struct tv tv_from_bytes(struct eval *e, struct tv list)
{
    struct fragment m;
    fragment_init(&m);
    if (list.kind == TV_TEXT)
        return list;
    if (list.kind == TV_NUMBER && list.number > 0 && list.number < 256) {
        char c = (char)list.number;
        return tv_text(e, &c, 1);
    }
    if (list.kind != TV_LIST || list.count == 0)
        return tv_unknown(list.taint);
    uint32_t at = list.head;
    for (uint32_t i = 0; i < list.count; i++, at = e->pool[at].next) {
        struct tv v = e->pool[at].value;
        char c = (char)v.number;
        if (v.kind == TV_NUMBER && v.number >= 0 && v.number < 256)
            fold_add(&m.out, &c, 1);
        else if (v.kind == TV_TEXT)
            fold_add(&m.out, v.text, strlen(v.text));
        else
            return tv_unknown(list.taint);
    }
    return tv_made(e, &m, false, list.taint);
}

struct tv tv_concat(struct eval *e, struct tv a, struct tv b)
{
    if (a.kind != TV_TEXT && b.kind != TV_TEXT)
        return tv_unknown(a.taint | b.taint);
    struct fragment m;
    fragment_init(&m);
    bool is_partial = false;
    add_value(e, &m, a, &is_partial);
    add_value(e, &m, b, &is_partial);
    if (is_partial && m.out.size == 2 && m.text[0] == '{') /* "" + x */
        return tv_unknown(a.taint | b.taint);
    return tv_made(e, &m, is_partial, a.taint | b.taint);
}

struct tv tv_join_path(struct eval *e, struct tv a, struct tv b)
{
    if (b.kind == TV_TEXT && b.text[0] == '/' && str_eq(e->l->separator, "::"))
        return b; /* Rust's join: an absolute path replaces */
    struct fragment m;
    fragment_init(&m);
    bool is_partial = false;
    if (a.kind != TV_TEXT && b.kind != TV_TEXT)
        return tv_unknown(a.taint | b.taint);
    add_value(e, &m, a, &is_partial);
    if (m.out.size > 0 && m.text[m.out.size - 1] != '/')
        fold_add(&m.out, "/", 1);
    if (b.kind == TV_TEXT)
        while (b.text[0] == '/')
            b.text++;
    add_value(e, &m, b, &is_partial);
    return tv_made(e, &m, is_partial, a.taint | b.taint);
}

static struct tv decoded(struct eval *e, struct tv v, int (*digit)(char c), unsigned bits)
{
    struct fragment m;
    v = tv_from_bytes(e, v);
    if (v.kind != TV_TEXT || v.is_partial)
        return tv_unknown(v.taint | TAINT_DECODED);
    fragment_init(&m);
    (void)fold_add_decoded(&m.out, (struct fold_text){ v.text, (uint32_t)(strlen(v.text)) }, digit, bits);
    return tv_made(e, &m, false, v.taint | TAINT_DECODED);
}

struct tv tv_base64(struct eval *e, struct tv v)
{
    return decoded(e, v, base64_digit, 6);
}

struct tv tv_hex(struct eval *e, struct tv v)
{
    return decoded(e, v, hex_digit, 4);
}

struct tv tv_lower(struct eval *e, struct tv v)
{
    if (v.kind != TV_TEXT)
        return tv_unknown(v.taint);
    struct fragment m;
    fragment_init(&m);
    fold_add_each(&m.out, fold_of(v.text), fold_lower_of);
    return tv_made(e, &m, v.is_partial, v.taint);
}

struct tv tv_reverse(struct eval *e, struct tv v)
{
    if (v.kind != TV_TEXT)
        return tv_unknown(v.taint | TAINT_DECODED);
    struct fragment m;
    m.out.size = MIN_OF(strlen(v.text), sizeof m.text - 1);
    for (size_t i = 0; i < m.out.size; i++)
        m.text[i] = v.text[m.out.size - 1 - i];
    return tv_made(e, &m, v.is_partial, v.taint | TAINT_DECODED);
}

struct tv tv_replace(struct eval *e, struct tv s, struct tv from, struct tv to)
{
    if (s.kind != TV_TEXT || from.kind != TV_TEXT || to.kind != TV_TEXT || !from.text[0])
        return tv_unknown(s.taint);
    struct fragment m;
    fragment_init(&m);
    const char *p = s.text;
    for (const char *hit; (hit = strstr(p, from.text)); p = hit + strlen(from.text)) {
        fold_add(&m.out, p, (size_t)(hit - p));
        fold_add(&m.out, to.text, strlen(to.text));
    }
    fold_add(&m.out, p, strlen(p));
    return tv_made(e, &m, s.is_partial, s.taint);
}

struct tv tv_fields(struct eval *e, struct tv s)
{
    if (s.kind != TV_TEXT)
        return tv_unknown(s.taint);
    struct tv list = tv_list();
    for (const char *p = s.text; *p;) {
        size_t n = strcspn(p, " \t\n");
        if (n)
            tv_append(e, &list, tv_text(e, p, n));
        p += n;
        p += strspn(p, " \t\n");
    }
    return list;
}

struct tv tv_join_list(struct eval *e, struct tv list, struct tv separator)
{
    struct fragment m;
    fragment_init(&m);
    bool is_partial = list.is_partial;
    if (list.kind != TV_LIST || separator.kind != TV_TEXT)
        return tv_unknown(list.taint);
    uint32_t at = list.head;
    for (uint32_t i = 0; i < list.count && m.out.size < sizeof m.text - 1; i++, at = e->pool[at].next) {
        if (i)
            fold_add(&m.out, separator.text, strlen(separator.text));
        struct tv v = e->pool[at].value;
        if (v.kind == TV_LIST) { /* a list of lists: not followed, so that depth stays bounded */
            is_partial = true;
            fold_add(&m.out, "{}", 2);
        } else {
            add_value(e, &m, v, &is_partial);
        }
    }
    return tv_made(e, &m, is_partial, list.taint);
}

struct tv tv_sprintf(struct eval *e, const struct tv *args, unsigned n)
{
    struct fragment m;
    fragment_init(&m);
    bool is_partial = false;
    uint32_t taint = 0;
    for (unsigned i = 0; i < n; i++)
        taint |= args[i].taint;
    if (n == 0 || args[0].kind != TV_TEXT)
        return tv_unknown(taint);
    const struct fold_text t = fold_of(args[0].text);
    uint32_t i = 0;
    char verb;
    for (unsigned next = 1; (verb = fold_to_percent(&m.out, t, &i)); next++) {
        struct tv v = next < n ? args[next] : tv_unknown(0);
        add_value(e, &m, verb == 'c' && next < n ? tv_from_bytes(e, v) : v, &is_partial);
    }
    return tv_made(e, &m, is_partial, taint);
}

struct tv tv_braces(struct eval *e, const struct tv *args, unsigned n)
{
    struct fragment m;
    fragment_init(&m);
    bool is_partial = false;
    uint32_t taint = 0;
    for (unsigned i = 0; i < n; i++)
        taint |= args[i].taint;
    if (n == 0 || args[0].kind != TV_TEXT)
        return tv_unknown(taint);
    unsigned next = 1;
    uint32_t i = 0;
    struct fold_text t = fold_of(args[0].text), field;
    while (fold_to_brace(&m.out, t, &i, &field)) {
        const char *name = field.data, *colon = memchr(name, ':', field.size);
        size_t size = colon ? (size_t)(colon - name) : field.size;
        unsigned which = next;
        struct tv v = tv_unknown(0);
        if (size == 0)
            next++;
        else if (name[0] >= '0' && name[0] <= '9')
            which = 1 + (unsigned)tv_parse_int(name, size);
        else
            which = n;
        if (which < n) {
            v = args[which];
        } else if (size > 0 && size < 64) { /* {name}: looked up by its place in the text, which a literal has */
            const char *in_text = memmem(e->c->text, e->c->size, name, size);
            if (in_text)
                v = eval_lookup(e, in_text, size, NULL);
        }
        taint |= v.taint;
        add_value(e, &m, v, &is_partial);
    }
    return tv_made(e, &m, is_partial, taint);
}

struct tv tv_escaped(struct eval *e, const char *s, size_t n)
{
    static const struct fold_escapes how = {
        .simple = "n\nt\tr\ra\ab\bf\fv\v", .has_long = true, .joins_lines = true, .drops_indent = true /* Rust's */
    };
    struct fragment m;
    fragment_init(&m);
    fold_add_unescaped(&m.out, (struct fold_text){ s, (uint32_t)(n) }, &how);
    return tv_made(e, &m, false, 0);
}

int64_t tv_parse_int(const char *s, size_t n)
{
    uint64_t v = 0;
    unsigned base = 10;
    size_t i = 0;
    if (n > 1 && s[0] == '0') {
        char c = (char)(s[1] | 0x20);
        base = c == 'x' ? 16 : c == 'b' ? 2 : 8; /* Go's old octal; Rust's 0755 is decimal, and no mode */
        i = c == 'x' || c == 'b' || c == 'o' ? 2 : 1;
    }
    for (; i < n; i++) {
        if (s[i] == '_')
            continue;
        int d = hex_digit(s[i]);
        if (d < 0 || (unsigned)d >= base) /* a suffix like u8 ends it */
            break;
        v = v * base + (unsigned)d;
    }
    return (int64_t)(v & INT64_MAX);
}

static bool int_power(int64_t a, int64_t b, int64_t *ret)
{
    int64_t v = 1;
    if (b < 0)
        return false;
    if (a >= -1 && a <= 1)
        b = a == -1 ? b % 2 : MIN_OF(b, 1);
    for (; b > 0; b--)
        if (__builtin_mul_overflow(v, a, &v)) {
            v = INT64_MAX; /* more than enough for a process that asks how large it is */
            break;
        }
    *ret = v;
    return true;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}

bool tv_int_op(char op, int64_t a, int64_t b, int64_t *ret)
{
    switch (op) {
    case '+':
        return !__builtin_add_overflow(a, b, ret);
    case '-':
        return !__builtin_sub_overflow(a, b, ret);
    case 'p':
        return int_power(a, b, ret);
    case '*':
        if (__builtin_mul_overflow(a, b, ret))
            *ret = INT64_MAX;
        return true;
    case '^':
        *ret = a ^ b;
        return true;
    case '&':
        *ret = a & b;
        return true;
    case '|':
        *ret = a | b;
        return true;
    case '<':
        if (b < 0)
            return false;
        *ret = b > 61 || (a >> (62 - b)) != 0 ? INT64_MAX : (int64_t)((uint64_t)a << b);
        return a >= 0;
    case '>':
        if (b < 0)
            return false;
        *ret = a >> MIN_OF(b, 63);
        return true;
    case '/':
    case 'd':
    case '%': {
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        int64_t q = floor_div(a, b);
        *ret = op == '%' ? a - q * b : q;
        return op != '/' || a % b == 0;
    }
    default:
        return false;
    }
}

struct tv tv_arith(char op, struct tv a, struct tv b)
{
    int64_t v;
    if (a.kind != TV_NUMBER || b.kind != TV_NUMBER)
        return tv_unknown(a.taint | b.taint);
    return strchr("+-*^|&", op) && tv_int_op(op, a.number, b.number, &v) ? tv_number(v) : tv_unknown(0);
}

struct tv tv_pick(struct eval *e, struct tv list)
{
    struct tv best = tv_unknown(list.taint);
    if (list.kind != TV_LIST)
        return list.kind == TV_OBJECT ? list : best;
    for (uint32_t i = 0, at = list.head; i < list.count && i < 64; i++, at = e->pool[at].next) {
        struct tv v = e->pool[at].value;
        if (v.kind == TV_PATH && best.kind == TV_UNKNOWN)
            best = v; /* a table of functions: the first stands for all */
        if (v.kind != TV_TEXT)
            continue;
        if (eval_is_secret_path(v.text))
            return v;
        if (best.kind != TV_TEXT || (v.text[0] == '/' && best.text[0] != '/'))
            best = v;
    }
    if (best.kind == TV_UNKNOWN) /* characters: what the loop makes of them, all in all */
        return tv_from_bytes(e, list);
    return best;
}
