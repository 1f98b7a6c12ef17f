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

/* A statement that follows beside it does not count. */
static struct tv all(struct eval *e, uint32_t n)
{
    struct tv v = tv_unknown(0);
    uint32_t taint = 0, count = 0;
    PARTS(p, e, n)
    {
        if (ir_at(e, p)->op == IR_THREAD)
            continue;
        v = eval_node(e, p);
        taint |= v.taint;
        count++;
    }
    if (count != 1)
        v = tv_unknown(0);
    v.taint = taint;
    return v;
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
        e->is_cut = true;
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
    if (e->l->is_lexical) {
        struct tv v = eval_member(e, n, &(struct call){ 0 });
        if (!ir_at(e, n)->is_part)
            v = e->l->told(e, v, ir_at(e, n)->start);
        return v;
    }
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

#define MEMBER_MAX 48u /* bytes of this.x, by which what is written to it is found again */

struct tv eval_member(struct eval *e, uint32_t n, struct call *k)
{
    uint32_t first = ir_at(e, n)->first, second = first ? ir_at(e, first)->next : 0;
    struct tv at = tv_unknown(0), v;
    k->is_method = true;
    k->recv = first ? eval_node(e, first) : at;
    if (first && ir_at(e, first)->op == IR_NAME)
        k->variable = ir_span(e, first);
    if (ir_at(e, n)->op == IR_MEMBER) {
        k->name = ir_name(e, n);
        v = e->l->of(e, k->recv, k->name);
    } else {
        at = second ? eval_node(e, second) : at;
        k->is_computed = second && ir_at(e, second)->op != IR_TEXT;
        if (at.kind == TV_TEXT)
            k->name = (struct span){ at.text, strlen(at.text) };
        v = e->l->item(e, k->recv, at);
    }
    if (v.kind == TV_UNKNOWN && ir_span(e, n).n <= MEMBER_MAX) {
        struct tv bound = eval_get(e, ir_span(e, n).s, ir_span(e, n).n, SCOPE_FILE, NULL);
        bound.taint |= v.taint;
        v = bound;
    }
    return v;
}

void eval_bind(struct eval *e, uint32_t n, struct tv v, bool is_new, unsigned depth)
{
    const uint8_t op = depth > 8 ? IR_NONE : ir_at(e, n)->op;
    struct span s = ir_span(e, n);
    unsigned position = 0;
    if (op == IR_NAME) {
        uint32_t scope = e->scope;
        bool is_there = is_new;
        for (const struct eval_scope *i = e->inner; i && !is_there; i = i->outer) {
            (void)eval_get(e, s.s, s.n, i->scope, &is_there);
            scope = is_there ? i->scope : SCOPE_FILE;
        }
        (void)eval_get(e, s.s, s.n, scope, &is_there);
        if (!is_there || tv_is_known(v)) /* cp = null in a catch does not make us forget what it was */
            eval_set(e, s.s, s.n, scope, v);
    } else if ((op == IR_MEMBER || op == IR_INDEX) && s.n <= MEMBER_MAX && tv_is_known(v)) {
        eval_set(e, s.s, s.n, SCOPE_FILE, v); /* this.cp = require(...) */
    } else if (op == IR_DEFAULT) {
        struct tv other = eval_part(e, n, ROLE_RIGHT);
        if (ir_part(e, n, ROLE_LEFT))
            eval_bind(e, ir_part(e, n, ROLE_LEFT), tv_is_known(v) ? v : other, is_new, depth + 1);
    } else if (op == IR_LIST) {
        PARTS(p, e, n)
        eval_bind(e, p, v.kind == TV_LIST ? tv_item(e, v, position++) : tv_unknown(v.taint), is_new, depth + 1);
    } else if (op == IR_RECORD) {
        PARTS(p, e, n)
        {
            uint32_t to = ir_at(e, p)->op == IR_PAIR ? ir_part(e, p, ROLE_RIGHT) : p;
            uint32_t name = ir_at(e, p)->op == IR_DEFAULT ? ir_part(e, p, ROLE_LEFT) : p;
            struct tv key = eval_part(e, p, ROLE_START), part = tv_unknown(v.taint);
            struct span k = key.kind == TV_TEXT          ? (struct span){ key.text, strlen(key.text) }
                            : ir_at(e, p)->op == IR_PAIR ? ir_name(e, p)
                            : name                       ? ir_span(e, name)
                                                         : (struct span){ 0 };
            if (k.n) {
                part = e->l->of(e, v, k);
                part = e->l->told(e, part, ir_at(e, p)->start);
            }
            if (to)
                eval_bind(e, to, part, is_new, depth + 1);
        }
    }
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
    if (e->l->is_lexical && (op == IR_MEMBER || op == IR_INDEX)) {
        k->value = eval_member(e, n, k);
        return;
    }
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

static void argument(struct eval *e, uint32_t p, struct call *k)
{
    const struct ir_node *i = ir_at(e, p);
    if (i->op == IR_NAME)
        k->filled = ir_span(e, p);
    e->taker = k;
    struct tv v = eval_node(e, p);
    if (i->op == IR_SPREAD && !i->sign && v.kind == TV_LIST) {
        for (uint32_t at = 0; at < v.count && k->n < EVAL_MAX_ARGS; at++)
            k->args[k->n++] = tv_item(e, v, at);
    } else if (k->n < EVAL_MAX_ARGS) {
        k->nodes[k->n] = p;
        k->args[k->n++] = v;
    }
}

static void arguments(struct eval *e, uint32_t list, struct call *k)
{
    uint32_t concat = e->concat;
    e->concat = 0;
    if (ir_at(e, list)->op == IR_TEMPLATE) /* tag`text` */
        argument(e, list, k);
    else
        PARTS(p, e, list)
    argument(e, p, k);
    e->concat = concat;
}

struct tv eval_local(struct eval *e, struct span s, struct tv recv, const struct tv *args, unsigned n)
{
    uint32_t taint = recv.taint;
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

/* (function (r) { ... })(require): the arguments come first. */
static struct tv lexical_call(struct eval *e, uint32_t n, uint32_t args, struct call *k)
{
    struct eval_frame frame = { n, k, e->frame };
    uint32_t of = ir_part(e, n, ROLE_OF);
    k->is_own = of && ir_at(e, of)->op == IR_CLOSURE;
    if (!k->is_own)
        eval_callee(e, of, k);
    e->frame = &frame;
    if (args)
        arguments(e, args, k);
    e->taker = k;
    if (k->is_own)
        eval_callee(e, of, k);
    e->taker = NULL;
    e->frame = frame.outer;
    return e->l->call(e, k);
}

static struct tv call(struct eval *e, uint32_t n)
{
    struct call k = { .node = n, .byte = ir_at(e, n)->start };
    struct tv before = e->element;
    uint32_t args = ir_part(e, n, ROLE_ARGS), xors = e->xors;
    if (e->l->is_lexical)
        return lexical_call(e, n, args, &k);
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
        if (e->l->is_lexical ? !ir_at(e, n)->is_part : !e->concat)
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
    if (e->l->is_lexical)
        return member(e, n);
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
    {
        struct tv v = ir_at(e, p)->op == IR_PAIR ? pair(e, p, type) : eval_node(e, p);
        if (ir_at(e, p)->op == IR_SPREAD && ir_at(e, p)->sign && v.kind == TV_LIST)
            for (uint32_t i = 0, at = v.head; i < v.count; i++, at = e->pool[at].next)
                tv_append(e, &list, e->pool[at].value);
        else
            tv_append(e, &list, v);
        list.taint |= v.taint;
        list.is_partial |= e->l->is_lexical && (v.is_partial || v.kind == TV_UNKNOWN || v.kind == TV_PATH);
    }
    return list;
}

static struct tv template(struct eval *e, uint32_t n)
{
    struct tv list = tv_list();
    PARTS(p, e, n)
    tv_append(e, &list, eval_node(e, p));
    struct tv v = tv_join_list(e, list, (struct tv){ .kind = TV_TEXT, .text = "" });
    return v.is_partial && !v.text[strspn(v.text, "{}")] ? tv_unknown(v.taint) : v; /* nothing is known */
}

static struct tv record(struct eval *e, uint32_t n)
{
    struct tv all = { .kind = TV_RECORD };
    PARTS(p, e, n)
    {
        const uint8_t op = ir_at(e, p)->op;
        struct tv key = tv_unknown(0), v;
        if (op != IR_PAIR) {
            v = eval_node(e, p);
            all.taint |= v.taint;
            if (op == IR_SPREAD)
                e->l->field(e, key, v, ir_at(e, n)->start);
            for (uint32_t i = 0, at = v.head; v.kind == TV_RECORD && i < v.count; i++, at = e->pool[at].next)
                tv_append(e, &all, e->pool[at].value);
            continue;
        }
        key = eval_part(e, p, ROLE_START);
        if (ir_name(e, p).n)
            key = tv_text(e, ir_name(e, p).s, ir_name(e, p).n);
        v = eval_part(e, p, ROLE_RIGHT);
        e->l->field(e, key, v, ir_at(e, p)->start);
        tv_append(e, &all, key);
        tv_append(e, &all, v);
        all.is_partial |= v.is_partial;
    }
    return all;
}

static struct tv either(struct eval *e, uint32_t n)
{
    const char sign = ir_at(e, n)->sign;
    (void)eval_part(e, n, ROLE_CONDITION);
    struct tv a = eval_part(e, n, ROLE_LEFT), b = eval_part(e, n, sign == '?' ? ROLE_ELSE : ROLE_RIGHT);
    struct tv v = sign == '&' || a.kind == TV_UNKNOWN ? b : a;
    v.taint = a.taint | b.taint;
    if (sign != '?' && !ir_at(e, n)->is_part)
        eval_string(e, v, ir_at(e, n)->start);
    return v;
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

/* Parameters have what the call gives in whose arguments, or in whose place, the function stands. */
static void parameters_and_body(struct eval *e, uint32_t n, const struct call *taker)
{
    unsigned position = 0;
    PARTS(p, e, n)
    {
        struct tv v = tv_unknown(0);
        const uint8_t role = ir_at(e, p)->role;
        if (role == ROLE_BODY || role == ROLE_START)
            (void)eval_node(e, p);
        if (role != ROLE_PARAMS)
            continue;
        if (taker && !taker->is_own)
            v = e->l->parameter(e, taker, position);
        else if (taker && position < taker->n)
            v = taker->args[position];
        position++;
        eval_bind(e, p, v, true, 0);
    }
}

static struct tv lexical_function(struct eval *e, uint32_t n)
{
    const struct call *taker = e->taker;
    struct eval_scope mine = { ir_at(e, n)->start + 64, e->inner }; /* past the special scopes */
    const uint32_t outer = e->scope;
    e->taker = NULL;
    e->inner = &mine;
    e->scope = mine.scope;
    parameters_and_body(e, n, taker);
    e->inner = mine.outer;
    e->scope = outer;
    return (struct tv){ .kind = TV_FUNCTION };
}

struct tv eval_expression(struct eval *e, uint32_t n)
{
    const struct ir_node *i = ir_at(e, n);
    struct eval_frame frame;
    struct tv v;
    if (i->op != IR_CLOSURE)
        e->taker = NULL;
    switch ((enum ir_op)i->op) {
    case IR_TEXT:
        v = i->text ? (struct tv){ .kind = TV_TEXT, .text = i->text } : tv_unknown(0);
        v.number = i->sign == 'v' ? (int64_t)i->start + 2 : 0;
        if (i->sign != 'c' && !i->is_part)
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
    case IR_RECORD:
        return record(e, n);
    case IR_TEMPLATE:
        v = template(e, n);
        if (!i->is_part)
            eval_string(e, v, i->start);
        return v;
    case IR_EITHER:
        return either(e, n);
    case IR_NEW:
        return object(e, n);
    case IR_PAIR:
        (void)pair(e, n, NULL);
        return tv_unknown(0);
    case IR_CAST:
        return cast(e, n);
    case IR_CLOSURE:
    case IR_FUNCTION:
        return e->l->is_lexical ? lexical_function(e, n) : eval_function(e, n);
    case IR_MATCH:
        return eval_match(e, n);
    case IR_WAIT:
    case IR_THREAD:
        if (e->loop)
            *(i->op == IR_WAIT ? &e->loop->has_wait : &e->loop->has_thread) = true;
        frame = (struct eval_frame){ n, NULL, e->frame };
        e->frame = &frame;
        v = group(e, n, IR_ONLY);
        e->frame = frame.outer;
        return v;
    case IR_SPREAD:
        return group(e, n, IR_ONLY);
    case IR_ARM: /* of a match that the grammar did not make out */
        return group(e, n, IR_LAST);
    case IR_ALL:
        return all(e, n);
    default:
        return i->op <= IR_GROUPS_END || i->op == IR_ARGS ? group(e, n, i->op) : eval_statement(e, n);
    }
}

struct tv eval_node(struct eval *e, uint32_t n)
{
    if (e->is_stopped)
        return tv_unknown(0);
    if (e->depth >= SCAN_MAX_DEPTH) {
        e->is_cut = true;
        return tv_unknown(0);
    }
    if (scan_stop(e->c)) {
        e->is_stopped = true;
        return tv_unknown(0);
    }
    e->depth++;
    struct tv v = e->l->own ? e->l->own(e, n) : eval_expression(e, n);
    e->depth--;
    return e->l->leave ? e->l->leave(e, n, v) : v;
}
