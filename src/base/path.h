/* path.h - paths as texts. */
#pragma once
#include "base/base.h"

/* Without empty parts, «.» and «x/..»; a path from the root has no «..» left. By the text alone, which is not what the
 * kernel does where a link lies in between: to observe by, never to open by. False, and *ret is not to be read: there
 * is a NUL among the size bytes, there are none, or they do not fit into ret with a NUL. */
bool path_fold(const char *path, size_t size, char *ret, size_t ret_size);
/* One of them is the other, or lies above it. Neither ends with a slash. */
bool path_meets(const char *a, const char *b);
/* path is dir or lies below it. dir may end with a slash, and may be the root. */
bool path_is_within(const char *path, const char *dir);
/* From the root, without empty parts, «.» and «..», shorter than 4000 bytes: what a plan may name. Accepts NULL. */
bool path_is_plain(const char *path);
/* What stands behind the last slash: empty, where that is the end. */
static inline const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
