/* Words of bash: quotes, escapes, variables and the little encodings that hide a command's name. */
#include "scan/bash.h"
#include "scan/digits.h"
#include "scan/fragment.h"

struct sh_value sh_make(struct sh *s, const char *text, size_t n, uint32_t flags)
{
    struct sh_value v = { .flags = flags };
    v.text = fragment_keep(s->s->c->arena, &s->s->budget, text, n, &v.len);
    return v;
}

static struct sh_value take(struct sh *s, const struct fragment *p, uint32_t flags)
{
    return p->is_over ? (struct sh_value){ .flags = flags } : sh_make(s, p->text, p->len, flags);
}

bool sh_is(const struct sh_value *v, const char *text)
{
    return v->text && v->len == strlen(text) && memcmp(v->text, text, v->len) == 0;
}

/* --- variables ------------------------------------------------------------------------------------- */

struct sh_value *sh_variable(struct sh *s, const char *name, uint32_t len)
{
    for (uint32_t i = 0; i < s->s->variable_count; i++) {
        struct sh_variable *v = &s->s->variables[i];
        if (v->len == len && memcmp(v->name, name, len) == 0)
            return &v->value;
    }
    return NULL;
}

void sh_set(struct sh *s, const char *name, uint32_t len, struct sh_value v)
{
    struct sh_value *old = sh_variable(s, name, len);
    v.flags &= (uint32_t)~SH_SPLIT;
    if (old) {
        *old = v;
        return;
    }
    if (s->s->variable_count == SH_MAX_VARIABLES)
        return; /* what follows is unknown, not wrong */
    s->s->variables[s->s->variable_count++] = (struct sh_variable){ .name = name, .len = len, .value = v };
}

static struct sh_value known_variable(const char *name, uint32_t len)
{
    static const struct {
        const char *name, *value;
        uint32_t flags;
    } known[] = { { "HOME", "~", 0 },
                  { "PWD", ".", 0 },
                  { "IFS", " ", 0 },
                  { "TMPDIR", "/tmp", SH_TEMPORARY },
                  { "SHELL", "/bin/bash", 0 },
                  { "BASH", "/bin/bash", 0 },
                  { "USER", "user", 0 },
                  { "0", "./program.sh", SH_SCRIPT },
                  { "BASH_SOURCE", "./program.sh", SH_SCRIPT },
                  { "UID", "1000", 0 },
                  { "EUID", "1000", 0 } };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (len == strlen(known[i].name) && memcmp(name, known[i].name, len) == 0)
            return (struct sh_value){ .text = known[i].value,
                                      .len = (uint32_t)strlen(known[i].value),
                                      .flags = known[i].flags };
    return (struct sh_value){ 0 };
}

/* An empty variable counts as unknown when it may have been set elsewhere: [ -z "$x" ] && x=... */
static struct sh_value variable_value(struct sh *s, const char *name, uint32_t len)
{
    struct sh_value *v = sh_variable(s, name, len);
    return v && !(v->flags & SH_FUNCTION) ? *v : known_variable(name, len);
}

/* --- escapes and codes -------------------------------------------------------------------------------- */

struct sh_value sh_escapes(struct sh *s, const struct sh_value *v)
{
    struct fragment p;
    fragment_init(&p);
    if (!v->text || !memchr(v->text, '\\', v->len))
        return *v;
    static const struct fragment_escapes how = { .simple = "n\nt\tr\ra\ae\033", .is_in_bytes = true };
    fragment_add_unescaped(&p, v->text, v->len, &how);
    bool is_coded = memmem(v->text, v->len, "\\x", 2) || memmem(v->text, v->len, "\\0", 2) ||
                    memmem(v->text, v->len, "\\1", 2);
    return take(s, &p, v->flags | (is_coded ? SH_DECODED : 0));
}

/* The program base64 knows one alphabet only. */
static int plain_base64_digit(char c)
{
    return c == '-' || c == '_' ? -1 : base64_digit(c);
}

struct sh_value sh_decode(struct sh *s, const struct sh_value *v, bool is_hex)
{
    struct fragment p;
    fragment_init(&p);
    if (!v->text || v->flags & SH_PARTIAL)
        return (struct sh_value){ .flags = v->flags | SH_DECODED };
    fragment_add_decoded(&p, v->text, v->len, is_hex ? hex_digit : plain_base64_digit, is_hex ? 4 : 6);
    /* what is not known is not hidden by another spelling: $(echo "$1" | tr - _) */
    return take(s, &p, v->flags | (v->flags & SH_PARTIAL ? 0 : SH_DECODED));
}

struct sh_value sh_reverse(struct sh *s, const struct sh_value *v)
{
    struct fragment p;
    fragment_init(&p);
    if (!v->text || v->len > FRAGMENT_MAX)
        return (struct sh_value){ .flags = v->flags | SH_DECODED };
    for (uint32_t i = v->len; i > 0; i--)
        fragment_add(&p, v->text + i - 1, 1);
    return take(s, &p, v->flags | SH_DECODED);
}

/* tr's sets, ranges unrolled. */
static size_t unroll(const struct sh_value *set, char out[static 256])
{
    size_t n = 0;
    for (uint32_t i = 0; set->text && i < set->len && n < 256; i++) {
        if (i + 2 < set->len && set->text[i + 1] == '-' && (uint8_t)set->text[i] <= (uint8_t)set->text[i + 2]) {
            for (unsigned c = (uint8_t)set->text[i]; c <= (uint8_t)set->text[i + 2] && n < 256; c++)
                out[n++] = (char)c;
            i += 2;
        } else {
            out[n++] = set->text[i];
        }
    }
    return n;
}

struct sh_value sh_translate(struct sh *s, const struct sh_value *v, const struct sh_value *from,
                             const struct sh_value *to)
{
    struct fragment p;
    char a[256], b[256];
    size_t n = unroll(from, a), m = unroll(to, b);
    fragment_init(&p);
    if (!v->text || !n)
        return *v;
    for (uint32_t i = 0; i < v->len; i++) {
        const char *at = memchr(a, v->text[i], n);
        if (!at)
            fragment_add(&p, v->text + i, 1);
        else if (m)
            fragment_add(&p, &b[MIN_OF((size_t)(at - a), m - 1)], 1);
    }
    return take(s, &p, v->flags | SH_DECODED);
}

/* --- nodes ----------------------------------------------------------------------------------------------- */

static struct sh_value plain(struct sh *s, uint32_t node)
{
    const struct flat_node *n = &s->flat.nodes[node];
    const char *t = s->flat.text + n->start;
    uint32_t len = n->end - n->start;
    struct fragment p;
    if (!memchr(t, '\\', len))
        return (struct sh_value){ .text = t, .len = len };
    fragment_init(&p);
    for (uint32_t i = 0; i < len; i++) {
        if (t[i] == '\\' && i + 1 < len) {
            if (t[++i] == '\n')
                continue;
        }
        fragment_add(&p, t + i, 1);
    }
    bool is_path = len < 2 ||
                   (t[0] != '\\' && (t[0] | 0x20) < 'a'); /* \( and "a\ b" are ordinary, \curl and c\url are not */
    return take(s, &p, is_path ? 0 : SH_MADE);
}

static void spell(struct fragment *p, const struct sh_value *v, uint32_t *flags)
{
    *flags |= v->flags;
    if (v->text) {
        fragment_add(p, v->text, v->len);
    } else {
        fragment_add(p, SH_HOLE, 2);
        *flags |= SH_PARTIAL;
    }
}

/* Where an expansion begins: the grammar counts blanks before it as its own when nothing else stands before it in a
 * string. */
static uint32_t dollar_of(const struct sh *s, uint32_t node)
{
    uint32_t at = s->flat.nodes[node].start;
    while (at < s->flat.nodes[node].end && memchr(" \t\n", s->flat.text[at], 3))
        at++;
    return at;
}

/* "..." and here-documents: text between expansions. */
static struct sh_value quoted(struct sh *s, uint32_t node, uint32_t at, uint32_t end)
{
    struct fragment p;
    uint32_t flags = 0;
    fragment_init(&p);
    FLAT_CHILDREN(c, &s->flat, node)
    {
        const struct flat_node *n = &s->flat.nodes[c];
        bool is_expansion = n->kind == B_SIMPLE_EXPANSION || n->kind == B_EXPANSION ||
                            n->kind == B_COMMAND_SUBSTITUTION || n->kind == B_ARITHMETIC;
        if (!is_expansion || n->start < at || n->end > end)
            continue;
        uint32_t start = dollar_of(s, c);
        for (; at < start; at++) {
            if (s->flat.text[at] == '\\' && at + 1 < start && memchr("\"$`\\\n", s->flat.text[at + 1], 5))
                at++;
            fragment_add(&p, s->flat.text + at, 1);
        }
        spell(&p, &s->values[c], &flags);
        at = n->end;
    }
    for (; at < end; at++) {
        if (s->flat.text[at] == '\\' && at + 1 < end && memchr("\"$`\\\n", s->flat.text[at + 1], 5))
            at++;
        fragment_add(&p, s->flat.text + at, 1);
    }
    /* "$@" and "${words[@]}" fall into words all the same */
    bool is_list = memmem(s->flat.text + s->flat.nodes[node].start, MIN_OF(end - s->flat.nodes[node].start, 40u), "[@]",
                          3);
    return take(s, &p, is_list ? flags : flags & (uint32_t)~SH_SPLIT);
}

static struct sh_value joined(struct sh *s, uint32_t node)
{
    struct fragment p;
    uint32_t flags = 0, parts = 0;
    bool is_quoted = false;
    fragment_init(&p);
    FLAT_CHILDREN(c, &s->flat, node)
    {
        const struct flat_node *n = &s->flat.nodes[c];
        if (!n->is_named) { /* braces and the like stand for themselves */
            fragment_add(&p, s->flat.text + n->start, n->end - n->start);
            continue;
        }
        is_quoted |= n->kind == B_STRING || n->kind == B_RAW || n->kind == B_ANSI;
        spell(&p, &s->values[c], &flags);
        parts++;
    }
    return take(s, &p, flags | (parts > 1 && is_quoted ? SH_MADE : 0));
}

/* ${x}, ${x:-default}, ${x:1:2}; other operators give the variable's own value. */
static struct sh_value expansion(struct sh *s, uint32_t node)
{
    const struct flat *f = &s->flat;
    uint32_t name = FLAT_NONE, word = FLAT_NONE, numbers[2] = { FLAT_NONE, FLAT_NONE }, number_count = 0;
    FLAT_CHILDREN(c, f, node)
    {
        uint8_t kind = f->nodes[c].kind;
        if ((kind == B_VARIABLE || kind == B_SPECIAL || kind == B_SUBSCRIPT) && name == FLAT_NONE)
            name = c;
        else if (kind == B_NUMBER && number_count < 2)
            numbers[number_count++] = c;
        else if (f->nodes[c].is_named && word == FLAT_NONE)
            word = c;
    }
    if (name == FLAT_NONE)
        return (struct sh_value){ 0 };
    const char *t = f->text + f->nodes[name].start;
    uint32_t len = f->nodes[name].end - f->nodes[name].start, at = f->nodes[name].end;
    const char *bracket = memchr(t, '[', len);
    struct sh_value v = variable_value(s, t, bracket ? (uint32_t)(bracket - t) : len);
    bool has_colon = at < f->nodes[node].end && f->text[at] == ':';
    char op = at + has_colon < f->nodes[node].end ? f->text[at + has_colon] : '}';
    if (!v.text && word != FLAT_NONE && (op == '-' || op == '='))
        v = s->values[word];
    if (v.text && number_count && has_colon) {
        uint32_t from = 0, count = v.len;
        for (uint32_t i = 0; i < number_count; i++) {
            uint32_t n = 0;
            const struct flat_node *digits = &f->nodes[numbers[i]];
            for (uint32_t b = digits->start; b < digits->end && n < 100000 && f->text[b] >= '0' && f->text[b] <= '9';
                 b++)
                n = n * 10 + (uint32_t)(f->text[b] - '0');
            *(i ? &count : &from) = n;
        }
        from = MIN_OF(from, v.len);
        v.text += from;
        v.len = MIN_OF(count, v.len - from);
        v.flags |= SH_MADE;
    } else if (op == '/' || op == '^' || op == ',' || op == '!' || f->text[f->nodes[name].start - 1] == '!') {
        v.text = NULL;
        v.flags |= SH_COMPUTED;
    } else if (number_count && has_colon) {
        v.flags |= SH_COMPUTED;                                   /* a piece of something unknown */
    } else if (v.flags & SH_SCRIPT && (op == '%' || op == '#')) { /* what is left of $0: its directory, or its name */
        v = op == '%' ? (struct sh_value){ .text = ".", .len = 1 }
                      : (struct sh_value){ .text = "program.sh", .len = 10 };
    }
    return v;
}

struct sh_value sh_word(struct sh *s, uint32_t node)
{
    const struct flat *f = &s->flat;
    const struct flat_node *n = &f->nodes[node];
    struct sh_value v = { 0 };
    switch (n->kind) {
    case B_WORD:
    case B_NUMBER:
    case B_VARIABLE:
    case B_SPECIAL:
        return plain(s, node);
    case B_RAW:
        if (n->end - n->start >= 2)
            v = (struct sh_value){ .text = f->text + n->start + 1, .len = n->end - n->start - 2 };
        return v;
    case B_ANSI:
        if (n->end - n->start >= 3) {
            v = (struct sh_value){ .text = f->text + n->start + 2, .len = n->end - n->start - 3, .flags = SH_MADE };
            v = memchr(v.text, '\\', v.len) ? sh_escapes(s, &v) : sh_make(s, v.text, v.len, SH_MADE);
        }
        return v;
    case B_STRING:
        return n->end - n->start >= 2 ? quoted(s, node, n->start + 1, n->end - 1) : v;
    case B_HEREDOC_BODY:
        return quoted(s, node, n->start, n->end);
    case B_CONCATENATION:
        return joined(s, node);
    case B_SIMPLE_EXPANSION: {
        uint32_t start = dollar_of(s, node);
        if (n->end - start >= 2)
            v = variable_value(s, f->text + start + 1, n->end - start - 1);
        v.flags |= SH_SPLIT;
        return v;
    }
    case B_EXPANSION:
        v = expansion(s, node);
        v.flags |= SH_SPLIT;
        return v;
    default:
        return v;
    }
}
