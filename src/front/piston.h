/* piston.h - Piston's interface (v2), for its own clients without a change (docs/piston.md).
 *
 * A front, and thin: POST /api/v2/execute is one execution of our own interface (inner.h), GET /api/v2/runtimes the
 * languages that there are. Its clients show no key, so it listens at a place of its own, and what comes there has the
 * rights of the key that endpoints.piston.key names, by its id: keys, roles, agents, trust, scan, limits, records and
 * audit are those of every other client. Whatever reaches that place may use the key, so it lies on loopback unless
 * endpoints.piston.allow_remote is true.
 *
 * An answer that is no success is one of ours until the end, where it is reworded: {message}.
 */
#pragma once
#include "daemon/service.h"

struct piston;
struct piston *piston_new(void);              /* NULL: no memory */
struct piston *piston_free(struct piston *p); /* no request may be under way; accepts NULL, returns NULL */

/* Listens where the configuration of the start says so: *ret, or NULL where it is switched off. like: of the service's
 * own server, whose limits are these, too. */
int piston_listen(struct service *v, const struct http_options *like, struct http_server **ret, struct error *err);

/* Whether a version is one of those that are asked for as SemVer has it: «3», «3.11.x», «^3.1», «~1.19», «>=18 <21»,
 * «1 || 2», «*». */
bool piston_version_is(const char *has, const char *wanted);
