/* typed.h - what go.c and rust.c share: a small abstract interpreter for languages with declared names and types.
 *
 * Each resolver walks the tree with one cursor; typed_* keeps what is known of names (constants, imported paths,
 * objects of known types), folds constant text, and knows what the functions of a language's table (effect.h) do to it.
 * Each expression is evaluated once per pass; there are two passes, the first of which emits nothing and learns
 * globals, parameters and results of the program's own functions, so that order in the file does not matter.
 *
 * Values carry taints (where they came from), from which flows follow. What is unknown in the middle of a text is
 * written {}: fmt.Sprintf("/proc/%d/mem", pid) folds to /proc/{}/mem. Places get plain names: the home directory is ~,
 * the own program /proc/self/exe, a fresh temporary directory /tmp/{}.
 *
 * Memory: texts in the scan's arena; symbols, lists and commands in bounded arrays of struct typed, freed by
 * typed_done(). What does not fit sets scan_ctx.is_cut. Recursion is bounded by SCAN_MAX_DEPTH.
 *
 * Flows emitted here (each at most once): socket-to-process, self-spawn-loop, spawn-loop, thread-loop, endless-alloc,
 * endless-busy, endless-write, secret-then-send, download-then-exec, decode-then-exec, computed-command,
 * walk-then-remove, walk-then-write, remove-tree-computed, setuid-bit.
 */
#pragma once
#include "scan/effect.h"
#include "scan/resolver.h"

enum tv_kind { TV_UNKNOWN, TV_TEXT, TV_NUMBER, TV_PATH, TV_OBJECT, TV_LIST };

enum {
    TAINT_NET = 1,     /* came from the network */
    TAINT_SECRET = 2,  /* environment, credentials, sensitive files */
    TAINT_DECODED = 4, /* base64, hex, xor, decryption */
    TAINT_SOCKET = 8,  /* is a connection, or its descriptor */
    TAINT_WALK = 16,   /* a path that a walk over directories found */
    TAINT_TEMP = 32,   /* a fresh temporary file or directory */
    TAINT_SELF = 64,   /* names the running program */
    TAINT_PIPE = 128,  /* a child's standard stream */
};

struct tv {
    uint8_t kind;    /* enum tv_kind */
    bool is_partial; /* TEXT: has {} for what is not known */
    uint16_t taint;
    uint32_t head, count; /* LIST: chain in the pool; OBJECT: head is the command's number, from 1 */
    const char *text;     /* TEXT: the text; PATH: full name; OBJECT: full name of the type */
    int64_t number;
};

struct typed_loop {
    bool is_endless, has_exit, has_wait, has_call, has_alloc, has_write, has_thread, has_spawn, has_fork;
    bool has_asked; /* a shell, or a command that is not known, was started */
};

struct typed_command {
    const char *callee;
    struct tv args[FACT_MAX_ARGS];
    uint8_t arg_count;
    bool is_dynamic;
    uint32_t byte;
    const char *input; /* what it is given to read; NULL: not known */
};

#define TYPED_COMMANDS    128u
#define TYPED_POOL_MAX    16384u
#define TYPED_SYMBOLS_MAX 65536u
#define TYPED_FOLDED_MAX  (4u << 20) /* bytes of folded text: s + "a" + "a" ... costs its length each time */

struct typed_symbol {
    uint32_t hash, scope, offset, length;
    struct tv value;
};
struct typed_item {
    struct tv value;
    uint32_t next;
};

struct typed {
    struct scan_ctx *c;
    enum language language; /* whose functions are known */
    const char *separator;  /* "." or "::" */
    TSTreeCursor cursor;
    uint8_t kinds[512]; /* by symbol: the resolver's enum of node kinds */
    uint32_t kind_count;
    uint32_t depth, scope;
    bool is_quiet, is_stopped;
    struct typed_loop *loop; /* the innermost, within this function */
    struct typed_symbol *symbols;
    uint32_t symbol_count, symbol_size;
    struct typed_item *pool;
    uint32_t pool_count, pool_size;
    struct typed_command *commands;
    uint32_t command_count;
    const char *opened;   /* the file that was created last; NULL: none, or not known */
    uint32_t folded;      /* bytes of text made */
    uint32_t seen, flows; /* bits */
    uint32_t send_byte, secret_byte, spawn_byte, walk_byte;
};

/* Both passes. `t` is the first member of the resolver's own state, `evaluate` begins at the cursor's node and ends
 * there, `names` are the grammar's of the kinds 1, 2 ..., sorted. */
void typed_resolve(struct typed *t, struct scan_ctx *c, TSNode root, enum language language, const char *const *names,
                   size_t count, void (*evaluate)(struct typed *t));

/* --- the cursor's node --- */
static inline TSNode typed_here(struct typed *t)
{
    return ts_tree_cursor_current_node(&t->cursor);
}
static inline uint8_t typed_kind(const struct typed *t, TSNode n)
{
    TSSymbol s = ts_node_symbol(n);
    return s < t->kind_count ? t->kinds[s] : 0;
}
static inline uint8_t typed_here_kind(struct typed *t)
{
    return typed_kind(t, typed_here(t));
}
static inline uint32_t typed_byte(struct typed *t)
{
    return ts_node_start_byte(typed_here(t));
}
static inline TSFieldId typed_field(struct typed *t)
{
    return ts_tree_cursor_current_field_id(&t->cursor);
}
static inline bool typed_down(struct typed *t)
{
    return ts_tree_cursor_goto_first_child(&t->cursor);
}
/* The next sibling; after the last one, back at the parent. */
static inline bool typed_next(struct typed *t)
{
    if (!t->is_stopped && ts_tree_cursor_goto_next_sibling(&t->cursor))
        return true;
    (void)ts_tree_cursor_goto_parent(&t->cursor);
    return false;
}
/* Some of the program's text. */
struct span {
    const char *s;
    size_t n;
};
static inline struct span typed_span(struct typed *t)
{
    TSNode n = typed_here(t);
    uint32_t from = ts_node_start_byte(n), to = ts_node_end_byte(n);
    return (struct span){ t->c->text + from, to - from };
}
static inline bool span_is(struct span s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.s, word, s.n) == 0;
}

/* --- values --- */
struct tv tv_text(struct typed *t, const char *bytes, size_t n);
struct tv tv_path(struct typed *t, const char *head, const char *separator, const char *tail, size_t tail_size);
static inline struct tv tv_number(int64_t n)
{
    return (struct tv){ .kind = TV_NUMBER, .number = n };
}
static inline struct tv tv_unknown(uint16_t taint)
{
    return (struct tv){ .taint = taint };
}
static inline struct tv tv_object(const char *type, uint16_t taint)
{
    return (struct tv){ .kind = TV_OBJECT, .text = type, .taint = taint };
}
struct tv tv_list(void);
void tv_append(struct typed *t, struct tv *list, struct tv item);
struct tv tv_item(struct typed *t, struct tv list, int64_t i);
struct tv tv_concat(struct typed *t, struct tv a, struct tv b);
struct tv tv_join_path(struct typed *t, struct tv a, struct tv b);
/* A list of numbers or characters as text. */
struct tv tv_from_bytes(struct typed *t, struct tv list);
struct tv tv_base64(struct typed *t, struct tv v);
struct tv tv_hex(struct typed *t, struct tv v);
struct tv tv_lower(struct typed *t, struct tv v);
struct tv tv_reverse(struct typed *t, struct tv v);
struct tv tv_replace(struct typed *t, struct tv s, struct tv from, struct tv to);
struct tv tv_fields(struct typed *t, struct tv s);
struct tv tv_join_list(struct typed *t, struct tv list, struct tv separator);
/* %s %d %v as in Go, {} {0} {name} as in Rust: what is known of the arguments is put in. */
struct tv tv_sprintf(struct typed *t, const struct tv *args, unsigned n);
struct tv tv_braces(struct typed *t, const struct tv *args, unsigned n);
/* The inside of a string literal with backslash escapes, as both languages write them. */
struct tv tv_escaped(struct typed *t, const char *s, size_t n);
int64_t tv_parse_int(const char *s, size_t n);
struct tv tv_arith(char op, struct tv a, struct tv b);
/* a OP b, 0: an operator of two characters. A text put together is told where it is whole, not a part of a longer one.
 */
struct tv typed_binary(struct typed *t, char op, struct tv a, struct tv b, bool is_whole, uint32_t byte);

/* --- names --- */
struct tv typed_get(struct typed *t, const char *name, size_t n, uint32_t scope, bool *ret_found);
void typed_set(struct typed *t, const char *name, size_t n, uint32_t scope, struct tv v);
/* The current function's, else the file's. */
struct tv typed_lookup(struct typed *t, const char *name, size_t n, bool *ret_found);
#define SCOPE_FILE   0u
#define SCOPE_FIELD  1u  /* fields by name, whatever the struct */
#define SCOPE_RESULT 2u  /* what a function of the program gives */
#define SCOPE_PARAM  16u /* + index: what its parameters got */

/* --- facts --- */
void typed_emit(struct typed *t, uint8_t kind, const char *name, const struct tv *args, unsigned n, uint32_t byte);
void typed_string(struct typed *t, struct tv v, uint32_t byte);
/* Once per name; the name is a literal. */
void typed_flow(struct typed *t, const char *name, uint32_t byte);
/* Emits CALL name and gives what is known of the result. `recv` is TV_UNKNOWN for plain functions. */
struct tv typed_call(struct typed *t, const char *name, struct tv recv, struct tv *args, unsigned n, uint32_t byte);
const struct known *typed_known(const struct typed *t, const char *name);
void typed_loop_end(struct typed *t, const struct typed_loop *l, uint32_t byte);
/* cmd.Stdin = strings.NewReader(TEXT), io.WriteString(stdin, TEXT), stdin.write_all(TEXT): the last command reads it.
 */
void typed_input(struct typed *t, const struct tv *args, unsigned n);
/* After the second pass: commands with all their arguments, and flows of the program as a whole. */
void typed_finish(struct typed *t);
bool typed_is_secret_path(const char *path);
bool typed_is_secret_name(const char *name);
