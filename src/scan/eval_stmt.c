/* Statements, and what binds names: assignments, parameters, loops, imports. */
#include "scan/eval.h"

#define VALUES 8u /* of one assignment */

static unsigned values(struct eval *e, uint32_t n, struct tv ret[static VALUES])
{
    unsigned count = 0;
    if (!n || ir_at(e, n)->op != IR_TUPLE) {
        ret[0] = n ? eval_node(e, n) : tv_unknown(0);
        return n != 0;
    }
    PARTS(p, e, n)
    {
        struct tv v = eval_node(e, p);
        if (count < VALUES)
            ret[count++] = v;
    }
    return count;
}

struct target {
    struct span name;
    const char *type; /* of the object whose field it is */
    bool is_field;
};

static unsigned targets(struct eval *e, uint32_t n, struct target ret[static VALUES])
{
    unsigned count = 0;
    uint32_t p = n && ir_at(e, n)->op == IR_TUPLE ? ir_at(e, n)->first : n;
    for (; p; p = p == n ? 0 : ir_at(e, p)->next) {
        struct target one = { .is_field = ir_at(e, p)->op == IR_MEMBER };
        if (one.is_field) {
            struct call k = { 0 };
            eval_callee(e, p, &k);
            one.name = k.name;
            one.type = k.recv.kind == TV_OBJECT ? k.recv.text : NULL;
        } else if (ir_at(e, p)->op == IR_NAME) {
            one.name = ir_span(e, p);
        } else {
            (void)eval_node(e, p);
        }
        if (count < VALUES)
            ret[count++] = one;
    }
    return count;
}

static struct tv lexical_assign(struct eval *e, uint32_t n)
{
    const char op = ir_at(e, n)->sign;
    uint32_t left = ir_part(e, n, ROLE_LEFT);
    bool is_read = left && (op != 'd' && ir_at(e, left)->op != IR_RECORD && ir_at(e, left)->op != IR_LIST);
    struct tv before = is_read ? eval_node(e, left) : tv_unknown(0), v = eval_part(e, n, ROLE_RIGHT);
    if (op == '+')
        v = tv_concat(e, before, v);
    else if (op && op != 'd')
        v = tv_unknown(v.taint | before.taint);
    PARTS(p, e, n)
    if (ir_at(e, p)->role == ROLE_LEFT)
        eval_bind(e, p, v, op == 'd', 0);
    return v;
}

/* Names on the left get what is on the right. */
static void assign(struct eval *e, uint32_t n)
{
    struct target to[VALUES];
    struct tv v[VALUES];
    const char op = ir_at(e, n)->sign;
    unsigned count = targets(e, ir_part(e, n, ROLE_LEFT), to), known = values(e, ir_part(e, n, ROLE_RIGHT), v);
    e->xors += op == '^';
    for (unsigned i = 0; i < count; i++) {
        struct tv one = i < known ? v[i] : tv_unknown(known ? v[0].taint : 0);
        struct span s = to[i].name;
        if (op == '+' && !to[i].is_field && s.n)
            one = tv_concat(e, eval_lookup(e, s.s, s.n, NULL), one);
        else if (op && op != '+')
            one = tv_unknown(one.taint);
        if (to[i].is_field)
            eval_set_field(e, to[i].type, s, one, ir_at(e, n)->start);
        else if (s.n)
            eval_set(e, s.s, s.n, e->scope, one);
    }
}

static void bind(struct eval *e, uint32_t n, uint32_t scope, struct tv v)
{
    PARTS(p, e, n)
    if (ir_at(e, p)->role == ROLE_LEFT)
        eval_set(e, ir_span(e, p).s, ir_span(e, p).n, scope, v);
}

static bool is_useful_type(struct tv type)
{
    return type.kind == TV_OBJECT || type.kind == TV_LIST;
}

static void declare(struct eval *e, uint32_t n)
{
    struct tv v[VALUES], type = eval_part(e, n, ROLE_TYPE);
    unsigned known = values(e, ir_part(e, n, ROLE_RIGHT), v), i = 0;
    bool is_pattern = e->l->pattern;
    (void)eval_part(e, n, ROLE_ELSE);
    PARTS(p, e, n)
    {
        if (ir_at(e, p)->role != ROLE_LEFT)
            continue;
        struct tv one = i < known ? v[i] : tv_unknown(known ? v[0].taint : 0);
        i += !is_pattern; /* the names of a pattern all get the whole */
        if (one.kind == TV_UNKNOWN && is_useful_type(type)) {
            uint32_t taint = one.taint;
            one = type;
            one.taint |= taint;
        }
        eval_set(e, ir_span(e, p).s, ir_span(e, p).n, e->scope, one);
    }
}

/* Key or index, then the element; over a map or directory the key may be the path. */
static void each(struct eval *e, uint32_t n)
{
    struct tv of = eval_part(e, n, ROLE_RIGHT);
    uint32_t left = ir_part(e, n, ROLE_LEFT);
    if (e->l->is_lexical) {
        if (left)
            eval_bind(e, left, e->l->element(e, of), true, 0);
        (void)eval_part(e, n, ROLE_BODY);
        return;
    }
    if (ir_at(e, n)->sign != 'i') {
        bind(e, n, e->scope, tv_pick(e, of));
        return;
    }
    struct target to[VALUES];
    unsigned count = targets(e, left, to);
    for (unsigned i = 0; i < count; i++) {
        struct tv v = i == 1 && of.kind == TV_LIST ? tv_pick(e, of) : tv_unknown(of.taint);
        if (to[i].name.n && !to[i].is_field)
            eval_set(e, to[i].name.s, to[i].name.n, e->scope, v);
    }
}

/* `position`: of a function's, whose calls taught what it gets; NULL: a closure's. */
static void parameter(struct eval *e, uint32_t n, uint32_t *position)
{
    struct tv type = eval_part(e, n, ROLE_TYPE);
    bool has_any = false, is_pattern = e->l->pattern;
    PARTS(p, e, n)
    {
        if (ir_at(e, p)->role != ROLE_LEFT)
            continue;
        struct tv v = e->element, mine = type;
        if (position && e->function.n) {
            v = eval_get(e, e->function.s, e->function.n, SCOPE_PARAM + *position, NULL);
            *position += !is_pattern;
        }
        has_any = true;
        mine.taint |= position ? 0 : v.taint;
        bool is_typed = is_useful_type(type) && (!position || !is_pattern || v.kind == TV_UNKNOWN);
        eval_set(e, ir_span(e, p).s, ir_span(e, p).n, e->scope, is_typed ? mine : v);
    }
    if (position && (is_pattern || !has_any))
        (*position)++;
}

static void returned(struct eval *e, struct tv v)
{
    if (!e->function.n || !tv_is_known(v))
        return;
    struct tv before = eval_get(e, e->function.s, e->function.n, SCOPE_RESULT, NULL);
    if (before.kind == TV_UNKNOWN) {
        v.taint |= before.taint;
        eval_set(e, e->function.s, e->function.n, SCOPE_RESULT, v);
    }
}

struct tv eval_function(struct eval *e, uint32_t n)
{
    struct eval_loop *loop = e->loop;
    struct span outer = e->function;
    uint32_t scope = e->scope, position = 0;
    bool is_closure = ir_at(e, n)->op == IR_CLOSURE;
    struct tv v = tv_unknown(0), element = e->element;
    e->loop = NULL;
    e->function = (struct span){ 0 };
    if (!is_closure)
        e->function = ir_name(e, n);
    if (ir_at(e, n)->sign == 'b')
        eval_set(e, e->function.s, e->function.n, SCOPE_FILE, tv_unknown(0));
    if (!is_closure) {
        e->scope = ir_at(e, n)->start + 64; /* past the special scopes */
        e->element = tv_unknown(0);
    }
    PARTS(p, e, n)
    {
        bool is_taught = !is_closure && ir_at(e, p)->role == ROLE_PARAMS;
        if (ir_at(e, p)->op == IR_PARAM)
            parameter(e, p, is_taught ? &position : NULL);
    }
    e->element = tv_unknown(0);
    if (ir_part(e, n, ROLE_BODY))
        v = eval_node(e, ir_part(e, n, ROLE_BODY));
    if (!is_closure)
        returned(e, v);
    e->loop = loop;
    e->function = outer;
    e->scope = scope;
    e->element = element;
    return is_closure ? v : tv_unknown(0);
}

static void loop(struct eval *e, uint32_t n)
{
    struct eval_loop mine = { .is_endless = ir_at(e, n)->sign == 'e' }, *outer = e->loop;
    if (e->l->loop) {
        struct eval_frame frame = { n, NULL, e->frame };
        e->frame = &frame;
        PARTS(p, e, n)
        (void)eval_node(e, p);
        e->frame = frame.outer;
        e->l->loop(e, n);
        return;
    }
    e->loop = &mine;
    PARTS(p, e, n)
    {
        mine.is_endless |= ir_at(e, p)->role == ROLE_CONDITION && span_is(ir_span(e, p), "true");
        (void)eval_node(e, p);
    }
    e->loop = outer;
    eval_loop_end(e, &mine, ir_at(e, n)->start);
    if (outer) { /* what an inner loop starts the outer one starts, too; its waiting counts for both */
        outer->has_wait |= mine.has_wait;
        outer->has_call |= mine.has_call;
        outer->has_spawn |= mine.has_spawn;
        outer->has_asked |= mine.has_asked;
        outer->has_fork |= mine.has_fork;
        outer->has_thread |= mine.has_thread;
    }
}

struct tv eval_match(struct eval *e, uint32_t n)
{
    struct tv before = e->scrutinee, v = tv_unknown(0);
    PARTS(p, e, n)
    {
        if (ir_at(e, p)->op != IR_ARM) {
            e->scrutinee = eval_node(e, p);
            continue;
        }
        bind(e, p, e->scope, e->scrutinee);
        struct tv one = eval_part(e, p, ROLE_RIGHT);
        if (v.kind == TV_UNKNOWN && tv_is_known(one))
            v = one;
    }
    e->scrutinee = before;
    return v;
}

static void import(struct eval *e, uint32_t n)
{
    const struct ir_node *i = ir_at(e, n);
    struct tv path = i->text ? e->l->import(e, i->text) : tv_unknown(0);
    struct span s = ir_name(e, n);
    if (path.kind != TV_PATH)
        return;
    if ((i->sign == '*' || i->sign == '.') && e->is_quiet && e->glob_count < EVAL_GLOBS)
        e->globs[e->glob_count++] = path.text;
    const char *said = i->sign == '*' ? tv_path(e, path.text, e->l->separator, "*", 1).text : path.text;
    if (i->sign != '=' && said)
        eval_emit(e, FACT_IMPORT, said, NULL, 0, i->start);
    if (s.n)
        eval_set(e, s.s, s.n, SCOPE_FILE, path);
}

struct tv eval_statement(struct eval *e, uint32_t n)
{
    const struct ir_node *i = ir_at(e, n);
    struct tv v[VALUES] = { tv_unknown(0) }, type;
    switch ((enum ir_op)i->op) {
    case IR_ASSIGN:
        if (e->l->is_lexical)
            return lexical_assign(e, n);
        assign(e, n);
        break;
    case IR_DECLARE:
        declare(e, n);
        break;
    case IR_EACH:
        each(e, n);
        break;
    case IR_PARAM:
        parameter(e, n, NULL);
        break;
    case IR_FIELD:
        type = eval_part(e, n, ROLE_TYPE);
        if (is_useful_type(type))
            bind(e, n, SCOPE_FIELD, type);
        break;
    case IR_TYPEDEF:
        type = eval_part(e, n, ROLE_TYPE);
        if (type.kind == TV_OBJECT) {
            type.kind = TV_PATH;
            eval_set(e, ir_name(e, n).s, ir_name(e, n).n, SCOPE_FILE, type);
        }
        break;
    case IR_MODULE:
        eval_set(e, ir_name(e, n).s, ir_name(e, n).n, SCOPE_FILE, tv_unknown(0));
        (void)eval_part(e, n, ROLE_BODY);
        break;
    case IR_LOOP:
        loop(e, n);
        break;
    case IR_RETURN:
    case IR_BREAK:
        if (e->loop)
            e->loop->has_exit = true;
        (void)values(e, i->first, v);
        if (i->op == IR_RETURN)
            returned(e, v[0]);
        break;
    case IR_IMPORT:
        import(e, n);
        break;
    case IR_NOTE:
        if (i->sign == 'f')
            eval_flow(e, i->text, i->start);
        else
            eval_emit(e, FACT_NAME, i->text, NULL, 0, i->start);
        break;
    default:
        break;
    }
    return tv_unknown(0);
}
