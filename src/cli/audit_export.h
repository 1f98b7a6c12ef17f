/* audit_export.h - lines of the audit for other programs. One line after the other, in bounded memory. */
#pragma once
#include "audit/line.h"

/* ECS: the lines as they are. JSONL: the columns of CSV, one flat object a line. */
enum export_format { EXPORT_ECS, EXPORT_CSV, EXPORT_JSONL, EXPORT_OCSF };
extern const char *const export_formats[]; /* "ecs", "csv", "jsonl", "ocsf", NULL */

/* The columns' names, where the format has such a line. */
void export_begin(enum export_format f, struct buf *out);
/* With its newline. A cell of CSV is quoted, has no control characters, and never begins as a formula does. 0, or
 * -EBADMSG: a member is of another type than the format needs; nothing is added. */
int export_line(enum export_format f, const char *line, size_t size, const struct audit_line *l, struct buf *out);
