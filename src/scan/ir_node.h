/* ir_node.h - the inside of JavaScript's part of the evaluation (eval.h): ir_node.c lowers it and knows its names,
 * node_fold.c knows the functions that only compute, node_effect.c what the others do. */
#pragma once
#include "scan/embedded.h"
#include "scan/eval.h"

#define NODE_MAX_NAME 160u /* a longer dotted name is not known */

/* What a program has done so far; eval.own. */
struct node {
    const char *written; /* the last path that received data was written to */
    bool has_told_exfiltration, has_listed;
    struct embedded_word started[EMBEDDED_MAX_WORDS]; /* the last command, whose input may be written to later */
    unsigned started_count;
    uint32_t outside; /* 1 + the place of a call of the program's own function with / or the home directory */
};
static inline struct node *node_own(struct eval *e)
{
    return e->own;
}

struct tv node_call(struct eval *e, struct call *k);
struct tv node_parameter(struct eval *e, const struct call *k, unsigned n);
struct tv node_element(struct eval *e, struct tv list);
void node_loop(struct eval *e, uint32_t loop);
void node_finish(struct eval *e);

struct tv node_module(struct eval *e, const char *name);
struct tv node_of(struct eval *e, struct tv object, struct span name);
struct tv node_character(struct eval *e, struct tv text, size_t at);
/* A call of a method that only computes: split, join, reverse, Buffer.from ...; false: not one of them. */
bool node_fold(struct eval *e, const struct call *k, struct tv *ret);
bool node_is_loader(const struct call *k); /* require, import */
void node_look_into_import(struct eval *e, const struct call *k);
/* Emits the flows of a call and gives the taint of its result. */
uint32_t node_judge(struct eval *e, struct call *k);

static inline bool node_does(const struct call *k, enum effect does)
{
    return effects_has(&k->does, does);
}
static inline void node_look_up(struct call *k)
{
    k->does = k->value.kind == TV_PATH ? effects_of(LANG_NODE, k->value.text, strlen(k->value.text))
                                       : (struct effects){ 0 };
}
/* A text where it stands in the program, so that what is found in it has its place. */
static inline struct embedded_word node_place(struct eval *e, struct tv v)
{
    const size_t size = strlen(v.text);
    return (struct embedded_word){ v.number > 0 ? e->c->text + v.number - 1 : v.text, size };
}
static inline struct tv node_argument(const struct call *k, unsigned n)
{
    return n < k->n ? k->args[n] : tv_unknown(0);
}
static inline struct span node_span(struct eval *e, const struct call *k, unsigned n)
{
    return n < k->n && k->nodes[n] ? ir_span(e, k->nodes[n]) : (struct span){ 0 };
}
