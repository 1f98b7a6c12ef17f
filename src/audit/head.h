/* head.h - the head of the chain: which line was the last, kept apart from the file.
 *
 * <state>/audit-XXXXXXXXXXXXXXXX.head, one for each log directory (the digits are a hash of its path), written in place
 * after each line. Behind the file: a writer died between line and head; the next one moves it on. Ahead of the file:
 * lines are gone from its end.
 */
#pragma once
#include "audit/audit.h"

/* Opens it, or makes it empty when `may_create`. The descriptor, or -errno. */
int head_open(int key_dir, const char *log_dir, bool may_create);
/* 1: there. 0: empty or damaged. -errno. */
int head_read(int fd, struct audit_head *ret);
int head_write(int fd, const struct audit_head *h);
