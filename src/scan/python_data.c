/* Texts that stand for other values: JSON, a shell's line, indented text, templates. */
#include "scan/python.h"

#define JSON_DEPTH 24u

struct json {
    struct py *p;
    struct fold_text t;
    uint32_t at;
    unsigned depth;
    bool is_bad;
};

static char peek(struct json *j)
{
    while (j->at < j->t.size && strchr(" \t\r\n", j->t.data[j->at]) && j->t.data[j->at])
        j->at++;
    return j->at < j->t.size ? j->t.data[j->at] : '\0';
}

static struct tv string(struct json *j)
{
    static const struct fold_escapes how = { .simple = "n\nt\tr\rb\bf\f" };
    struct fold_out o = { .mem = &j->p->mem };
    const uint32_t from = ++j->at;
    while (j->at < j->t.size && j->t.data[j->at] != '"')
        j->at += j->t.data[j->at] == '\\' && j->at + 1 < j->t.size ? 2 : 1;
    fold_add_unescaped(&o, (struct fold_text){ j->t.data + from, j->at - from }, &how);
    j->is_bad |= j->at >= j->t.size;
    j->at++;
    return py_made(&o, 0, 0);
}

static struct tv value(struct json *j);

static struct tv list(struct json *j, char end, bool is_dict)
{
    struct tv l = py_list_new(j->p);
    for (j->at++; l.kind == TV_LIST && !j->is_bad && peek(j) && peek(j) != end;) {
        (void)py_list_add(j->p, l, value(j));
        if (is_dict && peek(j) == ':') {
            j->at++;
            (void)py_list_add(j->p, l, value(j));
        } else if (is_dict) {
            j->is_bad = true;
        }
        if (peek(j) == ',')
            j->at++;
        else if (peek(j) != end)
            j->is_bad = true;
    }
    j->at++;
    l.kind = is_dict && l.kind == TV_LIST ? TV_RECORD : l.kind;
    return l;
}

static struct tv value(struct json *j)
{
    char c = peek(j);
    struct tv v = tv_unknown(0);
    if (j->depth >= JSON_DEPTH || scan_stop(j->p->e->c)) {
        j->is_bad = true;
        return v;
    }
    j->depth++;
    if (c == '"') {
        v = string(j);
    } else if (c == '[' || c == '{') {
        v = list(j, c == '[' ? ']' : '}', c == '{');
    } else {
        uint32_t from = j->at;
        int64_t number;
        while (j->at < j->t.size && !strchr(",]} \t\r\n", j->t.data[j->at]))
            j->at++;
        j->is_bad |= j->at == from;
        if (fold_int((struct fold_text){ j->t.data + from, j->at - from }, 10, &number))
            v = tv_number(number);
    }
    j->depth--;
    return v;
}

struct tv py_json(struct py *p, struct fold_text t)
{
    struct json j = { .p = p, .t = t };
    struct tv v = value(&j);
    return j.is_bad ? tv_unknown(0) : v;
}

static void add_string(struct fold_out *o, const char *s, uint32_t size)
{
    fold_addc(o, '"');
    for (uint32_t i = 0; i < size; i++) {
        if (s[i] == '"' || s[i] == '\\')
            fold_addc(o, '\\');
        if (s[i] == '\n')
            fold_add(o, "\\n", 2);
        else if (s[i] == '\t')
            fold_add(o, "\\t", 2);
        else if ((unsigned char)s[i] >= ' ')
            fold_addc(o, s[i]);
    }
    fold_addc(o, '"');
}

static void add_json(struct py *p, struct fold_out *o, struct tv v, unsigned depth, uint32_t *taint)
{
    struct tv s = v.kind == TV_TEXT ? v : v.kind == TV_NUMBER ? py_as_text(p, v) : tv_unknown(0);
    bool is_list = v.kind == TV_LIST || v.kind == TV_RECORD;
    *taint |= v.taint & T_ORIGIN;
    if (is_list && depth < JSON_DEPTH && !scan_stop(p->e->c)) {
        fold_addc(o, v.kind == TV_LIST ? '[' : '{');
        for (uint32_t i = 0; i < v.list->count; i++) {
            if (i)
                fold_addc(o, v.kind == TV_RECORD && i % 2 ? ':' : ',');
            add_json(p, o, v.list->items[i], depth + 1, taint);
        }
        fold_addc(o, v.kind == TV_LIST ? ']' : '}');
    } else if (v.kind == TV_NUMBER && s.kind == TV_TEXT) {
        fold_add(o, s.text, s.size);
    } else {
        add_string(o, s.kind == TV_TEXT ? s.text : "{}", s.kind == TV_TEXT ? s.size : 2);
    }
}

struct tv py_json_text(struct py *p, struct tv v)
{
    struct fold_out o = { .mem = &p->mem };
    uint32_t taint = v.taint & T_ORIGIN;
    if (v.kind != TV_LIST && v.kind != TV_RECORD && v.kind != TV_TEXT)
        return tv_unknown(taint);
    add_json(p, &o, v, 0, &taint);
    return py_made(&o, taint | T_HARDLY, taint);
}

struct tv py_quoted(struct py *p, struct tv s)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    fold_addc(&o, '\'');
    for (uint32_t i = 0; i < s.size; i++)
        if (s.text[i] == '\'')
            fold_add(&o, "'\\''", 4);
        else
            fold_addc(&o, s.text[i]);
    fold_addc(&o, '\'');
    return fold_end(&o, &t) ? py_str(t, s.taint) : s;
}

struct tv py_words(struct py *p, struct fold_text t)
{
    struct tv l = py_list_new(p);
    for (uint32_t i = 0; l.kind == TV_LIST && i < t.size;) {
        struct fold_out o = { .mem = &p->mem };
        struct fold_text word;
        char quote = '\0';
        if (memchr(" \t\r\n", t.data[i], 4)) {
            i++;
            continue;
        }
        for (; i < t.size && (quote || !memchr(" \t\r\n", t.data[i], 4)); i++) {
            char c = t.data[i];
            if (quote ? c == quote : c == '\'' || c == '"')
                quote = quote ? '\0' : c;
            else if (c == '\\' && quote != '\'' && i + 1 < t.size)
                fold_addc(&o, t.data[++i]);
            else
                fold_addc(&o, c);
        }
        fold_add(&o, "", 0);
        if (fold_end(&o, &word))
            (void)py_list_add(p, l, py_str(word, 0));
    }
    return l;
}

static uint32_t indent_of(const char *line, uint32_t size)
{
    uint32_t n = 0;
    while (n < size && (line[n] == ' ' || line[n] == '\t'))
        n++;
    return n;
}

struct tv py_dedent(struct py *p, struct tv s)
{
    struct fold_out o = { .mem = &p->mem };
    struct fold_text t;
    uint32_t least = UINT32_MAX;
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t at = 0; at < s.size;) {
            const char *end = memchr(s.text + at, '\n', s.size - at);
            uint32_t n = end ? (uint32_t)(end - s.text) + 1 - at : s.size - at;
            uint32_t indent = indent_of(s.text + at, n);
            bool is_empty = indent + 1 >= n && (indent == n || s.text[at + indent] == '\n');
            if (turn == 0 && !is_empty)
                least = MIN_OF(least, indent);
            else if (turn == 1)
                fold_add(&o, s.text + at + (is_empty ? indent : least), n - (is_empty ? indent : least));
            at += n;
        }
    fold_add(&o, "", 0);
    return fold_end(&o, &t) ? py_str(t, s.taint) : s;
}

struct tv py_substitute(struct py *p, struct tv template, const struct py_call *c)
{
    struct fold_out o = { .mem = &p->mem };
    uint32_t taint = template.taint;
    for (uint32_t i = 0; i < template.size;) {
        const char *s = template.text + i;
        uint32_t left = template.size - i, skip = left > 1 && s[0] == '$' && s[1] == '{' ? 2 : 1, n = 0;
        while (s[0] == '$' && skip + n < left &&
               (s[skip + n] == '_' || ((s[skip + n] | 0x20) >= 'a' && (s[skip + n] | 0x20) <= 'z')))
            n++;
        if (!n) {
            fold_addc(&o, s[0]);
            i += left > 1 && s[0] == '$' && s[1] == '$' ? 2 : 1;
            continue;
        }
        const char *id = py_intern(p, s + skip, n);
        struct tv v = id ? py_as_text(p, *py_arg(c, -1, id)) : tv_unknown(0);
        if (v.kind == TV_TEXT)
            fold_add(&o, v.text, v.size);
        else
            fold_add(&o, "{}", 2);
        taint |= v.taint | (v.kind == TV_TEXT ? 0 : T_HARDLY);
        i += skip + n + (skip == 2 && skip + n < left);
    }
    return py_made(&o, taint, taint & T_ORIGIN);
}
