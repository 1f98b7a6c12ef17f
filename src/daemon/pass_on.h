/* pass_on.h - a request for what another node of the fleet has: asked of that node, with the caller's own key.
 *
 * The node that is asked first lets the caller in, looks whose the execution (or the session: its sandbox's execution
 * has its id) is, and passes the request on; the owner lets the caller in once more, and decides alone. So no node
 * gains a right, and a key that may not see an execution here does not reach the owner. One hop: what was passed on is
 * never passed on again, and whoever forges that mark gets the answer of this node alone.
 */
#pragma once
#include "daemon/routes.h"

/* True: there is an answer, or one is on its way (a->feed: the body goes there as it comes). False: it is for this node
 * to answer. c->caller is let in. */
bool pass_on(struct call *c, const struct route *r, struct http_answer *a);
/* A run that was refused here since its level is not this node's (fleet.levels): the same to a node that takes it.
 * False: the refusal is the answer (a front's request, one that was passed on already, a caller without a key, no such
 * node). */
bool pass_on_level(struct call *c, int level, struct http_answer *a);
/* To this node, by its name or as content_node_word() has it. False: there is no such node that was heard of within a
 * day and is not cut off; true also where it is away (503). */
bool pass_on_node(struct call *c, const char *node, struct http_answer *a);
/* The node that says it has passed this request on, for the audit; NULL: none, or one of before it said so. */
const char *pass_on_via(const struct http_request *q, struct arena *arena);
/* Whether a node is asked at this address. */
bool pass_on_may_ask(const struct call *c, const char *address);
/* The request's body has come: whether it was passed on, and then the answer. */
bool pass_on_ended(struct call *c, struct http_answer *a);
/* fleet.address: -EINVAL (BLAME_CALLER) for one that no node would ask. */
struct config;
int pass_on_check(const struct config *c, struct error *err);
