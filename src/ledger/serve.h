/* serve.h - a message to the store becomes its answer: sandbox-ledger reads messages from a socket. Requests are
 * checked as if the client were hostile.
 */
#pragma once
#include "store/message.h"

struct ledger_server {
    struct store *store; /* NULL: could not be opened, and why is in `error` */
    struct error error;
    union ledger_any_request request;
    union { /* large */
        struct agent agent;
        struct agent_why why;
        struct agent_list agents;
        struct trust_history history;
        struct usage_list usage;
        struct reserve_reply reserve;
        struct settle_reply settle;
        struct limit_counts counts;
        struct recovered_list recovered;
        struct key_list keys;
        struct ledger_number number;
    } reply;
};

/* *reply is initialised already, with LEDGER_MAX_MESSAGE. */
void ledger_serve(struct ledger_server *v, const void *message, size_t size, struct buf *reply);

/* What a program is that has the database for the one client at descriptor LEDGER_CLIENT: sandbox-ledger, and sandboxd
 * under that name. */
#define LEDGER_CLIENT 3
bool ledger_has_client(uint64_t *ret_pid); /* 0: it is not known */
void ledger_confine(void);
int ledger_loop(struct ledger_server *v); /* -> the exit code */
