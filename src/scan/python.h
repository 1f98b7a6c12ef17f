/* python.h - inside the Python resolver: an interpreter that knows only constants, names and where things came from.
 *
 * ir_python.c lowers the tree (ir.h), eval.h walks it, with names and values as everywhere. What Python means otherwise
 * is here: statements are walked in the order in which they would run (python_stmt.c), expressions become values
 * (python_expr.c), calls to known functions are computed when they are harmless and observed when they are not
 * (python_call.c; effect.h says which).
 * Both branches of an `if` are taken, loops over constants are run a few times, functions are entered at their calls,
 * and once with unknown arguments when no process calls them.
 *
 * Memory but for names is the struct fold_mem of one resolution; what facts carry is copied into the scan's arena.
 * Every way down counts in the evaluation's `depth`, every node evaluated in scan_stop().
 */
#pragma once
#include "scan/eval.h"
#include "scan/fold.h"
#include "scan/resolver.h"

/* --- values ---------------------------------------------------------------------------------------------------------
 */

enum py_taint { /* where a value came from, or what it is about */
                T_NET = TAINT_NET,
                T_SECRET = TAINT_SECRET,
                T_DECODED = TAINT_DECODED,
                T_SOCKET = TAINT_SOCKET,
                T_WALK = TAINT_WALK,
                T_OWN = TAINT_TEMP,    /* ... or one that this program made */
                T_MYSELF = TAINT_SELF, /* this program's own file */
                T_ENV = TAINT_ENVIRON,
                T_ENV_KEY = TAINT_CREDENTIAL,
                T_FAR = 1 << 16,       /* that listing is of / or of a process's home */
                T_LOOP = 1 << 17,      /* changes with each turn of a loop */
                T_INPUT = 1 << 18,     /* argv, input(), stdin */
                T_COMPUTED = 1 << 19,  /* put together, not written down */
                T_SELF = 1 << 20,      /* this process, or a child that it made */
                T_PID = 1 << 21,       /* a process's process id */
                T_HARDLY = 1 << 22,    /* partly known: «{}» stands for the rest */
                T_HUGE = 1 << 23,      /* a gigabyte and more */
                T_LARGE = 1 << 24,     /* longer than we fold */
                T_CLIPBOARD = 1 << 25, /* screen, keyboard, microphone, clipboard */
                T_REQUEST = 1 << 26,   /* what a client asks of a server: a request's query, body, headers */
};
#define T_ORIGIN                                                                                                     \
    (T_DECODED | T_NET | T_SECRET | T_ENV | T_ENV_KEY | T_WALK | T_FAR | T_LOOP | T_INPUT | T_MYSELF | T_CLIPBOARD | \
     T_REQUEST)

struct py_list {
    struct tv *items;
    uint32_t count, cap;
    bool is_open; /* more may be in it */
};

#define PY_MAX_ITEMS 8192u
#define PY_MAX_NAME  160u
#define PY_MAX_ARGS  12u
#define PY_MAX_PATHS 16u

struct py_call {
    uint32_t node, args_node;
    struct tv callee;
    const char *name; /* resolved, or NULL */
    struct tv args[PY_MAX_ARGS];
    const char *keys[PY_MAX_ARGS]; /* NULL: positional; "*" and "**": splats */
    unsigned count, positional;
    uint32_t taint; /* of all arguments */
};

struct py_function {
    uint32_t node;    /* function_definition or lambda */
    uint32_t scope;   /* where it was defined */
    const char *name; /* NULL: lambda */
    int32_t class;    /* -1 */
    uint8_t runs;
    bool is_running, is_worth;
    struct tv result;
};
struct py_class {
    uint32_t scope;
    struct tv base; /* the first base that is known */
};
struct py_scope {
    uint32_t parent;
    int32_t function, class;
};

struct py {
    struct fold_mem mem;
    struct eval *e;
    uint32_t again; /* evaluations left for running code more than once */

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
    struct tv *result;       /* of the function that is running */
    uint64_t *emitted;       /* what was said already, by hash */
    uint32_t emitted_size, emitted_count;

    /* what the program was seen to do */
    uint32_t seen_secret, seen_send; /* nodes; 0: not */
    uint32_t secret_taint;
    const char *made[PY_MAX_PATHS], *fetched[PY_MAX_PATHS];
    unsigned made_count, fetched_count;
    bool has_sent_secret;
};

/* --- tree -----------------------------------------------------------------------------------------------------------
 */

const struct ir_language *py_language(void);
bool py_begin(struct eval *e);
void py_finish(struct eval *e);
struct tv py_own(struct eval *e, uint32_t node);
static inline struct ir_node *py_at(struct py *p, uint32_t node)
{
    return ir_at(p->e, node);
}
static inline bool py_text_is(struct py *p, uint32_t node, const char *s)
{
    return span_is(ir_span(p->e, node), s);
}
static inline struct fold_text py_inside(struct py *p, uint32_t node) /* of a text, between its quotes */
{
    const int64_t n = py_at(p, node)->number;
    return (struct fold_text){ p->e->c->text + (n >> 32), (uint32_t)n };
}

/* --- values and variables -------------------------------------------------------------------------------------------
 */

bool py_room(struct py *p, void *items, uint32_t count, uint32_t *cap, size_t size, uint32_t most);
/* A name, each once; NULL: too long. */
const char *py_intern(struct py *p, const char *s, uint32_t size);
const char *py_intern_node(struct py *p, uint32_t node);
const char *py_intern_name(struct py *p, uint32_t node);                               /* of the node's name */
uint32_t py_scope_new(struct py *p, uint32_t parent, int32_t function, int32_t class); /* 0: no memory */
void py_set(struct py *p, uint32_t scope, const char *name, struct tv v);
struct tv py_get_in(struct py *p, uint32_t scope, const char *name, bool *ret_found);
struct tv py_lookup(struct py *p, const char *name);
void py_bind(struct py *p, const char *name, struct tv v); /* assigns in the current scope, minding `if` */

struct tv py_str(struct fold_text t, uint32_t taint);
struct tv py_made(struct fold_out *o, uint32_t taint, uint32_t otherwise); /* taints of the text, and of none */
struct tv py_const(const char *s, uint32_t taint);
struct tv py_named(const char *name, uint32_t taint); /* borrows name */
struct tv py_object(const char *name, uint32_t taint);
struct tv py_thing(const char *name, struct fold_text of, uint32_t taint); /* an object of that path, host, text */
struct tv py_path(struct fold_text path, uint32_t taint);
struct tv py_list_new(struct py *p);
bool py_list_add(struct py *p, struct tv list, struct tv item);
void py_list_add_all(struct py *p, struct tv list, struct tv from); /* from: a list, too */
struct tv py_pair(struct py *p, struct tv a, struct tv b);          /* a list, or unknown */
struct tv py_partial(struct py *p, struct tv function, struct tv first);
struct tv py_reversed(struct py *p, struct tv list);
struct tv py_iter_of(struct py *p, struct tv item);
/* The values that a loop over it gives, one after the other; none: not known, or more than `most`. */
uint32_t py_turns(struct tv v, uint32_t most);
struct tv py_turn(struct tv v, uint32_t i);
struct fold_text py_text(struct tv v);                             /* of TV_TEXT */
bool py_is_str(struct tv v);                                       /* known entirely */
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

struct tv py_eval(struct py *p, uint32_t node);
struct tv py_eval_string(struct py *p, uint32_t node);
struct tv py_json(struct py *p, struct fold_text t); /* unknown: none */
struct tv py_json_text(struct py *p, struct tv v);
struct tv py_quoted(struct py *p, struct tv s);       /* as a shell reads it */
struct tv py_words(struct py *p, struct fold_text t); /* as a shell splits them */
struct tv py_dedent(struct py *p, struct tv s);
struct tv py_substitute(struct py *p, struct tv template, const struct py_call *c);
void py_set_member(struct py *p, struct tv object, const char *name, struct tv v); /* of an object of ours */
struct tv py_binary(struct py *p, char op, struct tv a, struct tv b);              /* ir_python.c's sign */
struct tv py_codec(struct py *p, struct tv s, struct tv how, uint32_t taint);      /* how: its name */
struct tv py_percent(struct py *p, struct tv format, struct tv args);
struct tv py_format(struct py *p, struct tv format, const struct py_call *c);
void py_add_path(struct fold_out *o, struct fold_text part); /* an absolute one replaces what is there */
struct tv py_as_text(struct py *p, struct tv v);             /* str(v), «{}» for what is not known */
struct tv py_attribute(struct py *p, uint32_t node, struct tv object, const char *name, uint32_t taint);
struct tv py_item(struct py *p, uint32_t node, struct tv object, struct tv key);
struct tv py_element(struct tv iterable); /* what a loop over it gives, when it gives no constants */
struct tv py_str_method(struct py *p, struct tv s, const char *method, struct py_call *c, bool *ret_known);
struct tv py_list_method(struct py *p, struct tv l, const char *method, struct py_call *c, bool *ret_known);
struct tv py_call(struct py *p, uint32_t node);
struct tv py_apply(struct py *p, struct py_call *c); /* a call whose callee and arguments are values */
struct tv py_enter(struct py *p, uint32_t function, struct tv self, struct py_call *c);
struct tv py_module(struct py *p, uint32_t node, const char *name, bool is_dynamic);
struct tv py_eval_part(struct py *p, uint32_t node); /* of a longer name or call: makes no FACT_NAME */
struct tv py_environ(struct py *p, uint32_t node, struct tv key);
uint32_t py_nodes_in(struct py *p, uint32_t node);               /* it and what is below it: node, node + 1 ... */
bool py_may_repeat(struct py *p, uint32_t node, uint32_t times); /* charges for running it again */
void py_function_new(struct py *p, uint32_t node, const char *name, int32_t class, struct tv *ret);
struct tv py_statement(struct py *p, uint32_t node);
struct tv py_group(struct py *p, uint32_t node); /* all of its parts */
void py_assign(struct py *p, uint32_t target, struct tv v);
void py_body_of(struct py *p, uint32_t function);

/* A keyword's or, failing that, position's argument; TV_UNKNOWN when absent. position -1: keyword only. */
const struct tv *py_arg(const struct py_call *c, int position, const char *keyword);

/* --- facts ----------------------------------------------------------------------------------------------------------
 */

void py_fact(struct py *p, enum fact_kind kind, uint32_t node, const char *name, bool is_dynamic);
void py_fact_call(struct py *p, const struct py_call *c);
void py_fact_string(struct py *p, uint32_t node, struct fold_text t);
/* name, then up to 3 arguments, NULL: not known */
void py_flow(struct py *p, uint32_t node, const char *name, const char *a, const char *b);
const char *py_show(struct py *p, struct tv v); /* an argument as text; NULL: not known */
uint32_t py_line_taint(struct tv v);

/* --- known functions ------------------------------------------------------------------------------------------------
 */

typedef struct tv py_handler(struct py *p, struct py_call *c, enum effect how);
void py_read_by_name(struct py *p, struct py_call *c, const char *name);
py_handler py_do_file, py_do_path, py_do_process, py_do_net, py_do_code, py_do_decode, py_do_fold, py_do_reflect,
    py_do_env;
const char *py_path_text(struct py *p, struct tv v, const struct py_call *c); /* NULL: not known at all */
