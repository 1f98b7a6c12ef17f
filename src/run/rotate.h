/* rotate.h - files that grow by lines: alerts.log and the files of monitoring.logging.output.
 *
 * A file that has reached ROTATE_BYTES is moved to NAME.1, over an older one, before the next line is written: each
 * takes at most twice that. Any number of processes may write; a process that has the lock on the full file moves it,
 * and only while it is still the file of that name. Where it cannot be moved (the directory is another user's) it goes
 * on growing.
 */
#pragma once
#include "base/base.h"

#define ROTATE_BYTES (16u * 1024 * 1024)
#define ROTATE_FLAGS (O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* Opens the file for appending; it is new when it was full. A descriptor, or -1 and errno. */
int rotate_open(int dir, const char *name);
/* The open file fd, whose name was path, should be opened anew: it is full, or has been moved by another process. */
bool rotate_is_due(int fd, const char *path);
