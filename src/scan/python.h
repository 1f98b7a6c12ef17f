/* python.h - inside the Python resolver: an interpreter that knows only constants, names and where things came from.
 *
 * ir_python.c lowers the tree (ir.h). Statements are then walked in the order in which they would run (python_stmt.c),
 * expressions become values (python_expr.c), calls to known functions are computed when they are harmless and observed
 * when they are not (python_call.c; effect.h says which).
 * Both branches of an `if` are taken, loops over constants are run a few times, functions are entered at their calls,
 * and once with unknown arguments when no process calls them.
 *
 * All memory is the struct fold_mem of one resolution; what facts carry is copied into the scan's arena. Every way down
 * counts in `depth`, every node evaluated in scan_stop().
 */
#pragma once
#include "scan/eval.h"
#include "scan/fold.h"
#include "scan/resolver.h"

/* --- values ---------------------------------------------------------------------------------------------------------
 */

enum py_value_kind {
    V_UNKNOWN,
    V_NONE,
    V_INT,  /* num */
    V_STR,  /* text, size; also bytes */
    V_NAME, /* name: what an import leads to, «os.system»; text: the object it was taken from, when that is a path or
               host */
    V_OBJ,  /* name: what was called to make it; text as above */
    V_LIST, /* list: list, tuple or set */
    V_DICT, /* list: keys and values in turn */
    V_ITER, /* gives the value list->items[0] an unknown number of times */
    V_FUNC, /* num: function; name: NULL */
    V_CLASS,
    V_INST,    /* num: class */
    V_PARTIAL, /* list: the function, then arguments */
};

enum py_taint {                       /* where a value came from, or what it is about */
                T_DECODED = 1,        /* base64, zlib, marshal, xor ... */
                T_NET = 2,            /* came over the network */
                T_SECRET = 4,         /* from a credential file or store */
                T_ENV = 8,            /* the whole environment */
                T_ENV_KEY = 16,       /* an environment variable that is named like a credential */
                T_SOCKET = 32,        /* a descriptor of a socket */
                T_OWN = 64,           /* a temporary file, or one that this program made */
                T_WALK = 128,         /* a name out of a listing */
                T_FAR = 256,          /* that listing is of / or of a process's home */
                T_LOOP = 512,         /* changes with each turn of a loop */
                T_INPUT = 1024,       /* argv, input(), stdin */
                T_COMPUTED = 2048,    /* put together, not written down */
                T_SELF = 4096,        /* this process, or a child that it made */
                T_PID = 8192,         /* a process's process id */
                T_HARDLY = 16384,     /* partly known: «{}» stands for the rest */
                T_MYSELF = 32768,     /* this program's own file */
                T_HUGE = 65536,       /* a gigabyte and more */
                T_LARGE = 262144,     /* longer than we fold */
                T_CLIPBOARD = 131072, /* screen, keyboard, microphone, clipboard */
                T_REQUEST = 524288,   /* what a client asks of a server: a request's query, body, headers */
};
#define T_ORIGIN                                                                                                     \
    (T_DECODED | T_NET | T_SECRET | T_ENV | T_ENV_KEY | T_WALK | T_FAR | T_LOOP | T_INPUT | T_MYSELF | T_CLIPBOARD | \
     T_REQUEST)

struct py_list;
struct py_value {
    uint8_t kind;
    bool is_bytes;
    bool is_literal; /* written as such: no folding took part */
    uint32_t taint;
    uint32_t size;
    const char *name;
    const char *text;
    union {
        int64_t num;
        struct py_list *list;
    };
};
struct py_list {
    struct py_value *items;
    uint32_t count, cap;
    bool is_open; /* more may be in it */
};

#define PY_MAX_ITEMS 8192u
#define PY_MAX_NAME  160u
#define PY_MAX_ARGS  12u
#define PY_MAX_PATHS 16u

struct py_call {
    uint32_t node, args_node;
    struct py_value callee;
    const char *name; /* resolved, or NULL */
    struct py_value args[PY_MAX_ARGS];
    const char *keys[PY_MAX_ARGS]; /* NULL: positional; "*" and "**": splats */
    unsigned count, positional;
    uint32_t taint; /* of all arguments */
};

struct py_function {
    uint32_t node;  /* function_definition or lambda */
    uint32_t scope; /* where it was defined */
    uint32_t name;  /* interned; 0: lambda */
    int32_t class;  /* -1 */
    uint8_t runs;
    bool is_running, is_worth;
    struct py_value result;
};
struct py_class {
    uint32_t scope, name;
    struct py_value base; /* the first base that is known */
    bool is_own_listing;  /* __subclasses__ of a class of one's own is no walk through the object graph */
};
struct py_var {
    uint32_t scope, name;
    struct py_value value;
    bool is_used;
};
struct py_scope {
    uint32_t parent;
    int32_t function, class;
};

struct py {
    struct scan_ctx *ctx;
    struct fold_mem mem;
    struct eval e; /* the nodes */
    unsigned depth;
    uint32_t again; /* evaluations left for running code more than once */

    const char **names; /* interned */
    uint32_t name_count, name_cap, *name_table, name_table_size;
    struct py_var *vars;
    uint32_t var_count, var_size;
    struct py_scope *scopes;
    uint32_t scope_count, scope_cap;
    struct py_function *functions;
    uint32_t function_count, function_cap;
    struct py_class *classes;
    uint32_t class_count, class_cap;
    const char *stars[8];
    unsigned star_count;

    uint32_t scope;          /* the current one */
    unsigned loops, endless; /* how many loops, `while True` among them, are around the current node */
    unsigned vague;          /* loops among them whose turns are not known */
    unsigned branches;       /* conditional blocks around */
    unsigned calls;          /* functions entered */
    uint32_t effects;        /* grows with everything worth running once more with other values */
    struct py_value *result; /* of the function that is running */
    uint64_t *emitted;       /* what was said already, by hash */
    uint32_t emitted_size, emitted_count;

    /* what the program was seen to do */
    uint32_t seen_secret, seen_send; /* nodes; 0: not */
    uint32_t secret_taint;
    const char *made[PY_MAX_PATHS], *fetched[PY_MAX_PATHS];
    unsigned made_count, fetched_count;
    bool has_sent_secret;
    bool is_cut; /* some bound was hit; told at the end, since scan_stop() stops everything that follows */
};

/* --- tree -----------------------------------------------------------------------------------------------------------
 */

uint32_t py_tree(struct py *p, TSNode root); /* the program's node; 0: none */
static inline struct ir_node *py_at(struct py *p, uint32_t node)
{
    return ir_at(&p->e, node);
}
static inline bool py_text_is(struct py *p, uint32_t node, const char *s)
{
    return span_is(ir_span(&p->e, node), s);
}
static inline struct fold_text py_inside(struct py *p, uint32_t node) /* of a text, between its quotes */
{
    const int64_t n = py_at(p, node)->number;
    return (struct fold_text){ p->ctx->text + (n >> 32), (uint32_t)n };
}

/* --- values and variables -------------------------------------------------------------------------------------------
 */

uint32_t py_intern(struct py *p, const char *s, uint32_t size);
uint32_t py_intern_node(struct py *p, uint32_t node);
uint32_t py_intern_name(struct py *p, uint32_t node); /* of the node's name */
const char *py_name_of(const struct py *p, uint32_t name);
uint32_t py_scope_new(struct py *p, uint32_t parent, int32_t function, int32_t class); /* 0: no memory */
void py_set(struct py *p, uint32_t scope, uint32_t name, struct py_value v);
const struct py_value *py_get_in(const struct py *p, uint32_t scope, uint32_t name);
struct py_value py_lookup(struct py *p, uint32_t name);
void py_bind(struct py *p, uint32_t name, struct py_value v); /* assigns in the current scope, minding `if` */

struct py_value py_unknown(uint32_t taint);
struct py_value py_str(struct fold_text t, uint32_t taint);
struct py_value py_const(const char *s, uint32_t taint);
struct py_value py_int(int64_t v);
struct py_value py_named(struct py *p, const char *name, uint32_t taint); /* borrows name */
struct py_value py_object(const char *name, uint32_t taint);
struct py_value py_list_new(struct py *p);
bool py_list_add(struct py *p, struct py_value list, struct py_value item);
void py_list_add_all(struct py *p, struct py_value list, struct py_value from); /* from: a list, too */
struct py_value py_pair(struct py *p, struct py_value a, struct py_value b);    /* a list, or unknown */
struct py_value py_partial(struct py *p, struct py_value function, struct py_value first);
struct py_value py_reversed(struct py *p, struct py_value list);
struct py_value py_iter_of(struct py *p, struct py_value item);
/* The values that a loop over it gives, one after the other; none: not known, or more than `most`. */
uint32_t py_turns(struct py_value v, uint32_t most);
struct py_value py_turn(struct py_value v, uint32_t i);
struct fold_text py_text(struct py_value v);                       /* of V_STR */
bool py_is_str(struct py_value v);                                 /* known entirely */
const char *py_dotted(struct py *p, const char *a, const char *b); /* "a.b", in its usual spelling; NULL: too long */
const char *py_usual_name(const char *name);
bool py_is_dangerous_module(const char *name);
static inline bool py_is_process(const char *name) /* an object whose text is its command */
{
    return str_starts(name, "subprocess.Popen") || str_starts(name, "asyncio.create_sub") ||
           str_starts(name, "os.popen");
}

/* --- evaluation -----------------------------------------------------------------------------------------------------
 */

struct py_value py_eval(struct py *p, uint32_t node);
struct py_value py_eval_string(struct py *p, uint32_t node);
struct py_value py_json(struct py *p, struct fold_text t); /* unknown: none */
struct py_value py_json_text(struct py *p, struct py_value v);
struct py_value py_quoted(struct py *p, struct py_value s); /* as a shell reads it */
struct py_value py_words(struct py *p, struct fold_text t); /* as a shell splits them */
struct py_value py_dedent(struct py *p, struct py_value s);
struct py_value py_substitute(struct py *p, struct py_value template, const struct py_call *c);
void py_set_member(struct py *p, struct py_value object, uint32_t name, struct py_value v); /* of an object of ours */
struct py_value py_binary(struct py *p, char op, struct py_value a, struct py_value b);     /* ir_python.c's sign */
struct py_value py_percent(struct py *p, struct py_value format, struct py_value args);
struct py_value py_format(struct py *p, struct py_value format, const struct py_call *c);
struct py_value py_as_text(struct py *p, struct py_value v); /* str(v), «{}» for what is not known */
struct py_value py_attribute(struct py *p, uint32_t node, struct py_value object, const char *name, uint32_t taint);
struct py_value py_item(struct py *p, uint32_t node, struct py_value object, struct py_value key);
struct py_value py_element(struct py *p,
                           struct py_value iterable); /* what a loop over it gives, when it gives no constants */
struct py_value py_str_method(struct py *p, struct py_value s, const char *method, struct py_call *c, bool *ret_known);
struct py_value py_list_method(struct py *p, struct py_value l, const char *method, struct py_call *c, bool *ret_known);
struct py_value py_call(struct py *p, uint32_t node);
struct py_value py_apply(struct py *p, struct py_call *c); /* a call whose callee and arguments are values */
struct py_value py_enter(struct py *p, uint32_t function, struct py_value self, struct py_call *c);
struct py_value py_module(struct py *p, uint32_t node, const char *name, bool is_dynamic);
struct py_value py_eval_part(struct py *p, uint32_t node); /* of a longer name or call: makes no FACT_NAME */
struct py_value py_environ(struct py *p, uint32_t node, struct py_value key);
uint32_t py_nodes_in(struct py *p, uint32_t node);               /* it and what is below it: node, node + 1 ... */
bool py_may_repeat(struct py *p, uint32_t node, uint32_t times); /* charges for running it again */
void py_function_new(struct py *p, uint32_t node, uint32_t name, int32_t class, struct py_value *ret);
struct py_value py_statement(struct py *p, uint32_t node);
struct py_value py_group(struct py *p, uint32_t node); /* all of its parts */
void py_assign(struct py *p, uint32_t target, struct py_value v);
void py_body_of(struct py *p, uint32_t function);

/* A keyword's or, failing that, position's argument; V_UNKNOWN when absent. position -1: keyword only. */
const struct py_value *py_arg(const struct py_call *c, int position, const char *keyword);

/* --- facts ----------------------------------------------------------------------------------------------------------
 */

void py_fact(struct py *p, enum fact_kind kind, uint32_t node, const char *name, bool is_dynamic);
void py_fact_call(struct py *p, const struct py_call *c);
void py_fact_string(struct py *p, uint32_t node, struct fold_text t);
/* name, then up to 3 arguments, NULL: not known */
void py_flow(struct py *p, uint32_t node, const char *name, const char *a, const char *b);
const char *py_show(struct py *p, struct py_value v); /* an argument as text; NULL: not known */
uint32_t py_line_taint(struct py_value v);

/* --- known functions ------------------------------------------------------------------------------------------------
 */

typedef struct py_value py_handler(struct py *p, struct py_call *c, enum effect how);
void py_read_by_name(struct py *p, struct py_call *c, const char *name);
py_handler py_do_file, py_do_path, py_do_process, py_do_net, py_do_code, py_do_decode, py_do_fold, py_do_reflect,
    py_do_env;
const char *py_path_text(struct py *p, struct py_value v, const struct py_call *c); /* NULL: not known at all */
