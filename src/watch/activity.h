/* activity.h - what a run did, summed up from its events: for the result and the audit (logging.audit_syscalls).
 *
 * Equal things are counted, not listed again. Each list is bounded; what did not fit is counted in `omitted`. Of CPU,
 * memory and tasks over time there are at most 64 points, each of one or more of the launcher's samples. Pure.
 */
#pragma once
#include "watch/event.h"

struct activity; /* allocated once, about 250 KiB at most; pages that are not needed are not touched */
struct activity *activity_new(void); /* NULL: no memory */
struct activity *activity_free(struct activity *a);
void activity_add(struct activity *a, const struct watch_event *e);
/* One JSON object; at most max_items (1 or more) of each list. `processes` names its program by its place in
 * `programs`, and its parent by the pid inside: the nearest that asked for something. */
void activity_print(const struct activity *a, uint32_t max_items, struct buf *out);
