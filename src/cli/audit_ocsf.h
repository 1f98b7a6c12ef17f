/* audit_ocsf.h - a line of the audit as an event of the Open Cybersecurity Schema Framework 1.3 (docs/audit.md has the
 * mapping as a table, which a test compares with the code's). Pure. */
#pragma once
#include "audit/line.h"

/* One JSON object without a newline. 0, or -EBADMSG: a member that the event needs is of another type. */
int ocsf_event(const char *line, size_t size, const struct audit_line *l, struct buf *out);
