/* pickle.c - a pickle is a program for a machine with a stack: it is run here with texts of Python for values. What is
 * no text, name, tuple or call is «_u». Each opcode takes at least one byte, so the input bounds the steps; a text that
 * grows beyond MAX_TEXT is «_u». */
#include "scan/pickle.h"

#define STACK_MAX 128u
#define MEMO_MAX  128u
#define MAX_TEXT  4096u

struct item {
    const char *code; /* NULL: a mark */
    bool is_text, is_name;
    uint32_t size;
};
struct machine {
    struct fold_mem *mem;
    const unsigned char *in;
    uint32_t size, at, depth, memo_count;
    struct item stack[STACK_MAX], memo[MEMO_MAX];
    struct fold_out *out;
    bool is_bad;
};

static const struct item unknown = { .code = "_u", .size = 2 };

static void push(struct machine *m, struct item i)
{
    if (m->depth == STACK_MAX) { /* the lowest ones matter least */
        memmove(m->stack, m->stack + 1, (STACK_MAX - 1) * sizeof *m->stack);
        m->depth--;
    }
    m->stack[m->depth++] = i;
}

static struct item pop(struct machine *m)
{
    return m->depth ? m->stack[--m->depth] : unknown;
}

static uint64_t number(struct machine *m, uint32_t bytes)
{
    uint64_t v = 0;
    if (bytes > m->size - m->at) {
        m->is_bad = true;
        return 0;
    }
    for (uint32_t i = 0; i < bytes; i++)
        v |= (uint64_t)m->in[m->at++] << 8 * i;
    return v;
}

static struct fold_text bytes_of(struct machine *m, uint64_t n)
{
    struct fold_text t = { (const char *)m->in + m->at, (uint32_t)n };
    if (n > m->size - m->at) {
        m->is_bad = true;
        return (struct fold_text){ "", 0 };
    }
    m->at += (uint32_t)n;
    return t;
}

static struct fold_text line(struct machine *m)
{
    const unsigned char *from = m->in + m->at, *end = memchr(from, '\n', m->size - m->at);
    if (!end) {
        m->is_bad = true;
        return (struct fold_text){ "", 0 };
    }
    m->at += (uint32_t)(end + 1 - from);
    return (struct fold_text){ (const char *)from, (uint32_t)(end - from) };
}

static struct item finish(struct fold_out *o)
{
    struct fold_text t;
    return fold_end(o, &t) && t.size <= MAX_TEXT ? (struct item){ .code = t.data, .size = t.size } : unknown;
}

static struct item quoted(struct machine *m, struct fold_text t)
{
    struct fold_out o = { .mem = m->mem };
    if (t.size > MAX_TEXT)
        return unknown;
    fold_addc(&o, '\'');
    for (uint32_t i = 0; i < t.size; i++) {
        if (t.data[i] == '\\' || t.data[i] == '\'')
            fold_addc(&o, '\\');
        if (t.data[i] == '\n')
            fold_add(&o, "\\n", 2);
        else if (t.data[i])
            fold_addc(&o, t.data[i]);
    }
    fold_addc(&o, '\'');
    struct item i = finish(&o);
    i.is_text = i.size >= 2 && i.code[0] == '\'';
    return i;
}

static struct fold_text inside(struct item i)
{
    return i.is_text ? (struct fold_text){ i.code + 1, i.size - 2 } : (struct fold_text){ "", 0 };
}

static bool is_name(struct fold_text t)
{
    for (uint32_t i = 0; i < t.size; i++) {
        char c = t.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || (i && c >= '0' && c <= '9')))
            return false;
    }
    return t.size > 0 && t.size < 120;
}

/* «os», «system» -> os.system, which is imported first. */
static struct item global(struct machine *m, struct fold_text module, struct fold_text name)
{
    struct fold_out o = { .mem = m->mem };
    if (!is_name(module) || !is_name(name))
        return unknown;
    if (fold_is(module, "posix") || fold_is(module, "nt"))
        module = fold_of("os");
    bool is_builtin = fold_is(module, "builtins") || fold_is(module, "__builtin__");
    if (!is_builtin) {
        fold_add(m->out, "import ", 7);
        fold_add(m->out, module.data, module.size);
        fold_addc(m->out, '\n');
        fold_add(&o, module.data, module.size);
        fold_addc(&o, '.');
    }
    fold_add(&o, name.data, name.size);
    struct item i = finish(&o);
    i.is_name = i.code != unknown.code;
    return i;
}

static void call(struct machine *m, struct item f, struct item args)
{
    struct fold_out o = { .mem = m->mem };
    if (!f.code || !args.code || (!f.is_name && !memchr(f.code, '(', f.size))) {
        push(m, unknown);
        return;
    }
    fold_add(&o, f.code, f.size);
    if (args.code[0] == '(') {
        fold_add(&o, args.code, args.size);
    } else {
        fold_add(&o, "(*", 2);
        fold_add(&o, args.code, args.size);
        fold_addc(&o, ')');
    }
    struct item i = finish(&o);
    fold_add(m->out, i.code, i.size);
    fold_addc(m->out, '\n');
    push(m, i);
}

/* The last n items as (a,b,c). */
static struct item tuple(struct machine *m, uint32_t n)
{
    struct fold_out o = { .mem = m->mem };
    n = MIN_OF(n, m->depth);
    fold_addc(&o, '(');
    for (uint32_t i = m->depth - n; i < m->depth; i++) {
        fold_add(&o, m->stack[i].code ? m->stack[i].code : "_u", m->stack[i].code ? m->stack[i].size : 2);
        fold_addc(&o, ',');
    }
    fold_addc(&o, ')');
    m->depth -= n;
    return finish(&o);
}

static uint32_t above_mark(struct machine *m)
{
    uint32_t n = 0;
    while (n < m->depth && m->stack[m->depth - 1 - n].code)
        n++;
    return n;
}

static struct item marked(struct machine *m)
{
    struct item t = tuple(m, above_mark(m));
    (void)pop(m); /* the mark */
    return t;
}

static void remember(struct machine *m, uint64_t at)
{
    if (at < MEMO_MAX && m->depth)
        m->memo[at] = m->stack[m->depth - 1];
}

static void recall(struct machine *m, uint64_t at)
{
    push(m, at < MEMO_MAX && m->memo[at].code ? m->memo[at] : unknown);
}

static uint64_t decimal(struct fold_text t)
{
    int64_t v = -1;
    return fold_int(t, 10, &v) && v >= 0 ? (uint64_t)v : UINT64_MAX;
}

/* INST and OBJ: a class and its arguments behind a mark. */
static void instance(struct machine *m, bool has_lines)
{
    uint32_t n = above_mark(m);
    struct item f;
    if (has_lines) {
        struct fold_text module = line(m), name = line(m);
        f = global(m, module, name);
    } else {
        if (n == 0)
            return;
        f = m->stack[m->depth - n];
        n--;
    }
    struct item args = tuple(m, n);
    if (!has_lines)
        (void)pop(m);
    (void)pop(m);
    call(m, f, args);
}

static void step(struct machine *m, unsigned char op)
{
    struct item a, b;
    struct fold_text t;
    switch (op) {
    case '(':
        push(m, (struct item){ 0 });
        break;
    case '0':
        (void)pop(m);
        break;
    case '1':
        (void)marked(m);
        break;
    case '2':
        push(m, m->depth ? m->stack[m->depth - 1] : unknown);
        break;
    case 'F':
    case 'I':
    case 'L':
    case 'P':
        (void)line(m);
        push(m, unknown);
        break;
    case 'J':
    case 'K':
    case 'M':
        (void)number(m, op == 'J' ? 4 : op == 'K' ? 1 : 2);
        push(m, unknown);
        break;
    case 'G':
        (void)number(m, 8);
        push(m, unknown);
        break;
    case 0x8a:
    case 0x8b:
        (void)bytes_of(m, number(m, op == 0x8a ? 1 : 4));
        push(m, unknown);
        break;
    case 'S':
        t = line(m);
        push(m, quoted(m, t.size >= 2 ? (struct fold_text){ t.data + 1, t.size - 2 } : t));
        break;
    case 'V':
        push(m, quoted(m, line(m)));
        break;
    case 'T':
    case 'X':
    case 'B':
        push(m, quoted(m, bytes_of(m, number(m, 4))));
        break;
    case 'U':
    case 'C':
    case 0x8c:
        push(m, quoted(m, bytes_of(m, number(m, 1))));
        break;
    case 0x8d:
    case 0x8e:
        push(m, quoted(m, bytes_of(m, number(m, 8))));
        break;
    case 'c':
        t = line(m);
        push(m, global(m, t, line(m)));
        break;
    case 0x93:
        b = pop(m), a = pop(m);
        push(m, global(m, inside(a), inside(b)));
        break;
    case 'R':
    case 0x81:
        b = pop(m), a = pop(m);
        call(m, a, b);
        break;
    case 0x92:
        (void)pop(m), b = pop(m), a = pop(m);
        call(m, a, b);
        break;
    case 'i':
    case 'o':
        instance(m, op == 'i');
        break;
    case ')':
        push(m, (struct item){ .code = "()", .size = 2 });
        break;
    case 't':
    case 'l':
    case 'd':
    case 0x91:
        push(m, marked(m));
        break;
    case 0x85:
    case 0x86:
    case 0x87:
        push(m, tuple(m, op - 0x84u));
        break;
    case 'a':
    case 'b':
        (void)pop(m);
        break;
    case 's':
        (void)pop(m), (void)pop(m);
        break;
    case 'e':
    case 'u':
    case 0x90:
        (void)marked(m);
        break;
    case 'p':
        remember(m, decimal(line(m)));
        break;
    case 'q':
    case 'r':
        remember(m, number(m, op == 'q' ? 1 : 4));
        break;
    case 0x94:
        remember(m, m->memo_count++);
        break;
    case 'g':
        recall(m, decimal(line(m)));
        break;
    case 'h':
    case 'j':
        recall(m, number(m, op == 'h' ? 1 : 4));
        break;
    case 0x80:
        (void)number(m, 1);
        break;
    case 0x95:
        (void)number(m, 8);
        break;
    case 0x82:
    case 0x83:
    case 0x84:
        (void)number(m, op == 0x82 ? 1 : op == 0x83 ? 2 : 4);
        push(m, unknown);
        break;
    case 'N':
    case 'Q':
    case ']':
    case '}':
    case 0x88:
    case 0x89:
    case 0x8f:
        push(m, unknown);
        break;
    default:
        m->is_bad = true;
    }
}

bool pickle_as_python(struct fold_mem *mem, struct fold_text t, struct fold_text *ret)
{
    struct fold_out out = { .mem = mem };
    struct machine m = { .mem = mem, .in = (const unsigned char *)t.data, .size = t.size, .out = &out };
    bool has_ended = false;
    while (m.at < m.size && !m.is_bad && !has_ended && !out.failed) {
        unsigned char op = m.in[m.at++];
        if (op == '.')
            has_ended = true;
        else
            step(&m, op);
    }
    return fold_end(&out, ret) && has_ended;
}

bool yaml_as_python(struct fold_mem *mem, struct fold_text t, struct fold_text *ret)
{
    static const char tag[] = "!!python/object/";
    struct fold_out out = { .mem = mem };
    struct machine m = { .mem = mem, .out = &out };
    const char *at = t.data, *end = t.data + t.size, *hit;
    while ((hit = memmem(at, (size_t)(end - at), tag, sizeof tag - 1))) {
        const char *colon = memchr(hit, ':', (size_t)(end - hit)), *from = colon ? colon + 1 : end, *to = from;
        while (to < end && (is_name((struct fold_text){ to, 1 }) || (*to >= '0' && *to <= '9')))
            to++;
        const char *dot = to > from ? memrchr(from, '.', (size_t)(to - from)) : NULL;
        const char *next = memmem(to, (size_t)(end - to), tag, sizeof tag - 1), *stop = next ? next : end, *arg = to;
        while (arg < stop && memchr(" \t\n[('\"-", *arg, 9))
            arg++;
        while (stop > arg && memchr(" \t\n])'\"", stop[-1], 8))
            stop--;
        struct item f = dot ? global(&m, (struct fold_text){ from, (uint32_t)(dot - from) },
                                     (struct fold_text){ dot + 1, (uint32_t)(to - dot - 1) })
                            : global(&m, fold_of("builtins"), (struct fold_text){ from, (uint32_t)(to - from) });
        push(&m, quoted(&m, (struct fold_text){ arg, (uint32_t)(stop - arg) }));
        call(&m, f, tuple(&m, 1));
        at = next ? next : end;
    }
    return fold_end(&out, ret);
}
