/* Expressions (ir.h) become values. */
#include "scan/eval.h"

struct tv eval_part(struct eval *e, uint32_t n, uint8_t role)
{
    uint32_t p = ir_part(e, n, role);
    return p ? eval_node(e, p) : tv_unknown(0);
}

/* The operand of a member or a path: its first part. */
static uint32_t operand(struct eval *e, uint32_t n)
{
    uint32_t p = ir_at(e, n)->first;
    return p && ir_at(e, p)->role != ROLE_NAME ? p : 0;
}

static struct tv group(struct eval *e, uint32_t n, uint8_t op)
{
    struct tv first = tv_unknown(0), last = first;
    unsigned count = 0;
    PARTS(p, e, n)
    {
        last = eval_node(e, p);
        if (count++ == 0 || (op != IR_TUPLE && !tv_is_known(first)))
            first = last;
    }
    bool has_value = op != IR_STATEMENTS && (op != IR_ONLY || count == 1);
    return !has_value ? tv_unknown(0) : op == IR_LAST ? last : first;
}

/* --- names, members, types --- */

static struct tv name(struct eval *e, struct span s)
{
    bool found;
    e->last_name = s;
    struct tv v = eval_lookup(e, s.s, s.n, &found);
    return found ? v : e->l->unbound(e, s);
}

/* a::b::c, from the left; a local module's name is left out, since every import is known by its last word. */
static struct tv scoped(struct eval *e, uint32_t n)
{
    struct span s = ir_name(e, n);
    uint32_t of = operand(e, n);
    uint8_t op = of ? ir_at(e, of)->op : IR_NONE;
    struct tv path = tv_unknown(0);
    if (e->depth >= SCAN_MAX_DEPTH) {
        e->c->is_cut = true;
        return path;
    }
    e->depth++;
    if (op == IR_NAME || op == IR_TYPE)
        path = e->l->base(e, ir_span(e, of));
    else if (of)
        path = op == IR_SCOPED ? scoped(e, of) : eval_node(e, of);
    e->depth--;
    if (path.kind == TV_PATH || path.kind == TV_OBJECT)
        return tv_path(e, path.text, e->l->separator, s.s, s.n);
    return of || s.n ? e->l->base(e, s) : path;
}

static struct tv as_type(struct eval *e, struct tv v)
{
    if (v.kind != TV_PATH)
        return v;
    if (str_eq(v.text, "strings.Builder") || str_eq(v.text, "bytes.Buffer"))
        return tv_list(); /* what is written to it, in order */
    const struct known *k = eval_known(e, v.text);
    bool is_stream = k && k->effects[0] == EF_CONNECT; /* net.Conn: a type that is a connection */
    return tv_object(v.text, is_stream ? TAINT_SOCKET | TAINT_NET : 0);
}

/* Arc<TcpStream> is a stream for us. */
static struct tv generic(struct eval *e, uint32_t n)
{
    struct tv v = tv_unknown(0);
    PARTS(p, e, n)
    {
        struct tv one = eval_node(e, p);
        if (one.kind == TV_OBJECT && (v.kind != TV_OBJECT || one.taint || !effect_has_below(e->l->language, v.text)))
            v = one;
    }
    return v;
}

static struct tv member_path(struct eval *e, struct tv of, struct span s)
{
    bool has_name = of.kind == TV_PATH || of.kind == TV_OBJECT;
    return has_name ? tv_path(e, of.text, e->l->separator, s.s, s.n) : tv_unknown(of.taint);
}

/* A member that is no call: what is in the table, what a field of that name got, or what came from there. */
static struct tv member(struct eval *e, uint32_t n)
{
    struct tv of = operand(e, n) ? eval_node(e, operand(e, n)) : tv_unknown(0);
    struct span s = ir_name(e, n);
    struct tv v = member_path(e, of, s);
    const struct known *k = v.kind == TV_PATH ? eval_known(e, v.text) : NULL;
    if (k && k->effects[0] == EF_HOME)
        return tv_text(e, "~", 1);
    if (of.kind == TV_OBJECT) {
        if (k && k->effects[0] == EF_PIPE)
            return tv_unknown(TAINT_PIPE);
        return k && k->returns ? tv_object(k->returns, of.taint) : tv_unknown(of.taint);
    }
    if (v.kind == TV_PATH) {
        eval_emit(e, FACT_NAME, v.text, NULL, 0, ir_at(e, n)->start);
        v.taint |= k && k->effects[0] == EF_ENVIRON ? TAINT_SECRET : 0;
        return v;
    }
    bool found;
    struct tv field = eval_get(e, s.s, s.n, SCOPE_FIELD, &found);
    if (!found)
        return v;
    field.taint |= of.taint;
    return field;
}

void eval_set_field(struct eval *e, const char *type, struct span key, struct tv v, uint32_t byte)
{
    struct tv path = type ? tv_path(e, type, e->l->separator, key.s, key.n) : tv_unknown(0);
    const struct known *k = path.kind == TV_PATH ? eval_known(e, path.text) : NULL;
    if (k && k->effects[0] == EF_COMMAND_IO) {
        if (v.taint & TAINT_SOCKET)
            eval_flow(e, "socket-to-process", byte);
        eval_input(e, &v, 1);
    }
    if (key.n && tv_is_known(v))
        eval_set(e, key.s, key.n, SCOPE_FIELD, v);
}

/* --- calls --- */

void eval_callee(struct eval *e, uint32_t n, struct call *k)
{
    const uint8_t op = n ? ir_at(e, n)->op : IR_NONE;
    e->last_name = (struct span){ 0 };
    if (op == IR_MEMBER) {
        uint32_t of = operand(e, n);
        k->is_method = true;
        k->recv = of ? eval_node(e, of) : tv_unknown(0);
        k->name = ir_name(e, n);
        k->value = member_path(e, k->recv, k->name);
    } else if (op == IR_NAME) {
        k->name = ir_span(e, n);
        k->value = name(e, k->name);
    } else if (op == IR_SCOPED) {
        k->name = ir_span(e, n);
        k->value = scoped(e, n);
    } else if (n) {
        k->value = eval_node(e, n);
    }
    k->variable = e->last_name;
}

static void arguments(struct eval *e, uint32_t list, struct call *k)
{
    uint32_t concat = e->concat;
    e->concat = 0;
    PARTS(p, e, list)
    {
        const struct ir_node *i = ir_at(e, p);
        if (i->op == IR_NAME)
            k->filled = ir_span(e, p);
        struct tv v = eval_node(e, p);
        if (i->op == IR_SPREAD && v.kind == TV_LIST) {
            for (uint32_t at = 0; at < v.count && k->n < FACT_MAX_ARGS; at++)
                k->args[k->n++] = tv_item(e, v, at);
        } else if (k->n < FACT_MAX_ARGS) {
            k->args[k->n++] = v;
        }
    }
    e->concat = concat;
}

struct tv eval_local(struct eval *e, struct span s, struct tv recv, const struct tv *args, unsigned n)
{
    uint16_t taint = recv.taint;
    bool found = false;
    struct tv v = tv_unknown(0);
    for (unsigned i = 0; i < n; i++) {
        taint |= args[i].taint;
        if (s.n && tv_is_known(args[i]))
            eval_set(e, s.s, s.n, SCOPE_PARAM + i, args[i]);
    }
    if (e->loop)
        e->loop->has_call = true;
    if (s.n)
        v = eval_get(e, s.s, s.n, SCOPE_RESULT, &found);
    if (!found)
        return tv_unknown(taint);
    v.taint |= v.kind == TV_UNKNOWN ? taint : 0;
    return v;
}

static struct tv call(struct eval *e, uint32_t n)
{
    struct call k = { .byte = ir_at(e, n)->start };
    struct tv before = e->element;
    uint32_t args = ir_part(e, n, ROLE_ARGS), xors = e->xors;
    eval_callee(e, ir_part(e, n, ROLE_OF), &k);
    const struct known *known = k.value.kind == TV_PATH ? eval_known(e, k.value.text) : NULL;
    bool is_walk = known && known->effects[0] == EF_WALK;
    e->element = is_walk ? tv_unknown(TAINT_WALK) : k.is_method && e->l->pattern ? tv_pick(e, k.recv) : tv_unknown(0);
    if (args)
        arguments(e, args, &k);
    e->element = before;
    if (!k.filled.n)
        k.filled = e->last_name;
    if (is_walk && k.filled.n) /* filepath.Walk(root, visit) */
        eval_set(e, k.filled.s, k.filled.n, SCOPE_PARAM, tv_unknown(TAINT_WALK));
    if (known && known->effects[0] == EF_RECEIVE && k.filled.n && k.n) /* conn.Read(buf) */
        eval_set(e, k.filled.s, k.filled.n, e->scope, tv_unknown(TAINT_NET));
    struct tv v = e->l->call(e, &k);
    if (e->xors > xors && k.is_method && (span_is(k.name, "map") || span_is(k.name, "for_each")))
        v = tv_unknown(v.taint | TAINT_DECODED);
    return v;
}

/* What is known by name or not at all: macros of others are as good as functions of std. */
static struct tv macro(struct eval *e, uint32_t n)
{
    struct call k = { .byte = ir_at(e, n)->start };
    uint32_t of = ir_part(e, n, ROLE_OF), args = ir_part(e, n, ROLE_ARGS);
    if (of && ir_at(e, of)->op == IR_NAME)
        k.value = eval_lookup(e, ir_span(e, of).s, ir_span(e, of).n, NULL);
    else if (of)
        k.value = eval_node(e, of);
    if (args)
        arguments(e, args, &k);
    if (of && (k.value.kind != TV_PATH || !strstr(k.value.text, "::")))
        k.value = tv_path(e, "std", "::", ir_span(e, of).s, ir_span(e, of).n);
    if (k.value.kind != TV_PATH)
        return tv_unknown(0);
    const struct known *known = eval_known(e, k.value.text);
    uint8_t does = known ? known->effects[0] : EF_NONE;
    bool is_told = !known || (does != EF_BRACES && does != EF_CONCAT && does != EF_WAIT && does != EF_EXIT);
    bool was_quiet = e->is_quiet;
    e->is_quiet |= !is_told; /* println! and its like are no facts; what is in them was told above */
    struct tv v = eval_call(e, k.value.text, tv_unknown(0), k.args, k.n, k.byte);
    e->is_quiet = was_quiet;
    if (!is_told)
        eval_string(e, v, k.byte);
    return v;
}

/* --- other expressions --- */

/* A text put together is told where it is whole, not a part of a longer one. */
static struct tv binary(struct eval *e, uint32_t n)
{
    const char op = ir_at(e, n)->sign;
    e->concat++;
    struct tv a = eval_part(e, n, ROLE_LEFT), b = eval_part(e, n, ROLE_RIGHT);
    e->concat--;
    e->xors += op == '^';
    if (op == '+' && (a.kind == TV_TEXT || b.kind == TV_TEXT)) {
        struct tv v = tv_concat(e, a, b);
        if (!e->concat)
            eval_string(e, v, ir_at(e, n)->start);
        return v;
    }
    if (op == '|' && a.kind == TV_PATH && b.kind == TV_PATH)
        return tv_path(e, a.text, "|", b.text, strlen(b.text));
    return op ? tv_arith(op, a, b) : tv_unknown(0);
}

static struct tv unary(struct eval *e, uint32_t n)
{
    const char op = ir_at(e, n)->sign;
    struct tv v = group(e, n, IR_LAST);
    if (op == '&' || op == '*')
        return v;
    if (op == '<' && e->loop) /* what a channel gives */
        e->loop->has_wait = true;
    return v.kind == TV_NUMBER && op == '-' ? tv_number(-v.number) : tv_unknown(v.taint);
}

static struct tv item(struct eval *e, uint32_t n)
{
    uint32_t first = ir_at(e, n)->first, second = first ? ir_at(e, first)->next : 0;
    struct tv of = first ? eval_node(e, first) : tv_unknown(0), at = second ? eval_node(e, second) : tv_unknown(0);
    if (of.kind == TV_PATH && str_eq(of.text, "os.Args") && at.kind == TV_NUMBER && at.number == 0) {
        struct tv self = tv_text(e, "/proc/self/exe", 14);
        self.taint = TAINT_SELF;
        return self;
    }
    if (of.kind == TV_LIST)
        return at.kind == TV_NUMBER ? tv_item(e, of, at.number) : tv_pick(e, of);
    if (of.kind == TV_TEXT && at.kind == TV_NUMBER && at.number >= 0 && (uint64_t)at.number < strlen(of.text))
        return tv_number((unsigned char)of.text[at.number]);
    return tv_unknown(of.taint);
}

static struct tv slice(struct eval *e, uint32_t n)
{
    struct tv of = eval_part(e, n, ROLE_OF), from = tv_number(0), to = tv_number(INT64_MAX);
    if (ir_part(e, n, ROLE_START))
        from = eval_part(e, n, ROLE_START);
    if (ir_part(e, n, ROLE_END))
        to = eval_part(e, n, ROLE_END);
    if (of.kind != TV_TEXT || from.kind != TV_NUMBER || to.kind != TV_NUMBER)
        return tv_unknown(of.taint);
    int64_t size = (int64_t)strlen(of.text);
    int64_t a = MIN_OF(MAX_OF(from.number, 0), size), b = MIN_OF(MAX_OF(to.number, a), size);
    return tv_text(e, of.text + a, (size_t)(b - a));
}

static struct tv pair(struct eval *e, uint32_t n, const char *type)
{
    struct tv v = tv_unknown(0);
    PARTS(p, e, n)
    if (ir_at(e, p)->role != ROLE_NAME)
        v = eval_node(e, p);
    eval_set_field(e, type, ir_name(e, n), v, ir_at(e, n)->start);
    return v;
}

static struct tv items(struct eval *e, uint32_t n, const char *type)
{
    struct tv list = tv_list();
    PARTS(p, e, n)
    tv_append(e, &list, ir_at(e, p)->op == IR_PAIR ? pair(e, p, type) : eval_node(e, p));
    return list;
}

static struct tv object(struct eval *e, uint32_t n)
{
    struct tv type = eval_part(e, n, ROLE_TYPE), list = tv_list(), args[FACT_MAX_ARGS];
    if (ir_part(e, n, ROLE_BODY))
        list = items(e, ir_part(e, n, ROLE_BODY), type.kind == TV_OBJECT ? type.text : NULL);
    if (type.kind != TV_OBJECT)
        return list;
    unsigned count = 0;
    for (; count < list.count && count < FACT_MAX_ARGS; count++)
        args[count] = tv_item(e, list, count);
    if (eval_known(e, type.text))
        return eval_call(e, type.text, tv_unknown(0), args, count, ir_at(e, n)->start);
    type.taint |= list.taint;
    return type;
}

static struct tv cast(struct eval *e, uint32_t n)
{
    struct tv v = tv_unknown(0), type = v;
    PARTS(p, e, n)
    if (ir_at(e, p)->role != ROLE_TYPE)
        v = eval_node(e, p);
    else if (!ir_at(e, n)->sign)
        type = eval_node(e, p);
    if (type.kind == TV_OBJECT) {
        type.taint |= v.taint;
        return type;
    }
    return v.kind == TV_LIST ? tv_from_bytes(e, v) : v;
}

static struct tv expression(struct eval *e, uint32_t n)
{
    const struct ir_node *i = ir_at(e, n);
    struct tv v;
    switch ((enum ir_op)i->op) {
    case IR_TEXT:
        v = i->text ? (struct tv){ .kind = TV_TEXT, .text = i->text } : tv_unknown(0);
        if (i->sign != 'c')
            eval_string(e, v, i->start);
        return v;
    case IR_NUMBER:
        return tv_number(i->number);
    case IR_NAME:
        return name(e, ir_span(e, n));
    case IR_MEMBER:
        return member(e, n);
    case IR_SCOPED:
        v = scoped(e, n);
        return i->sign == 't' ? as_type(e, v) : v;
    case IR_TYPE:
        return as_type(e, name(e, ir_span(e, n)));
    case IR_GENERIC:
        return generic(e, n);
    case IR_CALL:
        return call(e, n);
    case IR_MACRO:
        return macro(e, n);
    case IR_BINARY:
        return binary(e, n);
    case IR_UNARY:
        return unary(e, n);
    case IR_INDEX:
        return item(e, n);
    case IR_SLICE:
        return slice(e, n);
    case IR_LIST:
        return items(e, n, NULL);
    case IR_NEW:
        return object(e, n);
    case IR_PAIR:
        (void)pair(e, n, NULL);
        return tv_unknown(0);
    case IR_CAST:
        return cast(e, n);
    case IR_CLOSURE:
    case IR_FUNCTION:
        return eval_function(e, n);
    case IR_MATCH:
        return eval_match(e, n);
    case IR_WAIT:
    case IR_THREAD:
        if (e->loop)
            *(i->op == IR_WAIT ? &e->loop->has_wait : &e->loop->has_thread) = true;
        return group(e, n, IR_ONLY);
    case IR_SPREAD:
        return group(e, n, IR_ONLY);
    case IR_ARM: /* of a match that the grammar did not make out */
        return group(e, n, IR_LAST);
    default:
        return i->op <= IR_GROUPS_END || i->op == IR_ARGS ? group(e, n, i->op) : eval_statement(e, n);
    }
}

struct tv eval_node(struct eval *e, uint32_t n)
{
    if (e->is_stopped)
        return tv_unknown(0);
    if (e->depth >= SCAN_MAX_DEPTH) {
        e->c->is_cut = true;
        return tv_unknown(0);
    }
    if (scan_stop(e->c)) {
        e->is_stopped = true;
        return tv_unknown(0);
    }
    e->depth++;
    struct tv v = expression(e, n);
    e->depth--;
    return v;
}
