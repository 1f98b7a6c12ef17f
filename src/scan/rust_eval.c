/* Expressions, patterns and items of Rust. */
#include "scan/rust_eval.h"

static const char *const node_names[] = {
    "arguments", "array_expression", "assignment_expression", "attribute_item", "binary_expression", "block",
    "block_comment", "break_expression", "call_expression", "char_literal", "closure_expression",
    "compound_assignment_expr", "const_item", "crate", "expression_statement", "extern_crate_declaration",
    "field_declaration", "field_expression", "field_initializer", "for_expression", "foreign_mod_item",
    "function_item", "function_signature_item", "generic_function", "generic_type", "identifier", "index_expression",
    "inner_attribute_item", "integer_literal", "let_condition", "let_declaration", "line_comment", "loop_expression",
    "macro_definition", "macro_invocation", "match_arm", "match_expression", "mod_item", "parameter",
    "raw_string_literal", "return_expression", "scoped_identifier", "scoped_type_identifier", "scoped_use_list",
    "self", "shorthand_field_initializer", "static_item", "string_literal", "struct_expression", "super", "token_tree",
    "tuple_struct_pattern", "type_cast_expression", "type_identifier", "type_item", "unary_expression", "unsafe_block",
    "use_as_clause", "use_declaration", "use_list", "use_wildcard", "visibility_modifier", "while_expression",
};
static_assert(ARRAY_LEN(node_names) + 1 == R_COUNT, "one kind for each name");

uint32_t rust_kinds(const TSLanguage *l, uint8_t *ret, uint32_t size)
{
    return typed_map_kinds(l, node_names, ARRAY_LEN(node_names), ret, size);
}

struct tv rust_literal(struct rust *r, uint8_t kind)
{
    struct span s = rust_span(r);
    struct tv v = tv_unknown(0);
    if (kind == R_INT)
        return tv_number(tv_parse_int(s.s, s.n));
    const char quote = kind == R_CHAR ? '\'' : '"';
    const char *from = memchr(s.s, quote, s.n), *to = memrchr(s.s, quote, s.n);
    if (!from || to <= from)
        return v;
    from++;
    bool is_plain = kind == R_RAW || !memchr(from, '\\', (size_t)(to - from));
    v = is_plain ? tv_text(&r->t, from, (size_t)(to - from)) : tv_escaped(&r->t, from, (size_t)(to - from));
    if (kind == R_CHAR)
        return v.kind == TV_TEXT && s.s[0] == 'b' ? tv_number((unsigned char)v.text[0]) : v;
    typed_string(&r->t, v, rust_byte(r));
    return v;
}

/* --- paths --- */

/* Whether the table knows `path` or anything below it. */
static bool has_below(const struct typed *t, const char *path)
{
    size_t low = 0, high = t->known_count, n = strlen(path);
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (strcmp(t->known[mid].name, path) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < t->known_count && strncmp(t->known[low].name, path, n) == 0; low++)
        if (t->known[low].name[n] == '\0' || t->known[low].name[n] == ':')
            return true;
    return false;
}

/* Modules whose every function matters: a glob of them claims any unknown lower-case word. */
static bool is_raw_module(const char *path)
{
    return str_eq(path, "libc") || str_starts(path, "nix::") || str_starts(path, "winapi::") ||
           str_starts(path, "windows_sys::");
}

static struct tv from_glob(struct rust *r, struct span name, bool is_called)
{
    for (uint32_t i = 0; i < r->glob_count; i++) {
        struct tv v = tv_path(&r->t, r->globs[i], "::", name.s, name.n);
        if (v.kind == TV_PATH && (has_below(&r->t, v.text) || (is_called && is_raw_module(r->globs[i]))))
            return v;
    }
    return tv_unknown(0);
}

struct tv rust_base(struct rust *r, struct span name)
{
    bool found;
    if (span_is(name, "self") || span_is(name, "crate") || span_is(name, "super"))
        return tv_unknown(0);
    if (span_is(name, "core") || span_is(name, "alloc"))
        name = (struct span){ "std", 3 };
    struct tv v = typed_lookup(&r->t, name.s == NULL ? "" : name.s, name.n, &found);
    if (found)
        return v;
    v = from_glob(r, name, false);
    if (v.kind == TV_PATH)
        return v;
    v = tv_text(&r->t, name.s, name.n);
    if (v.kind == TV_TEXT)
        v.kind = TV_PATH;
    return v;
}

/* a::b::c, from the left; a local module's name is left out, since every `use` is known by its last word. */
static struct tv scoped(struct rust *r)
{
    struct tv path = tv_unknown(0);
    bool has_path = false;
    struct span name = { 0 };
    if (r->t.depth >= SCAN_MAX_DEPTH) {
        r->t.c->is_cut = true;
        return path;
    }
    r->t.depth++;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        TSFieldId field = rust_field(r);
        uint8_t kind = rust_kind(r);
        if (field == r->f_path) {
            has_path = true;
            if (kind == R_SCOPED || kind == R_SCOPED_TYPE)
                path = scoped(r);
            else if (kind == R_IDENTIFIER || kind == R_TYPE || kind == R_CRATE || kind == R_SELF || kind == R_SUPER)
                path = rust_base(r, rust_span(r));
            else
                path = rust_eval(r);
        } else if (field == r->f_name) {
            name = rust_span(r);
        }
    }
    r->t.depth--;
    if (path.kind == TV_PATH || path.kind == TV_OBJECT)
        return tv_path(&r->t, path.text, "::", name.s, name.n);
    if (has_path || name.n)
        return rust_base(r, name);
    return path;
}

static struct tv as_type(struct tv v, struct typed *t)
{
    if (v.kind != TV_PATH)
        return v;
    const struct known *k = typed_known(t, v.text);
    bool is_stream = k && k->effect == EF_CONNECT;
    return tv_object(v.text, is_stream ? TAINT_SOCKET | TAINT_NET : 0);
}

static struct tv identifier(struct rust *r)
{
    struct span s = rust_span(r);
    bool found;
    r->last_name = s;
    struct tv v = typed_lookup(&r->t, s.s, s.n, &found);
    return v;
}

/* --- calls --- */

/* Methods that give what they were called on. */
static const char *const transparent[] = {
    "and_then", "as_bytes", "as_deref", "as_fd", "as_mut", "as_os_str", "as_path", "as_ptr", "as_raw_fd", "as_ref", "as_slice",
    "as_str", "await", "borrow", "borrow_mut", "by_ref", "bytes", "chars", "clone", "cloned", "collect", "context",
    "copied", "display", "expect", "filter", "flatten", "get_mut", "get_ref", "into", "into_boxed_str", "into_bytes",
    "into_inner", "into_iter", "into_owned", "into_raw_fd", "into_string", "iter", "map_err", "ok", "ok_or", "ok_or_else", "or_else",
    "read", "skip", "take", "to_bytes", "to_owned", "to_path_buf", "to_str", "to_string", "to_string_lossy", "to_vec",
    "trim", "trim_end", "trim_start", "try_clone", "try_into", "unwrap", "unwrap_or", "unwrap_or_default",
    "unwrap_or_else", "with_context",
};

static bool is_transparent(struct span s)
{
    size_t low = 0, high = ARRAY_LEN(transparent);
    while (low < high) {
        size_t mid = (low + high) / 2;
        size_t n = strlen(transparent[mid]);
        int order = memcmp(s.s, transparent[mid], MIN_OF(n, s.n));
        order = order ? order : (int)(s.n > n) - (int)(s.n < n);
        if (order == 0)
            return true;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return false;
}

/* A function of the program: its parameters learn, its result is what its last expression said. */
static struct tv call_local(struct rust *r, struct span name, struct tv recv, const struct tv *args, unsigned n)
{
    uint16_t taint = recv.taint;
    bool found = false;
    struct tv v = tv_unknown(0);
    for (unsigned i = 0; i < n; i++) {
        taint |= args[i].taint;
        if (name.n && (args[i].kind != TV_UNKNOWN || args[i].taint))
            typed_set(&r->t, name.s, name.n, SCOPE_PARAM + i, args[i]);
    }
    if (r->t.loop)
        r->t.loop->has_call = true;
    if (name.n)
        v = typed_get(&r->t, name.s, name.n, SCOPE_RESULT, &found);
    if (!found)
        return tv_unknown(taint);
    v.taint |= v.kind == TV_UNKNOWN ? taint : 0;
    return v;
}

static bool is_wrapper(struct span name)
{
    return span_is(name, "Some") || span_is(name, "Ok") || span_is(name, "Box") || span_is(name, "Err");
}

struct tv rust_call_path(struct rust *r, struct tv path, struct span name, struct tv *args, unsigned n, uint32_t byte)
{
    if (path.kind != TV_PATH && name.n) {
        if (is_wrapper(name) && n == 1)
            return args[0];
        bool is_ours;
        (void)typed_lookup(&r->t, name.s, name.n, &is_ours);
        if (!is_ours)
            path = from_glob(r, name, true);
    }
    if (path.kind != TV_PATH)
        return call_local(r, name, tv_unknown(0), args, n);
    if (!strstr(path.text, "::")) {
        if (is_wrapper(name) && n == 1)
            return args[0];
        struct tv v = from_glob(r, name, true);
        if (v.kind != TV_PATH)
            return call_local(r, name, tv_unknown(0), args, n);
        path = v;
    }
    const struct known *k = typed_known(&r->t, path.text);
    if (k && (k->effect == EF_RECEIVE) && r->last_name.n)
        typed_set(&r->t, r->last_name.s, r->last_name.n, r->t.scope, tv_unknown(TAINT_NET));
    struct span tail = name;
    for (size_t i = tail.n; i > 0; i--)
        if (tail.s[i - 1] == ':') {
            tail = (struct span){ tail.s + i, tail.n - i };
            break;
        }
    if (!k && tail.n) { /* a function of a local type: Agent::run(x) */
        bool found;
        struct tv local = typed_get(&r->t, tail.s, tail.n, SCOPE_FILE, &found);
        if (found && local.kind == TV_UNKNOWN)
            return call_local(r, tail, tv_unknown(0), args, n);
    }
    bool is_new = span_is(tail, "new") || span_is(tail, "default") || span_is(tail, "from") || span_is(tail, "with_capacity");
    if (!k && is_new)
        typed_emit(&r->t, FACT_CALL, path.text, args, n, byte);
    if (!k && n == 1 && (span_is(tail, "new") || span_is(tail, "from")))
        return args[0].kind == TV_OBJECT || args[0].kind == TV_TEXT ? args[0] : tv_unknown(args[0].taint); /* a wrapper */
    if (!k && is_new) { /* an object of a type that has known methods */
        char *colons = memmem(path.text, strlen(path.text), "::", 2) ? strrchr(path.text, ':') : NULL;
        struct tv type = colons ? tv_text(&r->t, path.text, (size_t)(colons - 1 - path.text)) : tv_unknown(0);
        return type.kind == TV_TEXT ? tv_object(type.text, 0) : type;
    }
    return typed_call(&r->t, path.text, tv_unknown(0), args, n, byte);
}

/* push, push_str, extend: the variable grows. */
static bool grows(struct rust *r, struct tv recv, struct span name, const struct tv *args, unsigned n)
{
    if (n != 1 || !(span_is(name, "push_str") || span_is(name, "push") || span_is(name, "extend_from_slice")))
        return false;
    struct tv v;
    if (r->t.loop)
        r->t.loop->has_alloc = true;
    if (recv.kind == TV_LIST) {
        v = recv;
        tv_append(&r->t, &v, args[0]);
    } else {
        bool is_path = recv.kind == TV_TEXT && (recv.text[0] == '/' || recv.text[0] == '~') && args[0].kind == TV_TEXT &&
                       strlen(args[0].text) > 1 && span_is(name, "push"); /* PathBuf's push, not String's */
        v = is_path ? tv_join_path(&r->t, recv, args[0]) : tv_concat(&r->t, recv, args[0]);
    }
    if (r->last_name.n)
        typed_set(&r->t, r->last_name.s, r->last_name.n, r->t.scope, v);
    return true;
}

static struct tv call_on_value(struct rust *r, struct tv recv, const char *type, struct span name, struct tv *args,
                               unsigned n, uint32_t byte)
{
    struct tv path = tv_path(&r->t, type, "::", name.s, name.n);
    const struct known *k = path.kind == TV_PATH ? typed_known(&r->t, path.text) : NULL;
    if (!k)
        return tv_unknown(recv.taint);
    bool was_quiet = r->t.is_quiet;
    r->t.is_quiet = true; /* methods of plain strings are no facts */
    struct tv v = typed_call(&r->t, path.text, recv, args, n, byte);
    r->t.is_quiet = was_quiet;
    if (v.kind == TV_TEXT)
        typed_string(&r->t, v, byte);
    return v;
}

struct tv rust_call_method(struct rust *r, struct tv recv, struct span name, struct tv *args, unsigned n, uint32_t byte)
{
    if (recv.kind == TV_OBJECT) {
        struct tv path = tv_path(&r->t, recv.text, "::", name.s, name.n);
        if (path.kind != TV_PATH)
            return tv_unknown(0);
        const struct known *k = typed_known(&r->t, path.text);
        if (k && k->effect == EF_RECEIVE && r->last_name.n && n > 0)
            typed_set(&r->t, r->last_name.s, r->last_name.n, r->t.scope, tv_unknown(TAINT_NET));
        if (k || !is_transparent(name))
            return typed_call(&r->t, path.text, recv, args, n, byte);
        return recv;
    }
    if (grows(r, recv, name, args, n))
        return tv_unknown(0);
    if (recv.kind == TV_LIST || recv.kind == TV_TEXT) {
        struct tv v = call_on_value(r, recv, recv.kind == TV_LIST ? "list" : "str", name, args, n, byte);
        if (v.kind != TV_UNKNOWN || v.taint != recv.taint)
            return v;
    }
    if (is_transparent(name))
        return recv;
    if (span_is(name, "decode") && n > 0) /* STANDARD.decode("..."), engine.decode(..) */
        return tv_base64(&r->t, args[0]);
    if (recv.kind == TV_UNKNOWN && (span_is(name, "recv") || span_is(name, "join") || span_is(name, "wait") || span_is(name, "lock")) && r->t.loop)
        r->t.loop->has_wait = true;
    return call_local(r, name, recv, args, n);
}

static unsigned arguments(struct rust *r, struct tv args[static FACT_MAX_ARGS])
{
    unsigned n = 0;
    uint32_t concat = r->concat;
    r->concat = 0;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        uint8_t kind = rust_kind(r);
        if (!ts_node_is_named(rust_here(r)) || kind == R_LINE_COMMENT || kind == R_BLOCK_COMMENT || kind == R_ATTRIBUTE)
            continue;
        struct tv v = rust_eval(r);
        if (n < FACT_MAX_ARGS)
            args[n++] = v;
    }
    r->concat = concat;
    return n;
}

struct callee {
    struct tv value, recv;
    struct span name;
    bool is_method;
};

static void callee(struct rust *r, struct callee *ret)
{
    uint8_t kind = rust_kind(r);
    if (kind == R_GENERIC_FUNCTION) {
        for (bool more = rust_down(r); more; more = rust_next(r))
            if (rust_field(r) == r->f_function)
                callee(r, ret); /* at most one level: a generic function has no generic function in it */
    } else if (kind == R_FIELD) {
        ret->is_method = true;
        for (bool more = rust_down(r); more; more = rust_next(r)) {
            if (rust_field(r) == r->f_value)
                ret->recv = rust_eval(r);
            else if (rust_field(r) == r->f_field)
                ret->name = rust_span(r);
        }
    } else if (kind == R_IDENTIFIER) {
        ret->name = rust_span(r);
        ret->value = typed_lookup(&r->t, ret->name.s, ret->name.n, NULL);
    } else if (kind == R_SCOPED) {
        ret->name = rust_span(r);
        ret->value = scoped(r);
    } else {
        ret->value = rust_eval(r);
    }
}

static struct tv call(struct rust *r)
{
    struct callee f = { 0 };
    struct tv args[FACT_MAX_ARGS];
    unsigned n = 0;
    uint32_t byte = rust_byte(r), xors = r->xors;
    struct span receiver = { 0 };
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_function) {
            r->last_name = (struct span){ 0 };
            callee(r, &f);
            receiver = r->last_name;
        } else if (rust_field(r) == r->f_arguments) {
            struct tv before = r->element;
            r->element = f.is_method ? rust_pick(r, f.recv) : tv_unknown(0); /* map(|x| ..), and_then(|x| ..) */
            n = arguments(r, args);
            r->element = before;
        }
    }
    if (!f.is_method)
        return rust_call_path(r, f.value, f.name, args, n, byte);
    if (span_is(f.name, "push") || span_is(f.name, "push_str"))
        r->last_name = receiver;
    struct tv v = rust_call_method(r, f.recv, f.name, args, n, byte);
    if (r->xors > xors && (span_is(f.name, "map") || span_is(f.name, "for_each")))
        v = tv_unknown(v.taint | TAINT_DECODED);
    return v;
}

/* --- expressions --- */

static struct tv binary(struct rust *r)
{
    struct tv a = tv_unknown(0), b = a;
    char op = 0;
    uint32_t byte = rust_byte(r);
    r->concat++;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        TSFieldId field = rust_field(r);
        if (field == r->f_left) {
            a = rust_eval(r);
        } else if (field == r->f_right) {
            b = rust_eval(r);
        } else if (field == r->f_operator) {
            struct span s = rust_span(r);
            op = s.n == 1 ? *s.s : 0;
        }
    }
    r->concat--;
    r->xors += op == '^';
    if (op == '+' && (a.kind == TV_TEXT || b.kind == TV_TEXT)) {
        struct tv v = tv_concat(&r->t, a, b);
        if (!r->concat)
            typed_string(&r->t, v, byte);
        return v;
    }
    if (op == '|' && a.kind == TV_PATH && b.kind == TV_PATH)
        return tv_path(&r->t, a.text, "|", b.text, strlen(b.text));
    return op ? tv_arith(op, a, b) : tv_unknown(0);
}

static struct tv array(struct rust *r)
{
    struct tv list = tv_list();
    for (bool more = rust_down(r); more; more = rust_next(r))
        if (ts_node_is_named(rust_here(r)) && rust_kind(r) != R_LINE_COMMENT)
            tv_append(&r->t, &list, rust_eval(r));
    return list;
}

struct tv rust_pick(struct rust *r, struct tv list)
{
    struct tv best = tv_unknown(list.taint);
    if (list.kind != TV_LIST)
        return list.kind == TV_OBJECT ? list : best;
    for (uint32_t i = 0, at = list.head; i < list.count && i < 64; i++, at = r->t.pool[at].next) {
        struct tv v = r->t.pool[at].value;
        if (v.kind != TV_TEXT)
            continue;
        if (typed_is_secret_path(v.text))
            return v;
        if (best.kind != TV_TEXT || (v.text[0] == '/' && best.text[0] != '/'))
            best = v;
    }
    return best;
}

static struct tv index_of(struct rust *r)
{
    struct tv of = tv_unknown(0), at = of;
    unsigned n = 0;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (!ts_node_is_named(rust_here(r)))
            continue;
        struct tv v = rust_eval(r);
        if (n++ == 0)
            of = v;
        else
            at = v;
    }
    if (of.kind == TV_LIST)
        return at.kind == TV_NUMBER ? tv_item(&r->t, of, at.number) : rust_pick(r, of);
    return tv_unknown(of.taint);
}

static struct tv field(struct rust *r)
{
    struct tv of = tv_unknown(0);
    struct span name = { 0 };
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_value)
            of = rust_eval(r);
        else if (rust_field(r) == r->f_field)
            name = rust_span(r);
    }
    if (of.kind == TV_OBJECT) {
        struct tv path = tv_path(&r->t, of.text, "::", name.s, name.n);
        const struct known *k = path.kind == TV_PATH ? typed_known(&r->t, path.text) : NULL;
        if (k && k->effect == EF_PIPE)
            return tv_unknown(TAINT_PIPE);
        if (k && k->returns)
            return tv_object(k->returns, of.taint);
    }
    bool found;
    struct tv v = typed_get(&r->t, name.s, name.n, SCOPE_FIELD, &found);
    if (found && of.kind != TV_OBJECT) {
        v.taint |= of.taint;
        return v;
    }
    return tv_unknown(of.taint);
}

static void set_field(struct rust *r)
{
    struct span name = { 0 };
    struct tv v = tv_unknown(0);
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_field)
            name = rust_span(r);
        else if (rust_field(r) == r->f_value)
            v = rust_eval(r);
    }
    if (name.n && (v.kind != TV_UNKNOWN || v.taint))
        typed_set(&r->t, name.s, name.n, SCOPE_FIELD, v);
}

/* --- names and patterns --- */

struct names {
    struct span names[RUST_NAMES];
    unsigned count;
};

/* The variables of a pattern; constructors and types in it are none. */
static void pattern(struct rust *r, struct names *ret)
{
    uint8_t kind = rust_kind(r);
    if (kind == R_IDENTIFIER) {
        if (ret->count < RUST_NAMES)
            ret->names[ret->count++] = rust_span(r);
        return;
    }
    if (kind == R_SCOPED || kind == R_SCOPED_TYPE || r->t.depth >= SCAN_MAX_DEPTH)
        return;
    r->t.depth++;
    for (bool more = rust_down(r); more; more = rust_next(r))
        if (rust_field(r) != r->f_type && rust_field(r) != r->f_condition)
            pattern(r, ret);
    r->t.depth--;
}

static void bind(struct rust *r, const struct names *n, struct tv v)
{
    for (unsigned i = 0; i < n->count; i++)
        typed_set(&r->t, n->names[i].s, n->names[i].n, r->t.scope, v);
}

/* let, const, static, if let, while let: a pattern or name, perhaps a type, a value. */
static struct tv declare(struct rust *r, uint32_t scope)
{
    struct names names = { 0 };
    struct tv type = tv_unknown(0), v = type;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        TSFieldId f = rust_field(r);
        if (f == r->f_pattern || f == r->f_name)
            pattern(r, &names);
        else if (f == r->f_type)
            type = rust_eval(r);
        else if (f == r->f_value || rust_kind(r) == R_BLOCK)
            v = rust_eval(r);
    }
    if (v.kind == TV_UNKNOWN && type.kind == TV_OBJECT) {
        type.taint |= v.taint;
        v = type;
    }
    uint32_t before = r->t.scope;
    r->t.scope = scope;
    bind(r, &names, v);
    r->t.scope = before;
    return v;
}

static void assignment(struct rust *r, bool is_compound)
{
    struct tv v = tv_unknown(0);
    struct span name = { 0 };
    bool is_field = false, is_adding = false;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        TSFieldId f = rust_field(r);
        if (f == r->f_left) {
            uint8_t kind = rust_kind(r);
            if (kind == R_IDENTIFIER)
                name = rust_span(r);
            else if (kind == R_FIELD) {
                struct callee c = { 0 };
                callee(r, &c);
                name = c.name;
                is_field = true;
            } else {
                (void)rust_eval(r);
            }
        } else if (f == r->f_right) {
            v = rust_eval(r);
        } else if (f == r->f_operator) {
            is_adding = *rust_span(r).s == '+';
            r->xors += *rust_span(r).s == '^';
        }
    }
    if (!name.n)
        return;
    if (is_compound)
        v = is_adding && !is_field ? tv_concat(&r->t, typed_lookup(&r->t, name.s, name.n, NULL), v) : tv_unknown(v.taint);
    if (!is_field || v.kind != TV_UNKNOWN || v.taint)
        typed_set(&r->t, name.s, name.n, is_field ? SCOPE_FIELD : r->t.scope, v);
}

static void field_declaration(struct rust *r)
{
    struct span name = { 0 };
    struct tv type = tv_unknown(0);
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_name)
            name = rust_span(r);
        else if (rust_field(r) == r->f_type)
            type = rust_eval(r);
    }
    if (name.n && type.kind == TV_OBJECT)
        typed_set(&r->t, name.s, name.n, SCOPE_FIELD, type);
}

static void parameters(struct rust *r)
{
    uint32_t position = 0;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        struct names names = { 0 };
        struct tv type = tv_unknown(0);
        if (rust_kind(r) != R_PARAMETER) /* self is no argument of a method call */
            continue;
        for (bool part = rust_down(r); part; part = rust_next(r)) {
            if (rust_field(r) == r->f_pattern)
                pattern(r, &names);
            else if (rust_field(r) == r->f_type)
                type = rust_eval(r);
        }
        bool is_taught = false;
        struct tv v = tv_unknown(0);
        if (r->function.n)
            v = typed_get(&r->t, r->function.s, r->function.n, SCOPE_PARAM + position++, &is_taught);
        bind(r, &names, is_taught && v.kind != TV_UNKNOWN ? v : type.kind == TV_OBJECT ? type : v);
    }
}

static void returned(struct rust *r, struct tv v)
{
    if (!r->function.n || (v.kind == TV_UNKNOWN && !v.taint))
        return;
    struct tv before = typed_get(&r->t, r->function.s, r->function.n, SCOPE_RESULT, NULL);
    if (before.kind == TV_UNKNOWN) {
        v.taint |= before.taint;
        typed_set(&r->t, r->function.s, r->function.n, SCOPE_RESULT, v);
    }
}

static void function(struct rust *r)
{
    struct typed_loop *loop = r->t.loop;
    struct span outer = r->function;
    uint32_t scope = r->t.scope;
    r->t.loop = NULL;
    r->function = (struct span){ 0 };
    r->t.scope = rust_byte(r) + 64; /* past the special scopes */
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        TSFieldId f = rust_field(r);
        if (f == r->f_name) {
            r->function = rust_span(r);
            typed_set(&r->t, r->function.s, r->function.n, SCOPE_FILE, tv_unknown(0));
        } else if (f == r->f_parameters) {
            parameters(r);
        } else if (f == r->f_body) {
            struct tv v = rust_eval(r);
            returned(r, v);
        }
    }
    r->t.loop = loop;
    r->function = outer;
    r->t.scope = scope;
}

static struct tv closure(struct rust *r)
{
    struct typed_loop *loop = r->t.loop;
    struct span outer = r->function;
    struct tv v = tv_unknown(0);
    r->t.loop = NULL;
    r->function = (struct span){ 0 };
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_body) {
            v = rust_eval(r);
        } else if (rust_field(r) == r->f_parameters) {
            struct names names = { 0 };
            pattern(r, &names);
            bind(r, &names, r->element);
            r->element = tv_unknown(0);
        }
    }
    r->t.loop = loop;
    r->function = outer;
    return v;
}

static void loop(struct rust *r, uint8_t kind)
{
    struct typed_loop mine = { .is_endless = kind == R_LOOP }, *outer = r->t.loop;
    struct names names = { 0 };
    uint32_t byte = rust_byte(r);
    r->t.loop = &mine;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        TSFieldId f = rust_field(r);
        if (f == r->f_pattern) {
            pattern(r, &names);
        } else if (f == r->f_value) {
            struct tv of = rust_eval(r);
            bind(r, &names, rust_pick(r, of));
        } else if (ts_node_is_named(rust_here(r))) {
            if (f == r->f_condition && span_is(rust_span(r), "true"))
                mine.is_endless = true;
            (void)rust_eval(r);
        }
    }
    r->t.loop = outer;
    typed_loop_end(&r->t, &mine, byte);
    if (outer) {
        outer->has_wait |= mine.has_wait;
        outer->has_call |= mine.has_call;
        outer->has_spawn |= mine.has_spawn;
        outer->has_fork |= mine.has_fork;
        outer->has_thread |= mine.has_thread;
    }
}

/* The first arm of which something is known. */
static struct tv match(struct rust *r)
{
    struct tv before = r->scrutinee, v = tv_unknown(0);
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_value) {
            r->scrutinee = rust_eval(r);
        } else if (rust_field(r) == r->f_body) {
            for (bool arm = rust_down(r); arm; arm = rust_next(r)) {
                if (rust_kind(r) != R_MATCH_ARM)
                    continue;
                struct names names = { 0 };
                for (bool part = rust_down(r); part; part = rust_next(r)) {
                    if (rust_field(r) == r->f_pattern) {
                        pattern(r, &names);
                        bind(r, &names, r->scrutinee);
                    } else if (rust_field(r) == r->f_value) {
                        struct tv one = rust_eval(r);
                        if (v.kind == TV_UNKNOWN && (one.kind != TV_UNKNOWN || one.taint))
                            v = one;
                    }
                }
            }
        }
    }
    r->scrutinee = before;
    return v;
}

static void type_item(struct rust *r)
{
    struct span name = { 0 };
    struct tv type = tv_unknown(0);
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (rust_field(r) == r->f_name)
            name = rust_span(r);
        else if (rust_field(r) == r->f_type)
            type = rust_eval(r);
    }
    if (name.n && type.kind == TV_OBJECT) {
        type.kind = TV_PATH;
        typed_set(&r->t, name.s, name.n, SCOPE_FILE, type);
    }
}

/* What is in the brackets, where that is known, else the outer type: Arc<TcpStream> is a stream for us. */
static struct tv generic_type(struct rust *r)
{
    struct tv v = tv_unknown(0);
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        if (!ts_node_is_named(rust_here(r)))
            continue;
        struct tv one = rust_eval(r);
        if (one.kind == TV_OBJECT && (v.kind != TV_OBJECT || one.taint || !has_below(&r->t, v.text)))
            v = one;
    }
    return v;
}

/* Parentheses, references, ? and the like are what is in them; a block is its last expression. */
static struct tv children(struct rust *r, bool is_last)
{
    struct tv v = tv_unknown(0), first = v;
    unsigned n = 0;
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        uint8_t kind = rust_kind(r);
        if (!ts_node_is_named(rust_here(r)) || kind == R_LINE_COMMENT || kind == R_BLOCK_COMMENT)
            continue;
        v = rust_eval(r);
        if (n == 0 || (first.kind == TV_UNKNOWN && !first.taint))
            first = v;
        n++;
    }
    return is_last ? v : first;
}

static void module(struct rust *r)
{
    for (bool more = rust_down(r); more; more = rust_next(r)) {
        struct span s = rust_span(r);
        if (rust_field(r) == r->f_name)
            typed_set(&r->t, s.s, s.n, SCOPE_FILE, tv_unknown(0));
        else if (rust_field(r) == r->f_body)
            (void)rust_eval(r);
    }
}

/* What a macro of the program expands to is read once, where it is defined. */
static void macro_definition(struct rust *r)
{
    for (bool rule = rust_down(r); rule; rule = rust_next(r)) {
        if (!ts_node_is_named(rust_here(r)))
            continue;
        for (bool part = rust_down(r); part; part = rust_next(r))
            if (rust_field(r) == r->f_right)
                rust_tokens(r);
    }
}

static struct tv cast(struct rust *r)
{
    struct tv v = tv_unknown(0);
    for (bool more = rust_down(r); more; more = rust_next(r))
        if (rust_field(r) == r->f_value)
            v = rust_eval(r);
    return v;
}

static struct tv leave(struct rust *r, uint8_t kind)
{
    if (r->t.loop)
        r->t.loop->has_exit = true;
    struct tv v = children(r, true);
    if (kind == R_RETURN)
        returned(r, v);
    return tv_unknown(0);
}

static struct tv eval_kind(struct rust *r, uint8_t kind)
{
    struct tv none = tv_unknown(0);
    switch ((enum rust_node)kind) {
    case R_LINE_COMMENT:
    case R_BLOCK_COMMENT:
    case R_ATTRIBUTE:
    case R_INNER_ATTRIBUTE:
    case R_VISIBILITY:
    case R_TOKENS: return none;
    case R_MACRO_DEFINITION: macro_definition(r); return none;
    case R_USE: rust_use(r); return none;
    case R_EXTERN_CRATE: rust_extern_crate(r); return none;
    case R_FOREIGN: rust_foreign(r); return none;
    case R_CALL: return call(r);
    case R_MACRO: return rust_macro(r);
    case R_FIELD: return field(r);
    case R_IDENTIFIER:
    case R_SELF: return identifier(r);
    case R_SCOPED: return scoped(r);
    case R_TYPE: return as_type(identifier(r), &r->t);
    case R_SCOPED_TYPE: return as_type(scoped(r), &r->t);
    case R_GENERIC_TYPE: return generic_type(r);
    case R_STRING:
    case R_RAW:
    case R_CHAR:
    case R_INT: return rust_literal(r, kind);
    case R_BINARY: return binary(r);
    case R_ARRAY: return array(r);
    case R_INDEX: return index_of(r);
    case R_TYPE_CAST: return cast(r);
    case R_CLOSURE: return closure(r);
    case R_LET: (void)declare(r, r->t.scope); return none;
    case R_LET_CONDITION: (void)declare(r, r->t.scope); return none;
    case R_CONST:
    case R_STATIC: (void)declare(r, r->t.scope); return none;
    case R_ASSIGNMENT: assignment(r, false); return none;
    case R_COMPOUND: assignment(r, true); return none;
    case R_FIELD_DECLARATION: field_declaration(r); return none;
    case R_FIELD_INIT: set_field(r); return none;
    case R_FUNCTION: function(r); return none;
    case R_MOD: module(r); return none;
    case R_TYPE_ITEM: type_item(r); return none;
    case R_LOOP:
    case R_WHILE:
    case R_FOR: loop(r, kind); return none;
    case R_MATCH: return match(r);
    case R_RETURN:
    case R_BREAK: return leave(r, kind);
    case R_UNSAFE:
        typed_emit(&r->t, FACT_NAME, "unsafe", NULL, 0, rust_byte(r));
        return children(r, true);
    case R_BLOCK: return children(r, true);
    case R_EXPRESSION_STATEMENT: (void)children(r, false); return none;
    default: return children(r, false);
    }
}

struct tv rust_eval(struct rust *r)
{
    if (r->t.is_stopped)
        return tv_unknown(0);
    if (r->t.depth >= SCAN_MAX_DEPTH) {
        r->t.c->is_cut = true;
        return tv_unknown(0);
    }
    if (scan_stop(r->t.c)) {
        r->t.is_stopped = true;
        return tv_unknown(0);
    }
    r->t.depth++;
    struct tv v = eval_kind(r, rust_kind(r));
    r->t.depth--;
    return v;
}
