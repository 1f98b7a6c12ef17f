/* eval.h - one evaluator over the intermediate representation (ir.h): a small abstract interpreter.
 *
 * It folds constants, follows names, functions of the program and what is written into fields, and knows what the
 * functions of a language's table (effect.h) do. What a name stands for and what a call means where languages differ
 * is a few functions of struct ir_language, one for each front end.
 *
 * Each expression is evaluated once per pass; there are two passes, the first of which emits nothing and learns
 * globals, parameters and results of the program's own functions, so that order in the file does not matter. Of a
 * language that is_lexical there is one pass: its functions are bound while the tree is lowered. So it is of a shell,
 * whose commands are judged in source order as their nodes are left (bash.h), and of a language that evaluates nodes of
 * its own: Python, whose functions are entered where they are called, and whose lists are shared (python.h).
 *
 * Values carry taints (where they came from), from which flows follow. What is unknown in the middle of a text is
 * written {}: fmt.Sprintf("/proc/%d/mem", pid) folds to /proc/{}/mem. Places get plain names: the home directory is ~,
 * the own program /proc/self/exe, a fresh temporary directory /tmp/{}.
 *
 * Memory: texts in the scan's arena; nodes, symbols, lists and commands in bounded arrays of struct eval, freed when
 * eval_program() returns. What does not fit sets scan_ctx.is_cut. Recursion is bounded by SCAN_MAX_DEPTH.
 *
 * Flows emitted here for Go and Rust (each at most once): socket-to-process, self-spawn-loop, spawn-loop, thread-loop,
 * endless-alloc, endless-busy, endless-write, secret-then-send, download-then-exec, decode-then-exec, computed-command,
 * walk-then-remove, walk-then-write, remove-tree-computed, setuid-bit.
 */
#pragma once
#include "scan/effect.h"
#include "scan/ir.h"

enum tv_kind {
    TV_UNKNOWN,
    TV_TEXT,
    TV_NUMBER,
    TV_PATH,
    TV_OBJECT,
    TV_LIST,
    TV_RECORD, /* fields: a chain of names and values in turn */
    TV_NONE,
    TV_FUNCTION, /* one of the program's */
    /* Python's: a value that comes an unknown number of times; a class of the program, an object of one; a function
     * with its first arguments */
    TV_ITER,
    TV_CLASS,
    TV_INSTANCE,
    TV_PARTIAL,
};

enum {
    TAINT_NET = 1,          /* came from the network */
    TAINT_SECRET = 2,       /* environment, credentials, sensitive files */
    TAINT_DECODED = 4,      /* base64, hex, xor, decryption */
    TAINT_SOCKET = 8,       /* is a connection, or its descriptor */
    TAINT_WALK = 16,        /* a path that a walk over directories found */
    TAINT_TEMP = 32,        /* a fresh temporary file or directory */
    TAINT_SELF = 64,        /* names the running program */
    TAINT_PIPE = 128,       /* a child's standard stream */
    TAINT_ENVIRON = 256,    /* all of the environment */
    TAINT_CREDENTIAL = 512, /* an environment variable with the name of a secret */
    TAINT_HOST = 1024,      /* what the host says of itself: user, network interfaces ... */
};

/* Python's (python.h) lists are shared by those who have them, its PATH and OBJECT have a name of their own. */
struct py_list;
struct tv {
    uint8_t kind;              /* enum tv_kind */
    bool is_partial;           /* TEXT: has {} for what is not known */
    bool is_bytes, is_literal; /* TEXT, of Python; is_literal: written as such, no folding took part */
    uint32_t taint;            /* TAINT_..., and the language's own from 1 << 16 on */
    uint32_t head;             /* LIST, RECORD: chain in the pool; OBJECT: the command's number, from 1 */
    union {
        uint32_t count; /* LIST, RECORD; TEXT, of a shell: bytes */
        uint32_t size;  /* TEXT, of Python */
    };
    const char *text; /* TEXT: the text; PATH: full name; OBJECT: full name of the type; Python's: the object that it
                       * was taken from, when that is a path or host */
    union {
        int64_t number; /* TEXT: 1 + its place in the program, where it stands there as it is; Python's FUNCTION, CLASS,
                         * INSTANCE: which */
        struct py_list *list; /* Python's LIST, RECORD, ITER, PARTIAL: items, keys and values in turn, one, all of it */
        const char *name;     /* Python's PATH: what an import leads to, «os.system»; OBJECT: what made it */
    };
};

struct eval_loop {
    bool is_endless, has_exit, has_wait, has_call, has_alloc, has_write, has_thread, has_spawn, has_fork;
    bool has_asked; /* a shell, or a command that is not known, was started */
};

struct eval_command {
    const char *callee;
    struct tv args[FACT_MAX_ARGS];
    uint8_t arg_count;
    bool is_dynamic;
    uint32_t byte;
    const char *input; /* what it is given to read; NULL: not known */
};

#define EVAL_COMMANDS    128u
#define EVAL_POOL_MAX    65536u
#define EVAL_MAX_ARGS    16u
#define EVAL_SYMBOLS_MAX 262144u
#define EVAL_FOLDED_MAX  (4u << 20) /* bytes of folded text: s + "a" + "a" ... costs its length each time */

struct eval_symbol {
    const char *name; /* outlives the evaluation */
    uint32_t hash, scope, length;
    struct tv value;
};
struct eval_item {
    struct tv value;
    uint32_t next;
};

/* Some of the program's text. */
struct span {
    const char *s;
    size_t n;
};

/* A call, ready to be judged. */
struct call {
    struct tv value, recv; /* what is called, a path where it is known; what its method is of */
    struct span name;      /* as written: the method's, or the path's */
    struct span variable;  /* the variable that recv is in */
    struct span filled;    /* the last variable among the arguments: read(&buf) */
    struct tv args[EVAL_MAX_ARGS];
    uint32_t nodes[EVAL_MAX_ARGS]; /* the arguments' */
    unsigned n;
    uint32_t node, byte;
    struct effects does;         /* where a name may have several: the front end's */
    bool is_method, is_computed; /* is_computed: the method's name is no literal */
    bool is_own;                 /* a function that is called where it stands */
};

/* What is being evaluated: the open loops, waits and calls of a program, for flows that depend on them. */
struct eval_frame {
    uint32_t node;
    const struct call *call; /* NULL: none */
    const struct eval_frame *outer;
};
/* The functions we are in, whose names can be seen. */
struct eval_scope {
    uint32_t scope;
    const struct eval_scope *outer;
};

/* What differs between languages: the front end's, constant. */
struct ir_language {
    enum language language; /* whose functions are known */
    const char *separator;  /* "." or "::" */
    const struct ir_rule *rules;
    size_t rule_count;
    uint8_t group;                                                  /* what a node without a rule is */
    uint32_t (*lower)(struct eval *e, const struct ir_rule *rule);  /* IR_CUSTOM */
    void (*pattern)(struct eval *e, uint32_t node, uint32_t *last); /* the names in it; NULL: no patterns */
    struct tv (*unbound)(struct eval *e, struct span name);         /* a name that nothing binds */
    struct tv (*base)(struct eval *e, struct span name);            /* the first word of a path */
    struct tv (*import)(struct eval *e, const char *path);          /* what an import's path leads to */
    struct tv (*call)(struct eval *e, struct call *k);
    /* --- a language whose functions see the names around them, and whose objects have fields of their own: one pass
     * is made over it, which knows the functions beforehand --- */
    bool is_lexical;
    uint32_t least_text; /* a shorter one is no fact */
    struct tv (*of)(struct eval *e, struct tv object, struct span name);
    struct tv (*item)(struct eval *e, struct tv object, struct tv index);
    struct tv (*element)(struct eval *e, struct tv list);                         /* what a loop over it sees */
    struct tv (*parameter)(struct eval *e, const struct call *k, unsigned n);     /* what k gives to a function in it */
    void (*field)(struct eval *e, struct tv key, struct tv value, uint32_t byte); /* of an object; no key: a spread */
    struct tv (*told)(struct eval *e, struct tv name, uint32_t byte);             /* a name that is read: its value */
    void (*loop)(struct eval *e, uint32_t node);
    const char *(*shown)(struct eval *e, struct tv v);
    void (*finish)(struct eval *e);
    /* --- a language whose values are its own: what a node was evaluated to, and what it is worth then. One pass is
     * made over it; begin() sees what was lowered, false: no memory --- */
    bool (*begin)(struct eval *e);
    struct tv (*leave)(struct eval *e, uint32_t node, struct tv v);
    struct tv (*own)(struct eval *e, uint32_t node); /* evaluates what the language evaluates otherwise */
};

#define EVAL_GLOBS 16u

struct eval {
    struct scan_ctx *c;
    const struct ir_language *l;
    struct ir ir;
    uint32_t depth, scope;
    bool is_quiet, is_stopped;
    bool is_cut;            /* told at the end, since scan_stop() stops everything that follows */
    struct eval_loop *loop; /* the innermost, within this function */
    struct eval_symbol *symbols;
    uint32_t symbol_count, symbol_size;
    struct eval_item *pool;
    uint32_t pool_count, pool_size;
    struct eval_command *commands;
    uint32_t command_count;
    const char *globs[EVAL_GLOBS]; /* what is imported as a whole */
    uint32_t glob_count;
    struct span function;  /* the name of the function we are in */
    struct span last_name; /* the last variable that was read */
    struct tv element;     /* what a closure in the arguments gets */
    struct tv scrutinee;   /* what a match looks at */
    uint32_t concat;       /* inside a + whose whole will be told */
    uint32_t xors;
    const char *opened;   /* the file that was created last; NULL: none, or not known */
    uint32_t folded;      /* bytes of text made */
    uint32_t seen, flows; /* bits */
    uint32_t send_byte, secret_byte, spawn_byte, walk_byte;
    const struct eval_scope *inner;
    const struct eval_frame *frame;
    const struct call *taker; /* whose argument the function is that comes next */
    void *own;                /* the front end's */
};

/* Both passes over a program of that language. */
void eval_program(const struct ir_language *l, struct scan_ctx *c, TSNode root, void *own);
/* A text that the program runs, with the same names; `c` is its own, `own` the front end's. */
void eval_nested(struct eval *e, struct scan_ctx *c, TSNode root, void *own);
struct tv eval_node(struct eval *e, uint32_t node);
/* The same, for a language that evaluates some by itself. */
struct tv eval_expression(struct eval *e, uint32_t node);
struct tv eval_part(struct eval *e, uint32_t node, uint8_t role);
/* What is called, of the node in a call's OF. */
void eval_callee(struct eval *e, uint32_t node, struct call *k);
/* A field gets a value: remembered, and standard streams of commands are looked at. `type` may be NULL. */
void eval_set_field(struct eval *e, const char *type, struct span key, struct tv v, uint32_t byte);
struct tv eval_statement(struct eval *e, uint32_t node);
/* Every name in a pattern gets its part of the value; `is_new`: in this function. */
void eval_bind(struct eval *e, uint32_t pattern, struct tv v, bool is_new, unsigned depth);
/* What is called or read by a member or an index; `k`: by whom. */
struct tv eval_member(struct eval *e, uint32_t node, struct call *k);
/* A closure shares the names of the function it is in. */
struct tv eval_function(struct eval *e, uint32_t node);
struct tv eval_match(struct eval *e, uint32_t node);

static inline struct ir_node *ir_at(struct eval *e, uint32_t node)
{
    return &e->ir.nodes[node];
}

#define PARTS(p, e, n) for (uint32_t p = ir_at(e, n)->first; p && !(e)->is_stopped; p = ir_at(e, p)->next)
struct span ir_span(struct eval *e, uint32_t n);
/* The first part of that role; 0: none. */
uint32_t ir_part(struct eval *e, uint32_t n, uint8_t role);
struct span ir_name(struct eval *e, uint32_t n); /* the text of its name */

/* --- the cursor's node, while the tree is lowered --- */
static inline TSNode eval_here(struct eval *e)
{
    return ts_tree_cursor_current_node(&e->ir.cursor);
}
static inline bool eval_down(struct eval *e)
{
    return ts_tree_cursor_goto_first_child(&e->ir.cursor);
}
/* The next sibling; after the last one, back at the parent. */
static inline bool eval_next(struct eval *e)
{
    if (!e->is_stopped && ts_tree_cursor_goto_next_sibling(&e->ir.cursor))
        return true;
    (void)ts_tree_cursor_goto_parent(&e->ir.cursor);
    return false;
}
static inline struct span eval_span(struct eval *e)
{
    TSNode n = eval_here(e);
    uint32_t from = ts_node_start_byte(n), to = ts_node_end_byte(n);
    return (struct span){ e->c->text + from, to - from };
}
static inline bool span_is(struct span s, const char *word)
{
    return s.n == strlen(word) && memcmp(s.s, word, s.n) == 0;
}

/* --- values --- */
struct tv tv_text(struct eval *e, const char *bytes, size_t n);
struct tv tv_path(struct eval *e, const char *head, const char *separator, const char *tail, size_t tail_size);
static inline struct tv tv_number(int64_t n)
{
    return (struct tv){ .kind = TV_NUMBER, .number = n };
}
static inline struct tv tv_unknown(uint32_t taint)
{
    return (struct tv){ .taint = taint };
}
static inline struct tv tv_object(const char *type, uint32_t taint)
{
    return (struct tv){ .kind = TV_OBJECT, .text = type, .taint = taint };
}
static inline struct tv tv_name(const char *literal)
{
    return (struct tv){ .kind = TV_PATH, .text = literal };
}
static inline bool tv_says(struct tv v, const char *text)
{
    return (v.kind == TV_TEXT || v.kind == TV_PATH) && str_eq(v.text, text);
}
static inline bool tv_is_known(struct tv v)
{
    return v.kind != TV_UNKNOWN || v.taint;
}
struct tv tv_list(void);
void tv_append(struct eval *e, struct tv *list, struct tv item);
struct tv tv_item(struct eval *e, struct tv list, int64_t i);
/* False: no such field. */
bool tv_field(struct eval *e, struct tv record, struct span name, struct tv *ret);
/* What a text is put together from; longer ones are cut. */
struct fragment;
struct tv tv_made(struct eval *e, const struct fragment *m, bool is_partial, uint32_t taint);
struct tv tv_concat(struct eval *e, struct tv a, struct tv b);
struct tv tv_join_path(struct eval *e, struct tv a, struct tv b);
/* A list of numbers or characters as text. */
struct tv tv_from_bytes(struct eval *e, struct tv list);
struct tv tv_base64(struct eval *e, struct tv v);
struct tv tv_hex(struct eval *e, struct tv v);
struct tv tv_lower(struct eval *e, struct tv v);
struct tv tv_reverse(struct eval *e, struct tv v);
struct tv tv_replace(struct eval *e, struct tv s, struct tv from, struct tv to);
struct tv tv_fields(struct eval *e, struct tv s);
struct tv tv_join_list(struct eval *e, struct tv list, struct tv separator);
/* %s %d %v as in Go, {} {0} {name} as in Rust: what is known of the arguments is put in. */
struct tv tv_sprintf(struct eval *e, const struct tv *args, unsigned n);
struct tv tv_braces(struct eval *e, const struct tv *args, unsigned n);
/* The inside of a string literal with backslash escapes, as both languages write them. */
struct tv tv_escaped(struct eval *e, const char *s, size_t n);
int64_t tv_parse_int(const char *s, size_t n);
bool tv_int_op(char op, int64_t a, int64_t b, int64_t *ret); /* p: a power, d: without rest, < >: shifts */
struct tv tv_arith(char op, struct tv a, struct tv b);
/* Of several texts the one that rules would most care for: a loop over paths reads all of them. */
struct tv tv_pick(struct eval *e, struct tv list);

/* --- names --- */
struct tv eval_get(struct eval *e, const char *name, size_t n, uint32_t scope, bool *ret_found);
void eval_set(struct eval *e, const char *name, size_t n, uint32_t scope, struct tv v);
/* As it was called: a function of the program. Its parameters learn, its result is what a return said. */
struct tv eval_local(struct eval *e, struct span name, struct tv recv, const struct tv *args, unsigned n);
/* The current function's, else the file's. */
struct tv eval_lookup(struct eval *e, const char *name, size_t n, bool *ret_found);
#define SCOPE_FILE   0u
#define SCOPE_FIELD  1u  /* fields by name, whatever the struct */
#define SCOPE_RESULT 2u  /* what a function of the program gives */
#define SCOPE_PARAM  16u /* + index: what its parameters got */

/* --- facts --- */
void eval_emit(struct eval *e, uint8_t kind, const char *name, const struct tv *args, unsigned n, uint32_t byte);
void eval_string(struct eval *e, struct tv v, uint32_t byte);
void eval_fact(struct eval *e, struct fact *f, const struct tv *args, unsigned n);
/* Once per name; the name is a literal. */
void eval_flow(struct eval *e, const char *name, uint32_t byte);
/* Emits CALL name and gives what is known of the result. `recv` is TV_UNKNOWN for plain functions. */
struct tv eval_call(struct eval *e, const char *name, struct tv recv, struct tv *args, unsigned n, uint32_t byte);
/* Everything that gives text; *ret_done: the effect is one of that kind. */
struct tv eval_folded(struct eval *e, enum effect does, struct tv recv, struct tv *args, unsigned n, bool *ret_done);
const struct known *eval_known(const struct eval *e, const char *name);
void eval_loop_end(struct eval *e, const struct eval_loop *l, uint32_t byte);
/* cmd.Stdin = strings.NewReader(TEXT), io.WriteString(stdin, TEXT), stdin.write_all(TEXT): the last command reads it.
 */
void eval_input(struct eval *e, const struct tv *args, unsigned n);
/* After the second pass: commands with all their arguments, and flows of the program as a whole. */
void eval_finish(struct eval *e);
bool eval_is_secret_path(const char *path);
bool eval_is_secret_name(const char *name);
