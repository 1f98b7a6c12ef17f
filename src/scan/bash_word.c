/* Words of bash: quotes, escapes, variables and the little encodings that hide a command's name. */
#include "scan/bash.h"
#include "scan/digits.h"
#include "scan/fold.h"

struct tv sh_make(struct sh *s, const char *text, size_t n, uint32_t flags)
{
    struct tv v = { .taint = flags };
    char copy[FRAGMENT_MAX];
    if (n > FRAGMENT_MAX || n + 1 > s->s->budget)
        return v;
    s->s->budget -= (uint32_t)n + 1;
    for (size_t i = 0; i < n; i++) /* no NULs, which a shell drops, too */
        if (text[i])
            copy[v.count++] = text[i];
    v.text = arena_copy_bytes(s->s->c->arena, copy, v.count);
    v.count = (uint32_t)strlen(v.text); /* out of memory: "" */
    return v;
}

static struct tv take(struct sh *s, const struct fragment *p, uint32_t flags)
{
    return p->out.failed ? (struct tv){ .taint = flags } : sh_make(s, p->text, p->out.size, flags);
}

bool sh_is(const struct tv *v, const char *text)
{
    return v->text && v->count == strlen(text) && memcmp(v->text, text, v->count) == 0;
}

/* --- variables ------------------------------------------------------------------------------------- */

void sh_set(struct sh *s, const char *name, uint32_t len, struct tv v)
{
    v.taint &= (uint32_t)~SH_SPLIT;
    eval_set(s->e, name, len, SCOPE_FILE, v);
}

static struct tv known_variable(const char *name, uint32_t len)
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
            return (struct tv){ .text = known[i].value,
                                .count = (uint32_t)strlen(known[i].value),
                                .taint = known[i].flags };
    return (struct tv){ 0 };
}

/* An empty variable counts as unknown when it may have been set elsewhere: [ -z "$x" ] && x=... */
static struct tv variable_value(struct sh *s, const char *name, uint32_t len)
{
    bool is_set;
    struct tv v = eval_get(s->e, name, len, SCOPE_FILE, &is_set);
    return is_set && v.kind != TV_FUNCTION ? v : known_variable(name, len);
}

/* --- escapes and codes -------------------------------------------------------------------------------- */

struct tv sh_escapes(struct sh *s, const struct tv *v)
{
    struct fragment p;
    fragment_init(&p);
    if (!v->text || !memchr(v->text, '\\', v->count))
        return *v;
    static const struct fold_escapes how = { .simple = "n\nt\tr\ra\ae\033", .is_in_bytes = true };
    fold_add_unescaped(&p.out, (struct fold_text){ v->text, (uint32_t)(v->count) }, &how);
    bool is_coded = memmem(v->text, v->count, "\\x", 2) || memmem(v->text, v->count, "\\0", 2) ||
                    memmem(v->text, v->count, "\\1", 2);
    return take(s, &p, v->taint | (is_coded ? SH_DECODED : 0));
}

/* The program base64 knows one alphabet only. */
static int plain_base64_digit(char c)
{
    return c == '-' || c == '_' ? -1 : base64_digit(c);
}

struct tv sh_decode(struct sh *s, const struct tv *v, bool is_hex)
{
    struct fragment p;
    fragment_init(&p);
    if (!v->text || v->taint & SH_PARTIAL)
        return (struct tv){ .taint = v->taint | SH_DECODED };
    (void)fold_add_decoded(&p.out, (struct fold_text){ v->text, (uint32_t)(v->count) },
                           is_hex ? hex_digit : plain_base64_digit, is_hex ? 4 : 6);
    /* what is not known is not hidden by another spelling: $(echo "$1" | tr - _) */
    return take(s, &p, v->taint | (v->taint & SH_PARTIAL ? 0 : SH_DECODED));
}

struct tv sh_reverse(struct sh *s, const struct tv *v)
{
    struct fragment p;
    fragment_init(&p);
    if (!v->text || v->count > FRAGMENT_MAX)
        return (struct tv){ .taint = v->taint | SH_DECODED };
    for (uint32_t i = v->count; i > 0; i--)
        fold_add(&p.out, v->text + i - 1, 1);
    return take(s, &p, v->taint | SH_DECODED);
}

/* tr's sets, ranges unrolled. */
static size_t unroll(const struct tv *set, char out[static 256])
{
    size_t n = 0;
    for (uint32_t i = 0; set->text && i < set->count && n < 256; i++) {
        if (i + 2 < set->count && set->text[i + 1] == '-' && (uint8_t)set->text[i] <= (uint8_t)set->text[i + 2]) {
            for (unsigned c = (uint8_t)set->text[i]; c <= (uint8_t)set->text[i + 2] && n < 256; c++)
                out[n++] = (char)c;
            i += 2;
        } else {
            out[n++] = set->text[i];
        }
    }
    return n;
}

struct tv sh_translate(struct sh *s, const struct tv *v, const struct tv *from, const struct tv *to)
{
    struct fragment p;
    char a[256], b[256];
    size_t n = unroll(from, a), m = unroll(to, b);
    fragment_init(&p);
    if (!v->text || !n)
        return *v;
    for (uint32_t i = 0; i < v->count; i++) {
        const char *at = memchr(a, v->text[i], n);
        if (!at)
            fold_add(&p.out, v->text + i, 1);
        else if (m)
            fold_add(&p.out, &b[MIN_OF((size_t)(at - a), m - 1)], 1);
    }
    return take(s, &p, v->taint | SH_DECODED);
}

/* --- nodes ----------------------------------------------------------------------------------------------- */

static struct tv plain(struct sh *s, uint32_t node)
{
    const struct ir_node *n = ir_at(s->e, node);
    const char *t = s->e->c->text + n->start;
    uint32_t len = n->end - n->start;
    struct fragment p;
    if (!memchr(t, '\\', len))
        return (struct tv){ .text = t, .count = len };
    fragment_init(&p);
    for (uint32_t i = 0; i < len; i++) {
        if (t[i] == '\\' && i + 1 < len) {
            if (t[++i] == '\n')
                continue;
        }
        fold_add(&p.out, t + i, 1);
    }
    bool is_path = len < 2 ||
                   (t[0] != '\\' && (t[0] | 0x20) < 'a'); /* \( and "a\ b" are ordinary, \curl and c\url are not */
    return take(s, &p, is_path ? 0 : SH_MADE);
}

static void spell(struct fragment *p, const struct tv *v, uint32_t *flags)
{
    *flags |= v->taint;
    if (v->text) {
        fold_add(&p->out, v->text, v->count);
    } else {
        fold_add(&p->out, SH_HOLE, 2);
        *flags |= SH_PARTIAL;
    }
}

/* Where an expansion begins: the grammar counts blanks before it as its own when nothing else stands before it in a
 * string. */
static uint32_t dollar_of(const struct sh *s, uint32_t node)
{
    uint32_t at = ir_at(s->e, node)->start;
    while (at < ir_at(s->e, node)->end && memchr(" \t\n", s->e->c->text[at], 3))
        at++;
    return at;
}

/* "..." and here-documents: text between expansions. */
static struct tv quoted(struct sh *s, uint32_t node, uint32_t at, uint32_t end)
{
    struct fragment p;
    uint32_t flags = 0;
    fragment_init(&p);
    SH_PARTS(c, s, node)
    {
        const struct ir_node *n = ir_at(s->e, c);
        bool is_expansion = n->sign == B_SIMPLE_EXPANSION || n->sign == B_EXPANSION ||
                            n->sign == B_COMMAND_SUBSTITUTION || n->sign == B_ARITHMETIC;
        if (!is_expansion || n->start < at || n->end > end)
            continue;
        uint32_t start = dollar_of(s, c);
        for (; at < start; at++) {
            if (s->e->c->text[at] == '\\' && at + 1 < start && memchr("\"$`\\\n", s->e->c->text[at + 1], 5))
                at++;
            fold_add(&p.out, s->e->c->text + at, 1);
        }
        spell(&p, &s->at[c].value, &flags);
        at = n->end;
    }
    for (; at < end; at++) {
        if (s->e->c->text[at] == '\\' && at + 1 < end && memchr("\"$`\\\n", s->e->c->text[at + 1], 5))
            at++;
        fold_add(&p.out, s->e->c->text + at, 1);
    }
    /* "$@" and "${words[@]}" fall into words all the same */
    bool is_list = memmem(s->e->c->text + ir_at(s->e, node)->start, MIN_OF(end - ir_at(s->e, node)->start, 40u), "[@]",
                          3);
    return take(s, &p, is_list ? flags : flags & (uint32_t)~SH_SPLIT);
}

static struct tv joined(struct sh *s, uint32_t node)
{
    struct fragment p;
    uint32_t flags = 0, parts = 0;
    bool is_quoted = false;
    fragment_init(&p);
    SH_PARTS(c, s, node)
    {
        const struct ir_node *n = ir_at(s->e, c);
        if (n->op == IR_NONE) { /* braces and the like stand for themselves */
            fold_add(&p.out, s->e->c->text + n->start, n->end - n->start);
            continue;
        }
        is_quoted |= n->sign == B_STRING || n->sign == B_RAW || n->sign == B_ANSI;
        spell(&p, &s->at[c].value, &flags);
        parts++;
    }
    return take(s, &p, flags | (parts > 1 && is_quoted ? SH_MADE : 0));
}

/* ${x}, ${x:-default}, ${x:1:2}; other operators give the variable's own value. */
static struct tv expansion(struct sh *s, uint32_t node)
{
    uint32_t name = 0, word = 0, numbers[2] = { 0, 0 }, number_count = 0;
    SH_PARTS(c, s, node)
    {
        uint8_t kind = sh_kind(s, c);
        if ((kind == B_VARIABLE || kind == B_SPECIAL || kind == B_SUBSCRIPT) && !name)
            name = c;
        else if (kind == B_NUMBER && number_count < 2)
            numbers[number_count++] = c;
        else if (!word)
            word = c;
    }
    if (!name)
        return (struct tv){ 0 };
    const char *t = s->e->c->text + ir_at(s->e, name)->start;
    uint32_t len = ir_at(s->e, name)->end - ir_at(s->e, name)->start, at = ir_at(s->e, name)->end;
    const char *bracket = memchr(t, '[', len);
    struct tv v = variable_value(s, t, bracket ? (uint32_t)(bracket - t) : len);
    bool has_colon = at < ir_at(s->e, node)->end && s->e->c->text[at] == ':';
    char op = at + has_colon < ir_at(s->e, node)->end ? s->e->c->text[at + has_colon] : '}';
    if (!v.text && word && (op == '-' || op == '='))
        v = s->at[word].value;
    if (v.text && number_count && has_colon) {
        uint32_t from = 0, count = v.count;
        for (uint32_t i = 0; i < number_count; i++) {
            uint32_t n = 0;
            const struct ir_node *digits = ir_at(s->e, numbers[i]);
            for (uint32_t b = digits->start;
                 b < digits->end && n < 100000 && s->e->c->text[b] >= '0' && s->e->c->text[b] <= '9'; b++)
                n = n * 10 + (uint32_t)(s->e->c->text[b] - '0');
            *(i ? &count : &from) = n;
        }
        from = MIN_OF(from, v.count);
        v.text += from;
        v.count = MIN_OF(count, v.count - from);
        v.taint |= SH_MADE;
    } else if (op == '/' || op == '^' || op == ',' || op == '!' || s->e->c->text[ir_at(s->e, name)->start - 1] == '!') {
        v.text = NULL;
        v.taint |= SH_COMPUTED;
    } else if (number_count && has_colon) {
        v.taint |= SH_COMPUTED;                                   /* a piece of something unknown */
    } else if (v.taint & SH_SCRIPT && (op == '%' || op == '#')) { /* what is left of $0: its directory, or its name */
        v = op == '%' ? (struct tv){ .text = ".", .count = 1 } : (struct tv){ .text = "program.sh", .count = 10 };
    }
    return v;
}

struct tv sh_word(struct sh *s, uint32_t node)
{
    const struct ir_node *n = ir_at(s->e, node);
    struct tv v = { 0 };
    switch (n->sign) {
    case B_WORD:
    case B_NUMBER:
    case B_VARIABLE:
    case B_SPECIAL:
        return plain(s, node);
    case B_RAW:
        if (n->end - n->start >= 2)
            v = (struct tv){ .text = s->e->c->text + n->start + 1, .count = n->end - n->start - 2 };
        return v;
    case B_ANSI:
        if (n->end - n->start >= 3) {
            v = (struct tv){ .text = s->e->c->text + n->start + 2, .count = n->end - n->start - 3, .taint = SH_MADE };
            v = memchr(v.text, '\\', v.count) ? sh_escapes(s, &v) : sh_make(s, v.text, v.count, SH_MADE);
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
            v = variable_value(s, s->e->c->text + start + 1, n->end - start - 1);
        v.taint |= SH_SPLIT;
        return v;
    }
    case B_EXPANSION:
        v = expansion(s, node);
        v.taint |= SH_SPLIT;
        return v;
    default:
        return v;
    }
}
