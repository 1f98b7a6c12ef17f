/* safe_path.h - a directory that root opens, or makes, on a path of which others may own a part.
 *
 * Each component is opened from the descriptor of the one before. A symbolic link is followed only where it lies in a
 * directory that root owns and in which only root may write, so that root has made it (/var/run). Elsewhere it is
 * refused: the owner of the directory could let it point anywhere, before or between our looks.
 */
#pragma once
#include "base/error.h"

/* A descriptor of the directory, or a negative error. What is missing is made: mode for the last one, 0755 for those
 * above it. */
int safe_path_open(const char *path, unsigned mode, struct error *err);
/* It is root's, and no other user may write in it. */
struct stat;
bool safe_path_is_roots(const struct stat *st);
