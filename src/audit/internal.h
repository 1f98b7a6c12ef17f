/* internal.h - between the files of the writer. The lock is held in all of these.
 *
 *   audit.c    open, lock, write          append.c   one line, a file's first lines, signatures, rotation
 *   recover.c  what the head and the file say, and what to do when they disagree
 *   sync.c     who brings lines to the disk
 */
#pragma once
#include "audit/audit.h"

/* Makes a->fd and a->head agree with what is there; repairs and tells about it (recover.c). */
int audit_refresh(struct audit *a, struct error *err);
/* Opens the current file: 0, 1 when there is none (a->fd is -1 then), or an error. */
int audit_open_file(struct audit *a, bool create, struct error *err);

/* One line; moves the head on. */
int audit_append(struct audit *a, const struct audit_event *e, struct error *err);
/* What ends bytes that were cut and are no line. With a newline alone, which may be all that it lacks, a line of the
 * chain would be there after all. */
#define AUDIT_CUT_END " \n"
/* The same behind such bytes: their end comes first, and with the line or not at all; the head's offset is behind it
 * already. */
int audit_append_behind(struct audit *a, const struct audit_event *e, struct error *err);
/* The first two lines of a new file: what it continues, and a signature. */
int audit_begin(struct audit *a, struct error *err);
int audit_sign(struct audit *a, struct error *err);
int audit_rotate(struct audit *a, struct error *err);

/* Leaves that wait go into audit.tree. */
void audit_grow_tree(struct audit *a);

/* After lines were written and the lock released. */
int audit_sync_lines(struct audit *a, struct error *err);
/* The same error everywhere. */
int audit_fail(const struct audit *a, int code, const char *what, struct error *err);
