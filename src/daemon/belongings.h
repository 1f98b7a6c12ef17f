/* belongings.h - the directories of the service's user, when root starts the service: made for him, or taken over from
 * root.
 *
 * Root may have used the command line before there was a service: state, audit and logs are root's then. They are given
 * to the service's user, which is safe on these conditions, all looked at through descriptors: no link on the way to it
 * was made by others than root (safe_path.h), which matters where the log directory lies below the state directory; the
 * directory is root's and no other user may write in it, so that whatever is in it, hard links included, was put there
 * by root; and all of it is ours by name, so that a directory of another user that the configuration names by mistake
 * (/var/log) is refused and stays as it is. The directory itself changes hands last.
 */
#pragma once
#include "base/error.h"

/* mode: for one that is made. *ret_taken: how many files were root's; NULL: not asked. -EPERM with the remedy where a
 * condition is not met. */
int belongings_give(const char *path, unsigned mode, uint32_t uid, uint32_t gid, unsigned *ret_taken,
                    struct error *err);
