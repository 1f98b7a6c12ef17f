/* compose.h - an event as the body of a line: everything but the hash. */
#pragma once
#include "audit/audit.h"

/* 0, or -EBADMSG (blame us) when e->extra is no JSON. The body never exceeds AUDIT_LINE_MAX less the tail: texts are
 * cut («…» at their end), extra that is too long is replaced by "extra_omitted_bytes". */
int compose_line(struct buf *b, const struct audit_event *e, uint64_t sequence, struct error *err);
