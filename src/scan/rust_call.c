/* Paths and calls of Rust. */
#include "scan/rust_eval.h"

/* --- paths --- */

/* Whether the table knows `path` or anything below it. */
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
        if (v.kind == TV_PATH && (effect_has_below(LANG_RUST, v.text) || (is_called && is_raw_module(r->globs[i]))))
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
struct tv rust_scoped(struct rust *r)
{
    struct tv path = tv_unknown(0);
    bool has_path = false;
    struct span name = { 0 };
    if (r->t.depth >= SCAN_MAX_DEPTH) {
        r->t.c->is_cut = true;
        return path;
    }
    r->t.depth++;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        TSFieldId field = typed_field(&r->t);
        uint8_t kind = typed_here_kind(&r->t);
        if (field == r->f_path) {
            has_path = true;
            if (kind == R_SCOPED || kind == R_SCOPED_TYPE)
                path = rust_scoped(r);
            else if (kind == R_IDENTIFIER || kind == R_TYPE || kind == R_CRATE || kind == R_SELF || kind == R_SUPER)
                path = rust_base(r, typed_span(&r->t));
            else
                path = rust_eval(r);
        } else if (field == r->f_name) {
            name = typed_span(&r->t);
        }
    }
    r->t.depth--;
    if (path.kind == TV_PATH || path.kind == TV_OBJECT)
        return tv_path(&r->t, path.text, "::", name.s, name.n);
    if (has_path || name.n)
        return rust_base(r, name);
    return path;
}

struct tv rust_type(struct tv v, struct typed *t)
{
    if (v.kind != TV_PATH)
        return v;
    const struct known *k = typed_known(t, v.text);
    bool is_stream = k && k->effects[0] == EF_CONNECT;
    return tv_object(v.text, is_stream ? TAINT_SOCKET | TAINT_NET : 0);
}

struct tv rust_identifier(struct rust *r)
{
    struct span s = typed_span(&r->t);
    bool found;
    r->last_name = s;
    struct tv v = typed_lookup(&r->t, s.s, s.n, &found);
    return v;
}

/* --- calls --- */

/* Methods that give what they were called on. */
static const char *const transparent[] = { "and_then",
                                           "as_bytes",
                                           "as_deref",
                                           "as_fd",
                                           "as_mut",
                                           "as_os_str",
                                           "as_path",
                                           "as_ptr",
                                           "as_raw_fd",
                                           "as_ref",
                                           "as_slice",
                                           "as_str",
                                           "await",
                                           "borrow",
                                           "borrow_mut",
                                           "by_ref",
                                           "bytes",
                                           "chars",
                                           "clone",
                                           "cloned",
                                           "collect",
                                           "context",
                                           "copied",
                                           "display",
                                           "expect",
                                           "filter",
                                           "flatten",
                                           "get_mut",
                                           "get_ref",
                                           "into",
                                           "into_boxed_str",
                                           "into_bytes",
                                           "into_inner",
                                           "into_iter",
                                           "into_owned",
                                           "into_raw_fd",
                                           "into_string",
                                           "iter",
                                           "map_err",
                                           "ok",
                                           "ok_or",
                                           "ok_or_else",
                                           "or_else",
                                           "read",
                                           "skip",
                                           "take",
                                           "to_bytes",
                                           "to_owned",
                                           "to_path_buf",
                                           "to_str",
                                           "to_string",
                                           "to_string_lossy",
                                           "to_vec",
                                           "trim",
                                           "trim_end",
                                           "trim_start",
                                           "try_clone",
                                           "try_into",
                                           "unwrap",
                                           "unwrap_or",
                                           "unwrap_or_default",
                                           "unwrap_or_else",
                                           "with_context" };

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
    if (k && (k->effects[0] == EF_RECEIVE) && r->last_name.n)
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
    bool is_new = span_is(tail, "new") || span_is(tail, "default") || span_is(tail, "from") ||
                  span_is(tail, "with_capacity");
    if (!k && is_new)
        typed_emit(&r->t, FACT_CALL, path.text, args, n, byte);
    if (!k && n == 1 && (span_is(tail, "new") || span_is(tail, "from")))
        return args[0].kind == TV_OBJECT || args[0].kind == TV_TEXT ? args[0]
                                                                    : tv_unknown(args[0].taint); /* a wrapper */
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
        bool is_path = recv.kind == TV_TEXT && (recv.text[0] == '/' || recv.text[0] == '~') &&
                       args[0].kind == TV_TEXT && strlen(args[0].text) > 1 &&
                       span_is(name, "push"); /* PathBuf's push, not String's */
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

/* .bearer_auth(key), .header("Authorization", key): how one logs in; the key is one's own. */
static bool is_login(struct span name, const struct tv *args, unsigned n)
{
    static const char *const headers[] = { "Authorization", "authorization", "AUTHORIZATION",
                                           "x-api-key",     "X-Api-Key",     "X-API-Key" };
    if (span_is(name, "bearer_auth") || span_is(name, "basic_auth"))
        return true;
    if (n < 2 || !(span_is(name, "header") || span_is(name, "set") || span_is(name, "append_header")))
        return false;
    if (args[0].kind != TV_TEXT) /* header(AUTHORIZATION, key) */
        return args[0].text && strstr(args[0].text, "AUTHORIZATION");
    for (size_t i = 0; i < ARRAY_LEN(headers); i++)
        if (str_eq(args[0].text, headers[i]))
            return true;
    return false;
}

struct tv rust_call_method(struct rust *r, struct tv recv, struct span name, struct tv *args, unsigned n, uint32_t byte)
{
    for (unsigned i = 0; i < n && is_login(name, args, n); i++)
        args[i].taint &= (uint16_t)~TAINT_SECRET;
    if (recv.kind == TV_OBJECT) {
        struct tv path = tv_path(&r->t, recv.text, "::", name.s, name.n);
        if (path.kind != TV_PATH)
            return tv_unknown(0);
        const struct known *k = typed_known(&r->t, path.text);
        if (k && k->effects[0] == EF_RECEIVE && r->last_name.n && n > 0)
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
    if (recv.taint & TAINT_PIPE && (span_is(name, "write_all") || span_is(name, "write") || span_is(name, "write_str")))
        typed_input(&r->t, args, n);
    bool is_waiting = span_is(name, "recv") || span_is(name, "join") || span_is(name, "wait") || span_is(name, "lock");
    if (recv.kind == TV_UNKNOWN && is_waiting && r->t.loop)
        r->t.loop->has_wait = true;
    return call_local(r, name, recv, args, n);
}

static unsigned arguments(struct rust *r, struct tv args[static FACT_MAX_ARGS])
{
    unsigned n = 0;
    uint32_t concat = r->concat;
    r->concat = 0;
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        uint8_t kind = typed_here_kind(&r->t);
        if (!ts_node_is_named(typed_here(&r->t)) || kind == R_LINE_COMMENT || kind == R_BLOCK_COMMENT ||
            kind == R_ATTRIBUTE)
            continue;
        struct tv v = rust_eval(r);
        if (n < FACT_MAX_ARGS)
            args[n++] = v;
    }
    r->concat = concat;
    return n;
}

void rust_callee(struct rust *r, struct rust_callee *ret)
{
    uint8_t kind = typed_here_kind(&r->t);
    if (kind == R_GENERIC_FUNCTION) {
        for (bool more = typed_down(&r->t); more; more = typed_next(&r->t))
            if (typed_field(&r->t) == r->f_function)
                rust_callee(r, ret); /* at most one level: a generic function has no generic function in it */
    } else if (kind == R_FIELD) {
        ret->is_method = true;
        for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
            if (typed_field(&r->t) == r->f_value)
                ret->recv = rust_eval(r);
            else if (typed_field(&r->t) == r->f_field)
                ret->name = typed_span(&r->t);
        }
    } else if (kind == R_IDENTIFIER) {
        ret->name = typed_span(&r->t);
        ret->value = typed_lookup(&r->t, ret->name.s, ret->name.n, NULL);
    } else if (kind == R_SCOPED) {
        ret->name = typed_span(&r->t);
        ret->value = rust_scoped(r);
    } else {
        ret->value = rust_eval(r);
    }
}

struct tv rust_call(struct rust *r)
{
    struct rust_callee f = { 0 };
    struct tv args[FACT_MAX_ARGS];
    unsigned n = 0;
    uint32_t byte = typed_byte(&r->t), xors = r->xors;
    struct span receiver = { 0 };
    for (bool more = typed_down(&r->t); more; more = typed_next(&r->t)) {
        if (typed_field(&r->t) == r->f_function) {
            r->last_name = (struct span){ 0 };
            rust_callee(r, &f);
            receiver = r->last_name;
        } else if (typed_field(&r->t) == r->f_arguments) {
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
