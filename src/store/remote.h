/* remote.h - the store behind a socket: sandbox-ledger owns the database, sandbox-agent asks.
 *
 * sandbox-agent is static and small and has no SQLite. The ledger is started as our child, early, so that it opens the
 * database on the other core; a verb is one message each way over a SOCK_SEQPACKET pair
 * (message.h). It ends when we do. A database that cannot be opened is told with the first answer. After a failure of
 * the way itself (the ledger died, or said nothing for a minute) every later call fails with -EPIPE.
 */
#pragma once
#include "store/service.h"

/* Starts PROGRAM on the database; does not wait for it, and leaves it to init or to the caller to reap. *ret may be
 * uninitialised; after a failure it is not open. What is answered goes into the arena. store_close() ends it. */
int store_start(struct store *ret, const char *program, const char *database, struct arena *a, struct error *err);
