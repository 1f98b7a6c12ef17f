/* ports_api.h - /sessions/{id}/ports/{n}/…: a server inside a session, reached from outside (docs/sessions.md).
 *
 * The connection begins inside (steward/port.c), the rest is one request and its answer (port_proxy.h). What comes from
 * inside must not be taken for the service's own word, nor for a page of its origin: docs/sessions.md has the rules.
 */
#pragma once
#include "daemon/service.h"

#define PORT_CONNECTIONS_MAX 256u /* of one session, at a time */

void ports_pass(struct call *c, struct http_answer *a);
/* What an error of a port is answered with: 502 and 504 are for the server inside; what the session's sandbox or this
 * service fails to do is 503. */
enum answer_code ports_answer_code(const struct error *err);
