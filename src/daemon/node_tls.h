/* node_tls.h - which node has passed a request on: it shows a certificate (fleet.certificate), as the node that is
 * asked does.
 *
 * A node is known by the name in its address: its certificate is of that name, and fleet.ca_file has signed it. So a
 * thief of one node cannot speak for another one, and a node that is cut off, or was silent for long, is no node.
 */
#pragma once
#include "daemon/routes.h"

/* fleet.certificate, fleet.key and what they need; -EINVAL and others (BLAME_CALLER) say what is missing. Reads the
 * authorities, for http_options.tls_authorities: *ret_authorities is the arena's, NULL where there is no
 * fleet.certificate. */
int node_tls_load(const struct config *c, struct arena *a, const char **ret_authorities, struct error *err);
/* False: the request says that a node has passed it on, and none that we know did: a has the refusal
 * (503: whoever asked that node is not to blame). */
bool node_tls_admits(struct call *c, struct http_answer *a);
