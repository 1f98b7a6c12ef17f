/* caller.h - what the asking process is, beyond notify.h: for this module only, and words.c of the broker.
 *
 * All of it reads what the caller may change at any moment: good for telling, never for deciding.
 */
#pragma once
#include "notify/notify.h"

#include <sys/types.h>

/* The process whose thread pid is; or -errno. */
pid_t caller_leader(uint32_t pid);
/* The process whose thread pid is, as seen from here and from inside, and its parent; what is not known is 0. Read once
 * for each thread (10 us); is_new: again. */
struct kin caller_kin(struct notify *n, uint32_t pid, bool is_new);
/* What the caller's three standard streams are (enum watch_stdio) and which: their inodes. */
void caller_streams(uint32_t pid, struct watch_event *ret);
/* The directory that relative paths of the caller's begin at, as the caller sees it. dir: AT_FDCWD or a descriptor.
 * False: there is none. */
bool caller_directory(struct notify *n, uint32_t pid, int dir, char *ret, size_t size);
/* WATCH_WRITABLE_PLACE, WATCH_SETUID_FILE of the file that the caller names. False: there is none. dir: AT_FDCWD or a
 * descriptor. */
bool caller_file_flags(struct notify *n, uint32_t pid, int dir, const char *path, uint32_t *ret);
