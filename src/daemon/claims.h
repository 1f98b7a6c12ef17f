/* claims.h - what waits for its turn on any node of the fleet is taken by this one when it has room
 * (fleet.share_queue).
 *
 * POST /executions writes the request beside the execution's row, before 202 is answered. The node that accepted it
 * begins it as ever when its turn comes. Until then any node with a free turn may take it: which of them has it, one
 * statement in the database decides (store_request_begin, store_request_take), so that it is begun once. The node that
 * accepted it then forgets it, and asks the other one like any other execution of another node (pass_on.h).
 */
#pragma once
#include "daemon/service.h"

struct claims;
/* Looks four times a second. *ret NULL: there are no nodes, or it is not wanted. */
int claims_start(struct service *v, struct claims **ret, struct error *err);
struct claims *claims_stop(struct claims *c); /* accepts NULL, returns NULL */
struct request_claim;
/* One that store_request_begin() or store_request_take() gave, and that is not run: refused, or NULL: killed on
 * request.
 */
void claims_end(struct service *v, const struct request_claim *k, const struct error *why);
