/* Rust: names are full paths, std::process::Command::new, whatever use, as, groups, globs and type aliases made of
 * them; core and alloc count as std. Methods of known types are type::method: std::process::Command::arg,
 * std::net::TcpStream::write_all. Macros are std::name (std::include_bytes, std::arch::asm) unless imported from
 * elsewhere; their tokens, which the grammar leaves alone, are read as expressions where they look like some. Functions
 * of extern blocks are extern::name. NAME unsafe and NAME extern tell of such blocks. Flows: see eval.h.
 */
#include "scan/ir_rust.h"

static const struct ir_rule rules[] = {
    { "arguments", IR_ARGS, 0 },
    { "array_expression", IR_LIST, 0 },
    { "assignment_expression", IR_ASSIGN, 0 },
    { "attribute_item", IR_DROP, 0 },
    { "binary_expression", IR_BINARY, 0 },
    { "block", IR_LAST, 0 },
    { "block_comment", IR_DROP, 0 },
    { "break_expression", IR_BREAK, 0 },
    { "call_expression", IR_CALL, 0 },
    { "char_literal", IR_CUSTOM, RUST_CHAR },
    { "closure_expression", IR_CLOSURE, 0 },
    { "compound_assignment_expr", IR_ASSIGN, 0 },
    { "const_item", IR_DECLARE, 0 },
    { "crate", IR_NAME, 0 },
    { "expression_statement", IR_STATEMENTS, 0 },
    { "extern_crate_declaration", IR_CUSTOM, RUST_CRATE },
    { "field_declaration", IR_FIELD, 0 },
    { "field_expression", IR_MEMBER, 0 },
    { "field_initializer", IR_PAIR, 0 },
    { "for_expression", IR_CUSTOM, RUST_FOR },
    { "foreign_mod_item", IR_CUSTOM, RUST_FOREIGN },
    { "function_item", IR_FUNCTION, 'b' },
    { "generic_function", IR_CUSTOM, RUST_GENERIC },
    { "generic_type", IR_GENERIC, 0 },
    { "identifier", IR_NAME, 0 },
    { "index_expression", IR_INDEX, 0 },
    { "inner_attribute_item", IR_DROP, 0 },
    { "integer_literal", IR_CUSTOM, RUST_NUMBER },
    { "let_condition", IR_DECLARE, 0 },
    { "let_declaration", IR_DECLARE, 0 },
    { "line_comment", IR_DROP, 0 },
    { "loop_expression", IR_LOOP, 'e' },
    { "macro_definition", IR_CUSTOM, RUST_MACRO_DEFINITION },
    { "macro_invocation", IR_CUSTOM, RUST_MACRO },
    { "match_arm", IR_ARM, 0 },
    { "match_block", IR_PARTS, 0 },
    { "match_expression", IR_MATCH, 0 },
    { "mod_item", IR_MODULE, 0 },
    { "parameter", IR_PARAM, 0 },
    { "parameters", IR_PARTS, 0 },
    { "raw_string_literal", IR_CUSTOM, RUST_TEXT },
    { "return_expression", IR_RETURN, 0 },
    { "scoped_identifier", IR_SCOPED, 0 },
    { "scoped_type_identifier", IR_SCOPED, 't' },
    { "self", IR_NAME, 0 },
    { "self_parameter", IR_DROP, 0 },
    { "static_item", IR_DECLARE, 0 },
    { "string_literal", IR_CUSTOM, RUST_TEXT },
    { "super", IR_NAME, 0 },
    { "token_tree", IR_DROP, 0 },
    { "type_cast_expression", IR_CAST, 'v' },
    { "type_identifier", IR_TYPE, 0 },
    { "type_item", IR_TYPEDEF, 0 },
    { "unsafe_block", IR_CUSTOM, RUST_UNSAFE },
    { "use_declaration", IR_CUSTOM, RUST_USE },
    { "visibility_modifier", IR_DROP, 0 },
    { "while_expression", IR_LOOP, 0 },
};

/* --- what names stand for --- */

/* Modules whose every function matters: a glob of them claims any unknown lower-case word. */
static bool is_raw_module(const char *path)
{
    return str_eq(path, "libc") || str_starts(path, "nix::") || str_starts(path, "winapi::") ||
           str_starts(path, "windows_sys::");
}

static struct tv from_glob(struct eval *e, struct span name, bool is_called)
{
    for (uint32_t i = 0; i < e->glob_count; i++) {
        struct tv v = tv_path(e, e->globs[i], "::", name.s, name.n);
        if (v.kind == TV_PATH && (effect_has_below(LANG_RUST, v.text) || (is_called && is_raw_module(e->globs[i]))))
            return v;
    }
    return tv_unknown(0);
}

/* Imported, of a glob, a local module (unknown), or a crate by its own name. */
static struct tv base(struct eval *e, struct span name)
{
    bool found;
    if (!name.n || span_is(name, "self") || span_is(name, "crate") || span_is(name, "super"))
        return tv_unknown(0);
    if (span_is(name, "core") || span_is(name, "alloc"))
        name = (struct span){ "std", 3 };
    struct tv v = eval_lookup(e, name.s, name.n, &found);
    if (found)
        return v;
    v = from_glob(e, name, false);
    if (v.kind == TV_PATH)
        return v;
    v = tv_text(e, name.s, name.n);
    if (v.kind == TV_TEXT)
        v.kind = TV_PATH;
    return v;
}

static struct tv import(struct eval *e, const char *path)
{
    const char *rest = strstr(path, "::");
    size_t n = rest ? (size_t)(rest - path) : strlen(path);
    struct tv v = base(e, (struct span){ path, n });
    return v.kind == TV_PATH && rest ? tv_path(e, v.text, "", rest, strlen(rest)) : v;
}

static struct tv unbound(struct eval *e, struct span name)
{
    (void)e;
    (void)name;
    return tv_unknown(0);
}

/* --- calls --- */

/* Methods that give what they were called on. */
static bool is_transparent(struct span s)
{
    static const char words[] =
        " and_then as_bytes as_deref as_fd as_mut as_os_str as_path as_ptr as_raw_fd as_ref as_slice as_str await "
        "borrow borrow_mut by_ref bytes chars clone cloned collect context copied display expect filter flatten "
        "get_mut get_ref into into_boxed_str into_bytes into_inner into_iter into_owned into_raw_fd into_string iter "
        "map_err ok ok_or ok_or_else or_else read skip take to_bytes to_owned to_path_buf to_str to_string "
        "to_string_lossy to_vec trim trim_end trim_start try_clone try_into unwrap unwrap_or unwrap_or_default "
        "unwrap_or_else with_context ";
    char word[24];
    if (s.n + 3 > sizeof word)
        return false;
    (void)snprintf(word, sizeof word, " %.*s ", (int)s.n, s.s);
    return strstr(words, word);
}

static bool is_wrapper(struct span name)
{
    return span_is(name, "Some") || span_is(name, "Ok") || span_is(name, "Box") || span_is(name, "Err");
}

/* Type::new(x) of what is not known: a wrapper is what is in it, another an object of a type with known methods. */
static struct tv construct(struct eval *e, struct tv path, struct span tail, const struct call *k)
{
    eval_emit(e, FACT_CALL, path.text, k->args, k->n, k->byte);
    if (k->n == 1 && (span_is(tail, "new") || span_is(tail, "from")))
        return k->args[0].kind == TV_OBJECT || k->args[0].kind == TV_TEXT ? k->args[0] : tv_unknown(k->args[0].taint);
    const char *colon = strrchr(path.text, ':');
    struct tv type = tv_text(e, path.text, (size_t)(colon - 1 - path.text));
    return type.kind == TV_TEXT ? tv_object(type.text, 0) : type;
}

static struct tv call_path(struct eval *e, struct call *k)
{
    struct tv path = k->value;
    bool is_ours = false, is_plain = path.kind != TV_PATH || !strstr(path.text, "::");
    if (is_plain && k->name.n) {
        if (is_wrapper(k->name) && k->n == 1)
            return k->args[0];
        if (path.kind != TV_PATH)
            (void)eval_lookup(e, k->name.s, k->name.n, &is_ours);
        path = is_ours ? tv_unknown(0) : from_glob(e, k->name, true);
    }
    if (path.kind != TV_PATH)
        return eval_local(e, k->name, tv_unknown(0), k->args, k->n);
    const struct known *known = eval_known(e, path.text);
    struct span tail = k->name;
    const char *colon = tail.n ? memrchr(tail.s, ':', tail.n) : NULL;
    if (colon)
        tail = (struct span){ colon + 1, (size_t)(tail.s + tail.n - colon - 1) };
    if (!known && tail.n) { /* a function of a local type: Agent::run(x) */
        bool found;
        struct tv local = eval_get(e, tail.s, tail.n, SCOPE_FILE, &found);
        if (found && local.kind == TV_UNKNOWN)
            return eval_local(e, tail, tv_unknown(0), k->args, k->n);
    }
    bool is_new = span_is(tail, "new") || span_is(tail, "default") || span_is(tail, "from") ||
                  span_is(tail, "with_capacity");
    if (!known && is_new && strstr(path.text, "::"))
        return construct(e, path, tail, k);
    return eval_call(e, path.text, tv_unknown(0), k->args, k->n, k->byte);
}

/* push, push_str, extend: the variable grows. */
static bool grows(struct eval *e, const struct call *k)
{
    bool is_push = span_is(k->name, "push");
    if (k->n != 1 || !(is_push || span_is(k->name, "push_str") || span_is(k->name, "extend_from_slice")))
        return false;
    struct tv v = k->recv;
    struct span variable = k->variable;
    if (!is_push && !span_is(k->name, "push_str"))
        variable = e->last_name;
    if (e->loop)
        e->loop->has_alloc = true;
    bool is_path = v.kind == TV_TEXT && (v.text[0] == '/' || v.text[0] == '~') && k->args[0].kind == TV_TEXT &&
                   strlen(k->args[0].text) > 1 && is_push; /* PathBuf's push, not String's */
    if (v.kind == TV_LIST)
        tv_append(e, &v, k->args[0]);
    else
        v = is_path ? tv_join_path(e, v, k->args[0]) : tv_concat(e, v, k->args[0]);
    if (variable.n)
        eval_set(e, variable.s, variable.n, e->scope, v);
    return true;
}

/* A method of a text or a list: no fact. */
static struct tv call_on_value(struct eval *e, struct call *k)
{
    struct tv path = tv_path(e, k->recv.kind == TV_LIST ? "list" : "str", "::", k->name.s, k->name.n);
    if (path.kind != TV_PATH || !eval_known(e, path.text))
        return tv_unknown(k->recv.taint);
    bool was_quiet = e->is_quiet;
    e->is_quiet = true;
    struct tv v = eval_call(e, path.text, k->recv, k->args, k->n, k->byte);
    e->is_quiet = was_quiet;
    eval_string(e, v, k->byte);
    return v;
}

/* .bearer_auth(key), .header("Authorization", key): how one logs in; the key is one's own. */
static bool is_login(const struct call *k)
{
    const struct tv *header = &k->args[0];
    if (span_is(k->name, "bearer_auth") || span_is(k->name, "basic_auth"))
        return true;
    if (k->n < 2 || !(span_is(k->name, "header") || span_is(k->name, "set") || span_is(k->name, "append_header")))
        return false;
    if (header->kind != TV_TEXT) /* header(AUTHORIZATION, key) */
        return header->text && strstr(header->text, "AUTHORIZATION");
    return strcasecmp(header->text, "authorization") == 0 || strcasecmp(header->text, "x-api-key") == 0;
}

static struct tv call_method(struct eval *e, struct call *k)
{
    const struct span name = k->name;
    const bool is_clear = is_transparent(name);
    for (unsigned i = 0; i < k->n && is_login(k); i++)
        k->args[i].taint &= (uint32_t)~TAINT_SECRET;
    if (k->recv.kind == TV_OBJECT && k->value.kind == TV_PATH)
        return eval_known(e, k->value.text) || !is_clear ? eval_call(e, k->value.text, k->recv, k->args, k->n, k->byte)
                                                         : k->recv;
    if (grows(e, k))
        return tv_unknown(0);
    if (k->recv.kind == TV_LIST || k->recv.kind == TV_TEXT) {
        struct tv v = call_on_value(e, k);
        if (v.kind != TV_UNKNOWN || v.taint != k->recv.taint)
            return v;
    }
    if (is_clear)
        return k->recv;
    if (span_is(name, "decode") && k->n > 0) /* STANDARD.decode("..."), engine.decode(..) */
        return tv_base64(e, k->args[0]);
    if (k->recv.taint & TAINT_PIPE &&
        (span_is(name, "write_all") || span_is(name, "write") || span_is(name, "write_str")))
        eval_input(e, k->args, k->n);
    bool is_waiting = span_is(name, "recv") || span_is(name, "join") || span_is(name, "wait") || span_is(name, "lock");
    if (k->recv.kind == TV_UNKNOWN && is_waiting && e->loop)
        e->loop->has_wait = true;
    return eval_local(e, name, k->recv, k->args, k->n);
}

static struct tv call(struct eval *e, struct call *k)
{
    return k->is_method ? call_method(e, k) : call_path(e, k);
}

void resolve_rust(struct scan_ctx *c, TSNode root)
{
    static const struct ir_language rust = {
        LANG_RUST,    "::",    rules, ARRAY_LEN(rules), IR_FIRST, rust_lower,
        rust_pattern, unbound, base,  import,           call,     .least_text = 2
    };
    eval_program(&rust, c, root, NULL);
}
