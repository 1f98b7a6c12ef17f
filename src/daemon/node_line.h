/* node_line.h - a connection to another node of the fleet, by the address that it says of itself (fleet.address). */
#pragma once
#include "base/error.h"
#include "config/config.h"
#include "daemon/port_proxy.h"

/* Whether a node can be asked there: https://NAME or https://NAME:PORT, and http:// of this machine's loopback only.
 * What follows the scheme goes to *ret_host, borrowed; NULL: not wanted. */
bool node_address_is_good(const char *address, const char **ret_host);
/* Connects, with TLS where the address says so: the certificate must be of this name (fleet.ca_file), and ours is shown
 * (fleet.certificate). -EHOSTUNREACH (BLAME_HOST): not within max_ms, or it is not that node. */
int node_line_open(const char *address, const struct config *config, uint64_t max_ms, struct port_line *ret,
                   struct error *err);
/* For http_answer.tunnel_tls: its gnutls_session_t; NULL with *ret_is_plain: there is no TLS. NULL otherwise: libcurl's
 * TLS is another's. */
void *node_line_session(const struct port_line *l, bool *ret_is_plain);
