/* record.h - a recording of a run's events: one line of JSON each, for `watch replay`, test data and bug reports.
 *
 *   {"at_us":1204113,"kind":"connect","pid":4711,"verdict":"refused","protocol":6,"address":"10.0.0.1","port":22,"text":"private
 * address 10.0.0.1"}
 *
 * Members that are zero or absent are left out. Texts of the sandbox's are bytes, not characters: each byte beyond
 * printable ASCII is \u00XX, so a line is ASCII, and what is read back is exactly what was written: replayed detectors
 * see what live ones saw. Calls are named; numbers differ between machines. Reading is strict: no other members, no
 * other forms, no blank lines.
 */
#pragma once
#include "watch/event.h"

#define RECORD_LINE_MAX (16u * 1024u)

/* Appends the line, its end included. */
int record_write(struct buf *out, const struct watch_event *e);

struct record { /* an event with what its texts point to; do not copy */
    struct watch_event event;
    char text[WATCH_TEXT_MAX], name[WATCH_TEXT_MAX], argv[WATCH_ARGV_MAX];
};
/* One line without its end. 0, or BLAME_CALLER: what about it is wrong. */
int record_read(const char *line, size_t size, struct record *ret, struct error *err);
