/* ir.h - one intermediate representation for the languages that are evaluated: what a syntax tree says, without how a
 * language spells it.
 *
 * A front end (ir_go.c, ir_rust.c, ir_node.c, ir_python.c, bash.c) is a table from the grammar's node kinds to
 * operations, and a few functions for what has another shape there: imports, literals, the tokens of macros. ir_lower()
 * walks the tree once, by cursor. A node's parts are in source order, and that is the order in which eval.c evaluates
 * them; what a part is to its parent is its role. Anonymous nodes, comments and what no process needs are not there,
 * and a group with one part is that part.
 *
 * The contract: names and keys (ROLE_NAME) are leaves and are never evaluated by themselves. Texts are decoded, numbers
 * parsed. A node's bytes are of the program, so that facts have their place and names can be kept as places. Nodes
 * nested deeper than SCAN_MAX_DEPTH or beyond IR_MAX_NODES are left out, and the scan counts as cut.
 */
#pragma once
#include "scan/resolver.h"

enum ir_op {
    IR_NONE, /* nothing; its value is not known */
    /* groups: all parts are evaluated, names and types among them; they differ in their value */
    IR_ONLY,       /* the value of the only part */
    IR_FIRST,      /* the first that is known */
    IR_LAST,       /* the last: a block */
    IR_STATEMENTS, /* none */
    IR_TUPLE,      /* several values, for as many names */
    IR_GROUPS_END,
    IR_ALL, /* the only part, with what all parts are worth; sign: the front end's */
    /* expressions */
    IR_TEXT, /* sign c: a character, which is no fact; v: as it stands in the program, between quotes */
    IR_NUMBER,
    IR_NAME,
    IR_MEMBER,  /* an object, NAME */
    IR_SCOPED,  /* a path, NAME: std::fs; sign t: of a type */
    IR_TYPE,    /* a type by its name */
    IR_GENERIC, /* types: what is in the brackets, where that is known, else the outer one */
    IR_CALL,    /* OF, ARGS */
    IR_MACRO,   /* OF, ARGS */
    IR_ARGS,
    IR_SPREAD,        /* a list as so many arguments; sign k: kept together */
    IR_BINARY,        /* LEFT, RIGHT; sign: the operator, 0: one of two characters */
    IR_UNARY,         /* sign */
    IR_INDEX,         /* a list, an index */
    IR_SLICE,         /* a text, START, END */
    IR_LIST,          /* where names are bound: for a list's items */
    IR_RECORD,        /* an object: pairs, SPREAD, methods; where names are bound: for its fields */
    IR_TEMPLATE,      /* texts and values, put together */
    IR_EITHER,        /* CONDITION, LEFT, RIGHT: what is known; sign &: rather the right one, ?: no text of its own */
    IR_DEFAULT,       /* where names are bound: LEFT, RIGHT for want of a value */
    IR_NEW,           /* TYPE, BODY: an object with its fields, or a list */
    IR_PAIR,          /* NAME, or START that is evaluated; a value: a field of an object */
    IR_CAST,          /* a value, TYPE */
    IR_CLOSURE,       /* parameters, a body */
    IR_COMPREHENSION, /* BODY, EACH, conditions */
    IR_MATCH,         /* a value, arms: the first arm of which something is known */
    IR_ARM,           /* names for that value, a body */
    /* statements */
    IR_ASSIGN,   /* LEFT names or members, the values; sign: a compound's operator */
    IR_DECLARE,  /* LEFT names, TYPE, the values */
    IR_EACH,     /* LEFT names, a list, BODY; sign i: the first of two names is the index */
    IR_FIELD,    /* LEFT names, TYPE: of a declaration */
    IR_PARAM,    /* LEFT names, TYPE */
    IR_TYPEDEF,  /* NAME, TYPE */
    IR_FUNCTION, /* NAME, parameters, BODY; sign b: binds its name for the file */
    IR_MODULE,   /* NAME, BODY */
    IR_LOOP,     /* sign e: without end */
    IR_BRANCH,   /* CONDITION, what may run or not; branches among its parts are no part of that */
    IR_RETURN,
    IR_BREAK,
    IR_WAIT,
    IR_THREAD, /* its parts run beside what follows; of a shell: without parts, what stands before it does */
    IR_IMPORT, /* text: what; NAME: as what; sign *: all of it, .: all of it by plain names, =: no fact */
    IR_NOTE,   /* text: a name that is a fact by itself; sign f: a flow */
    /* only in tables: the parts as the parent's own, the language's own lowering, not there at all */
    IR_PARTS,
    IR_CUSTOM,
    IR_DROP,
};

enum ir_role {
    ROLE_NONE,
    ROLE_NAME,
    ROLE_OF,
    ROLE_ARGS,
    ROLE_LEFT,
    ROLE_RIGHT,
    ROLE_TYPE,
    ROLE_BODY,
    ROLE_START,
    ROLE_END,
    ROLE_OPERATOR,
    ROLE_PARAMS,
    ROLE_CONDITION,
    ROLE_ELSE,
};

struct ir_node {
    uint8_t op, role;
    char sign;
    bool is_part;         /* of an expression that is told as a whole */
    uint32_t start, end;  /* bytes of the program */
    uint32_t first, next; /* indices; 0: none */
    union {
        const char *text; /* in the scan's arena */
        int64_t number;
    };
};

#define IR_MAX_NODES 400000u

struct ir_rule {
    const char *kind; /* the grammar's; sorted */
    uint8_t op;
    char sign;
};

struct eval;
struct ir {
    struct ir_node *nodes;
    uint32_t count, size, depth;
    TSTreeCursor cursor;
    uint8_t rules[512], roles[64]; /* by symbol: 1 + the rule's index; by field */
};

/* The whole tree; 0: no memory. Nodes are the evaluation's, which frees them. */
uint32_t ir_lower(struct eval *e, TSNode root);

/* --- for front ends: at the cursor --- */

/* The node at the cursor; 0: it is dropped, or too deep. */
uint32_t ir_here(struct eval *e);
/* A new node with that place, without parts; 0: no memory. */
uint32_t ir_new(struct eval *e, uint8_t op, uint32_t start, uint32_t end);
uint32_t ir_leaf(struct eval *e, uint8_t op);
void ir_add(struct eval *e, uint32_t parent, uint32_t *last, uint32_t part, uint8_t role);
/* All parts of the cursor's node as the table says. */
void ir_parts(struct eval *e, uint32_t node, uint32_t *last);
/* Which rule is the cursor's node's; NULL: none. */
const struct ir_rule *ir_rule_here(struct eval *e);
uint8_t ir_role_here(struct eval *e);
