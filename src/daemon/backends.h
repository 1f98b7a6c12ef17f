/* backends.h - GET /capabilities: which backends there are, and whether a run would reach what it needs. Looks, starts
 * nothing, and takes BACKENDS_PATIENCE_MS at most. */
#pragma once
#include "daemon/service.h"

#define BACKENDS_PATIENCE_MS \
    500u /* for an engine's socket that accepts no connection; one that lives takes a connection at once */

/* The member «backends»: [{name, is_default, available, reason}] */
void backends_put(struct service *v, const struct config *c, struct buf *out);
