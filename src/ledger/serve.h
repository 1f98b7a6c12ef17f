/* serve.h - a message to the store becomes its answer: for sandbox-ledger, which reads messages from a socket, and for
 * the service, whose store is in its own process. Requests are checked as if who sends them were hostile. One caller at
 * a time.
 */
#pragma once
#include "store/message.h"

struct ledger_server {
    struct store *store; /* NULL: could not be opened, and why is in `error` */
    struct error error;
    struct agent_list agents; /* large */
    struct trust_history history;
    struct recovered_list recovered;
    struct key_list keys; /* large */
    struct usage_list usage;
    union ledger_any_request request;
    union {
        struct agent agent;
        struct agent_why why;
        struct reserve_reply reserve;
        struct settle_reply settle;
        struct limit_counts counts;
        struct ledger_number number;
    } reply;
};

/* *reply is initialised already, with LEDGER_MAX_MESSAGE. */
void ledger_serve(struct ledger_server *v, const void *message, size_t size, struct buf *reply);
