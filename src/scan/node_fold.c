/* JavaScript's functions that only compute: what a program spells in pieces, in codes or in base64, said plainly. */
#include "scan/digits.h"
#include "scan/fold.h"
#include "scan/ir_node.h"

static struct tv take(struct eval *e, const struct fragment *p, uint32_t taint)
{
    return p->out.failed ? tv_unknown((uint32_t)taint) : tv_made(e, p, false, (uint32_t)taint);
}

struct tv node_character(struct eval *e, struct tv text, size_t at)
{
    struct tv v = tv_text(e, text.text + at, 1);
    v.taint |= text.taint;
    return v;
}

static bool is_encoding(struct tv v)
{
    return tv_says(v, "base64") || tv_says(v, "hex") || tv_says(v, "base64url");
}

/* A number, or a text that is one. */
static bool is_code(struct tv v, int64_t *ret)
{
    *ret = v.kind == TV_TEXT ? tv_parse_int(v.text, strlen(v.text)) : v.number;
    bool is_number = v.kind == TV_NUMBER ||
                     (v.kind == TV_TEXT && *v.text && strlen(v.text) < 8 && !v.text[strspn(v.text, "0123456789")]);
    return is_number && *ret >= 0 && *ret < 0x110000;
}

static struct tv from_codes(struct eval *e, const struct tv *args, unsigned n)
{
    struct fragment p;
    uint32_t taint = TAINT_DECODED;
    int64_t code;
    fragment_init(&p);
    for (unsigned i = 0; i < n; i++) {
        taint |= args[i].taint;
        if (args[i].kind == TV_NUMBER && is_code(args[i], &code)) {
            fold_add_utf8(&p.out, (uint32_t)code);
            continue;
        }
        if (args[i].kind != TV_LIST)
            return tv_unknown(taint);
        for (uint32_t k = 0, at = args[i].head; k < args[i].count; k++, at = e->pool[at].next) {
            if (!is_code(e->pool[at].value, &code))
                return tv_unknown(taint);
            fold_add_utf8(&p.out, (uint32_t)code);
        }
    }
    return take(e, &p, taint);
}

static struct tv percent(struct eval *e, struct tv v)
{
    struct fragment p;
    fragment_init(&p);
    if (v.kind != TV_TEXT || !strchr(v.text, '%'))
        return v;
    fold_add_unquoted(&p.out, fold_of(v.text));
    return take(e, &p, v.taint | TAINT_DECODED);
}

static struct tv split(struct eval *e, struct tv v, const char *by)
{
    struct tv list = tv_list();
    const size_t size = strlen(by);
    for (const char *s = v.text, *end; size || *s; s = end + size) {
        end = size ? strstr(s, by) : s + 1;
        tv_append(e, &list, tv_text(e, s, end ? (size_t)(end - s) : strlen(s)));
        if (!end)
            break;
    }
    list.taint = v.taint;
    return list;
}

static struct tv reverse(struct eval *e, struct tv v)
{
    struct tv list = tv_list();
    for (uint32_t i = 0, at = v.head; i < v.count; i++, at = e->pool[at].next) {
        struct tv one = tv_list();
        tv_append(e, &one, e->pool[at].value);
        if (!one.count) /* there is no more room */
            break;
        if (!list.count++)
            list.number = one.head;
        e->pool[one.head].next = list.head;
        list.head = one.head;
    }
    list.taint = v.taint;
    list.is_partial = v.is_partial || list.count < v.count;
    return list;
}

/* [104, 105].map(c => String.fromCharCode(c)): the codes' text, if the function says no more than that. */
static struct tv map(struct eval *e, const struct call *k)
{
    struct tv v = tv_unknown(k->recv.taint), list = tv_list(), f = node_argument(k, 0);
    struct span s = node_span(e, k, 0);
    if (f.kind != TV_FUNCTION && !tv_says(f, "String.fromCharCode"))
        return v;
    bool is_base64 = s.n <= 200 &&
                     (memmem(s.s, s.n, "atob(", 5) || memmem(s.s, s.n, "'base64'", 8) ||
                      memmem(s.s, s.n, "\"base64\"", 8)) &&
                     !memmem(s.s, s.n, "toString('base64", 16);
    if (!is_base64 && (s.n > 120 || !memmem(s.s, s.n, "fromCharCode", 12)))
        return v;
    v.taint |= TAINT_DECODED;
    if (!is_base64 && (memchr(s.s, '^', s.n) || memchr(s.s, '-', s.n) || memchr(s.s, '+', s.n)))
        return v;
    if (!is_base64) {
        struct tv all = from_codes(e, &k->recv, 1);
        return all.kind == TV_TEXT ? split(e, all, "") : v;
    }
    for (uint32_t i = 0, at = k->recv.head; i < k->recv.count; i++, at = e->pool[at].next)
        tv_append(e, &list, tv_base64(e, e->pool[at].value)); /* parts.map(p => atob(p)) */
    list.taint |= v.taint;
    return list;
}

static struct tv slice(struct eval *e, const struct call *k, bool is_substr)
{
    int64_t n = (int64_t)strlen(k->recv.text), from = 0, to = n;
    for (unsigned i = 0; i < k->n && i < 2; i++) {
        if (k->args[i].kind != TV_NUMBER)
            return tv_unknown(k->recv.taint);
        *(i ? &to : &from) = MIN_OF(k->args[i].number, n);
    }
    from = from < 0 ? MAX_OF(n + from, 0) : from;
    to = is_substr && k->n > 1 ? MIN_OF(from + to, n) : to;
    to = to < 0 ? MAX_OF(n + to, 0) : to;
    struct tv v = tv_text(e, k->recv.text + from, to > from ? (size_t)(to - from) : 0);
    v.taint |= k->recv.taint;
    v.is_partial = k->recv.is_partial;
    return v;
}

static struct tv replace(struct eval *e, const struct call *k, bool is_all)
{
    struct tv what = node_argument(k, 0), with = node_argument(k, 1), none = tv_unknown(k->recv.taint);
    struct span s = node_span(e, k, 0);
    if (k->n != 2 || with.kind != TV_TEXT)
        return none;
    if (what.kind != TV_TEXT) { /* /x/g of plain characters */
        const char *end = s.n >= 3 && *s.s == '/' ? memrchr(s.s, '/', s.n) : NULL;
        if (!end || end <= s.s + 1)
            return none;
        what = tv_text(e, s.s + 1, (size_t)(end - s.s - 1));
        is_all = memchr(end, 'g', s.n - (size_t)(end - s.s));
        if (what.kind != TV_TEXT || what.text[strcspn(what.text, "\\[](){}.*+?^$|")])
            return none;
    }
    const char *hit = is_all || !*what.text ? NULL : strstr(k->recv.text, what.text);
    if (!hit)
        return is_all && *what.text ? tv_replace(e, k->recv, what, with) : k->recv;
    struct fragment p;
    fragment_init(&p);
    fold_add(&p.out, k->recv.text, (size_t)(hit - k->recv.text));
    fold_add(&p.out, with.text, strlen(with.text));
    fold_add(&p.out, hit + strlen(what.text), strlen(hit) - strlen(what.text));
    struct tv v = take(e, &p, k->recv.taint);
    v.is_partial = k->recv.is_partial;
    return v;
}

static struct tv upper(struct eval *e, struct tv v)
{
    struct fragment p;
    fragment_init(&p);
    fold_add_each(&p.out, fold_of(v.text), fold_upper_of);
    return take(e, &p, v.taint);
}

static bool is_method(const struct call *k, const char *name)
{
    return span_is(k->name, name);
}

static bool text_method(struct eval *e, const struct call *k, struct tv *ret)
{
    struct tv v = k->recv, first = node_argument(k, 0);
    if (is_method(k, "split") && first.kind == TV_TEXT)
        *ret = split(e, v, first.text);
    else if (is_method(k, "toString") || is_method(k, "valueOf") || is_method(k, "trim") || is_method(k, "normalize"))
        *ret = tv_says(first, "base64") || tv_says(first, "hex") ? tv_unknown(v.taint) : v;
    else if (is_method(k, "slice") || is_method(k, "substring"))
        *ret = slice(e, k, false);
    else if (is_method(k, "substr"))
        *ret = slice(e, k, true);
    else if (is_method(k, "replace") || is_method(k, "replaceAll"))
        *ret = replace(e, k, is_method(k, "replaceAll"));
    else if (is_method(k, "toLowerCase"))
        *ret = tv_lower(e, v);
    else if (is_method(k, "toUpperCase"))
        *ret = upper(e, v);
    else if (is_method(k, "charAt") && first.kind == TV_NUMBER && first.number >= 0 &&
             (size_t)first.number < strlen(v.text))
        *ret = node_character(e, v, (size_t)first.number);
    else if (is_method(k, "concat"))
        for (unsigned i = 0; i <= k->n; i++)
            *ret = i ? tv_concat(e, *ret, k->args[i - 1]) : v;
    else
        return false;
    return true;
}

static bool list_method(struct eval *e, const struct call *k, struct tv *ret)
{
    struct tv by = node_argument(k, 0);
    if (is_method(k, "join"))
        *ret = tv_join_list(e, k->recv, by.kind == TV_TEXT ? by : (struct tv){ .kind = TV_TEXT, .text = "," });
    else if (is_method(k, "reverse"))
        *ret = reverse(e, k->recv);
    else if (is_method(k, "map"))
        *ret = map(e, k);
    else if (is_method(k, "slice") && !k->n)
        *ret = k->recv;
    else
        return false;
    return true;
}

/* Object.values({ a: "x", b: "y" }) */
static struct tv values_of(struct eval *e, struct tv record)
{
    struct tv list = tv_list();
    for (uint32_t i = 0, at = record.head; i < record.count; i++, at = e->pool[at].next)
        if (i % 2)
            tv_append(e, &list, e->pool[at].value);
    list.taint |= record.taint;
    return list;
}

bool node_fold(struct eval *e, const struct call *k, struct tv *ret)
{
    static const uint8_t shared[] = { EF_BASE64, EF_PASS, EF_PATH_JOIN, EF_HOME, EF_TEMP, EF_CWD };
    struct tv first = node_argument(k, 0), args[EVAL_MAX_ARGS];
    bool is_done = true;
    if (k->is_method && k->recv.kind == TV_TEXT)
        return text_method(e, k, ret);
    if (k->is_method && k->recv.kind == TV_LIST)
        return list_method(e, k, ret);
    if (k->value.kind != TV_PATH)
        return false;
    memcpy(args, k->args, sizeof args);
    if (node_does(k, EF_BUFFER) && is_encoding(node_argument(k, 1)))
        *ret = tv_says(k->args[1], "hex") ? tv_hex(e, first) : tv_base64(e, first);
    else if (node_does(k, EF_CHR) || (node_does(k, EF_BYTES) && first.kind == TV_LIST))
        *ret = from_codes(e, k->args, k->n);
    else if (node_does(k, EF_UNQUOTE))
        *ret = percent(e, first);
    else if (tv_says(k->value, "Object.values") && first.kind == TV_RECORD)
        *ret = values_of(e, first);
    else
        is_done = false;
    for (size_t i = 0; i < ARRAY_LEN(shared) && !is_done; i++)
        if (node_does(k, shared[i]) && (k->n || shared[i] != EF_PASS))
            *ret = eval_folded(e, shared[i], tv_unknown(0), args, k->n, &is_done);
    return is_done;
}
