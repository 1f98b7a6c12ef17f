/* JavaScript: names are module, dot, name: child_process.exec, fs.readFile (fs/promises and fs-extra, too),
 * process.env; what a known function gives is its name and (): net.connect().write. A name that nothing binds is a
 * global and stands for itself. What is seen through: require and import in all their forms, aliases by assignment and
 * destructuring, members by constant brackets, bind/call/apply, Reflect, promisify, strings in pieces or in codes.
 * Facts of this language beside calls, imports and names:
 *
 *   decode-then-exec     code or a command that came out of base64, hex, character codes
 *   download-then-exec   ... or out of the network; or a file that was written from there and is run
 *   reverse-shell        a connection and a child process that feed each other
 *   secret-then-send     secrets, the environment or a command's output go to a send; profile-then-send: what the host
 *                        says of itself; credential-then-send: one variable with the name of a secret
 *   env-dump             the whole environment is listed, copied or printed
 *   computed-call        a computed member of the global object, of process or of a module is called
 *   timer-code           a text is handed to a timer
 *   fork-loop, spawn-in-loop, self-spawn, endless-loop, endless-alloc, huge-alloc
 *   delete-tree, delete-outside, delete-many, delete-computed, encrypt-files, self-modify
 */
#include "scan/ir_node.h"

#include "scan/carrier.h"
#include "scan/digits.h"
#include "scan/fold.h"

/* signs of IR_CUSTOM */
enum { JS_BINARY = 1, JS_CLASS, JS_EXPORT, JS_FUNCTION, JS_IMPORT, JS_KEY, JS_NUMBER, JS_PAIR, JS_TEMPLATE, JS_TEXT };

static const struct ir_rule rules[] = {
    { "arguments", IR_ARGS, 0 },
    { "array", IR_LIST, 0 },
    { "array_pattern", IR_LIST, 0 },
    { "arrow_function", IR_CUSTOM, JS_FUNCTION },
    { "assignment_expression", IR_ASSIGN, 0 },
    { "assignment_pattern", IR_DEFAULT, 0 },
    { "augmented_assignment_expression", IR_ASSIGN, 0 },
    { "await_expression", IR_WAIT, 0 },
    { "binary_expression", IR_CUSTOM, JS_BINARY },
    { "break_statement", IR_BREAK, 0 },
    { "call_expression", IR_CALL, 0 },
    { "class_declaration", IR_CUSTOM, JS_CLASS },
    { "comment", IR_DROP, 0 },
    { "computed_property_name", IR_LAST, 0 },
    { "do_statement", IR_LOOP, 0 },
    { "export_statement", IR_CUSTOM, JS_EXPORT },
    { "for_in_statement", IR_EACH, 0 },
    { "for_statement", IR_LOOP, 'f' },
    { "formal_parameters", IR_PARTS, 0 },
    { "function_declaration", IR_CUSTOM, JS_FUNCTION },
    { "function_expression", IR_CUSTOM, JS_FUNCTION },
    { "generator_function", IR_CUSTOM, JS_FUNCTION },
    { "generator_function_declaration", IR_CUSTOM, JS_FUNCTION },
    { "hash_bang_line", IR_DROP, 0 },
    { "html_comment", IR_DROP, 0 },
    { "identifier", IR_NAME, 0 },
    { "import", IR_NAME, 0 },
    { "import_statement", IR_CUSTOM, JS_IMPORT },
    { "member_expression", IR_MEMBER, 0 },
    { "method_definition", IR_CUSTOM, JS_FUNCTION },
    { "new_expression", IR_CALL, 0 },
    { "number", IR_CUSTOM, JS_NUMBER },
    { "object", IR_RECORD, 0 },
    { "object_assignment_pattern", IR_DEFAULT, 0 },
    { "object_pattern", IR_RECORD, 0 },
    { "optional_chain", IR_DROP, 0 },
    { "pair", IR_CUSTOM, JS_PAIR },
    { "pair_pattern", IR_CUSTOM, JS_PAIR },
    { "parenthesized_expression", IR_LAST, 0 },
    { "regex", IR_NONE, 0 },
    { "rest_pattern", IR_NONE, 0 },
    { "return_statement", IR_BREAK, 0 },
    { "sequence_expression", IR_LAST, 0 },
    { "shorthand_property_identifier", IR_CUSTOM, JS_KEY },
    { "shorthand_property_identifier_pattern", IR_NAME, 0 },
    { "spread_element", IR_SPREAD, 'k' },
    { "string", IR_CUSTOM, JS_TEXT },
    { "subscript_expression", IR_INDEX, 0 },
    { "template_string", IR_CUSTOM, JS_TEMPLATE },
    { "template_substitution", IR_LAST, 0 },
    { "ternary_expression", IR_EITHER, '?' },
    { "this", IR_NONE, 0 },
    { "throw_statement", IR_BREAK, 0 },
    { "true", IR_NAME, 0 },
    { "variable_declarator", IR_ASSIGN, 'd' },
    { "while_statement", IR_LOOP, 0 },
    { "yield_expression", IR_BREAK, 0 },
};

/* --- lowering --- */

static uint32_t lower_text(struct eval *e, uint32_t from, uint32_t to)
{
    static const struct fold_escapes how = { .simple = "n\nt\tr\rb\bf\fv\v", .joins_lines = true };
    to = MIN_OF(to, e->c->size);
    uint32_t node = from && from <= to ? ir_new(e, IR_TEXT, from - 1, to) : 0;
    const char *s = e->c->text + from;
    const size_t n = to - from;
    if (!node)
        return 0;
    struct fragment m;
    fragment_init(&m);
    bool is_plain = !memchr(s, '\\', n);
    if (is_plain && n >= FRAGMENT_MAX) {
        ir_at(e, node)->text = arena_copy_bytes(e->c->arena, s, n);
    } else if (is_plain) {
        ir_at(e, node)->text = tv_text(e, s, n).text;
    } else {
        fold_add_unescaped(&m.out, (struct fold_text){ s, (uint32_t)(n) }, &how);
        ir_at(e, node)->text = m.out.failed ? NULL : tv_text(e, m.text, m.out.size).text;
    }
    ir_at(e, node)->sign = is_plain ? 'v' : 0;
    return node;
}

/* 1_000, 0xff, 1e9; another is text. */
static uint32_t lower_number(struct eval *e)
{
    struct span s = eval_span(e);
    uint32_t node = ir_leaf(e, IR_NUMBER);
    bool is_hex = s.n > 2 && s.s[0] == '0' && (s.s[1] | 0x20) == 'x';
    uint64_t v = 0;
    size_t i = is_hex ? 2 : 0;
    for (; i < s.n && s.n <= 18; i++) {
        int digit = hex_digit(s.s[i]);
        if (s.s[i] == '_')
            continue;
        if (digit < 0 || (!is_hex && digit > 9))
            break;
        v = v * (is_hex ? 16 : 10) + (unsigned)digit;
    }
    if (i + 1 < s.n && (s.s[i] | 0x20) == 'e' && s.n - i <= 3) {
        int power = 0;
        for (i++; i < s.n && s.s[i] >= '0' && s.s[i] <= '9'; i++)
            power = power * 10 + (s.s[i] - '0');
        while (power-- > 0 && v < UINT64_C(1000000000000))
            v *= 10;
    }
    if (!node)
        return 0;
    if (i == s.n) {
        ir_at(e, node)->number = (int64_t)(v & INT64_MAX);
        return node;
    }
    ir_at(e, node)->op = IR_TEXT;
    ir_at(e, node)->sign = 'c';
    ir_at(e, node)->text = tv_text(e, s.s, s.n).text;
    return node;
}

static uint32_t lower_template(struct eval *e)
{
    TSNode n = eval_here(e);
    uint32_t node = ir_leaf(e, IR_TEMPLATE), last = 0, at = ts_node_start_byte(n) + 1, end = ts_node_end_byte(n);
    for (bool more = node && eval_down(e); more; more = eval_next(e)) {
        TSNode part = eval_here(e);
        uint32_t from = ts_node_start_byte(part), to = ts_node_end_byte(part);
        bool is_last = to >= end && from + 1 == to;
        if (!is_last && !str_eq(ts_node_type(part), "template_substitution"))
            continue;
        uint32_t text = from > at ? lower_text(e, at, from) : 0;
        ir_at(e, text)->is_part = true;
        ir_add(e, node, &last, text, ROLE_NONE);
        if (!is_last)
            ir_add(e, node, &last, ir_here(e), ROLE_NONE);
        at = MAX_OF(at, to);
    }
    return node;
}

/* `key: value`, {[key]: value}, {key}; as a pattern, too. */
static uint32_t lower_pair(struct eval *e, bool is_short)
{
    uint32_t node = ir_leaf(e, IR_PAIR), last = 0;
    if (is_short) {
        ir_add(e, node, &last, ir_leaf(e, IR_NAME), ROLE_NAME);
        ir_add(e, node, &last, ir_leaf(e, IR_NAME), ROLE_RIGHT);
        return node;
    }
    for (bool more = node && eval_down(e); more; more = eval_next(e)) {
        const uint8_t role = ir_role_here(e);
        bool is_plain = str_eq(ts_node_type(eval_here(e)), "property_identifier");
        if (role == ROLE_NAME && is_plain)
            ir_add(e, node, &last, ir_leaf(e, IR_NAME), ROLE_NAME);
        else if (role == ROLE_NAME || role == ROLE_RIGHT)
            ir_add(e, node, &last, ir_here(e), role == ROLE_NAME ? ROLE_START : ROLE_RIGHT);
    }
    return node;
}

/* Functions are known before they are reached, or a local exec() would be taken for a global. */
static void known_before(struct eval *e)
{
    TSNode n = eval_here(e), name = ts_node_child_by_field_name(n, "name", 4);
    if (ts_node_is_null(name) || !strstr(ts_node_type(n), "_declaration"))
        return;
    const uint32_t from = ts_node_start_byte(name), to = MIN_OF(ts_node_end_byte(name), e->c->size);
    if (from < to)
        eval_set(e, e->c->text + from, to - from, e->scope, (struct tv){ .kind = TV_FUNCTION });
}

static uint32_t lower_parts(struct eval *e, uint8_t op, char sign)
{
    uint32_t node = ir_leaf(e, op), last = 0;
    if (node) {
        ir_at(e, node)->sign = sign;
        ir_parts(e, node, &last);
    }
    return node;
}

static uint32_t lower_function(struct eval *e)
{
    const uint32_t outer = e->scope;
    known_before(e);
    e->scope = ts_node_start_byte(eval_here(e)) + 64;
    uint32_t node = lower_parts(e, IR_CLOSURE, 0);
    e->scope = outer;
    return node;
}

static uint32_t lower_binary(struct eval *e)
{
    TSNode op = ts_node_child_by_field_name(eval_here(e), "operator", 8);
    const char *s = ts_node_is_null(op) ? "" : ts_node_type(op);
    bool is_either = str_eq(s, "||") || str_eq(s, "??") || str_eq(s, "&&");
    uint32_t node = lower_parts(e, is_either ? IR_EITHER : IR_BINARY, *s == '&' ? '&' : 0);
    if (is_either && node)
        for (uint32_t p = ir_at(e, node)->first; p; p = ir_at(e, p)->next)
            ir_at(e, p)->is_part |= ir_at(e, p)->op != IR_MEMBER && ir_at(e, p)->op != IR_INDEX;
    return node;
}

/* import a, {b as c} from "x" is const a = import("x"), {b: c} = a. */
static void lower_import_names(struct eval *e, uint32_t node, uint32_t *last)
{
    for (bool more = eval_down(e); more; more = eval_next(e)) {
        TSNode n = eval_here(e);
        const char *kind = ts_node_type(n);
        if (str_eq(kind, "identifier")) {
            ir_add(e, node, last, ir_leaf(e, IR_NAME), ROLE_LEFT);
        } else if (str_eq(kind, "named_imports")) {
            uint32_t all = ir_leaf(e, IR_RECORD), inner = 0;
            lower_import_names(e, all, &inner);
            ir_add(e, node, last, all, ROLE_LEFT);
        } else if (str_eq(kind, "import_specifier")) {
            uint32_t pair = ir_leaf(e, IR_PAIR), part = 0, names[2], count = 0;
            for (bool one = eval_down(e); one; one = eval_next(e))
                if (ts_node_is_named(eval_here(e)) && count < 2)
                    names[count++] = ir_leaf(e, IR_NAME);
            if (count == 1)
                names[count++] = ir_leaf(e, IR_NAME);
            if (count < 2)
                continue;
            ir_add(e, pair, &part, names[0], ROLE_NAME);
            ir_add(e, pair, &part, names[1], ROLE_RIGHT);
            ir_add(e, node, last, pair, ROLE_NONE);
        } else if (str_eq(kind, "import_clause") || str_eq(kind, "namespace_import")) {
            lower_import_names(e, node, last);
        }
    }
}

static uint32_t lower_import(struct eval *e, bool is_export)
{
    TSNode from = ts_node_child_by_field_name(eval_here(e), "source", 6);
    if (ts_node_is_null(from))
        return is_export ? lower_parts(e, IR_STATEMENTS, 0) : 0;
    const uint32_t start = ts_node_start_byte(from) + 1, end = ts_node_end_byte(from) - 1;
    const uint32_t word = ts_node_start_byte(eval_here(e)); /* import, export: what is called */
    uint32_t node = ir_leaf(e, IR_ASSIGN), call = ir_leaf(e, IR_CALL), args = ir_leaf(e, IR_ARGS), last = 0, part = 0;
    if (!node || !call || !args || start >= end)
        return 0;
    ir_at(e, node)->sign = 'd';
    ir_add(e, call, &part, ir_new(e, IR_NAME, word, MIN_OF(word + 6, start)), ROLE_OF);
    ir_add(e, call, &part, args, ROLE_ARGS);
    ir_add(e, args, &last, lower_text(e, start, end), ROLE_NONE);
    last = 0;
    if (!is_export)
        lower_import_names(e, node, &last);
    ir_add(e, node, &last, call, ROLE_RIGHT);
    return node;
}

static uint32_t lower(struct eval *e, const struct ir_rule *rule)
{
    TSNode n = eval_here(e);
    const uint32_t start = ts_node_start_byte(n), end = MIN_OF(ts_node_end_byte(n), e->c->size);
    switch (rule->sign) {
    case JS_BINARY:
        return lower_binary(e);
    case JS_CLASS:
        known_before(e);
        return lower_parts(e, IR_STATEMENTS, 0);
    case JS_EXPORT:
    case JS_IMPORT:
        return lower_import(e, rule->sign == JS_EXPORT);
    case JS_FUNCTION:
        return lower_function(e);
    case JS_NUMBER:
        return lower_number(e);
    case JS_TEMPLATE:
        return lower_template(e);
    case JS_TEXT:
        return end - start < 2 ? 0 : lower_text(e, start + 1, end - 1);
    default:
        return lower_pair(e, rule->sign == JS_KEY);
    }
}

/* --- what names stand for --- */

struct tv node_module(struct eval *e, const char *name)
{
    static const char *const same[][2] = { { "fs/promises", "fs" },
                                           { "fs-extra", "fs" },
                                           { "graceful-fs", "fs" },
                                           { "original-fs", "fs" },
                                           { "dns/promises", "dns" },
                                           { "path/posix", "path" },
                                           { "follow-redirects", "http" },
                                           { "cross-spawn", "child_process.spawn" },
                                           { "sys", "util" } };
    if (str_starts(name, "node:"))
        name += 5;
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (str_eq(name, same[i][0]))
            return tv_name(same[i][1]);
    struct tv v = tv_text(e, name, MIN_OF(strlen(name), (size_t)NODE_MAX_NAME));
    v.kind = v.kind == TV_TEXT ? TV_PATH : v.kind;
    return v;
}

/* The one name for what has several: globalThis.eval, process.mainModule.require ... */
static const char *canonical(const char *name)
{
    static const char *const global[] = { "globalThis.", "global.", "window.", "self.", "buffer.Buffer" };
    static const char *const same[][2] = { { "fs.promises", "fs" },
                                           { "module.require", "require" },
                                           { "module._load", "require" },
                                           { "module.constructor", "module" },
                                           { "module.Module", "module" },
                                           { "process.mainModule", "module" },
                                           { "require.main", "module" },
                                           { "Module._load", "require" },
                                           { "module.prototype.require", "require" },
                                           { "Function.prototype.constructor", "Function" },
                                           { "Function.constructor", "Function" },
                                           { "eval.constructor", "Function" },
                                           { "require.constructor", "Function" },
                                           { "constructor.constructor", "Function" },
                                           { "path.posix", "path" },
                                           { "path.win32", "path" } };
    for (size_t i = 0; i < ARRAY_LEN(global); i++)
        if (str_starts(name, global[i]))
            return i == ARRAY_LEN(global) - 1 ? name + 7 : name + strlen(global[i]);
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (str_eq(name, same[i][0]))
            return same[i][1];
    size_t len = strlen(name); /* (0).constructor.constructor, Object.constructor.constructor ... */
    if (len > 24 && str_eq(name + len - 24, ".constructor.constructor"))
        return "Function";
    return name;
}

static bool is_credential(struct span s)
{
    static const char *const words[] = { "SECRET",      "TOKEN",      "PASSW",      "API_KEY", "APIKEY",
                                         "PRIVATE_KEY", "CREDENTIAL", "AWS_ACCESS", "AUTH_KEY" };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (memmem(s.s, s.n, words[i], strlen(words[i])))
            return true;
    return false;
}

struct tv node_of(struct eval *e, struct tv of, struct span name)
{
    struct tv v = tv_unknown(of.taint);
    bool is_path = of.kind == TV_PATH, is_env = is_path && str_eq(of.text, "process.env");
    if (span_is(name, "constructor") && !is_path)
        return tv_name(of.kind == TV_FUNCTION ? "Function" : "constructor");
    if (of.kind == TV_RECORD)
        return tv_field(e, of, name, &v) ? v : tv_unknown(of.taint & (TAINT_SOCKET | TAINT_NET | TAINT_SECRET));
    if (!is_path || strlen(of.text) + name.n > NODE_MAX_NAME)
        return v;
    if (span_is(name, "default"))
        return of;
    if (str_eq(of.text, "globalThis") || str_eq(of.text, "global") || str_eq(of.text, "window")) {
        struct tv bound = eval_get(e, name.s, name.n, SCOPE_FILE, NULL);
        if (bound.kind != TV_UNKNOWN)
            return bound;
    }
    v = tv_path(e, of.text, ".", name.s, name.n);
    if (v.kind != TV_PATH)
        return tv_unknown(of.taint);
    v.text = canonical(v.text);
    v.taint = is_env ? of.taint & (uint32_t)~TAINT_ENVIRON : of.taint;
    if (is_env && is_credential(name))
        v.taint |= TAINT_CREDENTIAL;
    if (str_eq(v.text, "process.env"))
        v.taint |= TAINT_ENVIRON;
    else if (str_eq(v.text, "__filename") || str_eq(v.text, "process.argv"))
        v.taint |= TAINT_SELF;
    return v;
}

static struct tv item(struct eval *e, struct tv of, struct tv at)
{
    if (at.kind == TV_NUMBER && at.number >= 0 && at.number < 1000) {
        if (of.kind == TV_LIST && at.number < (int64_t)of.count)
            return tv_item(e, of, at.number);
        if (of.kind == TV_TEXT && (size_t)at.number < strlen(of.text))
            return node_character(e, of, (size_t)at.number);
        if (tv_says(of, "process.argv") && at.number == 1)
            return tv_unknown(TAINT_SELF);
    }
    if (at.kind == TV_TEXT && !at.is_partial)
        return node_of(e, of, (struct span){ at.text, strlen(at.text) });
    return tv_unknown(of.taint & (uint32_t)~TAINT_SELF);
}

static struct tv unbound(struct eval *e, struct span name)
{
    if (span_is(name, "__dirname"))
        return (struct tv){ .kind = TV_TEXT, .text = "." };
    if (span_is(name, "__filename"))
        return (struct tv){ .kind = TV_TEXT, .text = "./program.js", .taint = TAINT_SELF };
    return name.n <= NODE_MAX_NAME
               ? (struct tv){ .kind = TV_PATH, .text = arena_copy_bytes(e->c->arena, name.s, name.n) }
               : tv_unknown(0);
}

/* --- facts --- */

#define SHOWN 1024

/* {recursive: true, host: "x"} as «recursive=true,host=x», so that rules can ask for an option. */
static const char *shown_record(struct eval *e, struct tv v)
{
    char out[512];
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0, at = v.head; i + 1 < v.count; i += 2, at = e->pool[e->pool[at].next].next) {
        struct tv key = e->pool[at].value, value = e->pool[e->pool[at].next].value;
        const char *text = value.kind == TV_TEXT || tv_says(value, "true") ? value.text : NULL;
        if (value.kind == TV_NUMBER)
            text = arena_printf(e->c->arena, "%lld", (long long)value.number);
        if (key.kind != TV_TEXT || !text || strlen(key.text) + strlen(text) + 8 > sizeof out - used)
            continue;
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s=%s", used ? "," : "", key.text, text);
    }
    return arena_copy(e->c->arena, out);
}

static const char *shown(struct eval *e, struct tv v)
{
    if (v.kind == TV_RECORD)
        return shown_record(e, v);
    if (v.kind == TV_LIST)
        v = tv_join_list(e, v, (struct tv){ .kind = TV_TEXT, .text = " " });
    if (v.kind == TV_NUMBER)
        return arena_printf(e->c->arena, "%lld", (long long)v.number);
    if (v.kind != TV_TEXT)
        return NULL;
    return strlen(v.text) <= SHOWN ? v.text : arena_copy_bytes(e->c->arena, v.text, SHOWN);
}

static struct tv told(struct eval *e, struct tv v, uint32_t byte)
{
    const char *dot = v.kind == TV_PATH ? strrchr(v.text, '.') : NULL;
    struct tv last = { .kind = TV_TEXT, .text = dot ? dot + 1 : "" };
    if (dot)
        eval_emit(e, FACT_NAME, v.text, &last, 1, byte);
    if (tv_says(v, "process.env.HOME") || tv_says(v, "process.env.USERPROFILE"))
        return (struct tv){ .kind = TV_TEXT, .text = "~", .taint = v.taint };
    return v;
}

/* { cmd: "..." }: whichever function gets it. */
static void field(struct eval *e, struct tv key, struct tv v, uint32_t byte)
{
    if (key.kind != TV_TEXT && v.taint & TAINT_ENVIRON)
        eval_emit(e, FACT_FLOW, "env-dump", NULL, 0, byte);
    if (key.kind != TV_TEXT || v.kind != TV_TEXT)
        return;
    struct embedded_word w = node_place(e, v);
    uint8_t language = carrier_language(key.text, strlen(key.text), w.text, w.size);
    if (language != EMBEDDED_LANGUAGES)
        embedded_perhaps(e->c, language, "value", w.text, w.size, byte);
}

void resolve_node(struct scan_ctx *c, TSNode root)
{
    static const struct ir_language node = { .language = LANG_NODE,
                                             .separator = ".",
                                             .rules = rules,
                                             .rule_count = ARRAY_LEN(rules),
                                             .group = IR_STATEMENTS,
                                             .lower = lower,
                                             .unbound = unbound,
                                             .call = node_call,
                                             .is_lexical = true,
                                             .least_text = 4,
                                             .of = node_of,
                                             .item = item,
                                             .element = node_element,
                                             .parameter = node_parameter,
                                             .field = field,
                                             .told = told,
                                             .loop = node_loop,
                                             .shown = shown,
                                             .finish = node_finish };
    struct node own = { 0 };
    eval_program(&node, c, root, &own);
}
