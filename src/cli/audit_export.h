/* audit_export.h - lines of the audit for other programs: as they are (they are ECS), or as CSV. One line after the
 * other, in bounded memory. */
#pragma once
#include "audit/line.h"

enum export_format { EXPORT_ECS, EXPORT_CSV };
extern const char *const export_formats[]; /* "ecs", "csv", NULL */

/* The columns' names, where the format has such a line. */
void export_begin(enum export_format f, struct buf *out);
/* With its newline. A cell of CSV is quoted, has no control characters, and never begins as a formula does. */
void export_line(enum export_format f, const char *line, size_t size, const struct audit_line *l, struct buf *out);
