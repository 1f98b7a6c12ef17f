/* nodes_api.h - the nodes that share this store, as one object of JSON each: GET /nodes and `fleet status --json`. */
#pragma once
#include "base/buf.h"

struct call;
struct http_answer;
struct node;

#define NODE_SILENT_MS 5000u /* a node says every second that it lives */

const char *node_state(const struct node *n); /* in use, drained, silent, cut off */
void node_put(struct buf *b, const struct node *n);
void nodes_list(struct call *c, struct http_answer *a);
