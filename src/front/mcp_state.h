/* mcp_state.h - what the front keeps between messages: MCP sessions of clients that speak an older protocol, and the
 * calls that run.
 *
 * An MCP session is a name, given to a key: it says which calls belong to one client, so that a cancellation ends the
 * right one, and which sandbox session is meant where a call names none. Both are bounded, and the one that was unused
 * longest goes first: its client begins anew (404).
 */
#pragma once
#include "base/base.h"

#define MCP_SESSION_ID_SIZE   40u
#define MCP_SESSIONS_MAX      4096u
#define MCP_SESSIONS_OF_A_KEY 256u

struct mcp;
struct mcp *mcp_new(void);           /* NULL: no memory */
struct mcp *mcp_free(struct mcp *m); /* no call may run; accepts NULL, returns NULL */

/* False: no memory. */
bool mcp_session_begin(struct mcp *m, const char *key_id, char ret_id[static MCP_SESSION_ID_SIZE]);
bool mcp_session_is(struct mcp *m, const char *key_id, const char *id); /* there, and this key's; counts as used */
bool mcp_session_end(struct mcp *m, const char *key_id, const char *id);

/* A call, from its message to its answer. The owner's, and its strings borrowed. */
struct mcp_running {
    const char *key_id, *session_id, *id; /* session_id "": none */
    char execution_id[48];                /* "": it has not become one yet */
    bool is_cancelled;
    struct mcp_running *next;
};
void mcp_running_add(struct mcp *m, struct mcp_running *r);
void mcp_running_remove(struct mcp *m, struct mcp_running *r);
/* It became that execution. True: it was cancelled before. */
bool mcp_running_begun(struct mcp *m, struct mcp_running *r, const char *execution_id);
/* The call of that key, session and id is to end: its execution goes to ret; false: there is none (yet, or any more).
 */
bool mcp_running_cancel(struct mcp *m, const struct mcp_running *which, char ret[static 48]);
