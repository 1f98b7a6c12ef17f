/* audit_api.h - GET /audit: lines of the audit as they stand in the file, by filters, page by page.
 *
 * The writer is not held up: what is read are the files. A page ends after `limit` lines, some MiB or some seconds, and
 * «next» says where the next one begins: a client that goes on reads everything, and no request holds the service for
 * long.
 */
#pragma once
#include "daemon/service.h"

/* Where the service's audit is, in the arena; NULL: it is not open. */
const char *audit_dir(struct service *v, struct arena *a);
void audit_list(struct call *c, struct http_answer *a);
/* The tree over its lines (audit/tree.h): GET /audit/checkpoint, /audit/consistency, /audit/inclusion, as text. */
void audit_checkpoint(struct call *c, struct http_answer *a);
void audit_consistency(struct call *c, struct http_answer *a);
void audit_inclusion(struct call *c, struct http_answer *a);
