/* usage_view.h - the meter as command line and service show it: one form of words, of JSON and of CSV.
 *
 * Its numbers have the names and units of a run's result (cpu_ms, memory_mib_seconds, bytes_in, bytes_out), and are the
 * sums of theirs.
 */
#pragma once
#include "store/store.h"

#define USAGE_SINCE_MS (30 * LIMIT_DAY_MS) /* before now, where no begin is asked for */
#define USAGE_BY       "agent,day"         /* where no grouping is */
#define USAGE_MAX_ROWS 20000u              /* an answer with more is refused */

/* «agent», «key» and one of «hour», «day», «month», in any order, or «all»: of everything one row. 0, or -EINVAL
 * (BLAME_CALLER) that speaks of `name`. */
int usage_by(const char *name, const char *words, struct usage_ask *ret, struct error *err);
/* All pages of it: `each` for every row. */
int usage_read(int (*ask)(void *context, const struct usage_ask *r, struct usage_list *ret, struct error *err),
               void *context, struct usage_ask *r, void (*each)(struct buf *out, const struct usage_row *row),
               struct buf *out, struct error *err);
void usage_json_begin(struct buf *out, const struct usage_ask *r);
void usage_json_row(struct buf *out, const struct usage_row *row);
void usage_json_end(struct buf *out);
void usage_csv_begin(struct buf *out);
void usage_csv_row(struct buf *out, const struct usage_row *row);
